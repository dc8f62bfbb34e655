"""Light troops (skirmishers, fast cavalry, flyers) and what they may do (wap.special.skirmishers.*, .fast-cavalry.*,
.fly.skirmish).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import any_joined, every_unit, has
from wh_env.rulesets.wap.codes import TROOP_TYPES
from wh_env.rulesets.wap.rule_book import FAST_CAVALRY, SKIRMISHERS, VANGUARD
from wh_env.rulesets.wap.special.flying import is_flyer
from wh_env.rulesets.wap.weapons.saves import armour_save

ON_FOOT = (TROOP_TYPES.index("infantry"), TROOP_TYPES.index("monstrous infantry"))
# the best armour save that fast cavalry may have, and flyers that move before the battle
# (wap.special.fast-cavalry.armour-limit, wap.special.fly.skirmish)
LIGHT_SAVE = 4
LIGHT_FLYER = 2  # the highest Unit Strength of a model of such flyers

QUICK = frozenset((VANGUARD, FAST_CAVALRY, SKIRMISHERS))  # rules by which units move before the battle

# column ``units.feigned``: the unit feigns no flight; it does; it has shot and is about to flee
NO_FEINT, FEIGNS, FIRED = range(3)


def is_lightly_armoured(g: BattleCore, unit: int) -> bool:
    """Whether no part of the unit has a better armour save in close combat than light troops may have."""
    return every_unit(g, unit, lambda g, row: armour_save(g, row) >= LIGHT_SAVE)


def is_fast_cavalry(g: BattleCore, unit: int) -> bool:
    """Whether the unit can use the rules of fast cavalry (wap.special.fast-cavalry.armour-limit)."""
    return has(g, unit, FAST_CAVALRY) and is_lightly_armoured(g, unit)


def is_skirmishing(g: BattleCore, unit: int) -> bool:
    """Whether the unit has Skirmishers; flyers can have it too (wap.special.fly.skirmish)."""
    return has(g, unit, SKIRMISHERS)


def is_loose(g: BattleCore, unit: int) -> bool:
    """Whether the unit may make free reforms, and shoot after a march (wap.special.skirmishers.reform,
    .march-and-shoot, wap.special.fast-cavalry.reform, .march-and-shoot).
    """
    return is_skirmishing(g, unit) or is_fast_cavalry(g, unit)


def free_reform_of(g: BattleCore, unit: int) -> str:
    """The rule by which the unit makes free reforms; empty: none."""
    if is_skirmishing(g, unit):
        return "wap.special.skirmishers.reform"
    return "wap.special.fast-cavalry.reform" if is_fast_cavalry(g, unit) else ""


def feint_of(g: BattleCore, unit: int) -> str:
    """The rule by which the unit can feign flight; empty: none. Skirmishers that fly do not have it
    (wap.special.fly.skirmish).
    """
    if is_fast_cavalry(g, unit):
        return "wap.special.fast-cavalry.feigned-flight"
    if is_skirmishing(g, unit) and not is_flyer(g, unit):
        return "wap.special.skirmishers.feigned-flight"
    return ""


def bars_vanguard(g: BattleCore, character: int) -> bool:
    """Whether a character keeps his unit from moving before the battle: he is mounted and has no Vanguard
    (wap.special.vanguard.character).
    """
    return g.units.kind[character] not in ON_FOOT and not has(g, character, VANGUARD)


def has_vanguard(g: BattleCore, unit: int) -> bool:
    """Whether the unit may move before the battle: by Vanguard, as fast cavalry, or as skirmishers
    (wap.special.fast-cavalry.vanguard, wap.special.skirmishers.vanguard). A character in a unit of other troops can bar
    it (``bars_vanguard``). Flyers may not as skirmishers alone, nor if they are too big or too well armoured
    (wap.special.fly.skirmish).
    """
    if QUICK.isdisjoint(g.setup.statics["abilities"][unit]):  # no unit gains any of these in a battle
        return False
    scouting, fast, loose = has(g, unit, VANGUARD), is_fast_cavalry(g, unit), is_skirmishing(g, unit)
    if not (scouting or fast or loose):
        return False
    # characters in light troops count as light troops
    if not fast and not loose and any_joined(g, unit, bars_vanguard):
        return False
    if is_flyer(g, unit):
        return (scouting or fast) and g.units.each[unit] <= LIGHT_FLYER and is_lightly_armoured(g, unit)
    return True
