"""Dispelling spells that were just cast (wap.magic.dispel.*), and Magic Resistance (wap.special.magic-resistance.*)."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero
from wizards import cast, dispel, knowing, let_be, pools, wizard

from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.core.validation import Validator
from wh_env.rulesets.wap.basics.resistance import resistance_of
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.magic.dispelling import FIRST_WIZARD, Dispel
from wh_env.rulesets.wap.weapons.hit import FROM_AFAR, MAGICAL, SPELL
from wh_env.rulesets.wap.weapons.saves import Ward, ward_save, wards_against
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told
from wh_env.testing.wap import RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
EVERY = "Stroke,Shield,Curse,Cloak,Rot,Gale"


def attacked(
    player: int = 0, levels: tuple[int, ...] = (), *, result: tuple[int, ...] = (6, 4), pool: int = 6,
    foe: dict[str, Any] | None = None, spell: str = "Stroke", second: bool = False, joined: Any = None,
) -> tuple[Battle, UnitHandle, UnitHandle, list[UnitHandle]]:  # fmt: skip
    """A wizard of level 2 of ``player`` has cast a spell at an enemy unit with ``result`` and 1; the enemy has wizards
    of ``levels``. Dice of ``result`` are those of one pool die and its free die."""
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(player, wizard(2), (36, 36), models=1)
    sign = 1 if player == 0 else -1
    target = scene.unit(1 - player, square(**(foe or {})), (36, 36 + sign * 12), models=20, files=10)
    if joined is not None:
        scene.unit(1 - player, joined, inside=target, models=1)
    spots = [(4 + 5 * n, 36 + sign * 34) for n in range(len(levels))]
    mages = [scene.unit(1 - player, wizard(level), spot, models=1) for level, spot in zip(levels, spots, strict=True)]
    if second:
        scene.unit(player, wizard(2), (10, 36), models=1)
    channel = [1] * (2 + 2 * second + sum(levels))
    battle = scene.battle("magic", player=player, dice=(6, 6, *channel), set_state=knowing({mage: EVERY}))
    battle.pools.dice[1 - player] = pool
    script(battle, result)
    cast(battle, mage, spell, target, 1 if result[0] == 6 else len(result))
    assert kind(battle) == "dispel-by" and dice_left(battle) == 0
    return battle, mage, target, mages


@pytest.mark.rule("wap.magic.dispel.may")
@PLAYERS
def test_the_enemy_may_try_once_before_anything_is_resolved(player: int) -> None:
    battle, _, target, (mage,) = attacked(player, (1,))
    assert battle.decision is not None and battle.decision.player == 1 - player
    assert battle.legal()[0] and battle.units.alive[target] == 20
    script(battle, [3, 6, 6])
    dispel(battle, mage, 1)  # 4 of 11
    assert kind(battle) == "cast-by" and battle.units.alive[target] == 18
    declined, _, target, _ = attacked(player, (1,))
    script(declined, [6, 6])
    let_be(declined)
    assert pools(declined)[1 - player] == 6 and declined.units.alive[target] == 18


@pytest.mark.rule("wap.magic.dispel.may")
def test_without_dispel_dice_he_is_not_asked() -> None:
    scene = RegimentScene()
    mage = scene.unit(0, wizard(2), (24, 12), models=1)
    foe = scene.unit(1, None, (24, 24), models=10)
    battle = scene.battle("magic", dice=(6, 6, 1, 1), set_state=knowing({mage: "Stroke"}))
    battle.pools.dice[1] = 0
    script(battle, [6, 4, 6, 6])
    cast(battle, mage, "Stroke", foe, 1)
    assert battle.units.alive[foe] == 8 and kind(battle) == "cast-by"


@pytest.mark.rule("wap.magic.dispel.wizard", "wap.special.stupidity.until-passed")
@PLAYERS
def test_any_wizard_on_the_battlefield_may_be_named(player: int) -> None:
    """Far and near, out of sight, fleeing, stupid, in close combat, in a unit; not one who is away, dead or a hero."""
    scene = RegimentScene(size=(72, 72))
    sign = 1 if player == 0 else -1
    caster = scene.unit(player, wizard(2), (36, 36), models=1)
    target = scene.unit(1 - player, None, (36, 36 + sign * 10), models=20, files=10)
    far = scene.unit(1 - player, wizard(1), (2, 36 + sign * 33), models=1)
    near = scene.unit(1 - player, wizard(1), (44, 36 + sign * 6), models=1)
    inner = scene.unit(1 - player, wizard(1), inside=target, models=1)
    flees = scene.unit(1 - player, wizard(1), (60, 36), models=1, fleeing=1)
    stupid = scene.unit(1 - player, wizard(1), (66, 36), models=1, stupid=1)
    fights = scene.unit(1 - player, wizard(1), (10, 36), models=1)
    scene.beside(fights, player, models=5)
    away = scene.unit(1 - player, wizard(1), None, models=1, reserve=True)
    lord = scene.unit(1 - player, hero(), (56, 30), models=1)
    dead = scene.unit(1 - player, wizard(1), None, models=1)

    def bury(battle: Battle) -> None:
        knowing({caster: "Stroke"})(battle)
        battle.units.place[dead], battle.units.alive[dead] = DESTROYED, 0
        battle.models.alive[dead.first] = battle.models.wounds[dead.first] = 0

    battle = scene.battle("magic", player=player, dice=(6, 6, *[1] * 6), set_state=bury)
    script(battle, [6, 4])
    cast(battle, caster, "Stroke", target, 1)
    assert slots(battle, "own") == [unit.number for unit in (far, near, inner, flees, stupid, fights)]
    assert away.number not in slots(battle, "own") and lord.number not in slots(battle, "own")


@pytest.mark.rule("wap.magic.dispel.army")
@PLAYERS
@pytest.mark.parametrize("levels", [(), (4,)])
def test_the_army_dispels_without_a_bonus(player: int, levels: tuple[int, ...]) -> None:
    """Without wizards, or if the player wants none of them to."""
    battle, _, target, _ = attacked(player, levels, result=(6, 2), pool=4)  # 9
    script(battle, [4, 5])
    dispel(battle, None, 2)
    assert battle.units.alive[target] == 20 and pools(battle)[1 - player] == 2
    failed, _, target, _ = attacked(player, levels, result=(6, 2), pool=4)
    script(failed, [4, 4, 6, 6])
    dispel(failed, None, 2)
    assert failed.units.alive[target] == 18


@pytest.mark.rule("wap.magic.dispel.dice")
@PLAYERS
def test_as_many_dice_as_the_pool_holds(player: int) -> None:
    battle, _, _, (mage,) = attacked(player, (1,), pool=6)
    choose(battle, "own", mage.number)
    assert slots(battle, "number") == [0, 1, 2, 3, 4, 5]
    many, _, _, (mage,) = attacked(player, (1,), pool=17)
    choose(many, "own", mage.number)
    assert len(slots(many, "number")) == 17


@pytest.mark.rule("wap.magic.dispel.value")
@PLAYERS
def test_the_dice_and_half_the_level_reach_the_casting_result(player: int) -> None:
    """4 and 5 and a level of 3 make 11 of 11; the army has 9."""
    for by, saved in ((True, True), (False, False)):
        battle, _, target, (mage,) = attacked(player, (3,))
        script(battle, [4, 5, 6, 6])
        dispel(battle, mage if by else None, 2)
        assert told(battle, "wap.magic.dispel.value")[-1]["result"] == int(saved)
        assert battle.units.alive[target] == (20 if saved else 18)


@pytest.mark.rule("wap.magic.dispel.bonus")
@pytest.mark.parametrize(("level", "result"), [(1, 5), (2, 5), (3, 6), (4, 6)])
def test_half_the_level_is_added(level: int, result: int) -> None:
    battle, _, _, (mage,) = attacked(0, (level,))
    script(battle, [2, 2, 1, 1])
    dispel(battle, mage, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == result


@pytest.mark.rule("wap.magic.dispel.bonus", "wap.special.magic-resistance.dispel")
def test_all_bonuses_are_five_at_most() -> None:
    """Level 4 and Magic Resistance (4): 2 and 2 make 9, not 10."""
    battle, _, _, (mage,) = attacked(0, (4,), foe={"rules": ["Magic Resistance (4)"]})
    script(battle, [2, 2, 1, 1])
    dispel(battle, mage, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == 9


@pytest.mark.rule("wap.magic.dispel.not-enough")
@PLAYERS
def test_a_natural_total_of_one_or_two_fails(player: int) -> None:
    """Whatever is added: 2 and 5 of a casting result of 7."""
    battle, _, target, (mage,) = attacked(player, (4,), result=(2, 4), foe={"rules": ["Magic Resistance (3)"]})
    assert battle.stack[battle.frame + Dispel.VALUE] == 7
    script(battle, [2, 6, 6, 1, 1])
    dispel(battle, mage, 1)
    event = told(battle, "wap.magic.dispel.value")[-1]
    assert event["amount"] == event["needed"] == 7 and event["result"] == 0
    assert battle.units.alive[target] == 18


@pytest.mark.rule("wap.magic.dispel.lost-concentration")
@PLAYERS
def test_who_rolls_one_or_two_dispels_no_more(player: int) -> None:
    """The other wizard and the army may, the army again and again; next phase he may again."""
    battle, caster, target, (one, two) = attacked(player, (2, 1))
    script(battle, [1, 1, 1, 1])
    dispel(battle, one, 2)
    assert told(battle, "wap.magic.dispel.lost-concentration") == [{"unit": one.row}]
    script(battle, [6, 2])
    cast(battle, caster, "Rot", target, 1)
    assert slots(battle, "own") == [two.number] and battle.legal()[battle.setup.space.option]
    script(battle, [2])
    dispel(battle, None, 1)
    script(battle, [6, 1])
    cast(battle, caster, "Curse", target, 1)
    assert slots(battle, "own") == [two.number] and battle.legal()[battle.setup.space.option]
    script(battle, [3])
    dispel(battle, two, 1)  # it fails, but he keeps his concentration
    assert not battle.wizards.cannot_dispel[two] and battle.wizards.cannot_dispel[one]


@pytest.mark.rule("wap.magic.dispel.irresistible", "wap.magic.dispel.no-miscast")
@PLAYERS
def test_sixes_bring_free_dice_and_ones_no_miscast(player: int) -> None:
    battle, _, target, (mage,) = attacked(player, (2,))
    script(battle, [6, 3, 6])
    dispel(battle, mage, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["rolls"] == (6, 3, 6)
    assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == 16
    assert pools(battle)[1 - player] == 4 and battle.units.alive[target] == 20 and dice_left(battle) == 0
    ones, _, target, (mage,) = attacked(player, (2,))
    script(ones, [1, 1, 6, 1, 6, 6])  # 10: it fails
    dispel(ones, mage, 3)
    assert not any(event.rule.startswith("wap.magic.miscast") for event in ones.events)
    assert ones.units.alive[target] == 18


# ---------------------------------------------------------------- Magic Resistance


@pytest.mark.rule("wap.special.magic-resistance.dispel")
@PLAYERS
@pytest.mark.parametrize("spell", ["Stroke", "Rot"])
def test_resistance_is_added_to_dispel_what_is_cast_on_the_unit(player: int, spell: str) -> None:
    """9 and 2 of 11."""
    for rules, amount in (([], 9), (["Magic Resistance (2)"], 11)):
        battle, *_ = attacked(player, (), foe={"rules": rules}, spell=spell)
        script(battle, [4, 5, 1, 1])
        dispel(battle, None, 2)
        event = told(battle, "wap.magic.dispel.value")[-1]
        assert event["needed"] == 11 and event["amount"] == amount and event["result"] == (amount == 11)


@pytest.mark.rule("wap.special.magic-resistance.dispel")
def test_resistance_of_one_of_all_the_targets_counts() -> None:
    """A spell that is cast on all enemies in range targets each of them; a unit out of range adds nothing."""
    for y, amount in ((34, 11), (46, 9)):
        scene = RegimentScene()
        mage = scene.unit(0, wizard(4), (24, 24), models=1)
        plain = scene.unit(1, None, (18, 34), models=20, files=5)
        scene.unit(1, square(rules=["Magic Resistance (2)"]), (28, y), models=5)
        battle = scene.battle("magic", dice=(6, 6, 1, 1, 1, 1), set_state=knowing({mage: "Gale"}))
        script(battle, [5, 5])
        cast(battle, mage, "Gale", plain, 2)
        script(battle, [4, 5])
        dispel(battle, None, 2)
        assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == amount


@pytest.mark.rule("wap.special.magic-resistance.dispel")
@PLAYERS
@pytest.mark.parametrize(
    ("lore", "spell", "dice"), [("fire", "Flame Storm", (5, 5, 2)), ("heavens", "Comet of Casandora", (5, 5, 5))]
)
def test_resistance_is_no_help_against_a_template(player: int, lore: str, spell: str, dice: tuple[int, ...]) -> None:
    """Its middle lies on the unit, or what falls from the sky will."""
    scene, sign = RegimentScene(size=(72, 72)), 1 if player == 0 else -1
    mage = scene.unit(player, wizard(4, lore), (36, 36), models=1)
    target = scene.unit(1 - player, square(rules=["Magic Resistance (2)"]), (36, 36 + sign * 12), models=20, files=10)
    battle = scene.battle("magic", player=player, dice=(6, 6, 1, 1, 1, 1), set_state=knowing({mage: spell}))
    cast(battle, mage, spell, target if lore == "fire" else None, 0)
    assert kind(battle) == "spell-place"
    choose(battle, "cell", slots(battle, "cell")[0])
    script(battle, dice)
    choose(battle, "number", 2)
    if kind(battle) == "spell-version":
        choose(battle, "option", 0)
    script(battle, [4, 5])
    dispel(battle, None, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == 9


@pytest.mark.rule("wap.special.magic-resistance.dispel")
def test_resistance_of_the_caster_s_own_unit_helps_nobody() -> None:
    """The enemy dispels an augment."""
    scene = RegimentScene()
    mage = scene.unit(0, wizard(2), (24, 24), models=1)
    friend = scene.unit(0, square(rules=["Magic Resistance (3)"]), (30, 24), models=10)
    scene.unit(1, None, (24, 40), models=10)
    battle = scene.battle("magic", dice=(6, 6, 1, 1), set_state=knowing({mage: "Shield"}))
    script(battle, [6, 2])
    cast(battle, mage, "Shield", friend, 1)
    script(battle, [4, 4])
    dispel(battle, None, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == 8


@pytest.mark.rule("wap.special.magic-resistance.ward")
@PLAYERS
def test_resistance_is_a_ward_save_against_damage_of_spells(player: int) -> None:
    """(1) is 6+, (2) 5+, (3) 4+; with a ward save of 6+ of its own (2) makes 4+; against arrows nothing."""
    missile, arrow = FROM_AFAR["magic missile"] | SPELL | MAGICAL, FROM_AFAR["missile weapon"]
    scene = RegimentScene()
    units = {
        n: scene.unit(player, square(rules=[f"Magic Resistance ({n})"]), (4 + 8 * n, 24), models=5) for n in (1, 2, 3)
    }
    warded = scene.unit(player, square(rules=["Magic Resistance (2)", "Ward Save (6+)"]), (40, 24), models=5)
    scene.unit(1 - player, wizard(1), (24, 44), models=1)
    battle = scene.battle("magic", player=player, run=False)
    for n, unit in units.items():
        assert ward_save(wards_against(battle, unit.row, 4, 0, missile)) == Ward(7 - n)
        assert wards_against(battle, unit.row, 4, 0, arrow) == []
    assert ward_save(wards_against(battle, warded.row, 4, 0, missile)) == Ward(4)
    assert ward_save(wards_against(battle, warded.row, 4, 0, arrow)) == Ward(6)


@pytest.mark.rule("wap.special.magic-resistance.ward")
@PLAYERS
def test_resistance_saves_wounds_of_a_missile(player: int) -> None:
    battle, _, target, _ = attacked(player, (), foe={"rules": ["Magic Resistance (2)"]}, spell="Spark")
    script(battle, [3, 3, 6, 6, 4, 5, 6])
    let_be(battle)
    assert battle.units.alive[target] == 19 and dice_left(battle) == 0


@pytest.mark.rule("wap.special.magic-resistance.unit")
@PLAYERS
def test_the_highest_resistance_of_unit_and_characters_counts(player: int) -> None:
    """A unit of (1) joined by a character of (2): all have 2; when he leaves, 1."""
    scene = RegimentScene()
    unit = scene.unit(player, square(rules=["Magic Resistance (1)"]), (24, 24), models=10, files=5)
    lord = scene.unit(player, hero(rules=["Magic Resistance (2)"]), inside=unit, models=1)
    scene.unit(1 - player, wizard(1), (24, 44), models=1)
    battle = scene.battle("movement", player=player)
    assert resistance_of(battle, unit.row) == resistance_of(battle, lord.row) == 2
    step_out(battle, lord.row)
    assert resistance_of(battle, unit.row) == 1 and resistance_of(battle, lord.row) == 2


@pytest.mark.rule("wap.special.magic-resistance.unit", "wap.special.magic-resistance.dispel")
def test_a_character_s_resistance_helps_to_dispel_what_is_cast_on_his_unit() -> None:
    battle, *_ = attacked(0, (), joined=hero(rules=["Magic Resistance (2)"]))
    script(battle, [4, 5])
    dispel(battle, None, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == 11


@pytest.mark.rule("wap.special.magic-resistance.unit", "wap.character.special-rules.not-shared")
@PLAYERS
def test_a_character_has_no_resistance_of_the_soldiers_around_him(player: int) -> None:
    """He has that of another character, and of the magic banner of the unit."""
    scene = RegimentScene()
    resists, lends = ["Magic Resistance (2)"], ["Magic Resistance (1)"]
    unit = scene.unit(player, square(rules=resists), (24, 24), models=10, files=5)
    lord = scene.unit(player, hero(), inside=unit, models=1)
    other = scene.unit(player, square(rules=resists), (36, 24), models=10, files=5)
    heroes = [scene.unit(player, hero(rules=rules), inside=other, models=1) for rules in ([], lends)]
    guard = scene.unit(
        player, None, (12, 24), models=10, files=5, command=["standard"], banner="Standard of Arcane Protection"
    )
    bearer = scene.unit(player, hero(), inside=guard, models=1)
    scene.unit(1 - player, wizard(1), (24, 44), models=1)
    battle = scene.battle("movement", player=player)
    assert [resistance_of(battle, row.row) for row in (unit, lord)] == [2, 0]
    assert [resistance_of(battle, row.row) for row in (other, *heroes)] == [2, 1, 1]
    assert [resistance_of(battle, row.row) for row in (guard, bearer)] == [2, 2]


@PLAYERS
@pytest.mark.rule("wap.special.magic-resistance.dispel", "wap.character.special-rules.not-shared")
@pytest.mark.parametrize("first", ["unit", "lord"])
@pytest.mark.parametrize(("named", "amount"), [("soldier", 11), ("lord", 9)])
def test_a_spell_on_one_model_is_dispelled_with_its_resistance(
    player: int, named: str, amount: int, first: str
) -> None:
    """The soldiers resist, the character among them does not, whichever has the first row of his side."""
    scene, sign = RegimentScene(), 1 if player == 0 else -1
    mage = scene.unit(player, wizard(2, "death"), (24, 24), models=1)
    soldiers, at = square(rules=["Magic Resistance (2)"]), (24, 24 + sign * 8)
    if first == "unit":
        unit = scene.unit(1 - player, soldiers, at, models=10, files=5)
        lord = scene.unit(1 - player, hero(), inside=unit, models=1, post=2)
    else:
        lord = scene.unit(1 - player, hero(), models=1, post=2)
        lord.inside = unit = scene.unit(1 - player, soldiers, at, models=10, files=5)
    battle = scene.battle("magic", player=player, dice=(6, 6, 1, 1), set_state=knowing({mage: "Spirit Leech"}))
    script(battle, [6, 4, 1])
    cast(battle, mage, "Spirit Leech", unit, 0)
    pick(battle, (lord if named == "lord" else unit).regiment.name)
    choose(battle, "number", 1)
    if kind(battle) == "spell-version":
        choose(battle, "option", 0)
    script(battle, [4, 5])
    dispel(battle, None, 2)
    assert told(battle, "wap.magic.dispel.value")[-1]["amount"] == amount


# ---------------------------------------------------------------- stored battles


@PLAYERS
def test_stored_battles_in_the_middle_of_a_dispel(player: int) -> None:
    """They are sound; a wizard of the other side, a spell that is not in play, and units of the other
    side as targets are refused."""
    battle, caster, _, (mage,) = attacked(player, (2,))
    assert list(Validator(battle.setup).faults(battle)) == []
    choose(battle, "own", mage.number)
    assert list(Validator(battle.setup).faults(battle)) == []
    own = len(battle.units_of(1 - player))
    for at, value in (
        (Dispel.BY, FIRST_WIZARD + caster.row),
        (Dispel.BY, FIRST_WIZARD + 99),
        (Dispel.ROW, 1),
        (Dispel.INTO, 16),
        (Dispel.TARGETS, 1 << own),
    ):
        broken = battle.clone()
        broken.stack[broken.frame + at] = value
        assert list(Validator(battle.setup).faults(broken)), at
    empty = battle.clone()
    empty.pools.dice[1 - player] = 0
    assert list(Validator(battle.setup).faults(empty))
