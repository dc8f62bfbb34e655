"""Rosters of the 8th edition as armies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from wh_env.content.classic.rosters import Classic, army_of
from wh_env.content.rosters import Rosters
from wh_env.content.w8.load import CONTENT, RULESET, SHEETS, muster_army
from wh_env.content.w8.schema import Army


def _factions() -> Iterator[tuple[str, str]]:
    for name in CONTENT.faction_names():
        faction = CONTENT.load_faction(name)
        yield faction.name, faction.keyword


def _limits(points: int, power: int) -> dict[str, Any]:
    return {"power_limit": power} if power else {}


ROSTERS = Rosters(
    "40,000 8th Edition",
    partial(army_of, Classic(RULESET, Army, SHEETS.all, _factions, muster_army, _limits, by_power=True)),
)
