"""Engagement Range: no set-up in it, no move but charges, pile-ins and consolidations ends in it
(w10.concepts.engagement-range.*). What Engagement Range is stands in ``tests/core/test_shapes.py``.
"""

from __future__ import annotations

import numpy as np
import pytest

from wh_env.core.geometry.paths import Fault
from wh_env.core.geometry.placement import new_place, set_up_one_by_one
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.w40k.questions.move_limits import NORMAL
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule
from wh_env.testing import Scene, choose, dice_left, pick, sheet, slots, told
from wh_env.testing.melee_moves import check_charge_move
from wh_env.testing.moves import check_move, walk

GRID = 17
MIDDLE = GRID // 2

# ---------------------------------------------------------------- set-up


def facing_zones(gap):
    """Two zones that nearly meet, so that the last ranks of cells leave ``gap`` inches between two bases of 1"."""
    # the centre of the last of 17 cells lies 16.5 / 17 of the depth into a zone
    depth = (44 - gap - 1.0) / (2 * 16.5 / GRID)
    scene = Scene(size=(60, 44), zone_depth=depth)
    scene.unit(0, sheet("First"))
    second = scene.unit(1, sheet("Second"))
    battle = scene.battle("mission")
    # the Attacker takes the middle of the rank nearest to the enemy; cells count from y = 0 upwards in both zones
    assert battle.decision.player == 0
    choose(battle, "cell", 16 * GRID + MIDDLE)
    assert battle.decision.player == 1
    return battle, second


@pytest.mark.rule("w10.concepts.engagement-range.no-set-up")
@pytest.mark.parametrize(("gap", "open_"), [(0.9, False), (1.0, False), (1.01, True)])
def test_no_set_up_within_engagement_range(gap, open_):
    """The cell opposite the enemy base is 0.9" (1.0", 1.01") away from it; the one beside it is far enough in any case."""
    battle, second = facing_zones(gap)
    cells = slots(battle, "cell")
    assert (MIDDLE in cells) is open_
    assert MIDDLE + 1 in cells
    if open_:
        choose(battle, "cell", MIDDLE)
        assert battle.distance(0, second) == pytest.approx(gap, abs=1e-6)


@pytest.mark.rule("w10.concepts.engagement-range.no-set-up")
@pytest.mark.parametrize(("gap", "refused"), [(0.9, True), (1.01, False)])
def test_a_returned_model_is_not_set_up_within_engagement_range(gap, refused):
    """The only free place beside the unit lies ``gap`` inches from an enemy model: walls close everything else."""
    scene = Scene()
    unit = scene.unit(0, sheet("Squad"), at=[(10, 10), (11.2, 10)], lost=(1,))
    # a corridor 1.1" wide along x, closed behind the standing model; the base beside it would stand at x = 11
    scene.box(4, 10.55, 16, 16, 6)
    scene.box(4, 4, 16, 9.45, 6)
    scene.box(4, 9.45, 9.45, 10.55, 6)
    scene.unit(1, sheet("Guard"), at=(11.0 + 1.0 + gap, 10))
    scene.rule(TimedRule("Back", "command", 0, "return", unit.row, 1))
    battle = scene.battle("command")
    assert battle.units.alive[unit] == (1 if refused else 2)


# ---------------------------------------------------------------- moves


def facing_each_other(phase, gap, *, dice=(), engaged_with=None):
    """A lone model and an enemy base ``gap`` inches beyond the end of a move of 3" along y."""
    scene = Scene()
    unit = scene.unit(0, sheet("Mover"), at=(30, 20))
    scene.unit(1, sheet("Enemy"), at=(30, 20 + 3 + 1 + gap))
    if engaged_with is not None:
        scene.unit(1, sheet("Holder"), at=engaged_with)
    return scene.battle(phase, detail="full", dice=dice), unit


MOVES = [
    ("normal", None, None),
    ("advance", 2, None),
    ("fall back", None, (30, 18.5)),  # engaged with an enemy 0.5" behind it
]


@pytest.mark.rule("w10.concepts.engagement-range.no-end")
@pytest.mark.parametrize(("kind", "roll", "holder"), MOVES)
@pytest.mark.parametrize(("gap", "fault"), [(1.0, Fault.ENGAGES_AT_THE_END), (1.01, Fault.LEGAL)])
def test_no_normal_advance_or_fall_back_move_ends_within_engagement_range(kind, roll, holder, gap, fault):
    battle, unit = facing_each_other("movement", gap, engaged_with=holder)
    verdict = check_move(battle, unit, kind, {0: [(30, 23)]}, roll=roll)
    assert bool(verdict) == bool(fault)
    if fault:
        assert verdict in (Fault.ENGAGES_AT_THE_END, Fault.ENGAGES_ON_THE_WAY)
        assert battle.models.y[unit.first] == 20
    else:
        assert battle.distance(unit, 1) == pytest.approx(1.01)


@pytest.mark.rule("w10.concepts.engagement-range.no-end")
@pytest.mark.parametrize(
    ("words", "dice", "holder", "step"),
    [("Normal move", (), None, 6 / 8), ("Advance", (2,), None, 8 / 8), ("Fall Back", (), (30, 18.5), 6 / 8)],
)
@pytest.mark.parametrize(("gap", "open_"), [(1.0, False), (1.01, True)])
def test_the_cells_of_a_move_keep_out_of_engagement_range(words, dice, holder, step, gap, open_):
    """As the player sees it at squad detail: the cell 3" straight ahead is open from 1.01" on."""
    scene = Scene()
    scene.unit(0, sheet("Mover"), at=(30, 20))
    scene.unit(1, sheet("Enemy"), at=(30, 20 + 3 + 1 + gap))
    if holder:
        scene.unit(1, sheet("Holder"), at=holder)
    battle = scene.battle("movement", dice=dice)
    pick(battle, words)
    ahead = (MIDDLE + round(3 / step)) * GRID + MIDDLE
    assert (ahead in slots(battle, "cell")) is open_
    assert ahead - GRID in slots(battle, "cell")
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.engagement-range.no-end")
@pytest.mark.parametrize("gap", [1.0, 0.5, 0.0])
def test_a_charge_move_may_end_within_engagement_range_of_its_target(gap):
    """A Charge roll of 8: the model ends 1" (or nearer) from the target; base contact it must take where it can."""
    scene = Scene()
    unit = scene.unit(0, sheet("Charger"), at=(10, 10))
    target = scene.unit(1, sheet("Target"), at=(10, 19 + gap))
    battle = scene.battle("charge")
    roll = 8.0  # ends at y = 18, where the base of the target is ``gap`` away
    assert check_charge_move(battle, unit, [target], roll, {0: [(10, 18)]}) == Fault.LEGAL
    assert battle.distance(unit, target) == pytest.approx(gap, abs=1e-6)


@pytest.mark.rule("w10.concepts.engagement-range.no-end")
def test_a_charge_move_that_ends_farther_than_1_inch_is_none():
    scene = Scene()
    unit = scene.unit(0, sheet("Charger"), at=(10, 10))
    target = scene.unit(1, sheet("Target"), at=(10, 20.1))
    battle = scene.battle("charge")
    assert check_charge_move(battle, unit, [target], 8.0, {0: [(10, 18)]}) == Fault.NOT_ENGAGED


@pytest.mark.rule("w10.concepts.engagement-range.no-end")
def test_played_out_a_charge_ends_in_contact():
    scene = Scene()
    unit = scene.unit(0, sheet("Charger"), at=(10, 10))
    target = scene.unit(1, sheet("Target"), at=(10, 16))
    battle = scene.battle("charge", dice=[3, 4])
    pick(battle, "Charger", kind="select-to-charge")
    assert told(battle, "w10.charge.move") == [{"unit": unit}]
    assert battle.distance(unit, target) == pytest.approx(0, abs=0.01)
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.concepts.engagement-range.no-end")
def test_model_by_model_there_is_no_place_within_engagement_range():
    """Full detail: the nearest place that the finest grid offers on the way to the enemy is more than 1" from it."""
    battle, unit = facing_each_other("movement", 1.0)
    pick(battle, "Normal move")
    walk(battle, 0, 30, 23)
    assert 1.0 < battle.distance(unit, 1) < 1.2
    assert 22.8 < battle.models.y[unit.first] < 23


# ---------------------------------------------------------------- destroyed if unable


@pytest.mark.rule("w10.concepts.engagement-range.destroyed-if-unable")
def test_a_model_without_a_place_out_of_engagement_range_is_destroyed():
    """Every place of the zone is within 1" of an enemy model."""
    scene = Scene(size=(6, 2.6), zone_depth=1.2)
    unit = scene.unit(0, sheet("Late"))
    scene.unit(1, sheet("Rank"), models=5)
    battle = scene.battle("mission", attacker=1)
    assert battle.units.alive[1] == 5
    assert battle.units.place[unit] == DESTROYED
    assert battle.units.alive[unit] == 0
    assert battle.models.on_table[unit.first] == 0


@pytest.mark.rule("w10.concepts.engagement-range.destroyed-if-unable")
def test_with_a_place_more_than_1_inch_away_it_stands():
    """The same rank behind a table deep enough."""
    scene = Scene(size=(6, 5.0), zone_depth=1.2)
    unit = scene.unit(0, sheet("Late"))
    scene.unit(1, sheet("Rank"), models=5)
    battle = scene.battle("mission", attacker=1)
    while battle.decision is not None and battle.decision.kind in ("select-to-deploy", "deploy-to"):
        battle.apply(battle.first_legal())
    assert battle.units.place[unit] == ON_TABLE
    assert battle.units.alive[unit] == 1


def leaving_a_wreck(ring):
    """How many models of an embarked unit find a place wholly within 6" of a wreck with enemies on circles round it."""
    scene = Scene(size=(60, 44))
    wreck = scene.unit(0, sheet("Wreck", hull_in=(4, 2), keywords=["VEHICLE", "TRANSPORT"]), at=(30, 22))
    unit = scene.unit(0, sheet("Passenger"), embarked_in=wreck)
    for number, distance in enumerate(ring):
        spots = max(1, int(2 * np.pi * distance / 1.9))
        angles = np.linspace(0, 2 * np.pi, spots, endpoint=False)
        at = [(30 + distance * np.cos(a), 22 + distance * np.sin(a)) for a in angles]
        for k in range(0, len(at), 20):
            scene.unit(1, sheet(f"Ring {number} {k}"), at=at[k : k + 20], models=len(at[k : k + 20]))
    battle = scene.battle("shooting", run=False)
    work, anywhere = battle.work, np.zeros((0, 2))
    found = set_up_one_by_one(
        battle.models.rows, battle.units.rows, battle.setup.blocks, battle.setup.corners, battle.objectives.rows,
        work.limits[NORMAL, False], work.no_targets, unit.row, anywhere, anywhere,
        new_place(near=6.0, near_model=wreck.first), 30.0, 22.0, 0.0, 10.0, work.marks,
    )  # fmt: skip
    return int(found)


@pytest.mark.rule("w10.concepts.engagement-range.destroyed-if-unable")
def test_on_leaving_a_wreck_no_place_within_engagement_range_is_taken():
    """Circles of enemy bases round the wreck leave no place wholly within 6" that is more than 1" from all of them; without
    the outer ones there is one."""
    assert leaving_a_wreck([3.0, 5.0, 7.0]) == 0
    assert leaving_a_wreck([3.0]) == 1
