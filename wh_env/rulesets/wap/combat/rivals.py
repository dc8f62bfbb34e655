"""Enemy characters in contact are counted as a round of close combat begins, for effects that grow with their number
(wap.item.weapon.sword-of-anti-heroes).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import apart_from, block_of, foes_of, touches_block
from wh_env.rulesets.wap.basics.effects import effect_of, renew, rows_in_use
from wh_env.rulesets.wap.basics.garrisons import opponent_in_assault
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.parties import rows_in_party
from wh_env.rulesets.wap.basics.profiles import wholly


def count_rivals(g: BattleCore) -> None:
    """A round begins: the number of enemy characters in contact with each unit that fights in it holds until it
    ends.
    """
    for k in rows_in_use(g):
        if effect_of(g, k).counts_rivals:
            block = block_of(g, g.effects.unit[k])
            hold(g, k, rivals_of(g, block) if g.units.fighting[block] else 0)


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


def rivals_of(g: BattleCore, unit: int) -> int:
    """The number of enemy characters in contact with a unit or with characters in it; in an assault of a building of
    those in the party of the enemy (wap.building.assault.groups).
    """
    foe = opponent_in_assault(g, unit)
    if foe >= 0:
        return sum(is_character(g, row) for row in rows_in_party(g, foe))
    return sum(touches(g, row, foe, unit) for foe in foes_of(g, unit) for row in wholly(g, foe) if is_character(g, row))


def touches(g: BattleCore, row: int, foe: int, unit: int) -> bool:
    """Whether a character of the enemy unit ``foe``, which is in contact with a unit, touches it himself."""
    if len(wholly(g, foe)) == 1:
        return True
    k, apart = g.units.first[row], apart_from(g, unit, foe)
    return touches_block(g.models.rows, g.parts.rows, g.units.rows, k, unit, apart)
