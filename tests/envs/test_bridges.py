"""Libraries that learn: each takes real learning steps with the environment as it is offered to it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import wh_env
from wh_env.envs.masked import MaskedObservation, RLlibEnv

SKIRMISH = "w10/only-war-skirmish"
SMALL = {"net_arch": [16]}


def changed(before, after) -> bool:
    """Whether weights were learnt."""
    return any((old != new).any() for old, new in zip(before, after, strict=True))


# ---- stable-baselines3


def masked_ppo(env, policy: str = "MlpPolicy", **how):
    from sb3_contrib import MaskablePPO

    return MaskablePPO(
        policy, env, n_steps=16, batch_size=16, n_epochs=1, seed=1, device="cpu", policy_kwargs=SMALL, **how
    )


@pytest.mark.parametrize("observation", ["vector", "entities"])
def test_maskable_ppo_learns_in_a_batch(observation):
    pytest.importorskip("sb3_contrib")
    from wh_env.envs.sb3 import BattleVecEnv

    env = BattleVecEnv(
        4, battle=SKIRMISH, observation=observation, opponent="random", illegal="raise", max_decisions=60
    )
    model = masked_ppo(env, "MlpPolicy" if observation == "vector" else "MultiInputPolicy")
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(128)  # an illegal action would raise
    assert changed(before, model.policy.parameters())
    assert env.has_attr("action_masks") and not env.has_attr("unheard_of")


def test_maskable_ppo_learns_in_one_environment_and_is_measured():
    pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.vec_env import VecMonitor

    from wh_env.envs.sb3 import BattleVecEnv

    model = masked_ppo(wh_env.single_env(battle=SKIRMISH, opponent="random", illegal="raise"))
    model.learn(16)
    arena = VecMonitor(BattleVecEnv(2, battle=SKIRMISH, opponent=model, illegal="raise", rules={"rounds": 1}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rewards, lengths = evaluate_policy(model, arena, n_eval_episodes=3, return_episode_rewards=True)
    assert len(rewards) == 3 and set(rewards) <= {-1.0, 0.0, 1.0} and min(lengths) > 3


def test_the_vec_env_speaks_sb3():
    """What DummyVecEnv gives for single environments."""
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.vec_env import DummyVecEnv

    from wh_env.envs.sb3 import BattleVecEnv

    how = {"battle": SKIRMISH, "opponent": "random", "max_decisions": 70}
    batch = BattleVecEnv(3, **how)
    model = DummyVecEnv([lambda: wh_env.single_env(**how)] * 3)
    for env in (batch, model):
        env.seed(5)
        env.set_options({"seat": 1})
    assert batch.observation_space == model.observation_space and batch.action_space == model.action_space
    observations = batch.reset(), model.reset()
    chance, ends = np.random.default_rng(0), 0
    for _ in range(80):
        assert np.array_equal(*observations)
        masks = batch.env_method("action_masks")
        assert np.array_equal(masks, model.env_method("action_masks"))
        actions = np.array([chance.choice(mask.nonzero()[0]) for mask in masks])
        kept = observations[0].copy()
        steps = batch.step(actions), model.step(actions)
        assert np.array_equal(observations[0], kept)  # SB3 keeps references to the last observations
        (seen, rewards, dones, infos), (seen_, rewards_, dones_, infos_) = steps
        assert np.array_equal(rewards, rewards_) and rewards.dtype == rewards_.dtype
        assert np.array_equal(dones, dones_)
        for info, info_ in zip(infos, infos_, strict=True):
            assert info["TimeLimit.truncated"] == info_["TimeLimit.truncated"]
            if "terminal_observation" in info_:
                ends += 1
                assert np.array_equal(info["terminal_observation"], info_["terminal_observation"])
                assert info["outcome"] == info_["outcome"]
                assert np.array_equal(info["victory_points"], info_["victory_points"])
            else:
                assert "terminal_observation" not in info
        observations = seen, seen_
    assert ends > 3
    with pytest.raises(AttributeError, match="no method 'fly'"):
        batch.env_method("fly")
    batch.set_options([{"seat": 1}, {"seat": 0}, {"seat": 1}])
    with pytest.raises(ValueError, match="reset with the same options"):
        batch.reset()
    batch.close()
    batch.close()


# ---- RLlib


def test_the_mask_inside_the_observation():
    environment = MaskedObservation(wh_env.single_env(battle=SKIRMISH))
    observation, info = environment.reset(seed=1)
    assert environment.observation_space.contains(observation)
    assert (observation["action_mask"] == info["action_mask"]).all()
    observation, *_, info = environment.step(int(info["action_mask"].argmax()))
    assert environment.observation_space.contains(observation)
    assert (observation["action_mask"] == info["action_mask"]).all()


def test_rllib_learns():
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.rllib")
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

    class Small(ActionMaskingTorchRLModule):
        """The masking module on a small network."""

    parameters = {"battle": SKIRMISH, "opponent": "random", "illegal": "raise", "max_decisions": 80}
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=80 * 1024 * 1024)
    try:
        algorithm = (
            PPOConfig()
            .environment(RLlibEnv, env_config=parameters)
            .env_runners(num_env_runners=0)
            .rl_module(rl_module_spec=RLModuleSpec(module_class=Small, model_config={"fcnet_hiddens": [16]}))
            .training(train_batch_size_per_learner=64, minibatch_size=32, num_epochs=1)
            .build_algo()
        )
        before = list(algorithm.get_module().get_state().values())
        told = algorithm.train()  # an illegal action would raise
        assert changed([array.copy() for array in before], algorithm.get_module().get_state().values())
        assert told["env_runners"]["num_env_steps_sampled"] >= 64
        algorithm.stop()
    finally:
        ray.shutdown()


# ---- TorchRL


def test_torchrl_learns():
    """Policy gradient on a truncated battle, both seats one policy, through PettingZooWrapper."""
    pytest.importorskip("torchrl")
    import torch
    from tensordict.nn import ProbabilisticTensorDictModule, ProbabilisticTensorDictSequential, TensorDictModule
    from torchrl.envs import PettingZooWrapper
    from torchrl.modules import MaskedCategorical

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it names the PettingZoo it was tested with
        env = PettingZooWrapper(
            wh_env.env(battle=SKIRMISH, max_decisions=40, reward=wh_env.Reward(potential=lambda b, s: (1 - 2 * s) * (b.clock.decisions[0] % 7) / 10)),
            use_mask=True, done_on_any=False, group_map={"player": ["player_0", "player_1"]},
        )  # fmt: skip
    group = "player"
    size = env.observation_spec[group, "action_mask"].shape[-1]
    width = env.observation_spec[group, "observation", "observation"].shape[-1]
    network = torch.nn.Sequential(torch.nn.Linear(width, 16), torch.nn.Tanh(), torch.nn.Linear(16, size))
    policy = ProbabilisticTensorDictSequential(
        TensorDictModule(network, [(group, "observation", "observation")], [(group, "logits")]),
        ProbabilisticTensorDictModule(
            {"logits": (group, "logits"), "mask": (group, "action_mask")}, [(group, "action")],
            distribution_class=MaskedCategorical, return_log_prob=True, log_prob_key=(group, "log_prob"),
        ),
    )  # fmt: skip
    steps = env.rollout(200, policy)
    assert steps.batch_size[0] >= 40
    assert steps["next", "done"][-1].all()
    chosen = steps[group, "action"].unsqueeze(-1)
    asked = steps[group, "mask"]
    assert steps[group, "action_mask"].gather(-1, chosen).squeeze(-1)[asked].all()
    before = [p.detach().clone() for p in policy.parameters()]
    gains = steps["next", group, "reward"].squeeze(-1).flip(0).cumsum(0).flip(0)
    assert gains.abs().max() > 0
    loss = -(policy.get_dist(steps).log_prob(steps[group, "action"]) * gains)[asked].mean()
    optimizer = torch.optim.SGD(policy.parameters(), 0.1)
    loss.backward()
    optimizer.step()
    assert changed(before, policy.parameters())
