"""The exact chances of an attempt to cast a spell: that it is cast, that it is dispelled, that it miscasts; and the
Wounds that its hits cost on average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.effects import Effect
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.magic.deeds import who_is_hit
from wh_env.rulesets.wap.magic.spell_dice import LEAST, chance_of, chance_of_miscast, totals
from wh_env.rulesets.wap.magic.spells import Casting, Judge, Kind
from wh_env.rulesets.wap.magic.thrones import deeds_of
from wh_env.rulesets.wap.view.judge_magic import loss_by_bolt, loss_by_hits, losses_of_model
from wh_env.rulesets.wap.view.odds_harm import number_chances
from wh_env.rulesets.wap.weapons.hit import Hit, Number


class Attempt(NamedTuple):
    """An attempt to cast a spell with a number of dice.

    Attributes:
        dice: how many. cast: the chance to reach each version. dispelled: the chance that it is dispelled if the base
            version is reached. miscast: the chance that it miscasts.
    """

    dice: int
    cast: tuple[float, ...]
    dispelled: float
    miscast: float


def attempt(dice: int, values: tuple[int, ...], bonus: int, against: int, against_bonus: int) -> Attempt:
    """The chances of an attempt.

    Args:
        values: the casting values of the versions, the base version first. bonus: of the wizard.
        against, against_bonus: dice with which it is dispelled, and the bonus of who does.
    """
    cast = tuple(chance_of(dice, value - bonus) for value in values)
    dispelled = 0.0
    for total, chance in enumerate(totals(dice)):
        if against and total >= max(LEAST, values[0] - bonus):
            dispelled += chance * chance_of(against, total + bonus - against_bonus)
    return Attempt(dice, cast, dispelled / cast[0] if cast[0] else 0.0, chance_of_miscast(dice))


class Wounds(Judge):
    """What spells cost units in Wounds, as numbers below 0; effects cost none."""

    def of_hits(self, g: BattleCore, unit: int, number: Number, hit: Hit, side: int, share: float = 1.0) -> float:
        return -loss_by_hits(g, unit, number, hit, side, share)

    def of_bolt(self, g: BattleCore, unit: int, hits: Sequence[Hit], side: int) -> float:
        return -loss_by_bolt(g, unit, hits, side)

    def of_number(self, number: Number) -> Mapping[int, float]:
        return number_chances(number)

    def of_model(self, g: BattleCore, model: int, number: Mapping[int, float], hit: Hit, toughness: int) -> float:
        return -float(sum(n * chance for n, chance in enumerate(losses_of_model(g, model, number, hit, toughness))))

    def of_effect(self, g: BattleCore, unit: int, effect: Effect, *, helps: bool) -> float:
        return 0.0

    def of_rally(self, g: BattleCore, unit: int) -> float:
        return 0.0

    def of_other(self, g: BattleCore, unit: int, kind: Kind) -> float:
        return 0.0


WOUNDS = Wounds()


def wounds_on_average(g: BattleCore, casting: Casting, unit: int) -> float:
    """Average Wounds that a spell costs a unit at once in the version of the casting; those of a unit that looks out
    for a lone character are among them.
    """
    found = -sum(deed.worth(WOUNDS, g, casting, unit) for deed in deeds_of(g, casting))
    return min(found, float(sum(wounds_of(g, row) for row in who_is_hit(g, casting, unit))))
