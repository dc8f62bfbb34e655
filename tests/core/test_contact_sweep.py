"""Pile-ins into base contact against brute force: what ``oracles.contacts`` finds the search finds too.

``python tests/core/test_contact_sweep.py FIRST COUNT`` looks at any number of close positions; the test at those up to 5,000.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # as a program

from oracles.contacts import contact

from wh_env.core.geometry.board import Board
from wh_env.core.geometry.contact_paths import find_path_into_contact
from wh_env.core.geometry.melee_search import TO_ENEMY, closest_goal, squad_of, touches_enemy
from wh_env.core.geometry.moves import ANYBODY, SAME_FOR_ALL
from wh_env.core.geometry.path_checks import check_path
from wh_env.core.geometry.single import near_models
from wh_env.testing.tabletop import Table

POSITIONS, PARTS = 5000, 5
RADII = (0.49, 0.49, 0.63, 0.79, 0.98)  # inches: bases of 25, 32, 40 and 50 mm
REACH = 3.0
Spots = list[tuple[float, float, float]]


def put(draw: Random, spots: Spots, radius: float, spread: float) -> tuple[float, float] | None:
    """A free place for a base near the middle; ``None``: none was found."""
    for _ in range(200):
        x, y = 30.0 + draw.uniform(-spread, spread), 22.0 + draw.uniform(-spread, spread)
        if all(math.hypot(x - a, y - b) >= radius + r + 0.002 for a, b, r in spots):
            spots.append((x, y, radius))
            return x, y
    return None


def some(draw: Random, spots: Spots, radius: float, spread: float, least: int, most: int) -> list[tuple[float, float]]:
    """Free places for some bases of one size."""
    tries = [put(draw, spots, radius, spread) for _ in range(draw.randint(least, most))]
    return [place for place in tries if place is not None]


def add_box(draw: Random, t: Table, spots: Spots) -> None:
    """Add a wall that nobody stands in, if there is room."""
    for _ in range(30):
        x, y = 30.0 + draw.uniform(-4.0, 4.0), 22.0 + draw.uniform(-4.0, 4.0)
        wide, deep = draw.uniform(0.3, 2.5), draw.uniform(0.3, 1.5)
        gaps = [(max(x - a, a - x - wide, 0.0), max(y - b, b - y - deep, 0.0), r) for a, b, r in spots]
        if all(math.hypot(across, up) >= r + 0.002 for across, up, r in gaps):
            t.block(x, y, x + wide, y + deep, 9.0)
            return


def position(seed: int) -> Table | None:
    """A unit among two enemy units so close that most gaps are narrow, in some with walls; ``None``: it has no room."""
    draw, spots = Random(seed), []
    owner = seed // 2 % 2
    own, first, second = (draw.choice(RADII) for _ in range(3))
    foes = some(draw, spots, first, 2.2, 1, 5)
    others = some(draw, spots, second, 3.5, 1, 3)
    mine = some(draw, spots, own, draw.choice((3.0, 4.5)), 3, 8)
    if not mine or not foes or not others:
        return None
    t = Table((owner, mine), (1 - owner, foes), (1 - owner, others))
    radii = [own] * len(mine) + [first] * len(foes) + [second] * len(others)
    for column in ("radius", "half_a", "half_b"):
        t.models[column] = radii
    t.limits["engage_path"] = t.limits["engage_end"] = ANYBODY
    t.limits["mode"], t.limits["extra"] = SAME_FOR_ALL, REACH
    if draw.random() < 0.3:
        for _ in range(draw.randint(1, 2)):
            add_box(draw, t, spots)
        t.room()
    return t


def looked_for(seed: int) -> str:
    """What becomes of one model in that position: ``in`` contact already, ``found``, ``none`` or, a fault, ``missed`` or ``illegal``."""
    t = position(seed)
    if t is None:
        return "in"
    i = seed % int(t.units["count"][0])
    if touches_enemy(t.models, i):
        return "in"
    squad = squad_of(t.models, t.units, 0, TO_ENEMY, -1, 0.0, t.scratch, t.marks)
    goal = closest_goal(t.models, t.limits, t.targets, i, -1)
    m = t.models[i]
    nn = near_models(t.models, t.limits, m["x"], m["y"], REACH + m["radius"], squad.near)
    k = find_path_into_contact(Board(*t.tables), squad, i, goal, -1, 0, nn, 0.0, False, False)
    if k == 0:
        return "missed" if contact(t, i, goal, REACH) else "none"
    if check_path(*t.tables, i, squad.points, k) != 0:
        return "illegal"
    m["x"], m["y"] = squad.points[k - 1, :2]
    return "found" if touches_enemy(t.models, i) else "illegal"


def faults(first: int, count: int) -> tuple[list[int], dict[str, int]]:
    """The seeds in which the search is at fault, and how often each answer was given."""
    wrong, answers = [], dict.fromkeys(("in", "found", "none", "missed", "illegal"), 0)
    for seed in range(first, first + count):
        answer = looked_for(seed)
        answers[answer] += 1
        if answer in ("missed", "illegal"):
            wrong.append(seed)
    return wrong, answers


@pytest.mark.rule("w10.fight.pile-in.base-contact")
@pytest.mark.parametrize("part", range(PARTS))
def test_no_base_contact_that_there_is_is_missed(part: int) -> None:
    share = POSITIONS // PARTS
    wrong, answers = faults(part * share, share)
    assert wrong == []
    assert answers["found"] > 0.8 * share
    assert answers["none"] > 0.03 * share  # where brute force looked in vain, too


if __name__ == "__main__":
    print(*faults(int(sys.argv[1]), int(sys.argv[2])))
