"""The first Leadership test that a unit fails, which its banner lets it roll again: its player is asked, and what
follows from the test waits for the answer (wap.item.banner.gleaming-pennant).

    class PanicWaits(TestWaits):
        advance = ask_again

        def follows(self, g, unit, more, passed):
            ...

    if not leadership_test(g, unit, rule) and not waits(g, unit, PanicWaits, more):
        ...

``waits`` says whether the player is asked; then ``follows`` does what the caller would have done. Tests of
``follow_me`` need nothing of this, nor do break tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, row_of
from wh_env.core.procedures import DecisionKind, Procedure, above, integer
from wh_env.rulesets.wap.basics.changed_units import has_failed, may_roll_again
from wh_env.rulesets.wap.basics.unit_changes import LEADERSHIP
from wh_env.rulesets.wap.morale.leadership import leadership_value, roll_again


class TestWaits(Procedure):
    """A unit has failed its first Leadership test. Derived classes may keep further integers in their frames."""

    __test__ = False

    UNIT = integer(row_of("units"))
    VALUE = integer(amount())  # the value that it tests on
    asks = ("first-failed",)

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        """What follows from the test. ``more``: the further integers of the frame, which is gone."""
        raise NotImplementedError


def ask_again(_: TestWaits, g: BattleCore, f: int) -> int:
    """The ``advance`` of the procedures derived from ``TestWaits``: the player is asked."""
    unit = g.stack[f + TestWaits.UNIT]
    return g.ask(RollFirstFailed, g.units.owner[unit], unit)


def waits(g: BattleCore, unit: int, kind: type[TestWaits], *more: int, modifier: int = 0, **how: Any) -> bool:
    """Whether the player of a unit that has just failed a Leadership test is asked whether it is rolled again.
    ``modifier``, ``how``: of the test, as for ``morale.leadership.leadership_value``.
    """
    if not may_roll_again(g, unit, LEADERSHIP):
        return False
    value = leadership_value(g, unit, modifier, **how)
    if value > 0:  # else no dice were rolled
        g.push(kind, unit, value, *more)
    return value > 0


class RollFirstFailed(DecisionKind):
    name = "first-failed"
    what = "Whether the first failed Leadership test of a unit is rolled again, both dice; done: it stays failed."
    policy = "It is rolled again."
    keys = ("wap.item.banner.gleaming-pennant",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        procedure = g.setup.ruleset.procedures[g.stack[f]]
        unit, value, *more = g.stack[f + TestWaits.UNIT : above(f)].tolist()
        rule = may_roll_again(g, unit, LEADERSHIP)
        g.pop()
        has_failed(g, unit, uses=action > 0)
        passed = action > 0 and roll_again(g, unit, value, rule)
        procedure.follows(g, unit, more, passed)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][g.stack[f + TestWaits.UNIT]]
        return f"{name} tests again" if action else f"{name} leaves it at that"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option)
