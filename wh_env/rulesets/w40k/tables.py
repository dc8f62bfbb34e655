"""Tables of a battle."""

from __future__ import annotations

import numpy as np

from wh_env.core.bounds import anything, between, count_of, flag, row_of
from wh_env.core.procedures import FRAME_SIZE
from wh_env.core.tables import (
    CLOCK,
    CLOCK_BOUNDS,
    DICE,
    DICE_BOUNDS,
    JOB,
    JOB_BOUNDS,
    MODEL,
    MODEL_BOUNDS,
    OBJECTIVE,
    OBJECTIVE_BOUNDS,
    ORIGIN,
    ORIGIN_BOUNDS,
    PLAYER,
    PLAYER_BOUNDS,
    SITE,
    SITE_BOUNDS,
    UNIT,
    UNIT_BOUNDS,
    Array,
    Layout,
    TableSpec,
)
from wh_env.rulesets.w40k.attack.machine import ATTACK
from wh_env.rulesets.w40k.attack.state import ATTACK_BOUNDS
from wh_env.rulesets.w40k.shoot.targets import HIDDEN, UNKNOWN

STACK_DEPTH = 24
HIGHEST_DIE = 6
INT = np.dtype("i4")
BYTE = np.dtype("u1")


def layout(
    units: int, models: int, objectives: int, jobs: int, script: int, sites: int = 0, squadrons: bool = False
) -> Layout:
    """The buffer of a battle with so many rows; ``script`` is the room for scripted dice, ``sites`` the number of terrain
    features that the players place, ``squadrons``: whether a TRANSPORT unit has several models (see ``hulls``)."""
    return Layout(
        [
            TableSpec("clock", CLOCK, 1, CLOCK_BOUNDS),
            TableSpec("dice", DICE, 1, DICE_BOUNDS),
            TableSpec("players", PLAYER, 2, PLAYER_BOUNDS),
            TableSpec("units", UNIT, units, UNIT_BOUNDS),
            TableSpec("models", MODEL, models, MODEL_BOUNDS),
            TableSpec("objectives", OBJECTIVE, objectives, OBJECTIVE_BOUNDS),
            TableSpec("sites", SITE, sites, SITE_BOUNDS),
            TableSpec("stack", INT, FRAME_SIZE * STACK_DEPTH, anything()),
            TableSpec("jobs", JOB, jobs, JOB_BOUNDS),
            TableSpec("attack", ATTACK, 1, ATTACK_BOUNDS),
            TableSpec("attack2", ATTACK, 1, ATTACK_BOUNDS),
            TableSpec("casualties", INT, models, row_of("models")),
            TableSpec("queue", INT, 4, count_of("models")),
            TableSpec("affected", INT, units, flag()),
            TableSpec("charge_targets", INT, units, flag()),
            TableSpec("engaged", BYTE, units, flag(), units),
            TableSpec("targets", BYTE, units, between(UNKNOWN, HIDDEN), units),
            TableSpec("melee_targets", INT, units, count_of("models")),
            TableSpec("target_known", BYTE, 2, flag()),
            TableSpec("across", BYTE, units, flag()),
            TableSpec("origin", ORIGIN, models, ORIGIN_BOUNDS),
            TableSpec("deck", INT, models, count_of("weapon_slots")),
            TableSpec("hulls", INT, units if squadrons else 0, row_of("models")),
            TableSpec("script", BYTE, script, between(0, HIGHEST_DIE)),
        ]
    )


def blank(plan: Layout) -> Array:
    """A buffer with the values that are not zero at the start."""
    buffer: Array = np.zeros(plan.size, np.uint8)
    units = plan.view(buffer, "units")
    for column in ("carrier", "leader", "bodyguard"):
        units[column] = -1
    clock = plan.view(buffer, "clock")
    clock["winner"] = -1
    clock["subject"] = -1
    plan.view(buffer, "objectives")["holder"] = -1
    return buffer
