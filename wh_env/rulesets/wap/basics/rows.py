"""Looking through columns of tables."""

from __future__ import annotations

import numpy as np

from wh_env.core.tables import Array


def rows_with(column: memoryview, value: int) -> list[int]:
    """The rows in which a column has a value, in order; as a rule few of many have it."""
    values = column.tolist()
    count = values.count(value)
    if count < 2:  # as a rule
        return [values.index(value)] if count else []
    found, at = list[int](), -1
    for _ in range(count):
        at = values.index(value, at + 1)
        found.append(at)
    return found


def rows_in_use(column: memoryview) -> list[int]:
    """The rows of a table that have a unit in them, by that column, -1 in free ones; as a rule the first ones, and few
    of many.
    """
    return unlike(column.tolist(), -1)


def unlike(values: list[int], value: int) -> list[int]:
    """The places at which other values stand; as a rule the first ones, and few of many."""
    left = len(values) - values.count(value)
    found, at = list[int](), 0
    while left:
        if values[at] != value:
            found.append(at)
            left -= 1
        at += 1
    return found


def copied(rows: Array) -> Array:
    """A copy of the rows of a table, by bytes: numpy copies them column by column, a hundred times as slowly."""
    return np.frombuffer(bytearray(rows.tobytes()), rows.dtype)
