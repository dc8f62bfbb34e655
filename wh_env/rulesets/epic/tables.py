"""Tables of an Epic-scale battle."""

from __future__ import annotations

import numpy as np

from wh_env.core.procedures import FRAME_SIZE
from wh_env.core.tables import (
    CLOCK,
    DICE,
    MODEL,
    OBJECTIVE,
    ORIGIN,
    PLAYER,
    UNIT,
    Array,
    Layout,
    TableSpec,
    extended,
)

STACK_DEPTH = 12
INT = np.dtype("i4")
BYTE = np.dtype("u1")

# a unit of the rules: one infantryman or vehicle
STAND = extended(
    MODEL,
    [
        ("rank", "i4"),  # 1 infantry, 2 light vehicle, 3 heavy vehicle
        ("traits", "i4"),  # bits: anti-grav, aerial
        ("assault", "i4"),  # Assault Factor
        ("contact", "i4"),  # bases touch an enemy's
        ("pinned", "i4"),  # ... that holds it where it is
        ("paired", "i4"),  # row of the unit that it is paired off with in this assault phase, -1
        ("joined", "i4"),  # row of the enemy whose combat it is added to, -1
        ("fought", "i4"),  # its combat of this phase was fought
    ],
)

FORMATION = extended(
    UNIT,
    [
        ("order", "i4"),  # 0 none, else 1 + row of the orders
        ("retreating", "i4"),
        ("lost", "i4"),  # units lost in this turn
        ("fired", "i4"),  # it fired in this turn
        ("vehicle", "i4"),  # it is a vehicle
    ],
)

SIDE = extended(
    PLAYER,
    [
        ("strategic", "i4"),  # Strategic Value
        ("morale", "i4"),  # 3: passes on 3+
        ("counters", "i4"),  # initiative counters in the cup
        ("passed", "i4"),  # fires no more in this fire phase
    ],
)

TIME = extended(
    CLOCK,
    [
        ("initiative", "i4"),  # player who has it, -1 before the first draw
        ("revealed", "i4"),  # the orders of this turn lie open
        ("unseen", "i4"),  # the armies are being deployed in secret
    ],
)

# one weapon of a unit that fires
SHOT = np.dtype(
    [
        ("model", "i4"),
        ("weapon", "i4"),  # row of the weapons
        ("target", "i4"),  # model row, -1: none named
        ("hits", "i4"),
        ("ones", "i4"),  # to-hit dice that show a natural 1
        ("state", "i4"),  # 0 to be rolled, 1 rolled: the 1s stay, 2 rolled: the 1s are rolled again, 3 done
    ],
    align=True,
)

# ---- static tables

WEAPON = np.dtype(
    [("range", "f8"), ("dice", "i4"), ("to_hit", "i4"), ("save_modifier", "i4"), ("turret", "i4")], align=True
)

# a convex piece of a terrain feature; the pieces of one feature follow each other
PIECE = np.dtype(
    [
        ("min_x", "f8"),
        ("min_y", "f8"),
        ("max_x", "f8"),
        ("max_y", "f8"),
        ("depth", "f8"),  # cm of it that a line of sight may cross for each of its ends that is inside
        ("first", "i4"),  # its corners are corners[first : first + count], counter-clockwise
        ("count", "i4"),
        ("feature", "i4"),
        ("infantry", "i4"),  # 0 normal, 1 dangerous, 2 impassable
        ("vehicle", "i4"),
        ("cover", "i4"),  # added to what is needed to hit infantry in it
        ("sight", "i4"),  # 0 clear, 1 blocks, 2 may be seen into
    ],
    align=True,
)

# numbers of the rules that kernels need; one row
NUMBERS = np.dtype(
    [
        ("length", "f8"),
        ("width", "f8"),
        ("coherency", "f8"),
        ("cover_save", "i4"),
        ("best_save", "i4"),
        ("rear_modifier", "i4"),
        ("second_die", "i4", (4,)),  # what it needs when 7, 8, 9 are needed to hit; 7: impossible
    ],
    align=True,
)


def layout(units: int, models: int, shots: int, objectives: int, script: int) -> Layout:
    """The buffer of a battle with so many rows; ``shots``: weapons of the largest formation, ``script``: room for dice."""
    return Layout(
        [
            TableSpec("clock", TIME, 1),
            TableSpec("dice", DICE, 1),
            TableSpec("players", SIDE, 2),
            TableSpec("units", FORMATION, units),
            TableSpec("models", STAND, models),
            TableSpec("objectives", OBJECTIVE, objectives),
            TableSpec("stack", INT, FRAME_SIZE * STACK_DEPTH),
            TableSpec("shots", SHOT, shots),
            TableSpec("aims", BYTE, units, units),  # whether a formation can target another: 0 unknown, 1 no, 2 yes
            TableSpec("origin", ORIGIN, models),
            TableSpec("script", BYTE, script),
        ]
    )


def blank(plan: Layout) -> Array:
    """A buffer with the values that are not zero at the start."""
    buffer: Array = np.zeros(plan.size, np.uint8)
    units = plan.view(buffer, "units")
    for column in ("carrier", "leader", "bodyguard"):
        units[column] = -1
    models = plan.view(buffer, "models")
    for column in ("paired", "joined"):
        models[column] = -1
    clock = plan.view(buffer, "clock")
    clock["winner"] = -1
    clock["subject"] = -1
    clock["initiative"] = -1
    plan.view(buffer, "objectives")["holder"] = -1
    return buffer
