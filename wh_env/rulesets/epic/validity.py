"""What a state of an Epic-scale battle must be like to be playable; see ``core.validation``."""

from __future__ import annotations

from collections.abc import Iterator

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.validation import Fault, row_faults


def sizes(setup: Setup) -> dict[str, float]:
    """The numbers of weapons and orders, which bounds of this ruleset name."""
    return {"weapons": max(1, len(setup.statics["weapons"])), "orders": len(setup.statics["orders"])}


def contradictions(g: BattleCore) -> Iterator[Fault]:
    """Faults in the units' formations, in pairs of a combat, and in eliminated units."""
    models, setup = g.models.rows, g.setup
    moved = models["unit"] != setup.layout.view(setup.template, "models")["unit"]
    yield from row_faults("models", "unit", models["unit"], moved, "the formation it belongs to")
    for column in ("paired", "joined"):
        rows = (models[column] >= 0).nonzero()[0]
        wrong = models["owner"][models[column][rows]] == models["owner"][rows]
        for row in rows[wrong].tolist():
            yield Fault(f"models[{row}].{column}", int(models[column][row]), "a unit of the enemy")
    dead = models["on_table"] > models["alive"]
    yield from row_faults("models", "on_table", models["on_table"], dead, "0 for an eliminated unit")
