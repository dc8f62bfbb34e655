"""The flat action space that every ruleset shares.

``done · option · own unit · enemy unit · cell · angle · number · model``: slot *i* of a unit segment is row *i* of that
side's units, slot *i* of the model segment is the i-th model of the unit that the decision is about, and a cell is a place of a
grid laid over the region that the decision is about.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Segment(IntEnum):
    """What a slot of the action space stands for."""

    DONE = 0
    OPTION = 1
    OWN = 2
    ENEMY = 3
    CELL = 4
    ANGLE = 5
    NUMBER = 6
    MODEL = 7


@dataclass(frozen=True)
class ActionSpace:
    """Sizes of the segments; the same for both seats and for every battle of a ruleset, so that one policy plays all."""

    units: int = 32
    grid: int = 17
    options: int = 16
    angles: int = 24
    numbers: int = 32
    models: int = 32
    option: int = field(init=False, default=0)
    own: int = field(init=False, default=0)
    enemy: int = field(init=False, default=0)
    cell: int = field(init=False, default=0)
    angle: int = field(init=False, default=0)
    number: int = field(init=False, default=0)
    model: int = field(init=False, default=0)
    size: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        sizes = (
            ("option", self.options),
            ("own", self.units),
            ("enemy", self.units),
            ("cell", self.grid * self.grid),
            ("angle", self.angles),
            ("number", self.numbers),
            ("model", self.models),
        )
        at = 1
        for name, size in sizes:
            object.__setattr__(self, name, at)
            at += size
        object.__setattr__(self, "size", at)

    def split(self, action: int) -> tuple[Segment, int]:
        """Segment and slot of ``action``."""
        for segment, start in (
            (Segment.MODEL, self.model),
            (Segment.NUMBER, self.number),
            (Segment.ANGLE, self.angle),
            (Segment.CELL, self.cell),
            (Segment.ENEMY, self.enemy),
            (Segment.OWN, self.own),
            (Segment.OPTION, self.option),
        ):
            if action >= start:
                return segment, action - start
        return Segment.DONE, 0
