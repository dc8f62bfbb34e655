"""The exact distribution of a round of close combat of two units that stand front to front (wap.combat.*); nothing is rolled.

Who strikes is counted anew here, from widths and places, without the kernels that the battle uses: either is a check of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb, cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.casualties import wounds_of
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.basics.needed import AUTOMATIC, to_hit, to_wound
from wh_env.rulesets.wap.basics.profiles import characteristic, lines_of
from wh_env.rulesets.wap.basics.rerolls import is_hit
from wh_env.rulesets.wap.codes import CHAMPION, FRONT, LEADERS, MOUNTS
from wh_env.rulesets.wap.combat.aiming import IMPACT, step_of
from wh_env.rulesets.wap.combat.impact_hits import hits_each, impact_of
from wh_env.rulesets.wap.troops.cavalry import mount_of
from wh_env.rulesets.wap.weapons.blows import Blow, blow_of, extra_ranks
from wh_env.rulesets.wap.weapons.saves import armour_needed, armour_points, chance, ward_save, wards_against

NEAR = 1e-3  # inches
FACES = range(1, 7)
State = tuple[int, int, int, int]  # wounds left of either unit, half bases by which either has moved to its right


def pass_chance(needed: int, failed: bool = False, passed: bool = False) -> float:
    """How likely a die passes that needs so much, where those that fail or pass are rolled again."""
    if needed == AUTOMATIC:
        return 1.0
    once = sum(is_hit(die, needed) for die in FACES) / 6
    return once + (1 - once) * once if failed else once * once if passed else once


def unsaved_chance(g: BattleCore, target: int, blow: Blow, side: int, *, automatic: bool = False) -> float:
    """How likely saves leave a wound."""
    points = 0 if blow.ignores_armour else armour_points(g, target)
    needed = armour_needed(points, blow.strength, blow.piercing)
    armour = pass_chance(needed) if needed <= FACES[-1] else 0.0
    return (1 - armour) * (1 - chance(ward_save(wards_against(g, target, blow.strength, side, automatic))))


@dataclass(frozen=True)
class Striker:
    """A profile of a unit: when it strikes, how often, and how likely a blow costs the enemy a wound; ``last``: once his champion is alone."""

    kind: int
    step: int
    attacks: int
    supports: int
    deadly: float
    last: float


@dataclass(frozen=True)
class Party:
    """One of the two units.

    Attributes:
        models, files, wounds: as it stands; wounds of a model. left: all that it can lose. half: half the width of a base, in inches.
        place: of the middle of its front, along the other's, to its own right. ranks: how many support. champion: which of the front rank leads, -1: none.
        strikers: its profiles. impact: hits of each model as dice, sides and what is added; (0, 6, 0): none. crash: how likely one costs a wound, ``last``
        as above.
    """

    models: int
    files: int
    wounds: int
    left: int
    half: float
    place: float
    ranks: int
    champion: int
    strikers: tuple[Striker, ...]
    impact: tuple[int, int, int]
    crash: float
    last: float

    def alive(self, left: int) -> int:
        """Models left with so many wounds."""
        return -(-left // self.wounds)


def party_of(g: BattleCore, unit: int, enemy: int, place: float) -> Party:
    """A unit as it stands, and what it does to its enemy."""
    u, m = g.units, g.models
    members = list(g.members(unit))
    strikers = []
    for line in lines_of(g, unit):
        blow = blow_of(g, unit, line, enemy)
        deadly = [pass_chance(to_hit(blow.weapon_skill, skill), *blow.rerolls.again) * wound_chance(g, enemy, unit, blow, toughness)
                  for skill, toughness in defences(g, enemy)]  # fmt: skip
        strikers.append(Striker(g.lines.kind[line], step_of(blow), blow.attacks, blow.supports, *deadly))
    charges = bool(u.charging[unit])
    crash = impact_of(g, unit, mount_of(g, unit) if mount_of(g, unit) >= 0 else lines_of(g, unit)[0])
    crashes = [wound_chance(g, enemy, unit, crash, toughness, automatic=True) for _, toughness in defences(g, enemy)]
    return Party(
        models=u.alive[unit],
        files=min(u.files[unit], u.alive[unit]),
        wounds=m.max_wounds[members[0]],
        left=wounds_of(g, unit),
        half=u.base_b[unit],
        place=place,
        ranks=extra_ranks(g, unit),
        champion=next((n for n, k in enumerate(members) if m.role[k] == CHAMPION), -1),
        strikers=tuple(strikers),
        impact=hits_each(g, unit) if charges else (0, 6, 0),
        crash=crashes[0],
        last=crashes[1],
    )


def defences(g: BattleCore, unit: int) -> list[tuple[int, int]]:
    """Weapon Skill and Toughness that attacks meet, of rank and file and of a champion who is alone: the higher of rider and mount."""
    mounts = [line for line in lines_of(g, unit) if g.lines.kind[line] == MOUNTS]
    found = []
    for line in lines_of(g, unit)[:2]:
        both = [line, *mounts]
        found.append((max(characteristic(g, k, "ws") for k in both), max(characteristic(g, k, "t") for k in both)))
    return found


def wound_chance(
    g: BattleCore, target: int, unit: int, blow: Blow, toughness: int, *, automatic: bool = False
) -> float:
    """How likely a hit costs a wound."""
    side = side_towards(g, target, unit)
    needed = to_wound(blow.strength, toughness) - blow.wounding
    return pass_chance(needed) * unsaved_chance(g, target, blow, side, automatic=automatic)


# ---------------------------------------------------------------- who strikes


def across(count: int, half: float, shift: int) -> list[float]:
    """Middles of so many bases side by side, from the right; counted to the left."""
    return [(2 * n + 1 - count - shift) * half for n in range(count)]


@lru_cache(maxsize=4096)
def fighters(mine: Party, alive: int, shift: int, low: float, high: float) -> tuple[int, int, int]:
    """How many models of a unit touch the stretch from ``low`` to ``high`` of its front (to its left of its first middle), whether its champion is among
    them, and how many stand behind such."""
    wide = min(mine.files, alive)
    if not wide:
        return 0, 0, 0
    front = across(wide, mine.half, shift)
    touching = [at - mine.half <= high + NEAR and at + mine.half >= low - NEAR for at in front]
    champion = 0
    if mine.champion >= 0:
        step = (mine.champion + 1) // 2
        champion = int(touching[(wide - 1) // 2 + (step if mine.champion % 2 else -step)])
    behind = 0
    for rank in range(1, mine.ranks + 1):
        for at in across(max(0, min(wide, alive - rank * wide)), mine.half, shift):
            behind += any(
                t and abs(at - before) < 2 * mine.half - NEAR for t, before in zip(touching, front, strict=True)
            )
    return sum(touching), champion, behind


def contact(mine: Party, other: Party, state: State, second: bool) -> tuple[int, int, int]:
    """The same in a state of the round."""
    left, shift, theirs, moved = (
        (state[1], state[3], state[0], state[2]) if second else (state[0], state[2], state[1], state[3])
    )
    wide = min(other.files, other.alive(theirs))
    # what lies to the other's right lies to the left of who looks at it
    middle = mine.place + moved * other.half
    return fighters(mine, mine.alive(left), shift, middle - wide * other.half, middle + wide * other.half)


# ---------------------------------------------------------------- chances


@lru_cache(maxsize=4096)
def binomial(count: int, deadly: float) -> Array:
    """Chances of 0 .. ``count`` successes."""
    return np.array([comb(count, k) * deadly**k * (1 - deadly) ** (count - k) for k in range(count + 1)])


@lru_cache(maxsize=1024)
def impact_hits(models: int, number: tuple[int, int, int]) -> Mapping[int, float]:
    """Chances of so many impact hits."""
    dice, sides, plus = number
    found = {0: 1.0}
    for _ in range(models * dice):
        after: dict[int, float] = {}
        for total, share in found.items():
            for die in FACES:
                at = total + (die if sides == FACES[-1] else (die + 1) // 2)
                after[at] = after.get(at, 0.0) + share / 6
        found = after
    return {total + models * plus: share for total, share in found.items()}


def blows_at(mine: Party, other: Party, state: State, second: bool, step: int) -> Array:
    """Chances of so many wounds that a unit deals at a step."""
    touching, champion, behind = contact(mine, other, state, second)
    alone = other.alive(state[0] if second else state[1]) == 1 and other.champion >= 0
    found = np.ones(1)
    if step == IMPACT:
        hits = impact_hits(touching, mine.impact)
        found = np.zeros(max(hits) + 1)
        for count, share in hits.items():
            found[: count + 1] += share * binomial(count, mine.last if alone else mine.crash)
        return found
    for striker in mine.strikers:
        if striker.step != step:
            continue
        if striker.kind == LEADERS:
            attacks = champion * striker.attacks
        else:
            own = touching - (champion if striker.kind != MOUNTS else 0)
            attacks = own * striker.attacks + behind * striker.supports
        found = np.convolve(found, binomial(attacks, striker.last if alone else striker.deadly))
    return found


def moved_by(party: Party, before: int, after: int, shift: int) -> int:
    """Where a unit stands after losses: a single rank that loses an odd number loses one more of its left end (wap.core.casualties.single-rank)."""
    was, now = party.alive(before), party.alive(after)
    wide = min(party.files, was)
    return shift + 1 if 0 < now < wide and (wide - now) % 2 else shift


def capped(chances: Array, most: int) -> Array:
    """Chances of so many wounds, where no more than ``most`` can be lost."""
    if len(chances) <= most + 1:
        return chances
    return np.append(chances[:most], chances[most:].sum())


@dataclass(frozen=True)
class Odds:
    """``lost[a, b]``: how likely the first unit loses ``a`` wounds and the second ``b``. wounds: of a model of either."""

    lost: Array
    wounds: tuple[int, int]

    def models(self, unit: int) -> Array:
        """Chances of so many models lost of the first unit (0) or the second (1), none of which was wounded before."""
        chances = self.lost.sum(axis=1 - unit)
        each = self.wounds[unit]
        found = np.zeros((len(chances) - 1) // each + 1)
        for lost, share in enumerate(chances):
            found[lost // each] += share
        return found

    @property
    def means(self) -> tuple[float, float]:
        """Wounds that either loses on average."""
        return tuple(
            float((np.arange(n) * self.lost.sum(axis=1 - unit)).sum()) for unit, n in enumerate(self.lost.shape)
        )  # type: ignore[return-value]

    @property
    def leads(self) -> tuple[float, float, float]:
        """How likely the first deals more wounds, as many, fewer."""
        a, b = np.indices(self.lost.shape)
        return float(self.lost[b > a].sum()), float(self.lost[b == a].sum()), float(self.lost[b < a].sum())


def odds_of(first: Party, second: Party) -> Odds:
    """The round of two units."""
    states: dict[State, float] = {(first.left, second.left, 0, 0): 1.0}
    steps = {striker.step for party in (first, second) for striker in party.strikers if striker.attacks}
    if any(party.impact != (0, 6, 0) for party in (first, second)):
        steps.add(IMPACT)
    for step in sorted(steps, reverse=True):
        after: dict[State, float] = {}
        for state, share in states.items():
            if not state[0] or not state[1]:
                after[state] = after.get(state, 0.0) + share
                continue
            dealt = capped(blows_at(first, second, state, False, step), state[1])
            suffered = capped(blows_at(second, first, state, True, step), state[0])
            for a, b in product(np.flatnonzero(suffered).tolist(), np.flatnonzero(dealt).tolist()):
                left = state[0] - a, state[1] - b
                shifts = moved_by(first, state[0], left[0], state[2]), moved_by(second, state[1], left[1], state[3])
                key = (*left, *shifts)
                after[key] = after.get(key, 0.0) + share * suffered[a] * dealt[b]
        states = after
    lost = np.zeros((first.left + 1, second.left + 1))
    for (a, b, _, _), share in states.items():
        lost[first.left - a, second.left - b] += share
    return Odds(lost, (first.wounds, second.wounds))


def round_odds(g: BattleCore, unit: int, enemy: int) -> Odds:
    """The round that two units will fight that are in contact with each other alone, fronts along each other.

    Raises:
        ValueError: they stand otherwise.
    """
    alone = foes_of(g, unit) == [enemy] and foes_of(g, enemy) == [unit]
    if not alone or side_towards(g, unit, enemy) != FRONT or side_towards(g, enemy, unit) != FRONT:
        raise ValueError(f"units {unit} and {enemy}: expected two that fight each other alone, front to front")
    u = g.units
    f = u.facing[unit]
    along = cos(f) * (u.y[enemy] - u.y[unit]) - sin(f) * (u.x[enemy] - u.x[unit])  # to the left of the first
    return odds_of(party_of(g, unit, enemy, along), party_of(g, enemy, unit, along))
