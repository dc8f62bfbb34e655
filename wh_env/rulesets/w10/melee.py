"""Charge, Pile-in and Consolidation moves of whole units (w10.charge.move.*, w10.fight.pile-in.*, w10.fight.consolidate.*)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.melee_moves import charge_apply, consolidate_apply, fight_move_possible, pile_in_apply
from wh_env.core.tables import Array
from wh_env.rulesets.w10.limits import CHARGE, CONSOLIDATE, PILE_IN, limits_for

NOWHERE, TOWARDS_ENEMY, TOWARDS_MARKER = 0, 1, 2
CLOSE_MOVE = 3.0  # inches of a Pile-in or Consolidation move
NO_ORDER = np.zeros(0, np.int32)


def charge_unit(g: BattleCore, unit: int, roll: int) -> bool:
    """Make the Charge move if its conditions can be met; else nothing moves and the charge fails."""
    statics = g.setup.statics
    return bool(
        charge_apply(
            g.models.rows,
            g.units.rows,
            g.setup.blocks,
            g.setup.corners,
            g.objectives.rows,
            limits_for(g, unit, CHARGE, float(roll)),
            g.charge_targets_array,
            unit,
            float(roll),
            statics["scratch"],
            statics["marks"],
        )
    )


def _common(g: BattleCore, unit: int, kind: str) -> tuple[Any, ...]:
    limits: Array = limits_for(g, unit, kind, CLOSE_MOVE)
    return (
        g.models.rows,
        g.units.rows,
        g.setup.blocks,
        g.setup.corners,
        g.objectives.rows,
        limits,
        g.setup.statics["no_targets"],
        unit,
    )


def _order(order: Sequence[int]) -> Array:
    return np.array(order, np.int32) if order else NO_ORDER


def can_pile_in(g: BattleCore, unit: int) -> bool:
    """Whether a Pile-in that moves anybody is possible (w10.fight.pile-in.condition)."""
    statics = g.setup.statics
    args = (False, 0.0, statics["scratch"], statics["marks"])
    return bool(fight_move_possible(*_common(g, unit, PILE_IN), *args) > 0)


def pile_in(g: BattleCore, unit: int, order: Sequence[int] = ()) -> int:
    """Pile in, the models in ``order`` first; how many moved."""
    statics = g.setup.statics
    moved = pile_in_apply(*_common(g, unit, PILE_IN), _order(order), statics["scratch"], statics["marks"])
    return max(0, int(moved))


def consolidation(g: BattleCore, unit: int) -> int:
    """Which Consolidation is possible: towards the enemy, else towards the closest objective marker, else none."""
    statics = g.setup.statics
    common = _common(g, unit, CONSOLIDATE)
    control = float(g.setup.rules["marker_range"])
    towards_enemy = fight_move_possible(*common, False, 0.0, statics["scratch"], statics["marks"])
    if towards_enemy > 0:
        return TOWARDS_ENEMY
    if towards_enemy == 0 or not len(g.objectives.rows):
        return NOWHERE  # it is possible, but nobody has anywhere to go
    towards_marker = fight_move_possible(*common, True, control, statics["scratch"], statics["marks"])
    return TOWARDS_MARKER if towards_marker > 0 else NOWHERE


def consolidate(g: BattleCore, unit: int, kind: int, order: Sequence[int] = ()) -> int:
    """Consolidate, the models in ``order`` first; how many moved."""
    statics = g.setup.statics
    moved = consolidate_apply(
        *_common(g, unit, CONSOLIDATE),
        kind == TOWARDS_MARKER,
        float(g.setup.rules["marker_range"]),
        _order(order),
        statics["scratch"],
        statics["marks"],
    )
    return max(0, int(moved))
