"""Whether a unit is engaged in close combat."""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def engaged(g: BattleCore, unit: int) -> bool:
    """Whether the unit is in close combat: it is in contact with an enemy, and neither flees (``basics.contacts``)."""
    return bool(g.units.fights[unit])
