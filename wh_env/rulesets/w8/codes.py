"""Numbers of the 8th edition's phases."""

from __future__ import annotations

from enum import IntEnum


class Phase(IntEnum):
    """Phases of a turn, in order (w8.round.phase-order)."""

    BEFORE = 0
    MOVEMENT = 1
    PSYCHIC = 2
    SHOOTING = 3
    CHARGE = 4
    FIGHT = 5
    MORALE = 6
