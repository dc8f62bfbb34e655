"""What spells do: hits, wounds and effects (wap.magic.resolve, wap.magic.damage.kind)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import times_of
from wh_env.rulesets.wap.basics.effects import Effect, On, begin_effect, number_of
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.quarters import quarter_of
from wh_env.rulesets.wap.casualties.changed_profiles import slay_the_spent
from wh_env.rulesets.wap.codes import FRONT, REAR
from wh_env.rulesets.wap.magic.fate_of_hits import is_asked_about
from wh_env.rulesets.wap.magic.lookouts import let_look_out
from wh_env.rulesets.wap.magic.spells import Casting, Deed, Judge, Kind, Spell, lore_of
from wh_env.rulesets.wap.magic.targets import acted_on, model_of
from wh_env.rulesets.wap.morale.panic_causes import NOBODY, ground_source
from wh_env.rulesets.wap.shooting.allotting import heads_in, is_few
from wh_env.rulesets.wap.shooting.hits import freeze, take_hits
from wh_env.rulesets.wap.shooting.looking_out import looking_out, shares_of_hits
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, FROM_AFAR, MAGICAL, SPELL, Hit, Number

# the nature of hits by the type of their spell; hits of other spells count as direct damage does
OF_KIND = {Kind.MISSILE: FROM_AFAR["magic missile"], Kind.VORTEX: FROM_AFAR["vortex"]}


def nature_of(kind: Kind) -> int:
    """The nature of the hits of a spell: they are magical and need no dice to hit (wap.magic.damage.kind,
    wap.magic.type.missile.auto-hit).
    """
    return AUTOMATIC | MAGICAL | SPELL | OF_KIND.get(kind, FROM_AFAR["direct damage"])


def side_of(g: BattleCore, casting: Casting, unit: int) -> int:
    """The side of a unit's block from which a spell comes: that on which the wizard stands. A spell of the ground comes
    from no side.
    """
    if casting.caster < 0:
        return REAR
    model = model_of(g, casting.caster)
    block = block_of(g, unit)
    return quarter_of(g, block, g.models.x[model], g.models.y[model]) if g.models.on_table[model] else FRONT


def blamed_for(g: BattleCore, casting: Casting) -> int:
    """The source of the losses by a spell: the unit of the caster (wap.magic.resolve.panic), or the ground that casts
    it (wap.panic.direction.heavy).
    """
    if casting.caster >= 0:
        return block_of(g, casting.caster)
    return ground_source(g, casting.ground) if casting.ground >= 0 else NOBODY


def hit_of(g: BattleCore, spell: Spell, hit: Hit) -> Hit:
    """A hit of a spell, with what the type of the spell and its lore add to it (wap.magic.damage.kind)."""
    return hit._replace(nature=hit.nature | nature_of(spell.kind) | lore_of(g, spell).attribute.nature)


def is_looked_out_for(casting: Casting) -> bool:
    """Whether units look out for lone characters whom the spell hits: it is a missile of a wizard
    (wap.character.lone.look-out-sir).
    """
    return casting.spell.kind is Kind.MISSILE and casting.caster >= 0


def who_is_hit(g: BattleCore, casting: Casting, unit: int) -> dict[int, float]:
    """The share of the hits of a spell on a unit that each unit takes on average."""
    return shares_of_hits(g, unit) if is_looked_out_for(casting) else {unit: 1.0}


def strike(
    g: BattleCore, casting: Casting, unit: int, number: int, hit: Hit, *, shared: bool = True, warned: bool = True,
    of_row: Callable[[int], Hit] | None = None,
) -> int:  # fmt: skip
    """A unit takes hits of a spell, in a building as in the open (wap.building.magic.no-protection). The lore brings no
    more hits to a spell of the ground. Returns how many models fall.

    Args:
        shared: the characters in it may take some of the hits. of_row: the hit as each of them takes it, by his row.
        warned: units near a lone character may look out for him, if it is a missile.
    """
    spell = casting.spell
    if casting.caster >= 0:
        number = lore_of(g, spell).attribute.hits_on(g, casting, unit, number)
    if g.recorder is not None:
        g.note(spell.rule, "spell hits", unit=casting.caster, target=unit, name=spell.name, amount=number)
    if number <= 0:
        return 0
    if warned and is_looked_out_for(casting) and looking_out(g, unit):
        let_look_out(g, casting, unit, number)
        return 0
    kind, side = hit_of(g, spell, hit), side_of(g, casting, unit)
    freeze(g, unit, [(number, kind)])
    shares, by = shared_among(g, unit, number) if shared else {unit: number}, blamed_for(g, casting)
    kinds = {row: kind if of_row is None else hit_of(g, spell, of_row(row)) for row in shares}
    return sum(take_hits(g, row, [(hits, kinds[row])], side, by) for row, hits in reversed(shares.items()))


def strike_alone(g: BattleCore, casting: Casting, unit: int, number: int, hit: Hit) -> None:
    """A unit takes hits of a missile that fell on it, or on a lone character whom it looked out for."""
    kind = hit_of(g, casting.spell, hit)
    freeze(g, unit, [(number, kind)])
    take_hits(g, unit, [(number, kind)], side_of(g, casting, unit), blamed_for(g, casting))


def shared_among(g: BattleCore, unit: int, number: int) -> dict[int, int]:
    """The hits of a spell on a unit that fall on it and on each character in it: all on its own models, unless so few
    of them are left that each model takes one before any takes a second (wap.character.shooting.few-left). Those left
    over fall on its own models first.
    """
    if len(wholly(g, unit)) == 1 or not is_few(g, unit):
        return {unit: number}
    heads = heads_in(g, unit)
    each, rest = divmod(number, sum(heads.values()))
    found = {}
    for row, models in heads.items():
        more = min(rest, models)
        rest -= more
        if hits := each * models + more:
            found[row] = hits
    return found


@dataclass(frozen=True)
class Hits(Deed):
    """A unit takes hits (wap.lore.fire.fireball, wap.lore.beasts.flock-of-doom, wap.lore.heavens.urannons-thunderbolt).

    Attributes:
        number: of hits, (dice, sides, plus) or a multiple. hit: their Strength and rules.
    """

    number: Number
    hit: Hit

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        dice, sides, plus = self.number_on(g, unit)[:3]
        rolled = [g.roll(1, sides) for _ in range(dice * self.times(g, unit))]
        if not is_asked_about(g, casting, unit, rolled, sides, plus):
            self.land(g, casting, unit, sum(rolled) + plus)

    def land(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        number *= times_of(self.number_on(g, unit))
        strike(g, casting, unit, number, self.hit_on(g, casting, unit), of_row=partial(self.hit_on, g, casting))

    def fall(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        strike_alone(g, casting, unit, number, self.hit_on(g, casting, unit))

    def hit_on(self, g: BattleCore, casting: Casting, unit: int) -> Hit:
        """The hit as a unit takes it."""
        return self.hit

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        number, times = self.number_on(g, unit), self.times(g, unit)
        worth = 0.0
        for row, share in who_is_hit(g, casting, unit).items():
            kind = hit_of(g, casting.spell, self.hit_on(g, casting, row))
            worth += judge.of_hits(g, row, number, kind, side_of(g, casting, row), share) * times
        return worth

    def number_on(self, g: BattleCore, unit: int) -> Number:
        """The number of hits on a unit."""
        return self.number

    def times(self, g: BattleCore, unit: int) -> int:
        """How often that number is rolled."""
        return 1


@dataclass(frozen=True)
class Puts(Deed):
    """An effect begins to act on a unit. On the wizard's own unit, or on a lone character, it is on the character and
    on the unit that he stands in (wap.magic.type.augment.leaving, wap.character.spells.character-affected).
    """

    effect: Effect

    def effects(self) -> tuple[Effect, ...]:
        return (self.effect, self.besides)

    @property
    def besides(self) -> Effect:
        """The effect as a character has it."""
        return replace(self.effect, on=On.BESIDES) if self.effect.on is On.UNIT else self.effect

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        return judge.of_effect(g, unit, self.effect, helps=g.units.owner[unit] == casting.player)

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        by_wizard = casting.caster >= 0
        own = by_wizard and (unit == block_of(g, casting.caster) or self.effect.on is On.MODELS)
        target = casting.caster if own and casting.spell.kind is not Kind.HEX else unit
        effect = self.besides if is_character(g, target) else self.effect
        number = number_of(g, effect)
        cast = casting.row + 1 if casting.spell.remains and by_wizard else 0
        amount = half_a_die(g) if effect.lowers_by else 0
        for row in self.bearers(g, casting, target):
            begin_effect(g, number, row, casting.player, casting.caster, cast, amount)
        if effect.deadly:
            slay_the_spent(g)

    def bearers(self, g: BattleCore, casting: Casting, target: int) -> list[int]:
        """The units that the effect begins on, whose target is ``target``: of several characters who are a unit by
        themselves each has it, but a wizard has what he casts on himself alone. One that adds up is on the first.
        """
        each = is_character(g, target) and target != casting.caster and not self.effect.adds_up
        return wholly(g, target) if each else [target]


@dataclass(frozen=True)
class PutsOnCaster(Deed):
    """An effect begins on the caster, as long as he keeps the spell up, that acts wherever it matters
    (wap.item.enchanted.orb-of-thunder).
    """

    effect: Effect

    @property
    def once(self) -> bool:
        return True

    def effects(self) -> tuple[Effect, ...]:
        return (self.effect,)

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        """It harms all its targets."""
        owner, found = g.units.owner, 0.0
        for target in acted_on(g, casting.caster, casting.spell, casting.target, everyone=True, inches=0.0):
            harm = judge.of_other(g, target, casting.spell.kind)
            found += harm if owner[target] == owner[unit] else -harm
        return found

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        number = number_of(g, self.effect)
        begin_effect(g, number, casting.caster, casting.player, casting.caster, casting.row + 1)


def half_a_die(g: BattleCore) -> int:
    """A D3."""
    return -(-g.d6() // 2)
