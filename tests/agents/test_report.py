"""What a battle report says of the end."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.agents.report import Reporter, outcome
from wh_env.core.tables import DESTROYED
from wh_env.render.arms import stratagem
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
    assert f"nothing is left of {Labels(game).player(1)}; 0:30" in outcome(game)
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


def test_a_report_names_weapons_and_stratagems():
    game, lines = Battle.load("w10/only-war-skirmish", 3, record=True), []
    policies, reporter = [make("greedy", 3), make("greedy", 4)], Reporter(game)
    play_battle(game, policies, on_event=reporter, stop=lambda: lines.extend(reporter.lines()))
    lines += reporter.finish()
    volleys = [line for line in lines if " → " in line and " attacks" in line]
    known = set(game.setup.names["weapons"])
    named = [line.partition(" with ")[2].partition(":")[0].split(", ") for line in volleys]
    assert len(named) > 20 and all(weapon in known for weapons in named if weapons != [""] for weapon in weapons)
    assert sum(weapons != [""] for weapons in named) > 0.9 * len(named)
    stratagems = [event for event in game.events if event.kind == "Stratagem"]
    told = "\n".join(lines)
    assert stratagems and all(f"uses {stratagem(event)} on " in told for event in stratagems)
    assert "Go to Ground" in told
    assert not any(line.count("Termagant") > 4 for line in lines), "a crowd is counted"
