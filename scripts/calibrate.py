"""Fit the tactician's values of positions to the ends of battles."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from wh_env import ContentError
from wh_env.agents.calibration import FITTED, Fit, fit, gather
from wh_env.agents.programs import INTERRUPTED, MOST_SEED, fail, run

SEVERAL = ("--battles",)
BATTLES = ["w10/only-war-skirmish", "w10/random-skirmish?seed={game}"]


def main(
    battles: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Battles, played in turn; {{game}} stands for the number of the game. Default: {' '.join(BATTLES)}."
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Number of battles.")] = 400,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Seed of all dice and random actions.")] = 0,
    json_: Annotated[bool, typer.Option("--json", help="Print the fits as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play greedy battles with some random actions, and fit the later change of the lead to the terms of each position.

    There is one fit for each number of turns left. It helps to choose the weights in
    agents/policies/tactician_weights.py.

    Example: calibrate.py --games 400
    """
    names = battles or BATTLES
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet or json_) as bar:
            task = bar.add_task("battles", total=games)
            samples = gather(names, games, seed, lambda done: bar.update(task, completed=done))
    except ContentError as error:
        fail(error)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    fits = fit(samples)
    if json_:
        data = {"battles": names, "games": games, "seed": seed, "fits": [asdict(f) for f in fits]}
        typer.echo(json.dumps(data, indent=1))
    else:
        Console().print(shown(fits))


def shown(fits: list[Fit]) -> Table:
    """The fits as a table; terms in points of units (army, strikes, soon) are given for 100 points."""
    table = Table("turns left", "positions", *FITTED, "spread", "left open", title="Victory points still gained")
    for f in fits:
        weights = [
            w * (100 if name in ("army", "strikes", "soon") else 1) for name, w in zip(FITTED, f.weights, strict=True)
        ]
        texts = [f"{w:+.2f}" for w in weights]
        table.add_row(str(f.turns), str(f.samples), *texts, f"{f.spread:.2f}", f"{f.error:.2f}")
    return table


if __name__ == "__main__":
    run(main, SEVERAL)
