"""Re-rolls: a die is rolled again once at most, and the second score counts (wap.core.reroll.*)."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore

NATURAL_ONE, NATURAL_SIX = 1, 6


@dataclass(frozen=True)
class Rerolls:
    """The number of rules that let failed dice be rolled again, and of rules that have passed dice rolled again."""

    failed: int = 0
    passed: int = 0

    @property
    def again(self) -> tuple[bool, bool]:
        """(failed dice are rolled again, passed dice are rolled again). If both would be, neither is
        (wap.core.reroll.cancel). More than one rule makes no difference (wap.core.reroll.once).
        """
        both = self.failed > 0 and self.passed > 0
        return self.failed > 0 and not both, self.passed > 0 and not both


NONE = Rerolls()


def is_hit(die: int, needed: int) -> bool:
    """Whether a die passes: a natural 1 never, a natural 6 always."""
    return die == NATURAL_SIX or (die != NATURAL_ONE and die >= needed)


def rolled(g: BattleCore, count: int, needed: int, rerolls: Rerolls = NONE) -> list[int]:
    """Final scores of ``count`` dice that each need ``needed``: all are rolled, then the re-rolls in order. The second
    score counts even if it is worse (wap.core.reroll.second-stands).
    """
    dice = [g.d6() for _ in range(count)]
    failed, passed = rerolls.again
    return [g.d6() if (passed if is_hit(die, needed) else failed) else die for die in dice]
