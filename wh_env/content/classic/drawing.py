"""Parts of drawing random armies: the room that a unit takes up, and its equipment."""

from __future__ import annotations

from collections import Counter

import numpy as np

from wh_env.content.classic.fielding import cost, write_out
from wh_env.content.classic.schema import ClassicDatasheet

PACKING = 1.2  # table that a unit takes up, as a multiple of the area of its bases
LARGEST = 0.5  # share of units that are as large as they can be
OPTIONS = 0.5  # share of wargear options that are taken
EMBARKED = 0.7  # share of TRANSPORTS that start with a unit in them
TELEPORT = 0.5  # share of units in reserve, of those that can be


def area_of(sheet: ClassicDatasheet, models: int) -> float:
    """Square inches of table that a unit takes up, by the base of its last type of model."""
    half_a, half_b = sheet.models[-1].base.halves
    return PACKING * models * 4 * half_a * half_b


def random_equipment(
    sheet: ClassicDatasheet, models: int, chance: np.random.Generator, limit: int | None = None
) -> dict[str, dict[str, int]]:
    """Random options for some of the models; with them the unit costs at most ``limit`` points (None: any number)."""
    bare = write_out(sheet, models, {})
    have = Counter(model.type.name for model in bare)
    left = None if limit is None else limit - cost(sheet, bare)
    chosen: dict[str, dict[str, int]] = {}
    for kind in sheet.models:
        free, taken = have[kind.name], {}
        for at in chance.permutation(len(kind.options)):
            option = kind.options[at]
            most = free
            if option.max is not None:
                most = min(most, option.max * (models // option.per if option.per is not None else 1))
            if left is not None and option.points:
                most = min(most, left // option.points)
            if most > 0 and chance.random() < OPTIONS:
                taken[option.name] = int(chance.integers(1, most + 1))
                free -= taken[option.name]
                left = None if left is None else left - taken[option.name] * option.points
        if taken:
            chosen[kind.name] = taken
    return chosen
