"""What plans and observations expect of rolls, by the edition's own numbers."""

from __future__ import annotations

from math import ceil

from wh_env.core.chances import Chances
from wh_env.core.kernel import kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition_of


def chances_of(setup: Setup) -> Chances:
    """The chances of charges and the distances that plans count on in battles of a Setup, in inches."""
    own = edition_of(setup)
    return Chances(own.measures.engagement, own.charging.reach, own.dice.charge, float(setup.rules["marker_range"]))


@kernel
def chance_of(odds: Array, inches: float) -> float:
    """The chance that dice add up to at least so many inches, however many these are; ``odds``: ``core.chances.at_least``."""
    return float(odds[min(len(odds) - 1, max(0, ceil(inches)))])
