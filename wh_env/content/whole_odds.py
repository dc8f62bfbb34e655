"""All attacks of a unit and its Leader in one phase at one target, by the names of their datasheets.

The result is the exact distribution of their total effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from wh_env.content.attack_odds import Circumstances, Range
from wh_env.content.errors import ContentError, unknown
from wh_env.rulesets.w40k.attack.odds import Odds
from wh_env.rulesets.w40k.attack.whole_odds import Volley, whole_distribution
from wh_env.rulesets.w40k.profiles import Keyword, WeaponAbility

PHASES = ("shooting", "melee")
BIG = int(Keyword.MONSTER | Keyword.VEHICLE)  # shoot Pistols with everything else (weapon.pistol)
ONE_TARGET = "one target"
Profile = tuple[int, int]  # model of the battle, 0 of the unit or 1 its Leader, and row of the weapon profile


@dataclass(frozen=True)
class Part:
    """The attacks of a unit with one profile.

    Attributes:
        owner, weapon: names of the datasheet and of the profile.
        attackers: number of models that attack with it.
        volley: the attacks.
        alone: the odds if only these attacks were made, at the whole target.
    """

    owner: str
    weapon: str
    attackers: int
    volley: Volley
    alone: Odds


@dataclass(frozen=True)
class Whole:
    """All attacks of a unit in a phase at a target.

    Attributes:
        phase: one of ``PHASES``.
        parts: in the order in which they are made.
        odds: of all attacks together; its models are those of the target and its Leader.
    """

    phase: str
    parts: tuple[Part, ...]
    odds: Odds


def whole(there: Range, phase: str, how: Circumstances) -> Whole:
    """The odds of a unit that makes all its attacks of a phase at one target, with all of its models in range.

    Each model attacks with the profiles of its loadout that cost the target most wounds on average: Pistols or its
    other weapons, one melee weapon and those with Extra Attacks. The order is that of the datasheet's weapons, the
    Leader's last. Hazardous tests, One Shot and attacks that generate attacks are left out. The target does nothing in
    between.

    Raises:
        ContentError: the phase is not known, the game does not give loadouts, attacks generate attacks, or the unit has
            no weapons for the phase.
    """
    if phase not in PHASES:
        raise unknown("<call>", "whole", phase, PHASES)
    if how.another or there.generates:
        raise ContentError("<call>", "another", True, "attacks that generate none", "is left out of whole units")
    how = replace(how, states=tuple(dict.fromkeys((*how.states, ONE_TARGET))))
    rules = there.setup.statics["attack_rules"]
    names = (there.duel.attacker, there.duel.leader)
    means: dict[Profile, float] = {}

    def mean(profile: Profile) -> float:
        if profile not in means:
            means[profile] = whole_distribution([_volley(there, profile, how, 1)], there.parts, rules).mean_lost
        return means[profile]

    def total(profiles: Iterable[Profile]) -> float:
        return sum(map(mean, profiles))

    used: Counter[Profile] = Counter()
    for model, loadouts in enumerate(there.duel.loadouts):
        for weapons, number in Counter(loadouts).items():
            best = [max(rows, key=mean) for rows in _profiles(there, model, weapons, phase)]
            some = [
                p
                for p in best
                if _has(there, p, WeaponAbility.PISTOL if phase == "shooting" else WeaponAbility.EXTRA_ATTACKS)
            ]
            others = [p for p in best if p not in some]
            if phase == "melee":
                best = [*some, *([max(others, key=mean)] if others else [])]
            elif not there.keywords & BIG:
                best = max(others, some, key=total)
            for profile in best:
                used[profile] += number
    if not used:
        raise ContentError("<attacker>", "whole", phase, "a phase that the unit has weapons for", "is without attacks")
    parts = []
    for profile, number in sorted(used.items()):
        volley = _volley(there, profile, how, number)
        alone = whole_distribution([volley], there.parts, rules)
        parts.append(Part(names[profile[0]], there.names[profile[1]], number, volley, alone))
    odds = whole_distribution([part.volley for part in parts], there.parts, rules)
    return Whole(phase, tuple(parts), odds)


def _volley(there: Range, profile: Profile, how: Circumstances, attackers: int) -> Volley:
    """The attacks of ``attackers`` models with a profile."""
    return there.volley(profile[1], how, attackers, profile[0])


def _has(there: Range, profile: Profile, ability: WeaponAbility) -> bool:
    """Whether a profile has a weapon ability."""
    return bool(int(there.weapons[profile[1]]["abilities"]) & int(ability))


def _profiles(there: Range, model: int, weapons: tuple[str, ...], phase: str) -> list[list[Profile]]:
    """The profiles of each weapon of a loadout that is used in the phase."""
    row = there.setup.layout.view(there.setup.template, "models")[model]
    first, carried = int(row["first_weapon"]), int(row["weapons"])
    rows = np.unique(there.setup.statics["arsenal_weapon"][first : first + carried]).tolist()
    fits = [k for k in rows if bool(there.weapons[k]["melee"]) == (phase == "melee")]
    found = [
        [(model, k) for k in fits if there.names[k] == weapon or there.names[k].startswith(f"{weapon} (")]
        for weapon in weapons
    ]
    return [profiles for profiles in found if profiles]


__all__ = ["PHASES", "Part", "Whole", "whole"]
