"""Reforms: new files and a new facing about the centre (wap.move.reform, .manoeuvre.cap), and columns at narrow passages.

Whichever model takes which place (the cap asks for the assignment that keeps the largest displacement smallest), command models aside, who stand in the
middle of the new front for this question however far that is (wap.command.position.reform). More ranks than files are offered only where the lane straight ahead, an inch kept to either side, is narrower
than the narrowest formation otherwise allowed, and for files that fit it; the facing stays (wap.core.unit.rank-limit-exception).
"""

from __future__ import annotations

from math import inf, tau

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import DecisionKind
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import derive, set_block
from wh_env.rulesets.wap.basics.joined import deepest, is_too_wide, joined_to
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.codes import COLUMN, MOVED, RANKS, REFORMED, SKIRMISH
from wh_env.rulesets.wap.commands.places import choose_places
from wh_env.rulesets.wap.movement.going import FARTHEST, FIRST_REFORM, NO_REFORM, SAME, MoveFrame, cap_of, lone, offer
from wh_env.rulesets.wap.movement.plans import begin
from wh_env.rulesets.wap.special.light_troops import free_reform_of
from wh_env.rulesets.wap.ways.poses import block_at, degrees, depth_of, front_width, middle_of
from wh_env.rulesets.wap.ways.reform_ways import reform_cost, reform_ends, reform_files, reforms_into
from wh_env.rulesets.wap.ways.survey import Way, survey
from wh_env.rulesets.wap.ways.ways import lane_ahead


def lawful(models: int, files: int) -> bool:
    """Whether so many files make no more ranks than files (wap.core.unit.rank-limit)."""
    return files <= models and -(-models // files) <= files


def narrowest(models: int) -> int:
    """The least files that are lawful."""
    return next(files for files in range(1, models + 1) if lawful(models, files))


def way_for(g: BattleCore, unit: int) -> Way:
    """What a reform of the unit may meet: everything within the reach of its models."""
    return survey(g, unit, within_reform(farthest(g, unit), front_width(g, unit)))


def within_reform(far: float, front: float) -> float:
    """Inches from the middle of a front edge so many inches wide within which a reform may meet anything, no model going farther than ``far``."""
    return 2.0 * far + front


def farthest(g: BattleCore, unit: int) -> float:
    """Inches that no model of the unit goes beyond in a reform (wap.move.manoeuvre.cap)."""
    return FARTHEST * movement_of(g, unit)


def narrow_lane(g: BattleCore, unit: int, files: int, behind: float, way: Way) -> float:
    """Inches that a formation may be wide to pass the lane straight ahead of the unit in so many files, from ``behind`` its front on; 0: there is none, or
    none too narrow for lawful formations."""
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
    """Whether so many files, too few otherwise, are allowed because of the lane ahead."""
    if way[2] < 2:
        return False  # there is no lane
    return front_width(g, unit, files) <= narrow_lane(g, unit, files, 0.0, way) + 1e-9


def facings(g: BattleCore, unit: int, files: int, way: Way, far: float, first: bool = False) -> int:
    """Mark in ``work.ways.facings`` those in which a reform into so many files can end, no model ``far`` inches from its place; returns how many, one is enough
    if ``first``."""
    room, setup = g.work.ways, g.setup
    marks = room.facings
    column = not lawful(g.units.block[unit], files)
    if column and not fits_lane(g, unit, files, way):
        marks[:] = False
        return 0
    found = int(
        g.work.call(
            reform_ends, g.models.rows, g.units.rows, unit, files, far, way[0], way[1], way[2], setup.length, setup.width,
            first or column, room.other, room.old, room.new, room.links, room.work, marks,
        )
    )  # fmt: skip
    if column:
        marks[:-1] = False  # the one that it has comes first
        found = int(marks[-1])
    return found


def within_cap(g: BattleCore, unit: int) -> Array:
    """For each facing (bool), the last one that which the unit has: whether no model goes too far when it turns on the spot as it is formed
    (wap.move.manoeuvre.cap), whatever is in the way."""
    mark_within_cap(g, unit, first=False)
    marks: Array = g.work.ways.facings
    return marks


def keeps_facing(g: BattleCore, unit: int) -> bool:
    """The same of the facing which it has."""
    mark_within_cap(g, unit, first=True)  # that one comes first
    return bool(g.work.ways.facings[-1])


def mark_within_cap(g: BattleCore, unit: int, *, first: bool) -> None:
    """Mark those facings in ``work.ways.facings``; one is enough if ``first``."""
    room, setup, files = g.work.ways, g.setup, g.units.files[unit]
    g.work.call(
        reform_ends, g.models.rows, g.units.rows, unit, files, farthest(g, unit), room.near, room.points, 0, setup.length, setup.width,
        first, room.other, room.old, room.new, room.links, room.work, room.facings,
    )  # fmt: skip


def choices(g: BattleCore, unit: int, far: float = -1.0) -> list[int]:
    """Files into which the unit can reform, no model going farther than ``far`` inches, below 0: twice its Movement; a column that is past the narrow place
    only into lawful ones."""
    most = min(g.setup.space.numbers, g.units.block[unit])
    back = must_widen(g, unit)
    models, way, far = g.units.block[unit], way_for(g, unit), farthest(g, unit) if far < 0.0 else far
    least, deep = narrowest(models), deepest(g, unit)
    largest = min(most, models // deep) if deep > 1 else most  # wap.character.base.multiple
    columns = (
        [] if back else [n for n in range(1, min(least, largest + 1)) if facings(g, unit, n, way, far, first=True)]
    )
    if least > largest:
        return columns
    room, setup = g.work.ways, g.setup
    g.work.call(
        reform_files, g.models.rows, g.units.rows, unit, least, largest, far, *way[:3], setup.length, setup.width, room.other, room.old, room.new,
        room.links, room.work, room.facings, room.slots,
    )  # fmt: skip
    return columns + [n + 1 for n in room.slots.nonzero()[0].tolist()]


def can_reform(g: BattleCore, unit: int) -> bool:
    """Whether there is any reform."""
    if lone(g, unit):  # it pivots
        return False
    return stays_formed(g, unit, farthest(g, unit), way_for(g, unit)) or bool(choices(g, unit))


def stays_formed(g: BattleCore, unit: int, far: float, way: Way) -> bool:
    """Whether there is the least of all reforms, as a rule: into the files that the unit has, facing as it does, no model going farther than ``far`` inches."""
    files, room, setup = g.units.files[unit], g.work.ways, g.setup
    if not lawful(g.units.block[unit], files) or is_too_wide(g, unit, files):
        return False
    found: bool = g.work.call(
        reforms_into, g.models.rows, g.units.rows, unit, files, far, *way[:3], setup.length, setup.width, room.other, room.old, room.new,
        room.links, room.work,
    )  # fmt: skip
    return found


def can_change(g: BattleCore, unit: int, far: float) -> bool:
    """Whether there is a reform by which the unit changes, no model going farther than so many inches."""
    if lone(g, unit) or far <= 0.0:
        return False
    now, facing, angles = g.units.files[unit], g.units.facing[unit], g.setup.space.angles
    facings(g, unit, now, way_for(g, unit), far)
    turns = (slot * tau / angles - facing for slot in g.work.ways.facings[:-1].nonzero()[0].tolist())
    if any(abs(turn - tau * round(turn / tau)) > SAME for turn in turns):
        return True
    return any(files != now for files in choices(g, unit, far))


def must_widen(g: BattleCore, unit: int) -> bool:
    """Whether the unit has more ranks than files, is past the narrow place, and can go back to a lawful formation: its next move is that
    (wap.core.unit.rank-limit-exception)."""
    u = g.units
    models, files = u.block[unit], u.files[unit]
    if u.shape[unit] != COLUMN or lawful(models, files):
        return False
    way = way_for(g, unit)
    if narrow_lane(g, unit, files, depth_of(g, unit), way) > 0.0:
        return False
    most, far = min(g.setup.space.numbers, models), farthest(g, unit)
    return any(lawful(models, n) and facings(g, unit, n, way, far, first=True) > 0 for n in range(1, most + 1))


def facing_of(g: BattleCore, unit: int, slot: int) -> float:
    """The facing of a slot: a direction on the table; the number of angles: that which the unit has."""
    angles = g.setup.space.angles
    return float(g.units.facing[unit]) if slot == angles else slot * tau / angles


def reform(g: BattleCore, unit: int, files: int, facing: float, rule: str = "wap.move.reform") -> None:
    """Rearrange the unit about its centre; it can do nothing else this turn (wap.move.reform.cost), unless it does so by another ``rule``."""
    u = g.units
    cx, cy = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    x, y, _ = block_at(cx, cy, facing, depth_of(g, unit, files))
    ranked = SKIRMISH if u.spacing[unit] else RANKS
    u.shape[unit] = ranked if lawful(u.block[unit], files) else COLUMN
    set_block(g, unit, float(x), float(y), facing, files)
    for joined in joined_to(g, unit):
        u.cowers[joined] = 0
    derive(g, unit)
    u.did[unit] |= MOVED | REFORMED
    if g.recorder is not None:
        told = {"files": files, "facing": degrees(facing), "place": (round(float(x), 2), round(float(y), 2))}
        g.note(rule, "reforms", unit=unit, **told)


def make_reform(g: BattleCore, f: int, files: int, facing: float) -> None:
    """Make the reform that the frame is about, and go on with it: a unit that has reformed freely before its move still moves."""
    unit, room, first = MoveFrame.unit(g, f), g.work.ways, MoveFrame.free(g, f) == FIRST_REFORM
    cost = 0.0
    if first:
        cost = float(
            g.work.call(
                reform_cost, g.models.rows, g.units.rows, unit, files, facing, cap_of(g, f), room.old, room.new, room.links, room.work
            )
        )  # fmt: skip
    is_free = MoveFrame.free(g, f) != NO_REFORM
    reform(g, unit, files, facing, free_reform_of(g, unit) if is_free else "wap.move.reform")
    if not first:
        MoveFrame.go_to(g, f, MoveFrame.Step.OVER)
        return
    begin(g, unit)
    g.units.strayed[unit] = cost
    MoveFrame.note(g, f, MoveFrame.FREE, NO_REFORM)
    MoveFrame.note(g, f, MoveFrame.REFORMED, 1)
    MoveFrame.go_to(g, f, MoveFrame.Step.HOW)


class ReformFiles(DecisionKind):
    name = "reform-files"
    what = "In how many files the unit reforms."
    keys = (
        "wap.move.reform",
        "wap.move.manoeuvre.cap",
        "wap.core.unit.rank-limit-exception",
        "wap.move.manoeuvre.one-inch",
        "wap.compulsory.rally.reform",
        "wap.special.skirmishers.reform",
        "wap.special.fast-cavalry.reform",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        number = g.setup.space.number
        for files in choices(g, MoveFrame.unit(g, f), cap_of(g, f)):
            mask[number + files - 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        MoveFrame.note(g, f, MoveFrame.FILES, action - g.setup.space.number + 1)
        MoveFrame.go_to(g, f, MoveFrame.Step.FACING)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = MoveFrame.unit(g, f)
        return f"{g.setup.names['units'][unit]} reforms into {action - g.setup.space.number + 1} files"


class ReformFacing(DecisionKind):
    name = "reform-facing"
    what = "Which way the unit faces after its reform; done: as it does."
    keys = (
        "wap.move.reform",
        "wap.move.manoeuvre.cap",
        "wap.move.manoeuvre.one-inch",
        "wap.move.reform.cost",
        "wap.compulsory.rally.reform",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = MoveFrame.unit(g, f)
        facings(g, unit, MoveFrame.files(g, f), way_for(g, unit), cap_of(g, f))
        offer(g, g.units.facing[unit], g.work.ways.facings, mask)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        space = g.setup.space
        unit = MoveFrame.unit(g, f)
        slot = space.angles if action == 0 else action - space.angle
        make_reform(g, f, MoveFrame.files(g, f), facing_of(g, unit, slot))
        choose_places(g, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, files = MoveFrame.unit(g, f), MoveFrame.files(g, f)
        name = g.setup.names["units"][unit]
        if action == 0:
            return f"{name} in {files} files, facing as it does"
        return f"{name} in {files} files, facing {degrees(facing_of(g, unit, action - g.setup.space.angle))} degrees"
