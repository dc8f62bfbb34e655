"""Which enemies the models of a unit touch, and which they may strike over the shoulder of a model before them
(wap.combat.who.*, .attacks.support.*).

Two blocks are in contact along a stretch of a side; a corner is enough (wap.combat.who.base-contact). A gap at the end
of a short rank counts as filled (wap.combat.incomplete-rank.*). The enemies of a unit are bits, in the order of its
rows of ``contacts``.
"""

from __future__ import annotations

from wh_env.core.geometry.flush import overlap_of
from wh_env.core.geometry.ranks import rank_count
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import part_gap, place_in_block, ranks_aside, rear_aside
from wh_env.rulesets.wap.basics.contacts import TOUCH, block_hull, sides_of
from wh_env.rulesets.wap.codes import FRONT, LEFT, RIGHT
from wh_env.rulesets.wap.tables import PARTS

# columns of ``reach``: enemies that a model touches, enemies that it supports against, enemies that its special attacks
# may reach (filled by ``combat.fighters``)
TOUCHES, SUPPORTS, TRODDEN = 0, 1, 2


@inner_kernel
def standing_in(unit: Array, rank: int) -> int:
    """How many models a rank has."""
    return int(min(unit["files"], unit["block"] - rank * unit["files"]))


@inner_kernel
def stands_in_block(unit: Array, m: Array, shift: int) -> tuple[float, float]:
    """Inches ahead of the middle of the front edge and to its left where a model stands. ``shift``: the short rank has
    moved over to the right (1), to the left (-1) or not (0) (wap.combat.incomplete-rank.flank).
    """
    files = int(unit["files"])
    rank = int(m["rank"])
    b = float(unit["base_b"])
    apart = float(unit["spacing"])
    ahead, aside = place_in_block(unit, files, rank * files + int(m["file"]))
    if shift != 0 and standing_in(unit, rank) < files:
        aside -= rear_aside(unit, int(unit["block"]), files)
    return ahead, aside - shift * (files - standing_in(unit, rank)) * (b + 0.5 * apart)


@inner_kernel
def shared_stretch(units: Array, row: Array, u: int) -> tuple[int, int, float, float]:
    """Enemy and side of a contact of unit ``u``, and the first and last inch of that side along which the enemy lies.
    The first is above the last if they touch at an angle.
    """
    mine = row["a"] == u
    o = int(row["b"] if mine else row["a"])
    side = int(row["side_a"] if mine else row["side_b"])
    other = int(row["side_b"] if mine else row["side_a"])
    x, y, a, b = block_hull(units, u)
    ox, oy, oa, ob = block_hull(units, o)
    apart, low, high = overlap_of(x, y, units[u]["facing"], a, b, side, ox, oy, units[o]["facing"], oa, ob, other)
    if apart <= TOUCH + row["apart"] and high - low >= -TOUCH:
        return o, side, low - TOUCH, high + TOUCH
    side_now, _, low, high = sides_of(units, u, o, float(row["apart"]))
    if side_now >= 0:
        return o, side_now, low - TOUCH, high + TOUCH
    return o, side, 0.0, -1.0


@inner_kernel
def shift_of(units: Array, contacts: Array, u: int) -> int:
    """The side to which the short rank of a unit moves over: 1 right, -1 left, to an enemy at that flank; 0 if both
    flanks have an enemy, or neither (wap.combat.incomplete-rank.flank).
    """
    found = 0
    both = 0
    for k in range(len(contacts)):
        if contacts[k]["a"] != u and contacts[k]["b"] != u:
            continue
        _, side, _, _ = shared_stretch(units, contacts[k], u)
        if side == RIGHT:
            found = 1
            both |= 1
        elif side == LEFT:
            found = -1
            both |= 2
    return found if both != 3 else 0


@inner_kernel
def is_along(
    unit: Array,
    m: Array,
    side: int,
    low: float,
    high: float,
    shift: int,
    half_depth: float,
    rear_low: float,
    rear_high: float,
) -> bool:
    """Whether a model stands at a side of its block and touches the stretch ``low`` to ``high`` of it. ``rear_low``,
    ``rear_high``: the part of the rear that the last rank takes, in inches.
    """
    ahead, aside = stands_in_block(unit, m, shift)
    rank = int(m["rank"])
    a = float(unit["base_a"])
    b = float(unit["base_b"])
    if side == FRONT:
        return rank == 0 and aside + b >= low and aside - b <= high
    if side in (RIGHT, LEFT):
        last = standing_in(unit, rank) - 1
        if m["file"] != (0 if side == RIGHT else last):
            return False
        along = ahead + half_depth if side == RIGHT else -ahead - half_depth
        return along + a >= low and along - a <= high
    behind = rank_count(int(unit["block"]), int(unit["files"])) - 1 - rank
    if behind > 1:
        return False
    left = -aside - b  # along the rear, to the left as one looks back
    right = -aside + b
    if behind == 0:
        return right >= low and left <= high
    # a model before the gap beside a short rank fights across it (wap.combat.incomplete-rank.rear)
    if rear_low - left > TOUCH and float(min(right, rear_low)) >= low and left <= high:
        return True
    return right - rear_high > TOUCH and right >= low and float(max(left, rear_high)) <= high


@kernel
def find_reach(models: Array, parts: Array, units: Array, contacts: Array, u: int, extra: int, reach: Array) -> None:
    """Write to ``reach``, for every model of unit ``u``, the enemies that it touches and those that it supports
    against. ``extra``: ranks behind the first that support (wap.special.extra-ranks).
    """
    unit = units[u]
    first = unit["first"]
    last = first + unit["count"]
    for k in range(first, last):
        reach[k, TOUCHES] = 0
        reach[k, SUPPORTS] = 0
    if unit["files"] == 0 or unit["block"] == 0:
        return
    shift = shift_of(units, contacts, u)
    _, _, half_depth, _ = block_hull(units, u)
    ranks = rank_count(unit["block"], unit["files"])
    pace = unit["base_b"] + 0.5 * unit["spacing"]
    end = standing_in(unit, ranks - 1)
    stands = (
        shift * (unit["files"] - end) * pace
        if shift != 0
        else -rear_aside(unit, int(unit["block"]), int(unit["files"]))
    )
    middle = stands - ranks_aside(unit)  # of the last rank, along the rear
    wide = end * pace - 0.5 * unit["spacing"]
    fronts = 0
    bit = 1
    for c in range(len(contacts)):
        row = contacts[c]
        if row["a"] != u and row["b"] != u:
            continue
        o, side, low, high = shared_stretch(units, row, u)
        if side == FRONT:
            fronts |= bit
        for k in range(first, last):
            m = models[k]
            if m["on_table"] == 0:
                continue
            if low > high:
                for j in range(units[o]["first_part"], units[o]["first_part"] + PARTS):
                    if parts[j]["on_table"] == 1 and part_gap(m, parts[j]) <= TOUCH + row["apart"]:
                        reach[k, TOUCHES] |= bit
            elif is_along(unit, m, side, low, high, shift, half_depth, middle - wide, middle + wide):
                reach[k, TOUCHES] |= bit
        bit <<= 1
    if fronts == 0:
        return
    for k in range(first, last):
        m = models[k]
        if m["on_table"] == 0 or m["rank"] < 1 or m["rank"] > extra or reach[k, TOUCHES] != 0:
            continue
        _, aside = stands_in_block(unit, m, shift)
        for n in range(first, last):
            if models[n]["on_table"] == 0 or models[n]["rank"] != 0:
                continue
            _, before = stands_in_block(unit, models[n], shift)
            if abs(aside - before) < 2.0 * unit["base_b"] - TOUCH:
                reach[k, SUPPORTS] |= reach[n, TOUCHES] & fronts
