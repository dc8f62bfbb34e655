"""Ends of charges of small units: the kernels that find them against plain loops over all places, and what is ruled out beforehand."""

from __future__ import annotations

from itertools import combinations
from math import hypot
from random import Random

import numpy as np
import pytest
from ninth import NinthScene

from wh_env.core.geometry.melee_search import contact_place
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import CIRCLE, Array
from wh_env.rulesets.w40k.fight import charge_ends
from wh_env.rulesets.w40k.fight.charge_ends import (
    RING,
    SHORT,
    THIRDS,
    TOUCH,
    Charge,
    Places,
    Sets,
    anywhere,
    crossings,
    engaged_there,
    engaging_places,
    enough,
    in_reach,
    lines_for,
    places,
    ring,
    sorted_places,
)
from wh_env.rulesets.w40k.fight.close_moves import charge_ways
from wh_env.rulesets.w40k.questions.move_limits import CHARGE, limits_for
from wh_env.testing import sheet

SHAPES = ({"base_mm": 25.4}, {"base_mm": (90.0, 52.0)}, {"hull_in": (4.0, 2.0)})


def charge_of(draw: Random, models: int, targets: int, inches: float, need_all: int = 1) -> Charge:
    """A charge in a position by chance, with models of all shapes of bases and another enemy."""
    scene = NinthScene()
    mine = sheet("Mine", **draw.choice(SHAPES[: 3 if models == 1 else 1]))
    unit = scene.unit(0, mine, at=[(20.0 + 1.7 * k, 20.0) for k in range(models)], models=models)
    spots: list[tuple[float, float]] = []
    while len(spots) <= targets:
        spot = draw.uniform(14.0, 32.0), draw.uniform(24.0, 32.0)
        if all(hypot(spot[0] - x, spot[1] - y) > 4.6 for x, y in spots):
            spots.append(spot)
    foes = [scene.unit(1, sheet(f"Foe {n}", **draw.choice(SHAPES)), at=at, models=1) for n, at in enumerate(spots)]
    g = scene.battle("charge", run=False)
    for foe in foes[:targets]:
        g.charge_targets_array[foe] = 1
    way = charge_ways(g, int(unit), inches)[0]
    limits = way.limits(limits_for(g, int(unit), CHARGE, inches)).copy()
    limits["need_all"] = need_all
    return Charge(g, int(unit), way, limits, list(g.members(unit)), inches, [int(foe) for foe in foes[:targets]])


# ---------------------------------------------------------------- sets of places


def some_places(draw: Random, start: tuple[float, float], targets: int) -> Places:
    """Places by chance near each other, on two levels, with whom they engage."""
    rare = draw.choice((0.05, 0.2, 0.5))
    found: dict[tuple[float, ...], Array] = {}
    for _ in range(draw.randint(0, 25)):
        pose = round(draw.uniform(17, 24), 1), round(draw.uniform(17, 24), 1), draw.choice((0.0, 0.0, 3.0))
        found[pose] = np.array([draw.random() < rare for _ in range(targets)])
    return sorted_places(found, start, targets)


def stands(charge: Charge, one: Array, two: Array) -> tuple[bool, bool]:
    """Whether two models of 1" can stand there together, and are in coherency."""
    row, m, (i, j, *_) = charge.limits[0], charge.g.models, charge.models
    apart, up = hypot(one[0] - two[0], one[1] - two[1]), two[2] - one[2]
    free = apart >= m.half_a[i] + m.half_a[j] or abs(up) >= m.height[i] - EPS
    near = apart <= m.radius[i] + m.radius[j] + row["coherency"] + 2.0 * EPS and abs(up) <= row["coherency_z"] + EPS
    return free, bool(near)


def plain_pairs(charge: Charge, one: Places, two: Places, given: Array, near: bool) -> list[tuple[float, int, int]]:
    """Pairs of places that engage enough and hold together, the shortest first."""
    pairs = []
    for a in range(len(one.pose)):
        for b in range(len(two.pose)):
            free, close = stands(charge, one.pose[a], two.pose[b])
            if free and (close or not near) and enough(charge, one.covers[a] | two.covers[b] | given):
                pairs.append((one.away[a] + two.away[b], a, b))
    return sorted(pairs)


def plain_sets(charge: Charge, found: list[Places], judged: int) -> list[tuple[tuple[int, ...], float]]:
    """What ``Sets.every`` gives."""
    nothing = np.zeros(len(charge.targets), bool)
    if len(found) == 2:
        return [((a, b), far) for far, a, b in plain_pairs(charge, found[0], found[1], nothing, near=True)[:judged]]
    sets: dict[tuple[int, ...], float] = {}
    for i, j in combinations(range(3), 2):
        k, pairs = 3 - i - j, 0
        for far, a, b in plain_pairs(charge, found[i], found[j], nothing, near=False):
            thirds = []
            for c, pose in enumerate(found[k].pose):
                (free_a, ac), (free_b, bc) = (stands(charge, found[m].pose[n], pose) for m, n in ((i, a), (j, b)))
                ab = stands(charge, found[i].pose[a], found[j].pose[b])[1]
                if free_a and free_b and ac + bc + ab >= 2:
                    thirds.append(c)
            for c in thirds[:THIRDS]:
                at = {i: a, j: b, k: c}
                sets[at[0], at[1], at[2]] = far + found[k].away[c]
            pairs += bool(thirds)
            if pairs == judged:
                break
    if not sets and charge.limits[0]["need_all"] and len(charge.targets) > 2:
        one, two, three = found
        for a in np.flatnonzero(one.covers.any(1)).tolist():
            good = 0
            for far, b, c in plain_pairs(charge, two, three, one.covers[a], near=False):
                (free_b, ab), (free_c, ac) = (
                    stands(charge, one.pose[a], each.pose[n]) for each, n in ((two, b), (three, c))
                )
                bc = stands(charge, two.pose[b], three.pose[c])[1]
                if free_b and free_c and ab + ac + bc >= 2 and good < THIRDS:
                    good += 1
                    sets[a, b, c] = one.away[a] + far
    return sorted(sets.items(), key=lambda item: item[1])


@pytest.mark.parametrize("judged", [3, 300])
@pytest.mark.parametrize(("models", "targets"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)])
def test_sets_of_places_are_those_of_plain_loops(
    monkeypatch: pytest.MonkeyPatch, models: int, targets: int, judged: int
) -> None:
    """Which sets there are, in which order, and how far all move: to the last bit."""
    monkeypatch.setattr(charge_ends, "JUDGED", judged)
    sizes, three_ways = set(), 0
    for seed in range(60):
        draw = Random(1000 * models + 100 * targets + seed)
        charge = charge_of(draw, models, targets, 8.0, need_all=seed % 4 > 0)
        found = [some_places(draw, (20.0 + 1.7 * k, 20.0), targets) for k in range(models)]
        plain = plain_sets(charge, found, judged)
        assert Sets(charge, found).every() == plain, seed
        sizes.add(len(plain) > 0)
        three_ways += any(
            not enough(charge, found[i].covers[at[i]] | found[j].covers[at[j]])
            for at, _ in plain[:1]
            for i, j in combinations(range(models), 2)
        )
    assert sizes == {False, True}
    assert three_ways or targets < 3


# ---------------------------------------------------------------- places


def plain_crossings(one: Array, two: Array) -> set[tuple[float, float]]:
    """Where lines cross, and where they are nearest to each other, rounded."""
    points = set()
    for x, y, a in one:
        for u, v, b in two:
            apart = np.hypot(u - x, v - y)
            if apart < 1e-9:
                continue
            ux, uy, along = (u - x) / apart, (v - y) / apart, (apart**2 + a**2 - b**2) / (2.0 * apart)
            if abs(along) <= a:
                across = np.sqrt(a**2 - along**2)
                points |= {
                    (x + along * ux - side * across * uy, y + along * uy + side * across * ux) for side in (1, -1)
                }
            points |= {(x + side * a * ux, y + side * a * uy) for side in (1, -1)}
    return {(float(np.round(x, 9)), float(np.round(y, 9))) for x, y in points}


def plain_ring(charge: Charge, model: int) -> set[tuple[float, float]]:
    """Places all round the models of the targets, rounded."""
    m, row, points = charge.g.models, charge.limits[0], set()
    for k in (k for target in charge.targets for k in charge.g.members(target)):
        ahead = np.arctan2(m.y[model] - m.y[k], m.x[model] - m.x[k])
        for part in SHORT:
            apart = float(row["engage"]) * part
            for turn in range(RING):
                angle = ahead + turn * (2.0 * np.pi / RING)
                if m.shape[model] == m.shape[k] == CIRCLE:
                    far = m.radius[model] + m.radius[k] + max(apart, TOUCH)
                    x, y = m.x[k] + far * np.cos(angle), m.y[k] + far * np.sin(angle)
                else:
                    x, y = contact_place(m.rows, model, m.facing[model], k, angle, apart)
                points.add((float(np.round(x, 9)), float(np.round(y, 9))))
    return points


def test_points_are_those_of_plain_loops_so_far_as_the_model_may_move() -> None:
    """Crossings of lines, and places round models of the targets."""
    for seed in range(40):
        draw = Random(seed)
        charge = charge_of(draw, 1, 2, draw.choice((4.0, 7.0, 9.0)))
        model = charge.models[0]
        x, y = charge.g.models.x[model], charge.g.models.y[model]
        lines, engaging = lines_for(charge, model)
        for found, plain in (
            (crossings(charge, model, engaging, lines), plain_crossings(engaging, lines)),
            (ring(charge, model), plain_ring(charge, model)),
        ):
            near = {point for point in plain if np.hypot(point[0] - x, point[1] - y) <= charge.inches + EPS}
            assert {tuple(point) for point in found.tolist()} == near, seed


def test_a_lone_model_is_asked_first_whether_it_engages_enough() -> None:
    """The places are those of a model of a larger unit without those that do not."""
    counts = set()
    for seed in range(40):
        draw = Random(seed)
        charge = charge_of(draw, 1, draw.choice((1, 2)), draw.choice((6.0, 9.0, 12.0)), need_all=seed % 4 > 0)
        model = charge.models[0]
        lines, engaging = lines_for(charge, model)
        points = np.concatenate([ring(charge, model), crossings(charge, model, engaging, lines)])
        all_places = places(charge, model, points, engaged_there)
        kept = enough(charge, all_places.covers)
        alone = engaging_places(charge, model)
        for column, wanted in zip(alone, all_places, strict=True):
            assert (column == wanted[kept]).all()
        counts.add((bool(kept.any()), bool(kept.all())))
    assert (True, False) in counts


def test_what_is_out_of_reach_is_engaged_from_no_place() -> None:
    """Distances between bases rule out no charge for which there are places."""
    answers = set()
    for seed in range(150):
        draw = Random(seed)
        charge = charge_of(draw, 1, 1, float(draw.randint(2, 11)))
        reached = bool(engaging_places(charge, charge.models[0]).covers.any())
        near = in_reach(charge)
        assert near or not reached, seed
        answers.add((near, reached))
    assert answers >= {(False, False), (True, True)}


def test_no_places_are_no_sets() -> None:
    """Where one model has no place at all there is no set."""
    draw = Random(0)
    charge = charge_of(draw, 3, 1, 8.0)
    found = [some_places(Random(5), (20.0, 20.0), 1) for _ in range(2)]
    assert len(found[0].pose)
    nowhere = places(charge, charge.models[2], np.empty((0, 2)), anywhere)
    assert Sets(charge, [*found, nowhere]).every() == []
