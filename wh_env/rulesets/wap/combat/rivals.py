"""Enemy characters in contact are counted as a round of close combat begins, for effects that grow with their number
(wap.item.weapon.sword-of-anti-heroes).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.effects import effect_of, renew, rows_in_use
from wh_env.rulesets.wap.basics.rivals import rivals_of


def count_rivals(g: BattleCore) -> None:
    """A round begins: the number of enemy characters in contact with each unit that fights in it holds until it
    ends.
    """
    for k in rows_in_use(g):
        if effect_of(g, k).counts_rivals:
            unit = g.effects.unit[k]
            hold(g, k, len(rivals_of(g, unit)) if g.units.fighting[block_of(g, unit)] else 0)


def forget_rivals(g: BattleCore) -> None:
    """A round is over: what was counted for it does not hold any more."""
    for k in rows_in_use(g):
        if effect_of(g, k).counts_rivals:
            hold(g, k, 0)


def hold(g: BattleCore, k: int, number: int) -> None:
    """Let the effect of row ``k`` be one for so many characters."""
    if g.effects.amount[k] != number:
        g.effects.amount[k] = number
        renew(g)
