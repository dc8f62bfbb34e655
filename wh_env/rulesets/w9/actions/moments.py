"""The ends of phases, at which actions are completed and started (w9.actions.definition)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, count_of, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, OfPlayer, Steps, integer
from wh_env.rulesets.w9.actions.data import When, Whose
from wh_env.rulesets.w9.actions.performing import actions_of, complete, may_start, start


def phase_ended(g: BattleCore, player: int, phase: int) -> None:
    """A phase in the player's turn is over: push ``PhaseEnds`` if the battle has an action that starts or ends in such
    a phase.
    """
    actions = actions_of(g.setup)
    if actions and any(phase in (action.starts.phase, action.ends.phase) for action in actions):
        g.push(PhaseEnds, player, phase)


def is_now(g: BattleCore, f: int, when: When, unit_player: int) -> bool:
    """Whether it is the moment ``when``, seen from ``unit_player``."""
    mine = g.stack[f + PhaseEnds.PLAYER] == unit_player
    return bool(g.stack[f + PhaseEnds.PHASE] == when.phase and mine == (when.turn == Whose.OWN))


class PhaseEnds(OfPlayer):
    """A phase ends: actions that are due are completed, then others are started. ``PLAYER``: the turn player."""

    class Step(Steps):
        COMPLETE, START = range(2)

    PHASE = integer(row_of("phases"))
    SIDES = integer(between(0, 2))  # 0: the turn player starts actions, 1: the opponent, 2: both are done
    ACTION = integer(count_of("actions"))
    asks = ("start-action",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = PhaseEnds.Step, g.stack
        if stack[f + STEP] == Step.COMPLETE:
            now = g.acting.now
            for unit, owner in enumerate(g.units.owner):
                if now[unit] and is_now(g, f, actions_of(g.setup)[now[unit] - 1].ends, owner):
                    complete(g, unit)
                    return GO
            stack[f + STEP] = Step.START
        while stack[f + PhaseEnds.SIDES] < 2:
            turn = stack[f + PhaseEnds.PLAYER]
            player = turn if stack[f + PhaseEnds.SIDES] == 0 else 1 - turn
            while stack[f + PhaseEnds.ACTION] < len(actions_of(g.setup)):
                if startable(g, f, player):
                    return g.ask(StartAction, player)
                stack[f + PhaseEnds.ACTION] += 1
            stack[f + PhaseEnds.ACTION] = 0
            stack[f + PhaseEnds.SIDES] += 1
        return g.pop()

    @staticmethod
    def skip(g: BattleCore, f: int) -> None:
        """No other unit starts the action now: go on to the next action."""
        g.stack[f + PhaseEnds.ACTION] += 1


def startable(g: BattleCore, f: int, player: int) -> list[int]:
    """Units of the player that can start the action that is being decided about."""
    number = g.stack[f + PhaseEnds.ACTION]
    if not is_now(g, f, actions_of(g.setup)[number].starts, player):
        return []
    return [unit for unit in g.units_of(player) if may_start(g, unit, number)]


class StartAction(DecisionKind):
    name = "start-action"
    what = "Which eligible unit starts to perform the action (done: none)."
    keys = ("w9.actions.definition", "w9.actions.eligible", "w9.actions.once", "w9.actions.same")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.clock.player[0]
        at = g.setup.space.own - g.players.first_unit[player]
        mask[0] = True
        for unit in startable(g, f, player):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            PhaseEnds.skip(g, f)
        else:
            unit = g.players.first_unit[g.clock.player[0]] + action - g.setup.space.own
            start(g, unit, g.stack[f + PhaseEnds.ACTION])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = actions_of(g.setup)[g.stack[f + PhaseEnds.ACTION]].name
        return f"{g.default_words(action)} starts {name}" if action else f"nobody starts {name}"
