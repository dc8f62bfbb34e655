"""A fixed piece of work that speed is measured against: figures of one machine, or of one hour, do not compare with those of another.

Hosts are shared: the same commit gives half as many decisions a second when somebody else uses the memory or the other half of a
core. So every measurement takes turns with this work, a few milliseconds each, and what is judged is their ratio: how many decisions
are played in the time of one unit. A unit is made like a decision of a battle of 1,000 points, in the same proportion and about half as
long: Python over memoryviews and method calls, and four kernels over structured arrays of some 30 kB. It must never change: ratios of different
versions of it do not compare (``VERSION``).
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

VERSION = 1
ROWS = 120
ROW = np.dtype(
    [
        ("x", "f8"),
        ("y", "f8"),
        ("facing", "f8"),
        ("radius", "f8"),
        ("wounds", "i4"),
        ("unit", "i4"),
        ("bits", "u8"),
        ("rest", "f8", (24,)),
    ]
)
LOOKS = 70  # rows that Python looks at in a unit
NEAR = 5  # rows whose distances a kernel works out in a unit


@kernel
def near_rows(rows: Array, first: int, reach: float, out: Array) -> int:
    """How many pairs of rows from ``first`` on lie within ``reach``; each row notes how many."""
    found = 0
    count = len(rows)
    for step in range(NEAR):
        at = (first + step) % count
        x, y = rows[at]["x"], rows[at]["y"]
        mine = 0
        for other in range(count):
            dx, dy = rows[other]["x"] - x, rows[other]["y"] - y
            gap = sqrt(dx * dx + dy * dy) - rows[other]["radius"]
            if gap <= reach and rows[other]["wounds"] > 0:
                mine += 1
        out[at] = mine
        found += mine
    return found


class Yardstick:
    """The work and what it works on."""

    def __init__(self) -> None:
        chance = np.random.default_rng(1)
        self.rows: Array = np.zeros(ROWS, ROW)
        for name, most in (("x", 60.0), ("y", 44.0), ("facing", 6.0), ("radius", 1.0)):
            self.rows[name] = chance.random(ROWS) * most
        self.rows["wounds"] = chance.integers(0, 4, ROWS)
        self.rows["unit"] = chance.integers(0, 12, ROWS)
        self.counts: Array = np.zeros(ROWS, np.int64)
        rows: Any = self.rows
        self.columns: dict[str, Any] = {name: memoryview(rows[name]) for name in ("x", "y", "wounds", "unit")}
        self.at = 0
        self.work(20)

    def work(self, units: int) -> int:
        """Do so many units; returns a number that depends on all of them."""
        total = 0
        for _ in range(units):
            total += self.unit()
        return total

    def unit(self) -> int:
        """One unit."""
        first = self.at
        self.at = (first + 7) % ROWS
        by_unit: dict[int, int] = {}
        for step in range(LOOKS):
            self.look((first + step) % ROWS, by_unit)
        found = 0
        for reach in (1.0, 6.0, 12.0, 24.0):
            found += near_rows(self.rows, first, reach, self.counts)
        return found + len(by_unit)

    def look(self, row: int, by_unit: dict[int, int]) -> None:
        """What Python does with a row."""
        columns = self.columns
        unit = columns["unit"][row]
        if columns["wounds"][row] and columns["x"][row] + columns["y"][row] > 10.0:
            by_unit[unit] = by_unit.get(unit, 0) + 1
