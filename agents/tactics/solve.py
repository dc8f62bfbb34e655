"""Find the best value of a position by brute force.

Every choice is carried out with many futures of dice, the same for all choices of a decision. Futures that
lead to equal states form one node, in which the same is done again; values are carried back from the horizon.
This gives the best choice for every state that occurred. The value of this play is then measured on fresh
dice, so that the stored value is not biased by picking the best of noisy numbers. Places are tried on a
lattice over the legal cells (``Position.spacing``) and where the position names them; all other choices are
tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from math import sqrt

import numpy as np

from wh_env import Battle
from wh_env.core.procedures import FRAME_SIZE
from wh_env.rulesets.w40k.edition import Edition, edition_of

from ..policies.random import RandomPolicy
from .play import Opponent, play, play_policy, seeds_of
from .position import Position, legal_cells
from .solution import Option, Solution

FEWEST = 48  # least number of futures for each choice, in states that occur rarely
CERTAIN = 16  # a choice that led to the same outcome in this many futures is taken as certain
FINAL = 5  # number of choices in the first decision that are compared on fresh dice
SHOWN = 6  # number of choices that are stored
TABLES = ("players", "units", "models", "objectives")
PASSING = ("clock", "dice", "script", "stack", "origin")  # tables that ``tables_of`` leaves out in other games
Tell = Callable[[str, float], None]


@dataclass
class Node:
    """A state in which the player decides.

    Attributes:
        futures: number of futures for each choice.
        values: value of each choice, by action.
    """

    futures: int
    values: dict[int, float] = field(default_factory=dict)

    @property
    def best(self) -> int:
        """The best choice."""
        return max(self.values, key=lambda action: self.values[action])

    @property
    def value(self) -> float:
        """The value of the best choice."""
        return max(self.values.values())


def state_of(battle: Battle) -> bytes:
    """A hash of everything but the dice that determines the future of a battle."""
    name = blake2b(digest_size=16)
    clock = battle.clock.rows.copy()
    clock["decisions"] = 0
    name.update(clock.tobytes())
    layout = battle.setup.layout
    for table in tables_of(battle):
        name.update(layout.view(battle.buffer, table).tobytes())
    name.update(battle.stack[: battle.clock.depth[0] * FRAME_SIZE].tobytes())
    if isinstance(battle.setup.ruleset, Edition):
        name.update(battle.charge_targets.tobytes())
    return name.digest()


def tables_of(battle: Battle) -> list[str]:
    """Names of the tables that determine the future.

    For an edition these are the tables of all editions and its own; for another game, all tables except dice
    and scratch.
    """
    setup = battle.setup
    if isinstance(setup.ruleset, Edition):
        added = edition_of(setup).tables(len(battle.units.rows), len(battle.models.rows))
        return [*TABLES, *(spec.name for spec in added)]
    return [name for name in setup.layout.offsets if name not in PASSING]


class Solver:
    """Searches for best play from a position.

    Args:
        position: the position.
        tries: number of dice futures for each choice in the first decision. Later decisions get as many as
            reach them, at least ``FEWEST``.
        seed: seed of all dice.
        tell: called with what is being done, and the share of it that is done.
    """

    def __init__(self, position: Position, tries: int, seed: int, tell: Tell | None = None) -> None:
        self.position, self.tries, self.seed = position, tries, seed
        self.opponent = Opponent(position)
        self.nodes: dict[bytes, Node] = {}
        self.tell = tell or (lambda _what, _share: None)
        self._seeds = np.random.default_rng([seed, *position.name.encode()])
        extra = [choice for choice in (position.best, position.naive) if not isinstance(choice, str)]
        self._places = [*position.places, *extra]

    def choices(self, battle: Battle) -> list[int]:
        """The choices to try: all, but of places only those on a lattice and those that the position names."""
        space, spacing = battle.setup.space, self.position.spacing
        legal = np.flatnonzero(battle.legal()).tolist()
        cells, xs, ys = legal_cells(battle)
        if len(cells) == 0:
            return legal
        middle = space.grid // 2
        chosen = {
            action
            for action in cells.tolist()
            if ((action - space.cell) % space.grid - middle) % spacing == 0
            and ((action - space.cell) // space.grid - middle) % spacing == 0
        }
        chosen |= {int(cells[np.hypot(xs - x, ys - y).argmin()]) for x, y in self._places}
        return [a for a in legal if a in chosen or not space.cell <= a < space.angle] or [int(cells[0])]

    def node(self, battle: Battle, futures: int, tell: Tell | None = None) -> Node:
        """The node of a state, with the value of each choice."""
        key = state_of(battle)
        known = self.nodes.get(key)
        if known is not None and known.futures >= futures:
            return known
        node = Node(futures)
        choices = self.choices(battle)
        seeds = self._seeds.integers(2**62, size=futures).tolist()
        for number, action in enumerate(choices):
            if tell is not None:
                tell("trying", number / len(choices))
            node.values[action] = self.worth(battle, action, seeds)
        self.nodes[key] = node
        return node

    def worth(self, battle: Battle, action: int, seeds: list[int]) -> float:
        """The value of a choice if everything after it is played best."""
        position = self.position
        ends: Counter[float] = Counter()
        reached: Counter[bytes] = Counter()
        states: dict[bytes, Battle] = {}
        copy = battle.clone()
        for number, seed in enumerate(seeds):
            if number == CERTAIN and len(ends) + len(reached) == 1:
                break
            copy.copy_from(battle, seed)
            copy.apply(action)
            if self.opponent.settle(copy):
                ends[position.value(copy)] += 1
                continue
            key = state_of(copy)
            if key not in states:
                states[key] = copy.clone()
            reached[key] += 1
        total = sum(value * count for value, count in ends.items())
        total += sum(count * self.node(states[key], max(FEWEST, count)).value for key, count in reached.items())
        return total / (ends.total() + reached.total())

    def act(self, battle: Battle) -> int:
        """The best choice in a state; the state is searched now if it has not occurred before."""
        known = self.nodes.get(state_of(battle))
        return (known or self.node(battle, FEWEST)).best

    def measure(self, first: int, seeds: list[int], what: str = "measuring") -> tuple[float, float]:
        """Mean and standard error of best play after the choice ``first``, with the dice of ``seeds``."""
        values = []
        for number, seed in enumerate(seeds):
            if number % 16 == 0:
                self.tell(what, number / len(seeds))
            values.append(play(self.position, self.opponent, seed, self.act, first))
        return mean_error(values)


def mean_error(values: list[float]) -> tuple[float, float]:
    """The mean, and its standard error (0 for a single value)."""
    several = len(values) > 1
    return float(np.mean(values)), float(np.std(values, ddof=1)) / sqrt(len(values)) if several else 0.0


def solve(position: Position, samples: int, tries: int, seed: int, tell: Tell | None = None) -> Solution:
    """Find best play and measure it.

    Args:
        position: the position.
        samples: number of dice futures for measuring best and random play; choices of the first decision get a
            quarter of them.
        tries: see ``Solver``.
        seed: seed of all dice.
        tell: called with what is being done, and the share of it that is done.
    """
    solver = Solver(position, tries, seed, tell)
    start = position.start
    root = solver.node(start, tries, solver.tell)
    ranked = sorted(root.values, key=lambda action: -root.values[action])
    named = [position.action(position.best), position.action(position.naive)]
    finalists = list(dict.fromkeys([*ranked[:FINAL], named[0]]))
    fresh = seeds_of(position, seed, "choose", max(2, samples // 4))
    measured = {action: solver.measure(action, fresh, "comparing") for action in finalists}
    first = max(finalists, key=lambda action: measured[action][0])
    value, error = solver.measure(first, seeds_of(position, seed, "measure", samples))
    for action in [*ranked[:SHOWN], named[1]]:
        if action not in measured:
            measured[action] = solver.measure(action, fresh, "comparing")
    listed = sorted(measured, key=lambda action: (action != first, -measured[action][0]))
    policy, chance = RandomPolicy(), seeds_of(position, seed, "random", 2 * samples)
    drawn = [
        play_policy(position, solver.opponent, dice, policy, own % 2**32)
        for dice, own in zip(chance[:samples], chance[samples:], strict=True)
    ]
    random, random_error = mean_error(drawn)
    return Solution(
        digest=position.digest,
        value=round(value, 4),
        error=round(error, 4),
        samples=samples,
        random=round(random, 4),
        random_error=round(random_error, 4),
        options=tuple(
            Option(start.describe(action), round(measured[action][0], 4), round(measured[action][1], 4))
            for action in listed
        ),
        best=listed.index(named[0]),
        naive=listed.index(named[1]),
        seed=seed,
        tries=tries,
    )


def remeasure(
    position: Position, kept: Solution, samples: int, tries: int, seed: int, tell: Tell | None = None
) -> tuple[float, float]:
    """Search for best play again, after the stored best first choice and with other dice, and measure it.

    Returns:
        Mean and standard error.
    """
    solver = Solver(position, tries, seed, tell)
    words = kept.options[0].words
    start = position.start
    first = next(a for a in np.flatnonzero(start.legal()).tolist() if start.describe(a) == words)
    return solver.measure(first, seeds_of(position, seed, "again", samples))
