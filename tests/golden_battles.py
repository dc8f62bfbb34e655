"""What is kept of a battle so that it can be told whether it is still played as before, and where it first is not.

Digests are of three things, each running from the start of the battle:

- ``choices``: of every decision its player, kind, subject and legal actions, and the answer;
- ``events``: of every event its rule, kind and data;
- ``state``: of the tables at one moment, column by column, see ``column_digests``.

A trace says the same in words, a line for each decision and each event.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from wh_env import Battle
from wh_env.core.events import Event
from wh_env.core.procedures import FRAME_SIZE, Ruleset
from wh_env.core.tables import Array

SHORT, LONG = 3, 8  # bytes of a digest on the way and at the end
TOLD = 5  # lines before the first difference, and battles that a message names
COLUMNS_TOLD = 40


def digest(data: bytes, size: int = LONG) -> str:
    """A hash as hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=size).hexdigest()


# ---------------------------------------------------------------- state


def column_digests(game: Battle) -> dict[str, str]:
    """A digest of the values of each column of the state, by ``table.column`` (``table`` alone, where it has no columns).

    It hangs neither on where a column lies in its table or in the buffer nor on its type: values are read as int64 or float64. Columns that
    hold nothing but zeros at this moment are left out, and of the stack the frames above its depth, which mean nothing. A column
    that moves to another table shows: its old name is gone and a new one has its digest.
    """
    found: dict[str, str] = {}
    layout = game.setup.layout
    for spec in layout.specs:
        table = layout.view(game.buffer, spec.name)
        if spec.name == "stack":
            table = table[: game.clock.depth[0] * FRAME_SIZE]
        columns = {f"{spec.name}.{name}": table[name] for name in table.dtype.names or ()} or {spec.name: table}
        for name, values in columns.items():
            if values.any():
                found[name] = digest(plain_bytes(values))
    return found


def plain_bytes(values: Array) -> bytes:
    """The values as int64 or float64; -0.0 counts as 0.0."""
    if values.dtype.kind == "f":
        return (values.astype(np.float64) + 0.0).tobytes()
    return values.astype(np.int64).tobytes()


def state_digest(columns: Mapping[str, str], size: int = LONG) -> str:
    """One digest of those of all columns, sorted by name."""
    return digest("\n".join(f"{name} {told}" for name, told in sorted(columns.items())).encode(), size)


# ---------------------------------------------------------------- decisions and events


def data_of(event: Event) -> str:
    """The data of an event as JSON; numbers are plain, whatever type they have."""
    return json.dumps(event.data, default=lambda value: value.item(), ensure_ascii=False)


def event_line(event: Event) -> str:
    """An event as a line of a trace."""
    return f"    {event.rule} | {event.kind} | {data_of(event)}"


def decision_line(game: Battle, action: int) -> str:
    """The answer ``action`` to the decision that waits as a line of a trace."""
    kind = game.setup.ruleset.kinds[game.clock.kind[0]].name
    return f"{game.clock.decisions[0] + 1} player {game.clock.player[0]} {kind}: {game.describe(action)}"


@dataclass
class Running:
    """The digests of choices and events so far; both are told to it as they come."""

    choices: Any = field(default_factory=hashlib.blake2b)
    events: Any = field(default_factory=hashlib.blake2b)
    told: int = 0  # events

    def choice(self, game: Battle, mask: Array, action: int) -> None:
        """``action`` is about to be applied."""
        clock = game.clock
        kind = game.setup.ruleset.kinds[clock.kind[0]].name
        self.choices.update(f"{clock.player[0]} {kind} {clock.subject[0]} {action} ".encode())
        self.choices.update(mask.tobytes())

    def catch_up(self, game: Battle) -> None:
        """Take in the events since the last call."""
        new = game.events[self.told :]
        self.told += len(new)
        for event in new:
            self.events.update(f"{event.rule}\n{event.kind}\n{data_of(event)}\n".encode())

    def digests(self, columns: Mapping[str, str], size: int) -> list[str]:
        """Of choices, events and state."""
        return [self.choices.hexdigest()[: 2 * size], self.events.hexdigest()[: 2 * size], state_digest(columns, size)]


# ---------------------------------------------------------------- traces


@dataclass
class Trace:
    """A battle in words: ``lines``, one for each decision and each event."""

    lines: list[str] = field(default_factory=list)
    _events: int = 0

    def before(self, game: Battle, action: int) -> None:
        """``action`` is about to be applied."""
        self.lines.append(decision_line(game, action))

    def after(self, game: Battle) -> None:
        """An action was applied, or the battle has begun."""
        new = game.events[self._events :]
        self._events += len(new)
        self.lines += map(event_line, new)


def difference(kept: Sequence[str], now: Sequence[str]) -> str | None:
    """Where two traces first differ: that line of both and those before it; ``None`` if they do not."""
    if kept == now:
        return None
    at = next((n for n, (one, other) in enumerate(zip(kept, now)) if one != other), min(len(kept), len(now)))
    before = [f"  {line}" for line in kept[max(0, at - TOLD) : at]]
    both = [f"{sign} {lines[at] if at < len(lines) else '(it ends here)'}" for sign, lines in (("-", kept), ("+", now))]
    return "\n".join([f"line {at + 1} is the first that differs (- as kept, + as played now):", *before, *both])


# ---------------------------------------------------------------- digests of many battles


@dataclass
class Outcome:
    """What is kept of one battle of a sweep.

    Attributes:
        name: of the battle. decisions: how many were made. end: what it came to.
        every: so many decisions lie between two marks. marks: short digests of choices, events and state, joined by spaces.
        digests: of choices, events and state at the end.
    """

    name: str
    decisions: int
    end: str
    every: int
    marks: list[str]
    digests: list[str]

    def line(self) -> str:
        """As a line of JSON."""
        return json.dumps(vars(self))

    @staticmethod
    def parse(line: str) -> Outcome:
        """From such a line."""
        return Outcome(**json.loads(line))


NAMES = ("choices", "events", "state")


def changed(kept: Outcome, now: Outcome) -> dict[str, int]:
    """What of ``NAMES`` differs, with the number of the first mark at which it does (the end counts as one), the first of all first."""
    last = min(len(kept.marks), len(now.marks))
    pairs = [(one.split(), other.split()) for one, other in zip(kept.marks, now.marks)]
    first: dict[str, int] = {}
    for at, (one, other) in enumerate([*pairs, (kept.digests, now.digests)]):
        for name, before, after in zip(NAMES, one, other):
            if before != after:
                first.setdefault(name, min(at, last))
    return dict(sorted(first.items(), key=lambda item: item[1]))


def outcome_difference(kept: Outcome, now: Outcome) -> str | None:
    """Between which decisions a battle first differs, and in what; ``None`` if it does not."""
    if kept == now:
        return None
    if kept.every != now.every:
        return f"{now.name}: it has a mark every {now.every} decisions, kept are marks every {kept.every}"
    found = changed(kept, now)
    at = min(found.values(), default=min(len(kept.marks), len(now.marks)))
    early = [name for name in found if found[name] == at]
    late = [name for name in found if found[name] > at]
    upto = f" and up to {(at + 1) * now.every}" if at < min(len(kept.marks), len(now.marks)) else ""
    parts = [
        f"{now.name}: it first differs after decision {at * now.every}{upto}, in {' and '.join(early) or 'its end'}"
    ]
    if late:
        parts.append(f"later in {' and '.join(late)} too")
    if kept.end != now.end:
        parts.append(f"it is {now.end}, kept is {kept.end}")
    return ", ".join(parts)


def column_differences(kept: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What became of the columns of the state; both are digests by name."""
    gone, new = sorted(kept.keys() - now.keys()), sorted(now.keys() - kept.keys())
    lines = []
    for name in list(gone):
        twin = next((other for other in new if now[other] == kept[name]), None)
        if twin is not None:
            lines.append(f"{name} is {twin} now, with the same values")
            gone.remove(name)
            new.remove(twin)
    lines += [f"{name} is gone" for name in gone]
    lines += [f"{name} is new" for name in new]
    return lines + [f"{name} has other values" for name in sorted(kept.keys() & now.keys()) if kept[name] != now[name]]


def sweep_difference(
    kept: Sequence[Outcome],
    now: Sequence[Outcome],
    kept_columns: Mapping[str, str],
    now_columns: Mapping[str, str],
    how: str,
) -> str | None:
    """What differs in a sweep, in words; ``None`` if nothing does. ``how`` says, with ``{}`` for a name, how a battle is seen."""
    by_name = {outcome.name: outcome for outcome in kept}
    lines: list[str] = []
    named: set[str] = set()
    shown = None
    for outcome in now:
        before = by_name.pop(outcome.name, None)
        if before is None:
            lines.append(f"{outcome.name}: nothing is kept of it")
        elif told := outcome_difference(before, outcome):
            lines.append(told)
            named.update(changed(before, outcome) or ["end"])
            shown = shown or outcome.name
    lines += [f"{name}: kept, but not played" for name in by_name]
    columns = column_differences(kept_columns, now_columns)
    if not lines and not columns:
        return None
    lines = shortened(lines, TOLD)
    if named <= {"state"}:
        # where more differs, nearly all columns do, and say nothing
        lines += ["choices and events are as they were; of the state:", *shortened(columns, COLUMNS_TOLD)]
    if shown:
        lines.append(f"to see it, write the trace before and after the change and compare them: {how.format(shown)}")
    return "\n".join(lines)


def shortened(lines: list[str], most: int) -> list[str]:
    """The first lines, and how many more there are."""
    return lines if len(lines) <= most else [*lines[:most], f"... and {len(lines) - most} more"]


# ---------------------------------------------------------------- numbers


def numbers(ruleset: Ruleset) -> list[str]:
    """The numbers of the procedures and decision kinds of a ruleset, which stand in states, with their names."""
    found = [f"procedure {n} {type(procedure).__name__}" for n, procedure in enumerate(ruleset.procedures)]
    return found + [f"kind {n} {kind.name}" for n, kind in enumerate(ruleset.kinds)]


def read_lines(path: Path) -> list[str]:
    """The lines of a file of the golden folder."""
    return path.read_text(encoding="utf-8").splitlines()


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write such a file."""
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def folded(columns: Mapping[str, str], at: str, into: dict[str, str]) -> None:
    """Take the columns at a moment (``at``) into running digests of them."""
    for name, told in columns.items():
        into[name] = digest(f"{into.get(name, '')} {at} {told}".encode(), 4)
