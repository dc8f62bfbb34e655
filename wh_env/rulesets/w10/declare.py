"""Declaring attacks: what a unit may fire, its targets, and the jobs that come of it."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w10.codes import Moved
from wh_env.rulesets.w40k.profiles import Keyword, WeaponAbility
from wh_env.rulesets.w40k.targets import (
    ALL_WEAPONS,
    ASSAULT_ONLY,
    BIG_GUNS,
    PISTOLS_ONLY,
    engagement_row,
    fires_at_engaged,
    melee_row,
    open_target,
    target_row,
    usable,
    weapon_can_target,
)
from wh_env.rulesets.w40k.volley import add_job, declare_melee, declare_ranged, ranged_near, unit_near

BIG = int(Keyword.MONSTER | Keyword.VEHICLE)
PISTOL = int(WeaponAbility.PISTOL)
ONE_SHOT = int(WeaponAbility.ONE_SHOT)

# states of a row of the target cache
UNKNOWN, NONE, SOME = 0, 1, 2


def forget_targets(g: BattleCore) -> None:
    """Positions or casualties changed: who sees whom must be asked again."""
    g.target_known_array[:] = UNKNOWN


def engagement_table(g: BattleCore) -> Array:
    """Who is within Engagement Range of whom (uint8, units x units), computed afresh."""
    table: Array = g.engaged
    m, u = g.models.rows, g.units.rows
    place = g.units.place
    for unit in range(len(u)):
        if place[unit] == ON_TABLE:
            engagement_row(m, u, unit, table[unit])
        else:
            table[unit] = 0
    return table


def shooting_mode(g: BattleCore, unit: int) -> int:
    """Which ranged weapons the unit may fire now (a mode of ``w40k.targets``), -1 if it is not eligible to shoot.

    w10.shoot.eligible, .locked-in-combat.shooter, .big-guns.eligible, w10.weapon.assault, .pistol.eligible.
    """
    moved = g.units.moved[unit]
    if moved == Moved.FELL_BACK:
        return -1
    row = g.engaged[unit]
    if not engagement_row(g.models.rows, g.units.rows, unit, row):
        return ASSAULT_ONLY if moved == Moved.ADVANCE else ALL_WEAPONS
    if moved == Moved.ADVANCE:
        return -1
    return BIG_GUNS if g.units.keywords[unit] & BIG else PISTOLS_ONLY


def shooting_row(g: BattleCore, unit: int, mode: int) -> tuple[Array, bool]:
    """Enemy units that some weapon of the unit may target (uint8 by unit row), and whether there are any; kept until
    positions or casualties change."""
    known = g.target_known
    row = g.targets[unit]
    if known[unit] == UNKNOWN:
        if not known[len(g.units.place)]:
            engagement_table(g)
            known[len(g.units.place)] = 1
        statics = g.setup.statics
        some = target_row(
            g.models.rows,
            g.units.rows,
            g.setup.blocks,
            g.setup.corners,
            statics["weapons"],
            statics["arsenal"],
            g.engaged,
            unit,
            mode,
            row,
        )
        known[unit] = SOME if some else NONE
    return row, known[unit] == SOME


def clear_jobs(g: BattleCore) -> None:
    """Forget the attacks declared before."""
    g.jobs.rows["attacks"] = 0


def add_jobs(g: BattleCore, unit: int, target: int) -> int:
    """Squad detail: declare the unit's whole shooting at ``target``; returns the number of jobs."""
    statics = g.setup.statics
    return int(
        declare_ranged(
            g.models.rows,
            g.units.rows,
            g.setup.blocks,
            g.setup.corners,
            statics["weapons"],
            statics["arsenal"],
            g.engaged,
            g.jobs.rows,
            unit,
            target,
            shooting_mode(g, unit),
        )
    )


def add_melee_jobs(g: BattleCore, unit: int, target: int) -> int:
    """Squad detail: declare the unit's melee attacks, ``target`` preferred; returns the number of jobs."""
    statics = g.setup.statics
    return int(
        declare_melee(g.models.rows, g.units.rows, statics["weapons"], statics["arsenal"], g.jobs.rows, unit, target)
    )


def weapon_targets(
    g: BattleCore, unit: int, model: int, number: int, mode: int, declared: int, only: int = -1
) -> list[int]:
    """Full detail: enemy units that arsenal entry ``number`` of ``model`` may target now; ``only`` limits them to one unit.

    ``declared`` has a bit for each arsenal entry that the model has declared. Nothing where another profile of the same
    weapon was declared (w10.shoot.targets.declare), or where the model has declared Pistols and this is none, or the
    reverse (w10.weapon.pistol.or-others).
    """
    statics, m = g.setup.statics, g.models
    weapons, arsenal = statics["weapons"], statics["arsenal"]
    row = m.first_weapon[model] + number
    weapon = int(arsenal[row]["weapon"])
    if weapons[weapon]["melee"]:
        return []
    abilities = statics["weapon_abilities"]
    pistol = abilities[weapon] & PISTOL
    for k in range(m.weapons[model] if declared else 0):
        other = arsenal[m.first_weapon[model] + k]
        if not declared >> k & 1:
            continue
        if other["slot"] == arsenal[row]["slot"]:
            return []
        if not m.keywords[model] & BIG and abilities[int(other["weapon"])] & PISTOL != pistol:
            return []
    spent = bool(m.spent[model] >> number & 1)
    found = []
    for enemy in g.units_of(1 - g.units.owner[unit]):
        if g.units.place[enemy] != ON_TABLE or (only >= 0 and enemy != only):
            continue
        blast_ok = not fires_at_engaged(g.units.rows, g.engaged, unit, enemy)
        if (
            open_target(g.units.rows, g.engaged, mode, unit, enemy)
            and usable(weapons, weapon, mode, blast_ok, spent)
            and weapon_can_target(m.rows, g.units.rows, g.setup.blocks, g.setup.corners, weapons, model, weapon, enemy)
        ):
            found.append(enemy)
    return found


def append_job(g: BattleCore, model: int, weapon: int, target: int, near: int, attacks: int = -1) -> None:
    """Add one row to the declared attacks."""
    count = sum(1 for left in g.jobs.attacks if left)
    if count == len(g.jobs.attacks):
        raise RuntimeError("the table of declared attacks is full")
    add_job(g.jobs.rows, count, model, weapon, target, near, attacks)


def declare_weapon(g: BattleCore, unit: int, model: int, number: int, target: int) -> None:
    """Full detail: the model fires arsenal entry ``number`` at ``target``."""
    statics, m = g.setup.statics, g.models
    row = m.first_weapon[model] + number
    weapon = int(statics["arsenal"][row]["weapon"])
    weapons, blocks, corners = statics["weapons"], g.setup.blocks, g.setup.corners
    mode = shooting_mode(g, unit)
    seen = weapon_can_target(m.rows, g.units.rows, blocks, corners, weapons, model, weapon, target)
    base = unit_near(g.units.rows, g.engaged, unit, target, mode)
    near = ranged_near(m.rows, g.units.rows, blocks, corners, weapons, model, weapon, target, base, seen)
    if statics["weapon_abilities"][weapon] & ONE_SHOT:
        m.spent[model] |= 1 << number
    append_job(g, model, weapon, target, near)


def melee_targets(g: BattleCore, unit: int) -> tuple[Array, bool]:
    """Enemy units that models of the unit may attack in melee (number of models by unit row), and whether any can."""
    row = g.targets[unit]
    return row, bool(melee_row(g.models.rows, g.units.rows, unit, row))
