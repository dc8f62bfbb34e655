"""Command phase: the bonus of a Battle-forged army, Command phase rules, scoring at its end (w9.command.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, OfPlayer, Steps
from wh_env.rulesets.w9.mission.scoring import capture_and_control
from wh_env.rulesets.w9.objective.control import count_control
from wh_env.rulesets.w9.objective.counting import Counting
from wh_env.rulesets.w40k.phases.timing import end_phase, start_phase
from wh_env.rulesets.w40k.psychic.data import Lasts
from wh_env.rulesets.w40k.psychic.lasting import end_powers
from wh_env.rulesets.w40k.sequence.sequencing import push_due


class CommandPhase(OfPlayer):
    """The Battle-forged bonus (w9.command.cp-bonus), rules of the Command phase, then control of markers and scoring
    (w9.command.rules).
    """

    class Step(Steps):
        BEGIN, END, SCORE = range(3)

    def advance(self, g: BattleCore, f: int) -> int:
        player, step = g.stack[f + CommandPhase.PLAYER], g.stack[f + STEP]
        g.stack[f + STEP] = step + 1
        if step == CommandPhase.Step.BEGIN:
            start_phase(g, self)
            end_powers(g, Lasts.NEXT_COMMAND, player)  # w9.round.turn-end
            g.counted_for_array[:] = 0  # a new turn (w9.objective.one-marker)
            if g.setup.rules["battle_forged"][player]:
                g.players.cp[player] += g.setup.rules["cp_each_command_phase"]
                g.note("w9.command.cp-bonus", "Battle-forged bonus", player=player, cp=g.players.cp[player])
            push_due(g, "command", player)
        elif step == CommandPhase.Step.END:
            g.push(Counting)
        else:
            end_phase(g)
            count_control(g, binding=True)
            capture_and_control(g, player)
            return g.pop()
        return GO
