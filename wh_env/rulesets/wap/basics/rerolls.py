"""Re-rolls: a die is rolled again once at most, and the second score counts (wap.core.reroll.*)."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore

NATURAL_ONE, NATURAL_SIX = 1, 6


@dataclass(frozen=True)
class Rerolls:
    """How many rules let failed dice be rolled again, and how many have passed dice rolled again."""

    failed: int = 0
    passed: int = 0

    @property
    def again(self) -> tuple[bool, bool]:
        """Whether failed dice and whether passed dice are rolled again: where both would be, neither is
        (wap.core.reroll.cancel). How many rules say so makes no difference (wap.core.reroll.once).
        """
        both = self.failed > 0 and self.passed > 0
        return self.failed > 0 and not both, self.passed > 0 and not both


NONE = Rerolls()


def is_hit(die: int, needed: int) -> bool:
    """Whether a die passes: a natural 1 never does, a natural 6 does."""
    return die == NATURAL_SIX or (die != NATURAL_ONE and die >= needed)


def rolled(g: BattleCore, count: int, needed: int, rerolls: Rerolls = NONE) -> list[int]:
    """The final scores of so many dice that each need ``needed``: first all are rolled, then those that are rolled
    again, in order; the second score counts even if it is worse (wap.core.reroll.second-stands).
    """
    dice = [g.d6() for _ in range(count)]
    failed, passed = rerolls.again
    return [g.d6() if (passed if is_hit(die, needed) else failed) else die for die in dice]
