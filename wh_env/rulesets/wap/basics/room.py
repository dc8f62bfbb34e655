"""Whether a block has room at a pose: on the table, a margin away from other units and impassable ground, in a zone.

``block`` is scratch memory: the rectangles of the block at the pose.
"""

from __future__ import annotations

from math import cos, hypot, sin, sqrt
from typing import NamedTuple

from wh_env.core.geometry.rects import rect_gap
from wh_env.core.geometry.shapes import (
    EPS,
    inside_polygon_at,
    inside_table_at,
    polygon_gap_at,
    polygon_overlap_at,
)
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import block_parts, part_gap, signed_gap
from wh_env.rulesets.wap.codes import IMPASSABLE
from wh_env.rulesets.wap.tables import PARTS, Troops

Spots = tuple[float, float, float, float]  # inches, one for each rectangle of a block


class Grid(NamedTuple):
    """Cells in rows, ``side`` of each: cell ``row * side + column`` is the place ``(x0 + column * step_x, y0 + row *
    step_y)``, inches.
    """

    x0: float
    y0: float
    step_x: float
    step_y: float
    side: int


class Land(NamedTuple):
    """The table: pieces of ground on it, their corners, and its size in inches."""

    ground: Array
    corners: Array
    length: float
    width: float


@inner_kernel
def gap_now(parts: Array, units: Array, u: int, q: Array) -> float:
    """Inches from unit ``u``, where it stands, to rectangle ``q``; if they overlap, minus the depth."""
    best = float("inf")
    for k in range(units[u]["first_part"], units[u]["first_part"] + PARTS):
        if parts[k]["on_table"] == 1:
            best = min(best, signed_gap(parts[k], q))
    return best


@inner_kernel
def is_crowded(parts: Array, units: Array, u: int, p: Array, q: Array, margin: float) -> bool:
    """Whether rectangle ``q`` of another unit is nearer than ``margin`` to rectangle ``p`` of the block, and nearer
    than to the unit where it stands now (wap.move.one-inch: a unit that is already nearer may leave).
    """
    if hypot(p["x"] - q["x"], p["y"] - q["y"]) >= p["radius"] + q["radius"] + margin:
        return False
    apart = signed_gap(p, q)
    return bool(apart < margin - EPS and apart < gap_now(parts, units, u, q) - EPS)


@inner_kernel
def ground_now(parts: Array, units: Array, corners: Array, u: int, first: int, count: int) -> float:
    """Inches from unit ``u``, where it stands, to the convex polygon ``corners[first : first + count]``."""
    best = float("inf")
    for k in range(units[u]["first_part"], units[u]["first_part"] + PARTS):
        p = parts[k]
        if p["on_table"] == 1:
            best = min(best, rect_gap(p["x"], p["y"], p["facing"], p["half_a"], p["half_b"], corners, first, count))
    return best


@inner_kernel
def clear_of_units(parts: Array, units: Array, u: int, block: Array, margin: float) -> bool:
    """Whether no other unit is too near to the block (``is_crowded``)."""
    for k in range(len(parts)):
        q = parts[k]
        if q["on_table"] == 0 or q["unit"] == u:
            continue
        for n in range(PARTS):
            if block[n]["on_table"] == 1 and is_crowded(parts, units, u, block[n], q, margin):
                return False
    return True


@inner_kernel
def clear_of_ground(
    parts: Array, units: Array, ground: Array, corners: Array, u: int, block: Array, margin: float
) -> bool:
    """Whether no impassable ground is too near to the block: nearer than ``margin``, and than to the unit now
    (wap.terrain.impassable.no-entry).
    """
    for b in range(len(ground)):
        piece = ground[b]
        if piece["passage"] != IMPASSABLE:
            continue
        first = piece["first"]
        count = piece["count"]
        for n in range(PARTS):
            p = block[n]
            if p["on_table"] == 0:
                continue
            apart = rect_gap(p["x"], p["y"], p["facing"], p["half_a"], p["half_b"], corners, first, count)
            if apart < margin - EPS and apart < ground_now(parts, units, corners, u, first, count) - EPS:
                return False
    return True


@inner_kernel
def on_the_table(block: Array, length: float, width: float) -> bool:
    """Whether the whole block is on a table of ``length`` by ``width`` inches."""
    for n in range(PARTS):
        p = block[n]
        if p["on_table"] == 1 and not inside_table_at(block, n, p["x"], p["y"], p["facing"], length, width):
            return False
    return True


@inner_kernel
def in_zone(block: Array, zone: Array) -> bool:
    """Whether the whole block lies in the convex polygon ``zone`` (n x 2)."""
    for n in range(PARTS):
        p = block[n]
        if p["on_table"] == 1 and not inside_polygon_at(block, n, p["x"], p["y"], p["facing"], zone, 0, len(zone)):
            return False
    return True


@kernel
def may_stand(
    troops: Troops,
    ground: Array,
    corners: Array,
    length: float,
    width: float,
    u: int,
    x: float,
    y: float,
    f: float,
    files: int,
    margin: float,
    block: Array,
) -> bool:
    """Whether unit ``u`` has room with the middle of its front edge at (x, y), facing ``f``, in ``files`` files.
    Overwrites ``block``.
    """
    units, parts = troops.units, troops.parts
    block_parts(units, u, x, y, f, files, block, 0)
    return (
        on_the_table(block, length, width)
        and clear_of_units(parts, units, u, block, margin)
        and clear_of_ground(parts, units, ground, corners, u, block, margin)
    )


@inner_kernel
def half_across(p: Array, c: float, s: float, dx: float, dy: float) -> float:
    """Half the extent in inches of rectangle ``p``, which faces along (c, s), along the unit vector (dx, dy)."""
    return float(p["half_a"] * abs(c * dx + s * dy) + p["half_b"] * abs(c * dy - s * dx))


@inner_kernel
def leave_in_zone(
    block: Array,
    c: float,
    s: float,
    ahead: Spots,
    aside: Spots,
    x0: float,
    y: float,
    step: float,
    zone: Array,
    length: float,
    width: float,
    cells: Array,
) -> None:
    """Unmark cells of a line (``cells``, bool, ``step`` inches apart from x0 at height y) where the block, facing along
    (c, s), is not in the convex polygon ``zone`` and on the table. ``ahead``, ``aside``: x and y of its rectangles from
    the cell.
    """
    for n in range(PARTS):
        if block[n]["on_table"] == 0:
            continue
        py = y + aside[n]
        across = half_across(block[n], c, s, 1.0, 0.0) - EPS
        up = half_across(block[n], c, s, 0.0, 1.0) - EPS
        fine = up <= py <= width - up
        for k in range(len(cells)):
            px = x0 + k * step + ahead[n]
            cells[k] = cells[k] and fine and across <= px <= length - across
        ax, ay = zone[len(zone) - 1, 0], zone[len(zone) - 1, 1]
        for corner in range(len(zone)):
            bx, by = zone[corner, 0], zone[corner, 1]
            nx = by - ay
            ny = ax - bx
            size = sqrt(nx * nx + ny * ny)
            if size > 0.0:
                nx /= size
                ny /= size
                far = half_across(block[n], c, s, nx, ny)
                for k in range(len(cells)):
                    px = x0 + k * step + ahead[n]
                    cells[k] = cells[k] and (px - ax) * nx + (py - ay) * ny + far <= EPS
            ax, ay = bx, by


@inner_kernel
def is_beside(block: Array, aside: Spots, y: float, q: Array, margin: float) -> bool:
    """Whether rectangle ``q`` may be too near to the block at some cell of the line at height ``y``."""
    for n in range(PARTS):
        p = block[n]
        if p["on_table"] == 1 and abs(y + aside[n] - q["y"]) < p["radius"] + q["radius"] + margin:
            return True
    return False


@inner_kernel
def leave_clear(
    troops: Troops,
    u: int,
    block: Array,
    c: float,
    s: float,
    ahead: Spots,
    aside: Spots,
    x0: float,
    y: float,
    step: float,
    margin: float,
    cells: Array,
) -> None:
    """Unmark cells of a line (see ``leave_in_zone``) where the block is not ``clear_of_units``. Most cells are settled
    by the gap between two rectangles across a side of either.
    """
    units, parts = troops.units, troops.parts
    for o in range(len(parts)):
        q = parts[o]
        if q["on_table"] == 0 or q["unit"] == u or not is_beside(block, aside, y, q, margin):
            continue
        cq = cos(q["facing"])
        sq = sin(q["facing"])
        turned_c = abs(c * cq + s * sq)
        turned_s = abs(c * sq - s * cq)
        lies_on = gap_now(parts, units, u, q) < 0.0  # an overlapping unit may stay so: ``is_crowded`` decides
        for n in range(PARTS):
            p = block[n]
            if p["on_table"] == 0:
                continue
            p["y"] = y + aside[n]
            if abs(p["y"] - q["y"]) >= p["radius"] + q["radius"] + margin:
                continue
            own_a = p["half_a"] + q["half_a"] * turned_c + q["half_b"] * turned_s
            own_b = p["half_b"] + q["half_a"] * turned_s + q["half_b"] * turned_c
            its_a = q["half_a"] + p["half_a"] * turned_c + p["half_b"] * turned_s
            its_b = q["half_b"] + p["half_a"] * turned_s + p["half_b"] * turned_c
            dy = q["y"] - p["y"]
            for k in range(len(cells)):
                if not cells[k]:
                    continue
                p["x"] = x0 + k * step + ahead[n]
                dx = q["x"] - p["x"]
                apart = max(
                    max(abs(c * dx + s * dy) - own_a, abs(c * dy - s * dx) - own_b),
                    max(abs(cq * dx + sq * dy) - its_a, abs(cq * dy - sq * dx) - its_b),
                )
                if apart < -EPS and not lies_on:
                    cells[k] = False
                elif apart < margin:
                    cells[k] = not is_crowded(parts, units, u, p, q, margin)


@kernel
def zone_mask(
    troops: Troops,
    land: Land,
    zone: Array,
    u: int,
    f: float,
    files: int,
    margin: float,
    grid: Grid,
    most: int,
    block: Array,
    mask: Array,
) -> int:
    """Mark in ``mask`` (bool, by cell of ``grid``) the middles of the front edge where unit ``u`` may be set up,
    at most ``most`` cells. Returns how many.
    """
    units, parts = troops.units, troops.parts
    ground, corners, length, width = land
    x0, y0, step_x, step_y, side = grid
    found = 0
    block_parts(units, u, 0.0, 0.0, f, files, block, 0)  # every cell only shifts this block
    c = cos(f)
    s = sin(f)
    ahead = (block[0]["x"], block[1]["x"], block[2]["x"], block[3]["x"])
    aside = (block[0]["y"], block[1]["y"], block[2]["y"], block[3]["y"])
    for line in range(side):
        y = y0 + line * step_y
        cells = mask[line * side : (line + 1) * side]
        for k in range(side):
            cells[k] = found < most
        if found == most:
            continue
        leave_in_zone(block, c, s, ahead, aside, x0, y, step_x, zone, length, width, cells)
        if not cells.any():
            continue
        leave_clear(troops, u, block, c, s, ahead, aside, x0, y, step_x, margin, cells)
        for k in range(side):
            if not cells[k]:
                continue
            for n in range(PARTS):
                block[n]["x"] = x0 + k * step_x + ahead[n]
                block[n]["y"] = y + aside[n]
            cells[k] = found < most and clear_of_ground(parts, units, ground, corners, u, block, margin)
            found += cells[k]
    return found


@kernel
def away_mask(
    troops: Troops,
    zone: Array,
    u: int,
    f: float,
    files: int,
    apart: float,
    grid: Grid,
    block: Array,
    mask: Array,
) -> int:
    """Unmark cells of ``zone_mask`` where the unit is neither in the zone nor at least ``apart`` inches from all
    enemies. Returns how many are left.
    """
    units, parts = troops.units, troops.parts
    x0, y0, step_x, step_y, side = grid
    found = 0
    for cell in range(side * side):
        if not mask[cell]:
            continue
        block_parts(units, u, x0 + (cell % side) * step_x, y0 + (cell // side) * step_y, f, files, block, 0)
        fine = True
        for k in range(len(parts)):
            q = parts[k]
            if q["on_table"] == 0 or q["owner"] == units[u]["owner"]:
                continue
            for n in range(PARTS):
                if block[n]["on_table"] == 1 and part_gap(block[n], q) < apart:
                    fine = False
        if fine or in_zone(block, zone):
            found += 1
        else:
            mask[cell] = False
    return found


@kernel
def in_rock(parts: Array, units: Array, ground: Array, corners: Array, u: int) -> bool:
    """Whether unit ``u`` overlaps impassable ground."""
    for b in range(len(ground)):
        piece = ground[b]
        if piece["passage"] != IMPASSABLE:
            continue
        for k in range(units[u]["first_part"], units[u]["first_part"] + PARTS):
            p = parts[k]
            if p["on_table"] == 1 and polygon_overlap_at(
                parts, k, p["x"], p["y"], p["facing"], corners, piece["first"], piece["count"]
            ):
                return True
    return False


@kernel
def feature_distance(parts: Array, units: Array, ground: Array, corners: Array, u: int, feature: int) -> float:
    """Inches between unit ``u`` and a terrain feature: 0 if they touch or overlap, inf if the unit is not on
    the table.
    """
    best = float("inf")
    for b in range(len(ground)):
        piece = ground[b]
        if piece["feature"] != feature:
            continue
        for k in range(units[u]["first_part"], units[u]["first_part"] + PARTS):
            p = parts[k]
            if p["on_table"] == 1:
                gap = polygon_gap_at(parts, k, p["x"], p["y"], p["facing"], corners, piece["first"], piece["count"])
                best = min(best, gap)
    return best
