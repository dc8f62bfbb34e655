"""Moves: what a path costs, what it may cross, where it may end; masks agree with the verdict on paths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wh_env.core.geometry.moves import (
    ANYBODY,
    BENDS,
    NEAREST,
    Fault,
    check_path,
    check_unit_move,
    end_surfaces,
    leg_cost,
    model_apply,
    model_mask,
    rigid_apply,
    rigid_mask,
)
from wh_env.core.geometry.paths import choose_surface
from wh_env.core.geometry.sweeps import farthest_part
from wh_env.core.tables import CIRCLE, OVAL, RECT
from wh_env.testing.tabletop import Table

ENEMY_FAR = (1, [(55.0, 40.0)])


def go(t: Table, i: int, *points: tuple[float, ...]) -> Fault:
    """Verdict on a path of points (x, y[, z[, facing]])."""
    f = float(t.models["facing"][i])
    path = np.array([(*p, *(0.0, f)[len(p) - 2 :]) for p in points])
    return Fault(check_path(*t.tables, i, path, len(path)))


def lone(move: float = 6.0, x: float = 10.0, y: float = 10.0, z: float = 0.0) -> Table:
    return Table((0, [(x, y, z)]), ENEMY_FAR, move=move)


@pytest.mark.rule("w10.move.normal", "w10.move.models.path")
def test_distance_of_a_normal_move():
    t = Table((0, [(10, 10), (10, 12)]), ENEMY_FAR)
    assert go(t, 0, (16.0, 10)) == Fault.LEGAL
    assert go(t, 0, (16.1, 10)) == Fault.TOO_FAR
    t.models["move"][1] = 5.0
    assert go(t, 1, (15.0, 12)) == Fault.LEGAL
    assert go(t, 1, (15.1, 12)) == Fault.TOO_FAR


@given(
    st.sampled_from([CIRCLE, OVAL, RECT]),
    st.tuples(*[st.floats(0.0, 3.0)] * 2),
    st.tuples(*[st.floats(-4.0, 4.0)] * 2),
    st.tuples(*[st.floats(-7.0, 7.0)] * 2),
)
@settings(max_examples=200, deadline=None)
def test_the_part_that_goes_farthest(shape, half, way, facings):
    """Of points all round the outline none goes farther, and one as far."""
    t = lone()
    a, b = (max(half),) * 2 if shape == CIRCLE else half
    t.shape(0, shape, a, b)
    around = np.linspace(0, 2 * np.pi, 3601)
    outline = np.array([a * np.cos(around), b * np.sin(around)])
    if shape == RECT:
        outline = np.array([[a, a, -a, -a], [b, -b, b, -b]])

    def turned(f):
        return np.array([[math.cos(f), -math.sin(f)], [math.sin(f), math.cos(f)]]) @ outline

    f0, f1 = (0.0, 0.0) if shape == CIRCLE else facings
    gone = turned(f1) - turned(f0) + np.array(way)[:, None]
    assert farthest_part(t.models, 0, *way, f0, f1) == pytest.approx(np.hypot(*gone).max(), abs=1e-5)


@pytest.mark.rule("w10.move.models.path")
def test_bent_path_is_measured_along_the_path():
    t = Table((0, [(10, 10)]), (1, [(12.0, 10)]))
    t.limits["engage"] = 0.2
    assert go(t, 0, (14.0, 10)) == Fault.CROSSES_ENEMY
    assert go(t, 0, (12.0, 10 + math.sqrt(3.0**2 - 2.0**2)), (14.0, 10.0)) == Fault.LEGAL
    assert go(t, 0, (12.0, 10 + math.sqrt(3.5**2 - 2.0**2)), (14.0, 10.0)) == Fault.TOO_FAR


@pytest.mark.rule("w10.move.advance.move", "w10.move.advance.engagement")
def test_advance_adds_its_roll():
    t = Table((0, [(10, 10)]), (1, [(15, 12.0 - 0.1)]))
    t.limits["extra"] = 4.0
    t.models["y"][1] = 30.0
    assert go(t, 0, (20.0, 10)) == Fault.LEGAL
    assert go(t, 0, (20.1, 10)) == Fault.TOO_FAR
    t.models["y"][1] = 11.9  # 0.9" from the path
    assert go(t, 0, (20.0, 10)) == Fault.ENGAGES_ON_THE_WAY
    t.models["y"][1] = 12.1
    assert go(t, 0, (20.0, 10)) == Fault.LEGAL


@pytest.mark.rule("w10.move.normal.engagement")
@pytest.mark.parametrize(("gap", "fault"), [(0.9, Fault.ENGAGES_ON_THE_WAY), (1.1, Fault.LEGAL)])
def test_normal_move_keeps_out_of_engagement_range_on_the_way(gap, fault):
    t = Table((0, [(10, 10)]), (1, [(13, 11 + gap)]))
    assert go(t, 0, (16, 10)) == fault


@pytest.mark.rule("w10.concepts.engagement-range.no-end", "w10.move.fall-back.end")
def test_no_end_within_engagement_range():
    t = Table((0, [(10, 10)]), (1, [(17, 10)]))
    for extra, path in ((0.0, 0), (3.0, 0), (0.0, ANYBODY)):  # Normal, Advance, Fall Back
        t.limits["extra"], t.limits["engage_path"] = extra, path
        assert go(t, 0, (15.0, 10)) in (Fault.ENGAGES_AT_THE_END, Fault.ENGAGES_ON_THE_WAY)
        assert go(t, 0, (14.99, 10)) == Fault.LEGAL


@pytest.mark.rule("w10.concepts.engagement-range")
@pytest.mark.parametrize(
    ("gap", "dz", "engaged"), [(1.0, 0, True), (1.1, 0, False), (0.5, 5.0, True), (0.5, 5.1, False)]
)
def test_engagement_range_of_an_end(gap, dz, engaged):
    t = Table((0, [(10, 10)]), (1, [(11 + gap, 20, dz)]))
    t.limits["engage_path"] = ANYBODY
    t.limits["extra"] = 10
    assert (go(t, 0, (10, 20)) == Fault.ENGAGES_AT_THE_END) == engaged


@pytest.mark.rule("w10.move.models.not-over-enemies")
def test_no_sweep_over_an_enemy_base():
    t = Table((0, [(10, 10)]), (1, [(13, 10.99)]))
    assert go(t, 0, (16, 10)) == Fault.CROSSES_ENEMY
    t.limits["engage_path"] = ANYBODY
    assert go(t, 0, (16, 10)) == Fault.CROSSES_ENEMY
    t.models["y"][1] = 11.01
    assert go(t, 0, (16, 10)) == Fault.LEGAL


@pytest.mark.rule("w10.move.fall-back.move", "w10.move.fall-back.over-enemies")
def test_fall_back_passes_enemies():
    t = Table((0, [(10, 10)]), (1, [(11.5, 10)]), (1, [(14, 11.5)]))
    t.limits["engage_path"], t.limits["over_enemies"] = ANYBODY, 1
    assert go(t, 0, (14.5, 10)) == Fault.ENGAGES_AT_THE_END
    t.models["x"][2] = 13.0
    assert go(t, 0, (15.5, 10)) == Fault.LEGAL
    assert go(t, 0, (16.1, 10)) == Fault.TOO_FAR


@pytest.mark.rule("w10.move.models.battlefield-edge")
def test_table_edge():
    t = lone(x=2.5)
    t.shape(0, CIRCLE, 1.0, 1.0)
    assert go(t, 0, (1.0, 10)) == Fault.LEGAL
    assert go(t, 0, (0.9, 10)) == Fault.OFF_TABLE
    t.limits["cross_edge"] = 1
    assert go(t, 0, (0.9, 10)) == Fault.LEGAL


@pytest.mark.rule("w10.move.models.through-friends")
def test_through_friends_but_not_onto_them():
    t = Table((0, [(10, 10)]), (0, [(12, 10)]))
    assert go(t, 0, (16, 10)) == Fault.LEGAL
    assert go(t, 0, (12.9, 10)) == Fault.OVERLAPS_MODEL
    assert go(t, 0, (13.0, 10)) == Fault.LEGAL


@pytest.mark.rule("w10.move.models.monster-vehicle", "w10.move.fly.monster-vehicle")
def test_big_models_go_round_each_other():
    t = Table((0, [(10, 10)]), (0, [(14, 10)]), move=10.0)
    t.models["keywords"] = [1, 1]
    t.limits["big_keywords"] = 1
    assert go(t, 0, (20, 10)) == Fault.CROSSES_BIG
    t.limits["over_big"] = 1  # FLY
    assert go(t, 0, (20, 10)) == Fault.LEGAL
    t.limits["over_big"] = 0
    for infantry in (0, 1):
        t.models["keywords"] = [1, 1]
        t.models["keywords"][infantry] = 2
        assert go(t, 0, (20, 10)) == Fault.LEGAL


@pytest.mark.rule("w10.move.models.distance")
def test_a_turn_costs_what_the_corner_travels():
    t = lone(move=10.0)
    assert go(t, 0, (14, 10, 0, 3.0)) == Fault.LEGAL  # a round base turns for nothing
    t.shape(0, RECT, 2.0, 1.0)
    corner = math.hypot(2, 1) * math.pi / 2
    assert corner == pytest.approx(3.5, abs=0.02)
    t.models["move"][0] = corner + 2.0
    assert go(t, 0, (12.0, 10, 0, math.pi / 2)) == Fault.LEGAL
    assert go(t, 0, (12.1, 10, 0, math.pi / 2)) == Fault.TOO_FAR
    t.models["move"][0] = corner - 0.1
    assert go(t, 0, (10.0, 10, 0, math.pi / 2)) == Fault.TOO_FAR


def test_a_turn_sweeps_too():
    t = Table((0, [(10, 10)]), (1, [(10 + 1.4, 10 + 1.4)]), move=10.0)
    t.shape(0, RECT, 2.0, 0.5)
    t.limits["engage"] = 0.05
    assert go(t, 0, (10, 10, 0, math.pi / 2)) == Fault.CROSSES_ENEMY
    t.limits["engage_path"] = ANYBODY
    assert go(t, 0, (10, 10, 0, math.pi / 2)) == Fault.CROSSES_ENEMY
    t.models["x"][1] = 12.5
    t.models["y"][1] = 12.5
    assert go(t, 0, (10, 10, 0, math.pi / 2)) == Fault.LEGAL


@pytest.mark.rule("w10.move.terrain.low", "w10.terrain.barricades.movement")
def test_low_terrain_is_free():
    t = lone()
    t.block(13, 5, 13.5, 15, 2.0)
    assert go(t, 0, (16, 10)) == Fault.LEGAL
    assert go(t, 0, (13.2, 10)) == Fault.OVERLAPS_TERRAIN
    t.blocks["z_high"] = 2.1
    assert go(t, 0, (16, 10)) == Fault.TOO_FAR
    assert leg_cost(*t.tables[:1], *t.tables[2:4], t.limits, 0, 10, 10, 0, 16, 10, 0, 0.0) == pytest.approx(10.2)


@pytest.mark.rule("w10.move.terrain.over-not-through", "w10.terrain.general-movement", "w10.terrain.debris.movement")
def test_walls_are_climbed_not_passed():
    t = lone(move=10.0)
    t.block(11.5, 5, 11.6, 15, 4.0)
    assert go(t, 0, (20, 10)) == Fault.TOO_FAR
    assert go(t, 0, (12.2, 10)) == Fault.TOO_FAR  # 2.2" across and 8" of climbing
    t.models["move"][0] = 10.3
    assert go(t, 0, (12.2, 10)) == Fault.LEGAL
    assert go(t, 0, (11.55, 10, 4.0)) == Fault.MID_CLIMB  # nothing to stand on


@pytest.mark.rule("w10.move.terrain.climb", "w10.move.terrain.climb-example", "w10.terrain.hills.movement")
def test_climbing_a_platform():
    t = lone()
    t.block(10.5, 5, 20, 15, 3.0, walkable=1)
    assert go(t, 0, (13.0, 10, 3.0)) == Fault.LEGAL  # 3" up, 3" across
    assert go(t, 0, (13.1, 10, 3.0)) == Fault.TOO_FAR
    assert go(t, 0, (10.9, 10, 3.0)) == Fault.MID_CLIMB  # overhangs
    t = lone(move=9.0)
    t.block(11, 5, 11.4, 15, 2.0)
    t.block(13, 5, 20, 15, 3.0, walkable=1)
    assert go(t, 0, (16.0, 10, 3.0)) == Fault.LEGAL  # over the pipe for free
    t.models["move"][0] = 8.9
    assert go(t, 0, (16.0, 10, 3.0)) == Fault.TOO_FAR


def test_going_down_and_up_again_counts():
    t = lone(move=9.0, x=10.0, z=3.0)
    t.block(5, 5, 11, 15, 3.0, walkable=1)
    t.block(13, 5, 20, 15, 3.0, walkable=1)
    assert go(t, 0, (14.0, 10, 3.0)) == Fault.TOO_FAR  # 4" across, 3" down, 3" up
    t.models["move"][0] = 10.0
    assert go(t, 0, (14.0, 10, 3.0)) == Fault.LEGAL
    t.blocks["min_x"][1] = 11.5
    t.corners[4:, 0] = [11.5, 20, 20, 11.5]
    t.models["move"][0] = 4.0
    assert go(t, 0, (14.0, 10, 3.0)) == Fault.LEGAL  # its base bridges a gap of half an inch


@pytest.mark.rule("w10.move.terrain.no-mid-climb")
def test_no_end_in_the_middle_of_a_climb():
    t = lone()
    t.block(13.5, 5, 14, 15, 5.0)
    assert go(t, 0, (13.0, 10)) == Fault.LEGAL
    assert go(t, 0, (13.0, 10, 3.0)) == Fault.MID_CLIMB


@pytest.mark.rule("w10.terrain.ruins.through", "w10.terrain.ruins.floors")
def test_infantry_in_ruins():
    t = lone(move=6.0)
    t.block(12, 5, 12.2, 15, 6.0, kind=1)
    t.block(12.2, 5, 20, 15, 3.0, bottom=2.8, walkable=1, kind=2)
    infantry, vehicle = 1, 2
    t.limits["through_keywords"], t.limits["floor_keywords"], t.limits["through_kinds"] = infantry, infantry, 0b110
    t.models["keywords"][0] = infantry
    assert go(t, 0, (16, 10)) == Fault.LEGAL
    assert go(t, 0, (12.1, 10)) == Fault.OVERLAPS_TERRAIN
    assert go(t, 0, (13.0, 10, 3.0)) == Fault.LEGAL  # 3" across, 3" up
    assert go(t, 0, (13.1, 10, 3.0)) == Fault.TOO_FAR
    assert go(t, 0, (12.6, 10, 3.0)) != Fault.LEGAL  # overhangs the floor
    t.models["keywords"][0] = vehicle
    assert go(t, 0, (16, 10)) == Fault.TOO_FAR
    t.models["move"][0] = 20.0
    assert go(t, 0, (13.0, 10, 3.0)) == Fault.MID_CLIMB
    assert go(t, 0, (15.0, 10, 0.0)) == Fault.LEGAL


def test_surfaces():
    t = lone()
    t.block(5, 5, 15, 15, 3.0, bottom=2.8, walkable=1, kind=2)
    t.block(5, 5, 15, 15, 6.0, bottom=5.8, walkable=1, kind=2)
    heights = np.zeros(4)
    args = (t.models, *t.tables[2:4], t.limits, 0)
    assert end_surfaces(*args, 10.0, 10.0, 0.0, heights) == 3
    assert list(heights[:3]) == [0.0, 3.0, 6.0]
    assert end_surfaces(*args, 15.0, 10.0, 0.0, heights) == 1  # overhangs both floors
    t.limits["floor_keywords"] = 1
    assert end_surfaces(*args, 10.0, 10.0, 0.0, heights) == 1


def fly(t: Table) -> Table:
    for name in ("through_air", "over_enemies", "over_big"):
        t.limits[name] = 1
    t.limits["engage_path"] = ANYBODY
    return t


@pytest.mark.rule("w10.move.fly.through-the-air")
def test_fly_is_measured_through_the_air():
    t = fly(lone(move=12.0))
    t.block(15, 5, 40, 15, 6.0, walkable=1)
    across = math.sqrt(12**2 - 6**2)
    assert across == pytest.approx(10.39, abs=0.01)
    assert go(t, 0, (10 + across, 10, 6.0)) == Fault.LEGAL
    assert go(t, 0, (20.5, 10, 6.0)) == Fault.TOO_FAR
    t.limits["through_air"] = 0
    t.models["move"][0] = 16.3
    assert go(t, 0, (10 + across, 10, 6.0)) == Fault.TOO_FAR
    t.models["move"][0] = 16.4
    assert go(t, 0, (10 + across, 10, 6.0)) == Fault.LEGAL


@pytest.mark.rule("w10.move.fly.over-models", "w10.move.fly.end")
def test_fly_over_models():
    t = Table((0, [(10, 10)]), (1, [(15, 10), (16.5, 10)]), (0, [(24, 10)]), move=12.0)
    assert go(t, 0, (22, 10)) == Fault.CROSSES_ENEMY
    fly(t)
    assert go(t, 0, (22, 10)) == Fault.LEGAL
    assert go(t, 0, (18.4, 10)) == Fault.ENGAGES_AT_THE_END  # 0.9"
    t.models["move"][0] = 14.5
    assert go(t, 0, (24.5, 10)) == Fault.OVERLAPS_MODEL


@pytest.mark.rule("w10.aircraft.others.move-over")
def test_aircraft_are_passed_but_not_joined():
    t = Table((0, [(10, 10)]), (1, [(12, 10)]))
    t.models["keywords"][1] = 4
    t.limits["air_keywords"] = 4
    assert go(t, 0, (15, 10)) == Fault.LEGAL
    assert go(t, 0, (13.9, 10)) == Fault.ENGAGES_AT_THE_END


@pytest.mark.rule("w10.objective.move-over")
def test_markers_are_crossed_but_not_stood_on():
    t = lone()
    t.marker(13, 10)
    assert go(t, 0, (16, 10)) == Fault.LEGAL
    assert go(t, 0, (13 + 1.28, 10)) == Fault.ON_MARKER
    assert go(t, 0, (13 + 1.3, 10)) == Fault.LEGAL


# ---- units


def unit_move(t: Table, u: int, ends: dict[int, tuple[float, float]]) -> tuple[Fault, int]:
    order = np.array(list(ends), np.int32)
    paths = np.array([[(x, y, 0.0, 0.0)] for x, y in ends.values()])
    fault, who = check_unit_move(
        *t.tables, u, order, len(order), paths, np.ones(len(order), np.int32), t.scratch, t.marks
    )
    return Fault(fault), who


@pytest.mark.rule("w10.concepts.coherency.move", "w10.move.models.any-and-order")
def test_a_unit_that_ends_scattered_stays():
    t = Table((0, [(10, 10), (12, 10), (14, 10)]), ENEMY_FAR)
    before = t.models.copy()
    assert unit_move(t, 0, {2: (18.0, 10)}) == (Fault.NOT_COHERENT, -1)
    assert (t.models == before).all()
    assert unit_move(t, 0, {1: (12.0, 11), 0: (11.0, 9)}) == (Fault.LEGAL, -1)  # two models, in that order
    assert t.models["x"][2] == 14


@pytest.mark.rule("w10.concepts.coherency.small", "w10.concepts.coherency.large")
def test_coherency_of_ends():
    five = [(10 + 3.0 * k, 10.0) for k in range(5)]  # gaps of 2"
    t = Table((0, five), ENEMY_FAR)
    assert unit_move(t, 0, {4: (22.0, 10.0)})[0] == Fault.LEGAL
    t = Table((0, five), ENEMY_FAR)
    assert unit_move(t, 0, {4: (22.1, 10.0)})[0] == Fault.NOT_COHERENT
    t = Table((0, [(10 + 3.0 * k, 10.0) for k in range(7)]), ENEMY_FAR)
    assert unit_move(t, 0, {6: (28.0, 10.0)})[0] == Fault.NOT_COHERENT


def test_models_are_judged_where_the_others_stand_by_then():
    t = Table((0, [(10, 10), (12, 10)]), ENEMY_FAR)
    assert unit_move(t, 0, {0: (12, 10), 1: (14, 10)}) == (Fault.OVERLAPS_MODEL, 0)
    assert unit_move(t, 0, {1: (14, 10), 0: (12, 10)}) == (Fault.LEGAL, -1)


GRID = 13


def scene(seed: int, areas: int = 0) -> Table:
    """A random position: a unit of 1-7 models of some shape among friends, enemies and terrain, with some permissions.

    ``areas``: so many footprints across which engagement range reaches 2", beside enemies.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    cx, cy = rng.uniform(8, 50), rng.uniform(8, 36)
    others: list[tuple[int, list[tuple[float, float]]]] = []
    while len(others) < 6:
        x, y = rng.uniform(2, 52), rng.uniform(2, 40)
        if max(abs(x - cx) / 8, abs(y - cy) / 4) > 1:
            others.append((len(others) % 2, [(x + 1.5 * (k % 5), y + 1.5 * (k // 5)) for k in range(10)]))
    t = Table((0, [(cx + 2.1 * (k % 4), cy + 2.1 * (k // 4)) for k in range(n)]), *others)
    shape = int(rng.choice([CIRCLE, CIRCLE, OVAL, RECT]))
    for i in range(n):
        t.shape(i, shape, 0.63 if shape == CIRCLE else 0.9, 0.63 if shape == CIRCLE else 0.6, 0.3)
    t.models["keywords"] = rng.integers(1, 3)
    ruins = rng.random() < 0.5
    for _ in range(int(rng.choice([0, 15, 40]))):
        x, y, w, h = rng.uniform(0, 60), rng.uniform(0, 44), rng.uniform(1, 5), rng.uniform(0.3, 3)
        if not (cx - w - 1 < x < cx + 11 and cy - h - 1 < y < cy + 4):
            t.block(x, y, x + w, y + h, rng.choice([1.5, 2.5, 4.0]), walkable=int(rng.integers(2)), kind=int(ruins))
    t.marker(*rng.uniform(5, 40, 2))
    t.marker(cx + 3, cy - 3)
    kind = rng.integers(5)
    if kind == 0:
        t.limits["through_keywords"], t.limits["through_kinds"] = 1, 2
    elif kind == 1:
        fly(t)
    elif kind == 2:
        t.limits["engage_path"], t.limits["over_enemies"] = ANYBODY, 1
    elif kind == 3:
        t.limits["engage_path"] = t.limits["engage_end"] = 2
        t.targets[2::4] = 1
    elif n == 1:
        t.limits["big_keywords"] = 3
    t.limits["prefer_high"] = rng.integers(2)
    foes = t.models["owner"] == 1
    for _ in range(areas):
        k = int(rng.choice(np.flatnonzero(foes)))
        x, y = t.models["x"][k] + rng.uniform(-4, 2), t.models["y"][k] + rng.uniform(-4, 2)
        t.area(x, y, x + rng.uniform(0.2, 4), y + rng.uniform(0.2, 4), 2.0)
    t.room()
    return t


def legal_by_paths(t: Table, cell: int, reach: float) -> bool:
    """A straight path, or one bend, for every model in turn, by the verdict on unit moves."""
    half, step = GRID // 2, 2 * reach / (GRID - 1)
    d = np.array([(cell % GRID - half) * step, (cell // GRID - half) * step])
    m, n, length = t.models, int(t.units["count"][0]), float(np.hypot(*d))
    if length > 6.0001:
        return False
    left = math.sqrt(max(0.0, 36 - length**2)) if t.limits["through_air"][0] else 6 - length
    z = [
        choose_surface(
            m, *t.tables[2:4], t.limits, i, m["x"][i] + d[0], m["y"][i] + d[1], m["facing"][i], m["z"][i], max(2.0, left)
        )
        for i in range(n)
    ]  # fmt: skip
    if min(z) < 0:
        return False
    order = np.argsort(-(m["x"][:n] * d[0] + m["y"][:n] * d[1])).astype(np.int32)
    bends = [3.0 * np.array([math.cos(a), math.sin(a)]) for a in 2 * np.pi * np.arange(BENDS) / BENDS]
    for bend in [None, *bends]:
        if bend is not None and (max(z) > 0 or 3.0 + np.hypot(*(d - bend)) > 6.0001):
            continue
        ways = [d] if bend is None else [bend, d]
        paths = np.array(
            [[(m["x"][i] + w[0], m["y"][i] + w[1], z[i] * (w is d), m["facing"][i]) for w in ways] for i in order]
        )
        again = (m.copy(), *t.tables[1:])
        counts = np.full(n, len(ways), np.int32)
        if check_unit_move(*again, 0, order, n, paths, counts, np.zeros(400), np.zeros(400, np.int32))[0] == 0:
            return True
    return False


@pytest.mark.parametrize("areas", [0, 12])
@pytest.mark.parametrize("seed", range(60))
def test_rigid_mask_agrees_with_paths(seed, areas):
    t = scene(seed, areas)
    mask = np.zeros(GRID * GRID, np.int8)
    found = rigid_mask(*t.tables, 0, GRID, mask, t.scratch, t.marks)
    assert found == mask.sum()
    centre = GRID * GRID // 2
    assert mask[centre] == 1
    for cell in range(GRID * GRID):
        if cell != centre:
            assert bool(mask[cell]) == legal_by_paths(t, cell, 6.0), cell


@pytest.mark.parametrize("areas", [0, 12])
@pytest.mark.parametrize("seed", range(60))
def test_rigid_apply_succeeds_for_exactly_the_mask(seed, areas):
    t = scene(seed, areas)
    mask = np.zeros(GRID * GRID, np.int8)
    rigid_mask(*t.tables, 0, GRID, mask, t.scratch, t.marks)
    n, trail = int(t.units["count"][0]), np.zeros((2, 2))
    for cell in range(GRID * GRID):
        models = t.models.copy()
        points = rigid_apply(models, *t.tables[1:], 0, GRID, cell, trail, t.scratch, t.marks)
        assert (points >= 0) == bool(mask[cell])
        if points < 0:
            assert (models == t.models).all()
            continue
        shift = models["x"][:n] - t.models["x"][:n]
        assert np.ptp(shift) < 1e-9
        assert shift[0] == pytest.approx((cell % GRID - GRID // 2) * 1.0)
        assert (models[n:] == t.models[n:]).all()
        if points > 0:
            assert trail[points - 1, 0] == pytest.approx(shift[0])


def test_rigid_mask_of_a_scattered_unit_is_empty():
    t = Table((0, [(10, 10), (20, 10)]), ENEMY_FAR)
    mask = np.ones(GRID * GRID, np.int8)
    assert rigid_mask(*t.tables, 0, GRID, mask, t.scratch, t.marks) == 0
    assert not mask.any()


def test_climbing_as_a_unit_takes_the_surface_asked_for():
    t = Table((0, [(10, 10), (11.5, 10)]), ENEMY_FAR)
    t.block(5, 5, 20, 15, 3.0, bottom=2.8, walkable=1, kind=2)
    t.limits["through_kinds"], t.limits["through_keywords"], t.models["keywords"] = 4, 1, 1
    t.room()
    for high, z in ((0, 0.0), (1, 3.0)):
        models = t.models.copy()
        t.limits["prefer_high"] = high
        cell = GRID * (GRID // 2) + GRID // 2 + 1  # 1" ahead
        assert rigid_apply(models, *t.tables[1:], 0, GRID, cell, np.zeros((2, 2)), t.scratch, t.marks) == 1
        assert list(models["z"][:2]) == [z, z]


@pytest.mark.parametrize("areas", [0, 12])
@pytest.mark.parametrize("seed", range(20))
def test_model_mask_agrees_with_apply(seed, areas):
    t = scene(seed, areas)
    mask = np.zeros(GRID * GRID, np.int8)
    x, y, f = (float(t.models[name][0]) for name in ("x", "y", "facing"))
    found = model_mask(*t.tables, 0, GRID, 6.0, NEAREST, x, y, f, mask, t.scratch, t.marks)
    assert found == mask.sum() > 0
    points = np.zeros((2, 4))
    for cell in range(GRID * GRID):
        models = t.models.copy()
        px, py = x + (cell % GRID - GRID // 2) * 1.0, y + (cell // GRID - GRID // 2) * 1.0
        n = model_apply(models, *t.tables[1:], 0, NEAREST, px, py, f, points, t.scratch, t.marks)
        assert (n >= 0) == bool(mask[cell])
        if n > 0:
            assert check_path(*t.tables, 0, points, n) == 0
