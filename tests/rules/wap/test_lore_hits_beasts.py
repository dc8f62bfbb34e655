"""Beasts: a missile, a spear that goes through ranks, and augments on characters."""

from __future__ import annotations

from typing import Any

import pytest
from heroes import hero, horse, rider
from lore_hits import PLAYERS, Field, amounts, needed, wizard

from wh_env import Battle
from wh_env.rulesets.wap.basics.profiles import lines_of
from wh_env.rulesets.wap.codes import MOUNTS, Phase
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.testing import choose, dice_left, kind, script, slots, told, words
from wh_env.testing.wap import UnitHandle, fight, square

FLOCK, PELT, SPEAR, BEAST = "The Flock", "Pann's", "The Amber Spear", "The Savage Beast"
RULE = "wap.lore.beasts."


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.flock-of-doom")
def test_the_flock(player: int) -> None:
    """3D6 of 10; Strength 2 wounds Toughness 3 on 5+."""
    field = Field(player, wizard("beasts", 1))
    target = field.enemy(None, (24, 24), models=20)
    battle = field.battle()
    field.cast(battle, FLOCK, target, [2, 3, 5, 5, 5, 6, 4, 4, 3, 3, 2, 1, 1])
    assert amounts(battle, RULE + "flock-of-doom") == [10] and needed(battle) == [5]
    assert battle.units.alive[target] == 17 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.flock-of-doom")
@pytest.mark.parametrize(("inches", "version", "hits"), [(24, 0, [3]), (24.2, 0, []), (47, 1, [3])])
def test_ranges_of_the_flock(player: int, inches: float, version: int, hits: list[int]) -> None:
    field = Field(player, wizard("beasts", 1), 72.0)
    target = field.enemy(None, (24, 12 + inches))
    battle = field.battle()
    field.cast(battle, FLOCK, target, [1] * 6, version=version)
    assert amounts(battle, RULE + "flock-of-doom") == hits


def struck(battle: Battle) -> list[tuple[int, int]]:
    """Strength of the spear at each rank, and the model that it struck."""
    return [(event["strength"], event["model"]) for event in told(battle, "wap.machine.bolt-thrower.pierce")]


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.amber-spear")
def test_the_spear_goes_through_ranks(player: int) -> None:
    """It slays at Strength 6 and 5, and does not wound at 4. Each unsaved wound takes a D3."""
    field = Field(player, wizard("beasts", 3))
    plate = square(ld=10, equipment=["hand weapon", "full plate armour", "shield"])
    target = field.enemy(plate, (24, 24), models=15, files=5)
    battle = field.battle()
    field.cast(battle, SPEAR, target, [2, 1, 2, 1, 1])
    assert [strength for strength, _ in struck(battle)] == [6, 5, 4]
    assert needed(battle) == [2, 2, 3] and battle.units.alive[target] == 13 and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.amber-spear")
def test_the_boosted_spear(player: int) -> None:
    """Strength 10, and a D6 of Wounds. It stops at a model that lives."""
    field = Field(player, wizard("beasts", 3))
    ogres = square(ld=10, t=4, w=4, type="monstrous infantry")
    target = field.enemy(ogres, (24, 24), models=9, files=3)
    battle = field.battle()
    field.cast(battle, SPEAR, target, [2, 5, 2, 3], version=1)
    assert [strength for strength, _ in struck(battle)] == [10, 9] and needed(battle) == [2, 2]
    assert battle.units.alive[target] == 8 and dice_left(battle) == 0
    assert sorted(battle.models.wounds[k] for k in battle.members(target.row))[0] == 1


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.amber-spear")
def test_of_who_stands_in_no_ranks_one_model_is_hit(player: int) -> None:
    field = Field(player, wizard("beasts", 3))
    target = field.enemy(square(rules=["Skirmishers"], ld=10), (24, 24), models=10)
    battle = field.battle()
    field.cast(battle, SPEAR, target, [2, 1])
    assert amounts(battle, RULE + "amber-spear") == [1] and not struck(battle)
    assert battle.units.alive[target] == 9 and dice_left(battle) == 0
    beyond = Field(player, wizard("beasts", 3))
    target = beyond.enemy(None, (24, 36.2))
    battle = beyond.battle()
    assert kind(battle) != "cast-by"


def line_values(battle: Battle, unit: UnitHandle, *names: str) -> list[tuple[int, ...]]:
    """Characteristics of the fighting profiles that models of a unit have."""
    lines = sorted({battle.models.line[k] for k in battle.members(unit.row)})
    return [tuple(getattr(battle.lines, name)[line] for name in names) for line in lines]


def company(player: int, number: int, **values: Any) -> tuple[Field, UnitHandle, UnitHandle]:
    """A hero in a unit beside the wizard, and an enemy far away."""
    field = Field(player, wizard("beasts", number))
    host = field.own(None, (32, 12), models=10)
    chief = field.own(hero(**{"t": 4, **values}), None, inside=host, models=1, name="the chief", post=4)
    field.enemy(None, (24, 44))
    return field, host, chief


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.panns-impenetrable-pelt")
def test_the_pelt_is_the_hero_s_alone(player: int) -> None:
    """Toughness 4 becomes 7, the soldiers keep 3. It ends as the caster's next Magic phase begins."""
    field, host, chief = company(player, 2)
    battle = field.battle()
    field.cast(battle, PELT, host)
    assert line_values(battle, chief, "t") == [(7,)] and line_values(battle, host, "t") == [(3,)]
    while battle.clock.turn[0] != 1 - player:
        battle.apply(battle.first_legal())
    assert line_values(battle, chief, "t") == [(7,)]
    while not (battle.clock.turn[0] == player and battle.clock.phase[0] == Phase.MAGIC):
        battle.apply(battle.first_legal())
    assert line_values(battle, chief, "t") == [(4,)]


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.panns-impenetrable-pelt")
def test_no_toughness_is_above_ten_and_the_wizard_may_have_it(player: int) -> None:
    field, host, chief = company(player, 2, t=8)
    battle = field.battle()
    field.cast(battle, PELT, host)
    assert line_values(battle, chief, "t") == [(10,)]
    battle = field.battle()
    field.cast(battle, PELT, field.caster)
    assert line_values(battle, field.caster, "t") == [(6,)] and line_values(battle, chief, "t") == [(8,)]


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.panns-impenetrable-pelt")
@pytest.mark.parametrize(("inches", "version", "tough"), [(12, 0, 7), (12.1, 0, 4), (24, 1, 7), (24.1, 0, 0)])
def test_ranges_of_the_pelt(player: int, inches: float, version: int, tough: int) -> None:
    """All round: the hero stands at the wizard's right hand."""
    field = Field(player, square())
    shaman = field.own(wizard("beasts", 2), (9, 8), models=1)
    chief = field.own(hero(t=4), (10 + inches, 8), models=1)
    field.enemy(None, (4, 44))
    battle = field.battle()
    if not tough:
        choose(battle, "own", shaman.number)
        assert kind(battle) != "spell-target"  # the wizard alone may have it
        return
    field.cast(battle, PELT, chief, version=version, caster=shaman)
    assert line_values(battle, chief, "t") == [(tough,)]


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.panns-impenetrable-pelt", "wap.lore.beasts.savage-beast-of-horros")
def test_units_without_characters_and_enemies_are_no_targets(player: int) -> None:
    field, host, chief = company(player, 2)
    field.own(None, (14, 12), models=5)
    field.enemy(hero(), (24, 20), models=1)
    battle = field.battle()
    choose(battle, "own", field.caster.number)
    assert kind(battle) == "spell-target"
    assert slots(battle, "own") == sorted([field.caster.number, host.number]) and not slots(battle, "enemy")
    assert chief.row


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.panns-impenetrable-pelt")
def test_of_several_characters_in_a_unit_one_is_named(player: int) -> None:
    """The wizard stands among them."""
    field = Field(player, hero())
    host = field.own(None, (32, 12), models=10)
    shaman = field.own(wizard("beasts", 2), None, inside=host, models=1, name="the shaman", post=1)
    chief = field.own(hero(t=4), None, inside=host, models=1, name="the chief", post=3)
    field.enemy(None, (24, 44))
    battle = field.battle()
    field.cast(battle, PELT, host, caster=shaman)
    assert kind(battle) == "spell-model" and len(words(battle)) == 2
    battle = field.battle()
    field.cast(battle, PELT, host, caster=shaman, model="the chief")
    assert line_values(battle, chief, "t") == [(7,)] and line_values(battle, shaman, "t") == [(3,)]


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.savage-beast-of-horros")
def test_the_rider_is_a_beast_and_the_horse_is_not(player: int) -> None:
    """Six Attacks of Strength 7, and one of Strength 3."""
    field = Field(player, wizard("beasts", 5))
    chief = field.own(rider(s=4, a=3), (30, 12), models=1)
    foe = field.enemy(None, (24, 44))
    battle = field.battle()
    field.cast(battle, BEAST, chief)
    own = battle.models.line[chief.model()]
    horse_line = next(line for line in lines_of(battle, chief.row) if battle.lines.kind[line] == MOUNTS)
    mine, horse = (blow_of(battle, chief.row, line, foe.row) for line in (own, horse_line))
    assert (mine.attacks, mine.strength) == (6, 7) and (horse.attacks, horse.strength) == (1, 3)
    while not (battle.clock.turn[0] == player and battle.clock.round[0] == 2 and battle.clock.phase[0] == Phase.MAGIC):
        battle.apply(battle.first_legal())
    assert blow_of(battle, chief.row, own, foe.row).attacks == 3


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.savage-beast-of-horros")
def test_the_rider_fights_as_a_beast_and_his_horse_as_ever(player: int) -> None:
    """Six dice to hit, and Strength 7 wounds Toughness 4 on 2+; the horse rolls one, and wounds on 5+."""
    field = Field(player, wizard("beasts", 5, 2))
    chief = field.own(rider(s=4, a=3, i=9), (30, 20), models=1)
    foe = field.scene.beside(chief, 1 - player, square(t=4, a=0, ld=10), models=20)
    battle = field.battle()
    field.cast(battle, BEAST, chief)
    assert kind(battle) == "cast-by"
    script(battle, [*[6] * 6, 2, *[1] * 5, 6, 5])
    battle.events.clear()
    fight(battle, chief)
    assert [event["amount"] for event in told(battle, "wap.combat.hit.roll")] == [6, 1]
    assert [event["needed"] for event in told(battle, "wap.combat.wound.roll")] == [2, 5]
    assert battle.units.alive[foe] == 18


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.savage-beast-of-horros")
def test_the_beast_on_the_wizard_at_more_than_ten_and_from_afar(player: int) -> None:
    field = Field(player, wizard("beasts", 5, s=9, a=9))
    chief = field.own(hero(s=4, a=3), (45, 12), models=1)
    field.enemy(None, (4, 44))
    battle = field.battle()
    field.cast(battle, BEAST, field.caster)
    assert line_values(battle, field.caster, "s", "a") == [(10, 10)]
    for version, values in ((0, (4, 3)), (1, (7, 6))):
        battle = field.battle()
        field.cast(battle, BEAST, chief, version=version)
        assert line_values(battle, chief, "s", "a") == [values]


def value_needed(battle: Battle) -> int:
    """The casting result that the last attempt to cast needed."""
    found: int = told(battle, "wap.magic.cast.value")[-1]["needed"]
    return found


LESS = [
    ("infantry", 0),
    ("monstrous infantry", 0),
    ("war beast", 1),
    ("monstrous beast", 1),
    ("swarm", 1),
    ("monster", 1),
]


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.attribute")
@pytest.mark.parametrize(("kind_of_unit", "less"), LESS)
def test_beasts_of_friend_and_foe_are_easier_to_reach(player: int, kind_of_unit: str, less: int) -> None:
    """The Flock needs 6, the Wildform 10; a roll of one less casts them on beasts alone."""
    field = Field(player, wizard("beasts", 0, 1, level=1))
    big = {"base_mm": [50, 50], "size": [1, 1]} if kind_of_unit == "monster" else {}
    card, models = square(type=kind_of_unit, ld=10, **big), 1 if big else 5
    friend, foe = field.own(card, (16, 12), models=models), field.enemy(card, (24, 24), models=models)
    for spell, target, roll, value in ((FLOCK, foe, (4,), 6), ("Wyssan's", friend, (4, 4), 10)):
        battle = field.battle()
        field.cast(battle, spell, target, [1] * 20, roll=roll)
        assert value_needed(battle) == value - less
        assert bool([event for event in battle.events if event.kind == "casts"]) is bool(less)


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.attribute")
def test_each_version_is_easier_on_cavalry(player: int) -> None:
    """The Wildform needs 9 on cavalry and 13 for 24 inches: the roll of 12 with the bonus of 1 offers both."""
    field = Field(player, wizard("beasts", 0, level=1))
    riders = field.own(horse(ld=10), (16, 12), models=5)
    field.enemy()
    for roll, versions in (((5, 4, 3), 2), ((5, 4, 2), 1)):
        battle = field.battle(detail="full")
        script(battle, roll)
        choose(battle, "own", field.caster.number)
        while kind(battle) != "spell-dice":
            battle.apply(
                next(action for action, text in words(battle).items() if text.endswith(names_of(battle, riders)))
            )
        choose(battle, "number", 2)
        assert value_needed(battle) == 9
        assert (kind(battle) == "spell-version") is (versions == 2)


def names_of(battle: Battle, unit: UnitHandle) -> str:
    """The name of a unit."""
    found: str = battle.setup.names["units"][unit.row]
    return found


@PLAYERS
@pytest.mark.rule("wap.lore.beasts.attribute")
def test_units_of_the_book_of_beastmen_are_easier_to_reach(player: int) -> None:
    """Infantry of that book."""
    field = Field(player, wizard("beasts", 1, 6))
    gors = field.enemy(square(ld=10), (24, 24), models=10, book=("Beastmen", "destruction"))
    battle = field.battle()
    field.cast(battle, FLOCK, gors, [1] * 20, roll=(3,))
    assert value_needed(battle) == 5
