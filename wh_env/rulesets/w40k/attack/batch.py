"""The dice that a group of attacks rolls together: numbers of attacks, hit rolls, wound rolls (stages of
``machine``).
"""

from __future__ import annotations

from wh_env.core.dice import roll_d6, roll_sum
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.circumstances import (
    devastating,
    granted_hits,
    has,
    lethal,
    more_attacks,
    rerolls_damage,
)
from wh_env.rulesets.w40k.attack.rolls import (
    Near,
    all_stealthy,
    attacks_bonus,
    critical_against,
    damage_bonus,
    fires_rapidly,
    hit_needed,
    hits_again,
    least_attacks,
    melts,
    rolls_attacks,
    special_hit,
    toughness_against,
    wound_needed,
    wounds_again,
)
from wh_env.rulesets.w40k.attack.state import (
    all_again,
    clear_faces,
    close_windows,
    record,
    reroll_face,
    rolled,
    sum_of_faces,
    sum_window,
    throw_faces,
    verdict,
)
from wh_env.rulesets.w40k.attack_row import (
    ALLOCATE,
    ASK_REROLL_ONE,
    ASK_REROLL_WOUND,
    DEVASTATION,
    GO_ON,
    HIT_WINDOW,
    HITS,
    TWIN,
    WOUND_WINDOW,
    WOUNDS,
    Asks,
    Event,
    Window,
)
from wh_env.rulesets.w40k.profiles import WeaponAbility


@inner_kernel
def throw_attacks(weapons: Array, attack: Array, rules: Array, dice: Array, script: Array) -> int:
    """Roll the dice for the number of attacks of one weapon and return their sum: those of A, then those of Rapid Fire
    (shoot.attacks.number, weapon.rapid-fire, datasheet.random.other).

    If each die may be re-rolled they become the batch; then both have the same sides (``Rapid Fire D6`` of w8).
    """
    weapon, near = attack[0]["weapon"], attack[0]["near"]
    row = weapons[weapon]
    total = 0
    if attack[0]["offer"] & Window.EACH.value:
        count = row["attacks_dice"] if rolls_attacks(weapons, weapon, near, rules) else 0
        if fires_rapidly(weapons, weapon, near):
            count += row["rapid_fire_dice"]
        throw_faces(attack, dice, script, count)
        return int(sum_of_faces(attack, row["attacks_sides"]))
    if rolls_attacks(weapons, weapon, near, rules):
        total += roll_sum(dice, script, row["attacks_dice"], row["attacks_sides"], 0)
    if fires_rapidly(weapons, weapon, near):
        total += roll_sum(dice, script, row["rapid_fire_dice"], row["rapid_fire_sides"], 0)
    return int(total)


@inner_kernel
def twice_mean_attacks(weapons: Array, weapon: int, near: int, rules: Array) -> int:
    """Twice the mean of ``throw_attacks``; 0 if no die is rolled."""
    row = weapons[weapon]
    total = 0
    if rolls_attacks(weapons, weapon, near, rules):
        total += row["attacks_dice"] * (row["attacks_sides"] + 1)
    if fires_rapidly(weapons, weapon, near):
        total += row["rapid_fire_dice"] * (row["rapid_fire_sides"] + 1)
    return int(total)


@inner_kernel
def throw_damage(weapons: Array, attack: Array, dice: Array, script: Array) -> int:
    """Roll the dice of one damage roll and return their sum: those of D, then those of Melta
    (attack.fast-dice.random-damage, weapon.melta, datasheet.random.other).

    If each die may be re-rolled those of D become the batch; no edition has that and Melta dice.
    """
    weapon, near = attack[0]["weapon"], attack[0]["near"]
    row = weapons[weapon]
    if attack[0]["offer"] & Window.EACH.value:
        throw_faces(attack, dice, script, row["damage_dice"])
        return int(sum_of_faces(attack, row["damage_sides"]))
    total = roll_sum(dice, script, row["damage_dice"], row["damage_sides"], 0)
    if melts(weapons, weapon, near):
        total += roll_sum(dice, script, row["melta_dice"], row["melta_sides"], 0)
    return int(total)


@inner_kernel
def twice_mean_damage(weapons: Array, weapon: int, near: int) -> int:
    """Twice the mean of ``throw_damage``, without fixed amounts."""
    row = weapons[weapon]
    total = row["damage_dice"] * (row["damage_sides"] + 1)
    if melts(weapons, weapon, near):
        total += row["melta_dice"] * (row["melta_sides"] + 1)
    return int(total)


@inner_kernel
def damage_dice(weapons: Array, weapon: int, near: int) -> int:
    """The number of dice of a damage roll."""
    row = weapons[weapon]
    return int(row["damage_dice"] + (row["melta_dice"] if melts(weapons, weapon, near) else 0))


@inner_kernel
def roll_attacks(
    weapons: Array, jobs: Array, attack: Array, rules: Array, dice: Array, script: Array, log: Array
) -> int:
    """Roll the number of attacks of each job of the group that has none yet (shoot.attacks.number). Returns GO_ON or a
    stop.
    """
    row = attack[0]
    weapon = weapons[row["weapon"]]
    average = twice_mean_attacks(weapons, row["weapon"], row["near"], rules)
    least = least_attacks(weapons, row["weapon"], row["near"], rules)
    while row["cursor"] < row["jobs"]:
        job = jobs[row["cursor"]]
        if job["group"] != row["group"] or job["attacks"] >= 0:
            row["cursor"] += 1
            continue
        if row["asked"] == 0:
            row["die"] = throw_attacks(weapons, attack, rules, dice, script)
            bad = 2 * row["die"] < average or row["offer"] & Window.ONLY_BAD.value == 0
            if average > 0 and bad and row["offer"] & Window.ATTACKS.value:
                row["asked"] = ASK_REROLL_ONE
                row["window"] = Window.ATTACKS.value
                return ASK_REROLL_ONE
        else:
            code = sum_window(attack, dice, script, log, Window.ATTACKS.value, weapon["attacks_sides"], job["model"])
            if code != GO_ON:
                return code
            if all_again(attack):
                old = row["die"]
                row["die"] = throw_attacks(weapons, attack, rules, dice, script)
                record(log, attack, Event.REROLL.value, job["model"], -1, row["die"], 0, Window.ATTACKS.value, old)
                close_windows(attack)
        number = row["die"] + weapon["attacks_plus"]
        bonus = attacks_bonus(weapons, row["weapon"], row["near"], rules)
        job["attacks"] = max(least, number) + bonus if least > 0 else max(0, number + bonus)
        if more_attacks(int(row["near"])) < 0:
            job["attacks"] = max(1, int(job["attacks"]))
        record(log, attack, Event.ATTACKS_ROLL.value, job["model"], -1, row["die"], 0, job["attacks"], 0)
        row["cursor"] += 1
    row["stage"] = HITS
    return GO_ON


@inner_kernel
def roll_hits(
    models: Array,
    units: Array,
    weapons: Array,
    jobs: Array,
    attack: Array,
    rules: Array,
    dice: Array,
    script: Array,
    log: Array,
) -> int:
    """Make all hit rolls of the group and the re-rolls by rules. Torrent hits without a roll (attack.hit.roll,
    weapon.torrent, rare.multiple-hit-rolls).
    """
    row = attack[0]
    near = int(row["near"])
    torrent = has(weapons, row["weapon"], WeaponAbility.TORRENT.value)
    needed = hit_needed(weapons, row["weapon"], near, all_stealthy(models, units, row["target"]), rules)
    critical = special_hit(weapons, row["weapon"], near, rules)
    clear_faces(attack)
    row["needed"] = needed
    row["critical"] = critical
    row["hits"] = 0
    each = 1 + weapons[row["weapon"]]["hit_rolls"]
    for number in range(row["jobs"]):
        job = jobs[number]
        if job["attacks"] == 0 or job["group"] != row["group"] or job["target"] != row["target"]:
            continue
        if torrent:
            row["hits"] += job["attacks"]
            record(log, attack, Event.AUTO_HIT.value, job["model"], -1, 0, 0, job["attacks"], 0)
        else:
            for _ in range(job["attacks"] * each):
                die = roll_d6(dice, script)
                row["faces"][die] += 1
                record(
                    log, attack, Event.HIT_ROLL.value, job["model"], -1, die, needed, verdict(die, needed, critical), 0
                )
        job["attacks"] = 0
    for face in range(1, hits_again(weapons, row["weapon"], near, needed, rules)):
        for _ in range(row["faces"][face]):
            reroll_face(attack, dice, script, log, face, -1)
    row["stage"] = HIT_WINDOW
    return GO_ON


@inner_kernel
def count_hits(weapons: Array, attack: Array, dice: Array, script: Array, log: Array) -> None:
    """Turn the batch of hit dice into hits that need a wound roll and automatic wounds (weapon.sustained-hits,
    weapon.lethal-hits, rare.additional-hits).
    """
    row = attack[0]
    weapon = weapons[row["weapon"]]
    near = int(row["near"])
    critical = rolled(attack, max(row["needed"], row["critical"]))
    row["hits"] += rolled(attack, row["needed"])
    row["wounds"] = 0
    if has(weapons, row["weapon"], WeaponAbility.OVERHEATS.value):
        row["failures"] = rolled(attack, 1) - rolled(attack, 2)
    if critical > 0:
        if lethal(weapons, row["weapon"], near):
            row["hits"] -= critical
            row["wounds"] = critical
            record(log, attack, Event.AUTO_WOUND.value, row["attacker"], -1, 0, 0, critical, 0)
        granted = granted_hits(weapons, row["weapon"], near)
        if granted > 0:
            row["hits"] += critical * granted
            record(log, attack, Event.SUSTAINED.value, row["attacker"], -1, 0, 0, critical * granted, 0)
        elif has(weapons, row["weapon"], WeaponAbility.SUSTAINED_HITS.value):
            more = 0
            for _ in range(critical):
                more += roll_sum(
                    dice, script, weapon["sustained_dice"], weapon["sustained_sides"], weapon["sustained_plus"]
                )
            row["hits"] += more
            record(log, attack, Event.SUSTAINED.value, row["attacker"], -1, 0, 0, more, 0)
    row["stage"] = WOUNDS


@inner_kernel
def strength_roll(weapons: Array, attack: Array, dice: Array, script: Array, log: Array) -> int:
    """Roll a random Strength into ``die`` and offer its re-roll. Returns GO_ON when that is done, else the stop."""
    row = attack[0]
    count, sides = weapons[row["weapon"]]["strength_dice"], weapons[row["weapon"]]["strength_sides"]
    if row["asked"] == 0:
        throw_faces(attack, dice, script, count)
        row["die"] = sum_of_faces(attack, sides)
        if row["offer"] & Window.STRENGTH.value == 0:
            return GO_ON
        row["asked"] = ASK_REROLL_ONE
        row["window"] = Window.STRENGTH.value
        return ASK_REROLL_ONE
    return int(sum_window(attack, dice, script, log, Window.STRENGTH.value, sides, row["attacker"]))


@inner_kernel
def roll_wounds(
    models: Array, units: Array, weapons: Array, attack: Array, rules: Array, dice: Array, script: Array, log: Array
) -> int:
    """Make all wound rolls of the group (attack.wound.roll). Returns GO_ON, or the stop at the dice of a random
    Strength.

    A random Strength is rolled for each hit, and fast dice need attacks of the same Strength: then only the next hit
    rolls to wound (datasheet.random.other, attack.fast-dice.similar).
    """
    row = attack[0]
    weapon = row["weapon"]
    target = row["target"]
    critical = critical_against(models, units, weapons, weapon, int(row["near"]), target, rules)
    strength = int(weapons[weapon]["strength_plus"])
    count = int(row["hits"])
    if weapons[weapon]["strength_dice"] > 0 and count > 0:
        code = strength_roll(weapons, attack, dice, script, log)
        if code != GO_ON:
            return code
        count = 1
        row["hits"] -= 1
        strength += row["die"]
        record(log, attack, Event.STRENGTH.value, row["attacker"], -1, row["die"], 0, strength, 0)
    toughness = toughness_against(models, units, weapons, weapon, target)
    needed = wound_needed(weapons, weapon, int(row["near"]), strength, toughness, critical, rules)
    clear_faces(attack)
    row["needed"] = needed
    row["critical"] = critical
    for _ in range(count):
        die = roll_d6(dice, script)
        row["faces"][die] += 1
        record(log, attack, Event.WOUND_ROLL.value, row["attacker"], -1, die, needed, verdict(die, needed, critical), 0)
    row["need"][0] = wounds_again(weapons, weapon, int(row["near"]), strength, toughness, critical, needed, rules)
    row["cursor"] = 1
    row["left"] = row["faces"][1]
    row["stage"] = TWIN
    return GO_ON


@kernel
def reroll_wounds(weapons: Array, attack: Array, dice: Array, script: Array, log: Array) -> int:
    """Re-roll wound dice one by one, lowest first: Twin-linked (weapon.twin-linked), abilities, and weapons that
    re-roll only low or failed dice. Stops if the player decides.
    """
    row = attack[0]
    granted = int(row["near"]) & Near.REROLL_WOUNDS.value != 0
    twin = granted or has(weapons, row["weapon"], WeaponAbility.TWIN_LINKED.value)
    last = 6 if twin else int(row["need"][0]) - 1
    reason = -2 if twin and not granted else -1
    if last == 0:
        if row["near"] & Near.REROLL_WOUND_ONES.value:
            for _ in range(row["faces"][1]):
                reroll_face(attack, dice, script, log, 1, -1)
    elif row["asks"] & Asks.TWIN.value == 0:
        for face in range(1, min(last + 1, row["needed"])):
            for _ in range(row["faces"][face]):
                reroll_face(attack, dice, script, log, face, reason)
    else:
        while row["cursor"] <= last:
            if row["left"] == 0:
                row["cursor"] += 1
                row["left"] = row["faces"][row["cursor"]] if row["cursor"] <= last else 0
            elif row["asked"] == 0:
                row["asked"] = ASK_REROLL_WOUND
                row["die"] = row["cursor"]
                return ASK_REROLL_WOUND
            else:
                row["asked"] = 0
                row["left"] -= 1
                if row["answer"] == 1:
                    reroll_face(attack, dice, script, log, row["cursor"], reason)
    row["stage"] = WOUND_WINDOW
    return GO_ON


@inner_kernel
def damage_roll(weapons: Array, attack: Array, dice: Array, script: Array, log: Array, model: int) -> int:
    """Roll a Damage characteristic with its Melta dice into ``die`` and offer the re-roll. Returns GO_ON when that is
    done, else the stop.
    """
    row = attack[0]
    if row["asked"] == 0:
        average = twice_mean_damage(weapons, row["weapon"], row["near"])
        row["die"] = throw_damage(weapons, attack, dice, script)
        if average > 0 and rerolls_damage(
            int(row["near"]), row["die"], damage_dice(weapons, row["weapon"], row["near"]), average
        ):
            old = row["die"]
            row["die"] = throw_damage(weapons, attack, dice, script)
            record(log, attack, Event.REROLL.value, row["attacker"], model, row["die"], 0, -1, old)
            return GO_ON
        bad = 2 * row["die"] < average or row["offer"] & Window.ONLY_BAD.value == 0
        if average > 0 and bad and row["offer"] & Window.DAMAGE.value:
            row["asked"] = ASK_REROLL_ONE
            row["window"] = Window.DAMAGE.value
            return ASK_REROLL_ONE
        return GO_ON
    sides = weapons[row["weapon"]]["damage_sides"]
    code = sum_window(attack, dice, script, log, Window.DAMAGE.value, sides, row["attacker"])
    if code != GO_ON:
        return code
    if all_again(attack):
        old = row["die"]
        row["die"] = throw_damage(weapons, attack, dice, script)
        record(log, attack, Event.REROLL.value, row["attacker"], model, row["die"], 0, row["window"], old)
        close_windows(attack)
    return GO_ON


@inner_kernel
def after_wounds(weapons: Array, attack: Array) -> int:
    """The stage after the wound rolls: with a random Strength those of the next hit, else allocation."""
    row = attack[0]
    return WOUNDS if weapons[row["weapon"]]["strength_dice"] > 0 and row["hits"] > 0 else ALLOCATE


@inner_kernel
def count_wounds(weapons: Array, attack: Array) -> None:
    """Turn the batch of wound dice into wounds to allocate and mortal wounds to come (weapon.devastating-wounds)."""
    row = attack[0]
    critical = rolled(attack, max(row["needed"], row["critical"]))
    row["wounds"] += rolled(attack, row["needed"])
    row["pending"] += rolled(attack, max(row["needed"], 6)) * row["critical_mortals"]
    row["stage"] = after_wounds(weapons, attack)
    if critical > 0 and devastating(weapons, row["weapon"], int(row["near"])):
        row["wounds"] -= critical
        row["left"] = critical
        row["stage"] = DEVASTATION


@inner_kernel
def roll_devastation(weapons: Array, attack: Array, dice: Array, script: Array, log: Array) -> int:
    """Roll the Damage of each Critical Wound of Devastating Wounds and add it to the mortal wounds to come
    (weapon.devastating-wounds).
    """
    row = attack[0]
    while row["left"] > 0:
        code = damage_roll(weapons, attack, dice, script, log, -1)
        if code != GO_ON:
            return code
        more = row["die"] + weapons[row["weapon"]]["damage_plus"] + damage_bonus(weapons, row["weapon"], row["near"])
        row["pending"] += more
        row["left"] -= 1
        record(log, attack, Event.DEVASTATING.value, row["attacker"], -1, 0, 0, more, 0)
    row["stage"] = after_wounds(weapons, attack)
    return GO_ON
