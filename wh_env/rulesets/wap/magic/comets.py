"""A marker on a point of the table, to which others are added until something strikes there
(wap.lore.heavens.comet-of-casandora).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.basics.marks import marks_in_use, put_mark, take_mark
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.magic.deeds import strike
from wh_env.rulesets.wap.magic.places import bases_of, place_of
from wh_env.rulesets.wap.magic.spells import Casting, Deed
from wh_env.rulesets.wap.magic.wizards import spell_at
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.weapons.hit import Hit, Number


@dataclass(frozen=True)
class Calls(Deed):
    """Markers are put on a point. At the start of each later Magic phase a die says whether it strikes there, or more
    markers are added.

    Attributes:
        markers, more: how many are put there, and added each time. needs: the least die with which it strikes.
        within: inches from the point in which units are hit. number: of hits, besides one for each marker.
        hit: their Strength, besides one for each marker.
    """

    markers: int
    more: int
    needs: int
    within: Number
    number: Number
    hit: Hit

    @property
    def once(self) -> bool:
        return True

    @property
    def leaves_mark(self) -> bool:
        return True

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        x, y = place_of(g, casting)
        put_mark(g, casting.row, casting.version, x, y, count=self.markers)
        self.tell(g, casting, "is called", self.markers, (x, y))

    def tell(self, g: BattleCore, casting: Casting, what: str, amount: int, place: tuple[float, float]) -> None:
        """Note what happens at the point."""
        if g.recorder is not None:
            told = {"name": casting.spell.name, "amount": amount, "place": place}
            g.note(casting.spell.rule, what, player=casting.player, **told)

    def goes_on(self, g: BattleCore, k: int, casting: Casting) -> None:
        """A later Magic phase begins: roll for the mark of row ``k``."""
        m, die = g.omens, g.d6()
        place = (m.x[k], m.y[k])
        if die < self.needs:
            m.count[k] += self.more
            self.tell(g, casting, "comes nearer", m.count[k], place)
            return
        markers = m.count[k]
        take_mark(g, k)
        self.strikes(g, casting, place, markers)

    def strikes(self, g: BattleCore, casting: Casting, place: tuple[float, float], markers: int) -> None:
        """It strikes: units of both sides that are near enough are hit, the caster's enemies first."""
        far = rolled_number(g, self.within)
        self.tell(g, casting, "comes down", markers, place)
        x, y = (np.array([value]) for value in place)
        near = [
            unit
            for unit in (*g.units_of(1 - casting.player), *g.units_of(casting.player))
            if g.units.place[unit] == ON_TABLE and bases_of(g, unit).gaps(x, y).min() <= far + EPS
        ]
        hit = self.hit._replace(strength=self.hit.strength + markers)
        for unit in near:
            strike(g, casting, unit, rolled_number(g, self.number) + markers, hit)


def casting_of(g: BattleCore, k: int) -> Casting:
    """The spell of a mark as it was cast."""
    row = g.omens.row[k] - 1
    unit = g.spellbook.unit[row]
    return Casting(g.units.owner[unit], unit, row, spell_at(g, row), g.omens.version[k], -1, 0)


def deed_of(g: BattleCore, k: int) -> Deed | None:
    """The deed by which a mark was made."""
    casting = casting_of(g, k)
    deeds = casting.spell.versions[casting.version].deeds
    return next((deed for deed in deeds if deed.leaves_mark), None)


class Comets(OfPlayer):
    """A Magic phase begins: what was called may strike, one after the other."""

    MARK = integer(count_of("omens"))  # rows of marks that are done

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        waiting = (k for k in marks_in_use(g) if k >= g.stack[f + Comets.MARK] and g.omens.radius[k] == 0.0)
        k = next(waiting, -1)
        if k < 0:
            return g.pop()
        g.stack[f + Comets.MARK] = k + 1
        deed = deed_of(g, k)
        if isinstance(deed, Calls):
            deed.goes_on(g, k, casting_of(g, k))
        return GO
