"""Trains RLlib's PPO with its own masking module; on a cluster, learners and battles run on many
machines. Needs: pip install 'wh-env[rllib,train]'.
"""

from __future__ import annotations

from typing import Annotated

import ray
import typer
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from rich.progress import track

from wh_env.envs.masked import RLlibEnv


def main(
    ruleset: Annotated[str, typer.Option(help="The game.")] = "w10",
    battle: Annotated[str, typer.Option(help="Battle that is played.")] = "w10/only-war-skirmish",
    opponent: Annotated[str, typer.Option(help="Who plays the other seat.")] = "random",
    iterations: Annotated[int, typer.Option(min=1, help="Number of updates.")] = 20,
    runners: Annotated[int, typer.Option(min=0, help="Processes that play; 0: this one.")] = 0,
    learners: Annotated[int, typer.Option(min=0, help="Processes that learn; 0: this one.")] = 0,
    decisions: Annotated[int, typer.Option(min=32, help="Decisions of an update, of each learner.")] = 4000,
    address: Annotated[str | None, typer.Option(help="A running cluster. Default: one on this machine.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of networks and battles.")] = 0,
) -> None:
    """Train, and print the mean return of each update.

    Example: train_rllib.py --ruleset epic --battle epic/bridgehead --runners 2
    """
    ray.init(address=address, include_dashboard=False, log_to_driver=False)
    parameters = {"ruleset": ruleset, "battle": battle, "opponent": opponent}
    algorithm = (
        PPOConfig()
        .environment(RLlibEnv, env_config=parameters)
        .env_runners(num_env_runners=runners)
        .learners(num_learners=learners)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [256, 128]}
            )
        )
        .training(train_batch_size_per_learner=decisions, minibatch_size=min(256, decisions), num_epochs=4, gamma=0.99)
        .debugging(seed=seed)
        .build_algo()
    )
    try:
        for update in track(range(iterations), "updates"):
            told = algorithm.train()["env_runners"]
            typer.echo(f"update {update + 1}: mean return {told.get('episode_return_mean', float('nan')):+.2f}")
    finally:
        algorithm.stop()
        ray.shutdown()


if __name__ == "__main__":
    typer.run(main)
