"""Kernels that find places where a charging model could end its move. One search looks at hundreds of places
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
DECIMALS = 9  # decimal places to which the coordinates of a point are rounded, inches
PARTS = 1e9  # parts of an inch to which kernels round coordinates
BUCKETS = 512  # classes of pairs of places by the sum of their lengths
BITS = 60  # bits of an int64 that hold flags
APART, OVER, UNDER, NEAR, RISE = range(5)  # columns of `keep` in `stand_beside`


# ---- places of one model


@inner_kernel
def _keep_point(x: float, y: float, x0: float, y0: float, far: float, points: Array, count: int) -> int:
    """Write (x, y), rounded, to ``points[count]`` if it is at most ``far`` inches from (x0, y0). Returns the count."""
    x = np.rint(x * PARTS) / PARTS
    y = np.rint(y * PARTS) / PARTS
    if hypot(x - x0, y - y0) > far:
        return count
    points[count, 0] = x
    points[count, 1] = y
    return count + 1


@kernel
def cross_lines(one: Array, two: Array, x0: float, y0: float, inches: float, points: Array) -> int:
    """Fill ``points`` with the crossings of each circle of ``one`` with each circle of ``two``. Returns the number of
    points.

    For each pair of circles it also adds the two points of the first circle that lie on the line through both middles.
    Only points at most ``inches`` from (x0, y0) count; they are rounded. ``one``, ``two`` (float64, circles x 3): x and
    y of the middle and the radius, inches. ``points`` (float64, 4 x circles x circles, x 2).
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
    """Set ``covers[p, t]`` (bool, points x aims) if a unit of ``aims`` might be engaged from a point.

    This is so if the middle of one of its models is at most ``reach`` inches plus that model's radius from the point.
    ``aims`` (int32): rows of units. ``points`` (float64, points x 2): inches.
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
    """Fill ``points`` with places of the model round other models, at most ``inches`` from where it stands. Returns how
    many.

    There are ``turns`` directions round each of ``others`` (int32, rows of models) and, in each, one place for each gap
    of ``parts`` (float64, inches) between the bases. Two round bases keep a gap of at least ``touch`` inches.
    ``points`` (float64, others x parts x turns, x 2) are rounded.
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
    """Fill ``stands`` (float64, points x heights): the height in inches at which the model would stand at each point if
    it came from each of ``heights``; -1 where it cannot stand.

    ``points`` (float64, points x 2) lie at most ``inches`` from the model.
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
    """Set ``legal[p]`` (bool) if the model can move to pose ``p`` past all models but those of its own unit, and take
    from ``covers`` the units that it does not engage there.

    ``poses`` (float64, poses x 3): x, y, z in inches, at most ``inches`` away. ``covers`` (bool, poses x aims): units
    of ``aims`` (int32, rows of units) that the model might engage there. If ``alone``, a pose is legal only if the
    model engages enough of ``aims`` there: all of them, or one if the limits do not need all. ``path`` (2 x 4),
    ``rows`` (int32): scratch.
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
    """Set ``covers`` (bool, by target) to False for each unit that the model does not engage from ``pose`` (x, y, z).
    Returns whether it engages enough: all of ``aims``, or one if the limits do not need all. The model stands where it
    was afterwards.
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
    """Whether two models can stand at ``one[a]`` and ``two[b]`` (x, y, z in inches) together, and whether they are in
    coherency there. It measures between circles.

    ``keep`` (float64, 5), inches. They can stand together if they are at least ``APART`` apart in plan, or the second
    is ``OVER`` above the first, or the first ``UNDER`` above the second. They are in coherency if they are at most
    ``NEAR`` apart in plan and ``RISE`` in height.
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
    """Whether two places pass the tests of ``find_pairs``: targets engaged, room for both models, coherency if
    ``near``.

    It does not test that one target is engaged if ``need_all`` is False.
    """
    for t in range(len(given)):
        if need_all and not (covers_1[a, t] or covers_2[b, t] or given[t]):
            return False
    free, close = stand_beside(one, a, two, b, keep)
    return free and (close or not near)


@inner_kernel
def _engaging(covers: Array) -> int:
    """The number of leading places from which a model engages a target (``covers``: bool, places x targets)."""
    for p in range(len(covers)):
        some = False
        for t in range(covers.shape[1]):
            some = some or covers[p, t]
        if not some:
            return p
    return len(covers)


@inner_kernel
def _longest(lengths: Array) -> float:
    """The greatest of lengths; 0 if there is none."""
    longest = 0.0
    for a in range(len(lengths)):
        longest = max(longest, lengths[a])
    return longest


@inner_kernel
def _last_bucket(counts: Array, most: int) -> int:
    """The bucket of lengths with which the ``most`` shortest pairs are complete, by the number of pairs in each."""
    last = 0
    room = counts[0]
    while room < most and last < BUCKETS - 1:
        last += 1
        room += counts[last]
    return last


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
    """Find pairs of places of two models at which both can stand, at least one engages a target and, if ``near``, the
    two are in coherency. If ``need_all``, the pair and ``given`` engage all targets. Returns the number of pairs.

    The pairs are the ``most`` with the least sum of both lengths, and the others of the last bucket, in the order of
    their indices. The function is called twice: with an empty ``pairs`` it counts pairs in ``counts`` (int64, by
    length), then it fills ``pairs`` (int64, x 2). In ``one`` and ``two`` (float64, places x 3) the places that engage a
    target come first. ``length_1``, ``length_2`` (float64): inches by place. ``covers_1``, ``covers_2`` (bool, places x
    targets): targets engaged there. ``given`` (bool, by target): targets engaged by other models. ``apart``: greatest
    distance in plan, inches.
    """
    scale = (BUCKETS - 1) / max(_longest(length_1) + _longest(length_2), SLIGHT)
    fill = len(pairs) > 0
    last = _last_bucket(counts, most) if fill else BUCKETS
    if not fill:
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
    """Fill ``least`` (float64) with the distance in plan, inches, from each of ``ends`` (float64, x 3) to the nearest
    of ``goals`` (float64, x 3).
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
    """Set a bit in ``free`` for each place of ``rest`` at which a third model can stand beside the first at ``one[a]``,
    and in ``close`` if it is also in coherency with it. Returns whether any bit of ``close`` is set.
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
    """Find places of a third model beside pairs of places of two others. The third is in coherency with both, or with
    one of them if these two are in coherency with each other. Returns the number of pairs that have such a place, and
    of sets found.

    ``one``, ``two``, ``rest`` (float64, places x 3): x, y, z in inches. ``a``, ``b`` (int64): indices of the pairs in
    ``one`` and ``two``. ``keep`` (float64, 3 x 5): see ``stand_beside``, for first and second, first and third, second
    and third. ``found`` (int64, x 3): indices of the three places, up to ``each`` sets a pair, of up to ``most`` pairs.
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
