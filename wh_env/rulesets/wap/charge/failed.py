"""Failed charges: the unit wheels to face its target and moves towards it by the highest die (wap.charge.failed,
wap.charge.failed.example, wap.core.measure.move-toward).
"""

from __future__ import annotations

from math import cos, hypot, inf, radians, sin
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.wheels import wheel_and_move_to, wheel_limit
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.leaving_by_charge import leaving
from wh_env.rulesets.wap.basics.traps import moves
from wh_env.rulesets.wap.casualties.crossings import forget, goes_straight, stands_here, test_for_all, wheels
from wh_env.rulesets.wap.characters.charging_out import come_back_in, comes_out, is_out_at
from wh_env.rulesets.wap.codes import FAILED
from wh_env.rulesets.wap.field.dangerous import How
from wh_env.rulesets.wap.movement.forced_moves import go_along, way_along
from wh_env.rulesets.wap.tables import PARTS
from wh_env.rulesets.wap.ways.poses import Pose, degrees, front_width, straight_on, turned_in, wheeled_to
from wh_env.rulesets.wap.ways.survey import survey
from wh_env.rulesets.wap.ways.through import AHEAD, farthest_end, on_the_way
from wh_env.rulesets.wap.ways.ways import may_end

STRAIGHT = 1e-6  # radians: a smaller wheel counts as none
LEAST = 1e-3  # inches: a way that is shorter by less counts as not shortened
STEP, TURNS = radians(5.0), 18  # wheels tried round an obstacle: to 90 degrees, both sides
Spot = tuple[float, float]


@kernel
def nearest_point(parts: Array, units: Array, target: int, x: float, y: float) -> tuple[float, float]:
    """(x, y) of the point of unit ``target`` that is nearest to the point (x, y), inches; (x, y) itself if it is not on
    the table.
    """
    best = inf
    px = x
    py = y
    for k in range(units[target]["first_part"], units[target]["first_part"] + PARTS):
        p = parts[k]
        if p["on_table"] == 0:
            continue
        c = cos(p["facing"])
        s = sin(p["facing"])
        u = c * (x - p["x"]) + s * (y - p["y"])
        v = c * (y - p["y"]) - s * (x - p["x"])
        u = min(p["half_a"], max(-p["half_a"], u))
        v = min(p["half_b"], max(-p["half_b"], v))
        qx, qy = on_table_at(p["x"], p["y"], p["facing"], u, v)
        far = hypot(qx - x, qy - y)
        if far < best:
            best = far
            px = qx
            py = qy
    return px, py


@kernel
def facing_wheel(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    width: float,
    px: float,
    py: float,
    most: float,
) -> tuple[float, float]:
    """The wheel after which the point (px, py) lies straight ahead of the middle of the front edge: side (1 left, -1
    right) and angle in radians. The angle is cut to ``most`` and to what is near; (1, 0) if no wheel leads there.
    """
    best = inf
    side = 1.0
    for way in range(2):
        sense = 1.0 - 2.0 * way
        angle, ahead = wheel_and_move_to(x, y, f, width, sense, px, py)
        if ahead >= 0.0 and angle < best:
            best = angle
            side = sense
    if best == inf:
        return 1.0, 0.0
    return side, min(best, wheel_limit(near, points, n, body, rows, x, y, f, width, side, min(best, most)))


@kernel
def wheel_within(
    near: Array,
    points: Array,
    n: int,
    body: Array,
    rows: int,
    x: float,
    y: float,
    f: float,
    width: float,
    side: float,
    most: float,
) -> float:
    """``wheel_limit`` for callers outside kernels: the angle in radians, at most ``most``, up to which a unit
    can wheel.
    """
    return wheel_limit(near, points, n, body, rows, x, y, f, width, side, most)


class Approach(NamedTuple):
    """A way of a failed charge: one wheel, then straight on.

    Attributes:
        left: inches from the end, middle of the front, to the point of the target that it goes for.
        side, angle: the wheel: 1 left, -1 right; radians.
        turned: the pose after the wheel.
        goes: inches straight on.
        end: the pose at the end.
    """

    left: float
    side: float
    angle: float
    turned: Pose
    goes: float
    end: Pose


def one_wheel(
    g: BattleCore, unit: int, way: Way, wheel: tuple[float, float], far: float, there: Spot, aloft: bool
) -> Approach | None:
    """The way by one wheel (side, angle) and then straight on with what is left of ``far`` inches, but no farther than
    the point ``there``. None if the unit may not stand where it ends.
    """
    u, setup, width = g.units, g.setup, front_width(g, unit)
    side, angle = wheel
    pose: Pose = (u.x[unit], u.y[unit], u.facing[unit])
    turned = wheeled_to(pose, width, side, angle) if angle > STRAIGHT else pose
    size = (setup.length, setup.width)
    goes = min(max(0.0, far - width * angle), hypot(there[0] - turned[0], there[1] - turned[1]))
    goes = farthest_end(g, way, turned, AHEAD, goes, aloft=aloft)
    end = straight_on(turned, goes)
    if goes < 0.0 or not g.work.call(may_end, way, *end, *size) or not is_out_at(g, unit, end):
        return None
    return Approach(hypot(there[0] - end[0], there[1] - end[1]), side, angle, turned, goes, end)


def best_approach(g: BattleCore, unit: int, target: int, far: float, aloft: bool = False) -> Approach | None:
    """The way of a failed charge of ``far`` inches: the wheel to face the target. If that way is shortened, the wheel
    (tried every 5 degrees) that leads nearest to it. None if no way is possible.
    """
    u, width = g.units, front_width(g, unit)
    pose: Pose = (u.x[unit], u.y[unit], u.facing[unit])
    way = survey(g, unit, far, aloft=aloft)
    turning = on_the_way(way, aloft=aloft)  # a flyer wheels over everything
    there = nearest_point(g.parts.rows, u.rows, target, pose[0], pose[1])
    wheel = facing_wheel(*turning, *pose, width, *there, far / width)
    facing = one_wheel(g, unit, way, wheel, far, there, aloft)
    if facing is not None and facing.goes + width * facing.angle >= far - LEAST:
        return facing
    found = [facing] if facing is not None else []
    for side in (1.0, -1.0):
        limit = wheel_within(*turning, *pose, width, side, min(TURNS * STEP, far / width))
        for k in range(int(limit / STEP) + 1):
            tried = one_wheel(g, unit, way, (side, k * STEP), far, there, aloft)
            if tried is not None:
                found.append(tried)
    return min(found, key=lambda one: (round(one.left, 6), one.angle), default=None)


def fail_charge(g: BattleCore, unit: int, target: int, far: float, aloft: bool = False) -> None:
    """Carry out a failed charge (wap.charge.failed): the unit wheels towards its target and goes straight on, ``far``
    inches together, by ``best_approach``.

    It stops an inch from other units and impassable ground. A flying unit (``aloft``) passes over everything and ends
    an inch from it. A character whom the move does not carry out of his unit stays in it (wap.character.leave.charge).
    Models that cross dangerous ground test for it, so ``Casualties`` may be pushed.
    """
    u = g.units
    if u.place[unit] != ON_TABLE:
        u.did[unit] |= FAILED
        return
    width, goes = front_width(g, unit), 0.0
    found = best_approach(g, unit, target, far, aloft) if u.place[target] == ON_TABLE else None
    stays = found is None and leaving(g, unit) >= 0
    u.did[unit] |= FAILED
    if stays:
        come_back_in(g, unit)
        return
    forget(g, unit)
    if aloft:
        stands_here(g, unit)
    if found is not None:
        if found.angle > STRAIGHT and not aloft:
            wheels(g, unit, (u.x[unit], u.y[unit], u.facing[unit]), found.side, found.angle, width)
        if not aloft:
            goes_straight(g, unit, found.turned, found.goes)
        goes = found.goes + width * found.angle
        set_block(g, unit, found.end[0], found.end[1], turned_in(found.end[2]), u.files[unit])
    comes_out(g, unit)
    if g.recorder is not None:
        place = (round(u.x[unit], 2), round(u.y[unit], 2))
        g.note(
            "wap.charge.failed", "fails its charge", unit=unit, target=target, far=round(goes, 2), place=place,
            facing=degrees(u.facing[unit]),
        )  # fmt: skip
    arrives_short(g, unit, goes, aloft)


def go_straight_on(g: BattleCore, unit: int, far: float, aloft: bool) -> None:
    """Carry out a failed charge whose targets are all gone, as ``fail_charge``: the unit goes straight on, ``far``
    inches or as far as it can (wap.charge.failed).
    """
    u = g.units
    pose = (u.x[unit], u.y[unit], u.facing[unit])
    if not is_out_at(g, unit, straight_on(pose, way_along(g, unit, pose[2], far, aloft))):
        come_back_in(g, unit)
        return
    forget(g, unit)
    if aloft:
        stands_here(g, unit)
    goes = go_along(g, unit, pose[2], far, "wap.charge.failed", aloft=aloft)
    if not aloft:
        goes_straight(g, unit, pose, goes)
    comes_out(g, unit)  # his unit is not in his way until then
    arrives_short(g, unit, goes, aloft)


def arrives_short(g: BattleCore, unit: int, goes: float, aloft: bool) -> None:
    """A failed charge of ``goes`` inches has ended: what it crossed, and what waited for a move of the unit, acts."""
    if aloft:
        stands_here(g, unit)
    test_for_all(g, unit, How.ALOFT if aloft else How.FAST)
    if goes > 0.0:
        moves(g, unit)
