"""Lines from one point of a base to every part of another past terrain, against lines drawn one by one."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest
from ninth import NinthScene

from wh_env.core.frozen import frozen
from wh_env.core.tables import CIRCLE, FEATURE, OVAL, RECT, Array
from wh_env.rulesets.w9.shoot.lines import sees_all_of
from wh_env.rulesets.w40k.tables import MODEL
from wh_env.testing import in_sight, sheet

SLACK = 0.06  # inches by which terrain is made smaller or larger: nearer cases may go either way


def turned(points: Array, by: float) -> Array:
    """Points turned about (0, 0) counter-clockwise."""
    c, s = cos(by), sin(by)
    found: Array = points @ np.array([[c, s], [-s, c]])
    return found


def outline(model: Array, count: int) -> Array:
    """Points of the outline of a base, the corners of an oblong one among them."""
    a, b = float(model["half_a"]), float(model["half_b"])
    if model["shape"] == RECT:
        side = np.linspace(-1.0, 1.0, count // 4 + 1)
        local = np.array(
            [*((a * t, s * b) for s in (-1, 1) for t in side), *((s * a, b * t) for s in (-1, 1) for t in side)]
        )
    else:
        turns = np.linspace(0.0, 2.0 * pi, count, endpoint=False)
        local = np.stack([a * np.cos(turns), b * np.sin(turns)], axis=1)
    points: Array = turned(local, float(model["facing"])) + np.array([model["x"], model["y"]])
    return points


def crosses(start: Array, ends: Array, polygon: Array) -> Array:
    """Which of the straight lines pass over a convex polygon: each is clipped by all of its sides."""
    low, high = np.zeros(len(ends)), np.ones(len(ends))
    way = ends - start
    for p, q in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        normal = np.array([p[1] - q[1], q[0] - p[0]])  # inwards
        from_here, along = normal @ (start - p), way @ normal
        with np.errstate(divide="ignore", invalid="ignore"):
            t = -from_here / along
        low = np.where(along > 0, np.maximum(low, t), low)
        high = np.where(along < 0, np.minimum(high, t), high)
        high = np.where((along == 0) & (from_here < 0), -1.0, high)
    crossed: Array = low < high
    return crossed


def clear(models: Array, polygons: list[Array]) -> bool:
    """Whether lines from some point of the first base, of many that are tried, reach all of the second."""
    ends = outline(models[1], 160)
    centre = np.array([models[0]["x"], models[0]["y"]])
    rim = outline(models[0], 240)
    for start in (*rim, *(centre + 0.5 * (rim[::4] - centre)), centre):
        if not any(crosses(start, ends, polygon).any() for polygon in polygons):
            return True
    return False


def grown(polygon: Array, by: float) -> Array:
    """A polygon whose corners are moved away from its middle so that its sides move by at least about ``by``."""
    middle = polygon.mean(axis=0)
    ways = polygon - middle
    moved: Array = middle + ways * (1.0 + by / np.linalg.norm(ways, axis=1, keepdims=True) * 1.5)
    return moved


@pytest.mark.rule("w9.terrain.dense-cover", "w9.terrain.obstacles")
@pytest.mark.parametrize("seed", range(4))
def test_random_bases_and_terrain(seed: int) -> None:
    """Two bases of any shape with up to three pieces of terrain between them, anywhere on the table and turned anyhow."""
    rng = np.random.default_rng(seed)
    answers, sure = [], 0
    for _ in range(40):
        models = np.zeros(2, MODEL)
        models["shape"] = rng.choice([CIRCLE, CIRCLE, RECT, OVAL], 2)
        models["half_a"] = rng.uniform(0.4, 2.5, 2)
        models["half_b"] = np.where(models["shape"] == CIRCLE, models["half_a"], rng.uniform(0.4, 2.0, 2))
        models["radius"] = np.where(
            models["shape"] == RECT,
            np.hypot(models["half_a"], models["half_b"]),
            np.maximum(models["half_a"], models["half_b"]),
        )
        models["facing"] = rng.uniform(-pi, pi, 2)
        models["x"], models["y"] = (0.0, rng.uniform(-3, 3)), (0.0, rng.uniform(9, 16))
        polygons = []
        for _ in range(int(rng.integers(1, 4))):
            turns = np.sort(rng.uniform(0, 2 * pi, 5))
            shape = np.stack([rng.uniform(0.5, 2.0) * np.cos(turns), rng.uniform(0.3, 1.5) * np.sin(turns)], axis=1)
            polygons.append(shape + np.array([rng.uniform(-3, 3), rng.uniform(3, 8)]))
        turn, middle = rng.uniform(-pi, pi), rng.uniform(20, 40, 2)
        models["facing"] += turn
        places = turned(np.stack([models["x"], models["y"]], axis=1), turn) + middle
        models["x"], models["y"] = places[:, 0], places[:, 1]
        polygons = [turned(polygon, turn) + middle for polygon in polygons]
        features = np.zeros(len(polygons), FEATURE)
        features["count"] = 5
        features["first"] = 5 * np.arange(len(polygons))
        corners = frozen(np.concatenate(polygons))
        marked, near = np.ones(len(polygons), np.uint8), np.zeros(len(polygons), np.uint8)
        answer = bool(sees_all_of(models, frozen(features), corners, marked, 0, 1, near))
        if clear(models, [grown(p, SLACK) for p in polygons]):
            assert answer
            sure += 1
        elif not clear(models, [grown(p, -SLACK) for p in polygons]):
            assert not answer
            sure += 1
        answers.append(answer)
    assert sure > 30
    assert 4 < sum(answers) < 36


# ---------------------------------------------------------------- Obscuring


def touches(model: Array, polygon: Array) -> bool:
    """Whether a round base is over any part of a convex polygon: its centre is inside, or a side is near enough."""
    at, after = np.array([model["x"], model["y"]]), np.roll(polygon, -1, axis=0)
    way = after - polygon
    beside = np.clip(((at - polygon) * way).sum(axis=1) / (way * way).sum(axis=1), 0.0, 1.0)
    nearest = np.linalg.norm(polygon + beside[:, None] * way - at, axis=1).min()
    inside = bool((way[:, 0] * (at - polygon)[:, 1] - way[:, 1] * (at - polygon)[:, 0] > 0).all())
    return inside or bool(nearest <= model["half_a"])


def line_past(models: Array, polygons: list[Array], large: bool) -> bool:
    """Whether some line from base to base passes over no Obscuring feature but those that either of them is on; a large model is seen."""
    if large:
        return True
    walls = [polygon for polygon in polygons if not (touches(models[0], polygon) or touches(models[1], polygon))]
    ends = outline(models[1], 40)
    return any(
        not np.any([crosses(start, ends, polygon) for polygon in walls], axis=0).all()
        for start in outline(models[0], 40)
    )


@pytest.mark.parametrize("seed", range(2))
def test_random_bases_and_obscuring_features(seed: int) -> None:
    """Footprints alone, 5" high or more; one model in four has 18 Wounds, which counts for who is seen and not for who sees."""
    rng = np.random.default_rng(20 + seed)
    answers, sure = [], 0
    for _ in range(40):
        scene = NinthScene(size=(30, 30))
        polygons = []
        for k in range(3):
            turns = np.sort(rng.uniform(0, 2 * pi, 5))
            shape = np.stack([rng.uniform(3, 4.1) * np.cos(turns), rng.uniform(2, 3) * np.sin(turns)], axis=1)
            polygons.append(shape + np.array([6.0 + 9 * k + rng.uniform(-0.3, 0.3), rng.uniform(12, 18)]))
            corners = [(float(x), float(y)) for x, y in polygons[-1]]
            scene.feature(kind="ruins", polygon=corners, height=float(rng.choice([5.0, 7.0])), parts={})
        wounds = rng.choice([1, 1, 1, 18], 2)
        for player, y in ((0, (4, 13)), (1, (17, 26))):
            data = sheet(f"Unit {player}", W=int(wounds[player]), base_mm=int(rng.choice([25, 40, 80])), models=(1, 1))
            scene.unit(player, data, at=(float(rng.uniform(3, 27)), float(rng.uniform(*y))), models=1)
        battle = scene.battle("shooting", run=False)
        rows = battle.models.rows
        for i in (0, 1):
            pair, large = rows[[i, 1 - i]], bool(wounds[1 - i] == 18)
            answer = in_sight(battle, i, 1 - i)
            told = {line_past(pair, [grown(p, by) for p in polygons], large) for by in (-SLACK, 0.0, SLACK)}
            if len(told) == 1:
                sure += 1
                assert answer == told.pop(), (seed, i)
            answers.append(answer)
    assert sure > 65
    assert 15 < sum(answers) < len(answers) - 15
