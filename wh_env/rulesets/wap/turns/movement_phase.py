"""The Movement phase: start of the turn, charges, compulsory moves, other moves (wap.move.phase.sequence)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, OfPlayer, Steps
from wh_env.rulesets.wap.allies.relations import roll_for_faith
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.charge.charges import Charges
from wh_env.rulesets.wap.codes import CHARGES, COMPULSORY, OTHER_MOVES, START_OF_TURN
from wh_env.rulesets.wap.compulsory.compulsory import Compulsory
from wh_env.rulesets.wap.deployment.late import LateArrivals, somebody_is_late
from wh_env.rulesets.wap.deployment.special_deployment import Ambushes, somebody_waits
from wh_env.rulesets.wap.movement.other_moves import OtherMoves
from wh_env.rulesets.wap.movement.start_of_turn import begin_turn
from wh_env.rulesets.wap.pursuit.off_table import come_back
from wh_env.rulesets.wap.special.skirmishers import spread_all
from wh_env.rulesets.wap.turns.at_once import begins_with
from wh_env.rulesets.wap.turns.ground_harm import AFTER_MOVES, GroundHarm, harmful
from wh_env.rulesets.wap.turns.wells import Wells

STEP_NAMES = ("start of turn", "charges", "compulsory moves", "other moves")


def start_step(g: BattleCore, step: int) -> None:
    """Begin a step of the phase."""
    g.clock.step[0] = step
    g.note("wap.battle.turn.phases", "step", step=STEP_NAMES[step], player=g.clock.turn[0])


class Movement(OfPlayer):
    """The steps of the phase, one after the other."""

    class Step(Steps):
        START, CHARGE, COMPEL, MOVE, HARM, DRINK, END = range(7)

    def advance(self, g: BattleCore, f: int) -> int:
        if finish_if_left(g):
            return GO
        Step = Movement.Step
        step, player = g.stack[f + STEP], g.stack[f + Movement.PLAYER]
        g.stack[f + STEP] = step + 1
        if step == Step.START:
            start_step(g, START_OF_TURN)
            roll_for_faith(g, player)
            begin_turn(g, player)
            begins_with(g, player)
        elif step == Step.CHARGE:
            start_step(g, CHARGES)
            g.push(Charges, player)
        elif step == Step.COMPEL:
            start_step(g, COMPULSORY)
            g.push(Compulsory, player)
        elif step == Step.MOVE:
            start_step(g, OTHER_MOVES)
            come_back(g, player)
            spread_all(g, player)
            g.push(OtherMoves, player)
            if somebody_waits(g):
                g.push(Ambushes, player)
            if somebody_is_late(g):
                g.push(LateArrivals, player)
        elif step == Step.HARM:
            if harmful(g, AFTER_MOVES):
                g.push(GroundHarm, player, AFTER_MOVES)
        elif step == Step.DRINK:
            if with_trait(g, "well"):
                g.push(Wells, player)
        else:
            return g.pop()
        return GO
