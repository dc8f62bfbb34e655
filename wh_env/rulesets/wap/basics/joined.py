"""Which characters have joined which unit. A character is a unit of his own; in another's block his ``place`` is
ATTACHED and ``bodyguard`` the row of that unit, his host.

Questions about a combined unit go to the host (wap.character.combined.one-unit): ``block_of`` finds it, ``joined_to``
its characters.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.blocks import places_under, stands_in
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.sight import within


def is_character(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a character, alone or in another unit (wap.character.definition)."""
    return bool(g.setup.statics["characters"][unit])


def host_of(g: BattleCore, unit: int) -> int:
    """The unit that a character has joined; -1: he stands alone, or the unit is no character."""
    return g.units.bodyguard[unit] if g.units.place[unit] == ATTACHED else -1


def joined_to(g: BattleCore, host: int) -> list[int]:
    """The living characters in the block of a unit, in the order of their rows."""
    return wholly(g, host)[1:] if host in g.units.bodyguard.tolist() else []


@kernel
def find_deepest(units: Array, u: int) -> int:
    """``deepest`` as a kernel."""
    deep = 1
    for c in range(len(units)):
        if units[c]["beside"] == 0 and stands_in(units, c, u):
            deep = max(deep, places_under(units, c, u)[1])
    return deep


def deepest(g: BattleCore, unit: int) -> int:
    """The most ranks of a unit that the base of a character in it takes; 1 if there is none."""
    found: int = g.work.call(find_deepest, g.units.rows, unit)
    return found


@kernel
def count_behind(units: Array, u: int) -> int:
    """``behind_front`` as a kernel."""
    found = 0
    for c in range(len(units)):
        if units[c]["beside"] == 0 and stands_in(units, c, u):
            wide, deep = places_under(units, c, u)
            found += wide * (deep - 1)
    return found


def behind_front(g: BattleCore, unit: int) -> int:
    """Places behind the front rank of a unit that the bases of its characters take (wap.character.base.multiple)."""
    found: int = g.work.call(count_behind, g.units.rows, unit)
    return found


def is_too_wide(g: BattleCore, unit: int, files: int) -> bool:
    """Whether a unit in ``files`` files has too few full ranks for the bases of its characters
    (wap.character.base.multiple).
    """
    deep = deepest(g, unit)
    return deep > 1 and g.units.block[unit] // files < deep


def models_in(g: BattleCore, unit: int) -> list[int]:
    """The models on the table of a unit and of all characters in it."""
    return within(g, unit)
