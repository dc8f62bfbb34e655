"""Blocks as pictures show them: their rectangles, front edges, and the rays between their quarters."""

from __future__ import annotations

from math import cos, pi, sin

from wh_env.core.battle import BattleCore
from wh_env.core.features import Formation, Spot
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.tables import PARTS
from wh_env.rulesets.wap.ways.poses import depth_of, front_width


def corners_of(x: float, y: float, f: float, a: float, b: float) -> tuple[Spot, ...]:
    """Corners of a rectangle with centre (x, y), facing ``f`` (radians), half depth ``a`` and half width ``b``: front
    left, front right, rear right, rear left.
    """
    c, s = cos(f), sin(f)
    sides = ((a, b), (a, -b), (-a, -b), (-a, b))
    return tuple((x + c * ahead - s * aside, y + s * ahead + c * aside) for ahead, aside in sides)


def formations(g: BattleCore) -> list[Formation]:
    """The blocks on the table; their quarters are those of ``basics.quarters.quarter_of``."""
    u, p, found = g.units, g.parts, []
    for unit in range(len(u.owner)):
        if u.place[unit] != ON_TABLE:
            continue
        first = u.first_part[unit]
        outlines = tuple(
            corners_of(p.x[k], p.y[k], p.facing[k], p.half_a[k], p.half_b[k])
            for k in range(first, first + PARTS)
            if p.on_table[k]
        )
        f, deep = u.facing[unit], depth_of(g, unit)
        x, y = u.x[unit] - 0.5 * deep * cos(f), u.y[unit] - 0.5 * deep * sin(f)
        corners = corners_of(x, y, f, 0.5 * deep, 0.5 * front_width(g, unit))
        turns = (0.25 * pi, -0.25 * pi, -0.75 * pi, 0.75 * pi)
        rays = tuple((corner, (cos(f + turn), sin(f + turn))) for corner, turn in zip(corners, turns, strict=True))
        found.append(Formation(unit, outlines, (corners[0], corners[1]), rays))
    return found
