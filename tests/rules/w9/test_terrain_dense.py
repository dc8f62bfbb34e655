"""Dense Cover (w9.terrain.dense-cover.*, w9.terrain.height)."""

from __future__ import annotations

from math import pi

import pytest
from ninth import NinthScene

from wh_env.testing import choose, dice_left, pick, ranged, sheet, told

HIT = "w9.attack.hit"
GUN = ranged(60, BS=3, S=8)


def hit(
    at=(20, 30),
    *,
    shooter=(20, 5),
    height=4.0,
    player=0,
    terrain=None,
    BS=3,
    keywords=("INFANTRY",),
    W=9,
    base_mm=25.4,
    shooter_keywords=("INFANTRY",),
):
    """The die that a shot needs through a wood from x 15 to 25, y 15 to 18."""
    scene = NinthScene()
    if terrain is None:
        scene.woods(15, 15, 25, 18, height=height)
    else:
        terrain(scene)
    gun = {"gun": ranged(60, BS=BS, S=8)}
    scene.unit(player, sheet("Guns", weapons=gun, keywords=shooter_keywords), at=shooter)
    where = at if isinstance(at, list) else [at]
    scene.unit(1 - player, sheet("X", W=W, keywords=keywords, base_mm=base_mm), at=where, models=len(where))
    battle = scene.battle("shooting", active=player, dice=[1])
    pick(battle, "Guns")
    assert dice_left(battle) == 0
    (roll,) = told(battle, HIT)
    return roll["needed"]


@pytest.mark.rule("w9.terrain.dense-cover")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("at", "shooter", "needed"),
    [
        ((20, 30), (20, 5), 4),  # right behind it
        ((30, 30), (30, 5), 3),  # beside it
        ((20, 30), (20, 22), 3),  # both on the same side
        ((20, 16.5), (20, 5), 4),  # the target within it
        ((20, 10), (20, 5), 3),  # both before it
        ((24.6, 30), (24.6, 5), 4),  # a part of the base behind it, whatever point the lines start from
        ((25.2, 30), (25.2, 5), 3),  # seen whole from the right side of the shooter's base
        ((25.6, 30), (25.6, 5), 3),
    ],
)
def test_a_wood_between_shooter_and_target(player, at, shooter, needed):
    assert hit(at, shooter=shooter, player=player) == needed


@pytest.mark.rule("w9.terrain.dense-cover")
@pytest.mark.parametrize("player", [0, 1])
def test_one_model_of_the_target_in_the_open_is_enough(player):
    assert hit([(22, 30), (23.2, 30)], shooter=(22, 5), player=player) == 4
    assert hit([(25, 30), (26.5, 30), (28, 30)], shooter=(25, 5), player=player) == 3
    assert hit([(24, 30), (25.2, 30)], shooter=(24, 5), player=player) == 4  # half in the open is not


@pytest.mark.rule("w9.terrain.dense-cover", "w9.terrain.height")
@pytest.mark.parametrize(("height", "needed"), [(3.0, 4), (2.9, 3), (6.0, 4), (0.0, 3)])
def test_it_must_be_three_inches_high(height, needed):
    assert hit(height=height) == needed


@pytest.mark.rule("w9.terrain.height")
@pytest.mark.parametrize(("spire", "needed"), [(5.2, 4), (2.5, 3)])
def test_the_highest_point_counts(spire, needed):
    """All of the feature is low but for one spire at its end, nowhere near the line of fire."""

    def low_wood(scene):
        trunk = {"polygon": [(15.2, 15.2), (15.6, 15.2), (15.6, 15.6), (15.2, 15.6)], "height": spire}
        scene.area("woods", 15, 15, 25, 18, 2.0, masses=[trunk])

    assert hit(terrain=low_wood) == needed


@pytest.mark.rule("w9.terrain.dense-cover")
def test_it_does_not_help_against_melee_and_other_traits_do_nothing():
    def crater(scene):
        scene.crater(15, 15, 25, 18)

    def barricade(scene):
        scene.box(15, 15, 25, 16, 1, kind="barricade")

    assert hit(terrain=crater) == 3
    assert hit(terrain=barricade) == 3


@pytest.mark.rule("w9.terrain.dense-cover")
def test_two_woods_are_worse_no_more_than_one():
    def woods(scene):
        scene.woods(15, 15, 25, 18)
        scene.woods(15, 20, 25, 23)

    assert hit(terrain=woods) == 4


@pytest.mark.rule("w9.terrain.dense-cover")
def test_two_woods_that_leave_no_gap_hide_together():
    """Each of them alone leaves lines from one side of the base; both together none."""

    def left(scene):
        scene.woods(10, 15, 19.9, 18)

    def both(scene):
        left(scene)
        scene.woods(20.1, 15, 30, 18)

    assert hit(terrain=left, shooter=(20.6, 5), at=(20.6, 30)) == 3
    assert hit(terrain=both) == 4


@pytest.mark.rule("w9.terrain.dense-cover.no-cover-needed")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("keywords", [("VEHICLE",), ("MONSTER",), ("INFANTRY",)])
def test_whoever_stands_behind_it_need_not_be_able_to_take_cover(player, keywords):
    """A target 10" behind a wood, BS 4+."""
    assert hit((20, 30), BS=4, keywords=keywords, base_mm=80, player=player) == 5
    assert hit((35, 30), BS=4, keywords=keywords, base_mm=80, player=player) == 4


@pytest.mark.rule("w9.terrain.dense-cover.own-feature")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("shooter", [(20, 16.5), (20, 14.6)])
def test_out_of_a_wood_there_is_no_penalty(player, shooter):
    """Within the wood, and with a part of the base over it."""
    assert hit(shooter=shooter, player=player) == 3
    assert hit(shooter=(20, 14.4), player=player) == 4

    def second(scene):
        scene.woods(15, 15, 25, 18)
        scene.woods(15, 22, 25, 24)

    assert hit(shooter=shooter, player=player, terrain=second) == 4


@pytest.mark.rule("w9.terrain.dense-cover.large")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("wounds", "keywords", "needed"),
    [
        (18, ("VEHICLE",), 3),
        (17, ("VEHICLE",), 4),
        (18, ("MONSTER",), 3),
        (9, ("VEHICLE", "AIRCRAFT", "FLY"), 3),
        (9, ("VEHICLE", "FLY"), 4),
    ],
)
def test_large_targets_are_not_hidden(player, wounds, keywords, needed):
    assert hit(W=wounds, keywords=keywords, player=player) == needed


@pytest.mark.rule("w9.terrain.dense-cover.timing")
@pytest.mark.parametrize("player", [0, 1])
def test_it_is_determined_when_targets_are_selected(player):
    """One of two target models stands in the open and falls to the first weapon; the second has no penalty for that."""
    weapons = {"first": GUN, "second": ranged(60, BS=3, S=9)}
    scene = NinthScene()
    scene.woods(15, 15, 25, 18)
    scene.unit(player, sheet("Guns", weapons=weapons), at=(25, 5))
    unit = scene.unit(1 - player, sheet("X", Sv=6), at=[(26.5, 30), (25, 30)])
    battle = scene.battle("shooting", active=player, detail="full", dice=[3, 2, 1, 3, 2, 1])
    pick(battle, "Guns")
    pick(battle, "at X")
    pick(battle, "at X")
    pick(battle, "resolve first")
    choose(battle, "model", 0)
    assert [battle.models.alive[unit.model(n)] for n in range(2)] == [0, 0]
    assert [e["needed"] for e in told(battle, HIT)] == [3, 3]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.terrain.dense-cover.timing")
def test_it_is_determined_for_each_firing_model():
    scene = NinthScene()
    scene.woods(15, 15, 25, 18)
    scene.unit(0, sheet("Guns", weapons={"gun": GUN}), at=[(24.5, 10), (26.5, 12), (28.5, 14)])
    scene.unit(1, sheet("X", W=9), at=(25.2, 25))
    battle = scene.battle("shooting", dice=[1, 1, 1])
    pick(battle, "Guns")
    assert {e["attacker"]: e["needed"] for e in told(battle, HIT)} == {0: 4, 1: 3, 2: 3}


@pytest.mark.rule("w9.terrain.dense-cover")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("x", "needed"), [(20, 4), (30, 3)])
def test_all_weapons_of_a_model_suffer_from_it(x, needed, player):
    """Two different weapons fired at the same unit behind a wood, or beside it."""
    weapons = {"first": GUN, "second": ranged(60, BS=3, S=9)}
    scene = NinthScene()
    scene.woods(15, 15, 25, 18)
    scene.unit(player, sheet("Guns", weapons=weapons), at=(x, 5))
    scene.unit(1 - player, sheet("X", W=9), at=(x, 30))
    battle = scene.battle("shooting", active=player, dice=[1, 1])
    pick(battle, "Guns")
    while battle.decision is not None and battle.decision.kind == "profile-order":
        choose(battle, "number", 0)
    assert [e["needed"] for e in told(battle, HIT)] == [needed, needed]


@pytest.mark.rule("w9.terrain.dense-cover")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("way", [-1, 1])
@pytest.mark.parametrize(("covers", "needed"), [(0.1, 4), (-0.1, 3)])
def test_every_corner_of_a_hull_must_be_clear(covers, needed, way, side, player):
    """A hull of 4" across and 6" along the line of fire: the wood reaches just over the line to its nearest corner, or
    just not, seen from the base's far side."""
    edge = 1.0 - covers  # where the line from the far side of the base to the corner leaves the wood, off the middle
    low, high = sorted((30 + 7 * way, 30 + 10 * way))
    scene = NinthScene()
    scene.woods(*((20 + edge, low, 30, high) if side == "right" else (10, low, 20 - edge, high)))
    scene.unit(player, sheet("Guns", weapons={"gun": GUN}), at=(20, 30 + 13 * way))
    hull = sheet("X", W=9, hull_in=(4, 6), height=2.0, models=(1, 1), keywords=("VEHICLE",))
    scene.unit(1 - player, hull, at=(20, 30), facing=0.0)
    battle = scene.battle("shooting", active=player, dice=[1])
    pick(battle, "Guns")
    assert [e["needed"] for e in told(battle, HIT)] == [needed]


@pytest.mark.rule("w9.terrain.dense-cover")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("facing", [0.0, pi / 2, pi, 3 * pi / 2])
@pytest.mark.parametrize(("across", "needed"), [(-4.2, 4), (-2, 3), (2, 3), (4.2, 4)])
def test_one_point_of_a_hull_that_sees_through_a_gap_is_enough(across, needed, facing, player):
    """Two woods with a gap of 1.5", the target behind it: before the gap is a part of the front of a hull 6" square, or
    not."""
    x = 20 + across
    scene = NinthScene()
    scene.woods(5, 15, x - 0.75, 18)
    scene.woods(x + 0.75, 15, 35, 18)
    hull = sheet("Guns", weapons={"gun": GUN}, hull_in=(6, 6), height=2.0, models=(1, 1), keywords=("VEHICLE",))
    scene.unit(player, hull, at=(20, 5), facing=facing)
    scene.unit(1 - player, sheet("X", W=9), at=(x, 30))
    battle = scene.battle("shooting", active=player, dice=[1])
    pick(battle, "Guns")
    assert [e["needed"] for e in told(battle, HIT)] == [needed]


@pytest.mark.rule("w9.terrain.dense-cover")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("facing", [0.0, pi / 2])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("aside", "needed"), [(0.0, 3), (5.0, 4)])
def test_one_point_of_a_hull_that_sees_askew_through_a_gap_is_enough(aside, needed, side, facing, player):
    """The line from the front of a hull 6" square, 2" beside its middle, to the target passes through a gap of 1.5"; or
    the gap is 5" farther to the side, where no line passes through it."""
    gap = 20 + side * (4.48 + aside)
    scene = NinthScene()
    scene.woods(1, 12, gap - 0.75, 12.5)
    scene.woods(gap + 0.75, 12, 39, 12.5)
    hull = sheet("Guns", weapons={"gun": GUN}, hull_in=(6, 6), height=2.0, models=(1, 1), keywords=("VEHICLE",))
    scene.unit(player, hull, at=(20, 5), facing=facing)
    scene.unit(1 - player, sheet("X", W=9), at=(20 + side * 12.5, 26))
    battle = scene.battle("shooting", active=player, dice=[1])
    pick(battle, "Guns")
    assert [e["needed"] for e in told(battle, HIT)] == [needed]
