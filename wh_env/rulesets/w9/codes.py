"""Numbers of the 9th edition's phases."""

from __future__ import annotations

from enum import IntEnum


class Phase(IntEnum):
    """Phases of a turn, in order (w9.round.phases)."""

    BEFORE = 0
    COMMAND = 1
    MOVEMENT = 2
    PSYCHIC = 3
    SHOOTING = 4
    CHARGE = 5
    FIGHT = 6
    MORALE = 7
