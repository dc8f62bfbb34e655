"""The chance to win that pages show."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.agents.chances import Chances
from wh_env.envs.registry import environment


def running(ruleset: str) -> Battle:
    battle = Battle.load(environment(ruleset).skirmish, 3)
    while battle.clock.round[0] < 1:
        battle.apply(battle.first_legal())
    return battle


@pytest.mark.parametrize("ruleset", ["w10", "epic", "wap"])
def test_more_points_and_fewer_enemies_are_better(ruleset: str) -> None:
    battle, chances = running(ruleset), Chances()
    before = chances(battle)
    assert before is not None and 0.02 < before < 0.98, "nothing is settled when a battle begins"
    lead = battle.clone()
    lead.players.vp[0] += 3 if any(battle.objectives.placed) else 150
    assert before < chances(lead) < 1.0
    behind = battle.clone()
    behind.players.vp[1] += 3 if any(battle.objectives.placed) else 150
    assert 0.0 < chances(behind) < before


def test_before_the_first_round_nothing_is_said_and_at_the_end_all() -> None:
    battle, chances = Battle.load("w10/only-war-skirmish", 3), Chances()
    assert chances(battle) is None
    battle = running("w10")
    battle.players.vp[1] = 30
    battle.finish()
    battle.run()
    assert battle.result.winner == 1 and chances(battle) == 0.0
