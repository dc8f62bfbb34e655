"""The keys of this game's events, besides those of every game (``core.events.FIELDS``)."""

from __future__ import annotations

from wh_env.core.events import Field, Value, extended_fields

EVENT_FIELDS = extended_fields(
    {
        "extra": Field(Value.NUMBER),  # of a row of the attack log
        "units": Field(Value.UNITS),  # on which an ability is used
        "placed": Field(Value.NUMBER),  # how many models of a unit found a place
        "mortal_wounds": Field(Value.NUMBER),
        "destroyed": Field(Value.FLAG),  # armies
        "cp": Field(Value.NUMBER),
        "wanted": Field(Value.NUMBER),
        "gained": Field(Value.NUMBER),
        "scored": Field(Value.NUMBER),
        "total": Field(Value.NUMBER),
        "levels": Field(Value.NUMBER),  # levels of control
        "before": Field(Value.DICE),  # of a re-roll
        "after": Field(Value.DICE),
        "bonus": Field(Value.NUMBER),
        "fleeing": Field(Value.NUMBER),  # models
        "inches": Field(Value.NUMBER),
        "degrees": Field(Value.NUMBER),
        "step": Field(Value.NUMBER),
        "slot": Field(Value.NUMBER),  # of a model's weapons
        "order": Field(Value.MODELS),  # as they were moved
        "feature": Field(Value.NUMBER),  # the number of a feature that the players place
        "case": Field(Value.TEXT),
        "outcome": Field(Value.TEXT),
        "guidelines": Field(Value.TEXT),
    }
)
