"""The Move characteristic of models as abilities modify it. It is settled when their unit is selected to move."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.abilities import characteristic, characteristic_changes
from wh_env.rulesets.w40k.attack.brackets import bracket_of
from wh_env.rulesets.w40k.modified import modified


def move_now(g: BattleCore, unit: int, inches: int) -> int:
    """A Move of ``inches`` with the modifiers of the unit's models now, never below 0."""
    return characteristic(g, unit, "Move", inches, 0)


def settle_moves(g: BattleCore, unit: int) -> None:
    """The unit was selected to move: write the Move of its models from datasheets, damage tables and abilities.

    A Move of 0, written "-" on datasheets, is never modified. A random Move is modified after it was rolled.
    """
    if not g.setup.statics["powers"]["characteristics"]:
        return
    statics = g.setup.statics
    mustered: Array = g.setup.layout.view(g.setup.template, "models")["move"]
    changes = characteristic_changes(g, unit, "Move")
    for model in g.members(unit):
        own = mustered[model]
        if model in statics["degrading"]:
            own = statics["bracket_moves"][model, bracket_of(g, model)]
        if own > 0.0:
            g.models.move[model] = modified(int(own), changes, 0) if changes else int(own)
