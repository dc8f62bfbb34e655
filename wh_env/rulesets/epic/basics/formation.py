"""The units of a formation."""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def listed(g: BattleCore, unit: int) -> range:
    """The rows that the model slots of a decision about a formation stand for: all its units, lost ones too."""
    return range(g.units.first[unit], g.units.first[unit] + g.units.count[unit])
