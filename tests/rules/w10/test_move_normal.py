"""Normal moves and what holds for every move: distance, paths, whom a model moves over, where it may not end."""

from __future__ import annotations

from math import cos, hypot, pi, sin

import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import Scene, UnitHandle, cell_nearest, pick, sheet, slots, told
from wh_env.testing.melee_moves import check_pile_in_move
from wh_env.testing.moves import check_move, judged, reachable, walk

Spot = tuple[float, float]


def duel(
    mine: list[Spot] | Spot, foes: list[Spot] | Spot = (50, 40), detail: str = "full", **fields: object
) -> tuple[Battle, UnitHandle]:
    """A unit of player 0 and one of player 1, in the Movement phase of player 0."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", **fields), at=mine, models=None if isinstance(mine, list) else 1)  # type: ignore[arg-type]
    scene.unit(1, sheet("Foes"), at=foes, models=None if isinstance(foes, list) else 1)
    return scene.battle(detail=detail), squad


@pytest.mark.rule("w10.move.normal")
def test_a_normal_move_goes_up_to_m_inches() -> None:
    """M 6": a path of 6.0" is legal, one of 6.1" is not."""
    battle, squad = duel((10, 10))
    assert judged(battle, squad, (16, 10)) == Fault.LEGAL
    assert judged(battle, squad, (16.1, 10)) == Fault.TOO_FAR
    assert judged(battle, squad, (12, 10), (12, 14)) == Fault.LEGAL  # 2" and 4"
    assert judged(battle, squad, (12, 10), (12, 14.1)) == Fault.TOO_FAR


@pytest.mark.rule("w10.move.normal")
def test_a_normal_move_model_by_model() -> None:
    """Full detail offers the places up to 6.0" away and none beyond."""
    battle, _ = duel((10, 10))
    pick(battle, "Normal move")
    assert walk(battle.clone(), 0, 16, 10) == pytest.approx((16, 10))
    with pytest.raises(LookupError):
        walk(battle.clone(), 0, 16.1, 10)
    assert walk(battle, 0, 10 + 6 * cos(1), 10 + 6 * sin(1)) == pytest.approx(
        (10 + 6 * cos(1), 10 + 6 * sin(1)), abs=0.07
    )
    assert hypot(battle.models.x[0] - 10, battle.models.y[0] - 10) <= 6.0001


@pytest.mark.rule("w10.move.normal")
def test_a_normal_move_of_the_whole_unit() -> None:
    """Squad detail: every cell within 6" of free ground is offered, none beyond; all models move alike."""
    battle, _ = duel([(20, 20), (21.5, 20)], detail="squad")
    pick(battle, "Normal move")
    grid, step = battle.setup.space.grid, 12 / (battle.setup.space.grid - 1)
    offered = set(slots(battle, "cell"))
    for cell in range(grid * grid):
        inches = hypot(cell % grid - grid // 2, cell // grid - grid // 2) * step
        assert (cell in offered) == (inches <= 6.0001)
    battle.apply(battle.setup.space.cell + cell_nearest(battle, 6, 0, 6))
    assert list(battle.models.x)[:2] == pytest.approx([26, 27.5])
    assert list(battle.models.y)[:2] == pytest.approx([20, 20])
    assert told(battle, "w10.move.normal")[0] == {"unit": 0, "path": [(6.0, 0.0)]}


def mixed(detail: str) -> Battle:
    """A unit of one model with M 6" and one with M 5"."""
    scene = Scene()
    data = sheet("Squad", M=6, models=(1, 1))
    slow = {**data["models"][0], "name": "Slow", "M": 5}
    scene.unit(
        0,
        {**data, "models": [data["models"][0], slow], "points": [{"models": 2, "points": 50}]},
        at=[(20, 20), (20, 21.5)],
        models=2,
    )
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return scene.battle(detail=detail)


@pytest.mark.rule("w10.move.normal")
def test_models_of_one_unit_are_limited_by_their_own_m() -> None:
    """M 6" and M 5" in one unit: 6" and 5" are legal, 5.1" of the slow one is not; moved as one they go 5"."""
    battle = mixed("full")
    assert check_move(battle.clone(), 0, "normal", {0: [(26, 20)], 1: [(25, 21.5)]}) == Fault.LEGAL
    assert check_move(battle.clone(), 0, "normal", {0: [(26, 20)], 1: [(25.1, 21.5)]}) == Fault.TOO_FAR
    pick(battle, "Normal move")
    assert walk(battle, 0, 26, 20) == pytest.approx((26, 20))
    with pytest.raises(LookupError):
        walk(battle.clone(), 1, 25.1, 21.5)
    assert walk(battle, 1, 25, 21.5) == pytest.approx((25, 21.5))
    together = mixed("squad")
    pick(together, "Normal move")
    together.apply(together.setup.space.cell + cell_nearest(together, 5, 0, 5))  # the last cell of the row
    assert list(together.models.x)[:2] == pytest.approx([25, 25])


@pytest.mark.rule("w10.move.normal.engagement")
def test_a_normal_move_keeps_out_of_engagement_range_on_the_way_and_at_the_end() -> None:
    """A path that passes 0.9" from an enemy is rejected although it ends 3" from it; passing at 1.1" is legal."""
    for gap, verdict in ((0.9, Fault.ENGAGES_ON_THE_WAY), (1.0, Fault.ENGAGES_ON_THE_WAY), (1.1, Fault.LEGAL)):
        battle, squad = duel((10, 10), (12, 11 + gap))
        end = 12 + (4.0**2 - (1 + gap) ** 2) ** 0.5  # bases 3" apart
        assert judged(battle, squad, (end, 10)) == verdict
    battle, squad = duel((10, 10), (16, 10))
    assert judged(battle, squad, (13.95, 10)) == Fault.LEGAL  # 1.05" away
    assert judged(battle, squad, (14.05, 10)) == Fault.ENGAGES_ON_THE_WAY  # 0.95" away


@pytest.mark.rule("w10.move.normal.engagement")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_no_end_within_engagement_range_is_offered(detail: str) -> None:
    """Of all places that are offered none is within 1" of the enemy, and some are just outside."""
    battle, _ = duel((10, 10), (14, 10), detail=detail)
    pick(battle, "Normal move")
    if detail == "full":
        pick(battle, "Squad 1")
    gaps = []
    for cell in slots(battle, "cell"):
        grid = battle.setup.space.grid
        x, y = 10 + (cell % grid - grid // 2) * 0.75, 10 + (cell // grid - grid // 2) * 0.75
        gaps.append(hypot(x - 14, y - 10) - 1)
    assert 1.0 < min(gaps) < 1.5
    assert cell_nearest(battle, 3, 0, 6) not in slots(battle, "cell")  # base contact


@pytest.mark.rule("w10.move.models.path")
def test_a_path_may_bend_within_the_distance() -> None:
    """An enemy stands between: 3" and 3" around it is legal, 3.5" and 3" is not, nor straight through; an arc is legal."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=(10, 10), models=1)
    scene.unit(1, sheet("Foes", base_mm=10), at=(12, 9.4), models=1)
    battle = scene.battle(detail="full")
    assert judged(battle, squad, (14, 10)) == Fault.CROSSES_ENEMY
    assert judged(battle, squad, (12, 10 + 5**0.5), (14, 10)) == Fault.LEGAL  # two legs of 3"
    x = (3.5**2 - 3.0**2 + 4.0**2) / 8
    assert judged(battle, squad, (10 + x, 10 + (3.5**2 - x * x) ** 0.5), (14, 10)) == Fault.TOO_FAR
    arc = [(12 - 2 * cos(a), 10 + 1.5 * sin(a)) for a in (pi * k / 24 for k in range(1, 25))]
    assert judged(battle, squad, *arc) == Fault.LEGAL
    assert reachable(battle, squad, 0, (14, 10)) is not None  # and the engine finds a way itself
    pick(battle, "Normal move")
    assert walk(battle, 0, 14, 10) == pytest.approx((14, 10), abs=0.07)


@pytest.mark.rule("w10.move.models.path")
def test_a_model_may_pivot_and_move_or_only_pivot() -> None:
    """An oval base of 4" by 2": it may turn in place, or turn and move, within its allowance."""
    battle, _ = duel((20, 20), base_mm=(101.6, 50.8), M=8)
    pick(battle, "Normal move")
    only = battle.clone()
    walk(only, 0, 20, 20, facing=12)
    assert (only.models.x[0], only.models.y[0], only.models.facing[0]) == pytest.approx((20, 20, pi))
    walk(battle, 0, 20, 23, facing=3)
    assert (battle.models.y[0], battle.models.facing[0]) == pytest.approx((23, pi / 4), abs=0.06)


@pytest.mark.rule("w10.move.models.not-over-enemies")
def test_no_part_of_the_base_passes_over_an_enemy() -> None:
    """A straight 6" path whose sweep touches an enemy base is rejected; without the enemy it is legal."""
    for aside in (0.0, 0.9):  # through its middle, and over the rim of its base
        battle, squad = duel((10, 10), (13, 10 + aside))
        assert judged(battle, squad, (16, 10)) == Fault.CROSSES_ENEMY
    battle, squad = duel((10, 10), (13, 20))
    assert judged(battle, squad, (16, 10)) == Fault.LEGAL


@pytest.mark.rule("w10.move.models.battlefield-edge")
def test_the_edge_of_the_battlefield() -> None:
    """A 2" base 1.5" from the edge: 1.5" towards it is legal, 1.6" is not; nor out and back in on the way."""
    battle, squad = duel((10, 2.5), base_mm=50.8)
    assert judged(battle, squad, (10, 1)) == Fault.LEGAL
    assert judged(battle, squad, (10, 0.9)) == Fault.OFF_TABLE
    assert judged(battle, squad, (10, 0.9), (11, 2.5)) == Fault.OFF_TABLE
    pick(battle, "Normal move")
    assert walk(battle.clone(), 0, 10, 1.0)[1] == pytest.approx(1.0, abs=0.05)
    assert walk(battle.clone(), 0, 10, 1.0)[1] >= 1.0
    with pytest.raises(LookupError):
        walk(battle, 0, 10, 0.9)
    together, _ = duel((10, 2.5), base_mm=50.8, detail="squad")
    pick(together, "Normal move")
    step = 12 / (together.setup.space.grid - 1)
    rows = {cell // together.setup.space.grid - together.setup.space.grid // 2 for cell in slots(together, "cell")}
    assert min(rows) * step == -1.5


def with_friend(
    mine: dict[str, object], friend: dict[str, object], spot: Spot = (13, 10), detail: str = "full"
) -> tuple[Battle, UnitHandle]:
    scene = Scene()
    squad = scene.unit(0, sheet("Squad", **mine), at=(10, 10), models=1)  # type: ignore[arg-type]
    scene.unit(0, sheet("Friend", **friend), at=spot, models=1)  # type: ignore[arg-type]
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return scene.battle(detail=detail), squad


@pytest.mark.rule("w10.move.models.through-friends")
def test_a_model_moves_over_friends_but_does_not_end_on_them() -> None:
    """A friend 2" ahead: 6" straight over it is legal, ending where the bases would overlap is not, in contact is."""
    battle, squad = with_friend({}, {})  # 2" between the bases
    assert judged(battle, squad, (16, 10)) == Fault.LEGAL
    assert judged(battle, squad, (12, 10)) == Fault.LEGAL
    assert judged(battle, squad, (12.1, 10)) == Fault.OVERLAPS_MODEL
    assert judged(battle, squad, (13.9, 10)) == Fault.OVERLAPS_MODEL
    pick(battle, "Squad")
    pick(battle, "Normal move")
    assert walk(battle.clone(), 0, 16, 10) == pytest.approx((16, 10))
    with pytest.raises(LookupError):
        walk(battle, 0, 13, 10)
    together, _ = with_friend({}, {}, detail="squad")
    pick(together, "Squad")
    pick(together, "Normal move")
    offered = slots(together, "cell")
    assert cell_nearest(together, 6, 0, 6) in offered
    assert cell_nearest(together, 3, 0, 6) not in offered


BIG = {"keywords": ["VEHICLE"], "base_mm": 50.8, "M": 10}
BEAST = {"keywords": ["MONSTER"], "base_mm": 50.8}


@pytest.mark.rule("w10.move.models.monster-vehicle")
def test_monsters_and_vehicles_go_around_each_other() -> None:
    """A VEHICLE may not pass over a friendly MONSTER 3" ahead but around it; INFANTRY may, and it may pass INFANTRY."""
    battle, squad = with_friend(BIG, BEAST, (15, 10))
    assert judged(battle, squad, (20, 10)) == Fault.CROSSES_BIG
    assert judged(battle, squad, (13, 12.1), (17, 12.1), (18, 11)) == Fault.LEGAL
    battle, squad = with_friend({"M": 6}, BEAST, (13, 10))
    assert judged(battle, squad, (16, 10)) == Fault.LEGAL
    assert judged(battle, squad, (14.4, 10)) == Fault.OVERLAPS_MODEL
    battle, squad = with_friend(BIG, {}, (15, 10))
    assert judged(battle, squad, (20, 10)) == Fault.LEGAL
    together, _ = with_friend({**BIG, "M": 14}, BEAST, (16, 10), detail="squad")
    pick(together, "Squad")
    pick(together, "Normal move")
    together.apply(together.setup.space.cell + cell_nearest(together, 12.25, 0, 14))
    path = told(together, "w10.move.normal")[0]["path"]
    assert len(path) == 2  # as one it goes around as well


@pytest.mark.rule("w10.move.models.distance")
def test_the_part_of_the_base_that_travels_longest_is_measured() -> None:
    """A round base moved 4" has moved 4"; a hull of 4" by 2" that turns by 90 degrees has used about 3.5"."""
    battle, squad = duel((20, 20), M=4)
    assert judged(battle, squad, (24, 20)) == Fault.LEGAL
    assert judged(battle, squad, (24, 20, 0, pi)) == Fault.LEGAL  # turning a round base costs nothing
    assert judged(battle, squad, (24.1, 20)) == Fault.TOO_FAR
    turn = pi / 2 * 5**0.5  # a quarter circle of its corners
    assert turn == pytest.approx(3.512, abs=0.001)
    for allowance, verdict in ((3.52, Fault.LEGAL), (3.5, Fault.TOO_FAR)):
        battle, squad = duel((20, 20), hull_in=(4, 2), M=allowance)  # it faces +y
        assert judged(battle, squad, (20, 20, 0, 0.0)) == verdict
    battle, squad = duel((20, 20), hull_in=(4, 2), M=10)
    assert judged(battle, squad, (20 + 9.99 - turn, 20, 0, 0.0)) == Fault.LEGAL  # what is left after the turn
    assert judged(battle, squad, (20 + 10.1 - turn, 20, 0, 0.0)) == Fault.TOO_FAR
    assert judged(battle, squad, (20, 30)) == Fault.LEGAL  # straight ahead without a turn


@pytest.mark.rule("w10.move.models.every-kind-of-move")
def test_a_pile_in_does_not_cross_enemies() -> None:
    """A Pile-in of 3" whose straight path crosses an enemy base is rejected."""
    scene = Scene()
    squad = scene.unit(0, sheet("Squad"), at=[(10, 10), (10, 11.6)])
    scene.unit(1, sheet("Foes", base_mm=10), at=[(11.3, 10), (12.6, 11.0)])
    battle = scene.battle("fight", run=False)
    straight = {0: [(12.6, 10.2)]}
    assert check_move(battle.clone(), squad, "pile in", straight) == Fault.CROSSES_ENEMY
    assert check_pile_in_move(battle.clone(), squad, straight) == Fault.CROSSES_ENEMY
    assert check_move(battle.clone(), squad, "pile in", {1: [(12.2, 11.6)]}) == Fault.LEGAL


@pytest.mark.rule("w10.move.models.every-kind-of-move")
def test_charges_go_through_friends_but_not_over_big_ones() -> None:
    """A Charge of 7" through INFANTRY is legal; a VEHICLE's over a friendly MONSTER, off the table or onto a model is not."""
    for mine, friend, verdict in (
        ({}, {}, Fault.LEGAL),
        (BIG, BEAST, Fault.CROSSES_BIG),
        ({}, BEAST, Fault.LEGAL),
    ):
        scene = Scene()
        squad = scene.unit(0, sheet("Squad", **mine), at=(10, 10), models=1)  # type: ignore[arg-type]
        scene.unit(0, sheet("Friend", **friend), at=(13, 10), models=1)  # type: ignore[arg-type]
        foes = scene.unit(1, sheet("Foes"), at=(18.5, 10), models=1)
        battle = scene.battle("charge")
        path = {0: [(17, 10)]}
        assert check_move(battle.clone(), squad, "charge", path, roll=7, targets=[foes]) == verdict
        assert check_move(battle.clone(), squad, "charge", path, roll=6.9, targets=[foes]) == Fault.TOO_FAR
        path = {0: [(13, 10)]}
        assert check_move(battle.clone(), squad, "charge", path, roll=7, targets=[foes]) != Fault.LEGAL
        path = {0: [(10, 0.3), (10, 2)]}
        assert check_move(battle.clone(), squad, "charge", path, roll=20, targets=[foes]) == Fault.OFF_TABLE
