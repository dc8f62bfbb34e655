"""The reform of a unit that has charged and destroyed a fleeing enemy (wap.charge.fleeing.reform, .no-more-move)."""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import STEP, DecisionKind
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.commands.first_failures import TestWaits, ask_again, waits
from wh_env.rulesets.wap.morale.leadership import leadership_test
from wh_env.rulesets.wap.movement.going import MoveFrame
from wh_env.rulesets.wap.movement.reform import ReformFacing, ReformFiles
from wh_env.rulesets.wap.movement.reform_choices import can_reform

LEAVES_IT, TESTS = 0, 1
RULE = "wap.charge.fleeing.reform"


class ReformAfter(MoveFrame):
    """The player may let the unit take a Leadership test; if it passes, it reforms at once. Having charged, it moves no
    more in this phase (wap.charge.fleeing.no-more-move).
    """

    asks = ("test-to-reform", "reform-files", "reform-facing")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, unit = ReformAfter.Step, g.stack[f + ReformAfter.UNIT]
        step, owner = g.stack[f + STEP], g.units.owner[unit]
        if g.units.place[unit] != ON_TABLE:
            return g.pop()
        if step == Step.HOW and can_reform(g, unit):
            return g.ask(TestToReform, owner, unit)
        if step == Step.FILES:
            return g.ask(ReformFiles, owner, unit)
        if step == Step.FACING:
            return g.ask(ReformFacing, owner, unit)
        return g.pop()


def offer_reform(g: BattleCore, unit: int, fleers: Sequence[int]) -> None:
    """Let a unit that has run down a fleeing target try to reform, if nobody of it is left. ``fleers``: the rows of the
    target and of the characters that were in it.
    """
    if g.units.place[unit] == ON_TABLE and not any(g.units.alive[row] for row in fleers):
        g.push(ReformAfter, unit)


class TestToReform(DecisionKind):
    name = "test-to-reform"
    what = "Whether a unit that has destroyed the fleeing enemy it charged takes a Leadership test to reform."
    policy = "It does."
    keys = ("wap.charge.fleeing.reform",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option + LEAVES_IT] = mask[option + TESTS] = True

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.option + TESTS

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, Step = MoveFrame.unit(g, f), MoveFrame.Step
        tests = action == g.setup.space.option + TESTS
        passes = tests and leadership_test(g, unit, RULE)
        if passes or not tests or not waits(g, unit, ReformWaits):
            MoveFrame.go_to(g, f, Step.FILES if passes else Step.OVER)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][MoveFrame.unit(g, f)]
        return f"{name} tests to reform" if action == g.setup.space.option + TESTS else f"{name} does not reform"


class ReformWaits(TestWaits):
    """A unit that may roll its test to reform again; the reform waits beneath."""

    advance = ask_again

    def follows(self, g: BattleCore, unit: int, more: Sequence[int], passed: bool) -> None:
        MoveFrame.go_to(g, g.frame, MoveFrame.Step.FILES if passed else MoveFrame.Step.OVER)
