"""Roll-offs (concepts.roll-off)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def roll_off(g: BattleCore, rule: str) -> int:
    """Both players roll a D6, player 0 first, until one is higher; returns the winner.

    Nothing can change these dice, so they are no ``rerolls.DiceRoll`` (concepts.roll-off.no-changes).
    """
    while True:
        rolls = (g.d6(), g.d6())
        if g.recorder is not None:
            g.tell(rule, "roll-off", rolls=rolls)
        if rolls[0] != rolls[1]:
            return 0 if rolls[0] > rolls[1] else 1
