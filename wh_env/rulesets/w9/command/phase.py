"""Command phase: the bonus of a Battle-forged army, Command phase rules, scoring at its end (w9.command.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, OfPlayer, Steps
from wh_env.rulesets.w40k.sequence.objectives import held
from wh_env.rulesets.w40k.sequence.points import score
from wh_env.rulesets.w40k.sequence.sequencing import push_due
from wh_env.rulesets.w40k.sequence.timing import end_phase, start_phase


class CommandPhase(OfPlayer):
    """The bonus, what falls due, then control of markers and scoring."""

    class Step(Steps):
        BEGIN, END = range(2)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + CommandPhase.PLAYER]
        if g.stack[f + STEP] == CommandPhase.Step.BEGIN:
            g.stack[f + STEP] = CommandPhase.Step.END
            start_phase(g, self)
            g.players.cp[player] += g.setup.rules["cp_each_command_phase"]
            if g.recorder is not None:
                g.note("w9.command.cp-bonus", "Battle-forged bonus", player=player, cp=g.players.cp[player])
            push_due(g, "command", player)
            return GO
        end_phase(g)
        if g.clock.round[0] >= g.setup.rules["first_scoring_round"]:
            score(g, player, g.setup.rules["vp_each_marker"] * held(g, player), "mission.only-war.score")
        return g.pop()
