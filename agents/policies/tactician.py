"""A scripted general that plans its turn: it tries what it may do on copies of the battle and keeps what serves the plan.

What the ruleset's appraisal would do (``Ruleset.appraiser``) is the plan it starts from. Each promising alternative is carried
out on copies whose dice are their own, the battle is played on by the appraisal for both sides for some turns (until the enemy has had his, in most games),
and the position is judged by ``tactician_value.prospects``: objectives held and denied, armies, and what both sides can do next. So focus
fire, trades, screens, charges worth their odds, falling back and stratagems are all weighed in one currency, under any ruleset.

What positions are worth, which decisions have alternatives worth trying, what trials pass over and how long they last are numbers of each ruleset
(``tactician_weights``).

An alternative replaces the appraisal's choice only if it is surely better (``trials.race``). This is one step of policy improvement by
rollouts (Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", 1996).

While the other seat keeps a secret nothing is tried out (it would show): the appraisal, which reads only what lies open,
answers alone.
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
    """The name of the waiting decision."""
    return battle.setup.ruleset.kinds[battle.clock.kind[0]].name


class TacticianPolicy:
    """Tries out what is promising and takes what is surely better than the appraisal's choice.

    Args:
        samples: copies that every candidate is tried on at first.
        confirm: copies that the last one must have been tried on; at least 2. None: as the ruleset's ``Weights`` say.
        firm: standard errors by which it must be better on average.
        places: places that are tried where a place is asked for.
        turns: ends of player turns after which a trial is judged. None: as the ruleset's ``Weights`` say.
        horizon: decisions after which it is judged if they have not come before.
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
        tried = weights_of(battle.setup.ruleset.id).tried
        if battle.clock.round[0] == 0 or secret or (tried and kind_of(battle) not in tried):
            return preferred
        return self.best(battle, preferred, self._doctrine.rivals(battle, mask, self.places, preferred))

    def best(self, battle: Battle, preferred: int, rivals: list[int]) -> int:
        """The rival that is surely better than the preferred action, or else that one."""
        seat = battle.clock.player[0]
        dice = np.random.default_rng([self._seed, battle.clock.decisions[0]])

        def trial(action: int, chance: int) -> float:
            return self.trial(battle, seat, action, chance)

        confirm = self.confirm or weights_of(battle.setup.ruleset.id).confirm
        return race(preferred, rivals, trial, dice, self.samples, confirm, self.firm)

    def trial(self, battle: Battle, seat: int, action: int, seed: int) -> float:
        """What an action leads to with other dice, some turns later."""
        copy = self._scratch
        copy.copy_from(battle, seed)
        play_on(copy, (action,), self.answer, self.turns or weights_of(battle.setup.ruleset.id).turns, self.horizon + 1)
        return prospects(self._doctrine.reader, copy, seat)

    def answer(self, copy: Battle, mask: Array) -> int:
        """How trials are played on: as the appraisal would, but what matters little is passed over."""
        if kind_of(copy) in weights_of(copy.setup.ruleset.id).passed:
            return int(mask.argmax())
        return self._trials.best(copy, mask)
