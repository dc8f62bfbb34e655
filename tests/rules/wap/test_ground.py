"""The ground of a battle as data, and which of it models stand on."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle, ContentError
from wh_env.content.load import validate
from wh_env.content.wap.load import traits_of
from wh_env.content.wap.schema_battle import Feature
from wh_env.content.wap.schema_terrain import Terrain
from wh_env.rulesets.wap.basics.ground import (
    distance_to,
    features_of,
    is_mostly_in,
    is_partly_in,
    models_in,
    touching,
    with_trait,
)
from wh_env.rulesets.wap.codes import GROUND, IMPASSABLE
from wh_env.testing.wap import NORTH, RegimentScene

SQUARE = [[10, 10], [20, 10], [20, 20], [10, 20]]
HILL = {"kind": "hill", "lines": "1-2", "traits": {"sight": 2, "lifts": True}, "examples": {"steep": {"sight": 3}}}


def loaded(**feature: Any) -> Battle:
    field = {"name": "field", "features": [{"polygon": SQUARE, **feature}]}
    return Battle.load("wap/open-skirmish", 1, overrides={"battlefield": field})


@pytest.mark.parametrize("kind", [k for k in GROUND if k != "building"])
def test_ground_of_every_kind_is_laid_out(kind: str) -> None:
    (ground,) = features_of(loaded(kind=kind))
    assert (ground.kind, ground.row, ground.example, len(ground.pieces)) == (kind, 0, None, 1)
    assert ground.outline == tuple(map(tuple, SQUARE))
    assert (ground.pieces["passage"][0] == IMPASSABLE) == (kind in ("impassable", "monument"))


def test_levels_of_a_hill_multiply_its_sight_value_and_a_building_has_storeys() -> None:
    (hill,) = features_of(loaded(kind="hill", levels=2))
    assert (hill.levels, hill.sight) == (2, 4)
    (house,) = features_of(loaded(kind="building", storeys=3))
    assert (house.storeys, house.sight) == (3, 15)  # five a storey


@pytest.mark.parametrize(
    ("feature", "told"),
    [
        ({"kind": "bog"}, r"features\[0\]\.kind: 'bog' is not known"),
        ({"kind": "hill", "example": "vale"}, r"features\[0\]\.example: 'vale' is not known"),
        ({"kind": "open", "example": "vale"}, r"features\[0\]\.example: 'vale' is not known"),
        ({"kind": "building"}, r"features\[0\]\.storeys: is missing; expected a number of storeys"),
        ({"kind": "building", "storeys": 0}, r"features\[0\]\.storeys: 0 "),
        ({"kind": "forest", "levels": 2}, r"features\[0\]\.kind: 'forest' has no levels; expected hill"),
        ({"kind": "hill", "storeys": 2}, r"features\[0\]\.kind: 'hill' has no storeys; expected building"),
        ({"kind": "hill", "height": 2}, r"features\[0\]\.height: 'height' is not known"),
        (
            {"kind": "river", "crossings": [{"polygon": [[10, 10], [12, 10], [11, 11], [12, 12]], "wide": 2}]},
            r"features\[0\]\.crossings\[0\]\.polygon: .* is not one; expected a convex polygon",
        ),
    ],
)
def test_ground_that_cannot_be_is_told_with_its_field(feature: dict[str, Any], told: str) -> None:
    with pytest.raises(ContentError, match=told) as fault:
        loaded(**feature)
    assert "\n" not in str(fault.value)


def test_a_trait_that_is_not_known_is_told() -> None:
    with pytest.raises(ContentError, match=r"hill\.yaml: examples\.steep\.slippery"):
        validate(Terrain, {**HILL, "examples": {"steep": {"slippery": True}}}, "hill.yaml")


def test_an_example_changes_what_it_names_and_keeps_the_rest() -> None:
    terrain = validate(Terrain, HILL, "hill.yaml")
    assert (terrain.traits_of(None).sight, terrain.traits_of("steep").sight) == (2, 3)
    assert terrain.traits_of("steep").lifts


def test_cover_may_be_given_to_ground_that_has_none() -> None:
    bank = validate(Feature, {"polygon": SQUARE, "cover": "light"}, "x")
    assert traits_of(bank, "x", "").screen == "light"


def test_features_do_not_overlap_except_for_hills() -> None:
    field: dict[str, Any] = {"name": "field", "features": [{"kind": k, "polygon": SQUARE} for k in ("hill", "forest")]}
    battle = Battle.load("wap/open-skirmish", 1, overrides={"battlefield": field})
    assert [item.kind for item in with_trait(battle, "sight")] == ["hill", "forest"]
    assert [item.kind for item in with_trait(battle, "lifts")] == ["hill"]
    field["features"].append({"kind": "marsh", "polygon": SQUARE})
    with pytest.raises(ContentError, match=r"features\[2\]: 'marsh' overlaps a feature of kind forest"):
        Battle.load("wap/open-skirmish", 1, overrides={"battlefield": field})


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("y", "inside", "partly"), [(9.5, 0, 0), (10.0, 5, 5), (10.6, 5, 10), (11.0, 10, 10)])
def test_models_are_in_ground_by_the_middle_of_their_base_and_partly_by_any_part(
    player: int, y: float, inside: int, partly: int
) -> None:
    scene = RegimentScene()
    scene.area("forest", 0, 9.5, 40, 15)
    unit = scene.unit(player, None, (20, y), models=10, files=5, facing=NORTH)  # ranks 25 mm deep
    scene.unit(1 - player, None, (20, 40))
    battle = scene.battle("movement")
    (wood,) = features_of(battle)
    assert len(models_in(battle, unit.row, wood)) == inside
    assert len(touching(battle, unit.row, wood)) == partly
    assert is_mostly_in(battle, unit.row, wood) == (inside > 5)
    assert is_partly_in(battle, unit.row, wood) == (partly > 0)
    assert distance_to(battle, unit.row, wood) == 0.0


@pytest.mark.parametrize(("files", "wet"), [(5, 0), (6, 12)])
def test_a_narrow_unit_on_a_bridge_is_not_in_the_river_and_a_wide_one_is(files: int, wet: int) -> None:
    scene = RegimentScene()
    bridge = {"polygon": [[17.5, 9], [22.5, 9], [22.5, 16], [17.5, 16]], "wide": 5.0}
    scene.area("river", 0, 10, 48, 15, crossings=[bridge])
    unit = scene.unit(0, None, (20, 13), models=2 * files, files=files, facing=NORTH)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    assert len(touching(battle, unit.row, features_of(battle)[0])) == wet
