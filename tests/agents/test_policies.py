"""Policies: they are legal, repeatable, and the greedy one is better than chance."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from wh_env import Battle
from wh_env.agents.match import play_battle
from wh_env.agents.policies import (
    BUILT_IN,
    GROUP,
    Policy,
    RandomPolicy,
    UnknownPolicy,
    act_all,
    make,
    names,
    parse,
    refusal,
)

SKIRMISH = "w10/only-war-skirmish"


class FirstPolicy:
    """Takes the first legal action."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, battle, mask) -> int:
        return int(mask.argmax())

    def reset(self, seed: int) -> None:
        self.seed = seed


def test_greedy_beats_random():
    setup = Battle.load(SKIRMISH, 0).setup
    points = 0.0
    for seed in range(20):
        seat = seed % 2
        policies = [make("random", seed), make("random", seed)]
        policies[seat] = make("greedy", seed)
        result = play_battle(Battle(setup, seed), policies).result
        assert result is not None
        points += 0.5 if result.winner is None else float(result.winner == seat)
    assert points >= 12


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_greedy_plays_every_decision(detail):
    battle = Battle.load(SKIRMISH, 3, detail=detail, rules={"formations": "choose", "markers": "players"})
    assert play_battle(battle, [make("greedy"), make("greedy")], max_decisions=4000).actions
    assert battle.over


def test_greedy_leaves_the_battle_as_it_is():
    battle = Battle.load(SKIRMISH, 4)
    policy = make("greedy")
    while not battle.over:
        mask = battle.legal()
        before = battle.state_bytes()
        action = policy.act(battle, mask)
        assert battle.state_bytes() == before
        assert mask[action]
        battle.apply(action)


def test_random_is_uniform_and_repeatable():
    battle = Battle.load(SKIRMISH, 0)
    mask = np.zeros(battle.setup.space.size, np.bool_)
    mask[[3, 50, 400]] = True
    policy = RandomPolicy(7)
    drawn = [policy.act(battle, mask) for _ in range(6000)]
    assert set(drawn) == {3, 50, 400}
    assert all(1850 < drawn.count(action) < 2150 for action in (3, 50, 400))
    policy.reset(7)
    assert [policy.act(battle, mask) for _ in range(6000)] == drawn


def test_policies_by_name():
    assert isinstance(make("random", 3), RandomPolicy)
    own = make(f"{__name__}:FirstPolicy", 5) if "." in __name__ else FirstPolicy(5)
    assert isinstance(own, Policy)
    with pytest.raises(
        UnknownPolicy, match="expected one of greedy, human, learned, random, sb3, search, tactician, or module:Class"
    ):
        make("clever")
    with pytest.raises(UnknownPolicy, match="cannot be imported"):
        make("wh_env.agents.policies:NoSuchThing")
    with pytest.raises(UnknownPolicy, match="is no policy"):
        make("collections:Counter")


class Wordy(FirstPolicy):
    """Has options, and answers many battles at once."""

    def __init__(self, seed: int = 0, depth: int = 1, name: str = "") -> None:
        super().__init__(seed)
        self.depth, self.name = depth, name

    def act_batch(self, battles, masks) -> list[int]:
        return [int(mask.size - 1 - mask[::-1].argmax()) for mask in masks]


def test_options_of_policies():
    assert parse("learned,checkpoint=out/best.zip,depth=3,fast=true") == (
        "learned",
        {"checkpoint": "out/best.zip", "depth": 3, "fast": True},
    )
    assert parse("random") == ("random", {})
    with pytest.raises(UnknownPolicy, match=r"option 'deep' is not valid; expected key=value"):
        parse("search,deep")
    with pytest.raises(UnknownPolicy, match=r"'random' cannot be made with seed and {'depth': 2}"):
        make("random,depth=2")


def test_greedy_declines_what_it_is_told_to():
    """So that it shows what magic is worth; of a ruleset without such decisions it is told at once."""
    plain, still = make("greedy"), make("greedy,declines=cast-by cast-at-once")
    battle = Battle.load("wap/open-magic", 3)
    while battle.decision.kind != "cast-by" or plain.act(battle, battle.legal()) == 0:
        action = plain.act(battle, battle.legal())
        assert battle.decision.kind == "cast-by" or still.act(battle, battle.legal()) == action
        battle.apply(action)
    assert still.act(battle, battle.legal()) == 0
    assert not refusal(still, battle.setup)
    assert refusal(still, Battle.load(SKIRMISH, 1).setup) == "there are no decisions cast-at-once, cast-by to decline"


def test_policies_of_installed_packages(tmp_path, monkeypatch):
    """An entry point is a policy by name; nothing is imported before it is asked for."""
    (tmp_path / "their_bots.py").write_text(
        "class Bot:\n"
        "    def __init__(self, seed=0, depth=1): self.seed, self.depth = seed, depth\n"
        "    def act(self, battle, mask): return int(mask.argmax())\n"
        "    def reset(self, seed): self.seed = seed\n"
    )
    package = tmp_path / "their_bots-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: their-bots\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(
        "[wh_env.policies]\ntheir-bot = their_bots:Bot\nbroken = their_bots:Lost\nrandom = their_bots:Bot\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert {"their-bot", "broken", "greedy", "random"} <= set(names())
    bot = make("their-bot,depth=4", 7)
    assert (bot.seed, bot.depth) == (7, 4)
    assert isinstance(make("random"), RandomPolicy)  # built-in names stay what they are
    with pytest.raises(UnknownPolicy, match="policy 'broken' cannot be imported"):
        make("broken")


def test_built_in_policies_are_declared_as_entry_points():
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())
    assert project["project"]["entry-points"][GROUP] == BUILT_IN
    for name in BUILT_IN.keys() - {"sb3"}:  # which plays a model of the user's
        assert isinstance(make(name), Policy)
    with pytest.raises(
        UnknownPolicy, match=r"'sb3' cannot be made with seed and no options: missing a required .*'model'"
    ):
        make("sb3")


def test_many_battles_at_once():
    setup = Battle.load(SKIRMISH, 0).setup
    battles = [Battle(setup, seed) for seed in range(3)]
    masks = np.stack([battle.legal() for battle in battles])
    assert act_all(FirstPolicy(), battles, masks) == [int(mask.argmax()) for mask in masks]
    assert act_all(Wordy(), battles, masks) == [int(np.flatnonzero(mask)[-1]) for mask in masks]


def test_a_match_can_be_stopped():
    battle = Battle.load(SKIRMISH, 0)
    calls = iter(range(100))
    played = play_battle(battle, [make("random"), make("random")], stop=lambda: next(calls) >= 10)
    assert len(played.actions) == 10
    assert played.result is None
