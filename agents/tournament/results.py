"""The results file of a tournament: an SQLite database with one transaction and one key a game. Durations are in
a separate table.

Each row carries a digest of itself, so that an edited or damaged row is noticed before it is counted.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path
from typing import Any, Self

from wh_env.content.errors import ContentError

from .game import FORFEIT, PLAYED, VOID, Outcome
from .schedule import Game

FORMAT = 3
APPLICATION = 0x57485452  # "WHTR": marks the file as ours
# SQLite keeps this text, and ``tables_of`` compares it: the backslashes break lines without changing it.
SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    key TEXT PRIMARY KEY, round INTEGER, battle TEXT, battlefield TEXT, army0 TEXT, army1 TEXT, \
agent0 TEXT, agent1 TEXT,
    pair INTEGER, seed INTEGER, draw INTEGER, how TEXT, winner INTEGER, vp0 INTEGER, vp1 INTEGER, rounds INTEGER, \
first_player INTEGER,
    decisions INTEGER, at_fault INTEGER, fault TEXT, final TEXT, setup TEXT, replay TEXT, digest TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS timings (
    key TEXT PRIMARY KEY, seconds REAL, thinking0 REAL, thinking1 REAL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS traces (key TEXT PRIMARY KEY, trace TEXT NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Row:
    """One game in the results file; the CSV file has the same columns in this order."""

    key: str
    round: int
    battle: str
    battlefield: str
    army0: str
    army1: str
    agent0: str
    agent1: str
    pair: int
    seed: int
    draw: int | None
    how: str
    winner: int | None
    vp0: int
    vp1: int
    rounds: int
    first_player: int | None
    decisions: int
    at_fault: int | None
    fault: str
    final: str
    setup: str
    replay: str

    @property
    def counts(self) -> bool:
        """Whether the game counts for the agents, that is, whether it is not void."""
        return self.how != VOID

    @property
    def points(self) -> float:
        """Points of seat 0: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == 0)


COLUMNS = tuple(column.name for column in fields(Row))
TYPES: dict[str, tuple[type, ...]] = {"int": (int,), "str": (str,), "int | None": (int, type(None))}
KINDS = tuple(TYPES[str(column.type)] for column in fields(Row))
HOW, SEATS = (PLAYED, FORFEIT, VOID), (None, 0, 1)


def digest_of(values: Sequence[Any]) -> str:
    """The digest of a row's values."""
    return hashlib.blake2b(json.dumps(list(values)).encode(), digest_size=16).hexdigest()


def read_row(file: str, values: Sequence[Any]) -> Row:
    """Check the values of a row and return them as a ``Row``.

    Args:
        file: name of the file, for errors.
        values: values in the order of ``COLUMNS``, then the digest.

    Raises:
        ContentError: the row is not as it was written.
    """
    *found, digest = values
    where = f"games[{found[0]!r}]"
    for name, value, kinds in zip(COLUMNS, found, KINDS, strict=True):
        if type(value) not in kinds:
            raise ContentError(file, f"{where}.{name}", value, " or ".join(kind.__name__ for kind in kinds), AS_WRITTEN)
    if digest != digest_of(found):
        raise ContentError(file, f"{where}.digest", digest, f"{digest_of(found)}, that of its row", AS_WRITTEN)
    row = Row(*found)
    for name in ("winner", "first_player", "at_fault"):
        if getattr(row, name) not in SEATS:
            raise ContentError(file, f"{where}.{name}", getattr(row, name), "0, 1 or nothing", AS_WRITTEN)
    if row.how not in HOW:
        raise ContentError(file, f"{where}.how", row.how, "one of " + ", ".join(HOW), AS_WRITTEN)
    return row


AS_WRITTEN = "is not as it was written (--retry plays such games again)"


def row_of(game: Game, outcome: Outcome, replay: str) -> Row:
    """The row of a played game; ``replay`` is the path of its replay, or empty."""
    return Row(
        key=game.key,
        round=game.round,
        battle=game.table.battle,
        battlefield=game.table.battlefield or "",
        army0=outcome.armies[0],
        army1=outcome.armies[1],
        agent0=game.agents[0],
        agent1=game.agents[1],
        pair=game.pair,
        seed=game.seed,
        draw=game.draw,
        how=outcome.how,
        winner=outcome.winner,
        vp0=outcome.vp[0],
        vp1=outcome.vp[1],
        rounds=outcome.rounds,
        first_player=outcome.first_player,
        decisions=outcome.decisions,
        at_fault=outcome.at_fault,
        fault=outcome.fault,
        final=outcome.final,
        setup=outcome.setup,
        replay=replay,
    )


class Results:
    """The open results file. No other program can write to it meanwhile.

    Raises:
        ContentError: the file is no results file, is in use, or is damaged.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        with self._content_errors():
            self._db = sqlite3.connect(file, timeout=1.0, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._db.close()
                raise

    @contextmanager
    def _content_errors(self) -> Iterator[None]:
        """A context that turns errors of the database into ``ContentError``."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        # names and messages in a damaged file may be no text
        except (sqlite3.Error, UnicodeError, OverflowError) as error:
            if "locked" in str(error):
                expected = "no other program that uses it"
                raise ContentError(str(self.file), "", "the file", expected, "is in use") from None
            expected = "a results file of a tournament that is sound, and room to write"
            raise ContentError(str(self.file), "", "the file", expected, f"({error})") from None

    def _open(self) -> None:
        """Open the file, check it, and make its tables if it is new."""
        self._db.execute("PRAGMA trusted_schema=OFF")
        self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
        # With a write-ahead log a killed process leaves only complete transactions.
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._begin()
        check = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if check != "ok":
            raise ContentError(
                str(self.file), "", "the file", "a results file of a tournament that is sound", f"({check})"
            )

    def _begin(self) -> None:
        """Check format and tables; make the tables if they are missing."""
        application = self._db.execute("PRAGMA application_id").fetchone()[0]
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        empty = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not empty and (application, version) != (APPLICATION, FORMAT):
            expected = f"application {APPLICATION}, format {FORMAT}"
            raise ContentError(str(self.file), "format", (application, version), expected, "cannot be continued")
        if not empty and tables_of(self._db) != tables_of(empty_database()):
            raise ContentError(str(self.file), "tables", "the file", "the tables of a results file", "has others")
        self._db.execute("BEGIN IMMEDIATE")
        for statement in SCHEMA.split(";"):
            self._db.execute(statement)
        self._db.execute(f"PRAGMA application_id={APPLICATION}")
        self._db.execute(f"PRAGMA user_version={FORMAT}")
        self._db.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # ---- what is kept

    def meta(self) -> dict[str, Any]:
        """The values stored with ``tell``, by name.

        Raises:
            ContentError: a value cannot be read.
        """
        entries = {}
        with self._content_errors():
            for name, value in self._db.execute("SELECT name, value FROM meta"):
                try:
                    entries[str(name)] = json.loads(value)
                except (ValueError, TypeError, RecursionError):
                    raise ContentError(str(self.file), f"meta[{name!r}]", value, "JSON", "is damaged") from None
        return entries

    def tell(self, values: Mapping[str, Any]) -> None:
        """Store values by name; they replace earlier values of the same names."""
        rows = [(name, json.dumps(value, sort_keys=True)) for name, value in values.items()]
        with self._writing():
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A context for one transaction: all of it is written, or nothing."""
        with self._content_errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def add(self, row: Row, outcome: Outcome) -> None:
        """Add a game. All of it is written, or nothing.

        Raises:
            sqlite3.IntegrityError: the game is already there.
        """
        timing = (row.key, outcome.seconds, *outcome.thinking)
        values = astuple(row)
        with self._writing():
            marks = ", ".join("?" * (len(COLUMNS) + 1))
            self._db.execute(f"INSERT INTO games VALUES ({marks})", (*values, digest_of(values)))
            self._db.execute("INSERT INTO timings VALUES (?, ?, ?, ?)", timing)
            if outcome.trace:
                self._db.execute("INSERT INTO traces VALUES (?, ?)", (row.key, outcome.trace))

    def forget(self, keys: Iterable[object]) -> None:
        """Delete games by key, all or none."""
        listed = [(key,) for key in keys]
        with self._writing():
            for table in ("games", "timings", "traces"):
                self._db.executemany(f"DELETE FROM {table} WHERE key = ?", listed)

    def rows(self, damaged: list[object] | None = None) -> dict[str, Row]:
        """Every stored game by key.

        Args:
            damaged: receives the keys of rows that are not as they were written.

        Raises:
            ContentError: there is such a row and ``damaged`` is ``None``.
        """
        rows = {}
        with self._content_errors():
            for values in self._db.execute(f"SELECT {', '.join(COLUMNS)}, digest FROM games"):
                try:
                    rows[values[0]] = read_row(str(self.file), values)
                except ContentError:
                    if damaged is None:
                        raise
                    damaged.append(values[0])
        return rows

    def timings(self) -> dict[str, tuple[float, float, float]]:
        """Seconds of each game, and of each agent in it, by key.

        Raises:
            ContentError: a value is no time.
        """
        timings = {}
        with self._content_errors():
            for key, *seconds in self._db.execute("SELECT key, seconds, thinking0, thinking1 FROM timings"):
                if not all(type(value) is float and math.isfinite(value) for value in seconds):
                    raise ContentError(str(self.file), f"timings[{key!r}]", seconds, "three times in seconds")
                timings[key] = (seconds[0], seconds[1], seconds[2])
        return timings

    def traces(self) -> dict[str, str]:
        """Tracebacks of failed agents by key.

        Raises:
            ContentError: a value is no text.
        """
        traces = {}
        with self._content_errors():
            for key, trace in self._db.execute("SELECT key, trace FROM traces"):
                if type(trace) is not str:
                    raise ContentError(str(self.file), f"traces[{key!r}]", trace, "text")
                traces[key] = trace
        return traces


def empty_database() -> sqlite3.Connection:
    """A database in memory with the tables of a results file and no rows."""
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA)
    return database


def tables_of(database: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Type, name and definition of everything in a database."""
    return set(database.execute("SELECT type, name, sql FROM sqlite_master"))


# ---------------------------------------------------------------- files


def csv_of(rows: Iterable[Row]) -> bytes:
    """The rows as CSV with a header line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(asdict(row).values() for row in rows)
    return text.getvalue().encode()


def json_of(summary: Mapping[str, Any], rows: Iterable[Row]) -> bytes:
    """The summary and the rows as JSON."""
    data = {**summary, "games": [asdict(row) for row in rows]}
    return (json.dumps(data, indent=1, sort_keys=True) + "\n").encode()
