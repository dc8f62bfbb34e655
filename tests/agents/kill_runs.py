"""Kills real programs at random moments (SIGKILL), goes on with --resume, and compares with runs that nothing happened to. Linux.

Too long for the tests, which kill shorter runs: python tests/agents/kill_runs.py --kills 5
"""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import torch
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from wh_env.agents.learning.tensors import unpack
from wh_env.agents.learning.weights import read as read_weights
from wh_env.agents.tournament import RESULTS
from wh_env.agents.training import checkpoint
from wh_env.content.replay import read_replay

ROOT = Path(__file__).resolve().parents[2]
LESSON = "{teacher: greedy, envs: 16, rounds: 2, samples: 2048, epochs: 2, batch: 256}"
TRAINING = ("steps=8192", "save_every=1", f"clone=[{LESSON}]", "ppo.rollout=64", "evaluation.games=8")
AGENTS = ("random", "greedy")
BATTLE = "w10/only-war-skirmish"
GRACE = 15.0  # seconds that helpers of a killed program have to end
Finding = dict[str, Any]


class Damage(AssertionError):
    """A killed run is not what it should be."""


def check(holds: bool, words: str) -> None:
    """Raises ``Damage`` with these words unless it holds."""
    if not holds:
        raise Damage(words)


# ---------------------------------------------------------------- programs


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """A program in a session of its own, so that everything it starts can be found."""
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(command: list[str], folder: Path | None = None, sign: str = "") -> tuple[float, float]:
    """Run a program to its end; returns the seconds it took, and those until a file of that name had come in the folder."""
    began, first = time.monotonic(), 0.0
    program = start(command)
    while folder is not None and not first and program.poll() is None:
        time.sleep(0.05)
        first = time.monotonic() - began if next(folder.rglob(sign), None) else 0.0
    _, errors = program.communicate()
    check(program.returncode == 0, f"{' '.join(command)}: exit code {program.returncode}: {errors.decode()[-2000:]}")
    return time.monotonic() - began, first


def session(number: int) -> list[int]:
    """Processes of a session that have not ended."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            state, *rest = (folder / "stat").read_text().rpartition(") ")[2].split()
        except (OSError, ValueError):
            continue
        if folder.name.isdigit() and int(rest[2]) == number and state != "Z":
            found.append(int(folder.name))
    return found


def kill(command: list[str], seconds: float) -> tuple[int, list[int]]:
    """Kill a program after so many seconds; returns how many processes it had, and those that outlived it by ``GRACE``."""
    program = start(command)
    try:
        program.wait(seconds)
        raise Damage(f"{' '.join(command)} ended by itself before it was killed: {program.communicate()[1].decode()}")
    except subprocess.TimeoutExpired:
        pass
    members = len(session(program.pid))
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    end = time.monotonic() + GRACE
    while (left := session(program.pid)) and time.monotonic() < end:
        time.sleep(0.05)
    for orphan in left:
        os.kill(orphan, signal.SIGKILL)
    return members, left


# ---------------------------------------------------------------- what is left


def same(one: Any, other: Any) -> bool:
    """Whether nested states are equal to the last bit."""
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def training(folder: Path) -> Finding:
    """What stands in the files of a training run, whole or killed; every file is read.

    Raises:
        Damage: a file cannot be read.
    """
    found: Finding = {"rows": [], "weights": {}, "state": None}
    try:
        if (folder / checkpoint.CHECKPOINT).exists():
            data = (folder / checkpoint.CHECKPOINT).read_bytes()
            found["state"] = unpack(data, checkpoint.MAGIC, checkpoint.FORMAT, "a checkpoint")[1]
            del found["state"]["seconds"]
            found["state"]["history"] = timeless(json.loads(found["state"]["history"]))
        if (folder / checkpoint.HISTORY).exists():
            found["rows"] = timeless(json.loads((folder / checkpoint.HISTORY).read_text()))
        files = [folder / checkpoint.LATEST, folder / checkpoint.BEST, *sorted(folder.glob("snapshots/*.pt"))]
        found["weights"] = {file.name: read_weights(file).state for file in files if file.exists()}
    except Exception as error:
        raise Damage(f"{folder}: {type(error).__name__}: {error}") from error
    return found


def timeless(rows: list[Finding]) -> list[Finding]:
    """Rows of a history without what took how long."""
    return [{name: row[name] for name in row if name not in ("seconds", "elapsed")} for row in rows]


def tournament(folder: Path) -> Finding:
    """What stands in the files of a tournament, whole or killed; every file is read.

    Raises:
        Damage: a file cannot be read, or a game stands in it twice.
    """
    found: Finding = {"rows": [], "csv": b"", "replays": 0}
    if not (folder / RESULTS).exists():
        return found
    with closing(sqlite3.connect(folder / RESULTS)) as file:
        told = file.execute("PRAGMA integrity_check").fetchone()[0]
        check(told == "ok", f"{folder / RESULTS}: {told}")
        if file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'games'").fetchone()[0]:
            found["rows"] = file.execute("SELECT * FROM games ORDER BY key").fetchall()
    keys = [row[0] for row in found["rows"]]
    check(len(keys) == len(set(keys)), f"{folder / RESULTS}: a game stands there twice")
    for file in (folder / "replays").glob("*.replay"):
        check(read_replay(file).complete, f"{file}: is not whole")
        found["replays"] += 1
    if (folder / "results.csv").exists():
        found["csv"] = (folder / "results.csv").read_bytes()
        rows = list(csv.reader(found["csv"].decode().splitlines()))
        check(len(rows) == 1 + len(keys), f"{folder / 'results.csv'}: {len(rows) - 1} games of {len(keys)}")
        json.loads((folder / "results.json").read_text())
    return found


# ---------------------------------------------------------------- the program


@dataclass(frozen=True)
class Plan:
    """What is killed: a command, how its folder is read, a file that comes with its first result."""

    name: str
    command: list[str]
    read: Callable[[Path], Finding]
    sign: str


def ordeal(plan: Plan, folder: Path, kills: int, chance: random.Random, bar: Any) -> Finding:
    """A run that nothing happens to, one that is killed so often, and whether both end the same."""
    name, command, read, sign = plan.name, plan.command, plan.read, plan.sign
    task = bar.add_task(f"{name}: unbroken", total=kills + 2)
    straight, broken = folder / f"{name}-unbroken", folder / f"{name}-killed"
    again = [*command, "--resume", "--out", str(broken)]
    straight.mkdir()
    whole, first = finish([*command, "--out", str(straight)], straight, sign)
    wanted = read(straight)
    bar.advance(task)
    moments: list[Finding] = []
    before = 0
    for number, seconds in enumerate(lives(whole, first, kills, chance)):
        bar.update(task, description=f"{name}: kill {number + 1}")
        members, orphans = kill(again, seconds)
        check(not orphans, f"{name}: {len(orphans)} processes outlived the program by {GRACE:g} s")
        rows = len(read(broken)["rows"])
        check(before <= rows < len(wanted["rows"]), f"{name}: {rows} results after kill {number + 1}, {before} before")
        moments.append({"after": round(seconds, 2), "processes": members, "results": rows})
        before = rows
        bar.advance(task)
    bar.update(task, description=f"{name}: to the end")
    finish(again)
    found = read(broken)
    check(len(found["rows"]) == len(wanted["rows"]), f"{name}: {len(found['rows'])} results, not {len(wanted['rows'])}")
    for part, value in wanted.items():
        check(same(found[part], value), f"{name}: {part} differs from that of the unbroken run")
    bar.advance(task)
    left = sum(1 for file in broken.rglob(".*") if file.is_file())
    return {"seconds": round(whole, 1), "results": len(found["rows"]), "kills": moments, "unfinished_files": left}


def lives(whole: float, first: float, kills: int, chance: random.Random) -> list[float]:
    """Seconds after which a run is killed each time: also before a first result, and together well short of its end.

    Args:
        whole: seconds of an unbroken run. first: seconds until its first result.
    """
    shares = [chance.random() for _ in range(kills)]
    # a machine that is faster later must not reach the end
    work = chance.uniform(0.3, 0.7) * (whole - first) / sum(shares)
    return [chance.uniform(0.4, 1.0) * first + work * share for share in shares]


def main(
    kills: Annotated[int, typer.Option(min=1, help="How often each run is killed.")] = 5,
    seed: Annotated[int, typer.Option(help="Of the moments.")] = 1,
    games: Annotated[int, typer.Option(min=2, help="Of the tournament (even).")] = 200,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Kill a training run, one with overlap and a tournament; exits 1 if one does not end as if nothing had happened.

    Example: kill_runs.py --kills 5 --seed 1
    """
    play = ["--agents", *AGENTS, "--battles", BATTLE, "--games", str(games), "--replays", "all", "--resamples", "50"]
    train = ["scripts/train.py", "--config", "demo", "--quiet", *TRAINING]
    plans = [
        Plan("training", train, training, checkpoint.HISTORY),
        Plan("training with overlap", [*train, "overlap=true"], training, checkpoint.HISTORY),
        Plan("tournament", ["scripts/tournament.py", *play, "--processes", "2", "--quiet"], tournament, "*.replay"),
    ]
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    found: Finding = {"seed": seed}
    with (
        TemporaryDirectory() as folder,
        Progress(*columns, console=Console(stderr=True), transient=True, disable=json_) as bar,
    ):
        for number, plan in enumerate(plans):
            try:
                chance = random.Random(seed * 100 + number)
                found[plan.name] = ordeal(plan, Path(folder), kills, chance, bar)
            except Damage as damage:
                typer.echo(f"{plan.name}: {damage}", err=True)
                raise typer.Exit(1) from None
            if not json_:
                show(plan.name, found[plan.name])
    if json_:
        typer.echo(json.dumps(found, indent=1))


def show(name: str, found: Finding) -> None:
    """Print what came of a run."""
    moments = ", ".join(
        f"{moment['after']:g} s ({moment['processes']} processes, {moment['results']} results)"
        for moment in found["kills"]
    )
    typer.echo(f"{name}: {found['seconds']:g} s unbroken; killed after {moments}")
    typer.echo(
        f"  resumed to the end: {found['results']} results, each once, all as in the unbroken run; no process left, "
        f"no file damaged, {found['unfinished_files']} unfinished ones beside"
    )


if __name__ == "__main__":
    typer.run(main)
