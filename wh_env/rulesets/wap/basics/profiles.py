"""Characteristics as they count now, and what a 0 among them means (wap.profile.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ATTACHED
from wh_env.rulesets.wap.basics.leaving_by_charge import leaving
from wh_env.rulesets.wap.basics.rows import rows_with
from wh_env.rulesets.wap.codes import BEASTS, CREW, MOUNTS
from wh_env.rulesets.wap.tables import MOST

RIDDEN = (MOUNTS, CREW, BEASTS)  # profiles that belong to every model of a unit


def bounded(value: int) -> int:
    """A characteristic within what there is of any (wap.profile.range)."""
    return max(0, min(MOST, value))


def lines_of(g: BattleCore, unit: int) -> range:
    """Rows of the fighting profiles of a unit."""
    first = g.units.first_line[unit]
    return range(first, first + g.units.lines[unit])


def lines_there(g: BattleCore, unit: int) -> list[int]:
    """Those of the fighting profiles that somebody living in the unit has: its champion's while he lives, its mounts' and those of
    other crew and beasts while anybody does."""
    there = {g.models.line[k] for k in g.members(unit)}
    return [line for line in lines_of(g, unit) if line in there or (there and g.lines.kind[line] in RIDDEN)]


def characteristic(g: BattleCore, line: int, name: str) -> int:
    """A characteristic of a fighting profile as it counts for everything but the weapons' own bonuses
    (wap.profile.modified, .weapons-exempt)."""
    value: int = getattr(g.lines, name)[line]
    return value


def wholly(g: BattleCore, unit: int) -> list[int]:
    """A unit and the living characters that stand in its block, in the order of their rows."""
    u = g.units
    found = rows_with(u.bodyguard, unit)
    if not found:
        return [unit]
    place, alive = u.place, u.alive
    return [unit, *[c for c in found if place[c] == ATTACHED and alive[c]]]


def movement_of(g: BattleCore, unit: int) -> float:
    """Movement in inches of a unit and all characters in it: that of the slowest (wap.character.combined.slowest). What changes the unit's changes theirs,
    and that of who leaves it for the move with which he does (wap.character.combined.move-modifier)."""
    host = host_or_left(g, unit)
    if host >= 0:
        return max(0.0, own_movement(g, unit) + change_of_movement(g, host))
    if unit not in g.units.bodyguard.tolist():  # as a rule
        return own_movement(g, unit)
    drives, change = g.units.drives, change_of_movement(g, unit)
    joined = [row for row in wholly(g, unit)[1:] if not drives[row]]  # wap.special.mixed-unit.characteristics
    return min([own_movement(g, unit), *[max(0.0, own_movement(g, row) + change) for row in joined]])


def can_move(g: BattleCore, unit: int) -> bool:
    """Whether that is more than 0 (wap.profile.zero.m)."""
    if g.units.alive[unit]:
        now = g.lines.m.tolist()
        if 0 not in now and now == g.setup.statics["movements"]:  # as a rule: nobody's Movement is changed
            return True
    return movement_of(g, unit) > 0


def host_or_left(g: BattleCore, unit: int) -> int:
    """The unit that a character stands in, or charges out of; -1: neither."""
    return int(g.units.bodyguard[unit]) if g.units.place[unit] == ATTACHED else leaving(g, unit)


def change_of_movement(g: BattleCore, unit: int) -> int:
    """By how much the Movement of a unit's own models is changed now: of those that carry the others, if any do."""
    line = moving_line(g, unit)
    return int(g.lines.m[line] - g.setup.statics["movements"][line])


def moving_line(g: BattleCore, unit: int) -> int:
    """The last of its fighting profiles: that of its mounts, if it has any."""
    return int(g.units.first_line[unit] + g.units.lines[unit] - 1)


def own_movement(g: BattleCore, unit: int) -> float:
    """Movement of the unit in inches (wap.profile.m): the lowest of those in it, its mounts' if it has any; 0: it cannot move (wap.profile.zero.m,
    wap.move.basic.one-unit)."""
    line = slowest_line(g, unit)
    return float(g.lines.m[line]) if line >= 0 else 0.0


def slowest_line(g: BattleCore, unit: int) -> int:
    """The fighting profile whose Movement is the unit's, -1: nobody is left."""
    u, lines, last = g.units, g.lines, moving_line(g, unit)
    first, m = u.first_line[unit], lines.m
    if first == last or m[first] == m[last] or lines.kind[last] == MOUNTS:
        return last
    rows = range(u.first[unit], u.first[unit] + u.count[unit])
    there = [int(g.models.line[k]) for k in rows if g.models.alive[k]]
    return min(there, key=lambda line: int(m[line]), default=-1)
