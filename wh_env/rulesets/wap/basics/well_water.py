"""What the water of a wyrding well does to those who drink it (wap.terrain.monument.wyrding-well)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.codes import POISONED


def is_poisoned(g: BattleCore, unit: int) -> bool:
    """Whether the models of a unit can do nothing of their own will until the next turn begins: they do not shoot,
    channel, cast, dispel or use items (wap.terrain.monument.wyrding-well).
    """
    return bool(g.units.did[unit] & POISONED)
