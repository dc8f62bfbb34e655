"""Enemy models that keep Reinforcements away farther than the rules by which these arrive (rare.prevent-reinforcements)."""

from __future__ import annotations

from math import hypot

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, gap_at
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition


def kept_clear(g: BattleCore, unit: int) -> Array | None:
    """By model row how many inches the model keeps the arriving unit away (float64, 0: not at all); None if none does."""
    if not g.setup.statics["powers"]["arrivals"]:
        return None
    powers, bearers = edition(g).power_rows(g, "arrivals")
    far = np.zeros(len(g.models.rows), np.float64)
    for power in powers:
        named = not power["keyword"] or int(power["keyword"]) & g.units.keywords[unit]
        if power["owner"] != g.units.owner[unit] and power["enemies"] and named:
            own = bearers[power["first"] : power["first"] + power["count"]]
            far[own] = np.maximum(far[own], power["reach"])
    far[g.models.rows["on_table"] == 0] = 0.0
    return far if far.any() else None


@kernel
def too_near_at(models: Array, i: int, x: float, y: float, z: float, f: float, far: Array) -> bool:
    """True if a model keeps model ``i`` away from this pose, in a straight line between the lowest points of both."""
    for j in range(len(models)):
        if far[j] > 0.0:
            q = models[j]
            if hypot(gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]), q["z"] - z) <= far[j] + EPS:
                return True
    return False
