"""Morale phase: units that test and their order, the test, fleeing models (morale.*)."""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of, flag, player
from wh_env.core.procedures import GO, STEP, DecisionKind, OfPlayer, Procedure, Steps, integer
from wh_env.rulesets.w40k.attack.casualties import remove_model
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll
from wh_env.rulesets.w40k.codes import Selected
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.morale.slain import first_shaken
from wh_env.rulesets.w40k.morale.toll import passes_tests, slain_this_turn
from wh_env.rulesets.w40k.phases.timing import end_if_army_destroyed, end_phase, start_phase
from wh_env.rulesets.w40k.psychic.lasting import leadership
from wh_env.rulesets.w40k.reaction.windows import Interruptible, open_window

TESTED = int(Selected.MORALE_TEST)


class MoralePhase(OfPlayer):
    """morale.phase: units that lost models take tests, then the procedures ``after`` follow.

    ``alternate``: True: the players select a unit in turn. False: all units of the turn player test first.
    """

    class Step(Steps):
        BEGIN, TESTS, END = range(3)

    NEXT = integer(player())  # the player who selects next
    alternate: ClassVar[bool] = True
    after: ClassVar[tuple[type[Procedure], ...]] = ()
    asks = ("select-to-test",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MoralePhase.Step
        stack = g.stack
        step = stack[f + STEP]
        if step == Step.BEGIN:
            start_phase(g, self)
            stack[f + STEP] = Step.TESTS
            stack[f + MoralePhase.NEXT] = stack[f + MoralePhase.PLAYER]
            return GO
        if step == Step.TESTS:
            side = stack[f + MoralePhase.NEXT]
            for chooser in (side, 1 - side):
                if anybody_shaken(g, g.players.first_unit[chooser], g.players.units[chooser]):
                    stack[f + MoralePhase.NEXT] = chooser
                    return g.ask(SelectToTest, chooser)
            stack[f + STEP] = Step.END
            for procedure in reversed(self.after):
                g.push(procedure)
            return GO
        end_phase(g)
        return g.pop()

    def select(self, g: BattleCore, f: int, unit: int) -> None:
        """The unit takes its test."""
        if self.alternate:
            g.stack[f + MoralePhase.NEXT] = 1 - g.units.owner[unit]
        g.units.selected[unit] |= Selected.MORALE_TEST
        g.push(Morale, unit)


def anybody_shaken(g: BattleCore, first: int, count: int) -> bool:
    """Whether one of ``count`` units from row ``first`` on still has to take a Morale test (morale.who)."""
    tables = g.models.rows, g.units.rows, g.toll_array
    return bool(g.work.call(first_shaken, *tables, first, count, TESTED) >= 0)


def must_test(g: BattleCore, unit: int) -> bool:
    """Whether the unit still has to take a Morale test (morale.who)."""
    return anybody_shaken(g, unit, 1)


class SelectToTest(DecisionKind):
    name = "select-to-test"
    what = "Which own unit that lost models this turn takes its Morale test next."
    keys = ("morale.who", "morale.order")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        chooser = g.stack[f + MoralePhase.NEXT]
        at = g.setup.space.own - g.players.first_unit[chooser]
        for unit in g.units_of(chooser):
            if must_test(g, unit):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.players.first_unit[g.stack[f + MoralePhase.NEXT]] + action - g.setup.space.own
        phase: MoralePhase = g.setup.ruleset.procedures[g.stack[f]]
        phase.select(g, f, unit)


class Morale(Interruptible):
    """The Morale test of a unit and its consequences. ``MARK``: a Stratagem lets the unit pass."""

    class Step(Steps):
        BEGIN, TEST, FLEE, FOLLOW = range(4)

    MARK = integer(flag())
    FAILED = integer(flag())
    FLEEING = integer(count_of("models"))  # the number of models that still have to flee
    asks = ("fleeing-model",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = Morale.Step
        stack = g.stack
        unit, step = stack[f + Morale.UNIT], stack[f + STEP]
        if step == Step.BEGIN:
            stack[f + STEP] = Step.TEST
            open_window(g, Moment.BEFORE_MORALE_TEST, unit)
            return GO
        if step == Step.TEST:
            stack[f + STEP] = Step.FLEE
            if stack[f + Morale.MARK] or passes_tests(g, unit):  # morale.priority
                g.tell("morale.automatic", "Morale test passed without a roll", unit=unit)
            elif g.nerve.fails[unit]:
                g.tell("morale.automatic", "Morale test failed without a roll", unit=unit)
                self.fail(g, f, self.fleeing(g, unit, 0))
            else:
                g.push(MoraleTest, unit)
            return GO
        if g.units.alive[unit] > 0:
            if stack[f + Morale.FLEEING]:
                stack[f + Morale.FLEEING] -= 1
                return g.ask(FleeingModel, g.units.owner[unit], unit)
            if step == Step.FLEE and stack[f + Morale.FAILED]:
                stack[f + STEP] = Step.FOLLOW
                stack[f + Morale.FLEEING] = self.follow(g, unit)
                return GO
        g.pop()
        end_if_army_destroyed(g)
        return GO

    def resolve(self, g: BattleCore, f: int, die: int) -> None:
        """Resolve the test with the roll ``die``."""
        unit = g.stack[f + Morale.UNIT]
        passed = self.passed(g, unit, die)
        if g.recorder is not None:
            slain, needed = slain_this_turn(g, unit), leadership(g, unit)
            g.tell("morale.test", "Morale test", unit=unit, roll=die, bonus=slain, needed=needed, passed=passed)
        if not passed:
            self.fail(g, f, self.fleeing(g, unit, die))

    @staticmethod
    def fail(g: BattleCore, f: int, fleeing: int) -> None:
        """The test is failed and ``fleeing`` models flee."""
        g.stack[f + Morale.FAILED] = 1
        g.stack[f + Morale.FLEEING] = fleeing

    def passed(self, g: BattleCore, unit: int, die: int, more: int = 0) -> bool:
        """Whether the unit passes with this unmodified die after it has lost ``more`` further models (morale.test)."""
        return die + slain_this_turn(g, unit) + more <= leadership(g, unit)

    def fleeing(self, g: BattleCore, unit: int, die: int, more: int = 0) -> int:
        """The number of models that flee after a test failed with this die, 0 for no roll (morale.flee). ``more`` as in
        ``passed``.
        """
        return max(0, die + slain_this_turn(g, unit) + more - leadership(g, unit))

    def follow(self, g: BattleCore, unit: int) -> int:
        """Called after the models have fled, if some are left. Returns the number of further models that flee."""
        return 0

    def mean_follow(self, g: BattleCore, unit: int, left: int) -> float:
        """The mean of ``follow`` for a unit with ``left`` models."""
        return 0.0


class MoraleTest(DiceRoll):
    """The roll for the unit (morale.test); pushed by ``Morale``."""

    name = "morale"

    def dice(self, g: BattleCore) -> int:
        return edition(g).dice.leadership

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        rules_of(g).resolve(g, g.frame, result)

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        return rules_of(g).passed(g, unit, result)


def rules_of(g: BattleCore) -> Morale:
    """The procedure by which the edition resolves Morale tests."""
    ruleset = g.setup.ruleset
    return ruleset.procedures[ruleset.number[Morale]]  # type: ignore[return-value]


class FleeingModel(DecisionKind):
    name = "fleeing-model"
    what = "Which model of the unit flees."
    policy = "The last one (special weapons usually come first)."
    keys = ("morale.flee", "morale.attrition", "morale.flee.choice")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(g.members(g.stack[f + Morale.UNIT])):
            mask[g.setup.space.model + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + Morale.UNIT]
        model = list(g.members(unit))[action - g.setup.space.model]
        g.tell("morale.flee", "flees", unit=unit, model=model)
        remove_model(g, model)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        model = list(g.members(g.stack[f + Morale.UNIT]))[action - g.setup.space.model]
        return f"{g.setup.names['models'][model]} flees"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return mask.tobytes().rfind(1)
