"""Many dice at once: how many pass, and what they show (wap.combat.hit.*, wap.combat.wound.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.dice import roll_d6
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.needed import AUTOMATIC
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls


@kernel
def throw_dice(dice: Array, script: Array, count: int, needed: int, failed: bool, passed: bool, shown: Array) -> int:
    """Roll ``count`` D6, then re-roll the failures once (if ``failed``) and the successes (if ``passed``), in order.
    Final faces go to ``shown[:count]``. Returns the number of successes: at least ``needed``; a 1 never, a 6 always
    (wap.combat.hit.natural, .wound.natural).
    """
    for n in range(count):
        shown[n] = roll_d6(dice, script)
    found = 0
    for n in range(count):
        passes = shown[n] == 6 or (shown[n] != 1 and shown[n] >= needed)
        if (passed and passes) or (failed and not passes):
            shown[n] = roll_d6(dice, script)
            passes = shown[n] == 6 or (shown[n] != 1 and shown[n] >= needed)
        if passes:
            found += 1
    return found


def throw(g: BattleCore, count: int, needed: int, rerolls: Rerolls = NONE) -> tuple[int, tuple[int, ...]]:
    """(successes of ``count`` dice, their final faces while events are recorded). ``needed`` of ``AUTOMATIC``: all
    pass, no die is rolled.
    """
    if needed == AUTOMATIC or count == 0:
        return count, ()
    failed, passed = rerolls.again
    shown = g.work.strikes.dice
    found = int(throw_dice(g.dice.rows, g.script_array, count, needed, failed, passed, shown))
    return found, tuple(shown[:count].tolist()) if g.recorder is not None else ()
