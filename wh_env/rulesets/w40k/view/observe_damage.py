"""Expected losses between units for observations, from tables computed once.

Each weapon profile is rated once against each kind of model of the battle by ``attack.odds.mean_wounds``, so a pair of
units costs a few additions. Left out, because it changes at any moment: cover, sight, the attacker's own circumstances
(stationary, charged, engaged, effects until the end of a phase) and damage that a hurt model wastes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from wh_env.core.geometry.shapes import EPS, member, member_count, stands_in
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.odds import mean_wounds
from wh_env.rulesets.w40k.attack.rolls import BLAST_SHIFT, FINE_ARMOUR, Near, candidates
from wh_env.rulesets.w40k.edition import edition_of
from wh_env.rulesets.w40k.profiles import Ability, WeaponAbility
from wh_env.rulesets.w40k.questions.chances import chances_of
from wh_env.rulesets.w40k.tables import MODEL, UNIT
from wh_env.rulesets.w40k.view.observe_effects import marks_table

HALF_RANGE = int(Near.HALF_RANGE)
ONCE = 1 << BLAST_SHIFT  # the target holds the models of Blast once
STEALTH = int(Ability.STEALTH)
OWN = STEALTH | FINE_ARMOUR  # flags of a model that change attacks against it
PISTOL = int(WeaponAbility.PISTOL)
EXTRA = int(WeaponAbility.EXTRA_ATTACKS)
ONE_SHOT = int(WeaponAbility.ONE_SHOT)
UNHURT = 1_000_000  # wounds left of a model that stands for a kind
DEFENCE = (
    "toughness", "save", "invulnerable", "invulnerable2", "feel_no_pain", "feel_no_pain2", "max_wounds",
)  # fmt: skip
REFERENCE = {"toughness": 4, "save": 3, "max_wounds": 2}  # the target for ratings of units

# columns of the damage table: expected wounds of one model's attacks with the profile
PLAIN, BLAST, HALF, HALF_BLAST = range(4)  # BLAST: added each time that Blast counts; HALF: at half range
# columns of the ratings of a model
RANGED, MELEE, REACH = range(3)
# columns of the kinds of a model
TARGET, ATTACKER = range(2)
# columns of a ranged profile of a kind of attacker; HALF_OF_IT: inches of half range; LAST: 1 if the next profile is
# of another weapon; SPENT_BIT: bit of ``spent`` of a One Shot weapon, else -1
PROFILE, RANGE, HALF_OF_IT, IS_PISTOL, LAST, SPENT_BIT = range(6)
# columns of ``sides``: number of groups, kind of target, wounds left of the unit, how often Blast counts
GROUPS, AS_TARGET, LEFT, BLASTS = range(4)
MOST_GROUPS = 34  # no unit has more models
ONE_USE = 31  # options of abilities with one use that a player can have
# columns of ``kits``: first row and number of the ranged profiles; 1 if it fires Pistols along with other weapons
FIRST, COUNT, IS_BIG = range(3)


class Rated(NamedTuple):
    """Tables of a Setup, and scratch, for kernels.

    Attributes:
        damage: float64 (profiles, targets, 4): expected wounds by weapon profile and kind of target.
        melee: float64 (attackers, targets): all melee attacks of a model: its best weapon and its Extra Attacks.
        kinds: int32 (models, 2): kind of target and kind of attacker of each model. Models armed alike are the same
            kind of attacker.
        kits: int32 (attackers, 3): see ``FIRST``.
        profiles: float64 (rows, 6): ranged profiles of the attackers, those of one weapon together.
        ratings: float64 (models, 3): expected wounds of ranged and of melee attacks against ``REFERENCE``, longest
            range.
        near: float64: Engagement Range horizontally and vertically, greatest distance of a charge, inches; then the
            chances that a Charge roll is at least 0, 1, ... inches (``core.chances.at_least``).
        marks: float32 (bits, effects): what marks of units do (``observe_effects.marks_table``).
        means: float64 (profiles, 4): A, S, AP and D of each weapon profile, on average.
        once: int32 (2, ``ONE_USE``): see ``once_bits``.
        sides: int64 (units, 4): scratch, see ``muster``.
        groups: int64 (units, ``MOST_GROUPS``, 3): scratch, see ``muster``: kind of attacker, One Shot weapons spent,
            number of models.
    """

    damage: Array
    melee: Array
    kinds: Array
    kits: Array
    profiles: Array
    ratings: Array
    near: Array
    marks: Array
    means: Array
    once: Array
    sides: Array
    groups: Array


@dataclass
class DamageTables:
    """The tables of a Setup, and ``write``, the kernel that writes the fields, compiled for them when first needed."""

    rated: Rated
    write: Callable[..., None] | None = None


@kernel
def rate(models: Array, units: Array, weapons: Array, rules: Array, damage: Array) -> None:
    """Fill ``damage``; row ``c`` of ``units`` is a unit of one model of kind ``c``."""
    for w in range(len(weapons)):
        for c in range(len(units)):
            for column in range(4):
                near = (HALF_RANGE if column >= HALF else 0) | (ONCE if column % 2 == BLAST else 0)
                damage[w, c, column] = mean_wounds(models, units, weapons, rules, w, c, near)
            damage[w, c, BLAST] -= damage[w, c, PLAIN]
            damage[w, c, HALF_BLAST] -= damage[w, c, HALF]


def target_kinds(models: Array, units: Array, kinds: Array) -> tuple[Array, Array]:
    """Write the kind of target of each model into ``kinds``. Returns a model of each kind, ``REFERENCE`` last, and a
    unit of each such model.
    """
    known: dict[tuple[int, ...], int] = {}
    for k, m in enumerate(models):
        # an Attached unit has the keywords of both components; here each row has its own
        key = (*(int(m[name]) for name in DEFENCE), int(units[m["datasheet"]]["keywords"]), int(m["flags"]) & OWN)
        kinds[k, TARGET] = known.setdefault(key, len(known))
    targets = np.zeros(len(known) + 1, MODEL)
    for key, c in known.items():
        for name, value in zip((*DEFENCE, "keywords", "flags"), key, strict=True):
            targets[c][name] = value
    for name, value in REFERENCE.items():
        targets[-1][name] = value
    targets["unit"] = targets["datasheet"] = np.arange(len(targets))
    targets["on_table"] = targets["alive"] = 1
    targets["wounds"] = UNHURT
    rows = np.zeros(len(targets), UNIT)
    rows["first"], rows["count"], rows["alive"] = np.arange(len(rows)), 1, 1
    rows["keywords"], rows["leader"], rows["bodyguard"] = targets["keywords"], -1, -1
    return targets, rows


def damage_tables(setup: Setup) -> DamageTables:
    """Compute the tables of a Setup."""
    models, units = (setup.layout.view(setup.template, name) for name in ("models", "units"))
    weapons, arsenal = setup.statics["weapons"], setup.statics["arsenal"]
    kinds = np.zeros((len(models), 2), np.int32)
    targets, rows = target_kinds(models, units, kinds)
    damage = np.zeros((len(weapons), len(targets), 4))
    rules, big_guns = setup.statics["attack_rules"], edition_of(setup).targeting.big_guns
    rate(targets, rows, weapons, rules, damage)

    known: dict[tuple[bytes, int], int] = {}
    kits: list[tuple[int, int, int]] = []
    profiles: list[tuple[float, ...]] = []
    melee: list[Array] = []
    ratings = np.zeros((len(models), 3))
    for k, m in enumerate(models):
        arms = arsenal[m["first_weapon"] : m["first_weapon"] + m["weapons"]]
        key = arms.tobytes(), int(m["keywords"]) & big_guns
        if key not in known:
            known[key] = len(known)
            ranged = ranged_profiles(weapons, arms, float(rules[0]["half_range"]))
            kits.append((len(profiles), len(ranged), int(key[1] != 0)))
            profiles += ranged
            melee.append(melee_damage(weapons, arms, damage))
        kinds[k, ATTACKER] = known[key]
    kit_table = np.array(kits, np.int32).reshape(-1, 3)
    table = np.array(profiles, np.float64).reshape(-1, 6)
    blows = np.array(melee).reshape(-1, len(targets))
    for k, attacker in enumerate(kinds[:, ATTACKER]):
        first, count, _ = kit_table[attacker]
        ratings[k, RANGED] = max(0.0, shots(kit_table, table, damage, attacker, 0, len(targets) - 1, 0, 0.0))
        ratings[k, MELEE] = blows[attacker, -1]
        ratings[k, REACH] = table[first : first + count, RANGE].max(initial=0.0)
    sides, groups = np.zeros((len(units), 4), np.int64), np.zeros((len(units), MOST_GROUPS, 3), np.int64)
    own = edition_of(setup)
    inches = own.measures.engagement, own.measures.engagement_vertical, own.charging.reach
    near = np.array([*inches, *chances_of(setup).charge])
    means = [
        (mean_of(row, "attacks"), mean_of(row, "strength"), abs(int(row["ap"])), mean_of(row, "damage"))
        for row in weapons
    ]
    own_means = np.array(means, np.float64).reshape(-1, 4)
    marks = marks_table(setup)
    return DamageTables(
        Rated(damage, blows, kinds, kit_table, table, ratings, near, marks, own_means, once_bits(setup), sides, groups)
    )


def once_bits(setup: Setup) -> Array:
    """The bits of ``players.used_battle`` for options with one use, by player: int32 (2, ``ONE_USE``), -1 behind the
    last.
    """
    found: Array = np.full((2, ONE_USE), -1, np.int32)
    for player in range(2):
        bits = (bit for choice in setup.statics["choices"] if choice.owner == player for bit in choice.once)
        for n, bit in enumerate(list(dict.fromkeys(bits))[:ONE_USE]):
            found[player, n] = bit.bit_length() - 1
    return found


def ranged_profiles(weapons: Array, arms: Array, half: float) -> list[tuple[float, ...]]:
    """Rows of the ranged profiles of a model's weapons, those of one weapon together. ``half``: half range as a share
    of the range.
    """
    rows: list[tuple[float, ...]] = []
    entries = [n for n in np.argsort(arms["slot"], kind="stable").tolist() if not weapons[arms[n]["weapon"]]["melee"]]
    for at, n in enumerate(entries):
        weapon = weapons[arms[n]["weapon"]]
        abilities = int(weapon["abilities"])
        last = at + 1 == len(entries) or arms[entries[at + 1]]["slot"] != arms[n]["slot"]
        bit = n if abilities & ONE_SHOT else -1
        reach = float(weapon["range"])
        rows.append((int(arms[n]["weapon"]), reach, half * reach, abilities & PISTOL != 0, last, bit))
    return rows


def melee_damage(weapons: Array, arms: Array, damage: Array) -> Array:
    """(targets,): expected wounds of all melee attacks of a model with these weapons."""
    main = np.zeros(damage.shape[1])
    extra: dict[int, Array] = {}
    for entry in arms:
        weapon = weapons[entry["weapon"]]
        wounds = damage[entry["weapon"], :, PLAIN]
        if weapon["melee"] and int(weapon["abilities"]) & EXTRA:
            slot = int(entry["slot"])
            extra[slot] = np.maximum(extra.get(slot, 0.0), wounds)
        elif weapon["melee"]:
            main = np.maximum(main, wounds)
    return main + sum(extra.values(), np.zeros_like(main))


@kernel
def shots(
    kits: Array, profiles: Array, damage: Array, attacker: int, spent: int, kind: int, blasts: int, distance: float
) -> float:
    """Expected wounds of the ranged attacks of a kind of attacker against a kind of target at ``distance`` inches; -1
    if no weapon is in range.

    Each weapon uses its best profile. Pistols count only if no other weapon reaches, unless the attacker fires both
    (``IS_BIG``).
    """
    others = 0.0
    pistols = 0.0
    reach = False
    reach_pistol = False
    best = 0.0
    first = kits[attacker, FIRST]
    for n in range(first, first + kits[attacker, COUNT]):
        bit = int(profiles[n, SPENT_BIT])
        if distance <= profiles[n, RANGE] + EPS and (bit < 0 or spent >> bit & 1 == 0):
            half = HALF if distance <= profiles[n, HALF_OF_IT] + EPS else PLAIN
            w = int(profiles[n, PROFILE])
            best = max(best, damage[w, kind, half] + blasts * damage[w, kind, half + 1])
            if profiles[n, IS_PISTOL] != 0.0:
                reach_pistol = True
            else:
                reach = True
        if profiles[n, LAST] != 0.0:
            if profiles[n, IS_PISTOL] != 0.0:
                pistols += best
            else:
                others += best
            best = 0.0
    if kits[attacker, IS_BIG] != 0:
        return others + pistols if reach or reach_pistol else -1.0
    if reach:
        return others
    return pistols if reach_pistol else -1.0


@kernel
def muster(models: Array, units: Array, rules: Array, kinds: Array, u: int, sides: Array, groups: Array) -> None:
    """Sum up unit ``u`` in its rows of ``sides`` (what it is as a target) and ``groups`` (its models by kind of
    attacker).
    """
    count = 0
    left = 0
    target = -1
    mixed = False
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        if not stands_in(models, k, u):
            continue
        left += models[k]["wounds"]
        mixed = mixed or (target >= 0 and kinds[k, TARGET] != target)
        target = kinds[k, TARGET]
        attacker = kinds[k, ATTACKER]
        spent = int(models[k]["spent"])
        at = count - 1
        while at >= 0 and (groups[u, at, 0] != attacker or groups[u, at, 1] != spent):
            at -= 1
        if at < 0:
            at = count
            count += 1
            groups[u, at, 0] = attacker
            groups[u, at, 1] = spent
            groups[u, at, 2] = 0
        groups[u, at, 2] += 1
    if mixed:
        # the model that takes the next attack by default
        _, model = candidates(models, units, u, rules)
        target = kinds[model, TARGET]
    sides[u, GROUPS] = count
    sides[u, AS_TARGET] = target
    sides[u, LEFT] = left
    sides[u, BLASTS] = units[u]["alive"] // rules[0]["blast"]


@inner_kernel
def expected_losses(
    damage: Array,
    melee: Array,
    kits: Array,
    profiles: Array,
    sides: Array,
    groups: Array,
    a: int,
    e: int,
    distance: float,
) -> tuple[float, float, bool]:
    """The shares of the wounds left in unit ``e`` that a round of shooting and a round of fighting of unit ``a`` cost
    on average, and whether a ranged weapon of ``a`` is in range. ``muster`` has been called for both.
    """
    target = sides[e, AS_TARGET]
    left = sides[e, LEFT]
    if target < 0 or left <= 0:
        return 0.0, 0.0, False
    ranged = 0.0
    blows = 0.0
    reach = False
    for n in range(sides[a, GROUPS]):
        attacker = groups[a, n, 0]
        shot = shots(kits, profiles, damage, attacker, groups[a, n, 1], target, sides[e, BLASTS], distance)
        if shot >= 0.0:
            reach = True
            ranged += groups[a, n, 2] * shot
        blows += groups[a, n, 2] * melee[attacker, target]
    return min(1.0, ranged / left), min(1.0, blows / left), reach


def mean_of(row: Any, name: str) -> float:
    """Mean of an amount of a weapon profile (``attacks``, ``strength``, ``damage``)."""
    return float(row[f"{name}_dice"] * (row[f"{name}_sides"] + 1) / 2 + row[f"{name}_plus"])
