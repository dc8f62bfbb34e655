"""What changes attacks when they are made: rules by keyword, abilities, damage suffered (w10.concepts.keywords,
w10.datasheet.abilities, .aura.*).

Rules by keyword ("+1 to hit for INFANTRY units") are rows of ``rules["modifiers"]``: mappings with ``effect`` (a name of
``EFFECTS``), ``keyword`` (of the attacking unit; singular or plural) and, where it is narrower, ``of: model`` (only the models
whose own datasheet has the keyword, w10.concepts.keywords.model-or-unit) and ``player``. Abilities are ``powers``.
"""

from __future__ import annotations

from collections.abc import Mapping

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w10.keywords import keyword_bit
from wh_env.rulesets.w10.powers import ATTACKS, TARGETED, in_force

EFFECTS = ATTACKS
DAMAGED = ATTACKS["-1 to hit"]


def add(near: int, effect: tuple[int, ...]) -> int:
    """The circumstances with an effect: its first bit that is not taken."""
    return near | next((bit for bit in effect if not near & bit), 0)


def modify_attacks(g: BattleCore) -> None:
    """Write what changes them into the attacks declared; attacks that are alike no longer are rolled apart."""
    jobs, m, u = g.jobs, g.models, g.units
    statics = g.setup.statics
    bits: Mapping[str, int] = statics["keyword_bits"]
    damaged = statics["damaged"]
    weapons: Mapping[tuple[str, int], int] = statics["changed_weapons"]
    known: dict[tuple[int, str], list[str]] = {}

    def effects(unit: int, hook: str) -> list[str]:
        if (unit, hook) not in known:
            known[unit, hook] = [power.effect for power in in_force(g, unit, hook)]
        return known[unit, hook]

    rows = [job for job in range(g.attack.jobs[0]) if jobs.attacks[job]]
    alike: dict[tuple[int, int, int], int] = {}
    for job in rows:
        model = jobs.model[job]
        unit = m.unit[model]
        near = jobs.near[job]
        for row in g.setup.rules["modifiers"]:
            has = m.keywords[model] if row.get("of") == "model" else u.keywords[unit]
            if row.get("player", m.owner[model]) == m.owner[model] and has & keyword_bit(bits, row["keyword"]):
                near = add(near, EFFECTS[row["effect"]])
        if m.wounds[model] <= damaged[model]:
            near = add(near, DAMAGED)
        for effect in effects(unit, "attacks"):
            near = add(near, ATTACKS[effect])
        for effect in effects(jobs.target[job], "targeted"):
            near = add(near, TARGETED[effect])
        for effect in sorted(effects(unit, "weapons")):
            jobs.weapon[job] = weapons[effect, jobs.weapon[job]]
        jobs.near[job] = near
        jobs.group[job] = alike.setdefault((jobs.weapon[job], jobs.target[job], near), job)
