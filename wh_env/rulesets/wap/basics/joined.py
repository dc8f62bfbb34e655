"""Which characters have joined which unit. A character is a unit of his own; in another's block his ``place`` is
ATTACHED and ``bodyguard`` the row of that unit, his host.

Questions about a combined unit go to the host (wap.character.combined.one-unit): ``block_of`` finds it, ``joined_to``
its characters.
"""

from __future__ import annotations

from collections.abc import Iterable

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.blocks import places_under, stands_in
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.sight import within


def is_character(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a character, alone or in another unit (wap.character.definition)."""
    return bool(g.setup.statics["characters"][unit])


def characters_first(g: BattleCore, rows: Iterable[int]) -> list[int]:
    """Rows of units in the order in which each suffers once what strikes one unit after the other: who is left of a
    unit that it has destroyed does not suffer it again by himself.
    """
    return sorted(rows, key=lambda row: (not is_character(g, row), row))


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


def is_too_wide(g: BattleCore, unit: int, files: int) -> bool:
    """Whether a unit in ``files`` files has too few full ranks for the bases of its characters
    (wap.character.base.multiple).
    """
    deep = deepest(g, unit)
    return deep > 1 and g.units.block[unit] // files < deep


def most_files(g: BattleCore, unit: int) -> int:
    """The most files in which a unit has full ranks enough for the bases of its characters, all of them in its front
    rank, and no more ranks than files; 0: no number of files has (wap.character.base.multiple).
    """
    block, deep = g.units.block[unit], deepest(g, unit)
    files: int = block // deep
    return files if files >= max(1, abreast(g, unit)) and -(-block // files) <= files else 0


def abreast(g: BattleCore, unit: int) -> int:
    """The files of the front rank that the characters of a unit take (wap.character.position.front-rank)."""
    u = g.units
    in_ranks = [row for row in joined_to(g, unit) if not (u.beside[row] or u.drives[row])]
    return is_character(g, unit) + sum(max(1, round(u.base_b[row] / u.base_b[unit])) for row in in_ranks)


def holds_bases(g: BattleCore, unit: int, files: int) -> bool:
    """Whether a unit in ``files`` files has room for the bases of all its characters in its front rank, and full ranks
    enough for them (wap.character.position.front-rank, .base.multiple).
    """
    if not joined_to(g, unit):  # as a rule
        return True
    return abreast(g, unit) <= files and not is_too_wide(g, unit, files)


def models_in(g: BattleCore, unit: int) -> list[int]:
    """The models on the table of a unit and of all characters in it."""
    return within(g, unit)
