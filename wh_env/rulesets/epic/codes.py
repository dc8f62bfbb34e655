"""Codes of the Epic-scale game in the columns of the state."""

from __future__ import annotations

from enum import IntEnum


class Phase(IntEnum):
    """Phases of a turn, in order."""

    BEFORE = 0
    ORDERS = 1
    MOVEMENT = 2
    FIRE = 3
    ASSAULT = 4
    RALLY = 5


PHASES = ("orders", "movement", "fire", "assault", "rally", "end")

# column ``models.rank``: pinning classes (epic.concepts.classes)
INFANTRY, LIGHT_VEHICLE, HEAVY_VEHICLE = 1, 2, 3
RANKS = {"infantry": INFANTRY, "light-vehicle": LIGHT_VEHICLE, "heavy-vehicle": HEAVY_VEHICLE}

# bits of ``models.traits``
ANTI_GRAV, AERIAL = 1, 2
TRAITS = {"anti-grav": ANTI_GRAV, "aerial": AERIAL}

# effects of terrain on the movement of a class (epic.terrain.effects)
NORMAL, DANGEROUS, IMPASSABLE = 0, 1, 2
PASSAGE = {"normal": NORMAL, "dangerous": DANGEROUS, "impassable": IMPASSABLE}

# how terrain affects lines of sight: not at all; it blocks lines that pass through and end outside of it; lines reach
# into it for some depth
CLEAR, BLOCKS, DEPTH = 0, 1, 2

NO_ORDER = 0  # ``units.order``; the n-th order of the rules is n + 1

# bits of ``units.selected``: what the formation did in the current phase
MOVED, FIRED, ASSAULTED, TESTED, RALLIED = 1, 2, 4, 8, 16

# column ``models.moved`` while its formation moves: not yet, its place is planned, it went there
UNMOVED, PLANNED, WENT = 0, 1, 2

OPTIONS_OF_WHO = ("own side first", "the opponent first")
