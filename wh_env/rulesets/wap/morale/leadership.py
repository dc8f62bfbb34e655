"""The Leadership test, which panic, breaking, rallying, restraint and all others use (wap.core.ldtest.*).

A special rule that changes a unit's roll or the value it tests on has a handler at ``ON_LEADERSHIP_TEST``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.auras import change_near, has_auras
from wh_env.rulesets.wap.basics.changed_units import has_failed, shares_leadership
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.effects import acting_on, effect_of, effects_of
from wh_env.rulesets.wap.basics.ground import is_mostly_in, with_trait
from wh_env.rulesets.wap.basics.profiles import lines_there, wholly
from wh_env.rulesets.wap.basics.special_rules import handlers_at, models_have
from wh_env.rulesets.wap.codes import BEASTS, MOUNTS
from wh_env.rulesets.wap.morale.army_leaders import presence
from wh_env.rulesets.wap.rule_book import HIDDEN, PSYCHOLOGY, Point
from wh_env.rulesets.wap.special.psychology import immune_to
from wh_env.rulesets.wap.tables import MOST

FACES = 6
# profiles whose Leadership is not used (wap.troop.monster.leadership, wap.troop.chariot.attacked)
LED = (MOUNTS, BEASTS)


def leadership_of(g: BattleCore, unit: int) -> int:
    """The highest Leadership in the unit, characters included, mounts not (wap.core.ldtest.highest,
    wap.character.leadership.best). Ground near the unit may change it, and so may auras of friends
    (wap.terrain.monument.charnel-pit).
    """
    lines = [line for row in who_lead(g, unit) for line in lines_there(g, row) if g.lines.kind[line] not in LED]
    best: int = max((g.lines.ld[line] for line in lines), default=0)
    if best and (with_trait(g, "daunts") or has_auras(g)):
        best = max(0, best - daunted(g, unit) + change_near(g, unit, "ld"))
    return best


def who_lead(g: BattleCore, unit: int) -> list[int]:
    """Rows of the unit and of the characters in it whose Leadership counts. Hidden characters are left out
    (wap.special.hidden.general), and those who have refused a challenge in this turn (wap.challenge.refuse.leadership);
    if there are others, those too whose Leadership nobody else may use (wap.item.enchanted.terrifying-mask).
    """
    rows = [
        row for row in wholly(g, unit) if row == unit or not (models_have(g, row, HIDDEN) or g.units.disgraced[row])
    ]
    if len(rows) == 1:  # as a rule
        return rows
    return [row for row in rows if g.units.alive[row] and shares_leadership(g, row)] or rows


def daunted(g: BattleCore, unit: int) -> int:
    """What the ground takes off a unit's Leadership if most of its models are in it; nothing if it is immune to
    Psychology (wap.terrain.forest.haunted).
    """
    found = sum(item.traits.daunts for item in with_trait(g, "daunts") if is_mostly_in(g, unit, item))
    return 0 if is_unmoved(g, unit) else found


def is_unmoved(g: BattleCore, unit: int) -> bool:
    """Whether the unit is immune to Psychology, so that it passes such tests without dice. Special rules take
    precedence over basic ones (wap.core.ldtest.psychology, wap.core.precedence.special,
    wap.special.immunity.psychology).
    """
    return immune_to(g, unit, PSYCHOLOGY)


class LeadershipTest(NamedTuple):
    """A Leadership test of a unit.

    Attributes:
        rule: the rule that calls for the test.
        modifier: added to the Leadership.
        unmodified: whether the modifier is ignored (wap.core.ldtest.unmodified).
        halved: whether the unit tests on half the resulting value, rounded up.
        steadfast: whether it is the Break test of a steadfast unit.
        again: the rule that lets the unit re-roll a failed test; the second result stands. Empty: none.
        dice: the number of D6 rolled.
        counted: how many of the lowest dice are added.
    """

    rule: str
    modifier: int = 0
    unmodified: bool = False
    halved: bool = False
    steadfast: bool = False
    again: str = ""
    dice: int = 2
    counted: int = 2

    def roll(self, g: BattleCore) -> int:
        """Roll the dice and return their counted sum (wap.core.ldtest.roll)."""
        if self.dice == self.counted:
            return g.roll(self.dice)
        return sum(sorted(g.d6() for _ in range(self.dice))[: self.counted])

    @property
    def chances(self) -> tuple[float, ...]:
        """The chance that one roll is at most n, for n = 0 .. the highest result. A test on less than 0 fails like one
        on 0 (wap.core.ldtest.zero).
        """
        return chances(self.dice, self.counted)


# handlers of special rules that change a unit's test: called with the battle, the unit and the test, they return the
# test to be taken
ON_LEADERSHIP_TEST: Point[Callable[[BattleCore, int, LeadershipTest], LeadershipTest]] = Point("Leadership test")


@cache
def chances(dice: int, counted: int) -> tuple[float, ...]:
    """The chance that the sum of the lowest ``counted`` of ``dice`` D6 is at most n, for n = 0 .. 6 * ``counted``."""
    scores = [sum(sorted(faces)[:counted]) for faces in product(range(1, FACES + 1), repeat=dice)]
    return tuple(sum(score <= n for score in scores) / len(scores) for n in range(FACES * counted + 1))


def as_taken(g: BattleCore, unit: int, test: LeadershipTest) -> LeadershipTest:
    """The test after the special rules of the unit have changed it."""
    for handler in handlers_at(g, ON_LEADERSHIP_TEST):
        if has(g, unit, handler.rule):
            test = handler.act(g, unit, test)
    return test


def value_of(g: BattleCore, unit: int, test: LeadershipTest) -> int:
    """The value that a unit tests on: its Leadership, or the General's if that is higher, plus the modifier; half of
    that, rounded up, if the test is halved (wap.general.inspiring-presence, .modifiers).

    An unmodified test uses the unit's own Leadership alone. A steadfast unit tests on its own without the modifier, or
    on the General's with it if that is higher (wap.general.steadfast).
    """
    own, lent = leadership_of(g, unit), 0 if test.unmodified else presence(g, unit)
    if test.unmodified:
        value = own
    elif test.steadfast:
        value = max(own, lent + test.modifier)
    else:
        best = max(own, lent)
        value = max(best, min(MOST, best + test.modifier)) if test.modifier > 0 else best + test.modifier
    return -(-value // 2) if test.halved else value


def passes_all_tests(g: BattleCore, unit: int) -> bool:
    """Whether an effect lets a unit pass all Leadership tests without dice (wap.lore.light.light-of-battle)."""
    return bool(effects_of(g)) and any(effect_of(g, k).passes_tests for k in acting_on(g, unit))


def leadership_value(
    g: BattleCore,
    unit: int,
    modifier: int = 0,
    *,
    unmodified: bool = False,
    halved: bool = False,
    steadfast: bool = False,
) -> int:
    """The value that a unit would test on, without a rule that calls for the test. Arguments as for
    ``LeadershipTest``.
    """
    test = LeadershipTest("", modifier, unmodified, halved, steadfast)
    return value_of(g, unit, as_taken(g, unit, test))


def leadership_test(
    g: BattleCore,
    unit: int,
    rule: str,
    modifier: int = 0,
    *,
    unmodified: bool = False,
    halved: bool = False,
    steadfast: bool = False,
    again: str = "",
) -> bool:
    """Roll a Leadership test and return whether the unit passes: 2D6 of at most its Leadership, unless its rules say
    other dice (wap.core.ldtest.roll). A test on 0 or less fails without dice (wap.core.ldtest.zero). Arguments as for
    ``LeadershipTest``.
    """
    if passes_all_tests(g, unit):
        g.note("wap.lore.light.light-of-battle", "passes of itself", unit=unit)
        return True
    test = as_taken(g, unit, LeadershipTest(rule, modifier, unmodified, halved, steadfast, again))
    value = value_of(g, unit, test)
    roll = test.roll(g) if value > 0 else 0
    passed = value > 0 and roll <= value
    g.note(rule, "leadership test", unit=unit, roll=roll, leadership=value, passed=passed)
    if test.again and value > 0 and not passed:
        has_failed(g, unit)
        passed = roll_again(g, unit, value, test.again)
    return bool(passed)


def roll_again(g: BattleCore, unit: int, value: int, rule: str) -> bool:
    """Re-roll a failed test on ``value``, and return whether the unit passes. The second result stands
    (wap.core.reroll.second-stands, .whole-roll). ``rule``: the rule that allows it.
    """
    if passes_all_tests(g, unit):
        return True
    roll = as_taken(g, unit, LeadershipTest(rule)).roll(g)
    passed = roll <= value
    g.note(rule, "rolls again", unit=unit, roll=roll, leadership=value, passed=passed)
    if not passed:
        has_failed(g, unit)
    return passed


def psychology_test(g: BattleCore, unit: int, rule: str, modifier: int = 0, *, again: str = "") -> bool:
    """``leadership_test`` for a Psychology test, which units that are immune to Psychology pass without dice
    (wap.core.ldtest.psychology).
    """
    return is_unmoved(g, unit) or leadership_test(g, unit, rule, modifier, again=again)
