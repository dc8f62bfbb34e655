"""Monte-Carlo tree search over copies of the battle whose dice are their own.

The tree is open-loop: a node stands for the actions taken since the root, not for a state, so every walk through it rolls its
own dice and what is kept at a node is an average over them. Dice of the battle itself are never seen. Actions are
selected by PUCT with the choice of a prior policy as the favourite; where many actions are legal, only some are
opened, more as the node is visited more (progressive widening). A walk is played on by a rollout policy and judged by
``tactician_value.value`` after some turns, or by the result where the battle ends before.
"""

from __future__ import annotations

import math
import time

import numpy as np

from agents.policies.base import Policy
from agents.policies.tactician_doctrine import Doctrine
from agents.policies.tactician_value import SETTLED, value
from wh_env import Battle
from wh_env.core.tables import Array

EXPLORE = 0.7  # weight of the prior in PUCT; values are within -1..1
FAVOURITE = 0.5  # part of the prior for the choice of the prior policy
WIDE, GROWTH = 4, 0.5  # actions opened at once, and how their number grows with visits
SCALE = 400.0  # points that are nearly decisive; the won battle is worth 1
DECIDED = 0.8  # value of the largest lead in points, below that of a battle that is won


class Node:
    """What is known of the decision reached by a sequence of actions, from the side of seat 0."""

    __slots__ = ("actions", "children", "priors", "totals", "visits")

    def __init__(self) -> None:
        self.actions: list[int] = []
        self.priors: list[float] = []
        self.visits: list[int] = []
        self.totals: list[float] = []
        self.children: dict[int, Node] = {}

    def open(self, action: int, prior: float) -> None:
        """Another action that is considered from now on."""
        self.actions.append(action)
        self.priors.append(prior)
        self.visits.append(0)
        self.totals.append(0.0)

    def choose(self, mask: Array, sign: float) -> int:
        """Number of the opened action to follow, of those that are legal this time; -1: none is."""
        root = math.sqrt(1 + sum(self.visits))
        best, choice = -math.inf, -1
        for n, action in enumerate(self.actions):
            if mask[action]:
                seen = self.visits[n]
                mean = sign * self.totals[n] / seen if seen else 0.0
                score = mean + EXPLORE * self.priors[n] * root / (1 + seen)
                if score > best:
                    best, choice = score, n
        return choice


class SearchPolicy:
    """Searches at each decision until its budget is used up.

    Args:
        simulations: walks a decision; seconds: time a decision instead, as the clock on the wall runs (0: none).
        rollout: the policy that plays walks on, prior: the policy whose choice is looked at first (``policies.make``).
        turns: ends of player turns after which a walk is judged; depth: decisions after which it is judged at the latest.
    """

    def __init__(
        self,
        seed: int = 0,
        simulations: int = 60,
        seconds: float = 0.0,
        rollout: str = "greedy",
        prior: str = "tactician",
        turns: int = 2,
        depth: int = 120,
    ) -> None:
        from agents.policies import make  # names are resolved by the package that lists this policy

        for name, number in (("simulations", simulations), ("turns", turns), ("depth", depth)):
            if number < 1:
                raise ValueError(f"search: {name}={number}; expected at least 1")
        if seconds < 0:
            raise ValueError(f"search: seconds={seconds}; expected 0 (count simulations) or more")
        self.simulations, self.seconds, self.turns, self.depth = simulations, seconds, turns, depth
        self._rollout: Policy = make(rollout, seed)
        self._prior: Policy = make(prior, seed)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """A new battle begins."""
        self._seed = seed
        self._prior.reset(seed)
        self._rollout.reset(seed + 1)
        self._setup: object = None

    def act(self, battle: Battle, mask: Array) -> int:
        """The action that was followed most."""
        if battle.setup is not self._setup:
            self._setup = battle.setup
            self._doctrine = Doctrine(battle.setup)
            self._scratch = battle.clone(0)
        if np.count_nonzero(mask) == 1:
            return int(mask.argmax())
        favourite = int(self._prior.act(battle, mask))
        seat = battle.clock.player[0]
        if battle.clock.round[0] == 0 or battle.setup.ruleset.hidden(battle, seat):
            return favourite  # before the first turn, and where copies would show a secret of the other seat
        root = self.search(battle, mask, favourite)
        sign = 1.0 if seat == 0 else -1.0
        most = max(range(len(root.actions)), key=lambda n: (root.visits[n], sign * root.totals[n]))
        return root.actions[most]

    def search(self, battle: Battle, mask: Array, favourite: int) -> Node:
        """The root after the budget of walks."""
        root = Node()
        self._order = self.ranked(battle, mask, favourite)
        seeds = np.random.default_rng([self._seed, battle.clock.decisions[0]])
        until = time.perf_counter() + self.seconds
        done = 0
        while done < self.simulations if self.seconds == 0 else (done == 0 or time.perf_counter() < until):
            self.walk(battle, root, int(seeds.integers(2**62)))
            done += 1
        return root

    def ranked(self, battle: Battle, mask: Array, favourite: int) -> list[int]:
        """Legal actions, the favourite first, then by what the doctrine says of places, then as they stand."""
        space = battle.setup.space
        legal = np.flatnonzero(mask)
        if mask[space.cell : space.angle].any():
            cells, gains = self._doctrine.cells(battle, mask)
            others = legal[(legal < space.cell) | (legal >= space.angle)]
            legal = np.concatenate([others, cells[np.argsort(-gains[0], kind="stable")]])
        return [favourite, *(a for a in legal.tolist() if a != favourite)]

    def widen(self, node: Node, copy: Battle, mask: Array, top: bool) -> bool:
        """Open another action at a node, if its visits allow one more; whether that was done."""
        room = WIDE + int(sum(node.visits) ** GROWTH)
        if len(node.actions) >= room:
            return False
        known = set(node.actions)
        ranked = self._order if top else self.ranked(copy, mask, int(self._rollout.act(copy, mask)))
        action = next((a for a in ranked if a not in known and mask[a]), -1)
        if action < 0:
            return False
        node.open(action, FAVOURITE if not known else (1.0 - FAVOURITE) / (room - 1))
        return True

    def walk(self, battle: Battle, root: Node, seed: int) -> None:
        """One walk down the tree and on to the horizon; what comes of it is added on the way."""
        copy, clock = self._scratch, self._scratch.clock
        copy.copy_from(battle, seed)
        path: list[tuple[Node, int]] = []
        node, inside = root, True
        turns, turn = 0, (clock.round[0], clock.turn[0])
        for _ in range(self.depth):
            if (clock.round[0], clock.turn[0]) != turn:
                turns, turn = turns + 1, (clock.round[0], clock.turn[0])
            if copy.over or turns == self.turns:
                break
            mask = copy.legal()
            if not inside:
                copy.apply(int(self._rollout.act(copy, mask)))
                continue
            sign = 1.0 if clock.player[0] == 0 else -1.0
            fresh = self.widen(node, copy, mask, node is root)
            n = len(node.actions) - 1 if fresh else node.choose(mask, sign)
            if n < 0:  # the dice have led elsewhere: none of the opened actions is legal
                inside = False
                continue
            path.append((node, n))
            inside = node.visits[n] > 0
            action = node.actions[n]
            node = node.children.setdefault(action, Node())
            copy.apply(action)
        worth = self.judge(copy)
        for node, n in path:
            node.visits[n] += 1
            node.totals[n] += worth

    def judge(self, copy: Battle) -> float:
        """What the position is worth to seat 0, from -1 to 1."""
        points = value(self._doctrine.reader, copy, 0)
        if copy.over and abs(points) >= SETTLED / 2:
            return math.copysign(1.0, points)
        return DECIDED * math.tanh(points / SCALE)
