"""What spells do to a single model that the caster has named: hits, a contest of wills, effects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import FACES, times_of
from wh_env.rulesets.wap.basics.effects import Effect, begin_effect, number_of
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.casualties.harm import Wounds, roll_to_wound, wounds_by_score
from wh_env.rulesets.wap.casualties.removing import strike_down
from wh_env.rulesets.wap.magic.deeds import hit_of, side_of
from wh_env.rulesets.wap.magic.fate_of_hits import is_asked_about
from wh_env.rulesets.wap.magic.models import is_reached, models_meant
from wh_env.rulesets.wap.magic.spells import Casting, Deed, Judge, lore_of
from wh_env.rulesets.wap.magic.targets import model_of
from wh_env.rulesets.wap.shooting.hits import harm_to, saves_again
from wh_env.rulesets.wap.troops.war_machines import toughness_against_shots
from wh_env.rulesets.wap.weapons.hit import Hit, Number

STRENGTH, TOUGHNESS, LEADERSHIP = "s", "t", "ld"


def value_of(g: BattleCore, model: int, name: str) -> int:
    """A characteristic of a model: its own, not that of a mount; its Toughness is the one that attacks from afar meet
    (wap.troop.cavalry.attacked).
    """
    line = g.models.line[model]
    if name == TOUGHNESS:
        return toughness_against_shots(g, g.models.unit[model], line)
    return characteristic(g, line, name)


def wound(g: BattleCore, casting: Casting, wounds: Wounds, hit: Hit) -> None:
    """The model that was named takes rolled wounds: saves, and the Wounds that it alone loses. What it cannot lose is
    lost (wap.character.combat.excess-wounds).
    """
    model = casting.model
    row = g.models.unit[model]
    side = side_of(g, casting, block_of(g, row))
    harm, by = harm_to(g, row, wounds, hit, side, 0), block_of(g, casting.caster)
    lost = min(g.models.wounds[model], harm.lost)
    if not lost:
        return
    told = {"unit": casting.caster, "target": row, "name": casting.spell.name, "model": model, "amount": lost}
    g.note(casting.spell.rule, "spell wounds", **told)
    if not saves_again(g, row, harm, by):
        strike_down(g, model, lost, by)
    lore_of(g, casting.spell).attribute.has_wounded(g, casting, lost)


@dataclass(frozen=True)
class ModelHits(Deed):
    """A single model takes hits, for which nobody can look out (wap.lore.metal.gehennas-golden-hounds,
    wap.lore.death.caress-of-laniph, wap.lore.death.fate-of-bjuna).

    Attributes:
        number: of hits, (dice, sides, plus). hit: their Strength and rules.
        less: the characteristic of the model by which there are fewer; empty: none.
    """

    number: Number
    hit: Hit
    less: str = ""

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        if not is_reached(g, casting):
            return
        dice, sides, plus = self.number[:3]
        rolled = [g.roll(1, sides) for _ in range(dice)]
        if not is_asked_about(g, casting, unit, rolled, sides, plus):
            self.land(g, casting, unit, sum(rolled) + plus)

    def land(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        model, spell = casting.model, casting.spell
        row = g.models.unit[model]
        number = max(0, number * times_of(self.number) - (value_of(g, model, self.less) if self.less else 0))
        if g.recorder is not None:
            told = {"unit": casting.caster, "target": row, "name": spell.name, "model": model, "amount": number}
            g.note(spell.rule, "spell hits", **told)
        hit = hit_of(g, spell, self.hit)
        if hit.needs:
            wounds = wounds_by_score(g, row, number, hit)
        else:
            wounds = roll_to_wound(g, row, number, hit, value_of(g, model, TOUGHNESS))
        if g.recorder is not None and number:
            told = {"amount": number, "needed": wounds.needed, "rolls": wounds.shown, "result": wounds.number}
            g.note("wap.shoot.wound.roll", "to wound", unit=casting.caster, target=row, **told)
        wound(g, casting, wounds, hit)

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        hit = hit_of(g, casting.spell, self.hit)
        return min(
            (
                judge.of_model(g, model, self.chances(judge, g, model), hit, value_of(g, model, TOUGHNESS))
                for model in models_meant(g, casting, unit)
            ),
            default=0.0,
        )

    def chances(self, judge: Judge, g: BattleCore, model: int) -> Mapping[int, float]:
        """The chance of each number of hits on a model."""
        less, found = value_of(g, model, self.less) if self.less else 0, dict[int, float]()
        for number, chance in judge.of_number(self.number).items():
            found[max(0, number - less)] = found.get(max(0, number - less), 0.0) + chance
        return found


@dataclass(frozen=True)
class Contest(Deed):
    """The caster and a single model each roll a D6 and add a characteristic of their own. By as much as the caster has
    more, the model is wounded (wap.lore.death.spirit-leech).

    Attributes:
        adds: the characteristic. hit: the rules of the wounds.
    """

    adds: str
    hit: Hit

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        if not is_reached(g, casting):
            return
        models = (model_of(g, casting.caster), casting.model)
        rolls = (g.d6(), g.d6())
        mine, other = (die + value_of(g, model, self.adds) for die, model in zip(rolls, models, strict=True))
        if g.recorder is not None:
            told = {"unit": casting.caster, "target": g.models.unit[casting.model], "model": casting.model}
            g.note(casting.spell.rule, "contest", rolls=rolls, totals=(mine, other), **told)
        if mine > other:
            wound(g, casting, Wounds(mine - other, 0, 0, ()), hit_of(g, casting.spell, self.hit))

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        hit = hit_of(g, casting.spell, self.hit)._replace(needs=1)
        own = value_of(g, model_of(g, casting.caster), self.adds)
        return min(
            (
                judge.of_model(g, model, self.chances(own - value_of(g, model, self.adds)), hit, 0)
                for model in models_meant(g, casting, unit)
            ),
            default=0.0,
        )

    @staticmethod
    def chances(lead: int) -> Mapping[int, float]:
        """The chance of each number of wounds, if the caster's characteristic is higher by ``lead``."""
        found = dict[int, float]()
        for mine in range(1, FACES + 1):
            for other in range(1, FACES + 1):
                number = max(0, mine - other + lead)
                found[number] = found.get(number, 0.0) + 1.0 / FACES**2
        return found


@dataclass(frozen=True)
class PutsOnModel(Deed):
    """An effect begins to act on a single model, if it lives: on a character wherever he stands, on another with the
    models of its unit, which are alike (wap.lore.beasts.panns-impenetrable-pelt,
    wap.lore.beasts.savage-beast-of-horros, wap.lore.death.fate-of-bjuna).
    """

    effect: Effect

    def effects(self) -> tuple[Effect, ...]:
        return (self.effect,)

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        if not is_reached(g, casting):
            return
        number, cast = number_of(g, self.effect), casting.row + 1 if casting.spell.remains else 0
        begin_effect(g, number, g.models.unit[casting.model], casting.player, casting.caster, cast)

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        helps = g.units.owner[unit] == casting.player
        rows = {g.models.unit[model] for model in models_meant(g, casting, unit)}
        found = [judge.of_effect(g, row, self.effect, helps=helps) for row in rows]
        return max(found, key=abs, default=0.0)
