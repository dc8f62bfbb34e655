"""A character who has declared a charge out of his unit. He stands where he stood in it, and his place stays empty
until he has moved (wap.character.leave.charge). The unit does not block his way, and hides neither him nor his target.
"""

from __future__ import annotations

from collections.abc import Collection

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import remove_marked
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.basics.fronts import front_now
from wh_env.rulesets.wap.codes import IN_RANKS


def leaving(g: BattleCore, unit: int) -> int:
    """The unit that a character charges out of; -1: he has moved already, or charges out of none."""
    host: int = g.units.out_of[unit]
    return host


def left_by(g: BattleCore, *units: int) -> set[int]:
    """The units that the characters ``units`` charge out of."""
    return {leaving(g, unit) for unit in units} - {-1}


def without(near: Array, n: int, marks: Collection[int]) -> int:
    """Remove the rows of the units ``marks`` from ``near``; returns how many of the ``n`` rows are left."""
    for mark in marks:
        n = remove_marked(near, n, mark)
    return n


def has_left(g: BattleCore, character: int) -> None:
    """A character who charges out of a unit has moved out of it or is destroyed: the unit closes up. Does nothing for
    others.
    """
    u, host = g.units, g.units.out_of[character]
    if host < 0:
        return
    u.out_of[character], u.beside[character], g.models.post[u.first[character]] = -1, IN_RANKS, -1
    u.files[host] = min(u.files[host], front_now(g, host))
    derive(g, host)
    derive(g, character)


def part(g: BattleCore, unit: int) -> None:
    """A unit flees or is destroyed: end all charges out of it, and its own out of another unit."""
    has_left(g, unit)
    for character, host in enumerate(g.units.out_of.tolist()):
        if host == unit:
            has_left(g, character)
