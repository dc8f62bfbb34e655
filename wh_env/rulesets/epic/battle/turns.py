"""The turns of a game and the phases of a turn (epic.concepts.turn)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between
from wh_env.core.procedures import GO, STEP, Procedure, integer
from wh_env.rulesets.epic.assault.phase import AssaultPhase
from wh_env.rulesets.epic.battle.mission import determine_holders, finish_if_decided
from wh_env.rulesets.epic.fire.phase import FirePhase
from wh_env.rulesets.epic.move.phase import MovementPhase
from wh_env.rulesets.epic.orders.phase import OrderPhase
from wh_env.rulesets.epic.rally.phase import RallyPhase
from wh_env.rulesets.epic.sequence.initiative import fill_cup
from wh_env.rulesets.epic.sequence.timing import end_turn, start_turn

SEQUENCE: tuple[type[Procedure], ...] = (OrderPhase, MovementPhase, FirePhase, AssaultPhase, RallyPhase)


class Turns(Procedure):
    """One turn after the other: orders, movement, fire, assault, rally, end. ``PHASES`` counts the phases that have
    begun.
    """

    PHASES = integer(between(0, len(SEQUENCE)), at=STEP)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        begun = stack[f + Turns.PHASES]
        if begun == 0:
            start_turn(g)
            fill_cup(g)
        if begun < len(SEQUENCE):
            stack[f + Turns.PHASES] = begun + 1
            g.push(SEQUENCE[begun])
            return GO
        end_turn(g)
        determine_holders(g)
        if not finish_if_decided(g):
            stack[f + Turns.PHASES] = 0
        return GO
