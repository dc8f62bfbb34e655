"""Tests on a characteristic other than Leadership (wap.core.chartest.*), of one model or of a unit."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.profiles import RIDDEN, characteristic, lines_of, lines_there, wholly

LEADERSHIP = "ld"  # tested with two dice (``morale.leadership``)
LOWEST, HIGHEST = 1, 6  # natural scores that always pass and always fail


def best_of_model(g: BattleCore, line: int, name: str) -> int:
    """The highest value of a characteristic of the model whose own profile is ``line``: of rider and mount, of crew and
    beasts (wap.core.chartest.multiple-values).
    """
    besides = [row for row in lines_of(g, g.lines.unit[line]) if g.lines.kind[row] in RIDDEN]
    return max(characteristic(g, row, name) for row in (line, *besides))


def best_of_unit(g: BattleCore, unit: int, name: str) -> int:
    """The highest value of a characteristic in a unit, joined characters included; a pack master's counts only once all
    his beasts are dead (wap.core.chartest.unit, wap.special.mixed-unit.characteristics).
    """
    rows = [row for row in wholly(g, unit) if not g.units.drives[row]] if g.units.alive[unit] else [unit]
    return max((characteristic(g, line, name) for row in rows for line in lines_there(g, row)), default=0)


def characteristic_test(g: BattleCore, line: int, name: str, rule: str, modifier: int = 0) -> bool:
    """Whether the model whose own profile is ``line`` passes a test on its highest value of the characteristic, without
    the bonuses of weapons (wap.profile.modified, .weapons-exempt, wap.core.chartest.each-model).

    Raises:
        ValueError: ``name`` is that of Leadership (wap.core.chartest.scope).
    """
    check_name("characteristic_test", name)
    return is_passed(g, g.lines.unit[line], best_of_model(g, line, name), rule, modifier)


def unit_characteristic_test(g: BattleCore, unit: int, name: str, rule: str, modifier: int = 0) -> bool:
    """Whether a unit passes one test together, on the best value in it (wap.core.chartest.unit).

    Raises:
        ValueError: ``name`` is that of Leadership (wap.core.chartest.scope).
    """
    check_name("unit_characteristic_test", name)
    return is_passed(g, unit, best_of_unit(g, unit, name), rule, modifier)


def is_passed(g: BattleCore, unit: int, value: int, rule: str, modifier: int) -> bool:
    """Whether a D6 plus ``modifier`` shows at most ``value``; with a value of 0 the test fails and no die is rolled."""
    if value <= 0:
        return False
    die = g.d6()
    passed = die == LOWEST or (die != HIGHEST and die + modifier <= value)
    g.note(rule, "characteristic test", unit=unit, die=die, passed=passed)
    return bool(passed)


def check_name(caller: str, name: str) -> None:
    """Check that a test is not on Leadership.

    Raises:
        ValueError: it is.
    """
    if name == LEADERSHIP:
        raise ValueError(f"{caller}: {name!r}; expected a characteristic other than Leadership")
