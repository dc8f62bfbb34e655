"""Tests on a characteristic other than Leadership (wap.core.chartest.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import characteristic

LOWEST, HIGHEST = 1, 6  # natural scores that always pass and always fail


def characteristic_test(g: BattleCore, line: int, name: str, rule: str, modifier: int = 0) -> bool:
    """Whether a fighting profile passes a test: a D6, with ``modifier``, of at most the characteristic as it counts now, without the
    bonuses of weapons (wap.profile.modified, .weapons-exempt). Of 0 it fails without a die."""
    value = characteristic(g, line, name)
    if value <= 0:
        return False
    die = g.d6()
    passed = die == LOWEST or (die != HIGHEST and die + modifier <= value)
    if g.recorder is not None:
        g.note(rule, "characteristic test", unit=g.lines.unit[line], die=die, passed=passed)
    return bool(passed)
