"""Where the names of units are written: beside their models, and if there is room not over other names and bases.

A box is x0, y0, x1, y1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wh_env.core.tables import Array

WIDE = 0.27  # half the average width of a letter, as a share of its height
ON_NAME, ON_MODEL, OFF_TABLE = 6.0, 1.0, 12.0  # cost of each unit of covered area
TURN = 0.02  # cost of each later place in the list, so that names stay below their units if they can


@dataclass(frozen=True)
class Name:
    """A name to be written: its letters, and the boxes round the models that it belongs to, shape (n, 4)."""

    words: str
    bases: Array


def places(name: Name, size: float) -> list[tuple[float, float]]:
    """Places (x, y of the middle) for a name, the best first: below and above all its models, then beside one at their
    rim.
    """
    bases = name.bases
    low, high = bases[:, :2].min(axis=0), bases[:, 2:].max(axis=0)
    x = float(low[0] + high[0]) / 2
    half, gap, line = WIDE * size * len(name.words), 0.65 * size, 1.05 * size
    found = [(x, float(low[1]) - gap), (x, float(high[1]) + gap)]
    for row in (bases[:, 3].argmax(), bases[:, 1].argmin(), bases[:, 2].argmax(), bases[:, 0].argmin()):
        x0, y0, x1, y1 = bases[row].tolist()
        middle = (x0 + x1) / 2, (y0 + y1) / 2
        found += [(x1 + 0.3 * size + half, middle[1]), (x0 - 0.3 * size - half, middle[1])]
        found += [
            (middle[0], y1 + gap),
            (middle[0], y0 - gap),
            (middle[0], y1 + gap + line),
            (middle[0], y0 - gap - line),
        ]
    return found


def write(names: Sequence[Name], size: float, bases: Array, table: tuple[float, float]) -> list[tuple[float, float]]:
    """The middle (x, y) of each name.

    Args:
        names: in the order in which they choose their places.
        size: height of the letters.
        bases: boxes round everything that should stay readable, shape (n, 4).
        table: its length and width.
    """
    taken = np.zeros((0, 4))
    chosen: list[tuple[float, float]] = []
    for name in names:
        half, tall = WIDE * size * len(name.words), 0.5 * size
        spots = np.array(places(name, size))
        spots[:, 0] = np.clip(spots[:, 0], min(half, table[0] / 2), max(table[0] - half, table[0] / 2))
        boxes = np.column_stack([spots - (half, tall), spots + (half, tall)])
        inside = _common(boxes, np.array([(0.0, 0.0, *table)])).sum(axis=1)
        cost = (
            ON_NAME * _common(boxes, taken).sum(axis=1)
            + ON_MODEL * _common(boxes, bases).sum(axis=1)
            + OFF_TABLE * (4 * half * tall - inside)
            + TURN * size * size * np.arange(len(spots)) * len(name.words)
        )
        best = int(cost.argmin())
        taken = np.vstack([taken, boxes[best]])
        chosen.append((float(spots[best, 0]), float(spots[best, 1])))
    return chosen


def _common(boxes: Array, others: Array) -> Array:
    """Area that each box shares with each of the others, shape (boxes, others)."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    sides = np.clip(high - low, 0.0, None)
    area: Array = sides[..., 0] * sides[..., 1]
    return area
