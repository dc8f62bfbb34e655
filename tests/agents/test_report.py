"""What a battle report says of the end."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.agents.report import outcome
from wh_env.core.tables import DESTROYED
from wh_env.render.labels import Labels


@pytest.mark.parametrize("battle", ["w10/only-war-skirmish", "epic/bridgehead"])
def test_a_win_by_wiping_out_is_told_as_such(battle):
    game = Battle.load(battle, 3)
    while game.clock.round[0] < 2:
        game.apply(game.first_legal())
    game.players.vp[1] = 30
    for unit in game.units_of(1):
        game.units.place[unit], game.units.alive[unit] = DESTROYED, 0
    game.finish()
    game.run()
    assert game.result is not None and game.result.winner == 0
    assert "nothing is left of player 1's army; 0:30" in outcome(game)
    assert Labels(game).outcome().endswith("wins after 2 rounds: nothing is left of the other army")


def test_a_win_by_points_is_told_by_its_points():
    game = Battle.load("w10/only-war-skirmish", 3)
    while game.clock.round[0] < 1:
        game.apply(game.first_legal())
    game.players.vp[1] = 5
    game.finish()
    game.run()
    assert outcome(game).endswith("wins after 1 round, 0:5 victory points.")
    assert Labels(game).outcome().endswith("wins after 1 round")
