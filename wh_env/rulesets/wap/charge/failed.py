"""Failed charges: towards the target by the highest die, wheeling to face it first (wap.charge.failed, wap.charge.failed.example)."""

from __future__ import annotations

from math import cos, hypot, inf, radians, sin
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.wheels import wheel_and_move_to, wheel_limit
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.leaving_by_charge import leaving
from wh_env.rulesets.wap.characters.charging_out import come_back_in, comes_out, is_out_at
from wh_env.rulesets.wap.codes import FAILED
from wh_env.rulesets.wap.movement.crossings import forget, goes_straight, test_for_all, wheels
from wh_env.rulesets.wap.tables import PARTS
from wh_env.rulesets.wap.ways.aloft import landing_ahead
from wh_env.rulesets.wap.ways.poses import Pose, degrees, front_width, straight_on, turned_in, wheeled_to
from wh_env.rulesets.wap.ways.survey import Way, survey
from wh_env.rulesets.wap.ways.ways import may_end, straight_limit

STRAIGHT = 1e-6  # radians: a wheel that is none
LEAST = 1e-3  # inches by which a way that nothing shortens may fall short
STEP, TURNS = radians(5.0), 18  # wheels that are tried round what is in the way: up to a quarter to either side
Spot = tuple[float, float]


@kernel
def nearest_point(parts: Array, units: Array, target: int, x: float, y: float) -> tuple[float, float]:
    """The point of a unit on the table that is nearest to (x, y)."""
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
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, width: float, px: float, py: float,
    most: float,
) -> tuple[float, float]:  # fmt: skip
    """The wheel after which the point (px, py) lies straight ahead of the middle of the front: 1 for the left or -1 for the right, and the angle, as much of it
    as ``most`` and what is near allow."""
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
    near: Array, points: Array, n: int, body: Array, rows: int, x: float, y: float, f: float, width: float, side: float, most: float
) -> float:  # fmt: skip
    """``wheel_limit``, for procedures."""
    return wheel_limit(near, points, n, body, rows, x, y, f, width, side, most)


class Approach(NamedTuple):
    """A failed charge by one wheel and a straight way: inches from the middle of its front to the point it goes for when it ends, the wheel, the pose after
    that, the inches straight on, and the pose where it ends."""

    left: float
    side: float
    angle: float
    turned: Pose
    goes: float
    end: Pose


def one_wheel(
    g: BattleCore, unit: int, way: Way, wheel: tuple[float, float], far: float, there: Spot, aloft: bool
) -> Approach | None:
    """Wheel, and go straight on with what is left of ``far`` inches, at most on to the point; None: it may not stand where that ends."""
    u, setup, width = g.units, g.setup, front_width(g, unit)
    side, angle = wheel
    pose: Pose = (u.x[unit], u.y[unit], u.facing[unit])
    turned = wheeled_to(pose, width, side, angle) if angle > STRAIGHT else pose
    size = (setup.length, setup.width)
    goes = min(max(0.0, far - width * angle), hypot(there[0] - turned[0], there[1] - turned[1]))
    if aloft:
        goes = float(landing_ahead(*way, *turned, goes, *size))
    else:
        goes = float(straight_limit(*way, *turned, 1.0, 0.0, goes, *size))
    end = straight_on(turned, goes)
    if goes < 0.0 or not may_end(*way, *end, *size) or not is_out_at(g, unit, end):
        return None
    return Approach(hypot(there[0] - end[0], there[1] - end[1]), side, angle, turned, goes, end)


def best_approach(g: BattleCore, unit: int, target: int, far: float, aloft: bool = False) -> Approach | None:
    """The way of a failed charge: facing the target; where something is in that way, by the wheel that leads nearest to it."""
    u, width = g.units, front_width(g, unit)
    pose: Pose = (u.x[unit], u.y[unit], u.facing[unit])
    way = survey(g, unit, far, aloft=aloft)
    turning: Way = (way[0], way[1], 0 if aloft else way[2], way[3], way[4])  # what keeps it from wheeling
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
    """A charge has failed: the unit moves ``far`` inches towards its target: it wheels to face it, which costs of these inches what a wheel costs, and goes
    straight on, round what is in the way as far as one wheel does that (wap.charge.failed); it stops an inch from other units and impassable ground. Models
    that come across dangerous ground test for it, so ``Casualties`` may be pushed, to be resolved when the caller returns. Who charges ``aloft`` passes over
    everything, and ends an inch from it. A character whom it does not carry out of his unit stays in that (wap.character.leave.charge)."""
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
    comes_out(g, unit)
    forget(g, unit)
    if found is not None:
        if found.angle > STRAIGHT and not aloft:
            wheels(g, unit, (u.x[unit], u.y[unit], u.facing[unit]), found.side, found.angle, width)
        if not aloft:
            goes_straight(g, unit, found.turned, found.goes)
        goes = found.goes + width * found.angle
        set_block(g, unit, found.end[0], found.end[1], turned_in(found.end[2]), u.files[unit])
    if g.recorder is not None:
        place = (round(u.x[unit], 2), round(u.y[unit], 2))
        g.note(
            "wap.charge.failed", "fails its charge", unit=unit, target=target, far=round(goes, 2), place=place,
            facing=degrees(u.facing[unit]),
        )  # fmt: skip
    test_for_all(g, unit)
