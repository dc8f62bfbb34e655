"""Sight and cover on ground: hills, forests, rivers, marshes."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest
from arming import man, rider
from heroes import hero
from oracles.wap_sights import base
from oracles.wap_woods import inches_inside, lines_between

from wh_env import Battle
from wh_env.rulesets.wap.basics.sight import find_who_see
from wh_env.rulesets.wap.charge.targets import in_reach
from wh_env.rulesets.wap.codes import HEAVY_COVER, LIGHT_COVER, NO_COVER
from wh_env.rulesets.wap.shooting.aims import eyes_of
from wh_env.rulesets.wap.shooting.cover import covers
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, firings
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, who_see

SCENES, LINES = 20, 200
BOWS = man("longbow")
LION = man(type="monster", base_mm=[50, 50])


def opposed(
    far: float, *, card: Any = None, foe: Any = None, between: Any = None, player: int = 0, **area: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit on y = 10 (its front) and an enemy so many inches ahead, perhaps a unit between; ``area``: one piece of
    ground.
    """
    scene = RegimentScene()
    few = {"models": 1} if card is LION else {"models": 5, "files": 5}
    unit = scene.unit(player, card, (24, 10), facing=NORTH, **few)
    enemy = scene.unit(1 - player, foe, (24, 10 + far), models=5, files=5, facing=SOUTH)
    if between is not None:
        scene.unit(1 - player, between, (24, 10 + 0.5 * far), models=24, files=24)
    if area:
        scene.area(**{"x0": 0, "x1": 48, **area})
    return scene.battle("movement", player=player, run=False), unit, enemy


def see(battle: Battle, a: UnitHandle, b: UnitHandle) -> tuple[bool, bool]:
    """Whether the one sees the other, and the other the one."""
    return bool(who_see(battle, a.row, b.row)), bool(who_see(battle, b.row, a.row))


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("deep", "seen"), [(4.9, True), (5.0, False), (7.0, False)])
@pytest.mark.rule("wap.terrain.forest.line-of-sight")
def test_five_inches_of_forest_hide(player: int, deep: float, seen: bool) -> None:
    battle, a, b = opposed(14, player=player, kind="forest", y0=13, y1=13 + deep)
    assert see(battle, a, b) == (seen, seen)


@pytest.mark.parametrize(("far", "seen"), [(3.0, True), (4.9, True), (5.1, False)])
@pytest.mark.rule("wap.terrain.forest.line-of-sight")
def test_units_in_the_same_forest_see_each_other_from_near(far: float, seen: bool) -> None:
    battle, a, b = opposed(far, kind="forest", y0=2, y1=30)
    assert see(battle, a, b) == (seen, seen)
    assert (b.row in in_reach(battle, a.row)) == seen
    battle, a, b = opposed(far, card=LION, kind="forest", y0=2, y1=30)  # a value of 5 is not above that of the forest
    assert see(battle, a, b)[1] == seen


@pytest.mark.rule("wap.terrain.forest.line-of-sight")
def test_a_monster_on_a_hill_sees_over_a_forest() -> None:
    scene = RegimentScene()
    lion = scene.unit(0, LION, (24, 10), models=1)
    foe = scene.unit(1, None, (24, 30), models=5, files=5, facing=SOUTH)
    scene.area("forest", 0, 12, 48, 24)
    battle = scene.battle("movement", run=False)
    assert see(battle, lion, foe) == (False, False)
    scene.area("hill", 20, 4, 28, 11)
    battle = scene.battle("movement", run=False)
    assert see(battle, lion, foe) == (True, True)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("kind", "levels", "sees"), [("cavalry", 1, True), ("monstrous cavalry", 1, False), ("monstrous cavalry", 2, True)]
)
@pytest.mark.rule("wap.terrain.hill.line-of-sight")
def test_infantry_on_a_hill_see_over_lower_units(player: int, kind: str, levels: int, sees: bool) -> None:
    between = rider() if kind == "cavalry" else man(type=kind, base_mm=[50, 75])
    battle, a, b = opposed(20, player=player, between=between, kind="hill", levels=levels, y0=4, y1=11)
    assert see(battle, a, b) == (sees, sees)
    battle, a, b = opposed(20, player=player, between=between)
    assert see(battle, a, b) == (False, False)


@pytest.mark.rule("wap.terrain.hill.line-of-sight")
def test_a_hill_hides_infantry_from_each_other_and_not_models_on_it() -> None:
    for south, north, seen in ((12, 16, False), (8, 16, True), (12, 32, True), (8, 32, True)):
        battle, a, b = opposed(20, kind="hill", y0=south, y1=north)
        assert see(battle, a, b) == (seen, seen), (south, north)
    battle, a, b = opposed(20, card=LION, kind="hill", y0=12, y1=16)
    assert see(battle, a, b) == (True, True)


@pytest.mark.rule("wap.terrain.hill.line-of-sight")
def test_only_the_models_on_the_hill_see_from_it() -> None:
    """Two of five stand on the hill; cavalry hides what is behind it from the others."""
    battle, a, b = opposed(20, between=rider(), kind="hill", x0=15, x1=23.4, y0=4, y1=11)
    assert len(who_see(battle, a.row, b.row)) == 2
    assert len(who_see(battle, b.row, a.row)) == 5


@pytest.mark.parametrize("kind", ["river", "marsh"])
@pytest.mark.rule("wap.terrain.river.line-of-sight")
@pytest.mark.rule("wap.terrain.marsh.line-of-sight")
def test_water_is_open_ground_to_the_eye(kind: str) -> None:
    for player in (0, 1):
        battle, a, b = opposed(14, card=BOWS, player=player, kind=kind, y0=12, y1=18)
        assert see(battle, a, b) == (True, True)
        assert set(covers(battle, a.row, b.row, set(eyes_of(battle, a.row, b.row))).values()) == {NO_COVER}


def shot_at(
    player: int, target: tuple[int, int], ground: list[tuple[Any, ...]], at: float = 26.0, **fields: Any
) -> list[tuple[int, int]]:
    """What ten archers at y = 10 need against a unit of (models, files) whose front is at y = ``at``, and how many need
    it.
    """
    scene = RegimentScene((60, 48))
    bows = scene.unit(player, BOWS, (30, 10), models=10, files=10, facing=NORTH)
    foe = scene.unit(1 - player, man(), (30, at), models=target[0], files=target[1], facing=SOUTH)
    for area in ground:
        scene.area(*area, **fields)
    battle = scene.battle("shooting", player=player, run=False)
    return sorted((firing.needed, firing.shots) for firing in firings(battle, bows.row, foe.row, 0, IN_PHASE))


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("edge", "needed"), [(30.6, 5), (30.1, 4)])
@pytest.mark.rule("wap.terrain.forest.cover-inside")
def test_a_unit_of_which_most_models_are_in_a_forest_is_in_light_cover(player: int, edge: float, needed: int) -> None:
    """A rank of twenty, its middle at x = 30: the forest ends behind the eleventh model from the left, or the tenth."""
    ground = [("forest", 5, 25.5, edge, 35)]
    assert shot_at(player, (20, 20), ground) == [(needed, 10)]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.forest.cover-through")
def test_archers_that_look_through_a_forest_see_the_target_in_light_cover(player: int) -> None:
    """A wood three inches deep stands before six of ten archers, and right before the target's three models."""
    assert shot_at(player, (3, 3), [("forest", 5, 22, 55, 25)]) == [(5, 10)]
    found = shot_at(player, (3, 3), [("forest", 28.6, 11, 55, 14)])
    assert found == [(4, 4), (5, 6)]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.terrain.forest.cover-exception")
def test_archers_that_shoot_out_of_a_forest_have_no_penalty(player: int) -> None:
    assert shot_at(player, (10, 10), [("forest", 5, 4, 55, 12)]) == [(4, 10)]
    assert shot_at(player, (10, 10), [("forest", 5, 4, 55, 35)], at=13.0) == [(5, 10)]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("edge", "needed"), [(30.6, 6), (29.9, 4)])
@pytest.mark.rule("wap.terrain.marsh.mist.cover")
def test_most_models_in_mist_are_in_heavy_cover(player: int, edge: float, needed: int) -> None:
    ground = [("marsh", 5, 25, edge, 35)]
    assert shot_at(player, (10, 10), ground, example="mist-wreathed swamp") == [(needed, 10)]
    assert shot_at(player, (10, 10), ground) == [(4, 10)]


def test_a_hill_gives_cover_to_a_unit_that_stands_behind_it_in_part() -> None:
    scene = RegimentScene()
    bows = scene.unit(0, BOWS, (24, 10), models=1, files=1, facing=NORTH)
    foe = scene.unit(1, man(), (24, 30), models=10, files=10, facing=SOUTH)
    scene.area("hill", 10, 26, 25, 28)
    battle = scene.battle("shooting", run=False)
    assert list(covers(battle, bows.row, foe.row, {bows.first}).values()) == [HEAVY_COVER]
    assert LIGHT_COVER < HEAVY_COVER


def wood_at_random(rng: np.random.Generator, middle: Any) -> list[tuple[float, float]]:
    """A wood of five to seven corners, convex or not."""
    x, y = middle
    turns = np.sort(rng.uniform(0, 2 * pi, int(rng.integers(5, 8))))
    return [(x + r * cos(t), y + r * sin(t)) for t, r in zip(turns, rng.uniform(2, 9, len(turns)), strict=True)]


@pytest.mark.rule("wap.terrain.forest.line-of-sight")
def test_models_see_each_other_through_woods_as_lines_at_random_do() -> None:
    """Where one of 200 lines has less than five inches of wood the model sees; where it sees, the line found has not
    more.
    """
    rng = np.random.default_rng(11)
    hidden = seen = 0
    while hidden < SCENES or seen < SCENES:
        scene = RegimentScene()
        places = np.array([rng.uniform((4, 4), (44, 14)), rng.uniform((4, 34), (44, 44))])
        ahead = float(np.arctan2(*(places[1] - places[0])[::-1]))
        eye = scene.unit(0, None, tuple(places[0]), models=1, files=1, facing=ahead + rng.uniform(-0.5, 0.5))
        foe = scene.unit(1, None, tuple(places[1]), models=1, files=1, facing=rng.uniform(-pi, pi))
        wood = wood_at_random(rng, places.mean(axis=0) + rng.uniform(-4, 4, 2))
        scene.feature("forest", wood)
        try:
            battle = scene.battle("movement", run=False)
        except Exception as error:
            if "overlap" in str(error) or "intersects" in str(error):
                continue
            raise
        m = battle.models
        ends = [base(m.x[k], m.y[k], m.facing[k], 0.5, 0.5) for k in (0, 1)]
        lines = lines_between(ends[0], m.facing[0], ends[1], rng, LINES)
        if len(lines[0]) == 0:
            continue
        least = inches_inside(*lines, np.array(wood)).min()
        sees = bool(find_who_see(battle, eye.row, foe.row))
        if least < 4.99:
            assert sees, (wood, least)
        if sees and least > 0.0:
            line = battle.work.sights.line
            assert inches_inside(line[None, :2], line[None, 2:], np.array(wood))[0] < 5.0
            seen += 1
        if not sees and least < 30.0:
            more = lines_between(ends[0], m.facing[0], ends[1], rng, LINES)
            assert inches_inside(*more, np.array(wood)).min() > 4.99
            hidden += 1


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.special.aquatic.shooting")
def test_aquatic_models_in_a_river_are_harder_to_hit(player: int) -> None:
    """Ten in a rank; six of them are in the river, or five. Archers of Ballistic Skill 4 need 3s."""
    for edge, rules, needed in ((31.1, ["Aquatic"], 4), (30.1, ["Aquatic"], 3), (31.1, [], 3)):
        scene = RegimentScene((60, 48))
        bows = scene.unit(player, man("longbow", bs=4), (30, 10), models=10, files=10, facing=NORTH)
        foe = scene.unit(1 - player, man(rules=rules), (30, 26), models=10, files=10, facing=SOUTH)
        scene.area("river", 5, 22, edge, 35)
        battle = scene.battle("shooting", player=player, run=False)
        assert [firing.needed for firing in firings(battle, bows.row, foe.row, 0, IN_PHASE)] == [needed]
    scene = RegimentScene((60, 48))
    bows = scene.unit(player, man("longbow", bs=4), (30, 10), models=10, files=10, facing=NORTH)
    foe = scene.unit(1 - player, man(rules=["Aquatic"]), (30, 26), models=10, files=10, facing=SOUTH)
    scene.unit(1 - player, hero(), models=1, inside=foe)
    scene.area("river", 5, 22, 55, 35)
    battle = scene.battle("shooting", player=player, run=False)
    assert [firing.needed for firing in firings(battle, bows.row, foe.row, 0, IN_PHASE)] == [3]
