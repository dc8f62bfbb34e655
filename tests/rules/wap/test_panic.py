"""Panic: what causes a test, who is exempt, which way who fails it flees, and how it spreads."""

from __future__ import annotations

from math import pi

import pytest

from tests.marching import MARCH, go
from wh_env import Battle
from wh_env.core.procedures import ASK, STEP
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.battle.timing import start_phase
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.codes import BROKEN, FLED, Phase
from wh_env.rulesets.wap.combat.close_combat import FightCombat
from wh_env.rulesets.wap.compulsory.rally import may_rally
from wh_env.rulesets.wap.fleeing.flight import Flight
from wh_env.rulesets.wap.morale.leadership import psychology_test
from wh_env.rulesets.wap.morale.panic_causes import blame, ground_source, is_due
from wh_env.rulesets.wap.panic.fright import takes_fright
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.rule_book import FEAR, PANIC, TERROR
from wh_env.rulesets.wap.special.psychology import causes_fear, causes_terror, frightened_by, immune_to
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import EAST, NORTH, SOUTH, WEST, RegimentScene, UnitHandle, pose, square

HEAVY, DESTROYED_FRIEND, BROKEN_FRIEND = (
    "wap.panic.heavy-casualties",
    "wap.panic.friend-destroyed",
    "wap.panic.friend-broken",
)
THROUGH = "wap.compulsory.flee.friends-panic"
RULES = (HEAVY, DESTROYED_FRIEND, BROKEN_FRIEND, THROUGH)


def worked_off(battle: Battle) -> Battle:
    """All Panic tests that are due are taken, and nothing else happens; what is asked is answered by default."""
    depth, ruleset = battle.clock.depth[0], battle.setup.ruleset
    battle.push(Panic)
    while battle.clock.depth[0] > depth:
        f = battle.frame
        if ruleset.advances[battle.stack[f]](battle, f) == ASK:
            asked, mask = ruleset.kinds[battle.clock.kind[0]], battle.bits
            battle.marks[:] = battle.blank
            asked.options(battle, f, mask)
            asked.answer(battle, f, asked.delegate(battle, f, mask))
    return battle


def panicked(battle: Battle, unit: UnitHandle | int | None = None) -> list[int]:
    """The units that have taken Panic tests, in order."""
    found = [e.data["unit"] for e in battle.events if e.kind == "leadership test" and e.rule in RULES]
    return found if unit is None else [row for row in found if row == int(unit)]


def shooting(scene: RegimentScene, *dice: int, detail: str = "squad") -> Battle:
    """The Shooting phase of player 1 begins; nobody does anything in it by himself."""
    battle = scene.battle("movement", player=1, dice=dice, detail=detail, run=False)
    battle.clock.turn[0] = 1
    start_phase(battle, Phase.SHOOTING)
    return battle


def alone(models: int = 20, **card: object) -> tuple[RegimentScene, UnitHandle]:
    """A unit in the middle, with an enemy in the north and in the south-west, and a friend far away."""
    scene = RegimentScene()
    unit = scene.unit(0, square(**card), (24, 24), models=models)
    scene.unit(0, None, (44, 4))
    scene.unit(1, None, (24, 40), facing=SOUTH)
    scene.unit(1, None, (4, 4))
    return scene, unit


# ---------------------------------------------------------------- the test


@pytest.mark.parametrize(("dice", "stays"), [([3, 4], True), ([4, 4, 2, 3], False)])
@pytest.mark.rule("wap.panic.test")
def test_who_fails_flees_at_once_on_two_dice(dice: list[int], stays: bool) -> None:
    scene, unit = alone()
    battle = shooting(scene, *dice)
    suffer(battle, unit.row, 5)
    worked_off(battle)
    assert [(note["leadership"], note["passed"]) for note in told(battle, HEAVY) if "passed" in note] == [(7, stays)]
    assert bool(battle.units.fleeing[unit]) is not stays
    assert bool(battle.units.did[unit] & FLED) is not stays
    assert dice_left(battle) == 0
    flights = [event.data for event in battle.events if event.kind == "flees"]
    assert [(flight["unit"], flight["far"]) for flight in flights] == ([] if stays else [(unit.row, 5.0)])


# ---------------------------------------------------------------- heavy casualties


@pytest.mark.parametrize(
    ("models", "lost", "tests"), [(20, 4, 0), (20, 5, 1), (10, 2, 0), (10, 3, 1), (3, 1, 1), (5, 1, 0)]
)
@pytest.mark.rule("wap.panic.heavy-casualties")
def test_a_quarter_of_the_models_of_the_start_of_the_phase(models: int, lost: int, tests: int) -> None:
    scene, unit = alone(models)
    battle = shooting(scene, 1, 1)
    for _ in range(lost):
        suffer(battle, unit.row, 1)
    worked_off(battle)
    assert len(panicked(battle, unit)) == tests


@pytest.mark.rule("wap.panic.heavy-casualties")
def test_a_later_phase_starts_counting_again() -> None:
    scene, unit = alone(20)
    battle = shooting(scene, 1, 1)
    suffer(battle, unit.row, 4)
    worked_off(battle)
    assert panicked(battle) == []
    start_phase(battle, Phase.COMBAT)
    suffer(battle, unit.row, 3)
    assert not is_due(battle)
    suffer(battle, unit.row, 1)  # 4 of 16
    assert is_due(battle)


@pytest.mark.rule("wap.panic.heavy-casualties")
def test_wounds_that_remove_nobody_are_no_casualties() -> None:
    scene, unit = alone(4, w=3)
    battle = shooting(scene, 1, 1)
    suffer(battle, unit.row, 2)
    assert not is_due(battle)
    suffer(battle, unit.row, 1)
    assert is_due(battle)


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.rule("wap.panic.heavy-casualties")
def test_losses_that_are_asked_about_count_too(detail: str) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 24), models=8, files=8)
    archers = scene.unit(1, None, (24, 40))
    scene.unit(1, None, (4, 4))
    battle = scene.battle("movement", player=1, dice=[6, 6, 1, 1], detail=detail, run=False)
    start_phase(battle, Phase.SHOOTING)
    battle.push(Panic)
    battle.push(Casualties, unit.row, 3, archers.row + 1)
    battle.run()
    if detail == "full":
        assert kind(battle) == "loss-end"
        choose(battle, "option", 1)
    assert panicked(battle) == [unit.row]
    assert abs(told(battle, "wap.panic.direction.heavy")[0]["facing"] - 270) <= 2  # a file more has fallen at one end


@pytest.mark.rule("wap.panic.heavy-casualties")
def test_dangerous_ground_that_a_march_crosses_makes_panic() -> None:
    """Ten march through a mire that costs three: they panic before anything else moves, and flee from the mire."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (20, 10), models=10, files=5)
    scene.unit(0, None, (40, 10))
    scene.unit(1, None, (4, 46))
    scene.area("dangerous", 10, 12, 30, 13)
    battle = scene.battle("movement", dice=[1, 1, 1, *[2] * 7, 6, 6, 1, 2])
    choose(battle, "own", 0)
    choose(battle, "option", 2)
    cells = slots(battle, "cell")
    choose(battle, "cell", max(cells))
    while kind(battle) in ("end-wheel", "move-refine"):
        choose(battle, "number" if kind(battle) == "end-wheel" else "cell", 0)
    assert battle.units.alive[unit] == 7
    assert panicked(battle) == [unit.row] and battle.units.fleeing[unit]
    assert kind(battle) == "select-to-move"


# ---------------------------------------------------------------- which way


@pytest.mark.parametrize(("north", "west", "facing"), [(3, 2, SOUTH), (2, 3, EAST)])
@pytest.mark.rule("wap.panic.direction.heavy")
def test_who_has_lost_many_flees_from_whoever_cost_most(north: int, west: int, facing: float) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 26.5), models=20, files=5, facing=NORTH)  # its centre at y = 24.5
    archers = scene.unit(1, None, (24, 40), models=5, facing=SOUTH)
    crossbows = scene.unit(1, None, (10, 24.5), models=5, facing=EAST)
    scene.unit(1, None, (26, 31), models=5, facing=SOUTH)  # the nearest, who has done nothing
    battle = shooting(scene, 6, 6, 1, 1)
    suffer(battle, unit.row, north - 1, by=archers.row)
    suffer(battle, unit.row, west, by=crossbows.row)
    suffer(battle, unit.row, 1, by=archers.row)
    worked_off(battle)
    turned = pose(battle, unit)[2]
    assert abs((turned - facing + pi) % (2 * pi) - pi) < 0.06  # the front rank is in front of the centre
    (note,) = told(battle, "wap.panic.direction.heavy")
    assert note["unit"] == unit.row


@pytest.mark.rule("wap.panic.direction.heavy")
def test_losses_of_an_earlier_phase_do_not_tell_whom_to_flee_from() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 24), models=20, files=5)
    north = scene.unit(1, None, (24, 40), models=5, facing=SOUTH)
    west = scene.unit(1, None, (8, 22), models=5, facing=EAST)
    battle = shooting(scene, 6, 6, 1, 1)
    suffer(battle, unit.row, 4, by=north.row)
    start_phase(battle, Phase.COMBAT)
    suffer(battle, unit.row, 4, by=west.row)
    worked_off(battle)
    assert told(battle, "wap.panic.direction.heavy")[0]["facing"] <= 2


@pytest.mark.parametrize("x", [18.0, 30.0])
@pytest.mark.rule("wap.panic.direction.heavy")
def test_terrain_that_cost_most_is_fled_from(x: float) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 24), models=8, files=4)
    scene.unit(1, None, (24, 40), facing=SOUTH)
    scene.area("open", 2, 40, 6, 44)
    scene.area("dangerous", x - 2, 21, x + 2, 25)
    battle = shooting(scene, 6, 6, 1, 1)
    blame(battle, unit.row, ground_source(battle, 1), 2)
    suffer(battle, unit.row, 2)
    worked_off(battle)
    assert told(battle, "wap.panic.direction.heavy")[0]["facing"] == (0 if x < 24 else 180)


@pytest.mark.rule("wap.panic.direction.heavy.nothing")
def test_with_nothing_to_flee_from_the_nearest_enemy_is() -> None:
    """Losses by nobody, or by the unit's own side: the enemy 10" to the south is fled from."""
    for own in (False, True):
        scene = RegimentScene()
        unit = scene.unit(0, None, (24, 24), models=8, files=4)
        wizard = scene.unit(0, None, (44, 24))
        scene.unit(1, None, (24, 12), facing=NORTH, models=5)
        scene.unit(1, None, (4, 30), facing=NORTH)
        battle = shooting(scene, 6, 6, 1, 1)
        suffer(battle, unit.row, 2, by=wizard.row if own else -1)
        worked_off(battle)
        assert told(battle, "wap.panic.direction.heavy.nothing")[0]["facing"] == 90
        assert not told(battle, "wap.panic.direction.heavy")


@pytest.mark.rule("wap.panic.direction.heavy.nothing")
def test_an_enemy_that_is_gone_is_nothing_to_flee_from() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 24), models=8, files=4)
    gone = scene.unit(1, None, (10, 22), models=5)
    scene.unit(1, None, (24, 12), facing=NORTH, models=5)
    battle = shooting(scene, 6, 6, 1, 1)
    suffer(battle, unit.row, 2, by=gone.row)
    remove_unit(battle, gone.row)
    worked_off(battle)
    assert told(battle, "wap.panic.direction.heavy.nothing")[0]["facing"] == 90


@pytest.mark.parametrize("near", ["east", "west"])
@pytest.mark.rule("wap.panic.direction.other")
def test_other_panic_flees_from_the_nearest_enemy(near: str) -> None:
    """One enemy is 8" away, the other 12"."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 25), models=4, files=2)
    friend = scene.unit(0, None, (24, 31), models=10, files=5)
    east, west = (8, 12) if near == "east" else (12, 8)
    scene.unit(1, None, (25 + east, 24), models=4, files=2, facing=WEST)
    scene.unit(1, None, (23 - west, 24), models=4, files=2, facing=EAST)
    battle = shooting(scene, 6, 6, 1, 1)
    suffer(battle, friend.row, 10)
    worked_off(battle)
    assert told(battle, "wap.panic.direction.other")[0]["facing"] == (180 if near == "east" else 0)
    assert battle.units.fleeing[unit]


# ---------------------------------------------------------------- friends destroyed, broken


@pytest.mark.parametrize(("models", "gap", "tests"), [(12, 6.0, 1), (12, 6.1, 0), (10, 6.0, 1), (9, 6.0, 0)])
@pytest.mark.rule("wap.panic.friend-destroyed")
def test_friends_within_six_inches_of_who_is_destroyed(models: int, gap: float, tests: int) -> None:
    """The distance is that to where its last rank stood: it faces away from the friend behind it, which was as far from its rear rank."""
    scene = RegimentScene()
    fallen = scene.unit(0, None, (24, 24), models=models, files=models, facing=NORTH)
    friend = scene.unit(0, None, (24, 23 - gap), models=5, files=5, facing=NORTH)
    scene.unit(1, None, (24, 44))
    enemy = scene.unit(1, None, (24, 27), models=5, files=5, facing=NORTH)
    battle = shooting(scene, 1, 1, 1, 1)
    suffer(battle, fallen.row, models)
    assert battle.units.place[fallen] == DESTROYED
    worked_off(battle)
    assert panicked(battle) == [friend.row] * tests
    assert [note["unit"] for note in told(battle, DESTROYED_FRIEND)] == [friend.row] * tests
    assert enemy.row not in panicked(battle)


@pytest.mark.rule("wap.panic.friend-destroyed")
def test_the_strength_is_that_at_the_start_of_the_phase() -> None:
    for shot_before, tests in ((2, 1), (3, 0)):
        scene = RegimentScene()
        fallen = scene.unit(0, square(rules=["Immunity (Panic)"]), (24, 24), models=12, files=4)
        friend = scene.unit(0, None, (24, 18), models=5, files=5)
        scene.unit(1, None, (24, 44))
        battle = shooting(scene, 1, 1)
        suffer(battle, fallen.row, shot_before)
        start_phase(battle, Phase.COMBAT)
        for _ in range(12 - shot_before):  # one after the other, the last alone
            suffer(battle, fallen.row, 1)
        worked_off(battle)
        assert panicked(battle, friend) == [friend.row] * tests


@pytest.mark.rule("wap.panic.friend-destroyed")
def test_who_is_removed_as_a_whole_is_destroyed_too() -> None:
    scene = RegimentScene()
    fallen = scene.unit(0, None, (24, 24), models=10, files=5)
    friend = scene.unit(0, None, (24, 18), models=5, files=5)
    scene.unit(1, None, (24, 44))
    battle = shooting(scene, 1, 1)
    remove_unit(battle, fallen.row)
    worked_off(battle)
    assert panicked(battle) == [friend.row]


@pytest.mark.rule("wap.panic.friend-destroyed")
def test_who_flees_off_the_table_is_destroyed_where_it_leaves_it() -> None:
    """Its friend near the edge tests, the one near where the flight began does not."""
    scene = RegimentScene()
    scene.unit(0, square(ld=2), (36, 20), models=10, files=5, facing=EAST, fleeing=1)
    near = scene.unit(0, None, (44, 27), models=5, files=5, facing=NORTH)
    far = scene.unit(0, None, (29, 27), models=5, files=5, facing=NORTH)
    scene.unit(1, None, (6, 44))
    battle = scene.battle("movement", dice=[6, 6, 6, 6, 1, 1])
    assert battle.units.place[0] == DESTROYED
    assert panicked(battle) == [near.row] and far.row not in panicked(battle)


@pytest.mark.parametrize(("models", "gap", "tests"), [(10, 5.0, 1), (9, 5.0, 0), (10, 6.0, 1), (10, 6.01, 0)])
@pytest.mark.rule("wap.core.measure.within")
@pytest.mark.rule("wap.panic.friend-broken")
def test_friends_of_who_breaks_test_before_it_flees(models: int, gap: float, tests: int) -> None:
    scene = RegimentScene()
    broken = scene.unit(0, None, (24, 24), models=models, files=5, facing=NORTH)
    foe = scene.beside(broken, 1, models=10, files=5)
    friend = scene.unit(0, None, (24, 22 - gap), models=5, files=5, facing=NORTH)
    battle = scene.battle("combat", player=1, dice=[1, 1], run=False)
    start_phase(battle, Phase.COMBAT)
    battle.units.outcome[broken] = BROKEN
    battle.units.fighting[broken] = battle.units.fighting[foe] = 1
    battle.push(FightCombat, broken.row)
    battle.stack[battle.frame + STEP] = FightCombat.Step.PANIC
    battle.run()
    assert panicked(battle) == [friend.row] * tests
    assert [note["unit"] for note in told(battle, BROKEN_FRIEND)] == [friend.row] * tests
    told_kinds = [event.kind for event in battle.events if event.kind in ("leadership test", "flees")]
    assert told_kinds[:tests] == ["leadership test"] * tests


# ---------------------------------------------------------------- who is exempt


@pytest.mark.rule("wap.panic.exempt.engaged")
def test_nobody_panics_in_close_combat() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 24), models=10, files=5)
    foe = scene.beside(unit, 1, models=10, files=5)
    friend = scene.unit(0, None, (24, 19), models=10, files=5)
    free = scene.unit(0, None, (32, 24), models=10, files=5)
    battle = shooting(scene, 1, 1)
    suffer(battle, unit.row, 3)  # 30 %
    suffer(battle, friend.row, 10)  # 3" behind it
    worked_off(battle)
    assert panicked(battle) == [free.row]
    assert not battle.units.due[unit] and battle.units.alive[unit] == 7
    remove_unit(battle, foe.row)
    assert not is_due(battle)  # what befell it in the fight does not catch up with it


@pytest.mark.rule("wap.panic.exempt.fleeing")
def test_nobody_panics_who_flees_already() -> None:
    scene, unit = alone(20)
    battle = shooting(scene, 6, 6)
    battle.units.fleeing[unit] = 1
    suffer(battle, unit.row, 10)
    worked_off(battle)
    assert panicked(battle) == [] and dice_left(battle) == 2


def with_a_friend(*dice: int) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit, and 4" behind it a friend of Unit Strength 12."""
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 24), models=8, files=4)
    friend = scene.unit(0, square(rules=["Immunity (Panic)"]), (24, 18), models=12, files=4)
    scene.unit(1, None, (24, 44))
    return shooting(scene, *dice), unit, friend


@pytest.mark.parametrize(("next_phase", "tests"), [(False, 1), (True, 2)])
@pytest.mark.rule("wap.panic.once-per-phase", "wap.panic.exempt.passed")
def test_one_test_in_a_phase(next_phase: bool, tests: int) -> None:
    battle, unit, friend = with_a_friend(3, 4, 3, 4)
    suffer(battle, unit.row, 2)
    worked_off(battle)
    assert panicked(battle) == [unit.row]
    if next_phase:
        start_phase(battle, Phase.COMBAT)
    suffer(battle, friend.row, 12)
    worked_off(battle)
    assert panicked(battle) == [unit.row] * tests
    assert dice_left(battle) == 4 - 2 * tests


@pytest.mark.rule("wap.panic.once-per-phase")
def test_two_causes_at_once_are_one_test() -> None:
    battle, unit, friend = with_a_friend(3, 4, 3, 4)
    suffer(battle, friend.row, 12)
    suffer(battle, unit.row, 2)
    worked_off(battle)
    assert panicked(battle) == [unit.row] and dice_left(battle) == 2


@pytest.mark.parametrize(("terror", "tests"), [(True, 0), (False, 1)])
@pytest.mark.rule("wap.panic.exempt.passed")
def test_who_stood_before_a_terrible_charger_does_not_test_for_friends(terror: bool, tests: int) -> None:
    """In one Movement phase: a test for terror that is passed, then a friend of Unit Strength 12 flees through the unit."""
    scene = RegimentScene()
    scene.unit(0, square(ld=2), (20, 36), models=12, files=4, facing=SOUTH, fleeing=1)
    unit = scene.unit(0, None, (20, 30), models=5, facing=NORTH)
    scene.unit(1, None, (20, 46))
    battle = scene.battle("movement", dice=[*([3, 4] if terror else []), 6, 6, 3, 3, 3, 3], run=False)
    if terror:
        assert not takes_fright(battle, unit.row, "wap.special.terror.charged")
        assert not takes_fright(battle, unit.row, "wap.special.terror.charged")  # without dice
        assert dice_left(battle) == 6
    script(battle, [3, 3, 3, 3])
    depth = battle.clock.depth[0]
    battle.push(Flight, 0)
    while battle.clock.depth[0] > depth:
        battle.setup.ruleset.advances[battle.stack[battle.frame]](battle, battle.frame)
    worked_off(battle)
    assert panicked(battle) == [unit.row] * tests


# ---------------------------------------------------------------- order, chains, rallying


@pytest.mark.rule("wap.panic.order")
def test_the_player_of_the_units_says_who_tests_first() -> None:
    """Three of player 1 are near a friend that is destroyed in the turn of player 0; who flees through another gives it no second test."""
    scene = RegimentScene()
    scene.unit(0, None, (4, 4))
    fallen = scene.unit(1, None, (24, 20), models=10, files=5, facing=SOUTH)
    first = scene.unit(1, None, (24, 25), models=10, files=5, facing=SOUTH)
    second = scene.unit(
        1, None, (24.5, 31.5), models=10, files=5, facing=SOUTH
    )  # behind the first, too far from the fallen
    third = scene.unit(1, None, (16, 20), models=10, files=5, facing=SOUTH)
    fourth = scene.unit(1, None, (33, 24), models=10, files=5, facing=SOUTH)
    battle = scene.battle("movement", player=0, dice=[], detail="full", run=False)
    start_phase(battle, Phase.SHOOTING)
    suffer(battle, fallen.row, 10)
    battle.push(Panic)
    battle.run()
    assert (kind(battle), battle.clock.player[0]) == ("panic-order", 1)
    own = [unit.row - 1 for unit in (first, third, fourth)]
    assert slots(battle, "own") == own
    script(battle, [3, 3, 6, 6, 6, 4, 3, 3, 3, 3])
    choose(battle, "own", fourth.row - 1)
    assert slots(battle, "own") == own[:2]
    choose(battle, "own", first.row - 1)  # it flees away from the south-west, through the second
    assert (kind(battle), slots(battle, "own")) == ("panic-order", sorted([second.row - 1, third.row - 1]))
    assert battle.units.fleeing[first] and not battle.units.fleeing[second]
    choose(battle, "own", third.row - 1)
    assert panicked(battle) == [fourth.row, first.row, third.row, second.row]


@pytest.mark.rule("wap.panic.order")
def test_the_player_whose_turn_it_is_tests_first() -> None:
    scene = RegimentScene()
    mine = scene.unit(0, None, (10, 10), models=8, files=4)
    his = scene.unit(1, None, (30, 30), models=8, files=4)
    battle = shooting(scene, 3, 3, 3, 3)
    suffer(battle, mine.row, 4)
    suffer(battle, his.row, 4)
    worked_off(battle)
    assert panicked(battle) == [his.row, mine.row]


@pytest.mark.parametrize("strength", [10, 9])
@pytest.mark.rule("wap.panic.chain", "wap.panic.fled-through")
def test_panic_spreads_from_flight_to_flight(strength: int) -> None:
    """x flees through y, y through z; z, which nobody else has frightened, tests in the same phase."""
    scene = RegimentScene()
    x = scene.unit(0, None, (24, 40), models=14, files=7, facing=NORTH)
    y = scene.unit(0, None, (24, 34), models=strength, files=5, facing=NORTH)
    z = scene.unit(0, None, (24, 26), models=10, files=5, facing=NORTH)
    scene.unit(1, None, (24, 46), models=5, facing=SOUTH)
    battle = shooting(scene, 6, 6, 4, 4, 6, 6, 6, 6, 3, 3)
    suffer(battle, x.row, 4)  # Unit Strength 10 is left; it stops between the two others
    worked_off(battle)
    assert panicked(battle) == [x.row, y.row, z.row][: 3 if strength == 10 else 2]
    assert battle.units.y[y] < battle.units.y[z] - 1 < battle.units.y[x]
    assert battle.units.fleeing[x] and battle.units.fleeing[y]
    order = [(event.kind, event.data["unit"]) for event in battle.events if event.kind in ("flees", "leadership test")]
    assert order[:4] == [("leadership test", x.row), ("flees", x.row), ("leadership test", y.row), ("flees", y.row)]


@pytest.mark.rule("wap.panic.rally-next-turn")
def test_who_panics_rallies_in_the_next_turn_of_its_player_at_the_earliest() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, None, (24, 24), models=8, files=4)
    scene.unit(0, None, (44, 4))
    scene.unit(1, None, (24, 44), facing=SOUTH)
    battle = scene.battle("movement", turn=3, dice=[4, 4, 4, 4, 1, 1], run=False)

    depth = battle.clock.depth[0]
    battle.setup.ruleset.advances[battle.stack[battle.frame]](battle, battle.frame)  # the phase begins
    assert (battle.clock.round[0], battle.clock.depth[0]) == (3, depth + 1)
    suffer(battle, unit.row, 2)
    worked_off(battle)
    assert battle.units.fleeing[unit] and not may_rally(battle, unit.row)
    battle.run()
    while battle.clock.round[0] == 3:
        assert battle.units.fleeing[unit]
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    tests = told(battle, "wap.compulsory.rally.test")
    assert [(note["unit"], note["passed"]) for note in tests] == [(unit.row, True)]


# ---------------------------------------------------------------- immunities, fear, terror


@pytest.mark.parametrize(
    ("rules", "tests"),
    [
        ([], 1),
        (["Immunity (Panic)"], 0),
        (["Immunity (Fear/Panic)"], 0),
        (["Immunity (Fear)"], 1),
        (["Immunity (Terror)"], 1),
        (["Immunity (Psychology)"], 0),
        (["Immunity (Panic, Fear, Terror)"], 0),
        (["Unbreakable"], 0),
        (["Frenzy"], 0),
        (["Fear"], 1),
    ],
)
@pytest.mark.rule("wap.special.immunity.psychology-kinds", "wap.special.immunity.psychology")
def test_who_is_immune_takes_no_panic_test(rules: list[str], tests: int) -> None:
    scene, unit = alone(8, rules=rules)
    battle = shooting(scene, 3, 3)
    suffer(battle, unit.row, 4)
    worked_off(battle)
    assert panicked(battle) == [unit.row] * tests
    assert dice_left(battle) == 2 - 2 * tests


@pytest.mark.rule("wap.special.immunity.psychology-kinds")
def test_frenzy_that_is_lost_protects_no_more() -> None:
    scene, unit = alone(8, rules=["Frenzy"])
    battle = shooting(scene, 3, 3)
    assert immune_to(battle, unit.row, PANIC)
    battle.units.lost_rules[unit] = 1
    assert not immune_to(battle, unit.row, PANIC)


@pytest.mark.rule("wap.special.immunity.psychology")
def test_who_is_immune_to_psychology_passes_such_tests_without_dice() -> None:
    for rules, dice in (
        (["Immunity (Psychology)"], 0),
        (["Immunity (Fear/Terror/Panic)"], 0),
        (["Immunity (Panic)"], 2),
    ):
        scene, unit = alone(8, ld=5, rules=rules)
        battle = shooting(scene, 6, 6)
        assert psychology_test(battle, unit.row, "wap.core.ldtest.psychology") is (dice == 0)
        assert dice_left(battle) == 2 - dice


def pair(one: dict[str, object], other: dict[str, object]) -> tuple[Battle, int, int]:
    scene = RegimentScene()
    a = scene.unit(0, square(**one), (24, 24), models=10, files=5, command=["champion"])
    b = scene.unit(1, square(**other), (24, 34), models=10, files=5, command=["champion"])
    return scene.battle("movement", run=False), a.row, b.row


@pytest.mark.parametrize(
    ("mine", "his", "frightened", "tests"),
    [
        ([], [], False, True),
        ([], ["Fear"], True, True),
        ([], ["Terror"], True, True),
        (["Fear"], ["Fear"], False, False),
        (["Fear"], ["Terror"], True, False),  # it takes terror for fear
        (["Terror"], ["Terror"], False, False),
        (["Terror"], ["Fear"], False, False),
        (["Immunity (Fear)"], ["Fear"], False, False),
        (["Immunity (Fear)"], ["Terror"], False, False),
        (["Immunity (Terror)"], ["Terror"], True, False),
        (["Immunity (Panic)"], ["Fear"], True, True),
        (["Immunity (Psychology)"], ["Terror"], False, False),
        (["Frenzy"], ["Terror"], False, False),
    ],
)
@pytest.mark.rule("wap.special.terror.treated-as-fear", "wap.special.terror.grants", "wap.special.fear.immunity")
def test_who_is_frightened_by_whom(mine: list[str], his: list[str], frightened: bool, tests: bool) -> None:
    battle, unit, other = pair({"rules": mine}, {"rules": his})
    assert frightened_by(battle, unit, other) is frightened
    assert immune_to(battle, unit, TERROR) is not tests


@pytest.mark.rule("wap.special.terror.grants")
def test_who_causes_terror_causes_fear() -> None:
    battle, unit, other = pair({"rules": ["Terror"]}, {"rules": ["Fear"]})
    assert causes_terror(battle, unit) and causes_fear(battle, unit)
    assert causes_fear(battle, other) and not causes_terror(battle, other)
    assert immune_to(battle, unit, FEAR) and immune_to(battle, unit, TERROR)
    assert immune_to(battle, other, FEAR) and not immune_to(battle, other, PANIC)


@pytest.mark.rule("wap.special.fear.immunity", "wap.special.immunity.psychology-kinds")
def test_one_of_ten_makes_no_majority() -> None:
    """A champion who alone causes Fear frightens the enemy, but does not make his unit immune; alone he is the majority of it."""
    battle, unit, other = pair({"champion_rules": ["Fear", "Immunity (Panic)"]}, {"rules": ["Fear"]})
    assert causes_fear(battle, unit) and not immune_to(battle, unit, FEAR)
    assert frightened_by(battle, unit, other)
    for left, immune in ((2, False), (1, True)):
        suffer(battle, unit, battle.units.alive[unit] - left)
        assert battle.units.alive[unit] == left
        assert immune_to(battle, unit, FEAR) is immune and immune_to(battle, unit, PANIC) is immune
        assert frightened_by(battle, unit, other) is not immune


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("rules", "dice"), [(["Immunity (Psychology)"], 0), (["Unbreakable"], 0), ([], 2)])
@pytest.mark.rule("wap.core.ldtest.psychology", "wap.core.precedence.special")
def test_who_is_immune_takes_no_panic_test_but_a_test_before_a_march(rules: list[str], dice: int, player: int) -> None:
    """Five of twenty fall: others roll 2D6. To march near an enemy all roll them."""
    scene = RegimentScene()
    unit = scene.unit(player, square(rules=rules, ld=7), (24, 24), models=20, facing=NORTH)
    scene.unit(1 - player, None, (24, 40), facing=SOUTH)
    battle = scene.battle("movement", player=1 - player, dice=[3, 4], run=False)
    battle.clock.turn[0] = 1 - player
    start_phase(battle, Phase.SHOOTING)
    suffer(battle, unit.row, 5)
    worked_off(battle)
    assert 2 - dice_left(battle) == dice and len(panicked(battle, unit)) == dice // 2
    scene = RegimentScene()
    unit = scene.unit(player, square(rules=rules, ld=7), (24, 24), models=20, facing=NORTH)
    scene.unit(player, None, (6, 6))
    scene.unit(1 - player, None, (32, 24), facing=NORTH)
    battle = scene.battle("movement", player=player, detail="full", dice=[3, 4])
    go(battle, unit, MARCH)
    assert dice_left(battle) == 0 and told(battle, "wap.move.march.test")[-1]["passed"] is True
