"""Measure whether battles are fair: the same policy plays both sides of each."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from wh_env import ContentError
from wh_env.agents.fairness import (
    FAIR,
    HEAD,
    NEVER,
    Fairness,
    keep,
    kept,
    markdown,
    measure,
    row_of,
    settings,
)
from wh_env.agents.matchup import MatchUp, PilotFailed, Question
from wh_env.agents.policies import UnknownPolicy, names, prepare
from wh_env.agents.programs import INTERRUPTED, MOST_SEED, fail, run, writable
from wh_env.agents.tournament import BACKENDS, backend_of
from wh_env.content.load import names as included
from wh_env.content.load import rulesets
from wh_env.core.files import replacing

SEVERAL = ("--battle", "--ruleset")


def main(
    battle: Annotated[
        list[str] | None, typer.Option(help="Battles by name or path. Default: all included battles.")
    ] = None,
    ruleset: Annotated[
        list[str] | None, typer.Option(help="All included battles of these rulesets, instead of --battle.")
    ] = None,
    games: Annotated[int, typer.Option(min=2, help="Games of each battle; half of them with seats changed.")] = 100,
    pilot: Annotated[
        str,
        typer.Option(
            help=f"The policy that plays both sides: {', '.join(names())} or module:Class, with ,key=value options."
        ),
    ] = "greedy",
    seed: Annotated[
        int, typer.Option(min=0, max=MOST_SEED, help="Seed from which all seeds of dice and pilots follow.")
    ] = 0,
    detail: Annotated[str | None, typer.Option(help="squad or full. Default: the battle's.")] = None,
    processes: Annotated[int, typer.Option(min=1, help="Games at the same time. Default: all cores.")] = os.cpu_count()
    or 1,
    log: Annotated[
        Path | None,
        typer.Option(help="Keep the result of each battle in this file; battles that stand in it are not repeated."),
    ] = None,
    table: Annotated[Path | None, typer.Option(help="Also write the table to this file, as Markdown.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play mirrored pairs of games of each battle, the same pilot on both sides, and tell the share of points that its
    first list takes. A battle is fair if each side takes between 40 and 60 %.

    Exits 1 if a battle is not fair. Ctrl-C tells the results so far (exit code 130); with --log the same command goes
    on from there.

    Example: fairness.py --ruleset w10 w9 --games 100 --log out/fairness.jsonl
    """
    for name in ruleset or ():
        if name not in rulesets():
            fail(f"--ruleset: {name!r} is not known; expected one of {', '.join(rulesets())}")
    if battle and ruleset:
        fail("--battle and --ruleset: expected one of them")
    writable(log, "--log")
    writable(table, "--table")
    found = battle or [name for each in ruleset or rulesets() for name in included("battles", each)]
    asked = [
        Question(battle=name, pilot=pilot, width=NEVER, most=games, seed=seed, detail=detail)
        for name in dict.fromkeys(found)
    ]
    try:
        prepare(pilot)
        results, interrupted = play(asked, processes, log, quiet or json_)
    except (ContentError, PilotFailed, UnknownPolicy) as error:
        fail(str(error))
    if table is not None:
        with replacing(table) as draft:
            draft.write_text(markdown(results), encoding="utf-8")
    if json_:
        told = [{**asdict(result), "verdict": result.verdict} for result in results]
        typer.echo(json.dumps({"pilot": pilot, "seed": seed, "results": told}, indent=1))
    else:
        tell(results, f"pilot {pilot}, seed {seed}")
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    if not all(result.fair for result in results):
        raise typer.Exit(1)


def play(asked: list[Question], processes: int, log: Path | None, quiet: bool) -> tuple[list[Fairness], bool]:
    """Measure each battle, or take its result from the log. Returns the results, and whether Ctrl-C ended it."""
    results: list[Fairness] = []
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("compiling kernels (first time only)", total=float(len(asked)))
        try:
            for number, question in enumerate(asked):
                known = kept(log, settings(question)) if log is not None else {}

                def watch(matchup: MatchUp, number: int = number, question: Question = question) -> None:
                    text = f"{question.battle}: {matchup.games} games, {100 * matchup.share:.0f} %"
                    bar.update(task, completed=number + matchup.games / question.most, description=text)

                result = known.get(question.battle)
                if result is None:
                    with backend_of(BACKENDS[0], processes) as played:
                        result = measure(question, played, watch)
                    if log is not None:
                        keep(log, result, settings(question))
                results.append(result)
        except KeyboardInterrupt:
            return results, True
    return results, False


def tell(results: list[Fairness], words: str) -> None:
    """Print a table for people."""
    table = Table(title=f"Share of points of the first list ({words})")
    for name in HEAD:
        words_in = name in ("battle", "first list", "verdict")
        table.add_column(name, justify="left" if words_in else "right", no_wrap=name == "battle")
    for result in results:
        table.add_row(*map(escape, row_of(result)))
    Console().print(table)
    fair = sum(result.fair for result in results)
    low, high = (f"{100 * share:.0f}" for share in FAIR)
    typer.echo(f"{fair} of {len(results)} battles are fair: each side takes {low} to {high} % of the points")


if __name__ == "__main__":
    run(main, SEVERAL)
