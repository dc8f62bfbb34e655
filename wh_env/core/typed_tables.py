"""Tables of a battle as its attributes, for the type checker.

Written by ``tests/typed_tables.py``; do not edit. A column of several rulesets stands here once; the ``tables`` module
of a ruleset says which it has.
"""

from __future__ import annotations

from typing import Any

import wh_env.core.typed_columns as columns
import wh_env.core.typed_units as units
from wh_env.core.tables import Array


class Tables:
    """Each table by its name."""

    clock: columns.Clock
    dice: columns.Dice
    players: columns.Players
    units: units.Units
    models: columns.Models
    objectives: columns.Objectives
    shots: columns.Shots
    origin: columns.Origin
    sites: columns.Sites
    jobs: columns.Jobs
    attack: columns.Attack
    attack2: columns.Attack2
    nerve: columns.Nerve
    psyche: columns.Psyche
    mission: columns.Mission
    warlords: columns.Warlords
    held: columns.Held
    afflicted: columns.Afflicted
    holding: columns.Holding
    combat: columns.Combat
    acting: columns.Acting
    stood: columns.Stood
    ground: columns.Ground
    lines: columns.Lines
    parts: columns.Parts
    contacts: columns.Contacts
    charges: Any
    blows: columns.Blows
    effects: columns.Effects
    armies: columns.Armies
    wizards: columns.Wizards
    pools: columns.Pools
    spellbook: columns.Spellbook
    items: columns.Items
    omens: columns.Omens
    walks: columns.Walks
    stack: memoryview[int]
    stack_array: Array
    aims: Array
    aims_array: Array
    script: memoryview[int]
    script_array: Array
    casualties: memoryview[int]
    casualties_array: Array
    queue: memoryview[int]
    queue_array: Array
    affected: memoryview[int]
    affected_array: Array
    charge_targets: memoryview[int]
    charge_targets_array: Array
    engaged: Array
    engaged_array: Array
    targets: Array
    targets_array: Array
    melee_targets: memoryview[int]
    melee_targets_array: Array
    target_known: memoryview[int]
    target_known_array: Array
    across: memoryview[int]
    across_array: Array
    deck: memoryview[int]
    deck_array: Array
    hulls: memoryview[int]
    hulls_array: Array
    toll: memoryview[int]
    toll_array: Array
    smites: memoryview[int]
    smites_array: Array
    charges_array: Array
    answered: memoryview[int]
    answered_array: Array
    counted_for: memoryview[int]
    counted_for_array: Array
    standing: memoryview[int]
    standing_array: Array
    waiting: memoryview[int]
    waiting_array: Array
    whole_army: memoryview[int]
    whole_army_array: Array
    generated: memoryview[int]
    generated_array: Array
    fleeting: memoryview[int]
    fleeting_array: Array
    hurts: memoryview[int]
    hurts_array: Array
    observed: Any
    troops: Any
