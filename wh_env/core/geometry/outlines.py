"""Terrain that players lay out on the table: gaps between convex outlines, places where one more outline fits, and the
terrain tables in the end.

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

# the demands on the place of an outline, in inches; 0: no such demand
ROOM = np.dtype(
    [
        ("length", "f8"),  # of the table
        ("width", "f8"),
        ("lane", "f8"),  # must be left free along every edge of the table
        ("gap", "f8"),  # must be left free to the outlines that are marked
        ("middle", "f8"),  # it must lie across the line x = length / 2, at most this far from the table's centre
        ("marker", "f8"),  # its parts must be farther than this from the edge of an objective marker
        ("columns", "i4"),  # boards into which the table is divided along x
        ("rows", "i4"),  # and along y
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


@inner_kernel
def _largest_separation(a: Array, af: int, ac: int, b: Array, bf: int, bc: int, x: float, y: float) -> float:
    """The greatest distance in inches, over the edges of polygon ``a``, of polygon ``b`` (moved by (x, y)) from that
    edge, measured outwards; below 0 if they overlap.

    ``af``, ``ac``, ``bf``, ``bc``: first corner and number of corners of each.
    """
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
    """Distance in inches between the convex polygons ``a``, moved by (x, y), and ``b``; if they overlap, minus the
    depth of the overlap.
    """
    depth = max(_largest_separation(a, af, ac, b, bf, bc, -x, -y), _largest_separation(b, bf, bc, a, af, ac, x, y))
    if depth <= 0.0:
        return depth
    best = inf
    for k in range(af, af + ac):
        best = min(best, point_polygon_gap(a[k, 0] + x, a[k, 1] + y, b, bf, bc))
    for j in range(bf, bf + bc):
        best = min(best, point_polygon_gap(b[j, 0] - x, b[j, 1] - y, a, af, ac))
    return best


@inner_kernel
def _outline_fits(
    outline: Array,
    parts: Array,
    corners: Array,
    standing: Array,
    marked: Array,
    outlines: Array,
    objectives: Array,
    boards: Array,
    room: Array,
    x: float,
    y: float,
) -> bool:
    """Whether the outline can lie with its centre at (x, y); arguments as in ``room_mask``."""
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
    outline: Array,
    parts: Array,
    corners: Array,
    standing: Array,
    marked: Array,
    outlines: Array,
    objectives: Array,
    boards: Array,
    room: Array,
    x0: float,
    y0: float,
    step_x: float,
    step_y: float,
    grid: int,
    enough: int,
    mask: Array,
) -> int:
    """Mark the cells of a grid in which an outline can lie; returns how many. It stops when ``enough`` cells are
    marked.

    Cell ``row * grid + column`` is the centre ``(x0 + column * step_x, y0 + row * step_y)``.

    Args:
        outline: corners (n, 2) of the outline about its centre, turned as it will lie.
        parts, corners: its blocks from which objective markers keep a distance, turned in the same way.
        standing, outlines: features on the table and their corners; the outline may overlap none of them.
        marked: by feature, not 0 if ``room["gap"]`` must be kept from it.
        boards: by board, 1 if the outline's centre may lie in it.
        room: one row of ``ROOM``.
        mask: by cell, set to 0 or 1.
    """
    found = 0
    for c in range(grid * grid):
        x = x0 + (c % grid) * step_x
        y = y0 + (c // grid) * step_y
        mask[c] = 0
        if found < enough and _outline_fits(
            outline, parts, corners, standing, marked, outlines, objectives, boards, room, x, y
        ):
            mask[c] = 1
            found += 1
    return found


# ---------------------------------------------------------------- tables


def middle_of(feature: Array, corners: Array) -> tuple[float, float]:
    """The centre (x, y) of the bounding box of a feature's footprint."""
    outline = corners[feature["first"] : feature["first"] + feature["count"]]
    x, y = (outline.min(axis=0) + outline.max(axis=0)) / 2.0
    return float(x), float(y)


def laid_out(
    blocks: Array, corners: Array, features: Array, poses: Sequence[Pose | None]
) -> tuple[Array, Array, Array]:
    """The terrain tables (blocks, corners, features) with every feature moved; features without a pose are left out.

    Args:
        blocks, corners, features: tables in which the corners of a feature and of its blocks follow one another, as
            ``wh_env.content.w40k.terrain`` writes them.
        poses: for each feature, the place (x, y) of its middle and the angle by which it is turned, in radians; or
            ``None``.
    """
    all_blocks, all_corners, all_features = [blocks[:0]], [corners[:0]], [features[:0]]
    rows = points = 0
    for k, pose in enumerate(poses):
        if pose is None:
            continue
        feature, own_blocks = features[k : k + 1].copy(), blocks[blocks["feature"] == k].copy()
        first = feature["first"][0]
        last = max([first + feature["count"][0], *(own_blocks["first"] + own_blocks["count"])])
        own_corners = corners[first:last] - middle_of(feature[0], corners)
        x, y, angle = pose
        own_corners = own_corners @ np.array([(cos(angle), sin(angle)), (-sin(angle), cos(angle))]) + (x, y)
        feature["first"], feature["first_block"] = points, rows
        own_blocks["first"] += points - first
        own_blocks["feature"] = len(all_features) - 1
        for block in own_blocks:
            outline = own_corners[block["first"] - points : block["first"] - points + block["count"]]
            block["min_x"], block["min_y"] = outline.min(axis=0)
            block["max_x"], block["max_y"] = outline.max(axis=0)
        all_blocks.append(own_blocks)
        all_corners.append(own_corners)
        all_features.append(feature)
        rows += len(own_blocks)
        points += len(own_corners)
    tables = (np.concatenate(parts) for parts in (all_blocks, all_corners, all_features))
    placed_blocks, placed_corners, placed_features = (frozen(table) for table in tables)
    return placed_blocks, placed_corners, placed_features
