"""Distances, contact, engagement and coherency with the numbers of the rulebook; outlines against dense sampling."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wh_env.core.geometry import engaged, shapes
from wh_env.core.tables import CIRCLE, OVAL, RECT
from wh_env.rulesets.w40k.tables import MODEL, UNIT  # the rows that kernels are compiled for anyway

MM = 1.0 / 25.4
BIG = 7  # models from which two neighbours are needed


def table(*units, owners=None):
    """MODEL and UNIT arrays: each unit is a list of (x, y) or of dicts of columns; 1" round bases by default."""
    models = np.zeros(sum(len(unit) for unit in units), MODEL)
    rows = np.zeros(len(units), UNIT)
    rows["leader"] = rows["bodyguard"] = -1
    at = 0
    for u, unit in enumerate(units):
        owner = u % 2 if owners is None else owners[u]
        rows[u]["first"], rows[u]["count"], rows[u]["alive"], rows[u]["owner"] = at, len(unit), len(unit), owner
        for entry in unit:
            row = dict(zip(("x", "y"), entry)) if isinstance(entry, tuple) else dict(entry)
            model = models[at]
            model["half_a"], model["height"], model["on_table"], model["alive"] = 0.5, 1.5, 1, 1
            model["unit"], model["owner"] = u, owner
            for name, value in row.items():
                model[name] = value
            a = float(model["half_a"])
            b = float(row.get("half_b", a))
            model["half_b"] = b
            model["radius"] = hypot(a, b) if model["shape"] == RECT else max(a, b)
            at += 1
    return models, rows


def scratch(models):
    return np.zeros(len(models), np.int32)


def in_coherency(models, units, u=0):
    return engaged.coherent(models, units, u, 2.0, 5.0, BIG, scratch(models))


# ---- measuring


@pytest.mark.rule("w10.concepts.measuring.base-to-base")
def test_distance_between_round_bases():
    models, _ = table([(0, 0)], [(7, 0)])
    assert shapes.gap(models, 0, 1) == pytest.approx(6.0)
    assert shapes.straight_distance(models, 0, 1) == pytest.approx(6.0)
    models[1]["z"] = 8.0
    assert shapes.straight_distance(models, 0, 1) == pytest.approx(10.0)


@pytest.mark.rule("w10.concepts.measuring.no-base")
def test_distance_from_a_hull():
    hull = {"shape": RECT, "half_a": 2.0, "half_b": 1.0}
    models, _ = table([hull], [(0, 4.5)])
    assert shapes.gap(models, 0, 1) == pytest.approx(3.0)
    models[0]["facing"] = pi / 2  # now its short end points at the base
    assert shapes.gap(models, 0, 1) == pytest.approx(2.0)


@pytest.mark.rule("w10.concepts.measuring.within")
def test_exactly_the_distance_is_within():
    models, _ = table([(0, 0)], [(13, 0)])
    assert shapes.within_reach(models, 0, 1, 12.0, 5.0)
    models[1]["x"] = 13.01
    assert not shapes.within_reach(models, 0, 1, 12.0, 5.0)
    # "more than 9 inches": not at exactly 9, but at 9.01
    models[1]["x"] = 10.0
    assert shapes.within_reach(models, 0, 1, 9.0, inf)
    models[1]["x"] = 10.01
    assert not shapes.within_reach(models, 0, 1, 9.0, inf)


@pytest.mark.rule("w10.concepts.measuring.units")
def test_distance_between_units_is_that_of_their_closest_models():
    models, units = table([(0, 0), (0, 5), (0, 9)], [(12.5, 0), (20, 2)])
    assert shapes.unit_distance(models, units, 0, 1) == pytest.approx(11.5)
    models[0]["on_table"] = 0
    assert shapes.unit_distance(models, units, 0, 1) == pytest.approx(hypot(12.5, 5) - 1)
    models["on_table"] = 0
    assert shapes.unit_distance(models, units, 0, 1) == inf


def test_an_attached_leader_measures_for_its_unit():
    models, units = table([(0, 0)], [(30, 0)], [(10, 0)], owners=[0, 1, 0])
    units[0]["leader"], units[2]["bodyguard"] = 2, 0
    models[2]["unit"] = 0
    assert [shapes.member(units, 0, n) for n in range(shapes.member_count(units, 0))] == [0, 2]
    assert shapes.unit_distance(models, units, 0, 1) == pytest.approx(19.0)
    assert shapes.unit_distance(models, units, 2, 1) == inf  # while attached it is no unit of its own
    models[1]["x"] = 12.0
    assert engaged.units_engaged(models, units, 0, 1, 1.0, 5.0)
    assert engaged.unit_engaged(models, units, 0, 1.0, 5.0)


def test_wholly_within_measures_to_the_farthest_edge():
    models, _ = table([(3, 0)])
    assert shapes.disc_gap_at(models, 0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0) == pytest.approx(2.5)
    assert shapes.farthest_gap_from_disc_at(models, 0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0) == pytest.approx(3.5)
    assert shapes.farthest_gap_from_disc_at(models, 0, 2.5, 0.0, 0.0, 0.0, 0.0, 0.0) <= 3.0 + shapes.EPS
    # the same from the edge of a transport with a round base of 4"
    assert shapes.disc_gap_at(models, 0, 5.0, 0.0, 0.0, 0.0, 0.0, 2.0) == pytest.approx(2.5)
    assert shapes.farthest_gap_from_disc_at(models, 0, 5.0, 0.0, 0.0, 0.0, 0.0, 2.0) == pytest.approx(3.5)
    assert shapes.farthest_gap_from_disc_at(models, 0, 4.5, 0.0, 0.0, 0.0, 0.0, 2.0) == pytest.approx(3.0)


@pytest.mark.rule("w10.concepts.measuring.wholly-within")
def test_wholly_within_an_area():
    corners = np.array([[0, 0], [4, 0], [4, 4], [0, 4]], float)
    models, _ = table([(2, 2)])
    assert shapes.inside_polygon_at(models, 0, 2.0, 2.0, 0.0, corners, 0, 4)
    assert shapes.inside_polygon_at(models, 0, 0.5, 2.0, 0.0, corners, 0, 4)
    assert not shapes.inside_polygon_at(models, 0, 0.49, 2.0, 0.0, corners, 0, 4)
    assert shapes.inside_table_at(models, 0, 0.5, 3.5, 0.0, 4.0, 4.0)
    assert not shapes.inside_table_at(models, 0, 0.5, 3.51, 0.0, 4.0, 4.0)
    models[0]["shape"], models[0]["half_a"] = RECT, 1.0
    assert not shapes.inside_table_at(models, 0, 0.9, 2.0, 0.0, 4.0, 4.0)
    assert shapes.inside_table_at(models, 0, 0.9, 2.0, pi / 2, 4.0, 4.0)


@pytest.mark.rule("w10.concepts.base-contact")
def test_bases_of_32_mm_touch_at_32_mm():
    base = {"half_a": 16 * MM}
    models, _ = table([base], [{**base, "x": 32 * MM}])
    assert shapes.gap(models, 0, 1) <= shapes.CONTACT
    assert not shapes.overlap_at(models, 0, 0.0, 0.0, 0.0, 1, 32 * MM, 0.0, 0.0)
    assert shapes.overlap_at(models, 0, 0.0, 0.0, 0.0, 1, 31.9 * MM, 0.0, 0.0)
    assert shapes.gap_at(models, 0, 0.0, 0.0, 0.0, 1, 33 * MM, 0.0, 0.0) > shapes.CONTACT


@pytest.mark.parametrize("shape", [OVAL, RECT])
def test_touching_outlines_do_not_overlap(shape):
    first = {"shape": RECT, "half_a": 2.0, "half_b": 1.0}
    second = {"shape": shape, "half_a": 1.5, "half_b": 0.5}
    models, _ = table([first], [second])
    assert not shapes.overlap_at(models, 0, 0.0, 0.0, 0.0, 1, 3.5, 0.0, 0.0)
    assert shapes.overlap_at(models, 0, 0.0, 0.0, 0.0, 1, 3.495, 0.0, 0.0)
    assert not shapes.overlap_at(models, 0, 0.0, 0.0, 0.0, 1, 3.495, 0.0, pi / 2)
    assert shapes.overlap_at(models, 0, 0.0, 0.0, 0.0, 1, 2.495, 0.0, pi / 2)


def test_prisms_on_different_floors_do_not_overlap():
    assert shapes.overlaps_in_height(0.0, 1.5, 1.0, 1.5)
    assert not shapes.overlaps_in_height(0.0, 3.0, 3.0, 1.5)
    assert not shapes.overlaps_in_height(3.0, 1.5, 0.0, 3.0)


# ---- engagement range


@pytest.mark.rule("w10.concepts.engagement-range")
@pytest.mark.parametrize(
    ("across", "up", "expected"), [(1.0, 0.0, True), (1.1, 0.0, False), (0.5, 5.0, True), (0.5, 5.1, False)]
)
def test_engagement_range(across, up, expected):
    models, units = table([(0, 0), (-3, 0)], [{"x": 1.0 + across, "z": up}, (9, 9)], [(-8, 0)], owners=[0, 1, 0])
    assert shapes.within_reach(models, 0, 2, 1.0, 5.0) is expected
    assert engaged.model_engaged_at(models, 0, 0.0, 0.0, 0.0, 0.0, 1.0, 5.0) is expected
    assert not engaged.model_engaged_at(models, 1, -3.0, 0.0, 0.0, 0.0, 1.0, 5.0)
    assert engaged.unit_engaged(models, units, 0, 1.0, 5.0) is expected
    assert engaged.units_engaged(models, units, 0, 1, 1.0, 5.0) is expected
    assert engaged.units_engaged(models, units, 1, 0, 1.0, 5.0) is expected
    assert not engaged.unit_engaged(models, units, 2, 1.0, 5.0)
    models[0]["on_table"] = 0
    assert not engaged.unit_engaged(models, units, 0, 1.0, 5.0)


@pytest.mark.parametrize(
    ("across", "up", "near"),
    [
        (1.0, 0.0, True), (1.001, 0.0, False), (0.6, 0.8, True), (0.61, 0.8, False), (0.6, 0.81, False), (0.8, 0.6, True),
        (0.0, 1.0, True), (0.0, 1.001, False), (0.5, 1.5, False),
    ],
)  # fmt: skip
def test_a_reach_in_a_straight_line(across, up, near):
    """A vertical number below 0: the reach is that of ``straight_distance``."""
    models, units = table([(0, 0)], [{"x": 1.0 + across, "z": up}])
    assert shapes.within_reach(models, 0, 1, 1.0, -1.0) is near
    assert shapes.within_reach(models, 1, 0, 1.0, -1.0) is near
    assert engaged.unit_engaged(models, units, 0, 1.0, -1.0) is near
    assert engaged.units_engaged(models, units, 1, 0, 1.0, -1.0) is near
    assert (shapes.straight_distance(models, 0, 1) <= 1.0 + shapes.EPS) is near


def test_reaches_in_a_straight_line_are_exact():
    """Against the distance itself, for bases and hulls that stand anywhere."""
    rng = np.random.default_rng(8)
    both = 0
    for _ in range(400):
        poses = [{"x": rng.uniform(-2, 2), "y": rng.uniform(-2, 2), "z": rng.uniform(0, 1.6), "facing": rng.uniform(0, 6),
                  "shape": rng.choice([CIRCLE, RECT, OVAL]), "half_a": 0.6, "half_b": 0.4} for _ in range(2)]  # fmt: skip
        for pose in poses:
            if pose["shape"] == CIRCLE:
                pose["half_b"] = 0.6
        models, _ = table([poses[0]], [poses[1]])
        away = shapes.straight_distance(models, 0, 1)
        if abs(away - 1.0) > 1e-6:
            assert shapes.within_reach(models, 0, 1, 1.0, -1.0) == (away <= 1.0)
            both += away <= 1.0
    assert 50 < both < 350


def test_friends_do_not_engage_each_other():
    models, units = table([(0, 0)], [(1, 0)], owners=[1, 1])
    assert not engaged.unit_engaged(models, units, 0, 1.0, 5.0)


# ---- coherency


def row_of(count, gap):
    return [(n * (1.0 + gap), 0.0) for n in range(count)]


@pytest.mark.rule("w10.concepts.coherency.small")
def test_coherency_of_a_small_unit():
    models, units = table(row_of(5, 2.0))
    assert in_coherency(models, units)
    models["x"][4] += 0.1
    assert not in_coherency(models, units)
    assert not in_coherency(*table([(0, 0), {"x": 2.0, "z": 5.5}]))
    assert in_coherency(*table([(0, 0), {"x": 2.0, "z": 5.0}]))
    assert in_coherency(*table([(0, 0)]))


@pytest.mark.rule("w10.concepts.coherency.large")
def test_coherency_of_a_large_unit():
    assert not in_coherency(*table(row_of(7, 2.0)))
    assert in_coherency(*table(row_of(6, 2.0)))
    ends = row_of(7, 2.0)
    ends[0], ends[6] = (4.5, 2.5), (13.5, 2.5)  # the end models come in beside the line
    assert in_coherency(*table(ends))


@pytest.mark.rule("w10.concepts.coherency.threshold-live")
def test_the_seventh_casualty_lowers_the_threshold():
    models, units = table(row_of(7, 2.0))
    assert not in_coherency(models, units)
    models[6]["on_table"] = 0
    assert in_coherency(models, units)


@pytest.mark.rule("w10.concepts.coherency.single-group")
def test_two_groups_are_not_coherent():
    clump = [(0.0, 0.0), (2.0, 0.0), (1.0, sqrt(3.0))]
    models, units = table([*clump, *[(x + 7.0, y) for x, y in clump]], [(40, 40)])
    labels = scratch(models)
    assert not engaged.coherent(models, units, 0, 2.0, 5.0, BIG, labels)
    assert labels.tolist() == [0, 0, 0, 1, 1, 1, -1]


def test_groups_are_numbered_without_holes():
    models, units = table([(0, 0), (20, 0), (2, 0), (40, 0), (22, 0), (4, 0)])
    labels = scratch(models)
    assert not engaged.coherent(models, units, 0, 2.0, 5.0, BIG, labels)
    assert labels.tolist() == [0, 1, 0, 2, 1, 0]


def test_a_leader_counts_for_coherency():
    models, units = table([(0, 0), (6, 0)], [(50, 50)], [(3, 0)], owners=[0, 1, 0])
    assert not in_coherency(models, units)
    units[0]["leader"] = 2
    models[3]["unit"] = 0
    assert in_coherency(models, units)


# ---- outlines against dense sampling

SIZES = st.floats(0.3, 4.0)
COORDINATES = st.floats(-6.0, 6.0)
ANGLES = st.floats(0.0, 2 * pi)
OUTLINES = st.tuples(st.sampled_from([CIRCLE, OVAL, RECT]), SIZES, SIZES, COORDINATES, COORDINATES, ANGLES)
SAMPLES = 4000


def outline(shape, a, b, x, y, f):
    """Points on an outline, the corners of a rectangle included."""
    if shape == RECT:
        s = np.linspace(-1, 1, SAMPLES // 4)
        one = np.ones_like(s)
        u = np.concatenate([s * a, s * a, one * a, -one * a])
        v = np.concatenate([one * b, -one * b, s * b, s * b])
    else:
        t = np.linspace(0, 2 * pi, SAMPLES, endpoint=False)
        u, v = a * np.cos(t), (a if shape == CIRCLE else b) * np.sin(t)
    return np.stack([x + u * cos(f) - v * sin(f), y + u * sin(f) + v * cos(f)], axis=1)


def inside(points, shape, a, b, x, y, f):
    """Which points lie in an outline."""
    dx, dy = points[:, 0] - x, points[:, 1] - y
    u, v = dx * cos(f) + dy * sin(f), dy * cos(f) - dx * sin(f)
    if shape == RECT:
        return (abs(u) <= a) & (abs(v) <= b)
    return (u / a) ** 2 + (v / (a if shape == CIRCLE else b)) ** 2 <= 1


def as_row(shape, a, b, x, y, f):
    return {"shape": shape, "half_a": a, "half_b": a if shape == CIRCLE else b, "x": x, "y": y, "facing": f}


def widest_strip(first, second):
    """Width of the widest strip that separates two outlines: the gap of convex sets, found another way."""
    p, q = outline(*first), outline(*second)

    def widths(angles):
        along = np.stack([np.cos(angles), np.sin(angles)])
        return (q @ along).min(axis=0) - (p @ along).max(axis=0)

    angles = np.linspace(0, 2 * pi, 361)
    for _ in range(4):
        best = angles[widths(angles).argmax()]
        span = 2 * (angles[1] - angles[0])
        angles = np.linspace(best - span, best + span, 41)
    return max(0.0, widths(angles).max())


@settings(max_examples=100, deadline=None)
@given(OUTLINES, OUTLINES)
def test_gaps_match_dense_sampling(first, second):
    models, _ = table([as_row(*first)], [as_row(*second)])
    measured = shapes.gap(models, 0, 1)
    assert shapes.gap(models, 1, 0) == pytest.approx(measured, abs=1e-6)
    # the sampled points stand back from a true curve by at most size * (step / 2) ** 2 / 2
    assert measured == pytest.approx(widest_strip(first, second), abs=1e-5)


@settings(max_examples=100, deadline=None)
@given(OUTLINES, COORDINATES, COORDINATES, st.floats(0.0, 2.0))
def test_discs_match_dense_sampling(first, cx, cy, r):
    models, _ = table([as_row(*first)])
    points = outline(*first)
    away = np.hypot(points[:, 0] - cx, points[:, 1] - cy)
    near = 0.0 if inside(np.array([[cx, cy]]), *first)[0] else max(0.0, away.min() - r)
    x, y, facing = first[3:]
    assert shapes.disc_gap_at(models, 0, x, y, facing, cx, cy, r) == pytest.approx(near, abs=5e-3)
    assert shapes.farthest_gap_from_disc_at(models, 0, x, y, facing, cx, cy, r) == pytest.approx(
        max(0.0, away.max() - r), abs=1e-4
    )


@settings(max_examples=100, deadline=None)
@given(OUTLINES, SIZES, SIZES, ANGLES)
def test_polygons_agree_with_the_rectangle_they_are(first, a, b, f):
    rect = (RECT, a, b, 1.0, 0.5, f)
    models, _ = table([as_row(*first)], [as_row(*rect)])
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    turn = np.array([[cos(f), sin(f)], [-sin(f), cos(f)]])
    corners = np.array([1.0, 0.5]) + signs * np.array([a, b]) @ turn
    x, y, facing = first[3:]
    measured = shapes.polygon_gap_at(models, 0, x, y, facing, corners, 0, 4)
    assert measured == pytest.approx(shapes.gap(models, 0, 1), abs=1e-6)
    if measured > 0:
        assert not shapes.polygon_overlap_at(models, 0, x, y, facing, corners, 0, 4)
    points = outline(*first)
    wholly = shapes.inside_polygon_at(models, 0, x, y, facing, corners, 0, 4)
    if inside(points, RECT, a - 1e-3, b - 1e-3, 1.0, 0.5, f).all():
        assert wholly
    if not inside(points, RECT, a + 1e-3, b + 1e-3, 1.0, 0.5, f).all():
        assert not wholly


def test_touching_a_polygon_is_no_overlap():
    corners = np.array([[0, 0], [4, 0], [4, 0.2], [0, 0.2]], float)
    models, _ = table([(2, 0.7)])
    assert not shapes.polygon_overlap_at(models, 0, 2.0, 0.7, 0.0, corners, 0, 4)
    assert shapes.polygon_overlap_at(models, 0, 2.0, 0.69, 0.0, corners, 0, 4)
    assert shapes.polygon_gap_at(models, 0, 2.0, 1.7, 0.0, corners, 0, 4) == pytest.approx(1.0)


def test_compiled_and_plain_python_agree():
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(12):
        (a, b), (x, y) = rng.uniform(0.3, 3, 2), rng.uniform(-8, 8, 2)
        rows.append(as_row(int(rng.integers(3)), a, b, x, y, rng.uniform(0, 6)))
    models, units = table(rows[:6], rows[6:])
    corners = np.array([[0, 0], [4, 1], [3, 4]], float)

    def plain(kernel):
        return getattr(kernel, "py_func", kernel)

    for i in range(6):
        pose = (rows[i]["x"], rows[i]["y"], rows[i]["facing"])
        for j in range(6, 12):
            assert plain(shapes.gap)(models, i, j) == pytest.approx(shapes.gap(models, i, j), abs=1e-9)
        for kernel in (shapes.polygon_gap_at, shapes.polygon_overlap_at, shapes.inside_polygon_at):
            args = (models, i, *pose, corners, 0, 3)
            assert plain(kernel)(*args) == pytest.approx(kernel(*args), abs=1e-9)
    assert plain(shapes.unit_distance)(models, units, 0, 1) == shapes.unit_distance(models, units, 0, 1)
    one, two = scratch(models), scratch(models)
    compiled = engaged.coherent(models, units, 0, 2.0, 5.0, BIG, one)
    assert plain(engaged.coherent)(models, units, 0, 2.0, 5.0, BIG, two) == compiled
    assert one.tolist() == two.tolist()
