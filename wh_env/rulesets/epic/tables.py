"""Tables of an Epic-scale battle: the shared tables with columns for units, formations, sides and time, and its own
tables.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.bounds import (
    FARTHEST,
    MOST_ATTACKS,
    OUTSIDE,
    amount,
    anything,
    between,
    bits,
    count_of,
    declared,
    finite,
    fixed,
    flag,
    player,
    row_of,
)
from wh_env.core.procedures import FRAME_SIZE
from wh_env.core.tables import (
    CLOCK,
    CLOCK_BOUNDS,
    DICE,
    DICE_BOUNDS,
    MODEL,
    MODEL_BOUNDS,
    OBJECTIVE,
    OBJECTIVE_BOUNDS,
    OF_SUBJECT,
    PLAYER,
    PLAYER_BOUNDS,
    UNIT,
    UNIT_BOUNDS,
    Array,
    Layout,
    TableSpec,
    extended,
)

STACK_DEPTH = 12
DIE_OR_LOT = 6
INT = np.dtype("i4")
BYTE = np.dtype("u1")

# a unit of the rules: one infantryman or vehicle
STAND, STAND_BOUNDS = extended(
    MODEL,
    MODEL_BOUNDS,
    [
        ("rank", "i4", fixed()),  # 1 infantry, 2 light vehicle, 3 heavy vehicle
        ("traits", "i4", fixed()),  # bits: anti-grav, aerial
        ("save", "i4", fixed()),  # 4 for 4+, 0 for none
        ("assault", "i4", fixed()),  # Assault Factor
        ("contact", "i4", flag()),  # bases touch an enemy's
        ("pinned", "i4", flag()),  # ... that holds it where it is
        # row of the unit that it is paired off with in this assault phase, -1
        ("paired", "i4", between(-2, "models", -1)),
        ("joined", "i4", row_of("models", none=True)),  # row of the enemy whose combat it is added to, -1
        ("fought", "i4", flag()),  # its combat of this phase was fought
    ],
)

FORMATION, FORMATION_BOUNDS = extended(
    UNIT,
    UNIT_BOUNDS,
    [
        ("selected", "i4", bits(0x1F)),  # bits: what it did in this phase (``codes``)
        ("order", "i4", between(0, "orders")),  # 0 none, else 1 + row of the orders
        ("retreating", "i4", flag()),
        ("lost", "i4", count_of("models")),  # units lost in this turn
        ("fired", "i4", flag()),  # it fired in this turn
        ("vehicle", "i4", fixed()),  # it is a vehicle
    ],
)

SIDE, SIDE_BOUNDS = extended(
    PLAYER,
    PLAYER_BOUNDS,
    [
        ("strategic", "i4", fixed()),  # Strategic Value
        ("morale", "i4", fixed()),  # 3: passes on 3+
        ("counters", "i4", amount()),  # initiative counters in the cup
        ("passed", "i4", flag()),  # fires no more in this fire phase
    ],
)

TIME, TIME_BOUNDS = extended(
    CLOCK,
    CLOCK_BOUNDS,
    [
        ("initiative", "i4", player(none=True)),  # player who has it, -1 before the first draw
        ("revealed", "i4", flag()),  # the orders of this turn lie open
        ("unseen", "i4", flag()),  # the armies are being deployed in secret
    ],
)

# one weapon of a unit that fires
SHOT, SHOT_BOUNDS = declared(
    [
        ("model", "i4", row_of("models")),
        ("weapon", "i4", row_of("weapons")),  # row of the weapons
        ("target", "i4", row_of("models", none=True)),  # model row, -1: none named
        ("hits", "i4", between(0, MOST_ATTACKS)),
        ("ones", "i4", between(0, MOST_ATTACKS)),  # to-hit dice that show a natural 1
        # 0 to be rolled, 1 rolled: the 1s stay, 2 rolled: the 1s are rolled again, 3 done
        ("state", "i4", between(0, 3)),
    ],
)

# of a unit that moves: while its move is planned, where it stood before; while it goes there, where it has to go and
# how many cm it may
ORIGIN, ORIGIN_BOUNDS = declared(
    [
        ("x", "f8", finite(-OUTSIDE, "length", OUTSIDE).not_shown(OF_SUBJECT)),
        ("y", "f8", finite(-OUTSIDE, "width", OUTSIDE).not_shown(OF_SUBJECT)),
        ("reach", "f8", finite(0, FARTHEST).not_shown(OF_SUBJECT)),
    ]
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
        ("depth", "f8"),  # cm that a line of sight may cross in it for each end of the line that lies inside
        ("first", "i4"),  # its corners are corners[first : first + count], counter-clockwise
        ("count", "i4"),
        ("feature", "i4"),
        ("infantry", "i4"),  # 0 normal, 1 dangerous, 2 impassable
        ("vehicle", "i4"),
        ("cover", "i4"),  # added to the to-hit value needed against units in it
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
        ("second_die", "i4", (4,)),  # what the second die needs when 7, 8, 9 are needed to hit; 7: impossible
    ],
    align=True,
)


def layout(units: int, models: int, shots: int, objectives: int, script: int) -> Layout:
    """The buffer of a battle with this many rows. ``shots``: weapons of the largest formation; ``script``: room for
    dice.
    """
    return Layout(
        [
            TableSpec("clock", TIME, 1, TIME_BOUNDS),
            TableSpec("dice", DICE, 1, DICE_BOUNDS),
            TableSpec("players", SIDE, 2, SIDE_BOUNDS),
            TableSpec("units", FORMATION, units, FORMATION_BOUNDS),
            TableSpec("models", STAND, models, STAND_BOUNDS),
            TableSpec("objectives", OBJECTIVE, objectives, OBJECTIVE_BOUNDS),
            TableSpec("stack", INT, FRAME_SIZE * STACK_DEPTH, anything()),
            TableSpec("shots", SHOT, shots, SHOT_BOUNDS),
            # whether a formation can target another: 0 unknown, 1 no, 2 yes
            TableSpec("aims", BYTE, units, between(0, 2), units),
            TableSpec("origin", ORIGIN, models, ORIGIN_BOUNDS),
            TableSpec("script", BYTE, script, between(0, DIE_OR_LOT)),
        ]
    )


def blank(plan: Layout) -> Array:
    """A buffer with the starting values that are not zero."""
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
