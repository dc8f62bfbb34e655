"""PPO with action masks in one file: no library but PyTorch and NumPy, so that every line of it can be
changed. Needs: pip install 'wh-env[train]'.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import torch
import typer
from rich.progress import track
from torch import Tensor, nn
from torch.distributions import Categorical

import wh_env
from wh_env.envs.rewards import victory_points

GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, EPOCHS, BATCHES = 0.99, 0.95, 0.2, 0.01, 0.5, 4, 4


class Agent(nn.Module):
    """Two layers, a logit for each action, a value."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU())
        self.actor, self.critic = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, seen: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """Distributions over legal actions and values (N,) of observations (N, size) with masks (N, actions)."""
        features = self.body(seen)
        logits = self.actor(features).masked_fill(~masks, -1e9)
        return Categorical(logits=logits), self.critic(features).squeeze(1)


def advantages_of(rewards: Tensor, ended: Tensor, values: Tensor, last: Tensor) -> Tensor:
    """Generalised advantages, float32 of shape (T, N), from rewards, ends of battles and values of that shape and the
    values (N,) of what came after.
    """
    found, running = torch.zeros_like(rewards), torch.zeros_like(last)
    for t in reversed(range(len(rewards))):
        after = last if t == len(rewards) - 1 else values[t + 1]
        goes_on = 1.0 - ended[t]
        running = rewards[t] + GAMMA * goes_on * after - values[t] + GAMMA * LAMBDA * goes_on * running
        found[t] = running
    return found


def learn(agent: Agent, optimiser: torch.optim.Optimizer, rollout: dict[str, Tensor]) -> None:
    """Some passes over a rollout, whose tensors have one row for each decision."""
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(rollout["actions"])).chunk(BATCHES):
            policy, values = agent(rollout["seen"][rows], rollout["masks"][rows])
            ratio = (policy.log_prob(rollout["actions"][rows]) - rollout["log_probs"][rows]).exp()
            gain = rollout["advantages"][rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            actor = -torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            critic = (values - rollout["returns"][rows]).pow(2).mean()
            optimiser.zero_grad()
            (actor + VALUE * critic - ENTROPY * policy.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


def main(
    ruleset: Annotated[str, typer.Option(help="The game.")] = "w10",
    battle: Annotated[str, typer.Option(help="Battle that is played.")] = "w10/only-war-skirmish",
    opponent: Annotated[str, typer.Option(help="Who plays the other seat.")] = "random",
    envs: Annotated[int, typer.Option(min=1, help="Battles at once.")] = 16,
    steps: Annotated[int, typer.Option(min=2, help="Decisions of each battle in a rollout.")] = 128,
    updates: Annotated[int, typer.Option(min=1, help="Number of rollouts.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Of network and battles.")] = 0,
) -> None:
    """Train against one opponent and print the share of points of each rollout.

    Example: ppo_loop.py --ruleset epic --battle epic/bridgehead --updates 40
    """
    torch.manual_seed(seed)
    reward = wh_env.Reward(potential=victory_points(), gamma=GAMMA)
    env = wh_env.vector_env(envs, ruleset, battle=battle, opponent=opponent, reward=reward)
    agent = Agent(env.single_observation_space.shape[0], int(env.single_action_space.n))
    optimiser = torch.optim.Adam(agent.parameters(), 5e-4)
    seen, info = env.reset(seed=seed)
    for update in track(range(updates), "updates"):
        kept: dict[str, list[Tensor]] = {
            name: [] for name in ("seen", "masks", "actions", "log_probs", "rewards", "ended", "values")
        }
        points, battles = 0.0, 0
        for _ in range(steps):
            now, masks = torch.as_tensor(seen), torch.as_tensor(info["action_mask"], dtype=torch.bool)
            with torch.no_grad():
                policy, values = agent(now, masks)
            actions = policy.sample()
            seen, rewards, terminated, truncated, info = env.step(actions.numpy())
            ended = terminated | truncated
            if ended.any():  # in the same step the next battle begins; what the last one came to is in final_info
                outcomes = info["final_info"]["outcome"][ended]
                points, battles = points + float((outcomes + 1).sum()) / 2, battles + len(outcomes)
            row = (now, masks, actions, policy.log_prob(actions), rewards, ended, values)
            for name, value in zip(kept, row, strict=True):
                kept[name].append(torch.as_tensor(np.asarray(value)))
        rollout = {name: torch.stack(rows) for name, rows in kept.items()}
        with torch.no_grad():
            _, last = agent(torch.as_tensor(seen), torch.as_tensor(info["action_mask"], dtype=torch.bool))
        rollout["advantages"] = advantages_of(
            rollout["rewards"].float(), rollout["ended"].float(), rollout["values"], last
        )
        rollout["returns"] = rollout["advantages"] + rollout["values"]
        learn(agent, optimiser, {name: rows.flatten(0, 1) for name, rows in rollout.items()})
        share = f"{100 * points / battles:.0f} % of the points in {battles} battles" if battles else "no battle ended"
        typer.echo(f"update {update + 1}: {share}")


if __name__ == "__main__":
    typer.run(main)
