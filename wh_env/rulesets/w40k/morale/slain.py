"""Models slain this turn, as kernels, because each Morale phase asks about every unit."""

from __future__ import annotations

from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array


@kernel
def slain_models(models: Array, units: Array, toll: Array, unit: int) -> int:
    """The number of the unit's models that were slain this turn (``toll``, flags by model) and were not returned to it
    (morale.returned-models).
    """
    slain = 0
    for k in range(units[unit]["first"], units[unit]["first"] + units[unit]["count"]):
        if toll[k] != 0 and models[k]["alive"] == 0 and models[k]["unit"] == unit:
            slain += 1
    return slain


@kernel
def first_shaken(models: Array, units: Array, toll: Array, first: int, count: int, tested: int) -> int:
    """The first of ``count`` units from row ``first`` on that still has to take a Morale test (morale.who), -1 if none
    has.

    ``tested``: the bit of ``units.selected`` for units that were selected to test in this phase.
    """
    for unit in range(first, first + count):
        u = units[unit]
        if u["place"] == ON_TABLE and u["alive"] > 0 and u["selected"] & tested == 0:
            if slain_models(models, units, toll, unit) > 0:
                return unit
    return -1
