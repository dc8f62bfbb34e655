"""Leadership and Psychology tests (wap.core.ldtest.*): the one test that panic, breaking, rallying, restraint and all
others take.

A special rule that changes what a unit rolls, or what it tests on, has a handler at ``ON_LEADERSHIP_TEST``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import has
from wh_env.rulesets.wap.basics.profiles import lines_there, wholly
from wh_env.rulesets.wap.basics.special_rules import handlers_at, models_have
from wh_env.rulesets.wap.codes import BEASTS, MOUNTS
from wh_env.rulesets.wap.morale.army_leaders import presence
from wh_env.rulesets.wap.rule_book import HIDDEN, PSYCHOLOGY, Point
from wh_env.rulesets.wap.special.psychology import immune_to

FACES = 6
LED = (MOUNTS, BEASTS)  # whose Leadership is never used (wap.troop.monster.leadership, wap.troop.chariot.attacked)


def leadership_of(g: BattleCore, unit: int) -> int:
    """The highest Leadership in the unit and of the characters in it, mounts aside (wap.core.ldtest.highest,
    wap.character.leadership.best); not of those who hide or have hidden among them (wap.special.hidden.general), nor of
    who has refused a challenge in this turn (wap.challenge.refuse.leadership).
    """
    rows = [
        row for row in wholly(g, unit) if row == unit or not (models_have(g, row, HIDDEN) or g.units.disgraced[row])
    ]
    lines = [line for row in rows for line in lines_there(g, row) if g.lines.kind[line] not in LED]
    return max((g.lines.ld[line] for line in lines), default=0)


def is_unmoved(g: BattleCore, unit: int) -> bool:
    """Whether the unit is immune to Psychology, and passes such tests without dice; special rules go before basic ones
    (wap.core.ldtest.psychology, wap.core.precedence.special, wap.special.immunity.psychology)."""
    return immune_to(g, unit, PSYCHOLOGY)


class LeadershipTest(NamedTuple):
    """A Leadership test as a unit takes it.

    Attributes:
        rule: that calls for it.
        modifier: added to its Leadership; an ``unmodified`` test leaves it aside (wap.core.ldtest.unmodified).
        halved: it tests on half of what then counts, rounded up.
        steadfast: it is a break test of a steadfast unit.
        again: the rule by which a failed test is rolled again; the second result stands. Empty: none.
        dice: that are rolled. counted: so many of the lowest of them make the result.
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
        """Roll for it (wap.core.ldtest.roll)."""
        if self.dice == self.counted:
            return g.roll(self.dice)
        return sum(sorted(g.d6() for _ in range(self.dice))[: self.counted])

    @property
    def chances(self) -> tuple[float, ...]:
        """The chance of at most n with one roll, for n = 0 .. the highest result; of less than 0 the test fails as of 0
        (wap.core.ldtest.zero)."""
        return chances(self.dice, self.counted)


# what a rule of a unit makes of a test that it takes: called with the battle, the unit and the test, returns the test
# to be taken
ON_LEADERSHIP_TEST: Point[Callable[[BattleCore, int, LeadershipTest], LeadershipTest]] = Point("Leadership test")


@cache
def chances(dice: int, counted: int) -> tuple[float, ...]:
    """The chance of at most n, for n = 0 .. 6 * ``counted``, of the lowest ``counted`` of so many D6."""
    scores = [sum(sorted(faces)[:counted]) for faces in product(range(1, FACES + 1), repeat=dice)]
    return tuple(sum(score <= n for score in scores) / len(scores) for n in range(FACES * counted + 1))


def as_taken(g: BattleCore, unit: int, test: LeadershipTest) -> LeadershipTest:
    """A test as the special rules of the unit have it taken."""
    for handler in handlers_at(g, ON_LEADERSHIP_TEST):
        if has(g, unit, handler.rule):
            test = handler.act(g, unit, test)
    return test


def value_of(g: BattleCore, unit: int, test: LeadershipTest) -> int:
    """What a unit takes a test on: its Leadership, or the General's where that is higher, with the modifier, half of
    that rounded up where it is halved (wap.general.inspiring-presence, .modifiers). Of an unmodified test its own; of a
    steadfast one its own without the modifier, or the General's with it (wap.general.steadfast)."""
    own, lent = leadership_of(g, unit), 0 if test.unmodified else presence(g, unit)
    if test.unmodified:
        value = own
    elif test.steadfast:
        value = max(own, lent + test.modifier)
    else:
        value = max(own, lent) + test.modifier
    return -(-value // 2) if test.halved else value


def leadership_value(
    g: BattleCore,
    unit: int,
    modifier: int = 0,
    *,
    unmodified: bool = False,
    halved: bool = False,
    steadfast: bool = False,
) -> int:
    """``value_of`` a test of a unit that no rule calls for by its name."""
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
    """Whether the unit passes a test: 2D6 of at most its Leadership, unless its rules say other dice
    (wap.core.ldtest.roll). Arguments as for ``LeadershipTest``. Of 0 or less it fails without dice
    (wap.core.ldtest.zero)."""
    test = as_taken(g, unit, LeadershipTest(rule, modifier, unmodified, halved, steadfast, again))
    value = value_of(g, unit, test)
    roll = test.roll(g) if value > 0 else 0
    passed = value > 0 and roll <= value
    g.note(rule, "leadership test", unit=unit, roll=roll, leadership=value, passed=passed)
    if test.again and value > 0 and not passed:
        passed = roll_again(g, unit, value, test.again)
    return bool(passed)


def roll_again(g: BattleCore, unit: int, value: int, rule: str) -> bool:
    """Whether a unit that has failed a test on ``value`` passes the second roll, which a rule gives it: that one stands
    (wap.core.reroll.second-stands, .whole-roll)."""
    roll = as_taken(g, unit, LeadershipTest(rule)).roll(g)
    passed = roll <= value
    g.note(rule, "rolls again", unit=unit, roll=roll, leadership=value, passed=passed)
    return passed


def psychology_test(g: BattleCore, unit: int, rule: str, modifier: int = 0, *, again: str = "") -> bool:
    """The same for a Psychology test, which units that are immune to Psychology do not take
    (wap.core.ldtest.psychology).
    """
    return is_unmoved(g, unit) or leadership_test(g, unit, rule, modifier, again=again)
