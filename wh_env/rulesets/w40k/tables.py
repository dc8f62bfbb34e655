"""Tables of a battle of the 40k editions: their columns for models, units and players, and tables of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wh_env.core import tables as core
from wh_env.core.bounds import (
    FARTHEST,
    MOST_ATTACKS,
    NEVER,
    OUTSIDE,
    TURNS,
    amount,
    anything,
    between,
    bits,
    bits_in_use,
    count_of,
    declared,
    finite,
    fixed,
    flag,
    row_of,
)
from wh_env.core.procedures import FRAME_SIZE
from wh_env.core.tables import (
    CLOCK,
    CLOCK_BOUNDS,
    DICE,
    DICE_BOUNDS,
    OBJECTIVE,
    OBJECTIVE_BOUNDS,
    OF_SUBJECT,
    Array,
    Layout,
    TableSpec,
    extended,
)
from wh_env.rulesets.w40k.attack_row import ATTACK, ATTACK_BOUNDS, RESOLVED
from wh_env.rulesets.w40k.codes import HIDDEN, UNKNOWN
from wh_env.rulesets.w40k.profiles import Ability

STACK_DEPTH = 24
HIGHEST_DIE = 6
INT = np.dtype("i4")
BYTE = np.dtype("u1")

# why observations need not show some columns
BEFORE_WOUNDS = "worked out again before each time that wounds are suffered"
BY_PLACES = "worked out again from where models stand"
# bits of `flags` that are set temporarily, beside the bits from datasheets
MARKS = 0xFF << 56 | int(Ability.LONE_OPERATIVE)

MODEL, MODEL_BOUNDS = extended(
    core.MODEL,
    core.MODEL_BOUNDS,
    [
        ("flags", "u8", bits_in_use(also=MARKS)),  # ability bits of the model (``profiles.Ability``)
        ("spent", "u8", anything()),  # one bit a weapon of its arsenal: One Shot weapons used
        ("toughness", "i4", fixed()),
        ("save", "i4", fixed()),  # 3 for 3+
        ("invulnerable", "i4", fixed()),  # 4 for 4+, 0 for none
        (
            "invulnerable2",
            "i4",
            between(0, NEVER).not_shown(BEFORE_WOUNDS),
        ),  # a second one (from an ability or effect), 0 for none
        ("feel_no_pain", "i4", fixed()),  # 5 for 5+, 0 for none
        ("feel_no_pain2", "i4", between(0, NEVER).not_shown(BEFORE_WOUNDS)),  # a second one, 0 for none
        ("leadership", "i4", fixed()),
        ("control", "i4", fixed()),  # OC
        ("demise_dice", "i4", fixed()),  # Deadly Demise: dice x D(sides) + plus; all 0 for none
        ("demise_sides", "i4", fixed()),
        ("demise_plus", "i4", fixed()),
        ("profile", "i4", fixed()),  # its row of the names of models
        ("datasheet", "i4", fixed()),  # the unit row it was mustered in (for Attached units)
        ("allocated", "i4", bits(0xFFFF)),  # attacks and wounds of this phase (``attack_row.ALLOCATED``, ...)
    ],
)

UNIT, UNIT_BOUNDS = extended(
    core.UNIT,
    core.UNIT_BOUNDS,
    [
        ("keywords", "u8", bits_in_use("models").not_shown(core.BY_LIST)),  # union over its models
        ("flags", "u8", bits_in_use("models", MARKS)),  # ability bits of the unit (``profiles.Ability``)
        ("own_strength", "i4", fixed()),  # Starting Strength as mustered
        ("shocked", "i4", flag()),  # Battle-shocked
        ("moved", "i4", between(0, 15)),  # its move in this turn (``codes.Moved``)
        ("advance", "i4", between(0, FARTHEST)),  # Advance roll of this turn
        ("selected", "i4", bits(0xFFFF)),  # bits: selected in this phase / step
        ("charged", "i4", between(0, 3)),  # made a Charge move this turn
        (
            "can_charge",
            "i4",
            flag(),
        ),  # its state at the start of the Charge phase lets it charge (near an enemy; in w8 embarked)
        ("fought", "i4", flag()),
        ("fights_first", "i4", flag()),  # eligible in the Fights First step (fixed when the phase starts)
        ("arrived", "i4", flag()),  # set up from Reserves or disembarked this turn
        ("disembarked", "i4", between(0, 3)),  # 0 no, 1 before its TRANSPORT moved, 2 after, 3 from a destroyed one
        ("engaged_before", "i4", flag()),  # was within Engagement Range when it selected its targets
        ("cover", "i4", bits(0xFFFF)),  # effects on it until the end of the phase
        ("reserve", "i4", between(0, 31)),  # the way in which it is set up or waits in Reserves (``deploy.places``)
        ("marks", "u8", bits(2**63 - 1)),  # ``codes.Freedom`` and marks that abilities have set
    ],
)

PLAYER, PLAYER_BOUNDS = extended(
    core.PLAYER,
    core.PLAYER_BOUNDS,
    [
        ("used", "u8", bits(0xFFFFFFFF)),  # bits: Stratagems used this phase
        ("used_turn", "u8", bits(0xFFFFFFFF)),  # bits: Stratagems used this turn that are allowed once a turn
        ("used_battle", "u8", bits(2**63 - 1)),  # bits: once-per-battle rules used
        ("cp", "i4", amount()),
        ("cp_gained", "i4", amount()),  # extra CP gained this battle round
        ("vp_turn", "i4", amount()),
        ("secured", "u8", bits(2**32 - 1)),  # a bit for each marker that stays under control until the opponent has it
        ("ready", "i4", flag()),  # has finished its secret choices; they are revealed when both have
    ],
)

# the place of a terrain feature that the players place
SITE, SITE_BOUNDS = declared(
    [
        ("x", "f8", finite(0, "length")),
        ("y", "f8", finite(0, "width")),
        ("facing", "f8", finite(-TURNS, TURNS)),
        ("placed", "i4", between(0, 2)),
    ]
)

# the pose of a model at the start of its unit's move
ORIGIN, ORIGIN_BOUNDS = declared(
    [
        ("x", "f8", finite(-OUTSIDE, "length", OUTSIDE).not_shown(OF_SUBJECT)),
        ("y", "f8", finite(-OUTSIDE, "width", OUTSIDE).not_shown(OF_SUBJECT)),
        ("z", "f8", finite(0, FARTHEST).not_shown(OF_SUBJECT)),
        ("facing", "f8", finite(-TURNS, TURNS).not_shown(OF_SUBJECT)),
    ]
)

# attacks declared but not yet resolved (one row: so many attacks with one weapon profile at one target)
JOB, JOB_BOUNDS = declared(
    [
        ("model", "i4", row_of("models")),  # attacking model
        ("weapon", "i4", row_of("weapons")),  # row of Setup.weapons
        ("target", "i4", row_of("units")),  # unit row
        ("attacks", "i4", between(-1, MOST_ATTACKS)),  # left to make; -1: not yet rolled
        ("near", "i8", bits(2**63 - 1)),  # bits fixed at declaration (half range, unseen target, engaged, ...)
        ("group", "i4", row_of("jobs")),  # attacks of one group are rolled with fast dice
    ],
)


def layout(
    units: int,
    models: int,
    objectives: int,
    jobs: int,
    script: int,
    sites: int = 0,
    squadrons: bool = False,
    own: Sequence[TableSpec] = (),
) -> Layout:
    """The buffer of a battle with so many rows.

    ``script``: room for scripted dice. ``sites``: number of terrain features that the players place. ``squadrons``:
    whether a TRANSPORT unit has several models (see ``hulls``). ``own``: tables of the edition.
    """
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
            TableSpec("casualties", INT, models, row_of("models").not_shown(RESOLVED)),
            TableSpec("queue", INT, 4, count_of("models").not_shown(RESOLVED)),
            TableSpec("affected", INT, units, flag()),
            TableSpec("charge_targets", INT, units, flag()),
            TableSpec("engaged", BYTE, units, flag().not_shown(BY_PLACES), units),
            TableSpec("targets", BYTE, units, between(UNKNOWN, HIDDEN).not_shown(BY_PLACES), units),
            TableSpec("melee_targets", INT, units, count_of("models")),
            TableSpec("target_known", BYTE, 2, flag()),
            TableSpec("across", BYTE, units, flag()),
            TableSpec("origin", ORIGIN, models, ORIGIN_BOUNDS),
            TableSpec("deck", INT, models, count_of("weapon_slots")),
            TableSpec("hulls", INT, units if squadrons else 0, row_of("models")),
            *own,
            TableSpec("script", BYTE, script, between(0, HIGHEST_DIE)),
        ]
    )


def blank(plan: Layout) -> Array:
    """A buffer for the layout, with the start values that are not zero."""
    buffer: Array = np.zeros(plan.size, np.uint8)
    units = plan.view(buffer, "units")
    for column in ("carrier", "leader", "bodyguard"):
        units[column] = -1
    clock = plan.view(buffer, "clock")
    clock["winner"] = -1
    clock["subject"] = -1
    plan.view(buffer, "objectives")["holder"] = -1
    return buffer
