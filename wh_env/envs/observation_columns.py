"""What one number of an observation vector means, from the fields that lay the vector out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index as whole

import numpy as np

from wh_env.content.games import game_named
from wh_env.core.features import Field
from wh_env.core.procedures import Ruleset
from wh_env.envs.observation_fields import PARTS, SIZE, Part, fields_of

UNUSED = Field("", "room that the ruleset does not use; always 0", "-", 0.0, 0.0)


@dataclass(frozen=True)
class Column:
    """One number of a vector under a ruleset.

    Attributes:
        index: its index in the vector.
        part: the part that it belongs to, a key of ``split``.
        place: its indices in that part by the names of the axes; the axis ``field`` is the column.
        name: of its field, a name that ``column_of`` finds; empty if the ruleset does not use the room.
        unit: the unit of the number and the value that it is divided by.
        low, high: its range in every battle.
        meaning: in words.
    """

    index: int
    part: str
    place: Mapping[str, int]
    name: str
    unit: str
    low: float
    high: float
    meaning: str

    def __str__(self) -> str:
        of = "".join(f", {axis} {number}" for axis, number in self.place.items() if axis != "field")
        span = f"{self.unit}, {self.low:g}..{self.high:g}"
        return f"{self.index}: {self.part}{of}, {self.name or 'no field'} ({span}): {self.meaning}"


def part_at(index: int) -> Part:
    """The part of the vector to which the number at ``index`` belongs.

    Raises:
        IndexError: the vector has no such number.
    """
    for part in PARTS.values():
        if 0 <= part.start <= index < part.stop:
            return part
    raise IndexError(f"{index} is no index of the observation; expected 0 to {SIZE - 1}")


def describe(ruleset: Ruleset | str, index: int) -> Column:
    """What the number at ``index`` of a vector means under a ruleset (or the ruleset of an id).

    Raises:
        ContentError: there is no ruleset with this id.
        IndexError: the vector has no such number.
        TypeError: ``index`` is no whole number.
    """
    if isinstance(ruleset, str):
        ruleset = game_named(ruleset).ruleset
    index = whole(index)
    part = part_at(index)
    place = dict(zip(part.axes, map(int, np.unravel_index(index - part.start, part.vector_shape)), strict=True))
    fields = fields_of(ruleset, part.fields)
    field = fields[place["field"]] if place["field"] < len(fields) else UNUSED
    return Column(
        index, part.name, place, field.name, field.unit, field.low, field.high, _meaning(ruleset, part, field)
    )


def _meaning(ruleset: Ruleset, part: Part, field: Field) -> str:
    """The meaning of a field in words, with the name of the phase or decision kind that a numbered field stands for."""
    stem, _, number = field.name.rpartition("_")
    named = {
        ("globals", "phase"): ruleset.phases,
        ("decision", "kind"): tuple(kind.name for kind in ruleset.kinds),
    }.get((part.name, stem))
    if named is None:
        return field.meaning
    return f"{field.meaning}: {named[int(number)]}" if int(number) < len(named) else f"{field.meaning}, which has fewer"


__all__ = ["Column", "describe", "part_at"]
