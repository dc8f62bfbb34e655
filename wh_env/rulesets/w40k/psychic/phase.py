"""Psychic phase: selecting psykers, their powers and targets (psychic.select, .powers, .manifest)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import MOST, between, flag, row_of
from wh_env.core.features import ABOUT, Pending
from wh_env.core.procedures import STEP, ChooseUnit, DecisionKind, OfPlayer, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.phases.timing import end_phase, start_phase
from wh_env.rulesets.w40k.psychic.data import SELECTED, Affects, Lasts, PsychicPower
from wh_env.rulesets.w40k.psychic.lasting import end_powers
from wh_env.rulesets.w40k.psychic.manifest import Manifest, first_beside_done, targets
from wh_env.rulesets.w40k.psychic.state import known, numbers_in, power_of, profile_of, tried
from wh_env.rulesets.w40k.reaction.windows import Interruptible


class PsychicPhase(OfPlayer):
    """The player selects psykers, one after the other, to attempt powers."""

    class Step(Steps):
        BEGIN, SELECT, END = range(3)

    asks = ("select-psyker",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = PsychicPhase.Step, g.stack
        player, step = stack[f + PsychicPhase.PLAYER], stack[f + STEP]
        if step == Step.BEGIN:
            start_phase(g, self)
            end_powers(g, Lasts.NEXT_PSYCHIC, player)
            psyche = g.psyche.rows
            psyche["picked"] = psyche["denies"] = 0
            g.smites[0] = g.smites[1] = 0
            stack[f + STEP] = Step.SELECT
        if stack[f + STEP] == Step.SELECT:
            return g.ask(SelectPsyker, player)
        end_phase(g)
        return g.pop()


def may_be_picked(g: BattleCore, unit: int) -> bool:
    """Whether the psyker can be selected to manifest powers now."""
    rules = edition(g).psychic
    if g.units.place[unit] != ON_TABLE or not profile_of(g, unit).manifests or not rules.present(g, unit):
        return False
    if g.psyche.picked[unit] and not rules.one_by_one:
        return False
    return rules.may_manifest(g, unit) and may_attempt(g, unit, attempts_before(g, unit))


def attempts_before(g: BattleCore, unit: int) -> int:
    """How many powers a psyker that is selected now has attempted in this phase."""
    return tried(g, unit).bit_count() if edition(g).psychic.one_by_one else 0


def open_powers(g: BattleCore, unit: int, attempts: int) -> Iterator[int]:
    """Yield numbers of the powers that the unit may attempt after ``attempts`` attempts in this phase, psychic actions
    last.
    """
    if attempts >= profile_of(g, unit).manifests:
        return
    rules, statics = edition(g).psychic, g.setup.statics
    powers: Sequence[PsychicPower] = statics["psychic_powers"]
    closed = tried(g, unit) | rules.barred(g, unit)
    for number in (*numbers_in(known(g, unit) & ~closed), *(() if attempts else statics["psychic_actions"])):
        if closed >> number & 1 or not rules.possible(g, unit, number):
            continue
        if powers[number].affects not in SELECTED or targets(g, unit, number):
            yield number


def may_attempt(g: BattleCore, unit: int, attempts: int) -> bool:
    """Whether the unit may attempt any power after ``attempts`` attempts in this phase."""
    return next(open_powers(g, unit, attempts), -1) >= 0


class SelectPsyker(ChooseUnit):
    name = "select-psyker"
    what = "Which psyker is selected to manifest powers next (done: the phase ends)."
    policy = "The first that can."
    keys = ("psychic.select", "actions.fail")
    declines = True

    def among(self, g: BattleCore, player: int) -> Iterable[int]:
        return [unit for unit in g.setup.statics["psychic_profiles"] if g.units.owner[unit] == player]

    def may(self, g: BattleCore, unit: int) -> bool:
        return may_be_picked(g, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + STEP] = PsychicPhase.Step.END

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.psyche.picked[unit] = 1
        g.tell("psychic.select", "selected to manifest powers", unit=unit)
        g.push(Psyker, unit)
        g.stack[g.frame + Psyker.ATTEMPTS] = attempts_before(g, unit)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return first_beside_done(g)


class Psyker(Interruptible):
    """The attempts of one psyker, each resolved before the next. In editions with ``one_by_one``, a single attempt."""

    class Step(Steps):
        POWER, TARGET = range(2)

    NUMBER = integer(row_of("psychic_powers"))  # number of the selected power
    ATTEMPTS = integer(between(0, MOST))
    ALONE = integer(flag())  # it may attempt no more powers now
    asks = ("select-power", "power-target")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit = stack[f + Psyker.UNIT]
        if stack[f + STEP] == Psyker.Step.TARGET:
            return g.ask(PowerTarget, g.units.owner[unit], unit)
        over = g.units.place[unit] != ON_TABLE or stack[f + Psyker.ALONE]
        if over or not may_attempt(g, unit, stack[f + Psyker.ATTEMPTS]):
            return g.pop()
        return g.ask(SelectPower, g.units.owner[unit], unit)

    @staticmethod
    def select(g: BattleCore, f: int, number: int) -> None:
        """Attempt this power next; if it selects a target, ask for the target first."""
        power = power_of(g, number)
        g.stack[f + Psyker.NUMBER] = number
        g.stack[f + Psyker.ALONE] = int(power.alone)
        if power.affects in SELECTED:
            g.stack[f + STEP] = Psyker.Step.TARGET
        else:
            Psyker.attempt(g, f, -1)

    @staticmethod
    def attempt(g: BattleCore, f: int, target: int) -> None:
        """Attempt the selected power at ``target`` (-1: it selects none)."""
        stack = g.stack
        stack[f + STEP] = Psyker.Step.POWER
        stack[f + Psyker.ATTEMPTS] += 1
        if edition(g).psychic.one_by_one:
            stack[f + Psyker.ALONE] = 1
        g.push(Manifest, stack[f + Psyker.UNIT], stack[f + Psyker.NUMBER], target)

    @staticmethod
    def stop(g: BattleCore, f: int) -> None:
        """End the attempts of the psyker."""
        g.stack[f + Psyker.ALONE] = 1


class SelectPower(DecisionKind):
    name = "select-power"
    what = "Which power (or psychic action) the selected psyker attempts next (done: none)."
    policy = "The last that it knows of those that can be attempted."
    keys = (
        "psychic.manifest",
        "psychic.powers",
        "psychic.same-power-once",
        "psychic.smite-once-per-unit",
        "psychic.select.power",
        "actions.psychic",
    )

    @staticmethod
    def numbers(g: BattleCore, f: int) -> list[int]:
        """Numbers of the powers on offer, in the order of the options."""
        return list(
            islice(open_powers(g, g.stack[f + Psyker.UNIT], g.stack[f + Psyker.ATTEMPTS]), g.setup.space.options)
        )

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = not edition(g).psychic.one_by_one
        for slot, _ in enumerate(self.numbers(g, f)):
            mask[g.setup.space.option + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            Psyker.stop(g, f)
        else:
            Psyker.select(g, f, self.numbers(g, f)[action - g.setup.space.option])

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + Psyker.UNIT]
        if action == 0:
            return f"{g.setup.names['units'][unit]}: no further power"
        number = self.numbers(g, f)[action - g.setup.space.option]
        needed = power_of(g, number).charge + edition(g).psychic.rise(g, unit, number)
        return f"{g.setup.names['units'][unit]}: {power_of(g, number).name} ({needed}+)"

    def pending(self, g: BattleCore, f: int) -> Pending:
        first = g.setup.space.option
        return Pending(options={first + n: power_of(g, number) for n, number in enumerate(self.numbers(g, f))})

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        own = [n for n in self.numbers(g, f) if not power_of(g, n).alone]
        return (g.setup.space.option + len(own) - 1) if own else first_beside_done(g)


class PowerTarget(DecisionKind):
    name = "power-target"
    what = "The unit that the power selects."
    keys = ("psychic.manifest", "psychic.select.power", "glossary.unaffected-by-powers.target")

    @staticmethod
    def first(g: BattleCore, f: int) -> int:
        """What is added to the row of a unit to get its action."""
        owner, space = g.units.owner[g.stack[f + Psyker.UNIT]], g.setup.space
        own = power_of(g, g.stack[f + Psyker.NUMBER]).affects == Affects.FRIEND
        return int((space.own if own else space.enemy) - g.players.first_unit[owner if own else 1 - owner])

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        at = self.first(g, f)
        for unit in targets(g, g.stack[f + Psyker.UNIT], g.stack[f + Psyker.NUMBER]):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        Psyker.attempt(g, f, action - self.first(g, f))

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(options={ABOUT: power_of(g, g.stack[f + Psyker.NUMBER])})

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{power_of(g, g.stack[f + Psyker.NUMBER]).name}: {g.default_words(action)}"
