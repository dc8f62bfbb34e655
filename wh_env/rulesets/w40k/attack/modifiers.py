"""What changes attacks when they are made: rules by keyword, abilities, damage suffered (concepts.keywords,
datasheet.abilities, .aura.*).

Rules by keyword ("+1 to hit for INFANTRY units") are rows of ``rules["modifiers"]``: mappings with ``effect`` (a name of
``EFFECTS``), ``keyword`` (of the attacking unit; singular or plural) and, where it is narrower, ``of: model`` (only the models
whose own datasheet has the keyword, concepts.keywords.model-or-unit) and ``player``. Abilities are ``powers``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w40k.attack.abilities import (
    ATTACKS,
    MADE_CHANGES,
    SUFFERED_CHANGES,
    TARGETED,
    WEAPONS,
    Power,
    counts_in,
    in_force,
)
from wh_env.rulesets.w40k.attack.granting import MADE, Change, with_changes
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.keywords import keyword_bit

Bits = tuple[int, ...]  # of ``Near``, one for each time that an effect counts

EFFECTS = ATTACKS
MORE = MADE + "Attacks"
DAMAGED = ATTACKS["-1 to hit"]
OPPOSITES = (
    (ATTACKS["+1 to hit"], ATTACKS["-1 to hit"]),
    (ATTACKS["+1 to wound"], ATTACKS["-1 to wound"]),
)


def add(near: int, effects: Iterable[Bits]) -> int:
    """The circumstances with these effects, of which those to the better and to the worse cancel out: the sum of all modifiers
    is taken first (attack.hit.cap, .wound.cap). Each sets as many of its bits as are left."""
    left = Counter(effects)
    if not left:
        return near
    for better, worse in OPPOSITES:
        both = min(left[better], left[worse])
        left[better] -= both
        left[worse] -= both
    for effect, times in left.items():
        for bit in effect[:times]:
            near |= bit
    return near


def effects_on(g: BattleCore, model: int, against: int = -1) -> Iterable[Bits]:
    """What rules by keyword, abilities in force and damage do to the attacks of a model; ``against``: those at this unit."""
    yield from effects_of_itself(g, model)
    yield from (ATTACKS[power.effect] for power in in_force(g, g.models.unit[model], "attacks", against))


def effects_of_itself(g: BattleCore, model: int) -> Iterable[Bits]:
    """What rules by keyword and damage do to the attacks of a model."""
    m, rules = g.models, g.setup.rules["modifiers"]
    unit = m.unit[model]
    bits: Mapping[str, int] = g.setup.statics["keyword_bits"]
    for row in rules:
        has = m.keywords[model] if row.get("of") == "model" else g.units.keywords[unit]
        if row.get("player", m.owner[model]) == m.owner[model] and has & keyword_bit(bits, row["keyword"]):
            yield EFFECTS[row["effect"]]
    if m.wounds[model] <= g.setup.statics["damaged"][model]:
        yield DAMAGED


def more_attacks(g: BattleCore, model: int) -> int:
    """What is added to the Attacks characteristic of the model's weapons, or subtracted."""
    more = ATTACKS["+1 Attacks"]
    total = min(len(more), list(effects_on(g, model)).count(more))
    for granted in in_force(g, g.models.unit[model], "made"):
        everywhere = not (granted.facing_keyword or granted.facing_mark or granted.facing_states or granted.profiles)
        if granted.effect == MORE and everywhere and granted.weapons != "ranged":
            total += granted.by if not granted.own_only or model in granted.models else 0
    for power in in_force(g, g.models.unit[model], "weapons"):
        column, operation, amount = WEAPONS[power.effect]
        if column == "attacks_plus":
            total += amount if operation == "add" else -amount
    return total


class Granted:
    """What abilities make of the attacks that are declared, each question asked once."""

    __slots__ = ("g", "known", "made", "suffered")

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        self.made: dict[int, list[Power]] = {}
        self.suffered: dict[int, list[Power]] = {}
        self.known: dict[tuple[int, int, int], tuple[Change, ...]] = {}

    def changes(self, model: int, weapon: int, target: int) -> tuple[Change, ...]:
        """Those of attacks of the model with a profile (as printed) at a unit."""
        g, unit = self.g, self.g.models.unit[model]
        if unit not in self.made:
            self.made[unit] = in_force(g, unit, "made")
        if target not in self.suffered:
            self.suffered[target] = in_force(g, target, "suffered")
        own = self.made[unit]
        alone = any(power.own_only for power in own)
        key = (model if alone else -1 - unit, weapon, target)
        if key not in self.known:
            found = [
                (MADE_CHANGES[power.effect], power.by)
                for power in own
                if (not power.own_only or model in power.models) and counts_in(g, power, weapon, target)
            ]
            found += [
                (SUFFERED_CHANGES[power.effect], power.by)
                for power in self.suffered[target]
                if counts_in(g, power, weapon, unit)
            ]
            self.known[key] = tuple(found)
        return self.known[key]


def modify_attacks(g: BattleCore) -> None:
    """Write what changes them into the attacks declared; attacks that are alike no longer are rolled apart."""
    jobs, m = g.jobs, g.models
    weapons: Mapping[tuple[str, int], int] = g.setup.statics["changed_weapons"]
    attackers: dict[tuple[int, int], list[Bits]] = {}
    together: dict[tuple[int, int], list[Bits]] = {}
    immune: dict[int, int] = {}
    targets: dict[int, list[Bits]] = {}
    improved: dict[int, list[str]] = {}
    tough: dict[int, list[str]] = {}
    alike: dict[tuple[int, int, int], int] = {}
    own, table = edition(g), g.setup.statics["weapons"]
    powers = g.setup.statics["powers"]
    granted = Granted(g) if powers["made"] or powers["suffered"] else None
    for job in range(g.attack.jobs[0]):
        if not jobs.attacks[job]:
            continue
        model, target = jobs.model[job], jobs.target[job]
        unit = m.unit[model]
        if target not in immune:
            immune[target] = target if own.immune(g, target) else -1
        attacker = model, immune[target]
        if attacker not in attackers:
            both = unit, immune[target]
            if both not in together:
                together[both] = [ATTACKS[power.effect] for power in in_force(g, unit, "attacks", immune[target])]
            attackers[attacker] = [*effects_of_itself(g, model), *together[both]]
        if target not in targets:
            targets[target] = [TARGETED[power.effect] for power in in_force(g, target, "targeted")]
        if unit not in improved:
            improved[unit] = sorted(power.effect for power in in_force(g, unit, "weapons"))
        if target not in tough:
            tough[target] = sorted(power.effect for power in in_force(g, target, "toughness"))
        changed = granted.changes(model, jobs.weapon[job], target) if granted is not None else ()
        for effect in (*improved[unit], *tough[target]):
            jobs.weapon[job] = weapons[effect, jobs.weapon[job]]
        changes = attackers[attacker] + targets[target]
        if own.attacks_of_models and not table[jobs.weapon[job]]["melee"]:
            changes = [effect for effect in changes if effect != ATTACKS["+1 Attacks"]]
        near = add(jobs.near[job], changes)
        if changed:
            near = with_changes(near, changed)
        jobs.near[job] = near
        jobs.group[job] = alike.setdefault((jobs.weapon[job], target, near), job)
