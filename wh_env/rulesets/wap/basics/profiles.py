"""Characteristics as they count now, and what a 0 among them means (wap.profile.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ATTACHED
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
    """Movement in inches of a unit and all characters in it: that of the slowest (wap.character.combined.slowest)."""
    if unit not in g.units.bodyguard.tolist():  # as a rule
        return own_movement(g, unit)
    return min([own_movement(g, row) for row in wholly(g, unit)])


def can_move(g: BattleCore, unit: int) -> bool:
    """Whether that is more than 0 (wap.profile.zero.m)."""
    if g.units.alive[unit] and 0 not in g.lines.m.tolist():  # as a rule
        return True
    return movement_of(g, unit) > 0


def own_movement(g: BattleCore, unit: int) -> float:
    """Movement of the unit in inches (wap.profile.m): the lowest of those in it, its mounts' if it has any; 0: it cannot move (wap.profile.zero.m,
    wap.move.basic.one-unit)."""
    u, lines = g.units, g.lines
    first, m = u.first_line[unit], lines.m
    last = first + u.lines[unit] - 1  # the mounts stand last
    slowest = m[last]
    if first == last or m[first] == slowest or lines.kind[last] == MOUNTS:
        return float(slowest)
    rows = range(u.first[unit], u.first[unit] + u.count[unit])
    return float(min((m[g.models.line[k]] for k in rows if g.models.alive[k]), default=0))
