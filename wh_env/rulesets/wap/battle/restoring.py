"""Wounds' worth of models that come back to a unit (wap.terrain.monument.wyrding-well, wap.lore.life.regrowth): its
command models first, then the Wounds of models that live, then ordinary models one after the other.
"""

from __future__ import annotations

from math import isqrt

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.blocks import derive, set_block
from wh_env.rulesets.wap.basics.carried import standard_is_back
from wh_env.rulesets.wap.basics.contacts import foes_of, meet
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.reshaping import has_room_now, outline_of
from wh_env.rulesets.wap.casualties.losses import order_of_loss
from wh_env.rulesets.wap.codes import RANK_AND_FILE, STANDARD, TROOP_TYPES, WAR_MACHINE

RIDDEN = tuple(map(TROOP_TYPES.index, ("cavalry", "monstrous cavalry")))  # a Wound of a rider counts as two


def price_of(g: BattleCore, unit: int) -> int:
    """What a Wound of a model of the unit costs."""
    return 2 if g.units.kind[unit] in RIDDEN else 1


def fallen(g: BattleCore, unit: int) -> list[int]:
    """The models that a unit has lost, command models first; their order is that of the army list."""
    m, first = g.models, g.units.first[unit]
    rows = [k for k in range(first, first + g.units.count[unit]) if not m.alive[k]]
    return sorted(rows, key=lambda k: m.role[k] == RANK_AND_FILE)


def files_with(g: BattleCore, unit: int, block: int) -> int:
    """The files of a unit with so many places filled: as now, or so many more that it has no more ranks than files."""
    now: int = g.units.files[unit]
    least = isqrt(block - 1) + 1 if block > 1 else 1
    return now if -(-block // max(1, now)) <= now else max(now, least)


def heal(g: BattleCore, unit: int, wounds: int) -> int:
    """Give wounds back to living models of a unit, to none more than an unhurt one has; returns the number given."""
    m, given = g.models, 0
    for k in order_of_loss(g, unit):
        back = max(0, min(wounds - given, m.max_wounds[k] - m.wounds[k]))
        recover(g, k, back)
        given += back
    return given


def recover(g: BattleCore, model: int, wounds: int) -> None:
    """Give a living model so many Wounds back. The crew of a war machine are its Unit Strength
    (wap.troop.war-machine.unit-strength).
    """
    unit = g.models.unit[model]
    g.models.wounds[model] += wounds
    if wounds and g.units.kind[unit] == WAR_MACHINE:
        derive(g, unit)


def returns(g: BattleCore, unit: int, model: int, wounds: int) -> bool:
    """Bring a lost model back with so many Wounds. Returns whether there is room for it; else nothing changes. A unit
    that fights keeps its files and comes into contact with nobody else.
    """
    m, u, before = g.models, g.units, outline_of(g, unit)
    x, y, facing, files = u.x[unit], u.y[unit], u.facing[unit], u.files[unit]
    foes, inside = foes_of(g, unit), is_inside(g, unit)
    m.alive[model], m.wounds[model] = 1, wounds
    u.alive[unit] += 1
    set_block(g, unit, x, y, facing, files)
    wide = files if inside else files_with(g, unit, u.block[unit])
    if wide == files or not foes:
        set_block(g, unit, x, y, facing, wide)
        meet(g)
        if foes_of(g, unit) == foes and (inside or has_room_now(g, unit, before)):
            return True
    m.alive[model] = m.wounds[model] = 0
    u.alive[unit] -= 1
    set_block(g, unit, x, y, facing, files)
    meet(g)
    return False


def restore(g: BattleCore, unit: int, wounds: int, rule: str) -> int:
    """Give a unit back so many Wounds' worth of its own models, as far as it has lost them and has room; a rider counts
    as two, and a character gets none. Returns the number of models that come back.
    """
    if is_character(g, unit):
        return 0
    price, m, back = price_of(g, unit), g.models, 0
    left = wounds // price
    lost = fallen(g, unit)
    command = [k for k in lost if m.role[k] != RANK_AND_FILE]
    for group in (command, [k for k in lost if k not in command]):
        for k in group:
            given = min(left, m.max_wounds[k])
            if not given or not returns(g, unit, k, given):
                break
            left, back = left - given, back + 1
            if m.role[k] == STANDARD:
                standard_is_back(g, unit)
        if group is command:
            left -= heal(g, unit, left)
    if g.recorder is not None:
        g.note(rule, "is healed", unit=unit, amount=wounds // price - left, result=back)
    return back
