"""What victorious units do: pursue, try to restrain themselves, overrun (wap.pursuit.choice, .overrun,
wap.result.annihilation).

All choices are made before any flee roll, unit by unit. A unit with an enemy that still fights it is not asked
(wap.multi.pursuit.held). A unit that has already pursued or overrun in this phase restrains itself without a test
(wap.pursuit.new-enemy.fight-again.no-overrun).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.codes import (
    BROKEN,
    CHARGED,
    NO_INTENT,
    OVERRAN,
    OVERRUNS,
    PURSUED,
    PURSUES,
    REFORMS,
    RESTRAINS,
    STAYS,
    WON,
)
from wh_env.rulesets.wap.commands.follow_me import FAILED, PASSED, UNTESTED
from wh_env.rulesets.wap.movement.reform_choices import can_reform
from wh_env.rulesets.wap.pursuit.restrain import take_restraint_test
from wh_env.rulesets.wap.troops.war_machines import is_machine

ANSWERS = (OVERRUNS, REFORMS, STAYS)  # options of ``AfterVictory``, in order
WORDS = ("overruns", "reforms", "stays as it is")
CHOSEN = ("will overrun", "will reform", "stays as it is")


def broken_foes(g: BattleCore, unit: int) -> list[int]:
    """Rows of the broken enemies in contact with a unit."""
    return [foe for foe in foes_of(g, unit) if g.units.outcome[foe] == BROKEN]


def has_pursued(g: BattleCore, unit: int) -> bool:
    """Whether a unit has already pursued or overrun in this turn."""
    return bool(g.units.did[unit] & (PURSUED | OVERRAN))


def decides(g: BattleCore, unit: int) -> bool:
    """Whether a unit of the combat still has to choose what it does about its beaten enemies."""
    u = g.units
    if not u.fighting[unit] or u.place[unit] != ON_TABLE or u.fleeing[unit] or u.intent[unit] != NO_INTENT:
        return False
    if u.outcome[unit] == BROKEN:
        return False
    if u.fights[unit] == 0:  # all its enemies are gone
        return u.outcome[unit] == WON
    return len(broken_foes(g, unit)) == len(foes_of(g, unit))


def may_overrun(g: BattleCore, unit: int) -> bool:
    """Whether a unit whose enemies are gone may overrun: it charged in this turn and has not pursued or overrun since
    (wap.pursuit.overrun).
    """
    return bool(g.units.did[unit] & CHARGED) and not has_pursued(g, unit)


def restrain_at_once(g: BattleCore, unit: int, rule: str) -> None:
    """The unit restrains itself; no test is taken here. ``rule``: rule id of the event."""
    g.units.intent[unit] = RESTRAINS
    g.note(rule, "restrains itself", unit=unit)


def pursue(g: BattleCore, unit: int, foe: int, rule: str = "wap.pursuit.choice") -> None:
    """Note that a unit will pursue an enemy; it moves later."""
    g.units.intent[unit], g.units.prey[unit] = PURSUES, foe
    g.note(rule, "will pursue", unit=unit, target=foe)


class PursueOrRestrain(Procedure):
    """The choices of all victorious units of one combat, before any flee roll."""

    class Step(Steps):
        NEXT, CHOOSE, TESTED = range(3)

    UNIT = integer(row_of("units"))
    TEST = integer(between(UNTESTED, FAILED))  # how the test to restrain itself has ended
    asks = ("pursue", "after-victory")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack, u = PursueOrRestrain.Step, g.stack, g.units
        step, unit = stack[f + STEP], stack[f + PursueOrRestrain.UNIT]
        if step == Step.CHOOSE:
            return g.ask(Pursue, u.owner[unit], unit)
        if step == Step.TESTED:
            PursueOrRestrain.tested(g, f)
            return GO
        unit = next((one for one in range(len(u.owner)) if decides(g, one)), -1)
        if unit < 0:
            return g.pop()
        stack[f + PursueOrRestrain.UNIT], stack[f + PursueOrRestrain.TEST] = unit, UNTESTED
        if is_machine(g, unit):
            restrain_at_once(g, unit, "wap.machine.combat.wins")
        elif has_pursued(g, unit):
            restrain_at_once(g, unit, "wap.pursuit.new-enemy.fight-again.no-overrun")
        elif u.fights[unit]:
            stack[f + STEP] = Step.CHOOSE
        elif may_overrun(g, unit):
            return g.ask(AfterVictory, u.owner[unit], unit)
        else:
            restrain_at_once(g, unit, "wap.result.annihilation")
        return GO

    @staticmethod
    def tested(g: BattleCore, f: int) -> None:
        """After the test to restrain itself the unit stays, or must pursue. If several enemies are broken, its player
        still chooses one (wap.pursuit.restrain-test).
        """
        Step, stack = PursueOrRestrain.Step, g.stack
        unit, passed = stack[f + PursueOrRestrain.UNIT], stack[f + PursueOrRestrain.TEST] == PASSED
        foes = broken_foes(g, unit)
        stack[f + STEP] = Step.NEXT
        if passed:
            restrain_at_once(g, unit, "wap.pursuit.restrain-test")
        elif len(foes) == 1:
            pursue(g, unit, foes[0], "wap.pursuit.restrain-test")
        else:
            stack[f + STEP] = Step.CHOOSE


class Pursue(DecisionKind):
    name = "pursue"
    what = "Which broken enemy a victorious unit pursues; done: it tries to restrain itself."
    policy = "The first of them."
    keys = (
        "wap.pursuit.choice",
        "wap.pursuit.restrain-test",
        "wap.multi.pursuit.one",
        "wap.multi.pursuit.held",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + PursueOrRestrain.UNIT]
        at = g.setup.space.enemy - g.players.first_unit[1 - g.units.owner[unit]]
        mask[0] = g.stack[f + PursueOrRestrain.TEST] == UNTESTED
        for foe in broken_foes(g, unit):
            mask[at + foe] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + PursueOrRestrain.UNIT]
        if action == 0:
            g.stack[f + STEP] = PursueOrRestrain.Step.TESTED
            take_restraint_test(g, unit, broken_foes(g, unit), PursueOrRestrain.TEST)
            return
        g.stack[f + STEP] = PursueOrRestrain.Step.NEXT
        pursue(g, unit, g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, names = g.stack[f + PursueOrRestrain.UNIT], g.setup.names["units"]
        if action == 0:
            return f"{names[unit]} tries to restrain itself"
        foe = g.players.first_unit[1 - g.units.owner[unit]] + action - g.setup.space.enemy
        return f"{names[unit]} pursues {names[foe]}"

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(next(slot for slot in range(1, len(mask)) if mask[slot]))


class AfterVictory(DecisionKind):
    name = "after-victory"
    what = "What a unit does whose enemies are gone: it overruns if it may, reforms, or stays as it is."
    keys = (
        "wap.result.annihilation",
        "wap.pursuit.overrun",
        "wap.pursuit.overrun.enemy-gone",
        "wap.pursuit.reform-stayed",
        "wap.pursuit.new-enemy.fight-again.no-overrun",
        "wap.pursuit.new-enemy.fleeing",
        "wap.special.frenzy.annihilated",
    )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, option = g.clock.subject[0], g.setup.space.option
        mask[option] = g.units.intent[unit] == NO_INTENT
        mask[option + 1] = can_reform(g, unit)
        mask[option + 2] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.clock.subject[0]
        g.units.intent[unit] = ANSWERS[action - g.setup.space.option]
        g.note("wap.pursuit.reform-stayed", CHOSEN[action - g.setup.space.option], unit=unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.setup.names['units'][g.clock.subject[0]]} {WORDS[action - g.setup.space.option]}"
