"""What spells of lasting effects do besides: ice, rallying, and effects that depend on the rules of the target."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.combined_unit import most_models
from wh_env.rulesets.wap.basics.effects import Effect
from wh_env.rulesets.wap.basics.special_rules import model_has
from wh_env.rulesets.wap.compulsory.rally import Rally
from wh_env.rulesets.wap.magic.deeds import Puts
from wh_env.rulesets.wap.magic.spells import Casting, Deed, Judge
from wh_env.rulesets.wap.rule_book import Grant, SpecialRule
from wh_env.rulesets.wap.shooting.hits import chill


@dataclass(frozen=True)
class Chills(Deed):
    """Ice slows a unit until the caster's next turn begins (wap.special.ice-attacks.ranged)."""

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        chill(g, unit)


@dataclass(frozen=True)
class Rallies(Deed):
    """A fleeing unit rallies without a test, and reforms as after one (wap.lore.light.light-of-battle,
    wap.compulsory.rally.reform).
    """

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        if g.units.fleeing[unit]:
            Rally.without_test(g, unit)

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        return judge.of_rally(g, unit)


@dataclass(frozen=True)
class PutsByRule(Puts):
    """``Puts``, but a unit most models of which have a special rule already gains others in place of those of the
    effect (wap.lore.death.aspect-of-the-dreadknight).

    Attributes:
        had: the rule. instead: what the unit gains then.
    """

    had: SpecialRule
    instead: tuple[Grant, ...]

    @property
    def other(self) -> Puts:
        """What is done to a unit that has the rule."""
        return Puts(replace(self.effect, grants=self.instead))

    def effects(self) -> tuple[Effect, ...]:
        return (*super().effects(), *self.other.effects())

    def is_had(self, g: BattleCore, unit: int) -> bool:
        """Whether most models of a unit have the rule, its characters included."""
        return most_models(g, unit, lambda g, model: model_has(g, model, self.had))

    def act(self, g: BattleCore, casting: Casting, unit: int) -> None:
        if self.is_had(g, unit):
            self.other.act(g, casting, unit)
        else:
            super().act(g, casting, unit)

    def worth(self, judge: Judge, g: BattleCore, casting: Casting, unit: int) -> float:
        if self.is_had(g, unit):
            return self.other.worth(judge, g, casting, unit)
        return super().worth(judge, g, casting, unit)
