"""What a unit's weapons can expect of an enemy, in words: chances to hit, to wound, to get past its saves, to slay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack.circumstances import has
from wh_env.rulesets.w40k.attack.odds import (
    Target,
    amount_sum,
    damage_distribution,
    failed_save,
    wound_roll,
)
from wh_env.rulesets.w40k.attack.rolls import hit_needed
from wh_env.rulesets.w40k.profiles import Ability, WeaponAbility

SIDES = 6  # of a die
MOST_MODELS = 30  # of the target that are counted, so that an answer comes at once


def prospects(g: BattleCore, unit: int, enemy: int) -> Iterator[str]:
    """A line for each ranged weapon of the unit that reaches the enemy, and for each melee weapon if none does; without
    circumstances such as cover.
    """
    target = target_of(g, enemy)
    if target is None:
        return
    weapons, away = g.setup.statics["weapons"], g.distance(unit, enemy)
    carried = weapons_of(g, unit)
    reaching = [weapon for weapon in carried if not weapons[weapon]["melee"] and weapons[weapon]["range"] >= away > 0.0]
    for weapon in reaching or [weapon for weapon in carried if weapons[weapon]["melee"]]:
        yield line_of(g, weapon, carried[weapon], target)


def weapons_of(g: BattleCore, unit: int) -> Counter[int]:
    """The weapons of a unit's models on the table, with the number of models that carry each."""
    m, arsenal = g.models, g.setup.statics["arsenal"]["weapon"]
    found: Counter[int] = Counter()
    for model in g.members(unit):
        first = m.first_weapon[model]
        found.update({int(weapon) for weapon in arsenal[first : first + m.weapons[model]]})
    return found


def target_of(g: BattleCore, unit: int) -> Target | None:
    """A unit as a target: its first model, as often as it has models left; ``None`` if it has none on the table."""
    members = list(g.members(unit))
    own = [model for model in members if g.units.first[unit] <= model < g.units.first[unit] + g.units.count[unit]]
    if not members:
        return None
    row, flags = g.models.rows[(own or members)[0]], g.models.rows["flags"][members]
    return Target(
        toughness=int(row["toughness"]),
        save=int(row["save"]),
        wounds=int(row["max_wounds"]),
        models=min(len(members), MOST_MODELS),
        invulnerable=min((int(n) for n in (row["invulnerable"], row["invulnerable2"]) if n > 0), default=0),
        feel_no_pain=min((int(n) for n in (row["feel_no_pain"], row["feel_no_pain2"]) if n > 0), default=0),
        keywords=int(g.units.keywords[unit]),
        stealthy=bool((flags & int(Ability.STEALTH)).all()),
    )


def line_of(g: BattleCore, weapon: int, carriers: int, target: Target) -> str:
    """The line for so many carriers of a weapon."""
    weapons, rules = g.setup.statics["weapons"], g.setup.statics["attack_rules"]
    if has(weapons, weapon, WeaponAbility.TORRENT):
        hits = 1.0
    else:
        hits = max(0, SIDES + 1 - hit_needed(weapons, weapon, 0, target.stealthy, rules)) / SIDES
    rolls = amount_sum(weapons[weapon], "strength")
    wounds = sum(
        float(chance) * (1.0 - wound_roll(weapons, weapon, 0, strength, target, rules)[0, 0])
        for strength, chance in enumerate(rolls)
        if chance > 0.0
    )
    fails = failed_save(weapons, weapon, 0, target, rules)
    odds = damage_distribution(weapons, weapon, carriers, 0, target, rules)
    by = f"{g.setup.names['weapons'][weapon]}, {carriers} model{'' if carriers == 1 else 's'}"
    slays = 1.0 - float(odds.killed[0])
    chances = ", ".join(f"{words} {100 * chance:.0f} %" for words, chance in (("hits", hits), ("wounds", wounds)))
    return (
        f"{by}: {chances}, saves fail {100 * fails:.0f} %; {odds.mean_lost:.1f} wounds lost on average, "
        f"{100 * slays:.0f} % to slay a model, {np.round(odds.mean_killed, 1):g} on average"
    )
