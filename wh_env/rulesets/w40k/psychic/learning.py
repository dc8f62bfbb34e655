"""Before the battle, players select powers for their psykers from their disciplines (psychic.learn, .access.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.features import Pending
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.w40k.psychic.data import Discipline
from wh_env.rulesets.w40k.psychic.state import known, power_of, profile_of


def disciplines(g: BattleCore, unit: int) -> tuple[Discipline, ...]:
    """The disciplines that the unit has access to: those of its profile, or the one that its player took instead."""
    profile = profile_of(g, unit)
    return (profile.instead,) if profile.instead and g.psyche.instead[unit] else profile.disciplines


def accessible(g: BattleCore, unit: int) -> list[int]:
    """Numbers of the powers in the unit's disciplines that it does not know yet."""
    names = {power for discipline in disciplines(g, unit) for power in discipline.powers}
    own = known(g, unit)
    powers = g.setup.statics["psychic_powers"]
    return [number for number, power in enumerate(powers) if power in names and not own >> number & 1]


def still_to_learn(g: BattleCore, unit: int) -> int:
    """How many powers the player still has to select for the unit."""
    if g.units.place[unit] == DESTROYED:
        return 0
    return min(profile_of(g, unit).learns - g.psyche.learnt[unit].bit_count(), len(accessible(g, unit)))


class LearnPowers(Procedure):
    """Both players select the powers of their psykers, unit by unit."""

    class Step(Steps):
        DISCIPLINE, POWERS = range(2)

    UNIT = integer(row_of("units", after=True))
    asks = ("discipline", "learn-power")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit = stack[f + LearnPowers.UNIT]
        if unit == len(g.units.place):
            return g.pop()
        if stack[f + STEP] == LearnPowers.Step.DISCIPLINE:
            stack[f + STEP] = LearnPowers.Step.POWERS
            if profile_of(g, unit).instead and g.units.place[unit] != DESTROYED:
                return g.ask(SelectDiscipline, g.units.owner[unit], unit)
            return GO
        if still_to_learn(g, unit) > 0:
            return g.ask(LearnPower, g.units.owner[unit], unit)
        stack[f + STEP] = LearnPowers.Step.DISCIPLINE
        stack[f + LearnPowers.UNIT] += 1
        return GO


class SelectDiscipline(DecisionKind):
    name = "discipline"
    what = (
        "Whether the unit has access to the disciplines of its datasheet (option 0) or to another one instead of them."
    )
    keys = ("psychic.access.instead",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[g.setup.space.option] = mask[g.setup.space.option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.psyche.instead[g.stack[f + LearnPowers.UNIT]] = action - g.setup.space.option

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + LearnPowers.UNIT]
        profile = profile_of(g, unit)
        taken = (profile.instead,) if action > g.setup.space.option else profile.disciplines
        return f"{g.setup.names['units'][unit]}: {', '.join(each.name for each in taken if each is not None)}"


class LearnPower(DecisionKind):
    name = "learn-power"
    what = "Which power of a discipline that it has access to a psyker knows."
    keys = ("psychic.learn", "psychic.access.listed", "psychic.access.additional")

    @staticmethod
    def numbers(g: BattleCore, f: int) -> list[int]:
        """Numbers of the powers on offer, in the order of the options."""
        return accessible(g, g.stack[f + LearnPowers.UNIT])[: g.setup.space.options]

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot, _ in enumerate(self.numbers(g, f)):
            mask[g.setup.space.option + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, number = g.stack[f + LearnPowers.UNIT], self.numbers(g, f)[action - g.setup.space.option]
        g.psyche.learnt[unit] |= 1 << number
        if g.recorder is not None:
            g.tell("psychic.learn", "knows a power", unit=unit, name=power_of(g, number).name)

    def pending(self, g: BattleCore, f: int) -> Pending:
        first = g.setup.space.option
        return Pending(options={first + n: power_of(g, number) for n, number in enumerate(self.numbers(g, f))})

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        power = power_of(g, self.numbers(g, f)[action - g.setup.space.option])
        return f"{g.setup.names['units'][g.stack[f + LearnPowers.UNIT]]} knows {power.name}"
