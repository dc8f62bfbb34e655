"""The keys of this game's events, besides those of every game (``core.events.FIELDS``).

A unit of the rules is a row of ``models``, a formation a row of ``units``.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.events import Field, Value, extended_fields

EVENT_FIELDS = extended_fields(
    {
        "south": Field(Value.PLAYER),  # who has the south edge
        "order": Field(Value.TEXT),
        "units": Field(Value.NUMBER),  # how many of a formation's
        "weapons": Field(Value.NUMBER),  # how many fire
        "hit": Field(Value.FLAG),
        "saved": Field(Value.FLAG),
        "save": Field(Value.DICE),
        "second": Field(Value.DICE),
        "immobilised": Field(Value.FLAG),
        "against": Field(Value.NUMBER),  # what the target rolled and added
        "dice_count": Field(Value.NUMBER),  # that the target rolled
        "loser": Field(Value.MODEL, nobody=True),
        "held": Field(Value.NUMBER),
        "points": Field(Value.NUMBER),
        "counters": Field(Value.NUMBER),
        "left": Field(Value.NUMBER),  # counters in the cup
    }
)


def both_sides(g: BattleCore, model: int, target: int) -> dict[str, int]:
    """Event fields for unit ``model`` acting on unit ``target``, each with its formation."""
    unit = g.models.unit
    return {"unit": unit[model], "model": model, "target": unit[target], "target_model": target}
