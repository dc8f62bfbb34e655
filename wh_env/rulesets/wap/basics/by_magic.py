"""What magic does at moments that chapters below it reach: they ask here, and ``statics["by_magic"]`` has the functions
of the chapter on magic that answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.ground import Ground
from wh_env.rulesets.wap.rule_book import ETHEREAL


class ByMagic(NamedTuple):
    """The functions that are called.

    Attributes:
        has_entered: with a unit that has entered ground that casts spells.
        hinders: with a unit that wants to move in its Movement phase, to shoot or to cast; returns whether it cannot.
        casts_without: with a player, a unit and rows of ``spellbook``; returns whether the unit (-1: any of the player)
            could cast something without the spells of these rows.
        takes_own_forms: with a unit that leaves the table: characters of it who have another form get their own back;
            returns the unit, which may be one of them.
    """

    has_entered: Callable[[BattleCore, int, Ground], None]
    hinders: Callable[[BattleCore, int], bool]
    casts_without: Callable[[BattleCore, int, int, Collection[int]], bool]
    takes_own_forms: Callable[[BattleCore, int], int]


def functions_of(g: BattleCore) -> ByMagic:
    """The functions of the battle."""
    found: ByMagic = g.setup.statics["by_magic"]
    return found


def is_hindered(g: BattleCore, unit: int) -> bool:
    """Whether magic keeps a unit from what it wants to do now (wap.lore.light.net-of-amyntok). It is asked each time,
    and may hurt the unit.
    """
    return bool(g.setup.statics["spells"]) and functions_of(g).hinders(g, unit)


def is_held(g: BattleCore, unit: int) -> bool:
    """``is_hindered`` for a unit that wants to move: nothing keeps an Ethereal one from that
    (wap.special.ethereal.movement).
    """
    return not has(g, unit, ETHEREAL) and is_hindered(g, unit)


def in_own_forms(g: BattleCore, unit: int) -> int:
    """A unit leaves the table, its characters in their own forms (wap.lore.beasts.transformation-of-kadon). Returns the
    unit, which may be one of them.
    """
    return functions_of(g).takes_own_forms(g, unit) if g.setup.statics["spells"] else unit
