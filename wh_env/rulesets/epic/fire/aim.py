"""Which units can fire at which, and the dice of a volley (epic.fire.*, epic.save.*).

A shot is one weapon of one unit. Its target is one enemy unit in line of sight, in the weapon's arc, and not in contact
with the firer's side. Range does not matter until the target is named.
"""

from __future__ import annotations

from math import cos, hypot, inf, sin

from wh_env.core.dice import roll_d6
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.epic.basics.contact import eliminate
from wh_env.rulesets.epic.basics.log import log_row
from wh_env.rulesets.epic.codes import INFANTRY
from wh_env.rulesets.epic.terrain.ground import cover_at, sees

# what the log tells of shots
OUT_OF_RANGE, LOST, ROLLED, REROLLED, SAVE, NO_SAVE = 11, 12, 13, 14, 15, 16
UNKNOWN, NO, YES = 0, 1, 2  # in ``aims``
TO_ROLL, ROLLED_KEEP, ROLLED_AGAIN, SETTLED = 0, 1, 2, 3  # SHOT["state"]
ALL_SETTLED = -1


@inner_kernel
def in_arc(models: Array, weapons: Array, k: int, weapon: int, t: int) -> bool:
    """Whether unit ``t`` lies in the arc of a weapon of unit ``k``: all round for infantry and turrets, else the front
    half (epic.fire.arcs).
    """
    m = models[k]
    if m["rank"] == INFANTRY or weapons[weapon]["turret"] == 1:
        return True
    ahead = cos(m["facing"]) * (models[t]["x"] - m["x"]) + sin(m["facing"]) * (models[t]["y"] - m["y"])
    return bool(ahead >= -EPS)


@inner_kernel
def can_aim(models: Array, ground: Array, corners: Array, weapons: Array, k: int, weapon: int, t: int) -> bool:
    """Whether unit ``t`` is a legal target for a weapon of unit ``k`` (epic.fire.targets)."""
    q = models[t]
    if q["on_table"] == 0 or q["contact"] == 1 or q["owner"] == models[k]["owner"]:
        return False
    if not in_arc(models, weapons, k, weapon, t):
        return False
    return sees(ground, corners, models[k]["x"], models[k]["y"], q["x"], q["y"])


@inner_kernel
def can_fire(models: Array, k: int, u: int) -> bool:
    """Whether unit ``k`` belongs to the firing formation ``u`` and may fire; units in contact with an enemy may not
    (epic.fire.who-may).
    """
    m = models[k]
    return bool(m["unit"] == u and m["on_table"] == 1 and m["contact"] == 0 and m["weapons"] > 0)


@inner_kernel
def formation_aims(models: Array, units: Array, ground: Array, corners: Array, weapons: Array, u: int, e: int) -> bool:
    """Whether any weapon of formation ``u`` has a legal target in formation ``e``."""
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if not can_fire(models, k, u):
            continue
        for w in range(models[k]["first_weapon"], models[k]["first_weapon"] + models[k]["weapons"]):
            for t in range(units[e]["first"], units[e]["first"] + units[e]["count"]):
                if can_aim(models, ground, corners, weapons, k, w, t):
                    return True
    return False


@kernel
def fill_aims(
    models: Array, units: Array, ground: Array, corners: Array, weapons: Array, aims: Array, u: int, only: int
) -> bool:
    """Whether formation ``u`` has a legal target in any enemy formation, or in formation ``only`` if that is not -1.
    Fills row ``u`` of ``aims`` until the first YES.
    """
    owner = units[u]["owner"]
    for e in range(len(units)):
        if units[e]["owner"] == owner or units[e]["place"] != ON_TABLE or (only >= 0 and e != only):
            continue
        if aims[u, e] == UNKNOWN:
            aims[u, e] = YES if formation_aims(models, units, ground, corners, weapons, u, e) else NO
        if aims[u, e] == YES:
            return True
    return False


@kernel
def seen_by_enemy(models: Array, units: Array, ground: Array, corners: Array, u: int) -> bool:
    """Whether any unit of the formation is in the line of sight of any enemy unit."""
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        m = models[k]
        if m["on_table"] == 0:
            continue
        for j in range(len(models)):
            q = models[j]
            if q["on_table"] == 1 and q["owner"] != m["owner"]:
                if sees(ground, corners, m["x"], m["y"], q["x"], q["y"]):
                    return True
    return False


# ---------------------------------------------------------------- naming targets


@kernel
def gather_shots(models: Array, units: Array, u: int, shots: Array) -> int:
    """Write one row of ``shots``, without a target, for every weapon that the formation may fire; returns how many."""
    n = 0
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if not can_fire(models, k, u):
            continue
        for w in range(models[k]["first_weapon"], models[k]["first_weapon"] + models[k]["weapons"]):
            shots[n]["model"] = k
            shots[n]["weapon"] = w
            shots[n]["target"] = -1
            shots[n]["hits"] = 0
            shots[n]["ones"] = 0
            shots[n]["state"] = TO_ROLL
            n += 1
    return n


@kernel
def target_formations(
    models: Array, units: Array, ground: Array, corners: Array, weapons: Array, shots: Array, n: int, shot: int,
    only: int, first: int, count: int, mask: Array,
) -> int:  # fmt: skip
    """Mark the enemy formations in which a shot without a target has a legal target; returns how many. ``shot``: only
    this row, -1: any of the ``n`` rows.

    ``mask``: slot i is formation ``first + i``. ``only``: mark no other formation than this one, -1: all.
    """
    found = 0
    for slot in range(count):
        e = first + slot
        if units[e]["place"] != ON_TABLE or (only >= 0 and e != only):
            continue
        for s in range(n):
            if (shot >= 0 and s != shot) or shots[s]["target"] >= 0:
                continue
            for t in range(units[e]["first"], units[e]["first"] + units[e]["count"]):
                if can_aim(models, ground, corners, weapons, shots[s]["model"], shots[s]["weapon"], t):
                    mask[slot] = True
                    break
            if mask[slot]:
                found += 1
                break
    return found


@kernel
def target_units(
    models: Array, units: Array, ground: Array, corners: Array, weapons: Array, shots: Array, shot: int, e: int,
    mask: Array,
) -> int:  # fmt: skip
    """Mark the units of a formation (slot i: its i-th) that are legal targets of a shot; returns how many."""
    found = 0
    for slot in range(units[e]["count"]):
        t = units[e]["first"] + slot
        if can_aim(models, ground, corners, weapons, shots[shot]["model"], shots[shot]["weapon"], t):
            mask[slot] = True
            found += 1
    return found


@inner_kernel
def needed_to_hit(
    models: Array, ground: Array, corners: Array, weapons: Array, weapon: int, t: int, modifier: int
) -> int:
    """The value that a to-hit die needs against unit ``t``: that of the weapon, plus cover, minus ``modifier``
    (epic.fire.modifiers, epic.terrain.infantry-cover).
    """
    cover = cover_at(ground, corners, models[t]["x"], models[t]["y"])
    return int(weapons[weapon]["to_hit"]) + cover - modifier


@inner_kernel
def needed_to_save(
    models: Array, ground: Array, corners: Array, numbers: Array, t: int, x: float, y: float, modifier: int
) -> int:
    """The value that a saving die of unit ``t`` needs against a shot from (x, y) with this save modifier; 0 if it has
    no save.

    Infantry in cover saves better (epic.save.cover); a vehicle hit from its rear half saves worse (epic.save.armour).
    """
    q = models[t]
    if q["save"] == 0:
        return 0
    save = int(q["save"])
    if q["rank"] == INFANTRY:
        if cover_at(ground, corners, q["x"], q["y"]) > 0:
            save = max(numbers[0]["best_save"], save - numbers[0]["cover_save"])
    elif cos(q["facing"]) * (x - q["x"]) + sin(q["facing"]) * (y - q["y"]) < -EPS:
        modifier += numbers[0]["rear_modifier"]
    return max(2, save + modifier)


@kernel
def chance_to_hit(numbers: Array, needed: int) -> float:
    """Probability that one die hits. If more than 6 is needed, a 6 is followed by a second die
    (epic.fire.seven-plus).
    """
    if needed <= 6:
        return max(0, 7 - needed) / 6.0 if needed > 1 else 1.0
    if needed > 9:
        return 0.0
    return float((7 - numbers[0]["second_die"][needed - 7]) / 36.0)


@kernel
def chance_to_kill(
    models: Array, ground: Array, corners: Array, weapons: Array, numbers: Array, k: int, weapon: int, t: int,
    modifier: int,
) -> float:  # fmt: skip
    """Probability that a shot of unit ``k`` eliminates unit ``t``, both standing where they are; 0 out of range."""
    m = models[k]
    if hypot(models[t]["x"] - m["x"], models[t]["y"] - m["y"]) > weapons[weapon]["range"] + EPS:
        return 0.0
    hit = chance_to_hit(numbers, needed_to_hit(models, ground, corners, weapons, weapon, t, modifier))
    save = needed_to_save(models, ground, corners, numbers, t, m["x"], m["y"], weapons[weapon]["save_modifier"])
    lost = 1.0 if save == 0 or save > 6 else (save - 1) / 6.0
    left = 1.0
    for _ in range(weapons[weapon]["dice"]):
        left *= 1.0 - hit * lost
    return 1.0 - left


@kernel
def spread_shots(
    models: Array, units: Array, ground: Array, corners: Array, weapons: Array, numbers: Array, shots: Array, n: int,
    e: int, modifier: int, poses: Array,
) -> int:  # fmt: skip
    """Give each shot without a target one in formation ``e``, if it has a legal target there. Returns how many shots
    got one.

    Each shot takes the unit whose chance to be eliminated rises most by it. A shot that cannot eliminate any unit takes
    the nearest. ``poses``: scratch.
    """
    first = units[e]["first"]
    last = first + units[e]["count"]
    for t in range(first, last):
        poses[t, 0] = 1.0  # chance that it is still there
    named = 0
    for s in range(n):
        if shots[s]["target"] >= 0:
            continue
        k = shots[s]["model"]
        best = -1
        most = -inf
        chosen = 0.0
        for t in range(first, last):
            if not can_aim(models, ground, corners, weapons, k, shots[s]["weapon"], t):
                continue
            chance = chance_to_kill(models, ground, corners, weapons, numbers, k, shots[s]["weapon"], t, modifier)
            worth = poses[t, 0] * chance
            if worth == 0.0:
                worth = -hypot(models[t]["x"] - models[k]["x"], models[t]["y"] - models[k]["y"])
            if worth > most:
                most = worth
                best = t
                chosen = chance
        if best >= 0:
            shots[s]["target"] = best
            poses[best, 0] *= 1.0 - chosen
            named += 1
    return named


# ---------------------------------------------------------------- dice


@inner_kernel
def _hits(numbers: Array, needed: int, die: int, dice: Array, script: Array) -> bool:
    """Whether a to-hit die hits. If 7 to 9 is needed, a 6 is followed by a second die."""
    if needed <= 6:
        return die >= needed
    if die < 6 or needed > 9:
        return False
    return bool(roll_d6(dice, script) >= numbers[0]["second_die"][needed - 7])


@kernel
def volley(
    models: Array, units: Array, ground: Array, corners: Array, weapons: Array, numbers: Array, shots: Array, n: int,
    at: int, modifier: int, reroll: bool, aims: Array, dice: Array, script: Array, log: Array,
) -> int:  # fmt: skip
    """Resolve the shots from row ``at`` on, in order: to hit, then the saves.

    If ``reroll``, it stops after a shot whose dice show natural 1s (column ``ones``) and returns its row: the player
    decides whether they are rolled again. Returns ``ALL_SETTLED`` at the end.
    """
    for s in range(at, n):
        shot = shots[s]
        k = shot["model"]
        t = shot["target"]
        if t < 0 or shot["state"] == SETTLED:
            continue
        w = shot["weapon"]
        if models[t]["on_table"] == 0:
            log_row(log, LOST, k, t, w, 0, 0, 0)
            shots[s]["state"] = SETTLED
            continue
        if hypot(models[t]["x"] - models[k]["x"], models[t]["y"] - models[k]["y"]) > weapons[w]["range"] + EPS:
            log_row(log, OUT_OF_RANGE, k, t, w, 0, 0, 0)
            shots[s]["state"] = SETTLED
            continue
        needed = needed_to_hit(models, ground, corners, weapons, w, t, modifier)
        if shot["state"] == TO_ROLL and needed <= 9:
            for _ in range(weapons[w]["dice"]):
                die = roll_d6(dice, script)
                hit = _hits(numbers, needed, die, dice, script)
                log_row(log, ROLLED, k, t, w, die, needed, int(hit))
                shots[s]["hits"] += int(hit)
                shots[s]["ones"] += int(die == 1)
            if reroll and shots[s]["ones"] > 0:
                return s
        if shot["state"] == ROLLED_AGAIN:
            for _ in range(shot["ones"]):
                die = roll_d6(dice, script)
                hit = _hits(numbers, needed, die, dice, script)
                log_row(log, REROLLED, k, t, w, die, needed, int(hit))
                shots[s]["hits"] += int(hit)
        shots[s]["state"] = SETTLED
        for _ in range(shots[s]["hits"]):
            if models[t]["on_table"] == 0:
                break
            save = needed_to_save(
                models, ground, corners, numbers, t, models[k]["x"], models[k]["y"], weapons[w]["save_modifier"]
            )
            die = roll_d6(dice, script) if save > 0 else 0
            kept = save > 0 and die > 1 and die >= save
            log_row(log, SAVE if save > 0 else NO_SAVE, k, t, w, die, save, int(kept))
            if not kept:
                e = models[t]["unit"]
                eliminate(models, units, t)
                for other in range(len(units)):
                    aims[e, other] = UNKNOWN
                    aims[other, e] = UNKNOWN
    return ALL_SETTLED
