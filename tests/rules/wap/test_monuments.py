"""Monuments: ground that nobody enters, and what it does to units near it."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin
from typing import Any

import pytest

from tests.arming import man
from tests.charging import HOLD, charge, over, react
from tests.heroes import HORSE, hero
from tests.wizards import knowing, ring, wizard
from wh_env import Battle
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.basics.carried import Moment, usable
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.contacts import row_between
from wh_env.rulesets.wap.basics.sight import find_who_see
from wh_env.rulesets.wap.basics.special_rules import models_have, parameters
from wh_env.rulesets.wap.casualties.removing import slay, suffer
from wh_env.rulesets.wap.charge.declare import holds_back
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.magic.may_cast import castable
from wh_env.rulesets.wap.magic.wizards import channellers, dispellers
from wh_env.rulesets.wap.morale.leadership import leadership_of, leadership_test, leadership_value
from wh_env.rulesets.wap.rule_book import FRENZY, REGENERATION, STUPIDITY, UNBREAKABLE
from wh_env.rulesets.wap.shooting.aims import may_shoot
from wh_env.rulesets.wap.shooting.hits import hit_of, wounds_from
from wh_env.rulesets.wap.weapons.arms import outfit_of
from wh_env.rulesets.wap.weapons.blows import blow_of
from wh_env.rulesets.wap.weapons.hit import FLAMING, MAGICAL, RANGED, Hit
from wh_env.rulesets.wap.weapons.saves import wards_against
from wh_env.testing import choose, dice_left, kind, play_until, script, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, fight, square

STONE = (23.0, 20.0, 25.0, 22.0)  # a monument of two inches by two


def near(
    example: str,
    card: Mapping[str, Any] | None = None,
    gap: float = 6.0,
    *,
    player: int = 0,
    models: int = 10,
    **fields: Any,
) -> tuple[RegimentScene, UnitHandle]:
    """A unit of ``player`` that stands ``gap`` inches south of a monument and looks north, and an enemy far away."""
    scene = RegimentScene()
    scene.area("monument", *STONE, example=example)
    unit = scene.unit(player, card or square(), (24, STONE[1] - gap), models=models, files=5, facing=NORTH, **fields)
    scene.unit(1 - player, None, (44, 47 if player == 0 else 1), models=5)
    return scene, unit


def line_of(battle: Battle, unit: UnitHandle) -> int:
    """The first fighting profile of a unit."""
    return int(battle.units.first_line[unit.row])


@pytest.mark.rule("wap.terrain.monument.impassable")
@pytest.mark.parametrize("player", [0, 1])
def test_a_monument_is_impassable_and_hides_what_is_behind_it(player: int) -> None:
    """Moves stay an inch away; models of a Line of Sight value of 5 do not see past it, one of 6 does."""
    scene, unit = near("bane stone", gap=3.0, player=player, models=5)
    battle = scene.battle("movement", player=player)
    choose(battle, "own", unit.number)
    choose(battle, "option", 1)
    assert kind(battle) == "move-to"
    tops = []
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        choose(copy, "cell", cell)
        if kind(copy) == "end-wheel":
            choose(copy, "number", 0)
        if abs(copy.units.x[unit.row] - 24.0) < 0.01:
            tops.append(float(copy.units.y[unit.row]))
    assert STONE[1] - 2.0 < max(tops) <= STONE[1] - 1.0 + 1e-6
    for value, sees in ((5, False), (6, True)):
        scene = RegimentScene()
        scene.area("monument", 20, 20, 28, 22, example="bane stone")
        one = scene.unit(player, square(rules=[f"Large Target ({value})"]), (24, 18), models=1, facing=NORTH)
        other = scene.unit(1 - player, None, (24, 24), models=1, facing=SOUTH)
        battle = scene.battle("shooting", player=player, run=False)
        assert bool(find_who_see(battle, one.row, other.row)) is sees


@pytest.mark.rule("wap.terrain.monument.altar-of-khaine")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("rules", "gap", "attacks"), [([], 6.0, 2), ([], 6.1, 1), (["Frenzy"], 6.0, 3), (["Frenzy"], 6.1, 2)]
)
def test_who_is_near_the_altar_is_frenzied(player: int, rules: list[str], gap: float, attacks: int) -> None:
    scene, unit = near("altar of khaine", square(rules=rules), gap, player=player)
    foe = scene.beside(unit, 1 - player, models=5)
    battle = scene.battle("combat", player=player, run=False)
    assert blow_of(battle, unit.row, line_of(battle, unit), foe.row).attacks == attacks
    assert has(battle, unit.row, FRENZY) == (gap <= 6.0 or bool(rules))


@pytest.mark.rule("wap.terrain.monument.altar-of-khaine")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("rules", "gap", "dice", "held"),
    [
        (["Frenzy"], 5.0, [3, 3, 4, 4], False),
        (["Frenzy"], 5.0, [3, 3, 3, 4], True),
        (["Frenzy"], 6.1, [3, 3], True),
        ([], 5.0, [3, 3], True),
    ],
)
def test_who_is_frenzied_anyway_rolls_a_passed_test_not_to_charge_again(
    player: int, rules: list[str], gap: float, dice: list[int], held: bool
) -> None:
    """On a Leadership of 7 the 6 is passed; the second result stands."""
    scene, unit = near("altar of khaine", square(rules=rules), gap, player=player)
    battle = scene.battle("movement", player=player, run=False)
    script(battle, dice)
    assert holds_back(battle, unit.row) is held
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.terrain.monument.altar-of-khaine")
def test_a_unit_loses_the_frenzy_as_soon_as_it_leaves() -> None:
    scene, unit = near("altar of khaine")
    battle = scene.battle("movement", run=False)
    assert models_have(battle, unit.row, FRENZY)
    battle.units.y[unit.row] -= 0.2
    derive(battle, unit.row)
    assert not models_have(battle, unit.row, FRENZY)


def test_a_character_is_near_where_his_unit_is() -> None:
    scene, unit = near("altar of khaine", models=9)
    captain = scene.unit(0, hero(), models=1, inside=unit)
    battle = scene.battle("movement", run=False)
    assert models_have(battle, captain.row, FRENZY)


@pytest.mark.rule("wap.terrain.monument.bane-stone")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "needed"), [(6.0, 3), (6.1, 4)])
def test_hits_on_units_near_a_bane_stone_wound_more_easily(player: int, gap: float, needed: int) -> None:
    scene, unit = near("bane stone", gap=gap, player=player)
    foe = scene.beside(unit, 1 - player, square(i=9), models=5)
    battle = scene.battle("combat", player=player, run=False)
    script(battle, [6, 6, 6, 6, 6, 1, 2, 3, 4, 5, *[1] * 40])
    fight(battle, foe)
    rolled = [event for event in told(battle, "wap.combat.wound.roll") if event["unit"] == foe.row]
    assert [(event["needed"], event["result"]) for event in rolled] == [(needed, 6 - needed)]
    script(battle, [1, 2, 3, 4, 5])
    found = wounds_from(battle, unit.row, 5, Hit(3, nature=RANGED))
    assert (found.needed, found.number) == (needed, 6 - needed)
    script(battle, [1])
    assert wounds_from(battle, unit.row, 1, Hit(10, nature=RANGED)).number == 0


@pytest.mark.rule("wap.terrain.monument.charnel-pit")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "passed"), [(6.0, False), (6.1, True)])
def test_a_charnel_pit_lowers_leadership(player: int, gap: float, passed: bool) -> None:
    scene, unit = near("charnel pit", gap=gap, player=player)
    battle = scene.battle("movement", player=player, run=False)
    assert leadership_of(battle, unit.row) == 6 + passed
    assert leadership_value(battle, unit.row, unmodified=True) == 6 + passed
    script(battle, [3, 4])
    assert leadership_test(battle, unit.row, "wap.panic.test") is passed


@pytest.mark.rule("wap.terrain.monument.charnel-pit")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("book", "gap", "saves"), [("Undead", 6.0, True), ("Undead", 6.1, False), ("Order", 6.0, False)]
)
def test_the_undead_near_a_charnel_pit_regenerate(player: int, book: str, gap: float, saves: bool) -> None:
    scene, unit = near("charnel pit", gap=gap, player=player, book=(book,))
    foe = scene.beside(unit, 1 - player, square(i=9), models=5)
    battle = scene.battle("combat", player=player, run=False)
    assert models_have(battle, unit.row, REGENERATION) is saves
    assert parameters(battle, unit.row, REGENERATION) == (("6+",) if saves else ())
    script(battle, [6] * 5 + [6] * 5 + ([6, 5, 5, 5, 5] if saves else []) + [1] * 40)
    fight(battle, foe)
    assert battle.units.alive[unit.row] == (6 if saves else 5)


@pytest.mark.rule("wap.terrain.monument.idol-of-gork")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("gap", "again"), [(6.0, True), (6.1, False)])
def test_who_begins_the_turn_near_an_idol_may_roll_a_short_charge_again(
    player: int, detail: str, gap: float, again: bool
) -> None:
    """Movement 4, an enemy 9" away: 3 and 2 reach 7", 5 and 1 reach 9"."""
    scene = RegimentScene()
    scene.area("monument", 34, 10, 36, 12, example="idol of gork")
    unit = scene.unit(player, None, (36 + gap + 2.5, 12), models=10, files=5, facing=NORTH)
    target = scene.unit(1 - player, None, (36 + gap + 2.5, 21), models=10, files=5, facing=SOUTH)
    for x, y in ((4, 4), (4, 30)):
        scene.beside(scene.unit(player, None, (x, y), models=5), 1 - player, models=5)
    battle = scene.battle("movement", player=player, dice=[3, 2, 5, 1], detail=detail)
    charge(battle, unit, target)
    react(battle, HOLD)
    over(battle)
    if kind(battle) == "charge-order":
        choose(battle, "own", unit.number)
    if again and detail == "full":
        assert (kind(battle), battle.clock.player[0]) == ("charge-again", player)
        assert slots(battle, "option") and slots(battle, "done")
        left = battle.clone()
        choose(left, "done")
        assert row_between(left, unit.row, target.row) < 0
        choose(battle, "option", 0)
    if kind(battle) == "charge-place":
        choose(battle, "number", 0)
    assert [event["passed"] for event in told(battle, "wap.charge.success")] == ([False, True] if again else [False])
    assert (row_between(battle, unit.row, target.row) >= 0) is again
    assert [event["dice"] for event in told(battle, "wap.charge.distance")] == [(3, 2), (5, 1)][: 1 + again]


@pytest.mark.rule("wap.terrain.monument.idol-of-gork")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "reached"), [([1, 4], 1), ([1, 3], 0)])
def test_near_an_idol_a_charge_that_reaches_one_of_two_targets_is_not_short(
    player: int, dice: list[int], reached: int
) -> None:
    """Movement 2; two enemies in a slanting row that it cannot part, 5.93" and 6.05" away: 4 reaches 6", 3 reaches
    5".
    """
    scene = RegimentScene(rules={"small_target": 0})
    scene.area("monument", 34, 10, 36, 12, example="idol of gork")
    unit = scene.unit(player, square(m=2), (41, 12), models=5, files=5, facing=NORTH)
    slant = 0.1
    for far in (-1.2, 0.0, 1.2):
        at = (41 + far * cos(slant), 18.1 + far * sin(slant))
        scene.unit(1 - player, None, at, models=1, facing=SOUTH + slant)
    scene.unit(player, None, (4, 4), models=5)
    battle = scene.battle("movement", player=player, dice=dice, detail="full")
    charge(battle, unit, scene.sides[1 - player][1])
    for _ in range(2):
        react(battle, HOLD)
    over(battle)
    assert sorted(event["passed"] for event in told(battle, "wap.charge.success")) == [False, reached > 0]
    assert (kind(battle) == "charge-again") == (reached == 0)


@pytest.mark.rule("wap.terrain.monument.sinister-statue")
@pytest.mark.parametrize("player", [0, 1])
def test_a_sinister_statue_gazes_at_units_of_both_players(player: int) -> None:
    """A 3 (then 4 hits) for the unit of the player whose turn it is, a 4 for the enemy's; a Panic test in between."""
    scene, unit = near("sinister statue", player=player)
    foe = scene.unit(1 - player, None, (24, STONE[3] + 6.0), models=10, files=5, facing=SOUTH)
    away = scene.unit(player, None, (44, STONE[3] + 6.1), models=10, files=5, facing=SOUTH)
    battle = scene.battle("movement", player=player, dice=[3, 4, 3, 3, 2, 6, 1, 1, 4])
    gazed = [
        (event["unit"], event["die"], event["amount"]) for event in told(battle, "wap.terrain.monument.sinister-statue")
    ]
    assert gazed == [(unit.row, 3, 4), (foe.row, 4, 0)]
    (rolled,) = told(battle, "wap.shoot.wound.roll")
    assert (rolled["target"], rolled["needed"], rolled["result"]) == (unit.row, 3, 3)
    assert [battle.units.alive[handle.row] for handle in (unit, foe, away)] == [7, 10, 10]
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.terrain.monument.sinister-statue")
@pytest.mark.parametrize(("die", "hits"), [(1, True), (2, True), (3, True), (4, False), (5, False), (6, False)])
def test_the_table_of_the_statue(die: int, hits: bool) -> None:
    scene, unit = near("sinister statue")
    battle = scene.battle("movement", dice=[die, 1, 1])
    assert [event["amount"] for event in told(battle, "wap.terrain.monument.sinister-statue")] == [int(hits)]
    assert battle.units.alive[unit.row] == 10


# ---------------------------------------------------------------- the well


def at_the_well(
    dice: list[int], gap: float = 3.0, card: Mapping[str, Any] | None = None, **fields: Any
) -> tuple[Battle, UnitHandle]:
    """A unit near a well, at the end of its Movement phase."""
    scene, unit = near("wyrding well", card, gap, **fields)
    battle = scene.battle("movement", player=unit.player, dice=dice)
    if kind(battle) == "select-to-move":
        choose(battle, "done")
    return battle, unit


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
@pytest.mark.parametrize("player", [0, 1])
def test_who_drinks_may_get_lost_models_back(player: int) -> None:
    battle, unit = at_the_well([3, 4, 4], player=player, models=14, lost=6)
    assert (kind(battle), slots(battle, "own"), battle.clock.player[0]) == ("drink", [unit.number], player)
    choose(battle, "own", unit.number)
    assert battle.units.alive[unit.row] == 20
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
def test_no_more_models_come_back_than_the_dice_say() -> None:
    battle, unit = at_the_well([4, 1, 2], models=14, lost=6)
    choose(battle, "own", unit.number)
    assert battle.units.alive[unit.row] == 17


MONSTROUS = {"type": "monstrous cavalry", "base_mm": [50, 75], "mount": {**HORSE, "w": 3}}


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "back"), [((2, 1, 1), 1), ((2, 2, 1), 1), ((3, 3, 1), 2)])
def test_a_wound_of_a_rider_counts_as_two(player: int, dice: tuple[int, ...], back: int) -> None:
    card = square(type="cavalry", base_mm=[25.4, 50.8], mount=HORSE)
    battle, unit = at_the_well([*dice], card=card, player=player, models=5, lost=3)
    choose(battle, "own", unit.number)
    assert battle.units.alive[unit.row] == 5 + back


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "wounds"), [((2, 1, 3), [3, 3, 3, 0]), ((2, 2, 4), [3, 3, 3, 1])])
def test_hurt_models_are_healed_before_others_come_back(player: int, dice: tuple[int, ...], wounds: list[int]) -> None:
    """Models have the Wounds of their mounts; one of three has lost two, a fourth is gone."""
    scene, unit = near("wyrding well", square(**MONSTROUS), 3.0, player=player, models=3, lost=1)
    battle = scene.battle("movement", player=player, dice=[*dice], run=False)
    battle.models.wounds[unit.model(1)] = 1
    battle.run()
    if kind(battle) == "select-to-move":
        choose(battle, "done")
    choose(battle, "own", unit.number)
    assert [battle.models.wounds[unit.model(n)] for n in range(4)] == wounds
    assert dice_left(battle) == 0


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
@pytest.mark.parametrize("player", [0, 1])
def test_command_models_come_back_first(player: int) -> None:
    """Of ten only the champion is left; two Wounds bring back the musician and one other."""
    card = square(rules=["Unbreakable"])
    scene, unit = near("wyrding well", card, 3.0, player=player, command=("champion", "musician"))
    battle = scene.battle("movement", player=player, dice=[2, 1, 1], run=False)
    suffer(battle, unit.row, 8)
    slay(battle, unit.model(1))
    battle.run()
    if kind(battle) == "select-to-move":
        choose(battle, "done")
    choose(battle, "own", unit.number)
    assert [n for n in range(10) if battle.models.alive[unit.model(n)]] == [0, 1, 2]


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("joined", [False, True])
def test_no_character_is_healed(player: int, joined: bool) -> None:
    scene, unit = near("wyrding well", None if joined else hero(), 3.0, player=player, models=9 if joined else 1)
    captain = scene.unit(player, hero(), models=1, inside=unit) if joined else unit
    battle = scene.battle("movement", player=player, dice=[2, 6, 6], run=False)
    battle.models.wounds[captain.model()] = 1
    battle.run()
    if kind(battle) == "select-to-move":
        choose(battle, "done")
    choose(battle, "own", unit.number)
    assert (battle.models.wounds[captain.model()], dice_left(battle)) == (1, 0)


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
@pytest.mark.parametrize("player", [0, 1])
def test_who_is_poisoned_does_not_shoot_until_the_next_turn(player: int) -> None:
    scene, unit = near("wyrding well", man("bow"), 3.0, player=player)
    scene.unit(1 - player, man("bow"), (24, 40), models=5, facing=SOUTH)
    archers = scene.unit(player, man("bow"), (40, 30), models=5, facing=NORTH)
    battle = scene.battle("movement", player=player, dice=[1])
    if kind(battle) == "select-to-move":
        choose(battle, "done")
    other = battle.clone()
    choose(other, "done")
    assert (kind(other), may_shoot(other, unit.row)) == ("select-to-shoot", True)
    choose(battle, "own", unit.number)
    assert (kind(battle), slots(battle, "own"), may_shoot(battle, unit.row)) == (
        "select-to-shoot",
        [archers.number],
        False,
    )
    choose(battle, "done")
    assert battle.clock.turn[0] == 1 - player and may_shoot(battle, unit.row)


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("die", [5, 6])
def test_who_forgets_is_stupid_and_unbreakable_to_the_end(player: int, die: int) -> None:
    battle, unit = at_the_well([die], player=player)
    choose(battle, "own", unit.number)
    assert models_have(battle, unit.row, STUPIDITY) and models_have(battle, unit.row, UNBREAKABLE)
    play_until(battle)
    assert battle.clock.over[0] and battle.units.alive[unit.row]
    assert models_have(battle, unit.row, STUPIDITY) and models_have(battle, unit.row, UNBREAKABLE)


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
def test_who_fights_or_stands_too_far_does_not_drink() -> None:
    battle, _ = at_the_well([], gap=3.1)
    assert kind(battle) != "drink"
    scene, unit = near("wyrding well", gap=3.0)
    scene.unit(0, None, (10, 4), models=5)
    scene.beside(unit, 1, models=5, side=2)
    battle = scene.battle("movement")
    if kind(battle) == "select-to-move":
        choose(battle, "done")
    assert kind(battle) != "drink"


@pytest.mark.rule("wap.terrain.monument.wyrding-well", "wap.special.stupidity.failed")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("dice", "drinks"), [([6, 6, 1], False), ([1, 1], True)])
def test_a_stupid_unit_does_not_drink(player: int, dice: list[int], drinks: bool) -> None:
    """Leadership 2: it fails and stumbles an inch towards the well, or passes and does as it likes."""
    battle, unit = at_the_well(dice, card=square(rules=["Stupidity"], ld=2), player=player)
    assert bool(battle.units.stupid[unit.row]) is not drinks and (kind(battle) == "drink") is drinks


# ---------------------------------------------------------------- a hill with an aura


@pytest.mark.rule("wap.terrain.hill.anvil-of-vaul")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "save"), [(6.0, 5), (6.1, 2)])
def test_who_is_near_the_anvil_has_magical_and_flaming_attacks(player: int, gap: float, save: int) -> None:
    """The ward of an Ethereal unit is 2+, against magic 5+."""
    scene = RegimentScene()
    scene.area("hill", *STONE, example="anvil of vaul")
    unit = scene.unit(player, man("bow"), (24, STONE[1] - gap), models=5, files=5, facing=NORTH)
    foe = scene.unit(1 - player, square(rules=["Ethereal"]), (24, 34), models=5, facing=SOUTH)
    battle = scene.battle("shooting", player=player, run=False)
    line, (bow,) = line_of(battle, unit), outfit_of(battle, unit.row).missiles
    shot = hit_of(battle, line, bow, foe.row)
    blow = blow_of(battle, unit.row, line, foe.row)
    for nature in (shot.nature, blow.nature):
        assert bool(nature & MAGICAL) is bool(nature & FLAMING) is (gap == 6.0)
        assert [ward.save for ward in wards_against(battle, foe.row, 3, FRONT, nature)] == [save]


def archers_wait(scene: RegimentScene, player: int) -> None:
    """Add archers who can shoot at an enemy, so that the battle waits in the player's Shooting phase."""
    scene.unit(1 - player, man("bow"), (24, 40), models=5, facing=SOUTH)
    scene.unit(player, man("bow"), (40, 30), models=5, facing=NORTH)


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("joined", [False, True])
def test_a_poisoned_wizard_does_no_magic(player: int, joined: bool) -> None:
    for die, able in ((2, True), (1, False)):
        mage = wizard(2, bound=ring("Stroke", 3))
        scene, unit = near("wyrding well", None if joined else mage, 3.0, player=player, models=10 if joined else 1)
        own = scene.unit(player, mage, models=1, inside=unit) if joined else unit
        archers_wait(scene, player)
        known = knowing({own: "Stroke"})
        battle = scene.battle("movement", player=player, dice=[die, 1, 1, 4, 4, 6, 6], run=False)
        known(battle)
        battle.run()
        if kind(battle) == "select-to-move":
            choose(battle, "done")
        choose(battle, "own", unit.number)
        assert (own.row in channellers(battle, player), own.row in dispellers(battle, player)) == (able, able)
        assert bool(castable(battle, own.row)) is able
        assert (len(told(battle, "wap.magic.winds.channel-power")) > 0) is able


@pytest.mark.rule("wap.terrain.monument.wyrding-well")
def test_who_is_poisoned_uses_no_item() -> None:
    potion = "Potion of Strength"
    for die, able in ((2, True), (1, False)):
        scene, unit = near("wyrding well", None, 3.0)
        scene.unit(0, hero(), models=1, inside=unit, items=[potion])
        archers_wait(scene, 0)
        battle = scene.battle("movement", dice=[die, 1, 1])
        while kind(battle) == "use-item":
            choose(battle, "done")
        if kind(battle) == "select-to-move":
            choose(battle, "done")
        choose(battle, "own", unit.number)
        assert kind(battle) == ("use-item" if able else "select-to-shoot")
        assert bool(usable(battle, 0, Moment.START_OF_PHASE)) is able
