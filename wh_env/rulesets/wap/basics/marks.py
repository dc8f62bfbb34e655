"""What spells leave on the table: vortices, and markers of what is still to come (wap.magic.type.vortex.persists,
wap.lore.heavens.comet-of-casandora). Each row of the table ``omens`` in use is one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore

NOWHERE = 0.0


def marks_in_use(g: BattleCore) -> list[int]:
    """Rows of the marks on the table; none in most battles."""
    rows = g.omens.row.tolist()
    return [k for k, row in enumerate(rows) if row] if any(rows) else rows[:0]


def vortices(g: BattleCore) -> list[int]:
    """Rows of the vortices on the table."""
    return [k for k in marks_in_use(g) if g.omens.radius[k] > 0.0]


def free_row(g: BattleCore) -> int:
    """A row of the table that is not in use; -1: none."""
    return next((k for k, row in enumerate(g.omens.row.tolist()) if not row), -1)


def put_mark(g: BattleCore, row: int, version: int, x: float, y: float, radius: float = 0.0, count: int = 0) -> int:
    """Put a mark of a spell on the table.

    Args:
        row: of ``spellbook``. version: of the spell. x, y: its middle, inches. radius: of a vortex, inches; 0: it is a
            point. count: of markers.

    Returns:
        Its row.

    Raises:
        LookupError: no row is free.
    """
    k, m = free_row(g), g.omens
    if k < 0:
        raise LookupError(f"there is no room for another mark; the table has {len(m.row)} rows")
    m.row[k], m.version[k], m.x[k], m.y[k], m.radius[k], m.count[k] = row + 1, version, x, y, radius, count
    m.fresh[k] = int(radius > 0.0)
    return k


def take_mark(g: BattleCore, k: int) -> None:
    """Take a mark off the table."""
    m = g.omens
    m.row[k] = m.version[k] = m.count[k] = m.fresh[k] = 0
    m.x[k] = m.y[k] = m.radius[k] = NOWHERE


def vortices_of_spell(g: BattleCore, row: int) -> list[int]:
    """Rows of the vortices that a spell keeps up. ``row``: of ``spellbook``."""
    return [k for k in vortices(g) if g.omens.row[k] == row + 1]


def take_vortices_of(g: BattleCore, unit: int) -> None:
    """The vortices of a caster who is gone are removed (wap.magic.type.vortex.rip)."""
    for k in vortices(g):
        if g.spellbook.unit[g.omens.row[k] - 1] == unit:
            take_mark(g, k)
            g.note("wap.magic.type.vortex.rip", "vortex ends", unit=unit)


def touch(g: BattleCore, k: int, models: Sequence[int]) -> None:
    """Models have come into a vortex: they suffer what its spell does (wap.magic.type.vortex.forced)."""
    spell = g.setup.statics["spells"][g.spellbook.spell[g.omens.row[k] - 1]]
    for deed in spell.versions[g.omens.version[k]].deeds:
        deed.touched(g, k, models)
