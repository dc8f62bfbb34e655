"""AIRCRAFT with two Move values: they pivot, then move straight ahead by at least the lower and at most the higher
value (w9.aircraft.*).
"""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, STEP, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w9.move.moved import added, move_ended
from wh_env.rulesets.w40k.attack.brackets import bracket_of
from wh_env.rulesets.w40k.attack.casualties import remove_model
from wh_env.rulesets.w40k.codes import Moved
from wh_env.rulesets.w40k.move import aircraft, phase, unit_moves
from wh_env.rulesets.w40k.move.aircraft import AircraftExactly, AircraftPivotExactly, farthest, leave
from wh_env.rulesets.w40k.move.model_moves import begin_move
from wh_env.rulesets.w40k.move.unit_moves import has_any_move
from wh_env.rulesets.w40k.questions.aircraft import is_aircraft
from wh_env.rulesets.w40k.questions.engagements import forget_targets

EPS = 1e-4


def flies_straight(g: BattleCore, unit: int) -> bool:
    """Whether the unit is an AIRCRAFT with two Move values."""
    return is_aircraft(g, unit) and g.setup.statics["least_move"][unit] is not None


def distances(g: BattleCore, unit: int) -> tuple[float, float]:
    """The lower and the higher Move value of the unit now, inches. All that changes the higher value changes the lower
    one by as much, an Advance roll and additions to Normal Moves too (w9.aircraft.minimum-move).
    """
    model, did, statics = g.units.first[unit], g.units.moved[unit], g.setup.statics
    if model in statics["degrading"]:  # the damage table has both values (w9.concepts.damaged)
        row = bracket_of(g, model)
        least, most = float(statics["bracket_least"][model, row]), float(statics["bracket_moves"][model, row])
    else:
        least = float(statics["least_move"][unit])
        most = float(g.setup.layout.view(g.setup.template, "models")["move"][model])
    more = g.models.move[model] - most
    if did == Moved.ADVANCE:
        more += g.units.advance[unit]
    elif did == Moved.NORMAL:
        more += added(g, unit)
    return least + more, most + more


class AircraftMove(aircraft.AircraftMove):
    """The pivot, then the straight move (w9.aircraft.supersonic). Other AIRCRAFT move like other units and then
    pivot.
    """

    TURNED = integer(flag())  # the pivot was made or declined
    LEAVES = integer(flag())  # the unit has reached the edge and leaves the battlefield next

    def advance(self, g: BattleCore, f: int) -> int:
        Step = AircraftMove.Step
        stack = g.stack
        unit, step = stack[f + AircraftMove.UNIT], stack[f + STEP]
        owner = g.units.owner[unit]
        stack[f + STEP] = Step.END
        if g.units.place[unit] != ON_TABLE:
            return g.pop()
        if stack[f + AircraftMove.LEAVES]:
            leave(g, unit)
            return g.pop()
        if step == Step.PIVOT:
            g.pop()
            if flies_straight(g, unit):
                move_ended(g, unit)
            return GO
        if step == Step.BEGIN:
            if not flies_straight(g, unit):
                stack[f + STEP] = Step.PIVOT  # when it has moved as others do
                g.push(MoveUnit, unit, g.units.moved[unit])
                return GO
            begin_move(g, unit)
            return g.ask(AircraftPivot, owner, unit)
        if step == Step.PIVOT_EXACTLY:
            return g.ask(AircraftPivotExactly, owner, unit)
        if step == Step.EXACTLY:
            return g.ask(AircraftExactly, owner, unit)
        if stack[f + AircraftMove.TURNED]:
            return g.pop()
        stack[f + AircraftMove.TURNED] = 1
        return g.ask(AircraftDistance, owner, unit)


class MoveUnit(unit_moves.MoveUnit):
    """A Normal Move or an Advance; an AIRCRAFT with two Move values flies straight."""

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP] == MoveUnit.Step.BEGIN:
            unit = g.stack[f + MoveUnit.UNIT]
            if flies_straight(g, unit):
                g.pop()
                g.push(AircraftMove, unit)
                return GO
            begin_move(g, unit)
        return super().advance(g, f)

    def end(self, g: BattleCore, f: int) -> int:
        """Resolve the rules that the move triggers."""
        unit = g.stack[f + MoveUnit.UNIT]
        g.pop()
        move_ended(g, unit)
        return GO


class AircraftPivot(aircraft.AircraftPivot):
    what = "The pivot before the move, by up to 90 degrees either way; angle 0: none."


class AircraftDistance(aircraft.AircraftDistance):
    what = (
        "How far straight forward: numbers from the lower Move value to the higher one or the edge, evenly; option 0: "
        "over the edge, off the battlefield."
    )

    def may_leave(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit's path crosses the edge, so that it may leave the battlefield
        (w9.aircraft.reserves.leave).
        """
        return bool(g.setup.rules["strategic_reserves"]) and farthest(g, unit) < distances(g, unit)[1] - EPS

    def leave(self, g: BattleCore, f: int) -> None:
        """The unit moves to the edge, where the rules that its move triggers are resolved, and then goes into Strategic
        Reserves (w9.rare.edge-abilities). If these are not in use, it is destroyed (w9.aircraft.minimum-move.fail).
        """
        unit, m = g.stack[f + AircraftMove.UNIT], g.models
        if g.setup.rules["strategic_reserves"]:
            g.stack[f + AircraftMove.LEAVES] = 1
            way = max(0.0, farthest(g, unit))
            for k in g.members(unit):
                m.x[k], m.y[k] = m.x[k] + way * cos(m.facing[k]), m.y[k] + way * sin(m.facing[k])
            forget_targets(g)
            move_ended(g, unit)
            return
        g.note("w9.aircraft.minimum-move.fail", "cannot make its minimum move and is destroyed", unit=unit)
        for model in list(g.members(unit)):
            remove_model(g, model)
        forget_targets(g)


class MoveKind(phase.MoveKind):
    """AIRCRAFT can make Normal Moves and Advances while engaged; one with two Move values has to move
    (w9.aircraft.engagement.own-move).
    """

    keys = (*phase.MoveKind.keys, "w9.actions.fail")

    def mark_for_aircraft(self, g: BattleCore, unit: int, option: int, mask: memoryview) -> None:
        if flies_straight(g, unit):
            mask[option + 1] = mask[option + 2] = True
            return
        mask[option] = True
        if has_any_move(g, unit):
            mask[option + 1] = mask[option + 2] = True
