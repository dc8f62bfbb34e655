"""Whether a unit is near enough to a TRANSPORT model to embark: a kernel, because every move near one asks
(transport.embark).
"""

from __future__ import annotations

from wh_env.core.geometry.placement import wholly_within_at
from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in, straight_distance
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def all_beside(models: Array, units: Array, unit: int, hull: int, reach: float, wholly: bool) -> bool:
    """Whether all models of the unit stand within ``reach`` inches of model ``hull``, with every part if ``wholly``."""
    for n in range(member_count(units, unit)):
        k = member(units, unit, n)
        if stands_in(models, k, unit):
            m = models[k]
            if straight_distance(models, k, hull) > reach + EPS:
                return False
            if wholly and not wholly_within_at(models, k, m["x"], m["y"], m["facing"], hull, reach):
                return False
    return True
