"""The attack sequence of the 40k editions as one resumable machine: hit, wound, allocate, save, damage, Feel No Pain.

All its state is one ATTACK row, so a battle can be copied in the middle of a volley. The caller begins something
(``begin_group``, ``begin_pending``, ``begin_mortal``, ``begin_hazardous``, ``begin_hazardous_loss``) and calls
``resolve`` until it returns DONE. Every other code is a stop. An ASK_ code needs a player's choice, which the caller
writes into ``answer`` before it calls again; LOSS reports a destroyed model and needs no answer. The bits of ``asks``
set the choices that are asked; ``Asks`` says how the others are answered. A choice with one option is never asked.

A volley of a unit::

    begin_volley(attack, unit)
    for each target, for each group of jobs at it:      # shoot.attacks.target-order, .profile-order
        begin_group(units, jobs, attack, group); resolve(...) until DONE
      after the last group of a target:
        begin_pending(attack); resolve(...) until DONE  # attack.mortal.after-normal
    begin_hazardous(attack, unit, tests); resolve(...)  # then, for each of attack.failures, the model that pays:
        begin_hazardous_loss(...); resolve(...) until DONE

Destroyed models are listed in ``casualties`` in order; ``attack.casualties`` is their number, which the caller sets to
0 when it has dealt with them. They are taken off the table but keep their x, y, z. Deadly Demise is not rolled here. A
rule that inflicts mortal wounds while a volley is interrupted uses a second row: pass ``table[1:2]`` as ``attack``. The
caller splits an Attached unit after the attacking unit's last attack (deploy.leader.toughness; ``part_alive`` counts
the living models of each component).

Attacks of one group are rolled with fast dice (attack.fast-dice.similar): all hit rolls, then all wound rolls, both
kept as counts by face; then each wound is allocated, saved and suffered on its own.
"""

from __future__ import annotations

from wh_env.core.dice import roll_d6
from wh_env.core.geometry.shapes import member, member_count
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.batch import (
    count_hits,
    count_wounds,
    damage_roll,
    reroll_wounds,
    roll_attacks,
    roll_devastation,
    roll_hits,
    roll_wounds,
)
from wh_env.rulesets.w40k.attack.circumstances import REROLLS_SAVES, damage_suffered, has
from wh_env.rulesets.w40k.attack.ignoring import ignores_wound
from wh_env.rulesets.w40k.attack.rolls import (
    ATTACK_RULES,
    BLAST_SHIFT,
    MOST_LOST,
    MOST_LOST_BITS,
    SHRUGS,
    Near,
    armour_needed,
    candidate,
    candidates,
    damage_bonus,
    finely_armoured,
    invulnerable_needed,
    part_alive,
    precision_candidate,
    sheltered,
)
from wh_env.rulesets.w40k.attack.state import batch_window, clear_faces, close_windows, destroy_model, failed, record
from wh_env.rulesets.w40k.attack_row import (
    ALLOCATE,
    ALLOCATED,
    ASK_ALLOCATE,
    ASK_FNP,
    ASK_PRECISION,
    ASK_REROLL_ONE,
    ASK_REROLL_WOUND,
    ASK_SAVE,
    ATTACK,
    ATTACKS,
    DAMAGE,
    DAMAGED,
    DEVASTATION,
    DONE,
    GO_ON,
    HAZARD_WINDOW,
    HIT_WINDOW,
    HITS,
    IDLE,
    LOG_COLUMNS,
    LOSE,
    LOSS,
    LOST,
    MORTAL,
    SAVE,
    SAVE_WINDOW,
    TWIN,
    WOUND_WINDOW,
    WOUNDS,
    Asks,
    Event,
    Window,
)
from wh_env.rulesets.w40k.codes import CAME_BACK, COVERED, Effect
from wh_env.rulesets.w40k.profiles import WeaponAbility

# SHIELDED: the unit's models have an additional invulnerable save until the end of the phase
SHIELDED, HIT = Effect.SHIELDED, Effect.HIT

__all__ = [
    "ASK_ALLOCATE",
    "ASK_FNP",
    "ASK_PRECISION",
    "ASK_REROLL_ONE",
    "ASK_REROLL_WOUND",
    "ASK_SAVE",
    "ATTACK",
    "ATTACK_RULES",
    "BLAST_SHIFT",
    "COVERED",
    "DONE",
    "LOG_COLUMNS",
    "LOSS",
    "Asks",
    "Event",
    "Near",
    "Window",
    "begin_group",
    "begin_hazardous",
    "begin_hazardous_loss",
    "begin_mortal",
    "begin_pending",
    "begin_volley",
    "candidate",
    "destroy_model",
    "part_alive",
    "precision_candidate",
    "resolve",
    "slay_bearer",
]


# ---------------------------------------------------------------- beginnings


@kernel
def begin_volley(attack: Array, unit: int) -> None:
    """Start a unit's attacks. The caller sets ``asks``, ``offer``, ``jobs``, ``casualties`` and the log; they stay."""
    row = attack[0]
    row["stage"] = IDLE
    row["asked"] = 0
    row["unit"] = unit
    row["attacker"] = -1
    row["group"] = -1
    row["target"] = -1
    row["wounds"] = 0
    row["pending"] = 0
    row["mortal"] = 0
    row["damage"] = 0
    row["first_model"] = -1
    row["failures"] = 0
    row["psychic"] = 0


@inner_kernel
def begin_group(units: Array, jobs: Array, attack: Array, group: int) -> None:
    """Resolve the jobs of one group next. Attacks against a destroyed target are lost (attack.target-destroyed).

    If the attacks have Precision the caller then writes into ``seen`` the CHARACTER models that they can pick
    (``precision.aim``).
    """
    row = attack[0]
    row["stage"] = IDLE
    row["asked"] = 0
    row["group"] = group
    row["seen"] = 0
    row["wounds"] = 0
    for job in range(row["jobs"]):
        if jobs[job]["group"] == group and jobs[job]["attacks"] != 0:
            if units[jobs[job]["target"]]["alive"] <= 0:
                jobs[job]["attacks"] = 0
            elif row["stage"] == IDLE:
                row["stage"] = ATTACKS
                row["cursor"] = job
                row["attacker"] = jobs[job]["model"]
                row["weapon"] = jobs[job]["weapon"]
                row["target"] = jobs[job]["target"]
                row["near"] = jobs[job]["near"]


@kernel
def begin_mortal(attack: Array, unit: int, count: int, first_model: int) -> None:
    """Inflict ``count`` mortal wounds on a unit next; ``first_model`` (-1: none) takes them until it is destroyed."""
    row = attack[0]
    row["stage"] = MORTAL
    row["asked"] = 0
    row["psychic"] = 0
    row["target"] = unit
    row["wounds"] = 0
    row["mortal"] = count
    row["first_model"] = first_model


@inner_kernel
def begin_pending(attack: Array) -> None:
    """Inflict the mortal wounds caused by the attacks on the last target (attack.mortal.after-normal)."""
    begin_mortal(attack, attack[0]["target"], attack[0]["pending"], -1)
    attack[0]["pending"] = 0


@inner_kernel
def begin_hazardous(attack: Array, unit: int, tests: int, rules: Array, dice: Array, script: Array, log: Array) -> None:
    """Roll ``tests`` Hazardous tests of a unit, one for each weapon used. After DONE ``failures`` holds the number
    failed (weapon.hazardous.test).
    """
    row = attack[0]
    row["asked"] = 0
    row["target"] = unit
    row["attacker"] = -1
    needed = rules[0]["hazardous"]
    row["needed"] = needed
    row["stage"] = HAZARD_WINDOW
    clear_faces(attack)
    for _ in range(tests):
        die = roll_d6(dice, script)
        row["faces"][die] += 1
        record(log, attack, Event.HAZARDOUS.value, -1, -1, die, needed, 1 if die < needed else 0, 0)


@kernel
def begin_hazardous_loss(
    models: Array, units: Array, attack: Array, rules: Array, log: Array, casualties: Array, model: int
) -> None:
    """The model chosen for a failed Hazardous test pays (weapon.hazardous.model-destroyed, .mortal, .attached)."""
    unit = models[model]["unit"]
    if int(models[model]["keywords"]) & int(rules[0]["hazardous_spared"]) != 0:
        begin_mortal(attack, unit, rules[0]["hazardous_mortals"], model)
    else:
        attack[0]["target"] = unit
        attack[0]["stage"] = IDLE
        attack[0]["asked"] = 0
        destroy_model(models, units, attack, log, casualties, model)


@inner_kernel
def slay_bearer(models: Array, units: Array, attack: Array, log: Array, casualties: Array) -> None:
    """Destroy the bearer of a weapon that overheats, after its attacks had hit rolls of 1."""
    row = attack[0]
    ones, target, bearer = row["failures"], row["target"], row["attacker"]
    row["failures"] = 0
    if models[bearer]["alive"] == 0:
        return
    row["target"] = models[bearer]["unit"]
    record(log, attack, Event.OVERHEATED.value, bearer, bearer, 1, 0, ones, 0)
    destroy_model(models, units, attack, log, casualties, bearer)
    row["target"] = target


# ---------------------------------------------------------------- one wound after the other


@inner_kernel
def choose_model(models: Array, units: Array, attack: Array, rules: Array) -> int:
    """Find the model that takes the next attack or mortal wound (attack.allocate.choice). Column ``model`` is -1 if
    none is left.
    """
    row = attack[0]
    if row["asked"] == 0:
        count, best = candidates(models, units, row["target"], rules)
        row["model"] = best
        if count > 1 and row["asks"] & Asks.ALLOCATE.value:
            row["asked"] = ASK_ALLOCATE
            return ASK_ALLOCATE
        return GO_ON
    row["asked"] = 0
    if not candidate(models, units, row["target"], rules, row["answer"]):
        raise ValueError("the attack cannot be allocated to that model")
    row["model"] = row["answer"]
    return GO_ON


@inner_kernel
def choose_character(models: Array, units: Array, attack: Array) -> int:
    """Let the attacker pick a visible CHARACTER (weapon.precision). Column ``model`` is -1 if the defender
    allocates.
    """
    row = attack[0]
    target = row["target"]
    if row["asked"] == ASK_PRECISION:
        row["asked"] = 0
        row["model"] = row["answer"]
        if row["answer"] >= 0 and not precision_candidate(models, units, target, row["seen"], row["answer"]):
            raise ValueError("Precision cannot pick that model")
        return GO_ON
    row["model"] = -1
    if part_alive(models, units, target) == 0:
        return GO_ON
    for n in range(member_count(units, target)):
        model = member(units, target, n)
        if precision_candidate(models, units, target, row["seen"], model):
            if row["model"] < 0 or models[model]["wounds"] <= models[row["model"]]["wounds"]:
                row["model"] = model
    if row["model"] >= 0 and row["asks"] & Asks.PRECISION.value:
        row["asked"] = ASK_PRECISION
        return ASK_PRECISION
    return GO_ON


@inner_kernel
def allocate(models: Array, units: Array, weapons: Array, attack: Array, rules: Array, log: Array) -> int:
    """Allocate the next wounding attack, or end the group."""
    row = attack[0]
    if row["wounds"] <= 0:
        row["stage"] = IDLE
        return GO_ON
    chosen = False
    if row["seen"] != 0 and row["asked"] != ASK_ALLOCATE:
        code = choose_character(models, units, attack)
        if code != GO_ON:
            return code
        chosen = row["model"] >= 0
    if not chosen:
        code = choose_model(models, units, attack, rules)
        if code != GO_ON:
            return code
    model = row["model"]
    if model < 0:  # attack.target-destroyed: remaining attacks and mortal wounds are lost
        row["wounds"] = 0
        row["pending"] = 0
        row["stage"] = IDLE
        return GO_ON
    models[model]["allocated"] |= ALLOCATED
    record(log, attack, Event.ALLOCATED.value, row["attacker"], model, 0, 0, 1 if chosen else 0, 0)
    near = int(row["near"])
    cover = sheltered(models, units, weapons, model, row["weapon"], near, row["target"], rules)
    needed = armour_needed(models[model]["save"], weapons[row["weapon"]]["ap"], cover, near, rules)
    row["need"][0] = finely_armoured(models, model, needed)
    row["need"][1] = invulnerable_needed(models[model]["invulnerable"], near, rules)
    second = models[model]["invulnerable2"]
    if second == 0 and units[row["target"]]["cover"] & SHIELDED:
        second = rules[0]["shielded_save"]
    row["need"][2] = invulnerable_needed(second, near, rules)
    row["stage"] = SAVE
    return GO_ON


@inner_kernel
def roll_save(attack: Array, dice: Array, script: Array, log: Array) -> int:
    """Choose the save (attack.save.invulnerable.choice, .several) and roll it. Without any save no die is rolled."""
    row = attack[0]
    if row["asked"] == 0:
        options = 0
        row["choice"] = -1
        ones_of_invulnerable = int(row["near"]) & REROLLS_SAVES == REROLLS_SAVES
        for kind in range(3):
            if row["need"][kind] > 0:
                options += 1
                if (
                    row["choice"] < 0
                    or row["need"][kind] < row["need"][row["choice"]]
                    or (row["need"][kind] == row["need"][row["choice"]] and ones_of_invulnerable)
                ):
                    row["choice"] = kind
        if options > 1 and row["asks"] & Asks.SAVE.value:
            row["asked"] = ASK_SAVE
            return ASK_SAVE
    else:
        row["asked"] = 0
        row["choice"] = row["answer"]
        if row["answer"] < 0 or row["answer"] > 2 or row["need"][row["answer"]] == 0:
            raise ValueError("the model has no such save")
    row["needed"] = row["need"][row["choice"]] if row["choice"] >= 0 else 0
    row["die"] = roll_d6(dice, script) if row["choice"] >= 0 else 0
    if int(row["near"]) & REROLLS_SAVES != 0:
        row["left"] = 0
        again = row["die"] == 1 or int(row["near"]) & REROLLS_SAVES == Near.REROLL_SAVES.value
        if int(row["near"]) & REROLLS_SAVES == REROLLS_SAVES:
            again = row["die"] == 1 and row["choice"] > 0
        if row["choice"] >= 0 and row["die"] < row["needed"] and again:
            old = row["die"]
            row["die"] = roll_d6(dice, script)
            row["left"] = 1  # no second re-roll
            record(log, attack, Event.REROLL.value, row["attacker"], row["model"], row["die"], row["needed"], -1, old)
    row["stage"] = SAVE_WINDOW
    return GO_ON


@inner_kernel
def judge_save(attack: Array, dice: Array, script: Array, log: Array) -> int:
    """Offer the re-roll of the save, then go on to damage or to the next wound (attack.save.roll)."""
    row = attack[0]
    saved = row["choice"] >= 0 and row["die"] >= row["needed"]
    if row["asked"] == 0:
        record(
            log,
            attack,
            Event.SAVE_ROLL.value,
            row["attacker"],
            row["model"],
            row["die"],
            row["needed"],
            saved,
            row["choice"],
        )
        bad = not saved or row["offer"] & Window.ONLY_BAD.value == 0
        if int(row["near"]) & REROLLS_SAVES != 0 and row["left"] != 0:
            bad = False
        if row["choice"] >= 0 and bad and row["offer"] & Window.SAVE.value:
            row["asked"] = ASK_REROLL_ONE
            row["window"] = Window.SAVE.value
            return ASK_REROLL_ONE
    else:
        row["asked"] = 0
        if row["answer"] == 1:
            old = row["die"]
            row["die"] = roll_d6(dice, script)
            saved = row["die"] >= row["needed"]
            record(
                log,
                attack,
                Event.REROLL.value,
                row["attacker"],
                row["model"],
                row["die"],
                row["needed"],
                row["window"],
                old,
            )
            close_windows(attack)
    row["wounds"] -= 1
    row["stage"] = ALLOCATE if saved else DAMAGE
    return GO_ON


@inner_kernel
def roll_damage(models: Array, weapons: Array, attack: Array, dice: Array, script: Array, log: Array) -> int:
    """Roll the Damage of one attack (attack.damage.amount, attack.fast-dice.random-damage, weapon.melta)."""
    row = attack[0]
    code = damage_roll(weapons, attack, dice, script, log, row["model"])
    if code != GO_ON:
        return code
    weapon = weapons[row["weapon"]]
    bonus = damage_bonus(weapons, row["weapon"], row["near"])
    row["damage"] = damage_suffered(int(row["die"] + weapon["damage_plus"]), bonus, int(row["near"]))
    model = row["model"]
    if int(models[model]["flags"]) & SHRUGS != 0:
        models[model]["flags"] = int(models[model]["flags"]) & ~SHRUGS
        row["damage"] = 0
    record(log, attack, Event.DAMAGE.value, row["attacker"], row["model"], row["die"], 0, row["damage"], 0)
    row["stage"] = LOSE
    return GO_ON


@inner_kernel
def lose_wounds(
    models: Array,
    units: Array,
    weapons: Array,
    attack: Array,
    rules: Array,
    dice: Array,
    script: Array,
    log: Array,
    casualties: Array,
) -> int:
    """Inflict the damage point by point until it is used up or the model is destroyed (attack.damage.excess-lost).

    A model may lose only a limited number of wounds in a phase. Neither this nor Feel No Pain helps against weapons
    whose wounds cannot be ignored (rare.wound-cap).
    """
    row = attack[0]
    model = row["model"]
    row["stage"] = LOSE
    first = models[model]["feel_no_pain"]
    second = models[model]["feel_no_pain2"]
    plain = row["attacker"] < 0 or not has(weapons, row["weapon"], WeaponAbility.UNIGNORABLE.value)
    differ = first > 0 and second > 0 and first != second and plain and rules[0]["ignore_twice"] == 0
    most = int(models[model]["flags"]) >> MOST_LOST & MOST_LOST_BITS if plain else 0
    while models[model]["alive"] and (row["damage"] > 0 or row["asked"] == ASK_REROLL_ONE):
        choice = -1
        if row["asked"] != ASK_REROLL_ONE:  # else the roll for this wound has begun
            if row["asked"] == ASK_FNP:
                row["asked"] = 0
                choice = row["answer"]
            elif differ and row["asks"] & Asks.FNP.value:
                row["asked"] = ASK_FNP
                return ASK_FNP
            row["damage"] -= 1
            if most > 0 and int(models[model]["allocated"]) >> LOST >= most:
                continue
        ignored = ignores_wound(models, attack, rules, dice, script, log, choice) if plain else 0
        if ignored == ASK_REROLL_ONE:
            return ASK_REROLL_ONE
        if ignored == 1:
            continue
        if row["asks"] & Asks.MARK_DAMAGE.value:
            models[model]["allocated"] += 1 << LOST
        models[model]["wounds"] -= 1
        models[model]["flags"] = int(models[model]["flags"]) & ~CAME_BACK
        record(log, attack, Event.WOUND_LOST.value, row["attacker"], model, 0, 0, models[model]["wounds"], 0)
        if models[model]["wounds"] <= 0:
            destroy_model(models, units, attack, log, casualties, model)
            row["damage"] = 0
            row["stage"] = MORTAL if row["mortal"] > 0 else ALLOCATE
            demise = models[model]["demise_dice"] > 0 or models[model]["demise_plus"] > 0
            if row["asks"] & Asks.STOP_LOSS.value or (demise and row["asks"] & Asks.STOP_DEMISE.value):
                return LOSS
    row["damage"] = 0
    row["stage"] = MORTAL if row["mortal"] > 0 else ALLOCATE
    return GO_ON


@inner_kernel
def next_mortal(models: Array, units: Array, attack: Array, rules: Array, log: Array) -> int:
    """Allocate the next mortal wound (attack.mortal.allocate, .spill-over), or end."""
    row = attack[0]
    row["damage"] = 0
    if row["mortal"] <= 0:
        row["stage"] = IDLE
        return GO_ON
    first = row["first_model"]
    if first >= 0 and models[first]["alive"]:
        row["model"] = first
    else:
        code = choose_model(models, units, attack, rules)
        if code != GO_ON:
            return code
    if row["model"] < 0:
        row["mortal"] = 0
        row["stage"] = IDLE
        return GO_ON
    record(log, attack, Event.MORTAL_WOUND.value, row["attacker"], row["model"], 0, 0, row["mortal"], 0)
    row["mortal"] -= 1
    row["damage"] = 1
    row["stage"] = LOSE
    return GO_ON


# ---------------------------------------------------------------- the machine


@kernel
def resolve(
    models: Array,
    units: Array,
    weapons: Array,
    jobs: Array,
    attack: Array,
    rules: Array,
    dice: Array,
    script: Array,
    log: Array,
    casualties: Array,
) -> int:
    """Run the machine until it is idle (returns DONE) or reaches a stop (attack.sequence)."""
    row = attack[0]
    while row["stage"] != IDLE:
        stage = row["stage"]
        code = GO_ON
        if stage == ALLOCATE:
            code = allocate(models, units, weapons, attack, rules, log)
        elif stage == SAVE:
            code = roll_save(attack, dice, script, log)
        elif stage == SAVE_WINDOW:
            code = judge_save(attack, dice, script, log)
        elif stage == DAMAGE:
            code = roll_damage(models, weapons, attack, dice, script, log)
            if code == GO_ON and row["asks"] & Asks.MARK_DAMAGE.value:
                models[row["model"]]["allocated"] |= DAMAGED
        elif stage == LOSE:
            code = lose_wounds(models, units, weapons, attack, rules, dice, script, log, casualties)
        elif stage == MORTAL:
            code = next_mortal(models, units, attack, rules, log)
        elif stage == ATTACKS:
            code = roll_attacks(weapons, jobs, attack, rules, dice, script, log)
        elif stage == HITS:
            code = roll_hits(models, units, weapons, jobs, attack, rules, dice, script, log)
        elif stage == HIT_WINDOW:
            code = batch_window(attack, dice, script, log, Window.HIT.value)
            if code == GO_ON:
                count_hits(weapons, attack, dice, script, log)
                if row["asks"] & Asks.MARK_HITS.value and row["hits"] + row["wounds"] > 0:
                    units[row["target"]]["cover"] |= HIT
        elif stage == WOUNDS:
            code = roll_wounds(models, units, weapons, attack, rules, dice, script, log)
        elif stage == TWIN:
            code = reroll_wounds(weapons, attack, dice, script, log)
        elif stage == WOUND_WINDOW:
            code = batch_window(attack, dice, script, log, Window.WOUND.value)
            if code == GO_ON:
                count_wounds(weapons, attack)
        elif stage == DEVASTATION:
            code = roll_devastation(weapons, attack, dice, script, log)
        elif stage == HAZARD_WINDOW:
            code = batch_window(attack, dice, script, log, Window.HAZARDOUS.value)
            if code == GO_ON:
                row["failures"] = failed(attack)
                row["stage"] = IDLE
        if code != GO_ON:
            return code
    return DONE
