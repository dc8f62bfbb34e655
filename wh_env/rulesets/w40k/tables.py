"""Tables of a 10th-edition battle."""

from __future__ import annotations

from typing import Any

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

# what the core rules fix; a mission or a group overrides them by name
CORE_RULES: dict[str, Any] = {
    "detail": "squad",
    "formations": "lists",
    "terrain": "layout",  # players: they place the features of the battlefield (module battlefield)
    "attacker": -1,  # player, -1: by roll-off
    "first_player": -1,
    "rounds": 5,
    "cp_each_command_phase": 1,
    "extra_cp_each_round": 1,
    "first_scoring_round": 2,
    "vp_each_marker": 1,
    "max_vp_each_turn": 3,
    "vp_each_unit_destroyed": 0,
    "marker_range": 3.0,
    "marker_vertical": 5.0,
    "marker_from_edge": 6.0,
    "marker_from_marker": 9.0,
    "strategic_reserves_points": 0,
    "stratagems": {},  # by name: ask, delegate or off (module stratagems)
    "rerolls": (),  # who may re-roll what (module rerolls)
    "modifiers": (),  # what changes attacks by keyword (module modifiers)
    "disputes": (),  # cases left open, with their outcomes (module disputes)
}


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
