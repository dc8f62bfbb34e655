"""Sight, cover and volleys against oracles: lines drawn at random, and the exact distribution of what a volley costs."""

from __future__ import annotations

from itertools import product
from math import comb, pi
from typing import Any

import numpy as np
import pytest
from oracles.wap_sights import base, free_lines, is_crossed
from scipy import stats

from tests.arming import man, rider
from wh_env import Battle
from wh_env.rulesets.wap.basics.sight import SightTables, sees_from, what_hides
from wh_env.rulesets.wap.codes import HEAVY_COVER, LIGHT_COVER, MOVED, NO_COVER
from wh_env.rulesets.wap.shooting.cover import covers
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, MULTIPLE, VOLLEY
from wh_env.rulesets.wap.shooting.volley import shoot
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene

SCENES = 40
LINES = 200  # a pair of bases
MANY = 3000  # where 200 have found none
ROLLS = 3000
RARE = 1e-4
FEW = 5  # so few of them leave it in doubt
KINDS = ("infantry", "cavalry", "monster")
BASES = {"infantry": (25.4, 25.4), "cavalry": (25.4, 50.8), "monster": (60.0, 100.0)}
Polygons = list[Any]


def scene_at_random(rng: np.random.Generator, opposed: bool = False) -> tuple[Battle, list[tuple[str, Any]]]:
    """Four to seven units of three types anywhere, facing anywhere, with rocks and hedges between them; the features by their cover."""
    for _ in range(200):
        scene = RegimentScene()
        features = []
        for _ in range(int(rng.integers(0, 5))):
            x, y, w, h = (*rng.uniform(4, 36, 2), *rng.permutation([rng.uniform(0.4, 2), rng.uniform(3, 14)]))
            kind, cover = [("impassable", "heavy"), ("open", "light"), ("open", "heavy")][rng.integers(3)]
            if opposed:  # hedges across the line of fire
                y, w, h = 18 + 0.25 * y, min(47 - x, 3 * max(w, h)), min(w, h)
            polygon = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
            scene.feature(kind, polygon)
            scene.features[-1]["cover"] = "none" if kind == "impassable" else cover
            features.append((kind + cover, np.array(polygon)))
        for n in range(int(rng.integers(4, 8))):
            kind = KINDS[rng.integers(2 if opposed else 3)]
            models = int(rng.integers(1, 13)) if kind != "monster" else 1
            card = man(type=kind, base_mm=list(BASES[kind]))
            place, facing = tuple(rng.uniform(8, 40, 2)), rng.uniform(-pi, pi)
            if opposed:
                place, facing = (place[0], 8 + 0.3 * place[1] + 20 * (n % 2)), (NORTH, SOUTH)[n % 2] + 0.1 * facing
            scene.unit(
                n % 2, card, place, models=models, files=int(rng.integers(1, models + 1)), facing=rng.uniform(-pi, pi)
            )
        try:
            return scene.battle("shooting", run=False), features
        except Exception as error:
            if "overlap" not in str(error):
                raise
    raise AssertionError("no scene in 200")


def bases_of(battle: Battle, unit: int) -> Polygons:
    """Bases of the models of a unit."""
    m, u = battle.models, battle.units
    return [base(m.x[k], m.y[k], m.facing[k], u.base_a[unit], u.base_b[unit]) for k in battle.members(unit)]


def standing(battle: Battle) -> range:
    return range(len(battle.units.owner))


@pytest.mark.rule("wap.core.los.draw", "wap.core.los.value")
def test_who_sees_whom_as_lines_at_random_do() -> None:
    """Where one of 200 lines is free the model sees; where it sees, the line that it was found by starts and ends where it has to and crosses nothing."""
    rng = np.random.default_rng(7)
    seen = hidden = 0
    for _ in range(SCENES):
        battle, features = scene_at_random(rng)
        u, m, setup, work = battle.units, battle.models, battle.setup, battle.work.sights
        for unit, target in product(standing(battle), repeat=2):
            if u.owner[unit] == u.owner[target]:
                continue
            least = max(u.sight[unit], u.sight[target])
            walls: Polygons = [
                polygon
                for other in standing(battle)
                if other not in (unit, target) and u.sight[other] >= least
                for polygon in bases_of(battle, other)
            ]
            if setup.rules["impassable_sight"] >= least:
                walls += [polygon for kind, polygon in features if kind.startswith("impassable")]
            near, points = battle.work.ways.near, battle.work.ways.points
            n, soft = what_hides(
                battle.troops, setup.statics["ground"], setup.corners, unit, target, False, least, near, points
            )
            assert soft == 0
            for k in battle.members(unit):
                if m.rank[k] != 0:
                    continue
                eye = base(m.x[k], m.y[k], m.facing[k], u.base_a[unit], u.base_b[unit])
                x, y = (eye[0] + eye[1]) / 2
                sees = sees_from(
                    battle.troops,
                    SightTables(near, points, work.rect, work.room, work.line),
                    n,
                    soft,
                    x,
                    y,
                    m.facing[k],
                    u.base_b[unit],
                    target,
                )
                free = sum(
                    free_lines(eye, m.facing[k], other, walls, rng, LINES // 4)[1] for other in bases_of(battle, target)
                )
                assert sees or not free
                if sees:
                    seen += 1
                    start, end = work.line[None, :2], work.line[None, 2:]
                    assert not any(is_crossed(start, end, wall)[0] for wall in walls)
                    along = (start[0] - eye[0]) @ (eye[1] - eye[0]) / ((eye[1] - eye[0]) @ (eye[1] - eye[0]))
                    assert -0.01 <= along <= 1.01
                else:
                    hidden += 1
    assert seen > 100 and hidden > 100


def count_hidden(
    battle: Battle, eye: int, target: int, walls: Polygons, rng: np.random.Generator
) -> tuple[int, int] | None:
    """Models of a target in the front arc of a model that no line reaches, and how many there are; None: a sliver that 200 lines miss is in doubt."""
    m, u = battle.models, battle.units
    unit = m.unit[eye]
    own = base(m.x[eye], m.y[eye], m.facing[eye], u.base_a[unit], u.base_b[unit])
    found, every = 0, bases_of(battle, target)
    for other in every:
        inside, free = free_lines(own, m.facing[eye], other, walls, rng, LINES)
        if free:
            continue
        inside, free = free_lines(own, m.facing[eye], other, walls, rng, MANY)
        if 0 < free < FEW or 0 < inside < FEW:
            return None
        found += bool(inside and not free)
    return found, len(every)


@pytest.mark.rule(
    "wap.shoot.cover.when", "wap.shoot.cover.light", "wap.shoot.cover.heavy", "wap.shoot.cover.not-cumulative"
)
def test_cover_as_lines_at_random_find_it() -> None:
    rng = np.random.default_rng(11)
    found = {NO_COVER: 0, LIGHT_COVER: 0, HEAVY_COVER: 0}
    doubts = 0
    for _ in range(SCENES // 4):
        battle, features = scene_at_random(rng, opposed=True)
        u, m = battle.units, battle.models
        for unit, target in product(standing(battle), repeat=2):
            if u.owner[unit] == u.owner[target]:
                continue
            eye = next(k for k in battle.members(unit) if m.rank[k] == 0)
            most = max(u.sight[unit], u.sight[target])
            units = [
                polygon
                for other in standing(battle)
                if other not in (unit, target) and 2 * u.sight[other] >= most
                for polygon in bases_of(battle, other)
            ]
            value = battle.setup.rules["cover_sight"], battle.setup.rules["impassable_sight"]
            screens = [(kind, polygon) for kind, polygon in features if 2 * value[kind.startswith("imp")] >= most]
            heavy = [polygon for kind, polygon in screens if kind.endswith("heavy")]
            counts = [
                count_hidden(battle, eye, target, walls, rng)
                for walls in (units, units + heavy, units + [polygon for _, polygon in screens])
            ]
            if None in counts:
                doubts += 1
                continue
            (by_units, number), (by_heavy, _), (by_all, _) = counts  # type: ignore[misc]
            expected = LIGHT_COVER if 2 * by_all > number else NO_COVER
            if (2 * by_units >= number and by_units) or 2 * by_heavy > number:
                expected = HEAVY_COVER
            assert covers(battle, unit, target, {eye})[eye] == expected
            found[expected] += 1
    assert min(found.values()) >= 3 and doubts < sum(found.values()) / 10


# ---------------------------------------------------------------- volleys


def chance(passes: Any, dice: int = 1) -> float:
    """Share of rolls of so many dice that pass, counted one by one."""
    rolls = list(product(range(1, 7), repeat=dice))
    return sum(bool(passes(*roll)) for roll in rolls) / len(rolls)


def hits_on(needed: int) -> float:
    if needed <= 6:
        return chance(lambda die: die != 1 and die >= needed)
    return chance(lambda die, second: die == 6 and second >= needed - 3, 2)


# who shoots how at whom: what a shot needs, how many shots, what wounds, what saves
VOLLEYS: dict[str, tuple[dict[str, Any], dict[str, Any], int, int, tuple[int, int, float, float]]] = {
    "bows": (man("bow"), man("light armour"), 0, 0, (10, 4, chance(lambda d: d >= 4), chance(lambda d: d >= 6))),
    "twice": (man("bow"), man(t=4), MULTIPLE, 0, (20, 5, chance(lambda d: d >= 5), 0.0)),
    "after a move": (man("crossbow", bs=2, rules=["Quick to Fire"]), man(), 0, 0, (10, 5, chance(lambda d: d >= 3), 0.0)),
    "seven": (man("short bow", bs=1), man("medium armour"), MULTIPLE, 0, (20, 7, chance(lambda d: d >= 4), chance(lambda d: d >= 5))),
    "poisoned": (man("bow", rules=["Poisoned Attacks"]), man("heavy armour", t=5), 0, 0, (10, 4, chance(lambda d: d >= 5), chance(lambda d: d >= 4))),
    "guns": (man("handgun", bs=4), rider("full plate armour", mount=None), 0, 0, (10, 3, chance(lambda d: d >= 3), chance(lambda d: d >= 5))),
    "wards": (man("longbow", bs=4), man(rules=["Ward Save (5+)"]), 0, 0, (10, 3, chance(lambda d: d >= 4), chance(lambda d: d >= 5))),
    "moved": (man("bow"), man(), 0, MOVED, (10, 5, chance(lambda d: d >= 4), 0.0)),
    "fire": (man("bow", rules=["Flaming Attacks"]), man(t=4, rules=["Flammable", "Regeneration (4+)"]), 0, 0,
             (10, 4, chance(lambda d, e: d >= 5 or e >= 5, 2), 0.0)),
}  # fmt: skip


@pytest.mark.parametrize("name", VOLLEYS)
@pytest.mark.rule("wap.shoot.sequence", "wap.shoot.hit.roll", "wap.shoot.wound.roll", "wap.shoot.hit.seven-plus")
def test_what_a_volley_costs_is_distributed_as_it_should_be(name: str) -> None:
    mine, theirs, way, did, (shots, needed, wounds, saved) = VOLLEYS[name]
    scene = RegimentScene()
    a = scene.unit(0, mine, (24, 12), models=10, files=5, facing=NORTH, did=did)
    b = scene.unit(1, theirs, (24, 22), models=20, files=5, facing=SOUTH)
    battle = scene.battle("shooting", run=False)
    battle.recorder = None
    assert not way & VOLLEY
    p = hits_on(needed) * wounds * (1 - saved)
    exact = np.array([comb(shots, n) * p**n * (1 - p) ** (shots - n) for n in range(shots + 1)])
    found = np.zeros(shots + 1)
    table = battle.clone()
    for seed in range(ROLLS):
        table.copy_from(battle, seed=seed)
        shoot(table, a.row, b.row, way, IN_PHASE)
        found[20 - table.units.alive[b]] += 1
    common = exact * ROLLS >= 5
    counts, expected = [*found[common], found[~common].sum()], [*(exact[common] * ROLLS), exact[~common].sum() * ROLLS]
    assert stats.chisquare(counts, expected).pvalue > RARE
