"""The results file of a tournament: what was edited, cut or damaged is never counted."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from wh_env import ContentError
from wh_env.agents.tournament import RESULTS, Results, Tournament, load_config
from wh_env.agents.tournament.referee import outcome_of
from wh_env.agents.tournament.report import html
from wh_env.agents.tournament.results import COLUMNS, digest_of
from wh_env.agents.tournament.seats import Agents

WANTED = {"agents": ["random", "greedy"], "battles": ["w10/only-war-skirmish"], "games": 4, "resamples": 20}


class Here:
    """A backend in this process."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def play(self, jobs):
        agents = Agents()
        try:
            for job in jobs:
                self.played.append(job.key)
                yield outcome_of(job, agents)
        finally:
            agents.close()


def continued(folder: Path, retry: bool = False) -> list[str]:
    """Go on with a tournament; what was played."""
    backend, wanted = Here(), load_config(None, WANTED)
    with Results(folder / RESULTS) as results:
        held = Tournament(wanted, folder, results, resume=True, retry=retry)
        held.play(backend)
        html(wanted, held.write(), held.ordered(), results.timings(), results.traces())
    return backend.played[1:]  # without the one to warm up


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """The folder of a tournament that was played."""
    folder = tmp_path_factory.mktemp("whole")
    assert len(continued(folder)) == 4
    return folder


@pytest.fixture
def folder(whole, tmp_path) -> Path:
    """A copy of it."""
    shutil.copytree(whole, tmp_path / "copy")
    return tmp_path / "copy"


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / RESULTS)) as file, file:
        for statement in statements:
            file.execute(statement)


FIRST = "WHERE key = (SELECT key FROM games ORDER BY key LIMIT 1)"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ("winner = 1 - winner", r"digest: .* is not as it was written .*; expected .*, that of its row"),
        ("vp0 = 90", r"digest: .* is not as it was written"),
        ("vp0 = NULL", r"vp0: None is not as it was written .*; expected int"),
        ("winner = 'one'", r"winner: 'one' is not as it was written .*; expected int or NoneType"),
        ("how = x'00ff'", r"how: b'.*' is not as it was written .*; expected str"),
        ("digest = NULL", r"digest: None is not as it was written"),
        ("agent0 = 'nobody'", r"digest: .* is not as it was written"),
        ("fault = 'ended ' || char(55296)", r"results.sqlite"),
    ],
)
def test_a_row_that_was_edited_is_named_and_can_be_played_again(folder, whole, edit, message):
    change(folder, f"UPDATE games SET {edit} {FIRST}")
    with pytest.raises(ContentError, match=r"results\.sqlite: .*"):
        continued(folder)
    with pytest.raises(ContentError, match=message):
        continued(folder)
    if "fault" not in edit:
        assert len(continued(folder, retry=True)) == 1
        assert (folder / "results.csv").read_bytes() == (whole / "results.csv").read_bytes()


@pytest.mark.parametrize("kept", [True, False])
def test_ctrl_c_at_a_result_leaves_what_is_told_and_what_is_on_the_disk_the_same(kept, tmp_path, monkeypatch):
    """Ctrl-C comes right after the second result was written, or right before."""
    add, calls = Results.add, []

    def interrupted(results: Results, *arguments) -> None:
        calls.append(arguments)
        if len(calls) < 2 or kept:
            add(results, *arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Results, "add", interrupted)
    with Results(tmp_path / RESULTS) as results:
        held = Tournament(load_config(None, WANTED), tmp_path, results)
        with pytest.raises(KeyboardInterrupt):
            held.play(Here())
        summary = held.write()
        assert (summary.games, summary.missing) == ((2, 2) if kept else (1, 3))
        assert held.rows == results.rows() and len(held.rows) == summary.games
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 1 + summary.games


def test_a_row_that_was_cut_is_played_again(folder, whole):
    change(folder, f"DELETE FROM games {FIRST}")
    change(folder, "DELETE FROM timings WHERE key NOT IN (SELECT key FROM games)")
    assert len(continued(folder)) == 1
    assert (folder / "results.csv").read_bytes() == (whole / "results.csv").read_bytes()


def sealed(folder: Path, column: str, value: object) -> None:
    """Edit the first row and give it the digest that it has then."""
    with closing(sqlite3.connect(folder / RESULTS)) as file, file:
        values = list(file.execute(f"SELECT {', '.join(COLUMNS)} FROM games ORDER BY key LIMIT 1").fetchone())
        key = values[0]
        values[COLUMNS.index(column)] = value
        file.execute(f"UPDATE games SET {column} = ?, digest = ? WHERE key = ?", (value, digest_of(values), key))


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("agent0", "nobody", "is of another game; expected"),
        ("seed", 1, "is of another game; expected"),
        ("round", 7, "is of another game; expected"),
        ("winner", 2, r"winner: 2 is not as it was written .*; expected 0, 1 or nothing"),
        ("at_fault", -1, "at_fault: -1 is not as it was written"),
        ("how", "won", r"how: 'won' is not as it was written .*; expected one of played, forfeit, void"),
    ],
)
def test_a_row_with_a_fitting_digest_must_make_sense_too(folder, column, value, message):
    sealed(folder, column, value)
    with pytest.raises(ContentError, match=message):
        continued(folder)


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (["PRAGMA user_version=1"], r"format: .* cannot be continued; expected application \d+, format 3"),
        (["DROP TABLE timings"], "tables: 'the file' has others"),
        (["CREATE TABLE more (name)"], "tables: 'the file' has others"),
        (["DROP TABLE traces", "CREATE VIEW traces AS SELECT 1 AS key, 2 AS trace"], "tables: 'the file' has others"),
        (["UPDATE meta SET value = '[' WHERE name = 'config'"], r"meta\['config'\]: .* is damaged; expected JSON"),
        (["UPDATE meta SET value = '[]' WHERE name = 'config'"], r"meta\['config'\]: .* is damaged"),
        (["UPDATE meta SET value = printf('%.*c', 99999, '[')"], r"meta\[.*\]: .* is damaged; expected JSON"),
        (["DELETE FROM meta WHERE name = 'tables'"], r"meta\['tables'\]: None is damaged"),
        (["DELETE FROM meta"], "meta: .* is all there is; expected the config"),
        (["UPDATE timings SET seconds = 'long'"], r"timings\[.*expected three times in seconds"),
        (["INSERT INTO traces VALUES ('a', x'00')"], r"traces\['a'\]: .*expected text"),
    ],
)
def test_what_else_stands_in_the_file_is_checked(folder, statements, message):
    change(folder, *statements)
    with pytest.raises(ContentError, match=message):
        continued(folder)


def test_bytes_that_were_changed_are_read_or_refused(whole, tmp_path):
    """Nothing but a ContentError, and what is read is what was written."""
    data, chance = (whole / RESULTS).read_bytes(), np.random.default_rng(5)
    with Results(whole / RESULTS) as results:
        rows = results.rows()
    refused = 0
    for number in range(400):
        other = bytearray(data)
        how = number % 4
        if how == 0:
            other = other[: int(chance.integers(len(other)))]
        elif how == 1:
            at = int(chance.integers(len(other) - 64))
            other[at : at + 64] = chance.bytes(64)
        else:
            for at in chance.integers(len(other), size=1 + number % 9).tolist():
                other[at] ^= 1 << int(chance.integers(8))
        file = tmp_path / f"{number}.sqlite"
        file.write_bytes(other)
        try:
            with Results(file) as results:
                found = results.rows()
                results.meta(), results.timings(), results.traces()
            assert all(rows[key] == row for key, row in found.items())
        except ContentError:
            refused += 1
        for made in tmp_path.glob(f"{number}.sqlite*"):
            made.unlink()
    assert refused > 100
