"""Magic items that act by themselves on the first hit or the first wound that their bearer suffers
(wap.item.armour.charmed-shield, wap.item.talisman.opal-amulet).
"""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import Moment, Use, is_carried, is_left, item_at, items_of, spend
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls, is_hit, rolled


@dataclass(frozen=True)
class Charm(Use):
    """It cancels the first hit, or the first wound, that its bearer suffers, by a die.

    Attributes:
        needed: the score that cancels it.
    """

    needed: int = 0


def charm_of(g: BattleCore, unit: int, moment: Moment) -> int:
    """The row of ``items`` of a charm of a unit that is left for a hit or a wound; -1: it has none."""
    for k in range(len(g.items.unit)) if items_of(g) else ():
        if g.items.unit[k] == unit and isinstance(item_at(g, k).use_at(moment), Charm):
            if is_left(g, k) and is_carried(g, k):
                return k
    return -1


def cancels(g: BattleCore, unit: int, moment: Moment, event: str, rerolls: Rerolls = NONE) -> int:
    """A unit suffers a hit or a wound: its charm is used up, if it has one. Returns 1 if that cancels it, else 0."""
    k = charm_of(g, unit, moment)
    if k < 0:
        return 0
    charm = item_at(g, k).use_at(moment)
    assert isinstance(charm, Charm)
    spend(g, k)
    die = rolled(g, 1, charm.needed, rerolls)[0]
    saved = int(is_hit(die, charm.needed))
    told = {"unit": unit, "name": item_at(g, k).name, "die": die, "needed": charm.needed, "result": saved}
    g.note(item_at(g, k).rule, event, **told)
    return saved


def hits_that_land(g: BattleCore, unit: int, hits: int) -> int:
    """How many of the hits on a unit its charm does not cancel; of several at once it cancels one."""
    return hits - cancels(g, unit, Moment.FIRST_HIT, "ignores a hit") if hits else 0


def wounds_charmed_away(g: BattleCore, unit: int, wounds: int, rerolls: Rerolls) -> tuple[int, int]:
    """A unit suffers wounds that its armour has not stopped. Returns how many of them its charm has answered for, 0 or
    1, and how many of those it has not cancelled.
    """
    if not wounds or charm_of(g, unit, Moment.FIRST_WOUND) < 0:
        return 0, 0
    return 1, 1 - cancels(g, unit, Moment.FIRST_WOUND, "saves a wound", rerolls)
