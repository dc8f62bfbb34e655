"""Abilities, as data, by which enemies near some models may suffer mortal wounds at the start of a turn of the
abilities' owner (w8.datasheet.lord-of-contagion.nurgles-gift.*).

An ``Affliction`` is a timed rule of an army. Once a turn, however many models bear the ability, a die is rolled for
each enemy unit near the models that it works through: models of the army with a keyword that are near a bearer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import declared, flag, row_of
from wh_env.core.geometry.shapes import EPS, straight_within
from wh_env.core.kernel import kernel
from wh_env.core.procedures import DecisionKind, Procedure, beneath, integer
from wh_env.core.tables import ON_TABLE, Array, TableSpec
from wh_env.rulesets.w40k.attack.casualties import mortal_wounds
from wh_env.rulesets.w40k.attack.rerolls import DiceRoll, Thrown
from wh_env.rulesets.w40k.keywords import keyword_bit
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule

AT_THE_START = "command"  # of a turn, as a moment of timed rules
GIFT = "w8.datasheet.lord-of-contagion.nurgles-gift"

# by unit: whether a die is still to be rolled for it
AFFLICTED, AFFLICTED_BOUNDS = declared([("left", "i4", flag())])


def tables(units: int) -> Sequence[TableSpec]:
    """``afflicted``: see ``AFFLICTED``."""
    return (TableSpec("afflicted", AFFLICTED, units, AFFLICTED_BOUNDS),)


@dataclass(frozen=True)
class Affliction(TimedRule):
    """Such an ability of an army. ``when`` is the start of its player's turns, ``unit`` is -1, ``effect`` is empty.

    Attributes:
        bearers: rows of the models that have the ability.
        keyword: models of the army with this keyword, within ``reach`` inches of a bearer, spread the ability.
        near: inches from such a model within which enemy units are afflicted.
        needed: the lowest die at which the unit suffers.
        wounds: its mortal wounds: number of dice, their sides, what is added.
    """

    bearers: tuple[int, ...] = ()
    keyword: str = ""
    reach: float = 0.0
    near: float = 0.0
    needed: int = 4
    wounds: tuple[int, int, int] = (0, 0, 1)

    def applies(self, g: BattleCore) -> bool:
        """Whether any enemy unit is near enough now."""
        return bool(self.mark(g, np.zeros(len(g.units.place), np.int32)))

    def mark(self, g: BattleCore, out: Array) -> int:
        """Set ``out[u]`` (int32) to 1 for each enemy unit that is near enough now, else 0; returns how many."""
        keyword = keyword_bit(g.setup.statics["keyword_bits"], self.keyword)
        bearers = np.array(self.bearers, np.int32)
        return int(mark_afflicted(g.models.rows, bearers, self.owner, keyword, self.reach, self.near, out))

    def resolve(self, g: BattleCore, number: int) -> None:
        """Mark the units that are near enough, and roll a die for each."""
        self.mark(g, g.afflicted.rows["left"])
        g.push(Afflicting, number)


@kernel
def mark_afflicted(
    models: Array, bearers: Array, owner: int, keyword: int, reach: float, near: float, out: Array
) -> int:
    """Set ``out[u]`` to 1 for each enemy unit with a model within ``near`` inches of a spreading model, else to 0;
    returns how many.

    A spreading model belongs to ``owner``, has the keyword of bit ``keyword``, and is within ``reach`` inches of one of
    ``bearers`` or is one itself.
    """
    found = 0
    out[:] = 0
    for k in range(len(models)):
        if models[k]["on_table"] == 0 or models[k]["owner"] != owner or int(models[k]["keywords"]) & keyword == 0:
            continue
        within = False
        for b in range(len(bearers)):
            i = bearers[b]
            if models[i]["on_table"] != 0 and (i == k or straight_within(models, i, k, reach + EPS)):
                within = True
                break
        if not within:
            continue
        for j in range(len(models)):
            unit = models[j]["unit"]
            if models[j]["on_table"] != 0 and models[j]["owner"] != owner and out[unit] == 0:
                if straight_within(models, k, j, near + EPS):
                    out[unit] = 1
                    found += 1
    return found


class Afflicting(Procedure):
    """Roll a die for each marked unit, in the order that the owner of the ability chooses."""

    RULE = integer(row_of("timed"))
    TARGET = integer(row_of("units"))
    asks = ("afflicted-unit",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether ``RULE`` is an affliction."""
        return isinstance(g.setup.statics["timed"][g.stack[f + Afflicting.RULE]], Affliction)

    @staticmethod
    def rule(g: BattleCore, f: int) -> Affliction:
        """The ability that is being carried out."""
        rule: Affliction = g.setup.statics["timed"][g.stack[f + Afflicting.RULE]]
        return rule

    def advance(self, g: BattleCore, f: int) -> int:
        if not waiting(g):
            return g.pop()
        return g.ask(AfflictedUnit, self.rule(g, f).owner)

    @classmethod
    def start(cls, g: BattleCore, f: int, unit: int) -> None:
        """Roll the die for a unit."""
        g.afflicted.left[unit] = 0
        g.stack[f + cls.TARGET] = unit
        g.push(AfflictionRoll, g.models.unit[cls.rule(g, f).bearers[0]])

    @classmethod
    def finish(cls, g: BattleCore, f: int, die: int) -> None:
        """The die was rolled: if it reaches ``needed``, determine the mortal wounds of the unit."""
        rule, unit = cls.rule(g, f), g.stack[f + cls.TARGET]
        g.note(GIFT, "affliction", name=rule.name, owner=rule.owner, unit=unit, die=die, needed=rule.needed)
        if die >= rule.needed:
            AfflictionWounds.begin(g, rule.owner, g.models.unit[rule.bearers[0]], rule.wounds)

    @classmethod
    def hurt(cls, g: BattleCore, f: int, amount: int) -> None:
        """The unit suffers ``amount`` mortal wounds."""
        mortal_wounds(g, g.stack[f + cls.TARGET], amount)


def waiting(g: BattleCore) -> list[int]:
    """Units on the battlefield for which a die is still to be rolled."""
    return [unit for unit, left in enumerate(g.afflicted.left) if left and g.units.place[unit] == ON_TABLE]


class AfflictionRoll(DiceRoll):
    """The die for one unit, rolled by the owner of the ability. ``Afflicting`` pushes it with the unit of a bearer."""

    name = "affliction"

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Afflicting.finish(g, g.frame, result)

    def good(self, g: BattleCore, unit: int, result: int) -> bool:
        rule: Affliction = g.setup.statics["timed"][g.stack[beneath(g.frame) + Afflicting.RULE]]
        return result >= rule.needed


class AfflictionWounds(Thrown):
    """The number of mortal wounds of a unit; begun by ``Afflicting``."""

    name = "affliction wounds"

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        Afflicting.hurt(g, g.frame, result)


class AfflictedUnit(DecisionKind):
    name = "afflicted-unit"
    what = "For which enemy unit near models with such an ability about them the die is rolled next."
    keys = (
        "w8.concepts.sequencing.in-turn",
        "w8.datasheet.lord-of-contagion.nurgles-gift.timing",
        "w8.datasheet.lord-of-contagion.nurgles-gift.once",
    )
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        at = g.setup.space.enemy - g.players.first_unit[1 - Afflicting.rule(g, f).owner]
        for unit in waiting(g):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        first = g.players.first_unit[1 - Afflicting.rule(g, f).owner]
        Afflicting.start(g, f, first + action - g.setup.space.enemy)
