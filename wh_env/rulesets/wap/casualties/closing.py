"""Units that casualties have parted are brought together again (wap.combat.gap.after-casualties, wap.multi.gap,
.gap.limits).

The unit that caused the losses moves straight up to the side at which it stood, and along it if that side has become
too short. It may not touch an enemy that is not in this combat. If it would, or has no room, the unit that has lost
models moves up to it instead. A unit that loses contact through such a move is brought up in turn. Moves that take no
other unit out of contact and keep an inch from units outside the combat are tried before moves that do not.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import overlap_of, side_halves, side_out
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import blocks_overlap, distance, set_block
from wh_env.rulesets.wap.basics.contacts import (
    apart_from,
    block_hull,
    blocks_touch,
    combat_of,
    foes_of,
    side_towards,
)
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.room import in_rock
from wh_env.rulesets.wap.codes import BROKEN
from wh_env.rulesets.wap.tables import PARTS

NARROW = 1e-6  # inches: a smaller gap counts as none


@kernel
def gap_between(units: Array, u: int, o: int, side: int, other: int) -> tuple[float, float]:
    """The gap between ``side`` of block ``u`` and the side ``other`` of block ``o`` that looks at it.

    Returns:
        Inches between the sides, and inches along the first side, to its left, by which ``o`` must move for the sides
            to face each other; 0 if they do.
    """
    x, y, a, b = block_hull(units, u)
    ox, oy, oa, ob = block_hull(units, o)
    f = units[u]["facing"]
    apart, low, high = overlap_of(x, y, f, a, b, side, ox, oy, units[o]["facing"], oa, ob, other)
    _, half = side_halves(a, b, side)
    aside = 0.0
    if low > high:
        aside = high - low if low > half else low - high
    return apart, aside


@kernel
def touching(parts: Array, units: Array, u: int, o: int, apart: float) -> bool:
    """Whether two blocks touch, or are ``apart`` inches from each other at an obstacle."""
    return bool(blocks_touch(parts, units, u, o, apart))


def is_leaving(g: BattleCore, unit: int) -> bool:
    """Whether a unit is broken and about to flee from the combat; no unit closes up to it."""
    return bool(g.units.fighting[unit] and g.units.outcome[unit] == BROKEN)


def stands_on_table(g: BattleCore, unit: int) -> bool:
    """Whether no part of a unit hangs over an edge of the table."""
    p, setup = g.parts, g.setup
    for k in range(g.units.first_part[unit], g.units.first_part[unit] + PARTS):
        if p.on_table[k]:
            c, s = abs(cos(p.facing[k])), abs(sin(p.facing[k]))
            rx, ry = c * p.half_a[k] + s * p.half_b[k] - EPS, s * p.half_a[k] + c * p.half_b[k] - EPS
            if not (rx <= p.x[k] <= setup.length - rx and ry <= p.y[k] <= setup.width - ry):
                return False
    return True


def fits(g: BattleCore, unit: int, combat: list[int], kept: list[int], gaps: dict[int, float]) -> bool:
    """Whether a unit may stand where it has been put to close a gap.

    Args:
        combat: the units of its combat; it may touch them.
        kept: enemies that it must still touch.
        gaps: inches to keep from units outside the combat. The unit must overlap no unit at all and touch no enemy
            outside the combat.
    """
    u, setup = g.units, g.setup
    parts, units = g.parts.rows, g.units.rows
    if not stands_on_table(g, unit) or in_rock(parts, units, ground_to_stand_in(g, unit), setup.corners, unit):
        return False
    if not all(touching(parts, units, unit, foe, apart_from(g, unit, foe)) for foe in kept):
        return False
    for other in range(len(u.owner)):
        if other == unit or u.place[other] != ON_TABLE:
            continue
        if blocks_overlap(parts, units, unit, other):
            return False
        stranger = other not in combat
        if stranger and u.owner[other] != u.owner[unit] and touching(parts, units, unit, other, 0.0):
            return False
        if stranger and other in gaps and distance(g, unit, other) < gaps[other] - EPS:
            return False
    return True


def moved(g: BattleCore, unit: int, dx: float, dy: float, combat: list[int], partner: int, strict: bool) -> bool:
    """Move a unit by (dx, dy) inches if it may stand there, in contact with ``partner``; returns whether it moved.
    ``strict``: it must stay in contact with all enemies it touches now and keep an inch from units outside the combat.
    """
    u, inch = g.units, g.setup.rules["one_inch"]
    x, y, facing, files = u.x[unit], u.y[unit], u.facing[unit], u.files[unit]
    kept, gaps = [partner], {}
    if strict:
        foes = [foe for foe in foes_of(g, unit) if foe != partner]
        kept += [foe for foe in foes if touching(g.parts.rows, u.rows, unit, foe, apart_from(g, unit, foe))]
        there = [other for other in range(len(u.owner)) if other not in combat and u.place[other] == ON_TABLE]
        gaps = {other: min(inch, distance(g, unit, other)) for other in there}
    set_block(g, unit, x + dx, y + dy, facing, files)
    if fits(g, unit, combat, kept, gaps):
        return True
    set_block(g, unit, x, y, facing, files)
    return False


def close_gaps(g: BattleCore, unit: int) -> None:
    """Close the gaps between a unit that has lost models and enemies that are out of contact with it: they move up to
    it, or it moves up to them. The caller has to call ``meet`` after this.
    """
    if g.units.files[unit] and not is_leaving(g, unit):
        combat = combat_of(g, unit)
        left = [unit]
        closed: set[tuple[int, int]] = set()
        while left:
            one = left.pop()
            for foe in foes_of(g, one):
                pair = (min(one, foe), max(one, foe))
                if pair in closed or g.units.files[foe] == 0 or is_leaving(g, foe):
                    continue
                who = close_gap(g, one, foe, combat)
                if who >= 0:
                    closed.add(pair)
                    left.append(who)


def close_gap(g: BattleCore, unit: int, foe: int, combat: list[int]) -> int:
    """Close the gap between two units that ``contacts`` still lists; returns the unit that was moved, -1: none."""
    u = g.units
    side = side_towards(g, unit, foe)
    apart = apart_from(g, unit, foe)
    far, aside = gap_between(u.rows, unit, foe, side, side_towards(g, foe, unit))
    far -= apart
    if not (far > NARROW or abs(aside) > NARROW) or far >= g.setup.length + g.setup.width:
        return -1
    if touching(g.parts.rows, u.rows, unit, foe, apart):
        return -1
    way = side_out(u.facing[unit], side) + pi
    # a step to the left for a unit that looks out over the side is to the right for the unit that comes up to it
    dx = far * cos(way) + aside * sin(way)
    dy = far * sin(way) - aside * cos(way)
    for who, partner, sign, strict in (
        (foe, unit, 1, True),
        (unit, foe, -1, True),
        (foe, unit, 1, False),
        (unit, foe, -1, False),
    ):
        if moved(g, who, sign * dx, sign * dy, combat, partner, strict):
            if g.recorder is not None:
                rule = "wap.combat.gap.after-casualties" if len(combat) == 2 else "wap.multi.gap"
                rule = rule if who == foe else "wap.multi.gap.limits"
                g.note(rule, "closes up", unit=who, target=partner, far=round(hypot(dx, dy), 2))
            return who
    return -1
