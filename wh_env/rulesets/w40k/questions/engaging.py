"""Whether a unit is engaged: kernels, because every unit that is about to act is asked."""

from __future__ import annotations

from wh_env.core.geometry.areas import unit_engaged_across
from wh_env.core.geometry.engaged import unit_engaged
from wh_env.core.geometry.shapes import member, member_count, stands_in
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array

AMPLE = 0.01  # inches, more than any tolerance


@inner_kernel
def _enemies_about(models: Array, units: Array, unit: int, reach: float) -> bool:
    """Whether an enemy model is within ``reach`` inches of a box round the unit. The box holds the circles round the
    bases.
    """
    west = south = float("inf")
    east = north = -float("inf")
    for n in range(member_count(units, unit)):
        k = member(units, unit, n)
        if stands_in(models, k, unit):
            m = models[k]
            west, east = min(west, m["x"] - m["radius"]), max(east, m["x"] + m["radius"])
            south, north = min(south, m["y"] - m["radius"]), max(north, m["y"] + m["radius"])
    owner = units[unit]["owner"]
    for j in range(len(models)):
        q = models[j]
        far = q["radius"] + reach
        if west - far <= q["x"] <= east + far and south - far <= q["y"] <= north + far:
            if q["on_table"] == 1 and q["owner"] != owner:
                return True
    return False


@kernel
def engaged_anyhow(models: Array, units: Array, blocks: Array, corners: Array, fire: Array, unit: int) -> bool:
    """Whether the unit is within Engagement Range of an enemy model, in a straight line or across an area.

    ``fire``: the row of ``FIRE_RULES`` with Engagement Range.
    """
    reach = fire[0]["engagement"]
    vertical = fire[0]["engagement_vertical"]
    across = fire[0]["engagement_across"]
    # usually no enemy is near
    if not _enemies_about(models, units, unit, max(across, reach) + AMPLE):
        return False
    if across <= 0.0:
        return unit_engaged(models, units, unit, reach, vertical)
    # looking across areas takes long
    if not unit_engaged(models, units, unit, max(across, reach) + AMPLE, vertical):
        return False
    if unit_engaged(models, units, unit, reach, vertical):
        return True
    return unit_engaged_across(models, units, blocks, corners, unit, vertical)


@kernel
def mark_engaged(
    models: Array, units: Array, blocks: Array, corners: Array, fire: Array, first: int, count: int, marks: Array
) -> None:  # fmt: skip
    """Set ``marks[unit]`` (int32) of ``count`` units from row ``first`` on: 1 if the unit is on the battlefield and
    engaged, else 0.
    """
    for unit in range(first, first + count):
        held = units[unit]["place"] == ON_TABLE and engaged_anyhow(models, units, blocks, corners, fire, unit)
        marks[unit] = 1 if held else 0
