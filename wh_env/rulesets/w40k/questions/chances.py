"""Chances of rolls that plans and observations use, by the edition's own numbers."""

from __future__ import annotations

from math import ceil

from wh_env.core.chances import Chances
from wh_env.core.kernel import kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition_of


def chances_of(setup: Setup) -> Chances:
    """The chances of charges in battles of a Setup, and the distances in inches that plans use."""
    own = edition_of(setup)
    return Chances(own.measures.engagement, own.charging.reach, own.dice.charge, float(setup.rules["marker_range"]))


@kernel
def chance_of(odds: Array, inches: float) -> float:
    """The chance that dice add up to at least ``inches``, any number. ``odds``: the table of
    ``core.chances.at_least``.
    """
    return float(odds[min(len(odds) - 1, max(0, ceil(inches)))])
