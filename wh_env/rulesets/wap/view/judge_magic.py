"""What spells do to units, in points of their army: hits by their exact odds, effects by what rounds of close combat
are worth with and without them, and by a plain estimate of what rounds do not show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.allies.relations import generals_of
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.combined_unit import units_beside
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.effects import (
    Effect,
    On,
    Until,
    acting_on,
    begin_effect,
    effect_of,
    end_effect,
    number_of,
)
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.joined import is_character
from wh_env.rulesets.wap.basics.profiles import characteristic, wounds_each
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.magic.spells import Judge, Kind
from wh_env.rulesets.wap.shooting.hits import as_shot, toughness_of
from wh_env.rulesets.wap.troops.war_machines import toughness_against_shots
from wh_env.rulesets.wap.view.appraise_combat import worth_left
from wh_env.rulesets.wap.view.odds_harm import harm_of, number_chances
from wh_env.rulesets.wap.view.odds_machines import bolt_odds
from wh_env.rulesets.wap.view.stakes import Stakes
from wh_env.rulesets.wap.weapons.hit import Hit, Number

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
HALF_A_DIE = 2  # a D3 on average
RALLIED = 0.4  # share of a fleeing unit's worth that it is worth to rally it
UNSEEN = 0.3  # the share of the plain estimate that counts besides what rounds are worth
# fields of an effect that do nothing by themselves, and those that ``differences`` reads
FRAME = ("name", "on", "until", "while_caster_lives", "while_standard_flies", "adds_up", "spares_mounts")
CHANGES = ("changes", "lowers_by", "raises_by", "multiplies", "sets")
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


def toughness_met(g: BattleCore, unit: int) -> int:
    """The Toughness that the hits of a spell meet, also those of a unit that is not on the table."""
    if g.units.place[block_of(g, unit)] == ON_TABLE:
        return toughness_of(g, unit)
    return toughness_against_shots(g, unit, g.units.first_line[unit])


def loss_by_hits(g: BattleCore, unit: int, number: Number, hit: Hit, side: int, share: float = 1.0) -> float:
    """The average number of Wounds that a rolled number of hits costs a unit. ``share``: the chance of each to fall on
    it.
    """
    left = wounds_of(g, unit)
    if left <= 0:
        return 0.0
    none, *some = harm_of(g, unit, as_shot(hit), toughness_met(g, unit), side)
    return mean_loss(number, (1.0 - share + share * none, *(share * chance for chance in some)), left)


def loss_by_bolt(g: BattleCore, unit: int, hits: Sequence[Hit], side: int) -> float:
    """The average number of Wounds that a bolt costs a unit; ``hits``: its hit on each rank."""
    if not g.units.alive[unit]:
        return 0.0
    toughness = toughness_met(g, unit)
    harms = [harm_of(g, unit, as_shot(hit), toughness, side) for hit in hits]
    return min(float(wounds_of(g, unit)), bolt_odds(g.units.alive[unit], 1.0, harms, wounds_each(g, unit)).mean)


def losses_of_model(g: BattleCore, model: int, number: Mapping[int, float], hit: Hit, toughness: int) -> Array:
    """The chances that hits on a single model cost it 0, 1, ... Wounds; ``number``: those of each number of hits."""
    left = g.models.wounds[model]
    harm = harm_of(g, g.models.unit[model], hit, toughness, FRONT)
    lost, now = np.zeros(left + 1), np.eye(1, left + 1)[0]
    for n in range(max(number, default=0) + 1):
        lost += number.get(n, 0.0) * now
        more = np.convolve(now, harm)
        now = more[: left + 1].copy()
        now[left] += more[left + 1 :].sum()
    return lost


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
    yield from ((name, HALF_A_DIE) for name in effect.raises_by)
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

    def __init__(self) -> None:
        self.stakes = Stakes()

    def of_hits(self, g: BattleCore, unit: int, number: Number, hit: Hit, side: int, share: float = 1.0) -> float:
        return -worth_left(g, unit) * loss_by_hits(g, unit, number, hit, side, share) / max(1, wounds_of(g, unit))

    def of_bolt(self, g: BattleCore, unit: int, hits: Sequence[Hit], side: int) -> float:
        return -worth_left(g, unit) * loss_by_bolt(g, unit, hits, side) / max(1, wounds_of(g, unit))

    def of_number(self, number: Number) -> Mapping[int, float]:
        return number_chances(number)

    def of_model(self, g: BattleCore, model: int, number: Mapping[int, float], hit: Hit, toughness: int) -> float:
        row, left = g.models.unit[model], g.models.wounds[model]
        lost = losses_of_model(g, model, number, hit, toughness)
        dies, share = float(lost[left]), float(lost @ np.arange(left + 1)) / left
        if not is_character(g, row):
            return -dies * worth_left(g, row) / max(1, g.units.alive[row])
        trophy = g.setup.rules["victory"]["general"] if row in generals_of(g, g.units.owner[row]) else 0
        return -g.units.points[row] * 0.5 * (dies + share) - dies * trophy

    def of_effect(self, g: BattleCore, unit: int, effect: Effect, *, helps: bool) -> float:
        block = block_of(g, unit)
        if any(effect_of(g, k).name == effect.name for k in acting_on(g, unit)) and not effect.adds_up:
            return 0.0  # wap.magic.same-spell
        under = g.clone()
        target = unit if effect.on is On.MODELS else block
        caster = g.units.owner[block] if helps else 1 - g.units.owner[block]
        begin_effect(under, number_of(g, effect), target, caster, amount=HALF_A_DIE)
        gain = self.stakes.of(under, block) - self.stakes.of(g, block)
        if effect.until is Until.BATTLE:
            gain *= LASTING
        return gain + UNSEEN * self.estimate(g, block, effect, helps=helps)

    def of_acting(self, g: BattleCore, k: int) -> float:
        """What it is worth to the side of the unit that the effect of row ``k`` acts on that this goes on."""
        unit, effect = g.effects.unit[k], effect_of(g, k)
        block, free = block_of(g, unit), g.clone()
        end_effect(free, k)
        gain = LASTING * (self.stakes.of(g, block) - self.stakes.of(free, block))
        helps = g.effects.player[k] == g.units.owner[unit]
        return gain + UNSEEN * self.estimate(g, block, effect, helps=helps)

    def estimate(self, g: BattleCore, block: int, effect: Effect, *, helps: bool) -> float:
        """A plain estimate of what it is worth that an effect acts on a unit."""
        fights = engaged(g, block)
        there = g.units.place[block] == ON_TABLE
        soon = 1.0 if fights else NEAR if not there or is_near_enemies(g, block) else FAR
        share = 0.0
        for name, amount in differences(g, block, effect):
            share += EACH_POINT.get(name, 0.0) * amount * (float(not fights) if name in IDLE else soon)
        share += (1.0 if helps else -1.0) * EACH_RULE * rules_changed(effect) * soon
        return worth_of_block(g, block) * share * (LASTING if effect.until is Until.BATTLE else 1.0)

    def of_rally(self, g: BattleCore, unit: int) -> float:
        return RALLIED * worth_of_block(g, unit) if g.units.fleeing[unit] else 0.0

    def of_other(self, g: BattleCore, unit: int, kind: Kind) -> float:
        if kind not in GOOD:
            return 0.0
        return (ROUGHLY if GOOD[kind] else -ROUGHLY) * worth_of_block(g, block_of(g, unit))


JUDGE = MagicJudge()
