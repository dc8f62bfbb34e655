"""Abilities in force: tests which powers, kept as rows, affect a unit now."""

from __future__ import annotations

import numpy as np

from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in, straight_within
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.attack.rolls import MOST_LOST, MOST_LOST_BITS

# a power as a row; its bearers are ``bearers[first : first + count]``
POWER = np.dtype(
    [
        ("reach", "f8"),  # inches of an Aura, 0: only the units that the bearers fight in
        ("keyword", "u8"),  # units affected have all these bits
        ("owner", "i4"),
        ("enemies", "i4"),  # 1: an Aura on enemy units
        ("first", "i4"),
        ("count", "i4"),
        ("invulnerable", "i4"),  # the invulnerable save that it gives, 0: none
        ("feel_no_pain", "i4"),
        ("only_psychic", "i4"),  # only against Psychic Attacks
        ("most_lost", "i4"),  # wounds that a model loses in a phase at most, 0: any number
        ("only_mortal", "i4"),  # only against mortal wounds
        ("own_only", "i4"),  # only on the models that bear it
        ("leading", "i4"),  # only while its bearer is the Leader of an Attached unit
        ("mark", "u8"),  # units affected are marked with one of these bits; 0: any unit
    ],
    align=True,
)


@kernel
def affects(models: Array, units: Array, powers: Array, bearers: Array, p: int, u: int) -> bool:
    """Whether power ``p`` is in force on unit ``u`` now (datasheet.aura.range)."""
    power = powers[p]
    if (units[u]["owner"] == power["owner"]) == (power["enemies"] != 0) or units[u]["place"] != ON_TABLE:
        return False
    if units[u]["keywords"] & power["keyword"] != power["keyword"]:
        return False
    if power["mark"] != 0 and units[u]["marks"] & power["mark"] == 0:
        return False
    for k in range(power["first"], power["first"] + power["count"]):
        i = bearers[k]
        if models[i]["on_table"] == 0:
            continue
        if power["leading"] != 0 and models[i]["unit"] == models[i]["datasheet"]:
            continue
        if models[i]["unit"] == u:
            return True
        if power["reach"] > 0.0:
            for n in range(member_count(units, u)):
                j = member(units, u, n)
                if stands_in(models, j, u) and straight_within(models, i, j, power["reach"] + EPS):
                    return True
    return False


@kernel
def mark_powers(models: Array, units: Array, powers: Array, bearers: Array, u: int, out: Array) -> int:
    """Set ``out[p]`` to 1 for each power in force on unit ``u``, else 0. Returns how many are in force."""
    found = 0
    for p in range(len(powers)):
        out[p] = 1 if affects(models, units, powers, bearers, p, u) else 0
        found += out[p]
    return found


@inner_kernel
def best_of(own: int, given: int) -> int:
    """The better (lower) of two rolls needed; 0 stands for none."""
    if own == 0 or given == 0:
        return max(own, given)
    return min(own, given)


@kernel
def guard_unit(
    models: Array, units: Array, powers: Array, bearers: Array, mustered: Array, u: int, psychic: bool, mortal: bool
) -> None:
    """Write the second invulnerable save, second Feel No Pain and limit of wounds lost in a phase of the models of unit
    ``u``, as powers in force confer them; of several of a kind the best.

    ``mustered``: the models' own second save and Feel No Pain, by model row. ``psychic``, ``mortal``: whether the
    wounds to come are from Psychic Attacks, and mortal wounds.
    """
    invulnerable = 0
    feel_no_pain = 0
    most_lost = 0
    for p in range(len(powers)):
        if powers[p]["own_only"] != 0:
            continue
        if (powers[p]["only_psychic"] != 0 and not psychic) or (powers[p]["only_mortal"] != 0 and not mortal):
            continue
        if affects(models, units, powers, bearers, p, u):
            invulnerable = best_of(invulnerable, powers[p]["invulnerable"])
            feel_no_pain = best_of(feel_no_pain, powers[p]["feel_no_pain"])
            most_lost = best_of(most_lost, powers[p]["most_lost"])
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if stands_in(models, k, u):
            models[k]["invulnerable2"] = best_of(mustered[k, 0], invulnerable)
            models[k]["feel_no_pain2"] = best_of(mustered[k, 1], feel_no_pain)
            models[k]["flags"] = int(models[k]["flags"]) & ~(MOST_LOST_BITS << MOST_LOST) | most_lost << MOST_LOST
    for p in range(len(powers)):
        power = powers[p]
        if power["own_only"] == 0 or (power["only_mortal"] != 0 and not mortal):
            continue
        if (power["only_psychic"] != 0 and not psychic) or not affects(models, units, powers, bearers, p, u):
            continue
        for n in range(power["first"], power["first"] + power["count"]):
            k = bearers[n]
            if stands_in(models, k, u):
                models[k]["invulnerable2"] = best_of(models[k]["invulnerable2"], power["invulnerable"])
                models[k]["feel_no_pain2"] = best_of(models[k]["feel_no_pain2"], power["feel_no_pain"])
