"""The single-agent view."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordVideo

import wh_env
from wh_env import Battle, ContentError, IllegalAction
from wh_env.envs.duels import IllegalActionWarning
from wh_env.envs.single import BattleEnv

SKIRMISH = "w10/only-war-skirmish"


def first_legal(battle: Battle, mask) -> int:
    return int(mask.argmax())


def play(environment, seed: int, choose=None, options=None):
    """A whole battle; yields what every step returned."""
    chance = np.random.default_rng(seed)
    _, info = environment.reset(seed=seed, options=options)
    done = False
    while not done:
        action = choose(info) if choose else int(chance.choice(info["action_mask"].nonzero()[0]))
        step = environment.step(action)
        _, _, terminated, truncated, info = step
        done = terminated or truncated
        yield step


@pytest.mark.parametrize("observation", ["vector", "entities"])
def test_gymnasium_check_env(observation):
    environment = wh_env.single_env(battle=SKIRMISH, observation=observation)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", IllegalActionWarning)  # what checks draw heeds no mask
        check_env(environment, skip_render_check=True)


def test_gymnasium_check_env_with_pictures():
    pytest.importorskip("pygame")
    environment = gymnasium.make("wh_env/w10-v0", battle=SKIRMISH, render_mode="rgb_array")
    check_env(environment.unwrapped)
    environment.reset(seed=1)
    picture = environment.render()
    assert picture.dtype == np.uint8 and picture.ndim == 3


def test_sb3_check_env():
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_checker import check_env as check

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", IllegalActionWarning)  # what checks draw heeds no mask
        check(wh_env.single_env(battle=SKIRMISH))


@pytest.mark.parametrize("seat", [0, 1])
def test_the_learner_is_always_the_one_asked(seat):
    environment = wh_env.single_env(battle=SKIRMISH, seat=seat)
    for observation, _, terminated, _, info in play(environment, 3):
        assert environment.observation_space.contains(observation)
        assert info["seat"] == seat
        assert (environment.action_masks() == info["action_mask"]).all()
        if terminated:
            assert not info["action_mask"].any()
        else:
            assert environment.battle.decision.player == seat
            assert info["action_mask"].any()
    assert info["decisions"] == environment.battle.clock.decisions[0]


def test_losses_that_the_opponent_inflicts_arrive():
    """The learner loses in a step whose last decision was the opponent's."""
    environment = wh_env.single_env(battle=SKIRMISH, opponent="greedy", seat=0)
    ended_by_opponent = 0
    for seed in range(6):
        steps = list(play(environment, seed))
        assert all(reward == 0 for _, reward, *_ in steps[:-1])
        _, reward, terminated, _, info = steps[-1]
        result = environment.battle.result
        assert terminated
        assert reward == info["outcome"] == (0 if result.winner is None else 1 if result.winner == 0 else -1)
        assert tuple(info["victory_points"]) == result.victory_points
        ended_by_opponent += bool(reward < 0 and environment.battle.clock.turn[0] == 1)
    assert ended_by_opponent


def test_the_seat_is_drawn():
    environment = wh_env.single_env(battle=SKIRMISH)
    seats = [environment.reset(seed=seed)[1]["seat"] for seed in range(12)]
    assert set(seats) == {0, 1}
    assert [environment.reset(seed=seed)[1]["seat"] for seed in range(12)] == seats
    assert {environment.reset(options={"seat": 1})[1]["seat"] for _ in range(4)} == {1}


def test_a_seed_makes_the_whole_battle():
    environment = wh_env.single_env(battle=SKIRMISH, opponent="random")

    def whole(seed):
        return [(o.tobytes(), r, i["seat"]) for o, r, _, _, i in play(environment, seed)]

    first = whole(7)
    other = whole(8)
    assert whole(7) == first
    assert other != first


def test_without_a_seed_battles_follow_from_the_last_seed():
    environment = wh_env.single_env(battle=SKIRMISH)

    def second():
        environment.reset(seed=5)
        environment.reset()
        return environment.battle.state_bytes()

    assert second() == second()
    environment.reset(seed=5)
    assert environment.battle.state_bytes() != second()


def test_the_battle_is_the_same_as_played_by_hand():
    """Step by step: the learner's actions through the environment, the opponent's by the same function."""
    environment = wh_env.single_env(battle=SKIRMISH, opponent=first_legal, seat=0)
    _, info = environment.reset(seed=4)
    twin = environment.battle.clone()
    chance = np.random.default_rng(0)
    done = False
    while not done:
        action = int(chance.choice(info["action_mask"].nonzero()[0]))
        turned = twin.clock.attacker[0] != 0
        space = twin.setup.space
        if turned and space.cell <= action < space.angle:
            twin.apply(space.cell + space.angle - 1 - action)
        else:
            assert not (turned and space.angle <= action < space.number)
            twin.apply(action)
        while not twin.over and twin.clock.player[0] == 1:
            twin.apply(twin.first_legal())
        _, _, terminated, truncated, info = environment.step(action)
        done = terminated or truncated
        assert environment.battle.state_bytes() == twin.state_bytes()


def test_an_illegal_action_forfeits_or_raises():
    environment = wh_env.single_env(battle=SKIRMISH)
    _, info = environment.reset(seed=1)
    illegal = int((info["action_mask"] == 0).argmax())
    observation, reward, terminated, truncated, info = environment.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"] and info["outcome"] == -1.0
    assert environment.observation_space.contains(observation)

    strict = wh_env.single_env(battle=SKIRMISH, illegal="raise")
    _, info = strict.reset(seed=1)
    state = strict.battle.state_bytes()
    for action in (illegal, -1, len(info["action_mask"])):
        with pytest.raises(IllegalAction, match=f"action {action} is not legal"):
            strict.step(action)
        assert strict.battle.state_bytes() == state
    strict.step(int(info["action_mask"].argmax()))


def test_stepping_without_a_running_battle_is_refused():
    environment = wh_env.single_env(battle=SKIRMISH, max_decisions=1)
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        environment.step(0)
    steps = list(play(environment, 1))
    assert len(steps) == 1 and steps[0][3] and not steps[0][2]
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        environment.step(0)
    environment.reset()
    environment.close()
    environment.close()


def test_the_decision_limit_truncates():
    environment = wh_env.single_env(battle=SKIRMISH, max_decisions=60, opponent="random")
    *going, (_, reward, terminated, truncated, info) = play(environment, 3)
    assert not any(step[2] or step[3] for step in going)
    assert truncated and not terminated
    assert reward == 0.0 and info["outcome"] == 0.0
    assert not info["action_mask"].any()
    assert info["decisions"] == 60


def test_one_caller_may_play_both_seats():
    environment = wh_env.single_env(battle=SKIRMISH, opponent=None)
    _, info = environment.reset(seed=1)
    seats, done, chance, acted = set(), False, np.random.default_rng(1), None
    while not done:
        assert environment.battle.decision.player == info["seat"]
        acted = info["seat"]
        seats.add(acted)
        _, reward, done, _, info = environment.step(int(chance.choice(info["action_mask"].nonzero()[0])))
    assert seats == {0, 1}
    winner = environment.battle.result.winner
    assert reward == (0 if winner is None else 1 if winner == acted else -1)


def test_words_are_those_of_the_legal_actions():
    environment = wh_env.single_env(battle=SKIRMISH, seat=1)
    _, info = environment.reset(seed=1)
    assert sorted(environment.words()) == info["action_mask"].nonzero()[0].tolist()
    assert all(environment.words().values())


@pytest.mark.parametrize(
    ("how", "match"),
    [
        ({"opponent": "clever"}, "policy 'clever' is not known; expected one of"),
        ({"opponent": 7}, r"opponent: 7 .* expected a name such as 'greedy'"),
        ({"seat": 2}, "seat: 2 is not known; expected one of 0, 1, random"),
        ({"illegal": "ignore"}, "illegal: 'ignore' is not known; expected one of forfeit, raise"),
        ({"render_mode": "film"}, "render_mode: 'film' is not known"),
    ],
)
def test_what_cannot_be_used_is_refused(how, match):
    with pytest.raises((ContentError, ValueError), match=match):
        BattleEnv("w10", SKIRMISH, **how)


def test_gymnasium_records_films(tmp_path):
    pytest.importorskip("pygame")
    made = gymnasium.make("wh_env/w10-v0", battle=SKIRMISH, opponent="random", render_mode="rgb_array")
    filmed = RecordVideo(made, str(tmp_path), video_length=3, disable_logger=True)
    _, info = filmed.reset(seed=1)
    for _ in range(4):
        _, _, _, _, info = filmed.step(int(info["action_mask"].argmax()))
    filmed.close()
    films = list(tmp_path.glob("*.mp4"))
    assert len(films) == 1 and films[0].stat().st_size > 1000
