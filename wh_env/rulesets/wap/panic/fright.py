"""A Panic test that a unit takes at once, by any rule (wap.panic.test, .once-per-phase). The crew of a war machine that
fails it hide, and do not flee (wap.machine.panic).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.codes import Phase
from wh_env.rulesets.wap.morale.army_leaders import holds_ground
from wh_env.rulesets.wap.morale.leadership import psychology_test
from wh_env.rulesets.wap.morale.panic_causes import may_panic
from wh_env.rulesets.wap.troops.war_machines import is_machine

HOLD_YOUR_GROUND = "wap.general.bsb.hold-your-ground"


def takes_fright(g: BattleCore, unit: int, rule: str, modifier: int = 0) -> bool:
    """Take a Panic test by ``rule``; returns whether the unit fails it and has to flee. A unit that may not panic does
    not test. The unit takes no other Panic test in this phase (wap.panic.once-per-phase). ``modifier``: of its
    Leadership (wap.special.flaming-attacks.panic).
    """
    if not may_panic(g, unit):
        return False
    g.units.steeled[unit] = 1
    if psychology_test(g, unit, rule, modifier, again=HOLD_YOUR_GROUND if holds_ground(g, unit) else ""):
        return False
    if is_machine(g, unit):
        duck(g, unit)
        return False
    return True


def duck(g: BattleCore, unit: int) -> None:
    """The crew of a war machine hide under it: it does not fire in its player's next Shooting phase, which is not the
    present one (wap.machine.panic).
    """
    now = g.clock.phase[0] == Phase.SHOOTING and g.clock.turn[0] == g.units.owner[unit]
    g.units.ducks[unit] = 2 if now else 1
    g.note("wap.machine.panic", "its crew hide", unit=unit)
