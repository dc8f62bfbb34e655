"""Breath attacks: how a card names them, which units have them, and when they may be used (wap.special.breath.use,
.recharge, .nature).

A card names one as ``Breath Attack (S4)`` or ``Breath Attack (S4, Flaming Attacks)``: its Strength, then the special
rules of its hits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap import rule_book
from wh_env.rulesets.wap.basics.changed_dice import rerolls_under_effects
from wh_env.rulesets.wap.basics.dice_changes import WOUND
from wh_env.rulesets.wap.basics.immunity import ignores
from wh_env.rulesets.wap.basics.profiles import lines_of
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls
from wh_env.rulesets.wap.codes import LEADERS
from wh_env.rulesets.wap.rule_book import (
    BREATH_ATTACK,
    FLAMING_ATTACKS,
    ICE_ATTACKS,
    IGNORES_ARMOUR_SAVES,
    LIGHTNING_ATTACKS,
    MAGICAL_ATTACKS,
    SpecialRule,
)
from wh_env.rulesets.wap.weapons.blows import Blow
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, DIRECT, FLAMING, ICE, LIGHTNING, MAGICAL, RANGED

STRENGTH = re.compile(r"S(\d+)")
RECHARGED = 4  # the least roll of a D6 with which a breath can be used again
# special rules that the hits of a breath can have, as bits of ``Hit.nature``
KINDS: Mapping[SpecialRule, int] = MappingProxyType(
    {FLAMING_ATTACKS: FLAMING, ICE_ATTACKS: ICE, LIGHTNING_ATTACKS: LIGHTNING, MAGICAL_ATTACKS: MAGICAL}
)
# hits of a template, also in close combat, where they are resolved as shots (wap.special.breath.combat)
OF_EVERY_BREATH = AUTOMATIC | RANGED | DIRECT


def breather_of(g: BattleCore, unit: int) -> int:
    """The fighting profile in a unit that has a breath attack; -1: none."""
    if BREATH_ATTACK not in g.setup.statics["named_rules"]:  # the usual case, answered quickly
        return -1
    found = g.setup.statics["line_abilities"]
    return next(
        (line for line in lines_of(g, unit) if g.lines.kind[line] != LEADERS and BREATH_ATTACK in found[line]), -1
    )


def breaths_of(g: BattleCore, unit: int) -> tuple[str, ...]:
    """The breath attacks of a unit, in the words of its card, such as ``S4, Flaming Attacks``."""
    line = breather_of(g, unit)
    return g.setup.statics["line_abilities"][line][BREATH_ATTACK] if line >= 0 else ()


def kinds_of(breath: str) -> list[SpecialRule]:
    """The special rules that the hits of a breath have."""
    return [rule_book.BOOK.by_name[part.strip()] for part in breath.split(",")[1:]]


def blow_of_breath(breath: str, wound_rerolls: Rerolls = NONE) -> Blow:
    """The hits of a breath: its own Strength and effects alone, without the model's other rules
    (wap.special.breath.combat). ``wound_rerolls``: of the dice to wound of the unit that breathes.
    """
    strength = STRENGTH.match(breath)
    assert strength is not None, breath
    kinds = kinds_of(breath)
    nature = OF_EVERY_BREATH | sum(KINDS[kind] for kind in kinds if kind in KINDS)
    ignores_armour = IGNORES_ARMOUR_SAVES in kinds
    return Blow(0, 0, 0, int(strength[1]), 0, ignores_armour=ignores_armour, nature=nature, wound_rerolls=wound_rerolls)


def breath_of(g: BattleCore, unit: int, number: int) -> Blow:
    """The hits of a breath of a unit, by its number."""
    return blow_of_breath(breaths_of(g, unit)[number], rerolls_under_effects(g, unit, WOUND))


def may_breathe(g: BattleCore, unit: int) -> bool:
    """Whether a unit has a breath and its player has not decided on it yet in this phase (wap.special.breath.use)."""
    return bool(not g.units.breathed[unit] and breaths_of(g, unit))


def is_ready(g: BattleCore, unit: int, number: int) -> bool:
    """Whether a unit can use its breath ``number`` now. The first use needs no die; later ones roll a D6
    (wap.special.breath.recharge). Marks the breath as used.
    """
    u, bit = g.units, 1 << number
    if not u.breaths[unit] & bit:
        u.breaths[unit] |= bit
        return True
    die = g.d6()
    if g.recorder is not None:
        told = {"needed": RECHARGED, "die": die, "passed": die >= RECHARGED}
        g.note("wap.special.breath.recharge", "draws breath", unit=unit, **told)
    return die >= RECHARGED


def is_spared(g: BattleCore, target: int, breath: str) -> bool:
    """Whether a breath does no harm to unit ``target``. A breath is not physical, so immunity to any of its kinds is
    immunity to all of it (wap.special.breath.nature).
    """
    spared = any(ignores(g, target, kind) for kind in kinds_of(breath))
    if spared and g.recorder is not None:
        g.note("wap.special.breath.nature", "is not harmed", unit=target)
    return spared
