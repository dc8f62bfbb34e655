"""Declaring attacks: the weapons that a unit may fire, their targets, and the jobs that result."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import EMBARKED, ON_TABLE, Array
from wh_env.rulesets.w40k.codes import UNKNOWN, YES, Freedom, Moved
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.questions.engagements import engagements
from wh_env.rulesets.w40k.questions.hulls import hull_of
from wh_env.rulesets.w40k.questions.melee_targets import melee_row
from wh_env.rulesets.w40k.questions.targets import (
    ALL_WEAPONS,
    ASSAULT_ONLY,
    BIG_GUNS,
    PISTOLS_ONLY,
    bound_elsewhere,
    fires_at_engaged,
    lone_weapon,
    look,
    may_fire,
    must_wait,
    open_target,
    target_row,
    usable,
)
from wh_env.rulesets.w40k.shoot.volley import add_job, declare_melee, declare_ranged, ranged_near, unit_near

ADVANCED, FELL_BACK = int(Moved.ADVANCE), int(Moved.FELL_BACK)
PISTOL = int(WeaponAbility.PISTOL)
ONE_SHOT = int(WeaponAbility.ONE_SHOT)
GRENADE = int(WeaponAbility.GRENADE)
# Kinds of weapons; a model fires weapons of one kind. In ``declared``, the bits from HELD on are the kinds that the
# model gave up.
OTHERS, PISTOLS, THROWN = range(3)
HELD = 28


def shooting_mode(g: BattleCore, unit: int) -> int:
    """Which ranged weapons the unit may fire now (a mode of ``w40k.targets``), -1 if it is not eligible to shoot.

    shoot.eligible, .locked-in-combat.shooter, .big-guns.eligible, weapon.assault, .pistol.eligible.
    """
    if g.units.place[unit] == EMBARKED:
        return edition(g).mode_aboard(g, unit)
    if edition(g).does_nothing_more(g, unit):
        return -1
    moved, free = g.units.moved[unit], g.units.marks[unit]
    barred = moved == FELL_BACK and not free & Freedom.SHOOT_FELL_BACK
    if barred and not g.units.keywords[unit] & edition(g).targeting.fell_back:
        return -1
    if 1 not in engagements(g)[unit].tobytes():
        return ASSAULT_ONLY if moved == ADVANCED and not free & Freedom.SHOOT_ADVANCED else ALL_WEAPONS
    if moved == ADVANCED:
        return -1
    return BIG_GUNS if g.units.keywords[unit] & edition(g).targeting.big_guns else PISTOLS_ONLY


def shooting_row(g: BattleCore, unit: int, mode: int, *, whole: bool = True) -> tuple[Array, bool]:
    """Enemy units that some weapon of the unit may target (``YES`` by unit row), and whether there are any.

    Without ``whole`` only the second result is complete. Answers are stored until positions or casualties change them.
    """
    row = g.targets[unit]
    known = row.tobytes()
    if UNKNOWN not in known or (not whole and YES in known):
        return row, YES in known
    statics = g.setup.statics
    some = g.work.call(
        target_row,
        g.models.rows,
        g.units.rows,
        g.setup.blocks,
        g.setup.corners,
        statics["weapons"],
        statics["arsenal"],
        engagements(g),
        statics["shooting_rules"],
        unit,
        mode,
        row,
        g.work.reaches,
        whole,
    )
    return row, bool(some)


def firing(g: BattleCore) -> Array:
    """The row of ``FIRE_RULES`` by which targets are selected now."""
    name = "shooting_rules" if g.clock.phase[0] == edition(g).shooting else "fire_rules"
    rules: Array = g.setup.statics[name]
    return rules


def clear_jobs(g: BattleCore) -> None:
    """Delete the attacks declared before."""
    g.jobs.rows["attacks"] = 0


def add_jobs(g: BattleCore, unit: int, target: int, *, alone: bool = False) -> int:
    """Squad detail: declare all shooting of the unit, ``target`` preferred. Returns the number of jobs.

    ``alone``: declare attacks only at ``target``.
    """
    statics, mode = g.setup.statics, shooting_mode(g, unit)
    count = int(
        g.work.call(
            declare_ranged,
            g.models.rows,
            g.units.rows,
            g.setup.features,
            g.setup.blocks,
            g.setup.corners,
            statics["weapons"],
            statics["arsenal"],
            engagements(g),
            statics["attack_rules"],
            firing(g),
            g.jobs.rows,
            np.zeros(len(g.units.rows), np.uint8) if alone else shooting_row(g, unit, mode)[0],
            unit,
            target,
            mode,
        )
    )
    g.targets[unit] = UNKNOWN  # its One Shot weapons are spent now
    return count


def add_melee_jobs(g: BattleCore, unit: int, target: int) -> int:
    """Squad detail: declare the unit's melee attacks, ``target`` preferred; returns the number of jobs."""
    statics = g.setup.statics
    return int(
        g.work.call(
            declare_melee,
            g.models.rows,
            g.units.rows,
            g.setup.blocks,
            g.setup.corners,
            statics["weapons"],
            statics["arsenal"],
            statics["attack_rules"],
            statics["fire_rules"],
            g.jobs.rows,
            edition(g).barred_in_melee(g, unit),
            unit,
            target,
        )
    )


def shooter_of(g: BattleCore, unit: int, model: int) -> int:
    """The model of the unit that makes the attacks: ``model`` itself, or its TRANSPORT if ``model`` is embarked in the
    unit (transport.firing-deck.bearer).
    """
    return model if g.models.unit[model] == unit else hull_of(g, g.models.unit[model])


def way_of_firing(g: BattleCore, weapon: int) -> int:
    """The kind of a ranged weapon profile: THROWN, PISTOLS or OTHERS."""
    abilities = g.setup.statics["weapon_abilities"][weapon]
    return THROWN if abilities & GRENADE else PISTOLS if abilities & PISTOL else OTHERS


def weapon_targets(
    g: BattleCore, unit: int, model: int, number: int, mode: int, declared: int, only: int = -1
) -> list[int]:
    """Full detail: enemy units that arsenal entry ``number`` of ``model`` may target now. ``only``: the one unit to
    test, -1: all.

    A ``model`` embarked in the unit lends it the weapon (transport.firing-deck). ``declared`` has a bit for each
    arsenal entry that the model has declared.

    The list is empty in these cases: another profile of the weapon was declared (shoot.targets.declare); the model, no
    MONSTER or VEHICLE, has declared Pistols and this weapon is none, or the reverse (weapon.pistol.or-others); the
    model gave up weapons of this kind; it has declared a weapon and that or this one is a Grenade; this is a Grenade
    and a job has one already (weapon.grenade).
    """
    statics, m = g.setup.statics, g.models
    weapons, arsenal, fire = statics["weapons"], statics["arsenal"], firing(g)
    shooter = shooter_of(g, unit, model)
    big = m.keywords[shooter] & edition(g).targeting.big_guns
    row = m.first_weapon[model] + number
    weapon = int(arsenal[row]["weapon"])
    if weapons[weapon]["melee"]:
        return []
    abilities = statics["weapon_abilities"]
    pistol, grenade = abilities[weapon] & PISTOL, abilities[weapon] & GRENADE
    if declared >> HELD and declared >> HELD + way_of_firing(g, weapon) & 1:
        return []
    if grenade and any(left and abilities[w] & GRENADE for left, w in zip(g.jobs.attacks, g.jobs.weapon, strict=True)):
        return []
    for k in range(m.weapons[model] if declared else 0):
        other = arsenal[m.first_weapon[model] + k]
        if not declared >> k & 1:
            continue
        if other["slot"] == arsenal[row]["slot"] or grenade or abilities[int(other["weapon"])] & GRENADE:
            return []
        if not big and abilities[int(other["weapon"])] & PISTOL != pistol:
            return []
    spent = bool(m.spent[model] >> number & 1)
    lone = mode == BIG_GUNS and lone_weapon(m.rows, weapons, arsenal, shooter)
    found = []
    for enemy in g.units_of(1 - g.units.owner[unit]):
        if g.units.place[enemy] != ON_TABLE or (only >= 0 and enemy != only):
            continue
        blast_ok = not fires_at_engaged(g.units.rows, g.engaged, unit, enemy)
        if (
            open_target(g.units.rows, g.engaged, fire, mode, unit, enemy)
            and not (lone and must_wait(g.engaged, fire, mode, unit, enemy))
            and usable(weapons, weapon, mode, blast_ok, spent)
            and not bound_elsewhere(m.rows, g.units.rows, g.setup.blocks, g.setup.corners, fire, mode, shooter, enemy)
            and may_fire(g.units.rows, weapons, fire, weapon, enemy, *look_at(g, shooter, weapon, enemy))
        ):
            found.append(enemy)
    return found


def look_at(g: BattleCore, model: int, weapon: int, target: int) -> tuple[float, float]:
    """Distances in inches: to the target's nearest model, and to the nearest one that the model sees within the
    weapon's range.
    """
    reach = float(g.setup.statics["weapons"][weapon]["range"])
    setup = g.setup
    return look(g.models.rows, g.units.rows, setup.blocks, setup.corners, firing(g), model, target, reach)


def append_job(g: BattleCore, model: int, weapon: int, target: int, near: int, attacks: int = -1) -> None:
    """Add one row to the declared attacks."""
    count = sum(1 for left in g.jobs.attacks if left)
    if count == len(g.jobs.attacks):
        raise RuntimeError("the table of declared attacks is full")
    add_job(g.jobs.rows, g.setup.statics["weapons"], count, model, weapon, target, near, attacks)


def declare_weapon(g: BattleCore, unit: int, model: int, number: int, target: int) -> None:
    """Full detail: the model fires arsenal entry ``number`` at ``target``."""
    statics, m = g.setup.statics, g.models
    row = m.first_weapon[model] + number
    weapon = int(statics["arsenal"][row]["weapon"])
    weapons, rules, fire, setup = statics["weapons"], statics["attack_rules"], statics["fire_rules"], g.setup
    mode = shooting_mode(g, unit)
    shooter = shooter_of(g, unit, model)
    nearest, seen = look_at(g, shooter, weapon, target)
    way = may_fire(g.units.rows, weapons, fire, weapon, target, nearest, seen)
    base = unit_near(g.units.rows, g.engaged, fire, unit, target, mode)
    terrain = setup.features, setup.blocks, setup.corners
    near = ranged_near(
        m.rows, g.units.rows, *terrain, weapons, rules, fire, shooter, weapon, target, base, nearest, way
    )
    if statics["weapon_abilities"][weapon] & ONE_SHOT:
        m.spent[model] |= 1 << number
        g.targets[unit] = UNKNOWN
    append_job(g, shooter, weapon, target, near)


def melee_targets(g: BattleCore, unit: int) -> tuple[Array, bool]:
    """The number of the unit's models that may attack each enemy unit in melee (by unit row), and whether any can."""
    setup, row, barred = g.setup, g.melee_targets_array, edition(g).barred_in_melee(g, unit)
    fire = setup.statics["fire_rules"]
    return row, bool(
        g.work.call(melee_row, g.models.rows, g.units.rows, setup.blocks, setup.corners, fire, barred, unit, row)
    )
