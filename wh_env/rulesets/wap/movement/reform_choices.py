"""Reforms that a unit can make: its files and facings (wap.move.reform, .manoeuvre.cap), and columns at narrow
passages.
"""

from __future__ import annotations

from math import inf, tau

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.joined import abreast, deepest, holds_bases
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.codes import COLUMN
from wh_env.rulesets.wap.movement.distances import FARTHEST
from wh_env.rulesets.wap.ways.poses import SAME, block_at, depth_of, front_width, lone, middle_of
from wh_env.rulesets.wap.ways.reform_ways import reform_ends, reform_files, reforms_into
from wh_env.rulesets.wap.ways.survey import survey
from wh_env.rulesets.wap.ways.ways import lane_ahead


def lawful(models: int, files: int) -> bool:
    """Whether ``models`` models in ``files`` files have no more ranks than files (wap.core.unit.rank-limit)."""
    return files <= models and -(-models // files) <= files


def narrowest(models: int) -> int:
    """The least lawful number of files for ``models`` models."""
    return next(files for files in range(1, models + 1) if lawful(models, files))


def way_for(g: BattleCore, unit: int) -> Way:
    """The obstacles that a reform of the unit may meet."""
    return survey(g, unit, within_reform(farthest(g, unit), front_width(g, unit)))


def within_reform(far: float, front: float) -> float:
    """Inches around the middle of a front edge, ``front`` inches wide, within which a reform may meet obstacles if no
    model goes farther than ``far``.
    """
    return 2.0 * far + front


def farthest(g: BattleCore, unit: int) -> float:
    """The cap in inches on how far a model goes in a reform (wap.move.manoeuvre.cap)."""
    return FARTHEST * movement_of(g, unit)


def narrow_lane(g: BattleCore, unit: int, files: int, behind: float, way: Way) -> float:
    """The greatest width in inches of a formation that passes the lane straight ahead of the unit. 0: there is no lane,
    or lawful formations fit it too. ``files``: those of the formation, ``behind``: inches behind its front where the
    lane begins.
    """
    u = g.units
    margin: float = 2.0 * g.setup.rules["one_inch"]
    if way[2] < 2:
        return 0.0
    pose = (u.x[unit], u.y[unit], u.facing[unit])
    cx, cy = middle_of(g, unit, *pose)
    x, y, _ = block_at(cx, cy, pose[2], depth_of(g, unit, files))
    lane = g.work.call(lane_ahead, way[0], way[1], way[2], x, y, pose[2], behind, farthest(g, unit))
    room: float = float(lane) - margin
    if not 0.0 < room < inf or front_width(g, unit, narrowest(u.block[unit])) <= room + 1e-9:
        return 0.0
    return room


def fits_lane(g: BattleCore, unit: int, files: int, way: Way) -> bool:
    """Whether a formation in ``files`` files, too few to be lawful, is allowed because of the lane ahead."""
    if way[2] < 2:
        return False  # there is no lane
    return front_width(g, unit, files) <= narrow_lane(g, unit, files, 0.0, way) + 1e-9


def facings(g: BattleCore, unit: int, files: int, way: Way, far: float, first: bool = False) -> int:
    """Mark in ``work.ways.facings`` the facings at which a reform into ``files`` files can end with no model more than
    ``far`` inches from its place. Returns how many; with ``first`` it stops at the first one.
    """
    room, setup = g.work.ways, g.setup
    marks = room.facings
    column = not lawful(g.units.block[unit], files)
    if column and not fits_lane(g, unit, files, way):
        marks[:] = False
        return 0
    found = int(
        g.work.call(
            reform_ends,
            g.models.rows,
            g.units.rows,
            unit,
            files,
            far,
            way,
            setup.length,
            setup.width,
            first or column,
            room.reforming,
            marks,
        )
    )
    if column:
        marks[:-1] = False  # a column keeps its facing, which was tried first
        found = int(marks[-1])
    return found


def within_cap(g: BattleCore, unit: int) -> Array:
    """For each facing (bool, the last slot for the present one): whether the unit can turn to it on the spot, in its
    formation, without a model going too far (wap.move.manoeuvre.cap). Obstacles are not looked at.
    """
    mark_within_cap(g, unit, first=False)
    marks: Array = g.work.ways.facings
    return marks


def keeps_facing(g: BattleCore, unit: int) -> bool:
    """``within_cap`` for the present facing alone."""
    mark_within_cap(g, unit, first=True)  # the present facing is tried first
    return bool(g.work.ways.facings[-1])


def mark_within_cap(g: BattleCore, unit: int, *, first: bool) -> None:
    """Write ``within_cap`` to ``work.ways.facings``; with ``first`` it stops at the first facing found."""
    room, setup, files = g.work.ways, g.setup, g.units.files[unit]
    g.work.call(
        reform_ends,
        g.models.rows,
        g.units.rows,
        unit,
        files,
        farthest(g, unit),
        room.empty,
        setup.length,
        setup.width,
        first,
        room.reforming,
        room.facings,
    )


def choices(g: BattleCore, unit: int, far: float = -1.0) -> list[int]:
    """The numbers of files into which the unit can reform with no model going farther than ``far`` inches; below 0:
    twice its Movement. A column that is past its narrow passage may only take lawful ones.
    """
    most = min(g.setup.space.numbers, g.units.block[unit])
    back = must_widen(g, unit)
    models, way, far = g.units.block[unit], way_for(g, unit), farthest(g, unit) if far < 0.0 else far
    heroes, deep = abreast(g, unit), deepest(g, unit)
    least = max(narrowest(models), heroes)
    largest = min(most, models // deep) if deep > 1 else most  # wap.character.base.multiple
    columns = (
        []
        if back
        else [n for n in range(max(1, heroes), min(least, largest + 1)) if facings(g, unit, n, way, far, first=True)]
    )
    if least > largest:
        return columns
    room, setup = g.work.ways, g.setup
    g.work.call(
        reform_files,
        g.models.rows,
        g.units.rows,
        unit,
        least,
        largest,
        far,
        way,
        setup.length,
        setup.width,
        room.reforming,
        room.facings,
        room.slots,
    )
    return columns + [n + 1 for n in room.slots.nonzero()[0].tolist()]


def can_reform(g: BattleCore, unit: int) -> bool:
    """Whether the unit can make any reform."""
    if lone(g, unit):  # a single model pivots instead
        return False
    return stays_formed(g, unit, farthest(g, unit), way_for(g, unit)) or bool(choices(g, unit))


def stays_formed(g: BattleCore, unit: int, far: float, way: Way) -> bool:
    """Whether the least of all reforms is possible: into the present files at the present facing, no model going
    farther than ``far`` inches. It nearly always is.
    """
    files, room, setup = g.units.files[unit], g.work.ways, g.setup
    if not lawful(g.units.block[unit], files) or not holds_bases(g, unit, files):
        return False
    found: bool = g.work.call(
        reforms_into, g.models.rows, g.units.rows, unit, files, far, way, setup.length, setup.width, room.reforming
    )
    return found


def can_change(g: BattleCore, unit: int, far: float) -> bool:
    """Whether a reform can change the unit's files or facing with no model going farther than ``far`` inches."""
    if lone(g, unit) or far <= 0.0:
        return False
    now, facing, angles = g.units.files[unit], g.units.facing[unit], g.setup.space.angles
    facings(g, unit, now, way_for(g, unit), far)
    turns = (slot * tau / angles - facing for slot in g.work.ways.facings[:-1].nonzero()[0].tolist())
    if any(abs(turn - tau * round(turn / tau)) > SAME for turn in turns):
        return True
    return any(files != now for files in choices(g, unit, far))


def must_widen(g: BattleCore, unit: int) -> bool:
    """Whether the unit is a column past its narrow passage that can go back to a lawful formation: that must be its
    next move (wap.core.unit.rank-limit-exception).
    """
    u = g.units
    models, files = u.block[unit], u.files[unit]
    if u.shape[unit] != COLUMN or lawful(models, files):
        return False
    way = way_for(g, unit)
    if narrow_lane(g, unit, files, depth_of(g, unit), way) > 0.0:
        return False
    most, far = min(g.setup.space.numbers, models), farthest(g, unit)
    return any(
        lawful(models, n) and holds_bases(g, unit, n) and facings(g, unit, n, way, far, first=True) > 0
        for n in range(1, most + 1)
    )


def facing_of(g: BattleCore, unit: int, slot: int) -> float:
    """The facing of a slot, radians: a direction on the table, or in the last slot (the number of angles) the unit's
    present facing.
    """
    angles = g.setup.space.angles
    return g.units.facing[unit] if slot == angles else slot * tau / angles
