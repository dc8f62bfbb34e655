"""The move of one unit while it is planned: its frame, what it may spend, what is near it, how it is carried out (wap.move.basic.*).

A move is planned in the columns ``px, py, pf, pfiles`` and ``spent`` of the unit and carried out when it is finished.
"""

from __future__ import annotations

from math import cos, inf, sin, tau

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag, row_of
from wh_env.core.geometry.near import keep_from, look_only_at
from wh_env.core.procedures import STEP, Procedure, Steps, integer
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.codes import ASKED, MARCHED, MOVED, TROOP_TYPES, Phase
from wh_env.rulesets.wap.commands.follow_me import FAILED, UNTESTED
from wh_env.rulesets.wap.movement.distances import march, normal
from wh_env.rulesets.wap.movement.spans import front_edge, front_to_rear, plan_from_here
from wh_env.rulesets.wap.movement.ways import gather, leave_block
from wh_env.rulesets.wap.special.flying import flight_of

DEPLOYMENT = Phase.DEPLOYMENT.value
FARTHEST = 2.0  # no model goes farther in a manoeuvre than so many times its Movement (wap.move.manoeuvre.cap)
SAME = 1e-6  # radians
CHARIOT = TROOP_TYPES.index("chariot")
MOUNTED = (TROOP_TYPES.index("cavalry"), TROOP_TYPES.index("monstrous cavalry"))
VANGUARD = (6.0, 12.0)  # inches of a vanguard move: of others, of cavalry
KEPT_AWAY = 12.0 + 2e-4  # ... from every enemy, more than 12

# what is near, its corners, how many rows of it; the rectangles of the unit, how many
Way = tuple[Array, Array, int, Array, int]
Pose = tuple[float, float, float]  # middle of the front edge, facing

# manoeuvres, in the order of their options
STAY, ADVANCE, MARCH, BACK, SIDE_LEFT, SIDE_RIGHT, REFORM, SWIFT_REFORM, CHANGE_PLACES, FREE_REFORM, FLY, FLY_FAR = (
    range(12)
)

# free reforms: none, one before the unit moves, one when it has moved (wap.special.skirmishers.reform, wap.special.fast-cavalry.reform)
NO_REFORM, FIRST_REFORM, LAST_REFORM = range(3)

# legs, in the order of their options, and moves at half speed
FORWARD, WHEEL_LEFT, WHEEL_RIGHT, PIVOT, FINISH = range(5)
BACKWARD, LEFTWARD, RIGHTWARD = 5, 6, 7
HALF_SPEED = {BACK: BACKWARD, SIDE_LEFT: LEFTWARD, SIDE_RIGHT: RIGHTWARD}
# direction of straight legs: ahead, to the left
STRAIGHT = {FORWARD: (1.0, 0.0), BACKWARD: (-1.0, 0.0), LEFTWARD: (0.0, 1.0), RIGHTWARD: (0.0, -1.0)}


class MoveFrame(Procedure):
    """What the procedure of a unit's move remembers."""

    class Step(Steps):
        HOW, WHERE, REFINE, TURN, LEG, LENGTH, PIVOT, PUSH, FILES, FACING, END, OVER, AFTER = range(13)

    UNIT = integer(row_of("units"))
    TESTED = integer(between(UNTESTED, FAILED))  # the test to march, or to rally
    TURNED = integer(between(0, 2))  # 1: it makes a swift reform, 2: it has made one
    MARCH = integer(flag())
    LEG = integer(between(0, RIGHTWARD))  # the leg whose length is asked, or the last one
    CELL = integer(row_of("cells"))
    FILES = integer(between(0, "numbers"))
    ANGLE = integer(
        between(0, "angles")
    )  # facing of a pivot for which somebody must be pushed; the number of angles: its own
    FLIES = integer(flag())
    FREE = integer(between(NO_REFORM, LAST_REFORM))  # the free reform that it makes
    REFORMED = integer(flag())  # it has made one before it moves

    @staticmethod
    def unit(g: BattleCore, f: int) -> int:
        """The unit that moves."""
        value: int = g.stack[f + MoveFrame.UNIT]
        return value

    @staticmethod
    def failed(g: BattleCore, f: int) -> bool:
        """Whether it failed the test to march (wap.move.march.failed)."""
        return bool(g.stack[f + MoveFrame.TESTED] == FAILED)

    @staticmethod
    def turned(g: BattleCore, f: int) -> int:
        """How far it is with a swift reform."""
        value: int = g.stack[f + MoveFrame.TURNED]
        return value

    @staticmethod
    def flies(g: BattleCore, f: int) -> bool:
        """Whether it moves through the air."""
        return bool(g.stack[f + MoveFrame.FLIES])

    @staticmethod
    def free(g: BattleCore, f: int) -> int:
        """The free reform that it makes."""
        value: int = g.stack[f + MoveFrame.FREE]
        return value

    @staticmethod
    def reformed(g: BattleCore, f: int) -> bool:
        """Whether it has reformed freely before its move."""
        return bool(g.stack[f + MoveFrame.REFORMED])

    @staticmethod
    def leg(g: BattleCore, f: int) -> int:
        """The leg whose length is asked, or the last one."""
        value: int = g.stack[f + MoveFrame.LEG]
        return value

    @staticmethod
    def cell(g: BattleCore, f: int) -> int:
        """The cell that it goes to."""
        value: int = g.stack[f + MoveFrame.CELL]
        return value

    @staticmethod
    def files(g: BattleCore, f: int) -> int:
        """The files of its reform."""
        value: int = g.stack[f + MoveFrame.FILES]
        return value

    @staticmethod
    def angle(g: BattleCore, f: int) -> int:
        """The facing of a pivot for which somebody must be pushed."""
        value: int = g.stack[f + MoveFrame.ANGLE]
        return value

    @staticmethod
    def note(g: BattleCore, f: int, what: int, value: int) -> None:
        """Remember one of its integers."""
        g.stack[f + what] = value

    @staticmethod
    def go_to(g: BattleCore, f: int, step: int) -> None:
        """Go on with a step."""
        g.stack[f + STEP] = step


def before_battle(g: BattleCore, unit: int) -> bool:
    """Whether a unit moves as a vanguard, before the battle."""
    return bool(g.clock.phase[0] == DEPLOYMENT and g.units.deployed[unit] & ASKED)


def move_of(g: BattleCore, unit: int, aloft: bool = False) -> float:
    """Inches of a normal move: its Movement, or how far it flies; those of a vanguard move before the battle (wap.special.vanguard.move)."""
    if g.clock.phase[0] == DEPLOYMENT and before_battle(g, unit):
        return VANGUARD[g.units.kind[unit] in MOUNTED]
    return flight_of(g, unit) if aloft else movement_of(g, unit)


def farthest_of(g: BattleCore, unit: int, aloft: bool) -> float:
    """Inches that no model of a unit may go beyond in its move and its free reforms (wap.move.manoeuvre.cap)."""
    return FARTHEST * (flight_of(g, unit) if aloft else movement_of(g, unit))


def left_after_reform(g: BattleCore, unit: int, aloft: bool) -> float:
    """Inches that a free reform has left of what the unit may go: all, if it has made none."""
    strayed: float = g.units.strayed[unit]
    return max(0.0, farthest_of(g, unit, aloft) - strayed) if strayed > 0.0 else inf


def cap_of(g: BattleCore, f: int) -> float:
    """Inches that no model of the unit may go beyond in the reform that it makes: twice its Movement (wap.move.manoeuvre.cap); in a free one of a unit that
    moves what its first reform and its move leave of that, each taken for as far as anybody goes in it (wap.special.skirmishers.reform,
    wap.special.fast-cavalry.reform)."""
    unit, u = MoveFrame.unit(g, f), g.units
    if MoveFrame.free(g, f) == FIRST_REFORM:
        return max(farthest_of(g, unit, aloft) for aloft in (False, True))
    if MoveFrame.free(g, f) == LAST_REFORM:
        half_speed = MoveFrame.leg(g, f) >= BACKWARD  # which costs twice what it brings
        gone = float(u.strayed[unit] + (0.5 if half_speed else 1.0) * u.spent[unit])
        return max(0.0, farthest_of(g, unit, MoveFrame.flies(g, f)) - gone)
    return farthest_of(g, unit, False)


def allowance(g: BattleCore, f: int) -> float:
    """Inches that the unit may spend: its Movement, twice that on a march (wap.move.march.double), of that what a free reform has left
    (wap.special.skirmishers.reform)."""
    stack = g.stack
    unit, aloft = stack[f + MoveFrame.UNIT], stack[f + MoveFrame.FLIES]
    movement = move_of(g, unit, aloft)
    far = march(movement) if stack[f + MoveFrame.MARCH] else normal(movement)
    return min(far, left_after_reform(g, unit, aloft)) if g.units.strayed[unit] > 0.0 else far


def left_of(g: BattleCore, f: int) -> float:
    """Inches that are left of them."""
    return float(max(0.0, allowance(g, f) - g.units.spent[g.stack[f + MoveFrame.UNIT]]))


def lone(g: BattleCore, unit: int) -> bool:
    """Whether the unit is a single model that pivots freely; chariots do not (wap.move.single.pivot)."""
    return bool(g.units.block[unit] == 1 and g.units.kind[unit] != CHARIOT)


def front_width(g: BattleCore, unit: int, files: int = 0) -> float:
    """Inches of its front edge, now or in so many files."""
    found: float = g.work.call(front_edge, g.units.rows, unit, files)
    return found


def depth_of(g: BattleCore, unit: int, files: int = 0) -> float:
    """Inches from its front edge to its rear."""
    found: float = g.work.call(front_to_rear, g.units.rows, unit, files)
    return found


def middle_of(g: BattleCore, unit: int, x: float, y: float, f: float, files: int = 0) -> tuple[float, float]:
    """The centre of the unit at a pose."""
    half = 0.5 * depth_of(g, unit, files)
    return x - half * cos(f), y - half * sin(f)


def block_at(x: float, y: float, f: float, deep: float) -> Pose:
    """The pose of a block with its centre at (x, y) that is ``deep`` inches deep."""
    return x + 0.5 * deep * cos(f), y + 0.5 * deep * sin(f), f


def wheeled_to(pose: Pose, width: float, side: float, angle: float) -> Pose:
    """The pose after a wheel about the front corner of a side: 1 the left, -1 the right one (wap.move.wheel.pivot)."""
    x, y, f = pose
    half, turned = 0.5 * side * width, f + side * angle
    return x - half * sin(f) + half * sin(turned), y + half * cos(f) - half * cos(turned), turned


def straight_on(pose: Pose, far: float) -> Pose:
    """The pose so many inches straight ahead, below 0 behind it."""
    x, y, f = pose
    return x + far * cos(f), y + far * sin(f), f


def turned_on_centre(g: BattleCore, unit: int, facing: float) -> Pose:
    """The pose of the unit after it has turned on its centre where it stands."""
    u = g.units
    cx, cy = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    return block_at(cx, cy, facing, depth_of(g, unit))


def set_out(g: BattleCore, unit: int) -> None:
    """A unit is about to move: it has gone nowhere yet."""
    g.units.strayed[unit] = 0.0
    begin(g, unit)


def begin(g: BattleCore, unit: int) -> None:
    """Plan a move from where the unit stands."""
    g.work.call(plan_from_here, g.units.rows, unit)


def plan(g: BattleCore, unit: int, x: float, y: float, facing: float, spent: float) -> None:
    """Where the move has led so far, and what it has cost."""
    u = g.units
    u.px[unit], u.py[unit], u.pf[unit], u.spent[unit] = x, y, turned_in(facing), spent


def turned_in(facing: float) -> float:
    """The same direction within a turn about 0, so that many wheels stay within the bounds of facings."""
    return facing - tau * round(facing / tau) if abs(facing) > tau else facing


def planned(g: BattleCore, unit: int) -> tuple[float, float, float]:
    """The pose that its move has led to."""
    u = g.units
    return u.px[unit], u.py[unit], u.pf[unit]


def survey(g: BattleCore, unit: int, far: float, pose: Pose | None = None, *, aloft: bool = False) -> Way:
    """What ways of up to ``far`` inches from where the unit stands may meet, as the first arguments of the kernels of ``ways``; ``pose``: where its move has
    led so far; ``aloft``: it only must not end there."""
    setup, room, u = g.setup, g.work.ways, g.units
    x, y, f = pose or (u.x[unit], u.y[unit], u.facing[unit])
    early = g.clock.phase[0] == DEPLOYMENT and before_battle(g, unit)
    n, rows = g.work.call(
        gather, g.parts.rows, u.rows, setup.statics["ground"], setup.corners, unit, x, y, f, float(far),
        KEPT_AWAY if early else setup.rules["one_inch"], room.body, room.near, room.points,
    )  # fmt: skip
    if early:
        for row in room.near[:n]:
            if row["mark"] < 0 or u.owner[row["mark"]] == u.owner[unit]:
                row["margin"] = min(row["margin"], setup.rules["one_inch"])
    attached = u.place[unit] == ATTACHED
    host = u.bodyguard[unit] if attached else u.out_of[unit]
    if aloft and attached:
        g.work.call(keep_from, room.near, n, host, setup.rules["one_inch"])
    elif host >= 0:  # a character who leaves a unit goes through it until he has left it
        n = g.work.call(
            leave_block,
            room.near, room.points, n, host, setup.rules["one_inch"], room.body, rows, x, y, f, setup.length, setup.width
        )  # fmt: skip
    return room.near, room.points, n, room.body, rows


def own_block(g: BattleCore, unit: int) -> Way:
    """The block that a character stands in, as something that is near him and from which an inch is to be kept."""
    setup, room, u = g.setup, g.work.ways, g.units
    pose = (u.x[unit], u.y[unit], u.facing[unit])
    far = setup.length + setup.width
    n, rows = g.work.call(
        gather, g.parts.rows, u.rows, setup.statics["ground"], setup.corners, unit, *pose, far, setup.rules["one_inch"], room.body, room.near,
        room.points,
    )  # fmt: skip
    n = g.work.call(look_only_at, room.near, n, u.bodyguard[unit])
    g.work.call(keep_from, room.near, n, u.bodyguard[unit], setup.rules["one_inch"])
    return room.near, room.points, n, room.body, rows


def survey_on(g: BattleCore, f: int) -> Way:
    """The same for the rest of the move that is planned."""
    return survey_rest(g, f)[1]


def survey_rest(g: BattleCore, f: int) -> tuple[float, Way]:
    """Inches that are left of that move, and what it may meet."""
    unit, allowed, u = g.stack[f + MoveFrame.UNIT], allowance(g, f), g.units
    left = max(0.0, allowed - u.spent[unit])
    if g.stack[f + MoveFrame.FLIES]:
        return left, survey(g, unit, allowed, aloft=True)
    return left, survey(g, unit, allowed, (u.px[unit], u.py[unit], u.pf[unit]))


def offer(g: BattleCore, facing: float, fine: Array, mask: memoryview) -> None:
    """Offer facings (bool): directions on the table, and ``done`` for the ``facing`` that the unit has, the last of them, where no direction offered is that."""
    space = g.setup.space
    at, angles = space.angle, space.angles
    g.mask[at : at + angles] = fine[:angles]
    slot = round(facing / tau * angles)
    same = abs(facing - slot * tau / angles) < SAME and mask[at + slot % angles]
    mask[0] = bool(fine[angles]) and not same


def degrees(facing: float) -> int:
    """A direction for events and words: whole degrees, 0 .. 359."""
    return round(facing * 360.0 / tau) % 360


def carry_out(g: BattleCore, f: int) -> None:
    """The move that was planned is made (wap.core.unit.single-entity: all its models together)."""
    unit, u = g.stack[f + MoveFrame.UNIT], g.units
    x, y, facing = planned(g, unit)
    set_block(g, unit, x, y, facing, u.pfiles[unit])
    marches = g.stack[f + MoveFrame.MARCH]
    u.did[unit] |= MOVED | (MARCHED if marches else 0)
    if g.recorder is not None:
        told = {"far": round(u.spent[unit], 2), "place": (round(x, 2), round(y, 2)), "facing": degrees(facing)}
        if MoveFrame.flies(g, f):
            g.note("wap.special.fly.march" if marches else "wap.special.fly.move", "flies", unit=unit, **told)
        else:
            g.note("wap.move.march.double" if marches else "wap.move.basic.distance", "moves", unit=unit, **told)
