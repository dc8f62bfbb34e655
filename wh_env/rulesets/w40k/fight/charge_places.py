"""Where a model that charges could end, as kernels: hundreds of places are looked at in one search
(``charge_ends``).
"""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin, sqrt

import numpy as np

from wh_env.core.geometry.areas import models_engaged_across
from wh_env.core.geometry.charge_moves import is_stuck_in_block
from wh_env.core.geometry.melee_search import contact_place
from wh_env.core.geometry.paths import choose_surface, set_pose
from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in, within_reach
from wh_env.core.geometry.single import find_path, near_blocks, near_models
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array

ANY_CLIMB = 1e6  # inches
SLIGHT = 1e-6  # inches
DECIMALS = 9  # of the inches of a point
PARTS = 1e9  # of an inch
BUCKETS = 512  # by length
BITS = 60  # of a number that are used
APART, OVER, UNDER, NEAR, RISE = range(5)  # what two models keep to beside each other, see `stand_beside`


# ---- places of one model


@inner_kernel
def _keep_point(x: float, y: float, x0: float, y0: float, far: float, points: Array, count: int) -> int:
    """Add the point, rounded, if it is at most ``far`` from (x0, y0); how many there are."""
    x = np.rint(x * PARTS) / PARTS
    y = np.rint(y * PARTS) / PARTS
    if hypot(x - x0, y - y0) > far:
        return count
    points[count, 0] = x
    points[count, 1] = y
    return count + 1


@kernel
def cross_lines(one: Array, two: Array, x0: float, y0: float, inches: float, points: Array) -> int:
    """Fill ``points`` (float64, 4 x lines x lines, x 2) with where a line of ``one`` crosses one of ``two``, and where
    the two are nearest to each other on both sides, so far as it is at most ``inches`` from (x0, y0); how many.

    ``one``, ``two`` (float64, lines x 3): circles, x and y of the middle and the radius. Points are rounded.
    """
    far = inches + EPS
    count = 0
    for i in range(len(one)):
        x = one[i, 0]
        y = one[i, 1]
        a = one[i, 2]
        for j in range(len(two)):
            dx = two[j, 0] - x
            dy = two[j, 1] - y
            b = two[j, 2]
            apart = hypot(dx, dy)
            if apart < 1e-9:
                continue
            along = (apart * apart + a * a - b * b) / (2.0 * apart)
            ux = dx / apart
            uy = dy / apart
            if abs(along) <= a:
                across = sqrt(a * a - along * along)
                count = _keep_point(
                    x + along * ux - across * uy, y + along * uy + across * ux, x0, y0, far, points, count
                )
                count = _keep_point(
                    x + along * ux + across * uy, y + along * uy - across * ux, x0, y0, far, points, count
                )
            count = _keep_point(x + a * ux, y + a * uy, x0, y0, far, points, count)
            count = _keep_point(x - a * ux, y - a * uy, x0, y0, far, points, count)
    return count


@kernel
def find_covers(models: Array, units: Array, aims: Array, reach: float, points: Array, covers: Array) -> None:
    """Which of the units ``aims`` (int32) might be engaged from ``points`` (float64, x 2), as far as the circles round
    bases say: those with a model whose circle is at most ``reach`` away. ``covers``: bool, points x aims.
    """
    for t in range(len(aims)):
        for p in range(len(points)):
            covers[p, t] = False
        for n in range(member_count(units, aims[t])):
            k = member(units, aims[t], n)
            if not stands_in(models, k, aims[t]):
                continue
            q = models[k]
            far = reach + q["radius"]
            for p in range(len(points)):
                covers[p, t] = covers[p, t] or hypot(points[p, 0] - q["x"], points[p, 1] - q["y"]) <= far


@kernel
def ring_round(
    models: Array, model: int, others: Array, parts: Array, turns: int, touch: float, inches: float, points: Array
) -> int:
    """Fill ``points`` (float64, others x parts x turns, x 2) with the places of the model in so many directions round
    each of ``others`` (int32, rows of models), each of ``parts`` (float64) inches from it, so far as they are at most
    ``inches`` away; how many.

    Round bases are at least ``touch`` inches apart. Points are rounded.
    """
    m = models[model]
    count = 0
    far = inches + EPS
    for k in range(len(others)):
        q = models[others[k]]
        east = m["x"] - q["x"]
        north = m["y"] - q["y"]
        ahead = atan2(north, east)
        both = m["radius"] + q["radius"]
        plain = m["shape"] == CIRCLE and q["shape"] == CIRCLE
        for p in range(len(parts)):
            for turn in range(turns):
                angle = ahead + turn * (2.0 * pi / turns)
                c = cos(angle)
                s = sin(angle)
                if plain:
                    away = both + max(parts[p], touch)
                    x = q["x"] + away * c
                    y = q["y"] + away * s
                else:
                    # the place lies between the other model and where the circles round both bases are as far apart as
                    # wanted
                    foot = min(both + touch + parts[p], max(0.0, east * c + north * s))
                    if (east - foot * c) ** 2 + (north - foot * s) ** 2 > (far + SLIGHT) * (far + SLIGHT):
                        continue
                    x, y = contact_place(models, model, m["facing"], others[k], angle, parts[p])
                count = _keep_point(x, y, m["x"], m["y"], far, points, count)
    return count


@kernel
def find_surfaces(
    models: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    model: int,
    inches: float,
    points: Array,
    heights: Array,
    stands: Array,
) -> None:
    """The heights at which the model would stand at ``points`` (float64, points x 2, at most ``inches`` away), coming
    from each of ``heights``; -1 where it cannot. They are written into ``stands`` (float64, points x heights).
    """
    m = models[model]
    nearby = near_blocks(blocks, m["x"], m["y"], inches + m["radius"] + EPS)
    for p in range(len(points)):
        for h in range(len(heights)):
            stands[p, h] = choose_surface(
                models, nearby, corners, limits, model, points[p, 0], points[p, 1], m["facing"], heights[h], ANY_CLIMB
            )


@inner_kernel
def _engages(
    models: Array, units: Array, blocks: Array, corners: Array, limits: Array, model: int, target: int
) -> bool:
    """Whether the model, where it stands now, is within Engagement Range of a model of the target."""
    row = limits[0]
    for n in range(member_count(units, target)):
        k = member(units, target, n)
        if not stands_in(models, k, target):
            continue
        if within_reach(models, model, k, row["engage"], row["engage_z"]):
            return True
        if row["engage_across"] > 0.0 and models_engaged_across(models, blocks, corners, model, k, row["engage_z"]):
            return True
    return False


@kernel
def find_ends(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    unit: int,
    model: int,
    inches: float,
    aims: Array,
    poses: Array,
    path: Array,
    rows: Array,
    covers: Array,
    legal: Array,
    alone: bool,
) -> None:
    """To which of ``poses`` (float64, poses x 3: x, y, z, at most ``inches`` away) the model has a way past all but its
    own unit (``legal``, bool), and which of the units ``aims`` (int32) it engages there.

    ``covers`` (bool, poses x aims): where it might engage them; what it does not is set to False. ``alone``: only where
    it engages all of them, or one if that will do. ``path`` (2 x 4), ``rows`` (int32): scratch.
    """
    m = models[model]
    x, y, facing = m["x"], m["y"], m["facing"]
    reach = inches + m["radius"] + EPS
    nearby = near_blocks(blocks, x, y, reach)
    near = near_models(models, limits, x, y, reach, rows)
    shut = is_stuck_in_block(models, nearby, corners, limits, model)
    for p in range(len(poses)):
        to_x, to_y, to_z = poses[p, 0], poses[p, 1], poses[p, 2]
        if shut and (to_x != x or to_y != y):
            legal[p] = False
            continue
        if alone and not _engaged_from(models, units, blocks, corners, limits, model, aims, poses[p], covers[p]):
            legal[p] = False
            continue
        legal[p] = find_path(
            models, nearby, corners, objectives, limits, targets,
            model, to_x, to_y, to_z, facing, path, rows, near, unit, True,
        ) != 0  # fmt: skip
        if legal[p] and not alone:
            _engaged_from(models, units, blocks, corners, limits, model, aims, poses[p], covers[p])


@inner_kernel
def _engaged_from(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    limits: Array,
    model: int,
    aims: Array,
    pose: Array,
    covers: Array,
) -> bool:
    """Set ``covers`` to False for the units that the model does not engage from ``pose``; whether those it engages are
    enough.
    """
    m = models[model]
    x, y, z, facing = m["x"], m["y"], m["z"], m["facing"]
    set_pose(models, model, pose[0], pose[1], pose[2], facing)
    engaged = 0
    for t in range(len(aims)):
        covers[t] = covers[t] and _engages(models, units, blocks, corners, limits, model, aims[t])
        if covers[t]:
            engaged += 1
    set_pose(models, model, x, y, z, facing)
    return engaged == len(aims) or (engaged > 0 and limits[0]["need_all"] == 0)


# ---- places of three models


@inner_kernel
def stand_beside(one: Array, a: int, two: Array, b: int, keep: Array) -> tuple[bool, bool]:
    """Whether two models can stand at the places ``one[a]`` and ``two[b]`` (x, y, z) together, as far as circles say,
    and are in coherency there.

    ``keep``: the inches that they are apart at least, or the second above the first, or the first above the second; and
    those that they are apart at most, and one above the other, to be in coherency.
    """
    east = one[a, 0] - two[b, 0]
    north = one[a, 1] - two[b, 1]
    up = two[b, 2] - one[a, 2]
    most = max(keep[APART], keep[NEAR])
    if east * east + north * north > most * most * (1.0 + SLIGHT):
        return True, False
    away = hypot(east, north)
    free = away >= keep[APART] or up >= keep[OVER] or -up >= keep[UNDER]
    return free, away <= keep[NEAR] and abs(up) <= keep[RISE]


@inner_kernel
def _pair_holds(
    one: Array,
    a: int,
    two: Array,
    b: int,
    covers_1: Array,
    covers_2: Array,
    given: Array,
    keep: Array,
    need_all: bool,
    near: bool,
) -> bool:
    """Whether two places, of which one engages somebody, engage enough and hold together as ``find_pairs`` says."""
    for t in range(len(given)):
        if need_all and not (covers_1[a, t] or covers_2[b, t] or given[t]):
            return False
    free, close = stand_beside(one, a, two, b, keep)
    return free and (close or not near)


@inner_kernel
def _engaging(covers: Array) -> int:
    """How many places engage somebody; they come first."""
    for p in range(len(covers)):
        some = False
        for t in range(covers.shape[1]):
            some = some or covers[p, t]
        if not some:
            return p
    return len(covers)


@kernel
def find_pairs(
    one: Array,
    two: Array,
    length_1: Array,
    length_2: Array,
    covers_1: Array,
    covers_2: Array,
    given: Array,
    keep: Array,
    need_all: bool,
    near: bool,
    apart: float,
    most: int,
    counts: Array,
    pairs: Array,
) -> int:
    """Pairs of places of two models that engage enough, at least somebody, at which both can stand, and with ``near``
    are in coherency: the ``most`` with the least sum of both lengths (float64, by place), and some more, in the order
    of their indices.

    Called twice: without room in ``pairs`` (int64, x 2) it counts them (``counts``: int64, by length), then it fills
    them in. Of both models those places come first that engage somebody. ``apart``: inches that they are apart in plan
    at most. ``covers_1``, ``covers_2`` (bool, places x targets): whom they engage; ``given`` (bool, by target): who is
    engaged anyway.
    """
    longest = 0.0
    other = 0.0
    for a in range(len(length_1)):
        longest = max(longest, length_1[a])
    for b in range(len(length_2)):
        other = max(other, length_2[b])
    scale = (BUCKETS - 1) / max(longest + other, SLIGHT)
    last = BUCKETS
    fill = len(pairs) > 0
    if fill:
        last = 0
        room = counts[0]
        while room < most and last < BUCKETS - 1:
            last += 1
            room += counts[last]
    else:
        counts[:] = 0
    count = 0
    first = _engaging(covers_1)
    engaging = _engaging(covers_2)
    for a in range(len(one)):
        for b in range(len(two) if a < first else engaging):
            bucket = int((length_1[a] + length_2[b]) * scale)
            east = one[a, 0] - two[b, 0]
            north = one[a, 1] - two[b, 1]
            if bucket > last or east * east + north * north > apart * apart:
                continue
            if not _pair_holds(one, a, two, b, covers_1, covers_2, given, keep, need_all, near):
                continue
            if fill:
                pairs[count, 0] = a
                pairs[count, 1] = b
                count += 1
            else:
                counts[bucket] += 1
    if fill:
        return count
    for bucket in range(BUCKETS):
        if count < most:
            count += counts[bucket]
    return count


@kernel
def find_nearest(ends: Array, goals: Array, least: Array) -> None:
    """Fill ``least`` (float64) with the inches in plan from each of ``ends`` (float64, x 3) to the nearest of ``goals``
    (float64, x 3).
    """
    for n in range(len(ends)):
        best = inf
        square = inf
        for k in range(len(goals)):
            dx = goals[k, 0] - ends[n, 0]
            dy = goals[k, 1] - ends[n, 1]
            if dx * dx + dy * dy < square:
                away = hypot(dx, dy)
                if away < best:
                    best = away
                    square = away * away * (1.0 + SLIGHT)
        least[n] = best


@inner_kernel
def _note(one: Array, a: int, rest: Array, keep: Array, free: Array, close: Array) -> bool:
    """Note as bits at which places ``rest`` a third model can stand beside the first, and at which of these it is in
    coherency with it; whether there are any of the latter.
    """
    some = False
    for c in range(len(rest)):
        word = c // BITS
        bit = 1 << (c % BITS)
        if c % BITS == 0:
            free[word] = 0
            close[word] = 0
        stands, near = stand_beside(one, a, rest, c, keep)
        if stands:
            free[word] |= bit
            if near:
                close[word] |= bit
                some = True
    return some


@kernel
def find_thirds(
    one: Array, two: Array, rest: Array, a: Array, b: Array, keep: Array, most: int, each: int, found: Array
) -> tuple[int, int]:
    """Places of a third model by those of two others: in coherency with both, or with one if these are with each other.

    ``one``, ``two``, ``rest`` (float64, places x 3): x, y, z. ``a``, ``b`` (int64): the pairs of places to look at.
    ``keep`` (float64, 3 x 5): see ``stand_beside``, of the first and the second, the first and the third, the second
    and the third. ``found`` (int64, x 3): the sets, up to ``each`` of a pair and up to ``most`` pairs. How many pairs
    have any, and how many sets there are.
    """
    words = (len(rest) + BITS - 1) // BITS
    free_1, close_1 = np.empty((len(one), words), np.int64), np.empty((len(one), words), np.int64)
    free_2, close_2 = np.empty((len(two), words), np.int64), np.empty((len(two), words), np.int64)
    known_1, known_2 = np.zeros(len(one), np.int8), np.zeros(len(two), np.int8)
    pairs = 0
    count = 0
    for p in range(len(a)):
        i = a[p]
        j = b[p]
        if known_1[i] == 0:
            known_1[i] = 2 if _note(one, i, rest, keep[1], free_1[i], close_1[i]) else 1
        if known_2[j] == 0:
            known_2[j] = 2 if _note(two, j, rest, keep[2], free_2[j], close_2[j]) else 1
        if known_1[i] == 1 and known_2[j] == 1:
            continue
        _, near = stand_beside(one, i, two, j, keep[0])
        some = 0
        for word in range(words):
            bits = close_1[i, word] & close_2[j, word]
            if near:
                bits |= (close_1[i, word] & free_2[j, word]) | (free_1[i, word] & close_2[j, word])
            at = word * BITS
            while bits != 0 and some < each:
                if bits & 1:
                    found[count, 0] = i
                    found[count, 1] = j
                    found[count, 2] = at
                    count += 1
                    some += 1
                bits >>= 1
                at += 1
        if some > 0:
            pairs += 1
            if pairs == most:
                break
    return pairs, count
