"""Tournaments that are killed, interrupted, called from the command line."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from wh_env.agents.tournament import RESULTS, Results, Tournament, TournamentConfig, backend_of, load_config
from wh_env.agents.tournament.referee import outcome_of
from wh_env.agents.tournament.run import job_of
from wh_env.agents.tournament.schedule import round_robin
from wh_env.agents.tournament.seats import Agents
from wh_env.content.replay import read_replay

ROOT = Path(__file__).resolve().parents[2]
SKIRMISH = "w10/only-war-skirmish"
AGENTS = [{"name": "one", "policy": "random"}, {"name": "other", "policy": "random"}]
GAMES = 120
PATIENCE = 120  # seconds before a test that waits for something gives up


def config(games: int) -> TournamentConfig:
    return load_config(
        None, {"agents": AGENTS, "battles": [SKIRMISH], "games": games, "resamples": 20, "replays": "all"}
    )


def run(folder: Path, wanted: TournamentConfig, processes: int) -> None:
    """A whole tournament, going on with what is there."""
    with Results(folder / RESULTS) as results, backend_of("local", processes) as there:
        tournament = Tournament(wanted, folder, results, resume=True)
        tournament.play(there)
        tournament.write()


def wait_for(folder: Path, files: int) -> None:
    """Until so many replays are there; a result follows right after its replay."""
    end = time.monotonic() + PATIENCE
    while len(list((folder / "replays").glob("*.replay"))) < files and time.monotonic() < end:
        time.sleep(0.005)


def count(folder: Path) -> int:
    with closing(sqlite3.connect(folder / RESULTS)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        if not file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return 0  # killed before there was anything in it
        games, timings = (file.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("games", "timings"))
    assert games == timings
    return int(games)


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_tournament_that_is_killed_five_times_ends_like_one_that_is_not(tmp_path):
    """Killed at random moments, some before the first result: every game counts once, no file is damaged."""
    wanted = config(GAMES)
    fork = multiprocessing.get_context("fork")
    folder, chance = tmp_path / "killed", random.Random(3)
    before, seen = 0, []
    for number in range(5):
        # not a daemon, which could have no processes of its own
        process = fork.Process(target=run, args=(folder, wanted, 1), daemon=False)
        process.start()
        if number:
            wait_for(folder, before + 2)
        time.sleep(chance.uniform(0.0, 0.25))
        assert process.is_alive()
        process.kill()
        process.join()
        if (folder / RESULTS).exists():
            seen.append(count(folder))
            assert before <= seen[-1] < GAMES
            before = seen[-1]
    assert before > 4
    run(folder, wanted, 1)
    assert count(folder) == GAMES
    with Results(folder / RESULTS) as results:
        rows = results.rows()
    assert rows.keys() == {game.key for game in round_robin(wanted)}
    told = json.loads((folder / "results.json").read_text())
    assert (told["played"], told["missing"], len(told["games"])) == (GAMES, 0, GAMES)
    for game in told["games"][::60]:
        replay = read_replay(folder / game["replay"])
        assert replay.complete and replay.winner == game["winner"]
    # what is found without accidents is the same
    agents = Agents()
    for game in round_robin(wanted)[::40]:
        outcome = outcome_of(job_of(wanted, game), agents)
        assert (outcome.winner, outcome.final) == (rows[game.key].winner, rows[game.key].final)
    agents.close()


def interruptible() -> None:
    """In the program about to start: Ctrl-C counts, also where the tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def script(name: str, *arguments: object, **options) -> subprocess.Popen[str]:
    command = [sys.executable, str(ROOT / "scripts" / name), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
        preexec_fn=interruptible,
        **options,
    )


def test_interrupted_programs_keep_what_there_is(tmp_path):
    file = tmp_path / "tournament.yaml"
    file.write_text(json.dumps({"agents": AGENTS, "battles": [SKIRMISH], "games": 4000, "replays": "all"}))
    program = script("tournament.py", "--config", file, "--out", tmp_path, "--processes", 1, "--resamples", 20)
    wait_for(tmp_path, 3)
    program.send_signal(signal.SIGINT)
    out, errors = program.communicate(timeout=PATIENCE)
    assert program.returncode == 130, out + errors
    done = count(tmp_path)
    assert 2 <= done < 4000
    assert f"stopped: {4000 - done} games are missing; the same command with --resume plays them" in errors
    assert f"tournament: {done} games" in out
    told = json.loads((tmp_path / "results.json").read_text())
    assert (told["played"], told["missing"]) == (done, 4000 - done)
    assert f"Not finished: {4000 - done} games are missing" in (tmp_path / "report.html").read_text()
    assert len((tmp_path / "results.csv").read_text().splitlines()) == done + 1
