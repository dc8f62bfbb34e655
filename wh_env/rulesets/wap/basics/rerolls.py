"""Re-rolls: a die is rolled again once at most, and the second score counts (wap.core.reroll.*)."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore

NATURAL_ONE, NATURAL_SIX = 1, 6


@dataclass(frozen=True)
class Rerolls:
    """The number of rules that let failed dice be rolled again, and of rules that have passed dice rolled again;
    whether 1s may be rolled again, and whether 6s are.
    """

    failed: int = 0
    passed: int = 0
    ones: bool = False
    sixes: bool = False

    @property
    def again(self) -> tuple[bool, bool]:
        """(failed dice are rolled again, passed dice are rolled again). If both would be, neither is
        (wap.core.reroll.cancel). More than one rule makes no difference (wap.core.reroll.once).
        """
        return self.failed > 0 and not self.cancel, self.passed > 0 and not self.cancel

    @property
    def cancel(self) -> bool:
        """Whether rules that help cancel with rules that harm: no die is rolled again then (wap.core.reroll.cancel)."""
        return (self.failed > 0 or self.ones) and (self.passed > 0 or self.sixes)

    def faces(self, needed: int) -> int:
        """The faces of dice that need ``needed`` which are rolled again, bit by bit."""
        if self == NONE or self.cancel:
            return 0
        failed, passed = self.again
        found = sum(
            1 << die for die in range(NATURAL_ONE, NATURAL_SIX + 1) if (passed if is_hit(die, needed) else failed)
        )
        return found | self.ones << NATURAL_ONE | self.sixes << NATURAL_SIX

    def __add__(self, other: Rerolls) -> Rerolls:
        """The re-rolls of both."""
        if other == NONE:
            return self
        both = self.failed + other.failed, self.passed + other.passed
        return Rerolls(*both, self.ones or other.ones, self.sixes or other.sixes)


NONE = Rerolls()


def is_hit(die: int, needed: int) -> bool:
    """Whether a die passes: a natural 1 never, a natural 6 always."""
    return die == NATURAL_SIX or (die != NATURAL_ONE and die >= needed)


def rolled(g: BattleCore, count: int, needed: int, rerolls: Rerolls = NONE) -> list[int]:
    """Final scores of ``count`` dice that each need ``needed``: all are rolled, then the re-rolls in order. The second
    score counts even if it is worse (wap.core.reroll.second-stands).
    """
    dice, again = [g.d6() for _ in range(count)], rerolls.faces(needed)
    return [g.d6() if again >> die & 1 else die for die in dice] if again else dice
