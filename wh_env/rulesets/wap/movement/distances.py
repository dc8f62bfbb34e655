"""How far units go in normal moves and marches, on foot, in flight and before the battle (wap.move.summary,
.manoeuvre.cap).
"""

from __future__ import annotations

from math import inf

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import movement_of
from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.special.flying import flight_of
from wh_env.rulesets.wap.ways.survey import DEPLOYMENT, before_battle

MARCH = 2  # a march is so many times the Movement (wap.move.march.double)
FARTHEST = 2.0  # the cap on how far a model goes in a manoeuvre, in times its Movement (wap.move.manoeuvre.cap)
MOUNTED = (TROOP_TYPES.index("cavalry"), TROOP_TYPES.index("monstrous cavalry"))
VANGUARD = (6.0, 12.0)  # inches of a vanguard move: of units that are no cavalry, of cavalry


def normal(movement: float) -> float:
    """Inches of a normal move: the Movement."""
    return movement


def march(movement: float) -> float:
    """Inches of a march: twice the Movement."""
    return MARCH * movement


def move_of(g: BattleCore, unit: int, aloft: bool = False) -> float:
    """Inches of the unit's normal move: its Movement, or the distance that it flies if ``aloft``; before the battle,
    those of a vanguard move (wap.special.vanguard.move).
    """
    if g.clock.phase[0] == DEPLOYMENT and before_battle(g, unit):
        return VANGUARD[g.units.kind[unit] in MOUNTED]
    if aloft:
        return float(wings_by_magic(g, unit)) or flight_of(g, unit)
    return movement_of(g, unit)


def wings_by_magic(g: BattleCore, unit: int) -> int:
    """Inches that a spell lets a unit fly now, and make no other move; 0: none does."""
    return g.wizards.wings[unit] if g.setup.statics["spells"] else 0


def farthest_of(g: BattleCore, unit: int, aloft: bool) -> float:
    """The cap in inches on how far a model of the unit goes in its move and its free reforms together
    (wap.move.manoeuvre.cap).
    """
    return FARTHEST * (flight_of(g, unit) if aloft else movement_of(g, unit))


def left_after_reform(g: BattleCore, unit: int, aloft: bool) -> float:
    """Inches of that cap that are left after a free reform; ``inf``: the unit has made none that moved a model."""
    strayed: float = g.units.strayed[unit]
    return max(0.0, farthest_of(g, unit, aloft) - strayed) if strayed > 0.0 else inf
