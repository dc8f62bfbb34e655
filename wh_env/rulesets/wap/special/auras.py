"""Whom a special rule reaches that helps everybody of a kind near its bearer (wap.special.general.same-army)."""

from __future__ import annotations

from collections.abc import Callable

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance


def reached(g: BattleCore, bearer: int, far: float, holds: Callable[[int], bool]) -> list[int]:
    """The units of the bearer's own army within so many inches of it for which ``holds``, itself with them: no enemies, no allies, whatever their book."""
    u = g.units
    return [
        unit
        for unit in g.units_of(u.owner[bearer])
        if u.place[unit] == u.place[bearer] == ON_TABLE
        and u.contingent[unit] == u.contingent[bearer]
        and holds(unit)
        and distance(g, bearer, unit) <= far + EPS
    ]
