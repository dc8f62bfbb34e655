"""A Panic test that a unit takes at once, by any rule (wap.panic.test, .once-per-phase)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.morale.army_leaders import holds_ground
from wh_env.rulesets.wap.morale.leadership import psychology_test
from wh_env.rulesets.wap.morale.panic_causes import may_panic

HOLD_YOUR_GROUND = "wap.general.bsb.hold-your-ground"


def takes_fright(g: BattleCore, unit: int, rule: str, modifier: int = 0) -> bool:
    """Take a Panic test by ``rule``; returns whether the unit fails it. A unit that may not panic does not test. The
    unit takes no other Panic test in this phase (wap.panic.once-per-phase). ``modifier``: of its Leadership
    (wap.special.flaming-attacks.panic).
    """
    if not may_panic(g, unit):
        return False
    g.units.steeled[unit] = 1
    return not psychology_test(g, unit, rule, modifier, again=HOLD_YOUR_GROUND if holds_ground(g, unit) else "")
