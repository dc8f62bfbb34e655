"""Obscuring (w9.terrain.obscuring.*, w9.terrain.traits-add-to-visibility)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.testing import choose, in_sight, ranged, sheet, slots

FEET = ("INFANTRY",)
TANK = ("VEHICLE",)
PLANE = ("VEHICLE", "AIRCRAFT", "FLY")


def ruin(scene, y=20.0, height=5.0, window=True):
    """A ruin of 10" by 4" with a wall along each long side, which can be seen through between x 18 and 22."""
    gaps = [(15.1, 18.0), (22.0, 24.9)] if window else [(15.1, 24.9)]
    walls = [{"line": [(a, y + d), (b, y + d)], "height": height} for d in (0.3, 3.7) for a, b in gaps]
    scene.area("ruins", 15, y, 25, y + 4, height, walls=walls)


def seen(at, target, *, player=0, height=5.0, window=True, second=None, other=None, mine=None):
    """Whether a model sees another past a ruin from y 20 to 24: each told by in_sight and by whom it may shoot at."""
    scene = NinthScene()
    ruin(scene, height=height, window=window)
    if second is not None:
        ruin(scene, y=second)
    shooter = {"keywords": FEET, "W": 2, **(mine or {})}
    aimed = {"keywords": FEET, "W": 2, **(other or {})}
    a = scene.unit(player, sheet("Guns", weapons={"gun": ranged(60)}, **shooter), at=at)
    e = scene.unit(1 - player, sheet("X", **aimed), at=target)
    battle = scene.battle("shooting", active=player, detail="full")
    sight = in_sight(battle, a.first, e.first)
    offered = battle.decision is not None and battle.decision.kind == "select-to-shoot"
    assert offered == sight
    if offered:
        choose(battle, "own", 0)
        assert slots(battle, "enemy") == [0]
    return sight


@pytest.mark.rule("w9.terrain.obscuring")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("height", "visible"), [(5.0, False), (4.9, True), (8.0, False)])
def test_nobody_sees_through_a_ruin_five_inches_high(player, height, visible):
    """The line of fire passes where there is no wall."""
    assert seen((20, 10), (20, 34), player=player, height=height) == visible


@pytest.mark.rule("w9.terrain.obscuring")
def test_below_five_inches_true_line_of_sight_decides():
    assert not seen((20, 10), (20, 34), height=4.9, window=False)
    assert seen((20, 10), (20, 34), height=4.9, window=True)


@pytest.mark.rule("w9.terrain.obscuring")
def test_nobody_sees_over_it_and_lines_past_it_are_free():
    """A hill on both sides lifts both models above the ruin; beside it they see each other."""
    scene = NinthScene()
    ruin(scene, window=False)
    for y in (8, 30):
        scene.box(15, y, 25, y + 6, 9, kind="hill")
    a = scene.unit(0, sheet("A"), at=(20, 11, 9))
    e = scene.unit(1, sheet("E"), at=(20, 33, 9))
    battle = scene.battle("shooting", run=False)
    assert not in_sight(battle, a.first, e.first)
    assert seen((26, 10), (26, 34))
    assert seen((25.3, 10), (25.3, 34))  # one line past the side is enough
    assert not seen((24.2, 10), (24.2, 34))


@pytest.mark.rule("w9.terrain.height", "w9.terrain.obscuring")
@pytest.mark.parametrize(("spire", "visible"), [(5.2, False), (4.9, True)])
def test_one_spire_makes_the_whole_feature_high(spire, visible):
    scene = NinthScene()
    walls = [{"line": [(15.1, 20.3), (17, 20.3)], "height": 2}, {"line": [(15.1, 23.7), (15.9, 23.7)], "height": spire}]
    scene.area("ruins", 15, 20, 25, 24, 2, walls=walls)
    a = scene.unit(0, sheet("A"), at=(21, 10))
    e = scene.unit(1, sheet("E"), at=(21, 34))
    assert in_sight(scene.battle("shooting", run=False), a.first, e.first) == visible


@pytest.mark.rule("w9.terrain.obscuring.within")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("y", "visible"), [(19.7, True), (20.3, True), (22.0, True), (19.4, False)])
def test_models_on_or_within_it_see_and_are_seen(player, y, visible):
    """A base of 1" over the footprint (from y 20 on) by 0.2", by more, wholly; and not at all."""
    assert seen((20, y), (20, 29), player=player) == visible
    assert seen((20, 29), (20, y), player=player) == visible


@pytest.mark.rule("w9.terrain.obscuring.within")
def test_within_it_walls_still_hide():
    assert not seen((20, 19.7), (20, 29), window=False)


@pytest.mark.rule("w9.terrain.obscuring.within")
@pytest.mark.parametrize("player", [0, 1])
def test_a_second_ruin_wholly_between_hides(player):
    assert not seen((20, 19.7), (20, 38), player=player, second=28.0)
    assert seen((20, 19.7), (20, 38), player=player)


@pytest.mark.rule("w9.terrain.obscuring.large")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("keywords", "wounds", "visible"),
    [(TANK, 20, True), (TANK, 18, True), (TANK, 17, False), (PLANE, 10, True), (("MONSTER",), 18, True)],
)
def test_large_models_are_seen_through_it(player, keywords, wounds, visible):
    other = {"keywords": keywords, "W": wounds, "base_mm": 60, "height": 4.0}
    assert seen((20, 10), (20, 34), player=player, other=other) == visible


@pytest.mark.rule("w9.terrain.obscuring.large", "w9.terrain.traits-add-to-visibility")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keywords", [TANK, PLANE])
def test_large_models_must_be_seen_physically(player, keywords):
    other = {"keywords": keywords, "W": 20, "base_mm": 60, "height": 4.0}
    assert not seen((20, 10), (20, 29), player=player, window=False, other=other)


@pytest.mark.rule("w9.terrain.traits-add-to-visibility")
@pytest.mark.parametrize(("height", "visible"), [(6.0, False), (2.0, True)])
def test_a_solid_wall_hides_an_aircraft_whatever_the_trait(height, visible):
    """A wall 6" high hides an AIRCRAFT on a low stand; one 2" high does not."""
    scene = NinthScene()
    scene.area("ruins", 15, 20, 25, 24, 6.0, walls=[{"line": [(15.1, 22), (24.9, 22)], "height": height}])
    a = scene.unit(0, sheet("A"), at=(20, 16))
    e = scene.unit(1, sheet("E", keywords=PLANE, W=10, height=3.0), at=(20, 27))
    assert in_sight(scene.battle("shooting", run=False), a.first, e.first) == visible


@pytest.mark.rule("w9.terrain.traits-add-to-visibility")
def test_dense_cover_hides_nobody():
    scene = NinthScene()
    scene.woods(15, 20, 25, 24, height=6)
    a = scene.unit(0, sheet("A"), at=(20, 16))
    e = scene.unit(1, sheet("E"), at=(20, 30))
    assert in_sight(scene.battle("shooting", run=False), a.first, e.first)


@pytest.mark.rule("w9.terrain.obscuring.reverse")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("keywords", "wounds"), [(TANK, 20), (PLANE, 10)])
def test_large_models_do_not_see_through_it(player, keywords, wounds):
    mine = {"keywords": keywords, "W": wounds, "base_mm": 60, "height": 4.0}
    assert not seen((20, 10), (20, 34), player=player, mine=mine)
    assert seen((20, 10), (20, 34), player=player, mine=mine, other={"keywords": TANK, "W": 20})
    assert seen((20, 10), (20, 22), player=player, mine=mine)  # a model within it
