"""AIRCRAFT at the limits of their moves: the farthest distance, pivots beside others, several in a row (w10.aircraft.move.*)."""

from __future__ import annotations

from math import pi

import pytest

from wh_env.core.geometry.shapes import overlap_at
from wh_env.testing import Scene, choose, pick, sheet, slots, told

AIRCRAFT = ("VEHICLE", "AIRCRAFT", "FLY")
NORTH = pi / 2


def jet(hull: tuple[float, float] = (4, 2), models: tuple[int, int] = (1, 9)) -> dict[str, object]:
    """An AIRCRAFT with a hull of this length and width."""
    return sheet("Jet", M=20, hull_in=hull, height=3, W=10, models=models, keywords=AIRCRAFT)


@pytest.mark.rule("w10.aircraft.move.no-maximum")
def test_the_farthest_distance_ends_at_the_edge() -> None:
    """Full detail: beyond the last of 32 distances there is nothing finer to choose; the hull ends flush with the edge."""
    scene = Scene(size=(60, 60))
    unit = scene.unit(0, jet(), at=(30, 10), models=1, facing=NORTH)
    scene.unit(1, sheet("Foes"), at=(2, 58), models=1)
    battle = scene.battle(detail="full")
    choose(battle, "number", 31)
    assert battle.decision is not None
    assert battle.decision.kind != "aircraft-distance-exactly"
    assert battle.models.y[unit.first] == pytest.approx(58.0)
    assert told(battle, "w10.aircraft.move.minimum")[-1]["inches"] == pytest.approx(48.0)


@pytest.mark.rule("w10.aircraft.move.pivot")
def test_a_pivot_is_judged_where_the_aircraft_stands() -> None:
    """After 20" a friend stands beside its bow: exactly the pivots are offered that keep the hull off it."""
    scene = Scene(size=(60, 60))
    unit = scene.unit(0, jet(), at=(30, 10), models=1, facing=NORTH)
    friend = scene.unit(0, sheet("Walker"), at=(31.8, 31.2), models=1)
    scene.unit(1, sheet("Foes"), at=(2, 58), models=1)
    battle = scene.battle()
    if battle.decision is not None and battle.decision.kind == "select-to-move":
        pick(battle, "Jet")
    choose(battle, "number", 0)
    assert battle.decision is not None
    assert battle.decision.kind == "aircraft-pivot"
    m, k, other = battle.models, unit.first, friend.first
    assert m.y[k] == pytest.approx(30.0)
    free = []
    for slot in range(24):
        turn = 2 * pi * (slot if slot <= 12 else slot - 24) / 24
        if abs(turn) <= pi / 2 + 1e-6:
            pose = (m.x[k], m.y[k], NORTH + turn)
            if not overlap_at(m.rows, k, *pose, other, m.x[other], m.y[other], m.facing[other]):
                free.append(slot)
    assert slots(battle, "angle") == free
    assert 1 < len(free) < 13
    choose(battle, "angle", free[1])
    assert battle.decision is None or battle.decision.kind != "aircraft-pivot"
    assert battle.models.facing[k] == pytest.approx(NORTH + 2 * pi * free[1] / 24)


@pytest.mark.rule("w10.aircraft.move.minimum")
@pytest.mark.parametrize("facing", [NORTH, 0.0])
def test_aircraft_in_a_row_make_room_for_those_behind(facing: float) -> None:
    """Six in line, 4" from one to the next: moved 20" the last stands where the first did, which has flown on before it."""
    scene = Scene(size=(60, 60))
    spots = [(30.0, 25.0 - 4 * n) if facing else (25.0 - 4 * n, 30.0) for n in range(6)]
    unit = scene.unit(0, jet((2, 1)), at=spots, models=6, facing=facing)
    scene.unit(1, sheet("Foes"), at=(2, 58), models=1)
    battle = scene.battle()
    assert 0 in slots(battle, "number")
    choose(battle, "number", 0)
    m = battle.models
    ends = [(m.x[unit.model(n)], m.y[unit.model(n)]) for n in range(6)]
    moved = [(x, y + 20) if facing else (x + 20, y) for x, y in spots]
    assert ends == [pytest.approx(end) for end in moved]
