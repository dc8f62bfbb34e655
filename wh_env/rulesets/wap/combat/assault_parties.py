"""The players choose who fights in an assault of a building, and who is exposed to special attacks
(wap.building.assault.groups, .groups-order, .special-attacks).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.wap.basics.dice import roll_off
from wh_env.rulesets.wap.basics.garrisons import garrison_in, opponent_in_assault
from wh_env.rulesets.wap.basics.parties import (
    form_party,
    heroes_to_choose,
    may_add_champion,
    party_of,
    rows_in_party,
    strikes_in_assault,
)
from wh_env.rulesets.wap.basics.profiles import lines_of, wholly
from wh_env.rulesets.wap.basics.special_rules import line_has
from wh_env.rulesets.wap.codes import EXPOSED, STOMPS, TAKES_PART, WITH_CHAMPION
from wh_env.rulesets.wap.rule_book import ICE_ATTACKS


def has_choice(g: BattleCore, unit: int) -> bool:
    """Whether a player may still add somebody to the party of a unit."""
    return may_add_champion(g, unit) or bool(heroes_to_choose(g, unit))


def is_dangerous_to_touch(g: BattleCore, unit: int) -> bool:
    """Whether a profile in a unit has special attacks on models in contact with it."""
    lines = [line for row in wholly(g, unit) for line in lines_of(g, row)]
    stomps = any(g.lines.kind[line] == STOMPS and strikes_in_assault(g, line) for line in lines)
    return stomps or any(line_has(g, line, ICE_ATTACKS) for line in lines)


def has_to_expose(g: BattleCore, unit: int) -> bool:
    """Whether the player of a unit has to name who in its party is exposed to special attacks."""
    rows = rows_in_party(g, unit)
    named = any(g.units.party[row] & EXPOSED for row in rows)
    return len(rows) > 1 and not named and is_dangerous_to_touch(g, opponent_in_assault(g, unit))


class Parties(Procedure):
    """Both parties of an assault are formed, that of the player who wins a roll-off first; then each player names who
    is exposed.
    """

    class Step(Steps):
        BEGIN, FIRST, SECOND, EXPOSE = range(4)

    BUILDING = integer(row_of("features"))
    FIRST = integer(flag())  # the player who chooses first
    asks = ("choose-party", "name-exposed")

    @staticmethod
    def units(g: BattleCore, f: int) -> tuple[int, int]:
        """The units of the assault, that of the player who chooses first before the other's."""
        garrison = garrison_in(g, g.stack[f + Parties.BUILDING])
        both = garrison, opponent_in_assault(g, garrison)
        return both if g.units.owner[garrison] == g.stack[f + Parties.FIRST] else (both[1], both[0])

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack, step = Parties.Step, g.stack, g.stack[f + STEP]
        both = self.units(g, f)
        if step == Step.BEGIN:
            for unit in both:
                form_party(g, unit)
            if all(has_choice(g, unit) for unit in both):
                stack[f + Parties.FIRST] = roll_off(g, "wap.building.assault.groups-order")
            stack[f + STEP] = Step.FIRST
            return GO
        if step in (Step.FIRST, Step.SECOND):
            unit = both[step - Step.FIRST]
            if has_choice(g, unit):
                return g.ask(ChooseParty, g.units.owner[unit], unit)
            Parties.formed(g, f)
            return GO
        for unit in both:
            if has_to_expose(g, unit):
                return g.ask(NameExposed, g.units.owner[unit], unit)
        return g.pop()

    @staticmethod
    def formed(g: BattleCore, f: int) -> None:
        """The party of the step is complete."""
        unit = Parties.units(g, f)[g.stack[f + STEP] - Parties.Step.FIRST]
        g.stack[f + STEP] += 1
        if g.recorder is not None:
            told = {"amount": len(party_of(g, unit)), "units": tuple(rows_in_party(g, unit))}
            g.note("wap.building.assault.groups", "forms its party", unit=unit, **told)


class ChooseParty(DecisionKind):
    name = "choose-party"
    what = "Who takes part in an assault besides ordinary models: a character, or the champion; done: nobody else does."
    keys = (
        "wap.building.assault.groups",
        "wap.building.assault.groups-order",
        "wap.building.assault.character-left-out",
    )

    @staticmethod
    def unit(g: BattleCore, f: int) -> int:
        """The unit whose party is chosen."""
        return Parties.units(g, f)[g.stack[f + STEP] - Parties.Step.FIRST]

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = self.unit(g, f)
        at = g.setup.space.own - g.players.first_unit[g.units.owner[unit]]
        mask[0] = True
        mask[g.setup.space.option] = may_add_champion(g, unit)
        for row in heroes_to_choose(g, unit):
            mask[at + row] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = self.unit(g, f)
        if action == 0:
            Parties.formed(g, f)
        elif action == g.setup.space.option:
            g.units.party[unit] |= WITH_CHAMPION
        else:
            row = g.players.first_unit[g.units.owner[unit]] + action - g.setup.space.own
            g.units.party[row] |= TAKES_PART

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, names = self.unit(g, f), g.setup.names["units"]
        if action == 0:
            return f"nobody else of {names[unit]} is named for the assault"
        if action == g.setup.space.option:
            return f"the champion of {names[unit]} takes part"
        return f"{g.default_words(action)} takes part"


class NameExposed(DecisionKind):
    name = "name-exposed"
    what = (
        "Which of a player's models in an assault count as in contact with the enemy for the enemy's special attacks."
    )
    keys = ("wap.building.assault.special-attacks",)

    @staticmethod
    def unit(g: BattleCore, f: int) -> int:
        """The unit of which a player names models."""
        return next(unit for unit in Parties.units(g, f) if has_to_expose(g, unit))

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = self.unit(g, f)
        at = g.setup.space.own - g.players.first_unit[g.units.owner[unit]]
        for row in rows_in_party(g, unit):
            mask[at + row] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = self.unit(g, f)
        row = g.players.first_unit[g.units.owner[unit]] + action - g.setup.space.own
        g.units.party[row] |= EXPOSED

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.default_words(action)} faces special attacks"
