"""Casting spells: how often, by whom, with which dice, the result, and the version (wap.magic.cast.*)."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero
from wizards import (
    SPARE,
    TRIAL,
    cast,
    in_cast,
    knowing,
    let_be,
    offered_spells,
    pools,
    ring,
    row_of,
    targets,
    valued,
    wizard,
)

from wh_env import Battle
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.magic.casting import Cast
from wh_env.rulesets.wap.magic.dispelling import Dispel
from wh_env.rulesets.wap.magic.may_cast import castable
from wh_env.rulesets.wap.magic.spells import Attribute
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, FROM_AFAR, MAGICAL, SPELL
from wh_env.testing import choose, dice_left, kind, script, slots, told, words
from wh_env.testing.wap import RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])


def before(
    player: int = 0, level: int = 2, *, spells: str = "", dice: tuple[int, ...] = (), gap: float = 12, others: int = 1,
    bound: Any = (), foes: dict[str, Any] | None = None, models: int = 20, lore: str = TRIAL,
) -> tuple[Battle, UnitHandle, UnitHandle]:  # fmt: skip
    """A wizard ``gap`` inches from an enemy unit, a second wizard aside, the Magic phase with 12 power and 6 dispel
    dice; then ``dice``."""
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(player, wizard(level, lore, bound=bound), (30, 36), models=1)
    second = [scene.unit(player, wizard(1), (30 + 8 * n, 36), models=1) for n in range(1, 1 + others)]
    sign = 1 if player == 0 else -1
    foe = scene.unit(1 - player, square(**(foes or {})), (30, 36 + sign * gap), models=models, files=10)
    scene.unit(1 - player, None, (60, 36 + sign * 30), models=5)
    known = {mage: spells, **dict.fromkeys(second, spells)}
    winds = (6, 6, *[1] * (level + others))
    battle = scene.battle("magic", player=player, dice=winds, set_state=knowing(known))
    assert pools(battle)[player] == 12 and dice_left(battle) == 0
    script(battle, dice)
    return battle, mage, foe


# ---------------------------------------------------------------- who, and how often


@pytest.mark.rule("wap.magic.cast.once")
@PLAYERS
def test_each_spell_is_tried_once_a_turn(player: int) -> None:
    """A failed attempt counts too; his other spells and other wizards who know it are not concerned; next turn he may
    again."""
    battle, mage, foe = before(player, spells="Stroke", dice=(3,))
    other = UnitHandle(mage.scene, player, mage.number + 1, mage.regiment, None, 0.0, 0)
    cast(battle, mage, "Spark", foe, 1)
    assert kind(battle) == "cast-by"  # 4: it has failed
    assert offered_spells(battle, mage) == ["Stroke"]
    assert offered_spells(battle, other) == ["Spark", "Stroke"]
    script(battle, [6, 6])
    cast(battle, mage, "Stroke", foe, 1)
    let_be(battle)
    assert offered_spells(battle, mage) == []
    choose(battle, "done")
    for _ in range(400):
        if kind(battle) == "cast-by" and battle.clock.turn[0] == player:
            break
        battle.apply(battle.first_legal())
    assert castable(battle, mage.row) == [row_of(battle, mage, "Spark"), row_of(battle, mage, "Stroke")]


@pytest.mark.rule("wap.magic.cast.bound-same-spell")
def test_a_spell_that_he_knows_may_be_cast_from_his_ring_too() -> None:
    battle, mage, foe = before(bound=ring("Spark", 5), dice=(5, 1, 2))
    cast(battle, mage, "Spark", foe, 0)
    choose(battle, "number", 0)
    let_be(battle)
    assert offered_spells(battle, mage) == ["Spark"]
    script(battle, [5, 5, 1])
    cast(battle, mage, "Spark", foe, 1)
    let_be(battle)
    assert battle.spellbook.tried[row_of(battle, mage, "Spark", bound=True)]
    assert offered_spells(battle, mage) == []


@pytest.mark.rule("wap.magic.cast.barred")
@PLAYERS
@pytest.mark.parametrize("barred", ["fleeing", "reserve", "stupid", "none"])
def test_who_flees_is_away_or_stupid_casts_nothing(player: int, barred: str) -> None:
    """He is in a unit. Bound spells neither."""
    scene = RegimentScene()
    columns = {barred: 1} if barred != "none" else {}
    host = scene.unit(player, None, None if barred == "reserve" else (24, 24), models=5, **columns)
    mage = scene.unit(player, wizard(4, bound=ring("Curse", 5)), inside=host, models=1)
    scene.unit(player, wizard(1), (36, 24), models=1)
    scene.unit(1 - player, None, (24, 36 if player == 0 else 12), models=10)
    battle = scene.battle("magic", player=player)
    assert offered_spells(battle, mage) == (["Spark", "Curse"] if barred == "none" else [])


@pytest.mark.rule("wap.magic.cast.declare")
@PLAYERS
def test_a_target_beyond_the_range_is_not_offered(player: int) -> None:
    """Two enemies in range are both offered, before any die is rolled."""
    for gap, there in ((20.0, True), (25.0, False)):
        battle, mage, foe = before(player, spells="Stroke", gap=gap)
        assert (foe.row in targets(battle, mage, "Stroke")) == there
        assert ("Stroke" in offered_spells(battle, mage)) == there


# ---------------------------------------------------------------- dice and result


@pytest.mark.rule("wap.magic.cast.dice")
@pytest.mark.parametrize(("level", "pool", "most"), [(3, 8, 5), (3, 2, 2), (1, 8, 3), (4, 12, 6)])
def test_from_one_die_to_the_level_and_two_more(level: int, pool: int, most: int) -> None:
    battle, mage, foe = before(level=level)
    battle.pools.dice[0] = pool
    cast(battle, mage, "Spark", foe, 0)
    assert slots(battle, "number") == list(range(most))
    script(battle, [2] * most + [1])
    choose(battle, "number", most - 1)
    assert pools(battle)[0] == pool - most


@pytest.mark.rule("wap.magic.cast.dice")
def test_without_dice_in_the_pool_he_casts_nothing() -> None:
    battle, mage, foe = before(level=1, dice=(3,), spells="Stroke", others=1)
    battle.pools.dice[0] = 1
    cast(battle, mage, "Spark", foe, 1)
    assert battle.clock.phase[0] != Phase.MAGIC


@pytest.mark.rule("wap.magic.cast.value")
@PLAYERS
@pytest.mark.parametrize(("value", "is_cast"), [(11, True), (12, False)])
def test_the_dice_and_half_the_level_reach_the_casting_value(
    player: int, value: int, is_cast: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Dice of 1, 3 and 5 and a level of 4 make 11; the enemy has to reach that."""
    lore = valued(tmp_path_factory.mktemp("l"), "Spark", value)
    battle, mage, foe = before(player, 4, lore=lore, dice=(1, 3, 5))
    cast(battle, mage, "Spark", foe, 3)
    assert told(battle, "wap.magic.cast.value")[-1] == {
        "unit": mage.row, "name": "Spark", "target": foe.row, "rolls": (1, 3, 5), "needed": value, "amount": 11,
    }  # fmt: skip
    assert pools(battle)[player] == 9
    assert (kind(battle) == "dispel-by") == is_cast
    if is_cast:
        assert battle.stack[battle.frame + Dispel.VALUE] == 11


@pytest.mark.rule("wap.magic.cast.bonus")
@pytest.mark.parametrize(("level", "result"), [(1, 6), (2, 6), (3, 7), (4, 7)])
def test_half_the_level_is_added(level: int, result: int) -> None:
    battle, mage, foe = before(level=level, dice=(2, 3))
    cast(battle, mage, "Spark", foe, 2)
    assert told(battle, "wap.magic.cast.value")[-1]["amount"] == result


@pytest.mark.rule("wap.magic.cast.not-enough", "wap.magic.cast.lost-concentration")
@PLAYERS
def test_a_natural_total_of_one_or_two_fails_and_costs_him_his_concentration(
    player: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Even where the bonus would reach the value; his bound spells stay his."""
    lore = valued(tmp_path_factory.mktemp("l"), "Spark", 4)
    battle, mage, foe = before(player, 4, spells="Stroke", bound=ring("Curse", 5), lore=lore, dice=(2, 3))
    cast(battle, mage, "Spark", foe, 1)  # 2 and 2 would make 4
    assert kind(battle) == "cast-by" and offered_spells(battle, mage) == ["Curse"]
    assert told(battle, "wap.magic.cast.lost-concentration") == [{"unit": mage.row}]
    enough, mage, foe = before(player, 4, spells="Stroke", dice=(1, 2))
    cast(enough, mage, "Spark", foe, 2)
    assert kind(enough) == "dispel-by"  # 3 and 2
    failed, mage, foe = before(player, 1, spells="Stroke", dice=(3,))
    cast(failed, mage, "Spark", foe, 1)
    assert offered_spells(failed, mage) == ["Stroke"]  # he has kept it


@pytest.mark.rule("wap.magic.cast.lost-concentration")
def test_he_casts_again_in_his_next_turn() -> None:
    battle, mage, foe = before(spells="Stroke", dice=(2,))
    cast(battle, mage, "Spark", foe, 1)
    assert battle.wizards.cannot_cast[mage]
    choose(battle, "done")
    while not (kind(battle) == "cast-by" and battle.clock.turn[0] == 0):
        battle.apply(battle.first_legal())
    assert not battle.wizards.cannot_cast[mage]


@pytest.mark.rule("wap.magic.cast.irresistible")
@PLAYERS
def test_a_free_die_for_each_six(player: int) -> None:
    """Its own 6 brings none; the pool and the limit of his level are not concerned; the spell can be dispelled."""
    battle, mage, foe = before(player, 2, dice=(6, 6, 2, 6, 1))
    cast(battle, mage, "Spark", foe, 3)
    assert told(battle, "wap.magic.cast.value")[-1]["rolls"] == (6, 6, 2, 6, 1)
    assert told(battle, "wap.magic.cast.value")[-1]["amount"] == 22
    assert pools(battle)[player] == 9 and dice_left(battle) == 0
    choose(battle, "option", 0)
    assert kind(battle) == "dispel-by"


# ---------------------------------------------------------------- versions


@pytest.mark.rule("wap.magic.cast.boost", "wap.lore.general.boosted-version")
@PLAYERS
@pytest.mark.parametrize(
    ("dice", "versions"), [((5, 5, 2), ["5", "13"]), ((5, 5, 1), ["5"]), ((6, 5, 5, 3), ["5", "13", "17"])]
)
def test_the_versions_that_the_result_reaches_are_offered(
    player: int, dice: tuple[int, ...], versions: list[str]
) -> None:
    """Fireball at 13, 12 and 20: each version has its own range and hits; the player chooses before the dispel."""
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(player, wizard(2, "fire"), (30, 36), models=1)
    foe = scene.unit(1 - player, None, (30, 46 if player == 0 else 26), models=40, files=10)
    battle = scene.battle("magic", player=player, dice=(6, 6, 1, 1, *dice))
    cast(battle, mage, "Fireball", foe, 3)
    if len(versions) == 1:
        assert kind(battle) == "dispel-by" and in_cast(battle, Cast.VERSION) == 0
    else:
        told = [each.rpartition("the version of ")[2] for each in words(battle).values()]
        assert kind(battle) == "spell-version" and told == [f"{value}+" for value in versions]
    for n in range(len(versions)):
        copy = battle.clone()
        if len(versions) > 1:
            choose(copy, "option", n)
        assert kind(copy) == "dispel-by" and in_cast(copy, Cast.RESULT) == sum(dice) + 1
        script(copy, [1] * 60)
        let_be(copy)
        hits = told_after(copy)
        assert hits == n + 1  # a die of 1 for each D6


def told_after(battle: Battle) -> int:
    """The wounding dice that a copy has used: none of its ones has wounded; the dice of the hits come first."""
    used = battle.dice.script_at[0]
    for dice in (1, 2, 3):
        if used == 2 * dice:
            return dice
    return used


@pytest.mark.rule("wap.lore.general.boosted-version", "wap.magic.resolve.no-effect")
@PLAYERS
def test_a_target_that_only_a_boosted_version_reaches(player: int) -> None:
    """It may be named. The base version is cast on it without effect, and counts as cast; the attribute acts."""
    battle, mage, foe = before(player, 2, gap=30, spells="Curse", dice=(3, 3))
    assert targets(battle, mage, "Spark") == {foe.row}
    seen: list[int] = []
    lore = battle.setup.statics["lores"][0]
    object.__setattr__(lore, "attribute", _Watch(seen))
    cast(battle, mage, "Spark", foe, 2)
    let_be(battle)
    assert battle.units.alive[foe] == 20 and seen == [foe.row]
    assert offered_spells(battle, mage) == ["Curse"]
    script(battle, [6, 5, 1])
    cast(battle, mage, "Curse", foe, 2)
    assert kind(battle) == "spell-version"
    copy = battle.clone()
    choose(copy, "option", 0)
    let_be(copy)
    assert not any(copy.effects.cast)
    choose(battle, "option", 1)
    let_be(battle)
    assert battle.lines.t[battle.units.first_line[foe]] == 2


class _Watch(Attribute):
    """An attribute of a lore that notes the targets of spells that were cast."""

    def __init__(self, seen: list[int]) -> None:
        object.__setattr__(self, "seen", seen)

    def has_cast(self, g: Any, casting: Any) -> None:
        self.seen.append(casting.target)


@pytest.mark.rule("wap.magic.attribute")
def test_an_attribute_is_that_of_the_spell_s_own_lore() -> None:
    scene = RegimentScene()
    mage = scene.unit(0, wizard(2, TRIAL, SPARE, together=2), (24, 12), models=1)
    foe = scene.unit(1, None, (24, 24), models=20, files=10)
    battle = scene.battle("magic", dice=(6, 6, 1, 1), set_state=knowing({mage: "Might"}))
    seen: dict[str, list[int]] = {}
    for lore in battle.setup.statics["lores"]:
        object.__setattr__(lore, "attribute", _Watch(seen.setdefault(lore.name, [])))
    script(battle, [5, 1, 1])
    cast(battle, mage, "Spark", foe, 1)
    let_be(battle)
    assert seen == {"Lore of Trials": [foe.row], "Lore of Spares": []}
    script(battle, [5])
    cast(battle, mage, "Might", None, 1)
    let_be(battle)
    assert seen == {"Lore of Trials": [foe.row], "Lore of Spares": [mage.row]}


# ---------------------------------------------------------------- resolving


@pytest.mark.rule("wap.magic.damage.kind")
@pytest.mark.parametrize("spell", ["Spark", "Stroke"])
def test_damage_of_spells_is_magical_and_no_blow(monkeypatch: pytest.MonkeyPatch, spell: str) -> None:
    from wh_env.rulesets.wap.magic import deeds

    battle, mage, foe = before(spells="Stroke", dice=(5, 2, 1, 1, 1))
    hits: list[Any] = []

    def take(g: Battle, target: int, found: list[Any], side: int, by: int) -> int:
        hits.extend(found)
        return 0

    monkeypatch.setattr(deeds, "take_hits", take)
    cast(battle, mage, spell, foe, 1)
    let_be(battle)
    assert [number for number, _ in hits] == [2]
    nature = hits[0][1].nature
    assert nature & MAGICAL and nature & SPELL and nature & AUTOMATIC
    assert nature & FROM_AFAR["magic missile" if spell == "Spark" else "direct damage"]


@pytest.mark.rule("wap.magic.type.missile.auto-hit", "wap.magic.duration.instant", "wap.shoot.hit.automatic")
@PLAYERS
def test_a_missile_hits_without_dice(player: int) -> None:
    """A die of 4 is four hits; the next four are to wound. Nothing lasts."""
    battle, mage, foe = before(player, dice=(5, 4, 1, 2, 3, 6))
    cast(battle, mage, "Spark", foe, 1)
    let_be(battle)
    assert told(battle, "wap.magic.type.missile")[-1]["amount"] == 4
    assert told(battle, "wap.shoot.wound.roll")[-1]["rolls"] == (1, 2, 3, 6)
    assert battle.units.alive[foe] == 18 and dice_left(battle) == 0
    assert not any(unit >= 0 for unit in battle.effects.unit)


@pytest.mark.rule("wap.magic.resolve")
@PLAYERS
def test_hits_of_spells_are_wounds_saves_and_losses(player: int) -> None:
    """Two hits of Strength 4 on Toughness 3 wound with 3 and not with 2; an armour save of 5+ becomes 6+."""
    battle, mage, foe = before(player, dice=(5, 2, 3, 2, 5), foes={"rules": ["Natural Armour (5+)"]})
    cast(battle, mage, "Spark", foe, 1)
    let_be(battle)
    assert told(battle, "wap.shoot.wound.roll")[-1]["rolls"] == (3, 2)
    assert battle.units.alive[foe] == 19 and dice_left(battle) == 0


@pytest.mark.rule("wap.magic.resolve.panic", "wap.panic.direction.heavy")
@PLAYERS
def test_heavy_losses_to_a_spell_call_for_a_panic_test(player: int) -> None:
    """A quarter of 20 models; the unit flees from the wizard. With four there is no test."""
    for hits, tests in ((5, 1), (4, 0)):
        battle, mage, foe = before(player, dice=(5, hits, *[6] * hits, 6, 6))
        cast(battle, mage, "Spark", foe, 1)
        let_be(battle)
        assert battle.units.alive[foe] == 20 - hits
        assert len(told(battle, "wap.panic.heavy-casualties")) == tests
        assert battle.units.fleeing[foe] == tests
        if tests:
            away = 1 if player == 0 else -1
            assert (battle.units.y[foe] - 36) * away > 12


@pytest.mark.rule("wap.magic.resolve.panic")
def test_a_spell_on_several_units_is_resolved_before_any_of_them_panics() -> None:
    scene = RegimentScene()
    mage = scene.unit(0, wizard(4), (24, 24), models=1)
    foes = [scene.unit(1, None, (x, 34), models=4, files=4) for x in (20, 28)]
    scene.unit(1, None, (6, 46), models=20)
    battle = scene.battle("magic", dice=(6, 6, 1, 1, 1, 1), set_state=knowing({mage: "Gale"}))
    script(battle, [5, 5, *[6, 6, 1] * 2, 1, 1, 1, 1])
    cast(battle, mage, "Gale", foes[0], 2)
    let_be(battle)
    while kind(battle) == "panic-order":
        battle.apply(battle.first_legal())
    events = [event.rule for event in battle.events]
    hits = [n for n, rule in enumerate(events) if rule == "wap.magic.type.direct-damage"]
    panics = [n for n, rule in enumerate(events) if rule.startswith("wap.panic")]
    assert len(hits) == 2 and panics and max(hits) < min(panics)
    assert [battle.units.alive[foe] for foe in foes] == [2, 2]


def test_a_hero_without_spells_is_no_caster() -> None:
    scene = RegimentScene()
    mage = scene.unit(0, wizard(1), (24, 24), models=1)
    lord = scene.unit(0, hero(), (30, 24), models=1)
    scene.unit(1, None, (24, 36), models=10)
    battle = scene.battle("magic")
    assert slots(battle, "own") == [mage.number] and offered_spells(battle, lord) == []
