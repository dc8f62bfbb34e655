"""Rally phase: break tests, retreat, dispersing, rallying (epic.break.*, epic.morale.*, epic.rally.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, STEP, ChooseUnit, OfPlayer, Procedure, Steps, integer
from wh_env.rulesets.epic.basics.contact import eliminate, refresh_contacts
from wh_env.rulesets.epic.codes import NO_ORDER, RALLIED, TESTED, Phase
from wh_env.rulesets.epic.rally.breaking import may_rally, must_test
from wh_env.rulesets.epic.sequence.timing import start_phase


def morale_test(g: BattleCore, unit: int) -> bool:
    """Roll a D6 against the army's morale value; returns whether the test is passed (epic.morale.test)."""
    needed = g.players.morale[g.units.owner[unit]]
    roll = g.d6()
    g.note("epic.morale.test", "morale test", unit=unit, roll=roll, needed=needed, passed=roll >= needed)
    return roll >= needed


class RallyPhase(Procedure):
    """Break tests, first of the player with the initiative; then attempts to rally in the same order."""

    class Step(Steps):
        BEGIN, FIRST_TESTS, SECOND_TESTS, FIRST_RALLIES, SECOND_RALLIES, END = range(6)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = RallyPhase.Step
        stack = g.stack
        step = stack[f + STEP]
        stack[f + STEP] = step + 1
        first = max(0, g.clock.initiative[0])
        if step == Step.BEGIN:
            start_phase(g, Phase.RALLY)
        elif step in (Step.FIRST_TESTS, Step.SECOND_TESTS):
            g.push(BreakTests, first if step == Step.FIRST_TESTS else 1 - first)
        elif step in (Step.FIRST_RALLIES, Step.SECOND_RALLIES):
            g.push(Rallying, first if step == Step.FIRST_RALLIES else 1 - first)
        else:
            return g.pop()
        return GO


class BreakTests(OfPlayer):
    """All break tests of one player, one formation after the other (epic.break.test)."""

    asks = ("select-to-test",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + BreakTests.PLAYER]
        if any(must_test(g, unit) for unit in g.units_of(player)):
            return g.ask(SelectToTest, player)
        return g.pop()


class SelectToTest(ChooseUnit):
    name = "select-to-test"
    what = "Which formation takes its break test next."
    keys = ("epic.break.test",)
    squad = False

    def may(self, g: BattleCore, unit: int) -> bool:
        return must_test(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.selected[unit] |= TESTED
        if morale_test(g, unit):
            return
        if g.units.retreating[unit]:
            disperse(g, unit)
            return
        g.units.retreating[unit] = 1
        g.units.order[unit] = NO_ORDER
        g.note("epic.morale.retreat", "retreats", unit=unit)


def disperse(g: BattleCore, unit: int) -> None:
    """A formation in retreat has failed a break test: its units count as lost (epic.morale.disperse)."""
    u = g.units
    for k in range(u.first[unit], u.first[unit] + u.count[unit]):
        if g.models.on_table[k]:
            eliminate(g.models.rows, u.rows, k)
    refresh_contacts(g)
    g.note("epic.morale.disperse", "disperses", unit=unit)


class Rallying(OfPlayer):
    """All attempts of one player to rally formations in retreat (epic.rally.attempt)."""

    OVER = integer(flag())
    asks = ("select-to-rally",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + Rallying.PLAYER]
        if not g.stack[f + Rallying.OVER] and any(may_rally(g, unit) for unit in g.units_of(player)):
            return g.ask(SelectToRally, player)
        return g.pop()


class SelectToRally(ChooseUnit):
    name = "select-to-rally"
    what = "Which formation in retreat tries to rally next; done: the others do not try."
    policy = "Every formation tries."
    keys = ("epic.rally.attempt",)
    squad = False
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_rally(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + Rallying.OVER] = 1

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.units.selected[unit] |= RALLIED
        passed = morale_test(g, unit)
        if passed:
            g.units.retreating[unit] = 0
        if g.recorder is not None:
            rule = "epic.rally.success" if passed else "epic.rally.failure"
            g.note(rule, "rallies" if passed else "goes on retreating", unit=unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "no further attempts" if action == 0 else f"{g.default_words(action)} tries to rally"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        own = g.setup.space.own
        return own + bytes(mask[own : own + g.setup.space.units]).index(1)
