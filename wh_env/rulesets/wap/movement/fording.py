"""Rivers, through which no unit marches (wap.terrain.river.no-march)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way
from wh_env.rulesets.wap.basics.ground import Ground, is_partly_in, pieces_for, with_trait
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.special_rules import models_have
from wh_env.rulesets.wap.field.dangerous import is_at_home
from wh_env.rulesets.wap.rule_book import AQUATIC
from wh_env.rulesets.wap.ways.poses import Pose
from wh_env.rulesets.wap.ways.ways import GROUND_MARK, add_pieces

BANK = -5e-4  # inches that a march keeps from a river: outlines may touch, and a wheel stops there


def fords_freely(g: BattleCore, row: int, ground: Ground) -> bool:
    """Whether a unit's own models march through a feature that bars others (wap.special.aquatic.water-combat,
    .strider, .ethereal.movement).
    """
    return (ground.traits.water and models_have(g, row, AQUATIC)) or is_at_home(g, row, ground)


def barred_from(g: BattleCore, unit: int) -> list[Ground]:
    """The features through which a unit, with all in it, may not march."""
    rivers = with_trait(g, "no_march")
    return [item for item in rivers if not all(fords_freely(g, row, item) for row in wholly(g, unit))]


def stands_in_river(g: BattleCore, unit: int) -> bool:
    """Whether a unit is partly in a feature through which it may not march."""
    return any(is_partly_in(g, unit, item) for item in barred_from(g, unit))


def with_rivers(g: BattleCore, unit: int, way: Way, pose: Pose) -> Way:
    """The obstacles on the way of a unit that marches on from a pose: those of ``way``, and the rivers. They share its
    memory.
    """
    for item in barred_from(g, unit):
        pieces = pieces_for(g, unit, item)
        n = g.work.call(add_pieces, way, *pose, g.setup.corners, pieces, BANK, GROUND_MARK)
        way = Way(way.near, way.points, n, way.body, way.rows)
    return way
