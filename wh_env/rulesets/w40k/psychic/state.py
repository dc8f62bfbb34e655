"""State of psykers in a battle: powers known, attempted and in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, bits, declared, flag
from wh_env.core.tables import TableSpec
from wh_env.rulesets.w40k.attack.abilities import ATTACKS, TARGETED, Power
from wh_env.rulesets.w40k.edition import Effect, edition
from wh_env.rulesets.w40k.psychic.data import (
    MOST_POWERS,
    NO_PROFILE,
    SMITE,
    SMITE_NUMBER,
    PsychicPower,
    PsychicProfile,
)

LEADERSHIP = "leadership"
POWERS = (1 << MOST_POWERS) - 1

# by unit row; bits stand for the powers of the battle
PSYCHE, PSYCHE_BOUNDS = declared(
    [
        ("learnt", "u8", bits(POWERS)),  # powers selected before the battle
        ("tried", "u8", bits(POWERS)),  # powers that it attempted in ``period``
        ("under", "u8", bits(POWERS)),  # powers that modify the unit; auras: powers that it radiates
        ("period", "i4", amount()),  # the period (``PsychicRules.period``) in which ``tried`` counts
        ("picked", "i4", flag()),  # was selected in this Psychic phase
        ("denies", "i4", amount()),  # attempts to deny in this Psychic phase
        ("instead", "i4", flag()),  # has the other discipline in place of those of its datasheet
    ]
)


def psychic_tables(units: int) -> tuple[TableSpec, ...]:
    """Specifications of the tables ``psyche`` (psykers, by unit) and ``smites`` (attempts at Smite in this phase, by
    player).
    """
    return (
        TableSpec("psyche", PSYCHE, units, PSYCHE_BOUNDS),
        TableSpec("smites", np.dtype("i4"), 2, amount()),
    )


def psychic_statics(
    profiles: Mapping[int, PsychicProfile], actions: Sequence[PsychicPower], effects: Mapping[str, Effect]
) -> dict[str, Any]:
    """Frozen tables of a battle.

    ``psychic_profiles``: by unit row. ``psychic_powers``: by number, Smite first. ``psychic_actions``: numbers of the
    powers that every psyker may attempt alone. ``psychic_known``: bits of the powers that a unit knows by its
    datasheet. ``psychic_modifiers``: powers as modifiers of attacks, or None.

    Raises:
        ValueError: there are too many powers, or one has an unknown effect.
    """
    powers = list(dict.fromkeys([SMITE, *(p for profile in profiles.values() for p in profile.every_power), *actions]))
    expected = power_effects(effects)
    for power in powers:
        if power.effect not in expected:
            raise ValueError(f"{power.name}: effect {power.effect!r}; expected one of {', '.join(sorted(expected))}")
    if len(powers) > MOST_POWERS:
        raise ValueError(f"{len(powers)} psychic powers; expected at most {MOST_POWERS}")
    number = {power: at for at, power in enumerate(powers)}
    return {
        "psychic_profiles": dict(profiles),
        "psychic_powers": tuple(powers),
        "psychic_actions": tuple(number[action] for action in actions),
        "psychic_known": {
            row: bits_of(number[power] for power in (*((SMITE,) if profile.smite else ()), *profile.powers))
            for row, profile in profiles.items()
        },
        "psychic_modifiers": tuple(
            Power(power.name, power.effect, -1, ()) if power.effect in {**ATTACKS, **TARGETED} else None
            for power in powers
        ),
    }


def power_effects(effects: Iterable[str]) -> set[str]:
    """All effects that a power can have: those of the edition, and modifiers that last."""
    return {*effects, *ATTACKS, *TARGETED, LEADERSHIP}


def bits_of(numbers: Iterable[int]) -> int:
    """The bits of these power numbers in one integer."""
    total = 0
    for number in numbers:
        total |= 1 << number
    return total


def numbers_in(powers: int) -> list[int]:
    """Numbers of the powers whose bits are set, rising."""
    return [number for number in range(powers.bit_length()) if powers >> number & 1]


def profile_of(g: BattleCore, unit: int) -> PsychicProfile:
    """The psychic profile of the unit; ``NO_PROFILE`` if it has none."""
    profile: PsychicProfile = g.setup.statics["psychic_profiles"].get(unit, NO_PROFILE)
    return profile


def power_of(g: BattleCore, number: int) -> PsychicPower:
    """The power with this number."""
    power: PsychicPower = g.setup.statics["psychic_powers"][number]
    return power


def known(g: BattleCore, unit: int) -> int:
    """Bits of the powers that the unit knows (psychic.powers)."""
    return int(g.setup.statics["psychic_known"].get(unit, 0) | g.psyche.learnt[unit])


def tried(g: BattleCore, unit: int) -> int:
    """Bits of the powers that the unit attempted in the period in which it cannot attempt them again."""
    return g.psyche.tried[unit] if g.psyche.period[unit] == edition(g).psychic.period(g) else 0


def note_attempt(g: BattleCore, unit: int, number: int) -> None:
    """Record that the unit attempts a power."""
    psyche = g.psyche
    psyche.tried[unit] = tried(g, unit) | 1 << number
    psyche.period[unit] = edition(g).psychic.period(g)
    if number == SMITE_NUMBER:
        g.smites[g.units.owner[unit]] += 1
