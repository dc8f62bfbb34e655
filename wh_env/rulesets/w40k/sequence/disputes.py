"""Cases that the engine deliberately leaves open: the players roll off and the winner decides (concepts.disputes).

A case is a row of ``rules["disputes"]``: a mapping with ``name`` and ``outcomes``. Each outcome is a mapping with
``name``, ``effect`` (see ``effects``), ``unit`` and ``amount``. Normal play has no cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import player, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Steps, integer
from wh_env.rulesets.w40k.questions.parts import parts
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.rulesets.w40k.sequence.rolloff import RULES, RollOff, RollsOff


class Unresolved(RollsOff):
    """An open case, pushed with its number: a roll-off, then its winner chooses one of the listed outcomes."""

    class Step(Steps):
        BEGIN, ROLLED, RESOLVED = range(3)

    CASE = integer(row_of("disputes"))
    WINNER = integer(player())
    asks = ("resolution",)

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        if stack[f + STEP] == Unresolved.Step.RESOLVED:
            return g.pop()
        if stack[f + STEP] == Unresolved.Step.BEGIN:
            stack[f + STEP] = Unresolved.Step.ROLLED
            g.push(RollOff, RULES.index("concepts.disputes"))
            return GO
        stack[f + STEP] = Unresolved.Step.RESOLVED
        return g.ask(Resolution, stack[f + Unresolved.WINNER])

    def won(self, g: BattleCore, f: int, player: int) -> None:
        """The player has won the roll-off and will choose."""
        g.stack[f + Unresolved.WINNER] = player


def outcomes(g: BattleCore, f: int) -> Sequence[Mapping[str, Any]]:
    """The outcomes listed for the case."""
    listed: Sequence[Mapping[str, Any]] = g.setup.rules["disputes"][g.stack[f + Unresolved.CASE]]["outcomes"]
    return listed


class Resolution(DecisionKind):
    name = "resolution"
    what = "How the open case is resolved."
    keys = ("concepts.disputes",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number, _ in enumerate(outcomes(g, f)):
            mask[g.setup.space.option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        outcome = outcomes(g, f)[action - g.setup.space.option]
        if g.recorder is not None:
            case = g.setup.rules["disputes"][g.stack[f + Unresolved.CASE]]["name"]
            g.tell(
                "concepts.disputes",
                "resolved",
                case=case,
                outcome=outcome["name"],
                winner=g.stack[f + Unresolved.WINNER],
            )
        for unit in parts(g, outcome.get("unit", -1)):
            take_effect(g, outcome["effect"], g.stack[f + Unresolved.WINNER], unit, outcome.get("amount", 0))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return str(outcomes(g, f)[action - g.setup.space.option]["name"])
