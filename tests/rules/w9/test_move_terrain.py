"""Moving over terrain (w9.move.terrain.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import UnitHandle, cell_nearest, pick, sheet, slots
from wh_env.testing.moves import judged, reachable, walk


def field(
    box: tuple[float, float, float, float, float],
    detail: str = "full",
    player: int = 0,
    kind: str = "container",
    **fields: object,
) -> tuple[Battle, UnitHandle]:
    """One model of the player at (10, 10) beside a box (x0, y0, x1, y1, height), in its Movement phase."""
    scene = NinthScene()
    scene.box(*box, kind=kind)
    squad = scene.unit(player, sheet("Squad", **fields), at=(10, 10), models=1)  # type: ignore[arg-type]
    scene.unit(1 - player, sheet("Foes"), at=(50, 40), models=1)
    return scene.battle(detail=detail, active=player), squad


@pytest.mark.rule("w9.move.terrain.low")
@pytest.mark.parametrize("player", [0, 1])
def test_terrain_of_one_inch_is_free(player: int) -> None:
    """A pipe 1" high across the path: the full 6" beyond it; 1.1" high, climbing up and down costs 2.2"."""
    battle, squad = field((13, 2, 13.2, 30, 1.0), player=player)
    assert judged(battle, squad, (16, 10)) == Fault.LEGAL
    assert judged(battle, squad, (16.1, 10)) == Fault.TOO_FAR
    pick(battle, "Normal move")
    assert walk(battle, 0, 16, 10) == pytest.approx((16, 10))
    assert battle.models.z[squad.first] == 0
    higher, squad = field((13, 2, 13.2, 30, 1.1), player=player)
    assert judged(higher, squad, (16, 10)) == Fault.TOO_FAR
    assert reachable(higher, squad, 0, (16, 10)) is None
    for move, verdict in ((8.2, Fault.LEGAL), (8.19, Fault.TOO_FAR)):
        longer, squad = field((13, 2, 13.2, 30, 1.1), player=player, M=move)
        assert judged(longer, squad, (16, 10)) == verdict


@pytest.mark.rule("w9.move.terrain.low")
def test_a_unit_moved_as_one_passes_low_terrain() -> None:
    """Squad detail: the cell 6" away is offered beyond a pipe of 1", not beyond one of 1.1"."""
    for height, open_way in ((1.0, True), (1.1, False)):
        battle, _ = field((13, 2, 13.2, 30, height), "squad")
        pick(battle, "Normal move")
        assert (cell_nearest(battle, 6, 0, 6) in slots(battle, "cell")) == open_way


@pytest.mark.rule("w9.move.terrain.climb")
@pytest.mark.parametrize("player", [0, 1])
def test_a_wall_is_climbed_up_and_down(player: int) -> None:
    """A thin wall 3" high 1" away: 1" + 3" + 3" are not enough to stand behind it, so M 6" is refused; with M 8" the front
    of the base ends 1" beyond the wall."""
    wall, base = (11.25, 2, 11.26, 30, 3), 12.7  # the rim of the base is at 10.25
    for move, ends in ((6, ()), (8, (11.6, 11.8, 12.0))):
        battle, squad = field(wall, player=player, M=move, base_mm=base)
        for x in (11.6, 11.8, 12.0, 12.05):
            verdict = Fault.LEGAL if x in ends else Fault.TOO_FAR
            assert judged(battle, squad, (x, 10)) == verdict
            assert (reachable(battle, squad, 0, (x, 10)) is not None) == (x in ends)
        pick(battle, "Normal move")
        if ends:
            assert walk(battle, 0, 12, 10) == pytest.approx((12, 10), abs=0.07)
        else:
            with pytest.raises(LookupError):
                walk(battle, 0, 11.6, 10)


@pytest.mark.rule("w9.move.terrain.climb")
def test_no_move_ends_in_mid_climb() -> None:
    """A hill 5" high: half-way up is no end, nor half on its top; wholly on top is."""
    battle, squad = field((11, 2, 25, 30, 5), M=9, kind="hill")
    assert judged(battle, squad, (10.5, 10, 3)) == Fault.MID_CLIMB
    assert judged(battle, squad, (11.2, 10, 5)) == Fault.MID_CLIMB
    assert judged(battle, squad, (11.5, 10, 5)) == Fault.LEGAL
    assert judged(battle, squad, (10.5, 10)) == Fault.LEGAL
    assert judged(battle, squad, (11.2, 10, 0)) != Fault.LEGAL
