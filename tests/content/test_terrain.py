"""Terrain becomes convex prisms: shapes, areas, openings, floors, mirrored and scaled maps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wh_env.content import ContentError
from wh_env.content.geometry import area, convex_pieces, gap_between, hull, is_convex, overlap
from wh_env.content.w10 import compile_terrain, load_battle, load_battlefield, scale_battlefield
from wh_env.content.w40k.schema import FEATURE_KINDS, Battlefield
from wh_env.content.w40k.terrain import FLOOR, MASS, WALL, check_battlefield, place_features

L_SHAPE = [[0, 0], [6, 0], [6, 2], [2, 2], [2, 5], [0, 5]]
STAR = [
    [round(10 + r * math.cos(math.pi * k / 5), 6), round(10 + r * math.sin(math.pi * k / 5), 6)]
    for k, r in enumerate([4, 1.6] * 5)
]
COMB = [[0, 0], [9, 0], [9, 4], [8, 4], [8, 1], [6, 1], [6, 4], [5, 4], [5, 1], [3, 1], [3, 4], [2, 4], [2, 1], [0, 1]]


def field(*features, size=(44, 30), **more) -> Battlefield:
    return load_battlefield({"name": "test", "size": list(size), "features": list(features), **more})


def outline(corners, row) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in corners[row["first"] : row["first"] + row["count"]]]


@pytest.mark.parametrize("polygon", [L_SHAPE, STAR, COMB, L_SHAPE[::-1], [[0, 0], [2, 0], [4, 0], [4, 3], [0, 3]]])
def test_outlines_are_cut_into_convex_pieces(polygon):
    points = [(float(x), float(y)) for x, y in polygon]
    pieces = convex_pieces(points)
    assert all(is_convex(piece) and area(piece) > 0 for piece in pieces)
    assert sum(map(area, pieces)) == pytest.approx(abs(area(points)))
    for i, one in enumerate(pieces):
        assert all(overlap(one, two) <= 1e-6 for two in pieces[:i])


def test_few_pieces_are_made():
    assert len(convex_pieces([(0, 0), (4, 0), (4, 3), (0, 3)])) == 1
    assert len(convex_pieces([(float(x), float(y)) for x, y in L_SHAPE])) == 2


@pytest.mark.parametrize("polygon", [L_SHAPE, STAR, COMB])
@pytest.mark.parametrize("rotation", [0, 90, 37])
def test_masses_keep_their_area(polygon, rotation):
    map_ = field({"kind": "container", "polygon": polygon, "height": 3, "at": [18, 12], "rotation": rotation})
    blocks, corners, features = compile_terrain(map_)
    total = sum(area(outline(corners, block)) for block in blocks)
    assert total == pytest.approx(abs(area([(x, y) for x, y in polygon])))
    assert (features[0]["first_block"], features[0]["blocks"]) == (0, len(blocks))
    assert features[0]["kind"] == FEATURE_KINDS.index("container")
    for block in blocks:
        points = outline(corners, block)
        assert is_convex(points)
        assert (block["z_low"], block["z_high"]) == (0, 3)
        assert (block["kind"], block["solid"], block["walkable"]) == (MASS, 1, 1)
        assert block["min_x"] == min(x for x, _ in points)
        assert block["max_y"] == max(y for _, y in points)


def test_footprints_are_convex_hulls():
    _, corners, features = compile_terrain(field({"kind": "woods", "polygon": L_SHAPE, "height": 4, "at": [5, 5]}))
    points = outline(corners, features[0])
    assert points == hull([(x + 5.0, y + 5.0) for x, y in L_SHAPE])
    assert features[0]["blocks"] == 0
    assert features[0]["height"] == 4


@pytest.mark.parametrize(
    ("kind", "walkable"),
    [("container", 1), ("hill", 1), ("building", 1), ("barricade", 0), ("statue", 0), ("debris", 0)],
)
def test_which_kinds_are_solid(kind, walkable):
    blocks, _, _ = compile_terrain(field({"kind": kind, "polygon": [[3, 3], [5, 3], [5, 5]], "height": 1}))
    assert [block["walkable"] for block in blocks] == [walkable]


@pytest.mark.parametrize("kind", ["woods", "crater", "ruins"])
def test_which_kinds_are_area_terrain(kind):
    blocks, _, _ = compile_terrain(field({"kind": kind, "polygon": [[3, 3], [5, 3], [5, 5]], "height": 1}))
    assert len(blocks) == 0


def ruins(**parts):
    polygon = [[0, 0], [10, 0], [10, 8], [0, 8]]
    return {"kind": "ruins", "polygon": polygon, "height": 5, "parts": parts, "at": [4, 4]}


def walls(*wall):
    blocks, corners, _ = compile_terrain(field(ruins(walls=list(wall))))
    return [(outline(corners, block), float(block["z_low"]), float(block["z_high"])) for block in blocks]


def volume(pieces):
    return sum(area(points) * (high - low) for points, low, high in pieces)


def test_a_straight_wall_is_one_block():
    pieces = walls({"line": [[1, 1], [7, 1]], "thickness": 0.5, "height": 4})
    assert len(pieces) == 1
    points, low, high = pieces[0]
    assert sorted(points) == [(5, 4.75), (5, 5.25), (11, 4.75), (11, 5.25)]
    assert (low, high) == (0, 4)


def test_corners_of_walls_are_mitred():
    pieces = walls({"line": [[1, 7], [1, 1], [7, 1]], "thickness": 0.5, "height": 4})
    assert len(pieces) == 2
    assert sum(area(points) for points, _, _ in pieces) == pytest.approx(12 * 0.5)
    assert overlap(pieces[0][0], pieces[1][0]) <= 1e-9
    assert min(x for points, _, _ in pieces for x, _ in points) == pytest.approx(4.75)


def test_a_window_is_a_gap_between_blocks():
    opening = {"from": 2, "to": 3, "z_low": 1, "z_high": 2.5}
    pieces = walls({"line": [[1, 1], [7, 1]], "thickness": 0.5, "height": 4, "openings": [opening]})
    spans = sorted(
        (min(x for x, _ in points) - 4, max(x for x, _ in points) - 4, low, high) for points, low, high in pieces
    )
    assert spans == [(1, 3, 0, 4), (3, 4, 0, 1), (3, 4, 2.5, 4), (4, 7, 0, 4)]
    assert volume(pieces) == pytest.approx((6 * 4 - 1 * 1.5) * 0.5)


def test_a_doorway_has_only_a_lintel_and_openings_keep_to_their_segment():
    door = {"from": 8, "to": 10, "z_high": 3}
    pieces = walls({"line": [[1, 7], [1, 1], [7, 1]], "thickness": 0.4, "height": 4, "openings": [door]})
    lintel = [piece for piece in pieces if piece[1] == 3]
    assert len(lintel) == 1
    assert sorted({round(x - 4, 6) for x, _ in lintel[0][0]}) == [3, 5]  # 8 - 6 along the second piece
    assert volume(pieces) == pytest.approx((12 * 4 - 2 * 3) * 0.4)
    with pytest.raises(ContentError, match="one straight piece"):
        walls({"line": [[1, 7], [1, 1], [7, 1]], "height": 4, "openings": [{"from": 5, "to": 7, "z_high": 2}]})
    with pytest.raises(ContentError, match="away from its corners"):
        walls({"line": [[1, 7], [1, 1], [7, 1]], "height": 4, "openings": [{"from": 4, "to": 6, "z_high": 2}]})


def test_walls_of_upper_storeys_and_polygons():
    pieces = walls({"polygon": [[1, 1], [3, 1], [3, 1.4], [1.4, 1.4], [1.4, 3], [1, 3]], "z": 3, "height": 2})
    assert {(low, high) for _, low, high in pieces} == {(3, 5)}
    assert sum(area(points) for points, _, _ in pieces) == pytest.approx(2 * 0.4 + 1.6 * 0.4)


def test_floors_are_thin_and_walkable():
    blocks, corners, features = compile_terrain(field(ruins(floors=[{"polygon": L_SHAPE, "height": 3}])))
    assert {(block["kind"], block["solid"], block["walkable"]) for block in blocks} == {(FLOOR, 1, 1)}
    assert {(float(block["z_low"]), float(block["z_high"])) for block in blocks} == {(2.75, 3.0)}
    assert sum(area(outline(corners, block)) for block in blocks) == pytest.approx(6 * 2 + 2 * 3)
    assert features[0]["height"] == 5


def test_masses_of_features():
    mass = {"polygon": [[1, 1], [3, 1], [3, 3], [1, 3]], "z": 1, "height": 2, "walkable": True}
    blocks, _, _ = compile_terrain(field(ruins(masses=[mass])))
    assert [(float(b["z_low"]), float(b["z_high"]), int(b["walkable"])) for b in blocks] == [(1, 2, 1)]
    with pytest.raises(ContentError, match=r"masses\[0\].height: 1"):
        field(ruins(masses=[{**mass, "height": 1}]))


def test_templates_are_turned_and_placed():
    shape = {"kind": "statue", "polygon": [[0, 0], [4, 0], [4, 1], [0, 1]], "height": 3}
    placed = place_features(field({"template": "bar", "at": [10, 10], "rotation": 90}, templates={"bar": shape}))
    assert sorted(placed[0].footprint) == [(9, 10), (9, 14), (10, 10), (10, 14)]


def test_mirrored_features_stand_on_the_other_side():
    shape = {"kind": "ruins", "polygon": [[0, 0], [6, 0], [6, 2], [0, 2]], "height": 3,
             "parts": {"walls": [{"line": [[0.5, 0.5], [5, 0.5]], "height": 3}]}}  # fmt: skip
    blocks, corners, features = compile_terrain(
        field({"template": "t", "at": [4, 5], "rotation": 30, "mirror": True}, templates={"t": shape})
    )
    assert len(features) == 2
    one, two = (np.array(outline(corners, block)) for block in blocks)
    assert np.allclose(sorted(map(tuple, [44, 30] - one)), sorted(map(tuple, two)))
    assert features[1]["first_block"] == 1
    assert {int(block["kind"]) for block in blocks} == {WALL}


def test_kinds_and_traits_come_from_the_ruleset():
    map_ = field({"kind": "woods", "polygon": L_SHAPE, "height": 4, "at": [5, 5]})
    _, _, features = compile_terrain(map_, {"woods": 7}, {"woods": 5})
    assert (features[0]["kind"], features[0]["traits"]) == (7, 5)


def test_touching_features_are_allowed():
    square = [[0, 0], [3, 0], [3, 3], [0, 3]]
    one = {"kind": "container", "polygon": square, "height": 3, "at": [5, 5]}
    assert len(place_features(field(one, {**one, "at": [8, 5]}))) == 2
    with pytest.raises(ContentError, match=r"features\[1\]: 'container' overlaps features\[0\]"):
        field(one, {**one, "at": [7.9, 5]})


def test_an_empty_battlefield_compiles():
    blocks, corners, features = compile_terrain(field())
    assert (len(blocks), corners.shape, len(features)) == (0, (0, 2), 0)


@pytest.mark.rule("w10.objective.on-terrain")
def test_markers_keep_off_walls():
    markers = load_battle("w10/only-war-incursion").mission.markers
    radius = markers.diameter_mm / 25.4 / 2
    wall = {"line": [[1, 1], [7, 1]], "thickness": 0.5, "height": 4}  # its upper side at y = 4 + 1.25

    def marker(gap: float) -> Battlefield:
        return field({**ruins(walls=[wall]), "at": [10, 10]}, objectives=[[14, 10 + 1.25 + gap + radius]])

    with pytest.raises(ContentError) as caught:
        check_battlefield(marker(0.9), markers)
    assert caught.value.field == "objectives[0]"
    assert "too near features[0] (ruins)" in str(caught.value)
    check_battlefield(marker(1.1), markers)


def test_markers_keep_off_edges_and_each_other():
    markers = load_battle("w10/only-war-incursion").mission.markers
    with pytest.raises(ContentError, match="is too near an edge"):
        check_battlefield(field(objectives=[[6.7, 15]]), markers)
    with pytest.raises(ContentError, match="is too near"):
        check_battlefield(field(objectives=[[10, 15], [20.5, 15]]), markers)
    check_battlefield(field(objectives=[[10, 15], [20.6, 15]]), markers)


@pytest.mark.rule("w10.mission.only-war.battlefield")
def test_size_of_the_battlefield():
    def battle(size: str, length: float):
        return load_battle("w10/only-war-incursion", {"size": size, "battlefield": {"name": "x", "size": [length, 44]}})

    assert battle("Onslaught", 90).battlefield.size == (90, 44)
    assert battle("Incursion", 60).battlefield.size == (60, 44)
    with pytest.raises(ContentError) as caught:
        battle("Onslaught", 60)
    assert (caught.value.field, caught.value.value) == ("size", [60.0, 44.0])
    assert "[90, 44]" in caught.value.expected


@pytest.mark.rule("w10.mission.battlefield")
def test_a_map_is_scaled_to_another_size():
    square = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    zones = {"attacker": [[0, 0], [60, 0], [60, 10], [0, 10]], "defender": [[0, 34], [60, 34], [60, 44], [0, 44]]}
    original = field(
        {"kind": "container", "polygon": square, "height": 2, "at": [20, 11], "mirror": True},
        {"kind": "hill", "polygon": [[29, 21], [31, 21], [31, 23], [29, 23]], "height": 2},
        size=(60, 44), objectives=[[30, 22], [15, 11]], zones=zones,
    )  # fmt: skip
    scaled = scale_battlefield(original, (72, 48))
    assert scaled.size == (72, 48)
    assert scaled.objectives[0] == pytest.approx((36, 24))
    assert scaled.objectives[1] == pytest.approx((18, 12))
    assert scaled.zones is not None
    assert scaled.zones.attacker[2] == pytest.approx((72, 10 * 48 / 44))
    middles = [np.mean(item.outline, axis=0) for item in place_features(scaled)]
    assert np.allclose(middles, [(24, 12), (48, 36), (36, 24)])
    assert [area(item.outline) for item in place_features(scaled)] == pytest.approx([4, 4, 4])


def test_battles_scale_their_map_on_demand():
    battle = load_battle("w10/only-war-incursion", {"size": "Onslaught", "scale": True})
    assert battle.battlefield.size == (90, 44)
    assert len(place_features(battle.battlefield)) == 14


def test_gap_to_a_point():
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    assert gap_between(square, (1, 1)) == 0
    assert gap_between(square, (5, 6)) == pytest.approx(5)
    assert gap_between(square, (1, -3)) == pytest.approx(3)
