"""Which columns of the state an observation shows: find two states that look alike to a seat and play on differently.

At positions of real battles one number of one row is changed to another value that its column holds at some other time.
If neither seat's observation changes, both battles play the same actions on the same dice. A column is aliased if then
the masks or the observations come apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from wh_env import Battle, BrokenState
from wh_env.content.load import names
from wh_env.core.bounds import Bounds
from wh_env.core.restoring import restored
from wh_env.core.setup import Setup
from wh_env.core.tables import ON_TABLE, Array
from wh_env.core.validation import Validator
from wh_env.envs.observation import Observer

HORIZON = 60  # decisions that both battles play
EVERY = 9  # decisions between two positions
POOL = 64  # values of a column that are remembered
DICE = ("dice", "script")  # tables of the random generator
STACK = "stack"

Cell = tuple[str, str]  # table; column, or "" where the table has none


@dataclass
class Finding:
    """What was found about a column.

    Attributes:
        table, column: its names; ``column`` is empty for a table of plain numbers.
        reason: why it need not be shown, as its bounds declare; "" if they do not.
        tried: changes that made a valid state.
        seen: of those, how many changed the observation of a seat at once.
        idle: how many changed nothing within the horizon.
        examples: the others, in words.
    """

    table: str
    column: str
    reason: str = ""
    tried: int = 0
    seen: int = 0
    idle: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def aliased(self) -> bool:
        """Whether some change was not seen and came to matter."""
        return bool(self.examples)

    @property
    def name(self) -> str:
        """Table and column."""
        return f"{self.table}.{self.column}" if self.column else self.table


class Audit:
    """Changes numbers at positions of the battles of one ruleset and looks what follows.

    Args:
        seed: of the battles, the actions and the changes.
        horizon: decisions that both battles play after a change that was not seen.
    """

    def __init__(self, seed: int = 0, horizon: int = HORIZON) -> None:
        self.rng = np.random.default_rng(seed)
        self.seed, self.horizon = seed, horizon
        self.findings: dict[Cell, Finding] = {}
        self._values: dict[Cell, list[Any]] = defaultdict(list)

    def play(self, setup: Setup, number: int, positions: int) -> Iterator[int]:
        """Play a battle, examine up to ``positions`` positions of it and yield the number of each.

        Args:
            setup: what is played. number: of the battle, for its dice.
        """
        battle = Battle(setup, self.seed + number)
        eyes, validator = Observer(setup), Validator(setup)
        greedy = setup.ruleset.appraiser(setup)
        decisions = examined = 0
        begin = int(self.rng.integers(EVERY))
        while not battle.over and examined < positions:
            if decisions % EVERY == begin:
                self._remember(battle)
                self.examine(battle, eyes, validator)
                yield examined
                examined += 1
            legal = battle.legal()
            choose_greedily = self.rng.random() < 0.6
            chosen = greedy.best(battle, legal) if choose_greedily else self.rng.choice(np.flatnonzero(legal))
            battle.apply(int(chosen))
            decisions += 1

    def examine(self, battle: Battle, eyes: Observer, validator: Validator) -> None:
        """Change each column once, in a random row, and count what follows."""
        shown = both_seats(battle, eyes)
        for cell, numbers, bounds in changeable(battle):
            rows = rows_in_use(battle, cell, numbers)
            if not len(rows):
                continue
            row = int(self.rng.choice(rows))
            was = numbers.reshape(-1)[row]
            others = [value for value in self._values[cell] if value != was]
            if not others:
                continue
            value = others[int(self.rng.integers(len(others)))]
            changed = with_number(battle, cell, row, value)
            if validator.fault(changed) is not None:
                continue
            try:
                after = both_seats(changed, eyes)
            except (BrokenState, ValueError, IndexError):
                continue  # the state holds something impossible that no check knows
            found = self.findings.setdefault(cell, Finding(*cell, reason=bounds.unseen))
            found.tried += 1
            if not alike(shown, after):
                found.seen += 1
                continue
            apart = self._apart(battle, changed, eyes)
            if apart is None:
                found.idle += 1
            else:
                found.examples.append(f"{decision_words(battle)}: row {row} from {was} to {value}: {apart}")

    def _remember(self, battle: Battle) -> None:
        """Keep some values of each column."""
        for cell, numbers, _ in changeable(battle):
            pool = self._values[cell]
            for value in np.unique(numbers)[:8]:
                if value not in pool:
                    if len(pool) < POOL:
                        pool.append(value)
                    else:
                        pool[int(self.rng.integers(POOL))] = value

    def _apart(self, one: Battle, two: Battle, eyes: Observer) -> str | None:
        """Play the same actions on the same dice in copies of both battles. Returns where masks or observations come
        apart, or None.
        """
        one, two = one.clone(), two.clone()
        dice = np.random.default_rng(int(self.rng.integers(2**62)))
        try:
            for played in range(self.horizon):
                if one.over or two.over:
                    return f"one battle ends after {played}" if one.over != two.over else None
                if one.legal_bytes() != two.legal_bytes():
                    return f"other options after {played} decisions ({decision_words(one)})"
                if played and not alike(both_seats(one, eyes), both_seats(two, eyes)):
                    return f"other observations after {played} decisions ({decision_words(one)})"
                action = int(dice.choice(np.flatnonzero(one.legal())))
                one.apply(action)
                two.apply(action)
        except (BrokenState, ValueError, IndexError) as error:
            return f"error: {str(error)[:80]}"
        return None


def both_seats(battle: Battle, eyes: Observer) -> list[Array]:
    """What each seat sees, as vectors."""
    return [eyes.observe(battle, seat).copy() for seat in (0, 1)]


def alike(one: list[Array], two: list[Array]) -> bool:
    """Whether each seat sees the same in two battles."""
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def decision_words(battle: Battle) -> str:
    """The kind of the waiting decision and its number."""
    kinds = battle.setup.ruleset.kinds
    return f"{kinds[int(battle.clock.kind[0])].name} ({int(battle.clock.decisions[0])})"


def changeable(battle: Battle) -> Iterator[tuple[Cell, Array, Bounds]]:
    """The columns that may change during a battle, with their numbers and bounds; not dice and frames."""
    layout = battle.setup.layout
    for spec in layout.specs:
        if spec.name in DICE or spec.name == STACK or not spec.rows:
            continue
        view = layout.view(battle.buffer, spec.name)
        if isinstance(spec.bounds, Bounds):
            if not spec.bounds.fixed:
                yield (spec.name, ""), view, spec.bounds
            continue
        for column, bounds in spec.bounds.items():
            if not bounds.fixed:
                yield (spec.name, column), view[column], bounds


def rows_in_use(battle: Battle, cell: Cell, numbers: Array) -> Array:
    """Rows of a column that may be changed: places and lengths only of what stands on the table."""
    table, column = cell
    if column and numbers.dtype.kind == "f" and table in ("units", "models"):
        rows = battle.setup.layout.view(battle.buffer, table)
        stands = rows["place"] == ON_TABLE if table == "units" else rows["on_table"] != 0
        return np.flatnonzero(stands)
    return np.arange(numbers.size)


def with_number(battle: Battle, cell: Cell, row: int, value: Any) -> Battle:
    """A copy of the battle with one number changed."""
    buffer = np.frombuffer(battle.state_bytes(), np.uint8).copy()
    view = battle.setup.layout.view(buffer, cell[0])
    numbers = view[cell[1]] if cell[1] else view
    numbers.flat[row] = value
    return cast(Battle, restored(type(battle), battle.setup, buffer.tobytes(), None))


def battles_of(ruleset: str) -> list[tuple[str, str | None]]:
    """The battles of a ruleset that the audit plays, with their details: two random draws and one at full detail."""
    random = sorted(name for name in names("battles", ruleset) if "/random-" in name)
    return [(f"{random[0]}?seed=3", None), (f"{random[-1]}?seed=4", None), (f"{random[0]}?seed=5", "full")]


def audit(
    battles: Sequence[tuple[str, str | None]], seed: int, positions: int, horizon: int, progress: Callable[[int], None]
) -> list[Finding]:
    """Audit battles one after another.

    Args:
        battles: name and detail. seed: of everything. positions: of each battle. horizon: see `Audit`.
        progress: is told how many positions were examined.
    """
    inquiry = Audit(seed, horizon)
    done = 0
    for number, (name, detail) in enumerate(battles):
        for _ in inquiry.play(Battle.load(name, seed + number, detail=detail).setup, number, positions):
            done += 1
            progress(done)
    return sorted(inquiry.findings.values(), key=lambda found: (found.table, found.column))


__all__ = ["Audit", "Finding", "audit", "battles_of", "changeable"]
