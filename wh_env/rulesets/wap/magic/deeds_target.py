"""What spells do to units if it depends on the unit: how many hits it takes, how strong they are and what wounds it;
hits that go through ranks; and dice or tests for each of its models.
"""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, gap
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.characteristic_tests import best_of_model, characteristic_test
from wh_env.rulesets.wap.basics.combined_unit import has, most_models
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.basics.garrisons import is_inside
from wh_env.rulesets.wap.basics.ground import distance_to, features_of
from wh_env.rulesets.wap.basics.needed import BEST
from wh_env.rulesets.wap.basics.profiles import bounded, wholly
from wh_env.rulesets.wap.basics.special_rules import model_has
from wh_env.rulesets.wap.casualties.harm import Harm, Wounds
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.magic.deeds import Hits, blamed_for, hit_of, side_of, strike, strike_alone, who_is_hit
from wh_env.rulesets.wap.magic.spells import Casting, Deed, Judge
from wh_env.rulesets.wap.magic.targets import model_of
from wh_env.rulesets.wap.magic.wizards import is_bound, is_there, known_rows, level_of, spell_at
from wh_env.rulesets.wap.rule_book import SKIRMISHERS, SpecialRule
from wh_env.rulesets.wap.shooting.bolts import is_in_ranks, pierce, ranks_from
from wh_env.rulesets.wap.shooting.hits import harm_to, lose
from wh_env.rulesets.wap.weapons.hit import Hit, Number
from wh_env.rulesets.wap.weapons.saves import save_of, worn_points

FOREST, NEAR_FOREST = "forest", 3.0  # inches
NEAR_WIZARD = 12.0


def is_near_forest(g: BattleCore, unit: int) -> bool:
    """Whether a unit is within 3" of a forest."""
    forests = (ground for ground in features_of(g) if ground.kind == FOREST)
    return any(distance_to(g, unit, ground) <= NEAR_FOREST + EPS for ground in forests)


def complete_ranks(g: BattleCore, unit: int) -> int:
    """The ranks of a unit that are as wide as its first, that one included. Skirmishers have none
    (wap.special.skirmishers.no-ranks); a garrison stands in no ranks and counts as one.
    """
    if is_inside(g, unit):
        return 1
    return 0 if has(g, unit, SKIRMISHERS) else int(g.units.block[unit] // max(1, g.units.files[unit]))


def are_mostly(g: BattleCore, unit: int, rules: tuple[SpecialRule, ...]) -> bool:
    """Whether most models of a unit, with its characters, have one of these special rules."""
    return most_models(g, unit, lambda g, model: any(model_has(g, model, rule) for rule in rules))


def save_worn(g: BattleCore, unit: int) -> int:
    """The armour save of a unit's own models in close combat, unmodified and without Natural Armour; ``NO_SAVE``:
    none.
    """
    return save_of(worn_points(g, unit))


def other_wizards(g: BattleCore, casting: Casting) -> int:
    """The number of other wizards, friend or foe, within 12" of the caster who know a spell of the lore; none is near a
    spell of the ground.
    """
    if casting.caster < 0:
        return 0
    lore = casting.spell.lore
    return sum(
        any(spell_at(g, row).lore == lore and not is_bound(g, row) for row in known_rows(g, unit))
        for unit in range(len(g.units.owner))
        if unit != casting.caster and level_of(g, unit) and is_there(g, unit) and is_close(g, casting.caster, unit)
    )


def is_close(g: BattleCore, unit: int, other: int) -> bool:
    """Whether two characters are within 12" of each other; those in buildings are where these are."""
    block, beyond = block_of(g, unit), block_of(g, other)
    if block == beyond and is_inside(g, block):
        return True
    if is_inside(g, block) or is_inside(g, beyond):
        return distance(g, block, beyond) <= NEAR_WIZARD + EPS
    apart: float = g.work.call(gap, g.models.rows, model_of(g, unit), model_of(g, other))
    return apart <= NEAR_WIZARD + EPS


@dataclass(frozen=True)
class HitsByTarget(Hits):
    """A unit takes hits whose number, Strength or score to wound depends on it or on what is near
    (wap.lore.fire.piercing-bolts-of-burning, wap.lore.life.awakening-of-the-wood, wap.lore.light.shems-burning-gaze,
    wap.lore.light.banishment, wap.lore.metal.searing-doom).

    Attributes:
        versus, many: special rules, and the number of hits on units of which most models have one of them.
        near_forest: the number of hits on a unit near a forest; None: the same.
        per_rank: the number is rolled for each complete rank. by_wizards: other wizards of the lore near the caster
            each add 1 to the Strength. on_armour: the score that wounds is the unit's armour save.
    """

    versus: tuple[SpecialRule, ...] = ()
    many: Number | None = None
    near_forest: Number | None = None
    per_rank: bool = False
    by_wizards: bool = False
    on_armour: bool = False

    def number_on(self, g: BattleCore, unit: int) -> Number:
        if self.many is not None and are_mostly(g, unit, self.versus):
            return self.many
        if self.near_forest is not None and is_near_forest(g, unit):
            return self.near_forest
        return self.number

    def times(self, g: BattleCore, unit: int) -> int:
        return complete_ranks(g, unit) if self.per_rank else 1

    def hit_on(self, g: BattleCore, casting: Casting, unit: int) -> Hit:
        hit = self.hit
        if self.by_wizards:
            hit = hit._replace(strength=bounded(hit.strength + other_wizards(g, casting)))
        if self.on_armour:
            hit = hit._replace(needs=max(BEST, save_worn(g, unit)))
        return hit


@dataclass(frozen=True)
class Bolt(Deed):
    """A hit that goes through ranks as a bolt does (wap.lore.beasts.amber-spear, wap.machine.bolt-thrower.pierce)."""

    hit: Hit

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        if not is_in_ranks(g, unit):
            strike(g, casting, unit, 1, self.hit)
            return
        spell = casting.spell
        if g.recorder is not None:
            g.note(spell.rule, "spell hits", unit=casting.caster, target=unit, name=spell.name, amount=1)
        pierce(g, blamed_for(g, casting), unit, hit_of(g, spell, self.hit), side_of(g, casting, unit))

    def fall(self, g: BattleCore, casting: Casting, unit: int, number: int) -> None:
        strike_alone(g, casting, unit, number, self.hit)

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        kind, side = hit_of(g, casting.spell, self.hit), side_of(g, casting, unit)
        if not is_in_ranks(g, unit):
            shares = who_is_hit(g, casting, unit).items()
            return sum(share * judge.of_bolt(g, row, [kind], side_of(g, casting, row)) for row, share in shares)
        ranks = len(ranks_from(g, unit, side))
        hits = [kind._replace(strength=kind.strength - passed) for passed in range(min(ranks, kind.strength))]
        return judge.of_bolt(g, unit, hits, side)


@dataclass(frozen=True)
class EachModel(Deed):
    """For each model of a unit and of the characters in it a die is rolled or a test is taken; who is unlucky suffers a
    wound (wap.lore.metal.final-transmutation, wap.lore.life.dwellers-below).

    Attributes:
        hit: the rules of the wounds.
        needs, needs_of_many: the least die that wounds a model of one Wound, and a model of more.
        test: the characteristic on which models test instead; empty: none.
    """

    hit: Hit
    needs: int = 0
    needs_of_many: int = 0
    test: str = ""

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        rows = wholly(g, unit)
        struck = {row: sum(self.is_struck(g, casting, k) for k in list(g.members(row))) for row in rows}
        spell, hit, by = casting.spell, hit_of(g, casting.spell, self.hit), blamed_for(g, casting)
        side, lost = side_of(g, casting, unit), dict[int, Harm]()
        for row in rows:
            if g.recorder is not None:
                told = {"unit": casting.caster, "target": row, "name": spell.name, "amount": struck[row]}
                g.note(spell.rule, "spell wounds", **told)
            lost[row] = harm_to(g, row, Wounds(struck[row], 0, 0, ()), hit, side, 0)
        for row in rows:
            lose(g, row, lost[row], by)

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        hit = hit_of(g, casting.spell, self.hit)
        return sum(
            judge.of_hits(g, row, (0, FACES, g.units.alive[row]), hit._replace(needs=self.score(g, row)), FRONT)
            for row in wholly(g, unit)
        )

    def score(self, g: BattleCore, row: int) -> int:
        """The die that wounds the models of a unit, the tests that they take counted as such dice."""
        if self.test:
            return FACES + 1 - max(1, FACES - best_of_model(g, g.units.first_line[row], self.test))
        return self.needs_of_many if g.models.max_wounds[g.units.first[row]] > 1 else self.needs

    def is_struck(self, g: BattleCore, casting: Casting, model: int) -> bool:
        """Roll the die or take the test of a model."""
        if self.test:
            return not characteristic_test(g, g.models.line[model], self.test, casting.spell.rule)
        return g.d6() >= (self.needs_of_many if g.models.max_wounds[model] > 1 else self.needs)


@dataclass(frozen=True)
class Gilds(Deed):
    """The unit, or what is left of it, dazzles the units of its side when their next turn begins
    (wap.lore.metal.final-transmutation.gold-fever).
    """

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        g.wizards.gilded[unit] = 1
