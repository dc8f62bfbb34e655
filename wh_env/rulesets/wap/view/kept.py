"""Values that were found for a position, kept for the next decision that is asked in the same position."""

from __future__ import annotations

from collections.abc import Callable
from weakref import ref

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup

Position = tuple[bytes, ...]
Values = dict[tuple[int, ...], list[float]]


def position_of(g: BattleCore) -> Position:
    """All that stands on the table, what acts on it, and what wizards know; not what is being asked and rolled."""
    tables = (g.units, g.models, g.lines, g.contacts, g.effects)
    columns = (g.wizards.level, g.spellbook.known, g.spellbook.spell, g.clock.turn, g.clock.round)
    return (*(table.rows.tobytes() for table in tables), *(column.tobytes() for column in columns))


class Kept:
    """Values by their keys, forgotten when another position is asked about."""

    def __init__(self) -> None:
        self._last: tuple[Callable[[], Setup | None], Position, Values] = (lambda: None, (), {})

    def of(self, g: BattleCore) -> Values:
        """The values that were found in the position of a battle so far; the caller adds more."""
        setup, last, values = self._last
        position = position_of(g)
        if setup() is not g.setup or last != position:
            values = {}
            self._last = (ref(g.setup), position, values)
        return values
