"""Where the models of a unit stood when it began to move: a kernel, as every move begins with it."""

from __future__ import annotations

from wh_env.core.geometry.shapes import member, member_count, stands_in
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def remember(models: Array, units: Array, origin: Array, unit: int) -> None:
    """Write the poses of the unit's models into ``origin`` and mark all of them as not moved."""
    for n in range(member_count(units, unit)):
        k = member(units, unit, n)
        if stands_in(models, k, unit):
            models[k]["moved"] = 0
            origin[k]["x"] = models[k]["x"]
            origin[k]["y"] = models[k]["y"]
            origin[k]["z"] = models[k]["z"]
            origin[k]["facing"] = models[k]["facing"]
