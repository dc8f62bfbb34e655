"""Failed charges: towards the target by the highest die, wheeling to face it first (wap.charge.failed, .failed.example)."""

from __future__ import annotations

from math import cos, hypot, inf, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.wheels import wheel_limit, wheel_to
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.codes import FAILED
from wh_env.rulesets.wap.movement.crossings import forget, goes_straight, test_for_all, wheels
from wh_env.rulesets.wap.movement.going import Pose, degrees, front_width, survey, turned_in, wheeled_to
from wh_env.rulesets.wap.movement.ways import may_end, straight_limit
from wh_env.rulesets.wap.tables import PARTS

STRAIGHT = 1e-6  # radians: a wheel that is none


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
        angle, ahead = wheel_to(x, y, f, width, sense, px, py)
        if ahead >= 0.0 and angle < best:
            best = angle
            side = sense
    if best == inf:
        return 1.0, 0.0
    return side, min(best, wheel_limit(near, points, n, body, rows, x, y, f, width, side, min(best, most)))


def fail_charge(g: BattleCore, unit: int, target: int, far: float) -> None:
    """A charge has failed: the unit moves ``far`` inches towards its target: it wheels to face it, which costs of these inches what a wheel costs, and goes
    straight on; it stops an inch from other units and impassable ground. Models that come across dangerous ground test for it, so ``Casualties`` may be
    pushed, to be resolved when the caller returns."""
    u, setup = g.units, g.setup
    u.did[unit] |= FAILED
    if u.place[unit] != ON_TABLE:
        return
    pose: Pose = (u.x[unit], u.y[unit], u.facing[unit])
    width, goes = front_width(g, unit), 0.0
    forget(g, unit)
    if u.place[target] == ON_TABLE:
        way = survey(g, unit, far)
        size = (setup.length, setup.width)
        there = nearest_point(g.parts.rows, u.rows, target, pose[0], pose[1])
        side, angle = facing_wheel(*way, *pose, width, *there, far / width)
        turned = wheeled_to(pose, width, side, angle) if angle > STRAIGHT else pose
        goes = max(0.0, far - width * angle)
        goes = min(goes, hypot(there[0] - turned[0], there[1] - turned[1]))
        goes = float(straight_limit(*way, *turned, 1.0, 0.0, goes, *size))
        end = (*on_table_at(*turned, goes, 0.0), turned[2])
        if not may_end(*way, *end, *size):
            turned, angle = pose, 0.0
            goes = float(straight_limit(*way, *pose, 1.0, 0.0, far, *size))
            end = (*on_table_at(*pose, goes, 0.0), pose[2])
        if angle > STRAIGHT:
            wheels(g, unit, pose, side, angle, width)
        goes_straight(g, unit, turned, goes)
        goes += width * angle if angle > STRAIGHT else 0.0
        set_block(g, unit, end[0], end[1], turned_in(end[2]), u.files[unit])
    if g.recorder is not None:
        place = (round(u.x[unit], 2), round(u.y[unit], 2))
        g.note(
            "wap.charge.failed", "fails its charge", unit=unit, target=target, far=round(goes, 2), place=place,
            facing=degrees(u.facing[unit]),
        )  # fmt: skip
    test_for_all(g, unit)
