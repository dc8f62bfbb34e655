"""Effects of terrain on shooting: the Benefit of Cover and fire from above.

Differences between editions and types of terrain are in the traits of a feature. The kernels know only the traits.
"""

from __future__ import annotations

from enum import IntFlag
from math import cos, hypot, pi, sin

import numpy as np

from wh_env.core.geometry.corridor import FAR, corridor, list_blockers
from wh_env.core.geometry.shapes import EPS, inside_polygon_at, member, member_count, stands_in
from wh_env.core.geometry.sight import NO_MODELS, VEILS, full_view_at_length, full_view_quickly
from wh_env.core.geometry.slope_lines import Scratch, scratch
from wh_env.core.geometry.unit_sight import unit_disc
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, RECT, Array
from wh_env.rulesets.w40k.codes import COVERED
from wh_env.rulesets.w40k.profiles import Keyword


class Trait(IntFlag):
    """Bits of ``FEATURE.traits``: the keywords of a terrain feature, and its effects on shooting."""

    AREA_TERRAIN = 1 << 0
    CRATER = 1 << 1
    OBSTACLE = 1 << 2
    BARRICADE = 1 << 3
    BATTLEFIELD_DEBRIS = 1 << 4
    HILL = 1 << 5
    WOODS = 1 << 6
    RUINS = 1 << 7
    LIGHT_COVER = 1 << 8
    HEAVY_COVER = 1 << 9
    DENSE_COVER = 1 << 10
    OBSCURING = 1 << 11
    DEFENSIBLE = 1 << 12
    BREACHABLE = 1 << 13
    SCALEABLE = 1 << 14
    DIFFICULT_GROUND = 1 << 15
    COVER_WITHIN = 1 << 16  # models wholly within its footprint have the Benefit of Cover
    COVER_BEHIND = 1 << 17  # models that are not fully visible to every attacker because of it have it
    ONLY_INFANTRY = 1 << 18  # its cover is for INFANTRY only ...
    ONLY_NEAR = 1 << 19  # ... and for models wholly within some inches of it (``ATTACK_RULES``, ``cover_reach``)
    PLUNGING_FIRE = 1 << 20  # attacks from high up within it at the ground have a better AP
    DEFENCE_LINE = 1 << 21
    UNSTABLE_POSITION = 1 << 22
    EXPOSED_POSITION = 1 << 23
    INSPIRING = 1 << 24


WITHIN = int(Trait.COVER_WITHIN)
BEHIND = int(Trait.COVER_BEHIND)
ONLY_INFANTRY = int(Trait.ONLY_INFANTRY)
ONLY_NEAR = int(Trait.ONLY_NEAR)
PLUNGING = int(Trait.PLUNGING_FIRE)
INFANTRY = int(Keyword.INFANTRY)

_OUTLINE = 32  # points of an oval base that are tested


@inner_kernel
def _away(x: float, y: float, corners: Array, first: int, count: int) -> float:
    """Distance in inches from a point to a convex polygon; 0 inside."""
    best = FAR
    outside = False
    px = corners[first + count - 1, 0]
    py = corners[first + count - 1, 1]
    for k in range(first, first + count):
        ex = corners[k, 0] - px
        ey = corners[k, 1] - py
        if ex * (y - py) - ey * (x - px) < 0.0:
            outside = True
        length2 = ex * ex + ey * ey
        if length2 > 0.0:
            t = min(1.0, max(0.0, ((x - px) * ex + (y - py) * ey) / length2))
            best = min(best, hypot(px + t * ex - x, py + t * ey - y))
        px = corners[k, 0]
        py = corners[k, 1]
    return best if outside else 0.0


@inner_kernel
def wholly_near(models: Array, i: int, corners: Array, first: int, count: int, reach: float) -> bool:
    """Whether every part of the base of model ``i`` is within ``reach`` inches of a convex polygon."""
    m = models[i]
    if m["shape"] == CIRCLE:
        return bool(_away(m["x"], m["y"], corners, first, count) + m["half_a"] <= reach + EPS)
    c = cos(m["facing"])
    s = sin(m["facing"])
    points = 4 if m["shape"] == RECT else _OUTLINE
    for k in range(points):
        if m["shape"] == RECT:
            u = m["half_a"] if k < 2 else -m["half_a"]
            v = m["half_b"] if k % 2 == 0 else -m["half_b"]
        else:
            u = m["half_a"] * cos(2.0 * pi * k / points)
            v = m["half_b"] * sin(2.0 * pi * k / points)
        if _away(m["x"] + c * u - s * v, m["y"] + s * u + c * v, corners, first, count) > reach + EPS:
            return False
    return True


@inner_kernel
def within_feature(models: Array, features: Array, corners: Array, i: int, traits: int) -> bool:
    """Whether model ``i`` is wholly within a feature with all of these traits."""
    m = models[i]
    for f in range(len(features)):
        if int(features[f]["traits"]) & traits == traits:
            if inside_polygon_at(
                models, i, m["x"], m["y"], m["facing"], corners, features[f]["first"], features[f]["count"]
            ):
                return True
    return False


@inner_kernel
def _open_to(models: Array, features: Array, corners: Array, rules: Array, f: int, j: int, trait: int) -> bool:
    """Whether feature ``f`` can give model ``j``, at its place, cover of the kind ``trait``."""
    traits = int(features[f]["traits"])
    if traits & trait == 0 or (traits & ONLY_INFANTRY != 0 and int(models[j]["keywords"]) & INFANTRY == 0):
        return False
    if traits & ONLY_NEAR == 0:
        return True
    return wholly_near(models, j, corners, features[f]["first"], features[f]["count"], rules[0]["cover_reach"])


@inner_kernel
def _shelters(models: Array, features: Array, corners: Array, rules: Array, j: int) -> bool:
    """Whether model ``j`` stands wholly within a feature that gives it cover."""
    m = models[j]
    for f in range(len(features)):
        if _open_to(models, features, corners, rules, f, j, WITHIN):
            first = features[f]["first"]
            if inside_polygon_at(models, j, m["x"], m["y"], m["facing"], corners, first, features[f]["count"]):
                return True
    return False


@inner_kernel
def drop_cover(models: Array, units: Array, e: int) -> None:
    """Take the Benefit of Cover from terrain from all models of unit ``e``."""
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        models[j]["flags"] = int(models[j]["flags"]) & ~COVERED


@inner_kernel
def _behind(
    models: Array, units: Array, features: Array, blocks: Array, corners: Array, a: int, e: int, near: Array
) -> int:
    """List in ``near`` the blocks between the units whose features give cover to models behind them."""
    xa, ya, ra, la, ha, _ = unit_disc(models, units, a)
    xe, ye, re, le, he, _ = unit_disc(models, units, e)
    if ra < 0.0 or re < 0.0:
        return 0
    count = 0
    for k in range(list_blockers(models, blocks, corridor(xa, ya, ra, la, ha, xe, ye, re, le, he), a, VEILS, near)):
        if near[k] >= 0 and int(features[blocks[near[k]]["feature"]]["traits"]) & BEHIND != 0:
            near[count] = near[k]
            count += 1
    return count


@inner_kernel
def _all_see_fully(
    models: Array, units: Array, blocks: Array, corners: Array, a: int, j: int, mine: Array, count: int,
    unsure: Array, T: Scratch,
) -> bool:  # fmt: skip
    """True if model ``j`` is fully visible past the listed blocks to all models of unit ``a``."""
    some = 0
    for o in range(member_count(units, a)):
        i = member(units, a, o)
        if stands_in(models, i, a):
            code = full_view_quickly(models, blocks, corners, i, j, NO_MODELS, mine, count)
            if code == 0:
                return False
            if code < 0:
                unsure[some] = i
                some += 1
    for o in range(some):
        if not full_view_at_length(models, blocks, corners, unsure[o], j, NO_MODELS, mine, count, T):
            return False
    return True


@inner_kernel
def _mark_cover(
    models: Array,
    units: Array,
    features: Array,
    blocks: Array,
    corners: Array,
    rules: Array,
    a: int,
    e: int,
    near: Array,
    count: int,
    mine: Array,
    unsure: Array,
    T: Scratch,
) -> int:
    """``take_cover``, with the rows of ``count`` blocks that may hide a model in ``near``."""
    covered = 0
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if not stands_in(models, j, e):
            continue
        has = _shelters(models, features, corners, rules, j)
        if not has and count > 0:
            some = 0
            feature = -1
            open_to = False
            for k in range(count):
                if blocks[near[k]]["feature"] != feature:
                    feature = blocks[near[k]]["feature"]
                    open_to = _open_to(models, features, corners, rules, feature, j, BEHIND)
                if open_to:
                    mine[some] = near[k]
                    some += 1
            has = some > 0 and not _all_see_fully(models, units, blocks, corners, a, j, mine, some, unsure, T)
        if has:
            models[j]["flags"] = int(models[j]["flags"]) | COVERED
            covered += 1
    return covered


@kernel
def take_cover(
    models: Array, units: Array, features: Array, blocks: Array, corners: Array, rules: Array, a: int, e: int
) -> int:
    """Flag the models of unit ``e`` that have the Benefit of Cover against ranged attacks of unit ``a``. Returns their
    number.

    A model has it if it is wholly within a feature of some types, or if a feature keeps it from being fully visible to
    a model of the attacking unit (terrain.cover.per-model, .all-attackers). Models do not block this view.
    """
    drop_cover(models, units, e)
    if len(features) == 0:
        return 0
    near = np.empty(len(blocks) + len(models), np.int32)
    mine = np.empty(len(blocks), np.int32)
    unsure = np.empty(len(models), np.int32)
    count = _behind(models, units, features, blocks, corners, a, e, near)
    room = scratch(corners, count)
    return _mark_cover(models, units, features, blocks, corners, rules, a, e, near, count, mine, unsure, room)


@inner_kernel
def plunges(models: Array, units: Array, features: Array, corners: Array, rules: Array, i: int, e: int) -> bool:
    """Whether ranged attacks of model ``i`` at unit ``e`` are fire from above (terrain.ruins.plunging-fire)."""
    if models[i]["z"] < rules[0]["plunging_height"] - EPS:
        return False
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if stands_in(models, j, e) and models[j]["z"] > EPS:
            return False
    return within_feature(models, features, corners, i, PLUNGING)
