"""Blocks as pictures show them: their rectangles, front edges, and the rays between their quarters."""

from __future__ import annotations

from math import cos, hypot, pi, sin

from wh_env.core.battle import BattleCore
from wh_env.core.features import Formation, Spot
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.movement.plans import planned
from wh_env.rulesets.wap.tables import PARTS
from wh_env.rulesets.wap.ways.poses import depth_of, front_width

# kinds of decisions about a move that goes on from where it has led so far
GOES_ON = frozenset(("end-wheel", "leg", "leg-length", "pivot-to", "pivot-push"))
STANDS = 1e-3  # inches and radians between poses that count as the same


def corners_of(x: float, y: float, f: float, a: float, b: float) -> tuple[Spot, ...]:
    """Corners of a rectangle with centre (x, y), facing ``f`` (radians), half depth ``a`` and half width ``b``: front
    left, front right, rear right, rear left.
    """
    c, s = cos(f), sin(f)
    sides = ((a, b), (a, -b), (-a, -b), (-a, b))
    return tuple((x + c * ahead - s * aside, y + s * ahead + c * aside) for ahead, aside in sides)


def formations(g: BattleCore) -> list[Formation]:
    """The blocks on the table; their quarters are those of ``basics.quarters.quarter_of``."""
    u, p, going, found = g.units, g.parts, goer(g), []
    for unit in range(len(u.owner)):
        if u.place[unit] != ON_TABLE:
            continue
        first = u.first_part[unit]
        outlines = tuple(
            corners_of(p.x[k], p.y[k], p.facing[k], p.half_a[k], p.half_b[k])
            for k in range(first, first + PARTS)
            if p.on_table[k]
        )
        pose = u.x[unit], u.y[unit], u.facing[unit]
        corners, f = block_at(g, unit, *pose), pose[2]
        turns = (0.25 * pi, -0.25 * pi, -0.75 * pi, 0.75 * pi)
        rays = tuple((corner, (cos(f + turn), sin(f + turn))) for corner, turn in zip(corners, turns, strict=True))
        goes = way_so_far(g, unit, pose) if unit == going else ()
        found.append(Formation(unit, outlines, (corners[0], corners[1]), rays, goes))
    return found


def block_at(g: BattleCore, unit: int, x: float, y: float, facing: float) -> tuple[Spot, ...]:
    """Corners of a block with the middle of its front at (x, y); see ``corners_of``."""
    half = 0.5 * depth_of(g, unit)
    middle = x - half * cos(facing), y - half * sin(facing)
    return corners_of(*middle, facing, half, 0.5 * front_width(g, unit))


def goer(g: BattleCore) -> int:
    """The unit whose move is being decided after its first part; -1: none."""
    clock = g.clock
    kind = g.setup.ruleset.kinds[clock.kind[0]].name if clock.asking[0] else ""
    return clock.subject[0] if kind in GOES_ON else -1


def way_so_far(g: BattleCore, unit: int, pose: tuple[float, float, float]) -> tuple[Spot, ...]:
    """Corners of the place to which the unit's move has led; none if that is its pose."""
    x, y, facing = planned(g, unit)
    if hypot(x - pose[0], y - pose[1]) < STANDS and abs(facing - pose[2]) < STANDS:
        return ()
    return block_at(g, unit, x, y, facing)
