"""The results file of a tournament: SQLite, a transaction a game, a key a game. What took how long stands in tables of its own."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from agents.tournament.game import VOID, Outcome
from agents.tournament.schedule import Game
from wh_env.content.errors import ContentError

FORMAT = 1
APPLICATION = 0x57485452  # "WHTR": marks the file as ours
SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    key TEXT PRIMARY KEY, round INTEGER, battle TEXT, battlefield TEXT, army0 TEXT, army1 TEXT, agent0 TEXT, agent1 TEXT,
    pair INTEGER, seed INTEGER, how TEXT, winner INTEGER, vp0 INTEGER, vp1 INTEGER, rounds INTEGER, first_player INTEGER,
    decisions INTEGER, at_fault INTEGER, fault TEXT, final TEXT, setup TEXT, replay TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS timings (
    key TEXT PRIMARY KEY, seconds REAL, thinking0 REAL, thinking1 REAL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS traces (key TEXT PRIMARY KEY, trace TEXT NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Row:
    """One game as it stands in the results (and, in this order, in the CSV file)."""

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
        """Whether it says anything about the agents."""
        return self.how != VOID

    @property
    def points(self) -> float:
        """Of seat 0: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == 0)


COLUMNS = tuple(column.name for column in fields(Row))


def row_of(game: Game, outcome: Outcome, replay: str) -> Row:
    """The row of a game that was played."""
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
    """The open results file; nobody else can write to it meanwhile.

    Raises:
        ContentError: the file is something else, is in use, or is damaged.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = sqlite3.connect(file, timeout=1.0, isolation_level=None)
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            # With a write-ahead log a process that is killed leaves whole transactions only.
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._begin()
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise ContentError(str(file), "", "the file", "no other program that uses it", "is in use") from None
            raise ContentError(str(file), "", "the file", "a results file of a tournament", f"({error})") from None

    def _begin(self) -> None:
        application = self._db.execute("PRAGMA application_id").fetchone()[0]
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        empty = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not empty and (application, version) != (APPLICATION, FORMAT):
            expected = f"application {APPLICATION}, format {FORMAT}"
            raise ContentError(str(self.file), "format", (application, version), expected, "cannot be continued")
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
        """What was told with ``tell``."""
        return {name: json.loads(value) for name, value in self._db.execute("SELECT name, value FROM meta")}

    def tell(self, values: Mapping[str, Any]) -> None:
        """Keep values by name, in place of earlier ones."""
        rows = [(name, json.dumps(value, sort_keys=True)) for name, value in values.items()]
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)
        self._db.execute("COMMIT")

    def add(self, row: Row, outcome: Outcome) -> None:
        """A game was played. All of it is kept, or nothing.

        Raises:
            sqlite3.IntegrityError: it is there already.
        """
        timing = (row.key, outcome.seconds, *outcome.thinking)
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(COLUMNS))})", tuple(asdict(row).values()))
            self._db.execute("INSERT INTO timings VALUES (?, ?, ?, ?)", timing)
            if outcome.trace:
                self._db.execute("INSERT INTO traces VALUES (?, ?)", (row.key, outcome.trace))
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def forget(self, keys: Iterable[str]) -> None:
        """Take games out, all or none."""
        listed = [(key,) for key in keys]
        self._db.execute("BEGIN IMMEDIATE")
        for table in ("games", "timings", "traces"):
            self._db.executemany(f"DELETE FROM {table} WHERE key = ?", listed)
        self._db.execute("COMMIT")

    def rows(self) -> dict[str, Row]:
        """Every game that was played, by key."""
        cursor = self._db.execute(f"SELECT {', '.join(COLUMNS)} FROM games")
        return {values[0]: Row(*values) for values in cursor}

    def timings(self) -> dict[str, tuple[float, float, float]]:
        """Seconds of each game, and of each agent's thinking in it, by key."""
        cursor = self._db.execute("SELECT key, seconds, thinking0, thinking1 FROM timings")
        return {key: (seconds, one, other) for key, seconds, one, other in cursor}

    def traces(self) -> dict[str, str]:
        """Where agents failed, by key."""
        return dict(self._db.execute("SELECT key, trace FROM traces"))


# ---------------------------------------------------------------- files


def write_whole(file: Path, data: bytes) -> None:
    """Write a file in one step: there is either the old one or the whole new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


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
