"""The exact outcome of all attacks of a unit on a target, one volley after the other.

The state is the wounds left in the target and the points of mortal wounds still to come, which follow all normal damage
(attack.mortal.after-normal). The models of an Attached unit are of two kinds: Bodyguard models, and the Leader, which
suffers what is left once they are destroyed (deploy.leader.no-allocation). The unit has the Bodyguard's Toughness to
the last attack (deploy.leader.toughness).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.odds import (
    Odds,
    Target,
    damage_rolls,
    dice_sum,
    failed_save,
    hit_rolls,
    loss_step,
    number_of_attacks,
    power_mix,
    suffered,
    wound_counts,
)
from wh_env.rulesets.w40k.attack.rolls import damage_bonus


@dataclass(frozen=True)
class Volley:
    """Attacks of ``attackers`` models with row ``weapon`` of ``weapons``, in circumstances ``near``."""

    weapons: Array
    weapon: int
    attackers: int
    near: int


def loss_of(parts: Sequence[Target], damage: Array, fails: Sequence[float], mortal: bool = False) -> Array:
    """``loss_step`` over the wounds left in several kinds of models; models of the first kind are lost first."""
    total = sum(part.models * part.wounds for part in parts)
    step = np.zeros((total + 1, total + 1))
    step[0, 0] = 1.0
    below = total
    for part, chance in zip(parts, fails, strict=True):
        own = part.models * part.wounds
        below -= own
        step[below + 1 : below + own + 1, below : below + own + 1] = loss_step(part, damage, chance, mortal)[1:]
    return step


def spread(points: Array, damage: Array) -> Array:
    """The points still to come [points, left] after one more Critical Wound."""
    out = np.zeros((points.shape[0] + len(damage) - 1, points.shape[1]))
    for more in np.flatnonzero(damage):
        out[more : more + points.shape[0]] += damage[more] * points
    return out


def added(first: Array, second: Array) -> Array:
    """The sum of two tables of points still to come."""
    out = np.zeros((max(len(first), len(second)), first.shape[1]))
    out[: len(first)] += first
    out[: len(second)] += second
    return out


def volley_outcome(state: Array, untouched: Array, volley: Volley, parts: Sequence[Target], rules: Array) -> Array:
    """The states [2, points still to come, wounds left] after a volley; [1]: the target has not shrugged off an attack
    yet.
    """
    weapons, weapon, near = volley.weapons, volley.weapon, volley.near
    counts = wound_counts(weapons, weapon, near, parts[0], rules)
    rolls = hit_rolls(weapons, weapon)
    number = number_of_attacks(weapons, weapon, volley.attackers, near, rules)
    wounds = power_mix(number, power_mix(np.eye(1 + rolls)[-1], counts) if rolls > 1 else counts)
    rolled, bonus = damage_rolls(weapons, weapon, near), damage_bonus(weapons, weapon, near)
    damage = np.convolve(rolled, dice_sum(0, 0, bonus))  # damage of each Critical Wound, as mortal wounds
    fails = [failed_save(weapons, weapon, near, part, rules) for part in parts]
    step = loss_of(parts, suffered(rolled, bonus, near), fails)
    after = np.zeros((wounds.shape[1], 2, *state.shape))
    for count in range(wounds.shape[0]):
        after += wounds[count][:, None, None, None] * np.stack([state, untouched])
        state, untouched = state @ step + fails[0] * untouched, (1.0 - fails[0]) * untouched
    both = [after[-1, kind] for kind in (0, 1)]
    for crits in range(wounds.shape[1] - 2, -1, -1):  # Horner's scheme over the Critical Wounds
        both = [added(spread(both[kind], damage), after[crits, kind]) for kind in (0, 1)]
    return np.stack(both)


def whole_distribution(volleys: Sequence[Volley], parts: Sequence[Target], rules: Array) -> Odds:
    """The exact outcome of several volleys of one unit at one target, in this order, with the machine's default
    choices.

    ``parts``: the target, unhurt: its models, then its Leader. Attacks wound against the Toughness and keywords of the
    first part.
    """
    total = sum(part.models * part.wounds for part in parts)
    state, untouched = np.zeros((2, 1, total + 1))
    (untouched if parts[0].shrugs and len(parts) == 1 else state)[0, total] = 1.0
    for volley in volleys:
        state, untouched = volley_outcome(state, untouched, volley, parts, rules)
    spill = loss_of(parts, np.array([0.0, 1.0]), [1.0] * len(parts), mortal=True)
    points = state + untouched
    final = points[-1]
    for later in points[-2::-1]:
        final = final @ spill + later
    killed = np.zeros(sum(part.models for part in parts) + 1)
    for left, chance in enumerate(final):
        killed[destroyed(total - left, parts)] += chance
    return Odds(killed, final[::-1].copy())


def destroyed(lost: int, parts: Sequence[Target]) -> int:
    """The number of models destroyed when the target has lost ``lost`` wounds."""
    models = 0
    for part in parts:
        own = min(lost, part.models * part.wounds)
        models += own // part.wounds
        lost -= own
    return models


__all__ = ["Volley", "whole_distribution"]
