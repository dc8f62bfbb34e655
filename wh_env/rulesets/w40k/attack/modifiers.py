"""Changes of attacks when they are made: rules by keyword, abilities, damage suffered (concepts.keywords,
datasheet.abilities, .aura.*).

Rules by keyword ("+1 to hit for INFANTRY units") are rows of ``rules["modifiers"]``: mappings with ``effect`` (a name
of ``EFFECTS``) and ``keyword`` (of the attacking unit; singular or plural). Optional are ``of: model`` (only models
whose own datasheet has the keyword, concepts.keywords.model-or-unit) and ``player``. Abilities are ``powers``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
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
from wh_env.rulesets.w40k.attack.alike import gather_alike, spread_changes
from wh_env.rulesets.w40k.attack.granting import MADE, Change, with_changes
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.keywords import keyword_bit

Bits = tuple[int, ...]  # bits of ``Near``, one for each time that an effect counts

EFFECTS = ATTACKS
MORE = MADE + "Attacks"
DAMAGED = ATTACKS["-1 to hit"]
OPPOSITES = (
    (ATTACKS["+1 to hit"], ATTACKS["-1 to hit"]),
    (ATTACKS["+1 to wound"], ATTACKS["-1 to wound"]),
)


def add(near: int, effects: Iterable[Bits]) -> int:
    """``near`` with these effects. Opposite modifiers cancel each other out first (attack.hit.cap, .wound.cap); each
    effect then sets one of its bits for each time that it is left.
    """
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
    """Yield the effects of rules by keyword, damage and abilities on the attacks of a model. ``against``: the target
    unit.
    """
    yield from effects_of_itself(g, model)
    yield from (ATTACKS[power.effect] for power in in_force(g, g.models.unit[model], "attacks", against))


def effects_of_itself(g: BattleCore, model: int) -> Iterable[Bits]:
    """Yield the effects of rules by keyword and of damage on the attacks of a model."""
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
    """What is added to (or, below 0, taken off) the Attacks of the model's weapons in melee."""
    more = ATTACKS["+1 Attacks"]
    total = min(len(more), list(effects_on(g, model)).count(more))
    for granted in in_force(g, g.models.unit[model], "made"):
        facing = granted.facing_keyword or granted.facing_without or granted.facing_mark or granted.facing_states
        everywhere = not (facing or granted.profiles)
        if granted.effect == MORE and everywhere and granted.weapons != "ranged":
            total += granted.by if not granted.own_only or model in granted.models else 0
    for power in in_force(g, g.models.unit[model], "weapons"):
        column, operation, amount = WEAPONS[power.effect]
        if column == "attacks_plus":
            total += amount if operation == "add" else -amount
    return total


class Granted:
    """Looks up changes of the declared attacks by abilities, and keeps the powers in force on each unit."""

    __slots__ = ("g", "made", "suffered")

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        self.made: dict[int, list[Power]] = {}
        self.suffered: dict[int, list[Power]] = {}

    def changes(self, model: int, weapon: int, target: int) -> tuple[Change, ...]:
        """The changes of attacks of the model with a printed profile at a target unit."""
        g, unit = self.g, self.g.models.unit[model]
        if unit not in self.made:
            self.made[unit] = in_force(g, unit, "made")
        if target not in self.suffered:
            self.suffered[target] = in_force(g, target, "suffered")
        changes = [
            (MADE_CHANGES[power.effect], power.by)
            for power in self.made[unit]
            if (not power.own_only or model in power.models) and counts_in(g, power, weapon, target)
        ]
        changes += [
            (SUFFERED_CHANGES[power.effect], power.by)
            for power in self.suffered[target]
            if counts_in(g, power, weapon, unit)
        ]
        return tuple(changes)


def effects_between(g: BattleCore, unit: int, target: int) -> tuple[list[Bits], list[str]]:
    """The effects of abilities on attacks of a unit at a target: bits of circumstances, and changes of profiles in the
    order in which they are made.
    """
    own, powers = edition(g), g.setup.statics["powers"]
    lasting = own.modifying(g)
    bits: list[Bits] = []
    profiles: list[str] = []
    if lasting or powers["attacks"]:
        against = target if own.immune(g, target) else -1
        bits += [ATTACKS[power.effect] for power in in_force(g, unit, "attacks", against)]
    if lasting or powers["targeted"]:
        bits += [TARGETED[power.effect] for power in in_force(g, target, "targeted")]
    if lasting or powers["weapons"]:
        profiles += sorted(power.effect for power in in_force(g, unit, "weapons"))
    if lasting or powers["toughness"]:
        profiles += sorted(power.effect for power in in_force(g, target, "toughness"))
    return bits, profiles


def bear_for_themselves(setup: Setup) -> Array:
    """(models,) uint8: 1 for each model that bears an ability for its own attacks alone."""
    apart = np.zeros(len(setup.layout.view(setup.template, "models")), np.uint8)
    for power in setup.statics["powers"]["made"]:
        if power.own_only:
            apart[list(power.models)] = 1
    return frozen(apart)


def standing_apart(g: BattleCore) -> Array:
    """``bear_for_themselves``, with the bearers of such abilities that last for a while."""
    apart: Array = g.work.about(g.setup, bear_for_themselves)
    own = edition(g)
    if not own.modifying(g):
        return apart
    jobs, unit = g.jobs, g.models.unit
    attacking = {unit[jobs.model[job]] for job in range(g.attack.jobs[0]) if jobs.attacks[job]}
    for_a_while = [
        k for one in attacking for power in own.modifiers(g, one, "made", -1) if power.own_only for k in power.models
    ]
    if for_a_while:
        apart = apart.copy()
        apart[for_a_while] = 1
    return apart


def modify_attacks(g: BattleCore) -> None:
    """Write all changes into the declared attacks. Attacks that are alike no longer get groups of their own."""
    jobs, m, statics = g.jobs, g.models, g.setup.statics
    weapons: Mapping[tuple[str, int], int] = statics["changed_weapons"]
    rules, damaged, powers = g.setup.rules["modifiers"], statics["damaged"], statics["powers"]
    granted = Granted(g) if powers["made"] or powers["suffered"] or edition(g).modifying(g) else None
    only_melee = edition(g).attacks_of_models
    between: dict[tuple[int, int], tuple[list[Bits], list[str]]] = {}
    count = g.attack.jobs[0]
    apart, rows = standing_apart(g), g.work.marks
    found = g.work.call(gather_alike, m.rows, jobs.rows, count, damaged, apart, bool(rules), rows)
    for job in rows[:found].tolist():
        model, target, printed, near = jobs.model[job], jobs.target[job], jobs.weapon[job], jobs.near[job]
        unit = m.unit[model]
        both = between.get((unit, target))
        if both is None:
            both = between[unit, target] = effects_between(g, unit, target)
        effects, profiles = both
        weapon = printed
        for effect in profiles:
            weapon = weapons[effect, weapon]
        if rules or m.wounds[model] <= damaged[model]:
            effects = [*effects_of_itself(g, model), *effects]
        if only_melee and not statics["weapons"][weapon]["melee"]:
            effects = [effect for effect in effects if effect != ATTACKS["+1 Attacks"]]
        if effects:
            near = add(near, effects)
        if granted is not None and (changes := granted.changes(model, printed, target)):
            near = with_changes(near, changes)
        jobs.weapon[job], jobs.near[job] = weapon, near
    g.work.call(spread_changes, jobs.rows, count)
