"""Models of stable-baselines3 as policies: they see and answer at the table as they did in the environment."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from wh_env import Battle, single_env
from wh_env.agents.match import play_battle
from wh_env.agents.policies import make
from wh_env.envs.seat import Seat

SKIRMISH = "w10/only-war-skirmish"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """An untrained model in a file, and the model."""
    contrib = pytest.importorskip("sb3_contrib")
    from wh_env.envs.sb3 import BattleVecEnv

    env = BattleVecEnv(2, battle=SKIRMISH, opponent="random")
    made = contrib.MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, seed=1, policy_kwargs={"net_arch": [8]})
    file = tmp_path_factory.mktemp("models") / "model.zip"
    made.save(file)
    return file, made


@pytest.mark.parametrize("form", ["vector", "entities"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_is_shown_what_an_environment_shows(form, seat):
    env = single_env("w10", battle=SKIRMISH, opponent="random", observation=form, seat=seat)
    seen, info = env.reset(seed=5)
    eyes = pickle.loads(pickle.dumps(Seat(form)))
    for _ in range(40):
        mine = eyes.observe(env.battle)
        assert np.array_equal(mine["action_mask"], info["action_mask"])
        for part in seen if form == "entities" else ():
            assert np.array_equal(mine["observation"][part], seen[part])
        if form == "vector":
            assert np.array_equal(mine["observation"], seen)
        chosen = int(np.flatnonzero(info["action_mask"])[-1])
        assert env.battle.legal()[eyes.action(env.battle, chosen)]
        twin = env.battle.clone()
        twin.apply(eyes.action(twin, chosen))
        seen, _, over, cut, info = env.step(chosen)
        if over or cut:
            break


def test_a_model_plays_both_seats(model):
    file, made = model
    battle = Battle.load(SKIRMISH, 4)
    policies = [make("sb3", 1, {"model": str(file)}), make("sb3", 2, {"model": str(file)})]
    played = play_battle(battle, policies, max_decisions=120)
    assert len(played.actions) == 120 or battle.over
    # what is likeliest in the environment is what is played at the table
    env = single_env("w10", battle=SKIRMISH, opponent="random")
    seen, info = env.reset(seed=9)
    chosen, _ = made.predict(seen, action_masks=info["action_mask"].astype(bool), deterministic=True)
    assert policies[0].act(env.battle, env.battle.legal()) == Seat().action(env.battle, chosen)


def test_what_is_drawn_follows_from_the_seed(model):
    file, _ = model
    answers = []
    for seed in (3, 3, 4):
        policy = make("sb3", seed, {"model": str(file), "deterministic": False})
        battle = Battle.load(SKIRMISH, 4)
        answers.append(play_battle(battle, [policy, make("random", 1)], max_decisions=60).actions)
    assert answers[0] == answers[1] != answers[2]


def test_what_is_no_model_of_this_environment_is_refused(model, tmp_path):
    with pytest.raises(ValueError, match=r"no-such.zip' is not there; expected a file that MaskablePPO.save wrote"):
        make("sb3", 0, {"model": "no-such.zip"})
    contrib = pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.envs import InvalidActionEnvDiscrete

    other = contrib.MaskablePPO("MlpPolicy", InvalidActionEnvDiscrete(4, 2), policy_kwargs={"net_arch": [4]})
    other.save(tmp_path / "other.zip")
    with pytest.raises(ValueError, match="sees something else than an observation of wh_env"):
        make("sb3", 0, {"model": str(tmp_path / "other.zip")})
