"""What bearers do with their items: the uses that need no chapter of their own."""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import Use, item_at
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.dice import rolled_number
from wh_env.rulesets.wap.basics.effects import Effect, begin_effect, number_of
from wh_env.rulesets.wap.codes import Phase

HELPFUL = 1.0  # points that an effect is assumed to be worth in a fight


@dataclass(frozen=True)
class BeginsEffect(Use):
    """An effect begins on the bearer.

    Attributes:
        number: rolled for the effect (``Effect.raises_by``), as (dice, sides, plus); no dice: nothing is.
    """

    effect: Effect
    number: tuple[int, int, int] = (0, 6, 0)

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
