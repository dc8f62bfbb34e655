"""Abilities by which enemies near some models may suffer mortal wounds as their player's turn starts, as data
(w8.datasheet.lord-of-contagion.nurgles-gift.*).

An ``Affliction`` is a timed rule of an army: once a turn, however many of its models bear the ability, a die for each
enemy unit that is near models of the army with a keyword which are themselves near a bearer.
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
    """Such an ability of an army. ``when`` is the start of its player's turns, ``unit`` -1, ``effect`` none.

    Attributes:
        bearers: rows of the models that have it. keyword: of models of the army that have it about them within
            ``reach`` inches of one.
        near: inches from such a model within which enemy units are afflicted.
        needed: the lowest die that does something. wounds: dice, their sides and what is added, the mortal wounds
            of a unit.
    """

    bearers: tuple[int, ...] = ()
    keyword: str = ""
    reach: float = 0.0
    near: float = 0.0
    needed: int = 4
    wounds: tuple[int, int, int] = (0, 0, 1)

    def applies(self, g: BattleCore) -> bool:
        """Whether anybody is near enough."""
        return bool(self.mark(g, np.zeros(len(g.units.place), np.int32)))

    def mark(self, g: BattleCore, out: Array) -> int:
        """Set ``out[u]`` (int32) to 1 for each enemy unit that is near enough now, else 0; returns how many."""
        keyword = keyword_bit(g.setup.statics["keyword_bits"], self.keyword)
        bearers = np.array(self.bearers, np.int32)
        return int(mark_afflicted(g.models.rows, bearers, self.owner, keyword, self.reach, self.near, out))

    def resolve(self, g: BattleCore, number: int) -> None:
        """The dice are rolled, unit by unit."""
        self.mark(g, g.afflicted.rows["left"])
        g.push(Afflicting, number)


@kernel
def mark_afflicted(
    models: Array, bearers: Array, owner: int, keyword: int, reach: float, near: float, out: Array
) -> int:
    """Set ``out[u]`` to 1 for each unit of the enemy with a model within ``near`` inches of a model of ``owner`` that
    has the keyword (its bit) and stands within ``reach`` inches of a bearer, else to 0; returns how many.
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
    """A die for each unit, in the order that the player chooses whose turn it is."""

    RULE = integer(row_of("timed"))
    TARGET = integer(row_of("units"))
    asks = ("afflicted-unit",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """It carries out an affliction."""
        return isinstance(g.setup.statics["timed"][g.stack[f + Afflicting.RULE]], Affliction)

    @staticmethod
    def rule(g: BattleCore, f: int) -> Affliction:
        """The ability that is carried out."""
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
        """The die says whether the unit suffers."""
        rule, unit = cls.rule(g, f), g.stack[f + cls.TARGET]
        g.note(GIFT, rule.name, owner=rule.owner, unit=unit, die=die, needed=rule.needed)
        if die >= rule.needed:
            AfflictionWounds.begin(g, rule.owner, g.models.unit[rule.bearers[0]], rule.wounds)

    @classmethod
    def hurt(cls, g: BattleCore, f: int, amount: int) -> None:
        """The unit suffers so many mortal wounds."""
        mortal_wounds(g, g.stack[f + cls.TARGET], amount)


def waiting(g: BattleCore) -> list[int]:
    """Units for which a die is still to be rolled; who was destroyed meanwhile is none of them."""
    return [unit for unit, left in enumerate(g.afflicted.left) if left and g.units.place[unit] == ON_TABLE]


class AfflictionRoll(DiceRoll):
    """The die for one unit; pushed by ``Afflicting`` with the unit of a bearer, whose player rolls it."""

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
