"""A unit enters an empty building, or a character joins a garrison, as its move of this turn (wap.building.enter.*,
.capacity).

The unit must reach the building by a normal move: by one wheel and then straight on, or straight back or aside at half
speed; a single model turns as it likes (wap.building.enter.no-march).
"""

from __future__ import annotations

from math import atan2, cos, hypot, pi, radians, sin

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.near import Way
from wh_env.core.geometry.rects import body_gap
from wh_env.core.geometry.wheels import wheel_limit
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.core.tables import ATTACHED
from wh_env.rulesets.wap.basics.contacts import TOUCH
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import Building, buildings_of, garrison_in, may_occupy, occupy
from wh_env.rulesets.wap.basics.joined import host_of, joined_to
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.characters.joining import fits_inside, is_open_to, joins_others, stand_inside
from wh_env.rulesets.wap.characters.stepping_out import step_out
from wh_env.rulesets.wap.codes import JOINED, MOVED
from wh_env.rulesets.wap.movement.going import MoveFrame
from wh_env.rulesets.wap.ways.poses import depth_of, front_width, lone, middle_of
from wh_env.rulesets.wap.ways.survey import survey
from wh_env.rulesets.wap.ways.through import leads_through, on_the_way
from wh_env.rulesets.wap.ways.ways import ENDS_MARK, GROUND_MARK, straight_limit

TURN = radians(5.0)  # between the wheels that are tried
CLOSE = 1e-4  # inches by which a way may fall short and still count as contact


@inner_kernel
def comes_to(
    way: Way,
    at: int,
    x: float,
    y: float,
    f: float,
    ahead: float,
    aside: float,
    most: float,
    length: float,
    width: float,
) -> bool:
    """Whether a body comes into contact with row ``at`` of ``near`` by going straight at most ``most`` inches."""
    near, points, body, rows = way.near, way.points, way.body, way.rows
    far = straight_limit(way, x, y, f, ahead, aside, most + CLOSE, length, width)
    dx = ahead * cos(f) - aside * sin(f)
    dy = ahead * sin(f) + aside * cos(f)
    return bool(body_gap(near, points, at, body, rows, x + far * dx, y + far * dy, f) <= TOUCH)


@kernel
def reaches(
    way: Way, at: int, x: float, y: float, f: float, front: float, far: float, step: float, length: float, width: float
) -> bool:
    """Whether a body with a front edge of ``front`` inches comes into contact with row ``at`` of ``near`` within
    ``far`` inches: by a wheel of a multiple of ``step`` radians and then straight on, or back or aside at half speed.
    """
    near, points, n, body, rows = way
    for aside in (-1.0, 0.0, 1.0):
        ahead = -1.0 if aside == 0.0 else 0.0
        if comes_to(way, at, x, y, f, ahead, aside, 0.5 * far, length, width):
            return True
    for side in (1.0, -1.0):
        most = min(0.5 * pi, far / front)
        limit = wheel_limit(near, points, n, body, rows, x, y, f, front, side, most)
        turned = 0.0
        while turned <= limit + CLOSE:
            half = 0.5 * side * front
            tf = f + side * turned
            tx = x - half * sin(f) + half * sin(tf)
            ty = y + half * cos(f) - half * cos(tf)
            left = far - front * turned
            if comes_to(way, at, tx, ty, tf, 1.0, 0.0, left, length, width):
                return True
            turned += step
    return False


@kernel
def reaches_alone(
    way: Way,
    at: int,
    x: float,
    y: float,
    deep: float,
    facing: float,
    far: float,
    step: float,
    length: float,
    width: float,
) -> bool:
    """``reaches`` of a single model with its centre at (x, y), which first turns to any side; ``facing``: one that is
    tried first.
    """
    for k in range(int(2.0 * pi / step) + 1):
        f = facing + k * step
        px = x + 0.5 * deep * cos(f)
        py = y + 0.5 * deep * sin(f)
        if comes_to(way, at, px, py, f, 1.0, 0.0, far, length, width):
            return True
    return False


def row_of_building(g: BattleCore, building: Building, n: int) -> int:
    """The row of ``work.ways.near``, among the first ``n``, that is the building; -1: it is not near."""
    near = g.work.ways.near
    for at in range(n):
        row = near[at]
        if row["mark"] in (GROUND_MARK, ENDS_MARK) and hypot(row["x"] - building.x, row["y"] - building.y) < CLOSE:
            return at
    return -1


def reaches_building(g: BattleCore, unit: int, building: Building) -> bool:
    """Whether a unit can come into contact with a building by a normal move from where it stands."""
    u, setup = g.units, g.setup
    far, pose = movement_of(g, unit), (u.x[unit], u.y[unit], u.facing[unit])
    near, _, n, _, _ = way = survey(g, unit, far)
    at = row_of_building(g, building, n)
    if at < 0:
        return False
    if leads_through(way):  # nothing but the building itself bars the way of those who pass through the ground
        n = on_the_way(way)[2]
        near[[n, at]] = near[[at, n]]
        at, n = n, n + 1
    for other in buildings_of(g).values():  # parts of one building may touch
        row = row_of_building(g, other, n)
        if row >= 0:
            near[row]["margin"] = min(0.0, float(near[row]["margin"]))
    size = setup.length, setup.width
    way = Way(near, way.points, n, way.body, way.rows)
    if not lone(g, unit) and u.place[unit] != ATTACHED:
        return bool(g.work.call(reaches, way, at, *pose, front_width(g, unit), far, TURN, *size))
    cx, cy = middle_of(g, unit, *pose)
    square_on = nearest_way(building, cx, cy)
    return bool(g.work.call(reaches_alone, way, at, cx, cy, depth_of(g, unit), square_on, far, TURN, *size))


def nearest_way(building: Building, x: float, y: float) -> float:
    """The direction from a point to the nearest point of a building, radians."""
    c, s = cos(building.facing), sin(building.facing)
    du = c * (x - building.x) + s * (y - building.y)
    dv = c * (y - building.y) - s * (x - building.x)
    du = min(building.half_a, max(-building.half_a, du))
    dv = min(building.half_b, max(-building.half_b, dv))
    px, py = building.x + c * du - s * dv, building.y + s * du + c * dv
    return atan2(py - y, px - x)


def takes_in(g: BattleCore, unit: int, feature: int) -> bool:
    """Whether a building takes in a unit: it is empty and the unit of a type that may enter, or its garrison takes in
    the character, who may stand with it outside too (wap.building.capacity, .enter.types, .enter.character).
    """
    u, holder = g.units, garrison_in(g, feature)
    if holder < 0:
        return may_occupy(g, unit)
    if u.owner[holder] != u.owner[unit] or engaged(g, holder) or not may_occupy(g, unit):
        return False
    alone = joins_others(g, unit) and not joined_to(g, unit)
    return alone and is_open_to(g, unit, holder) and fits_inside(g, unit, holder)


def buildings_open(g: BattleCore, unit: int) -> list[int]:
    """The buildings, by feature, that a unit which is about to move may enter; none in most battles."""
    found = list(buildings_of(g).items())[: g.setup.space.options]
    return [feature for feature, it in found if takes_in(g, unit, feature) and reaches_building(g, unit, it)]


def go_in(g: BattleCore, unit: int, feature: int) -> None:
    """A unit enters an empty building, or a character joins its garrison. That is its move of this turn."""
    u, holder = g.units, garrison_in(g, feature)
    if host_of(g, unit) >= 0:
        step_out(g, unit)
    if holder < 0:
        occupy(g, unit, feature, "wap.building.enter")
    else:
        stand_inside(g, unit, holder)
        u.did[unit] |= JOINED
        if g.recorder is not None:
            g.note("wap.building.enter.character", "joins a garrison", unit=unit, target=holder, building=feature)
    u.did[unit] |= MOVED


class Enter(Procedure):
    """A unit that is about to move may enter a building instead; the frame below is that of its move."""

    UNIT = integer(row_of("units"))
    asks = ("enter-building",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + Enter.UNIT]
        return g.ask(EnterBuilding, g.units.owner[unit], unit)


class EnterBuilding(DecisionKind):
    name = "enter-building"
    what = (
        "Which building within reach a unit enters as its move, or whose garrison a character joins; done: it moves "
        "otherwise."
    )
    keys = (
        "wap.building.enter",
        "wap.building.enter.types",
        "wap.building.enter.no-march",
        "wap.building.enter.character",
        "wap.building.capacity",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for n in range(len(buildings_open(g, g.stack[f + Enter.UNIT]))):
            mask[g.setup.space.option + n] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Enter.UNIT]
        feature = buildings_open(g, unit)[action - g.setup.space.option] if action else -1
        g.pop()
        if action:
            go_in(g, unit, feature)
            MoveFrame.go_to(g, g.frame, MoveFrame.Step.OVER)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, names = g.stack[f + Enter.UNIT], g.setup.names["units"]
        if action == 0:
            return f"{names[unit]} enters no building"
        feature = buildings_open(g, unit)[action - g.setup.space.option]
        holder, building = garrison_in(g, feature), buildings_of(g)[feature]
        at = f"the building at {building.x:.1f}, {building.y:.1f}"
        return f"{names[unit]} enters {at}" if holder < 0 else f"{names[unit]} joins {names[holder]} in {at}"
