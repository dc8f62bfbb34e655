"""Metal: what armour does to its spells, hits on a single model, dice for each model, gold fever."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero, horse
from lore_hits import PLAYERS, Field, amounts, needed, wizard

from wh_env import Battle
from wh_env.rulesets.wap.codes import REAR
from wh_env.testing import choose, dice_left, kind, told, words
from wh_env.testing.wap import UnitHandle, square

DOOM, HOUNDS, GOLD = "Searing Doom", "Gehenna's", "Final Transmutation"
RULE = "wap.lore.metal."
ARMS: dict[int, list[str]] = {
    7: [], 6: ["light armour"], 5: ["light armour", "shield"], 4: ["heavy armour"], 3: ["full plate armour"],
}  # fmt: skip


def clad(save: int, **values: Any) -> dict[str, Any]:
    """Infantry with an armour save."""
    return square(**{"ld": 10, "equipment": ["hand weapon", *ARMS[save]], **values})


@PLAYERS
@pytest.mark.rule("wap.lore.metal.searing-doom")
@pytest.mark.parametrize(
    ("save", "dice", "fallen"),
    [(5, [5, 5, 4, 1], 2), (6, [6, 5, 1, 1], 1), (4, [4, 3, 6, 1], 2), (3, [3, 2, 1, 1], 1)],
)
def test_the_armour_save_is_what_wounds(player: int, save: int, dice: list[int], fallen: int) -> None:
    field = Field(player, wizard("metal", 0))
    target = field.enemy(clad(save, rules=["Regeneration (2+)"]))  # it burns
    battle = field.battle()
    field.cast(battle, DOOM, target, [4, *dice])
    assert battle.units.alive[target] == 10 - fallen and needed(battle) == [save] and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.metal.searing-doom")
def test_who_wears_no_armour_is_not_wounded_and_the_best_is_on_two(player: int) -> None:
    """Natural Armour is none. Against a 1+ save a 2 wounds, and a 1 does not."""
    for rules in ([], ["Natural Armour (3+)"]):
        field = Field(player, wizard("metal", 0))
        target = field.enemy(square(rules=rules))
        battle = field.battle()
        field.cast(battle, DOOM, target, [4, 6, 6, 6, 6])
        assert amounts(battle, RULE + "searing-doom") == [4]
        assert battle.units.alive[target] == 10 and dice_left(battle) == 4
    best = horse(
        equipment=["hand weapon", "full plate armour", "shield", "barding"], ld=10, rules=["Natural Armour (4+)"]
    )
    field = Field(player, wizard("metal", 0))
    target = field.enemy(best, models=6, files=6)
    battle = field.battle()
    field.cast(battle, DOOM, target, [1, 1, 2, 1], version=1)
    assert needed(battle) == [2] and battle.units.alive[target] == 5


@PLAYERS
@pytest.mark.rule("wap.lore.metal.searing-doom")
def test_the_boosted_version_has_two_dice_of_hits(player: int) -> None:
    field = Field(player, wizard("metal", 0))
    target = field.enemy(clad(5), models=20)
    battle = field.battle()
    field.cast(battle, DOOM, target, [5, 2, *[1] * 7], version=1)
    assert amounts(battle, RULE + "searing-doom") == [7]


def value_needed(battle: Battle) -> int:
    """The casting value that the last spell needed."""
    found: int = told(battle, "wap.magic.cast.value")[-1]["needed"]
    return found


@PLAYERS
@pytest.mark.rule("wap.lore.metal.attribute")
@pytest.mark.parametrize(
    ("save", "rules", "value"),
    [(7, [], 10), (6, [], 9), (5, [], 9), (4, [], 9), (3, [], 8), (7, ["Natural Armour (1+)"], 10)],
)
def test_armour_makes_it_easier(player: int, save: int, rules: list[str], value: int) -> None:
    """At 10 - n the spell is cast, at 9 - n it is not, and the boosted version needs n less as well."""
    less = 10 - value
    for dice, cast in (((5, 5 - less - 2), False), ((5, 5 - less - 1), True)):
        field = Field(player, wizard("metal", 0, level=2))
        target = field.enemy(clad(save, rules=rules))
        battle = field.battle()
        field.cast(battle, DOOM, target, [1, 1], roll=dice)
        assert value_needed(battle) == value
        assert bool(amounts(battle, RULE + "searing-doom")) == cast
    for last, hits in ((4 - less, 2), (3 - less, 1)):  # the boosted version needs as much less
        field = Field(player, wizard("metal", 0, level=2))
        target = field.enemy(clad(save, rules=rules))
        battle = field.battle()
        field.cast(battle, DOOM, target, [1] * 9, roll=(5, 5, 5, last), version=1)
        assert amounts(battle, RULE + "searing-doom") == [hits]


@PLAYERS
@pytest.mark.rule("wap.lore.metal.attribute")
@pytest.mark.parametrize(("die", "value"), [(2, 9), (3, 9), (4, 8), (5, 8)])
def test_a_die_decides_a_tie(player: int, die: int, value: int) -> None:
    """Two soldiers of a 3+ save with two heroes of a 5+ save."""
    field = Field(player, wizard("metal", 0))
    target = field.enemy(clad(3), models=2, files=4)
    for post in (0, 3):
        field.enemy(hero(equipment=["hand weapon", "light armour", "shield"]), None, inside=target, models=1, post=post)
    battle = field.battle()
    field.cast(battle, DOOM, target, [1, 1], before=[die])
    assert value_needed(battle) == value
    assert told(battle, "wap.lore.metal.attribute")[0]["die"] == die


@pytest.mark.rule("wap.lore.metal.attribute")
def test_the_majority_counts_with_its_characters() -> None:
    field = Field(0, wizard("metal", 0))
    target = field.enemy(clad(3), models=3)
    field.enemy(hero(), None, inside=target, models=1)
    battle = field.battle()
    field.cast(battle, DOOM, target, [1, 1])
    assert value_needed(battle) == 8


def champions(player: int, *spells: int, **values: Any) -> tuple[Field, UnitHandle, UnitHandle]:
    """A hero among twenty soldiers with a champion, 8 inches from the wizard."""
    field = Field(player, wizard("metal", *spells))
    host = field.enemy(None, (24, 20), models=20, command=["champion"])
    card = hero(**{"t": 4, "w": 3, "equipment": ["hand weapon", "heavy armour"], **values})
    return field, host, field.enemy(card, None, inside=host, models=1)


@PLAYERS
@pytest.mark.rule("wap.lore.metal.gehennas-golden-hounds")
def test_hounds_bite_a_hero_in_his_unit(player: int) -> None:
    """Three hits of Strength 5 on Toughness 4 wound on 3+; the save of 4+ needs 6."""
    field, host, chief = champions(player, 4)
    battle = field.battle()
    field.cast(battle, HOUNDS, host, [3, 3, 3, 2, 5, 6], model="unit 11" if player == 0 else "unit 01")
    assert amounts(battle, RULE + "gehennas-golden-hounds") == [3] and needed(battle) == [3]
    assert battle.models.wounds[chief.model()] == 2 and battle.units.alive[host] == 20 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.metal.gehennas-golden-hounds")
def test_the_models_that_may_be_named(player: int) -> None:
    """A soldier, the champion and the hero; each takes the hits alone, and surplus wounds are lost."""
    field, host, chief = champions(player, 4)
    battle = field.battle()
    field.cast(battle, HOUNDS, host)
    assert kind(battle) == "spell-model" and len(words(battle)) == 3
    for name in ("champion", " 20"):
        battle = field.battle()
        field.cast(battle, HOUNDS, host, [4, 6, 6, 6, 6], model=name)
        assert battle.units.alive[host] == 19 and dice_left(battle) == 0
        assert battle.models.alive[host.model()] == (name != "champion")
        assert battle.models.wounds[chief.model()] == 3


@pytest.mark.rule("wap.lore.metal.gehennas-golden-hounds", "wap.shoot.what-is")
def test_a_shield_is_no_better_against_direct_damage_from_the_front() -> None:
    """Heavy armour and a shield are 3+; against Strength 5 a 4 fails."""
    field = Field(0, wizard("metal", 4))
    target = field.enemy(hero(w=3, equipment=["hand weapon", "heavy armour", "shield"]), (24, 20), models=1)
    battle = field.battle()
    field.cast(battle, HOUNDS, target, [2, 6, 6, 4, 5])
    assert battle.models.wounds[target.model()] == 2 and dice_left(battle) == 0


@pytest.mark.rule("wap.lore.metal.gehennas-golden-hounds")
@pytest.mark.parametrize(
    ("inches", "offered", "version", "hits"),
    [(11.9, True, 0, 1), (12.1, True, 0, 0), (24, True, 1, 1), (24.1, False, 0, 0)],
)
def test_range_is_that_of_the_model(inches: float, offered: bool, version: int, hits: int) -> None:
    field = Field(0, wizard("metal", 4, 0))
    target = field.enemy(hero(), (24, 12 + inches), models=1, files=1)
    battle = field.battle()
    if not offered:
        choose(battle, "own", field.caster.number)
        assert not any(HOUNDS in text for text in words(battle).values()) or kind(battle) == "spell-target"
        return
    field.cast(battle, HOUNDS, target, [1, 1], version=version)
    assert len(amounts(battle, RULE + "gehennas-golden-hounds")) == hits


@pytest.mark.rule("wap.lore.metal.gehennas-golden-hounds")
def test_models_beside_the_front_arc_or_in_combat_are_not_named() -> None:
    field = Field(0, wizard("metal", 4))
    field.enemy(None, (40, 12), models=5)
    fighter = field.enemy(None, (24, 20), models=5)
    field.scene.beside(fighter, 0, models=5)
    battle = field.battle()
    assert kind(battle) != "cast-by"


@PLAYERS
@pytest.mark.rule("wap.lore.metal.final-transmutation")
def test_a_die_for_each_model(player: int) -> None:
    """Neither armour nor Regeneration saves them; a ward save does."""
    card = clad(3, rules=["Regeneration (2+)", "Natural Armour (3+)"], ld=10)
    field = Field(player, wizard("metal", 6))
    target = field.enemy(card, models=6, files=6)
    battle = field.battle()
    field.cast(battle, GOLD, target, [6, 5, 5, 4, 3, 1, 1, 1, 1])
    assert battle.units.alive[target] == 3
    assert amounts(battle, RULE + "final-transmutation", "spell wounds") == [3]
    warded = Field(player, wizard("metal", 6))
    target = warded.enemy(square(rules=["Ward Save (4+)"]), models=6, files=6)
    battle = warded.battle()
    warded.cast(battle, GOLD, target, [6, 5, 5, 4, 3, 1, 4, 3, 4, 1])
    assert battle.units.alive[target] == 5


@PLAYERS
@pytest.mark.rule("wap.lore.metal.final-transmutation")
@pytest.mark.parametrize(("dice", "left"), [([5], 3), ([6, 3], 1), ([6, 6], 0)])
def test_models_of_several_wounds_are_hit_by_a_six(player: int, dice: list[int], left: int) -> None:
    field = Field(player, wizard("metal", 6))
    ogre = field.enemy(square(type="monstrous infantry", w=3, ld=10), models=1, files=1)
    field.enemy(None, (10, 40))
    battle = field.battle()
    field.cast(battle, GOLD, ogre, dice)
    assert battle.models.wounds[ogre.model()] == left and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.metal.final-transmutation")
def test_characters_in_the_unit_are_among_its_models(player: int) -> None:
    field = Field(player, wizard("metal", 6))
    target = field.enemy(None, models=5)
    chief = field.enemy(hero(w=3), None, inside=target, models=1)
    battle = field.battle()
    field.cast(battle, GOLD, target, [1, 1, 5, 1, 1, 6, 1, 4])
    assert battle.units.alive[target] == 4 and battle.models.wounds[chief.model()] == 1


def who_tested(battle: Battle) -> set[int]:
    """The units that have taken a Stupidity test."""
    return {event["unit"] for event in told(battle, "wap.special.stupidity.test")}


@PLAYERS
@pytest.mark.rule("wap.lore.metal.final-transmutation.gold-fever")
@pytest.mark.parametrize("destroyed", [False, True])
def test_gold_dazzles_units_near_it(player: int, destroyed: bool) -> None:
    """One 8 inches away tests, one 14 inches away does not; the target does. One that fights does not, and the wizard's
    side does not.
    """
    field = Field(player, wizard("metal", 6))
    target = field.enemy(square(ld=10), (24, 24), models=4, files=4)
    near, far = field.enemy(square(ld=10), (36.4, 24), models=5), field.enemy(square(ld=10), (5.5, 24), models=5)
    calm = square(a=0, rules=["Unbreakable"])
    field.scene.beside(field.enemy(calm, (24, 30), models=5), player, calm, models=5, side=REAR)
    battle = field.battle()
    field.cast(battle, GOLD, target, [5, 5, 5, 5] if destroyed else [1, 1, 1, 1])
    battle = played_to_turn(battle, 1 - player)
    assert who_tested(battle) == ({near.row} if destroyed else {target.row, near.row})
    assert far.row not in who_tested(battle) and not who_tested(battle) & set(battle.units_of(player))


def played_to_turn(battle: Battle, player: int) -> Battle:
    """The battle in the Movement phase of a player, after the start of his turn."""
    while battle.clock.turn[0] != player or kind(battle) == "start-effect":
        battle.apply(battle.first_legal())
    return battle


@PLAYERS
@pytest.mark.rule("wap.lore.metal.final-transmutation.gold-fever")
def test_who_fails_is_stupid_for_that_turn(player: int) -> None:
    """Leadership 7 against a roll of 9. The turn after nobody is dazzled, and he tests as the stupid do."""
    field = Field(player, wizard("metal", 6))
    target = field.enemy(square(ld=7), (24, 24), models=4, files=4)

    def gilded(battle: Battle) -> None:
        battle.wizards.gilded[target] = 1

    battle = field.scene.battle("movement", player=1 - player, dice=[4, 5, 1], set_state=gilded)
    test = told(battle, "wap.special.stupidity.test")[0]
    assert (test["unit"], test["roll"], test["leadership"], test["passed"]) == (target.row, 9, 7, False)
    assert battle.units.stupid[target] == 1
    calm = field.scene.battle("movement", player=1 - player, dice=[4, 3], set_state=gilded)
    assert not calm.units.stupid[target] and who_tested(calm) == {target.row}
    while calm.clock.turn[0] == 1 - player:
        calm.apply(calm.first_legal())
    assert not calm.wizards.gilded[target]
