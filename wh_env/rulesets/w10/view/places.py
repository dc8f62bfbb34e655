"""Where the cells of a decision lie on the table."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.rigid import unit_allowance
from wh_env.core.tables import Array
from wh_env.rulesets.w10.deploy.mission import table_cell
from wh_env.rulesets.w10.deploy.scouts import scout_distance
from wh_env.rulesets.w40k.deploy.setting_up import cell_place
from wh_env.rulesets.w40k.move.limits import SCOUT, limits_for
from wh_env.rulesets.w40k.move.model_moves import cell_at, model_limits, selected_model, window
from wh_env.rulesets.w40k.move.unit_moves import limits_of

MOVES = ("move-to", "fall-back-to", "scout-move")
ZONES = ("deploy-to", "arrive-at")


def cell_places(
    battle: BattleCore, kind: str, unit: int, centre: tuple[float, float] = (0.0, 0.0)
) -> tuple[Array, Array]:
    """x and y of every cell of a decision of this kind: where the unit (its centre, now at ``centre``) or model would stand."""
    grid = battle.setup.space.grid
    last = grid * grid - 1
    if kind in MOVES:
        if kind == "scout-move":
            limits = limits_for(battle, unit, SCOUT, scout_distance(battle, unit))
        else:
            limits = limits_of(battle, unit, battle.units.moved[unit])
        reach = float(unit_allowance(battle.models.rows, battle.units.rows, limits, unit))
        low, high = (centre[0] - reach, centre[1] - reach), (centre[0] + reach, centre[1] + reach)
    elif kind in ZONES:
        low, high = cell_place(battle, unit, 0), cell_place(battle, unit, last)
    elif kind == "place-marker":
        low, high = table_cell(battle, 0), table_cell(battle, last)
    elif kind == "model-to":
        f = battle.frame
        model = selected_model(battle, f)
        view = window(battle, f, model, model_limits(battle, f))
        low, high = cell_at(battle, *view, 0), cell_at(battle, *view, last)
    else:
        raise ValueError(f"decision {kind} has no cells that policies know")
    xs, ys = np.linspace(low[0], high[0], grid), np.linspace(low[1], high[1], grid)
    return np.tile(xs, grid), np.repeat(ys, grid)
