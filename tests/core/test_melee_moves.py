"""Charge, pile-in and consolidation moves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from wh_env.core.geometry import engaged, shapes
from wh_env.core.geometry.charge_moves import charge_apply, charge_possible
from wh_env.core.geometry.melee_checks import check_charge, check_consolidate, check_pile_in
from wh_env.core.geometry.melee_moves import consolidate_apply, fight_move_possible, pile_in_apply
from wh_env.core.geometry.melee_search import touches_enemy
from wh_env.core.geometry.moves import ANYBODY, ONLY_TARGETS, SAME_FOR_ALL, Fault
from wh_env.core.tables import CIRCLE
from wh_env.testing.tabletop import Table

NO_ORDER = np.zeros(0, np.int32)


def charging(*units: tuple[int, Sequence[tuple[float, ...]]], targets: tuple[int, ...] = (1,)) -> Table:
    t = Table(*units)
    t.limits["engage_path"] = t.limits["engage_end"] = ONLY_TARGETS
    t.targets[list(targets)] = 1
    return t


def charge(t: Table, roll: float, u: int = 0) -> bool:
    """Charge, and check that trying first says the same and changes nothing."""
    before = t.models.copy()
    possible = charge_possible(*t.tables, u, roll, t.scratch, t.marks)
    assert (t.models == before).all()
    done = charge_apply(*t.tables, u, roll, t.scratch, t.marks)
    assert done == possible
    if not done:
        assert (t.models == before).all()
    return bool(done)


def fighting(*units: tuple[int, Sequence[tuple[float, ...]]]) -> Table:
    t = Table(*units)
    t.limits["engage_path"] = t.limits["engage_end"] = ANYBODY
    t.limits["mode"], t.limits["extra"] = SAME_FOR_ALL, 3.0
    return t


def overlaps(t: Table, i: int, j: int) -> bool:
    p, q = t.models[i], t.models[j]
    return shapes.overlap_at(t.models, i, p["x"], p["y"], p["facing"], j, q["x"], q["y"], q["facing"])


def paths(*ends: tuple[float, ...]) -> tuple[Any, Any]:
    return np.array([[(*e, *(0.0, 0.0)[len(e) - 2 :])] for e in ends]), np.ones(len(ends), np.int32)


def explicit(t: Table, kind: str, ends: dict[int, tuple[float, ...]], roll: float = 0.0, control: float = 3.0) -> Fault:
    order = np.array(list(ends), np.int32)
    way, counts = paths(*ends.values())
    before = t.models.copy()
    rest = (order, len(order), way, counts, t.scratch, t.marks)
    if kind == "charge":
        fault, _ = check_charge(*t.tables, 0, roll, *rest)
    elif kind == "pile in":
        fault, _ = check_pile_in(*t.tables, 0, *rest)
    else:
        fault, _ = check_consolidate(*t.tables, 0, kind == "marker", control, *rest)
    if fault:
        assert (t.models == before).all()
    else:
        assert t.models["x"][order[0]] == way[0, -1, 0]
        t.models[:] = before
    return Fault(fault)


# ---- charges


@pytest.mark.rule("w10.charge.condition.all-targets")
def test_charge_must_reach_every_target():
    t = charging((0, [(10, 10)]), (1, [(16, 10)]), (1, [(10, 20)]), targets=(1, 2))  # 5" and 9" away
    assert not charge(t, 7.0)
    t.targets[2] = 0
    assert charge(t, 7.0)
    # a lone model between two targets that it can engage together
    t = charging((0, [(10, 10)]), (1, [(16, 11.4)]), (1, [(16, 8.6)]), targets=(1, 2))
    assert charge(t, 7.0)
    assert engaged.units_engaged(t.models, t.units, 0, 1, 1.0, 5.0)
    assert engaged.units_engaged(t.models, t.units, 0, 2, 1.0, 5.0)


@pytest.mark.rule("w10.charge.condition.no-others")
def test_charge_keeps_away_from_others():
    t = charging((0, [(10, 10)]), (1, [(17, 10)]), (1, [(14.5, 11.5)]), (1, [(14.5, 8.5)]))
    assert not charge(t, 7.0)
    t.targets[2:4] = 1
    assert charge(t, 7.0)


@pytest.mark.rule("w10.charge.condition.coherency")
def test_charge_must_end_in_coherency():
    row = [(10 - 3.0 * k, 10.0) for k in range(5)]
    t = charging((0, row), (1, [(16, 10)]))
    t.models["x"][:5] = [10, 7, 4, 1, 1]
    t.models["y"][:5] = [10, 10, 10, 10, 13]
    assert charge(t, 7.0)  # all follow
    t = charging((0, row), (1, [(16, 10)]))
    t.models["x"][1:5] = [2.0, 1.0, 1.0, 2.0]  # far behind
    t.models["y"][1:5] = [3.0, 4.5, 6.5, 1.5]
    assert not charge(t, 5.0)


@pytest.mark.rule("w10.charge.failed")
def test_failed_charge_moves_nobody():
    t = charging((0, [(10, 10), (10, 12)]), (1, [(20, 10)]))  # 9"
    assert not charge(t, 5.0)
    assert charge(t, 8.0)


@pytest.mark.rule("w10.charge.move", "w10.charge.roll")
def test_charge_distance():
    t = charging((0, [(10, 10)]), (1, [(20.0, 10)]))  # 9": 1" is reached with 8"
    assert explicit(t, "charge", {0: (18.0, 10)}, 8.0) == Fault.LEGAL
    assert explicit(t, "charge", {0: (18.1, 10)}, 8.0) == Fault.TOO_FAR
    assert charge(t, 8.0)
    assert t.models["x"][0] == pytest.approx(18.0, abs=1e-3)


@pytest.mark.rule("w10.charge.move.closer")
def test_charging_models_end_closer():
    t = charging((0, [(10, 10), (10, 12)]), (1, [(17, 10)]))
    assert explicit(t, "charge", {0: (15.998, 10), 1: (14.5, 11.5)}, 8.0) in (Fault.LEGAL, Fault.NOT_CONTACT)
    assert explicit(t, "charge", {0: (15.998, 10), 1: (9.5, 12)}, 8.0) == Fault.NOT_CLOSER
    assert explicit(t, "charge", {0: (15.998, 10)}, 8.0) in (Fault.NOT_COHERENT, Fault.NOT_CLOSER)


@pytest.mark.rule("w10.charge.move.base-contact")
def test_base_contact_if_possible():
    t = charging((0, [(10, 10)]), (1, [(16, 10)]))  # 5"
    assert explicit(t, "charge", {0: (14.5, 10)}, 7.0) == Fault.NOT_CONTACT
    assert explicit(t, "charge", {0: (14.998, 10)}, 7.0) == Fault.LEGAL
    assert explicit(t, "charge", {0: (14.0, 10)}, 4.0) == Fault.LEGAL  # contact is out of reach
    assert charge(t, 7.0)
    assert touches_enemy(t.models, 0)


@pytest.mark.rule("w10.charge.terrain.over", "w10.charge.terrain.no-mid-climb")
def test_charging_over_terrain():
    for top, roll in ((3.0, 12.0), (2.0, 6.0)):
        t = charging((0, [(10, 22)]), (1, [(18, 22)]))  # 6" to an end 1" from it
        t.block(12, 0, 14, 44, top)
        assert not charge(t, roll - 0.1)
        assert charge(t, roll)
    t = charging((0, [(10, 22)]), (1, [(13, 22, 6.0)]))
    t.block(11, 0, 20, 44, 6.0, walkable=1)
    assert not charge(t, 5.0)


@pytest.mark.rule("w10.charge.fly.through-the-air")
def test_charging_through_the_air():
    def roof() -> Table:
        t = charging((0, [(9.5, 22, 6.0)]), (1, [(19.5, 22)]))  # 8" to an end 1" from it
        t.block(0, 0, 10, 44, 6.0, walkable=1)
        return t

    t = roof()
    t.limits["through_air"] = 1
    assert not charge(t, 9.9)
    assert charge(t, 10.0)
    assert not charge(roof(), 13.9)
    assert charge(roof(), 14.0)


@pytest.mark.rule("w10.charge.fly.over-models", "w10.charge.fly.non-targets")
def test_charging_over_models():
    t = charging((0, [(10, 10)]), (1, [(14, 10)]), (1, [(16.8, 10)]), targets=(1, 2))
    for j in (1, 2):
        t.shape(j, CIRCLE, 0.5, 0.5)
    t.limits["through_air"], t.limits["over_enemies"] = 1, 1
    assert explicit(t, "charge", {0: (15.4, 10.0)}, 9.0) in (Fault.LEGAL, Fault.NOT_CONTACT)
    t.limits["over_enemies"] = 0
    assert explicit(t, "charge", {0: (15.4, 10.0)}, 9.0) == Fault.CROSSES_ENEMY
    t.limits["over_enemies"] = 1
    t.targets[1] = 0
    assert explicit(t, "charge", {0: (15.4, 10.0)}, 9.0) == Fault.ENGAGES_ON_THE_WAY


@pytest.mark.rule("w10.move.models.every-kind-of-move")
def test_move_rules_hold_for_charges_and_pile_ins():
    t = charging((0, [(10, 10)]), (1, [(18, 10)]), (0, [(13, 10)]))
    assert explicit(t, "charge", {0: (16.998, 10)}, 7.0) == Fault.LEGAL  # through a friend
    t.models["keywords"] = 1
    t.limits["big_keywords"] = 1
    assert explicit(t, "charge", {0: (16.998, 10)}, 7.0) == Fault.CROSSES_BIG
    t = fighting((0, [(10, 10)]), (1, [(11.8, 10)]), (1, [(14, 10)]))
    assert explicit(t, "pile in", {0: (12.9, 10)}) == Fault.CROSSES_ENEMY


def random_charge(seed: int) -> tuple[Table, float]:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 3, 5, 7, 10]))
    gap = rng.uniform(1.5, 8)
    mine = [(20 - 1.5 * (k // 5), 20 + 1.5 * (k % 5)) for k in range(n)]
    foes = [
        (21 + gap + 1.4 * (k // 5), 19 + 1.4 * (k % 5) + rng.uniform(0, 0.3)) for k in range(int(rng.integers(1, 11)))
    ]
    more = [(24 + gap + 1.5 * k, 10.0) for k in range(3)]
    t = charging((0, mine), (1, foes), (1, more))
    for _ in range(int(rng.integers(0, 5))):
        x, y = rng.uniform(21, 22), rng.uniform(15, 27)
        if gap > 2.5:
            t.block(x, y, x + 0.4, y + 2.0, float(rng.choice([1.0, 4.0])))
    return t, float(rng.integers(2, 13))


@pytest.mark.parametrize("seed", range(40))
def test_made_charges_fulfil_all_conditions(seed):
    t, roll = random_charge(seed)
    n = int(t.units["count"][0])
    before = t.models.copy()
    foes = range(n, n + int(t.units["count"][1]))
    nearest = min(shapes.gap(t.models, i, j) for i in range(n) for j in foes)
    done = charge(t, roll)
    assert not (done and nearest > roll + 1.0)
    if not done:
        assert nearest > roll - 2.5 or len(t.blocks)  # an open field charge with inches to spare never fails
        return
    assert engaged.units_engaged(t.models, t.units, 0, 1, 1.0, 5.0)
    assert not engaged.units_engaged(t.models, t.units, 0, 2, 1.0, 5.0)
    assert engaged.coherent(t.models, t.units, 0, 2.0, 5.0, 7, t.marks[: len(t.models)])
    for i in range(n):
        m = t.models[i]
        assert math.hypot(m["x"] - before["x"][i], m["y"] - before["y"][i]) <= roll + 1e-4
        stayed = m["x"] == before["x"][i] and m["y"] == before["y"][i]
        assert stayed or min(shapes.gap(t.models, i, j) for j in foes) < min(shapes.gap(before, i, j) for j in foes)
        for j in range(len(t.models)):
            assert i == j or not overlaps(t, i, j)


# ---- pile in


@pytest.mark.rule("w10.fight.pile-in")
def test_pile_in_distance_and_contact():
    t = fighting((0, [(10, 10), (10, 8.8)]), (1, [(14.5, 10)]), (1, [(10, 7.798)]))
    # 3.5" from its closest enemy ... the other model is in contact and keeps the unit engaged
    t.models["x"][2] = 14.5
    assert explicit(t, "pile in", {1: (10.2, 8.8)}) == Fault.IN_CONTACT
    t = fighting((0, [(10, 10)]), (1, [(14.5, 10)]))
    assert explicit(t, "pile in", {0: (13.0, 10)}) == Fault.LEGAL
    assert explicit(t, "pile in", {0: (13.1, 10)}) == Fault.TOO_FAR
    assert pile_in_apply(*t.tables, 0, NO_ORDER, t.scratch, t.marks) == 1
    assert t.models["x"][0] == pytest.approx(13.0, abs=1e-3)


@pytest.mark.rule("w10.fight.pile-in.condition")
@pytest.mark.parametrize(("gap", "moved"), [(5.0, -1), (3.5, 1), (4.0, 1), (4.1, -1)])
def test_pile_in_must_end_engaged(gap, moved):
    t = fighting((0, [(10, 10)]), (1, [(11 + gap, 10)]))
    before = t.models.copy()
    assert fight_move_possible(*t.tables, 0, False, 0.0, t.scratch, t.marks) == moved
    assert (t.models == before).all()
    assert pile_in_apply(*t.tables, 0, NO_ORDER, t.scratch, t.marks) == moved
    assert (moved < 0) == bool((t.models == before).all())


@pytest.mark.rule("w10.fight.pile-in.closer")
def test_pile_in_ends_closer_to_the_closest_enemy():
    t = fighting((0, [(10, 10), (10, 11.2)]), (1, [(13, 10)]), (1, [(10, 6.5)]))
    t.models["x"][1] = 40.0  # out of the way
    t.models["on_table"][1] = 0
    assert explicit(t, "pile in", {0: (10.5, 10)}) in (Fault.NOT_CONTACT, Fault.NOT_ENGAGED)
    assert explicit(t, "pile in", {0: (9.5, 8.0)}) == Fault.NOT_CLOSER
    assert explicit(t, "pile in", {0: (11.998, 10)}) == Fault.LEGAL


@pytest.mark.rule("w10.fight.pile-in.base-contact")
def test_pile_in_into_contact_if_possible():
    t = fighting((0, [(10, 10)]), (1, [(13, 10)]))  # 2"
    assert explicit(t, "pile in", {0: (11.5, 10)}) == Fault.NOT_CONTACT
    assert pile_in_apply(*t.tables, 0, NO_ORDER, t.scratch, t.marks) == 1
    assert touches_enemy(t.models, 0)
    t = fighting((0, [(10, 10)]), (1, [(15, 10)]))  # 4"
    assert explicit(t, "pile in", {0: (13.0, 10)}) == Fault.LEGAL


def niche() -> Table:
    """Two models before an enemy in a niche that has room for one of them."""
    t = fighting((0, [(10, 9.4), (10, 10.6)]), (1, [(12.5, 10)]))
    t.block(11.2, 6, 14, 9.35, 6.0)
    t.block(11.2, 10.65, 14, 14, 6.0)
    return t


@pytest.mark.rule("w10.fight.pile-in.order")
@pytest.mark.parametrize("first", [0, 1])
def test_the_order_decides_who_gets_the_free_place(first):
    t = niche()
    order = np.array([first, 1 - first], np.int32)
    assert pile_in_apply(*t.tables, 0, order, t.scratch, t.marks) >= 1
    assert touches_enemy(t.models, first)
    assert not touches_enemy(t.models, 1 - first)


@pytest.mark.rule("w10.move.fly.other-moves")
def test_fly_does_not_help_to_pile_in():
    t = fighting((0, [(10, 10)]), (1, [(12.0, 10)]), (1, [(14.0, 10)]))
    assert explicit(t, "pile in", {0: (13.0, 10)}) == Fault.CROSSES_ENEMY


@pytest.mark.rule("w10.aircraft.fight.ignored", "w10.aircraft.fight.fly-pile-in")
def test_aircraft_and_pile_in():
    def sky() -> Table:
        t = fighting((0, [(10, 10)]), (1, [(10, 13)]), (1, [(14, 10)]))  # aircraft at 2", infantry at 3"
        t.models["keywords"][1] = 4
        t.limits["air_keywords"] = 4
        return t

    t = sky()
    assert pile_in_apply(*t.tables, 0, NO_ORDER, t.scratch, t.marks) == 1
    assert shapes.gap(t.models, 0, 2) <= 0.01
    t = sky()
    t.limits["air_goal"] = 1  # FLY: towards the AIRCRAFT, and as near to it as to end out of its Engagement Range
    assert explicit(t, "pile in", {0: (10, 10.5)}) == Fault.NOT_ENGAGED
    assert explicit(t, "pile in", {0: (10, 11.5)}) == Fault.ENGAGES_AT_THE_END
    t.limits["air_end"] = 1
    assert pile_in_apply(*t.tables, 0, NO_ORDER, t.scratch, t.marks) == 1
    assert shapes.gap(t.models, 0, 1) <= 0.01


# ---- consolidate


@pytest.mark.rule("w10.fight.consolidate", "w10.fight.consolidate.enemy")
def test_consolidation_towards_an_enemy():
    t = fighting((0, [(10, 10)]), (1, [(14.8, 10)]))  # 3.8"
    assert explicit(t, "enemy", {0: (13.0, 10)}) == Fault.LEGAL
    assert explicit(t, "enemy", {0: (13.01, 10)}) == Fault.TOO_FAR
    assert consolidate_apply(*t.tables, 0, False, 0.0, NO_ORDER, t.scratch, t.marks) == 1
    assert engaged.units_engaged(t.models, t.units, 0, 1, 1.0, 5.0)
    t = fighting((0, [(10, 10)]), (1, [(10.998, 10)]))
    assert consolidate_apply(*t.tables, 0, False, 0.0, NO_ORDER, t.scratch, t.marks) == 0
    assert explicit(t, "enemy", {0: (10, 10.5)}) == Fault.IN_CONTACT


@pytest.mark.rule("w10.fight.consolidate.closer")
def test_consolidation_ends_closer_and_in_contact():
    t = fighting((0, [(10, 10)]), (1, [(13, 10)]))
    assert explicit(t, "enemy", {0: (11.998, 10)}) == Fault.LEGAL
    assert explicit(t, "enemy", {0: (11.5, 10)}) == Fault.NOT_CONTACT
    assert explicit(t, "enemy", {0: (9.5, 10)}) == Fault.NOT_CLOSER


def at_marker(distance: float) -> Table:
    t = fighting((0, [(10, 10), (8.8, 10)]), (1, [(50, 40)]))
    t.marker(10.5 + distance + 0.787, 10)
    return t


@pytest.mark.rule("w10.fight.consolidate.objective", "w10.fight.consolidate.objective-optional")
def test_consolidation_towards_a_marker():
    t = at_marker(5.0)
    assert consolidate_apply(*t.tables, 0, False, 3.0, NO_ORDER, t.scratch, t.marks) == -1
    assert explicit(t, "marker", {0: (13.0, 10), 1: (11.5, 10)}) == Fault.LEGAL
    assert explicit(t, "marker", {0: (12.0, 10), 1: (10.5, 10)}) == Fault.LEGAL  # ends 3" from it
    assert explicit(t, "marker", {0: (11.9, 10), 1: (10.5, 10)}) == Fault.NOT_IN_RANGE
    assert explicit(t, "marker", {0: (13.0, 10), 1: (8.0, 10)}) == Fault.NOT_CLOSER
    assert consolidate_apply(*t.tables, 0, True, 3.0, NO_ORDER, t.scratch, t.marks) == 2
    assert t.models["x"][0] == pytest.approx(13.0, abs=1e-3)


@pytest.mark.rule("w10.fight.consolidate.objective", "w10.fight.consolidate.none")
def test_no_consolidation_possible():
    for distance, far in ((6.5, 50.0), (8.0, 17.0)):
        t = at_marker(distance)
        t.models["x"][2], t.models["y"][2] = far, 10 if far < 20 else 40
        before = t.models.copy()
        for to_marker in (False, True):
            assert fight_move_possible(*t.tables, 0, to_marker, 3.0, t.scratch, t.marks) == -1
            assert consolidate_apply(*t.tables, 0, to_marker, 3.0, NO_ORDER, t.scratch, t.marks) == -1
        assert (t.models == before).all()


@pytest.mark.parametrize("seed", range(30))
def test_made_pile_ins_fulfil_all_conditions(seed):
    t, _ = random_charge(seed)
    if not charge(t, 12.0):
        return
    t.limits["engage_path"] = t.limits["engage_end"] = ANYBODY
    t.limits["extra"] = 3.0
    before = t.models.copy()
    moved = pile_in_apply(*t.tables, 1, NO_ORDER, t.scratch, t.marks)
    if moved < 0:
        assert (t.models == before).all()
        return
    n, first = int(t.units["count"][1]), int(t.units["first"][1])
    assert engaged.unit_engaged(t.models, t.units, 1, 1.0, 5.0)
    assert engaged.coherent(t.models, t.units, 1, 2.0, 5.0, 7, t.marks[: len(t.models)])
    changed = 0
    for i in range(first, first + n):
        went = math.hypot(t.models["x"][i] - before["x"][i], t.models["y"][i] - before["y"][i])
        changed += went > 0
        assert went <= 3.0001
        assert went == 0 or not touches_enemy(before, i)
        for j in range(len(t.models)):
            assert i == j or not overlaps(t, i, j)
    assert changed == moved
