"""Templates over a building: D6 hits on the garrison in place of one for each model
(wap.building.shooting.at.templates, .at.many-ranks).

Weapons that use templates ask ``garrisons_under`` which buildings a round template touches, or ``is_touched`` for
another one, and roll their hits by ``rolled_hits``. Attacks on several ranks end with the first model of a
garrison: ``goes_past_the_first`` says so.
"""

from __future__ import annotations

from math import cos, hypot, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.rulesets.wap.basics.garrisons import Building, buildings_of, garrison_in, is_inside

RULE = "wap.building.shooting.at.templates"


def gap_to_point(building: Building, x: float, y: float) -> float:
    """Inches between a building and a point; 0: the point is over it."""
    c, s = cos(building.facing), sin(building.facing)
    ahead = abs(c * (x - building.x) + s * (y - building.y)) - building.half_a
    aside = abs(c * (y - building.y) - s * (x - building.x)) - building.half_b
    return hypot(max(0.0, ahead), max(0.0, aside))


def is_touched(building: Building, x: float, y: float, radius: float) -> bool:
    """Whether a round template with its centre at (x, y) touches a building; ``radius`` 0: whether the centre is over
    it.
    """
    return gap_to_point(building, x, y) <= radius + EPS


def garrisons_under(g: BattleCore, x: float, y: float, radius: float) -> list[int]:
    """The garrisons whose building a round template touches."""
    held = ((garrison_in(g, feature), building) for feature, building in buildings_of(g).items())
    return [unit for unit, building in held if unit >= 0 and is_touched(building, x, y, radius)]


def rolled_hits(g: BattleCore, unit: int) -> int:
    """Roll the hits of a template on a garrison."""
    hits = g.d6()
    if g.recorder is not None:
        g.note(RULE, "template over a building", unit=unit, die=hits)
    return hits


def goes_past_the_first(g: BattleCore, unit: int) -> bool:
    """Whether an attack that concerns several ranks, such as a bolt, goes on behind the first model of a unit: not in a
    building (wap.building.shooting.at.many-ranks).
    """
    return not is_inside(g, unit)
