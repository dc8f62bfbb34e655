"""Terrain that is laid out on the table: gaps between convex outlines, where one more of them fits, and its tables there.

Polygons are convex, their corners counter-clockwise: ``corners[first : first + count]``, as in ``shapes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, sin, sqrt

import numpy as np

from wh_env.core.frozen import frozen
from wh_env.core.geometry.shapes import EPS, SLACK
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array

# What is asked of a place for an outline. Inches; a number of 0 asks nothing.
ROOM = np.dtype(
    [
        ("length", "f8"),  # of the table
        ("width", "f8"),
        ("lane", "f8"),  # left free along every edge of the table
        ("gap", "f8"),  # left free to the outlines that are marked so
        ("middle", "f8"),  # it must lie across the middle of the table, as near to its centre
        ("marker", "f8"),  # more than so far between its parts and the edge of an objective marker
        ("columns", "i4"),  # the table is divided into so many boards along x and y
        ("rows", "i4"),
    ],
    align=True,
)
Pose = tuple[float, float, float]


@kernel
def point_polygon_gap(x: float, y: float, corners: Array, first: int, count: int) -> float:
    """Distance in inches from the point (x, y) to a convex polygon; 0 inside it."""
    best = inf
    inside = True
    px = corners[first + count - 1, 0]
    py = corners[first + count - 1, 1]
    for k in range(first, first + count):
        dx = corners[k, 0] - px
        dy = corners[k, 1] - py
        if dx * (y - py) - dy * (x - px) < 0.0:
            inside = False
        along = ((x - px) * dx + (y - py) * dy) / (dx * dx + dy * dy)
        along = min(1.0, max(0.0, along))
        ex = x - px - along * dx
        ey = y - py - along * dy
        best = min(best, ex * ex + ey * ey)
        px += dx
        py += dy
    return 0.0 if inside else sqrt(best)


@kernel
def _apart(a: Array, af: int, ac: int, b: Array, bf: int, bc: int, x: float, y: float) -> float:
    """Largest distance of polygon ``b``, moved by (x, y), from an edge of polygon ``a``, measured outwards from it."""
    best = -inf
    px = a[af + ac - 1, 0]
    py = a[af + ac - 1, 1]
    for k in range(af, af + ac):
        dx = a[k, 0] - px
        dy = a[k, 1] - py
        size = sqrt(dx * dx + dy * dy)
        nearest = inf
        for j in range(bf, bf + bc):
            nearest = min(nearest, (dy * (b[j, 0] + x - px) - dx * (b[j, 1] + y - py)) / size)
        best = max(best, nearest)
        px += dx
        py += dy
    return best


@inner_kernel
def polygons_gap(a: Array, af: int, ac: int, x: float, y: float, b: Array, bf: int, bc: int) -> float:
    """Distance in inches between convex polygons ``a``, moved by (x, y), and ``b``; where they overlap, minus the depth."""
    depth = max(_apart(a, af, ac, b, bf, bc, -x, -y), _apart(b, bf, bc, a, af, ac, x, y))
    if depth <= 0.0:
        return depth
    best = inf
    for k in range(af, af + ac):
        best = min(best, point_polygon_gap(a[k, 0] + x, a[k, 1] + y, b, bf, bc))
    for j in range(bf, bf + bc):
        best = min(best, point_polygon_gap(b[j, 0] - x, b[j, 1] - y, a, af, ac))
    return best


@kernel
def _fits(
    outline: Array, parts: Array, corners: Array, standing: Array, marked: Array, outlines: Array, objectives: Array,
    boards: Array, room: Array, x: float, y: float,
) -> bool:  # fmt: skip
    """Whether the outline can lie with its centre at (x, y); see ``room_mask``."""
    r = room[0]
    lane = r["lane"] - EPS
    low = inf
    high = -inf
    for k in range(len(outline)):
        px = outline[k, 0] + x
        py = outline[k, 1] + y
        if px < lane or py < lane or px > r["length"] - lane or py > r["width"] - lane:
            return False
        low = min(low, px)
        high = max(high, px)
    if r["columns"] > 0:
        column = min(int(x / r["length"] * r["columns"]), r["columns"] - 1)
        row = min(int(y / r["width"] * r["rows"]), r["rows"] - 1)
        if boards[row * r["columns"] + column] == 0:
            return False
    if r["middle"] > 0.0:
        cx = r["length"] / 2.0
        if low >= cx or high <= cx:
            return False
        if point_polygon_gap(cx - x, r["width"] / 2.0 - y, outline, 0, len(outline)) > r["middle"] + EPS:
            return False
    for k in range(len(standing)):
        needed = r["gap"] - EPS if marked[k] else -SLACK
        if polygons_gap(outline, 0, len(outline), x, y, outlines, standing[k]["first"], standing[k]["count"]) < needed:
            return False
    if r["marker"] > 0.0:
        for o in range(len(objectives)):
            if objectives[o]["placed"] == 1:
                for k in range(len(parts)):
                    gap = point_polygon_gap(
                        objectives[o]["x"] - x, objectives[o]["y"] - y, corners, parts[k]["first"], parts[k]["count"]
                    )
                    if gap - objectives[o]["radius"] <= r["marker"] + EPS:
                        return False
    return True


@kernel
def room_mask(
    outline: Array, parts: Array, corners: Array, standing: Array, marked: Array, outlines: Array, objectives: Array,
    boards: Array, room: Array, x0: float, y0: float, step_x: float, step_y: float, grid: int, enough: int, mask: Array,
) -> int:  # fmt: skip
    """Mark the cells of a grid where an outline can lie; returns how many. It stops when there are ``enough``.

    Cell ``row * grid + column`` is the centre ``(x0 + column * step_x, y0 + row * step_y)``.

    Args:
        outline: corners (n, 2) of the outline about its centre, turned as it shall lie.
        parts, corners: its blocks that markers keep off, turned in the same way.
        standing, outlines: features that lie there, and their corners; none may overlap. marked: from which of them
            ``room["gap"]`` is kept (one number each).
        boards: 1 for each board that its centre may lie in.
        room: one row of ``ROOM``.
    """
    found = 0
    for c in range(grid * grid):
        x = x0 + (c % grid) * step_x
        y = y0 + (c // grid) * step_y
        mask[c] = 0
        if found < enough and _fits(
            outline, parts, corners, standing, marked, outlines, objectives, boards, room, x, y
        ):  # fmt: skip
            mask[c] = 1
            found += 1
    return found


# ---------------------------------------------------------------- tables


def middle_of(feature: Array, corners: Array) -> tuple[float, float]:
    """The middle of the box round the footprint of a feature."""
    outline = corners[feature["first"] : feature["first"] + feature["count"]]
    x, y = (outline.min(axis=0) + outline.max(axis=0)) / 2.0
    return float(x), float(y)


def laid_out(
    blocks: Array, corners: Array, features: Array, poses: Sequence[Pose | None]
) -> tuple[Array, Array, Array]:
    """Terrain tables with every feature moved: its middle to (x, y), turned by the angle; those without a pose left out.

    ``features[k]`` has the pose ``poses[k]``. The corners of a feature and of its blocks follow one another, as
    ``wh_env.content.w40k.terrain`` writes them.
    """
    kept_blocks, kept_corners, kept_features = [blocks[:0]], [corners[:0]], [features[:0]]
    rows = points = 0
    for k, pose in enumerate(poses):
        if pose is None:
            continue
        feature, mine = features[k : k + 1].copy(), blocks[blocks["feature"] == k].copy()
        first = feature["first"][0]
        last = max([first + feature["count"][0], *(mine["first"] + mine["count"])])
        own = corners[first:last] - middle_of(feature[0], corners)
        x, y, angle = pose
        own = own @ np.array([(cos(angle), sin(angle)), (-sin(angle), cos(angle))]) + (x, y)
        feature["first"], feature["first_block"] = points, rows
        mine["first"] += points - first
        mine["feature"] = len(kept_features) - 1
        for block in mine:
            outline = own[block["first"] - points : block["first"] - points + block["count"]]
            block["min_x"], block["min_y"] = outline.min(axis=0)
            block["max_x"], block["max_y"] = outline.max(axis=0)
        kept_blocks.append(mine)
        kept_corners.append(own)
        kept_features.append(feature)
        rows += len(mine)
        points += len(own)
    tables = (np.concatenate(kept) for kept in (kept_blocks, kept_corners, kept_features))
    placed_blocks, placed_corners, placed_features = (frozen(table) for table in tables)
    return placed_blocks, placed_corners, placed_features
