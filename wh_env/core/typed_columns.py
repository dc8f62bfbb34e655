"""Columns of tables of a battle, for the type checker.

Written by ``tests/typed_tables.py``; do not edit. A column of several rulesets stands here once; the ``tables`` module
of a ruleset says which it has.
"""

from __future__ import annotations

from typing import Any

from wh_env.core.columns import Columns


class Clock(Columns):
    """Table ``clock``."""

    round: memoryview[int]
    turn: memoryview[int]
    phase: memoryview[int]
    step: memoryview[int]
    first_player: memoryview[int]
    attacker: memoryview[int]
    depth: memoryview[int]
    over: memoryview[int]
    winner: memoryview[int]
    decisions: memoryview[int]
    asking: memoryview[int]
    kind: memoryview[int]
    player: memoryview[int]
    subject: memoryview[int]
    initiative: memoryview[int]
    revealed: memoryview[int]
    unseen: memoryview[int]
    finished: memoryview[int]
    division: memoryview[int]


class Dice(Columns):
    """Table ``dice``."""

    seed_low: memoryview[int]
    seed_high: memoryview[int]
    counter: memoryview[int]
    script_at: memoryview[int]
    script_end: memoryview[int]


class Players(Columns):
    """Table ``players``."""

    vp: memoryview[int]
    units: memoryview[int]
    first_unit: memoryview[int]
    strategic: memoryview[int]
    morale: memoryview[int]
    counters: memoryview[int]
    passed: memoryview[int]
    used: memoryview[int]
    used_turn: memoryview[int]
    used_battle: memoryview[int]
    cp: memoryview[int]
    cp_gained: memoryview[int]
    vp_turn: memoryview[int]
    secured: memoryview[int]
    ready: memoryview[int]
    drops: memoryview[int]
    standards: memoryview[int]
    battle_standard: memoryview[int]
    general: memoryview[int]
    bearer: memoryview[int]
    conceded: memoryview[int]


class Models(Columns):
    """Table ``models``."""

    x: memoryview[float]
    y: memoryview[float]
    z: memoryview[float]
    facing: memoryview[float]
    half_a: memoryview[float]
    half_b: memoryview[float]
    radius: memoryview[float]
    height: memoryview[float]
    move: memoryview[float]
    keywords: memoryview[int]
    shape: memoryview[int]
    unit: memoryview[int]
    owner: memoryview[int]
    on_table: memoryview[int]
    alive: memoryview[int]
    wounds: memoryview[int]
    max_wounds: memoryview[int]
    moved: memoryview[int]
    first_weapon: memoryview[int]
    weapons: memoryview[int]
    rank: memoryview[int]
    traits: memoryview[int]
    save: memoryview[int]
    assault: memoryview[int]
    contact: memoryview[int]
    pinned: memoryview[int]
    paired: memoryview[int]
    joined: memoryview[int]
    fought: memoryview[int]
    flags: memoryview[int]
    spent: memoryview[int]
    toughness: memoryview[int]
    invulnerable: memoryview[int]
    invulnerable2: memoryview[int]
    feel_no_pain: memoryview[int]
    feel_no_pain2: memoryview[int]
    leadership: memoryview[int]
    control: memoryview[int]
    demise_dice: memoryview[int]
    demise_sides: memoryview[int]
    demise_plus: memoryview[int]
    profile: memoryview[int]
    datasheet: memoryview[int]
    allocated: memoryview[int]
    line: memoryview[int]
    role: memoryview[int]
    post: memoryview[int]
    file: memoryview[int]
    crossed: memoryview[int]
    struck: memoryview[int]
    lifted: memoryview[int]


class Objectives(Columns):
    """Table ``objectives``."""

    x: memoryview[float]
    y: memoryview[float]
    z: memoryview[float]
    radius: memoryview[float]
    holder: memoryview[int]
    level0: memoryview[int]
    level1: memoryview[int]
    placed: memoryview[int]


class Shots(Columns):
    """Table ``shots``."""

    model: memoryview[int]
    weapon: memoryview[int]
    target: memoryview[int]
    hits: memoryview[int]
    ones: memoryview[int]
    state: memoryview[int]


class Origin(Columns):
    """Table ``origin``."""

    x: memoryview[float]
    y: memoryview[float]
    reach: memoryview[float]
    z: memoryview[float]
    facing: memoryview[float]
    files: memoryview[int]


class Sites(Columns):
    """Table ``sites``."""

    x: memoryview[float]
    y: memoryview[float]
    facing: memoryview[float]
    placed: memoryview[int]


class Jobs(Columns):
    """Table ``jobs``."""

    model: memoryview[int]
    weapon: memoryview[int]
    target: memoryview[int]
    attacks: memoryview[int]
    near: memoryview[int]
    group: memoryview[int]


class Attack(Columns):
    """Table ``attack``."""

    asks: memoryview[int]
    offer: memoryview[int]
    answer: memoryview[int]
    jobs: memoryview[int]
    critical_mortals: memoryview[int]
    stage: memoryview[int]
    asked: memoryview[int]
    unit: memoryview[int]
    attacker: memoryview[int]
    group: memoryview[int]
    weapon: memoryview[int]
    target: memoryview[int]
    near: memoryview[int]
    seen: memoryview[int]
    psychic: memoryview[int]
    needed: memoryview[int]
    critical: memoryview[int]
    cursor: memoryview[int]
    left: memoryview[int]
    hits: memoryview[int]
    wounds: memoryview[int]
    pending: memoryview[int]
    mortal: memoryview[int]
    first_model: memoryview[int]
    damage: memoryview[int]
    model: memoryview[int]
    die: memoryview[int]
    choice: memoryview[int]
    window: memoryview[int]
    failures: memoryview[int]
    casualties: memoryview[int]
    log_count: memoryview[int]
    need: memoryview[Any]
    faces: memoryview[Any]
    spent: memoryview[Any]


class Attack2(Columns):
    """Table ``attack2``."""

    asks: memoryview[int]
    offer: memoryview[int]
    answer: memoryview[int]
    jobs: memoryview[int]
    critical_mortals: memoryview[int]
    stage: memoryview[int]
    asked: memoryview[int]
    unit: memoryview[int]
    attacker: memoryview[int]
    group: memoryview[int]
    weapon: memoryview[int]
    target: memoryview[int]
    near: memoryview[int]
    seen: memoryview[int]
    psychic: memoryview[int]
    needed: memoryview[int]
    critical: memoryview[int]
    cursor: memoryview[int]
    left: memoryview[int]
    hits: memoryview[int]
    wounds: memoryview[int]
    pending: memoryview[int]
    mortal: memoryview[int]
    first_model: memoryview[int]
    damage: memoryview[int]
    model: memoryview[int]
    die: memoryview[int]
    choice: memoryview[int]
    window: memoryview[int]
    failures: memoryview[int]
    casualties: memoryview[int]
    log_count: memoryview[int]
    need: memoryview[Any]
    faces: memoryview[Any]
    spent: memoryview[Any]


class Nerve(Columns):
    """Table ``nerve``."""

    passes: memoryview[int]
    fails: memoryview[int]


class Psyche(Columns):
    """Table ``psyche``."""

    learnt: memoryview[int]
    tried: memoryview[int]
    under: memoryview[int]
    period: memoryview[int]
    picked: memoryview[int]
    denies: memoryview[int]
    instead: memoryview[int]


class Mission(Columns):
    """Table ``mission``."""

    primary: memoryview[int]
    roller: memoryview[int]
    division: memoryview[int]
    underdog: memoryview[int]


class Warlords(Columns):
    """Table ``warlords``."""

    model: memoryview[int]
    trait: memoryview[int]


class Held(Columns):
    """Table ``held``."""

    held: memoryview[int]


class Afflicted(Columns):
    """Table ``afflicted``."""

    left: memoryview[int]


class Holding(Columns):
    """Table ``holding``."""

    secured: memoryview[int]
    each: memoryview[int]


class Combat(Columns):
    """Table ``combat``."""

    first: memoryview[int]
    last: memoryview[int]
    intervened: memoryview[int]
    broke_out: memoryview[int]
    held: memoryview[int]
    tested: memoryview[int]
    steady: memoryview[int]
    set_to_defend: memoryview[int]
    charge_distance: memoryview[int]


class Acting(Columns):
    """Table ``acting``."""

    now: memoryview[int]
    last: memoryview[int]
    round: memoryview[int]


class Stood(Columns):
    """Table ``stood``."""

    did: memoryview[int]
    counts: memoryview[int]


class Ground(Columns):
    """Table ``ground``."""

    way: memoryview[int]


class Lines(Columns):
    """Table ``lines``."""

    unit: memoryview[int]
    kind: memoryview[int]
    number: memoryview[int]
    m: memoryview[int]
    ws: memoryview[int]
    bs: memoryview[int]
    s: memoryview[int]
    t: memoryview[int]
    w: memoryview[int]
    i: memoryview[int]
    a: memoryview[int]
    ld: memoryview[int]
    more_m: memoryview[int]
    more_ws: memoryview[int]
    more_bs: memoryview[int]
    more_s: memoryview[int]
    more_t: memoryview[int]
    more_w: memoryview[int]
    more_i: memoryview[int]
    more_a: memoryview[int]
    more_ld: memoryview[int]


class Parts(Columns):
    """Table ``parts``."""

    x: memoryview[float]
    y: memoryview[float]
    facing: memoryview[float]
    half_a: memoryview[float]
    half_b: memoryview[float]
    radius: memoryview[float]
    shape: memoryview[int]
    unit: memoryview[int]
    owner: memoryview[int]
    on_table: memoryview[int]


class Contacts(Columns):
    """Table ``contacts``."""

    a: memoryview[int]
    b: memoryview[int]
    side_a: memoryview[int]
    side_b: memoryview[int]
    wounds_a: memoryview[int]
    wounds_b: memoryview[int]
    across: memoryview[int]
    apart: memoryview[float]
    group: memoryview[int]
    led: memoryview[int]


class Charges(Columns):
    """Table ``charges``."""

    unit: memoryview[int]
    target: memoryview[int]
    side: memoryview[int]
    reaction: memoryview[int]
    first: memoryview[int]
    reach: memoryview[int]
    short: memoryview[int]
    aloft: memoryview[int]


class Blows(Columns):
    """Table ``blows``."""

    unit: memoryview[int]
    line: memoryview[int]
    target: memoryview[int]
    attacks: memoryview[int]
    key: memoryview[int]
    later: memoryview[int]
    wounds: memoryview[int]
    breath: memoryview[int]


class Effects(Columns):
    """Table ``effects``."""

    effect: memoryview[int]
    unit: memoryview[int]
    caster: memoryview[int]
    player: memoryview[int]
    cast: memoryview[int]
    amount: memoryview[int]
    late: memoryview[int]


class Armies(Columns):
    """Table ``armies``."""

    player: memoryview[int]
    distrust: memoryview[int]
    dice: memoryview[int]


class Wizards(Columns):
    """Table ``wizards``."""

    level: memoryview[int]
    first_spell: memoryview[int]
    spells: memoryview[int]
    cannot_cast: memoryview[int]
    cannot_cast_bound: memoryview[int]
    cannot_dispel: memoryview[int]
    hit_by: memoryview[int]
    hit_now: memoryview[int]
    chained: memoryview[int]
    drawn: memoryview[int]
    will: memoryview[int]
    fate: memoryview[int]
    own_dice: memoryview[int]
    gilded: memoryview[int]
    wings: memoryview[int]
    in_light: memoryview[int]


class Pools(Columns):
    """Table ``pools``."""

    dice: memoryview[int]


class Spellbook(Columns):
    """Table ``spellbook``."""

    unit: memoryview[int]
    spell: memoryview[int]
    source: memoryview[int]
    known: memoryview[int]
    tried: memoryview[int]


class Items(Columns):
    """Table ``items``."""

    unit: memoryview[int]
    item: memoryview[int]
    used: memoryview[int]
    seen: memoryview[int]
    charge: memoryview[int]


class Omens(Columns):
    """Table ``omens``."""

    row: memoryview[int]
    version: memoryview[int]
    x: memoryview[float]
    y: memoryview[float]
    radius: memoryview[float]
    count: memoryview[int]
    fresh: memoryview[int]


class Walks(Columns):
    """Table ``walks``."""

    feature: memoryview[int]
    dx: memoryview[float]
    dy: memoryview[float]
