"""Many dice at once: how many pass, and what they show (wap.combat.hit.*, wap.combat.wound.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.dice import roll_d6
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.needed import AUTOMATIC
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls


@kernel
def throw_dice(dice: Array, script: Array, count: int, needed: int, again: int, shown: Array) -> int:
    """Roll ``count`` D6, then re-roll once, in order, those that show a face of ``again`` (bits of faces). Final faces
    go to ``shown[:count]``. Returns the number of successes: at least ``needed``; a 1 never, a 6 always
    (wap.combat.hit.natural, .wound.natural).
    """
    for n in range(count):
        shown[n] = roll_d6(dice, script)
    found = 0
    for n in range(count):
        if (again >> shown[n]) & 1:
            shown[n] = roll_d6(dice, script)
        if shown[n] == 6 or (shown[n] != 1 and shown[n] >= needed):
            found += 1
    return found


def throw(g: BattleCore, count: int, needed: int, rerolls: Rerolls = NONE) -> tuple[int, tuple[int, ...]]:
    """(successes of ``count`` dice, their final faces while events are recorded). ``needed`` of ``AUTOMATIC``: all
    pass, no die is rolled.
    """
    if needed == AUTOMATIC or count == 0:
        return count, ()
    shown = g.work.strikes.dice
    found = int(throw_dice(g.dice.rows, g.script_array, count, needed, rerolls.faces(needed), shown))
    return found, tuple(shown[:count].tolist()) if g.recorder is not None else ()
