"""The log in which kernels record what happened; Python turns its rows into events."""

from __future__ import annotations

from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array


@inner_kernel
def log_row(log: Array, what: int, k: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """Add a row to the log: what happened, the unit, five numbers. Does nothing if no log is kept or it is full."""
    if len(log) == 0 or log[0, 0] + 1 >= len(log):
        return
    log[0, 0] += 1
    row = log[log[0, 0]]
    row[0] = what
    row[1] = k
    row[2] = a
    row[3] = b
    row[4] = c
    row[5] = d
    row[6] = e
