"""The terrain feature whose control decides a battle: who is near it, and who holds it now (wap.victory.by-scenario,
wap.scenario.watchtower.victory). It is the battle's one objective.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.room import feature_distance
from wh_env.rulesets.wap.basics.strength import unit_strength


def strengths_near(g: BattleCore, feature: int) -> tuple[int, int]:
    """Unit Strength of both players' units that do not flee and are near enough to the feature. A garrison of it counts
    double, up to the most that the mission adds (wap.scenario.watchtower.victory).
    """
    u, setup, found = g.units, g.setup, [0, 0]
    control = setup.rules["mission"]["control"]
    for unit in range(len(u.owner)):
        if u.place[unit] != ON_TABLE or u.fleeing[unit]:
            continue
        strength = unit_strength(g, unit)
        if u.garrison[unit] == feature:
            found[u.owner[unit]] += strength + min(strength, control["garrison"])
            continue
        gap = feature_distance(g.parts.rows, u.rows, setup.statics["ground"], setup.corners, unit, feature)
        if gap <= control["within"] + EPS:
            found[u.owner[unit]] += strength
    return found[0], found[1]


def determine_control(g: BattleCore) -> None:
    """Note who would hold the feature if the battle ended now, in the row of the objective."""
    feature, o = g.setup.statics["controlled"], g.objectives
    if feature < 0:
        return
    totals = strengths_near(g, feature)
    o.level0[0], o.level1[0] = totals
    o.holder[0] = -1 if totals[0] == totals[1] else int(totals[1] > totals[0])
