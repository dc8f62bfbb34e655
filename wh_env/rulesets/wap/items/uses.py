"""What bearers do with their items: the uses that need no chapter of their own."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import Use, item_at
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import Number, rolled_number
from wh_env.rulesets.wap.basics.effects import Effect, begin_effect, number_of, unchanged
from wh_env.rulesets.wap.codes import Phase

HELPFUL = 1.0  # points that an effect is assumed to be worth in a fight


@dataclass(frozen=True)
class BeginsEffect(Use):
    """An effect begins on the bearer.

    Attributes:
        number: rolled for the effect (``Effect.raises_by``), as (dice, sides, plus) or a multiple; no dice: nothing is.
    """

    effect: Effect
    number: Number = (0, 6, 0)

    def effects(self) -> tuple[Effect, ...]:
        return (self.effect,)

    def act(self, g: BattleCore, k: int) -> None:
        unit, amount = g.items.unit[k], rolled_number(g, self.number)
        begin_effect(g, number_of(g, self.effect), unit, g.units.owner[unit], unit, amount=amount)
        for name in self.effect.raises_by:
            g.note(item_at(g, k).rule, "gains for a time", unit=unit, name=name, amount=amount)

    def worth(self, g: BattleCore, k: int) -> float:
        """It helps in a fight of this phase."""
        fights = g.clock.phase[0] == Phase.COMBAT and g.units.fights[block_of(g, g.items.unit[k])]
        return HELPFUL if fights else 0.0


@dataclass(frozen=True)
class Heals(Use):
    """The bearer recovers lost Wounds in his own turn, up to those of his own profile: Wounds that a mount gives do not
    count (wap.item.enchanted.healing-potion).

    Attributes:
        number: the Wounds that he recovers, as (dice, sides, plus).
    """

    number: Number

    def lost(self, g: BattleCore, k: int) -> int:
        """The Wounds that he could recover."""
        m, model = g.models, g.units.first[g.items.unit[k]]
        return min(m.max_wounds[model], unchanged(g, m.line[model], "w")) - m.wounds[model]

    def may(self, g: BattleCore, k: int) -> bool:
        return bool(g.units.owner[g.items.unit[k]] == g.clock.turn[0]) and self.lost(g, k) > 0

    def act(self, g: BattleCore, k: int) -> None:
        unit, back = g.items.unit[k], min(self.lost(g, k), rolled_number(g, self.number))
        g.models.wounds[g.units.first[unit]] += back
        g.note(item_at(g, k).rule, "is healed", unit=unit, amount=back)

    def worth(self, g: BattleCore, k: int) -> float:
        """A bearer who has lost one Wound waits, unless he has only one left."""
        left = g.models.wounds[g.units.first[g.items.unit[k]]]
        return float(self.lost(g, k) - (left > 1))
