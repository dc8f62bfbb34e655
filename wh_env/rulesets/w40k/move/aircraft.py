"""AIRCRAFT: how they move and leave the battlefield (aircraft.*).

Each Normal move of an AIRCRAFT goes straight forward for at least a minimum distance, with a pivot after or before it.
An AIRCRAFT that crosses the edge of the battlefield or cannot move so far goes into Strategic Reserves.

See ``formations`` for their declaration and ``questions.targets`` for melee attacks at them.
"""

from __future__ import annotations

from math import cos, degrees, pi, radians, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, flag
from wh_env.core.geometry.path_checks import check_unit_move
from wh_env.core.geometry.paths import choose_surface
from wh_env.core.geometry.shapes import extent, inside_table_at
from wh_env.core.procedures import STEP, DecisionKind, Steps, integer
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.w40k.deploy.places import JUST_LEFT, RETURNING, STRATEGIC
from wh_env.rulesets.w40k.edition import UNLIMITED, edition
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import FLY, NORMAL, limits_for
from wh_env.rulesets.w40k.reaction.windows import Interruptible

EPS = 1e-4


# ---------------------------------------------------------------- the move


def farthest(g: BattleCore, unit: int) -> float:
    """Inches that the unit can move straight forward before a part of a base crosses the edge of the battlefield."""
    m, length, width = g.models, g.setup.length, g.setup.width
    room = UNLIMITED
    for k in g.members(unit):
        facing = m.facing[k]
        for at, size, along, ax, ay in (
            (m.x[k], length, cos(facing), 1.0, 0.0),
            (m.y[k], width, sin(facing), 0.0, 1.0),
        ):
            half = float(extent(m.rows, k, facing, ax, ay))
            if along > EPS:
                room = min(room, (size - half - at) / along)
            elif along < -EPS:
                room = min(room, (at - half) / -along)
    return room


def make_move(g: BattleCore, unit: int, inches: float, turn: float = 0.0) -> bool:
    """Move every model of the unit straight forward, or pivot it (radians, counter-clockwise), if that is legal."""
    m, setup = g.models, g.setup
    limits = limits_for(g, unit, NORMAL, UNLIMITED)
    ground = (m.rows, setup.blocks, setup.corners, limits)
    # those ahead make room for those behind
    rows = sorted(g.members(unit), key=lambda k: -(m.x[k] * cos(m.facing[k]) + m.y[k] * sin(m.facing[k])))
    paths = np.zeros((len(rows), 1, 4))
    for number, k in enumerate(rows):
        x, y, facing = m.x[k] + inches * cos(m.facing[k]), m.y[k] + inches * sin(m.facing[k]), m.facing[k] + turn
        z = float(choose_surface(*ground, k, x, y, facing, m.z[k], UNLIMITED)) if inches else m.z[k]
        if z < 0.0:
            return False
        paths[number, 0] = x, y, z, facing % (2.0 * pi)
    fault, _ = check_unit_move(
        m.rows, g.units.rows, setup.blocks, setup.corners, g.objectives.rows, limits, g.work.no_targets,
        unit, np.array(rows, np.int32), len(rows), paths, np.ones(len(rows), np.int32),
        g.work.scratch, g.work.marks,
    )  # fmt: skip
    return fault == 0


def can_move(g: BattleCore, unit: int, inches: float, turn: float = 0.0) -> bool:
    """Whether ``make_move`` would succeed; no model moves."""
    rows = list(g.members(unit))
    stood = g.models.rows[rows]
    legal = make_move(g, unit, inches, turn)
    g.models.rows[rows] = stood
    return legal


def leave(g: BattleCore, unit: int) -> None:
    """The move of the AIRCRAFT ends: it goes into Strategic Reserves with all units embarked in it
    (aircraft.leave-battlefield).
    """
    for k in list(g.members(unit)):
        g.models.on_table[k] = 0
    g.units.place[unit] = RESERVE
    g.units.reserve[unit] = JUST_LEFT
    forget_targets(g)
    g.tell("aircraft.leave-battlefield", "leaves the battlefield", unit=unit)


def turn_back(g: BattleCore) -> None:
    """A battle round begins: AIRCRAFT that left the battlefield in the last round can come back from now on
    (aircraft.return).
    """
    reserve = g.units.rows["reserve"]
    reserve[reserve == JUST_LEFT] = RETURNING if edition(g).aircraft.must_return else STRATEGIC


class AircraftMove(Interruptible):
    """The Normal move of an AIRCRAFT: straight forward, then the pivot (aircraft.move.*)."""

    class Step(Steps):
        BEGIN, EXACTLY, PIVOT, PIVOT_EXACTLY, END = range(5)

    COARSE = integer(between(0, "numbers"))
    TURN = integer(between(0, "angles"))
    MARK = integer(flag())  # it was shot at first
    asks = ("aircraft-distance", "aircraft-distance-exactly", "aircraft-pivot", "aircraft-pivot-exactly")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = AircraftMove.Step
        stack = g.stack
        unit, step = stack[f + AircraftMove.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        if step == Step.END or g.units.place[unit] != ON_TABLE:
            return g.pop()
        stack[f + STEP] = Step.END
        if step == Step.BEGIN:
            return g.ask(AircraftDistance, owner, unit)
        if step == Step.EXACTLY:
            return g.ask(AircraftExactly, owner, unit)
        if step == Step.PIVOT:
            return g.ask(AircraftPivot, owner, unit)
        return g.ask(AircraftPivotExactly, owner, unit)


def least(g: BattleCore, unit: int) -> float:
    """Inches of the shortest straight move (aircraft.move.minimum)."""
    return edition(g).straight_move(g, unit)[0]


def longest(g: BattleCore, unit: int) -> float:
    """Inches of the longest straight move that stays on the battlefield (aircraft.move.no-maximum)."""
    return min(farthest(g, unit), edition(g).straight_move(g, unit)[1])


def most_turn(g: BattleCore) -> float:
    """The most that it pivots, in radians (aircraft.move.pivot)."""
    return radians(edition(g).aircraft.pivot)


def coarse_step(g: BattleCore, unit: int) -> float:
    """Inches between the distances to choose from, which span all from the least to the edge or the longest."""
    more = longest(g, unit) - least(g, unit)
    return more / (g.setup.space.numbers - 1) if more > EPS else 0.0


def fly_ahead(g: BattleCore, f: int, inches: float) -> None:
    """Make the straight move of the frame."""
    unit = g.stack[f + AircraftMove.UNIT]
    if not make_move(g, unit, inches):
        raise RuntimeError(f"unit {unit} cannot move {inches} inches straight forward although its mask says so")
    forget_targets(g)
    g.stack[f + STEP] = AircraftMove.Step.PIVOT
    g.tell("aircraft.move.minimum", "moves straight forward", unit=unit, inches=inches)


class AircraftDistance(DecisionKind):
    name = "aircraft-distance"
    what = (
        'How far straight forward: numbers from 20" to the edge, evenly; option 0: over the edge, off the battlefield.'
    )
    midway = True  # after a pivot before the move, models may overlap others
    keys = ("aircraft.move.minimum", "aircraft.move.no-maximum", "aircraft.leave-battlefield")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + AircraftMove.UNIT], g.setup.space
        step, some = coarse_step(g, unit), False
        if longest(g, unit) >= least(g, unit) - EPS:
            for number in range(space.numbers if step else 1):
                if can_move(g, unit, least(g, unit) + number * step):
                    mask[space.number + number] = some = True
        mask[space.option] = not some or self.may_leave(g, unit)

    def may_leave(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit may choose to leave the battlefield."""
        return all(g.models.keywords[k] & FLY for k in g.members(unit))

    def leave(self, g: BattleCore, f: int) -> None:
        """The unit of the frame leaves the battlefield."""
        leave(g, g.stack[f + AircraftMove.UNIT])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, space = g.stack[f + AircraftMove.UNIT], g.setup.space
        if action == space.option:
            self.leave(g, f)
            return
        step = coarse_step(g, unit)
        if g.setup.rules["detail"] == "full" and step:
            g.stack[f + AircraftMove.COARSE], g.stack[f + STEP] = action - space.number, AircraftMove.Step.EXACTLY
        else:
            fly_ahead(g, f, least(g, unit) + (action - space.number) * step)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, space = g.stack[f + AircraftMove.UNIT], g.setup.space
        if action == space.option:
            return "leave the battlefield"
        return f"{least(g, unit) + (action - space.number) * coarse_step(g, unit):.1f} inches straight forward"


class AircraftExactly(DecisionKind):
    name = "aircraft-distance-exactly"
    what = "The exact distance, between the chosen one and the next."
    instead = "Exactly the chosen one."
    midway = True
    keys = ("aircraft.move.minimum",)
    squad = False

    def inches(self, g: BattleCore, f: int, action: int) -> float:
        """The distance that an action stands for."""
        unit, space = g.stack[f + AircraftMove.UNIT], g.setup.space
        coarse = g.stack[f + AircraftMove.COARSE] + (action - space.number) / space.numbers
        return float(least(g, unit) + coarse_step(g, unit) * coarse)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + AircraftMove.UNIT], g.setup.space
        last = g.stack[f + AircraftMove.COARSE] == space.numbers - 1
        for number in range(1 if last else space.numbers):
            mask[space.number + number] = can_move(g, unit, self.inches(g, f, space.number + number))

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        fly_ahead(g, f, self.inches(g, f, action))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{self.inches(g, f, action):.2f} inches straight forward"


def turn_in_place(g: BattleCore, unit: int, turn: float) -> bool:
    """Pivot every model of the unit by ``turn`` radians if that is legal. Returns whether it was.

    If the edition pivots before the move, only the edge of the battlefield matters; else the models must be able to end
    the move so.
    """
    if not edition(g).aircraft.pivots_first:
        return make_move(g, unit, 0.0, turn)
    m, setup = g.models, g.setup
    facings = [(k, (m.facing[k] + turn) % (2.0 * pi)) for k in g.members(unit)]
    if not all(inside_table_at(m.rows, k, m.x[k], m.y[k], f, setup.length, setup.width) for k, f in facings):
        return False
    for k, facing in facings:
        m.facing[k] = facing
    return True


def can_turn(g: BattleCore, unit: int, turn: float) -> bool:
    """Whether ``turn_in_place`` would succeed; no model turns."""
    rows = list(g.members(unit))
    stood = g.models.rows[rows]
    legal = turn_in_place(g, unit, turn)
    g.models.rows[rows] = stood
    return legal


def pivot(g: BattleCore, f: int, turn: float) -> None:
    """Make the pivot of the frame."""
    unit = g.stack[f + AircraftMove.UNIT]
    if turn and not turn_in_place(g, unit, turn):
        raise RuntimeError(f"unit {unit} cannot pivot by {degrees(turn):.1f} degrees although its mask says so")
    forget_targets(g)
    g.stack[f + STEP] = AircraftMove.Step.END
    if g.recorder is not None:
        g.tell("aircraft.move.pivot", "pivots", unit=unit, degrees=degrees(turn))


def turn_of(g: BattleCore, slot: int) -> float:
    """The pivot that an angle of the action space stands for: counter-clockwise, the second half clockwise."""
    angles = g.setup.space.angles
    return 2.0 * pi * (slot if slot <= angles // 2 else slot - angles) / angles


class AircraftPivot(DecisionKind):
    name = "aircraft-pivot"
    what = "The pivot after the move, by up to 90 degrees either way; angle 0: none."
    keys = ("aircraft.move.pivot", "aircraft.minimum-move")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + AircraftMove.UNIT], g.setup.space
        for slot in range(space.angles):
            turn = turn_of(g, slot)
            if abs(turn) <= most_turn(g) + EPS:
                mask[space.angle + slot] = not turn or can_turn(g, unit, turn)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        slot = action - g.setup.space.angle
        if g.setup.rules["detail"] == "full":
            g.stack[f + AircraftMove.TURN], g.stack[f + STEP] = slot, AircraftMove.Step.PIVOT_EXACTLY
        else:
            pivot(g, f, turn_of(g, slot))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"pivot by {degrees(turn_of(g, action - g.setup.space.angle)):+.0f} degrees"


class AircraftPivotExactly(DecisionKind):
    name = "aircraft-pivot-exactly"
    what = "The exact pivot: the chosen one, or up to the next one counter-clockwise."
    instead = "Exactly the chosen one."
    keys = ("aircraft.move.pivot", "aircraft.minimum-move")
    squad = False

    def turn(self, g: BattleCore, f: int, action: int) -> float:
        """The pivot that an action stands for."""
        space = g.setup.space
        return (
            turn_of(g, g.stack[f + AircraftMove.TURN]) + 2.0 * pi / space.angles * (action - space.angle) / space.angles
        )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = g.stack[f + AircraftMove.UNIT], g.setup.space
        for slot in range(space.angles):
            turn = self.turn(g, f, space.angle + slot)
            if abs(turn) <= most_turn(g) + EPS:
                mask[space.angle + slot] = not turn or can_turn(g, unit, turn)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        pivot(g, f, self.turn(g, f, action))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"pivot by {degrees(self.turn(g, f, action)):+.2f} degrees"
