"""A character who has declared a charge out of his unit: he stands where he stood in it, and the unit has closed up under him until he has moved
(wap.character.leave.charge). Nobody in it is in his way, and it neither hides him nor what he sees."""

from __future__ import annotations

from collections.abc import Collection

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.codes import CHARGED, FAILED


def leaving(g: BattleCore, unit: int) -> int:
    """The unit that a character charges out of, -1: he has moved already, or charges out of none."""
    u = g.units
    host: int = u.out_of[unit]
    if host < 0 or u.place[unit] != ON_TABLE or u.place[host] != ON_TABLE:
        return -1
    if u.did[unit] & (CHARGED | FAILED) or u.fleeing[unit] or u.fleeing[host]:
        return -1
    return host


def left_by(g: BattleCore, *units: int) -> set[int]:
    """The units that some characters charge out of."""
    return {leaving(g, unit) for unit in units} - {-1}


def without(near: Array, n: int, marks: Collection[int]) -> int:
    """Take the rows of some units out of what is near; returns how many rows are left."""
    if not marks or n == 0:
        return n
    kept = [k for k, mark in enumerate(near["mark"][:n].tolist()) if mark not in marks]
    if len(kept) == n:
        return n
    near[: len(kept)] = near[kept]
    return len(kept)
