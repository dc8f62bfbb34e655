"""The flat action space that every ruleset shares.

An action is one number. The numbers are cut into segments, in this order: ``done``, options, own units, enemy units,
cells, angles, numbers, models. Slot *i* of a unit segment stands for the *i*-th unit of that side. Slot *i* of the
model segment stands for the *i*-th model of the unit that the decision is about. A cell is one place of a square grid
that is laid over the region of the decision.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Segment(IntEnum):
    """The kind of thing that an action stands for; the segments have the order of the action space."""

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
    """Sizes and first slots of the segments of the action space.

    They are the same for both seats and for every battle of a ruleset, so that one policy can play them all.

    Attributes:
        units: slots of the own-unit segment, and as many of the enemy-unit segment. grid: rows, and columns, of the
            grid of cells. options, angles, numbers, models: slots of these segments.
        option, own, enemy, cell, angle, number, model: the first action of each segment (action 0 is ``done``).
        size: number of actions.
    """

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
        """Work out the first action of each segment and the size."""
        sizes = (
            ("option", self.options),
            ("own", self.units),
            ("enemy", self.units),
            ("cell", self.grid * self.grid),
            ("angle", self.angles),
            ("number", self.numbers),
            ("model", self.models),
        )
        first_action = 1
        for name, size in sizes:
            object.__setattr__(self, name, first_action)
            first_action += size
        object.__setattr__(self, "size", first_action)

    def split(self, action: int) -> tuple[Segment, int]:
        """The segment of ``action`` and its slot in that segment, counted from 0. Does not test that the action is in
        the space.
        """
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
