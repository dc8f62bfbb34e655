"""The elements of pictures: shapes in table coordinates, with the name of a style and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

Point = tuple[float, float]


class Shape(NamedTuple):
    """One shape.

    Attributes:
        kind: ``oval`` or ``box`` (centre x, y; half lengths a along ``turn`` and b across), ``polygon`` or ``line``
            (``points``), ``text`` (middle x, y; height of the letters a).
        style: its name in ``theme.styles``.
        turn: radians, 0 = +x, counter-clockwise.
        points: x and y by turns.
        text: the letters; for an oval or box, those written on it.
        layer: shapes are painted from the lowest to the highest layer.
        unit: row of the unit that it belongs to, -1 none.
        title: the text that is shown when somebody points at it.
        nose: whether a mark shows its facing.
    """

    kind: str
    style: str
    x: float = 0.0
    y: float = 0.0
    a: float = 0.0
    b: float = 0.0
    turn: float = 0.0
    points: tuple[float, ...] = ()
    text: str = ""
    layer: int = 0
    unit: int = -1
    title: str = ""
    nose: bool = False


def disc(style: str, x: float, y: float, radius: float, layer: int, *, unit: int = -1, title: str = "") -> Shape:
    """A circle."""
    return Shape("oval", style, x, y, radius, radius, layer=layer, unit=unit, title=title)


def text(style: str, x: float, y: float, size: float, words: str, layer: int, *, unit: int = -1) -> Shape:
    """Words, centred on (x, y). ``size``: height of the letters."""
    return Shape("text", style, x, y, size, text=words, layer=layer, unit=unit)


def line(style: str, points: Iterable[Point], layer: int, *, unit: int = -1) -> Shape:
    """A line through points."""
    return Shape("line", style, points=_flat(points), layer=layer, unit=unit)


def polygon(style: str, points: Iterable[Point], layer: int, *, title: str = "") -> Shape:
    """A closed outline."""
    return Shape("polygon", style, points=_flat(points), layer=layer, title=title)


def _flat(points: Iterable[Point]) -> tuple[float, ...]:
    """The coordinates of points as one tuple: x, y, x, y, ..."""
    return tuple(float(value) for point in points for value in point)


def pairs(points: Sequence[float]) -> list[Point]:
    """The points of a flat sequence x, y, x, y, ..."""
    return list(zip(points[::2], points[1::2], strict=True))
