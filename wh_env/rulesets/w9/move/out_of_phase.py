"""Moves as if it were the Movement phase (w9.move.out-of-phase, w9.glossary.move-as-if)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.codes import Deed, Moved
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.move.unit_moves import MoveUnit, has_any_move
from wh_env.rulesets.w40k.questions.aircraft import is_aircraft, only_aircraft_near
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import engaged, immobile
from wh_env.rulesets.w40k.transport.transports import Embark, carriers_beside


def move_again(g: BattleCore, owner: int, unit: int, amount: int) -> None:
    """The effect of a rule: the unit makes a Normal Move as if it were the Movement phase, if it could make one
    then.
    """
    held = engaged(g, unit) and not is_aircraft(g, unit) and not only_aircraft_near(g, unit)
    barred = held or g.combat.broke_out[unit] or immobile(g, unit)
    if g.units.place[unit] != ON_TABLE or barred or not has_any_move(g, unit):
        return
    g.note("w9.move.out-of-phase", "moves as if it were the Movement phase", unit=unit)
    g.push(MoveAsIf, unit)


class MoveAsIf(Procedure):
    """A Normal Move, at the end of which the unit may embark."""

    class Step(Steps):
        BEGIN, MOVED, END = range(3)

    UNIT = integer(row_of("units"))
    asks = ("embark",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MoveAsIf.Step
        stack, moved = g.stack, g.units.moved
        unit, step = stack[f + MoveAsIf.UNIT], stack[f + STEP]
        stack[f + STEP] = step + 1
        if step == Step.BEGIN:
            if moved[unit] in (Moved.NOT_YET, Moved.STATIONARY):
                moved[unit] = Moved.NORMAL
            edition(g).acts(g, unit, Deed.NORMAL_MOVE)
            forget_targets(g)  # what it may fire depends on it
            g.push(MoveUnit, unit, Moved.NORMAL)
            return GO
        if step == Step.MOVED and carriers_beside(g, unit):
            return g.ask(Embark, g.units.owner[unit], unit)
        return g.pop()
