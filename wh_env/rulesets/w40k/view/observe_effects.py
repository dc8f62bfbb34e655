"""Effects of abilities and psychic powers as numbers: what an option would do, and what is in force on a unit.

A network reads these numbers and no name, so it also understands an army that it has never seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from wh_env.core.features import Field, columns
from wh_env.core.kernel import inner_kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.ability.data import LASTS, Choice
from wh_env.rulesets.w40k.attack.abilities import MADE_CHANGES, SUFFERED_CHANGES
from wh_env.rulesets.w40k.codes import FIRST_MARK
from wh_env.rulesets.w40k.psychic.data import AURAS, Affects, Amount, PsychicPower

MARK_BITS = 63
SIGNED = {"low": -1.0, "high": 1.0}
EFFECTS = (
    Field("effect_hits", "modifier of hit rolls, and of the skill of its weapons", "/ 3", **SIGNED),
    Field("effect_wounds", "modifier of wound rolls", "/ 3", **SIGNED),
    Field("effect_attacks", "modifier of Attacks, and more attacks that hits give", "/ 4", **SIGNED),
    Field("effect_strength", "modifier of Strength", "/ 4", **SIGNED),
    Field("effect_ap", "how much better AP is", "/ 3", **SIGNED),
    Field("effect_damage", "modifier of Damage", "/ 3", **SIGNED),
    Field("effect_rerolls", "re-rolls of hit and wound rolls: 1/2 for rolls of 1, 1 for others", "/ 2", **SIGNED),
    Field(
        "effect_criticals", "Lethal Hits, Sustained Hits, Devastating Wounds, better Critical rolls", "/ 3", **SIGNED
    ),
    Field("effect_hits_at_it", "modifier of hit rolls of attacks at it", "/ 3", **SIGNED),
    Field("effect_wounds_at_it", "modifier of wound rolls of attacks at it", "/ 3", **SIGNED),
    Field("effect_saves", "modifier of saving throws, and cover", "/ 3", **SIGNED),
    Field("effect_invulnerable", "invulnerable save", "(7 - save) / 6", **SIGNED),
    Field("effect_feel_no_pain", "Feel No Pain", "(7 - roll) / 6", **SIGNED),
    Field("effect_toughness", "modifier of Toughness", "/ 4", **SIGNED),
    Field("effect_move", "modifier of Move", "in / 6", **SIGNED),
    Field("effect_nerve", "modifier of Leadership, its tests and Morale", "/ 3", **SIGNED),
    Field("effect_charge", "modifier of Charge rolls, and their re-rolls", "/ 3", **SIGNED),
    Field("effect_advance", "modifier of Advance rolls, and their re-rolls", "/ 6", **SIGNED),
    Field("effect_free", "lets it shoot or charge after an Advance or a Fall Back", "/ 2", **SIGNED),
    Field("effect_facing", "it changes attacks of enemies at the unit, not those of its own", low=-1.0),
    Field("effect_other", "effects that no other field tells", "/ 3", **SIGNED),
)
DEEDS = (
    Field("deed_mortal", "mortal wounds that it inflicts, on average", "/ 6"),
    Field("deed_heal", "wounds that it heals, on average", "/ 6"),
    Field("deed_return", "destroyed models that it returns, on average", "/ 6"),
    Field("deed_move", "it moves a unit or sets it up again"),
    Field("deed_cp", "Command points that it gives", "/ 3"),
    Field("deed_shock", "it makes enemies take tests of nerve, or fail them"),
)
OPTION = (
    Field("is_ability", "an ability, or a Stratagem that an army has of its own"),
    Field("is_power", "a psychic power"),
    Field("enemy", "for an enemy unit"),
    Field("friend", "for a friendly unit"),
    Field("itself", "for the unit of its bearer"),
    Field("army", "for all units of the army"),
    Field("aura", "for all units within its range"),
    Field("reach", "its range", "in / 48"),
    Field("visible", "only for units that can be seen"),
    Field("lasts", "it lasts until the end of attacks, phase, turn, the next Command phase, the battle", "/ 5"),
    Field("cost", "Command points that it costs", "CP / 3"),
    Field("once", "once in a battle"),
    Field("needs", "lowest D6 that it needs", "/ 6"),
    Field("charge_value", "warp charge value", "/ 12"),
    *DEEDS,
    *EFFECTS,
)
E = columns(EFFECTS)
NAMES = tuple(field.name for field in EFFECTS)

# the beginning or the end of an effect's words: the field, and the number that the field is divided by
PATTERNS: tuple[tuple[str, str, float], ...] = (
    (r"attacks at it: (?P<n>[+-]\d) to hit", "effect_hits_at_it", 3),
    (r"attacks at it: (?P<n>[+-]\d) to wound", "effect_wounds_at_it", 3),
    (r"(?P<n>[+-]\d) to hit.*", "effect_hits", 3),
    (r"(?P<n>[+-]\d) to wound", "effect_wounds", 3),
    (r"(?P<n>[+-]\d) Attacks", "effect_attacks", 4),
    (r"(?P<n>[+-]\d) Strength", "effect_strength", 4),
    (r"(?P<n>[+-]\d) Damage", "effect_damage", 3),
    (r"(?P<n>[+-]\d) Toughness", "effect_toughness", 4),
    (r"(?P<n>[+-]\d) Move", "effect_move", 6),
    (r"(?P<n>[+-]\d) (Leadership|to Leadership tests|to Battle-shock tests)", "effect_nerve", 3),
    (r"(?P<n>[+-]\d) to charge rolls", "effect_charge", 3),
    (r"(?P<n>[+-]\d) to Advance rolls", "effect_advance", 6),
    (r"(?P<n>[+-]\d) to (saving throws|armour saving throws)", "effect_saves", 3),
    (r"improve AP by (?P<n>\d)", "effect_ap", 3),
    (r"improve (Ballistic|Weapon) Skill by (?P<n>\d)", "effect_hits", 3),
    (r"invulnerable save (?P<n>\d)\+", "effect_invulnerable", -6),
    (r"feel no pain (?P<n>\d)\+.*", "effect_feel_no_pain", -6),
    (r"Advances (?P<n>\d) inches without a roll", "effect_advance", 6),
)
# effects without a number: the field and its value
PLAIN: Mapping[str, tuple[str, float]] = {
    "worsen AP by 1": ("effect_ap", -1 / 3),
    "worsen Ballistic Skill by 1": ("effect_hits", -1 / 3),
    "worsen Weapon Skill by 1": ("effect_hits", -1 / 3),
    "double Strength": ("effect_strength", 1.0),
    "halve Strength": ("effect_strength", -0.5),
    "Strength 6": ("effect_strength", 0.5),
    "2 hit rolls for each attack": ("effect_attacks", 1.0),
    "hit rolls of 6: one more attack": ("effect_attacks", 0.25),
    "one more attack for each that inflicts no damage": ("effect_attacks", 0.25),
    "unmodified wound rolls of 2+ wound": ("effect_wounds", 1.0),
    "re-roll failed wound rolls": ("effect_rerolls", 0.5),
    "re-roll wound rolls": ("effect_rerolls", 0.5),
    "re-roll wound rolls of 1": ("effect_rerolls", 0.25),
    "re-roll hit rolls": ("effect_rerolls", 0.5),
    "re-roll failed hit rolls": ("effect_rerolls", 0.5),
    "re-roll hit rolls of 1": ("effect_rerolls", 0.25),
    "Benefit of Cover": ("effect_saves", 1 / 3),
    "Stealth": ("effect_hits_at_it", -1 / 3),
    "attacks at it: AP -1 is AP 0": ("effect_saves", 1 / 3),
    "attacks at it: unmodified wound rolls of 1 to 3 fail": ("effect_wounds_at_it", -2 / 3),
    "halve Move": ("effect_move", -0.5),
    "double Move": ("effect_move", 1.0),
    "halve charge rolls": ("effect_charge", -1.0),
    "double charge rolls": ("effect_charge", 1.0),
    "halve Advance rolls": ("effect_advance", -0.5),
    "re-roll charge rolls": ("effect_charge", 1 / 3),
    "re-roll Advance rolls": ("effect_advance", 1 / 6),
    "re-roll Battle-shock tests": ("effect_nerve", 1 / 3),
    "passes Morale tests": ("effect_nerve", 1.0),
    "passes-morale": ("effect_nerve", 1.0),
    "fails-morale": ("effect_nerve", -1.0),
    "wound rolls of 6: 1 mortal wound": ("effect_criticals", 1 / 3),
    "fights-first": ("effect_other", 1 / 3),
    "fights-last": ("effect_other", -1 / 3),
    "hard-to-hit": ("effect_hits_at_it", -1 / 3),
    "leadership": ("effect_nerve", -1 / 3),
    "shoot after Advancing": ("effect_free", 0.5),
    "charge after Advancing": ("effect_free", 0.5),
    "shoot after Falling Back": ("effect_free", 0.5),
    "charge after Falling Back": ("effect_free", 0.5),
}
# changes of single attacks (``granting.CHANGES``) with an amount: the field if the unit makes the attacks, if it
# suffers them, and what the amount is divided by
CHANGED: Mapping[str, tuple[str, str, float]] = {
    "hit rolls": ("effect_hits", "effect_hits_at_it", 3),
    "wound rolls": ("effect_wounds", "effect_wounds_at_it", 3),
    "saving throws": ("effect_saves", "effect_saves", 3),
    "Strength": ("effect_strength", "effect_wounds_at_it", 4),
    "Attacks": ("effect_attacks", "effect_hits_at_it", 4),
    "AP": ("effect_ap", "effect_saves", 3),
    "Damage": ("effect_damage", "effect_other", 3),
    "Sustained Hits": ("effect_criticals", "effect_other", 3),
}
CRITICAL = ("Lethal Hits", "Devastating Wounds", "Critical Hits on 5+", "Critical Wounds on 5+")
SAVED_AGAIN = "saving throws"
# effects that are carried out at once (``Edition.effects``): the field of ``DEEDS``
AT_ONCE: Mapping[str, str] = {
    "mortal": "deed_mortal",
    "heal": "deed_heal",
    "repair": "deed_heal",
    "return": "deed_return",
    "move": "deed_move",
    "redeploy": "deed_move",
    "reposition": "deed_move",
    "withdraw": "deed_move",
    "summon": "deed_move",
    "cp": "deed_cp",
    "stratagem-cp": "deed_cp",
    "shock": "deed_shock",
}
SCALE = {"deed_mortal": 6.0, "deed_heal": 6.0, "deed_return": 6.0, "deed_cp": 3.0}


@lru_cache(maxsize=4096)
def measured(effect: str, by: int) -> tuple[str, float]:
    """The field of ``EFFECTS`` that tells an effect, and its value. ``by``: its amount, if its words name none."""
    if effect in MADE_CHANGES or effect in SUFFERED_CHANGES:
        return _changed(effect, by)
    if effect in PLAIN:
        return PLAIN[effect]
    for pattern, name, whole in PATTERNS:
        found = re.fullmatch(pattern, effect)
        if found:
            number = int(found["n"])
            return name, (7 - number) / 6 if whole < 0 else number / whole
    return "effect_other", 1 / 3


def _changed(effect: str, by: int) -> tuple[str, float]:
    """``measured`` for a change of single attacks."""
    made = effect in MADE_CHANGES
    change = MADE_CHANGES[effect] if made else SUFFERED_CHANGES[effect]
    if change in CHANGED:
        own, suffered, whole = CHANGED[change]
        better = -by if suffered == "effect_saves" and change == "AP" and not made else by
        return (own if made else suffered), max(-1.0, min(1.0, better / whole))
    if change in CRITICAL:
        return "effect_criticals", 1 / 3
    if change.endswith(SAVED_AGAIN) or SAVED_AGAIN in change:
        return "effect_saves", 1 / 3
    if "re-roll" in change:
        return "effect_rerolls", 0.25 if change.endswith("of 1") else 0.5
    return PLAIN.get(change, ("effect_other", 1 / 3))


def added(values: dict[str, float], effect: str, by: int) -> None:
    """Add an effect to the values of fields; each stays within -1..1."""
    name, value = measured(effect, by)
    values[name] = max(-1.0, min(1.0, values.get(name, 0.0) + value))


def marks_table(setup: Setup) -> Array:
    """What each bit of ``units.marks`` does: float32 (bits, ``EFFECTS``).

    The effects of powers that need the mark; a mark that no power needs counts as another effect.
    """
    table: Array = np.zeros((MARK_BITS, len(EFFECTS)), np.float32)
    for powers in setup.statics["powers"].values():
        for power in powers:
            for bits, facing in ((power.mark, False), (power.under, False), (power.facing_mark, True)):
                for bit in bits_in(bits):
                    name, value = measured(power.effect, power.by)
                    table[bit, getattr(E, name)] += value
                    table[bit, E.effect_facing] = max(table[bit, E.effect_facing], float(facing))
    for choice in setup.statics["choices"]:
        for bit in bits_in(sum(set(choice.marks))):
            if not table[bit].any():
                table[bit, E.effect_other] = 1 / 3
    return np.clip(table, -1.0, 1.0)


def powers_table(setup: Setup) -> Array:
    """What each psychic power of the battle does while it lasts: float32 (powers, ``EFFECTS``)."""
    powers = setup.statics.get("psychic_powers", ())
    table: Array = np.zeros((len(powers), len(EFFECTS)), np.float32)
    for row, power in zip(table, powers, strict=True):
        name, value = measured(power.effect, 0)
        row[getattr(E, name)] = value
    return table


def bits_in(bits: int) -> Iterable[int]:
    """Numbers of the bits that are set, of marks that rules name."""
    return (bit for bit in range(FIRST_MARK, MARK_BITS) if bits >> bit & 1)


@inner_kernel
def add_effects(bits: int, table: Array, at: int, out: Array) -> None:
    """Add the rows of ``table`` for the set ``bits`` to the columns of ``EFFECTS`` in ``out``, from index ``at`` on.
    Each stays within -1..1.
    """
    number = 0
    while bits != 0 and number < len(table):
        if bits & 1:
            for k in range(table.shape[1]):
                out[at + k] = min(1.0, max(-1.0, out[at + k] + table[number, k]))
        bits >>= 1
        number += 1


# ---------------------------------------------------------------- options


def option_values(marks: Array, what: Any) -> dict[str, float]:
    """The values of the fields of ``OPTION`` that are not 0.

    Args:
        marks: ``marks_table`` of the battle. what: a psychic power, or a choice that an ability gives and the number of
            an option of it (-1: all of them).
    """
    if isinstance(what, PsychicPower):
        return _of_power(what)
    choice, option = what
    return _of_choice(marks, choice, option)


def _of_power(power: PsychicPower) -> dict[str, float]:
    """The values of a psychic power."""
    values = {"is_power": 1.0, "charge_value": min(1.0, power.charge / 12), "reach": min(1.0, power.reach / 48)}
    if power.affects in (Affects.ENEMY, Affects.CLOSEST, Affects.ENEMIES_NEAR):
        values["enemy"] = 1.0
    elif power.affects in (Affects.FRIEND, Affects.FRIENDS_NEAR):
        values["friend"] = 1.0
    elif power.affects is Affects.PSYKER:
        values["itself"] = 1.0
    values["aura"] = float(power.affects in AURAS)
    values["visible"] = float(power.visible)
    _do(values, power.effect, mean(power.amount))
    return values


def _of_choice(table: Array, choice: Choice, option: int) -> dict[str, float]:
    """The values of an option of a choice."""
    values = {
        "is_ability": 1.0,
        choice.whom: 1.0,
        "reach": min(1.0, choice.reach / 48),
        "lasts": (LASTS.index(choice.lasts) + 1) / len(LASTS),
        "cost": min(1.0, choice.cost / 3),
        "once": float(bool(choice.once)),
        "needs": choice.needs / 6,
    }
    if choice.effect:
        _do(values, choice.effect, choice.amount)
    marks = choice.marks if option < 0 else choice.marks[option : option + 1]
    for bit in bits_in(sum(set(marks))):
        for name, value in zip(NAMES, table[bit].tolist(), strict=True):
            if value:
                values[name] = max(-1.0, min(1.0, values.get(name, 0.0) + value))
    return values


def _do(values: dict[str, float], effect: str, amount: float) -> None:
    """Add an effect that is carried out at once, or one that lasts."""
    for start, name in AT_ONCE.items():
        if effect == start or effect.startswith((f"{start} ", f"{start},", f"{start}-")):
            values[name] = max(0.0, min(1.0, (amount or 1.0) / SCALE[name])) if name in SCALE else 1.0
            return
    if effect != "none":
        added(values, effect, int(amount))


def mean(amount: Amount) -> float:
    """The mean of dice x D(sides) + plus."""
    dice, sides, plus = amount
    return dice * (sides + 1) / 2 + plus
