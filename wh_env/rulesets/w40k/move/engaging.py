"""Whether a unit is engaged: a kernel, as it is asked of every unit that is about to do something."""

from __future__ import annotations

from wh_env.core.geometry.areas import unit_engaged_across
from wh_env.core.geometry.shapes import unit_engaged
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

AMPLE = 0.01  # inches, more than any tolerance


@kernel
def engaged_anyhow(
    models: Array, units: Array, blocks: Array, corners: Array, unit: int, reach: float, vertical: float, across: float
) -> bool:  # fmt: skip
    """Whether the unit is within Engagement Range of any enemy model, in a straight line or across an area.

    ``across``: the longest Engagement Range across any area, 0 without any.
    """
    if across <= 0.0:
        return unit_engaged(models, units, unit, reach, vertical)
    # looking across areas takes long, and mostly nobody is near
    if not unit_engaged(models, units, unit, max(across, reach) + AMPLE, vertical):
        return False
    if unit_engaged(models, units, unit, reach, vertical):
        return True
    return unit_engaged_across(models, units, blocks, corners, unit, vertical)
