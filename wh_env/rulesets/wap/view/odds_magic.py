"""The exact chances of an attempt to cast a spell: that it is cast, that it is dispelled, that it miscasts; and the
Wounds that its hits cost on average.
"""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.magic.deeds import Hits, nature_of, side_of
from wh_env.rulesets.wap.magic.spell_dice import LEAST, chance_of, chance_of_miscast, totals
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.magic.thrones import deeds_of
from wh_env.rulesets.wap.shooting.hits import toughness_of
from wh_env.rulesets.wap.view.judge_magic import mean_loss
from wh_env.rulesets.wap.view.odds_harm import harm_of
from wh_env.rulesets.wap.weapons.hit import RANGED


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


def wounds_on_average(g: BattleCore, casting: Casting, unit: int) -> float:
    """Average Wounds that the hits of a spell cost a unit in the version of the casting."""
    found, left = 0.0, wounds_of(g, unit)
    for deed in deeds_of(g, casting):
        if isinstance(deed, Hits):
            hit = deed.hit._replace(nature=deed.hit.nature | nature_of(casting.spell.kind) | RANGED)
            harm = harm_of(g, unit, hit, toughness_of(g, unit), side_of(g, casting, unit))
            found += mean_loss(deed.number, harm, left)
    return min(found, float(left))
