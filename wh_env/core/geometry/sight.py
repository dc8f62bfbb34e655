"""True line of sight between models: upright prisms among convex prisms of terrain and other models.

A model sees another if some straight line from any part of the one to any part of the other passes through no other
model and no solid block. Touching does not block. A view must have some width: a single free line is not enough.

How it is decided. In plan, every line runs in the corridor between the two outlines. In a frame whose x axis joins the
two centres, a line through a given point is one slope, and each blocker rules out an interval of slopes. If there are
free lines at all, some of them graze a corner of a blocker. So it is enough to look, at every corner of a blocker in
the corridor, for a slope that no interval covers. Blockers that are high (and low) enough to stop any line are decided
exactly like this, in plan. For the others, each remaining stretch of slopes is tried at its middle and its ends, and
the line is decided exactly in the vertical plane above it.

Footprints (``BLOCK["screen"]``) count among the blockers as prisms of endless height. A footprint of kind ``BLOCKS``
stops sight between models, but not from a model wholly within it, nor to a model partly within it. One of kind
``VEILS`` only keeps a model from being fully visible: a model wholly within it, and a model that is seen through or
over it from outside. Neither kind counts if one of the models has a keyword that the footprint spares. A footprint of
kind ``OBSCURES`` stops sight between models of which no part is over it, except to a model with a keyword that it
spares.

Approximations: round blockers are passed at 0.5 percent of their size; views narrower than ``GAP`` are not seen; where
the height decides, only the lines named above are tried; if outlines overlap in plan (one model above another), a fixed
set of lines is tried; past a footprint in which the observer stands partly, slopes are tried in ``SLICES`` steps.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from wh_env.core.geometry.corridor import (
    ACROSS,
    ASIDE,
    LOW,
    OUTSIDE,
    PASSED,
    TINY,
    TOTAL,
    Corridor,
    between,
    clip_model,
    clip_polygon,
    judge_block,
    judge_model,
    line_free,
    list_blockers,
    may_block,
    meets,
    put_block,
    put_model,
)
from wh_env.core.geometry.shapes import (
    gap,
    inside_polygon_at,
    polygon_overlap_at,
)
from wh_env.core.geometry.slope_lines import Scratch, scratch
from wh_env.core.geometry.slopes import all_facing_free, any_free
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

VEILS, BLOCKS, OBSCURES = 1, 2, 3  # values of BLOCK["screen"]; 0: the block is no footprint
MANY = 3  # from this many pairs on, the discs round them are judged first
NO_MODELS = 2  # as `through_unit` of `fully_visible`: models do not block sight


@kernel
def wholly_within(models: Array, blocks: Array, corners: Array, i: int, k: int) -> bool:
    """Whether the whole base of model ``i`` lies in the outline of block ``k``, heights ignored."""
    m = models[i]
    b = blocks[k]
    if m["x"] < b["min_x"] or m["x"] > b["max_x"] or m["y"] < b["min_y"] or m["y"] > b["max_y"]:
        return False
    return inside_polygon_at(models, i, m["x"], m["y"], m["facing"], corners, b["first"], b["count"])


@kernel
def _screens(models: Array, blocks: Array, corners: Array, k: int, i: int, j: int) -> bool:
    """Whether footprint ``k``, which the caller has found on the way, hides model ``j`` from model ``i``: by its kind,
    the keywords that it spares, and which of the two stand in it.

    Does not test that it lies between them.
    """
    b = blocks[k]
    p = models[i]
    q = models[j]
    if b["screen"] == OBSCURES:
        if q["keywords"] & b["spares"] != 0:
            return False
        if polygon_overlap_at(models, i, p["x"], p["y"], p["facing"], corners, b["first"], b["count"]):
            return False
        return not polygon_overlap_at(models, j, q["x"], q["y"], q["facing"], corners, b["first"], b["count"])
    if (p["keywords"] | q["keywords"]) & b["spares"] != 0 or wholly_within(models, blocks, corners, i, k):
        return False
    if b["screen"] == VEILS:
        return True
    return not polygon_overlap_at(models, j, q["x"], q["y"], q["facing"], corners, b["first"], b["count"])


@inner_kernel
def _gather(
    S: Array,
    V: Array,
    models: Array,
    blocks: Array,
    corners: Array,
    c: Corridor,
    i: int,
    j: int,
    through: int,
    near: Array,
    count: int,
    least: int,
) -> int:
    """Fill the shape table ``S`` with the observer (row 0), the target (row 1) and the blockers of ``near`` that are
    judged ``least`` or worse. Returns the number of rows.

    Args:
        V: the table of corners. c: the corridor from model ``i`` to model ``j``. through: as in ``corridor.may_block``.
            near, count: as ``corridor.list_blockers`` lists them.
    """
    at = put_model(S, V, 0, 0, c, models, i)
    at = put_model(S, V, 1, at, c, models, j)
    n = 2
    for o in range(count):
        k = near[o]
        if k >= 0:
            screen = blocks[k]["screen"] != 0
            if judge_block(blocks, corners, k, c, 0.0) >= least and (
                not screen or _screens(models, blocks, corners, k, i, j)
            ):
                at = put_block(S, V, n, at, c, blocks, corners, k)
                n += 1
        elif may_block(models, -1 - k, i, j, through) and judge_model(models, -1 - k, c) >= least:
            at = put_model(S, V, n, at, c, models, -1 - k)
            n += 1
    return n


@inner_kernel
def _sees_if_stacked(models: Array, blocks: Array, corners: Array, i: int, j: int, through: int) -> bool:
    """Whether model ``i`` sees model ``j`` although their outlines overlap in plan (one stands above the other). A
    fixed set of lines is tried.
    """
    p = models[i]
    q = models[j]
    low = max(p["z"], q["z"])
    high = min(p["z"] + p["height"], q["z"] + q["height"])
    if low <= high:
        return True
    # from the underside of the upper one to the top of the lower one
    zi = high if p["z"] < q["z"] else low
    zj = low if p["z"] < q["z"] else high
    for k in range(9):
        for o in range(9):
            ri = 0.0 if k == 8 else 1.0
            rj = 0.0 if o == 8 else 1.0
            a = 0.25 * pi * k
            b = 0.25 * pi * o
            ax = p["x"] + ri * min(p["half_a"], p["half_b"]) * cos(a)
            ay = p["y"] + ri * min(p["half_a"], p["half_b"]) * sin(a)
            bx = q["x"] + rj * min(q["half_a"], q["half_b"]) * cos(b)
            by = q["y"] + rj * min(q["half_a"], q["half_b"]) * sin(b)
            if line_free(models, blocks, corners, i, j, through, ax, ay, zi, bx, by, zj):
                return True
    return False


@inner_kernel
def _overlap_in_plan(models: Array, i: int, j: int, c: Corridor) -> bool:
    """Whether the outlines of models ``i`` and ``j`` touch or overlap in plan."""
    return c.length <= c.ri + c.rj and gap(models, i, j) <= TINY


@inner_kernel
def _worst_blocker(
    models: Array, blocks: Array, corners: Array, c: Corridor, i: int, j: int, through: int, near: Array, count: int
) -> tuple[int, bool]:
    """The worst that a blocker of ``near`` does to the pair (``OUTSIDE`` to ``TOTAL``), and whether a line may pass
    under a blocker that matters.

    A blocker that is ``TOTAL`` is moved to the front of ``near``, because it often hides the next model too.
    """
    worst = OUTSIDE
    floating = False
    ground = min(c.bi, c.bj)
    for o in range(count):
        k = near[o]
        if k >= 0:
            screen = blocks[k]["screen"] != 0
            # a model may stand partly in a footprint: only a chord clear of both parts the pair
            code = judge_block(blocks, corners, k, c, 1.0 if screen else 0.0)
            if screen and code != OUTSIDE and not _screens(models, blocks, corners, k, i, j):
                continue
            low = blocks[k]["z_low"]
        else:
            k = -1 - k
            if not may_block(models, k, i, j, through):
                continue
            code = judge_model(models, k, c)
            low = models[k]["z"]
        worst = max(worst, code)
        if code == TOTAL:
            # what hides one model often hides the next
            near[0], near[o] = near[o], near[0]
            break
        if code >= ASIDE and low > ground:
            floating = True
    return worst, floating


# ---- models and units


@inner_kernel
def _sees_along_sides(
    models: Array, blocks: Array, corners: Array, c: Corridor, i: int, j: int, near: Array, count: int
) -> bool:
    """Whether one of two lines along the sides of the corridor, from top to top, clears all blockers of ``near``."""
    ri = 0.9 * min(models[i]["half_a"], models[i]["half_b"])
    rj = 0.9 * min(models[j]["half_a"], models[j]["half_b"])
    for side in range(-1, 2, 2):
        ax = c.ox - side * ri * c.uy
        ay = c.oy + side * ri * c.ux
        bx = c.ox + c.ux * c.length - side * rj * c.uy
        by = c.oy + c.uy * c.length + side * rj * c.ux
        free = True
        for o in range(count):
            k = near[o]
            if k >= 0:
                b = blocks[k]
                t0, t1 = clip_polygon(corners, b["first"], b["count"], ax, ay, bx, by)
                if meets(t0, t1, c.ti, c.tj, b["z_low"], b["z_high"]) and (
                    b["screen"] == 0 or _screens(models, blocks, corners, k, i, j)
                ):
                    free = False
                    break
            elif may_block(models, -1 - k, i, j, 0):
                m = models[-1 - k]
                t0, t1 = clip_model(models, -1 - k, ax, ay, bx, by)
                if meets(t0, t1, c.ti, c.tj, m["z"], m["z"] + m["height"]):
                    free = False
                    break
        if free:
            return True
    return False


@inner_kernel
def _sees_if_simple(models: Array, blocks: Array, corners: Array, i: int, j: int, near: Array, count: int) -> int:
    """1 if model ``i`` sees model ``j``, 0 if it does not, -1 if only ``_sees_by_search`` can tell."""
    c = between(models, i, j)
    if _overlap_in_plan(models, i, j, c):
        return int(_sees_if_stacked(models, blocks, corners, i, j, 0))
    worst, _floating = _worst_blocker(models, blocks, corners, c, i, j, 0, near, count)
    if worst < ACROSS:
        return 1
    return 0 if worst == TOTAL else -1


@inner_kernel
def _sees_by_search(
    models: Array, blocks: Array, corners: Array, i: int, j: int, near: Array, count: int, T: Scratch
) -> bool:
    """Whether model ``i`` sees model ``j``, for pairs that ``_sees_if_simple`` cannot decide. ``T``: scratch."""
    c = between(models, i, j)
    _worst, floating = _worst_blocker(models, blocks, corners, c, i, j, 0, near, count)
    # things lower than both tops matter only where a line must stoop under something
    least = PASSED if floating else ASIDE
    n = _gather(T.S, T.V, models, blocks, corners, c, i, j, 0, near, count, least)
    return any_free(T, n, c, floating)


@kernel
def sees(models: Array, units: Array, blocks: Array, corners: Array, i: int, j: int) -> bool:
    """Whether any part of model ``j`` is visible from any part of model ``i``. Models of the observer's unit do not
    block. Their distance does not matter.
    """
    near = np.empty(len(blocks) + len(models), np.int32)
    c = between(models, i, j)
    count = list_blockers(models, blocks, c, models[i]["unit"], BLOCKS, near)
    code = _sees_if_simple(models, blocks, corners, i, j, near, count)
    if code >= 0:
        return code == 1
    if _sees_along_sides(models, blocks, corners, c, i, j, near, count):
        return True
    return _sees_by_search(models, blocks, corners, i, j, near, count, scratch(corners, count))


@kernel
def fully_visible(
    models: Array, units: Array, blocks: Array, corners: Array, i: int, j: int, through_unit: int
) -> bool:
    """Whether every part of model ``j`` that faces model ``i`` can be seen from some part of ``i``.

    The facing side is sampled: a round base every 5 degrees, at its bottom, and if blockers hang above the ground also
    at half its height and at its top.

    ``through_unit``: 1: the other models of j's unit do not block; ``NO_MODELS``: no model blocks; 0: all do.
    """
    c = between(models, i, j)
    near = np.empty(len(blocks) + len(models), np.int32)
    count = list_blockers(models, blocks, c, models[i]["unit"], VEILS, near)
    for o in range(count):
        k = near[o]
        if k >= 0 and blocks[k]["screen"] == VEILS and wholly_within(models, blocks, corners, j, k):
            if (models[i]["keywords"] | models[j]["keywords"]) & blocks[k]["spares"] == 0:
                return False
    code = full_view_quickly(models, blocks, corners, i, j, through_unit, near, count)
    if code >= 0:
        return code == 1
    return full_view_at_length(models, blocks, corners, i, j, through_unit, near, count, scratch(corners, count))


@inner_kernel
def full_view_quickly(
    models: Array, blocks: Array, corners: Array, i: int, j: int, through_unit: int, near: Array, count: int
) -> int:
    """``fully_visible`` as far as the blockers of ``near`` decide it: 1 yes, 0 no, -1 if only ``full_view_at_length``
    can tell.
    """
    c = between(models, i, j)
    if _overlap_in_plan(models, i, j, c):
        return int(_sees_if_stacked(models, blocks, corners, i, j, through_unit))
    worst, _floating = _worst_blocker(models, blocks, corners, c, i, j, through_unit, near, count)
    if worst == OUTSIDE:
        return 1
    return 0 if worst == TOTAL else -1


@inner_kernel
def full_view_at_length(
    models: Array, blocks: Array, corners: Array, i: int, j: int, through_unit: int, near: Array, count: int, T: Scratch
) -> bool:
    """``fully_visible`` as far as the blockers of ``near`` decide it, for pairs that ``full_view_quickly`` cannot
    decide. ``T``: scratch.
    """
    c = between(models, i, j)
    n = _gather(T.S, T.V, models, blocks, corners, c, i, j, through_unit, near, count, PASSED)
    floating = False
    for r in range(2, n):
        floating = floating or T.S[r, LOW] > min(c.bi, c.bj)
    return all_facing_free(T, n, c, floating)
