"""The names of ``paths``, ``rigid`` and ``single`` that rulesets use most: limits, costs and verdicts of paths, masks
and moves of units and models.
"""

from wh_env.core.geometry.legs import leg_blocked, leg_cost
from wh_env.core.geometry.path_checks import check_path, check_unit_move
from wh_env.core.geometry.paths import (
    ANYBODY,
    MOVE_LIMITS,
    NOBODY,
    ONLY_TARGETS,
    OWN_MOVE,
    SAME_FOR_ALL,
    Fault,
    allowance,
    end_fault,
    end_surfaces,
    new_limits,
)
from wh_env.core.geometry.rigid import BENDS, rigid_apply, rigid_mask, scratch_sizes
from wh_env.core.geometry.single import NEAREST, find_path, model_apply, model_mask
from wh_env.core.geometry.straight_moves import gather_unit, unit_allowance

__all__ = [
    "ANYBODY",
    "BENDS",
    "MOVE_LIMITS",
    "NEAREST",
    "NOBODY",
    "ONLY_TARGETS",
    "OWN_MOVE",
    "SAME_FOR_ALL",
    "Fault",
    "allowance",
    "check_path",
    "check_unit_move",
    "end_fault",
    "end_surfaces",
    "find_path",
    "gather_unit",
    "leg_blocked",
    "leg_cost",
    "model_apply",
    "model_mask",
    "new_limits",
    "rigid_apply",
    "rigid_mask",
    "scratch_sizes",
    "unit_allowance",
]
