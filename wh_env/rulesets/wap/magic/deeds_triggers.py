"""Spells that last and act again and again: on a unit that moves, or at the end of each Magic phase
(wap.lore.fire.flame-cage.trap, wap.lore.fire.cascading-fire-cloak, wap.lore.life.shield-of-thorns).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of
from wh_env.core.procedures import GO, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.contacts import block_of, foes_of
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.basics.effects import Consequence, effect_of, is_any_with, rows_in_use, stands_where
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.casualties.casualties import suffer_together
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.codes import REAR
from wh_env.rulesets.wap.magic.deeds import nature_of, strike
from wh_env.rulesets.wap.magic.spells import Casting, Kind
from wh_env.rulesets.wap.magic.wizards import spell_at
from wh_env.rulesets.wap.morale.panic_causes import NOBODY, is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.shooting.hits import harm_to, saves_again, wounds_from
from wh_env.rulesets.wap.weapons.hit import Hit, Number


@dataclass(frozen=True)
class Burns(Consequence):
    """Each model of a unit takes a hit, from no side.

    Attributes:
        hit: that it takes. rule: of the spell.
    """

    hit: Hit
    rule: str

    def happen(self, g: BattleCore, k: int, unit: int) -> None:
        hit = self.hit._replace(nature=self.hit.nature | nature_of(Kind.HEX))
        lost, caster = dict[int, int](), g.effects.caster[k]
        by = block_of(g, caster) if caster >= 0 else NOBODY
        for row in wholly(g, unit):
            number = g.units.alive[row]
            if g.recorder is not None:
                g.note(self.rule, "is caught in a spell", unit=row, amount=number)
            harm = harm_to(g, row, wounds_from(g, row, number, hit), hit, REAR, 0)
            if harm.lost and not saves_again(g, row, harm, by):
                lost[row] = min(wounds_of(g, row), harm.lost)
                g.note("wap.shoot.sequence", "wounds", unit=by, target=row, amount=lost[row])
        suffer_together(g, lost, by)


@dataclass(frozen=True)
class Stabs(Consequence):
    """A unit takes hits of the spell.

    Attributes:
        number: of hits, (dice, sides, plus). hit: their Strength and rules.
    """

    number: Number
    hit: Hit

    def happen(self, g: BattleCore, k: int, unit: int) -> None:
        e = g.effects
        row = e.cast[k] - 1
        casting = Casting(e.player[k], e.caster[k], row, spell_at(g, row), 0, e.unit[k], 0)
        strike(g, casting, unit, rolled_number(g, self.number), self.hit)


# ---------------------------------------------------------------- at the end of each Magic phase


def threatened(g: BattleCore) -> Iterator[tuple[int, int]]:
    """(row of an effect, enemy unit) for each enemy in contact with a unit whose effect has thorns, in the order of the
    rows. Of effects of one name on a unit, with the characters in it, only one acts (wap.magic.same-spell).
    """
    met = set[tuple[str, int]]()
    for k in rows_in_use(g) if is_any_with(g, "thorns") else ():
        effect, block = effect_of(g, k), stands_where(g, g.effects.unit[k])
        if effect.thorns is None or (effect.name, block) in met:
            continue
        met.add((effect.name, block))
        for enemy in foes_of(g, block):
            if g.units.place[enemy] == ON_TABLE:
                yield k, enemy


class EndOfMagic(OfPlayer):
    """What spells do at the end of a Magic phase: one effect on one enemy after the other."""

    EFFECT = integer(count_of("effects"))  # rows of effects that are done
    ENEMY = integer(count_of("units"))  # rows of the enemies of the next one that are done

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        stack = g.stack
        done = stack[f + EndOfMagic.EFFECT], stack[f + EndOfMagic.ENEMY]
        k, enemy = next((pair for pair in threatened(g) if pair >= done), (-1, -1))
        thorns = effect_of(g, k).thorns if k >= 0 else None
        if thorns is None:
            return g.pop()
        stack[f + EndOfMagic.EFFECT], stack[f + EndOfMagic.ENEMY] = k, enemy + 1
        thorns.happen(g, k, enemy)
        return GO
