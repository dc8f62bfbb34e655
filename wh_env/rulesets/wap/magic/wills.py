"""A wizard tests his will before he rolls the dice for a spell (wap.lore.light.attribute)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.wap.morale.leadership import leadership_test

TEST_IT = 0  # the option


class WillTest(Procedure):
    """A unit that casts a spell may take a Leadership test."""

    UNIT = integer(row_of("units"))
    asks = ("test-will",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + WillTest.UNIT]
        return g.ask(TestWill, g.units.owner[unit], unit)


class TestWill(DecisionKind):
    name = "test-will"
    what = "Whether a wizard tests his own Leadership: +1 to the casting roll if he passes, else -1; done: he does not."
    policy = "He does not."
    keys = ("wap.lore.light.attribute",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option + TEST_IT] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + WillTest.UNIT]
        g.pop()
        if action:
            passed = leadership_test(g, unit, "wap.lore.light.attribute", unmodified=True)
            g.wizards.will[unit] = 1 if passed else -1

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "test his will" if action else "trust the dice"
