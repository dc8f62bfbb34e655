"""Who of a unit touches whom, who supports whom: models that may strike, and at which enemy units (wap.combat.who.*, .attacks.support.*).

Contact is by stretches of the sides along which two blocks lie: a corner is enough (wap.combat.who.base-contact). A gap at the end of a short rank
counts as filled (wap.combat.incomplete-rank.*). Enemies of a unit are bits in the order of its rows of ``contacts``.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import overlap_of
from wh_env.core.geometry.ranks import place_in, rank_count
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import part_gap
from wh_env.rulesets.wap.basics.contacts import TOUCH, block_hull, rows_of, sides_of
from wh_env.rulesets.wap.basics.profiles import lines_of
from wh_env.rulesets.wap.basics.special_rules import line_has
from wh_env.rulesets.wap.codes import FRONT, LEFT, MOUNTS, RIGHT
from wh_env.rulesets.wap.tables import PARTS

# columns of a row of the room for a round: enemies that a model touches, those that it may strike at over the shoulder of who stands before it
TOUCHES, SUPPORTS = 0, 1
# columns of a group of models that strike alike
LINE, BEHIND, TARGETS, MODELS = 0, 1, 2, 3
GROUPS = 64
ICE_ATTACKS = "Ice Attacks"
MOST_DICE = 64  # that a model can throw at one time: impact hits of 9D6+9 and no more can be written
OWN, MOUNT = 1, 2  # bits of ``models.struck``
COLD = 1 << 24  # among the bits of enemies: who stands in contact touches somebody with Ice Attacks


class StrikeRoom:
    """Where a round is worked out: a row for each model, groups, dice."""

    __slots__ = ("dice", "groups", "reach")

    def __init__(self, models: int) -> None:
        self.reach = np.zeros((models, 2), np.int64)
        self.groups = np.zeros((GROUPS, 4), np.int64)
        self.dice = np.zeros(MOST_DICE * (models + 1), np.int64)


@inner_kernel
def standing_in(unit: Array, rank: int) -> int:
    """How many models a rank has."""
    return int(min(unit["files"], unit["alive"] - rank * unit["files"]))


@inner_kernel
def stands_in_block(unit: Array, m: Array, shift: int) -> tuple[float, float]:
    """Where a model is within its block; ``shift``: the short rank was moved over to the right (1), the left (-1) or not (wap.combat.incomplete-rank.flank)."""
    files = int(unit["files"])
    rank = int(m["rank"])
    b = float(unit["base_b"])
    apart = float(unit["spacing"])
    ahead, aside = place_in(int(unit["alive"]), files, float(unit["base_a"]), b, apart, rank * files + int(m["file"]))
    return ahead, aside - shift * (files - standing_in(unit, rank)) * (b + 0.5 * apart)


@inner_kernel
def shared_stretch(units: Array, row: Array, u: int) -> tuple[int, int, float, float]:
    """Enemy and side of a contact of unit ``u``, and the stretch of that side along which the enemy lies; low > high: it touches at an angle."""
    mine = row["a"] == u
    o = int(row["b"] if mine else row["a"])
    side = int(row["side_a"] if mine else row["side_b"])
    other = int(row["side_b"] if mine else row["side_a"])
    x, y, a, b = block_hull(units, u)
    ox, oy, oa, ob = block_hull(units, o)
    apart, low, high = overlap_of(x, y, units[u]["facing"], a, b, side, ox, oy, units[o]["facing"], oa, ob, other)
    if apart <= TOUCH and high - low >= -TOUCH:
        return o, side, low - TOUCH, high + TOUCH
    side_now, _, low, high = sides_of(units, u, o)
    if side_now >= 0:
        return o, side_now, low - TOUCH, high + TOUCH
    return o, side, 0.0, -1.0


@inner_kernel
def shift_of(units: Array, contacts: Array, u: int) -> int:
    """To which side the short rank of a unit moves over: to an enemy at one of its flanks, if there is none at the other (wap.combat.incomplete-rank.flank)."""
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
    unit: Array, m: Array, side: int, low: float, high: float, shift: int, half_depth: float, rear_low: float, rear_high: float
) -> bool:  # fmt: skip
    """Whether a model stands at a side of its block and touches the stretch of it; ``rear_low``, ``rear_high``: what the last rank takes of the rear."""
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
    behind = rank_count(int(unit["alive"]), int(unit["files"])) - 1 - rank
    if behind > 1:
        return False
    left = -aside - b  # along the rear: to the left of who looks back
    right = -aside + b
    if behind == 0:
        return right >= low and left <= high
    # who looks across the gap beside a short rank fights over it (wap.combat.incomplete-rank.rear)
    if rear_low - left > TOUCH and float(min(right, rear_low)) >= low and left <= high:
        return True
    return right - rear_high > TOUCH and right >= low and float(max(left, rear_high)) <= high


@kernel
def find_reach(models: Array, parts: Array, units: Array, contacts: Array, u: int, extra: int, reach: Array) -> None:
    """Write for every model of unit ``u`` which enemies it touches and which it supports against, ``extra`` ranks behind the first (wap.special.extra-ranks)."""
    unit = units[u]
    first = unit["first"]
    last = first + unit["count"]
    for k in range(first, last):
        reach[k, TOUCHES] = 0
        reach[k, SUPPORTS] = 0
    if unit["files"] == 0 or unit["alive"] == 0:
        return
    shift = shift_of(units, contacts, u)
    _, _, half_depth, _ = block_hull(units, u)
    ranks = rank_count(unit["alive"], unit["files"])
    pace = unit["base_b"] + 0.5 * unit["spacing"]
    end = standing_in(unit, ranks - 1)
    middle = shift * (unit["files"] - end) * pace  # of the last rank, along the rear
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
                    if parts[j]["on_table"] == 1 and part_gap(m, parts[j]) <= TOUCH:
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


@inner_kernel
def count_in(groups: Array, count: int, line: int, behind: int, targets: int) -> int:
    """Count one model more of a group; returns how many groups there are."""
    for n in range(count):
        if groups[n, LINE] == line and groups[n, BEHIND] == behind and groups[n, TARGETS] == targets:
            groups[n, MODELS] += 1
            return count
    if count == len(groups):
        return count
    groups[count, LINE] = line
    groups[count, BEHIND] = behind
    groups[count, TARGETS] = targets
    groups[count, MODELS] = 1
    return count + 1


@kernel
def find_groups(models: Array, units: Array, lines: Array, u: int, again: bool, reach: Array, groups: Array) -> int:
    """The models of a unit by what they strike alike: profile, in contact or behind it, enemies; who has struck already only if ``again``.

    Rows as ``find_reach`` has left them. Returns how many groups there are. A mount strikes for itself (wap.troop.cavalry.mixed-profile.attack).
    """
    unit = units[u]
    mount = unit["first_line"] + unit["lines"] - 1
    mounted = lines[mount]["kind"] == MOUNTS
    count = 0
    for k in range(unit["first"], unit["first"] + unit["count"]):
        m = models[k]
        behind = 0 if reach[k, TOUCHES] != 0 else 1
        targets = reach[k, behind]
        if m["on_table"] == 0 or targets == 0:
            continue
        if again or m["struck"] & OWN == 0:
            count = count_in(groups, count, m["line"], behind, targets)
        if mounted and (again or m["struck"] & MOUNT == 0):
            count = count_in(groups, count, mount, behind, targets)
    return count


@kernel
def mark_struck(models: Array, units: Array, u: int, line: int, behind: int, targets: int, reach: Array) -> None:
    """The models of a group have struck with that profile."""
    unit = units[u]
    for k in range(unit["first"], unit["first"] + unit["count"]):
        m = models[k]
        if m["on_table"] == 0 or (0 if reach[k, TOUCHES] != 0 else 1) != behind or reach[k, behind] != targets:
            continue
        if m["line"] == line:
            m["struck"] |= OWN
        elif line == unit["first_line"] + unit["lines"] - 1:
            m["struck"] |= MOUNT


@kernel
def mark_cold(models: Array, first: int, last: int, bit: int, everybody: bool, icy: Array, reach: Array) -> None:
    """Mark those of the models ``first`` to ``last`` that touch the enemy of a bit and one of its models ``icy``, or anybody of it."""
    for k in range(first, last):
        if reach[k, TOUCHES] & bit == 0:
            continue
        cold = everybody
        for n in range(len(icy)):
            if cold:
                break
            cold = part_gap(models[k], models[icy[n]]) <= TOUCH
        if cold:
            reach[k, TOUCHES] |= COLD


# ---------------------------------------------------------------- for procedures


def freezers(g: BattleCore, unit: int) -> list[int]:
    """The models of a unit with Ice Attacks, of themselves or of what they ride."""
    m, lines = g.models, lines_of(g, unit)
    icy = {line for line in lines if line_has(g, line, ICE_ATTACKS)}
    if not icy:
        return []
    mounted = g.lines.kind[lines[-1]] == MOUNTS and lines[-1] in icy
    return [k for k in g.members(unit) if mounted or m.line[k] in icy]


def mark_who_freezes(g: BattleCore, unit: int, reach: Array) -> None:
    """Mark the models of a unit that touch an enemy with Ice Attacks (wap.special.ice-attacks.contact)."""
    first = g.units.first[unit]
    for n, enemy in enumerate(enemies_of(g, unit)):
        if icy := freezers(g, enemy):
            everybody = len(icy) == g.units.alive[enemy]
            rows = np.array(icy, np.int64)
            mark_cold(g.models.rows, first, first + g.units.count[unit], 1 << n, everybody, rows, reach)


def enemies_of(g: BattleCore, unit: int) -> list[int]:
    """The enemies of a unit in the order of the bits."""
    c = g.contacts
    return [int(c.b[k] if c.a[k] == unit else c.a[k]) for k in rows_of(g, unit)]


def groups_of(g: BattleCore, unit: int, extra: int, *, again: bool = False) -> list[tuple[int, int, int, int]]:
    """The groups of a unit, each (line, 1 if it stands behind, bits of the enemies and ``COLD``, models), in the order of their models."""
    room = g.work.strikes
    find_reach(g.models.rows, g.parts.rows, g.units.rows, g.contacts.rows, unit, extra, room.reach)
    mark_who_freezes(g, unit, room.reach)
    count = find_groups(g.models.rows, g.units.rows, g.lines.rows, unit, again, room.reach, room.groups)
    return [tuple(row) for row in room.groups[:count].tolist()]


def strikers(g: BattleCore, unit: int, enemy: int) -> list[int]:
    """The models of a unit that touch an enemy unit."""
    groups_of(g, unit, 0, again=True)
    bit = 1 << enemies_of(g, unit).index(enemy)
    return [k for k in g.members(unit) if g.work.strikes.reach[k, TOUCHES] & bit]
