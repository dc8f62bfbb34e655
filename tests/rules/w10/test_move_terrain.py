"""Moving over terrain: low features, climbing, no way through walls, no end in mid-climb."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import Scene, UnitHandle, cell_nearest, pick, sheet, slots, told, words
from wh_env.testing.moves import judged, reachable, walk

TANK = {"keywords": ["VEHICLE"], "base_mm": 50.8, "height": 3}


def field(
    *boxes: tuple[float, float, float, float, float],
    kind: str = "container",
    at: tuple[float, ...] = (10, 10),
    detail: str = "full",
    dice: list[int] | None = None,
    **fields: object,
) -> tuple[Battle, UnitHandle]:
    """One model of player 0 among boxes (x0, y0, x1, y1, height), in its Movement phase."""
    scene = Scene()
    for x0, y0, x1, y1, height in boxes:
        scene.box(x0, y0, x1, y1, height, kind="debris" if height <= 2.1 else kind)
    squad = scene.unit(0, sheet("Squad", **fields), at=at, models=1)  # type: ignore[arg-type]
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    return scene.battle(detail=detail, dice=dice or []), squad


@pytest.mark.rule("w10.move.terrain.over-not-through")
def test_terrain_is_moved_over_but_not_through() -> None:
    """A wall 4" high 1" in front of a VEHICLE with M 10": straight through it is rejected; over it costs 8" more."""
    for kind in ("building", "ruins"):
        scene = Scene()
        scene.wall(12.05, 6, 12.05, 16, 4, kind=kind)
        squad = scene.unit(0, sheet("Squad", M=10, **TANK), at=(10, 10), models=1)  # type: ignore[arg-type]
        scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
        battle = scene.battle(detail="full")
        assert judged(battle, squad, (20, 10)) == Fault.TOO_FAR
        assert judged(battle, squad, (20, 10, 0)) == Fault.TOO_FAR
        assert judged(battle, squad, (13.2, 10)) == Fault.TOO_FAR  # 3.2" along and 8" up and down
        assert judged(battle, squad, (11, 10)) == Fault.LEGAL  # up to the wall
        assert judged(battle, squad, (10, 4.9), (13.2, 4.9)) == Fault.LEGAL  # around it
        pick(battle, "Normal move")
        with pytest.raises(LookupError):
            walk(battle, 0, 14, 10)
    scene = Scene()
    scene.wall(12.05, 4, 12.05, 16, 4)
    squad = scene.unit(0, sheet("Squad", M=11.2, **TANK), at=(10, 10), models=1)  # type: ignore[arg-type]
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    assert judged(scene.battle(detail="full"), squad, (13.15, 10)) == Fault.LEGAL  # over it, climbed up and down


@pytest.mark.rule("w10.move.terrain.over-not-through")
def test_infantry_does_not_go_through_what_is_no_ruin() -> None:
    """A container stops INFANTRY too; moved as one the unit is offered nothing behind it that it could not climb to."""
    wall = (12, 2, 12.1, 30, 4)
    battle, squad = field(wall)
    assert judged(battle, squad, (14, 10)) == Fault.TOO_FAR
    together, _ = field(wall, detail="squad")
    pick(together, "Normal move")
    grid = together.setup.space.grid
    across = [(cell % grid - grid // 2) * 0.75 for cell in slots(together, "cell")]
    assert max(across) <= 1.5  # 10 + 1.5 + 0.5: in contact with the wall


@pytest.mark.rule("w10.move.terrain.low")
def test_terrain_up_to_two_inches_is_free() -> None:
    """A pipe 2" high across a 6" path: 6" away beyond it; 2.1" high the climb up and down costs 4.2"."""
    battle, squad = field((13, 2, 13.2, 30, 2))
    assert judged(battle, squad, (16, 10)) == Fault.LEGAL
    assert judged(battle, squad, (16.1, 10)) == Fault.TOO_FAR
    pick(battle, "Normal move")
    assert walk(battle, 0, 16, 10) == pytest.approx((16, 10))
    assert battle.models.z[0] == 0
    battle, squad = field((13, 2, 13.2, 30, 2.1))
    assert judged(battle, squad, (16, 10)) == Fault.TOO_FAR
    assert reachable(battle, squad, 0, (16, 10)) is None
    pick(battle, "Normal move")
    with pytest.raises(LookupError):
        walk(battle, 0, 16, 10)
    for move, verdict in ((10.2, Fault.LEGAL), (10.19, Fault.TOO_FAR)):
        battle, squad = field((13, 2, 13.2, 30, 2.1), M=move)
        assert judged(battle, squad, (16, 10)) == verdict  # 6" and 4.2"


@pytest.mark.rule("w10.move.terrain.low")
def test_low_terrain_is_free_for_a_unit_moved_as_one() -> None:
    """Squad detail: the cell 6" away is offered beyond a pipe of 2", not beyond one of 2.1"."""
    for height, offered in ((2, True), (2.1, False)):
        battle, _ = field((13, 2, 13.2, 30, height), detail="squad")
        pick(battle, "Normal move")
        assert (cell_nearest(battle, 6, 0, 6) in slots(battle, "cell")) == offered


@pytest.mark.rule("w10.move.terrain.climb")
def test_climbing_counts_the_vertical_distance() -> None:
    """M 6" at the foot of a platform 3" high: 3" up and 3" on top; a thin wall of 3" costs 6"."""
    platform = (10.5, 2, 25, 30, 3)
    battle, squad = field(platform)
    assert judged(battle, squad, (13, 10, 3)) == Fault.LEGAL
    assert judged(battle, squad, (13.1, 10, 3)) == Fault.TOO_FAR
    assert judged(battle, squad, (13, 10)) == Fault.LEGAL  # it comes to the top of itself
    pick(battle, "Normal move")
    assert walk(battle, 0, 13, 10) == pytest.approx((13, 10), abs=0.07)
    assert battle.models.z[0] == 3
    wall = (10.5, 2, 10.6, 30, 3)
    for move, verdict in ((7.1, Fault.LEGAL), (7.0, Fault.TOO_FAR)):
        battle, squad = field(wall, M=move)
        assert judged(battle, squad, (11.1, 10)) == verdict  # 1.1" along, 3" up, 3" down


@pytest.mark.rule("w10.move.terrain.climb")
def test_climbing_down_counts_as_well() -> None:
    """From the top of a platform 3" high, M 6": 3" of ground are left; down from 2" is free."""
    battle, squad = field((2, 2, 12, 30, 3), at=(11.5, 10, 3))
    assert judged(battle, squad, (14.5, 10, 0)) == Fault.LEGAL
    assert judged(battle, squad, (14.6, 10, 0)) == Fault.TOO_FAR


@pytest.mark.rule("w10.move.terrain.climb")
def test_a_unit_climbs_as_one() -> None:
    """Squad detail: a cell on the platform is offered where along and up are no more than M; it ends on top."""
    battle, _ = field((11.5, 2, 25, 30, 3), detail="squad", at=(11, 10))
    pick(battle, "Normal move")
    grid = battle.setup.space.grid
    reach = [(cell % grid - grid // 2) * 0.75 for cell in slots(battle, "cell") if cell // grid == grid // 2]
    assert max(reach) == 3.0
    battle.apply(battle.setup.space.cell + cell_nearest(battle, 3, 0, 6))
    assert (battle.models.x[0], battle.models.z[0]) == (14, 3)


@pytest.mark.rule("w10.move.terrain.climb")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_player_chooses_between_the_ground_and_the_floor_above(detail: str) -> None:
    """A ruin's floor 3" up: the unit may stay below or climb on it; both are asked for where both are possible."""
    for high in (False, True):
        scene = Scene()
        scene.floor(11, 2, 25, 30, 3)
        scene.unit(0, sheet("Squad", M=9), at=(10, 10), models=1)
        scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
        battle = scene.battle(detail=detail)
        pick(battle, "Normal move")
        if detail == "squad":
            battle.apply(battle.setup.space.cell + cell_nearest(battle, 4.5, 0, 9))
            assert battle.decision is not None
            assert battle.decision.kind == "move-level"
            pick(battle, "climb" if high else "keep")
        else:
            asking = battle.clone()
            pick(asking, "move Squad 1")
            assert list(words(asking).values()) == ["end on the lowest surface", "end on surface 1 from below"]
            walk(battle, 0, 14.5, 10, level=1 if high else 0)
        assert (round(battle.models.x[0], 1), battle.models.z[0]) == (14.5, 3 if high else 0)


@pytest.mark.rule("w10.move.terrain.climb-example")
def test_the_example_of_the_pipe_and_the_building() -> None:
    """An Advance of 9": over a pipe of 2" for nothing, 6" along, 3" up the building; 8.9" are not enough."""
    pipe, building = (12, 2, 12.5, 30, 2), (14.5, 2, 25, 30, 3)
    for move, verdict in ((5.0, Fault.LEGAL), (4.9, Fault.TOO_FAR)):
        battle, squad = field(pipe, building, kind="building", dice=[4], M=move)
        pick(battle, "Advance")
        assert judged(battle, squad, (16, 10, 3), kind="advance") == verdict
        assert (reachable(battle, squad, 0, (16, 10, 3), "advance") is not None) == (verdict == Fault.LEGAL)
    battle, _ = field(pipe, building, kind="building", dice=[4], M=5)
    pick(battle, "Advance")
    walk(battle, 0, 15.95, 10)
    assert battle.models.z[0] == 3
    assert 5.8 < battle.models.x[0] - 10 <= 6.0001


@pytest.mark.rule("w10.move.terrain.no-mid-climb")
def test_no_move_ends_in_mid_climb() -> None:
    """M 6" and a wall 5" high 3" ahead: 3" up the wall is no end, its foot is; nor is half on a ledge."""
    wall = (13.5, 2, 13.6, 30, 5)
    battle, squad = field(wall)
    assert judged(battle, squad, (13, 10, 3)) == Fault.MID_CLIMB
    assert judged(battle, squad, (13, 10)) == Fault.LEGAL
    assert judged(battle, squad, (13.1, 10, 3)) != Fault.LEGAL
    pick(battle, "Normal move")
    walk(battle, 0, 13, 10)
    assert (battle.models.x[0], battle.models.z[0]) == (13, 0)
    # a platform that it could climb is no end while its base is not wholly on it
    battle, squad = field((11, 2, 25, 30, 3), M=9)
    assert judged(battle, squad, (11.2, 10, 3)) == Fault.MID_CLIMB
    assert judged(battle, squad, (11.2, 10, 0)) == Fault.OVERLAPS_TERRAIN
    assert judged(battle, squad, (11.5, 10, 3)) == Fault.LEGAL


@pytest.mark.rule("w10.move.terrain.no-mid-climb")
def test_no_unit_ends_in_mid_climb() -> None:
    """Squad detail: every cell that is offered leaves the whole base on the ground or wholly on the platform."""
    battle, _ = field((11, 2, 25, 30, 3), M=9, detail="squad")
    pick(battle, "Normal move")
    grid, step = battle.setup.space.grid, 18 / (battle.setup.space.grid - 1)
    seen = set()
    for cell in slots(battle, "cell"):
        dx, dy = (cell % grid - grid // 2) * step, (cell // grid - grid // 2) * step
        if -8 < dy < 8 and hypot(dx, dy) <= 9:
            assert dx <= 0.5001 or dx >= 1.4999
            seen.add(dx >= 1.4999)
    assert seen == {False, True}
    assert not told(battle, "w10.move.normal")
