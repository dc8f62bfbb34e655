"""Starting Strength and Half-strength of units."""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def below_half_strength(g: BattleCore, unit: int) -> bool:
    """Whether a unit has fewer than half the models that it started with, or one that started with one model fewer than half its wounds."""
    u, m = g.units, g.models
    if u.strength[unit] == 1:
        for k in g.members(unit):
            return bool(2 * m.wounds[k] < m.max_wounds[k])
        return False
    return bool(2 * u.alive[unit] < u.strength[unit])
