"""Characteristics as they count now, and what a 0 means (wap.profile.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.blocks import stands_in
from wh_env.rulesets.wap.basics.leaving_by_charge import leaving
from wh_env.rulesets.wap.basics.rows import rows_with
from wh_env.rulesets.wap.codes import BEASTS, CREW, MOUNTS
from wh_env.rulesets.wap.tables import MOST

RIDDEN = (MOUNTS, CREW, BEASTS)  # profiles that belong to every model of a unit


def bounded(value: int) -> int:
    """A characteristic brought into its range, 0 .. ``MOST`` (wap.profile.range)."""
    return max(0, min(MOST, value))


def lines_of(g: BattleCore, unit: int) -> range:
    """Rows of the fighting profiles of a unit."""
    first = g.units.first_line[unit]
    return range(first, first + g.units.lines[unit])


def lines_there(g: BattleCore, unit: int) -> list[int]:
    """Rows of the fighting profiles that living models of a unit have; profiles of mounts, crew and beasts while any
    model lives.
    """
    there = {g.models.line[k] for k in g.members(unit)}
    return [line for line in lines_of(g, unit) if line in there or (there and g.lines.kind[line] in RIDDEN)]


def characteristic(g: BattleCore, line: int, name: str) -> int:
    """A characteristic of a fighting profile as it counts now, without the bonuses of weapons (wap.profile.modified,
    .weapons-exempt).
    """
    value: int = getattr(g.lines, name)[line]
    return value


def wounds_each(g: BattleCore, unit: int) -> int:
    """The Wounds of an unhurt model of a unit, of those that losses remove first: a champion may have more
    (wap.terrain.hill.temple-of-skulls).
    """
    m, first = g.models, g.units.first[unit]
    rows = reversed(range(first, first + g.units.count[unit]))  # command models have the first rows
    return m.max_wounds[next((k for k in rows if m.alive[k]), first)]


def wholly(g: BattleCore, unit: int) -> list[int]:
    """Rows of a unit and of the living characters in its block: the unit first, then the characters in the order of
    their rows.
    """
    u = g.units
    joined = rows_with(u.bodyguard, unit)
    if not joined:  # as a rule
        return [unit]
    place, alive = u.place, u.alive
    return [unit, *[c for c in joined if place[c] == ATTACHED and alive[c]]]


def movement_of(g: BattleCore, unit: int) -> float:
    """Movement in inches of a unit with all characters in it: that of the slowest (wap.character.combined.slowest). A
    change of the unit's Movement changes theirs, also in the move by which one leaves it
    (wap.character.combined.move-modifier).
    """
    found: float = g.work.call(
        find_movement, g.models.rows, g.units.rows, g.lines.rows, g.setup.statics["profiles"], unit
    )
    return found


def host_or_left(g: BattleCore, unit: int) -> int:
    """The unit that a character stands in, or charges out of; -1: neither."""
    return g.units.bodyguard[unit] if g.units.place[unit] == ATTACHED else leaving(g, unit)


@inner_kernel
def slowest_line(models: Array, units: Array, lines: Array, u: int) -> int:
    """The fighting profile whose Movement is the unit's: its mounts', if it has any, else the lowest of living models;
    -1: none is left.
    """
    first = units[u]["first_line"]
    last = first + units[u]["lines"] - 1
    if first == last or lines[first]["m"] == lines[last]["m"] or lines[last]["kind"] == MOUNTS:
        return int(last)
    found = -1
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if models[k]["alive"] == 1:
            line = models[k]["line"]
            if found < 0 or lines[line]["m"] < lines[found]["m"]:
                found = line
    return int(found)


@inner_kernel
def own_movement(models: Array, units: Array, lines: Array, u: int) -> float:
    """Movement of a unit's own models in inches, on the ground where it stands (wap.profile.m,
    wap.terrain.marsh.movement, .forest.ancient); 0: it cannot move (wap.profile.zero.m, wap.move.basic.one-unit).
    """
    line = slowest_line(models, units, lines, u)
    return float(max(0, lines[line]["m"] - units[u]["slowed"])) if line >= 0 else 0.0


@inner_kernel
def change_of_movement(units: Array, lines: Array, profiles: Array, u: int) -> float:
    """Inches by which the Movement of a unit's own models is changed now, taken from its last profile; what that has
    grown is its own (wap.terrain.hill.temple-of-skulls).
    """
    last = units[u]["first_line"] + units[u]["lines"] - 1
    return float(lines[last]["m"] - min(MOST, profiles[last]["m"] + lines[last]["more_m"]))


@inner_kernel
def change_with_host(units: Array, lines: Array, profiles: Array, c: int, host: int) -> float:
    """Inches by which the Movement of character ``c`` is changed because that of ``host`` is, the unit that he stands
    in or leaves now (wap.character.combined.move-modifier). Nothing slows who is Ethereal
    (wap.special.ethereal.movement).
    """
    change = change_of_movement(units, lines, profiles, host)
    if change < 0.0 and profiles[units[c]["first_line"]]["free"] == 1:
        return 0.0
    return float(change)


@inner_kernel
def host_of_row(units: Array, u: int) -> int:
    """The unit that a character stands in, or has declared a charge out of; -1: neither."""
    return int(units[u]["bodyguard"] if units[u]["place"] == ATTACHED else units[u]["out_of"])


@kernel
def find_movement(models: Array, units: Array, lines: Array, profiles: Array, u: int) -> float:
    """``movement_of`` as a kernel; ``profiles``: those of the army sheet."""
    own = own_movement(models, units, lines, u)
    host = host_of_row(units, u)
    if host >= 0:
        return max(0.0, own + change_with_host(units, lines, profiles, u, host))
    for c in range(len(units)):
        # wap.special.mixed-unit.characteristics
        if stands_in(units, c, u) and units[c]["drives"] == 0:
            joined = own_movement(models, units, lines, c) + change_with_host(units, lines, profiles, c, u)
            own = min(own, max(0.0, joined))
    return own
