"""Every mission is played to its end: by chance and by greedy players, copied, saved and looked at on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.envs.observation import Observer
from wh_env.rulesets.wap.codes import LATE
from wh_env.rulesets.wap.deployment.divisions import zone_of
from wh_env.rulesets.wap.view.audit import RegimentAudit
from wh_env.testing import kind

FIELDS = ("pass-field", "glory-field", "dawn-field", "meeting-field", "watch-field", "random-field")


@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.rule("wap.scenario.format")
def test_a_mission_is_played_to_its_end(name: str, detail: str) -> None:
    battle = Battle.load(f"wap/{name}", 7, detail=detail)
    chance, eyes, steps = np.random.default_rng(7), Observer(battle.setup, "vector"), 0
    audit = RegimentAudit(battle)
    while not battle.over:
        if steps % 40 == 0:
            for seat in (0, 1):
                seen = eyes.observe(battle, seat)
                assert np.isfinite(seen).all() and (np.abs(seen) <= 1.0).all()
            twin = Battle.from_bytes(battle.to_bytes())
            assert twin.state_bytes() == battle.state_bytes() == battle.clone().state_bytes()
            assert (twin.legal() == battle.legal()).all()
        audit.before()
        battle.apply(int(chance.choice(battle.legal().nonzero()[0])))
        assert audit.after() == []
        steps += 1
    assert battle.result is not None


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.rule("wap.scenario.format")
def test_greedy_players_play_it(name: str) -> None:
    """Their units are deployed in their zones, and who is late comes."""
    battle = Battle.load(f"wap/{name}", 5)
    play_battle(battle, [make("greedy", 1), make("greedy", 2)])
    assert battle.over and battle.result is not None
    late = [
        bits & LATE and place == RESERVE for bits, place in zip(battle.units.deployed, battle.units.place, strict=True)
    ]
    assert not any(late)


def planes_of(battle: Battle, seat: int) -> Any:
    return Observer(battle.setup, "entities").observe(battle, seat)["terrain"]


@pytest.mark.parametrize("option", range(4))
@pytest.mark.rule("wap.scenario.meeting-engagement.corners")
def test_both_seats_see_the_halves_that_were_chosen(option: int) -> None:
    battle = Battle.load("wap/meeting-field", 1)
    battle.apply(battle.setup.space.option + option)
    one, other = (planes_of(battle, seat) for seat in (0, 1))
    assert one.shape == other.shape and np.allclose(one, other, atol=1e-6)  # each sees his own half at the same side
    other_line = Battle.load("wap/meeting-field", 1)
    other_line.apply(other_line.setup.space.option + (option + 2) % 4)
    assert not np.allclose(planes_of(other_line, 0), one)


@pytest.mark.rule("wap.scenario.meeting-engagement.zone")
def test_greedy_deploys_towards_the_line() -> None:
    battle, policies = Battle.load("wap/meeting-field", 3), [make("greedy", 1), make("greedy", 2)]
    while battle.clock.phase[0] == 0 and kind(battle) != "choose-first":
        assert battle.decision is not None
        battle.apply(policies[battle.decision.player].act(battle, battle.legal()))
    for player in (0, 1):
        zone = zone_of(battle, player)
        middle = zone.mean(axis=0)
        own = [unit for unit in battle.units_of(player) if battle.units.place[unit] == ON_TABLE]
        assert own
        centre = np.array([36.0, 24.0])
        near = [np.hypot(battle.units.x[u] - 36.0, battle.units.y[u] - 24.0) for u in own]
        assert min(near) < np.hypot(*(middle - centre))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dawn-field", "is sent to its place by a "),
        ("meeting-field", " is late"),
        ("pass-field", "deploys in the west"),
        ("meeting-field", "deploys in the south-"),
        ("glory-field", " leaves the field"),
    ],
)
@pytest.mark.rule("wap.scenario.format")
def test_what_a_mission_does_is_told(name: str, said: str) -> None:
    for seed in range(12):
        battle = Battle.load(f"wap/{name}", seed, record=True)
        play_battle(battle, [make("greedy", seed), make("greedy", seed + 1)])
        if any(said in (battle.setup.ruleset.sentence(battle, event) or "") for event in battle.events):
            return
    pytest.fail(f"nobody says {said!r}")
