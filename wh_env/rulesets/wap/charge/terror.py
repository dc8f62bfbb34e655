"""Terror when charges are declared: charged units test, and units that would charge (wap.special.terror.charged,
.charging).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import show_givers
from wh_env.rulesets.wap.morale.leadership import psychology_test
from wh_env.rulesets.wap.panic.fright import takes_fright
from wh_env.rulesets.wap.rule_book import TERROR
from wh_env.rulesets.wap.special.psychology import causes_terror, immune_to

CHARGED, CHARGING = "wap.special.terror.charged", "wap.special.terror.charging"


def is_afraid_of(g: BattleCore, unit: int, other: int) -> bool:
    """Whether ``unit`` must test for the terror that ``other`` causes (wap.special.terror.treated-as-fear)."""
    return causes_terror(g, other) and not immune_to(g, unit, TERROR)


def dares_to_charge(g: BattleCore, unit: int, target: int) -> bool:
    """Whether a unit may declare its charge on an enemy. A unit afraid of it takes the test here."""
    if not is_afraid_of(g, unit, target):
        return True
    show_givers(g, target, TERROR)
    return psychology_test(g, unit, CHARGING)


def stands_firm(g: BattleCore, unit: int, charger: int) -> bool:
    """Whether a charged unit may choose its reaction. A unit afraid of its charger takes a Panic test here, at most
    once a phase, and not while it is engaged or flees (``takes_fright``).
    """
    if not is_afraid_of(g, unit, charger):
        return True
    show_givers(g, charger, TERROR)
    return not takes_fright(g, unit, CHARGED)
