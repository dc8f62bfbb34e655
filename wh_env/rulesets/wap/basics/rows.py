"""Searching the columns of tables."""

from __future__ import annotations

import numpy as np

from wh_env.core.tables import Array


def rows_with(column: memoryview, value: int) -> list[int]:
    """The rows in which a column has a value, in order. Fast if few rows have it."""
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
    """The rows of a table that are in use: those in which ``column`` is not -1. Fast if these are the first and few."""
    return unlike(column.tolist(), -1)


def unlike(values: list[int], value: int) -> list[int]:
    """The indices of ``values`` that are not ``value``, in order. Fast if these are the first and few."""
    left = len(values) - values.count(value)
    found, at = list[int](), 0
    while left:
        if values[at] != value:
            found.append(at)
            left -= 1
        at += 1
    return found


def copied(rows: Array) -> Array:
    """A copy of the rows of a table. It copies bytes, as numpy copies column by column, a hundred times as slowly."""
    return np.frombuffer(bytearray(rows.tobytes()), rows.dtype)
