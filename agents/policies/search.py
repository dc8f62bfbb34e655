"""Monte-Carlo tree search over copies of the battle whose dice are their own.

The tree is open-loop: a node is a plan, the sequence of actions with which the seat answers its next decisions, not a state; so every
walk through it rolls its own dice. A walk follows a plan as long as that is legal, a rollout policy answers everything else, for both
seats, and what stands on the table some turns later is judged by ``tactician_value.prospects``. Dice of the battle itself are never seen.

The root's favourite is the choice of a prior policy. It and its rivals are walked on the same dice, the worse half is dropped again and
again, and once few are left the tree grows below them: each brings plans that go on otherwise than the rollout policy would, as the prior
policy says and as the doctrine names (after sequential halving applied to trees: Cazenave, IEEE Transactions on Computational Intelligence
and AI in Games 7, 2015). So an action is worth what the best plan that begins with it is worth. The favourite is given up only for what is
surely better; the search ends when that is settled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import TypeAlias

import numpy as np

from wh_env import Battle
from wh_env.core.setup import Setup
from wh_env.core.tables import Array

from .base import Seated, refusal
from .tactician_doctrine import Doctrine
from .tactician_value import prospects
from .trials import play_on, race

Plan: TypeAlias = tuple[int, ...]  # actions with which a seat answers its next decisions

PATIENCE = 2  # times ``confirm`` dice that the last one may take to be surely better
FEW = 2  # plans in the race, the favourite among them, up to which the tree grows


class SearchPolicy:
    """Searches at each decision until it is settled which action is best, or its budget is used up.

    Args:
        simulations: walks a decision at most; seconds: time a decision at most instead, as the clock on the wall runs (0: count walks).
        rollout: the policy that plays walks on, prior: the policy whose choice is taken if nothing is surely better (``policies.make``).
        turns: ends of player turns after which a walk is judged; horizon: decisions after which it is judged at the latest.
        places: places that are tried where a place is asked for. depth: decisions that a plan is made of at most.
        width: alternatives that a plan still in the race brings with it for the next decision.
        samples: dice that every alternative meets at first; confirm: that the best one must have met.
        firm: standard errors by which it must be better than the favourite on average.

    Attributes:
        walks: how often each plan was walked for the last decision.
    """

    def __init__(
        self,
        seed: int = 0,
        simulations: int = 200,
        seconds: float = 0.0,
        rollout: str = "greedy",
        prior: str = "tactician",
        turns: int = 2,
        horizon: int = 200,
        places: int = 6,
        depth: int = 2,
        width: int = 3,
        samples: int = 2,
        confirm: int = 16,
        firm: float = 1.5,
    ) -> None:
        from . import BUILT_IN, make, parse  # names are resolved by the package that lists this policy

        for name, number, least in (
            ("simulations", simulations, 1), ("turns", turns, 1), ("horizon", horizon, 1), ("places", places, 1),
            ("depth", depth, 1), ("width", width, 1), ("samples", samples, 1), ("confirm", confirm, 2), ("firm", firm, 0),
        ):  # fmt: skip
            if number < least:
                raise ValueError(f"search: {name}={number}; expected at least {least}")
        if seconds < 0:
            raise ValueError(f"search: seconds={seconds}; expected 0 (count simulations) or more")
        self.simulations, self.seconds, self.turns, self.horizon = simulations, seconds, turns, horizon
        self.places, self.depth, self.width = places, depth, width
        self.samples, self.confirm, self.firm = samples, confirm, firm
        # those of others may spoil what they are shown
        self._rollout, self._prior = (
            policy if parse(spec)[0] in BUILT_IN else Seated(policy)
            for spec, policy in ((rollout, make(rollout, seed)), (prior, make(prior, seed)))
        )
        self.reset(seed)

    def refuses(self, setup: Setup) -> str:
        """What one of its two policies refuses."""
        return refusal(self._prior, setup) or refusal(self._rollout, setup)

    def reset(self, seed: int) -> None:
        """A new battle begins."""
        self._seed = seed
        self._prior.reset(seed)
        self._rollout.reset(seed + 1)
        self._setup: object = None
        self.walks: Counter[Plan] = Counter()

    def act(self, battle: Battle, mask: Array) -> int:
        """The first action of the plan that is surely best, or else the prior policy's."""
        began = perf_counter()
        if battle.setup is not self._setup:
            self._setup = battle.setup
            self._doctrine = Doctrine(battle.setup)
            self._scratch = battle.clone(0)
        self.walks = Counter()
        if np.count_nonzero(mask) == 1:
            return int(mask.argmax())
        favourite = int(self._prior.act(battle, mask))
        if battle.clock.round[0] == 0 or battle.setup.ruleset.hidden(battle, battle.clock.player[0]):
            return favourite  # before the first turn, and where copies would show a secret of the other seat
        dice = np.random.default_rng([self._seed, battle.clock.decisions[0]])
        widened: set[Plan] = set()

        def walk(plan: Plan, seed: int) -> float:
            return self.walk(battle, plan, seed)

        def widen(plans: Sequence[Plan]) -> list[Plan]:
            if len(plans) > FEW:
                return []
            fresh = [plan for plan in plans if len(plan) < self.depth and plan not in widened]
            widened.update(fresh)
            return [(*plan, action) for plan in fresh for action in self.next(battle, plan)]

        def spent() -> bool:
            if self.seconds:
                return perf_counter() - began >= self.seconds
            return self.walks.total() >= self.simulations

        default: Plan = (favourite,)
        rivals: list[Plan] = [(action,) for action in self.rivals(battle, mask, favourite)]
        patience = PATIENCE * self.confirm
        best = race(default, rivals, walk, dice, self.samples, self.confirm, self.firm, patience, spent, widen)
        return best[0]

    def rivals(self, battle: Battle, mask: Array, favourite: int) -> list[int]:
        """What is worth trying in the place of the favourite: what the doctrine names, and what the rollout policy would do."""
        rivals = self._doctrine.rivals(battle, mask, self.places, favourite)
        usual = int(self._rollout.act(battle, mask))
        return rivals + [usual] * (bool(rivals) and usual != favourite and usual not in rivals)

    def walk(self, battle: Battle, plan: Plan, seed: int) -> float:
        """What a plan leads to on the dice of a seed: how likely the seat is to win then (``prospects``)."""
        self.walks[plan] += 1
        copy = self._scratch
        copy.copy_from(battle, seed)
        play_on(copy, plan, self._rollout.act, self.turns, self.horizon)
        return prospects(self._doctrine.reader, copy, battle.clock.player[0])

    def next(self, battle: Battle, plan: Plan) -> list[int]:
        """What else than the rollout policy's answer the seat may do when it is asked next in this turn, after the plan."""
        copy, clock = self._scratch, self._scratch.clock
        copy.copy_from(battle, self._seed)
        seat, turn, followed = clock.player[0], (clock.round[0], clock.turn[0]), 0
        while not copy.over and (clock.round[0], clock.turn[0]) == turn:
            mask, mine = copy.legal(), clock.player[0] == seat
            if mine and followed == len(plan):
                usual, likely = int(self._rollout.act(copy, mask)), int(self._prior.act(copy, mask))
                others = [a for a in self._doctrine.rivals(copy, mask, self.width, usual) if a != likely]
                return [likely] * (likely != usual) + others[: self.width]
            action = plan[followed] if mine else int(self._rollout.act(copy, mask))
            if not mask[action]:
                break
            followed += mine
            copy.apply(action)
        return []
