"""Tables of a battle as Python code reads them: one memoryview for each column.

Tables and columns are looked up hundreds of times in a decision. Python finds an attribute in the object itself, or in
a slot of its class, in a third of the time that a descriptor or ``__getattr__`` takes. So a table binds its columns to
slots at the first access, and then changes its class to one that has no ``__getattr__``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from wh_env.core.tables import Array, Layout


class Columns:
    """The columns of one table: ``rows`` is the structured array, every other attribute is a memoryview of the column
    of that name.

    The first access to any of them binds all. Until then the object is of a subclass with ``__getattr__``
    (``columns_of``).

    Attributes:
        origin: where the table lies: the layout, the name of the table, the memory of the buffer. The code that makes
            the object sets it; a constructor call for each table would double the time of a clone.
    """

    __slots__ = ("origin", "rows")
    origin: tuple[Layout, str, memoryview]
    rows: Array

    def _bind(self) -> None:
        """Set ``rows`` and a memoryview for each column."""
        layout, name, memory = self.origin
        rows = self.rows = layout.view(memory, name)
        cuts, unsliced = cuts_of(rows.dtype) if len(rows) else ((), rows.dtype.names or ())
        first = layout.offsets[name]
        memory = memory[first : first + rows.nbytes]
        for kind, columns in cuts:
            numbers = memory.cast(kind)  # type: ignore[call-overload]
            for column, cut in columns:
                setattr(self, column, numbers[cut])
        for column in unsliced:
            found: Any = rows[column]
            setattr(self, column, memoryview(found))


Cuts = tuple[tuple[str, tuple[tuple[str, slice], ...]], ...]


@cache
def cuts_of(row: np.dtype[Any]) -> tuple[Cuts, tuple[str, ...]]:
    """Where the numbers of each column of a row type lie in the memory of a table.

    Returns:
        A pair. First, by format character, the columns with a slice of the memory cast to that format; slicing is
        cheaper than making an array for each column. Second, the names of the columns for which no such slice exists
        (sub-arrays, and columns that are not aligned to their size).
    """
    found: dict[str, list[tuple[str, slice]]] = {}
    unsliced = []
    for name, (kind, first, *_) in (row.fields or {}).items():
        size = kind.itemsize
        if kind.shape or kind.names or first % size or row.itemsize % size:
            unsliced.append(name)
        else:
            number: Any = np.zeros(1, kind)
            found.setdefault(memoryview(number).format, []).append(
                (name, slice(first // size, None, row.itemsize // size))
            )
    return tuple((kind, tuple(columns)) for kind, columns in found.items()), tuple(unsliced)


@cache
def columns_of(row: np.dtype[Any]) -> type[Columns]:
    """The class for tables of this row type none of whose columns has been read yet."""
    bound: Any = type("Columns", (Columns,), {"__slots__": row.names or ()})

    def bind(self: Any, name: str) -> Any:
        self.__class__ = bound
        self._bind()
        return getattr(self, name)

    return type("Columns", (bound,), {"__slots__": (), "__getattr__": bind})
