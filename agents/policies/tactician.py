"""The policy ``tactician``: it tries promising options on copies of the battle and takes one that is surely
better.

It starts from the choice of the ruleset's appraiser (``Ruleset.appraiser``). Each promising alternative is
carried out on copies with their own dice. The appraiser then plays both sides for some turns, in most games
until the enemy's next turn has ended, and ``tactician_value.prospects`` judges the position: objectives held
and denied, armies, and what both sides can do next. So focus fire, trades, screens, charges, falling back and
Stratagems are all measured on one scale, under any ruleset.

Each ruleset sets what positions are worth, which decisions are worth trying, which decisions trials skip, and
how long trials last (``tactician_weights``).

An alternative replaces the appraiser's choice only if it is surely better (``trials.race``). This is one step
of policy improvement by rollouts (Tesauro and Galperin, "On-line policy improvement using Monte-Carlo
search", 1996).

While the other seat has a secret, nothing is tried, because trials would reveal it; then the appraiser, which
reads only what is open on the table, answers alone.
"""

from __future__ import annotations

import numpy as np

from wh_env import Battle
from wh_env.core.tables import Array

from .tactician_doctrine import Doctrine
from .tactician_value import prospects
from .tactician_weights import weights_of
from .trials import play_on, race


def kind_of(battle: Battle) -> str:
    """The name of the kind of the waiting decision."""
    return battle.setup.ruleset.kinds[battle.clock.kind[0]].name


class TacticianPolicy:
    """Tries promising options and takes one that is surely better than the appraiser's choice.

    Args:
        seed: seed of the dice of copies.
        samples: number of copies on which every candidate is tried at first.
        places: number of places to try where a place is asked for.
        horizon: number of decisions after which a trial is judged at the latest.
        turns: number of ends of player turns after which a trial is judged; ``None``: as the ruleset's
            ``Weights`` say.
        confirm: number of copies on which the best candidate must have been tried, at least 2; ``None``: as the
            ruleset's ``Weights`` say.
        firm: standard errors by which its mean must exceed that of the appraiser's choice.

    Raises:
        ValueError: an argument is too small.
    """

    def __init__(
        self,
        seed: int = 0,
        samples: int = 1,
        places: int = 5,
        horizon: int = 200,
        turns: int | None = None,
        confirm: int | None = None,
        firm: float = 0.5,
    ) -> None:
        for name, number, least in (
            ("samples", samples, 1), ("places", places, 1), ("horizon", horizon, 1), ("turns", turns, 1),
            ("confirm", confirm, 2), ("firm", firm, 0),
        ):  # fmt: skip
            if number is not None and number < least:
                raise ValueError(f"tactician: {name}={number}; expected at least {least}")
        self.samples, self.confirm, self.firm = samples, confirm, firm
        self.places, self.horizon, self.turns = places, horizon, turns
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Prepare for a new battle."""
        self._seed = seed
        self._setup: object = None

    def act(self, battle: Battle, mask: Array) -> int:
        """A legal action that is surely better than the appraiser's choice, else that choice."""
        if battle.setup is not self._setup:
            self._setup = battle.setup
            self._doctrine = Doctrine(battle.setup)
            # one appraiser for the battle and one for copies, because an appraiser may remember its plans
            self._appraiser, self._trials = (battle.setup.ruleset.appraiser(battle.setup) for _ in range(2))
            self._scratch = battle.clone(0)
        if np.count_nonzero(mask) == 1:
            return int(mask.argmax())
        preferred = self._appraiser.best(battle, mask)
        secret = battle.setup.ruleset.hidden(battle, battle.clock.player[0])
        tried = weights_of(battle.setup.ruleset.id).tried
        if battle.clock.round[0] == 0 or secret or (tried and kind_of(battle) not in tried):
            return preferred
        return self.best(battle, preferred, self._doctrine.rivals(battle, mask, self.places, preferred))

    def best(self, battle: Battle, preferred: int, rivals: list[int]) -> int:
        """The rival that is surely better than the preferred action, else the preferred action."""
        seat = battle.clock.player[0]
        dice = np.random.default_rng([self._seed, battle.clock.decisions[0]])

        def trial(action: int, chance: int) -> float:
            return self.trial(battle, seat, action, chance)

        confirm = self.confirm or weights_of(battle.setup.ruleset.id).confirm
        return race(preferred, rivals, trial, dice, self.samples, confirm, self.firm)

    def trial(self, battle: Battle, seat: int, action: int, seed: int) -> float:
        """Carry out an action on a copy with the dice of a seed, play on, and return the ``prospects`` of the
        seat.
        """
        copy = self._scratch
        copy.copy_from(battle, seed)
        play_on(copy, (action,), self.answer, self.turns or weights_of(battle.setup.ruleset.id).turns, self.horizon + 1)
        return prospects(self._doctrine.reader, copy, seat)

    def answer(self, copy: Battle, mask: Array) -> int:
        """The answer to a decision inside a trial: the appraiser's choice, or the first option for kinds of
        decisions that trials skip.
        """
        if kind_of(copy) in weights_of(copy.setup.ruleset.id).passed:
            return int(mask.argmax())
        return self._trials.best(copy, mask)
