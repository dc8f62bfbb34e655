"""Leadership tests that a command model lets its unit roll again, with one procedure and one decision for all of them.

    class Redirect(Procedure):
        TESTED = integer(between(UNTESTED, FAILED))     # in the frame of the procedure that has the test taken

        def advance(self, g, f):
            ...
            if g.stack[f + Redirect.TESTED] == UNTESTED:
                take_test(g, unit, REDIRECT, Redirect.TESTED, "wap.charge.redirect")
                return GO
            passed = g.stack[f + Redirect.TESTED] == PASSED

``take_test`` rolls at once and writes the result to the top frame, at the offset named. If the unit may roll again, it
also pushes ``TestAgain``; the frame goes on after the player's answer (at the squad detail it always rolls again).
``take_test`` may also be called while a decision is answered. ``CHAMPION`` tests are those of
wap.command.champion.follow-me.*, the rally test is the musician's (wap.command.musician.rally).
"""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, row_of
from wh_env.core.procedures import FRAME_SIZE, DecisionKind, Procedure, beneath, integer
from wh_env.rulesets.wap.basics.changed_units import has_failed, may_roll_again
from wh_env.rulesets.wap.basics.unit_changes import LEADERSHIP
from wh_env.rulesets.wap.codes import CHAMPION, MUSICIAN
from wh_env.rulesets.wap.commands.roles import leads
from wh_env.rulesets.wap.morale.leadership import leadership_test, leadership_value, roll_again
from wh_env.rulesets.wap.special.light_troops import feint_of

# the values that ``take_test`` writes
UNTESTED, PASSED, FAILED = range(3)


class Again(NamedTuple):
    """A test that may be rolled again: the rule that allows it, and the role of the command model needed."""

    rule: str
    role: int


# the tests, in the order of the numbers by which they are called
MARCH, REDIRECT, COMBAT_REFORM, RESTRAIN, RALLY, LEAVE = range(6)
NO_MODEL = -1  # no command model lets the unit roll again; its banner may
TESTS = (
    Again("wap.command.champion.follow-me.march", CHAMPION),
    Again("wap.command.champion.follow-me.redirect", CHAMPION),
    Again("wap.command.champion.follow-me.combat-reform", CHAMPION),
    Again("wap.command.champion.follow-me.restrain", CHAMPION),
    Again("wap.command.musician.rally", MUSICIAN),
    Again("wap.building.arcane.brewery.dwarfs", NO_MODEL),
)


def take_test(
    g: BattleCore,
    unit: int,
    test: int,
    into: int,
    rule: str,
    modifier: int = 0,
    *,
    unmodified: bool = False,
    halved: bool = False,
) -> None:
    """Take a Leadership test that may be rolled again, and leave ``PASSED`` or ``FAILED`` in the frame on top.

    Args:
        test: which one (``MARCH`` ... ``RALLY``).
        into: offset of the result in that frame.
        rule, modifier, unmodified, halved: as for ``morale.leadership.leadership_test``.
    """
    passed = leadership_test(g, unit, rule, modifier, unmodified=unmodified, halved=halved)
    g.stack[g.frame + into] = PASSED if passed else FAILED
    value = leadership_value(g, unit, modifier, unmodified=unmodified, halved=halved)
    again = leads(g, unit, TESTS[test].role) or (test == RALLY and g.units.feigned[unit])
    if not passed and value > 0 and (again or may_roll_again(g, unit, LEADERSHIP)):
        g.push(TestAgain, unit, test, value, into)


class TestAgain(Procedure):
    """A unit has failed a test that it may roll again. The result is written to the frame beneath."""

    __test__ = False

    UNIT = integer(row_of("units"))
    TEST = integer(between(0, len(TESTS) - 1))
    VALUE = integer(amount())  # the value that it tests on
    INTO = integer(between(0, FRAME_SIZE - 1))
    asks = ("reroll",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + TestAgain.UNIT]
        return g.ask(Reroll, g.units.owner[unit], unit)

    @staticmethod
    def again(g: BattleCore, f: int) -> None:
        """Roll once more: the second result stands (wap.core.reroll.second-stands)."""
        stack = g.stack
        unit, value, test = stack[f + TestAgain.UNIT], stack[f + TestAgain.VALUE], stack[f + TestAgain.TEST]
        feigned = test == RALLY and g.units.feigned[unit]
        rule = (feint_of(g, unit) if feigned else "") or TESTS[test].rule
        banner = "" if feigned or leads(g, unit, TESTS[test].role) else may_roll_again(g, unit, LEADERSHIP)
        rule = banner or rule
        has_failed(g, unit, uses=bool(banner))
        passed = roll_again(g, unit, value, rule)
        stack[beneath(f) + stack[f + TestAgain.INTO]] = PASSED if passed else FAILED


class Reroll(DecisionKind):
    name = "reroll"
    what = "Whether a failed test is rolled again, both dice; done: it stays failed."
    policy = "It is rolled again."
    keys = (
        *(test.rule for test in TESTS if test.role != NO_MODEL),
        "wap.special.fast-cavalry.feigned-flight",
        "wap.special.skirmishers.feigned-flight",
        "wap.item.banner.gleaming-pennant",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            TestAgain.again(g, f)
        else:
            has_failed(g, g.stack[f + TestAgain.UNIT])
        g.pop()

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.stack[f + TestAgain.UNIT]]
        return f"{name} tests again" if action else f"{name} leaves it at that"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option)
