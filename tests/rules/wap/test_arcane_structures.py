"""Arcane structures: buildings, or sealed ones, with powers over those near them and in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.arming import man
from tests.heroes import hero
from tests.results import play, rescored, scored
from wh_env import Battle, ContentError
from wh_env.content.load import validate
from wh_env.content.wap.schema_battle import Feature
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.garrisons import buildings_of
from wh_env.rulesets.wap.basics.special_rules import models_have, parameters
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.codes import BROKEN, FRONT, HELD, REAR, RIGHT
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.rule_book import FEAR, FRENZY, HATRED, REGENERATION, STUBBORN
from wh_env.rulesets.wap.view.appraise_combat import unsaved_share
from wh_env.rulesets.wap.view.odds_harm import unsaved_chance
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.rulesets.wap.weapons.hit import Hit
from wh_env.rulesets.wap.weapons.saves import unsaved
from wh_env.testing import choose, dice_left, kind, script, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, square

HOUSE = (22.0, 20.0, 26.0, 24.0)
PLAYERS = pytest.mark.parametrize("player", [0, 1])
KINDS = pytest.mark.parametrize("storeys", [2, None])  # a building, a sealed one
GAPS = pytest.mark.parametrize(("gap", "is_near"), [(6.0, True), (6.1, False)])


def near(
    example: str, card: Mapping[str, Any] | None = None, gap: float = 6.0, *, player: int = 0, storeys: int | None = 2,
    models: int = 10, **fields: Any,
) -> tuple[RegimentScene, UnitHandle]:  # fmt: skip
    """A unit of ``player`` that stands ``gap`` inches south of a structure and looks north, and an enemy far away."""
    scene = RegimentScene()
    scene.area("building", *HOUSE, example=example, storeys=storeys)
    unit = scene.unit(player, card or square(), (24, HOUSE[1] - gap), models=models, files=5, facing=NORTH, **fields)
    scene.unit(1 - player, None, (44, 47 if player == 0 else 1), models=5)
    return scene, unit


def line_of(battle: Battle, unit: UnitHandle) -> int:
    """The first fighting profile of a unit."""
    return int(battle.units.first_line[unit.row])


@PLAYERS
@pytest.mark.rule("wap.building.arcane.type")
def test_a_garrison_is_within_range_and_a_sealed_structure_lets_nobody_in(player: int) -> None:
    scene = RegimentScene()
    scene.area("building", *HOUSE, example="tower of blood", storeys=2)
    unit = scene.unit(player, None, garrison=0)
    scene.unit(1 - player, None, (44, 40), models=5)
    battle = scene.battle("combat", player=player, run=False)
    assert models_have(battle, unit.row, HATRED)
    scene, unit = near("tower of blood", gap=3.0, player=player, storeys=None)
    battle = scene.battle("movement", player=player)
    assert not buildings_of(battle) and models_have(battle, unit.row, HATRED)
    choose(battle, "own", unit.number)
    assert kind(battle) != "enter-building"
    with pytest.raises(ContentError, match="storeys"):
        validate(Feature, {"kind": "building", "polygon": [[0, 0], [4, 0], [4, 4], [0, 4]]}, "field.yaml")


@PLAYERS
@GAPS
@KINDS
@pytest.mark.rule("wap.building.arcane.acropolis")
def test_units_near_the_acropolis_are_stubborn(player: int, gap: float, is_near: bool, storeys: int | None) -> None:
    """Six that have lost by 5 test on their full Leadership of 9."""
    scene = RegimentScene()
    scene.area("building", *HOUSE, example="acropolis of heroes", storeys=storeys)
    unit = scene.unit(player, square(ld=9), (24, HOUSE[1] - gap), models=6, files=3, facing=NORTH)
    foe = scene.beside(unit, 1 - player, side=RIGHT, models=10, files=1)
    battle = rescored(scored(scene, unit), {(foe, unit): 1})
    battle.units.penalty[unit] = 5
    play(battle, BreakTests, dice=[4, 5])
    assert bool(battle.units.steadfast[unit]) is is_near
    assert battle.units.outcome[unit] == (HELD if is_near else BROKEN)


@PLAYERS
@pytest.mark.rule("wap.building.arcane.acropolis")
def test_a_garrison_of_the_acropolis_hits_more_easily(player: int) -> None:
    """Weapon Skill 3 against 3: 3+ from inside, 4+ from outside."""
    scene = RegimentScene()
    scene.area("building", *HOUSE, example="acropolis of heroes", storeys=2)
    unit = scene.unit(player, None, garrison=0)
    captain = scene.unit(player, hero(), inside=unit, models=1)
    foe = scene.unit(1 - player, None, (24, 20), facing=NORTH, storms=0)
    scene.unit(player, None, (4, 4), models=5)
    scene.unit(1 - player, None, (44, 44), models=5)
    battle = scene.battle("combat", player=player)
    while len(told(battle, "wap.combat.hit.roll")) < 2:
        battle.apply(min(words(battle)))
    needed = {event["unit"]: event["needed"] for event in told(battle, "wap.combat.hit.roll")}
    assert (needed[unit.row], needed[foe.row]) == (3, 4)
    assert blow_of(battle, captain.row, line_of(battle, captain), foe.row).hitting == 1


@PLAYERS
@GAPS
@KINDS
@pytest.mark.rule("wap.building.arcane.brewery")
def test_units_near_a_brewery_fear_nothing(player: int, gap: float, is_near: bool, storeys: int | None) -> None:
    scene, unit = near("dwarf brewery", gap=gap, player=player, storeys=storeys)
    lost = scene.unit(player, None, (17, HOUSE[1] - gap), models=15, facing=NORTH)
    scene.unit(player, None, (4, 4), models=5)
    battle = scene.battle("movement", player=player)
    remove_unit(battle, lost.row)
    assert bool(battle.units.due[unit.row]) is not is_near
    assert has(battle, unit.row, STUBBORN) is is_near
    script(battle, [6, 6, 1, 1])
    battle.push(Panic)
    battle.run()
    assert bool(battle.units.fleeing[unit.row]) is not is_near


@PLAYERS
@GAPS
@pytest.mark.parametrize(
    ("book", "regenerates", "stubborn"),
    [(("Empire", "order"), True, False), (("Bretonnia", "order"), True, True), (("Orcs", "destruction"), False, False)],
)
@pytest.mark.rule("wap.building.arcane.grail-chapel")
def test_the_grail_chapel_favours_order(
    player: int, gap: float, is_near: bool, book: tuple[str, ...], regenerates: bool, stubborn: bool
) -> None:
    scene, unit = near("grail chapel", gap=gap, player=player, book=book)
    battle = scene.battle("combat", player=player, run=False)
    assert parameters(battle, unit.row, REGENERATION) == (("6+",) if regenerates and is_near else ())
    assert has(battle, unit.row, STUBBORN) is (stubborn and is_near)
    if regenerates and is_near:
        script(battle, [6, 5, 4])
        assert unsaved(battle, unit.row, 3, Hit(3), FRONT) == 2


@PLAYERS
@pytest.mark.rule("wap.building.arcane.haunted-mansion")
def test_a_haunted_mansion_strikes_at_the_end_of_the_shooting_phase(player: int) -> None:
    """Toughness 3, five hits of Strength 1: 6+ wounds, no armour helps; the dead are spared, units of both suffer."""
    scene, unit = near("haunted mansion", man("full plate armour", "shield", rules=["Immunity (Panic)"]), player=player)
    dead = scene.unit(player, square(rules=["Undead"]), (16, 22), models=5, files=5, facing=NORTH)
    foe = scene.unit(1 - player, square(rules=["Immunity (Panic)"]), (24, 30), models=5, facing=SOUTH)
    away = scene.unit(player, None, (24, 36.2), models=5, files=5, facing=NORTH)
    battle = scene.battle("shooting", player=player, dice=[5, 1, 3, 5, 6, 6, 2, 6, 5], run=False)
    battle.run()
    struck = [(event["unit"], event["amount"]) for event in told(battle, "wap.building.arcane.haunted-mansion")]
    assert struck == [(unit.row, 5), (foe.row, 2)]
    assert [(e["needed"], e["result"]) for e in told(battle, "wap.shoot.wound.roll")] == [(6, 2), (6, 1)]
    assert [battle.units.alive[each.row] for each in (unit, dead, foe, away)] == [8, 5, 4, 5]
    assert not told(battle, "wap.shoot.save.roll") and dice_left(battle) == 0


@PLAYERS
@pytest.mark.rule("wap.building.arcane.haunted-mansion")
def test_the_mansion_strikes_its_garrison_which_causes_fear(player: int) -> None:
    scene = RegimentScene()
    scene.area("building", *HOUSE, example="haunted mansion", storeys=2)
    unit = scene.unit(player, square(rules=["Immunity (Panic)"]), garrison=0)
    foe = scene.unit(1 - player, square(rules=["Immunity (Panic)"]), (24, 18), models=5, facing=NORTH)
    scene.unit(1 - player, None, (44, 44), models=5)
    battle = scene.battle("shooting", player=1 - player, dice=[1, 6, 2, 6, 1])
    assert [e["unit"] for e in told(battle, "wap.building.arcane.haunted-mansion")] == [foe.row, unit.row]
    assert (battle.units.alive[unit.row], battle.units.alive[foe.row]) == (9, 4)
    assert has(battle, unit.row, FEAR) and not has(battle, foe.row, FEAR)


@PLAYERS
@GAPS
@KINDS
@pytest.mark.rule("wap.building.arcane.sigmarite-shrine")
def test_destruction_rolls_passed_ward_saves_again_near_a_shrine(
    player: int, gap: float, is_near: bool, storeys: int | None
) -> None:
    card = square(rules=["Ward Save (5+)"])
    scene, unit = near(
        "sigmarite shrine", card, gap, player=player, storeys=storeys, book=("Warriors of Chaos", "destruction")
    )
    good = scene.unit(player, card, (17, HOUSE[1] - gap), models=5, facing=NORTH, book=("Empire", "order"))
    battle = scene.battle("combat", player=player, run=False)
    script(battle, [5, 4])
    assert unsaved(battle, unit.row, 1, Hit(3), FRONT) == int(is_near)
    assert dice_left(battle) == (0 if is_near else 1)
    script(battle, [3, 5, 4, 6])
    assert unsaved(battle, unit.row, 2, Hit(3), FRONT) == (2 if is_near else 1)
    script(battle, [5])
    assert unsaved(battle, good.row, 1, Hit(3), FRONT) == 0
    for share in (unsaved_chance, lambda *args: unsaved_share(args[0], args[2], args[1], args[3])):
        assert share(battle, unit.row, Hit(3), FRONT) == pytest.approx(1 - (1 / 9 if is_near else 1 / 3))


@pytest.mark.rule("wap.building.arcane.sigmarite-shrine")
def test_a_ward_that_is_rolled_again_anyway_is_rolled_once() -> None:
    """wap.core.reroll.cancel."""
    card = square(rules=["Ward Save (5+ re-rolled)"])
    scene, unit = near("sigmarite shrine", card, book=("Warriors of Chaos", "destruction"))
    battle = scene.battle("combat", run=False)
    script(battle, [5, 4])
    assert unsaved(battle, unit.row, 2, Hit(3), FRONT) == 1 and dice_left(battle) == 0
    assert unsaved_chance(battle, unit.row, Hit(3), FRONT) == pytest.approx(2 / 3)


@PLAYERS
@GAPS
@KINDS
@pytest.mark.rule("wap.building.arcane.tower-of-blood")
def test_the_tower_of_blood_makes_units_hate_and_destruction_frenzied(
    player: int, gap: float, is_near: bool, storeys: int | None
) -> None:
    """In their first round five strike with an Attack each, or with two; misses are rolled again."""
    for book, frenzied in ((("Empire", "order"), False), (("Orcs", "destruction"), True)):
        scene, unit = near("tower of blood", gap=gap, player=player, storeys=storeys, book=book)
        scene.beside(unit, 1 - player, square(a=0, t=10), models=5, side=REAR)
        battle = scene.battle("combat", player=player, run=False)
        assert (has(battle, unit.row, HATRED), has(battle, unit.row, FRENZY)) == (is_near, frenzied and is_near)
        attacks = 10 if frenzied and is_near else 5
        script(battle, [*[3] * attacks, *[4] * attacks, *[1] * 20])
        fight(battle, unit)
        [struck] = told(battle, "wap.combat.hit.roll")
        assert (struck["unit"], struck["amount"], struck["needed"]) == (unit.row, attacks, 4)
        assert struck["result"] == (attacks if is_near else 0)
