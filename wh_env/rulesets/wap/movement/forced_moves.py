"""Moves that a unit has to make, by the usual rules of movement: by dice, or away from something
(wap.compulsory.other.*).

They stop an inch from other units. A random move that would end in an enemy is a charge (``compulsory.random_moves``).
"""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.passage import is_rooted
from wh_env.rulesets.wap.basics.special_rules import movement_dice
from wh_env.rulesets.wap.codes import CHARGED, FAILED, FLED, MOVED, RALLIED
from wh_env.rulesets.wap.ways.survey import survey
from wh_env.rulesets.wap.ways.through import farthest_end

SPENT = CHARGED | FAILED | MOVED | RALLIED | FLED


def is_compelled(g: BattleCore, unit: int) -> bool:
    """Whether a unit that does not flee must make a random move in this step."""
    u = g.units
    return (
        u.place[unit] == ON_TABLE
        and u.garrison[unit] < 0
        and not u.fleeing[unit]
        and not u.did[unit] & SPENT
        and movement_dice(g, unit) > 0
        and not engaged(g, unit)
    )


def way_along(g: BattleCore, unit: int, direction: float, far: float, aloft: bool = False) -> float:
    """Inches that the unit can go in ``direction`` (radians on the table), up to ``far``, before an obstacle stops it
    (wap.compulsory.other.rules). If ``aloft`` it flies straight ahead, and obstacles matter only where it ends. A war
    machine that was set up in ground stays where it is (wap.machine.terrain).
    """
    if is_rooted(g, unit):
        return 0.0
    u = g.units
    pose, turn = (u.x[unit], u.y[unit], u.facing[unit]), 0.0 if aloft else direction - u.facing[unit]
    way = survey(g, unit, far, aloft=aloft)
    return max(0.0, farthest_end(g, way, pose, (cos(turn), sin(turn)), far, aloft=aloft))


def go_along(g: BattleCore, unit: int, direction: float, far: float, rule: str, *, aloft: bool = False) -> float:
    """Move the unit that far in ``direction`` without turning it, and return the inches that it went. ``rule``: the
    rule named in the event.
    """
    u = g.units
    goes = way_along(g, unit, direction, far, aloft)
    x, y = u.x[unit] + goes * cos(direction), u.y[unit] + goes * sin(direction)
    set_block(g, unit, x, y, u.facing[unit], u.files[unit])
    if g.recorder is not None:
        g.note(rule, "is moved", unit=unit, far=round(goes, 2), place=(round(x, 2), round(y, 2)))
    return goes
