"""Where a unit may be set up: grids of places over the zones, and the room at each place (wap.battle.deploy.spacing,
wap.scenario.battleline.deployment).
"""

from __future__ import annotations

from math import cos, hypot, sin, tau

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.features import Region
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.joined import abreast, joined_to, most_files
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.room import Grid, Land, away_mask, zone_mask
from wh_env.rulesets.wap.battle.scenarios import cited
from wh_env.rulesets.wap.codes import SCOUTS
from wh_env.rulesets.wap.deployment.divisions import Zone, ahead_of, division_of, side_of, zone_of
from wh_env.rulesets.wap.ways.poses import depth_of, front_width

EVERY = 1 << 20
FAR_ENOUGH = 12.0 + 2e-4  # inches of scouts from every enemy, more than 12 (wap.special.scouts.deploy)
SAME = 1e-6  # inches


def angle_of(g: BattleCore, slot: int) -> float:
    """The direction of an angle slot, radians."""
    return slot * tau / g.setup.space.angles


def is_scouting(g: BattleCore, unit: int) -> bool:
    """Whether a unit is deployed by the rule of scouts: last, and anywhere (wap.special.scouts.deploy)."""
    return bool(g.units.deployed[unit] & SCOUTS)


def place_to_deploy(g: BattleCore, unit: int) -> Zone:
    """The zone in which a unit that does not scout is deployed: the area that was rolled for it, if it has room there,
    else the whole zone.
    """
    division, side = division_of(g), side_of(g, g.units.owner[unit])
    area = g.units.area[unit]
    return division.areas[area - 1][side] if 0 < area <= len(division.areas) else division.zones[side]


def window(g: BattleCore, unit: int, cell: int = -1) -> tuple[float, float, float, float]:
    """The grid of places for the middle of the unit's front edge.

    It covers the unit's zone (for scouts the whole table) or, for ``cell`` >= 0, is a second grid over that cell. The
    foremost row lies on the front of the zone, so the grids of both sides are the same, turned by half a turn.

    Returns:
        The first place and the steps (x0, y0, step_x, step_y), inches.
    """
    player, grid = g.units.owner[unit], g.setup.space.grid
    scouting, side = is_scouting(g, unit), side_of(g, player)
    if scouting:
        left, right, low, high = 0.0, g.setup.length, 0.0, g.setup.width
    else:
        left, right, low, high = place_to_deploy(g, unit).bounds
    step_x, step_y = (right - left) / grid, (high - low) / grid
    x0, y0 = left + 0.5 * step_x, low + (0.0 if side else step_y)
    if division_of(g).lengthwise:
        x0, y0 = left + (0.0 if side else step_x), low + 0.5 * step_y
    if scouting:
        x0, y0 = 0.5 * step_x, 0.5 * step_y
    if cell < 0:
        return x0, y0, step_x, step_y
    fine_x, fine_y = step_x / (grid - 1), step_y / (grid - 1)
    x, y = x0 + (cell % grid) * step_x, y0 + (cell // grid) * step_y
    return x - grid // 2 * fine_x, y - grid // 2 * fine_y, fine_x, fine_y


def region(g: BattleCore, unit: int, cell: int = -1) -> Region:
    """The region that the grid of ``window`` covers."""
    return Region.of_grid(*window(g, unit, cell), g.setup.space.grid)


def place_of(g: BattleCore, unit: int, cell: int, fine: int = -1) -> tuple[float, float]:
    """(x, y) of a cell, or of cell ``fine`` of the second grid over ``cell``, inches."""
    x0, y0, step_x, step_y = window(g, unit, cell if fine >= 0 else -1)
    at, grid = fine if fine >= 0 else cell, g.setup.space.grid
    return x0 + (at % grid) * step_x, y0 + (at // grid) * step_y


def cells_for(
    g: BattleCore, unit: int, facing: float, files: int, cells: Array, coarse: int = -1, most: int = EVERY
) -> int:
    """Mark the cells of the zone where the unit has room, or those of the second grid over cell ``coarse``.

    Returns:
        The number of cells marked; the search may stop at ``most``.
    """
    setup, scouting, near = g.setup, is_scouting(g, unit), not is_scouting(g, unit) and strays(g, unit)
    zone = zone_of(g, g.units.owner[unit]) if scouting else place_to_deploy(g, unit).polygon
    grid = Grid(*window(g, unit, coarse), setup.space.grid)
    found = int(
        g.work.call(
            zone_mask,
            g.troops,
            Land(ground_to_stand_in(g, unit), setup.corners, setup.length, setup.width),
            table_of(g) if scouting else zone,
            unit,
            facing,
            files,
            setup.rules["one_inch"],
            grid,
            EVERY if scouting or near else most,
            g.work.block,
            cells,
        )
    )
    if near and found:
        return leave_nearest(g, unit, facing, files, coarse, cells)
    if not scouting:
        return found
    return int(
        g.work.call(
            away_mask,
            g.troops,
            zone,
            unit,
            facing,
            files,
            FAR_ENOUGH,
            grid,
            g.work.block,
            cells,
        )
    )


def strays(g: BattleCore, unit: int) -> bool:
    """Whether the area that was rolled for a unit has no room for it, so that it goes as near to the area as it has
    room (wap.scenario.dawn-attack.table).
    """
    return g.units.area[unit] > len(division_of(g).areas)


def leave_nearest(g: BattleCore, unit: int, facing: float, files: int, coarse: int, cells: Array) -> int:
    """Unmark all marked cells but those where the unit hangs least out of the area rolled for it; returns how many are
    left.
    """
    division, side = division_of(g), side_of(g, g.units.owner[unit])
    area = division.areas[g.units.area[unit] - len(division.areas) - 1][side].polygon
    marked = np.flatnonzero(cells)
    x0, y0, step_x, step_y = window(g, unit, coarse)
    xs, ys = x0 + marked % g.setup.space.grid * step_x, y0 + marked // g.setup.space.grid * step_y
    half, deep, c, s = 0.5 * front_width(g, unit, files), depth_of(g, unit, files), cos(facing), sin(facing)
    corners = [(-a * c - b * s, -a * s + b * c) for a in (0.0, deep) for b in (half, -half)]
    out = np.zeros(len(marked))
    for (ax, ay), (bx, by) in zip(np.roll(area, 1, axis=0).tolist(), area.tolist(), strict=True):
        size = hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / size, (ax - bx) / size
        reach = max(x * nx + y * ny for x, y in corners)
        out = np.maximum(out, (xs - ax) * nx + (ys - ay) * ny + reach)
    cells[marked] = out <= out.min() + SAME
    return int(np.count_nonzero(cells))


def table_of(g: BattleCore) -> Array:
    """The whole table as a polygon."""
    length, width = g.setup.length, g.setup.width
    return np.array([(0.0, 0.0), (length, 0.0), (length, width), (0.0, width)])


def has_room(g: BattleCore, unit: int, facing: float, files: int) -> bool:
    """Whether there is any place for the unit with this facing and number of files."""
    return cells_for(g, unit, facing, files, g.work.cells, most=1) > 0


def lawful_files(g: BattleCore, unit: int, files: int) -> bool:
    """Whether so many files make no more ranks than files (wap.core.unit.rank-limit), have room for the bases of
    characters in the unit, and make full ranks enough for them if any number does (wap.character.base.multiple).
    """
    models = g.units.block[unit]
    if files > models or -(-models // files) > files:
        return False
    return not joined_to(g, unit) or abreast(g, unit) <= files <= (most_files(g, unit) or models)


def usual(g: BattleCore, unit: int) -> tuple[float, int]:
    """Facing (radians) and files of a unit whose player is not asked: towards the enemy, in the files of its army list
    or the nearest number that has room; 0 files if none has.
    """
    facing = ahead_of(g, g.units.owner[unit])
    wide, most = g.units.wide[unit], g.setup.space.numbers
    others = (files for apart in range(wide + most) for files in dict.fromkeys((wide - apart, wide + apart)))
    for files in others:
        if 1 <= files <= most and lawful_files(g, unit, files) and has_room(g, unit, facing, files):
            return facing, files
    return facing, 0


def set_up(g: BattleCore, unit: int, x: float, y: float, facing: float, files: int) -> None:
    """Put the unit on the table."""
    u = g.units
    u.place[unit] = ON_TABLE
    set_block(g, unit, x, y, facing, files)
    if g.recorder is not None:
        told = {"place": (round(x, 2), round(y, 2)), "files": files, "facing": round(facing * 360.0 / tau)}
        g.note(cited(g).deployment, "deployed", unit=unit, **told)
