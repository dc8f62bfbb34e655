"""Hills in close combat: which side fights from higher ground."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from charging import HOLD, charge, over, react
from results import scored, side

from wh_env import Battle
from wh_env.testing import choose, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle


def on_a_slope(
    player: int, south: float, *, levels: int = 1, charging: bool = False, high: int = 0, ahead: float = 100.0
) -> tuple[Battle, UnitHandle]:
    """Twenty models of a player, their front at y = 24, against as many; a hill reaches from ``south`` to ``ahead``
    inches behind.
    """
    scene = RegimentScene()
    facing = NORTH if player == 0 else SOUTH
    unit = scene.unit(player, None, (24, 24), models=20, files=5, facing=facing, high=high)
    scene.beside(unit, 1 - player, None, models=20, files=5)
    low, top = (24 - ahead, 24 - south) if player == 0 else (24 + south, 24 + ahead)
    scene.area("hill", 0, max(0.0, low), 48, min(48.0, top), levels=levels)
    return scored(scene, unit, charging=[unit] if charging else []), unit


def fought_out(battle: Battle, player: int, rounds: int) -> list[tuple[int, int]]:
    """(charge, high ground) in the results of a player's side, round by round; nobody does anything but fight."""
    while len(found := [data for data in told(battle, "wap.result.sum") if data["player"] == player]) < rounds:
        choose(battle, "done") if slots(battle, "done") else choose(battle, "option", slots(battle, "option")[0])
    return [(data["charge"], data["high"]) for data in found[:rounds]]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.result.high-ground")
def test_a_unit_on_the_edge_of_a_hill_scores_one_in_each_of_three_turns(player: int) -> None:
    """All dice show 1: nobody is hurt, and no test fails."""
    scene = RegimentScene()
    facing = NORTH if player == 0 else SOUTH
    unit = scene.unit(player, None, (24, 24), models=20, files=5, facing=facing)
    scene.beside(unit, 1 - player, None, models=20, files=5)
    scene.area("hill", 0, *((0, 48, 24) if player == 0 else (24, 48, 48)))
    scene.unit(0, None, (4, 4), models=5)
    scene.unit(1, None, (4, 44), models=5)
    battle = scene.battle("combat", dice=[1] * 120)
    assert fought_out(battle, player, 3) == [(0, 1)] * 3 and fought_out(battle, 1 - player, 3) == [(0, 0)] * 3


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("inside", "high"), [(11, 1), (10, 0)])
@pytest.mark.rule("wap.result.high-ground.charge-down")
@pytest.mark.rule("wap.terrain.hill.charge-bonus")
def test_a_charge_down_a_hill_onto_the_plain_counts_in_its_turn_and_not_in_the_next(
    player: int, inside: int, high: int
) -> None:
    """Two ranks of four stand on the hill when the turn begins, or one model more."""
    scene = RegimentScene()
    facing = NORTH if player == 0 else SOUTH
    forth = 1.0 if player == 0 else -1.0
    unit = scene.unit(player, None, (24, 24 - 3 * forth), models=20, files=5, facing=facing)
    foe = scene.unit(1 - player, None, (24, 24 + 3 * forth), models=20, files=5)
    nook = [(21.4, -5.0), (21.4, -4.2), (22.1, -4.2), (22.1, -5.0)] if inside == 11 else []
    hill = [(0, -5.0), *nook, (48, -5.0), (48, -20), (0, -20)]  # the front rank is from -4 to -3
    scene.feature("hill", [(x, 24 + y * forth) for x, y in hill])
    scene.unit(0, None, (4, 4), models=5)
    scene.unit(1, None, (4, 44), models=5)
    battle = scene.battle("movement", player=player, dice=[6, 6, *[1] * 120])
    charge(battle, unit, foe)
    react(battle, HOLD)
    over(battle)
    assert fought_out(battle, player, 2) == [(1, high), (0, 0)] and fought_out(battle, 1 - player, 2) == [(0, 0)] * 2


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.result.high-ground")
def test_a_unit_on_the_edge_of_a_hill_scores_one_in_every_round(player: int) -> None:
    battle, _ = on_a_slope(player, 0.0)
    assert side(battle, player)["high"] == 1 and side(battle, 1 - player)["high"] == 0
    battle, _ = on_a_slope(player, 0.9)  # its front rank stands on the plain
    assert side(battle, player)["high"] == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.result.high-ground.charge-down")
@pytest.mark.rule("wap.terrain.hill.charge-bonus")
def test_a_charge_from_a_hill_counts_in_its_turn_only(player: int) -> None:
    for charging, high, bonus in ((True, 2, 1), (False, 2, 0), (True, 0, 0)):
        battle, _ = on_a_slope(player, 10.0, charging=charging, high=high)
        assert side(battle, player)["high"] == bonus and side(battle, player)["charge"] == int(charging)
        assert side(battle, 1 - player)["high"] == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("nook", "height"), [(True, 2), (False, 0)])
@pytest.mark.rule("wap.terrain.hill.charge-bonus")
def test_most_models_must_begin_the_turn_on_the_hill(player: int, nook: bool, height: int) -> None:
    """Ten of twenty models stand on the hill, or one more."""
    scene = RegimentScene()
    unit = scene.unit(player, None, (20, 20), models=20, files=5, facing=NORTH)
    scene.unit(1 - player, None, (44, 44))
    more = [(17.4, 18), (17.4, 17.2), (18.1, 17.2), (18.1, 18)] if nook else []
    scene.feature("hill", [(0, 18), *more, (48, 18), (48, 30), (0, 30)])
    battle = scene.battle("combat", turn=1, player=1 - player)
    while battle.clock.turn[0] != player:
        choose(battle, "done")
    assert battle.units.high[unit] == height


def several(heights: Sequence[int]) -> Battle:
    """Two units of player 0 against one of player 1 between them; each on a hill of so many levels."""
    scene = RegimentScene()
    foe = scene.unit(1, None, (24, 24), models=20, files=10, facing=SOUTH)
    units = [scene.beside(foe, 0, None, models=10, files=5, along=along) for along in (-2.5, 2.5)]
    spots = [(18.9, 22.4, 23.9, 23.9), (24.1, 22.4, 29.1, 23.9), (19.0, 24.05, 29.0, 25.9)]
    west = units[0].at
    assert west is not None
    if west[0] > 24:
        spots[0], spots[1] = spots[1], spots[0]
    for (x0, y0, x1, y1), levels in zip(spots, heights, strict=True):
        if levels:
            scene.area("hill", x0, y0, x1, y1, levels=levels)
    return scored(scene, foe)


@pytest.mark.parametrize(
    ("heights", "scores"), [((1, 0, 0), (1, 0)), ((1, 1, 0), (1, 0)), ((1, 0, 2), (0, 1)), ((1, 0, 1), (0, 0))]
)
@pytest.mark.rule("wap.result.high-ground.several")
def test_the_side_whose_fighting_rank_stands_highest_scores_once(
    heights: tuple[int, int, int], scores: tuple[int, int]
) -> None:
    battle = several(heights)
    assert (side(battle, 0)["high"], side(battle, 1)["high"]) == scores
