"""Trains MaskablePPO of sb3-contrib to play one seat of a small battle, then measures it. Needs: pip
install 'wh-env[train]'.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor

from wh_env import Reward
from wh_env.envs.rewards import victory_points
from wh_env.envs.sb3 import BattleVecEnv

GAMMA = 0.99


def main(
    steps: Annotated[int, typer.Option(min=1, help="Decisions of the learner to train for.")] = 20_000,
    battle: Annotated[str, typer.Option(help="Battle that is played.")] = "w10/only-war-skirmish",
    opponent: Annotated[str, typer.Option(help="Who plays the other seat.")] = "greedy",
    envs: Annotated[int, typer.Option(min=1, help="Battles at once.")] = 16,
    battles: Annotated[int, typer.Option(min=1, help="Battles to measure it in.")] = 64,
    seed: Annotated[int, typer.Option(help="Of networks and battles.")] = 0,
    out: Annotated[Path, typer.Option(help="Where the trained model goes.")] = Path("out/train_sb3.zip"),
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Train, save and measure.

    Example: train_sb3.py --steps 20000 --opponent random
    """
    # Victory points on the way, for sooner learning; this form of shaping leaves the best policy the best.
    reward = Reward(potential=victory_points(), gamma=GAMMA)
    env = VecMonitor(BattleVecEnv(envs, battle=battle, opponent=opponent, reward=reward))
    model = MaskablePPO("MlpPolicy", env, 1e-3, n_steps=128, batch_size=256, gamma=GAMMA, seed=seed)
    try:
        model.learn(steps, progress_bar=not json_)
    except KeyboardInterrupt:
        typer.echo("stopped; what was learnt so far is kept", err=True)
    model.save(out)
    arena = VecMonitor(BattleVecEnv(envs, battle=battle, opponent=opponent))
    arena.seed(seed + 1_000_000)
    with Progress(console=Console(stderr=True), transient=True, disable=json_) as bar:
        task = bar.add_task("measuring", total=battles)
        watch = {"callback": lambda now, _: bar.update(task, completed=len(now["episode_rewards"]))}
        rewards, _ = evaluate_policy(model, arena, battles, return_episode_rewards=True, **watch)
    result = {"won": rewards.count(1.0), "drawn": rewards.count(0.0), "lost": rewards.count(-1.0)}
    told = ", ".join(f"{count} {how}" for how, count in result.items())
    typer.echo(json.dumps(result) if json_ else f"{battles} battles against {opponent}: {told}; model: {out}")


if __name__ == "__main__":
    typer.run(main)
