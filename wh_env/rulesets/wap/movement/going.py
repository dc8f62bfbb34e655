"""The move of one unit while it is planned: its frame, its allowance, the obstacles near it, and how it is carried out
(wap.move.basic.*).

A move is planned in columns of the unit (``movement.plans``) and carried out when it is finished.
"""

from __future__ import annotations

from math import tau

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag, row_of
from wh_env.core.geometry.near import Way
from wh_env.core.procedures import STEP, Procedure, Steps, integer
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.codes import MARCHED, MOVED
from wh_env.rulesets.wap.commands.follow_me import FAILED, UNTESTED
from wh_env.rulesets.wap.movement.distances import farthest_of, left_after_reform, march, move_of, normal
from wh_env.rulesets.wap.movement.fording import with_rivers
from wh_env.rulesets.wap.movement.plans import planned
from wh_env.rulesets.wap.ways.poses import SAME, degrees
from wh_env.rulesets.wap.ways.survey import survey

# manoeuvres, in the order of their options
STAY, ADVANCE, MARCH, BACK, SIDE_LEFT, SIDE_RIGHT, REFORM, SWIFT_REFORM, CHANGE_PLACES, FREE_REFORM, FLY, FLY_FAR = (
    range(12)
)

# free reforms: none, one before the unit's move, one after it (wap.special.skirmishers.reform,
# wap.special.fast-cavalry.reform)
NO_REFORM, FIRST_REFORM, LAST_REFORM = range(3)

# legs, in the order of their options, and moves at half speed
FORWARD, WHEEL_LEFT, WHEEL_RIGHT, PIVOT, FINISH = range(5)
BACKWARD, LEFTWARD, RIGHTWARD = 5, 6, 7
HALF_SPEED = {BACK: BACKWARD, SIDE_LEFT: LEFTWARD, SIDE_RIGHT: RIGHTWARD}
# direction of straight legs, as parts (ahead, to the left)
STRAIGHT = {FORWARD: (1.0, 0.0), BACKWARD: (-1.0, 0.0), LEFTWARD: (0.0, 1.0), RIGHTWARD: (0.0, -1.0)}


class MoveFrame(Procedure):
    """The integers that the procedure of a unit's move remembers on the stack."""

    class Step(Steps):
        HOW, WHERE, REFINE, TURN, LEG, LENGTH, PIVOT, PUSH, FILES, FACING, END, OVER, AFTER = range(13)

    UNIT = integer(row_of("units"))
    TESTED = integer(between(UNTESTED, FAILED))  # the test to march, or to rally
    TURNED = integer(between(0, 2))  # 1: the unit is making a swift reform, 2: it has made one
    MARCH = integer(flag())
    LEG = integer(between(0, RIGHTWARD))  # the leg whose length is asked, or the last one
    CELL = integer(row_of("cells"))
    FILES = integer(between(0, "numbers"))
    # slot of the facing of a pivot for which units must be pushed; the number of angles: the unit's own facing
    ANGLE = integer(between(0, "angles"))
    FLIES = integer(flag())
    FREE = integer(between(NO_REFORM, LAST_REFORM))  # the free reform that the unit makes
    REFORMED = integer(flag())  # whether the unit has made a free reform before its move

    @staticmethod
    def unit(g: BattleCore, f: int) -> int:
        """The unit that moves."""
        value: int = g.stack[f + MoveFrame.UNIT]
        return value

    @staticmethod
    def failed(g: BattleCore, f: int) -> bool:
        """Whether the unit has failed its test to march (wap.move.march.failed)."""
        return bool(g.stack[f + MoveFrame.TESTED] == FAILED)

    @staticmethod
    def turned(g: BattleCore, f: int) -> int:
        """0: no swift reform; 1: the unit is making one; 2: it has made one."""
        value: int = g.stack[f + MoveFrame.TURNED]
        return value

    @staticmethod
    def flies(g: BattleCore, f: int) -> bool:
        """Whether the unit moves through the air."""
        return bool(g.stack[f + MoveFrame.FLIES])

    @staticmethod
    def free(g: BattleCore, f: int) -> int:
        """The free reform that the unit makes (``NO_REFORM``, ``FIRST_REFORM``, ``LAST_REFORM``)."""
        value: int = g.stack[f + MoveFrame.FREE]
        return value

    @staticmethod
    def reformed(g: BattleCore, f: int) -> bool:
        """Whether the unit has made a free reform before its move."""
        return bool(g.stack[f + MoveFrame.REFORMED])

    @staticmethod
    def leg(g: BattleCore, f: int) -> int:
        """The leg whose length is asked, or the last one."""
        value: int = g.stack[f + MoveFrame.LEG]
        return value

    @staticmethod
    def cell(g: BattleCore, f: int) -> int:
        """The cell of the first grid that the unit goes to."""
        value: int = g.stack[f + MoveFrame.CELL]
        return value

    @staticmethod
    def files(g: BattleCore, f: int) -> int:
        """The number of files that the unit reforms into."""
        value: int = g.stack[f + MoveFrame.FILES]
        return value

    @staticmethod
    def angle(g: BattleCore, f: int) -> int:
        """The slot of the facing of a pivot for which units must be pushed."""
        value: int = g.stack[f + MoveFrame.ANGLE]
        return value

    @staticmethod
    def note(g: BattleCore, f: int, what: int, value: int) -> None:
        """Set one of the frame's integers, such as ``MoveFrame.LEG``, to ``value``."""
        g.stack[f + what] = value

    @staticmethod
    def go_to(g: BattleCore, f: int, step: int) -> None:
        """Set the step with which the frame goes on."""
        g.stack[f + STEP] = step


def cap_of(g: BattleCore, f: int) -> float:
    """The cap in inches on how far a model goes in the reform that the unit makes: twice its Movement
    (wap.move.manoeuvre.cap).

    In a free reform after the move, it is what the first reform and the move have left of the cap. Each of these counts
    with the distance of the model that went farthest (wap.special.skirmishers.reform, wap.special.fast-cavalry.reform).
    """
    unit, u = MoveFrame.unit(g, f), g.units
    if MoveFrame.free(g, f) == FIRST_REFORM:
        return max(farthest_of(g, unit, aloft) for aloft in (False, True))
    if MoveFrame.free(g, f) == LAST_REFORM:
        half_speed = MoveFrame.leg(g, f) >= BACKWARD  # an inch at half speed costs two
        gone = u.strayed[unit] + (0.5 if half_speed else 1.0) * u.spent[unit]
        return max(0.0, farthest_of(g, unit, MoveFrame.flies(g, f)) - gone)
    return farthest_of(g, unit, False)


def allowance(g: BattleCore, f: int) -> float:
    """Inches that the unit may spend on its move: its Movement, or twice that on a march (wap.move.march.double), but
    no more than a free reform has left (wap.special.skirmishers.reform).
    """
    stack = g.stack
    unit, aloft = stack[f + MoveFrame.UNIT], stack[f + MoveFrame.FLIES]
    movement = move_of(g, unit, aloft)
    far = march(movement) if stack[f + MoveFrame.MARCH] else normal(movement)
    return min(far, left_after_reform(g, unit, aloft)) if g.units.strayed[unit] > 0.0 else far


def left_of(g: BattleCore, f: int) -> float:
    """Inches of the allowance that are not spent yet."""
    return float(max(0.0, allowance(g, f) - g.units.spent[g.stack[f + MoveFrame.UNIT]]))


def survey_on(g: BattleCore, f: int) -> Way:
    """The obstacles that the rest of the planned move may meet, as ``survey`` returns them."""
    return survey_rest(g, f)[1]


def survey_rest(g: BattleCore, f: int) -> tuple[float, Way]:
    """Inches of the allowance that are not spent yet, and the obstacles that the rest of the planned move may meet."""
    unit, allowed, u = g.stack[f + MoveFrame.UNIT], allowance(g, f), g.units
    left = max(0.0, allowed - u.spent[unit])
    if g.stack[f + MoveFrame.FLIES]:
        return left, survey(g, unit, allowed, aloft=True)
    way = survey(g, unit, allowed, (u.px[unit], u.py[unit], u.pf[unit]))
    if g.stack[f + MoveFrame.MARCH] and with_trait(g, "no_march"):
        way = with_rivers(g, unit, way, planned(g, unit))
    return left, way


def offer(g: BattleCore, facing: float, fine: Array, mask: memoryview) -> None:
    """Offer the facings marked in ``fine`` (bool, the last slot for the present ``facing``) as directions on the table.
    The present facing is offered as ``done``, unless a direction offered is the same.
    """
    space = g.setup.space
    at, angles = space.angle, space.angles
    g.mask[at : at + angles] = fine[:angles]
    slot = round(facing / tau * angles)
    same = abs(facing - slot * tau / angles) < SAME and mask[at + slot % angles]
    mask[0] = bool(fine[angles]) and not same


def carry_out(g: BattleCore, f: int) -> None:
    """Make the planned move: set the unit's block at the planned pose (wap.core.unit.single-entity: all its models
    together).
    """
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
