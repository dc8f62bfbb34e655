"""Flee and pursuit rolls, and who is caught (wap.pursuit.flee-roll, .pursuit-roll, .caught)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore


def roll_flights(g: BattleCore) -> None:
    """Roll for all who flee and all who pursue in the combat that is being fought, and take the losses of those who are caught."""
