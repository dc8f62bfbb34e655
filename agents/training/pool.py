"""The pool of opponents: scripted anchors, frozen snapshots of the network, and the network itself. The learner
meets most often those it beats least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wh_env.core.tables import Array

from .config import OpponentsConfig

SELF = "self"  # name of the present network
SNAPSHOT = "snapshot-"


@dataclass
class Standing:
    """Results of the learner against one opponent.

    Attributes:
        points: points of all games, a draw counting half.
        games: number of all games.
        recent: points with exponentially fading weight.
        weight: sum of the weights of the games in ``recent``.
        since: points since the last snapshot joined the pool.
        since_games: number of games since then.
    """

    points: float = 0.0
    games: int = 0
    recent: float = 0.0
    weight: float = 0.0
    since: float = 0.0
    since_games: int = 0

    @property
    def rate(self) -> float:
        """Share of recent points; 0.5 without games, and close to 0.5 with few."""
        return (self.recent + 1.0) / (self.weight + 2.0)

    def add(self, points: float, memory: float) -> None:
        """Count a game; ``memory`` is the number of games after which a result has faded."""
        fade = 1.0 - 1.0 / memory
        self.points, self.games = self.points + points, self.games + 1
        self.recent, self.weight = fade * self.recent + points, fade * self.weight + 1.0
        self.since, self.since_games = self.since + points, self.since_games + 1


class Pool:
    """Names, results and weights of the opponents.

    Anchors stay for ever. A snapshot joins when the learner passes the gate. When the pool is full, the
    snapshot that is beaten most surely leaves it.

    Attributes:
        anchors: names of scripted policies.
        snapshots: names of frozen networks in the pool.
        taken: number of snapshots that ever joined.
        standings: results by name.
        active: snapshots that are played until the next update.
    """

    def __init__(self, config: OpponentsConfig) -> None:
        self.config = config
        self.anchors = [name for name, weight in config.anchors.items() if weight > 0]
        self.snapshots: list[str] = []
        self.taken_count = 0
        self.standings: dict[str, Standing] = {name: Standing() for name in (*self.anchors, SELF)}
        self.active: list[str] = []

    # ---- results

    def add(self, member: str, points: float) -> None:
        """Count a game of the learner against a member: 1, 0.5 or 0 points."""
        self.standings.setdefault(member, Standing()).add(points, self.config.memory)

    def rate(self, members: Sequence[str]) -> tuple[float, int]:
        """Share of points against these members since the last snapshot joined, and the number of games."""
        standings = [self.standings[name] for name in members]
        games = sum(standing.since_games for standing in standings)
        return (sum(standing.since for standing in standings) / games if games else 0.0), games

    # ---- drawing

    def priority(self, name: str) -> float:
        """The weight of a member by the learner's share of points against it."""
        rate, config = self.standings[name].rate, self.config
        if config.prioritise == "uniform":
            return 1.0
        worth = (1.0 - rate) ** config.power if config.prioritise == "hard" else 4.0 * rate * (1.0 - rate)
        return max(worth, config.floor)

    def weights(self) -> dict[str, float]:
        """The chance of each opponent in a battle that begins now; they add up to 1."""
        config, active = self.config, self.active
        anchors = {name: config.anchors[name] * self.priority(name) for name in self.anchors}
        frozen = {name: self.priority(name) for name in active}
        rest = 1.0 - config.anchor_share - config.self_share
        shares = {"anchors": config.anchor_share, SELF: config.self_share, "frozen": rest}
        if not frozen:  # without snapshots, their share goes to the present network
            shares[SELF], shares["frozen"] = shares[SELF] + rest, 0.0
        weights = {SELF: shares[SELF]}
        for share, group in ((shares["anchors"], anchors), (shares["frozen"], frozen)):
            whole = sum(group.values())
            weights.update({name: share * weight / whole if whole else 0.0 for name, weight in group.items()})
        return weights

    def activate(self, random: np.random.Generator) -> None:
        """Draw the snapshots that are played until the next update."""
        count = min(self.config.at_once, len(self.snapshots))
        if count == 0:
            self.active = []
            return
        priorities = np.array([self.priority(name) for name in self.snapshots])
        drawn = random.choice(len(self.snapshots), count, replace=False, p=priorities / priorities.sum())
        self.active = [self.snapshots[at] for at in sorted(drawn.tolist())]

    def draw(self, random: np.random.Generator) -> str:
        """Draw the opponent of a battle."""
        weights = self.weights()
        members = list(weights)
        chances: Array = np.array([weights[name] for name in members])
        return members[int(random.choice(len(members), p=chances / chances.sum()))]

    # ---- snapshots

    def passes(self) -> bool:
        """Whether the learner beats its opponents often enough to join the pool."""
        gate = self.config.gate
        rate, games = self.rate(self.snapshots or self.anchors)
        return games >= gate.games and rate >= gate.win_rate

    @property
    def next(self) -> str:
        """The name of the next snapshot."""
        return f"{SNAPSHOT}{self.taken_count + 1:04d}"

    def admit(self) -> tuple[str, list[str]]:
        """Add a snapshot. Returns its name, and the names of those that leave for it."""
        name = self.next
        self.taken_count += 1
        removed = []
        while len(self.snapshots) >= self.config.gate.keep:
            easiest = max(self.snapshots, key=lambda other: (self.standings[other].rate, other))
            self.snapshots.remove(easiest)
            removed.append(easiest)
        self.snapshots.append(name)
        self.standings[name] = Standing()
        for standing in self.standings.values():
            standing.since, standing.since_games = 0.0, 0
        self.active = [member for member in self.active if member in self.snapshots]
        return name, removed

    # ---- saving

    def state(self) -> dict[str, Any]:
        """Everything, as plain values."""
        return {
            "snapshots": list(self.snapshots),
            "taken": self.taken_count,
            "active": list(self.active),
            "standings": {name: asdict(standing) for name, standing in self.standings.items()},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore what ``state`` returned."""
        self.snapshots, self.taken_count, self.active = list(state["snapshots"]), state["taken"], list(state["active"])
        self.standings |= {name: Standing(**values) for name, values in state["standings"].items()}
