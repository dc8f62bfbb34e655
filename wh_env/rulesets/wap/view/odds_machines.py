"""The exact distribution of a war machine's shot at a unit of one profile in ranks, far from everybody else. No dice
are rolled.

Where a shot comes down is enumerated: both faces of the scatter die, its directions, the numbers of the artillery die.
Bases are compared with templates by plain geometry (points against rectangles), without the kernels of the battle, and
the cost of hits is taken from the tables of the rules (``odds_harm``). So each is a check of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, hypot, sin, tau
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.profiles import wounds_each
from wh_env.rulesets.wap.codes import FRONT, TROOP_TYPES
from wh_env.rulesets.wap.view.odds import binomial, several
from wh_env.rulesets.wap.view.odds_harm import harm_of
from wh_env.rulesets.wap.weapons.hit import ONE, Hit, Number

NUMBERS = (2, 4, 6, 8, 10)  # of the artillery die; its sixth face is a misfire
DIRECTIONS = 240
HITS, FACES = 2, 6  # faces of the scatter die that show a Hit, and all faces
SMALL = 1.5  # inches: the radius of the small round template
BIG = tuple(map(TROOP_TYPES.index, ("monstrous infantry", "monstrous cavalry", "monstrous beast", "monster")))
TOUCH = 1e-9
CORNERS = 65  # of the round end of a flame template


class Target(NamedTuple):
    """The bases of a unit that faces the machine straight on, as (x, y) of their middles, inches ahead of where the
    machine measures from and to its left, and half their depth and width; ``ranks``: the rank of each.
    """

    middles: Array
    ranks: Array
    half_a: float
    half_b: float


@dataclass(frozen=True)
class ShotOdds:
    """The distribution of a shot.

    Attributes:
        lost: the chances that the unit loses 0, 1, ... Wounds. wounds: of a model.
        misfire: the chance that the shot misfires. hits: the average number of models in its way,
            if nothing stops it.
    """

    lost: Array
    wounds: int
    misfire: float
    hits: float

    @property
    def mean(self) -> float:
        """The average Wounds that the unit loses."""
        return float((np.arange(len(self.lost)) * self.lost).sum())

    @property
    def models(self) -> Array:
        """The chances of 0, 1, ... models lost, if no model was wounded before."""
        found = np.zeros((len(self.lost) - 1) // self.wounds + 1)
        for lost, share in enumerate(self.lost):
            found[lost // self.wounds] += share
        return found


def landings(x: float, y: float, share: float, skill: int = -1) -> Iterator[tuple[float, float, float]]:
    """Where an object that is aimed at (x, y) comes down, (chance, x, y) each, if the artillery die shows a number.
    ``share``: of that number that it goes on an arrow. ``skill``: on a Hit it goes the number less this; -1: it stays.
    """
    for number in NUMBERS:
        for hit, chance in ((True, HITS / FACES), (False, 1 - HITS / FACES)):
            far = (0.0 if skill < 0 else max(0.0, float(number - skill))) if hit else share * number
            each = chance / len(NUMBERS)
            if far == 0.0:
                yield each, x, y
                continue
            for lot in range(DIRECTIONS):
                turn = lot * tau / DIRECTIONS
                yield each / DIRECTIONS, x + far * cos(turn), y + far * sin(turn)


def gaps(target: Target, x: float, y: float) -> Array:
    """Inches from (x, y) to the nearest point of each base."""
    away = np.abs(target.middles - (x, y)) - (target.half_a, target.half_b)
    return np.asarray(np.hypot(*np.maximum(away, 0.0).T))


def models_under(target: Target, x: float, y: float) -> tuple[int, int]:
    """The models under the hole of a small round template at (x, y), at most one, and those under the rest of it."""
    away = gaps(target, x, y)
    direct = int((away <= TOUCH).any())
    return direct, int((away <= SMALL + TOUCH).sum()) - direct


def models_on_way(target: Target, x: float, y: float, bounce: float) -> tuple[int, int]:
    """The models that a ball which comes down at (x, y) strikes directly (at most one) and with its bounce, one of each
    rank. A line from (0, 0) through (x, y) goes on for ``bounce`` inches.
    """
    direct = np.flatnonzero(gaps(target, x, y) <= TOUCH)
    first = set(target.ranks[direct[:1]].tolist())
    if bounce == 0.0:
        return len(first), 0
    far = hypot(x, y)
    dx, dy = bounce * x / far, bounce * y / far
    begins, leaves = np.zeros(len(target.middles)), np.ones(len(target.middles))
    for axis, (at, way, half) in enumerate(((x, dx, target.half_a), (y, dy, target.half_b))):
        low, high = target.middles[:, axis] - half - at, target.middles[:, axis] + half - at
        if abs(way) < TOUCH:
            leaves = np.where((low > TOUCH) | (high < -TOUCH), -1.0, leaves)
        else:
            ends = np.sort(np.stack((low / way, high / way)), axis=0)
            begins, leaves = np.maximum(begins, ends[0]), np.minimum(leaves, ends[1])
    ranks = set(target.ranks[begins <= leaves + TOUCH].tolist())
    return len(first), len(ranks - first)


class Costs(NamedTuple):
    """What hits on a unit cost: the chances of 0, 1, ... Wounds by the direct hit and by each other; Wounds of a model;
    whether a model that lives stops a ball.
    """

    direct: tuple[float, ...]
    other: tuple[float, ...]
    wounds: int
    stops: bool = False


def of_counts(counts: dict[tuple[int, int], float], costs: Costs, most: int, misfire: float) -> ShotOdds:
    """The distribution from the chances of each number of (direct, other) hits."""
    lost = np.zeros(most + 1)
    lost[0] = misfire
    for (direct, others), share in counts.items():
        dealt = together(costs, direct, others)
        lost[: min(most, len(dealt) - 1) + 1] += share * dealt[: most + 1]
        lost[most] += share * float(dealt[most + 1 :].sum())
    hits = sum(share * (direct + others) for (direct, others), share in counts.items())
    return ShotOdds(lost, costs.wounds, misfire, hits)


@lru_cache(maxsize=4096)
def together(costs: Costs, direct: int, others: int) -> Array:
    """The chances of 0, 1, ... Wounds by so many hits. If living models stop the ball, hits after a model that the hits
    before have not slain do not happen; Wounds gather on one model.
    """
    if not costs.stops:
        return np.convolve(several(direct, costs.direct), several(others, costs.other))
    hits = [costs.direct] * direct + [costs.other] * others
    found = np.zeros(costs.wounds * len(hits) + 1)
    going = {0: 1.0}
    for cost in hits:
        after: dict[int, float] = {}
        for before, share in going.items():
            for taken, chance in enumerate(cost):
                lost = before + taken
                if lost // costs.wounds > before // costs.wounds:
                    after[lost] = after.get(lost, 0.0) + share * chance
                else:
                    found[lost] += share * chance
        going = after
    for lost, share in going.items():
        found[lost] += share
    return found


def costs_of(g: BattleCore, target: int, direct: Hit, other: Hit, toughness: int) -> Costs:
    """What hits of a shot from the front cost a unit."""
    harm = [harm_of(g, target, hit, toughness, FRONT) for hit in (direct, other)]
    wounds = wounds_each(g, target)
    return Costs(harm[0], harm[1], wounds, g.units.kind[target] in BIG)


def stone_odds(target: Target, aim: tuple[float, float], costs: Costs, skill: int = -1) -> ShotOdds:
    """The distribution of a stone that is aimed at a place; ``skill``: the crew's, of an indirect shot."""
    misfire, counts = 1 / FACES, dict[tuple[int, int], float]()
    for chance, x, y in landings(*aim, 1.0, skill):
        found = models_under(target, x, y)
        counts[found] = counts.get(found, 0.0) + (1 - misfire) * chance
    return of_counts(counts, costs._replace(stops=False), costs.wounds * len(target.ranks), misfire)


def ball_odds(target: Target, aim: tuple[float, float], costs: Costs) -> ShotOdds:
    """The distribution of a cannonball that is aimed at a place."""
    misfire, counts = 1 / FACES, dict[tuple[int, int], float]()
    for chance, x, y in landings(*aim, 0.5):
        for bounce in (0.0, *map(float, NUMBERS)):
            found = models_on_way(target, x, y, bounce)
            counts[found] = counts.get(found, 0.0) + (1 - misfire) * chance / FACES
    return of_counts(counts, costs, costs.wounds * len(target.ranks), misfire)


def outline_of_flame(tip: float, length: float, radius: float) -> Array:
    """Corners of a flame template on the axis ahead with its tip ``tip`` inches away, (n, 2)."""
    far = length - radius
    turn = np.arccos(radius / far)  # of the sides where they touch the round end, from the way back
    around = np.linspace(turn - np.pi, np.pi - turn, CORNERS)
    end = np.stack((tip + far + radius * np.cos(around), radius * np.sin(around)), axis=1)
    return np.concatenate(([[tip, 0.0]], end))


def models_under_outline(target: Target, corners: Array) -> int:
    """The models whose bases a convex outline touches: no side of either keeps them apart."""
    sides = np.roll(corners, -1, axis=0) - corners
    axes = np.concatenate((np.eye(2), np.stack((sides[:, 1], -sides[:, 0]), axis=1)))
    axes /= np.hypot(*axes.T)[:, None]
    reach = np.abs(axes) @ (target.half_a, target.half_b)
    middles, outline = target.middles @ axes.T, corners @ axes.T
    apart = (middles - reach > outline.max(axis=0) + TOUCH) | (middles + reach < outline.min(axis=0) - TOUCH)
    return int((~apart.any(axis=1)).sum())


def flame_odds(target: Target, flame: tuple[float, float], costs: Costs) -> ShotOdds:
    """The distribution of a fire thrower's shot straight ahead. ``flame``: length and radius of its template."""
    misfire, counts = 1 / FACES, dict[tuple[int, int], float]()
    for number in NUMBERS:
        found = 0, models_under_outline(target, outline_of_flame(float(number), *flame))
        counts[found] = counts.get(found, 0.0) + (1 - misfire) / len(NUMBERS)
    return of_counts(counts, costs._replace(stops=False), costs.wounds * len(target.ranks), misfire)


def grapeshot_odds(models: int, hit_chance: float, costs: Costs) -> ShotOdds:
    """The distribution of grapeshot that hits with a chance."""
    misfire, counts = 1 / FACES, dict[tuple[int, int], float]()
    for number in NUMBERS:
        for die in range(1, FACES + 1):
            for hits, chance in enumerate(binomial(number + die, hit_chance)):
                each = (1 - misfire) * float(chance) / len(NUMBERS) / FACES
                counts[0, hits] = counts.get((0, hits), 0.0) + each
    return of_counts(counts, costs._replace(stops=False), costs.wounds * models, misfire)


def bolt_odds(models: int, hit_chance: float, harms: Sequence[tuple[float, ...]], wounds: int) -> ShotOdds:
    """The distribution of a bolt. ``harms``: the chances that its hit on each rank costs 0, 1, ... Wounds; it goes on
    only past a model that it slays.
    """
    lost, hits = np.zeros(wounds * models + 1), 0.0
    lost[0] = 1.0 - hit_chance
    going = {0: hit_chance}
    for harm in harms:
        after: dict[int, float] = {}
        hits += sum(going.values())
        for before, share in going.items():
            for taken, chance in enumerate(harm):
                found = min(before + taken, len(lost) - 1)
                if found // wounds > before // wounds:
                    after[found] = after.get(found, 0.0) + share * chance
                else:
                    lost[found] += share * chance
        going = after
    for found, share in going.items():
        lost[found] += share
    return ShotOdds(lost, wounds, 0.0, hits)


def machine_hits(hit: Hit, centre: int, takes: Number, bounce: Number) -> tuple[Hit, Hit]:
    """The direct hit of a machine and its other hits. ``centre``: Strength under the hole of its template, 0: it has
    none.
    """
    if centre:
        return hit._replace(strength=centre, takes=takes), hit._replace(takes=ONE)
    return hit._replace(takes=takes), hit._replace(takes=bounce)
