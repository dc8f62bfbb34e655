"""The state of a battle's mission (w8.mission.*)."""

from __future__ import annotations

from enum import IntEnum

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, declared
from wh_env.core.tables import TableSpec


class Primary(IntEnum):
    """Primary objectives by the result of the D3 (w8.mission.primary.table)."""

    SLAY_AND_SECURE = 1
    ANCIENT_RELIC = 2
    DOMINATION = 3


DIVISIONS = 4
MISSION, MISSION_BOUNDS = declared(
    [
        ("primary", "i4", between(0, len(Primary))),  # 0: not rolled yet
        ("roller", "i4", between(0, 2)),  # 1 + the player who rolled on the table and chooses the zones, 0: not yet
        ("division", "i4", between(0, DIVISIONS)),  # 1 + how the table is divided, 0: not yet
        ("underdog", "i4", between(0, 2)),  # 1 + the player, 0: not yet
    ]
)


def tables() -> tuple[TableSpec, ...]:
    """``mission``: one row, see ``MISSION``."""
    return (TableSpec("mission", MISSION, 1, MISSION_BOUNDS),)


def roller(g: BattleCore) -> int:
    """The player who rolled on the primary objectives table."""
    return g.mission.roller[0] - 1


def underdog(g: BattleCore) -> int:
    """The Underdog; -1 before one is determined."""
    return g.mission.underdog[0] - 1
