"""AIRCRAFT that come back, of either player (w10.aircraft.return)."""

from __future__ import annotations

import pytest

from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.testing import Scene, choose, pick, play_until, sheet, slots

JET = sheet("Jet", M=20, hull_in=(4, 2), height=3, W=10, models=(1, 1), keywords=("VEHICLE", "AIRCRAFT", "FLY"))


@pytest.mark.rule("w10.aircraft.return", "w10.reserves.arrive")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("others", [0, 2])
def test_either_player_must_bring_it_back(player: int, others: int) -> None:
    """However many units stand before it in its army and in the other: the step cannot end before it is set up, and can
    afterwards, though another unit in Reserves waits."""
    scene = Scene(size=(60, 60))
    for k in range(others):
        scene.unit(player, sheet(f"Walker {k}"), at=(5 + 3 * k, 30), models=1)
    jet = scene.unit(player, JET, at=(30, 45 if player == 0 else 15))
    late = scene.unit(player, sheet("Waiting"), models=1, reserves="strategic")
    scene.unit(player, sheet("Own"), at=(20, 30), models=1)
    scene.unit(1 - player, sheet("Foes"), at=(55, 30), models=1)
    battle = scene.battle(round=2, active=player, first_player=player)
    while battle.units.place[jet] == ON_TABLE:
        battle.apply(battle.first_legal())
    assert battle.units.place[jet] == RESERVE
    while battle.clock.round[0] == 2 or battle.decision is None or battle.decision.kind != "select-reserves":
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert (battle.clock.round[0], battle.clock.turn[0]) == (3, player)
    assert slots(battle, "own") == [jet.number, late.number]
    assert slots(battle, "done") == []
    choose(battle, "own", jet.number)
    pick(battle, "left edge, facing inwards", kind="arrive-by")
    battle.apply(battle.first_legal())
    assert battle.units.place[jet] == ON_TABLE
    assert battle.decision is not None
    assert battle.decision.kind == "select-reserves"
    assert slots(battle, "done") == [0]
    choose(battle, "done")
    play_until(battle, "select-to-move")
    assert battle.units.place[late] == RESERVE
