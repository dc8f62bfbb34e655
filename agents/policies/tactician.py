"""A scripted general that plans its turn: it tries what it may do on copies of the battle and keeps what serves the plan.

Each promising action is carried out on a copy whose dice are its own, the rest of the turn is played as the ruleset appraises
it (``Ruleset.appraiser``), and the position is judged by ``tactician_value.value``: objectives held and denied, armies, and what both sides can do next. So
focus fire, trades, screens, charges worth their odds, falling back and stratagems are all weighed in one currency, under any
ruleset. While the other seat keeps a secret nothing is tried out (it would show): the appraisal, which reads only what
lies open, answers alone.
"""

from __future__ import annotations

import numpy as np

from agents.policies.tactician_doctrine import MOVING, SHOOTING, Doctrine, words_of
from agents.policies.tactician_value import value
from wh_env import Battle
from wh_env.core.tables import Array

APART = 2.0  # cells between two places that are tried
FIRM = 1.0  # points by which an action must be better than the appraisal's to replace it


class TacticianPolicy:
    """Tries out what is promising and takes what serves best.

    Args:
        samples: copies every action is tried on; the best third of them is tried on twice as many more.
        places: places that are tried where a place is asked for.
        turns: ends of player turns after which a trial is judged.
        horizon: decisions after which it is judged if they have not come before.
    """

    def __init__(self, seed: int = 0, samples: int = 1, places: int = 6, horizon: int = 200, turns: int = 2, least: int = 8, firm: float = 1.0, skip: str = "") -> None:
        self.least, self.firm = least, firm; self.skip=skip.split("+"); import collections; self.stat=collections.Counter()
        for name, number in (("samples", samples), ("places", places), ("horizon", horizon), ("turns", turns)):
            if number < 1:
                raise ValueError(f"tactician: {name}={number}; expected at least 1")
        self.samples, self.places, self.horizon, self.turns = samples, places, horizon, turns
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
        preferred, candidates = self.candidates(battle, mask)
        secret = battle.setup.ruleset.hidden(battle, battle.clock.player[0])
        if len(candidates) == 1 or battle.clock.round[0] == 0 or secret:
            return preferred
        return self.best(battle, preferred, candidates)

    def candidates(self, battle: Battle, mask: Array) -> tuple[int, list[int]]:
        """What the ruleset's appraisal would do, and what is worth trying (that included)."""
        space, doctrine = battle.setup.space, self._doctrine
        preferred = self._appraiser.best(battle, mask)
        if mask[space.own : space.enemy].any() and words_of(battle) & (MOVING | SHOOTING):
            return preferred, [preferred]  # all of them get their turn
        if not mask[space.cell : space.angle].any():
            return preferred, np.flatnonzero(mask).tolist()
        cells, scores = doctrine.cells(battle, mask)
        order = np.argsort(-scores, kind="stable")
        chosen: list[int] = [preferred] if preferred >= space.cell else []
        grid = space.grid
        for action in cells[order].tolist():
            slot = action - space.cell
            if all(
                np.hypot(slot % grid - other % grid, slot // grid - other // grid) >= APART
                for other in (a - space.cell for a in chosen)
            ):
                chosen.append(action)
                if len(chosen) == self.places:
                    break
        rest = [a for a in np.flatnonzero(mask).tolist() if not space.cell <= a < space.angle]
        return preferred, chosen + rest

    def best(self, battle: Battle, preferred: int, candidates: list[int]) -> int:
        """The candidate that is surely better than the preferred one, if there is one: tried out on the same dice."""
        seat = battle.clock.player[0]
        seeds = np.random.SeedSequence([self._seed, battle.clock.decisions[0]]).generate_state(
            max(self.least, self.samples * 2 ** len(candidates).bit_length()), np.uint64
        )
        rivals = [a for a in candidates if a != preferred]
        tried: dict[int, list[float]] = {a: [] for a in candidates}
        done = self.samples
        while rivals:
            for a in (preferred, *rivals):
                tried[a] += [self.trial(battle, seat, a, int(s)) for s in seeds[len(tried[a]) : done]]
            gains = {a: np.subtract(tried[a], tried[preferred]) for a in rivals}
            rivals = sorted((a for a in rivals if gains[a].mean() > 0.0), key=lambda a: -gains[a].mean())
            if len(rivals) == 1 and done >= self.least:
                gain = gains[rivals[0]]
                return rivals[0] if gain.mean() > self.firm * gain.std(ddof=1) / np.sqrt(len(gain)) else preferred
            rivals = rivals[: max(1, len(rivals) // 2)]
            done = min(2 * done, len(seeds))
        return preferred

    def trial(self, battle: Battle, seat: int, action: int, seed: int) -> float:
        """What comes of an action with other dice, at the end of the turn."""
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
        return value(self._doctrine.reader, copy, seat)
