"""Random legal battles with everything checked that must always hold."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from wh_env import Battle, ContentError
from wh_env.agents.invariants import soak
from wh_env.agents.programs import BAD_INPUT, INTERRUPTED, MOST_SEED, writable
from wh_env.agents.programs import run as run_program
from wh_env.content.load import names as battle_names
from wh_env.content.load import raw_battle, rulesets
from wh_env.core.setup import Setup
from wh_env.envs.registry import DEFAULT_RULESET

SHOWN = 50
SHIPPED = ("w10/only-war-incursion", "w10/only-war-skirmish", "w10/only-war-incursion-2")
SIZES = ("skirmish", "incursion", "strike-force")
# how random battles are drawn, in turn
LAYOUTS = ("turned", "even")
MARKERS = ("battlefield", "battlefield", "players")


@dataclass(frozen=True)
class Job:
    """One battle to play; ``every`` and ``legal`` as ``soak`` takes them."""

    battle: str
    detail: str | None
    seed: int
    every: int
    legal: int

    @property
    def key(self) -> tuple[str, str | None, int]:
        """What battle it is."""
        return self.battle, self.detail, self.seed


@dataclass(frozen=True)
class Outcome:
    """What came of a battle."""

    battle: str
    detail: str | None
    seed: int
    decisions: int
    seconds: float
    violations: list[str]


@lru_cache(maxsize=8)
def setup_of(battle: str, detail: str | None) -> Setup:
    """The setup of a battle; those that were used last are kept."""
    return Battle.load(battle, 0, detail=detail).setup


def one(job: Job) -> Outcome:
    """Play one battle."""
    began = time.perf_counter()
    count, faults = soak(
        Battle(setup_of(job.battle, job.detail), job.seed, record=True), job.seed, job.every, job.legal
    )
    return Outcome(*job.key, count, round(time.perf_counter() - began, 2), faults)


def deaf() -> None:
    """Ctrl-C is for the program, not for its helpers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(jobs: list[Job], workers: int) -> Iterator[Outcome]:
    """The outcomes as they come."""
    if workers <= 1 or len(jobs) < 2:
        yield from map(one, jobs)
        return
    yield one(jobs[0])  # compiles what is not compiled, before there are several processes
    pool = ProcessPoolExecutor(workers, initializer=deaf)
    try:
        yield from (done.result() for done in as_completed([pool.submit(one, job) for job in jobs[1:]]))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def random_sizes(ruleset: str) -> list[str]:
    """Sizes of the battles of a ruleset that are drawn by chance, by the names of their files."""
    if ruleset == DEFAULT_RULESET:
        return list(SIZES)
    sizes = [name.partition("/random-")[2] for name in battle_names("battles", ruleset) if "/random-" in name]
    if not sizes:
        typer.echo(f"error: --random: {ruleset} has no battles that are drawn", err=True)
        raise typer.Exit(BAD_INPUT)
    return sizes


@cache
def drawn_fields(battle: str) -> frozenset[str]:
    """What a battle's file says of how it is drawn: names of fields below ``random``."""
    return frozenset(raw_battle(battle)[0].get("random") or ())


def random_name(ruleset: str, number: int, seed: int, sizes: list[str]) -> str:
    """A random battle: the sizes in turn, and ways of drawing it, so far as its file names them.

    Raises:
        ContentError: there is no battle of that size.
    """
    size, turn = sizes[number % len(sizes)], number // len(sizes)
    name, ways = f"{ruleset}/random-{size}", {"layout": LAYOUTS, "markers": MARKERS}
    known = drawn_fields(name)
    chosen = [f"&{field}={values[turn % len(values)]}" for field, values in ways.items() if field in known]
    return f"{name}?seed={seed}{''.join(chosen)}"


def shipped(ruleset: str) -> list[str]:
    """The battles that a ruleset ships, without those that are drawn."""
    if ruleset not in rulesets():
        typer.echo(f"error: --ruleset: {ruleset!r} is not known; expected one of {', '.join(rulesets())}", err=True)
        raise typer.Exit(BAD_INPUT)
    return [name for name in battle_names("battles", ruleset) if "/random-" not in name]


def read_log(path: Path | None) -> list[Outcome]:
    """The outcomes that a log holds; a line cut short is left out."""
    if path is None or not path.is_file():
        return []
    outcomes = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            outcomes.append(Outcome(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return outcomes


def main(
    battles: Annotated[int, typer.Option(min=0, help="How many battles.")] = 100,
    battle: Annotated[
        list[str] | None, typer.Option(help="Played in turn; may be repeated. Default: three of w10, or see --ruleset.")
    ] = None,
    ruleset: Annotated[
        str | None,
        typer.Option(help="Play the battles that are shipped for this ruleset; with --random those that are drawn."),
    ] = None,
    random: Annotated[
        bool, typer.Option("--random", help="Draw every battle: random battlefields with random armies.")
    ] = False,
    size: Annotated[
        list[str] | None,
        typer.Option(help=f"Of random battles, in turn; may be repeated. Default: all, of w10 {', '.join(SIZES)}."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Of the first battle; each has the next.")] = 0,
    detail: Annotated[str | None, typer.Option(help="squad or full. Default: the battle's.")] = None,
    every: Annotated[int, typer.Option(min=1, help="Re-check every so many-th mask action by action.")] = 10,
    legal: Annotated[int, typer.Option(min=0, help="Of the legal actions of such a mask try so many (0: all).")] = 16,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    log: Annotated[
        Path | None,
        typer.Option(help="Write a line for every battle to this file; what stands there is not played again."),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play battles at random; after every action all invariants are checked, and now and then the mask against a copy.

    Exits 1 if anything does not hold. A fault names battle, seed and decision, so that it can be played again. Ctrl-C reports
    what was played so far; with --log the same command goes on from there.

    Example: soak.py --random --detail full --battles 500 --log out/soak-full.jsonl
    """
    if size and not random:
        typer.echo("error: --size: only random battles have a size to choose; expected --random beside it", err=True)
        raise typer.Exit(BAD_INPUT)
    writable(log, "--log")
    names = battle or (shipped(ruleset) if ruleset else list(SHIPPED))
    of = ruleset or DEFAULT_RULESET
    sizes = size or (random_sizes(of) if random else [])
    try:
        played_in_turn = [
            random_name(of, n, seed + n, sizes) if random else names[n % len(names)] for n in range(battles)
        ]
    except ContentError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from error
    jobs = [Job(name, detail, seed + n, every, legal) for n, name in enumerate(played_in_turn)]
    keys = {job.key for job in jobs}
    outcomes = [o for o in read_log(log) if (o.battle, o.detail, o.seed) in keys]
    played = {(o.battle, o.detail, o.seed) for o in outcomes}
    jobs = [job for job in jobs if job.key not in played]
    began, interrupted = time.perf_counter(), False
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet or json_) as bar:
        task = bar.add_task("battles", total=battles, completed=len(outcomes))
        try:
            for outcome in run(jobs, workers):
                outcomes.append(outcome)
                if log is not None:
                    log.parent.mkdir(parents=True, exist_ok=True)
                    with log.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(outcome)) + "\n")
                faults = sum(len(o.violations) for o in outcomes)
                told = f"{sum(o.decisions for o in outcomes)} decisions, {faults} violations"
                bar.update(task, advance=1, description=told)
        except ContentError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(BAD_INPUT) from error
        except KeyboardInterrupt:
            interrupted = True
    tell(outcomes, battles, time.perf_counter() - began, json_)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    if any(o.violations for o in outcomes):
        raise typer.Exit(1)


def tell(outcomes: list[Outcome], battles: int, seconds: float, as_json: bool) -> None:
    """Print what was played and found."""
    decisions = sum(o.decisions for o in outcomes)
    faults = [f"{o.battle}, seed {o.seed}: {fault}" for o in outcomes for fault in o.violations]
    spent = round(sum(o.seconds for o in outcomes), 1)
    if as_json:
        told = {
            "battles": len(outcomes),
            "asked": battles,
            "decisions": decisions,
            "seconds": spent,
            "violations": faults,
        }
        typer.echo(json.dumps(told, indent=1))
        return
    for fault in faults[:SHOWN]:
        typer.echo(fault)
    of = f" of {battles}" if len(outcomes) < battles else ""
    words = f"{len(outcomes)}{of} battles, {decisions} decisions, {len(faults)} violations"
    typer.echo(f"{words} ({spent:.1f} s of play, {seconds:.1f} s now)")


if __name__ == "__main__":
    run_program(main)
