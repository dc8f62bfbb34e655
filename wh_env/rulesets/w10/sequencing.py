"""Rules that fall due at the same moment (w10.concepts.sequencing.*).

Timed rules of units (``Setup.statics["timed"]``) are data: when, whose, on which unit, an enumerated effect and an amount.
"""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import DecisionKind, Procedure, V
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.casualties import heal, mortal_wounds, return_model
from wh_env.rulesets.w10.points import gain_cp
from wh_env.rulesets.w10.rolloff import roll_off

MOMENTS = ("command", "charge", "round-start", "before-battle", "after-battle")
WHEN, CHOOSER, DONE_BITS = V, V + 1, V + 2


@dataclass(frozen=True)
class TimedRule:
    """A rule of a datasheet or mission that is resolved at a fixed moment.

    ``when`` is one of ``MOMENTS``; ``effect`` one of ``mortal``, ``heal``, ``return``, ``cp``; ``unit`` the unit row it
    changes (-1 for ``cp``).
    """

    name: str
    when: str
    owner: int
    effect: str
    unit: int
    amount: int
    own_turn_only: bool = True


def due(g: BattleCore, when: str) -> list[tuple[int, TimedRule]]:
    """Timed rules that fall due now, with their numbers."""
    timed: tuple[TimedRule, ...] = g.setup.statics["timed"]
    inside = when in ("command", "charge")
    return [
        (number, rule)
        for number, rule in enumerate(timed)
        if rule.when == when
        and (not inside or not rule.own_turn_only or rule.owner == g.clock.turn[0])
        and (rule.unit < 0 or g.units.place[rule.unit] == ON_TABLE)
    ]


def push_due(g: BattleCore, when: str, chooser: int) -> None:
    """Resolve what falls due at ``when``; ``chooser`` orders it, -1: the winner of a roll-off does."""
    if g.setup.statics["timed"] and due(g, when):
        g.push(DueRules, MOMENTS.index(when), chooser)


class DueRules(Procedure):
    """Resolves the rules due at one moment, one at a time, in the chosen order."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        left = [number for number, _ in due(g, MOMENTS[stack[f + WHEN]]) if not stack[f + DONE_BITS] >> number & 1]
        if not left:
            return g.pop()
        if stack[f + CHOOSER] < 0 and len(left) > 1:
            stack[f + CHOOSER] = roll_off(g, "w10.concepts.sequencing.outside-turns")
        return g.ask(DueOrder, max(0, stack[f + CHOOSER]))


class DueOrder(DecisionKind):
    """Which of the rules due at this moment is resolved next."""

    name = "due-order"
    rules = ("w10.concepts.sequencing.in-battle", "w10.concepts.sequencing.outside-turns", "w10.command.other-rules")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number, _ in due(g, MOMENTS[g.stack[f + WHEN]]):
            if not g.stack[f + DONE_BITS] >> number & 1:
                mask[g.setup.space.option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        number = action - g.setup.space.option
        g.stack[f + DONE_BITS] |= 1 << number
        rule: TimedRule = g.setup.statics["timed"][number]
        if g.recorder is not None:
            g.note("w10.concepts.sequencing.in-battle", "timed rule", name=rule.name, owner=rule.owner, unit=rule.unit)
        if rule.effect == "mortal":
            mortal_wounds(g, rule.unit, rule.amount)
        elif rule.effect == "heal":
            heal(g, rule.unit, rule.amount)
        elif rule.effect == "return":
            return_model(g, rule.unit, rule.amount)
        elif rule.effect == "cp":
            gain_cp(g, rule.owner, rule.amount)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return str(g.setup.statics["timed"][action - g.setup.space.option].name)


