"""Obstacles that burn those who charge up to them (wap.terrain.obstacle.blazing-barricade)."""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.ground import features_of
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.morale.panic_causes import ground_source
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.weapons.defending import touching_of
from wh_env.rulesets.wap.weapons.hit import Hit


def burn_chargers(g: BattleCore, unit: int, walls: Sequence[int]) -> None:
    """Each model of a unit, and of characters in it, that touches a burning obstacle which its charge has reached takes
    a hit. ``walls``: numbers of features, counted from 1; 0: none.
    """
    for number in sorted({*walls} - {0}):
        ground = features_of(g)[number - 1]
        barrier = ground.traits.obstacle
        if barrier is None or not barrier.burns:
            continue
        struck = [(row, len(touching_of(g, row, ground))) for row in wholly(g, unit)]
        for row, hits in reversed([(row, hits) for row, hits in struck if hits]):
            g.note("wap.terrain.obstacle.blazing-barricade", "is burnt", unit=row, amount=hits)
            take_hits(g, row, [(hits, Hit(barrier.burns))], FRONT, ground_source(g, ground.row))
