"""Rewards: zero-sum, accumulated, and shaping that cancels out over a battle."""

from __future__ import annotations

import numpy as np
import pytest

import wh_env
from wh_env import Battle, Reward
from wh_env.envs.rewards import make_reward, outcome, survivors, victory_points

SKIRMISH = "w10/only-war-skirmish"
SHAPES = {
    "points": victory_points(),
    "survivors": survivors,
    "one-sided": lambda battle, seat: battle.players.vp[seat] / 20,
}


def legal(mask, chance) -> int:
    return int(chance.choice(mask.nonzero()[0]))


def aec_rewards(environment, seed: int):
    """Rewards as each agent collects them with ``last``; and the potentials at its decisions."""
    chance = np.random.default_rng(seed)
    environment.reset(seed=seed)
    collected = {agent: [] for agent in environment.possible_agents}
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        collected[agent].append(reward)
        done = terminated or truncated
        environment.step(None if done else legal(observation["action_mask"], chance))
    return collected


@pytest.mark.parametrize(
    "reward", ["outcome", "margin", Reward(potential=victory_points()), Reward(potential=survivors)]
)
def test_every_step_is_zero_sum(reward):
    environment = wh_env.raw_env(battle=SKIRMISH, reward=reward)
    chance = np.random.default_rng(3)
    environment.reset(seed=3)
    paid = 0.0
    while not environment.battle.over:
        environment.step(legal(environment.observe(environment.agent_selection)["action_mask"], chance))
        assert sum(environment.rewards.values()) == pytest.approx(0.0, abs=1e-12)
        paid += environment.rewards["player_0"]
    ended = make_reward(reward)
    start = Battle(environment.battle.setup, 3)
    assert paid == pytest.approx(ended.ended(environment.battle, 0) - ended.standing(start, 0))


@pytest.mark.parametrize("gamma", [1.0, 0.9])
@pytest.mark.parametrize("shape", SHAPES)
def test_shaping_telescopes_for_each_agent(shape, gamma):
    """What each agent collects from its first decision on, discounted, is the outcome less the potential it started from."""
    shaped, plain = Reward(potential=SHAPES[shape], gamma=gamma), Reward()
    environment = wh_env.raw_env(battle=SKIRMISH, reward=shaped)
    for seed in (1, 2, 5):
        collected = aec_rewards(environment, seed)
        plainly = aec_rewards(wh_env.raw_env(battle=SKIRMISH, reward=plain), seed)
        for seat, agent in enumerate(environment.possible_agents):
            # the first entry was collected before the agent did anything
            steps, bare = collected[agent][1:], plainly[agent][1:]
            whole = sum(gamma**k * reward for k, reward in enumerate(steps))
            end = gamma ** (len(bare) - 1) * bare[-1]
            first = first_potential(shaped, seed, seat)
            assert whole - end == pytest.approx(-first, abs=1e-9)
            if shape == "survivors":
                assert np.abs(steps[:-1]).max() > 0.01


def first_potential(reward: Reward, seed: int, seat: int) -> float:
    """The potential at the first decision of a seat, of the battle that ``aec_rewards`` plays."""
    environment, chance = wh_env.raw_env(battle=SKIRMISH), np.random.default_rng(seed)
    environment.reset(seed=seed)
    while environment.agent_selection != f"player_{seat}":
        environment.step(legal(environment.observe(environment.agent_selection)["action_mask"], chance))
    return reward.standing(environment.battle, seat)


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaping_telescopes_for_the_learner(gamma):
    reward = Reward(potential=survivors, gamma=gamma)
    environment = wh_env.single_env(battle=SKIRMISH, reward=reward, opponent="random")
    chance = np.random.default_rng(0)
    for seed in range(4):
        _, info = environment.reset(seed=seed)
        first, whole, k, done = reward.standing(environment.battle, info["seat"]), 0.0, 0, False
        while not done:
            _, paid, terminated, truncated, info = environment.step(legal(info["action_mask"], chance))
            whole += gamma**k * paid
            k, done = k + 1, terminated or truncated
        assert whole == pytest.approx(gamma ** (k - 1) * info["outcome"] - first)


def test_a_truncated_battle_keeps_the_potential_of_its_last_state():
    reward = Reward(potential=survivors, gamma=0.5)
    environment = wh_env.single_env(battle=SKIRMISH, reward=reward, opponent="random", max_decisions=200)
    chance = np.random.default_rng(0)
    _, info = environment.reset(seed=2)
    done = False
    while not done:
        before = reward.standing(environment.battle, info["seat"])
        _, paid, terminated, done, info = environment.step(legal(info["action_mask"], chance))
        assert not terminated
        after = reward.standing(environment.battle, info["seat"])
        assert paid == pytest.approx(0.5 * after - before)
    assert abs(after) > 0.01


def test_a_function_of_the_end_is_made_zero_sum():
    environment = wh_env.raw_env(battle=SKIRMISH, reward=lambda battle, seat: battle.players.vp[seat])
    collected = aec_rewards(environment, 2)
    own, other = environment.battle.players.vp
    assert collected["player_0"][-1] == pytest.approx((own - other) / 2)
    assert collected["player_1"][-1] == pytest.approx((other - own) / 2)
    assert own != other


def test_named_rewards():
    assert make_reward("outcome").final is outcome
    battle = Battle.load(SKIRMISH, 1)
    battle.players.vp[0], battle.players.vp[1] = 30, 5
    assert make_reward("margin").ended(battle, 0) == 0.5
    assert make_reward("margin").ended(battle, 1) == -0.5
    with pytest.raises(ValueError, match="gamma 0 "):
        Reward(gamma=0)
    with pytest.raises(ValueError, match="scale 0 "):
        victory_points(0)


def test_survivors_counts_models_by_points():
    battle = Battle.load(SKIRMISH, 1)
    assert survivors(battle, 0) == 0.0
    units, models = battle.units.rows, battle.models.rows
    lost = units[battle.units_of(1)][0]
    models["alive"][lost["first"] : lost["first"] + lost["count"]] = 0
    whole = units["points"][battle.units_of(1)].sum()
    assert survivors(battle, 0) == pytest.approx(lost["points"] / whole)
    assert survivors(battle, 1) == -survivors(battle, 0)
