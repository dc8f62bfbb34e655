"""True line of sight with the cases of the rulebook, and against dense sampling of lines in random scenes."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import Any

import numpy as np
import pytest

from wh_env.core.frozen import frozen
from wh_env.core.geometry import sight, unit_sight
from wh_env.core.tables import BLOCK, CIRCLE, OVAL, RECT
from wh_env.rulesets.w40k.tables import MODEL, UNIT  # the rows that kernels are compiled for anyway

RADIUS = 0.63  # a 32 mm base
TALL = 4.0


class Scene:
    """A small battlefield: units of models, and solid blocks."""

    def __init__(self, *units, blocks=(), owners=None):
        self.models = np.zeros(sum(len(unit) for unit in units), MODEL)
        self.units = np.zeros(len(units), UNIT)
        self.units["leader"] = self.units["bodyguard"] = -1
        at = 0
        for u, unit in enumerate(units):
            owner = u % 2 if owners is None else owners[u]
            row = self.units[u]
            row["first"], row["count"], row["alive"], row["owner"] = at, len(unit), len(unit), owner
            for entry in unit:
                columns = dict(zip(("x", "y"), entry)) if isinstance(entry, tuple) else dict(entry)
                model = self.models[at]
                model["half_a"], model["height"], model["on_table"], model["alive"] = RADIUS, 1.5, 1, 1
                model["unit"], model["owner"] = u, owner
                for name, value in columns.items():
                    model[name] = value
                a = float(model["half_a"])
                b = float(columns.get("half_b", a))
                model["half_b"] = b
                model["radius"] = hypot(a, b) if model["shape"] == RECT else max(a, b)
                at += 1
        self.blocks = np.zeros(len(blocks), BLOCK)
        corners: list[tuple[float, float]] = []
        for k, (points, low, high) in enumerate(blocks):
            block = self.blocks[k]
            block["first"], block["count"], block["solid"] = len(corners), len(points), 1
            block["z_low"], block["z_high"] = low, high
            xs, ys = zip(*points)
            block["min_x"], block["max_x"], block["min_y"], block["max_y"] = min(xs), max(xs), min(ys), max(ys)
            corners += points
        self.corners = np.array(corners, float).reshape(-1, 2)

    @property
    def tables(self) -> tuple[Any, Any, Any, Any]:
        return self.models, self.units, frozen(self.blocks), frozen(self.corners)

    def sees(self, i, j):
        return sight.sees(*self.tables, i, j)

    def fully(self, i, j, through=0):
        return sight.fully_visible(*self.tables, i, j, through)


def box(x0, y0, x1, y1, low=0.0, high=TALL):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], low, high


# ---- models


@pytest.mark.rule("w10.concepts.visibility.true-line-of-sight")
def test_a_wall_that_hides_the_whole_target():
    scene = Scene([(0, 0)], [(12, 0)], blocks=[box(5.9, -4, 6.1, 4)])
    assert not scene.sees(0, 1)
    assert not scene.sees(1, 0)
    assert not scene.fully(0, 1)
    scene.blocks["solid"] = 0
    assert scene.sees(0, 1)
    assert scene.fully(0, 1)
    assert Scene([(0, 0)], [(12, 0)]).sees(0, 1)


def test_the_edge_of_the_wall_decides():
    # the lines along both right edges run at y = 0.63
    assert not Scene([(0, 0)], [(12, 0)], blocks=[box(5.9, -4, 6.1, 0.64)]).sees(0, 1)
    assert Scene([(0, 0)], [(12, 0)], blocks=[box(5.9, -4, 6.1, 0.62)]).sees(0, 1)


@pytest.mark.parametrize(("high", "seen", "fully"), [(1.0, True, False), (1.49, True, False), (1.5, False, False)])
def test_over_a_low_wall(high, seen, fully):
    scene = Scene([(0, 0)], [(12, 0)], blocks=[box(5.9, -4, 6.1, 4, 0.0, high)])
    assert scene.sees(0, 1) is seen
    assert scene.fully(0, 1) is fully


@pytest.mark.rule("w10.concepts.visibility.true-line-of-sight")
def test_over_models_that_only_together_stand_in_the_way():
    """Two round models side by side hide a target of their height from an observer of it; one twice as high is seen over them."""
    observer, target = {"x": 0.0, "height": 3.0}, {"x": 12.0, "height": 3.0}
    for shape, high, seen in ((CIRCLE, 3.0, False), (OVAL, 3.0, False), (CIRCLE, 1.4, True), (OVAL, 1.4, True)):
        pair = [{"x": 6.0, "y": y, "half_a": 1.0, "half_b": 1.0, "shape": shape, "height": high} for y in (-1.0, 1.0)]
        assert Scene([observer], [target], pair).sees(0, 1) is seen
        assert Scene([target], [observer], pair).sees(0, 1) is seen
        assert Scene([observer], [target], pair[:1]).sees(0, 1)
    hover = [{"x": 6.0, "y": y, "half_a": 1.0, "half_b": 1.0, "z": 1.5, "height": 3.0} for y in (-1.0, 1.0)]
    assert Scene([observer], [target], hover).sees(0, 1)  # below them


def test_over_a_wall_between_the_heights_of_the_two():
    # an observer 4.5" up at x = 0 over a wall 3" high: its line over the wall comes down to 1.5" beyond
    up = {"x": 0.0, "z": 3.0}
    for x, seen in ((6.0, False), (14.0, True)):
        scene = Scene([up], [(x, 0)], blocks=[box(4.4, -8, 4.5, 8, 0.0, 3.0), box(-2, -2, 2, 2, 2.9, 3.0)])
        assert scene.sees(0, 1) is seen
        assert scene.sees(1, 0) is seen


def test_through_a_window():
    wall = [box(5.9, -4, 6.1, 4, 0.0, 1.0), box(5.9, -4, 6.1, 4, 2.0, 6.0)]
    sides = [box(5.9, -4, 6.1, -0.3, 1.0, 2.0), box(5.9, 0.3, 6.1, 4, 1.0, 2.0)]
    for target in ((12, 0), {"x": 12.0, "z": 0.0, "height": 5.0}):
        scene = Scene([(0, 0)], [target], blocks=wall + sides)
        assert scene.sees(0, 1)
        assert not scene.fully(0, 1)
        assert scene.sees(1, 0)
    assert not Scene([(0, 0)], [(12, 0)], blocks=[*wall, box(5.9, -4, 6.1, 4, 1.0, 2.0)]).sees(0, 1)


def test_under_an_arch():
    # 0.5" high: only low lines pass
    arch = [box(5, -4, 7, 4, 0.5, 6.0)]
    assert Scene([(0, 0)], [(12, 0)], blocks=arch).sees(0, 1)
    assert not Scene([(0, 0)], [(12, 0)], blocks=[box(5, -4, 7, 4, 0.0, 6.0)]).sees(0, 1)


def test_a_floor_hides_what_is_below_it():
    floor = box(-5, -5, 5, 5, 2.9, 3.0)
    above = {"x": 0.0, "z": 3.0}
    assert not Scene([above], [(0, 0)], blocks=[floor]).sees(0, 1)
    assert Scene([above], [(0, 0)]).sees(0, 1)
    assert not Scene([above], [(3, 0)], blocks=[floor]).sees(0, 1)
    assert Scene([above], [(12, 0)], blocks=[floor]).sees(0, 1)


def test_two_walls_that_touch_leave_no_view_between_them():
    walls = [box(5.9, -4, 6.1, 0), box(5.9, 0, 6.1, 4)]
    assert not Scene([(0, 0)], [(12, 0)], blocks=walls).sees(0, 1)
    stacked = [box(5.9, -4, 6.1, 4, 0.0, 1.0), box(5.9, -4, 6.1, 4, 1.0, 4.0)]
    assert not Scene([(0, 0)], [(12, 0)], blocks=stacked).sees(0, 1)
    corner = [box(5.9, -4, 6.1, 0), box(6.1, 0, 6.3, 4)]
    assert not Scene([(0, 0)], [(12, 0)], blocks=corner).sees(0, 1)


@pytest.mark.rule("w10.concepts.visibility.own-unit")
def test_models_see_through_their_own_unit():
    # a big model 1" in front of the observer hides the enemy entirely, unless it is of the own unit
    friend = {"x": 3.0, "y": 0.0, "half_a": 1.5, "height": 3.0}
    assert Scene([(0, 0), friend], [(10, 0)]).sees(0, 2)
    scene = Scene([(0, 0)], [(10, 0)], [friend], owners=[0, 1, 0])
    assert not scene.sees(0, 1)
    scene.models[2]["on_table"] = 0
    assert scene.sees(0, 1)


@pytest.mark.parametrize("shape", [CIRCLE, OVAL, RECT])
def test_other_models_block(shape):
    tank = {"x": 6.0, "shape": shape, "half_a": 2.0, "half_b": 1.0, "height": 3.0}
    assert not Scene([(0, 0)], [(12, 0)], [tank], owners=[0, 1, 0]).sees(0, 1)
    assert Scene([(0, 0)], [(12, 0)], [{**tank, "y": 1.5 if shape != CIRCLE else 2.7}]).sees(0, 1)
    assert Scene([(0, 0)], [(12, 0)], [{**tank, "height": 1.0}]).sees(0, 1)


@pytest.mark.rule("w10.concepts.visibility.base-counts")
def test_a_base_that_sticks_out_is_seen():
    # the container covers the target up to 0.2" from its edge at y = 0.63
    scene = Scene([(0, 0.43)], [(12, 0)], blocks=[box(10.0, -3, 11.0, 0.43)])
    assert scene.sees(0, 1)
    assert not scene.fully(0, 1)


@pytest.mark.rule("w10.concepts.visibility.model")
@pytest.mark.parametrize(("width", "seen"), [(0.1, True), (0.01, True), (0.0, False)])
def test_a_single_narrow_line_is_enough(width, seen):
    # the only way leads from the observer's left edge (0, 0.63) to the target's right edge (20, -0.63)
    def slit(x):
        y = 0.6 * (1 - x / 10)
        return [box(x, -8, x + 0.1, y - width / 2), box(x, y + width / 2, x + 0.1, 8)]

    scene = Scene([(0, 0)], [(20, 0)], blocks=slit(1.0) + slit(19.0))
    assert scene.sees(0, 1) is seen
    assert scene.sees(1, 0) is seen
    if seen:
        assert not scene.fully(0, 1)


def test_narrow_slits_that_are_out_of_line():
    blocks = [box(5, -8, 5.1, 0.5), box(5, 0.6, 5.1, 8), box(15, -8, 15.1, 0.5), box(15, 0.6, 15.1, 8)]
    assert Scene([(0, 0)], [(20, 0)], blocks=blocks).sees(0, 1)
    blocks += [box(10, 0.45, 10.1, 0.7)]
    assert not Scene([(0, 0)], [(20, 0)], blocks=blocks).sees(0, 1)


@pytest.mark.rule("w10.concepts.visibility.model-fully")
def test_a_tenth_of_the_facing_side_behind_a_statue():
    target = {"x": 12.0, "half_a": 1.0}
    # hides y > 0.8 of a target that faces with y in -1..1, from every part of the observer
    statue = [([(10.5, 0.8), (10.9, 0.8), (10.9, 3.0), (10.5, 3.0)], 0.0, 5.0)]
    scene = Scene([(0, 0)], [target], blocks=statue)
    assert scene.sees(0, 1)
    assert not scene.fully(0, 1)
    scene.blocks["solid"] = 0
    assert scene.fully(0, 1)
    # behind the target: what it hides does not face the observer
    behind = Scene([(0, 0)], [target], blocks=[box(13.0, -3, 14, 3)])
    assert behind.fully(0, 1)


def test_a_thin_pole_close_to_the_target_hides_a_strip():
    pole = [box(11.2, -0.03, 11.26, 0.03)]
    assert Scene([{"x": 0.0, "half_a": 0.2}], [(12, 0)], blocks=[box(11.3, -0.2, 11.36, 0.2)]).sees(0, 1)
    assert not Scene([{"x": 0.0, "half_a": 0.2}], [(12, 0)], blocks=[box(11.3, -0.2, 11.36, 0.2)]).fully(0, 1)
    # from a broad observer near by both sides of a pole can be looked round
    assert Scene([{"x": 8.0, "half_a": 2.0}], [(12, 0)], blocks=[box(10.5, -0.03, 10.56, 0.03)]).fully(0, 1)
    assert Scene([(0, 0)], [(12, 0)], blocks=pole).sees(0, 1)


def test_hulls_are_seen_at_their_corners():
    hull = {"x": 12.0, "shape": RECT, "half_a": 2.0, "half_b": 1.0, "facing": pi / 2, "height": 3.0}
    scene = Scene([(0, 0)], [hull], blocks=[box(9, -6, 9.1, 1.7)])
    assert scene.sees(0, 1)
    assert not scene.fully(0, 1)
    scene.models[1]["facing"] = 0.0  # now it reaches only to y = 1
    assert not scene.sees(0, 1)


# ---- units


@pytest.mark.rule("w10.concepts.visibility.unit")
def test_one_model_in_view_is_enough():
    unit = [(20, -6 + 1.4 * n) for n in range(9)]
    wall = [box(15, -12, 15.1, 8)]
    scene = Scene([(0, 0)], [*unit, (20, 14)], blocks=wall)
    assert [scene.sees(0, 1 + n) for n in range(10)] == [False] * 9 + [True]
    assert unit_sight.unit_sees_unit(*scene.tables, 0, 1)
    scene.models[10]["on_table"] = 0
    assert not unit_sight.unit_sees_unit(*scene.tables, 0, 1)


def test_models_of_a_unit_in_two_ranks_are_fully_visible():
    ranks = [(12, -1.5), (12, 0), (12, 1.5), (13.5, -0.7), (13.5, 0.7)]
    scene = Scene([(0, 0), (1.5, 0)], ranks)
    assert not scene.fully(0, 5)
    assert scene.fully(0, 5, 1)
    assert all(scene.fully(0, 2 + n, 1) for n in range(5))
    hidden = Scene([(0, 0), (1.5, 0)], ranks, blocks=[box(11, 1.7, 11.1, 4)])
    assert [hidden.fully(0, 2 + n, 1) for n in range(5)] == [True, True, False, True, True]
    # a model of a third unit in the way counts
    other = Scene([(0, 0)], ranks, [(9, 0)])
    assert not other.fully(0, 2, 1)


def test_a_unit_that_is_gone_sees_nothing():
    scene = Scene([(0, 0)], [(5, 0)])
    scene.models[1]["on_table"] = 0
    assert not unit_sight.unit_sees_unit(*scene.tables, 0, 1)


# ---- random scenes


def inner_points(m, count, rng, scale=1.0):
    """Points on the rim of a model."""
    t = rng.uniform(0, 2 * pi, count)
    a, b = float(m["half_a"]) * scale, float(m["half_b"]) * scale
    if m["shape"] == RECT:
        side = rng.integers(0, 4, count)
        s = rng.uniform(-1, 1, count)
        u = np.where(side < 2, s * a, np.where(side == 2, a, -a))
        v = np.where(side < 2, np.where(side == 0, b, -b), s * b)
    else:
        u, v = a * np.cos(t), b * np.sin(t)
    c, s = cos(m["facing"]), sin(m["facing"])
    return np.stack([m["x"] + u * c - v * s, m["y"] + u * s + v * c], axis=1)


def blocked_by(points, low, high, p, q):
    """Which segments p-q (arrays of x, y, z) cut the convex prism over ``points`` (counter-clockwise)."""
    t0, t1 = np.zeros(len(p)), np.ones(len(p))
    d = q - p
    for k in range(len(points)):
        (ax, ay), (bx, by) = points[k - 1], points[k]
        n = np.array([by - ay, ax - bx])
        away = (p[:, :2] - [ax, ay]) @ n
        along = d[:, :2] @ n
        with np.errstate(divide="ignore", invalid="ignore"):
            t = -away / along
        t1 = np.where(along > 0, np.minimum(t1, t), t1)
        t0 = np.where(along < 0, np.maximum(t0, t), t0)
    z0, z1 = p[:, 2] + d[:, 2] * t0, p[:, 2] + d[:, 2] * t1
    return (t0 < t1) & (np.minimum(z0, z1) < high) & (np.maximum(z0, z1) > low)


def footprint(m, size):
    """Corners of a blocking model, its outline grown by ``size``."""
    if m["shape"] == RECT:
        u = np.array([1, -1, -1, 1]) * (m["half_a"] + size)
        v = np.array([1, 1, -1, -1]) * (m["half_b"] + size)
    else:
        t = np.linspace(0, 2 * pi, 128, endpoint=False)
        u, v = (m["half_a"] + size) * np.cos(t), (m["half_b"] + size) * np.sin(t)
    c, s = cos(m["facing"]), sin(m["facing"])
    return np.stack([m["x"] + u * c - v * s, m["y"] + u * s + v * c], axis=1)


def sampled_view(scene, i, j, rng, size, count=4000):
    """True if one of many random lines is free, every blocker grown by ``size`` (negative: shrunk)."""
    ends = []
    for k in (i, j):
        m = scene.models[k]
        z = m["z"] + rng.choice([0.02, 1.0, 1.0, rng.uniform()], count) * m["height"] - 0.001
        ends.append(np.concatenate([inner_points(m, count, rng), z[:, None]], axis=1))
    p, q = ends
    blocked = np.zeros(count, bool)
    for block in scene.blocks:
        points = scene.corners[block["first"] : block["first"] + block["count"]]
        middle = points.mean(axis=0)
        points = middle + (points - middle) * (1 + 4 * size)
        blocked |= blocked_by(points, block["z_low"] - size, block["z_high"] + size, p, q)
    for k in range(len(scene.models)):
        if k != j and scene.models[k]["unit"] != scene.models[i]["unit"]:
            m = scene.models[k]
            blocked |= blocked_by(footprint(m, size), m["z"] - size, m["z"] + m["height"] + size, p, q)
    return not blocked.all()


def random_scene(rng, flat) -> Scene:
    """An observer, a target 12" away and a dozen things between them that overlap neither."""
    ends = []
    for x in (0.0, 12.0):
        shape = int(rng.integers(3))
        a, b = rng.uniform(0.4, 1.5, 2)
        height = 1.5 if flat else rng.uniform(1, 3)
        z = 0.0 if flat else float(rng.choice([0.0, 0.0, 3.0]))
        row = {"x": x, "y": rng.uniform(-1, 1), "shape": shape, "half_a": a, "half_b": a if shape == CIRCLE else b}
        ends.append([{**row, "facing": rng.uniform(0, 6), "height": height, "z": z}])
    blocks, others = [], []
    for _ in range(int(rng.integers(2, 8))):
        x, y, f = rng.uniform(2.6, 9.4), rng.uniform(-2.5, 2.5), rng.uniform(0, pi)
        if rng.uniform() < 0.3:
            others.append([{"x": x, "y": y, "half_a": rng.uniform(0.2, 0.4), "height": 2.0 if flat else 1.7}])
            continue
        a, b = rng.uniform(0.2, 1.8), 0.1
        c, s = cos(f), sin(f)
        points = [
            (x + u * a * c - v * b * s, y + u * a * s + v * b * c) for u, v in ((1, 1), (-1, 1), (-1, -1), (1, -1))
        ]
        points = [(float(np.clip(px, 1.6, 10.4)), py) for px, py in points] if abs(c) < 0.4 else points
        low = 0.0 if flat else float(rng.choice([0.0, 0.0, 1.0, 3.0]))
        blocks.append((points, low, low + (3.0 if flat else rng.uniform(0.3, 3))))
    blocks = [b for b in blocks if all(1.55 < px < 10.45 for px, _ in b[0])]
    return Scene(*ends, *others, blocks=blocks)


@pytest.mark.parametrize("flat", [True, False])
def test_random_scenes_agree_with_sampled_lines(flat):
    rng = np.random.default_rng(11 if flat else 12)
    seen = unsure = 0
    for _ in range(150):
        scene = random_scene(rng, flat)
        tables = scene.tables
        found = scene.sees(0, 1)
        if sampled_view(scene, 0, 1, rng, 0.0):
            assert found
            assert scene.sees(1, 0)
            seen += 1
        elif found:
            # a narrow view: random lines find it once the blockers are a little smaller
            assert sampled_view(scene, 0, 1, rng, -0.02, 40000)
            unsure += 1
        else:
            assert not scene.fully(0, 1)
            assert not unit_sight.unit_sees_unit(*tables, 0, 1)
    assert seen > 20
    assert unsure < 15


def random_field(rng) -> Scene:
    """Two units of four, some models upstairs, and walls of one or two storeys all over the place."""
    spots = [[(x + rng.uniform(-3, 3), rng.uniform(-4, 4)) for _ in range(4)] for x in (0.0, 16.0)]
    pairs = [[{"x": x, "y": y, "z": float(rng.choice([0.0, 0.0, 3.0]))} for x, y in unit] for unit in spots]
    blocks = []
    for _ in range(int(rng.integers(2, 9))):
        x, y, long = rng.uniform(-2, 18), rng.uniform(-6, 4), rng.uniform(1, 10)
        end = (x + 0.2, y + long) if rng.uniform() < 0.7 else (x + long, y + 0.2)
        blocks.append(box(x, y, *end, 0.0, float(rng.choice([1.0, 3.0, 6.0]))))
    return Scene(*pairs, blocks=blocks)


def test_units_see_each_other_when_some_models_do():
    rng = np.random.default_rng(21)
    hidden = 0
    for _ in range(150):
        scene = random_field(rng)
        tables = scene.tables
        pairs = [scene.sees(i, j) for i in range(4) for j in range(4, 8)]
        assert unit_sight.unit_sees_unit(*tables, 0, 1) == any(pairs)
        hidden += not any(pairs)
    assert hidden > 5


def test_fully_visible_implies_visible():
    rng = np.random.default_rng(5)
    for _ in range(60):
        scene = random_scene(rng, False)
        if scene.fully(0, 1):
            assert scene.sees(0, 1)


def test_compiled_and_plain_python_agree():
    rng = np.random.default_rng(8)

    def plain(kernel):
        return getattr(kernel, "py_func", kernel)

    for _ in range(20):
        scene = random_scene(rng, False)
        assert plain(sight.sees)(*scene.tables, 0, 1) == scene.sees(0, 1)
        assert plain(sight.fully_visible)(*scene.tables, 0, 1, 0) == scene.fully(0, 1)
        assert plain(unit_sight.unit_sees_unit)(*scene.tables, 0, 1) == scene.sees(0, 1)
