"""Reinforcements: on the edge, facing in, not too deep, no march."""

from __future__ import annotations

from math import pi

import pytest
from marching import (
    ADVANCE,
    BACK,
    FAR_AWAY,
    FORWARD,
    LEFT,
    MARCH,
    REFORM,
    RIGHT,
    STAY,
    ahead,
    finish,
    leg,
    limit,
    manoeuvres,
)

from wh_env import Battle
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.wap.codes import ARRIVED
from wh_env.rulesets.wap.movement.aftermath import barred_from_shooting, counts_as_moved
from wh_env.rulesets.wap.movement.edge_places import EAST, NORTH, SOUTH, WEST
from wh_env.rulesets.wap.movement.reinforcements import Arrive
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import RegimentScene, UnitHandle, corners, pose, square


def arriving(
    models: int = 20,
    movement: int = 4,
    edge: int = SOUTH,
    *,
    detail: str = "full",
    low: int = 0,
    high: int = 0,
    blocked: bool = False,
) -> tuple[Battle, UnitHandle]:
    """A unit that comes on over an edge of a table of 48 by 48 before the other moves of its player."""
    scene = RegimentScene()
    unit = scene.unit(0, square(m=movement), models=models, reserve=True)
    if blocked:
        scene.unit(1, None, (24, 2), models=32, files=32)
    scene.unit(1, None, FAR_AWAY)
    scene.unit(0, None, (24, 30), models=5)
    battle = scene.battle("movement", detail=detail)
    battle.push(Arrive, unit.row, edge, low, high)
    battle.run()
    return battle, unit


def files_of(battle: Battle, files: int) -> None:
    choose(battle, "number", files - 1)


@pytest.mark.parametrize(
    ("edge", "facing"), [(SOUTH, pi / 2), (EAST, pi), (NORTH, -pi / 2), (WEST, 0.0)]
)  # fmt: skip
@pytest.mark.rule("wap.move.reinforce.place")
def test_the_whole_rear_on_the_edge(edge: int, facing: float) -> None:
    battle, unit = arriving(edge=edge)
    assert kind(battle) == "arrive-files"
    files_of(battle, 5)
    for slot in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", slot)
        assert pose(copy, unit)[2] == facing
        inward = [{SOUTH: y, EAST: 48.0 - x, NORTH: 48.0 - y, WEST: x}[edge] for x, y in corners(copy, unit)]
        assert sorted(inward) == pytest.approx([0.0, 0.0, 4.0, 4.0])
        assert copy.units.place[unit] == ON_TABLE
        if edge == SOUTH:
            assert pose(copy, unit)[1] == pytest.approx(4.0)


@pytest.mark.rule("wap.move.reinforce.place")
def test_the_stretch_that_the_rule_leaves_open() -> None:
    battle, unit = arriving(low=1000, high=2000)
    files_of(battle, 5)
    ends = []
    for slot in (slots(battle, "number")[0], slots(battle, "number")[-1]):
        copy = battle.clone()
        choose(copy, "number", slot)
        ends.append(pose(copy, unit)[0])
    assert ends == pytest.approx([12.5, 17.5])


@pytest.mark.rule("wap.move.reinforce.limits")
def test_who_arrives_moves_and_does_not_march() -> None:
    for detail in ("squad", "full"):
        battle, unit = arriving(detail=detail)
        if detail == "full":
            files_of(battle, 5)
        assert kind(battle) == "arrive-at"
        choose(battle, "number", 8)
        assert battle.units.did[unit] & ARRIVED
        assert counts_as_moved(battle, unit.row) and not barred_from_shooting(battle, unit.row)
        assert kind(battle) == "select-to-move"
        assert manoeuvres(battle, unit) == [STAY, ADVANCE, LEFT, RIGHT, REFORM]
        assert MARCH not in slots(battle, "option") and BACK not in slots(battle, "option")
    choose(battle, "option", ADVANCE)
    assert limit(battle, FORWARD) == 4.0
    leg(battle, FORWARD, ahead(4.0))
    finish(battle)
    assert pose(battle, unit)[1] == pytest.approx(8.0)


@pytest.mark.rule("wap.move.reinforce.depth")
def test_how_deep_it_may_stand() -> None:
    """M3: the nearest edge of the front rank at most 6 inches in, so seven ranks and not eight."""
    battle, _ = arriving(models=56, movement=3)
    fine = [n + 1 for n in slots(battle, "number")]
    assert 8 in fine  # seven ranks
    battle, _ = arriving(models=57, movement=3)
    fine = [n + 1 for n in slots(battle, "number")]
    assert 8 not in fine and 9 in fine  # eight ranks, seven ranks


@pytest.mark.rule("wap.move.reinforce.place")
def test_who_has_no_room_stays_away() -> None:
    battle, unit = arriving(blocked=True, low=1500, high=3300)
    assert kind(battle) == "select-to-move"
    assert battle.units.place[unit] == RESERVE
