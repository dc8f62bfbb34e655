"""Which values a column of a table, or an integer of a frame, may hold: declared beside its type, checked by
``core.validation``.

An end of a range is a number or the name of a size of the battle. The sizes are: each table by its name (its number of
rows), the segments of the action space (``cells``, ``numbers``, ...), ``length``, ``width``, ``rounds``, ``weapons``,
``arsenal``. Both ends belong to the range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

Number = int | float
MOST = 1_000_000  # highest count of anything (points, attacks, rolls), so that sums of counts stay within 32 bits
MOST_ATTACKS = 10_000  # of one weapon at one target
OUTSIDE = 60.0  # inches that a place may lie beyond the edges of the table
TURNS = 100.0  # radians; the highest absolute value of a facing
FARTHEST = 1000.0  # inches; the longest move or reach
NEVER = 7  # a result that no D6 shows
INT_LOW, INT_HIGH = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class Bounds:
    """The values that a column or an integer may hold: a range, both ends included.

    Attributes:
        low, high: a number or the name of a size. more: is added to ``high``.
        fixed: the value must equal that of the Setup's template.
        codes: if not empty, only these values are allowed.
        mask: for columns of bits, the bits that may be set.
        in_use: for columns of bits, a table; every bit that its template rows have in the same column may be set too.
        unseen: why observations need not show the column; "" if they show it.
    """

    low: Number | str = 0
    high: Number | str = 0
    more: Number = 0
    fixed: bool = False
    codes: tuple[int, ...] = ()
    mask: int | None = None
    in_use: str = ""
    unseen: str = ""

    def not_shown(self, reason: str) -> Bounds:
        """The same bounds of a column that observations do not show, with the ``reason`` why they need not."""
        return replace(self, unseen=reason)

    def resolved(self, sizes: Mapping[str, Number]) -> tuple[Number, Number]:
        """The lowest and the highest value in a battle with these ``sizes`` (size by name).

        Raises:
            KeyError: ``sizes`` has no size of that name.
        """
        low = sizes[self.low] if isinstance(self.low, str) else self.low
        high = sizes[self.high] if isinstance(self.high, str) else self.high
        return low, high + self.more


def fixed() -> Bounds:
    """A value that never changes during a battle: a characteristic, a row of another table."""
    return Bounds(fixed=True)


def row_of(table: str, *, none: bool = False, after: bool = False) -> Bounds:
    """A row of ``table``. With ``none`` also -1; with ``after`` also the number one past its last row."""
    return Bounds(-1 if none else 0, table, 0 if after else -1)


def row_plus_one(table: str) -> Bounds:
    """1 + a row of ``table``; 0 for no row."""
    return Bounds(0, table)


def count_of(table: str) -> Bounds:
    """A count from 0 to the number of rows of ``table``."""
    return Bounds(0, table)


def between(low: Number | str, high: Number | str, more: Number = 0) -> Bounds:
    """A number from ``low`` to ``high + more``."""
    return Bounds(low, high, more)


def amount(low: int = 0) -> Bounds:
    """A count from ``low`` up without a natural limit (at most ``MOST``)."""
    return Bounds(low, MOST)


def flag() -> Bounds:
    """0 or 1."""
    return Bounds(0, 1)


def player(*, none: bool = False) -> Bounds:
    """A player, 0 or 1. With ``none`` also -1."""
    return Bounds(-1 if none else 0, 1)


def code(*values: int) -> Bounds:
    """One of these values."""
    return Bounds(min(values), max(values), codes=tuple(sorted(set(values))))


def bits(mask: int) -> Bounds:
    """Any combination of the bits of ``mask``."""
    return Bounds(0, mask, mask=mask)


def bits_in_use(table: str = "models", also: int = 0) -> Bounds:
    """Any combination of the bits of ``also`` and of those that the rows of ``table`` have in this column before the
    battle.
    """
    return Bounds(mask=also, in_use=table)


def finite(low: Number | str, high: Number | str, more: Number = 0) -> Bounds:
    """A finite number from ``low`` to ``high + more``; the same as ``between``, for columns of floats."""
    return Bounds(low, high, more)


def anything() -> Bounds:
    """Any whole number of 32 bits, or any bits of a column of bits."""
    return Bounds(INT_LOW, INT_HIGH, mask=2**64 - 1)


def zero() -> Bounds:
    """Only 0: the integer is not used."""
    return Bounds()


ColumnBounds = Mapping[str, Bounds]


def declared(columns: Sequence[tuple[Any, ...]]) -> tuple[np.dtype[Any], ColumnBounds]:
    """A row type and the bounds by column name, from columns ``(name, type[, shape], bounds)``.

    Raises:
        TypeError: the last entry of a column is no ``Bounds``.
    """
    for name, *rest in columns:
        if not rest or not isinstance(rest[-1], Bounds):
            raise TypeError(f"column {name!r} declares no bounds; expected one of core.bounds as its last entry")
    return np.dtype([tuple(column[:-1]) for column in columns], align=True), MappingProxyType(
        {c[0]: c[-1] for c in columns}
    )
