"""Mutated results files of tournaments: changed bytes, or changed rows, columns and values of a sound database."""

from __future__ import annotations

import sqlite3
import tempfile
from functools import cached_property
from pathlib import Path
from typing import Any

from wh_env import ContentError

from ..tournament import RESULTS, Results
from ..tournament.game import FORFEIT, PLAYED, VOID, Outcome
from ..tournament.results import APPLICATION, Row, csv_of
from .battles import default_battle
from .yaml_inputs import NUMBERS, ODD, Chance, garbled, pick

TABLES = ("games", "timings", "traces", "meta")


class ResultsFiles:
    """Mutations of a results file with a few games."""

    name = "results"

    @cached_property
    def folder(self) -> tempfile.TemporaryDirectory[str]:
        """The folder for inputs."""
        return tempfile.TemporaryDirectory(prefix="fuzz-")

    @cached_property
    def file(self) -> bytes:
        """The content of a sound file."""
        place = Path(self.folder.name) / "sound" / RESULTS
        with Results(place) as results:
            results.tell({"config": {"name": "demo", "games": 4}, "seed": 1})
            for number, ending in enumerate((PLAYED, FORFEIT, VOID)):
                row = Row(
                    key=f"game {number}", round=0, battle=default_battle(), battlefield="", army0="a", army1="b",
                    agent0="x", agent1="y", pair=0, seed=number, draw=None, how=ending,
                    winner=None if number else 1, vp0=3, vp1=4, rounds=5, first_player=1, decisions=200,
                    at_fault=0 if ending == FORFEIT else None, fault="", final="ab", setup="cd", replay="",
                )  # fmt: skip
                outcome = Outcome(
                    key=row.key, how=ending, winner=row.winner, vp=(3, 4), rounds=5, first_player=1, decisions=200,
                    at_fault=row.at_fault, fault="", trace="where it was", final="ab", setup="cd",
                    armies=("a", "b"), seconds=1.5, thinking=(0.5, 0.5),
                )  # fmt: skip
                results.add(row, outcome)
        return place.read_bytes()

    def make(self, rng: Chance) -> bytes:
        """A mutated file; one in twenty is unchanged."""
        share = rng.random()
        if share < 0.05:
            return self.file
        return garbled(rng, self.file) if share < 0.4 else self.edited(rng)

    def edited(self, rng: Chance) -> bytes:
        """The file with other values, rows or columns."""
        place = Path(self.folder.name) / "edited"
        place.write_bytes(self.file)
        database = sqlite3.connect(place)
        table = pick(rng, TABLES)
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        try:
            for _ in range(int(rng.integers(1, 4))):
                column, share = pick(rng, columns), rng.random()
                if share < 0.7:
                    value = pick(rng, (pick(rng, NUMBERS), pick(rng, ODD), rng.bytes(9)))
                    database.execute(f"UPDATE {table} SET {column} = ?", (storable(value),))
                elif share < 0.8:
                    database.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other")
                elif share < 0.9:
                    database.execute(f"DELETE FROM {pick(rng, TABLES)}")
                else:
                    database.execute(
                        f"PRAGMA {pick(rng, ('user_version', 'application_id'))}={pick(rng, (0, 2, 7, APPLICATION))}"
                    )
            database.commit()
        except sqlite3.Error:
            database.rollback()
        database.close()
        return place.read_bytes()

    def feed(self, data: bytes) -> bool:
        """Open the file and read everything in it. Returns whether it was accepted."""
        with tempfile.TemporaryDirectory(dir=self.folder.name) as folder:
            file = Path(folder) / RESULTS
            file.write_bytes(data)
            try:
                with Results(file) as results:
                    rows = results.rows()
                    csv_of(rows.values())
                    results.meta(), results.timings(), results.traces()
            except ContentError as error:
                str(error)
                return False
        return True


def storable(value: Any) -> Any:
    """The value in a type that SQLite can store."""
    if isinstance(value, bool | int) and abs(value) < 2**63:
        return int(value)
    return value if isinstance(value, float | bytes) or value is None else str(value)[:50_000]
