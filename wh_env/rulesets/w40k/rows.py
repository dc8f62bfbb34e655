"""Rows of numbers that kernels read. An edition defines each of them once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wh_env.core.frozen import frozen
from wh_env.core.tables import Array


def one_row(columns: np.dtype[np.void], numbers: Mapping[str, float]) -> Array:
    """A frozen array of one row with these numbers by column.

    Raises:
        ValueError: a column has no number, or there is no such column.
    """
    names = columns.names or ()
    missing, unknown = sorted(set(names) - set(numbers)), sorted(set(numbers) - set(names))
    if missing or unknown:
        raise ValueError(f"numbers of an edition: missing: {missing}; unknown: {unknown}; known: {', '.join(names)}")
    row = np.zeros(1, columns)
    for name, number in numbers.items():
        row[name] = number
    return frozen(row)
