"""Play random legal battles and check everything that must always hold."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterable, Iterator
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
from wh_env.agents.wording import word_faults
from wh_env.content.load import names as battle_names
from wh_env.content.load import raw_battle, rulesets
from wh_env.core.setup import Setup
from wh_env.envs.registry import DEFAULT_RULESET

SHOWN = 50
SHIPPED = ("w10/only-war-incursion", "w10/only-war-skirmish", "w10/only-war-incursion-2")
SIZES = ("skirmish", "incursion", "strike-force")
# ways of drawing random battles, in turn
LAYOUTS = ("turned", "even")
MARKERS = ("battlefield", "battlefield", "players")


@dataclass(frozen=True)
class Job:
    """A battle to play; ``every`` and ``legal`` as in ``soak``; ``words``: what people read is checked instead."""

    battle: str
    detail: str | None
    seed: int
    every: int
    legal: int
    words: bool = False

    @property
    def key(self) -> tuple[str, str | None, int]:
        """What identifies the battle."""
        return self.battle, self.detail, self.seed


@dataclass(frozen=True)
class Outcome:
    """The result of a battle."""

    battle: str
    detail: str | None
    seed: int
    decisions: int
    seconds: float
    violations: list[str]


@lru_cache(maxsize=8)
def setup_of(battle: str, detail: str | None) -> Setup:
    """The Setup of a battle; the last few are kept."""
    return Battle.load(battle, 0, detail=detail).setup


def check_battle(job: Job) -> Outcome:
    """Play one battle."""
    began = time.perf_counter()
    battle = Battle(setup_of(job.battle, job.detail), job.seed, record=True)
    count, faults = word_faults(battle, job.seed) if job.words else soak(battle, job.seed, job.every, job.legal)
    return Outcome(*job.key, count, round(time.perf_counter() - began, 2), faults)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C, which the program handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(jobs: list[Job], workers: int) -> Iterator[Outcome]:
    """Play the jobs and yield the outcomes as they come."""
    if workers <= 1 or len(jobs) < 2:
        yield from map(check_battle, jobs)
        return
    yield check_battle(jobs[0])  # compile kernels before several processes need them
    pool = ProcessPoolExecutor(workers, initializer=ignore_interrupts)
    try:
        yield from (done.result() for done in as_completed([pool.submit(check_battle, job) for job in jobs[1:]]))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def random_sizes(ruleset: str) -> list[str]:
    """Sizes of the random battles of a ruleset, from the names of their files; exits if there are none."""
    if ruleset == DEFAULT_RULESET:
        return list(SIZES)
    sizes = [name.partition("/random-")[2] for name in battle_names("battles", ruleset) if "/random-" in name]
    if not sizes:
        typer.echo(f"error: --random: {ruleset} has no battles that are drawn", err=True)
        raise typer.Exit(BAD_INPUT)
    return sizes


def random_names(ruleset: str, sizes: list[str], seeds: Iterable[int]) -> list[str]:
    """The names of random battles, one a seed.

    Raises:
        typer.Exit: there is no battle of a size; the error is printed.
    """
    try:
        return [random_name(ruleset, number, seed, sizes) for number, seed in enumerate(seeds)]
    except ContentError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from error


@cache
def drawn_fields(battle: str) -> frozenset[str]:
    """What a battle's file says of how it is drawn: names of fields below ``random``."""
    return frozenset(raw_battle(battle)[0].get("random") or ())


def random_name(ruleset: str, number: int, seed: int, sizes: list[str]) -> str:
    """The name of a random battle: sizes take turns, and the layouts and kinds of markers that its file names.

    Raises:
        ContentError: there is no battle of that size.
    """
    size, turn = sizes[number % len(sizes)], number // len(sizes)
    name, ways = f"{ruleset}/random-{size}", {"layout": LAYOUTS, "markers": MARKERS}
    known = drawn_fields(name)
    chosen = [f"&{field}={values[turn % len(values)]}" for field, values in ways.items() if field in known]
    return f"{name}?seed={seed}{''.join(chosen)}"


def included_battles(ruleset: str) -> list[str]:
    """The included battles of a ruleset, without random ones; exits if the ruleset is not known."""
    if ruleset not in rulesets():
        typer.echo(f"error: --ruleset: {ruleset!r} is not known; expected one of {', '.join(rulesets())}", err=True)
        raise typer.Exit(BAD_INPUT)
    return [name for name in battle_names("battles", ruleset) if "/random-" not in name]


def read_log(path: Path | None) -> list[Outcome]:
    """The outcomes in a log; an incomplete line is left out."""
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
    battles: Annotated[int, typer.Option(min=0, help="Number of battles.")] = 100,
    battle: Annotated[
        list[str] | None,
        typer.Option(help="Battles to play in turn; may be repeated. Default: three of w10, or see --ruleset."),
    ] = None,
    ruleset: Annotated[
        str | None,
        typer.Option(help="Play the included battles of this ruleset; with --random its random ones."),
    ] = None,
    random: Annotated[bool, typer.Option("--random", help="Play random battlefields with random armies.")] = False,
    size: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Sizes of random battles, in turn; may be repeated. Default: all, for w10 {', '.join(SIZES)}."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=MOST_SEED, help="Seed of the first battle; each later one adds 1.")
    ] = 0,
    detail: Annotated[str | None, typer.Option(help="squad or full. Default: the battle's.")] = None,
    every: Annotated[int, typer.Option(min=1, help="Check every n-th mask action by action.")] = 10,
    legal: Annotated[int, typer.Option(min=0, help="Number of legal actions to try of such a mask; 0: all.")] = 16,
    words: Annotated[
        bool, typer.Option("--words", help="Check all that people read of the battles instead; texts are counted.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
    log: Annotated[
        Path | None,
        typer.Option(help="Write a line for every battle to this file; battles in it are not repeated."),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play random battles; check all invariants after every action, and now and then the mask on copies.

    Exits 1 if an invariant is violated. A violation names battle, seed and decision, so that it can be repeated. Ctrl-C
    reports the battles played so far; with --log the same command continues from there.

    Example: soak.py --random --detail full --battles 500 --log out/soak-full.jsonl
    """
    if size and not random:
        typer.echo("error: --size: only random battles have a size to choose; expected --random beside it", err=True)
        raise typer.Exit(BAD_INPUT)
    writable(log, "--log")
    names = battle or (included_battles(ruleset) if ruleset else list(SHIPPED))
    of = ruleset or DEFAULT_RULESET
    sizes = size or (random_sizes(of) if random else [])
    seeds = range(seed, seed + battles)
    battles_in_turn = random_names(of, sizes, seeds) if random else [names[n % len(names)] for n in range(battles)]
    jobs = [Job(name, detail, its, every, legal, words) for name, its in zip(battles_in_turn, seeds, strict=True)]
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
                text = f"{sum(o.decisions for o in outcomes)} decisions, {faults} violations"
                bar.update(task, advance=1, description=text)
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
        data = {
            "battles": len(outcomes),
            "asked": battles,
            "decisions": decisions,
            "seconds": spent,
            "violations": faults,
        }
        typer.echo(json.dumps(data, indent=1))
        return
    for fault in faults[:SHOWN]:
        typer.echo(fault)
    of = f" of {battles}" if len(outcomes) < battles else ""
    words = f"{len(outcomes)}{of} battles, {decisions} decisions, {len(faults)} violations"
    typer.echo(f"{words} ({spent:.1f} s of play, {seconds:.1f} s now)")


if __name__ == "__main__":
    run_program(main)
