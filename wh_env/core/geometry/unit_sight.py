"""Whether units see each other: some pair of their models, found as quickly as possible."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from wh_env.core.geometry.corridor import (
    ACROSS,
    ALWAYS,
    ASIDE,
    FAR,
    LIFT,
    TOTAL,
    X0,
    X1,
    Corridor,
    between,
    corridor,
    judge_block,
    judge_model,
    list_blockers,
    put_block,
    put_model,
    put_round,
)
from wh_env.core.geometry.raster import disc_on_polygon
from wh_env.core.geometry.shapes import (
    EPS,
    member,
    member_count,
    stands_in,
    straight_within,
)
from wh_env.core.geometry.sight import BLOCKS, MANY, _sees_along_sides, _sees_by_search, _sees_if_simple
from wh_env.core.geometry.slope_lines import Scratch, scratch
from wh_env.core.geometry.slopes import any_free
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array


@inner_kernel
def unit_disc(models: Array, units: Array, u: int) -> tuple[float, float, float, float, float, Any]:
    """A disc round all models of unit ``u`` on the table: x, y, radius (-1 if there are none), the height of their
    lowest and of their highest part, and all their keywords.
    """
    keywords = np.uint64(0)
    x0 = y0 = low = FAR
    x1 = y1 = high = -FAR
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if stands_in(models, k, u):
            m = models[k]
            x0 = min(x0, m["x"])
            x1 = max(x1, m["x"])
            y0 = min(y0, m["y"])
            y1 = max(y1, m["y"])
            low = min(low, m["z"])
            high = max(high, m["z"] + m["height"])
            keywords |= m["keywords"]
    x = 0.5 * (x0 + x1)
    y = 0.5 * (y0 + y1)
    radius = -1.0
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if stands_in(models, k, u):
            dx = models[k]["x"] - x
            dy = models[k]["y"] - y
            radius = max(radius, sqrt(dx * dx + dy * dy) + models[k]["radius"])
    return x, y, radius, low, high, keywords


@inner_kernel
def _reaches_discs(blocks: Array, corners: Array, k: int, c: Corridor) -> bool:
    """Whether block ``k`` overlaps one of the two discs of a corridor."""
    first = blocks[k]["first"]
    count = blocks[k]["count"]
    x = c.ox + c.ux * c.length
    y = c.oy + c.uy * c.length
    return disc_on_polygon(c.ox, c.oy, c.ri, corners, first, count) or disc_on_polygon(
        x, y, c.rj, corners, first, count
    )


@inner_kernel
def _discs_parted(
    models: Array, blocks: Array, corners: Array, a: int, u: int, keywords: Any, c: Corridor, near: Array, count: int
) -> bool:
    """Whether one blocker of ``near`` certainly parts two discs that contain models of units ``a`` and ``u`` with no
    other keywords than ``keywords``.
    """
    if c.length <= c.ri + c.rj:
        return False
    for o in range(count):
        k = near[o]
        if k < 0:
            continue
        b = blocks[k]
        if b["screen"] != 0 and keywords & b["spares"] != 0:
            continue
        if judge_block(blocks, corners, k, c, 1.0) == TOTAL:
            # a footprint does not count for models that stand in it
            if b["screen"] == 0 or not _reaches_discs(blocks, corners, k, c):
                return True
    return False


@inner_kernel
def _discs_hidden(
    models: Array,
    blocks: Array,
    corners: Array,
    a: int,
    u: int,
    keywords: Any,
    c: Corridor,
    near: Array,
    count: int,
    T: Scratch,
) -> bool:
    """Whether certainly no line runs between two discs that contain models of units ``a`` and ``u`` with no other
    keywords than ``keywords``. ``T``: scratch.
    """
    if c.length <= c.ri + c.rj:
        return False
    S, V = T.S, T.V
    put_round(S, 0, c, c.ox, c.oy, c.ri, c.ri, 0.0, c.bi - LIFT, c.ti)
    put_round(S, 1, c, c.ox + c.ux * c.length, c.oy + c.uy * c.length, c.rj, c.rj, 0.0, c.bj - LIFT, c.tj)
    n = 2
    at = 0
    across = False
    for o in range(count):
        k = near[o]
        if k >= 0:
            code = judge_block(blocks, corners, k, c, 1.0)
            if blocks[k]["screen"] != 0 and code >= ASIDE:
                # a footprint does not count for models that stand in it
                if keywords & blocks[k]["spares"] != 0 or _reaches_discs(blocks, corners, k, c):
                    continue
            if code == TOTAL:
                return True
            if code < ASIDE:
                continue
            at = put_block(S, V, n, at, c, blocks, corners, k)
        else:
            k = -1 - k
            if models[k]["unit"] == a or models[k]["unit"] == u:
                continue
            code = judge_model(models, k, c)
            if code < ASIDE:
                continue
            at = put_model(S, V, n, at, c, models, k)
        # a blocker that stands in a disc, or that some line clears, hides nothing for certain, so it is dropped
        if S[n, ALWAYS] == 1.0 and S[n, X0] >= c.ri and S[n, X1] <= c.length - c.rj:
            n += 1
            across = across or code >= ACROSS
    # while nothing stands across the middle, that line is free
    return across and not any_free(T, n, c, False)


@inner_kernel
def _any_in_reach(models: Array, units: Array, a: int, u: int, reaches: Array) -> bool:
    """Whether some model of unit ``u`` is within the reach (``reaches``, inches by model row) of a model of unit
    ``a``.
    """
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if stands_in(models, i, a) and reaches[i] >= 0.0:
            for o in range(member_count(units, u)):
                j = member(units, u, o)
                if stands_in(models, j, u) and straight_within(models, i, j, reaches[i] + EPS):
                    return True
    return False


@inner_kernel
def _list_unsure_pairs(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    a: int,
    u: int,
    reaches: Array,
    near: Array,
    count: int,
    pairs: Array,
) -> int:
    """-1 if some model of unit ``a`` certainly sees a model of unit ``u`` within its reach. Otherwise fill ``pairs``
    with the pairs (observer, target) that are not decided, and return how many.
    """
    unsure = 0
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if not stands_in(models, i, a) or reaches[i] < 0.0:
            continue
        for o in range(member_count(units, u)):
            j = member(units, u, o)
            if stands_in(models, j, u) and straight_within(models, i, j, reaches[i] + EPS):
                code = _sees_if_simple(models, blocks, corners, i, j, near, count)
                if code == 1:
                    return -1
                if code == -1:
                    pairs[unsure, 0] = i
                    pairs[unsure, 1] = j
                    unsure += 1
    return unsure


@inner_kernel
def _any_pair_sees_along_sides(
    models: Array, blocks: Array, corners: Array, near: Array, count: int, pairs: Array, unsure: int
) -> bool:
    """Whether ``_sees_along_sides`` finds a free line for one of the first ``unsure`` of ``pairs``. This is cheap and
    succeeds often.
    """
    for n in range(unsure):
        i = pairs[n, 0]
        j = pairs[n, 1]
        if _sees_along_sides(models, blocks, corners, between(models, i, j), i, j, near, count):
            return True
    return False


@inner_kernel
def _any_pair_sees(
    models: Array,
    blocks: Array,
    corners: Array,
    a: int,
    u: int,
    keywords: Any,
    c: Corridor,
    near: Array,
    count: int,
    pairs: Array,
    unsure: int,
    T: Scratch,
) -> bool:
    """Whether the observer sees the target in one of the first ``unsure`` of ``pairs``, models of units ``a`` and ``u``
    whose discs span the corridor ``c``.
    """
    if unsure >= MANY and _discs_hidden(models, blocks, corners, a, u, keywords, c, near, count, T):
        return False
    first = 0
    while first < unsure:
        i = pairs[first, 0]
        end = first + 1
        while end < unsure and pairs[end, 0] == i:
            end += 1
        hidden = False
        if end - first >= MANY:
            m = models[i]
            x = c.ox + c.ux * c.length
            y = c.oy + c.uy * c.length
            one = corridor(m["x"], m["y"], m["radius"], m["z"], m["z"] + m["height"], x, y, c.rj, c.bj - LIFT, c.tj)
            hidden = _discs_hidden(models, blocks, corners, a, u, keywords, one, near, count, T)
        if not hidden:
            for n in range(first, end):
                if _sees_by_search(models, blocks, corners, i, pairs[n, 1], near, count, T):
                    return True
        first = end
    return False


@inner_kernel
def unit_sees_within(models: Array, units: Array, blocks: Array, corners: Array, a: int, u: int, reaches: Array) -> int:
    """Whether some model of unit ``a`` sees some model of unit ``u`` within its own reach.

    ``reaches`` (float64, by model row): each observer's reach in inches; below 0: it does not look.

    Returns:
        0: no model of ``u`` is within reach; 1: one within reach is seen; 2: some are within reach and none is seen.
    """
    xa, ya, ra, la, ha, ka = unit_disc(models, units, a)
    xu, yu, ru, lu, hu, ku = unit_disc(models, units, u)
    if ra < 0.0 or ru < 0.0:
        return 0
    most = -1.0
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if stands_in(models, i, a):
            most = max(most, reaches[i])
    c = corridor(xa, ya, ra, la, ha, xu, yu, ru, lu, hu)
    if most < 0.0 or c.length - ra - ru > most + 2.0 * EPS or not _any_in_reach(models, units, a, u, reaches):
        return 0
    near = np.empty(len(blocks) + len(models), np.int32)
    count = list_blockers(models, blocks, c, a, BLOCKS, near)
    if _discs_parted(models, blocks, corners, a, u, ka | ku, c, near, count):
        return 2
    pairs = np.empty((member_count(units, a) * member_count(units, u), 2), np.int32)
    unsure = _list_unsure_pairs(models, units, blocks, corners, a, u, reaches, near, count, pairs)
    if unsure <= 0:
        return 1 if unsure < 0 else 2
    if _any_pair_sees_along_sides(models, blocks, corners, near, count, pairs, unsure):
        return 1
    room = scratch(corners, count)
    found = _any_pair_sees(models, blocks, corners, a, u, ka | ku, c, near, count, pairs, unsure, room)
    return 1 if found else 2


@kernel
def unit_sees_unit(models: Array, units: Array, blocks: Array, corners: Array, a: int, u: int) -> bool:
    """Whether some model of unit ``a`` sees some model of unit ``u`` at any distance."""
    reaches = np.empty(len(models))
    reaches.fill(FAR)
    return unit_sees_within(models, units, blocks, corners, a, u, reaches) == 1
