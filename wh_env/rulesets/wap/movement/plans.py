"""The columns ``px, py, pf, pfiles`` and ``spent``, in which a unit's move is planned before it is carried out."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.ways.poses import turned_in


@kernel
def plan_from_here(units: Array, u: int) -> None:
    """Start the plan of unit ``u`` at its present pose and files, with nothing spent."""
    unit = units[u]
    unit["px"] = unit["x"]
    unit["py"] = unit["y"]
    unit["pf"] = unit["facing"]
    unit["spent"] = 0.0
    unit["pfiles"] = max(1, unit["files"])


@kernel
def remember_origin(units: Array, origin: Array, u: int) -> None:
    """Copy the pose and files of unit ``u`` to its row of ``origin``."""
    unit = units[u]
    row = origin[u]
    row["x"] = unit["x"]
    row["y"] = unit["y"]
    row["facing"] = unit["facing"]
    row["files"] = unit["files"]


def set_out(g: BattleCore, unit: int) -> None:
    """Start a unit's move of this turn: plan from where it stands, and no model has gone anywhere in a free reform."""
    g.units.strayed[unit] = 0.0
    begin(g, unit)


def begin(g: BattleCore, unit: int) -> None:
    """Start the unit's plan at its present pose."""
    g.work.call(plan_from_here, g.units.rows, unit)


def plan(g: BattleCore, unit: int, x: float, y: float, facing: float, spent: float) -> None:
    """Write the pose to which the move has led so far, and the inches spent."""
    u = g.units
    u.px[unit], u.py[unit], u.pf[unit], u.spent[unit] = x, y, turned_in(facing), spent


def planned(g: BattleCore, unit: int) -> tuple[float, float, float]:
    """The pose to which the unit's planned move has led."""
    u = g.units
    return u.px[unit], u.py[unit], u.pf[unit]
