"""Models that FLY: across models, past enemies, any height, where they end (w9.move.fly, w9.rare.move-through.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env import Battle
from wh_env.core.geometry.paths import Fault
from wh_env.testing import UnitHandle, cell_nearest, pick, sheet, slots
from wh_env.testing.moves import check_move, judged, walk

FLYING, WALKING = ["INFANTRY", "FLY"], ["INFANTRY"]
LINE = [(16, 9.8), *((16, 2.0 + 1.3 * k) for k in range(14) if k != 6)]  # enemies from one side to the other


def flight(
    keywords: list[str], foes: list[tuple[float, float]], detail: str = "full", wall: float = 0.0, player: int = 0,
    friend: tuple[float, float] = (50, 5), M: float = 12,
) -> tuple[Battle, UnitHandle]:  # fmt: skip
    """A model at (10, 10), a friend, enemies, perhaps a wall at x = 13; the model is selected to move."""
    scene = NinthScene()
    if wall:
        scene.box(13, 2, 13.2, 40, wall)
    squad = scene.unit(player, sheet("Squad", M=M, keywords=keywords), at=(10, 10), models=1)
    scene.unit(player, sheet("Friend"), at=friend, models=1)
    scene.unit(1 - player, sheet("Foes"), at=foes, models=len(foes))
    battle = scene.battle(detail=detail, active=player)
    pick(battle, "Squad", kind="select-to-move")
    return battle, squad


@pytest.mark.rule("w9.move.fly")
@pytest.mark.parametrize("player", [0, 1])
def test_twelve_inches_across_enemies_and_a_wall(player: int) -> None:
    """M 12", an enemy unit and a wall 5" high between: 12" measured on the plan is legal with FLY, 12.1" is not."""
    battle, squad = flight(FLYING, LINE, wall=5, player=player)
    assert judged(battle, squad, (22, 10)) == Fault.LEGAL
    assert judged(battle, squad, (22.1, 10)) == Fault.TOO_FAR
    assert judged(battle, squad, (16, 9.8)) == Fault.OVERLAPS_MODEL  # on top of an enemy
    assert judged(battle, squad, (17.9, 10)) == Fault.ENGAGES_AT_THE_END
    assert judged(battle, squad, (18.1, 10)) == Fault.LEGAL
    walker, squad = flight(WALKING, LINE, wall=5, player=player)
    assert judged(walker, squad, (22, 10)) != Fault.LEGAL
    pick(battle, "Normal move")
    assert walk(battle, 0, 22, 10) == pytest.approx((22, 10))


@pytest.mark.rule("w9.move.fly")
def test_flying_up_and_down_costs_nothing() -> None:
    """A floor 6" up and 12" away with M 12": wholly on it with FLY; back down as far; on foot it is too far."""
    for keywords, verdict in ((FLYING, Fault.LEGAL), (WALKING, Fault.TOO_FAR)):
        scene = NinthScene()
        scene.floor(16, 2, 30, 30, 6)
        squad = scene.unit(0, sheet("Squad", M=12, keywords=keywords), at=(10, 10), models=1)
        high = scene.unit(0, sheet("High", M=12, keywords=keywords), at=[(20, 20, 6)], models=1)
        scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
        battle = scene.battle(detail="full")
        assert judged(battle, squad, (22, 10, 6)) == verdict
        assert judged(battle, squad, (22.1, 10, 6)) == Fault.TOO_FAR
        assert judged(battle, high, (20, 32, 0)) == verdict
        assert judged(battle, high, (20, 32.1, 0)) == Fault.TOO_FAR


@pytest.mark.rule("w9.move.fly")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_flying_onto_a_floor_is_played(detail: str) -> None:
    """The floor 6" up and 12" away is offered to the model with FLY, the ground below it to nobody on foot beyond the wall."""
    for keywords in (FLYING, WALKING):
        scene = NinthScene()
        scene.floor(16, 2, 30, 30, 6)
        scene.box(13, 2, 13.2, 40, 5)
        scene.unit(0, sheet("Squad", M=12, keywords=keywords), at=(10, 10), models=1)
        scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
        battle = scene.battle(detail=detail)
        pick(battle, "Normal move")
        if detail == "squad":
            cell = cell_nearest(battle, 12, 0, 12)
            assert (cell in slots(battle, "cell")) == (keywords == FLYING)
            if keywords == FLYING:
                battle.apply(battle.setup.space.cell + cell)
                pick(battle, "climb")
                assert (battle.models.x[0], battle.models.z[0]) == pytest.approx((22, 6))
        elif keywords == FLYING:
            walk(battle, 0, 22, 10, level=1)
            assert (battle.models.x[0], battle.models.z[0]) == pytest.approx((22, 6))
        else:
            with pytest.raises(LookupError):
                walk(battle, 0, 22, 10)


@pytest.mark.rule("w9.move.fly")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_unit_flies_across_a_wall(detail: str) -> None:
    """Three models with FLY pass a wall of 5" and friends beyond it in one move of 12"; two turns of the way do no harm."""
    scene = NinthScene()
    scene.box(13, 2, 13.2, 40, 5)
    squad = scene.unit(0, sheet("Squad", M=12, keywords=FLYING), at=[(10, 10), (10, 11.5), (10, 13)])
    scene.unit(0, sheet("Friends"), at=[(16, 2.0 + 1.3 * k) for k in range(14)])
    scene.unit(1, sheet("Foes"), at=(50, 40), models=1)
    battle = scene.battle(detail=detail)
    pick(battle, "Squad", kind="select-to-move")
    pick(battle, "Normal move")
    if detail == "squad":
        battle.apply(battle.setup.space.cell + cell_nearest(battle, 12, 0, 12))
        assert [battle.models.x[squad.model(k)] for k in range(3)] == pytest.approx([22] * 3)
    else:
        for k in range(3):
            walk(battle, k, 22, 10 + 1.5 * k)
        pick(battle, "end the move")
        assert [battle.models.x[squad.model(k)] for k in range(3)] == pytest.approx([22] * 3, abs=0.1)


@pytest.mark.rule("w9.move.fly", "w9.rare.move-through.engagement")
@pytest.mark.parametrize("move", ["normal", "advance", "fall back"])
def test_moving_through_an_enemy_unit(move: str) -> None:
    """M 8", enemies across the path: through them and 1.2" beyond the last base is legal with FLY, whatever the move."""
    near = 2.0 if move == "fall back" else 3.2
    foes = [(10 + near, 2.0 + 1.3 * k) for k in range(14)]
    beyond = 10 + near + 1 + 1.2
    for keywords in (FLYING, WALKING):
        battle, squad = flight(keywords, foes, M=8)
        verdict = check_move(battle, squad, move, {0: [(beyond, 10)]}, roll=0 if move == "advance" else None)
        assert (verdict == Fault.LEGAL) == (keywords == FLYING)


@pytest.mark.rule("w9.rare.move-through.end-on")
@pytest.mark.parametrize("player", [0, 1])
def test_no_move_ends_on_a_model(player: int) -> None:
    """An end that overlaps a friendly base by 0.1", or an enemy one, is refused; touching the friend is not."""
    battle, squad = flight(FLYING, [(10, 16)], friend=(14, 10), player=player)
    assert judged(battle, squad, (14.9, 10)) == Fault.OVERLAPS_MODEL
    assert judged(battle, squad, (13.1, 10)) == Fault.OVERLAPS_MODEL
    assert judged(battle, squad, (15, 10)) == Fault.LEGAL
    assert judged(battle, squad, (10, 16.1)) == Fault.OVERLAPS_MODEL
    pick(battle, "Normal move")
    with pytest.raises(LookupError):
        walk(battle, 0, 14, 10)


@pytest.mark.rule("w9.rare.move-through.end-engaged")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_no_fall_back_through_enemies_ends_engaged(detail: str) -> None:
    """A Fall Back through an enemy unit that ends 0.9" behind it is refused, 1.1" behind it is accepted."""
    foes = [(2.0 + 1.3 * k, 11.6) for k in range(14)]
    battle, squad = flight(FLYING, foes, detail)
    for gap, verdict in ((0.9, Fault.ENGAGES_AT_THE_END), (1.1, Fault.LEGAL)):
        for move in ("normal", "advance", "fall back"):
            roll = 0 if move == "advance" else None
            assert check_move(battle.clone(), squad, move, {0: [(9.8, 12.6 + gap)]}, roll=roll) == verdict
    pick(battle, "Squad: Fall Back")
    if detail == "squad":
        offered = slots(battle, "cell")
        assert cell_nearest(battle, 0, 6, 12) in offered
        assert cell_nearest(battle, 0, 3, 12) not in offered
    else:
        with pytest.raises(LookupError):
            walk(battle.clone(), 0, 9.8, 13.4)
        walk(battle, 0, 9.8, 13.8)
        assert battle.models.y[squad.first] == pytest.approx(13.8, abs=0.1)


@pytest.mark.rule("w9.rare.move-through.end-charge")
@pytest.mark.parametrize("player", [0, 1])
def test_a_charge_through_models_ends_engaged_with_its_targets_only(player: int) -> None:
    """A charge at B2 behind B1: ending 0.5" from B2 and 1.5" from B1 is legal, 0.5" from both is refused."""
    for apart, verdict in ((4.0, Fault.LEGAL), (2.0, Fault.ENGAGES_AT_THE_END)):
        scene = NinthScene()
        squad = scene.unit(player, sheet("Squad", keywords=FLYING), at=(10, 10), models=1)
        front = scene.unit(1 - player, sheet("B1"), at=(14, 10), models=1)
        behind = scene.unit(1 - player, sheet("B2"), at=(15 + apart, 10), models=1)
        battle = scene.battle("charge", active=player)
        end = {0: [(15 + apart - 1.5, 10)]}
        assert check_move(battle.clone(), squad, "charge", end, roll=9, targets=[behind]) == verdict
        assert check_move(battle, squad, "charge", end, roll=9, targets=[front, behind]) == Fault.LEGAL
