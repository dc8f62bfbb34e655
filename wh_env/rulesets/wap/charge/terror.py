"""Terror when charges are declared: on those who are afraid of the charger, by those who are afraid of the target
(wap.special.terror.charged, .charging).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.morale.leadership import psychology_test
from wh_env.rulesets.wap.panic.fright import takes_fright
from wh_env.rulesets.wap.rule_book import TERROR
from wh_env.rulesets.wap.special.psychology import causes_terror, immune_to

CHARGED, CHARGING = "wap.special.terror.charged", "wap.special.terror.charging"


def is_afraid_of(g: BattleCore, unit: int, other: int) -> bool:
    """Whether a unit has to test for the terror that another one causes (wap.special.terror.treated-as-fear)."""
    return causes_terror(g, other) and not immune_to(g, unit, TERROR)


def dares_to_charge(g: BattleCore, unit: int, target: int) -> bool:
    """Whether a unit may declare its charge on an enemy: without a test, or after one that it passes."""
    return not is_afraid_of(g, unit, target) or psychology_test(g, unit, CHARGING)


def stands_firm(g: BattleCore, unit: int, charger: int) -> bool:
    """Whether a charged unit may choose how it reacts: without a test, or after a Panic test that it passes; like
    others it takes that once a phase at most, and not while it is engaged or flees (``takes_fright``).
    """
    return not is_afraid_of(g, unit, charger) or not takes_fright(g, unit, CHARGED)
