"""Several units that charge one target: where each stands along a side that they share, and whether there is room
(wap.charge.several.share).

Units that share a side stand in a row, side by side. The order from left to right in which they stand now is tried
first, then all other orders: most models in contact first (wap.charge.several.maximise), then the most even share. A
row is taken if its units can reach it one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from math import cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import TOUCH
from wh_env.rulesets.wap.charge.charge_moves import (
    CHARGER_TURNS,
    count_bits,
    frame_side,
    side_bases,
    touched_bits,
)
from wh_env.rulesets.wap.charge.places import Charge, Place, Search, best_place, places_of
from wh_env.rulesets.wap.charge.wheel_tables import FRONT_HALF, OUT, SIDE_HALF, SIDE_X, SIDE_Y
from wh_env.rulesets.wap.codes import FRONT

ROWS = 24  # rows tried in each order
PERMUTED = 4  # up to so many units all orders are tried
Plan = list[tuple[int, Place]]  # (unit, place) in the order of the moves


@kernel
def row_worth(
    units: Array, target: int, side: int, half: float, row: Array, places: Array, fronts: Array, count: int
) -> tuple[int, int]:
    """Worth of a row of ``count`` units along a side: (models of both sides in contact, largest minus smallest number
    of own models in contact). (0, 0) if one of the units touches nothing.

    Args:
        half: half the length of the side, inches.
        row: the units, from left to right.
        places: inches along the side to the middle of each front edge.
        fronts: half of each front edge, inches.
    """
    theirs = 0
    total = 0
    least = 1 << 30
    most = 0
    for k in range(count):
        low = max(-half, places[k] - fronts[k])
        high = min(half, places[k] + fronts[k])
        if high < low - TOUCH:
            return 0, 0
        met = touched_bits(units, target, side, low, high, TOUCH)
        # the unit's own models are counted from its right, where the side has its high end
        mine = count_bits(touched_bits(units, row[k], FRONT, places[k] - high, places[k] - low, TOUCH))
        if met == 0 or mine == 0:
            return 0, 0
        theirs |= met
        total += mine
        least = min(least, mine)
        most = max(most, mine)
    return total + count_bits(theirs), most - least


def shared_places(g: BattleCore, target: int, charges: Sequence[Charge]) -> list[Place]:
    """The places where the first of several units that charge ``target`` can end if it moves first and as many of the
    others as possible still find room beside it: one for each such set of others and each equally good order. If no
    other finds room, its places alone.

    Args:
        charges: the units, each with the side of the target that it charges.
    """
    (unit, _), others = charges[0], charges[1:]
    for size in range(len(others), 0, -1):
        found: dict[Place, None] = {}
        for some in combinations(others, size):
            plans = arrangements(g, target, [charges[0], *some], mover=unit)
            found.update(dict.fromkeys(place for plan in plans for who, place in plan if who == unit))
        if found:
            return list(found)
    return places_of(g, unit, [(target, charges[0][1])])


def arrangements(g: BattleCore, target: int, charges: Sequence[Charge], *, mover: int = -1) -> list[Plan]:
    """Ways in which all units can stand: one for each equally good order from left to right, the present order first;
    empty: they have no room together.

    Args:
        mover: the unit that must move first, -1: any.
    """
    if len(charges) == 1:
        (unit, side) = charges[0]
        place = best_place(g, unit, [(target, side)])
        return [[(unit, place)]] if place is not None else []
    sides = sorted({side for _, side in charges}, key=[side for _, side in charges].index)
    shared = [[unit for unit, at in charges if at == side] for side in sides]
    return with_blocks_kept(g, lambda: along_all(g, target, list(zip(sides, shared, strict=True)), mover))


def with_blocks_kept(g: BattleCore, work: Callable[[], list[Plan]]) -> list[Plan]:
    """Call ``work``, which moves blocks, then put all blocks back; returns its result."""
    u = g.units
    before = [(u.x[k], u.y[k], u.facing[k], u.files[k]) for k in range(len(u.x))]
    try:
        return work()
    finally:
        for k, pose in enumerate(before):
            if (u.x[k], u.y[k], u.facing[k], u.files[k]) != pose:
                set_block(g, k, *pose)


def along_all(g: BattleCore, target: int, groups: Sequence[tuple[int, list[int]]], mover: int) -> list[Plan]:
    """``arrangements`` of ``groups``, (side, units) each, one side after the other."""
    (side, units), rest = groups[0], groups[1:]
    if len(units) == 1:
        place = best_place(g, units[0], [(target, side)])
        plans: list[Plan] = [[(units[0], place)]] if place is not None else []
    else:
        plans = rows_along(g, target, side, units, mover)
    if not rest:
        return plans
    found = []
    for plan in plans:
        before = [(unit, g.units.x[unit], g.units.y[unit], g.units.facing[unit]) for unit, _ in plan]
        for unit, place in plan:
            set_block(g, unit, place.x, place.y, place.facing, g.units.files[unit])
        found += [plan + more for more in along_all(g, target, rest, -1)]
        for unit, x, y, facing in before:
            set_block(g, unit, x, y, facing, g.units.files[unit])
    return found


def rows_along(g: BattleCore, target: int, side: int, units: list[int], mover: int) -> list[Plan]:
    """``arrangements`` of ``units`` along one side."""
    u = g.units
    fronts, aside = {}, {}
    for unit in units:
        frame = g.work.charges.frame
        g.work.call(frame_side, u.rows, unit, target, side, g.setup.length, g.setup.width, frame)
        fronts[unit] = float(frame[FRONT_HALF])
        dx, dy = u.x[unit] - frame[SIDE_X], u.y[unit] - frame[SIDE_Y]
        aside[unit] = cos(frame[OUT]) * dy - sin(frame[OUT]) * dx
    natural = tuple(sorted(units, key=lambda unit: aside[unit]))
    orders = [natural]
    if len(units) <= PERMUTED:
        orders += [order for order in permutations(natural) if order != natural]
    found: list[tuple[tuple[int, int], Plan]] = []
    for order in orders:
        best = best_row(g, target, side, order, fronts, aside, mover)
        if best is not None:
            found.append(best)
    if not found:
        return []
    top = max(worth for worth, _ in found)
    return [plan for worth, plan in found if worth == top]


def best_row(
    g: BattleCore,
    target: int,
    side: int,
    order: tuple[int, ...],
    fronts: dict[int, float],
    aside: dict[int, float],
    mover: int,
) -> tuple[tuple[int, int], Plan] | None:
    """The best row in an order from left to right that can be reached: its worth (models in contact, minus the spread)
    and its moves; None: none of the best ``ROWS`` can be reached.

    Args:
        fronts: half the front edge of each unit, inches.
        aside: inches along the side to where each unit stands now.
    """
    u, room = g.units.rows, g.work.charges
    g.work.call(frame_side, u, order[0], target, side, g.setup.length, g.setup.width, room.frame)
    half = float(room.frame[SIDE_HALF])
    widths = np.array([fronts[unit] for unit in order])
    row, now = np.array(order, np.int64), np.array([aside[unit] for unit in order])
    table = []
    for places in rows_worth_trying(g, target, side, order, widths, half, now):
        total, spread = row_worth(u, target, side, half, row, places, widths, len(order))
        if total:
            table.append(((total, -spread), float(np.abs(places - now).sum()), places))
    table.sort(key=lambda entry: (-entry[0][0], -entry[0][1], round(entry[1], 6)))
    for worth, _, places in table[:ROWS]:
        plan = reached(g, target, side, order, places, mover)
        if plan is not None:
            return worth, plan
    return None


def rows_worth_trying(
    g: BattleCore, target: int, side: int, order: tuple[int, ...], fronts: Array, half: float, now: Array
) -> list[Array]:
    """Rows worth trying, each an array of places along the side in inches: side by side, with edges of bases over edges
    of bases; and, if there is room, each unit at the nearest edge to where it stands now.
    """
    u = g.units.rows
    offsets = np.concatenate(([0.0], np.cumsum(fronts[:-1] + fronts[1:])))
    spacing = float(u["spacing"][target])
    count, base = side_bases(u, target, side)
    edges = edges_of(int(count), float(base), spacing)
    starts = [0.5 * (fronts[0] - fronts[-1] - offsets[-1])]
    for k, unit in enumerate(order):
        starts += [edge + end * fronts[k] - offsets[k] for edge in edges for end in (-1.0, 1.0)]
        n, base = side_bases(u, unit, FRONT)
        own = edges_of(int(n), float(base), float(u["spacing"][unit]))
        starts += [end * half - edge - offsets[k] for edge in own for end in (-1.0, 1.0)]
    rows = [start + offsets for start in dict.fromkeys(round(start, 9) for start in starts)]
    if offsets[-1] + fronts[0] + fronts[-1] <= 2.0 * half:
        # each unit at its nearest edge, then pushed apart
        places = np.array(
            [
                min((edge + front for edge in edges), key=lambda at: abs(at - here))
                for front, here in zip(fronts, now, strict=True)
            ]
        )
        for _ in range(2):
            for k in range(1, len(places)):
                places[k] = max(places[k], places[k - 1] + fronts[k - 1] + fronts[k])
            over = places[-1] + fronts[-1] - half
            if over > 0.0:
                places[-1] -= over
                for k in range(len(places) - 2, -1, -1):
                    places[k] = min(places[k], places[k + 1] - fronts[k] - fronts[k + 1])
        rows.append(places)
    return rows


def edges_of(count: int, base: float, spacing: float) -> list[float]:
    """Inches at which ``count`` bases of half width ``base`` in a row begin and end; the middle of the row is at 0."""
    middles = [(2 * k + 1 - count) * (base + 0.5 * spacing) for k in range(count)]
    return list(dict.fromkeys(round(middle + end, 9) for middle in middles for end in (-base, base)))


def reached(g: BattleCore, target: int, side: int, order: tuple[int, ...], places: Array, mover: int) -> Plan | None:
    """An order of moves in which all units of a row reach their places, as (unit, place); None: there is none.
    ``mover``: the unit that must move first, -1: any. All units are put back.
    """
    there = dict(zip(order, places.tolist(), strict=True))
    orders = permutations(order) if len(order) <= PERMUTED else (order, order[::-1])
    for moves in orders:
        if mover >= 0 and moves[0] != mover:
            continue
        before, plan = [], []
        for unit in moves:
            place = Search(g, unit, [(target, side)], (), CHARGER_TURNS, False).at(target, side, there[unit])
            if place is None:
                break
            u = g.units
            before.append((unit, u.x[unit], u.y[unit], u.facing[unit]))
            set_block(g, unit, place.x, place.y, place.facing, u.files[unit])
            plan.append((unit, place))
        for unit, x, y, facing in before:
            set_block(g, unit, x, y, facing, g.units.files[unit])
        if len(plan) == len(order):
            return plan
    return None
