"""A fixed piece of work to compare speeds with, because figures of different machines, or of different hours,
cannot be compared.

Hosts are shared and differ: the same commit makes half as many decisions a second when other users need the
memory or the other half of a core. So every measurement takes turns of a few milliseconds with this work, and
the ratio is judged: the number of decisions in the time of one unit.

A unit resembles a decision of a battle of 1,000 points, and takes about half as long. Python walks through
many small functions, none of them twice in a row, over objects, dicts and memoryviews. Two calls of a kernel
walk over a table that is larger than a first-level cache and branch on its content. (Version 1 repeated one
small function and one kernel. New processors run these twice as fast as old ones, but battles only a fifth
faster.)

The work must never change: ratios to different versions (``VERSION``) cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

VERSION = 2
ROWS = 4096  # rows of the table, which takes 512 kB
ROW = np.dtype(
    [
        ("x", "f8"),
        ("y", "f8"),
        ("radius", "f8"),
        ("wounds", "i4"),
        ("unit", "i4"),
        ("bits", "u8"),
        ("rest", "f8", (11,)),
    ]
)
FUNCTIONS = 256  # number of different Python functions
STEPS = 20  # number of functions that a unit calls
LOOKS = 180  # number of rows that a kernel reads in one call
UNITS = 24  # number of objects that functions read and write
Function = Callable[["Walk", int], int]


@kernel
def walk_rows(rows: Array, seed: int, looks: int) -> int:
    """Walk over rows in an order that follows from what lies in them; what is done with a row depends on it."""
    count = len(rows)
    at = seed % count
    found = 0
    for _ in range(looks):
        row = rows[at]
        x, y, bits = row["x"], row["y"], row["bits"]
        kind = bits & 7
        if kind == 0:
            found += 1
        elif kind == 1:
            other = rows[(at + 17) % count]
            dx, dy = other["x"] - x, other["y"] - y
            if sqrt(dx * dx + dy * dy) < 12.0:
                found += 2
        elif kind == 2:
            for step in range(bits >> 3 & 3):
                found += rows[(at + step) % count]["wounds"]
        elif kind == 3:
            row["rest"][0] = x * y
        elif kind == 4:
            if x > y:
                row["wounds"] = row["wounds"] ^ 1
            else:
                found += row["unit"]
        elif kind == 5:
            angle = 0.0
            for step in range(3):
                angle += row["rest"][step] / (1.0 + row["radius"])
            if angle > x:
                found += 3
        elif kind == 6:
            found ^= (bits >> 7) & 15
        elif row["radius"] * 30.0 > y:
            found += 1
        seed = seed * 1103515245 + 12345 + (bits >> 11) + found & 0x7FFFFFFF
        at = (seed >> 8) % count
    return found


class Soldier:
    """An object that functions read and write."""

    __slots__ = ("at", "column", "left", "name", "tags")

    def __init__(self, at: int, column: Any) -> None:
        self.at, self.column, self.left, self.name = at, column, at % 7, f"unit-{at}"
        self.tags = {f"tag-{tag}": tag * at for tag in range(5)}

    def alive(self) -> bool:
        """Whether ``left`` is above 0."""
        return self.left > 0

    def hit(self, wounds: int) -> int:
        """Lower ``left`` by ``wounds``, or set it to 6 if it is not larger; returns it."""
        self.left = self.left - wounds if self.left > wounds else 6
        return self.left


class Walk:
    """The data that all functions share."""

    def __init__(self, soldiers: list[Soldier], columns: dict[str, Any]) -> None:
        self.soldiers, self.columns = soldiers, columns
        self.stack: list[tuple[int, int]] = []
        self.by_unit: dict[int, int] = {}


# Each function consists of two of these, in different orders and with different numbers {a} to {c}.
PARTS = (
    "one = walk.soldiers[(at + {a}) % {units}]\n    if one.alive():\n        at += one.hit({b})",
    "unit = walk.columns['unit'][(at * {a}) % {rows}]\n    "
    "walk.by_unit[unit] = walk.by_unit.get(unit, 0) + {b}\n    at += unit",
    "walk.stack.append((at, {a}))\n    if len(walk.stack) > {b}:\n        at, _ = walk.stack.pop(0)",
    "for one in walk.soldiers[{c}:{c} + 3]:\n        "
    "if one.left == {b} or one.tags['tag-{c5}'] > at:\n            at += {a}",
    "wounds, x = walk.columns['wounds'], walk.columns['x']\n    "
    "if wounds[at % {rows}] and x[(at + {a}) % {rows}] > {b}.0:\n        at ^= {c}",
    "names = {{one.name for one in walk.soldiers[{c}:{c} + 2]}}\n    at += {a} if 'unit-{c}' in names else {b}",
    "one, two = walk.soldiers[at % {units}], walk.soldiers[{c}]\n    "
    "if one is not two and not two.alive():\n        two.left, at = one.left, at + {a}",
    "least = min(walk.soldiers[{c}].left, {b})\n    "
    "if isinstance(at, int) and least >= 0:\n        at = at * {a} + least",
)


def functions() -> list[Function]:
    """The Python functions, always the same ones."""
    seed, found = 12345, []
    for number in range(FUNCTIONS):
        text = f"def step_{number}(walk, at):\n"
        for _ in range(2):
            seed = (seed * 1103515245 + 12345) % 2**31
            values = {"a": 3 + 2 * (seed >> 8) % 97, "b": (seed >> 12) % 7 + 1, "c": (seed >> 16) % (UNITS - 3)}
            part = PARTS[(seed >> 20) % len(PARTS)]
            text += "    " + part.format(units=UNITS, rows=ROWS, c5=values["c"] % 5, **values) + "\n"
        scope: dict[str, Function] = {}
        exec(text + "    return at & 0xFFFFFF\n", scope)
        found.append(scope[f"step_{number}"])
    return found


class Yardstick:
    """The work and its data."""

    def __init__(self) -> None:
        chance = np.random.default_rng(1)
        self.rows: Array = np.zeros(ROWS, ROW)
        for name, most in (("x", 60.0), ("y", 44.0), ("radius", 1.0)):
            self.rows[name] = chance.random(ROWS) * most
        self.rows["rest"] = chance.random((ROWS, 11)) * 20.0
        self.rows["wounds"] = chance.integers(0, 4, ROWS)
        self.rows["unit"] = chance.integers(0, 12, ROWS)
        self.rows["bits"] = chance.integers(0, 2**63, ROWS, dtype=np.uint64)
        rows: Any = self.rows
        columns = {name: memoryview(rows[name]) for name in ("x", "wounds", "unit")}
        self.walk = Walk([Soldier(at, columns["wounds"]) for at in range(UNITS)], columns)
        self.functions = functions()
        self.at = 1
        self.work(20)

    def work(self, units: int) -> int:
        """Do a number of units; returns a number that depends on all of them."""
        total = 0
        for _ in range(units):
            total += self.unit()
        return total

    def unit(self) -> int:
        """Do one unit: Python functions, a kernel, Python functions, a kernel."""
        walk, steps, at = self.walk, self.functions, self.at
        for _ in range(2):
            for _ in range(STEPS // 2):
                at = (at * 69069 + 1) & 0x3FFFFFFF
                at = steps[(at >> 9) % FUNCTIONS](walk, at)
            at += walk_rows(self.rows, at, LOOKS)
        walk.by_unit.clear()
        self.at = at
        return at
