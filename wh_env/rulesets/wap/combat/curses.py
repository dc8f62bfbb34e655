"""Effects that magic weapons begin on those whom they wound (wap.item.weapon.tormentor-sword,
wap.item.weapon.warrior-bane).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.effects import Effect, begin_effect, number_of
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.codes import MONSTER


def curse(g: BattleCore, row: int, target: int, curses: tuple[Effect, ...], wounds: int) -> None:
    """A unit has suffered so many unsaved wounds by a weapon of unit ``row`` and survives them: an effect begins on it,
    once for each wound, if it is a character or a monster. ``curses``: as ``Weapon`` has them.
    """
    if is_character(g, target):
        effect = curses[0]
    elif g.units.kind[target] == MONSTER:
        effect = curses[1]
    else:
        return
    number = number_of(g, effect)
    for _ in range(wounds):
        begin_effect(g, number, target, g.units.owner[row], row)
