"""Break points: which formations are broken, must test, may rally (epic.break.*, epic.rally.attempt)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.epic.codes import RALLIED, TESTED


def break_point(units: int) -> int:
    """Losses at which a formation of ``units`` units breaks: half of them, rounded up (epic.break.point)."""
    return (units + 1) // 2


def is_broken(g: BattleCore, unit: int) -> bool:
    """Whether the formation has reached its break point."""
    u = g.units
    return u.strength[unit] - u.alive[unit] >= break_point(u.strength[unit])


def must_test(g: BattleCore, unit: int) -> bool:
    """Whether the formation has yet to take a break test: it has reached its break point and lost a unit this turn
    (epic.break.test).
    """
    u = g.units
    return bool(u.place[unit] == ON_TABLE and u.lost[unit] and not u.selected[unit] & TESTED and is_broken(g, unit))


def may_rally(g: BattleCore, unit: int) -> bool:
    """Whether the formation may try to rally: it is in retreat, and took no break test and tried no rally in this phase
    (epic.rally.attempt).
    """
    u = g.units
    return bool(u.place[unit] == ON_TABLE and u.retreating[unit] and not u.selected[unit] & (TESTED | RALLIED))
