"""Terror when charges are declared: on those who are afraid of the charger, by those who are afraid of the target (wap.special.terror.charged, .charging)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.leadership import psychology_test
from wh_env.rulesets.wap.basics.special_rules import has

CHARGED, CHARGING = "wap.special.terror.charged", "wap.special.terror.charging"


def is_afraid_of(g: BattleCore, unit: int, other: int) -> bool:
    """Whether a unit has to test for the terror that another one causes: not if it causes fear or is immune to it (wap.special.terror.treated-as-fear)."""
    return has(g, other, "Terror") and not has(g, unit, "Fear") and not has(g, unit, "Terror")


def dares_to_charge(g: BattleCore, unit: int, target: int) -> bool:
    """Whether a unit may declare its charge on an enemy: without a test, or after one that it passes."""
    return not is_afraid_of(g, unit, target) or psychology_test(g, unit, CHARGING)


def stands_firm(g: BattleCore, unit: int, charger: int) -> bool:
    """Whether a charged unit may choose how it reacts: without a test, or after a Panic test that it passes. Like other Panic tests this is taken once a
    phase at most, and not by units that are engaged or flee (wap.panic.once-per-phase, .exempt.*)."""
    u = g.units
    if u.fleeing[unit] or u.steeled[unit] or engaged(g, unit) or not is_afraid_of(g, unit, charger):
        return True
    u.steeled[unit] = 1
    return psychology_test(g, unit, CHARGED)
