"""Monte-Carlo tree search on copies of the battle that have their own dice.

The tree is open-loop: a node is not a state but a plan, the sequence of actions with which the seat answers
its next decisions. Each walk through the tree rolls its own dice. It follows a plan while that is legal; a
rollout policy answers all other decisions, for both seats. Some turns later ``tactician_value.prospects``
judges the position. The dice of the battle itself are never seen.

The default at the root is the choice of a prior policy. The default and its rivals are walked on the same
dice, and the worse half of the rivals is dropped again and again. Once few are left, the tree grows below
them: each brings longer plans that continue differently from the rollout policy, as the prior policy answers
and as the doctrine proposes (after sequential halving applied to trees: Cazenave, IEEE Transactions on
Computational Intelligence and AI in Games 7, 2015). So the value of an action is that of the best plan that
begins with it. The default is replaced only by a plan that is surely better; the search ends when that is
settled.
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

PATIENCE = 2  # the last rival is given up after this multiple of ``confirm`` dice
FEW = 2  # the tree grows when at most this many plans are left, the default included


class SearchPolicy:
    """Searches at each decision until the best action is settled, or the budget is spent.

    Args:
        seed: seed of all dice and policies.
        simulations: greatest number of walks a decision.
        seconds: greatest wall-clock time a decision, in place of ``simulations``; 0: count walks.
        rollout: the policy that plays walks on (see ``policies.make``).
        prior: the policy whose choice is taken if nothing is surely better.
        turns: number of ends of player turns after which a walk is judged.
        horizon: number of decisions after which a walk is judged at the latest.
        places: number of places to try where a place is asked for.
        depth: greatest number of decisions in a plan.
        width: number of alternatives for the next decision that a plan adds to the tree.
        samples: number of dice on which every alternative is walked at first.
        confirm: number of dice on which the best alternative must have been walked.
        firm: standard errors by which its mean must exceed that of the default.

    Attributes:
        walks: how often each plan was walked for the last decision.

    Raises:
        ValueError: an argument is too small.
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
            ("depth", depth, 1), ("width", width, 1), ("samples", samples, 1), ("confirm", confirm, 2),
            ("firm", firm, 0),
        ):  # fmt: skip
            if number < least:
                raise ValueError(f"search: {name}={number}; expected at least {least}")
        if seconds < 0:
            raise ValueError(f"search: seconds={seconds}; expected 0 (count simulations) or more")
        self.simulations, self.seconds, self.turns, self.horizon = simulations, seconds, turns, horizon
        self.places, self.depth, self.width = places, depth, width
        self.samples, self.confirm, self.firm = samples, confirm, firm
        # a user's policy may change the battle that it sees
        self._rollout, self._prior = (
            policy if parse(spec)[0] in BUILT_IN else Seated(policy)
            for spec, policy in ((rollout, make(rollout, seed)), (prior, make(prior, seed)))
        )
        self.reset(seed)

    def refuses(self, setup: Setup) -> str:
        """Why the prior or the rollout policy cannot play battles of this Setup; empty if both can."""
        return refusal(self._prior, setup) or refusal(self._rollout, setup)

    def reset(self, seed: int) -> None:
        """Prepare for a new battle."""
        self._seed = seed
        self._prior.reset(seed)
        self._rollout.reset(seed + 1)
        self._setup: object = None
        self.walks: Counter[Plan] = Counter()

    def act(self, battle: Battle, mask: Array) -> int:
        """The first action of a plan that is surely better than the prior policy's choice, else that choice."""
        began = perf_counter()
        if battle.setup is not self._setup:
            self._setup = battle.setup
            self._doctrine = Doctrine(battle.setup)
            self._scratch = battle.clone(0)
        self.walks = Counter()
        if np.count_nonzero(mask) == 1:
            return int(mask.argmax())
        default_action = int(self._prior.act(battle, mask))
        if battle.clock.round[0] == 0 or battle.setup.ruleset.hidden(battle, battle.clock.player[0]):
            return default_action  # before the first turn; and where copies would reveal a secret of the other seat
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

        default: Plan = (default_action,)
        rivals: list[Plan] = [(action,) for action in self.rivals(battle, mask, default_action)]
        patience = PATIENCE * self.confirm
        best = race(default, rivals, walk, dice, self.samples, self.confirm, self.firm, patience, spent, widen)
        return best[0]

    def rivals(self, battle: Battle, mask: Array, favourite: int) -> list[int]:
        """The actions to try besides the default: those that the doctrine proposes, and the rollout policy's
        choice.
        """
        rivals = self._doctrine.rivals(battle, mask, self.places, favourite)
        usual = int(self._rollout.act(battle, mask))
        return rivals + [usual] * (bool(rivals) and usual != favourite and usual not in rivals)

    def walk(self, battle: Battle, plan: Plan, seed: int) -> float:
        """Walk a plan on the dice of a seed and return the ``prospects`` of the seat then, about -1 to 1."""
        self.walks[plan] += 1
        copy = self._scratch
        copy.copy_from(battle, seed)
        play_on(copy, plan, self._rollout.act, self.turns, self.horizon)
        return prospects(self._doctrine.reader, copy, battle.clock.player[0])

    def next(self, battle: Battle, plan: Plan) -> list[int]:
        """Actions to try at the seat's next decision in this turn, after the plan: alternatives to the rollout
        policy's answer.
        """
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
