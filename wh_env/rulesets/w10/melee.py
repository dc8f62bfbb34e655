"""Charge, Pile-in and Consolidation moves of whole units (w10.charge.move.*, w10.fight.pile-in.*, w10.fight.consolidate.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore

TOWARDS_ENEMY, TOWARDS_MARKER = 1, 2


def charge_unit(g: BattleCore, unit: int, roll: int) -> bool:
    return False


def can_pile_in(g: BattleCore, unit: int) -> bool:
    return False


def pile_in(g: BattleCore, unit: int) -> bool:
    return False


def consolidation(g: BattleCore, unit: int) -> int:
    return 0


def consolidate(g: BattleCore, unit: int, kind: int) -> bool:
    return False
