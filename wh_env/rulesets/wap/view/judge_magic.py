"""What spells do to units, in points of their army: hits by their exact odds, effects by a plain estimate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.combined_unit import units_beside
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.effects import Effect, Until, acting_on, effect_of
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.profiles import characteristic
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.magic.spells import Judge, Kind
from wh_env.rulesets.wap.shooting.hits import toughness_of
from wh_env.rulesets.wap.view.appraise_combat import worth_left
from wh_env.rulesets.wap.view.odds_harm import harm_of, number_chances
from wh_env.rulesets.wap.weapons.hit import RANGED, Hit, Number

# the share of a unit's worth that a point more or less of a characteristic is worth while the unit fights
EACH_POINT: Mapping[str, float] = MappingProxyType(
    {"m": 0.02, "ws": 0.06, "bs": 0.05, "s": 0.12, "t": 0.14, "i": 0.02, "a": 0.15, "ld": 0.04}
)
IDLE = (
    "m",
    "bs",
)  # characteristics that matter to a unit that does not fight; all others to one that does or soon will
EACH_RULE = 0.12  # ... that a rule or another change is worth
LASTING = 1.5  # by how much more an effect is worth that remains in play
FAR, NEAR = 0.15, 0.6  # share of its worth that an effect has on a unit without an enemy near, and with one
SOON = 14.0  # inches within which an enemy is near
ROUGHLY = 0.1  # share of a unit's worth that a spell of unknown worth changes
HALF_A_DIE = 2.0  # a D3 on average
# fields of an effect that do nothing by themselves, and those that ``differences`` reads
FRAME = ("name", "on", "until", "while_caster_lives", "adds_up", "spares_mounts")
CHANGES = ("changes", "lowers_by", "multiplies", "sets")
GOOD: Mapping[Kind, bool] = MappingProxyType(
    {Kind.AUGMENT: True, Kind.HEX: False, Kind.MISSILE: False, Kind.DAMAGE: False, Kind.VORTEX: False}
)


@lru_cache(maxsize=1024)
def mean_loss(number: Number, harm: tuple[float, ...], left: int) -> float:
    """The average number of Wounds that a rolled number of hits costs a unit that has ``left`` Wounds.

    Args:
        harm: the chances that one hit costs 0, 1, ... Wounds.
    """
    chances = number_chances(number)
    if left >= max(chances) * (len(harm) - 1):
        one = sum(n * share for n, share in enumerate(harm))
        return sum(n * share for n, share in chances.items()) * one
    found, lost = 0.0, np.eye(1, left + 1)[0]  # the chances of each number of Wounds lost
    for n in range(max(chances) + 1):
        found += chances.get(n, 0.0) * float(lost @ np.arange(left + 1))
        more = np.convolve(lost, harm)
        lost = more[: left + 1].copy()
        lost[left] += more[left + 1 :].sum()
    return found


def worth_of_block(g: BattleCore, unit: int) -> float:
    """Points that the living models of a unit and of the characters in it stand for."""
    return sum(worth_left(g, row) for row in units_beside(g, unit))


def is_near_enemies(g: BattleCore, unit: int) -> bool:
    """Whether an enemy is so near to a unit on the table that they may soon fight."""
    others = (foe for foe in g.units_of(1 - g.units.owner[unit]) if g.units.place[foe] == ON_TABLE)
    return any(distance(g, unit, foe) <= SOON for foe in others)


def differences(g: BattleCore, unit: int, effect: Effect) -> Iterable[tuple[str, float]]:
    """By how much an effect changes the characteristics of a unit, on average."""
    line = g.units.first_line[unit]
    yield from effect.changes
    yield from ((name, -HALF_A_DIE) for name in effect.lowers_by)
    yield from ((name, (factor - 1) * characteristic(g, line, name)) for name, factor in effect.multiplies)
    yield from ((name, value - characteristic(g, line, name)) for name, value in effect.sets)


def rules_changed(effect: Effect) -> int:
    """How many special rules an effect gives and takes, and how many other things it does besides changes of
    characteristics.
    """
    others = [field for field in fields(effect) if field.name not in (*FRAME, *CHANGES)]
    changed = [getattr(effect, field.name) for field in others if getattr(effect, field.name) != field.default]
    return sum(len(value) if type(value) is tuple else 1 for value in changed)


class MagicJudge(Judge):
    """The averages and estimates of greedy play."""

    def of_hits(self, g: BattleCore, unit: int, number: Number, hit: Hit, side: int) -> float:
        left = wounds_of(g, unit)
        if left <= 0:
            return 0.0
        harm = harm_of(g, unit, hit._replace(nature=hit.nature | RANGED), toughness_of(g, unit), side)
        return -worth_left(g, unit) * mean_loss(number, harm, left) / left

    def of_effect(self, g: BattleCore, unit: int, effect: Effect, *, helps: bool) -> float:
        block = block_of(g, unit)
        if any(effect_of(g, k).name == effect.name for k in acting_on(g, unit)) and not effect.adds_up:
            return 0.0  # wap.magic.same-spell
        return self.of_acting(g, block, effect, helps=helps)

    def of_acting(self, g: BattleCore, block: int, effect: Effect, *, helps: bool) -> float:
        """What it is worth that an effect acts on a unit."""
        fights = engaged(g, block)
        there = g.units.place[block] == ON_TABLE
        soon = 1.0 if fights else NEAR if not there or is_near_enemies(g, block) else FAR
        share = 0.0
        for name, amount in differences(g, block, effect):
            share += EACH_POINT.get(name, 0.0) * amount * (float(not fights) if name in IDLE else soon)
        share += (1.0 if helps else -1.0) * EACH_RULE * rules_changed(effect) * soon
        return worth_of_block(g, block) * share * (LASTING if effect.until is Until.BATTLE else 1.0)

    def of_other(self, g: BattleCore, unit: int, kind: Kind) -> float:
        if kind not in GOOD:
            return 0.0
        return (ROUGHLY if GOOD[kind] else -ROUGHLY) * worth_of_block(g, block_of(g, unit))


JUDGE = MagicJudge()
