"""Parts of sentences about battles of regiments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wh_env.core import sentences
from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE

Data = Mapping[str, Any]
COMPASS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")


def towards(facing: float) -> str:
    """The point of the compass that a direction in degrees is nearest to; 0 is east, counter-clockwise."""
    return COMPASS[round(facing % 360.0 / 45.0) % 8]


def unit(g: BattleCore, row: int) -> str:
    """The name of a unit; a row of -1 is nobody."""
    return str(g.setup.names["units"][row]) if row != NONE else "nobody"


def model(g: BattleCore, row: int) -> str:
    """The name of a model."""
    return str(g.setup.names["models"][row])


def units(g: BattleCore, rows: Any) -> str:
    """The names of units."""
    return " and ".join(unit(g, row) for row in rows)


def player(g: BattleCore, number: int) -> str:
    """The name of a player's army; with the player's number if both armies have that name."""
    return sentences.player(g, number)


def place(data: Data) -> str:
    """The place of an event, inches."""
    x, y = data["place"]
    return f"{x:.1f}, {y:.1f}"
