"""The keys of this game's events, besides those of every game (``core.events.FIELDS``)."""

from __future__ import annotations

from wh_env.core.events import Field, Value, extended_fields

EVENT_FIELDS = extended_fields(
    {
        "totals": Field(Value.NUMBER),  # what both players rolled, with what is added
        "south": Field(Value.PLAYER),  # who has the southern half of the table
        "files": Field(Value.NUMBER),
        "facing": Field(Value.NUMBER),  # degrees, 0 = +x, counter-clockwise
        "far": Field(Value.NUMBER),  # inches
        "leadership": Field(Value.NUMBER),
        "degree": Field(Value.TEXT),  # of victory
        "cost": Field(Value.NUMBER),  # points of the unit
        "points": Field(Value.NUMBER),
        "step": Field(Value.TEXT),
        "units": Field(Value.UNITS),  # of one combat
    }
)
