"""Terrain: who moves over, through and onto what (w9.terrain.hills, .breachable, .scaleable, .unstable-position, .obstacles)."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from ninth import NinthScene

from wh_env.content.rulebook import catalogue
from wh_env.content.w40k.load import load_terrain
from wh_env.core.geometry.paths import Fault
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w9.terrain import TYPES
from wh_env.rulesets.w40k.terrain.cover import Trait
from wh_env.testing import in_sight, pick, sheet
from wh_env.testing.moves import check_move, walk

EVERY_MOVE = ("normal", "advance", "fall back", "charge", "pile in", "consolidate")


def walker(scene, at=(10, 10), player=0, **fields: Any):
    """A copy of the scene with one model of a player, and the battle in its Movement phase."""
    scene = deepcopy(scene)
    unit = scene.unit(player, sheet("Walker", **fields), at=at, models=1)
    foes = scene.unit(1 - player, sheet("Foes"), at=(50, 40), models=1)
    return scene.battle("movement", active=player, detail="full"), unit, foes


def judged(built, *path, kind="normal", roll=None):
    """The verdict on a path of the model; the battle is left as it is."""
    battle, unit, foes = built
    return check_move(battle.clone(), unit, kind, {0: path}, roll=roll, targets=[foes] if kind == "charge" else ())


def box(height, kind, x0=13.0, x1=13.2):
    """A box across the way of the model."""
    scene = NinthScene()
    scene.box(x0, 2, x1, 30, height, kind=kind)
    return scene


def ruin(floor=None, girder=False, wall=4.0):
    """A ruin with a wall at x = 12.2, perhaps a floor behind it and a beam."""
    scene = NinthScene()
    parts: dict[str, Any] = {"walls": [{"line": [(12.2, 5.2), (12.2, 14.8)], "height": wall}]}
    if floor is not None:
        parts["floors"] = [{"polygon": [(13, 6), (20, 6), (20, 14), (13, 14)], "height": floor}]
    if girder:
        parts["masses"] = [{"polygon": [(14, 6), (14.4, 6), (14.4, 14), (14, 14)], "height": 4}]
    scene.area("ruins", 12, 5, 21, 15, 5, **parts)
    return scene


@pytest.mark.rule("w9.terrain.hills")
@pytest.mark.parametrize("player", [0, 1])
def test_models_move_and_see_over_hills_by_the_normal_rules(player):
    """1" high costs nothing, 3" the climb up and down; a model on top sees over what one below does not."""
    assert judged(walker(box(1, "hill"), player=player), (16, 10)) == Fault.LEGAL
    assert judged(walker(box(3, "hill"), M=12, player=player), (16, 10)) == Fault.LEGAL
    assert judged(walker(box(3, "hill"), M=11.9, player=player), (16, 10)) == Fault.TOO_FAR
    assert judged(walker(box(3, "hill", 12, 15), M=7, player=player), (13, 10, 3)) == Fault.LEGAL
    scene = box(3, "hill", 20, 24)
    low = scene.unit(0, sheet("Low"), at=(15, 10))
    high = scene.unit(0, sheet("High"), at=(22, 10, 3))
    foe = scene.unit(1, sheet("Foe"), at=(30, 10))
    battle = scene.battle("shooting", run=False)
    assert not in_sight(battle, low.first, foe.first)
    assert in_sight(battle, high.first, foe.first)
    assert TYPES["hill"].screen == 0


@pytest.mark.rule("w9.terrain.breachable")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keyword", ["INFANTRY", "BEASTS", "SWARM"])
def test_infantry_beasts_and_swarms_move_through_walls(keyword, player):
    """6" straight through a wall 4" high; no end in it."""
    for scene in (ruin(), ruin(girder=True)):
        built = walker(scene, keywords=(keyword,), player=player)
        assert judged(built, (16, 10, 0)) == Fault.LEGAL
        assert judged(built, (16.1, 10, 0)) == Fault.TOO_FAR
        assert judged(built, (12.2, 10, 0)) == Fault.OVERLAPS_TERRAIN
    battle, _, _ = walker(ruin(), keywords=(keyword,), player=player)
    pick(battle, "Normal move")
    assert walk(battle, 0, 16, 10) == pytest.approx((16, 10))


@pytest.mark.rule("w9.terrain.breachable")
@pytest.mark.parametrize("keywords", [("VEHICLE",), ("MONSTER",), ("MOUNTED",)])
def test_others_go_around_or_climb(keywords):
    assert judged(walker(ruin(), keywords=keywords), (16, 10, 0)) == Fault.TOO_FAR
    assert judged(walker(ruin(), keywords=keywords, M=13.9), (16, 10, 0)) == Fault.TOO_FAR
    assert judged(walker(ruin(), keywords=keywords, M=14), (16, 10, 0)) == Fault.LEGAL  # 4" up, 4" down
    assert judged(walker(ruin(), keywords=keywords, at=(11, 4.4)), (13, 4.4), (16, 4.4)) == Fault.LEGAL


@pytest.mark.rule("w9.terrain.breachable")
@pytest.mark.parametrize("kind", ["container", "barricade", "building"])
def test_features_without_the_trait_are_climbed_by_all(kind):
    assert Trait.BREACHABLE not in TYPES[kind].traits
    loss = 2 if Trait.DIFFICULT_GROUND in TYPES[kind].traits else 0
    assert judged(walker(box(4, kind), M=13.9 + loss), (16, 10, 0)) == Fault.TOO_FAR
    assert judged(walker(box(4, kind), M=14 + loss), (16, 10, 0)) == Fault.LEGAL


@pytest.mark.rule("w9.terrain.scaleable")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keywords", [("INFANTRY",), ("BEASTS",), ("SWARM",), ("MOUNTED", "FLY")])
def test_who_may_end_on_a_floor(keywords, player):
    """A floor 3" up."""
    built = walker(ruin(3), keywords=keywords, M=20, player=player)
    assert judged(built, (16, 10, 3)) == Fault.LEGAL
    assert judged(built, (13.4, 10, 3)) == Fault.MID_CLIMB
    assert judged(built, (16, 10, 0)) == Fault.LEGAL


@pytest.mark.rule("w9.terrain.scaleable")
@pytest.mark.parametrize("keywords", [("MOUNTED",), ("VEHICLE",), ("MONSTER",)])
def test_others_stay_on_the_ground_floor(keywords):
    built = walker(ruin(3), keywords=keywords, M=20)
    assert judged(built, (16, 10, 3)) == Fault.MID_CLIMB
    assert judged(built, (16, 10, 0)) == Fault.LEGAL
    built = walker(box(2, "container", 12, 15), keywords=keywords, M=20)
    assert judged(built, (13.5, 10, 2)) == Fault.MID_CLIMB
    assert judged(built, (17, 10, 0)) == Fault.LEGAL


@pytest.mark.rule("w9.terrain.scaleable")
@pytest.mark.parametrize("keywords", [("INFANTRY",), ("VEHICLE", "FLY")])
def test_who_may_end_on_a_container(keywords):
    assert judged(walker(box(2, "container", 12, 15), keywords=keywords, M=20), (13.5, 10, 2)) == Fault.LEGAL


@pytest.mark.rule("w9.terrain.scaleable")
def test_through_floors_the_height_is_counted():
    """2" away and 3" up cost 5" (here 4" and 3"); from below through the floor."""
    assert judged(walker(ruin(3), at=(14, 10, 0), M=5), (16, 10, 3)) == Fault.LEGAL
    assert judged(walker(ruin(3), at=(14, 10, 0), M=4.9), (16, 10, 3)) == Fault.TOO_FAR
    assert judged(walker(ruin(3), at=(16, 10, 3), M=3), (16, 10, 0)) == Fault.LEGAL
    assert judged(walker(ruin(3), at=(16, 10, 3), M=2.9), (16, 10, 0)) == Fault.TOO_FAR


@pytest.mark.rule("w9.terrain.unstable-position")
@pytest.mark.parametrize("player", [0, 1])
def test_no_move_ends_on_a_barricade(player):
    """1.5" high: over it, and 0.5" behind it, but not on top."""
    wide, low = box(1.5, "barricade", 12, 14), box(1, "barricade", 12, 14)
    assert judged(walker(wide, M=8, player=player), (13, 10, 1.5)) == Fault.MID_CLIMB
    assert judged(walker(box(1.5, "container", 12, 14), player=player), (13, 10, 1.5)) == Fault.LEGAL
    for kind in EVERY_MOVE:
        assert judged(walker(low, player=player), (13, 10, 1), kind=kind, roll=6) == Fault.MID_CLIMB, kind
        # the same place on a container of that height is legal
        container = walker(box(1, "container", 12, 14), player=player)
        assert judged(container, (13, 10, 1), kind=kind, roll=6) == Fault.LEGAL, kind
    # 5" and 1.5" up and down, across Difficult Ground
    assert judged(walker(wide, M=10, player=player), (15, 10, 0)) == Fault.LEGAL
    assert judged(walker(wide, M=9.9, player=player), (15, 10, 0)) == Fault.TOO_FAR


def heights(scene, player, **fields: Any) -> set[float]:
    """At which heights a model that arrives from above can be set up, at full detail, over 16 <= x <= 24 and 14 <= y <= 22."""
    scene.unit(player, sheet("Diver", abilities={"deep_strike": True}, **fields), reserves="deep-strike", models=1)
    scene.unit(player, sheet("Watch"), at=(57, 3), models=1)
    scene.unit(1 - player, sheet("Foes"), at=(57, 40), models=1)
    battle = scene.battle("movement", active=player, round=2, detail="full")
    pick(battle, "Remain Stationary")
    pick(battle, "Diver", kind="select-reserves")
    found, waiting = set(), [battle]
    while waiting:
        battle = waiting.pop()
        assert battle.decision is not None
        unit = next(u for u, name in enumerate(battle.setup.names["units"]) if name == "Diver")
        model = battle.units.first[unit]
        if battle.units.place[unit] == ON_TABLE:
            if 16 <= battle.models.x[model] <= 24 and 14 <= battle.models.y[model] <= 22:
                found.add(round(battle.models.z[model], 3))
            continue
        for action in (
            battle.decision.options if battle.decision.kind != "place-exactly" else battle.decision.options[:1]
        ):
            if action:  # not to arrive is no place
                waiting.append(battle.clone())
                waiting[-1].apply(action)
    return found


@pytest.mark.rule("w9.terrain.unstable-position", "w9.terrain.scaleable")
@pytest.mark.parametrize(("kind", "keywords", "player", "expected"), [
    ("barricade", ("INFANTRY",), 0, set()), ("barricade", ("VEHICLE", "FLY"), 1, set()), ("debris", ("INFANTRY",), 1, set()),
    ("container", ("INFANTRY",), 1, {1.5}), ("container", ("VEHICLE", "FLY"), 0, {1.5}), ("container", ("MOUNTED",), 0, set()),
])  # fmt: skip
def test_who_is_set_up_on_top(kind: str, keywords: tuple[str, ...], player: int, expected: set[float]) -> None:
    """A block of 12" by 12" and 1.5" high: nobody is set up on one with Unstable Position, on one with Scaleable those who may end there."""
    scene = NinthScene()
    scene.box(14, 12, 26, 24, 1.5, kind=kind)
    assert heights(scene, player, keywords=keywords) == expected


@pytest.mark.rule("w9.terrain.scaleable")
@pytest.mark.parametrize(
    ("keywords", "expected"), [(("BEASTS",), {0.0, 3.0}), (("MOUNTED",), {0.0}), (("SWARM",), {0.0, 3.0})]
)
def test_who_is_set_up_on_an_upper_floor(keywords: tuple[str, ...], expected: set[float]) -> None:
    """A floor 3" up over ground that is open to all."""
    scene = NinthScene()
    scene.ruins(14, 12, 26, 24, floors=[3.0])
    assert heights(scene, 0, keywords=keywords) == expected


@pytest.mark.rule("w9.terrain.obstacles")
def test_models_are_seen_past_obstacles_by_the_normal_rules():
    scene = NinthScene()
    scene.box(10, 20, 30, 20.5, 1, kind="barricade")
    scene.box(40, 20, 50, 20.5, 4, kind="barricade")
    a = [scene.unit(0, sheet(f"A{x}"), at=(x, 15)) for x in (20, 45)]
    b = [scene.unit(1, sheet(f"B{x}"), at=(x, 25)) for x in (20, 45)]
    battle = scene.battle("shooting", run=False)
    assert in_sight(battle, a[0].first, b[0].first)
    assert not in_sight(battle, a[1].first, b[1].first)


@pytest.mark.rule("w9.terrain.categories")
@pytest.mark.parametrize(
    ("kind", "category", "traits"),
    [
        ("ruins", "AREA TERRAIN", {"SCALEABLE", "BREACHABLE", "LIGHT COVER", "DEFENSIBLE", "OBSCURING"}),
        ("crater", "AREA TERRAIN", {"LIGHT COVER", "DIFFICULT GROUND"}),
        ("woods", "AREA TERRAIN", {"DENSE COVER", "BREACHABLE", "DEFENSIBLE", "DIFFICULT GROUND"}),
        ("container", "OBSTACLE", {"LIGHT COVER", "SCALEABLE", "EXPOSED POSITION"}),
        (
            "barricade",
            "OBSTACLE",
            {"DEFENCE LINE", "LIGHT COVER", "HEAVY COVER", "DEFENSIBLE", "UNSTABLE POSITION", "DIFFICULT GROUND"},
        ),
        ("hill", "HILL", set()),
    ],
)
def test_category_and_traits_of_common_features(kind, category, traits):
    kinds = {"RUINS", "CRATER", "WOODS", "BARRICADE"}  # what it is called besides
    assert set(TYPES[kind].keywords) - kinds == {category} | traits


def test_common_features_of_the_catalogue_are_those_of_the_terrain_file():
    """Each feature of the table has its category and traits, and stands on battlefields of the files."""
    shipped = {shape.kind for shape in load_terrain("standard", "w9").templates.values()}
    kinds = {
        "Ruins": "ruins", "Craters": "crater", "Woods": "woods", "Armoured Containers": "container", "Barricades": "barricade",
        "Hill": "hill",
    }  # fmt: skip
    table = catalogue("w9")["w9.terrain.common"]["table"]
    assert {row["feature"] for row in table} == set(kinds)
    for row in table:
        kind = kinds[row["feature"]]
        own = {"RUINS", "CRATER", "WOODS", "BARRICADE"}  # what it is called besides
        wanted = {row["category"].upper(), *(trait.upper() for trait in row["traits"])}
        assert set(TYPES[kind].keywords) - own == wanted
        assert kind in shipped
