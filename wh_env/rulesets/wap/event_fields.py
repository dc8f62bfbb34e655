"""The keys of this game's events, besides those of every game (``core.events.FIELDS``)."""

from __future__ import annotations

from wh_env.core.events import Field, Value, extended_fields

EVENT_FIELDS = extended_fields(
    {
        "totals": Field(Value.NUMBER),  # the totals of both players' rolls, bonuses included
        "south": Field(Value.PLAYER),  # the player on the first side of the table: the southern half, the western end
        "where": Field(Value.TEXT),  # the area of a zone
        "files": Field(Value.NUMBER),
        "facing": Field(Value.NUMBER),  # degrees, 0 = +x, counter-clockwise
        "far": Field(Value.NUMBER),  # inches
        "leadership": Field(Value.NUMBER),
        "initiative": Field(Value.NUMBER),
        "strikers": Field(Value.NUMBER),  # models that strike, or that roll for their hits
        "contacts": Field(Value.NUMBER),  # models of both sides that touch an enemy where the unit then stands
        "degree": Field(Value.TEXT),  # of victory
        "cost": Field(Value.NUMBER),  # points of the unit
        "points": Field(Value.NUMBER),
        "step": Field(Value.TEXT),
        "units": Field(Value.UNITS),  # of one combat
        # the result of a round of close combat: the parts of a score, and the values that they follow from
        "wounds": Field(Value.NUMBER),
        "charge": Field(Value.NUMBER),
        "ranks": Field(Value.NUMBER),
        "outnumber": Field(Value.NUMBER),
        "standards": Field(Value.NUMBER),
        "arcs": Field(Value.NUMBER),
        "fear": Field(Value.NUMBER),
        "musician": Field(Value.NUMBER),
        "strength": Field(Value.NUMBER),
        "own": Field(Value.NUMBER),  # score of a unit, and that of its enemies in contact against it
        "against": Field(Value.NUMBER),
        "penalty": Field(Value.NUMBER),
        "outcome": Field(Value.TEXT),
        "steadfast": Field(Value.FLAG),
        "disorganised": Field(Value.FLAG),
        "overkill": Field(Value.NUMBER),
        "building": Field(Value.NUMBER),  # its row among the terrain features
        "sides": Field(Value.NUMBER),  # of ``targets``, at which the unit stands
    }
)
