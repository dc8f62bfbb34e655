"""Pivots on the spot, of single models and in swift reforms, and the units that are pushed for them
(wap.move.one-inch.pivot, .pivot-back, .pivot-push-other).

A pivot is judged by its end alone. If it would end in contact, the unit moves straight away from the obstacle by the
least distance that leaves an inch. If there is no room for that, the units in its way are moved straight away from it
in the same manner, if they are not engaged and have room. If that fails too the pivot is not offered, nor is one that
would end within an inch without contact.
"""

from __future__ import annotations

from math import tau
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way
from wh_env.core.procedures import DecisionKind
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.movement.going import FINISH, MoveFrame, allowance, left_of, offer, survey_on
from wh_env.rulesets.wap.movement.lingering import ends_near, lingers
from wh_env.rulesets.wap.movement.plans import plan, planned
from wh_env.rulesets.wap.movement.reform_choices import keeps_facing, within_cap
from wh_env.rulesets.wap.ways.aloft import pivots_aloft
from wh_env.rulesets.wap.ways.poses import Pose, block_at, degrees, depth_of, lone, middle_of
from wh_env.rulesets.wap.ways.survey import survey
from wh_env.rulesets.wap.ways.ways import (
    CLEAR,
    TOO_NEAR,
    TOUCHES,
    may_end,
    pivot_ends,
    rows_in_the_way,
    way_out,
)

FARTHEST_PUSH = 12.0  # the greatest distance of a push that is tried, inches
PUSH_STEP = 0.25  # inches between the distances that are tried
Pushes = tuple[tuple[int, float, float], ...]  # each pushed unit and its move (dx, dy) in inches


class Stand(NamedTuple):
    """One way in which a pivot can end: the unit's pose, and the units that are pushed for it."""

    x: float
    y: float
    facing: float
    pushes: Pushes


def facing_at(g: BattleCore, f: int, slot: int) -> float:
    """The facing of a slot, radians: a direction on the table, or in the last slot (the number of angles) the unit's
    planned facing.
    """
    angles = g.setup.space.angles
    return planned(g, MoveFrame.unit(g, f))[2] if slot == angles else slot * tau / angles


def turned_to(g: BattleCore, f: int, facing: float) -> Pose:
    """The unit's pose after a pivot about its centre to ``facing``."""
    unit = MoveFrame.unit(g, f)
    cx, cy = middle_of(g, unit, *planned(g, unit))
    return block_at(cx, cy, facing, depth_of(g, unit))


def blockers(g: BattleCore, way: Way, pose: Pose) -> list[int]:
    """The rows of ``near`` to which the unit would not keep its margin at a pose."""
    found = g.work.ways.found
    rows: list[int] = found[: g.work.call(rows_in_the_way, way, *pose, found)].tolist()
    return rows


def stands(g: BattleCore, f: int, facing: float, first: bool = False) -> list[Stand]:
    """The ways to make a pivot to ``facing`` that would end in contact, those that push the fewest units first. With
    ``first``, at most one.
    """
    unit, room = MoveFrame.unit(g, f), g.work.ways
    far = allowance(g, f) + FARTHEST_PUSH
    way, pose = survey(g, unit, far), turned_to(g, f, facing)
    size = (g.setup.length, g.setup.width)
    bases = [pose]
    for row in blockers(g, way, pose):
        dx, dy = g.work.call(way_out, way, *pose, row, FARTHEST_PUSH, PUSH_STEP)
        moved = (pose[0] + dx, pose[1] + dy, facing)
        if g.work.call(may_end, way, *moved, *size):
            return [Stand(*moved, ())]  # the unit moves back itself, so no other unit is pushed
        bases.append(moved)
    found: list[Stand] = []
    for base in bases:
        marks = {int(room.near["mark"][row]) for row in blockers(g, survey(g, unit, far), base)}
        if not marks or min(marks) < 0 or any(engaged(g, mark) for mark in marks):
            continue
        pushes = pushed(g, unit, base, sorted(marks))
        if pushes and all(pushes != stand.pushes for stand in found):
            found.append(Stand(*base, pushes))
            if first:
                break
    return sorted(found, key=lambda stand: len(stand.pushes))


def pushed(g: BattleCore, unit: int, pose: Pose, others: list[int]) -> Pushes:
    """The move of each of the ``others`` that leaves the unit an inch at a pose; empty: they have no room. The battle
    is as before when it returns.
    """
    u = g.units
    before = {k: (u.x[k], u.y[k], u.facing[k], u.files[k]) for k in (unit, *others)}
    pushes = []
    try:
        set_block(g, unit, *pose, u.files[unit])
        if not g.work.call(may_end, survey_of(g, unit, -1), *pose, g.setup.length, g.setup.width):
            return ()
        for other in others:
            way = survey_of(g, other, unit)
            x, y, facing, files = before[other]
            near = way[0]
            row = int(np.argmax(near["mark"][: way[2]] == unit))
            dx, dy = g.work.call(way_out, way, x, y, facing, row, FARTHEST_PUSH, PUSH_STEP)
            if not g.work.call(may_end, way, x + dx, y + dy, facing, g.setup.length, g.setup.width):
                return ()
            set_block(g, other, x + dx, y + dy, facing, files)
            pushes.append((other, float(dx), float(dy)))
    finally:
        for k, (x, y, facing, files) in before.items():
            set_block(g, k, x, y, facing, files)
    return tuple(pushes)


def survey_of(g: BattleCore, unit: int, pusher: int) -> Way:
    """``survey`` of a unit within ``FARTHEST_PUSH``, with an inch as the margin to unit ``pusher``, or to the ground if
    ``pusher`` is -1.
    """
    way = survey(g, unit, FARTHEST_PUSH)
    near, one_inch = way[0], g.setup.rules["one_inch"]
    for row in range(way[2]):
        if near["mark"][row] == pusher or near["mark"][row] < 0 > pusher:
            near["margin"][row] = one_inch
    return way


def pivot_codes(g: BattleCore, f: int) -> Array:
    """The outcome of a pivot to each facing (int64), the last slot for the planned facing; codes as in
    ``ways.pivot_ends``.
    """
    unit, room, setup = MoveFrame.unit(g, f), g.work.ways, g.setup
    x, y, facing = planned(g, unit)
    way = survey_on(g, f)
    if MoveFrame.flies(g, f):
        left = left_of(g, f) if after_pivot(g, f) == MoveFrame.Step.LEG else 0.0
        middle = middle_of(g, unit, x, y, facing)
        g.work.call(pivots_aloft, way, *middle, depth_of(g, unit), facing, left, setup.length, setup.width, room.codes)
        aloft: Array = room.codes
        return aloft
    g.work.call(
        pivot_ends,
        way,
        *middle_of(g, unit, x, y, facing),
        depth_of(g, unit),
        facing,
        setup.length,
        setup.width,
        room.codes,
    )
    codes: Array = room.codes
    if not lone(g, unit):
        codes[~within_cap(g, unit)] = TOO_NEAR  # the cap holds for a swift reform as for any reform
    return codes


def pivots(g: BattleCore, f: int) -> Array:
    """Whether a pivot to each facing can be made (bool), the last slot for the planned facing."""
    codes = pivot_codes(g, f)
    fine, in_touch = codes == CLEAR, (codes == TOUCHES).nonzero()[0].tolist()
    for slot in in_touch:
        fine[slot] = bool(stands(g, f, facing_at(g, f, slot), first=True))
    found: Array = fine
    return found


def can_pivot(g: BattleCore, f: int) -> bool:
    """Whether the unit can pivot to any facing."""
    unit, setup = MoveFrame.unit(g, f), g.setup
    as_it_faces = turned_to(g, f, planned(g, unit)[2])
    if g.work.call(may_end, survey_on(g, f), *as_it_faces, setup.length, setup.width) and (
        lone(g, unit) or keeps_facing(g, unit)
    ):
        return True  # the usual case, answered quickly
    codes = pivot_codes(g, f)
    if CLEAR in codes:
        return True
    in_touch = (codes == TOUCHES).nonzero()[0].tolist()
    return any(bool(stands(g, f, facing_at(g, f, slot), first=True)) for slot in in_touch)


def pivot(g: BattleCore, f: int, stand: Stand) -> None:
    """Plan a pivot of the unit, and move the units that are pushed for it."""
    unit, u = MoveFrame.unit(g, f), g.units
    for other, dx, dy in stand.pushes:
        set_block(g, other, u.x[other] + dx, u.y[other] + dy, u.facing[other], u.files[other])
        if g.recorder is not None:
            place = (round(u.x[other], 2), round(u.y[other], 2))
            g.note("wap.move.one-inch.pivot-push-other", "makes room", unit=other, place=place)
    x, y, _ = turned_to(g, f, stand.facing)
    back = (x - stand.x) ** 2 + (y - stand.y) ** 2 > 1e-12
    plan(g, unit, stand.x, stand.y, stand.facing, u.spent[unit])
    if g.recorder is not None:
        rule = "wap.move.one-inch.pivot-back" if back else "wap.move.one-inch.pivot"
        place = (round(stand.x, 2), round(stand.y, 2))
        g.note(rule, "pivots", unit=unit, place=place, facing=degrees(stand.facing))


class PivotTo(DecisionKind):
    name = "pivot-to"
    what = "Which way a unit that pivots on the spot faces; done: as it does."
    keys = (
        "wap.move.single.pivot",
        "wap.move.one-inch.pivot",
        "wap.move.one-inch.pivot-back",
        "wap.command.musician.swift-reform",
        "wap.command.musician.swift-reform.no-new-ranks",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, space = MoveFrame.unit(g, f), g.setup.space
        offer(g, planned(g, unit)[2], pivots(g, f), mask)
        if lingers(g, unit):
            for at in range(space.angle, space.angle + space.angles):
                mask[at] = mask[at] and ends_near(g, unit, turned_to(g, f, facing_at(g, f, at - space.angle)))
            mask[0] = mask[0] or not g.mask.any()

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        space = g.setup.space
        slot = space.angles if action == 0 else action - space.angle
        facing = facing_at(g, f, slot)
        pose = turned_to(g, f, facing)
        way = survey_on(g, f)
        if MoveFrame.flies(g, f) or g.work.call(may_end, way, *pose, g.setup.length, g.setup.width):
            pivot(g, f, Stand(*pose, ()))
            MoveFrame.go_to(g, f, after_pivot(g, f))
            return
        MoveFrame.note(g, f, MoveFrame.ANGLE, slot)
        MoveFrame.go_to(g, f, MoveFrame.Step.PUSH)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][MoveFrame.unit(g, f)]
        if action == 0:
            return f"{name} keeps its facing"
        return f"{name} faces {degrees(facing_at(g, f, action - g.setup.space.angle))} degrees"


def after_pivot(g: BattleCore, f: int) -> int:
    """The step after a pivot: at full detail a single model chooses its next leg, unless its move was finished already;
    else the move ends.
    """
    Step = MoveFrame.Step
    if not lone(g, MoveFrame.unit(g, f)):
        return Step.END
    if g.setup.rules["detail"] == "full" and MoveFrame.leg(g, f) != FINISH:
        return Step.LEG
    return Step.END


class PivotPush(DecisionKind):
    name = "pivot-push"
    what = (
        "Who makes room for a unit that pivots: one of the ways in which that can be done, the fewest units moved "
        "first."
    )
    keys = ("wap.move.one-inch.pivot-push-other", "wap.move.one-inch.pivot-back")
    policy = "The way in which the fewest units are moved."
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        for k in range(min(space.options, len(stands(g, f, facing_at(g, f, MoveFrame.angle(g, f)))))):
            mask[space.option + k] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        ways = stands(g, f, facing_at(g, f, MoveFrame.angle(g, f)))
        pivot(g, f, ways[action - g.setup.space.option])
        MoveFrame.go_to(g, f, after_pivot(g, f))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        names, k = g.setup.names["units"], action - g.setup.space.option
        stand = stands(g, f, facing_at(g, f, MoveFrame.angle(g, f)))[k]
        told = " and ".join(names[other] for other, _, _ in stand.pushes) or "nobody"
        return f"{names[MoveFrame.unit(g, f)]} pivots, {told} makes room ({k + 1})"
