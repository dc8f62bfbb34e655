"""How far units go in normal moves and marches, on foot, through the air and before the battle (wap.move.summary,
.manoeuvre.cap).
"""

from __future__ import annotations

from math import inf

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.special.flying import flight_of
from wh_env.rulesets.wap.ways.survey import DEPLOYMENT, before_battle

MARCH = 2  # times the Movement (wap.move.march.double)
FARTHEST = 2.0  # no model goes farther in a manoeuvre than so many times its Movement (wap.move.manoeuvre.cap)
MOUNTED = (TROOP_TYPES.index("cavalry"), TROOP_TYPES.index("monstrous cavalry"))
VANGUARD = (6.0, 12.0)  # inches of a vanguard move: of others, of cavalry


def normal(movement: float) -> float:
    """A normal move: the Movement."""
    return movement


def march(movement: float) -> float:
    """A march: twice that."""
    return MARCH * movement


def move_of(g: BattleCore, unit: int, aloft: bool = False) -> float:
    """Inches of a normal move: its Movement, or how far it flies; those of a vanguard move before the battle
    (wap.special.vanguard.move).
    """
    if g.clock.phase[0] == DEPLOYMENT and before_battle(g, unit):
        return VANGUARD[g.units.kind[unit] in MOUNTED]
    return flight_of(g, unit) if aloft else movement_of(g, unit)


def farthest_of(g: BattleCore, unit: int, aloft: bool) -> float:
    """Inches that no model of a unit may go beyond in its move and its free reforms (wap.move.manoeuvre.cap)."""
    return FARTHEST * (flight_of(g, unit) if aloft else movement_of(g, unit))


def left_after_reform(g: BattleCore, unit: int, aloft: bool) -> float:
    """Inches that a free reform has left of what the unit may go: all, if it has made none."""
    strayed: float = g.units.strayed[unit]
    return max(0.0, farthest_of(g, unit, aloft) - strayed) if strayed > 0.0 else inf
