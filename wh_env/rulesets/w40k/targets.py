"""Who may target whom: ranged weapons and melee (w10.shoot.targets.*, locked in combat, w10.fight.targets.*).

The answers for a whole unit are kept as rows of small tables, so that a phase asks each question once.
"""

from __future__ import annotations

from wh_env.core.geometry.shapes import CONTACT, EPS, gap, member, member_count, units_engaged, within_reach
from wh_env.core.geometry.sight import sees, unit_sees_unit
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.profiles import Ability, Keyword, WeaponAbility

ASSAULT = int(WeaponAbility.ASSAULT)
PISTOL = int(WeaponAbility.PISTOL)
BLAST = int(WeaponAbility.BLAST)
INDIRECT = int(WeaponAbility.INDIRECT_FIRE)
ONE_SHOT = int(WeaponAbility.ONE_SHOT)
BIG = int(Keyword.MONSTER | Keyword.VEHICLE)
LONE = int(Ability.LONE_OPERATIVE)

# which weapons a unit may fire at all (argument `mode`)
ALL_WEAPONS, ASSAULT_ONLY, PISTOLS_ONLY, BIG_GUNS = 0, 1, 2, 3


@kernel
def engagement_row(models: Array, units: Array, a: int, row: Array) -> bool:
    """Set ``row[e]`` to 1 for each enemy unit within Engagement Range of unit ``a``, else 0; returns whether any is."""
    found = False
    for e in range(len(units)):
        row[e] = 0
        if units[e]["owner"] != units[a]["owner"] and units[e]["place"] == ON_TABLE:
            if units_engaged(models, units, a, e, 1.0, 5.0):
                row[e] = 1
                found = True
    return found


@kernel
def open_target(units: Array, engaged: Array, mode: int, a: int, e: int) -> bool:
    """Whether the unit ``e`` may be selected by ``a`` as far as combat goes; ``engaged[u, v]`` is the engagement table.

    w10.shoot.locked-in-combat.target, w10.shoot.big-guns.targets, .engaged-target, w10.weapon.pistol.engaged-targets.
    """
    if mode == PISTOLS_ONLY:
        return bool(engaged[a, e] != 0)
    if units[e]["keywords"] & BIG or engaged[a, e] != 0:
        return True
    for v in range(len(units)):
        if units[v]["owner"] == units[a]["owner"] and engaged[v, e] != 0:
            return False
    return True


@kernel
def fires_at_engaged(units: Array, engaged: Array, a: int, e: int) -> bool:
    """Whether ``e`` is within Engagement Range of any unit of the army of ``a``."""
    for v in range(len(units)):
        if units[v]["owner"] == units[a]["owner"] and engaged[v, e] != 0:
            return True
    return False


@kernel
def usable(weapons: Array, w: int, mode: int, blast_ok: bool, spent: bool) -> bool:
    """Whether a ranged weapon profile may be fired in this mode."""
    if weapons[w]["melee"] != 0:
        return False
    abilities = weapons[w]["abilities"]
    if mode == ASSAULT_ONLY and not abilities & ASSAULT:
        return False
    if mode == PISTOLS_ONLY and not abilities & PISTOL:
        return False
    if abilities & BLAST and not blast_ok:
        return False
    return not (abilities & ONE_SHOT and spent)


@kernel
def weapon_can_target(
    models: Array, units: Array, blocks: Array, corners: Array, weapons: Array, i: int, w: int, e: int
) -> int:
    """Whether model ``i`` may fire profile ``w`` at unit ``e`` by range and sight: 0 no, 1 seen, 2 only indirectly.

    At least one model of the unit must be both within range of the weapon and visible to the shooter
    (w10.shoot.targets.range-and-visible); a Lone Operative on its own only within 12" (w10.shoot.lone-operative).
    """
    reach = weapons[w]["range"]
    lone = units[e]["flags"] & LONE and units[e]["leader"] < 0
    if lone:
        near = 1e9
        for n in range(member_count(units, e)):
            j = member(units, e, n)
            if models[j]["on_table"] != 0 and models[j]["unit"] == e:
                near = min(near, straight(models, i, j))
        if near > 12.0 + EPS:
            return 0
    indirect = weapons[w]["abilities"] & INDIRECT
    in_range = False
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if models[j]["on_table"] == 0 or models[j]["unit"] != e:
            continue
        if straight(models, i, j) <= reach + EPS:
            in_range = True
            if sees(models, units, blocks, corners, i, j):
                return 1
    return 2 if indirect and in_range else 0


@kernel
def straight(models: Array, i: int, j: int) -> float:
    """Distance between two models in a straight line, cheap to reject."""
    flat = gap(models, i, j)
    dz = models[i]["z"] - models[j]["z"]
    return float((flat * flat + dz * dz) ** 0.5) if dz != 0.0 else float(flat)


@kernel
def within_half(models: Array, units: Array, i: int, e: int, reach: float) -> bool:
    """Whether any model of unit ``e`` is within half of ``reach`` of model ``i`` (Rapid Fire, Melta)."""
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if models[j]["on_table"] != 0 and models[j]["unit"] == e and straight(models, i, j) <= reach / 2 + EPS:
            return True
    return False


@kernel
def target_row(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    arsenal: Array,
    engaged: Array,
    a: int,
    mode: int,
    row: Array,
) -> bool:
    """Set ``row[e]`` to 1 for each enemy unit that some weapon of unit ``a`` may target, else 0; whether any is.

    ``mode`` says which weapons may be fired; BIG_GUNS is an engaged MONSTER or VEHICLE.
    """
    found = False
    for e in range(len(units)):
        row[e] = 0
        if units[e]["owner"] == units[a]["owner"] or units[e]["place"] != ON_TABLE or units[e]["alive"] == 0:
            continue
        if not open_target(units, engaged, mode, a, e):
            continue
        blast_ok = not fires_at_engaged(units, engaged, a, e)
        # longest range first decides whether anything can reach at all
        visible = -1
        for n in range(member_count(units, a)):
            i = member(units, a, n)
            if models[i]["on_table"] == 0 or models[i]["unit"] != a:
                continue
            seen = False
            tried = -1.0
            for s in range(models[i]["first_weapon"], models[i]["first_weapon"] + models[i]["weapons"]):
                w = arsenal[s]["weapon"]
                spent = int(models[i]["spent"]) >> int(s - models[i]["first_weapon"]) & 1 != 0
                if not usable(weapons, w, mode, blast_ok, spent):
                    continue
                if weapons[w]["range"] <= tried and not weapons[w]["abilities"] & INDIRECT:
                    continue
                if visible == -1 and not weapons[w]["abilities"] & INDIRECT:
                    if not in_range_at_all(models, units, i, e, weapons[w]["range"]):
                        continue
                    visible = 1 if unit_sees_unit(models, units, blocks, corners, a, e) else 0
                if visible == 0 and not weapons[w]["abilities"] & INDIRECT:
                    continue
                tried = max(tried, weapons[w]["range"])
                if weapon_can_target(models, units, blocks, corners, weapons, i, w, e) > 0:
                    seen = True
                    break
            if seen:
                row[e] = 1
                found = True
                break
    return found


@kernel
def in_range_at_all(models: Array, units: Array, i: int, e: int, reach: float) -> bool:
    """Whether any model of ``e`` is within ``reach`` of model ``i``."""
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if models[j]["on_table"] != 0 and models[j]["unit"] == e and straight(models, i, j) <= reach + EPS:
            return True
    return False


@kernel
def touches_enemy(models: Array, units: Array, i: int, e: int) -> bool:
    """Whether model ``i`` is in base contact with a model of unit ``e`` (any enemy unit if ``e`` is -1)."""
    for j in range(len(models)):
        if models[j]["on_table"] == 0 or models[j]["owner"] == models[i]["owner"]:
            continue
        if (e < 0 or models[j]["unit"] == e) and within_reach(models, i, j, CONTACT, CONTACT):
            return True
    return False


@kernel
def reaches_in_melee(models: Array, units: Array, i: int, e: int) -> bool:
    """Whether model ``i`` may target unit ``e`` with melee attacks (w10.fight.targets.eligible).

    It is within Engagement Range of the unit, or touches a model of its own unit that touches the unit.
    """
    for n in range(member_count(units, e)):
        j = member(units, e, n)
        if models[j]["on_table"] != 0 and models[j]["unit"] == e and within_reach(models, i, j, 1.0, 5.0):
            return True
    a = models[i]["unit"]
    for n in range(member_count(units, a)):
        k = member(units, a, n)
        if k == i or models[k]["on_table"] == 0 or models[k]["unit"] != a:
            continue
        if within_reach(models, i, k, CONTACT, CONTACT) and touches_enemy(models, units, k, e):
            return True
    return False


@kernel
def melee_row(models: Array, units: Array, a: int, row: Array) -> bool:
    """Set ``row[e]`` to the number of models of unit ``a`` that may target enemy unit ``e`` in melee; whether any may."""
    found = False
    for e in range(len(units)):
        row[e] = 0
        if units[e]["owner"] == units[a]["owner"] or units[e]["place"] != ON_TABLE or units[e]["alive"] == 0:
            continue
        if not units_engaged(models, units, a, e, 1.0, 5.0):
            continue
        for n in range(member_count(units, a)):
            i = member(units, a, n)
            if models[i]["on_table"] != 0 and models[i]["unit"] == a and reaches_in_melee(models, units, i, e):
                row[e] += 1
                found = True
    return found
