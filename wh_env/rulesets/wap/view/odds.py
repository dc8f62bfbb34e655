"""The exact distribution of a round of close combat of two units that stand front to front (wap.combat.*); no dice are
rolled.

The models that strike are counted from widths and places, and the cost of blows is taken from the tables of the rules
(``odds_harm``), without the code that the battle uses. So each is a check of the other.
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
from wh_env.rulesets.wap.basics.changed_dice import rerolls_under_effects
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.basics.dice import number_of
from wh_env.rulesets.wap.basics.dice_changes import WOUND
from wh_env.rulesets.wap.basics.profiles import characteristic, lines_of, wounds_each
from wh_env.rulesets.wap.basics.special_rules import line_parameters, parameters
from wh_env.rulesets.wap.basics.stomps import halves_stomps
from wh_env.rulesets.wap.codes import CHAMPION, CREW, FRONT, LEADERS, STOMPS, TROOPERS
from wh_env.rulesets.wap.rule_book import IMPACT_HITS
from wh_env.rulesets.wap.troops.war_machines import crew_left, is_machine
from wh_env.rulesets.wap.view.odds_harm import blow_harm, defences, mount_line, number_chances
from wh_env.rulesets.wap.weapons.blows import NEVER, blow_at, blow_of, extra_ranks, own_bonus
from wh_env.rulesets.wap.weapons.hit import AUTOMATIC, Number

NEAR = 1e-3  # inches
D3, D6 = 3, 6
NO_HITS = (0, 6, 0)
ASSAILANTS = 6  # Unit Strength of those who take part in the assault of a war machine, at most
IMPACT = (
    1,
    0,
)  # the step of impact hits, ahead of all others: those are the tier of the attacks, the Initiative within it
Step = tuple[int, int]
State = tuple[int, int, int, int]  # wounds left of either unit, half bases by which either has moved to its right


@dataclass(frozen=True)
class Striker:
    """A profile of a unit: when and how often it strikes, and the chances that one blow costs the enemy 0, 1, ...
    Wounds.

    Attributes:
        attacks: of each model in contact. supports: of each model behind. deadly: the chances for each blow.
        last: the same once only the enemy's champion is left. dice: number and sides, that each model in contact rolls
            for more attacks.
    """

    kind: int
    step: Step
    attacks: int
    supports: int
    deadly: tuple[float, ...]
    last: tuple[float, ...]
    dice: tuple[int, int] = (0, 6)


@dataclass(frozen=True)
class Party:
    """One of the two units.

    Attributes:
        models, files: as it stands. wounds: of a model. left: Wounds that the unit can lose. half: half the width of a
            base, inches.
        place: inches of the middle of its front along the front of the other unit, from the middle of that, to its own
            right.
        ranks: that support. champion: its index among the unit's models, -1: none.
        strikers: its profiles. impact: hits of each model as (dice, sides, added); (0, 6, 0): none.
        crash: chances that an impact hit costs 0, 1, ... Wounds. last: as for ``Striker``.
        group: the most models that take part in the assault of a war machine, or all crew of one; 0: those that touch.
        mates: of the crew of a war machine those with a profile of their own, who fall last.
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
    impact: Number
    crash: tuple[float, ...]
    last: tuple[float, ...]
    group: int = 0
    mates: int = 0

    def alive(self, left: int) -> int:
        """The number of models left with so many wounds left."""
        return -(-left // self.wounds)


def impact_number(g: BattleCore, line: int) -> Number:
    """Impact hits of each model with a profile; of several numbers the one that is highest on average
    (wap.special.impact-hits.number).
    """
    told = parameters(g, g.lines.unit[line], IMPACT_HITS) + line_parameters(g, line, IMPACT_HITS)
    found = [number_of(words) for words in told]
    return max(found, key=lambda n: sum(hits * share for hits, share in number_chances(n).items()), default=NO_HITS)


def party_of(g: BattleCore, unit: int, enemy: int, place: float) -> Party:
    """A unit as it stands, with its blows against its enemy."""
    u, m, side = g.units, g.models, side_towards(g, enemy, unit)
    members = list(g.members(unit))
    strikers = []
    for line in lines_of(g, unit):
        blow, number = blow_of(g, unit, line, enemy), g.lines.number[line]
        if blow.tier == NEVER or not number:
            continue
        if is_machine(g, unit):
            number = 1  # each crewman counts as a model
        if g.lines.kind[line] == STOMPS:
            blow = blow._replace(attacks=0, dice=(1, D3 if halves_stomps(g, enemy) else D6))
        deadly, last = (blow_harm(g, enemy, blow, *defence, side) for defence in defences(g, enemy))
        strikers.append(
            Striker(
                g.lines.kind[line],
                (-blow.tier, blow.initiative),
                number * blow.attacks,
                number * blow.supports,
                deadly,
                last,
                (number * blow.dice[0], blow.dice[1]),
            )
        )
    striking = max(mount_line(g, unit), lines_of(g, unit)[0])  # the profile that gives impact hits their Strength
    again = rerolls_under_effects(g, unit, WOUND)
    crash = blow_at(characteristic(g, striking, "s") + own_bonus(g, unit, striking), AUTOMATIC)._replace(
        wound_rerolls=again
    )
    crashes = [blow_harm(g, enemy, crash, *defence, side) for defence in defences(g, enemy)]
    crew = crew_left(g, unit) if is_machine(g, unit) else 0
    mates = [g.lines.number[line] for line in lines_of(g, unit) if g.lines.kind[line] == CREW]
    return Party(
        models=crew or u.alive[unit],
        files=crew or min(u.files[unit], u.alive[unit]),
        wounds=1 if crew else wounds_each(g, unit),
        left=sum(m.wounds[k] for k in members),
        half=u.base_b[unit],
        place=place,
        ranks=extra_ranks(g, unit),
        champion=next((n for n, k in enumerate(members) if m.role[k] == CHAMPION), -1),
        strikers=tuple(strikers),
        impact=impact_number(g, striking) if u.charging[unit] and not is_machine(g, enemy) else NO_HITS,
        crash=crashes[0],
        last=crashes[1],
        group=crew or (max(1, ASSAILANTS // u.each[unit]) if is_machine(g, enemy) else 0),
        mates=sum(mates) if crew else 0,
    )


# ---------------------------------------------------------------- models that strike


def across(count: int, half: float, shift: int) -> list[float]:
    """The middles of ``count`` bases side by side, from right to left, inches to the left of the
    unit's first middle.
    """
    return [(2 * n + 1 - count - shift) * half for n in range(count)]


@lru_cache(maxsize=4096)
def fighters(mine: Party, alive: int, shift: int, low: float, high: float) -> tuple[int, int, int]:
    """Count the models of a unit that touch the stretch from ``low`` to ``high`` of its front (inches to the left of
    its first middle).

    Returns:
        The number that touch it, 1 if its champion is among them, and the number of models that stand behind those.
    """
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
    """``fighters`` of ``mine`` in a state of the round; ``second``: ``mine`` is the second unit of the state."""
    left, shift, theirs, moved = (
        (state[1], state[3], state[0], state[2]) if second else (state[0], state[2], state[1], state[3])
    )
    if mine.group:
        there = min(mine.group, mine.alive(left))
        return there, int(mine.champion >= 0 and there > 0), 0
    wide = min(other.files, other.alive(theirs))
    # the right of the other unit is the left of the unit that faces it
    middle = mine.place + moved * other.half
    return fighters(mine, mine.alive(left), shift, middle - wide * other.half, middle + wide * other.half)


# ---------------------------------------------------------------- chances


@lru_cache(maxsize=4096)
def binomial(count: int, deadly: float) -> Array:
    """The chances of 0 .. ``count`` successes."""
    return np.array([comb(count, k) * deadly**k * (1 - deadly) ** (count - k) for k in range(count + 1)])


@lru_cache(maxsize=4096)
def several(count: int, each: tuple[float, ...]) -> Array:
    """The chances of 0, 1, ... Wounds lost to ``count`` blows, each of which costs 0, 1, ... by ``each``."""
    if len(each) <= 2:
        return binomial(count, each[-1])
    found = np.ones(1)
    for _ in range(count):
        found = np.convolve(found, np.array(each))
    return found


def mixed(counts: Mapping[int, float], each: tuple[float, ...]) -> Array:
    """``several`` for a random number of blows; ``counts``: the chance of each number."""
    found = np.zeros(max(counts) * (len(each) - 1) + 1)
    for count, share in counts.items():
        found[: count * (len(each) - 1) + 1] += share * several(count, each)
    return found


@lru_cache(maxsize=1024)
def impact_hits(models: int, number: Number) -> Mapping[int, float]:
    """The chance of each number of impact hits of ``models`` models."""
    dice, sides, plus = number[:3]
    return number_chances((models * dice, sides, models * plus))


def blows_at(mine: Party, other: Party, state: State, second: bool, step: Step) -> Array:
    """The chances of 0, 1, ... wounds that a unit deals at a step."""
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
        if mine.mates and not leads:
            own = min(own, mine.mates) if striker.kind == CREW else max(0, own - mine.mates)
        attacks = own * striker.attacks + (0 if leads else behind * striker.supports)
        blows = number_chances((own * striker.dice[0], striker.dice[1], attacks))
        found = np.convolve(found, mixed(blows, striker.last if alone else striker.deadly))
    return found


def moved_by(party: Party, before: int, after: int, shift: int) -> int:
    """The shift of a unit after losses, in half bases: a single rank that loses an odd number loses one more at its
    left end (wap.core.casualties.single-rank).
    """
    was, now = party.alive(before), party.alive(after)
    wide = min(party.files, was)
    return shift + 1 if 0 < now < wide and (wide - now) % 2 else shift


def capped(chances: Array, most: int) -> Array:
    """The chances of so many wounds if no more than ``most`` can be lost."""
    if len(chances) <= most + 1:
        return chances
    return np.append(chances[:most], chances[most:].sum())


@dataclass(frozen=True)
class Odds:
    """The distribution of a round.

    Attributes:
        lost: ``lost[a, b]`` is the chance that the first unit loses ``a`` wounds and the second ``b``. wounds: of a
            model of either unit.
    """

    lost: Array
    wounds: tuple[int, int]

    def models(self, unit: int) -> Array:
        """The chances of 0, 1, ... models lost by the first unit (0) or the second (1), if no model was wounded
        before.
        """
        chances = self.lost.sum(axis=1 - unit)
        each = self.wounds[unit]
        found = np.zeros((len(chances) - 1) // each + 1)
        for lost, share in enumerate(chances):
            found[lost // each] += share
        return found

    @property
    def means(self) -> tuple[float, float]:
        """The average wounds that either unit loses."""
        return tuple(
            float((np.arange(n) * self.lost.sum(axis=1 - unit)).sum()) for unit, n in enumerate(self.lost.shape)
        )  # type: ignore[return-value]

    @property
    def leads(self) -> tuple[float, float, float]:
        """The chances that the first unit deals more wounds than the second, as many, fewer."""
        a, b = np.indices(self.lost.shape)
        return float(self.lost[b > a].sum()), float(self.lost[b == a].sum()), float(self.lost[b < a].sum())


def odds_of(first: Party, second: Party) -> Odds:
    """The distribution of a round of two units."""
    states: dict[State, float] = {(first.left, second.left, 0, 0): 1.0}
    steps = {
        striker.step for party in (first, second) for striker in party.strikers if striker.attacks or striker.dice[0]
    }
    if any(party.impact != NO_HITS for party in (first, second)):
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
    """The distribution of the round between two units that are in contact only with each other, front to front.

    Raises:
        ValueError: the units stand otherwise.
    """
    alone = foes_of(g, unit) == [enemy] and foes_of(g, enemy) == [unit]
    if not alone or side_towards(g, unit, enemy) != FRONT or side_towards(g, enemy, unit) != FRONT:
        raise ValueError(f"units {unit} and {enemy}: expected two that fight each other alone, front to front")
    u = g.units
    f = u.facing[unit]
    along = cos(f) * (u.y[enemy] - u.y[unit]) - sin(f) * (u.x[enemy] - u.x[unit])  # to the left of the first
    return odds_of(party_of(g, unit, enemy, along), party_of(g, enemy, unit, along))
