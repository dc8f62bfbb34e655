"""Lightning that leaps from unit to unit (wap.lore.heavens.chain-lightning)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import bits, row_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.magic.casting import Cast, frame_of_cast
from wh_env.rulesets.wap.magic.deeds import Hits
from wh_env.rulesets.wap.magic.sides import side_of, who_aims
from wh_env.rulesets.wap.magic.spells import Casting, Deed, Judge
from wh_env.rulesets.wap.magic.targets import are_foes

WIDE = 16  # units for each integer of ``Chain.NEAR``
INTEGERS = 4


@dataclass(frozen=True)
class ChainHits(Deed):
    """Hits on a unit, then by a roll of a die on one near it, and so on; no unit is struck twice in a phase.

    Attributes:
        hits: on each unit. needs: the least die with which they leap on. inches: how far.
    """

    hits: Hits
    needs: int
    inches: float

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        bit = 1 << casting.spell.lore
        if g.wizards.chained[unit] & bit:
            return
        g.wizards.chained[unit] |= bit
        marks = [0] * INTEGERS
        for row in self.near(g, unit):
            marks[row // WIDE] |= 1 << row % WIDE
        g.push(Chain, unit, *marks)
        self.hits.act(g, casting, unit)

    def land(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        self.hits.land(g, casting, unit, number)

    def fall(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        self.hits.fall(g, casting, unit, number)

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        near = [
            row for row in self.near(g, unit) if are_foes(g, side_of(g, casting.caster), row) and not engaged(g, row)
        ]
        leaps = (FACES + 1 - self.needs) / FACES
        next_one = min((self.hits.worth(judge, g, casting, row) for row in near), default=0.0)
        return self.hits.worth(judge, g, casting, unit) + leaps * next_one

    def near(self, g: BattleCore, unit: int) -> Iterator[int]:
        """The units that are near enough to a unit on the table for a leap."""
        for row in range(len(g.units.owner)):
            if row != unit and g.units.place[row] == ON_TABLE and distance(g, unit, row) <= self.inches + EPS:
                yield row

    def next_targets(self, g: BattleCore, casting: Casting, unit: int, before: set[int]) -> list[int]:
        """The units that hits may leap to from a unit. If it is gone, those that were near it ``before`` it was hit."""
        bit = 1 << casting.spell.lore
        return [
            row
            for row in (self.near(g, unit) if g.units.place[unit] == ON_TABLE else sorted(before))
            if g.units.place[row] == ON_TABLE
            and are_foes(g, side_of(g, casting.caster), row)
            and not engaged(g, row)
            and not g.wizards.chained[row] & bit
        ]


class Chain(Procedure):
    """Hits on a unit are resolved; then they may leap on."""

    class Step(Steps):
        ROLL, CHOOSE = range(2)

    UNIT = integer(row_of("units"))  # that was struck last
    NEAR = integer(bits((1 << WIDE) - 1), width=INTEGERS)  # units that were near it, bit by bit
    asks = ("chain-target",)

    def advance(self, g: BattleCore, f: int) -> int:
        casting, deed = Chain.doing(g, f)
        if g.stack[f + STEP] == Chain.Step.ROLL:
            die = g.d6()
            g.note(casting.spell.rule, "leaps", unit=casting.caster, die=die, needed=deed.needs)
            if die < deed.needs:
                return g.pop()
            g.stack[f + STEP] = Chain.Step.CHOOSE
            return GO
        found = Chain.targets(g, f)
        if len(found) > 1:
            return g.ask(ChainTarget, who_aims(g, casting.caster), casting.caster)
        if found:
            Chain.leap(g, f, found[0])
            return GO
        return g.pop()

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether a spell that leaps is being cast, and, if the player is asked, there are units to leap to."""
        at = frame_of_cast(g, f)
        if at < 0:
            return False
        if not isinstance(Cast.deed(g, at), ChainHits):
            return False
        if f != g.frame:  # hits are still being resolved
            return bool(g.stack[f + STEP] == Chain.Step.ROLL)
        return bool(g.stack[f + STEP] == Chain.Step.CHOOSE and len(Chain.targets(g, f)) > 1)

    @staticmethod
    def doing(g: BattleCore, f: int) -> tuple[Casting, ChainHits]:
        """The spell that is being cast, and the deed that leaps."""
        at = frame_of_cast(g, f)
        deed = Cast.deed(g, at)
        assert isinstance(deed, ChainHits), deed
        return Cast.casting(g, at), deed

    @staticmethod
    def targets(g: BattleCore, f: int) -> list[int]:
        """The units to which the hits may leap."""
        casting, deed = Chain.doing(g, f)
        marked = ((row, *divmod(row, WIDE)) for row in range(len(g.units.owner)))
        before = {row for row, number, bit in marked if g.stack[f + Chain.NEAR + number] >> bit & 1}
        return deed.next_targets(g, casting, g.stack[f + Chain.UNIT], before)

    @staticmethod
    def leap(g: BattleCore, f: int, target: int) -> None:
        """The hits leap to a unit."""
        casting, deed = Chain.doing(g, f)
        g.pop()
        deed.act(g, casting, target)


class ChainTarget(DecisionKind):
    name = "chain-target"
    what = "To which enemy unit near the one struck last lightning leaps."
    keys = ("wap.lore.heavens.chain-lightning",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space, owner = g.setup.space, who_aims(g, Chain.doing(g, f)[0].caster)
        for target in Chain.targets(g, f):
            side = g.units.owner[target]
            first = space.own if side == owner else space.enemy
            mask[first + target - g.players.first_unit[side]] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        space, owner = g.setup.space, who_aims(g, Chain.doing(g, f)[0].caster)
        side, first = (1 - owner, space.enemy) if action >= space.enemy else (owner, space.own)
        Chain.leap(g, f, g.players.first_unit[side] + action - first)
