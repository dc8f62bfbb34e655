"""Setting units up: formations, zones, distances to keep, single models, closing up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wh_env.core.frozen import frozen
from wh_env.core.geometry import engaged, shapes
from wh_env.core.geometry.formation_mask import place_mask, place_possible
from wh_env.core.geometry.moves import Fault
from wh_env.core.geometry.placement import (
    formation_offsets,
    new_place,
    place_apply,
    place_fault_at,
    set_up_model_near,
    set_up_one_by_one,
    wholly_within_at,
    zone_cell,
)
from wh_env.core.geometry.regroup import regroup_apply, regroup_mask
from wh_env.core.tables import CIRCLE, OVAL, RECT
from wh_env.testing.tabletop import Table

ANYWHERE = frozen(np.zeros((0, 2)))
ZONE = frozen(np.array([(0.0, 0.0), (60.0, 0.0), (60.0, 12.0), (0.0, 12.0)]))


def fault(t: Table, i: int, x: float, y: float, zone=ANYWHERE, avoid=ANYWHERE, place=None) -> Fault:
    place = new_place() if place is None else place
    return Fault(place_fault_at(*t.tables[:1], *t.tables[2:], zone, avoid, place, i, x, y, 0.0, 0.0, -1))


def ten(radius: float = 0.63) -> Table:
    t = Table((0, [(0, 0)] * 10), (1, [(30.0 + 1.5 * k, 20.0) for k in range(10)]))
    for i in range(20):
        t.shape(i, CIRCLE, radius, radius)
    t.models["on_table"][:10] = 0
    return t


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 10, 11, 20])
@pytest.mark.parametrize("facing", [0.0, 1.1])
def test_formations_are_compact_and_coherent(n, facing):
    t = Table((0, [(0, 0)] * n), (1, [(50, 40)]))
    for i in range(n):
        t.shape(i, CIRCLE, *((0.8, 0.8) if i == n - 1 else (0.63, 0.63)))
    offsets = np.zeros((n, 2))
    far = formation_offsets(t.models, np.arange(n, dtype=np.int32), n, facing, 0.25, 0, offsets)
    t.models["x"][:n], t.models["y"][:n], t.models["facing"][:n] = 30 + offsets[:, 0], 22 + offsets[:, 1], facing
    assert engaged.coherent(t.models, t.units, 0, 2.0, 5.0, 7, np.zeros(n + 1, np.int32))
    gaps = [shapes.gap(t.models, i, j) for i in range(n) for j in range(i)]
    assert all(g >= 0.25 - 1e-9 for g in gaps)
    assert all(math.hypot(*offsets[i]) + t.models["radius"][i] <= far + 1e-9 for i in range(n))


@pytest.mark.rule("w10.mission.only-war.deploy")
def test_a_base_outside_the_zone_is_refused():
    t = ten()
    assert fault(t, 0, 5.0, 12 - 0.63, ZONE) == Fault.LEGAL
    assert fault(t, 0, 5.0, 12 - 0.53, ZONE) == Fault.OUT_OF_ZONE


@pytest.mark.rule("w10.concepts.engagement-range.no-set-up")
def test_no_set_up_within_engagement_range():
    t = ten(0.5)
    assert fault(t, 0, 30 - 1.9, 20) == Fault.ENGAGES_AT_THE_END
    assert fault(t, 0, 30 - 2.01, 20) == Fault.LEGAL


@pytest.mark.rule("w10.move.reinforcements.horizontal", "w10.reserves.place.nine-inches")
def test_distance_from_enemies_is_horizontal():
    t = ten(0.5)
    nine = new_place(min_enemy=9.0)
    assert fault(t, 0, 30 - 10.0, 20, place=nine) == Fault.TOO_CLOSE
    assert fault(t, 0, 30 - 10.1, 20, place=nine) == Fault.LEGAL
    t.models["z"][10] = 9.0
    t.models["on_table"][11:] = 0
    assert fault(t, 0, 30 - 9.0, 20, place=nine) == Fault.TOO_CLOSE


@pytest.mark.rule("w10.reserves.place.round-2", "w10.move.reinforcements.how")
def test_edge_band_and_enemy_zone():
    t = ten(0.5)
    band = new_place(edge_band=6.0)
    assert fault(t, 0, 5.5, 25, place=band) == Fault.LEGAL
    assert fault(t, 0, 5.6, 25, place=band) == Fault.OUT_OF_ZONE
    assert fault(t, 0, 5.0, 12.4, avoid=ZONE, place=band) == Fault.OUT_OF_ZONE
    assert fault(t, 0, 5.0, 12.6, avoid=ZONE, place=band) == Fault.LEGAL


@pytest.mark.rule("w10.transport.disembark.set-up", "w10.transport.emergency.distance")
@pytest.mark.parametrize("inches", [3.0, 6.0])
@pytest.mark.parametrize("shape", [CIRCLE, OVAL, RECT])
def test_wholly_within_a_hull(inches, shape):
    t = Table((0, [(0, 0)]), (0, [(20, 20)]), (1, [(50, 40)]))
    t.shape(1, RECT, 2.5, 1.5)
    t.shape(0, shape, 0.5, 0.5 if shape == CIRCLE else 0.4)
    assert wholly_within_at(t.models, 0, 22.5 + inches - 0.5, 20, 0.0, 1, inches)
    assert wholly_within_at(t.models, 0, 22.5 + inches - 0.6, 20, 0.0, 1, inches)
    assert not wholly_within_at(t.models, 0, 22.5 + inches - 0.4, 20, 0.0, 1, inches)


@pytest.mark.parametrize("shape", [CIRCLE, OVAL, RECT])
@pytest.mark.parametrize("where", ["zone", "deep strike", "edge", "hull", "areas"])
def test_place_mask_agrees_with_apply(shape, where):
    rng = np.random.default_rng(3)
    for _ in range(6):
        t = ten()
        for i in range(10):
            t.shape(i, shape, 0.7, 0.7 if shape == CIRCLE else 0.5, 0.4)
        for _ in range(25):
            x, y = rng.uniform(0, 58), rng.uniform(0, 42)
            t.block(x, y, x + rng.uniform(0.3, 4), y + rng.uniform(0.3, 2), 3.0)
        t.marker(*rng.uniform(5, 40, 2))
        t.marker(20, 6)
        zone, avoid, place = ANYWHERE, ANYWHERE, new_place()
        if where == "zone":
            zone = frozen(np.array([(0.0, 0.0), (60.0, 0.0), (40.0, 14.0), (10.0, 12.0)]))
        elif where == "deep strike":
            place = new_place(min_enemy=9.0)
        elif where == "edge":
            place, avoid = new_place(min_enemy=9.0, edge_band=6.0), ZONE
        elif where == "areas":
            t.blocks = t.blocks[:5]
            zone = frozen(np.array([(24.0, 14.0), (46.0, 14.0), (46.0, 26.0), (24.0, 26.0)]))
            for _ in range(12):
                x, y = rng.uniform(27, 45), rng.uniform(18, 22)
                t.area(x, y, x + rng.uniform(0.2, 2), y + rng.uniform(0.2, 2), 2.0)
        else:
            t.blocks = t.blocks[:5]
            t.shape(19, RECT, 2.5, 1.5)
            t.models["owner"][19] = 0
            t.models["x"][19], t.models["y"][19] = 15, 20
            zone = frozen(np.array([(10.0, 15.0), (20.0, 15.0), (20.0, 25.0), (10.0, 25.0)]))
            place = new_place(near=6.0, near_model=19)
        nx, ny = 19, 13
        mask = np.zeros(nx * ny, np.int8)
        facing = float(rng.uniform(0, 6))
        found = place_mask(*t.tables, 0, zone, avoid, place, facing, nx, ny, t.scratch, t.marks, mask)
        assert found == mask.sum()
        assert place_possible(*t.tables, 0, zone, avoid, place, facing, nx, ny, t.scratch, t.marks) == (found > 0)
        for cell in range(nx * ny):
            models = t.models.copy()
            x, y = zone_cell(zone, t.limits, nx, ny, cell)
            good = place_apply(models, *t.tables[1:], 0, zone, avoid, place, facing, x, y, t.scratch, t.marks)
            assert good == bool(mask[cell])
            assert good == bool(models["on_table"][:10].all())
            if not good:
                assert (models == t.models).all()


@pytest.mark.rule("w10.concepts.coherency.set-up")
def test_models_that_do_not_fit_stay_off():
    t = Table((0, [(0, 0)] * 5), (1, [(50, 40)]))
    t.models["on_table"][:5] = 0
    room = np.array([(10.0, 10.0), (14.6, 10.0), (14.6, 11.05), (10.0, 11.05)])  # four bases of 1"
    assert set_up_one_by_one(*t.tables, 0, room, ANYWHERE, new_place(), 10.5, 10.5, 0.0, 4.0, t.marks) == 4
    assert t.models["on_table"][:5].sum() == 4


def test_free_spot_is_near_and_in_coherency():
    t = Table((0, [(10, 10), (0, 0)]), (1, [(13, 10)]))
    t.models["on_table"][1] = 0
    assert set_up_model_near(*t.tables, ANYWHERE, ANYWHERE, new_place(), 1, 10.0, 10.0, 0.0, 6.0, 1)
    assert t.models["on_table"][1] == 1
    assert shapes.gap(t.models, 0, 1) <= 0.3
    assert shapes.gap(t.models, 1, 2) > 1.0
    t.models["on_table"][1] = 0
    assert not set_up_model_near(*t.tables, ANYWHERE, ANYWHERE, new_place(), 1, 30.0, 30.0, 0.0, 3.0, 1)
    assert t.models["on_table"][1] == 0


def test_a_scattered_unit_closes_up():
    t = Table((0, [(10, 10), (11.5, 10), (15, 10), (16.5, 10), (13, 14)]), (1, [(30, 30)]))
    mask = np.zeros(169, np.int8)
    found = regroup_mask(*t.tables, 0, 0.0, 0.25, 13, 6.0, mask, t.scratch, t.marks)
    assert found == mask.sum() > 0
    for cell in range(169):
        models = t.models.copy()
        good = regroup_apply(models, *t.tables[1:], 0, 0.0, 0.25, 13, 6.0, cell, t.scratch, t.marks)
        assert good == bool(mask[cell])
        if good:
            assert engaged.coherent(models, t.units, 0, 2.0, 5.0, 7, np.zeros(6, np.int32))
            assert (np.hypot(models["x"] - t.models["x"], models["y"] - t.models["y"]) <= 6.0001).all()
        else:
            assert (models == t.models).all()
