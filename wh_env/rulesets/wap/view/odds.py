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
from wh_env.rulesets.wap.basics.profiles import lines_of
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls, is_hit
from wh_env.rulesets.wap.codes import CHAMPION, FRONT, LEADERS, STOMPS, TROOPERS
from wh_env.rulesets.wap.combat.aiming import IMPACT, step_of
from wh_env.rulesets.wap.combat.harm import is_slain, most_wounds, wound_rerolls
from wh_env.rulesets.wap.combat.impact_hits import hits_each, impact_of
from wh_env.rulesets.wap.combat.wounds import is_few
from wh_env.rulesets.wap.troops.cavalry import defence_of, mount_of
from wh_env.rulesets.wap.weapons.blows import NEVER, Blow, blow_of, extra_ranks
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC as NO_DICE
from wh_env.rulesets.wap.weapons.hit import MORTAL, SLAYING, Hit, Number
from wh_env.rulesets.wap.weapons.saves import armour_needed, chance, points_against, ward_save, wards_against

NEAR = 1e-3  # inches
FACES = range(1, 7)
D3, D6 = 3, 6
State = tuple[int, int, int, int]  # wounds left of either unit, half bases by which either has moved to its right


def pass_chance(needed: int, failed: bool = False, passed: bool = False) -> float:
    """How likely a die passes that needs so much, where those that fail or pass are rolled again."""
    if needed == AUTOMATIC:
        return 1.0
    once = sum(is_hit(die, needed) for die in FACES) / 6
    return once + (1 - once) * once if failed else once * once if passed else once


def unsaved_chance(g: BattleCore, target: int, hit: Hit, side: int) -> float:
    """How likely saves leave a wound."""
    needed = armour_needed(points_against(g, target, hit, side), hit.strength, hit.piercing)
    armour = pass_chance(needed) if needed <= FACES[-1] else 0.0
    return (1 - armour) * (1 - chance(ward_save(wards_against(g, target, hit.strength, side, hit.nature))))


@lru_cache(maxsize=256)
def number_chances(number: Number) -> Mapping[int, float]:
    """Chances of a number that is rolled for."""
    dice, sides, plus = number
    found = {plus: 1.0}
    for _ in range(dice):
        after: dict[int, float] = {}
        for total, share in found.items():
            for die in FACES:
                at = total + (die if sides == FACES[-1] else (die + 1) // 2)
                after[at] = after.get(at, 0.0) + share / 6
        found = after
    return found


def harm_of(g: BattleCore, target: int, hit: Hit, toughness: int, side: int) -> tuple[float, ...]:
    """Chances that a hit costs a unit 0, 1, ... Wounds; whoever a killing blow slays is thought whole (wap.special.killing-blow, .multiple-wounds)."""
    again = wound_rerolls(g, target, hit)
    wounds = pass_chance(to_wound(hit.strength, toughness) - hit.wounding, *again.again)
    most = most_wounds(g, target)
    found = [0.0] * (most + 1)
    if hit.nature & SLAYING:
        six = six_chance(to_wound(hit.strength, toughness) - hit.wounding, again)
        wounds -= six
        mortal = hit._replace(nature=hit.nature | MORTAL)
        found[most if is_slain(g, target, hit.nature) else 1] += six * unsaved_chance(g, target, mortal, side)
    left = wounds * unsaved_chance(g, target, hit, side)
    for taken, share in number_chances(hit.takes).items():
        found[min(most, taken)] += left * share
    while len(found) > 2 and found[-1] == 0.0:
        found.pop()
    found[0] = 1.0 - sum(found[1:])
    return tuple(found)


def six_chance(needed: int, rerolls: Rerolls = NONE) -> float:
    """How likely the last score of a die is a 6."""
    failed = 1 - pass_chance(needed)
    return 1 / 6 + (failed / 6 if rerolls.again[0] else 0.0)


@dataclass(frozen=True)
class Striker:
    """A profile of a unit: when it strikes, how often, and chances that a blow costs the enemy 0, 1, ... Wounds; ``last``: once his
    champion is alone; ``dice``: that each model in contact rolls for more attacks, and their sides."""

    kind: int
    step: int
    attacks: int
    supports: int
    deadly: tuple[float, ...]
    last: tuple[float, ...]
    dice: tuple[int, int] = (0, 6)


@dataclass(frozen=True)
class Party:
    """One of the two units.

    Attributes:
        models, files, wounds: as it stands; wounds of a model. left: all that it can lose. half: half the width of a base, in inches.
        place: of the middle of its front, along the other's, to its own right. ranks: how many support. champion: which of the front rank leads, -1: none.
        strikers: its profiles. impact: hits of each model as dice, sides and what is added; (0, 6, 0): none. crash: chances that one costs 0, 1, ...
        Wounds, ``last`` as above.
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
    crash: tuple[float, ...]
    last: tuple[float, ...]

    def alive(self, left: int) -> int:
        """Models left with so many wounds."""
        return -(-left // self.wounds)


def party_of(g: BattleCore, unit: int, enemy: int, place: float) -> Party:
    """A unit as it stands, and what it does to its enemy."""
    u, m = g.units, g.models
    members = list(g.members(unit))
    strikers = []
    for line in lines_of(g, unit):
        blow, number = blow_of(g, unit, line, enemy), g.lines.number[line]
        if blow.tier == NEVER:
            continue
        if g.lines.kind[line] == STOMPS:
            blow = blow._replace(attacks=0, dice=(1, D3 if is_few(g, enemy) else D6))
        deadly, last = (blow_harm(g, enemy, unit, blow, *defence) for defence in defences(g, enemy))
        strikers.append(
            Striker(
                g.lines.kind[line],
                step_of(blow),
                number * blow.attacks,
                number * blow.supports,
                deadly,
                last,
                (number * blow.dice[0], blow.dice[1]),
            )
        )
    charges = bool(u.charging[unit])
    crash = impact_of(g, unit, mount_of(g, unit) if mount_of(g, unit) >= 0 else lines_of(g, unit)[0])
    crashes = [blow_harm(g, enemy, unit, crash, *defence) for defence in defences(g, enemy)]
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
    return [defence_of(g, unit, line) for line in lines_of(g, unit)[:2]]


def blow_harm(g: BattleCore, target: int, unit: int, blow: Blow, skill: int, toughness: int) -> tuple[float, ...]:
    """Chances that a blow at models of a Weapon Skill and Toughness costs 0, 1, ... Wounds."""
    hits = 1.0 if blow.nature & NO_DICE else pass_chance(to_hit(blow.weapon_skill, skill), *blow.rerolls.again)
    _, *harm = harm_of(g, target, blow.hit, toughness, side_towards(g, target, unit))
    costs = [hits * share for share in harm]
    return 1.0 - sum(costs), *costs


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


@lru_cache(maxsize=4096)
def several(count: int, each: tuple[float, ...]) -> Array:
    """Chances of Wounds lost in all to so many blows that cost 0, 1, ... each."""
    if len(each) <= 2:
        return binomial(count, each[-1])
    found = np.ones(1)
    for _ in range(count):
        found = np.convolve(found, np.array(each))
    return found


def mixed(counts: Mapping[int, float], each: tuple[float, ...]) -> Array:
    """The same of a number of blows that is a matter of chance."""
    found = np.zeros(max(counts) * (len(each) - 1) + 1)
    for count, share in counts.items():
        found[: count * (len(each) - 1) + 1] += share * several(count, each)
    return found


@lru_cache(maxsize=1024)
def impact_hits(models: int, number: tuple[int, int, int]) -> Mapping[int, float]:
    """Chances of so many impact hits."""
    dice, sides, plus = number
    return number_chances((models * dice, sides, models * plus))


def blows_at(mine: Party, other: Party, state: State, second: bool, step: int) -> Array:
    """Chances of so many wounds that a unit deals at a step."""
    touching, champion, behind = contact(mine, other, state, second)
    alone = other.alive(state[0] if second else state[1]) == 1 and other.champion >= 0
    found = np.ones(1)
    if step == IMPACT:
        return mixed(impact_hits(touching, mine.impact), mine.last if alone else mine.crash)
    for striker in mine.strikers:
        if striker.step != step:
            continue
        leads = striker.kind == LEADERS
        own = champion if leads else touching - (champion if striker.kind == TROOPERS else 0)
        attacks = own * striker.attacks + (0 if leads else behind * striker.supports)
        blows = number_chances((own * striker.dice[0], striker.dice[1], attacks))
        found = np.convolve(found, mixed(blows, striker.last if alone else striker.deadly))
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
    steps = {
        striker.step for party in (first, second) for striker in party.strikers if striker.attacks or striker.dice[0]
    }
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
