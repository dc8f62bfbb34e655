"""Which units a spell may be cast on, by its type, and what effects do to them (wap.magic.type.*, wap.building.magic.*,
wap.ally.*, wap.character.spells.*)."""

from __future__ import annotations

from math import pi
from typing import Any

import pytest
from heroes import hero
from houses import house
from wizards import SPARE, TRIAL, cast, knowing, let_be, offered_spells, targets, wizard

from wh_env import Battle
from wh_env.rulesets.wap.basics.effects import acting_on, effect_of
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.characters.joining import stand_in
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import LEFT
from wh_env.rulesets.wap.rule_book import ALWAYS_STRIKES_FIRST
from wh_env.testing import choose, dice_left, kind, pick, script, slots, told
from wh_env.testing.wap import EAST, NORTH, SOUTH, WEST, RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
EVERY = "Stroke,Shield,Curse,Cloak,Rot,Gale"
WINDS = (6, 6)


class Field:
    """A wizard of level 4 in the middle of the table, who looks away from his own edge and knows all spells of the lore
    of trials; units are placed as he sees them, by the inches from his base to theirs."""

    def __init__(self, player: int = 0, *, host: bool = False, lore: str = TRIAL, known: str = EVERY) -> None:
        self.scene, self.player, self.known = RegimentScene(size=(72, 72)), player, known
        self.facing = NORTH if player == 0 else SOUTH
        self.sign = 1 if player == 0 else -1
        if host:
            self.host = self.scene.unit(player, None, (36, 36 + 0.5 * self.sign), models=15, files=5)
            self.mage = self.scene.unit(player, wizard(4, lore), inside=self.host, models=1, post=2)
        else:
            self.mage = self.scene.unit(player, wizard(4, lore), (36, 36 + 0.5 * self.sign), models=1)

    def ahead(self, inches: float, aside: float = 0.0, *, own: bool = False, **fields: Any) -> UnitHandle:
        """A unit five wide that looks at the wizard; ``inches`` from his front to its own, ``aside`` to his left."""
        at = (36 - self.sign * aside, 36 + self.sign * (0.5 + inches))
        turned = self.facing + (0 if own else pi)
        if own:  # it looks the same way: its rear is nearest
            at = (at[0], at[1] + self.sign * 2)
        side = self.player if own else 1 - self.player
        return self.scene.unit(side, fields.pop("card", None), at, facing=turned, models=10, files=5, **fields)

    def behind(self, inches: float, *, own: bool = False, **fields: Any) -> UnitHandle:
        """A unit behind the wizard that looks at his back."""
        at = (36, 36 - self.sign * (0.5 + inches))
        side = self.player if own else 1 - self.player
        return self.scene.unit(side, fields.pop("card", None), at, facing=self.facing, models=10, files=5, **fields)

    def beside(self, inches: float, **fields: Any) -> UnitHandle:
        """An enemy wholly in his right flank, looking at it."""
        at = (36 + self.sign * (0.5 + inches), 36)
        facing = WEST if self.player == 0 else EAST
        return self.scene.unit(1 - self.player, None, at, facing=facing, models=10, files=5, **fields)

    def battle(self, *dice: int) -> Battle:
        battle = self.scene.battle(
            "magic", player=self.player, dice=(*WINDS, 1, 1, 1, 1), set_state=knowing({self.mage: self.known})
        )
        script(battle, dice)
        return battle

    def targets(self, spell: str) -> set[int]:
        return targets(self.battle(), self.mage, spell)


# ---------------------------------------------------------------- types


@pytest.mark.rule("wap.magic.type.list")
@PLAYERS
def test_an_enemy_behind_the_wizard_is_a_target_of_hexes_alone(player: int) -> None:
    field = Field(player)
    enemy = field.behind(10)
    battle = field.battle()
    assert targets(battle, field.mage, "Curse") == targets(battle, field.mage, "Rot") == {enemy.row}
    assert offered_spells(battle, field.mage) == ["Shield", "Curse", "Cloak", "Rot"]
    assert targets(battle, field.mage, "Shield") == targets(battle, field.mage, "Cloak") == {field.mage.row}


@pytest.mark.rule("wap.magic.type.direct-damage")
@PLAYERS
def test_direct_damage_needs_front_arc_and_range_and_no_sight(player: int) -> None:
    field = Field(player)
    field.scene.area("forest", 20, 37 if player == 0 else 29, 52, 43 if player == 0 else 35)
    hidden, flank = field.ahead(20), field.beside(10)
    far = field.ahead(24.1, 9)
    near = field.ahead(23.9, -9)
    friend = field.ahead(14, 14, own=True)
    battle = field.battle()
    assert targets(battle, field.mage, "Stroke") == {hidden.row}
    for other in (flank, far, near, friend):
        assert other.row not in targets(battle, field.mage, "Stroke")


@pytest.mark.rule("wap.magic.type.direct-damage", "wap.magic.type.missile", "wap.magic.cast.declare")
@PLAYERS
@pytest.mark.parametrize("spell", ["Stroke", "Spark"])
@pytest.mark.parametrize(("inches", "there"), [(24.0, True), (24.1, False)])
def test_ranges_go_from_base_to_base(player: int, spell: str, inches: float, there: bool) -> None:
    """The longest version of Spark reaches 12 inches farther."""
    field = Field(player)
    enemy = field.ahead(inches if spell == "Stroke" else inches + 12)
    assert targets(field.battle(), field.mage, spell) == ({enemy.row} if there else set())


@pytest.mark.rule("wap.magic.type.direct-damage", "wap.magic.type.missile")
@PLAYERS
def test_the_front_arc_is_that_of_the_wizard_s_own_base(player: int) -> None:
    """A base that lies partly in it is enough; its rays start at the corners of his base."""
    field = Field(player)
    partly, beside = field.ahead(5, 9.9), field.ahead(5, -10.1)  # rears 7 inches ahead, 7.4 and 7.6 inches aside
    battle = field.battle()
    assert targets(battle, field.mage, "Stroke") == targets(battle, field.mage, "Spark") == {partly.row}
    assert targets(battle, field.mage, "Curse") == {partly.row, beside.row}


@pytest.mark.rule("wap.magic.type.direct-damage", "wap.magic.type.missile")
@PLAYERS
def test_no_damage_is_aimed_into_close_combat(player: int) -> None:
    field = Field(player)
    enemy = field.ahead(10)
    field.scene.beside(enemy, player, side=LEFT, models=5)
    free = field.ahead(10, -9)
    battle = field.battle()
    assert targets(battle, field.mage, "Stroke") == targets(battle, field.mage, "Spark") == {free.row}
    assert targets(battle, field.mage, "Curse") == {enemy.row, free.row}


@pytest.mark.rule("wap.magic.type.missile", "wap.magic.type.list")
@PLAYERS
@pytest.mark.parametrize("alone", [True, False])
def test_a_wizard_in_close_combat_casts_no_missile(player: int, alone: bool) -> None:
    """Direct damage he casts, at others."""
    field = Field(player, host=not alone)
    body = field.mage if alone else field.host
    field.scene.beside(body, 1 - player, side=LEFT, along=0.0, models=5)
    free = field.ahead(10)
    battle = field.battle()
    assert "Spark" not in offered_spells(battle, field.mage)
    assert targets(battle, field.mage, "Stroke") == {free.row}


@pytest.mark.rule("wap.magic.type.missile")
@PLAYERS
def test_a_missile_needs_sight(player: int) -> None:
    """A wood of five inches hides the enemy."""
    for deep, seen in ((4.5, True), (5.5, False)):
        field = Field(player)
        low, high = (40, 40 + deep) if player == 0 else (32 - deep, 32)
        field.scene.area("forest", 10, low, 62, high)
        enemy = field.ahead(15)
        battle = field.battle()
        assert targets(battle, field.mage, "Spark") == ({enemy.row} if seen else set())


@pytest.mark.rule("wap.magic.type.missile")
@PLAYERS
def test_a_wizard_in_a_unit_sees_and_measures_from_his_own_base(player: int) -> None:
    """His unit does not hide the enemy from him; a wizard in the second rank sees nothing."""
    field = Field(player, host=True)
    enemy = field.ahead(20)
    battle = field.battle()
    assert targets(battle, field.mage, "Spark") == {enemy.row}
    assert targets(battle, field.mage, "Shield") == {field.host.row}


@pytest.mark.rule("wap.magic.type.augment")
@PLAYERS
def test_augments_go_to_friends_in_range_even_behind_and_in_combat(player: int) -> None:
    field = Field(player)
    near, far = field.behind(12.0, own=True), field.ahead(19, own=True)
    foe = field.scene.beside(near, 1 - player, side=LEFT, models=5)
    enemy = field.ahead(5)
    battle = field.battle()
    assert targets(battle, field.mage, "Shield") == {field.mage.row, near.row}
    assert targets(battle, field.mage, "Cloak") == {field.mage.row, near.row}
    for other in (far, foe, enemy):
        assert other.row not in targets(battle, field.mage, "Cloak")


@pytest.mark.rule("wap.magic.type.augment")
@PLAYERS
def test_augments_end_at_their_range(player: int) -> None:
    field = Field(player)
    far = field.behind(12.1, own=True)
    battle = field.battle()
    assert targets(battle, field.mage, "Shield") == {field.mage.row}
    assert targets(battle, field.mage, "Cloak") == {field.mage.row, far.row}


@pytest.mark.rule("wap.magic.type.hex")
@PLAYERS
def test_hexes_go_to_enemies_in_range_even_behind_and_in_combat(player: int) -> None:
    field = Field(player, known="Curse,Rot")
    near, friend = field.behind(18.0), field.ahead(5, own=True)
    field.scene.beside(near, player, side=LEFT, models=5)
    far = field.ahead(18.1)
    battle = field.battle()
    assert targets(battle, field.mage, "Rot") == {near.row}
    assert targets(battle, field.mage, "Curse") == {near.row, far.row}
    assert friend.row not in targets(battle, field.mage, "Curse")


# ---------------------------------------------------------------- in and out of units, buildings


@pytest.mark.rule("wap.building.magic.casting")
@PLAYERS
def test_a_wizard_in_a_building_casts_to_all_sides_from_its_walls(player: int) -> None:
    """24 inches from the nearest wall, behind where the unit looked."""
    for gap, there in ((24.0, True), (24.2, False)):
        scene = RegimentScene(size=(72, 72))
        house(scene, 33.5, 33.5)
        host = scene.unit(player, None, models=10, garrison=0)
        mage = scene.unit(player, wizard(2, "fire"), inside=host, models=1)
        south = scene.unit(1 - player, None, (36, 33.5 - gap - 24), facing=NORTH, models=10, files=5)
        west = scene.unit(1 - player, None, (33.5 - 10, 36), facing=EAST, models=10, files=5)
        battle = scene.battle("magic", player=player, dice=(*WINDS, 1, 1))
        assert targets(battle, mage, "Fireball") == ({south.row, west.row} if there else {west.row})


@pytest.mark.rule("wap.building.magic.no-protection")
@PLAYERS
def test_a_building_does_not_protect_from_a_missile(player: int) -> None:
    """Six hits of Strength 4 wound Toughness 3 with 3 or more, in a house and out of it."""
    for inside in (True, False):
        scene = RegimentScene(size=(72, 72))
        if inside:
            house(scene, 33.5, 33.5)
        sign = 1 if player == 0 else -1
        mage = scene.unit(player, wizard(2), (36, 36 - sign * 12), models=1)
        at = {"garrison": 0} if inside else {"at": (36, 36)}
        foe = scene.unit(1 - player, None, models=20, files=10, **at)
        battle = scene.battle("magic", player=player, dice=(*WINDS, 1, 1, 5, 6, 1, 2, 3, 4, 5, 6))
        cast(battle, mage, "Spark", foe, 1)
        let_be(battle)
        told_to_wound = told(battle, "wap.shoot.wound.roll")[-1]
        assert told_to_wound["needed"] == 3 and told_to_wound["rolls"] == (1, 2, 3, 4, 5, 6)
        assert battle.units.alive[foe] == 16


@pytest.mark.rule("wap.magic.type.cumulative")
@PLAYERS
def test_bonuses_and_penalties_add_up_within_one_and_ten(player: int) -> None:
    """Toughness 3 under -1 and -2 is 1, Toughness 9 under +1 and +3 is 10, and 3 under -1 and +3 is 5."""
    field = Field(player)
    enemy = field.ahead(10)
    friend = field.behind(5, own=True, card=square(t=9))
    battle = field.battle(6, 1, 6, 2, 6, 1, 6, 2)
    t, line = battle.lines.t, battle.units.first_line
    cast(battle, field.mage, "Curse", enemy, 1)
    let_be(battle)
    assert t[line[enemy]] == 2
    cast(battle, field.mage, "Rot", enemy, 1)
    let_be(battle)
    assert t[line[enemy]] == 1
    cast(battle, field.mage, "Shield", friend, 1)
    let_be(battle)
    assert t[line[friend]] == 10
    cast(battle, field.mage, "Cloak", friend, 1)
    let_be(battle)
    assert t[line[friend]] == 10 and dice_left(battle) == 0


def glowing(player: int = 0) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A wizard in a unit casts Glow (+1 Toughness) on himself and his unit; another unit stands near."""
    field = Field(player, host=True, lore=SPARE, known="")
    field.ahead(30)
    other = field.scene.unit(player, None, (36 + field.sign * 9, 36), models=10, files=5)
    battle = field.battle(6, 1)
    cast(battle, field.mage, "Glow", None, 1)
    let_be(battle)
    return battle, field.host, field.mage, other


@pytest.mark.rule("wap.magic.type.augment.leaving")
@PLAYERS
def test_a_wizard_who_augmented_himself_and_his_unit_keeps_it_when_he_leaves(player: int) -> None:
    battle, host, mage, other = glowing(player)
    t, line = battle.lines.t, battle.units.first_line
    assert [t[line[unit]] for unit in (host, mage, other)] == [4, 4, 3]
    step_out(battle, mage.row)
    assert [t[line[unit]] for unit in (host, mage, other)] == [3, 4, 3]
    stand_in(battle, mage.row, other.row, 0, "wap.character.join.types")
    assert [t[line[unit]] for unit in (host, mage, other)] == [3, 4, 4]
    step_out(battle, mage.row)
    stand_in(battle, mage.row, host.row, 0, "wap.character.join.types")
    assert [t[line[unit]] for unit in (host, mage, other)] == [4, 4, 3]


@pytest.mark.rule("wap.character.spells.unit-affected")
@PLAYERS
def test_a_character_who_joins_a_unit_under_a_spell_is_under_it_while_he_stays(player: int) -> None:
    field = Field(player)
    unit = field.behind(5, own=True)
    lord = field.scene.unit(player, hero(s=4, t=4), (60, 36), models=1)
    field.ahead(30)
    battle = field.battle(6, 2)
    cast(battle, field.mage, "Shield", unit, 1)
    let_be(battle)
    own = battle.units.first_line[lord]
    stand_in(battle, lord.row, unit.row, 0, "wap.character.join.types")
    assert battle.lines.t[own] == 5
    step_out(battle, lord.row)
    assert battle.lines.t[own] == 4 and battle.lines.t[battle.units.first_line[unit]] == 4


@pytest.mark.rule("wap.character.spells.character-affected", "wap.character.special-rules.spells-and-items")
@PLAYERS
def test_a_character_under_a_spell_takes_it_into_the_unit_that_he_joins(player: int) -> None:
    """Speed of Light on a lone hero, and on a combined unit."""
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(player, wizard(2, "light"), (36, 36), models=1)
    lord = scene.unit(player, hero(), (30, 36), models=1)
    unit = scene.unit(player, None, (36, 44), models=20)
    host = scene.unit(player, None, (44, 36), models=15)
    inner = scene.unit(player, hero(), inside=host, models=1)
    scene.unit(1 - player, None, (36, 66), models=5)
    for target in (lord, host):
        battle = scene.battle(
            "magic", player=player, dice=(*WINDS, 1, 1), set_state=knowing({mage: "The Speed of Light"})
        )
        script(battle, [4, 4])
        cast(battle, mage, "The Speed of Light", target, 2)
        let_be(battle)
        quick = [unit for unit in (lord, unit, host, inner) if models_have(battle, unit.row, ALWAYS_STRIKES_FIRST)]
        if target is host:
            assert quick == [host, inner]
            continue
        assert quick == [lord]
        stand_in(battle, lord.row, unit.row, 0, "wap.character.join.types")
        assert all(models_have(battle, row, ALWAYS_STRIKES_FIRST) for row in (lord.row, unit.row))
        step_out(battle, lord.row)
        assert not models_have(battle, unit.row, ALWAYS_STRIKES_FIRST)
        assert models_have(battle, lord.row, ALWAYS_STRIKES_FIRST)


# ---------------------------------------------------------------- same spell twice


@pytest.mark.rule("wap.magic.same-spell")
@PLAYERS
@pytest.mark.parametrize("spell", ["Cloak", "Shield", "Curse"])
def test_a_unit_is_under_the_same_spell_once(player: int, spell: str) -> None:
    """Cast by two wizards; for either length of time."""
    field = Field(player)
    second = field.scene.unit(player, wizard(4), (42, 36), models=1)
    friend, enemy = field.behind(5, own=True), field.ahead(10)
    target = enemy if spell == "Curse" else friend
    battle = field.scene.battle(
        "magic", player=player, dice=(*WINDS, *[1] * 8), set_state=knowing({field.mage: spell, second: spell})
    )
    line, before = battle.units.first_line[target], battle.lines.t[battle.units.first_line[target]]
    for caster in (field.mage, second):
        script(battle, [6, 2])
        cast(battle, caster, spell, target, 1)
        let_be(battle)
        assert battle.lines.t[line] == before + {"Cloak": 3, "Shield": 1, "Curse": -1}[spell]
    assert len([k for k in acting_on(battle, target.row) if effect_of(battle, k).name == spell]) == 1
    assert sum(unit == target.row for unit in battle.effects.unit) == 1


@pytest.mark.rule("wap.lore.general.boosted-version", "wap.magic.cast.boost")
@PLAYERS
def test_a_boosted_version_with_other_targets(player: int) -> None:
    """Shield on all friends in range, the wizard too, and on nobody beyond it."""
    field = Field(player)
    near, far, enemy = field.behind(5, own=True), field.ahead(12.5, own=True), field.ahead(5)
    battle = field.battle(6, 3, 3)
    cast(battle, field.mage, "Shield", near, 2)
    pick(battle, "the version of 12+")
    let_be(battle)
    t, line = battle.lines.t, battle.units.first_line
    assert [t[line[unit]] for unit in (field.mage, near, far, enemy)] == [4, 4, 3, 3]


# ---------------------------------------------------------------- allies


def allied(relation: str, player: int = 0) -> tuple[Battle, dict[str, UnitHandle]]:
    """A wizard of the Empire with a unit of his own and an allied one of a relation, and an enemy."""
    books = {
        "blood-bound": ("Empire", "order"), "trusted": ("Dwarfs", "order"), "suspicious": ("Ogres", "neutral"),
        "desperate": ("Beastmen", "destruction"),
    }  # fmt: skip
    scene = RegimentScene(size=(72, 72))
    scene.army(player, "Empire", "order")
    scene.army(player, *books[relation], leader="another")
    at = {
        "mage": scene.unit(player, wizard(4), (36, 36), facing=NORTH, models=1),
        "own": scene.unit(player, None, (28, 32), facing=NORTH, models=10),
        "ally": scene.unit(player, None, (36, 44), facing=NORTH, models=10, army=1),
        "foe": scene.unit(1 - player, None, (44, 46), facing=SOUTH, models=10),
    }
    battle = scene.battle("magic", player=player, dice=(*WINDS, 1, 1, 1, 1), set_state=knowing({at["mage"]: EVERY}))
    if kind(battle) == "share-dice":  # wap.ally.magic.sharing
        choose(battle, "number", max(slots(battle, "number")))
    return battle, at


@PLAYERS
@pytest.mark.parametrize(
    ("relation", "friendly", "hostile"),
    [
        pytest.param("blood-bound", True, False, marks=pytest.mark.rule("wap.ally.blood-bound")),
        pytest.param("trusted", True, False, marks=pytest.mark.rule("wap.ally.trusted")),
        pytest.param("suspicious", False, False, marks=pytest.mark.rule("wap.ally.suspicious")),
        pytest.param("desperate", False, True, marks=pytest.mark.rule("wap.ally.desperate.spells")),
    ],
)
def test_allies_as_targets(player: int, relation: str, friendly: bool, hostile: bool) -> None:
    battle, at = allied(relation, player)
    mage, ally, own, foe = at["mage"], at["ally"].row, at["own"].row, at["foe"].row
    for spell in ("Shield", "Cloak"):
        assert targets(battle, mage, spell) == {mage.row, own} | ({ally} if friendly else set())
    for spell in ("Curse", "Stroke", "Spark"):
        assert targets(battle, mage, spell) == {foe} | ({ally} if hostile else set())
    script(battle, [6, 6, 1])
    cast(battle, mage, "Shield", at["own"], 1)
    if kind(battle) == "spell-version":
        pick(battle, "the version of 12+")
    let_be(battle)
    assert battle.lines.t[battle.units.first_line[ally]] == (4 if friendly else 3)
    assert battle.lines.t[battle.units.first_line[own]] == 4


@pytest.mark.rule("wap.ally.desperate.dispel")
@PLAYERS
def test_no_wizard_dispels_for_desperate_allies_alone(player: int) -> None:
    """Player ``player`` casts; the other side has a wizard of the Empire and allied Beastmen with one of theirs."""
    scene, foes = RegimentScene(size=(72, 72)), 1 - player
    scene.army(foes, "Empire", "order")
    scene.army(foes, "Beastmen", "destruction", leader="another")
    mage = scene.unit(player, wizard(4), (36, 36), facing=NORTH, models=1)
    imperial = scene.unit(foes, wizard(2), (10, 60), models=1)
    shaman = scene.unit(foes, wizard(1), (20, 60), models=1, army=1)
    own = scene.unit(foes, None, (30, 44), facing=SOUTH, models=20)
    beasts = scene.unit(foes, None, (38, 44), facing=SOUTH, models=20, army=1)
    for target, spell, dice, who in (
        (beasts, "Curse", 1, [shaman]),
        (own, "Curse", 1, [imperial]),
        (own, "Gale", 2, [imperial, shaman]),
        (beasts, "Gale", 2, [imperial, shaman]),
    ):
        battle = scene.battle("magic", player=player, dice=(*WINDS, *[1] * 7), set_state=knowing({mage: EVERY}))
        script(battle, [6, 2] if dice == 1 else [5, 5])
        cast(battle, mage, spell, target, dice)
        assert kind(battle) == "dispel-by"
        assert battle.legal()[battle.setup.space.option]  # the army may
        first = battle.setup.space.own
        offered = [unit for unit in (imperial, shaman) if battle.legal()[first + unit.number]]
        assert offered == who


@pytest.mark.rule("wap.ally.desperate.dispel", "wap.item.arcane.dispel-scroll")
@PLAYERS
@pytest.mark.parametrize(("item", "dispels"), [("Dispel Scroll", True), ("Scroll of Shielding", False)])
def test_no_scroll_dispels_for_desperate_allies_alone(player: int, item: str, dispels: bool) -> None:
    """A scroll that lets the spell be cast may be used for them."""
    scene, foes = RegimentScene(size=(72, 72)), 1 - player
    scene.army(foes, "Empire", "order")
    scene.army(foes, "Beastmen", "destruction", leader="another")
    mage = scene.unit(player, wizard(4), (36, 36), facing=NORTH, models=1)
    scene.unit(foes, wizard(2), (10, 60), models=1, items=[item])
    own = scene.unit(foes, None, (30, 44), facing=SOUTH, models=20)
    beasts = scene.unit(foes, None, (38, 44), facing=SOUTH, models=20, army=1)
    for target, offered in ((own, True), (beasts, not dispels)):
        battle = scene.battle("magic", player=player, dice=(*WINDS, *[1] * 6), set_state=knowing({mage: EVERY}))
        script(battle, [6, 2])
        cast(battle, mage, "Curse", target, 1)
        assert kind(battle) == "dispel-by" and slots(battle, "number") == [0] * offered


@pytest.mark.rule("wap.magic.type.augment")
def test_a_wizard_in_a_unit_is_no_target_of_his_own() -> None:
    field = Field(host=True)
    field.ahead(20)
    battle = field.battle()
    assert field.mage.row not in targets(battle, field.mage, "Cloak")
    assert targets(battle, field.mage, "Cloak") == {field.host.row}
