"""Contact with enemies, pinned units, and units that are removed (epic.pin.*, epic.concepts.one-hit)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import CONTACT
from wh_env.core.kernel import kernel
from wh_env.core.tables import DESTROYED, Array


@kernel
def mark_contacts(models: Array) -> None:
    """Determine anew which units touch an enemy and which of them are pinned.

    A unit is pinned by an enemy of its own pinning class or a higher one (epic.pin.pinned, .heavy-vehicle,
    .light-vehicle). Anti-grav and aerial units are never pinned (epic.pin.never).
    """
    for i in range(len(models)):
        models[i]["contact"] = 0
        models[i]["pinned"] = 0
    for i in range(len(models)):
        p = models[i]
        if p["on_table"] == 0:
            continue
        for j in range(i + 1, len(models)):
            q = models[j]
            if q["owner"] == p["owner"] or q["on_table"] == 0:
                continue
            far = p["radius"] + q["radius"] + CONTACT
            dx = q["x"] - p["x"]
            dy = q["y"] - p["y"]
            if abs(dx) > far or dx * dx + dy * dy > far * far:
                continue
            models[i]["contact"] = 1
            models[j]["contact"] = 1
            if p["traits"] == 0 and q["rank"] >= p["rank"]:
                models[i]["pinned"] = 1
            if q["traits"] == 0 and p["rank"] >= q["rank"]:
                models[j]["pinned"] = 1


@kernel
def eliminate(models: Array, units: Array, k: int) -> None:
    """Remove unit ``k`` from the table, as a loss of its formation in this turn."""
    u = models[k]["unit"]
    models[k]["on_table"] = 0
    models[k]["alive"] = 0
    models[k]["wounds"] = 0
    models[k]["contact"] = 0
    models[k]["pinned"] = 0
    units[u]["alive"] -= 1
    units[u]["lost"] += 1
    if units[u]["alive"] == 0:
        units[u]["place"] = DESTROYED


def refresh_contacts(g: BattleCore) -> None:
    """Units have moved or gone: determine contacts anew and forget which formations can be targeted."""
    mark_contacts(g.models.rows)
    g.aims[:] = 0
