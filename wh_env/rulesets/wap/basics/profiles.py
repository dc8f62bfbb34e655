"""Characteristics as they count now, and what a 0 among them means (wap.profile.*)."""

from __future__ import annotations

from collections.abc import Iterable

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.casualties import slay
from wh_env.rulesets.wap.codes import CHARACTERISTICS, MOUNTS
from wh_env.rulesets.wap.tables import MOST

DEADLY = ("s", "t", "w")  # at 0 a model is slain


def bounded(value: int) -> int:
    """A characteristic within what there is of any (wap.profile.range)."""
    return max(0, min(MOST, value))


def lines_of(g: BattleCore, unit: int) -> range:
    """Rows of the fighting profiles of a unit."""
    first = g.units.first_line[unit]
    return range(first, first + g.units.lines[unit])


def lines_there(g: BattleCore, unit: int) -> list[int]:
    """Those of the fighting profiles that somebody living in the unit has: its champion's while he lives, its mounts' while anybody does."""
    there = {g.models.line[k] for k in g.members(unit)}
    return [line for line in lines_of(g, unit) if line in there or (there and g.lines.kind[line] == MOUNTS)]


def characteristic(g: BattleCore, line: int, name: str) -> int:
    """A characteristic of a fighting profile as it counts for everything but the weapons' own bonuses
    (wap.profile.modified, .weapons-exempt)."""
    value: int = getattr(g.lines, name)[line]
    return value


def recompute(g: BattleCore, unit: int, changes: Iterable[tuple[str, int]]) -> None:
    """Work out the characteristics of a unit anew: those of the army sheet with all that changes them now
    (wap.profile.modified). Models whose Strength, Toughness or Wounds fall to 0 are slain, without saves (wap.profile.zero.stw)."""
    profiles, found = g.setup.statics["profiles"], list(changes)
    for line in lines_of(g, unit):
        for name in CHARACTERISTICS:
            base = int(profiles[line][name])
            total = base + sum(amount for stat, amount in found if stat == name)
            getattr(g.lines, name)[line] = bounded(total)
        dead = [name for name in DEADLY if getattr(g.lines, name)[line] == 0 and int(profiles[line][name]) > 0]
        if dead and g.lines.kind[line] != MOUNTS:
            for k in [k for k in g.members(unit) if g.models.line[k] == line]:
                slay(g, k, "wap.profile.zero.stw")


def movement_of(g: BattleCore, unit: int) -> float:
    """Movement of the unit in inches (wap.profile.m): the lowest of those in it, its mounts' if it has any; 0: it cannot move (wap.profile.zero.m,
    wap.move.basic.one-unit)."""
    first = g.units.first_line[unit]
    last = first + g.units.lines[unit] - 1  # the mounts stand last
    if g.lines.kind[last] == MOUNTS or g.lines.m[first] == g.lines.m[last]:
        return float(g.lines.m[last])
    rows = range(g.units.first[unit], g.units.first[unit] + g.units.count[unit])
    return float(min((g.lines.m[g.models.line[k]] for k in rows if g.models.alive[k]), default=0))
