"""Charges of one to three models against an exhaustive search in plain arithmetic: which targets a charge roll reaches.

The search puts every model on every point of a grid that a straight way leads to, and knows of the engine nothing. Where it finds an end for
all models the engine has to find one. The engine also goes round corners and between points of the grid, so what it finds beyond that only has
to be right by the rules. For a lone model without anybody in its way both agree both ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import floor, hypot
from random import Random
from typing import Any

import numpy as np
import pytest
from ninth import NinthScene

from wh_env.core.tables import Array
from wh_env.testing import kind, pick, sheet, words

Spot = tuple[float, float]

BASE = 1.0  # inches, of every round base
STEPS = {1: 0.125, 2: 0.25, 3: 0.5}  # of the grid, by number of models
COHERENCY = 2.0
REACH = 1.0  # of Engagement Range
EPS = 1e-6
QUIET = {"cp_each_command_phase": 0}


# ---------------------------------------------------------------- by the rules


def apart(a: Array, b: Array) -> Array:
    """Inches between bases at these points, each of the first with each of the second."""
    found: Array = np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(2)) - BASE
    return found


def past(start: Spot, ends: Array, other: Spot) -> Array:
    """How near a base comes to another one on the straight ways from ``start`` to each of the ends."""
    x, y = np.array(start), np.array(other)
    way = ends - x
    length = np.maximum((way**2).sum(1), EPS)
    part = np.clip(((y - x) * way).sum(1) / length, 0.0, 1.0)
    nearest = x + part[:, None] * way
    found: Array = np.sqrt(((nearest - y) ** 2).sum(1)) - BASE
    return found


def spots(start: Spot, roll: float, targets: Sequence[Spot], others: Sequence[Spot], step: float) -> Array:
    """Points of the grid to which a model can go straight: across nobody's base, never within reach of an enemy that is no target."""
    most = floor(roll / step)
    steps = np.arange(-most, most + 1) * step
    grid = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    ends = np.array(start) + grid[(grid**2).sum(1) <= roll**2 + EPS]
    free = np.ones(len(ends), np.bool_)
    for target in targets:
        free &= past(start, ends, target) >= -EPS
    for other in others:
        free &= past(start, ends, other) > REACH
    return ends[free]


def in_turn(starts: Sequence[Spot], ends: Sequence[Spot]) -> bool:
    """Whether the models can go there one after the other, each straight on across none of its unit."""
    for order in permutations(range(len(starts))):
        where = list(starts)
        for k in order:
            rest = [where[j] for j in range(len(where)) if j != k]
            if any(past(where[k], np.array([ends[k]]), other)[0] < -EPS for other in rest):
                break
            where[k] = ends[k]
        else:
            return True
    return False


def coherent(near: Sequence[Any]) -> Any:
    """Whether three models, of which these pairs are near each other, are one group."""
    return (near[0] & near[1]) | (near[0] & near[2]) | (near[1] & near[2])


def ends_of(
    starts: Sequence[Spot], roll: float, targets: Sequence[Spot], others: Sequence[Spot]
) -> Iterator[tuple[Spot, ...]]:
    """Ends of all models: every target engaged, in coherency, nobody on another one's base."""
    found = [spots(start, roll, targets, others, STEPS[len(starts)]) for start in starts]
    engages = [apart(ends, np.array(targets)) <= REACH + EPS for ends in found]
    if not np.concatenate(engages).any(0).all():  # nobody gets to some target
        return
    if len(starts) == 1:
        for a in np.flatnonzero(engages[0].all(1)):
            yield (tuple(found[0][a]),)
        return
    gaps = {(i, j): apart(found[i], found[j]) for i in range(len(starts)) for j in range(i + 1, len(starts))}
    free = {pair: gap >= -EPS for pair, gap in gaps.items()}
    near = {pair: gap <= COHERENCY + EPS for pair, gap in gaps.items()}
    for a in range(len(found[0])):
        if len(starts) == 2:
            both = (engages[0][a] | engages[1]).all(1) & free[0, 1][a] & near[0, 1][a]
            for b in np.flatnonzero(both):
                yield tuple(found[0][a]), tuple(found[1][b])
            continue
        second, third = np.flatnonzero(free[0, 1][a]), np.flatnonzero(free[0, 2][a])
        pairs = np.ix_(second, third)
        hit = np.ones((len(second), len(third)), np.bool_)
        for t in range(len(targets)):
            if not engages[0][a, t]:
                hit &= engages[1][second, t][:, None] | engages[2][third, t][None, :]
        if not hit.any():
            continue
        close = coherent((near[0, 1][a][second][:, None], near[0, 2][a][third][None, :], near[1, 2][pairs]))
        for b, c in np.argwhere(hit & close & free[1, 2][pairs]):
            yield tuple(found[0][a]), tuple(found[1][second[b]]), tuple(found[2][third[c]])


def reached(
    starts: Sequence[Spot], roll: float, targets: Sequence[Spot], others: Sequence[Spot], tries: int = 400
) -> bool:
    """Whether a charge succeeds as far as the search sees."""
    for number, ends in enumerate(ends_of(starts, roll, targets, others)):
        if in_turn(starts, ends):
            return True
        if number > tries:
            return False
    return False


def faults(
    starts: Sequence[Spot], ends: Sequence[Spot], roll: float, targets: Sequence[Spot], others: Sequence[Spot]
) -> list[str]:
    """What is wrong with the end of a charge."""
    wrong = [
        f"model {k} too far"
        for k, (a, b) in enumerate(zip(starts, ends, strict=True))
        if hypot(a[0] - b[0], a[1] - b[1]) > roll + 1e-3
    ]
    mine = np.array(ends)
    slack = 2e-4
    gaps = apart(mine, mine)
    pairs = [(i, j) for i in range(len(ends)) for j in range(i + 1, len(ends))]
    wrong += [f"models {i} and {j} overlap" for i, j in pairs if gaps[i, j] < -slack]
    wrong += [
        f"target {t} not engaged"
        for t, each in enumerate(targets)
        if apart(mine, np.array([each])).min() > REACH + slack
    ]
    wrong += [f"on target {t}" for t, each in enumerate(targets) if apart(mine, np.array([each])).min() < -slack]
    wrong += [
        f"other {t} engaged" for t, each in enumerate(others) if apart(mine, np.array([each])).min() <= REACH - slack
    ]
    near = [bool(gaps[i, j] <= COHERENCY + slack) for i, j in pairs]
    if (len(ends) == 2 and not near[0]) or (len(ends) == 3 and not coherent(near)):
        wrong.append("not in coherency")
    return wrong


# ---------------------------------------------------------------- by the engine


def charge(
    starts: Sequence[Spot], dice: tuple[int, int], targets: Sequence[Spot], others: Sequence[Spot]
) -> list[Spot] | None:
    """Where the models end that declare a charge at the targets and roll these dice; ``None``: it fails and nobody has moved."""
    scene = NinthScene()
    mine = scene.unit(0, sheet("Mine", base_mm=25.4), at=list(starts), models=len(starts))
    foes = [
        scene.unit(1, sheet(f"E{number}", base_mm=25.4), at=at, models=1)
        for number, at in enumerate((*targets, *others))
    ]
    scene.unit(0, sheet("Next"), at=(57, 40), models=1)  # who could charge next, so that nobody fights yet
    scene.unit(1, sheet("Its target"), at=(57, 34), models=1)
    battle = scene.battle("charge", dice=dice, rules=QUIET)
    pick(battle, "Mine", kind="select-to-charge")
    left = {f"charge E{number}" for number in range(len(targets))}
    while kind(battle) == "charge-target":
        told = next((text for text in words(battle).values() if text in left), "no more targets")
        left.discard(told)
        pick(battle, told)
    declared = [bool(battle.charges[mine, foe]) for foe in foes]
    assert declared == [True] * len(targets) + [False] * len(others)  # where there is one only nobody is asked
    assert kind(battle) == "select-to-charge"
    m = battle.models
    ends = [(m.x[mine.model(k)], m.y[mine.model(k)]) for k in range(len(starts))]
    moved = bool(battle.units.charged[mine])
    assert moved or ends == [pytest.approx(start) for start in starts]
    return ends if moved else None


# ---------------------------------------------------------------- positions


def position(seed: int, models: int, targets: int) -> tuple[list[Spot], tuple[int, int], list[Spot], list[Spot]]:
    """A position drawn from the seed: a unit in coherency that nobody is near, dice, so many targets, up to two other enemies."""
    draw = Random(seed)
    while True:
        starts = [(20.0, 20.0)]
        while len(starts) < models:
            x, y = starts[-1]
            step = draw.uniform(1.05, 2.9), draw.uniform(-3.2, 3.2)
            spot = x + step[0] * np.cos(step[1]), y + step[0] * np.sin(step[1])
            if all(hypot(spot[0] - a, spot[1] - b) >= BASE + 0.02 for a, b in starts):
                starts.append((float(spot[0]), float(spot[1])))
        enemies: list[Spot] = []
        for _ in range(targets + draw.randint(0, 2)):
            away, turn = draw.uniform(3.0, 9.0), draw.uniform(-1.0, 1.0)
            enemies.append((20 + away * float(np.cos(turn)), 20 + away * float(np.sin(turn))))
        far = apart(np.array(starts), np.array(enemies)).min() > REACH + 0.01
        between = apart(np.array(enemies), np.array(enemies)) + 9.0 * np.eye(len(enemies))
        if far and between.min() > 0.01:
            most = 4 if models < 3 else 3
            return starts, (draw.randint(1, most), draw.randint(1, most)), enemies[:targets], enemies[targets:]


# ---------------------------------------------------------------- one against the other


@pytest.mark.rule("w9.charge.success", "w9.charge.move.non-targets")
@pytest.mark.parametrize(("models", "targets", "count"), [(1, 1, 40), (1, 2, 40), (2, 1, 30), (3, 1, 12)])
def test_what_the_search_finds_the_engine_finds(models: int, targets: int, count: int) -> None:
    """Positions by chance: where the search finds ends the charge succeeds, and where a charge succeeds its end is right."""
    answers = set()
    for seed in range(count):
        starts, dice, wanted, others = position(10 * seed + models, models, targets)
        ends, roll = charge(starts, dice, wanted, others), sum(dice)
        found = reached(starts, roll, wanted, others)
        assert not found or ends is not None, f"seed {seed}: the engine misses an end"
        if ends is not None:
            assert faults(starts, ends, roll, wanted, others) == [], f"seed {seed}"
        answers.add((found, ends is not None))
    assert {(True, True), (False, False)} <= answers


@pytest.mark.rule("w9.charge.success")
def test_a_lone_model_with_nobody_in_its_way_gets_as_far_as_its_roll() -> None:
    """One target and nobody else: both ways. The engine may be right where the grid is a step too coarse, never by more."""
    for seed in range(60):
        starts, dice, wanted, _ = position(7000 + seed, 1, 1)
        roll, gap = sum(dice), float(apart(np.array(starts), np.array(wanted))[0, 0])
        assert (charge(starts, dice, wanted, []) is not None) == (gap - REACH <= roll + 1e-4), seed
        assert reached(starts, roll, wanted, []) <= (gap - REACH <= roll + EPS)
        assert reached(starts, roll, wanted, []) or gap - REACH > roll - STEPS[1]


@pytest.mark.rule("w9.charge.success", "w9.charge.move.non-targets")
@pytest.mark.parametrize(("models", "count"), [(2, 40), (3, 14)])
def test_several_models_at_two_targets_get_where_the_search_does(models: int, count: int) -> None:
    """Ends that only all models together reach, so that the first place that would do for one of them can bar the others."""
    answers = set()
    for seed in range(count):
        starts, dice, wanted, others = position(20 * seed + models, models, 2)
        ends, roll = charge(starts, dice, wanted, others), sum(dice)
        found = reached(starts, roll, wanted, others)
        assert not found or ends is not None, f"seed {seed}: the engine misses an end"
        if ends is not None:
            assert faults(starts, ends, roll, wanted, others) == [], f"seed {seed}"
        answers.add((found, ends is not None))
    assert {(True, True), (False, False)} <= answers


@pytest.mark.rule("w9.charge.difficult-ground", "w9.charge.success")
@pytest.mark.parametrize(("dice", "arrives"), [((4, 4), False), ((5, 4), True)])
def test_who_stands_in_what_the_others_could_go_round(dice: tuple[int, int], arrives: bool) -> None:
    """The rear model stands in the crater, so the unit moves over it and loses 2 inches, however clear the way of the other one is."""
    scene = NinthScene()
    scene.area("crater", 19, 5, 23, 21, 0.0)
    mine = scene.unit(0, sheet("Mine", base_mm=25.4), at=[(22, 13), (24, 13)], models=2)
    scene.unit(1, sheet("Foe", base_mm=25.4), at=(32.5, 13), models=1)  # 6.5" from Engagement Range of the model ahead
    battle = scene.battle("charge", dice=dice, rules=QUIET)
    pick(battle, "Mine")
    assert bool(battle.units.charged[mine]) is arrives
