"""Break points, morale tests, retreat, dispersing, rallying."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle
from wh_env.rulesets.epic.assault.combat import assault_factor
from wh_env.rulesets.epic.move.plans import allowance_of
from wh_env.rulesets.epic.rally.breaking import break_point, is_broken
from wh_env.testing import choose, dice_left, pick, slots, told, words
from wh_env.testing.epic import A, B, EpicScene, FormationHandle


def squad(
    scene: EpicScene, player: int, *, left: int = 2, lost: int = 3, lost_now: int = 3, x: float = 20, **columns: Any
) -> FormationHandle:
    """A squad that has lost units, so many of them in this turn."""
    places = [(x + 2 * n, 20 if player == 0 else 100) for n in range(left)]
    return scene.formation(player, "Tactical Marine", at=places, lost=lost, lost_now=lost_now, **columns)


def rally(scene: EpicScene, dice: list[int], detail: str = "full", initiative: int = 0) -> Battle:
    """The rally phase; both sides have a formation that is left alone by it, on a turn that is not the last."""
    scene.formation(0, "Boy", at=(100, 5))
    scene.formation(1, "Boy", at=(100, 115))
    return scene.battle("rally", dice=dice, detail=detail, initiative=initiative)


@pytest.mark.parametrize(("units", "losses"), [(4, 2), (5, 3), (6, 3), (10, 5), (1, 1), (19, 10)])
@pytest.mark.rule("epic.break.point")
def test_half_of_the_starting_units_rounded_up(units: int, losses: int) -> None:
    assert break_point(units) == losses
    scene = EpicScene()
    at_it = squad(scene, 0, left=units - losses, lost=losses)
    before = squad(scene, 0, left=units - losses + 1, lost=losses - 1, x=60)
    scene.formation(1, "Boy", at=(100, 115))
    battle = scene.battle("orders")
    assert is_broken(battle, at_it.row)
    assert not is_broken(battle, before.row)


@pytest.mark.parametrize(
    ("left", "lost", "lost_now", "tests"),
    [(2, 3, 3, True), (2, 3, 1, True), (2, 3, 0, False), (1, 4, 1, True), (3, 2, 2, False)],
)
@pytest.mark.rule("epic.break.test")
def test_who_tests(left: int, lost: int, lost_now: int, tests: bool) -> None:
    """A squad of 5 that has lost 3 in turn 2 tests then; without a loss in turn 3 it does not; with one more in turn 4 it does."""
    scene = EpicScene()
    unit = squad(scene, 0, left=left, lost=lost, lost_now=lost_now)
    battle = rally(scene, [6])
    assert [event["unit"] for event in told(battle, "epic.morale.test")] == [unit.row] * tests


@pytest.mark.rule("epic.break.test")
def test_losses_are_counted_turn_by_turn() -> None:
    scene = EpicScene()
    unit = squad(scene, 0)
    battle = rally(scene, [6])
    assert battle.clock.round[0] == 2
    assert battle.units.lost[unit] == 0


@pytest.mark.parametrize("initiative", [0, 1])
@pytest.mark.rule("epic.break.test")
def test_the_player_with_the_initiative_tests_first_with_all_of_his(initiative: int) -> None:
    """In the order he chooses."""
    scene = EpicScene()
    own = [squad(scene, 0, x=20), squad(scene, 0, x=40)]
    theirs = [squad(scene, 1, x=20), squad(scene, 1, x=40)]
    battle = rally(scene, [6, 6, 6, 6], initiative=initiative)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("select-to-test", initiative)
    assert slots(battle, "own") == [0, 1]
    choose(battle, "own", 1)
    assert battle.decision is not None
    assert battle.decision.player == 1 - initiative
    choose(battle, "own", 1)
    order = [event["unit"] for event in told(battle, "epic.morale.test")]
    first, second = (own, theirs) if initiative == 0 else (theirs, own)
    assert order == [first[1].row, first[0].row, second[1].row, second[0].row]


@pytest.mark.parametrize(("roll", "passes"), [(3, True), (2, False), (6, True), (1, False)])
@pytest.mark.rule("epic.morale.test", "epic.morale.retreat")
def test_a_morale_value_of_3(roll: int, passes: bool) -> None:
    scene = EpicScene(morale=(3, 6))
    unit = squad(scene, 0)
    battle = rally(scene, [roll])
    assert told(battle, "epic.morale.test")[0]["passed"] is passes
    assert battle.units.retreating[unit] == int(not passes)


@pytest.mark.rule("epic.morale.test", "epic.profile.army")
def test_each_army_has_its_own_value_and_two_formations_need_two_rolls() -> None:
    scene = EpicScene(morale=(2, 4))
    squad(scene, 0)
    squad(scene, 1)
    battle = rally(scene, [2, 3], "squad")
    assert [(event["needed"], event["passed"]) for event in told(battle, "epic.morale.test")] == [(2, True), (4, False)]


@pytest.mark.rule("epic.morale.retreat", "epic.morale.retreat-effects")
def test_a_failed_test_shows_in_the_next_turn() -> None:
    """A Retreat counter: no order, twice the Movement, 2 less Assault Factor, and no fire."""
    scene = EpicScene()
    unit = squad(scene, 0)
    battle = rally(scene, [1])
    assert battle.clock.round[0] == 2
    assert battle.units.retreating[unit] == 1
    asked = []
    while battle.decision is not None and battle.decision.kind == "give-order":
        asked.append(battle.decision.subject)
        pick(battle, "advance")
    assert unit.row not in asked
    assert battle.units.order[unit] == 0
    assert battle.clock.phase[0] == 2
    assert allowance_of(battle, unit.row) == 10
    assert assault_factor(battle, unit.model()) == 0
    while battle.decision is not None and battle.clock.phase[0] <= 3:
        if battle.decision.kind == "select-to-fire" and battle.decision.player == 0:
            assert unit.number not in slots(battle, "own")
        battle.apply(battle.first_legal())


@pytest.mark.rule("epic.morale.retreat-effects")
def test_a_formation_that_begins_to_retreat_has_no_order_any_more() -> None:
    """One of three fails its test: at once it obeys no order; the others keep theirs."""
    scene = EpicScene()
    units = [squad(scene, 0, x=x, order="charge") for x in (20, 40, 60)]
    battle = rally(scene, [1])
    choose(battle, "own", 0)
    assert battle.units.retreating[units[0]] == 1
    assert [battle.units.order[unit] for unit in units] == [0, 2, 2]


@pytest.mark.parametrize(("roll", "disperses"), [(2, True), (3, False)])
@pytest.mark.rule("epic.morale.disperse")
def test_a_retreating_formation_that_must_test_again_and_fails_disperses(roll: int, disperses: bool) -> None:
    """Two left, one more lost in this turn: it is removed from the table."""
    scene = EpicScene()
    unit = squad(scene, 0, left=1, lost=4, lost_now=1, retreating=1)
    battle = rally(scene, [roll])
    assert battle.units.alive[unit] == int(not disperses)
    assert bool(told(battle, "epic.morale.disperse")) is disperses
    assert battle.models.on_table[unit.model()] == int(not disperses)
    # it took a break test: it does not try to rally in this phase
    assert battle.units.retreating[unit] == 1


@pytest.mark.rule("epic.morale.disperse", "epic.pin.pinned", "epic.mission.objectives")
def test_who_touched_a_formation_that_dispersed_is_free() -> None:
    """The one in contact with it is neither in contact nor pinned any more, and holds the objective at the end of the game."""
    scene = EpicScene()
    scene.objective(20, 25)
    unit = squad(scene, 0, left=1, lost=4, lost_now=1, retreating=1)
    boy = scene.formation(1, "Boy", at=(20, 21))
    scene.formation(0, "Boy", at=(100, 5))
    battle = scene.battle("rally", dice=[1], turn=4)
    assert battle.units.alive[unit] == 0
    assert battle.models.contact[boy.model()] == battle.models.pinned[boy.model()] == 0
    assert battle.objectives.holder[0] == 1


# ---------------------------------------------------------------- rallying


@pytest.mark.parametrize(("roll", "rallies"), [(4, True), (3, True), (2, False), (1, False)])
@pytest.mark.rule("epic.rally.attempt", "epic.rally.success", "epic.rally.failure")
def test_a_morale_test_decides(roll: int, rallies: bool) -> None:
    """It rallies on 3+; on a failure all its units are still there, with the Retreat counter."""
    scene = EpicScene()
    unit = squad(scene, 0, lost_now=0, retreating=1)
    battle = rally(scene, [roll])
    assert words(battle)[0] == "no further attempts"
    choose(battle, "own", 0)
    assert battle.units.retreating[unit] == int(not rallies)
    assert battle.units.alive[unit] == 2
    assert bool(told(battle, "epic.rally.success")) is rallies
    assert bool(told(battle, "epic.rally.failure")) is not rallies
    # turn 2: it is offered all five orders, or none
    asked = []
    while battle.decision is not None and battle.decision.kind == "give-order":
        asked.append((battle.decision.subject, len(battle.decision.options)))
        pick(battle, "march")
    assert ((unit.row, 5) in asked) is rallies


@pytest.mark.rule("epic.rally.attempt")
def test_nobody_has_to_try_and_each_tries_once() -> None:
    scene = EpicScene()
    first = squad(scene, 0, lost_now=0, retreating=1, x=20)
    second = squad(scene, 0, lost_now=0, retreating=1, x=40)
    battle = rally(scene, [1])
    assert slots(battle, "own") == [0, 1]
    choose(battle, "own", 1)
    assert slots(battle, "own") == [0]
    choose(battle, "done")
    assert battle.units.retreating[first] == battle.units.retreating[second] == 1
    assert len(told(battle, "epic.morale.test")) == 1


@pytest.mark.rule("epic.rally.attempt")
def test_both_players_try_after_all_break_tests() -> None:
    """One that began to retreat in this phase does not try before the next turn."""
    scene = EpicScene()
    broken = squad(scene, 0, x=20)
    fleeing = squad(scene, 0, lost_now=0, retreating=1, x=40)
    enemy = squad(scene, 1, lost_now=0, retreating=1)
    battle = rally(scene, [1, 6, 6], "squad", initiative=1)
    assert [event["unit"] for event in told(battle, "epic.morale.test")] == [broken.row, enemy.row, fleeing.row]
    assert battle.units.retreating[broken] == 1
    assert battle.units.retreating[fleeing] == battle.units.retreating[enemy] == 0
    assert dice_left(battle) == 0


def test_draws_are_scripted_too() -> None:
    assert (A, B) == (0, 5)
