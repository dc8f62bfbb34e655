"""Turning a choice of target into declared attacks: one JOB row for each weapon profile that a model uses."""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.geometry.areas import model_engaged_across
from wh_env.core.geometry.shapes import EPS, member, member_count, within_reach
from wh_env.core.geometry.unit_sight import unit_sees_unit
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.attack.odds import expected_wounds
from wh_env.rulesets.w40k.attack.rolls import BLAST_SHIFT, Near
from wh_env.rulesets.w40k.codes import YES, Effect, Moved
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.questions.melee_targets import reaches_in_melee
from wh_env.rulesets.w40k.questions.targets import (
    ASSAULT,
    BIG_GUNS,
    BLAST,
    GRENADE,
    ONE_SHOT,
    PISTOL,
    PISTOLS_ONLY,
    bound_elsewhere,
    fires_at_engaged,
    lone_weapon,
    longest_range,
    look,
    may_fire,
    must_wait,
    open_target,
    usable,
)
from wh_env.rulesets.w40k.terrain.cover import plunges

EXTRA = int(WeaponAbility.EXTRA_ATTACKS)
HALF_RANGE_MATTERS = int(WeaponAbility.RAPID_FIRE | WeaponAbility.MELTA)
HALF_RANGE = int(Near.HALF_RANGE)
UNSEEN = int(Near.UNSEEN)
ENGAGED_SHOOTER = int(Near.ENGAGED_SHOOTER)
ENGAGED_TARGET = int(Near.ENGAGED_TARGET)
STATIONARY = int(Near.STATIONARY)
ADVANCED = int(Near.ADVANCED)
WHEN_FREE = int(Near.WHEN_FREE)
HEAVY, OVERHEATS = int(WeaponAbility.HEAVY), int(WeaponAbility.OVERHEATS)
CHARGED = int(Near.CHARGED)
COVER = int(Near.COVER)
STEALTH = int(Near.STEALTH)
AP_PLUS = int(Near.AP_PLUS)

HAS_COVER, HAS_STEALTH = Effect.BENEFIT_OF_COVER, Effect.STEALTH
AS_IT_STOOD, HAD_ADVANCED = int(Moved.STATIONARY), int(Moved.ADVANCE)


@inner_kernel
def big_in_combat(models: Array, blocks: Array, corners: Array, fire: Array, i: int) -> bool:
    """Whether model ``i`` is a MONSTER or VEHICLE within Engagement Range of an enemy
    (shoot.big-guns.penalty-shooter).
    """
    if not models[i]["keywords"] & fire[0]["big_guns"]:
        return False
    for j in range(len(models)):
        if models[j]["on_table"] != 0 and models[j]["owner"] != models[i]["owner"]:
            if within_reach(models, i, j, fire[0]["engagement"], fire[0]["engagement_vertical"]):
                return True
    m = models[i]
    return fire[0]["engagement_across"] > 0.0 and model_engaged_across(
        models, blocks, corners, i, m["x"], m["y"], m["z"], m["facing"], fire[0]["engagement_vertical"]
    )  # fmt: skip


@kernel
def ranged_near(
    models: Array,
    units: Array,
    features: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    rules: Array,
    fire: Array,
    i: int,
    w: int,
    e: int,
    base: int,
    nearest: float,
    way: int,
) -> int:
    """Circumstances (``Near``) of the attacks of model ``i`` with profile ``w`` at unit ``e``.

    ``base``: those of the whole unit (``unit_near``). ``nearest``: inches to the target's nearest model. ``way``: the
    answer of ``may_fire``.
    """
    near = base
    if (
        near & ENGAGED_SHOOTER
        and fire[0]["engaged_as_unit"] == 0
        and not big_in_combat(models, blocks, corners, fire, i)
    ):
        near &= ~ENGAGED_SHOOTER  # the rest of its unit is engaged, this model is not
    # set only for weapons that use half range, so that alike attacks stay in one group
    if weapons[w]["abilities"] & HALF_RANGE_MATTERS:
        if nearest <= weapons[w]["range"] * rules[0]["half_range"] + EPS:
            near |= HALF_RANGE
    if way == 2 and not unit_sees_unit(models, units, blocks, corners, models[i]["unit"], e):
        near |= UNSEEN
    if plunges(models, units, features, corners, rules, i, e):
        near |= AP_PLUS
    if rules[0]["heavy_moved"] != 0 and weapons[w]["abilities"] & HEAVY:
        if models[i]["keywords"] & rules[0]["heavy_slows"] == 0:
            near |= STATIONARY  # its Heavy weapons are fired as if it had been stationary
    if rules[0]["assault_advanced"] != 0 and weapons[w]["abilities"] & ASSAULT:
        if units[models[i]["unit"]]["moved"] == HAD_ADVANCED:
            near |= ADVANCED
    return int(near | blast_size(units, weapons, rules, w, e) << BLAST_SHIFT)


@inner_kernel
def blast_size(units: Array, weapons: Array, rules: Array, w: int, e: int) -> int:
    """The step of Blast for the number of models in unit ``e`` when it is selected as a target (as ``Near`` has it)."""
    size = units[e]["alive"]
    if rules[0]["blast_few"] == 0:
        return int(size // rules[0]["blast"])
    if weapons[w]["abilities"] & BLAST == 0 or size < rules[0]["blast_few"]:
        return 0
    return 2 if size >= rules[0]["blast_many"] else 1


@kernel
def add_job(jobs: Array, weapons: Array, n: int, i: int, w: int, e: int, near: int, attacks: int) -> int:
    """Append a job. Returns the new number of jobs.

    Jobs with the same profile, target and circumstances share a group (fast dice), except for weapons whose hit rolls
    can harm their bearer.
    """
    jobs[n]["model"] = i
    jobs[n]["weapon"] = w
    jobs[n]["target"] = e
    jobs[n]["near"] = near
    jobs[n]["attacks"] = attacks
    jobs[n]["group"] = n
    if weapons[w]["abilities"] & OVERHEATS:
        return n + 1
    for k in range(n):
        if jobs[k]["weapon"] == w and jobs[k]["target"] == e and jobs[k]["near"] == near:
            jobs[n]["group"] = jobs[k]["group"]
            break
    return n + 1


@kernel
def unit_near(units: Array, engaged: Array, fire: Array, a: int, e: int, mode: int) -> int:
    """Circumstances that hold for every ranged attack of unit ``a`` at unit ``e``."""
    near = 0
    if mode == BIG_GUNS:
        near |= ENGAGED_SHOOTER
    if units[e]["keywords"] & fire[0]["big_targets"] and fires_at_engaged(units, engaged, a, e):
        near |= ENGAGED_TARGET
    if must_wait(engaged, fire, mode, a, e):
        near |= WHEN_FREE
    if units[a]["moved"] <= AS_IT_STOOD and units[a]["arrived"] == 0 and units[a]["disembarked"] == 0:
        near |= STATIONARY
    if units[e]["cover"] & HAS_COVER:
        near |= COVER
    if units[e]["cover"] & HAS_STEALTH:
        near |= STEALTH
    return near


class Guns(NamedTuple):
    """The tables by which attacks of ranged weapons are judged; see ``core.tables`` and ``w40k.tables``."""

    models: Array
    units: Array
    features: Array
    blocks: Array
    corners: Array
    weapons: Array
    arsenal: Array
    engaged: Array
    rules: Array
    fire: Array


@inner_kernel
def best_ranged(
    guns: Guns,
    i: int,
    slot: int,
    e: int,
    mode: int,
    nearest: float,
    seen: float,
) -> tuple[int, int, float]:
    """The profile of weapon ``slot`` of model ``i`` with the highest expected wounds on ``e``: arsenal row, near bits,
    expected wounds.

    ``nearest`` and ``seen``: the results of ``look``. The row is -1 if no profile may target the unit.
    """
    models, units, features, blocks, corners, weapons, arsenal, engaged, rules, fire = guns
    a = models[i]["unit"]
    best = -1
    best_near = 0
    best_value = -1.0
    if not open_target(units, engaged, fire, mode, a, e):
        return best, best_near, best_value
    if must_wait(engaged, fire, mode, a, e) and lone_weapon(models, weapons, arsenal, i):
        return best, best_near, best_value
    if bound_elsewhere(models, units, blocks, corners, fire, mode, i, e):
        return best, best_near, best_value
    blast_ok = not fires_at_engaged(units, engaged, a, e)
    base = unit_near(units, engaged, fire, a, e, mode)
    first = models[i]["first_weapon"]
    for s in range(first, first + models[i]["weapons"]):
        if arsenal[s]["slot"] != slot:
            continue
        w = arsenal[s]["weapon"]
        if not usable(weapons, w, mode, blast_ok, int(models[i]["spent"]) >> int(s - first) & 1 != 0):
            continue
        way = may_fire(units, weapons, fire, w, e, nearest, seen)
        if way == 0:
            continue
        near = ranged_near(models, units, features, blocks, corners, weapons, rules, fire, i, w, e, base, nearest, way)
        value = expected_wounds(models, units, weapons, rules, i, w, e, near)
        if value > best_value:
            best = s
            best_near = near
            best_value = value
    return best, best_near, best_value


@inner_kernel
def slot_seen(weapons: Array, arsenal: Array, first: int, s: int) -> bool:
    """Whether an earlier ranged row of the model's arsenal has the same slot as row ``s`` and is, like it, a Pistol or
    none.
    """
    pistol = weapons[arsenal[s]["weapon"]]["abilities"] & PISTOL
    for k in range(first, s):
        w = arsenal[k]["weapon"]
        if arsenal[k]["slot"] == arsenal[s]["slot"] and weapons[w]["melee"] == 0:
            if weapons[w]["abilities"] & PISTOL == pistol:
                return True
    return False


@inner_kernel
def best_elsewhere(
    guns: Guns, row: Array, i: int, slot: int, wanted: int, mode: int, reach: float, least: float
) -> tuple[int, int, int]:
    """The profile of weapon ``slot`` of model ``i`` and the target other than ``wanted`` with the highest expected
    wounds above ``least``: arsenal row (-1: none), near bits, target.

    ``row``: the settled target row of the unit. ``reach``: the model's longest range.
    """
    best = -1
    near = 0
    target = wanted
    for e in range(len(guns.units)):
        if e == wanted or row[e] != YES:
            continue
        nearest, seen = look(guns.models, guns.units, guns.blocks, guns.corners, guns.fire, i, e, reach)
        other, other_near, value = best_ranged(guns, i, slot, e, mode, nearest, seen)
        if other >= 0 and value > least:
            best, near, least, target = other, other_near, value, e
    return best, near, target


@kernel
def declare_ranged(
    models: Array,
    units: Array,
    features: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    arsenal: Array,
    engaged: Array,
    rules: Array,
    fire: Array,
    jobs: Array,
    row: Array,
    a: int,
    wanted: int,
    mode: int,
) -> int:
    """Squad detail: each weapon of unit ``a`` fires at ``wanted`` if it can, else at the target with the highest
    expected wounds. Returns the number of jobs.

    ``row``: the settled target row of the unit. A model that is no MONSTER or VEHICLE fires Pistols only if its other
    weapons have no target (weapon.pistol.or-others). One model throws a Grenade if that is expected to do more than its
    other weapons (weapon.grenade).
    """
    guns = Guns(models, units, features, blocks, corners, weapons, arsenal, engaged, rules, fire)
    count, grenades = 0, False
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if models[i]["on_table"] == 0 or models[i]["unit"] != a:
            continue
        big = models[i]["keywords"] & fire[0]["big_guns"]
        first, fired = models[i]["first_weapon"], False
        reach = longest_range(models, weapons, arsenal, i)
        if reach == 0.0:
            continue
        nearest, seen = look(models, units, blocks, corners, fire, i, wanted, reach)
        for turn in range(2):
            # other weapons first, then Pistols
            if turn == 1 and fired and not big:
                break
            for s in range(first, first + models[i]["weapons"]):
                slot, w = arsenal[s]["slot"], arsenal[s]["weapon"]
                if weapons[w]["melee"] != 0 or (weapons[w]["abilities"] & PISTOL != 0) != (turn == 1):
                    continue
                if weapons[w]["abilities"] & GRENADE != 0:
                    grenades = True
                    continue
                if slot_seen(weapons, arsenal, first, s):
                    continue
                best, near, value = best_ranged(guns, i, slot, wanted, mode, nearest, seen)
                target = wanted
                if best < 0 and (mode != PISTOLS_ONLY or fire[0]["pistol_closest"] != 0):
                    best, near, target = best_elsewhere(guns, row, i, slot, wanted, mode, reach, value)
                if best >= 0 and count < len(jobs):
                    count = add_job(jobs, weapons, count, i, arsenal[best]["weapon"], target, near, -1)
                    fired = True
                    if weapons[arsenal[best]["weapon"]]["abilities"] & ONE_SHOT:
                        models[i]["spent"] = int(models[i]["spent"]) | 1 << int(best - first)
    return throw_grenade(guns, jobs, a, wanted, mode, count) if grenades else count


@inner_kernel
def throw_grenade(guns: Guns, jobs: Array, a: int, wanted: int, mode: int, count: int) -> int:
    """Let one model of unit ``a`` throw a Grenade at ``wanted`` instead of firing its other weapons: the model that
    gains most expected wounds, if any gains (weapon.grenade). Returns the number of jobs; its replaced jobs have 0
    attacks.
    """
    models, units, _, blocks, corners, weapons, arsenal, _, rules, fire = guns
    thrower = -1
    grenade = 0
    circumstances = 0
    most = 0.0
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if models[i]["on_table"] == 0 or models[i]["unit"] != a:
            continue
        fired = 0.0
        for k in range(count):
            if jobs[k]["model"] == i:
                fired += expected_wounds(
                    models, units, weapons, rules, i, jobs[k]["weapon"], jobs[k]["target"], jobs[k]["near"]
                )
        first = models[i]["first_weapon"]
        for s in range(first, first + models[i]["weapons"]):
            w = arsenal[s]["weapon"]
            if weapons[w]["melee"] != 0 or weapons[w]["abilities"] & GRENADE == 0:
                continue
            nearest, seen = look(models, units, blocks, corners, fire, i, wanted, weapons[w]["range"])
            best, near, value = best_ranged(guns, i, arsenal[s]["slot"], wanted, mode, nearest, seen)
            if best >= 0 and value - fired > most:
                most = value - fired
                thrower = i
                grenade = arsenal[best]["weapon"]
                circumstances = near
    if thrower < 0 or count == len(jobs):
        return count
    for k in range(count):
        if jobs[k]["model"] == thrower:
            jobs[k]["attacks"] = 0
    return add_job(jobs, weapons, count, thrower, grenade, wanted, circumstances, -1)


@kernel
def melee_near(models: Array, units: Array, i: int) -> int:
    """Circumstances (``Near``) of the melee attacks of model ``i``."""
    return CHARGED if units[models[i]["unit"]]["charged"] != 0 else 0


@inner_kernel
def best_melee(
    models: Array,
    units: Array,
    weapons: Array,
    arsenal: Array,
    rules: Array,
    i: int,
    e: int,
    extra: int,
) -> tuple[int, int, float]:
    """The melee profile of model ``i`` with the highest expected wounds on unit ``e``: arsenal row (-1: none), near
    bits, expected wounds.

    ``extra`` not 0: among its Extra Attacks weapons, else among the others.
    """
    best = -1
    near = melee_near(models, units, i)
    best_value = -1.0
    first = models[i]["first_weapon"]
    for s in range(first, first + models[i]["weapons"]):
        w = arsenal[s]["weapon"]
        if weapons[w]["melee"] == 0 or (weapons[w]["abilities"] & EXTRA != 0) != (extra != 0):
            continue
        value = expected_wounds(models, units, weapons, rules, i, w, e, near)
        if value > best_value:
            best = s
            best_value = value
    return best, near, best_value


@kernel
def declare_melee(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    weapons: Array,
    arsenal: Array,
    rules: Array,
    fire: Array,
    jobs: Array,
    barred: Array,
    a: int,
    wanted: int,
) -> int:
    """Squad detail: each model of unit ``a`` fights ``wanted`` with its best weapon if it can, else its best target
    that is not ``barred`` (int32 by unit). Returns the number of jobs.

    Extra Attacks weapons attack in addition (weapon.extra-attacks).
    """
    count = 0
    for n in range(member_count(units, a)):
        i = member(units, a, n)
        if models[i]["on_table"] == 0 or models[i]["unit"] != a:
            continue
        target = -1
        if reaches_in_melee(models, units, blocks, corners, fire, i, wanted):
            target = wanted
        else:
            value = -1.0
            for e in range(len(units)):
                if e == wanted or units[e]["owner"] == units[a]["owner"] or units[e]["place"] != ON_TABLE:
                    continue
                if barred[e] == 0 and reaches_in_melee(models, units, blocks, corners, fire, i, e):
                    other = best_melee(models, units, weapons, arsenal, rules, i, e, 0)[2]
                    if other > value:
                        value = other
                        target = e
        if target < 0:
            continue
        best, near, _ = best_melee(models, units, weapons, arsenal, rules, i, target, 0)
        if best >= 0 and count < len(jobs):
            count = add_job(jobs, weapons, count, i, arsenal[best]["weapon"], target, near, -1)
        last_slot = -1
        first = models[i]["first_weapon"]
        for s in range(first, first + models[i]["weapons"]):
            w = arsenal[s]["weapon"]
            if weapons[w]["melee"] == 0 or not weapons[w]["abilities"] & EXTRA or arsenal[s]["slot"] == last_slot:
                continue
            last_slot = arsenal[s]["slot"]
            if count < len(jobs):
                count = add_job(jobs, weapons, count, i, w, target, melee_near(models, units, i), -1)
    return count
