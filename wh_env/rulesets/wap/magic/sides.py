"""From whose side the friends and enemies of a spell are seen: that of its wizard, or that of the bearer of an item who
chooses its target (wap.item.arcane.scroll-of-the-hypnotic-eye).
"""

from __future__ import annotations

from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.basics.carried import Use, item_at, items_of

TAKEN = 2  # ``items.charge`` of an item whose bearer chooses the target of the spell that is being cast


@dataclass(frozen=True)
class TakesTarget(Use):
    """Its bearer may come to choose the target of an enemy spell, as if he had cast it himself."""


def side_of(g: BattleCore, wizard: int) -> int:
    """The unit whose friends and enemies count for a spell of a wizard: he himself, or the enemy who chooses its
    target.
    """
    for k, charge in enumerate(g.items.charge.tolist()) if items_of(g) else ():
        if charge == TAKEN and any(isinstance(use, TakesTarget) for use in item_at(g, k).uses):
            bearer: int = g.items.unit[k]
            return bearer if g.units.owner[bearer] != g.units.owner[wizard] else wizard
    return wizard


def who_aims(g: BattleCore, wizard: int) -> int:
    """The player who chooses the targets of a wizard's spell."""
    player: int = g.units.owner[side_of(g, wizard)]
    return player
