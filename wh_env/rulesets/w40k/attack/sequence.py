"""The order of declared attacks, target by target and profile by profile, up to the next choice or interruption.

``go_on`` works on the frame of ``making.Attacks`` and runs the attack machine (``attack.machine``), whose codes it
passes on.
"""

from __future__ import annotations

from typing import NamedTuple

from wh_env.core.geometry.shapes import member, member_count, stands_in
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.procedures import STEP, V
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.circumstances import ap_modified
from wh_env.rulesets.w40k.attack.jobs import groups_left, targets_left
from wh_env.rulesets.w40k.attack.machine import (
    begin_group,
    begin_hazardous,
    begin_mortal,
    begin_pending,
    resolve,
    slay_bearer,
)
from wh_env.rulesets.w40k.attack.powers import affects, guard_unit
from wh_env.rulesets.w40k.attack.precision import aim
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.attack_row import DONE, LOSS, MORTAL
from wh_env.rulesets.w40k.profiles import WeaponAbility
from wh_env.rulesets.w40k.terrain.cover import drop_cover, take_cover

RANGED, MELEE = 0, 1
# SHELTERED: number of models in the attacking unit when the target's cover was last determined
# PENDING_NOW: mortal wounds to come from the attacks so far, PSYCHIC: those of them from Psychic Attacks
# CHOSEN: the target or the group of alike attacks that comes next
UNIT, KIND, TARGET, TESTS, FAILED, SHELTERED, PENDING_NOW, PSYCHIC, CHOSEN = range(V, V + 9)
# steps of ``making.Attacks``
NEXT_TARGET, BEGIN_TARGET, NEXT_GROUP, BEGIN_GROUP, GROUP, PENDING, HAZARD, LOSE, END = range(1, 10)
# codes of ``go_on`` beyond those of the machine: choices whose answer goes to CHOSEN, and work for the caller before
# the next call; ``go_on`` itself does not return GO_ON
CHOOSE_TARGET, CHOOSE_GROUP, OFFER_SAVES, TELL, DEMISES, PREPARE, GO_ON = range(20, 27)
# TELL_SHELTER with bits of the others: a group begins; its events of terrain are to be told
TELL_SHELTER, FROM_ABOVE, IN_COVER = 32, 1, 2
# bits of ``asks``; PREPARES: the edition prepares each group itself before it is made; FADES: abilities that change
# attacks may end with casualties
ASK_TARGET, ASK_GROUP, OFFERS, RECORDS, PREPARES, FADES = 1, 2, 4, 8, 16, 32
LOST, DEMISED = 0, 1  # entries of the table `queue`: casualties listed, casualties whose Deadly Demise was dealt with

PROTECTED = 2  # column of `own_guards`

HAZARDOUS = int(WeaponAbility.HAZARDOUS)
IGNORES_COVER = int(WeaponAbility.IGNORES_COVER)
PSYCHIC_WEAPON = int(WeaponAbility.PSYCHIC)
PRECISION_WEAPON = int(WeaponAbility.PRECISION)
NO_COVER = int(Near.IGNORES_COVER)
COVER, PLUNGING, PRECISE = int(Near.COVER), int(Near.AP_PLUS), int(Near.PRECISION)


@kernel
def survey(
    stack: Array,
    f: int,
    models: Array,
    units: Array,
    weapons: Array,
    jobs: Array,
    attack: Array,
    damaged: Array,
    of_attackers: Array,
    their_bearers: Array,
    of_weapons: Array,
    weapon_bearers: Array,
    of_targets: Array,
    target_bearers: Array,
    made: Array,
    made_bearers: Array,
    suffered: Array,
    suffered_bearers: Array,
) -> bool:
    """Count the rows of ``jobs`` in use and the Hazardous tests to come, after attacks were declared.

    Returns whether an ability in force, or damage suffered (``damaged``: wounds left, by model), changes any of these
    attacks.
    """
    used = 0
    tests = 0
    changed = False
    last = -1
    for row in range(len(jobs)):
        job = jobs[row]
        if job["attacks"] == 0:
            continue
        used = row + 1
        if int(weapons[job["weapon"]]["abilities"]) & HAZARDOUS != 0 and first_of_weapon(stack[f + KIND], jobs, row):
            tests += 1
        if models[job["model"]]["wounds"] <= damaged[job["model"]]:
            changed = True
        unit = models[job["model"]]["unit"]
        if last < 0 or unit != models[jobs[last]["model"]]["unit"]:
            changed = changed or any_affects(models, units, of_attackers, their_bearers, unit)
            changed = changed or any_affects(models, units, of_weapons, weapon_bearers, unit)
            changed = changed or any_affects(models, units, made, made_bearers, unit)
        if last < 0 or job["target"] != jobs[last]["target"]:
            changed = changed or any_affects(models, units, of_targets, target_bearers, job["target"])
            changed = changed or any_affects(models, units, suffered, suffered_bearers, job["target"])
        last = row
    attack[0]["jobs"] = used
    stack[f + TESTS] = tests
    return changed


@inner_kernel
def first_of_weapon(kind: int, jobs: Array, row: int) -> bool:
    """Whether a row of ``jobs`` is the first of its Hazardous weapon: each weapon takes one test
    (weapon.hazardous.test).

    A ranged weapon has one row; the attacks of a melee weapon may be split over several.
    """
    if kind == MELEE:
        for other in range(row):
            same = jobs[other]["model"] == jobs[row]["model"] and jobs[other]["weapon"] == jobs[row]["weapon"]
            if same and jobs[other]["attacks"] != 0:
                return False
    return True


@inner_kernel
def any_affects(models: Array, units: Array, powers: Array, bearers: Array, u: int) -> bool:
    """Whether any of the powers is in force on unit ``u``."""
    for p in range(len(powers)):
        if affects(models, units, powers, bearers, p, u):
            return True
    return False


@inner_kernel
def cover_counts(
    models: Array, units: Array, weapons: Array, rules: Array, target: int, weapon: int, near: int
) -> bool:
    """Whether the Benefit of Cover would help any model of the target against these attacks
    (terrain.cover.three-plus).
    """
    if near & PLUNGING != 0 or ap_modified(weapons[weapon]["ap"], near) != 0:
        return True
    for n in range(member_count(units, target)):
        k = member(units, target, n)
        if stands_in(models, k, target) and models[k]["save"] > rules[0]["no_cover_save"]:
            return True
    return False


@inner_kernel
def needs_cover(
    frame: Array, models: Array, units: Array, weapons: Array, rules: Array, weapon: int, near: int
) -> bool:
    """Whether the Benefit of Cover from terrain has to be determined for the attacks that begin.

    No model moves while a unit makes its attacks, so cover is determined once for each target, and again after
    attacking models were lost (terrain.cover.per-model, .all-attackers).
    """
    if (
        frame[KIND] != RANGED
        or near & (COVER | NO_COVER) != 0
        or int(weapons[weapon]["abilities"]) & IGNORES_COVER != 0
    ):
        return False
    if frame[SHELTERED] == units[frame[UNIT]]["alive"]:
        return False
    return bool(cover_counts(models, units, weapons, rules, frame[TARGET], weapon, near))


@inner_kernel
def wake(models: Array, units: Array, queue: Array, casualties: Array) -> bool:
    """Whether a model destroyed since the last call has Deadly Demise, or a TRANSPORT is among the casualties. If not,
    all casualties are marked as dealt with.
    """
    for at in range(queue[LOST]):
        k = casualties[at]
        if at >= queue[DEMISED] and (models[k]["demise_dice"] != 0 or models[k]["demise_plus"] != 0):
            return True
        if units[models[k]["unit"]]["capacity"] != 0:
            return True
    queue[DEMISED] = queue[LOST]
    return False


@inner_kernel
def after_machine(frame: Array, attack: Array) -> None:
    """Go to the next step after the machine is done."""
    step = frame[STEP]
    if step == GROUP:
        more = attack[0]["pending"] - frame[PENDING_NOW]
        frame[PENDING_NOW] += more
        if attack[0]["psychic"] != 0:
            frame[PSYCHIC] = max(0, frame[PSYCHIC] + more)
        elif more < 0:
            frame[PSYCHIC] = 0  # the target is destroyed
        frame[STEP] = NEXT_GROUP
    elif step == PENDING:
        frame[STEP] = NEXT_TARGET
    elif step == HAZARD:
        frame[FAILED] = attack[0]["failures"]
        frame[STEP] = LOSE


@inner_kernel
def no_group_left(frame: Array, attack: Array) -> None:
    """All attacks on the target are made: begin the mortal wounds that they caused, those of Psychic Attacks first
    (datasheet.psychic).
    """
    attack[0]["target"] = frame[TARGET]
    mental = frame[PSYCHIC]
    if mental != 0:
        begin_mortal(attack, frame[TARGET], mental, -1)
        attack[0]["psychic"] = 1
        attack[0]["pending"] -= mental
        frame[PENDING_NOW] = attack[0]["pending"]
        frame[PSYCHIC] = 0
        frame[STEP] = GROUP
        return
    begin_pending(attack)
    frame[PENDING_NOW] = 0
    frame[STEP] = PENDING


@kernel
def next_groups(models: Array, units: Array, jobs: Array, attack: Array, target: int, out: Array) -> int:
    """List in ``out`` the groups that may be made next, in order of declaration. Returns how many.

    Once a profile was begun only its own groups may follow (shoot.attacks.profile-order).
    """
    count = groups_left(models, units, jobs, attack[0]["jobs"], target, out)
    same = 0
    for k in range(count):
        if attack[0]["weapon"] >= 0 and out[k] == attack[0]["group"]:  # attacks that those just made have generated
            out[0] = out[k]
            return 1
        if jobs[out[k]]["weapon"] == attack[0]["weapon"]:
            out[same] = out[k]
            same += 1
    return same if same > 0 else count


@inner_kernel
def start_group(
    frame: Array, asks: int, models: Array, units: Array, weapons: Array, jobs: Array, attack: Array, rules: Array,
    features: Array, blocks: Array, corners: Array,
) -> int:  # fmt: skip
    """Begin the chosen group: determine cover, and the models that a Precision weapon sees. Returns bits ``FROM_ABOVE``
    and ``IN_COVER``.
    """
    group = frame[CHOSEN]
    weapon = jobs[group]["weapon"]
    near = int(jobs[group]["near"])
    told = FROM_ABOVE if near & PLUNGING != 0 else 0
    if asks & PREPARES == 0 and len(features) > 0 and needs_cover(frame, models, units, weapons, rules, weapon, near):
        frame[SHELTERED] = units[frame[UNIT]]["alive"]
        if take_cover(models, units, features, blocks, corners, rules, frame[UNIT], frame[TARGET]) > 0:
            told |= IN_COVER
    seen = 0
    if near & PRECISE != 0 or int(weapons[weapon]["abilities"]) & PRECISION_WEAPON != 0:
        seen = aim(models, units, blocks, corners, jobs, attack[0]["jobs"], group)
    begin_group(units, jobs, attack, group)
    attack[0]["weapon"] = weapon
    attack[0]["seen"] = seen
    attack[0]["psychic"] = 1 if int(weapons[weapon]["abilities"]) & PSYCHIC_WEAPON != 0 else 0
    return told


@inner_kernel
def guard_target(
    frame: Array, models: Array, units: Array, attack: Array, guards: Array, bearers: Array, own_guards: Array
) -> None:
    """Write the saves and Feel No Pain that powers give the target's models against the attacks or mortal wounds that
    come next.
    """
    mortal = frame[STEP] == PENDING or attack[0]["stage"] == MORTAL
    target, psychic = attack[0]["target"], attack[0]["psychic"] != 0
    guard_unit(models, units, guards, bearers, own_guards, target, psychic, mortal)


class Making(NamedTuple):
    """The tables with which attacks are made, in the order of ``machine.resolve``; see ``w40k.tables``."""

    models: Array
    units: Array
    weapons: Array
    jobs: Array
    attack: Array
    rules: Array
    dice: Array
    script: Array
    log: Array
    casualties: Array


@inner_kernel
def _next_target(frame: Array, asks: int, making: Making, out: Array) -> int:
    """Begin with the next target, or with the tests for Hazardous weapons; the arguments are those of ``go_on``.

    Returns:
        Why it stops, as ``go_on`` does; ``GO_ON``: it does not.
    """
    units, attack = making.units, making.attack
    if frame[SHELTERED] != 0:
        drop_cover(making.models, units, frame[TARGET])
        frame[SHELTERED] = 0
    count = targets_left(making.models, units, making.jobs, attack[0]["jobs"], out)
    if count > 1 and asks & ASK_TARGET != 0:
        return CHOOSE_TARGET
    if count > 0:
        frame[CHOSEN] = out[0]
        frame[STEP] = BEGIN_TARGET
    elif frame[TESTS] == 0:
        frame[STEP] = END
        return DONE
    else:
        begin_hazardous(attack, frame[UNIT], frame[TESTS], making.rules, making.dice, making.script, making.log)
        frame[STEP] = HAZARD
    return GO_ON


@inner_kernel
def _roll_on(
    frame: Array, asks: int, making: Making, queue: Array, guards: Array, bearers: Array, own_guards: Array
) -> int:
    """Make the attacks of the group that has begun; the arguments are those of ``go_on``.

    Returns:
        Why it stops, as ``go_on`` does; ``GO_ON``: the group is done.
    """
    models, units, attack, log, casualties = making.models, making.units, making.attack, making.log, making.casualties
    step, target = frame[STEP], attack[0]["target"]
    if own_guards[units[target]["first"], PROTECTED] != 0:
        guard_target(frame, models, units, attack, guards, bearers, own_guards)
    attack[0]["casualties"] = queue[LOST]
    code = resolve(*making)
    if code == DONE and step == GROUP and attack[0]["failures"] != 0:
        slay_bearer(models, units, attack, log, casualties)
    queue[LOST] = attack[0]["casualties"]
    if code == LOSS:
        return DEMISES
    if code != DONE:
        return code
    if asks & PREPARES != 0 and step == GROUP:
        drop_cover(models, units, target)
        frame[SHELTERED] = 0
    after_machine(frame, attack)
    if wake(models, units, queue, casualties):
        return DEMISES
    return TELL if asks & RECORDS != 0 else GO_ON


@kernel
def go_on(
    frame: Array, asks: int, models: Array, units: Array, weapons: Array, jobs: Array, attack: Array, rules: Array,
    dice: Array, script: Array, log: Array, casualties: Array, queue: Array, out: Array,
    features: Array, blocks: Array, corners: Array, guards: Array, bearers: Array, own_guards: Array,
) -> int:  # fmt: skip
    """Make attacks until a choice or interruption comes up, or all are made (step ``END`` or ``LOSE``, code ``DONE``).

    ``asks``: bits: choices that are asked (``ASK_TARGET``, ``ASK_GROUP``; else the first declared comes first), whether
    re-rolls are offered, whether events are recorded, whether the edition prepares each group (code ``PREPARE``),
    whether the loss of models may change attacks (code ``OFFER_SAVES``).
    ``frame``: integers of the frame of ``making.Attacks``. ``out``: scratch for units or rows of ``jobs``.
    ``own_guards``: by model: its own second save and Feel No Pain, and whether powers (``guards``, ``bearers``) could
    protect its unit.
    """
    unit = frame[UNIT]
    making = Making(models, units, weapons, jobs, attack, rules, dice, script, log, casualties)
    while True:
        step = frame[STEP]
        if step == NEXT_TARGET:
            code = _next_target(frame, asks, making, out)
            if code != GO_ON:
                return code
        elif step == BEGIN_TARGET:
            frame[TARGET] = frame[CHOSEN]
            attack[0]["weapon"] = -1
            frame[STEP] = NEXT_GROUP
            if asks & OFFERS != 0 or (asks & FADES != 0 and queue[LOST] > 0):
                return OFFER_SAVES
        elif step == NEXT_GROUP:
            count = next_groups(models, units, jobs, attack, frame[TARGET], out)
            if count == 0:
                no_group_left(frame, attack)
            else:
                if count > 1 and asks & ASK_GROUP != 0:
                    return CHOOSE_GROUP
                frame[CHOSEN] = out[0]
                frame[STEP] = BEGIN_GROUP
        elif step == BEGIN_GROUP:
            if asks & PREPARES != 0 and frame[SHELTERED] == 0:
                frame[SHELTERED] = units[unit]["alive"]
                return PREPARE
            told = start_group(frame, asks, models, units, weapons, jobs, attack, rules, features, blocks, corners)
            frame[STEP] = GROUP
            if told != 0 and asks & RECORDS != 0:
                return TELL_SHELTER | told
        elif step >= LOSE:
            return DONE
        else:
            code = _roll_on(frame, asks, making, queue, guards, bearers, own_guards)
            if code != GO_ON:
                return code
