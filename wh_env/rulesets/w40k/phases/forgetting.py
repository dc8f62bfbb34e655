"""Columns of units and models that are cleared when phases and turns begin and end, as kernels."""

from __future__ import annotations

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.codes import CAME_BACK


@kernel
def phase_begun(units: Array, models: Array) -> None:
    """Clear the selections of units and the allocations to models."""
    for u in range(len(units)):
        units[u]["selected"] = 0
    for k in range(len(models)):
        models[k]["allocated"] = 0
        models[k]["flags"] = int(models[k]["flags"]) & ~CAME_BACK


@kernel
def phase_over(units: Array, models: Array) -> None:
    """Clear cover and allocations."""
    for u in range(len(units)):
        units[u]["cover"] = 0
    for k in range(len(models)):
        models[k]["allocated"] = 0
        models[k]["flags"] = int(models[k]["flags"]) & ~CAME_BACK


@kernel
def turn_begun(units: Array) -> None:
    """Clear the actions of all units in the last turn."""
    for u in range(len(units)):
        unit = units[u]
        unit["moved"] = 0
        unit["advance"] = 0
        unit["charged"] = 0
        unit["can_charge"] = 0
        unit["fought"] = 0
        unit["arrived"] = 0
        unit["disembarked"] = 0
