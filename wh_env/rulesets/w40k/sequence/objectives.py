"""Objective markers: range, Level of Control, the player who controls each (objective.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, disc_gap_at
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def count_control(models: Array, units: Array, objectives: Array, horizontal: float, vertical: float) -> None:
    """Write the Level of Control of both players over every placed marker and its holder (objective.range, .level)."""
    for o in range(len(objectives)):
        if objectives[o]["placed"] == 0:
            continue
        level0 = 0
        level1 = 0
        x, y, z, r = objectives[o]["x"], objectives[o]["y"], objectives[o]["z"], objectives[o]["radius"]
        for k in range(len(models)):
            if models[k]["on_table"] == 0 or models[k]["control"] == 0:
                continue
            reach = horizontal + r + models[k]["radius"] + 0.01
            if abs(models[k]["x"] - x) > reach or abs(models[k]["y"] - y) > reach:
                continue
            if abs(models[k]["z"] - z) > vertical + EPS or units[models[k]["unit"]]["shocked"] != 0:
                continue
            if disc_gap_at(models, k, models[k]["x"], models[k]["y"], models[k]["facing"], x, y, r) <= horizontal + EPS:
                if models[k]["owner"] == 0:
                    level0 += models[k]["control"]
                else:
                    level1 += models[k]["control"]
        objectives[o]["level0"] = level0
        objectives[o]["level1"] = level1
        objectives[o]["holder"] = 0 if level0 > level1 else (1 if level1 > level0 else -1)


def held(g: BattleCore, player: int) -> int:
    """The number of markers that ``player`` controls, as last counted."""
    return sum(1 for o, holder in enumerate(g.objectives.holder) if holder == player and g.objectives.placed[o])
