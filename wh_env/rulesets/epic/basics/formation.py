"""The units of a formation."""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def listed(g: BattleCore, unit: int) -> range:
    """What the model slots of a decision on a formation stand for: all its units, the lost ones too."""
    return range(g.units.first[unit], g.units.first[unit] + g.units.count[unit])
