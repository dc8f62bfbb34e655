"""Same seed and same answers, same battle: bytes, events, copies, saved battles, golden battles.

``python tests/test_determinism.py`` writes the golden battles, their traces, the numbers of procedures and kinds, and the sweep
(``golden_sweep``) anew, for changes of the rules that are meant.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import golden_sweep
import pytest
from golden_battles import Trace, difference, numbers, read_lines, write_lines

from wh_env import Battle, IllegalAction
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.agents.policies.base import Policy
from wh_env.content.games import GAMES
from wh_env.content.replay import Recorder, parse_replay
from wh_env.core.tables import Array
from wh_env.envs.registry import environment, rulesets

SKIRMISH, INCURSION = "w10/only-war-skirmish", "w10/only-war-incursion"
SKIRMISHES = [environment(ruleset).skirmish for ruleset in rulesets()]
GOLDEN = Path(__file__).parent / "golden"
# name of the file: battle, agents, seed, detail
GOLDEN_BATTLES = {
    "skirmish-random-1": (SKIRMISH, ("random", "random"), 1, "squad"),
    "skirmish-random-2": (SKIRMISH, ("random", "random"), 2, "squad"),
    "skirmish-full-3": (SKIRMISH, ("random", "random"), 3, "full"),
    "incursion-random-4": (INCURSION, ("random", "random"), 4, "squad"),
    "skirmish-greedy-5": (SKIRMISH, ("greedy", "greedy"), 5, "squad"),
    "epic-random-6": ("epic/river-crossing", ("random", "random"), 6, "squad"),
    "epic-full-7": ("epic/bridgehead", ("random", "random"), 7, "full"),
    "epic-greedy-8": ("epic/broken-country", ("greedy", "greedy"), 8, "squad"),
    "w9-random-9": ("w9/only-war-incursion", ("random", "random"), 9, "squad"),
    "w9-full-10": ("w9/only-war-patrol", ("random", "random"), 10, "full"),
    "w9-greedy-11": ("w9/only-war-patrol", ("greedy", "greedy"), 11, "squad"),
    "w8-random-12": ("w8/only-war", ("random", "random"), 12, "squad"),
    "w8-full-13": ("w8/only-war-skirmish", ("random", "random"), 13, "full"),
    "w8-greedy-14": ("w8/only-war-skirmish", ("greedy", "greedy"), 14, "squad"),
    "wap-random-15": ("wap/open-field", ("random", "random"), 15, "squad"),
    "wap-full-16": ("wap/open-skirmish", ("random", "random"), 16, "full"),
    "wap-greedy-17": ("wap/open-skirmish", ("greedy", "greedy"), 17, "squad"),
    "wap-heroes-18": ("wap/open-heroes", ("greedy", "random"), 18, "squad"),
    "wap-beasts-19": ("wap/open-menagerie", ("random", "random"), 19, "full"),
}
MOST = 3000


def played(
    battle: str, agents=("random", "random"), seed: int = 0, detail: str = "squad", record: bool = True
) -> Battle:
    game = Battle.load(battle, seed, detail=detail, record=record)
    play_battle(game, [make(name, seed + n) for n, name in enumerate(agents)], max_decisions=MOST)
    return game


def event_hash(game: Battle) -> str:
    return hashlib.sha256("\n".join(map(str, game.events)).encode()).hexdigest()


class Told:
    """A policy whose answers in ``game`` go into a trace."""

    def __init__(self, policy: Policy, game: Battle, trace: Trace) -> None:
        self.policy, self.game, self.trace = policy, game, trace

    def act(self, battle: Battle, mask: Array) -> int:
        self.trace.after(self.game)
        action = self.policy.act(battle, mask)
        self.trace.before(self.game, action)
        return action

    def reset(self, seed: int) -> None:
        self.policy.reset(seed)


def golden(battle: str, agents, seed: int, detail: str) -> tuple[dict, list[str]]:
    """What is kept of a golden battle, and its trace."""
    game, trace = Battle.load(battle, seed, detail=detail, record=True), Trace()
    policies = [Told(make(name, seed + n), game, trace) for n, name in enumerate(agents)]
    play_battle(game, policies, max_decisions=MOST)
    trace.after(game)
    return {
        "battle": battle,
        "agents": list(agents),
        "seed": seed,
        "detail": detail,
        "decisions": int(game.clock.decisions[0]),
        "victory_points": [int(points) for points in game.players.vp],
        "state": hashlib.sha256(game.state_bytes()).hexdigest(),
        "events": event_hash(game),
    }, trace.lines


def regenerate() -> None:
    """Write all golden battles, the numbers and the sweep."""
    GOLDEN.mkdir(exist_ok=True)
    for name, described in GOLDEN_BATTLES.items():
        kept, trace = golden(*described)
        (GOLDEN / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        write_lines(GOLDEN / f"{name}.txt", trace)
    for name, game in GAMES.items():
        write_lines(GOLDEN / f"numbers-{name}.txt", numbers(game.ruleset))
    golden_sweep.write(list(golden_sweep.GROUPS))


@pytest.mark.parametrize("name", GOLDEN_BATTLES)
def test_golden_battles(name):
    """If the rules were meant to change: python tests/test_determinism.py."""
    result, trace = golden(*GOLDEN_BATTLES[name])
    told = difference(read_lines(GOLDEN / f"{name}.txt"), trace)
    assert told is None, f"{name}: {told}"
    assert result == json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("ruleset", GAMES)
def test_procedures_and_kinds_have_the_numbers_that_they_had(ruleset):
    """They stand in every state and in saved battles. If they were meant to change: python tests/test_determinism.py."""
    told = difference(read_lines(GOLDEN / f"numbers-{ruleset}.txt"), numbers(GAMES[ruleset].ruleset))
    assert told is None, told


@pytest.mark.parametrize("battle", SKIRMISHES)
@pytest.mark.parametrize("agents", [("random", "random"), ("greedy", "random")])
def test_same_seed_same_battle(agents, battle):
    first, second, other = played(battle, agents, 5), played(battle, agents, 5), played(battle, agents, 6)
    assert first.state_bytes() == second.state_bytes()
    assert event_hash(first) == event_hash(second)
    assert first.state_bytes() != other.state_bytes()


@pytest.mark.parametrize("battle", SKIRMISHES)
def test_recording_events_changes_nothing(battle):
    assert played(battle, seed=4, record=True).state_bytes() == played(battle, seed=4, record=False).state_bytes()


def middle(battle: str, seed: int) -> Battle:
    """A battle in its third round."""
    game = Battle.load(battle, seed)
    policy = make("random", seed)
    while game.clock.round[0] < 3:
        game.apply(policy.act(game, game.legal()))
    return game


def finish(game: Battle) -> bytes:
    play_battle(game, [make("random", 1), make("random", 2)])
    return game.state_bytes()


@pytest.mark.parametrize("battle", SKIRMISHES)
def test_a_copy_has_the_same_future_and_with_a_seed_another(battle):
    game = middle(battle, 1)
    before = game.state_bytes()
    same, other, again = game.clone(), game.clone(seed=99), game.clone(seed=99)
    assert same.state_bytes() == before
    future = finish(same)
    assert game.state_bytes() == before  # a copy shares nothing
    assert finish(other) == finish(again)
    assert other.state_bytes() != future
    assert finish(game) == future


@pytest.mark.parametrize("battle", SKIRMISHES)
def test_copy_from_is_a_copy(battle):
    game = middle(battle, 2)
    copy = game.clone()
    copy.apply(copy.first_legal())
    copy.copy_from(game)
    assert copy.state_bytes() == game.state_bytes()
    assert (copy.legal() == game.legal()).all()
    assert finish(copy) == finish(game)


@pytest.mark.parametrize("battle", SKIRMISHES)
def test_battles_played_in_turn_on_one_table_go_as_alone(battle):
    game = middle(battle, 2)
    games = [game, Battle(game.setup, 5)]
    alone = [game.clone() for game in games]
    table = games[0].clone()
    policies = [make("random", 1), make("random", 2)]
    while not all(game.over for game in games):
        for game, other, policy in zip(games, alone, policies, strict=True):
            if game.over:
                continue
            action = policy.act(game, game.legal())
            game.apply_on(table, action)
            other.apply(action)
            assert game.state_bytes() == other.state_bytes() == table.state_bytes()
            assert (game.legal() == other.legal()).all()
            assert (table.legal() == other.legal()).all()
    before = games[0].state_bytes()
    with pytest.raises(IllegalAction):
        games[0].apply_on(table, 0)
    assert games[0].state_bytes() == before


@pytest.mark.parametrize("battle", SKIRMISHES)
def test_saved_battles_resume_exactly(battle):
    game = middle(battle, 3)
    loaded = Battle.from_bytes(game.to_bytes())
    assert loaded.to_bytes() == game.to_bytes()
    assert (loaded.legal() == game.legal()).all()
    assert finish(loaded) == finish(game)


@pytest.mark.parametrize("battle", SKIRMISHES)
def test_replays_give_the_same_bytes(battle):
    game = Battle.load(battle, 7)
    recorder = Recorder(game, 7)
    play_battle(game, [make("random", 1), make("random", 2)], recorder=recorder)
    replay = parse_replay(recorder.replay().to_bytes())
    assert replay.verify().state_bytes() == game.state_bytes()


if __name__ == "__main__":
    regenerate()
