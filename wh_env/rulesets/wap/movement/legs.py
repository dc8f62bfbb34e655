"""Legs of a move: straight parts and wheels in any order; moves at half speed to the rear and to the sides
(wap.move.wheel.*, .other.*).

At full detail a move is any sequence of legs. Lengths are steps of half an inch (a quarter at half speed) or of five
degrees, and the last slot is as far as the unit can go. A wheel that ends over the edge of the table is offered if a
straight leg can lead back on to it; the unit cannot finish while it is off the table. A flyer is offered a leg if it
may land after it, or after another leg straight ahead.
"""

from __future__ import annotations

from math import cos, inf, radians, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way
from wh_env.core.procedures import DecisionKind
from wh_env.core.sentences import counted
from wh_env.core.tables import ATTACHED
from wh_env.rulesets.wap.casualties.crossings import goes_straight, wheels
from wh_env.rulesets.wap.movement.going import (
    BACKWARD,
    FINISH,
    FORWARD,
    PIVOT,
    STRAIGHT,
    WHEEL_LEFT,
    WHEEL_RIGHT,
    MoveFrame,
    allowance,
    left_of,
    survey_on,
    survey_rest,
)
from wh_env.rulesets.wap.movement.leaving import goes_back, is_out
from wh_env.rulesets.wap.movement.lingering import ends_near, lingers, wheels_near
from wh_env.rulesets.wap.movement.loose_ways import goes_round, way_round_to
from wh_env.rulesets.wap.movement.move_to import goes_to_join, is_unit, offer_joins, words_of
from wh_env.rulesets.wap.movement.pivots import can_pivot
from wh_env.rulesets.wap.movement.plans import plan, planned
from wh_env.rulesets.wap.ways.poses import degrees, front_width, lone, straight_on, wheeled_to
from wh_env.rulesets.wap.ways.through import farthest_end, leads_through, mark_wheels
from wh_env.rulesets.wap.ways.ways import SHORTEST, may_end, open_ways

INCHES, SHORT, TURN = 0.5, 0.25, radians(5.0)  # the step between slots of a length: forward, at half speed, wheels
SIDES = {WHEEL_LEFT: 1.0, WHEEL_RIGHT: -1.0}
LEG_WORDS = ("goes straight on", "wheels to the left", "wheels to the right", "pivots on the spot", "finishes its move")
WAYS = {FORWARD: "straight ahead", BACKWARD: "back", BACKWARD + 1: "to its left", BACKWARD + 2: "to its right"}


def step_of(leg: int) -> float:
    """The step between slots of the leg's length: inches, or radians for a wheel."""
    if leg in SIDES:
        return TURN
    return INCHES if leg == FORWARD else SHORT


def price(g: BattleCore, unit: int, leg: int, amount: float) -> float:
    """Inches that a leg costs. ``amount``: its length in inches, or radians for a wheel. A wheel costs the arc of the
    outer front corner (wap.move.wheel.cost), a leg at half speed twice its length (wap.move.other.backward, .sideways).
    """
    if leg in SIDES:
        return front_width(g, unit) * amount
    return amount if leg == FORWARD else 2.0 * amount


def lengths(g: BattleCore, f: int, leg: int) -> float:
    """Mark in ``work.ways.slots`` the lengths that a leg may have, and return the greatest: inches, or radians for a
    wheel. 0: the leg cannot be made.
    """
    unit, flies, slots = MoveFrame.unit(g, f), MoveFrame.flies(g, f), g.work.ways.slots
    pose, (left, way) = planned(g, unit), survey_rest(g, f)
    if leg in SIDES:
        full, width = g.setup.rules["detail"] == "full", front_width(g, unit)
        limit = mark_wheels(g, way, pose, width, SIDES[leg], left, TURN, full, slots, aloft=flies)
        if lingers(g, unit):
            for slot in slots.nonzero()[0].tolist():
                last = slot == len(slots) - 1
                slots[slot] = wheels_near(g, unit, width, SIDES[leg], limit if last else min(limit, (slot + 1) * TURN))
        return limit if slots.any() else 0.0
    most = left if leg == FORWARD else 0.5 * left
    limit = farthest_end(g, way, pose, STRAIGHT[leg], most, aloft=flies)
    slots[:] = False
    slots[: int((max(0.0, limit) + 1e-6) / step_of(leg))] = True
    if leg >= BACKWARD and leads_through(way):  # the move ends after such a leg
        for slot in slots.nonzero()[0].tolist():
            end = gone(*pose, leg, (slot + 1) * step_of(leg))
            slots[slot] = g.work.call(may_end, way, *end, g.setup.length, g.setup.width)
    if leg == FORWARD and limit < most - SHORTEST and way[2] > 0 and goes_round(g, f):
        limit = longer_round(g, f, way, limit, most)
    if limit < SHORTEST:
        slots[:] = False
        return 0.0
    slots[-1] = True
    if lingers(g, unit):
        for slot in slots.nonzero()[0].tolist():
            far = limit if slot == len(slots) - 1 else min(limit, (slot + 1) * step_of(leg))
            slots[slot] = ends_near(g, unit, gone(*pose, leg, far))
        return limit if slots.any() else 0.0
    return limit


def longer_round(g: BattleCore, f: int, way: Way, limit: float, most: float) -> float:
    """Mark in ``work.ways.slots`` the lengths beyond ``limit`` inches straight ahead that skirmishers reach by going
    round obstacles. Returns the greatest.
    """
    unit, slots = MoveFrame.unit(g, f), g.work.ways.slots
    pose, left = planned(g, unit), left_of(g, f)
    steps = [(k + 1) * INCHES for k in range(len(slots) - 1) if limit < (k + 1) * INCHES <= most + 1e-9]
    for far in (*steps, most):
        if way_round_to(g, unit, way, pose, straight_on(pose, far), left) < inf:
            limit = far
            if far in steps:
                slots[round(far / INCHES) - 1] = True
    return limit


def amount_of(g: BattleCore, f: int, leg: int, slot: int) -> float:
    """The length that a slot stands for: inches, or radians for a wheel."""
    limit = lengths(g, f, leg)
    return limit if slot == g.setup.space.numbers - 1 else min(limit, (slot + 1) * step_of(leg))


def gone(x: float, y: float, f: float, leg: int, far: float) -> tuple[float, float, float]:
    """The pose after a straight leg of ``far`` inches from the pose (x, y, f)."""
    ahead, aside = STRAIGHT[leg]
    dx, dy = ahead * cos(f) - aside * sin(f), ahead * sin(f) + aside * cos(f)
    return x + far * dx, y + far * dy, f


def go(g: BattleCore, f: int, leg: int, amount: float) -> None:
    """Plan a leg of ``amount`` inches, or radians for a wheel."""
    unit = MoveFrame.unit(g, f)
    pose = planned(g, unit)
    on_foot = not MoveFrame.flies(g, f)
    if leg in SIDES:
        if on_foot:
            wheels(g, unit, pose, SIDES[leg], amount, front_width(g, unit))
        pose = wheeled_to(pose, front_width(g, unit), SIDES[leg], amount)
    else:
        if leg == FORWARD and on_foot:
            goes_straight(g, unit, pose, amount)
        pose = gone(*pose, leg, amount)
        if leg == BACKWARD:
            goes_straight(g, unit, pose, amount)
    cost = price(g, unit, leg, amount)
    if leg == FORWARD and goes_round(g, f):
        round_things = way_round_to(g, unit, survey_on(g, f), planned(g, unit), pose, left_of(g, f))
        cost = max(cost, round_things) if round_things < inf else cost
    spent = min(allowance(g, f), g.units.spent[unit] + cost)
    plan(g, unit, *pose, spent)
    MoveFrame.note(g, f, MoveFrame.LEG, leg)
    if g.recorder is not None:
        told = {"far": round(cost, 2), "facing": degrees(pose[2])}
        rule = "wap.move.wheel.cost" if leg in SIDES else "wap.move.basic.straight"
        if leg >= BACKWARD:
            rule = "wap.move.other.backward" if leg == BACKWARD else "wap.move.other.sideways"
        g.note(rule, "leg", unit=unit, place=(round(pose[0], 2), round(pose[1], 2)), **told)


def ways_from(g: BattleCore, unit: int, movement: float, front: float, way: Way) -> int:
    """The directions in which the unit can move from where it stands, with ``movement`` inches and a front edge of
    ``front`` inches: bit 0 straight on, by a wheel or a pivot, 1 back, 2 to the left, 3 to the right. ``way``: the
    obstacles.
    """
    setup, u = g.setup, g.units
    pose = (u.x[unit], u.y[unit], u.facing[unit])
    full = setup.rules["detail"] == "full"
    if leads_through(way):
        return ways_through(g, unit, movement, front, way)
    found = g.work.call(
        open_ways, way, *pose, front, movement, TURN, full, setup.length, setup.width, g.work.ways.slots
    )
    return int(found) | lone(g, unit)


def ways_through(g: BattleCore, unit: int, movement: float, front: float, way: Way) -> int:
    """``ways_from`` for a unit that passes through impassable ground."""
    u, slots, full = g.units, g.work.ways.slots, g.setup.rules["detail"] == "full"
    pose, found = (u.x[unit], u.y[unit], u.facing[unit]), int(lone(g, unit))
    for bit, direction in enumerate(STRAIGHT.values()):
        most = movement if bit == 0 else 0.5 * movement
        if farthest_end(g, way, pose, direction, most) >= SHORTEST:
            found |= 1 << bit
    for side in (1.0, -1.0):
        if not found & 1:
            mark_wheels(g, way, pose, front, side, movement, TURN, full, slots)
            found |= bool(slots.any())
    return found


class Leg(DecisionKind):
    name = "leg"
    what = (
        "The next part of the unit's move: straight on, a wheel, a pivot of a single model; or it finishes where it "
        "is. A character may go to a unit that he joins; done: he stays in his unit."
    )
    instead = "A move is a wheel, a straight part and a wheel, chosen by the place they lead to."
    keys = (
        "wap.move.wheel.several",
        "wap.move.wheel.remaining",
        "wap.move.wheel.pivot",
        "wap.move.wheel.no-backward",
        "wap.move.table.overhang",
        "wap.move.single.pivot",
        "wap.move.other.no-mixing",
        "wap.character.join.types",
        "wap.character.join.procedure",
        "wap.character.leave.join-another",
        "wap.special.fly.move",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option, unit = g.setup.space.option, MoveFrame.unit(g, f)
        for leg in (FORWARD, WHEEL_LEFT, WHEEL_RIGHT):
            mask[option + leg] = lengths(g, f, leg) > 0.0
        mask[option + PIVOT] = lone(g, unit) and MoveFrame.leg(g, f) != PIVOT and can_pivot(g, f)
        way = survey_on(g, f)
        mask[option + FINISH] = bool(
            g.work.call(may_end, way, *planned(g, unit), g.setup.length, g.setup.width) and is_out(g, f)
        )
        mask[0] = g.units.place[unit] == ATTACHED
        offer_joins(g, f, mask)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            goes_back(g, f)
            return
        if is_unit(g, action):
            goes_to_join(g, f, action)
            return
        leg, Step = action - g.setup.space.option, MoveFrame.Step
        if leg == FINISH:
            MoveFrame.go_to(g, f, Step.END)
            return
        MoveFrame.note(g, f, MoveFrame.LEG, leg)
        MoveFrame.go_to(g, f, Step.PIVOT if leg == PIVOT else Step.LENGTH)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0 or is_unit(g, action):
            return words_of(g, f, action)
        return f"{g.setup.names['units'][MoveFrame.unit(g, f)]} {LEG_WORDS[action - g.setup.space.option]}"


class LegLength(DecisionKind):
    name = "leg-length"
    what = "How far the unit goes or wheels; the last slot is as far as it can."
    keys = (
        "wap.move.basic.distance",
        "wap.move.basic.straight",
        "wap.move.basic.same-point",
        "wap.move.one-inch",
        "wap.move.wheel.cost",
        "wap.move.other.backward",
        "wap.move.other.sideways",
        "wap.move.table.stay",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        lengths(g, f, MoveFrame.leg(g, f))
        number = g.setup.space.number
        for slot in g.work.ways.slots.nonzero()[0].tolist():
            mask[number + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        leg, Step = MoveFrame.leg(g, f), MoveFrame.Step
        go(g, f, leg, amount_of(g, f, leg, action - g.setup.space.number))
        MoveFrame.go_to(g, f, Step.END if leg >= BACKWARD else Step.LEG)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        leg, slot = MoveFrame.leg(g, f), action - g.setup.space.number
        amount = amount_of(g, f, leg, slot)
        name = g.setup.names["units"][MoveFrame.unit(g, f)]
        most = ", as far as it can" if slot == g.setup.space.numbers - 1 else ""
        if leg in SIDES:
            side = "left" if leg == WHEEL_LEFT else "right"
            return f"{name} wheels {counted(f'{amount / TURN * 5.0:.4g}', 'degree')} to the {side}{most}"
        return f'{name} goes {amount:.4g}" {WAYS[leg]}{most}'
