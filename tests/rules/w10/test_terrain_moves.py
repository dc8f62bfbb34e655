"""Terrain: who moves over, through and onto what (w10.terrain.*.movement, w10.terrain.ruins.through, .floors)."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from wh_env import Battle
from wh_env.content.errors import ContentError
from wh_env.core.geometry.paths import Fault
from wh_env.testing import Scene, UnitHandle, pick, sheet
from wh_env.testing.moves import check_move, walk

EVERY_MOVE = ("normal", "advance", "fall back", "charge", "pile in", "consolidate")
Built = tuple[Battle, UnitHandle]


def walker(scene: Scene, at: tuple[float, ...] = (10, 10), phase: str = "movement", **fields: Any) -> Built:
    """A copy of the scene with one model of player 0."""
    scene = deepcopy(scene)
    unit = scene.unit(0, sheet("Walker", **fields), at=at, models=1)
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return scene.battle(phase, detail="full"), unit


def judged(built: Built, *path: tuple[float, ...], kind: str = "normal", roll: float | None = None) -> Fault:
    """The verdict on a path of the model; the battle is left as it is."""
    battle, unit = built
    return check_move(battle.clone(), unit, kind, {0: path}, roll=roll, targets=[1] if kind == "charge" else ())


def box(height: float, kind: str, x0: float = 13, x1: float = 13.2) -> Scene:
    """A box across the way of the model."""
    scene = Scene()
    scene.box(x0, 2, x1, 30, height, kind=kind)
    return scene


@pytest.mark.rule("w10.terrain.general-movement")
@pytest.mark.parametrize("kind", ["container", "barricade", "debris", "statue", "hill", "building"])
def test_terrain_without_a_rule_of_its_own_is_climbed(kind: str) -> None:
    """3" high it costs the climb up and down, 2" high nothing."""
    assert judged(walker(box(3, kind), M=12), (16, 10)) == Fault.LEGAL
    assert judged(walker(box(3, kind), M=11.9), (16, 10)) == Fault.TOO_FAR
    assert judged(walker(box(2, kind), M=6), (16, 10)) == Fault.LEGAL
    assert judged(walker(box(2, kind), M=5.9), (16, 10)) == Fault.TOO_FAR


@pytest.mark.rule("w10.terrain.craters.movement")
def test_craters_are_crossed_and_stood_in() -> None:
    """A crater with a rim of 1": 6" across it cost 6", and the move may end in it and on the rim."""
    scene = Scene()
    rim = [{"polygon": [(12, 5), (13.5, 5), (13.5, 15), (12, 15)], "height": 1}]
    scene.area("crater", 12, 5, 20, 15, masses=rim)
    assert judged(walker(scene), (16, 10)) == Fault.LEGAL
    assert judged(walker(scene), (16.1, 10)) == Fault.TOO_FAR
    assert judged(walker(scene), (12.75, 10, 1)) == Fault.LEGAL
    assert judged(walker(scene), (12.4, 10, 1)) == Fault.MID_CLIMB  # overhangs the rim
    built = walker(scene)
    pick(built[0], "Normal move")
    assert walk(built[0], 0, 16, 10) == pytest.approx((16, 10))
    scene = Scene()
    scene.crater(11, 5, 15, 15)
    assert judged(walker(scene), (16, 10)) == Fault.LEGAL
    assert judged(walker(scene), (13, 10)) == Fault.LEGAL


@pytest.mark.rule("w10.terrain.barricades.movement")
def test_no_move_ends_on_a_barricade() -> None:
    """1.5" high: moving across is free, an end on top is rejected in every kind of move."""
    wide = box(1.5, "barricade", 12, 14)
    assert judged(walker(wide), (16, 10)) == Fault.LEGAL
    for kind in EVERY_MOVE:
        on_top = judged(walker(wide, M=8), (13, 10, 1.5), kind=kind, roll=6)
        assert on_top == Fault.MID_CLIMB
        assert judged(walker(wide, M=8), (13, 10, 0), kind=kind, roll=6) == Fault.OVERLAPS_TERRAIN
        # the same place on a container of that height is legal
        assert judged(walker(box(1.5, "container", 12, 14), M=8), (13, 10, 1.5), kind=kind, roll=6) == Fault.LEGAL
    built = walker(wide)
    pick(built[0], "Normal move")
    with pytest.raises(LookupError):
        walk(built[0], 0, 13, 10)
    built = walker(wide)
    pick(built[0], "Normal move")
    assert walk(built[0], 0, 16, 10) == pytest.approx((16, 10))


@pytest.mark.rule("w10.terrain.debris.movement")
@pytest.mark.parametrize("kind", ["debris", "statue"])
def test_no_move_ends_on_debris(kind: str) -> None:
    """A statue 3" high: climbing over it costs 6" vertically, ending on it is rejected."""
    wide = box(3, kind, 12, 14)
    assert judged(walker(wide, M=12), (16, 10)) == Fault.LEGAL
    assert judged(walker(wide, M=11.9), (16, 10)) == Fault.TOO_FAR
    for move in EVERY_MOVE:
        assert judged(walker(wide, M=12), (13, 10, 3), kind=move, roll=12) in (Fault.MID_CLIMB, Fault.TOO_FAR)
        assert judged(walker(wide, M=12), (12.1, 10, 3), kind=move, roll=12) != Fault.LEGAL
    assert judged(walker(wide, M=12), (13, 10, 3)) == Fault.MID_CLIMB
    assert judged(walker(box(3, "container", 12, 14), M=12), (13, 10, 3)) == Fault.LEGAL


@pytest.mark.rule("w10.terrain.hills.movement")
@pytest.mark.parametrize("kind", ["container", "hill", "building"])
def test_raised_areas_carry_whole_bases(kind: str) -> None:
    """A flat top of 6" by 3": a 2" base wholly on it is legal, one that overhangs by 0.1" is not; so for a hull."""
    scene = Scene()
    scene.box(12, 8.5, 18, 11.5, 1, kind=kind)
    tank = {"M": 20, "base_mm": 50.8}
    assert judged(walker(scene, **tank), (15, 10, 1)) == Fault.LEGAL
    assert judged(walker(scene, **tank), (13, 9.5, 1)) == Fault.LEGAL
    assert judged(walker(scene, **tank), (12.9, 10, 1)) == Fault.MID_CLIMB
    assert judged(walker(scene, **tank), (15, 10.6, 1)) == Fault.MID_CLIMB
    hull = {"M": 20, "base_mm": None, "hull_in": (2, 2), "keywords": ("VEHICLE",)}
    assert judged(walker(scene, at=(9, 10, 0, 0), **hull), (13, 10, 1)) == Fault.LEGAL
    assert judged(walker(scene, at=(9, 10, 0, 0), **hull), (12.9, 10, 1)) == Fault.MID_CLIMB


@pytest.mark.rule("w10.terrain.hills.movement")
def test_features_stand_on_hills_without_overhanging() -> None:
    """Debris on top of a hill is placed; overhanging its edge, or sunk into it, it is refused."""

    def placed(x0: float, z: float, kind: str = "hill") -> bool:
        scene = Scene()
        scene.box(10, 10, 20, 20, 3, kind=kind)
        scene.box(x0, 12, x0 + 2, 14, 4, kind="debris", z=z)
        try:
            scene.battle(run=False)
        except ContentError:
            return False
        return True

    assert placed(12, 3)
    assert placed(18, 3)
    assert not placed(18.1, 3)
    assert not placed(12, 2.9)
    assert not placed(12, 3, kind="debris")


@pytest.mark.rule("w10.terrain.woods.movement")
def test_woods_are_walked_into() -> None:
    """Woods on a base 0.2" high: a 6" move into them costs 6"; so without a base."""
    scene = Scene()
    ground = [(12, 5), (20, 5), (20, 15), (12, 15)]
    scene.area("woods", 12, 5, 20, 15, 4, masses=[{"polygon": ground, "height": 0.2, "walkable": True}])
    assert judged(walker(scene), (16, 10, 0.2)) == Fault.LEGAL
    assert judged(walker(scene), (16.1, 10, 0.2)) == Fault.TOO_FAR
    scene = Scene()
    scene.woods(12, 5, 20, 15)
    assert judged(walker(scene), (16, 10)) == Fault.LEGAL
    assert judged(walker(scene), (16.1, 10)) == Fault.TOO_FAR
    built = walker(scene)
    pick(built[0], "Normal move")
    assert walk(built[0], 0, 16, 10) == pytest.approx((16, 10))


def ruin(floor: float | None = None, girder: bool = False) -> Scene:
    """Ruins with a wall 5" high at x = 12.2, perhaps a floor behind it and a beam."""
    scene = Scene()
    parts: dict[str, Any] = {"walls": [{"line": [(12.2, 5.2), (12.2, 14.8)], "height": 5}]}
    if floor is not None:
        parts["floors"] = [{"polygon": [(13, 6), (20, 6), (20, 14), (13, 14)], "height": floor}]
    if girder:
        parts["masses"] = [{"polygon": [(14, 6), (14.4, 6), (14.4, 14), (14, 14)], "height": 4}]
    scene.area("ruins", 12, 5, 21, 15, 5, **parts)
    return scene


@pytest.mark.rule("w10.terrain.ruins.through")
@pytest.mark.parametrize("keyword", ["INFANTRY", "BEASTS"])
def test_infantry_and_beasts_move_through_ruins(keyword: str) -> None:
    """6" straight through the wall, a beam and a floor above; no end in the wall; up to a floor 3" high costs 3"."""
    for scene in (ruin(), ruin(3), ruin(girder=True)):
        assert judged(walker(scene, keywords=(keyword,)), (16, 10, 0)) == Fault.LEGAL
        assert judged(walker(scene, keywords=(keyword,)), (16.1, 10, 0)) == Fault.TOO_FAR
        assert judged(walker(scene, keywords=(keyword,)), (12.2, 10, 0)) == Fault.OVERLAPS_TERRAIN
    assert judged(walker(ruin(girder=True), keywords=(keyword,)), (14.2, 10, 0)) == Fault.OVERLAPS_TERRAIN
    assert judged(walker(ruin(3), keywords=(keyword,), M=7), (14, 10, 3)) == Fault.LEGAL
    assert judged(walker(ruin(3), keywords=(keyword,), M=6.9), (14, 10, 3)) == Fault.TOO_FAR
    # no end with the head in a floor
    assert judged(walker(ruin(1.4), keywords=(keyword,), height=1.5), (16, 10, 0)) == Fault.OVERLAPS_TERRAIN
    built = walker(ruin(), keywords=(keyword,))
    pick(built[0], "Normal move")
    assert walk(built[0], 0, 16, 10) == pytest.approx((16, 10))


@pytest.mark.rule("w10.terrain.ruins.through")
def test_others_climb_over_ruins_or_go_around() -> None:
    """A VEHICLE or MOUNTED model counts the wall up and down, or goes around it; INFANTRY climbs other walls too."""
    named = (("MONSTER", "IMPERIUM PRIMARCH"), ("MONSTER", "BELISARIUS CAWL"))  # in other editions
    for keywords in (("VEHICLE",), ("MOUNTED",), ("MONSTER", "FLY"), *named):
        assert judged(walker(ruin(), keywords=keywords), (16, 10, 0)) == Fault.TOO_FAR
        assert judged(walker(ruin(), keywords=keywords, M=15.9), (16, 10, 0)) == Fault.TOO_FAR
        assert judged(walker(ruin(), keywords=keywords, M=16), (16, 10, 0)) == Fault.LEGAL
        assert judged(walker(ruin(), keywords=keywords, at=(11, 4.4)), (13, 4.4), (16, 4.4)) == Fault.LEGAL
    wall = Scene()
    wall.wall(12.2, 5.2, 12.2, 14.8, 5, kind="building")
    assert judged(walker(wall), (16, 10, 0)) == Fault.TOO_FAR
    assert judged(walker(wall, M=16), (16, 10, 0)) == Fault.LEGAL


@pytest.mark.rule("w10.terrain.ruins.floors")
def test_who_may_end_on_floors() -> None:
    """A floor 3" up: INFANTRY, BEASTS and FLY wholly on it, never overhanging; others on the ground level only."""
    for keywords in (("INFANTRY",), ("BEASTS",), ("MOUNTED", "FLY")):
        unit = {"keywords": keywords, "M": 20}
        assert judged(walker(ruin(3), **unit), (16, 10, 3)) == Fault.LEGAL
        assert judged(walker(ruin(3), **unit), (13.5, 10, 3)) == Fault.LEGAL
        assert judged(walker(ruin(3), **unit), (13.4, 10, 3)) == Fault.MID_CLIMB
        assert judged(walker(ruin(3), **unit), (16, 10, 0)) == Fault.LEGAL
    for keywords in (("MOUNTED",), ("VEHICLE",), ("MONSTER",), ("MONSTER", "IMPERIUM PRIMARCH")):
        unit = {"keywords": keywords, "M": 20}
        assert judged(walker(ruin(3), **unit), (16, 10, 3)) == Fault.MID_CLIMB
        assert judged(walker(ruin(3), **unit), (16, 10, 0)) == Fault.LEGAL
        # a floor of a sealed building is a raised area as any other
        built = Scene()
        built.floor(13, 6, 20, 14, 3, kind="building")
        assert judged(walker(built, **unit), (16, 10, 3)) == Fault.LEGAL


@pytest.mark.rule("w10.terrain.ruins.floors")
def test_set_up_on_floors() -> None:
    """Deployment: the floor is offered to INFANTRY, a MOUNTED unit stands on the ground level below it."""
    for keyword, levels in (("INFANTRY", {0.0, 3.0}), ("MOUNTED", {0.0})):
        heights = set()
        for high in (False, True):
            scene = Scene()
            scene.floor(0, 0, 60, 10, 3)
            unit = scene.unit(0, sheet("Squad", keywords=(keyword,)), models=1, place="deploy")
            scene.unit(1, sheet("Foes"), models=1, place="deploy")
            battle = scene.battle("mission", detail="full")
            while battle.decision is not None and not battle.models.on_table[unit.first]:
                if battle.decision.kind == "place-level" and high:
                    battle.apply(battle.decision.options[-1])
                else:
                    battle.apply(battle.first_legal())
            heights.add(float(battle.models.z[unit.first]))
        assert heights == levels
