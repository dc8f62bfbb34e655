"""Mutated saved battles: states with other numbers in them, sealed again."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

import numpy as np

from wh_env import Battle, BrokenState, ContentError
from wh_env.core.battle import FORMAT, MAGIC
from wh_env.core.bounds import Bounds
from wh_env.core.procedures import FRAME_SIZE, STEP, V
from wh_env.core.sealed import sealed, unsealed
from wh_env.core.tables import Array
from wh_env.core.validation import Validator

from .battles import Start, starts
from .mutations import Chance, mutated_fields, mutated_file, mutated_value, pick

EVERY = 12  # a position is kept at every twelfth decision
MOST = 200  # greatest number of decisions played on from a state
ENDS = (-(2**31), -2, -1, 0, 1, 2, 3, 7, 31, 255, 2**16, 2**31 - 1)
FLOATS = (float("nan"), float("inf"), -1.0, 0.0, 1e-9, 30.0, 1e300, -1e300)
# numba's message for an index outside an array when it checks bounds; no other error has these words
OUTSIDE = "index is out of bounds"


class Position:
    """A battle in the middle of play."""

    def __init__(self, battle: Battle, validator: Validator) -> None:
        self.setup = battle.setup
        self.validator = validator
        self.state = battle.state_bytes()
        self.source = battle.setup.source.encode()

    def file(self, state: bytes) -> bytes:
        """A saved battle with this state."""
        return sealed(MAGIC, FORMAT, {"layout": self.setup.layout_digest}, [self.source, state])


class States:
    """Mutated states of battles of all rulesets at both details.

    Args:
        battles: names and options of battles; empty: ``starts()``.
        most: greatest number of decisions to play on from a state.
    """

    name = "states"

    def __init__(self, battles: tuple[Start, ...] = (), most: int = MOST) -> None:
        self.battles = battles or tuple(starts())
        self.most = most

    @cached_property
    def positions(self) -> list[Position]:
        """Unchanged positions, always the same."""
        found = []
        for number, (name, how) in enumerate(self.battles):
            battle = Battle.load(name, number, **how)
            validator = Validator(battle.setup)
            chance = np.random.default_rng(number)
            greedy = battle.setup.ruleset.appraiser(battle.setup)
            count = 0
            while not battle.over and count < 60 * EVERY:
                if count % EVERY == 0:
                    found.append(Position(battle, validator))
                legal = battle.legal()
                # greedy play leads to combat, random play to all kinds of decisions
                play_greedily = number % 2 == 0 or chance.random() < 0.5
                battle.apply(greedy.best(battle, legal) if play_greedily else int(pick(chance, np.flatnonzero(legal))))
                count += 1
            found.append(Position(battle, validator))
        return found

    def make(self, rng: Chance) -> bytes:
        """A saved battle, with its state, header, source or bytes changed; one in twenty is unchanged."""
        position = pick(rng, self.positions)
        share = rng.random()
        if share < 0.05:
            return position.file(position.state)
        if share < 0.85:
            state = np.frombuffer(position.state, np.uint8).copy()
            for _ in range(int(rng.integers(1, 5))):
                pick(rng, STATE_CHANGES)(position, state, rng)
            return position.file(state.tobytes())
        if share < 0.9:
            return mutated_file(position.file(position.state), rng)
        header, parts = unsealed(position.file(position.state), MAGIC, FORMAT, "a saved battle")
        if share < 0.94:
            return sealed(MAGIC, FORMAT, mutated_fields(header, rng), parts)
        source = mutated_value(json.loads(parts[0]), rng)
        text = json.dumps(source).encode() if rng.random() < 0.9 else rng.bytes(len(parts[0]))
        return sealed(MAGIC, FORMAT, header, [text, *parts[1:]])

    def feed(self, data: bytes) -> bool:
        """Load the battle and play on at random. Returns whether it was accepted and played on without a
        documented error.
        """
        try:
            battle = Battle.from_bytes(data)
        except ContentError as error:
            within_tables(error)
            return False
        chance = np.random.default_rng(len(data))
        try:
            for _ in range(self.most):
                if battle.over:
                    break
                battle.apply(int(pick(chance, np.flatnonzero(battle.legal()))))
        except BrokenState as error:
            within_tables(error)
            return False
        return True


def within_tables(error: BaseException) -> None:
    """Check that an error does not come from a kernel that read outside its tables.

    Raises:
        AssertionError: it does.
    """
    cause = error.__cause__
    if isinstance(cause, IndexError) and str(cause) == OUTSIDE:
        raise AssertionError("a kernel reads outside its tables") from cause


# ---------------------------------------------------------------- changes of a state


def _random_column(position: Position, rng: Chance) -> tuple[Any, str, Bounds]:
    """A random table (its spec), one of its columns ("" if it has no columns), and the bounds of that column."""
    spec = pick(rng, [spec for spec in position.setup.layout.specs if spec.rows])
    if isinstance(spec.bounds, Bounds):
        return spec, "", spec.bounds
    name = pick(rng, list(spec.bounds))
    return spec, name, spec.bounds[name]


def change_number(position: Position, state: Array, rng: Chance) -> None:
    """Replace a number, probably by one out of its bounds."""
    spec, name, _ = _random_column(position, rng)
    view = position.setup.layout.view(state, spec.name)
    cells = view[name] if name else view
    at = tuple(int(rng.integers(n)) for n in cells.shape)
    if cells.dtype.kind == "f":
        cells[at] = pick(rng, FLOATS)
        return
    info = np.iinfo(cells.dtype)
    old = int(cells[at])
    value = pick(rng, (*ENDS, old - 1, old + 1, int(cells.reshape(-1)[int(rng.integers(cells.size))])))
    cells[at] = min(max(value, int(info.min)), int(info.max))


def change_within_bounds(position: Position, state: Array, rng: Chance) -> None:
    """Replace a number by another that its bounds allow."""
    spec, name, bounds = _random_column(position, rng)
    if bounds.fixed:
        return
    view = position.setup.layout.view(state, spec.name)
    cells = view[name] if name else view
    at = tuple(int(rng.integers(n)) for n in cells.shape)
    low, high = bounds.resolved(position.validator.sizes)
    if cells.dtype.kind == "f":
        cells[at] = rng.uniform(low, high)
    elif cells.dtype == np.uint64:
        cells[at] = pick(rng, cells.reshape(-1))
    elif bounds.codes:
        cells[at] = pick(rng, bounds.codes)
    elif high >= low:
        info = np.iinfo(cells.dtype)
        low, high = max(int(low), int(info.min)), min(int(high), int(info.max))
        cells[at] = pick(
            rng, (low, high, int(rng.integers(low, high, endpoint=True)), min(high, low + int(rng.integers(8))))
        )


def change_frame(position: Position, state: Array, rng: Chance) -> None:
    """Change a frame of the stack, mostly within its bounds."""
    layout = position.setup.layout
    stack, clock = layout.view(state, "stack").reshape(-1, FRAME_SIZE), layout.view(state, "clock")
    depth = min(max(int(clock["depth"][0]), 1), len(stack))
    at = int(rng.integers(depth))
    procedures = position.setup.ruleset.procedures
    share = rng.random()
    if share < 0.15:
        stack[at, 0] = int(rng.integers(len(procedures)))
    elif share < 0.25:
        clock["depth"] = int(rng.integers(len(stack) + 1))
    elif share < 0.35:
        stack[at] = stack[int(rng.integers(depth))]
    elif share < 0.45:
        stack[at, int(rng.integers(FRAME_SIZE))] = pick(rng, ENDS)
    elif 0 <= stack[at, 0] < len(procedures):
        procedure = procedures[stack[at, 0]]
        asks = tuple(procedure.may_ask(position.setup.ruleset))
        if share < 0.55 and asks:
            clock["kind"] = position.setup.ruleset.kind_number(pick(rng, asks))
        slots = {STEP: procedure.steps, **procedure.slots}
        slot = pick(rng, sorted(slots))
        low, high = slots[slot].resolved(position.validator.sizes)
        if high >= low:
            stack[at, slot] = int(rng.integers(int(low), min(int(high), 2**31 - 1), endpoint=True))
        elif slot >= V:
            stack[at, slot] = 0


def swap_rows(position: Position, state: Array, rng: Chance) -> None:
    """Swap two rows of a table, or overwrite one with the other."""
    spec = pick(rng, [spec for spec in position.setup.layout.specs if spec.rows > 1])
    view = position.setup.layout.view(state, spec.name)
    a, b = int(rng.integers(len(view))), int(rng.integers(len(view)))
    old = view[a].copy()
    view[a] = view[b]
    if rng.random() < 0.5:
        view[b] = old


def scatter_bytes(position: Position, state: Array, rng: Chance) -> None:
    """Replace one to five bytes anywhere."""
    for _ in range(int(rng.integers(1, 6))):
        state[int(rng.integers(len(state)))] = int(rng.integers(256))


def overwrite_table(position: Position, state: Array, rng: Chance) -> None:
    """Fill a whole table with zeros, with noise, or with its values from before the battle."""
    layout = position.setup.layout
    spec = pick(rng, [spec for spec in layout.specs if spec.rows])
    at = layout.offsets[spec.name]
    part = slice(at, at + spec.size)
    share = rng.random()
    if share < 0.3:
        state[part] = 0
    elif share < 0.5:
        state[part] = rng.integers(0, 256, spec.size, np.uint8)
    else:
        state[part] = position.setup.template[part]


# each change as often as it is listed
STATE_CHANGES = (
    *(change_number,) * 4,
    *(change_within_bounds,) * 3,
    *(change_frame,) * 2,
    swap_rows,
    scatter_bytes,
    overwrite_table,
)
