"""Rules that fall due at the same moment (concepts.sequencing.*).

Timed rules (``Setup.statics["timed"]``) are data: a moment, an owner, a unit, an enumerated effect and an amount.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import INT_HIGH, bits, player, row_of
from wh_env.core.procedures import GO, DecisionKind, integer
from wh_env.core.tables import DEPLOYING, ON_TABLE
from wh_env.rulesets.w40k.questions.parts import parts
from wh_env.rulesets.w40k.sequence.disputes import Unresolved
from wh_env.rulesets.w40k.sequence.effects import take_effect
from wh_env.rulesets.w40k.sequence.rolloff import RULES, RollOff, RollsOff

IN_TURN = (
    "command",
    "charge",
    "movement-end",
)  # moments within a turn; at all others the winner of a roll-off orders the rules that are due
MOMENTS = (
    "command",
    "charge",
    "round-start",
    "round-end",
    "after-deployment",
    "before-battle",
    "after-battle",
    "movement-end",
    "deployment-start",
)
BY_ROLL_OFF = -1
DEPLOYMENT_START = "deployment-start"  # when no unit is on the battlefield yet


@dataclass(frozen=True)
class TimedRule:
    """A rule of a datasheet or mission that is resolved at a fixed moment. A battle can have as many as the action
    space has options.

    Attributes:
        when: one of ``MOMENTS``.
        owner: the player whose rule it is.
        effect: a key of ``Edition.effects``; or ``dispute`` (``amount``: the number of the open case); or, after
            deployment, ``set-up``.
        unit: row of the unit that it changes, -1: none.
        own_turn_only: at a moment of a turn, whether it falls due only in the owner's turn.
        round: the only battle round in which it falls due, 0: every one.
    """

    name: str
    when: str
    owner: int
    effect: str
    unit: int
    amount: int
    own_turn_only: bool = True
    round: int = 0

    def applies(self, g: BattleCore) -> bool:
        """Whether there is a unit that it changes now, or it changes no unit."""
        return bool(affected(g, self))

    def resolve(self, g: BattleCore, number: int) -> None:
        """Carry it out. ``number``: its index among the timed rules of the battle."""
        if self.effect == "dispute":
            g.push(Unresolved, self.amount)
        else:
            for unit in affected(g, self):
                take_effect(g, self.effect, self.owner, unit, self.amount)


def due(g: BattleCore, when: str) -> list[tuple[int, TimedRule]]:
    """Timed rules that fall due at ``when`` in the current turn and round, with their indices."""
    timed: tuple[TimedRule, ...] = g.setup.statics["timed"]
    return [
        (number, rule)
        for number, rule in enumerate(timed)
        if rule.when == when
        and (when not in IN_TURN or not rule.own_turn_only or rule.owner == g.clock.turn[0])
        and (rule.round == 0 or rule.round == g.clock.round[0])
        and rule.applies(g)
    ]


def unit_of(g: BattleCore, rule: TimedRule) -> int:
    """The unit that the rule changes (-1: none): the Attached unit if it names a Leader (deploy.leader.one-unit)."""
    bodyguard = g.units.bodyguard[rule.unit] if rule.unit >= 0 else -1
    return bodyguard if bodyguard >= 0 else rule.unit


def affected(g: BattleCore, rule: TimedRule) -> list[int]:
    """Rows of the units that the rule changes now, parts that split from its unit included (rare.split-units). ``[-1]``
    if it changes no unit.
    """
    place = DEPLOYING if rule.when == DEPLOYMENT_START else ON_TABLE
    return [row for row in parts(g, unit_of(g, rule)) if row < 0 or g.units.place[row] == place]


def push_due(g: BattleCore, when: str, chooser: int) -> bool:
    """Push the rules that fall due at ``when``. Returns whether there are any.

    ``chooser``: the player who orders them, or ``BY_ROLL_OFF`` for the winner of a roll-off.
    """
    if not (g.setup.statics["timed"] and due(g, when)):
        return False
    g.push(DueRules, MOMENTS.index(when), chooser)
    return True


class DueRules(RollsOff):
    """Resolves the rules due at one moment, one at a time, in the chosen order."""

    WHEN = integer(row_of("moments"))
    CHOOSER = integer(player(none=True))
    DONE_BITS = integer(bits(INT_HIGH))  # one for each rule that was resolved

    @staticmethod
    def resolved(g: BattleCore, f: int, number: int) -> bool:
        """Whether rule ``number`` was resolved."""
        return bool(g.stack[f + DueRules.DONE_BITS] >> number & 1)

    asks = ("due-order",)

    def won(self, g: BattleCore, f: int, player: int) -> None:
        """The player has won the roll-off and orders the rules."""
        g.stack[f + DueRules.CHOOSER] = player

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        left = waiting(g, f)
        if not left:
            return g.pop()
        if stack[f + DueRules.CHOOSER] == BY_ROLL_OFF and len(left) > 1:
            g.push(RollOff, RULES.index("concepts.sequencing.outside-turns"))
            return GO
        return g.ask(DueOrder, max(0, stack[f + DueRules.CHOOSER]))


def waiting(g: BattleCore, f: int) -> list[int]:
    """Numbers of the rules that are still due at the moment of this frame."""
    return [number for number, _ in due(g, MOMENTS[g.stack[f + DueRules.WHEN]]) if not DueRules.resolved(g, f, number)]


class DueOrder(DecisionKind):
    name = "due-order"
    what = "Which of the rules due at this moment is resolved next."
    keys: ClassVar[tuple[str, ...]] = (
        "concepts.sequencing.in-battle",
        "concepts.sequencing.outside-turns",
        "command.other-rules",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number in waiting(g, f):
            mask[g.setup.space.option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        number = action - g.setup.space.option
        g.stack[f + DueRules.DONE_BITS] |= 1 << number
        rule: TimedRule = g.setup.statics["timed"][number]
        if g.recorder is not None:
            moment = "in-battle" if rule.when in IN_TURN else "outside-turns"
            g.tell(f"concepts.sequencing.{moment}", "timed rule", name=rule.name, owner=rule.owner, unit=rule.unit)
        rule.resolve(g, number)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return str(g.setup.statics["timed"][action - g.setup.space.option].name)
