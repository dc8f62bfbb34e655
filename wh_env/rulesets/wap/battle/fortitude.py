"""Armies that leave the field: when their banners and their General are worth no more than their Breaking Point
(wap.scenario.blood-and-glory.*)."""

from __future__ import annotations

from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.dice import part_of
from wh_env.rulesets.wap.commands.standards import standards_of


def breaking_point(points: int, each: int) -> int:
    """The Breaking Point: 1 for each ``each`` points of an army, rounded up
    (wap.scenario.blood-and-glory.breaking-point).
    """
    return max(1, part_of(points, each))


def fortitude(g: BattleCore, player: int) -> int:
    """The Fortitude of an army: its banners, that of the army among them, and the worth of its General. Units that flee
    or are off the table count (wap.scenario.blood-and-glory.fortitude).
    """
    u, p, worth = g.units, g.players, g.setup.rules["mission"]["fortitude"]
    banners = sum(standards_of(g, unit) for unit in g.units_of(player))
    bearer, general = p.bearer[player], p.general[player]
    has_bearer, has_general = bearer >= 0 and u.alive[bearer] > 0, general >= 0 and u.alive[general] > 0
    return int(banners + has_bearer + worth["general"] * has_general)


def have_left(g: BattleCore) -> list[int]:
    """The players whose armies have left the field."""
    limits: Any = g.setup.statics["leaves_at"]
    return [] if limits is None else [player for player in (0, 1) if fortitude(g, player) <= limits[player]]
