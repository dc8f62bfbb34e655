"""Units within range of a psyker: a kernel, as it is called for each of its powers."""

from __future__ import annotations

from wh_env.core.geometry.shapes import member, member_count, stands_in, straight_within, unit_distance
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array


@kernel
def units_near(
    models: Array, units: Array, unit: int, model: int, first: int, count: int, reach: float, found: Array
) -> int:
    """List in ``found`` (int32) the units within ``reach`` inches of ``model``, or of ``unit`` if ``model`` is -1.

    Only ``count`` units from row ``first`` on are tested. Rows are written in rising order. Returns how many.
    """
    number = 0
    for other in range(first, first + count):
        if units[other]["place"] != ON_TABLE:
            continue
        near = False
        if model < 0:
            near = unit_distance(models, units, unit, other) <= reach
        else:
            for n in range(member_count(units, other)):
                k = member(units, other, n)
                if stands_in(models, k, other) and straight_within(models, model, k, reach):
                    near = True
                    break
        if near:
            found[number] = other
            number += 1
    return number
