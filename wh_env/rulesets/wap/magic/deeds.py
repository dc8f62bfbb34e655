"""What spells do: hits, wounds and effects (wap.magic.resolve, wap.magic.damage.kind)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.basics.effects import Effect, On, begin_effect, effects_of
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.quarters import quarter_of
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.magic.spells import Casting, Deed, Kind
from wh_env.rulesets.wap.magic.targets import AHEAD, model_of
from wh_env.rulesets.wap.morale.panic_causes import NOBODY
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, FROM_AFAR, MAGICAL, SPELL, Hit, Number

# the nature of hits by the type of their spell; hits of other spells count as direct damage does
OF_KIND = {Kind.MISSILE: FROM_AFAR["magic missile"], Kind.VORTEX: FROM_AFAR["vortex"]}


def nature_of(kind: Kind) -> int:
    """The nature of the hits of a spell: they are magical and need no dice to hit (wap.magic.damage.kind,
    wap.magic.type.missile.auto-hit).
    """
    return AUTOMATIC | MAGICAL | SPELL | OF_KIND.get(kind, FROM_AFAR["direct damage"])


def side_of(g: BattleCore, casting: Casting, unit: int) -> int:
    """The side of a unit's block from which a spell comes: that on which the wizard stands."""
    model = model_of(g, casting.caster)
    block = block_of(g, unit)
    return quarter_of(g, block, g.models.x[model], g.models.y[model]) if g.models.on_table[model] else FRONT


def has_hit(g: BattleCore, casting: Casting, unit: int) -> None:
    """Remember that a missile or direct damage of a lore has hit a unit in this phase
    (wap.lore.fire.attribute-extra-hits).
    """
    if casting.spell.kind in AHEAD:
        g.wizards.hit_by[unit] |= 1 << casting.spell.lore


def strike(g: BattleCore, casting: Casting, unit: int, number: int, hit: Hit) -> int:
    """A unit takes hits of a spell. Returns how many models fall."""
    spell = casting.spell
    if g.recorder is not None:
        g.note(spell.rule, "spell hits", unit=casting.caster, target=unit, name=spell.name, amount=number)
    if number <= 0:
        return 0
    has_hit(g, casting, unit)
    kind = hit._replace(nature=hit.nature | nature_of(spell.kind))
    return take_hits(g, unit, [(number, kind)], side_of(g, casting, unit), NOBODY)


@dataclass(frozen=True)
class Hits(Deed):
    """A unit takes hits.

    Attributes:
        number: of hits, (dice, sides, plus). hit: their Strength and rules.
        more: hits of further dice if a spell of the lore has hit the unit before in this phase.
    """

    number: Number
    hit: Hit
    more: Number | None = None

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        number = rolled_number(g, self.number)
        again = bool(g.wizards.hit_by[unit] >> casting.spell.lore & 1) and casting.spell.kind in AHEAD
        if self.more is not None and again:
            number += rolled_number(g, self.more)
        strike(g, casting, unit, number, self.hit)


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

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        own = unit == block_of(g, casting.caster) or self.effect.on is On.MODELS
        target = casting.caster if own and casting.spell.kind is not Kind.HEX else unit
        effect = self.besides if is_character(g, target) else self.effect
        number = effects_of(g).index(effect)
        cast = casting.row + 1 if casting.spell.remains else 0
        amount = half_a_die(g) if effect.lowers_by else 0
        begin_effect(g, number, target, casting.player, casting.caster, cast, amount)


def half_a_die(g: BattleCore) -> int:
    """A D3."""
    return -(-g.d6() // 2)
