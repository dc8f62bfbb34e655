"""Chances that appraisers and observations use: of combats, and of fire between formations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.epic.fire.aim import chance_to_hit

EDGE = 12  # differences of Assault Factors beyond this are as good as certain
_DICE = np.convolve(np.ones(6), np.ones(6)) / 36.0
_DIFFERENCE = np.convolve(_DICE, _DICE[::-1])  # of two rolls of 2D6, -10 .. 10
# [lead + EDGE]: chance that 2D6 + lead beat 2D6
BEATS = np.array([_DIFFERENCE[[d for d in range(21) if d - 10 + lead > 0]].sum() for lead in range(-EDGE, EDGE + 1)])


class Rates(NamedTuple):
    """What one unit of each formation can do.

    Attributes:
        kills: (formations, formations): units of the second formation that one unit of the first destroys on
            average with all its weapons, in range and in the open.
        reach: (formations,): range of its longest weapon, cm.
        common: (formations,): units with a save of 4+ that it destroys on average.
    """

    kills: Array
    reach: Array
    common: Array


def rates_of(setup: Setup) -> Rates:
    """The ``Rates`` of the formations of a Setup, each judged by its first unit."""
    units, models = (setup.layout.view(setup.template, table) for table in ("units", "models"))
    weapons, numbers = setup.statics["weapons"], setup.statics["numbers"]
    count, first = len(units), units["first"]
    kills, reach, common = np.zeros((count, count)), np.zeros(count), np.zeros(count)
    for u in range(count):
        start = models["first_weapon"][first[u]]
        for weapon in weapons[start : start + models["weapons"][first[u]]]:
            reach[u] = max(reach[u], weapon["range"])
            hits = weapon["dice"] * chance_to_hit(numbers, int(weapon["to_hit"]))
            common[u] += hits * min(1.0, (3 + weapon["save_modifier"]) / 6)
            for e in range(count):
                save = int(models["save"][first[e]])
                kills[u, e] += hits * (min(1.0, (save - 1 + weapon["save_modifier"]) / 6) if save else 1.0)
    return Rates(kills, reach, common)
