"""Where a wizard may place a vortex: in contact with the front of his base (wap.magic.type.vortex)."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, inf, sin, tau

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.marks import free_row
from wh_env.rulesets.wap.basics.sight import within
from wh_env.rulesets.wap.magic.places import barred_units, base_of_wizard, bases_of, bases_of_models, radius_of
from wh_env.rulesets.wap.magic.spells import Version
from wh_env.rulesets.wap.magic.targets import model_of

HALVINGS = 60  # of an interval in which a place is sought


def place_at(g: BattleCore, wizard: int, radius: float, slot: int) -> tuple[float, float]:
    """The middle (x, y) of a template that touches a wizard's base in the direction of a slot from its middle."""
    base, turned = base_of_wizard(g, wizard), slot * tau / g.setup.space.angles
    x, y = float(base.x[0]), float(base.y[0])
    near, far = 0.0, radius + hypot(base.half_a[0], base.half_b[0])
    for _ in range(HALVINGS):
        middle = 0.5 * (near + far)
        at = np.array([x + middle * cos(turned)]), np.array([y + middle * sin(turned)])
        near, far = (near, middle) if base.gaps(*at)[0, 0] >= radius else (middle, far)
    return x + far * cos(turned), y + far * sin(turned)


def places_for(g: BattleCore, wizard: int, version: Version) -> Iterator[int]:
    """The slots at which a vortex may be placed: its middle in the wizard's front arc, out of a building on all sides;
    over no friend but the wizard, and over nobody in close combat.
    """
    radius, base, all_round = radius_of(version), base_of_wizard(g, wizard), is_inside(g, block_of(g, wizard))
    barred = barred_units(g, wizard)
    for slot in range(g.setup.space.angles):
        x, y = (np.array([value]) for value in place_at(g, wizard, radius, slot))
        if (all_round or base.before(x, y)[0, 0]) and all(
            room_to(g, wizard, unit, x, y) > radius + EPS for unit in barred
        ):
            yield slot


def has_room(g: BattleCore, wizard: int, version: Version) -> bool:
    """Whether a vortex can be placed."""
    return free_row(g) >= 0 and any(True for _ in places_for(g, wizard, version))


def room_to(g: BattleCore, wizard: int, unit: int, x: Array, y: Array) -> float:
    """Inches from a point to the nearest base of a unit; that of the wizard, or the building that he is in, does not
    count.
    """
    if unit != block_of(g, wizard):
        return float(bases_of(g, unit).gaps(x, y).min())
    if is_inside(g, unit):
        return inf
    comrades = [k for k in within(g, unit) if k != model_of(g, wizard)]
    return float(bases_of_models(g, comrades).gaps(x, y).min()) if comrades else inf
