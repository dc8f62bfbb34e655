"""Engaging in the assault phase: contact points, shortest ways to them, whole formations (epic.assault.charge-move,
.infantry-double, .shortest-path, .coherency)."""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin

from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.epic.codes import IMPASSABLE, INFANTRY, PLANNED
from wh_env.rulesets.epic.move.cells import OUT_OF_CONTACT, can_go
from wh_env.rulesets.epic.move.coherency import close_up, groups, keep_places, put_back
from wh_env.rulesets.epic.move.paths import TOUCHING, end_free, near_models, near_walls, way_length

POINTS = 72  # places of contact round an enemy
SPREAD = 4.0  # cm that a unit goes farther to an enemy that its formation has not engaged yet
MOST_ENGAGING = 64  # units of a formation that may engage in one move


@inner_kernel
def reach_of(models: Array, k: int, to_engage: float) -> float:
    """Cm that unit ``k`` may go to engage: ``to_engage`` times its Movement for infantry, its Movement for others."""
    return float(models[k]["move"] * (to_engage if models[k]["rank"] == INFANTRY else 1.0))


@kernel
def contact_way(
    models: Array, ground: Array, corners: Array, numbers: Array, k: int, t: int, to_engage: float, marks: Array,
    nodes: Array, spot: Array,
) -> float:  # fmt: skip
    """Length in cm of the shortest way of unit ``k`` to a free place where it touches unit ``t``; infinite if that is
    out of reach. Row 0 of ``spot`` gets that place and the facing there (x, y, radians).
    """
    m = models[k]
    q = models[t]
    reach = reach_of(models, k, to_engage)
    apart = hypot(q["x"] - m["x"], q["y"] - m["y"])
    touch = m["radius"] + q["radius"]
    if apart - touch > reach + EPS:
        return inf
    rows = marks[: len(models)]
    walls = marks[len(models) :]
    n = near_models(models, k, reach, 0.0, rows)
    w = near_walls(models, ground, k, reach, IMPASSABLE, walls)
    towards = atan2(m["y"] - q["y"], m["x"] - q["x"])
    best = inf
    count = 0
    for p in range(POINTS):
        # 0, +1, -1, +2, -2, ... steps off the straight line: the places come in order of their distance
        angle = towards + (2.0 * pi / POINTS) * ((p + 1) // 2) * (1.0 if p % 2 == 1 else -1.0)
        x = q["x"] + touch * cos(angle)
        y = q["y"] + touch * sin(angle)
        straight = hypot(x - m["x"], y - m["y"])
        if straight >= best or straight > reach + EPS:
            break
        if not end_free(models, ground, corners, numbers, k, x, y, 0.0, -1, rows, n, walls, w):
            continue
        length, count = way_length(
            models, ground, corners, numbers, k, x, y, reach, IMPASSABLE, rows, n, walls, w, nodes, count
        )
        if length < best:
            best = length
            spot[0, 0] = x
            spot[0, 1] = y
            spot[0, 2] = atan2(q["y"] - y, q["x"] - x)
    return best


@kernel
def put_in_contact(models: Array, k: int, spot: Array) -> None:
    """Put unit ``k`` in the place that ``contact_way`` found, and mark it as planned."""
    models[k]["x"] = spot[0, 0]
    models[k]["y"] = spot[0, 1]
    models[k]["moved"] = PLANNED


@kernel
def engageable(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, k: int, e: int, to_engage: float,
    marks: Array, nodes: Array, spot: Array, mask: Array,
) -> int:  # fmt: skip
    """Mark the units of formation ``e`` (slot i: its i-th) that ``k`` can engage; returns how many."""
    found = 0
    if units[e]["place"] != ON_TABLE:
        return 0
    for slot in range(units[e]["count"]):
        t = units[e]["first"] + slot
        if models[t]["on_table"] == 1:
            if contact_way(models, ground, corners, numbers, k, t, to_engage, marks, nodes, spot) < inf:
                mask[slot] = True
                found += 1
    return found


@inner_kernel
def _in_contact(models: Array, units: Array, u: int, t: int) -> int:
    """How many units of formation ``u`` touch ``t``."""
    n = 0
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if models[k]["on_table"] == 1:
            apart = hypot(models[t]["x"] - models[k]["x"], models[t]["y"] - models[k]["y"])
            if apart <= models[t]["radius"] + models[k]["radius"] + TOUCHING:
                n += 1
    return n


@inner_kernel
def _next_to_engage(models: Array, units: Array, u: int, e: int, to_engage: float, tried: int) -> int:
    """The unit of formation ``u`` that is nearest to formation ``e`` and reaches it; -1: there is none.

    ``tried``: bits of the units that are not asked for again.
    """
    first = units[u]["first"]
    chosen = -1
    nearest = inf
    for k in range(first, first + units[u]["count"]):
        if not can_go(models, k, u) or tried >> (k - first) & 1:
            continue
        for t in range(units[e]["first"], units[e]["first"] + units[e]["count"]):
            if models[t]["on_table"] == 0:
                continue
            gap = hypot(models[t]["x"] - models[k]["x"], models[t]["y"] - models[k]["y"])
            gap -= models[t]["radius"] + models[k]["radius"]
            if gap <= reach_of(models, k, to_engage) + EPS and gap < nearest:
                nearest = gap
                chosen = k
    return chosen


@kernel
def engage_formation(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, e: int, to_engage: float,
    bound: int, most: int, marks: Array, labels: Array, nodes: Array, poses: Array, spot: Array,
) -> int:  # fmt: skip
    """Let up to ``most`` units of formation ``u`` engage units of formation ``e``, the nearest first; returns how many
    do.

    A unit may engage only if the rest of the formation is then in at most ``bound`` groups. If necessary, units left
    behind close up with what is left of their Movement.
    """
    first = units[u]["first"]
    done = 0
    tried = 0
    while done < most:
        chosen = _next_to_engage(models, units, u, e, to_engage, tried)
        if chosen < 0:
            return done
        tried |= 1 << (chosen - first)
        best = inf
        x = 0.0
        y = 0.0
        for t in range(units[e]["first"], units[e]["first"] + units[e]["count"]):
            if models[t]["on_table"] == 0:
                continue
            crowd = SPREAD * _in_contact(models, units, u, t)
            apart = hypot(models[t]["x"] - models[chosen]["x"], models[t]["y"] - models[chosen]["y"])
            if apart - models[t]["radius"] - models[chosen]["radius"] + crowd >= best:
                continue
            length = contact_way(models, ground, corners, numbers, chosen, t, to_engage, marks, nodes, spot)
            if length + crowd < best:
                best = length + crowd
                x = spot[0, 0]
                y = spot[0, 1]
        if best == inf:
            continue
        keep_places(models, units, u, poses)
        models[chosen]["x"] = x
        models[chosen]["y"] = y
        models[chosen]["moved"] = PLANNED
        left = groups(models, units, u, numbers[0]["coherency"], OUT_OF_CONTACT, labels)
        if left > bound:
            close_up(
                models, units, ground, corners, numbers, u, left, models[chosen]["move"], TOUCHING, marks, labels
            )  # fmt: skip
            left = groups(models, units, u, numbers[0]["coherency"], OUT_OF_CONTACT, labels)
        if left > bound:
            put_back(models, units, u, poses)
        else:
            done += 1
    return done


@kernel
def engage_mask(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, to_engage: float, bound: int,
    first: int, count: int, marks: Array, labels: Array, nodes: Array, poses: Array, spot: Array, saved: Array,
    mask: Array,
) -> int:  # fmt: skip
    """Mark the enemy formations (slot i: ``first + i``) that formation ``u`` can engage with at least one unit; returns
    how many.
    """
    found = 0
    own = units[u]["first"]
    size = units[u]["count"]
    for slot in range(count):
        e = first + slot
        if units[e]["place"] != ON_TABLE:
            continue
        near = False
        for k in range(own, own + size):
            if near or not can_go(models, k, u):
                continue
            for t in range(units[e]["first"], units[e]["first"] + units[e]["count"]):
                if models[t]["on_table"] == 1:
                    gap = hypot(models[t]["x"] - models[k]["x"], models[t]["y"] - models[k]["y"])
                    if gap - models[t]["radius"] - models[k]["radius"] <= reach_of(models, k, to_engage) + EPS:
                        near = True
                        break
        if not near:
            continue
        keep_places(models, units, u, saved)
        if engage_formation(
            models, units, ground, corners, numbers, u, e, to_engage, bound, 1, marks, labels, nodes, poses, spot
        ):
            mask[slot] = True
            found += 1
        put_back(models, units, u, saved)
    return found
