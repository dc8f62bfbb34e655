"""A scripted general that plans its turn: it tries what it may do on copies of the battle and keeps what serves the plan.

What the ruleset's appraisal would do (``Ruleset.appraiser``) is the plan it starts from. Each promising alternative is carried
out on copies whose dice are their own, the battle is played on by the appraisal for both sides until the enemy has had its turn,
and the position is judged by ``tactician_value.prospects``: objectives held and denied, armies, and what both sides can do next. So focus
fire, trades, screens, charges worth their odds, falling back and stratagems are all weighed in one currency, under any ruleset.

An alternative replaces the appraisal's choice only if it is surely better: every candidate meets the same dice, the worse half is
dropped again and again while the others are tried twice as often, and of the last one the mean gain must exceed its standard error.
This is one step of policy improvement by rollouts (Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search",
1996) with sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013).

While the other seat keeps a secret nothing is tried out (it would show): the appraisal, which reads only what lies open,
answers alone.
"""

from __future__ import annotations

import numpy as np

from agents.policies.tactician_doctrine import MOVING, SHOOTING, Doctrine, words_of
from agents.policies.tactician_value import prospects
from wh_env import Battle
from wh_env.core.tables import Array

EPSILON = 1e-9  # less is no gain


class TacticianPolicy:
    """Tries out what is promising and takes what is surely better than the appraisal's choice.

    Args:
        samples: copies that every candidate is tried on at first.
        confirm: copies that the last one must have been tried on; at least 2.
        firm: standard errors by which it must be better on average.
        places: places that are tried where a place is asked for.
        turns: ends of player turns after which a trial is judged.
        horizon: decisions after which it is judged if they have not come before.
    """

    def __init__(
        self,
        seed: int = 0,
        samples: int = 1,
        places: int = 5,
        horizon: int = 200,
        turns: int = 2,
        confirm: int = 8,
        firm: float = 0.5,
    ) -> None:
        for name, number, least in (
            ("samples", samples, 1), ("places", places, 1), ("horizon", horizon, 1), ("turns", turns, 1),
            ("confirm", confirm, 2), ("firm", firm, 0),
        ):  # fmt: skip
            if number < least:
                raise ValueError(f"tactician: {name}={number}; expected at least {least}")
        self.samples, self.confirm, self.firm = samples, confirm, firm
        self.places, self.horizon, self.turns = places, horizon, turns
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """A new battle begins."""
        self._seed = seed
        self._setup: object = None

    def act(self, battle: Battle, mask: Array) -> int:
        """The best legal action it finds."""
        if battle.setup is not self._setup:
            self._setup = battle.setup
            self._doctrine = Doctrine(battle.setup)
            # one for the battle and one for copies: an appraiser may remember what it began
            self._appraiser, self._trials = (battle.setup.ruleset.appraiser(battle.setup) for _ in range(2))
            self._scratch = battle.clone(0)
        if np.count_nonzero(mask) == 1:
            return int(mask.argmax())
        preferred = self._appraiser.best(battle, mask)
        secret = battle.setup.ruleset.hidden(battle, battle.clock.player[0])
        if battle.clock.round[0] == 0 or secret:
            return preferred
        return self.best(battle, preferred, self.rivals(battle, mask, preferred))

    def rivals(self, battle: Battle, mask: Array, preferred: int) -> list[int]:
        """What is worth trying in the place of the preferred action."""
        space = battle.setup.space
        if mask[space.own : space.enemy].any() and words_of(battle) & (MOVING | SHOOTING):
            return []  # all of them get their turn
        rivals = np.flatnonzero(mask)
        rivals = rivals[(rivals < space.cell) | (rivals >= space.angle)].tolist()
        if mask[space.cell : space.angle].any():
            rivals = self._doctrine.places(battle, mask, self.places, preferred) + rivals
        return [action for action in rivals if action != preferred]

    def best(self, battle: Battle, preferred: int, rivals: list[int]) -> int:
        """The rival that is surely better than the preferred action, or else that one."""
        seat = battle.clock.player[0]
        dice = np.random.default_rng([self._seed, battle.clock.decisions[0]])
        seeds: list[int] = []
        tried: dict[int, list[float]] = {action: [] for action in (preferred, *rivals)}
        count = self.samples
        while rivals:
            seeds += dice.integers(2**63, size=count - len(seeds)).tolist()
            for action in (preferred, *rivals):
                tried[action] += [self.trial(battle, seat, action, s) for s in seeds[len(tried[action]) :]]
            gains = {action: np.subtract(tried[action], tried[preferred]) for action in rivals}
            # what made no difference at first is tried once more: its chance may only be small
            least = 0.0 if count == self.samples else EPSILON
            rivals = sorted((a for a in rivals if gains[a].mean() >= least), key=lambda a: -gains[a].mean())
            if len(rivals) == 1 and count >= self.confirm:
                gain = gains[rivals[0]]
                sure = gain.mean() > self.firm * gain.std(ddof=1) / np.sqrt(count)
                return rivals[0] if sure else preferred
            rivals = rivals[: max(1, len(rivals) // 2)]
            count *= 2
        return preferred

    def trial(self, battle: Battle, seat: int, action: int, seed: int) -> float:
        """What an action leads to with other dice, some turns later."""
        copy, clock = self._scratch, self._scratch.clock
        copy.copy_from(battle, seed)
        turns, turn = 0, (clock.round[0], clock.turn[0])
        copy.apply(action)
        for _ in range(self.horizon):
            if (clock.round[0], clock.turn[0]) != turn:
                turns, turn = turns + 1, (clock.round[0], clock.turn[0])
            if copy.over or turns == self.turns:
                break
            copy.apply(self._trials.best(copy, copy.legal()))
        return prospects(self._doctrine.reader, copy, seat)
