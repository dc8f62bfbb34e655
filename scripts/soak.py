"""Random legal battles with everything checked that must always hold."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agents.invariants import soak
from wh_env import Battle, ContentError

BAD_INPUT = 2
SHOWN = 50


def one(job: tuple[str, str | None, int, int, int]) -> tuple[int, int, list[str]]:
    """One battle: its seed, decisions, faults."""
    name, detail, seed, every, legal = job
    setup = SETUPS.get((name, detail)) or SETUPS.setdefault((name, detail), Battle.load(name, 0, detail=detail).setup)
    count, faults = soak(Battle(setup, seed), seed, every, legal)
    return seed, count, faults


SETUPS: dict = {}  # a cache of each process


def run(jobs: list[tuple[str, str | None, int, int, int]], workers: int) -> Iterator[tuple[int, int, list[str]]]:
    """The outcomes as they come."""
    if workers <= 1:
        yield from map(one, jobs)
        return
    yield one(jobs[0])  # compiles what is not compiled, before there are several processes
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(one, jobs[1:], chunksize=4)


def main(
    battles: Annotated[int, typer.Option(help="How many battles.")] = 100,
    battle: Annotated[
        list[str] | None, typer.Option(help="Played in turn; may be repeated. Default: all three of w10.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the first battle; each has the next.")] = 0,
    detail: Annotated[str | None, typer.Option(help="squad or full. Default: the battle's.")] = None,
    every: Annotated[int, typer.Option(help="Re-check every so many-th mask action by action.")] = 10,
    legal: Annotated[int, typer.Option(help="Of the legal actions of such a mask try so many (0: all).")] = 16,
    workers: Annotated[int, typer.Option(help="Processes.")] = 1,
    json_: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play battles at random; after every action all invariants are checked, and now and then the mask against a copy.

    Exits 1 if anything does not hold. A fault names battle, seed and decision, so that it can be played again.
    """
    names = battle or ["w10/only-war-incursion", "w10/only-war-skirmish", "w10/only-war-incursion-2"]
    jobs = [(names[n % len(names)], detail, seed + n, every, legal) for n in range(battles)]
    began = time.perf_counter()
    decisions, faults = 0, []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet or json_) as bar:
        task = bar.add_task("battles", total=battles)
        try:
            for (name, *_), (number, count, found) in zip(jobs, run(jobs, workers), strict=True):
                decisions += count
                faults += [f"{name}, seed {number}: {fault}" for fault in found]
                bar.update(task, advance=1, description=f"{decisions} decisions, {len(faults)} violations")
        except ContentError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(BAD_INPUT) from error
    seconds = time.perf_counter() - began
    if json_:
        told = {"battles": battles, "decisions": decisions, "seconds": round(seconds, 1), "violations": faults}
        typer.echo(json.dumps(told, indent=1))
    else:
        for fault in faults[:SHOWN]:
            typer.echo(fault)
        typer.echo(f"{battles} battles, {decisions} decisions, {len(faults)} violations ({seconds:.1f} s)")
    if faults:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
