"""Rosters of the 9th edition as armies."""

from __future__ import annotations

from functools import partial
from typing import Any

from wh_env.content.classic.rosters import Classic, army_of
from wh_env.content.rosters import Rosters
from wh_env.content.w9.importing import IMPORTING
from wh_env.content.w9.load import RULESET, SHEETS, muster_army
from wh_env.content.w9.schema import Army

SIZES = (500, 1000, 2000, 3000)  # points of battle sizes


def _limits(points: int, power: int) -> dict[str, Any]:
    return {"points_limit": next((size for size in SIZES if points <= size), points)}


ROSTERS = Rosters(
    IMPORTING.edition,
    partial(army_of, Classic(RULESET, Army, SHEETS.all, IMPORTING.factions, muster_army, _limits)),
)
