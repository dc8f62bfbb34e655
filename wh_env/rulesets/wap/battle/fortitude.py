"""Armies that leave the field: when their banners and their General are worth no more than their Breaking Point
(wap.scenario.blood-and-glory.*)."""

from __future__ import annotations

from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.allies.relations import bearers_of, generals_of
from wh_env.rulesets.wap.basics.dice import part_of
from wh_env.rulesets.wap.commands.standards import standards_of


def breaking_point(points: int, each: int) -> int:
    """The Breaking Point: 1 for each ``each`` points of an army, rounded up
    (wap.scenario.blood-and-glory.breaking-point).
    """
    return max(1, part_of(points, each))


def fortitude(g: BattleCore, player: int) -> int:
    """The Fortitude of a side: its banners, those of its armies among them, and the worth of its Generals. Units that
    flee or are off the table count (wap.scenario.blood-and-glory.fortitude).
    """
    alive, worth = g.units.alive, g.setup.rules["mission"]["fortitude"]
    banners = sum(standards_of(g, unit) for unit in g.units_of(player))
    bearers = sum(alive[unit] > 0 for unit in bearers_of(g, player))
    generals = sum(alive[unit] > 0 for unit in generals_of(g, player))
    return int(banners + bearers + worth["general"] * generals)


def have_left(g: BattleCore) -> list[int]:
    """The players whose armies have left the field."""
    limits: Any = g.setup.statics["leaves_at"]
    return [] if limits is None else [player for player in (0, 1) if fortitude(g, player) <= limits[player]]
