"""Single models that the engine sets up where it finds room: models of a unit that fits in no formation, and models
that come back.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.placement import new_place, set_up_model_near, set_up_one_by_one
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.deploy.places import ANYWHERE, where
from wh_env.rulesets.w40k.deploy.zones import facing_of
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import NORMAL

BACK_IN_COHERENCY = 4.0  # inches from its unit within which a place for a returned model is sought
LOOSE_STARTS = 17  # points along the zone from which the search for room for single models starts


def set_up_loose(g: BattleCore, unit: int) -> int:
    """Set up as many models of the unit as find room together, if it fits in no formation. Returns their number; 0:
    nothing changes.
    """
    zone, avoid, place = where(g, unit, g.units.reserve[unit])
    work = g.work
    corners = zone if len(zone) else np.array([(0.0, 0.0), (g.setup.length, g.setup.width)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, size = (low + high) / 2, high - low
    along = int(size[1] > size[0])
    mine = g.models.rows[(g.models.rows["unit"] == unit) & (g.models.rows["alive"] == 1)]
    # no farther than a unit in coherency can stretch
    far = min(float(np.hypot(*size)), float((2.0 * mine["radius"] + edition(g).measures.coherency).sum()))

    def attempt(models: Array, start: Array) -> int:
        return int(
            set_up_one_by_one(
                models,
                g.units.rows,
                g.setup.blocks,
                g.setup.corners,
                g.objectives.rows,
                work.limits[NORMAL, False],
                work.no_targets,
                unit,
                zone,
                avoid,
                place,
                start[0],
                start[1],
                facing_of(g, g.units.owner[unit]),
                far,
                work.marks,
            )
        )

    best, at = 0, middle
    for k in range(LOOSE_STARTS):
        start = middle.copy()
        start[along] = low[along] + size[along] * (k + 0.5) / LOOSE_STARTS
        found = attempt(g.models.rows.copy(), start)
        if found > best:
            best, at = found, start
    return attempt(g.models.rows, at) if best else 0


def set_up_beside(g: BattleCore, model: int, unit: int) -> bool:
    """Set a model up in coherency with its unit, out of Engagement Range; False if there is no room."""
    work, m = g.work, g.models
    others = list(g.members(unit))
    if not others:
        return False
    near = others[0]
    return bool(
        set_up_model_near(
            m.rows,
            g.units.rows,
            g.setup.blocks,
            g.setup.corners,
            g.objectives.rows,
            work.limits[NORMAL, False],
            work.no_targets,
            ANYWHERE,
            ANYWHERE,
            new_place(),
            model,
            m.x[near],
            m.y[near],
            m.facing[near],
            BACK_IN_COHERENCY,
            min(len(others), 2 if len(others) + 1 >= edition(g).measures.large_unit else 1),
        )
    )


def return_model(g: BattleCore, unit: int, amount: int) -> None:
    """Return destroyed models of a unit to the battlefield with full wounds, in coherency with the rest."""
    m, u = g.models, g.units
    first = u.first[unit]
    for k in range(first, first + u.count[unit]):
        if amount and not m.alive[k] and set_up_beside(g, k, unit):
            m.alive[k] = m.on_table[k] = 1
            m.wounds[k] = m.max_wounds[k]
            u.alive[unit] += 1
            amount -= 1
            forget_targets(g)
