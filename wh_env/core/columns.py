"""Tables of a battle as Python reads them.

An attribute that stands in an object and of which its class knows nothing, or for which the class has a slot, is found in a third of the time that
a descriptor of the class or ``__getattr__`` take, and tables and columns are looked up hundreds of times a decision. So what binds tables to their
names is gone once they are bound.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from wh_env.core.tables import Array, Layout


class Columns:
    """The columns of one table: ``rows`` is the structured array, every other attribute a memoryview of that column.

    All are bound when one is first asked for; until then the object is of a class that does that, of which no trace is left (``columns_of``).

    Attributes:
        origin: where the table is found: the layout, its name there, the memory. Whoever makes the object sets it: clones make several, and a
            call for each would double what they take.
    """

    __slots__ = ("origin", "rows")
    origin: tuple[Layout, str, memoryview]
    rows: Array

    def _bind(self) -> None:
        layout, name, memory = self.origin
        rows = self.rows = layout.view(memory, name)
        cuts, others = cuts_of(rows.dtype) if len(rows) else ((), rows.dtype.names or ())
        first = layout.offsets[name]
        memory = memory[first : first + rows.nbytes]
        for kind, columns in cuts:
            numbers = memory.cast(kind)  # type: ignore[call-overload]
            for column, cut in columns:
                setattr(self, column, numbers[cut])
        for column in others:
            found: Any = rows[column]
            setattr(self, column, memoryview(found))


Cuts = tuple[tuple[str, tuple[tuple[str, slice], ...]], ...]


@cache
def cuts_of(row: np.dtype[Any]) -> tuple[Cuts, tuple[str, ...]]:
    """Which numbers of the memory of a table are those of a column, by the format of the numbers, which is cheaper than an array for
    each; and the columns for which that cannot be said."""
    found: dict[str, list[tuple[str, slice]]] = {}
    others = []
    for name, (kind, first, *_) in (row.fields or {}).items():
        size = kind.itemsize
        if kind.shape or kind.names or first % size or row.itemsize % size:
            others.append(name)
        else:
            number: Any = np.zeros(1, kind)
            found.setdefault(memoryview(number).format, []).append(
                (name, slice(first // size, None, row.itemsize // size))
            )
    return tuple((kind, tuple(columns)) for kind, columns in found.items()), tuple(others)


@cache
def columns_of(row: np.dtype[Any]) -> type[Columns]:
    """The class of the tables with these rows, of which no column was asked for yet."""
    bound: Any = type("Columns", (Columns,), {"__slots__": row.names or ()})

    def bind(self: Any, name: str) -> Any:
        self.__class__ = bound
        self._bind()
        return getattr(self, name)

    return type("Columns", (bound,), {"__slots__": (), "__getattr__": bind})
