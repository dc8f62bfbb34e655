"""Characters leave a unit, or join one, by a move of their own in the Movement phase (wap.character.leave.*,
.join.procedure).

While his move is planned the character stays in his unit; the unit closes up when the move is carried out. His unit is
no obstacle until he has left it, but his move may not end within an inch of it.
"""

from __future__ import annotations

from math import cos, hypot, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way, remove_marked
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import kernel
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.joined import host_of
from wh_env.rulesets.wap.casualties.crossings import forget
from wh_env.rulesets.wap.characters.joining import joins_others, lets_in, takes_in
from wh_env.rulesets.wap.codes import STAYED
from wh_env.rulesets.wap.movement.going import MoveFrame, left_of, survey_on
from wh_env.rulesets.wap.movement.plans import planned
from wh_env.rulesets.wap.ways.poses import Pose, depth_of, front_width, lone, middle_of
from wh_env.rulesets.wap.ways.spans import front_edge, front_to_rear
from wh_env.rulesets.wap.ways.survey import own_block
from wh_env.rulesets.wap.ways.through import on_the_way
from wh_env.rulesets.wap.ways.ways import keep_clear, may_end, straight_limit

CLOSE = 1e-6  # inches by which a way may fall short and still count as contact


def goes_back(g: BattleCore, f: int) -> None:
    """The character stays in his unit after all, and has used his move of this turn."""
    unit = MoveFrame.unit(g, f)
    g.units.did[unit] |= STAYED
    forget(g, unit)
    MoveFrame.go_to(g, f, MoveFrame.Step.OVER)


def is_out(g: BattleCore, f: int) -> bool:
    """Whether the planned move has brought a character an inch clear of the unit that he is in. True for a unit that is
    in no other.
    """
    unit = MoveFrame.unit(g, f)
    if g.units.place[unit] != ATTACHED:
        return True
    return bool(g.work.call(may_end, own_block(g, unit), *planned(g, unit), g.setup.length, g.setup.width))


def keep_those_outside(g: BattleCore, f: int, x0: float, y0: float, step: float, grid: int, mask: Array) -> int:
    """Unmark the marked cells at which a character would not be an inch clear of the unit that he is in. Returns how
    many stay marked.
    """
    unit, setup = MoveFrame.unit(g, f), g.setup
    facing, half = planned(g, unit)[2], g.units.base_a[unit]
    return int(
        g.work.call(
            keep_clear,
            own_block(g, unit),
            x0,
            y0,
            step,
            grid,
            facing,
            half,
            setup.length,
            setup.width,
            g.work.ways.turns,
            mask,
        )
    )


# ---------------------------------------------------------------- joining another unit


@kernel
def apart_from(units: Array, u: int, x: float, y: float) -> float:
    """Inches from (x, y) to the block of unit ``u``."""
    unit = units[u]
    half_a = 0.5 * front_to_rear(units, u, 0)
    half_b = 0.5 * front_edge(units, u, 0)
    c = cos(unit["facing"])
    s = sin(unit["facing"])
    ahead = c * (x - unit["x"]) + s * (y - unit["y"]) + half_a
    aside = c * (y - unit["y"]) - s * (x - unit["x"])
    return hypot(max(0.0, abs(ahead) - half_a), max(0.0, abs(aside) - half_b))


def points_of_contact(g: BattleCore, unit: int, x: float, y: float) -> list[tuple[float, float]]:
    """The points on the outline of the unit's block at which a model at (x, y) may come into contact: the nearest one,
    the corners and the middles of the sides.
    """
    u = g.units
    cx, cy = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    a, b = 0.5 * depth_of(g, unit), 0.5 * front_width(g, unit)
    c, s = cos(u.facing[unit]), sin(u.facing[unit])
    ahead, aside = c * (x - cx) + s * (y - cy), c * (y - cy) - s * (x - cx)
    near = (max(-a, min(a, ahead)), max(-b, min(b, aside)))
    found = [near, *((i * a, j * b) for i in (1, 0, -1) for j in (1, 0, -1) if i or j)]
    return [(cx + c * p - s * q, cy + s * p + c * q) for p, q in found]


def without(way: Way, unit: int) -> Way:
    """The obstacles of ``way`` without those of one unit."""
    near, points, n, body, rows = way
    return Way(near, points, remove_marked(near, n, unit), body, rows)


def way_to_join(g: BattleCore, f: int, target: int) -> tuple[float, Pose] | None:
    """The straight way, after a pivot, by which a single model comes into contact with unit ``target``: its inches, and
    the pose from which it leads ahead. None: there is none within its allowance. The nearest points of contact are
    tried first.
    """
    unit = MoveFrame.unit(g, f)
    return way_from(g, f, target, *middle_of(g, unit, *planned(g, unit)), left_of(g, f))


def way_from(g: BattleCore, f: int, target: int, x: float, y: float, left: float) -> tuple[float, Pose] | None:
    """``way_to_join`` for a model whose base has its middle at (x, y), with ``left`` inches to spend."""
    unit = MoveFrame.unit(g, f)
    half, way = g.units.base_a[unit], None
    if g.work.call(apart_from, g.units.rows, target, x, y) - half > left + 2.0 * EPS:
        return None
    for px, py in sorted(points_of_contact(g, target, x, y), key=lambda point: hypot(point[0] - x, point[1] - y)):
        apart = hypot(px - x, py - y)
        far = apart - half
        if far > left + EPS:
            return None
        c, s = ((px - x) / apart, (py - y) / apart) if apart > 0.0 else (1.0, 0.0)
        pose: Pose = (x + half * c, y + half * s, float(np.arctan2(s, c)))
        if far <= 0.0:
            return 0.0, pose
        if MoveFrame.flies(g, f):
            return float(far), pose
        if way is None:
            way = without(survey_on(g, f), target)
        if not g.work.call(may_end, way, *pose, g.setup.length, g.setup.width):
            continue
        if (
            g.work.call(straight_limit, on_the_way(way), *pose, 1.0, 0.0, far, g.setup.length, g.setup.width)
            >= far - CLOSE
        ):
            return float(far), pose
    return None


def can_be_joined(g: BattleCore, f: int) -> list[int]:
    """The units that the character or shrine of the frame can reach and join (wap.character.join.procedure,
    .leave.join-another).
    """
    unit = MoveFrame.unit(g, f)
    if not joins_others(g, unit) or not lone(g, unit):
        return []
    own, left = host_of(g, unit), left_of(g, f)
    x, y = middle_of(g, unit, *planned(g, unit))
    return [
        other
        for other in g.units_of(g.units.owner[unit])
        if other != own
        and lets_in(g, unit, other)
        and way_from(g, f, other, x, y, left) is not None
        and takes_in(g, unit, other)
    ]
