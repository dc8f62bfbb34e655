"""Find columns of the state that an observation does not show although they change the game."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from wh_env import ContentError
from wh_env.agents.aliasing import Finding, audit, battles_of
from wh_env.agents.programs import BAD_INPUT, INTERRUPTED, MOST_SEED, fail, run
from wh_env.envs.registry import rulesets

SEVERAL = ("--ruleset", "--battle")
FOUND = 1  # exit status: a column is neither shown nor declared


def main(
    ruleset: Annotated[list[str] | None, typer.Option(help="Rulesets. Default: all.")] = None,
    battle: Annotated[
        list[str] | None,
        typer.Option(help="Battles instead of those of --ruleset; `NAME:full` is played at full detail."),
    ] = None,
    positions: Annotated[int, typer.Option(min=1, help="Positions that are examined in each battle.")] = 20,
    horizon: Annotated[int, typer.Option(min=1, help="Decisions played after a change that nobody saw.")] = 60,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Seed of battles, actions and changes.")] = 0,
    json_: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Change one number of the state at many positions. A seat that does not see the change must not come to notice
    it later, unless the column's bounds declare why it is not shown.

    Exits 1 if a column is neither shown nor declared.

    Example: aliasing.py --ruleset w10 --positions 40
    """
    known = rulesets()
    for name in ruleset or ():
        if name not in known:
            typer.echo(f"error: --ruleset: {name!r}; expected one of {', '.join(known)}", err=True)
            raise typer.Exit(BAD_INPUT)
    found: dict[str, list[Finding]] = {}
    groups = {"battles": [split(name) for name in battle]} if battle else {
        name: battles_of(name) for name in ruleset or known
    }  # fmt: skip
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet or json_) as bar:
            for name, names in groups.items():
                task = bar.add_task(f"{name}, positions", total=positions * len(names))
                found[name] = audit(names, seed, positions, horizon, partial(tell, bar, task))
    except ContentError as error:
        fail(error)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    if json_:
        typer.echo(json.dumps({name: [asdict(one) for one in columns] for name, columns in found.items()}, indent=1))
    else:
        for name, findings in found.items():
            Console().print(shown(name, findings))
    if any(one.aliased and not one.reason for findings in found.values() for one in findings):
        raise typer.Exit(FOUND)


def tell(bar: Progress, task: TaskID, done: int) -> None:
    """Show how many positions were examined."""
    bar.update(task, completed=done)


def split(name: str) -> tuple[str, str | None]:
    """The battle and the detail of ``NAME`` or ``NAME:DETAIL``."""
    battle, _, detail = name.rpartition(":")
    return (battle, detail) if battle and detail in ("squad", "full") else (name, None)


def shown(name: str, findings: list[Finding]) -> Table:
    """The findings as a table."""
    table = Table("column", "changes", "seen at once", "of no effect", "unseen", "why it need not be shown", title=name)
    for one in findings:
        unseen = len(one.examples)
        told = one.reason or (one.examples[0] if unseen else "")
        table.add_row(one.name, str(one.tried), str(one.seen), str(one.idle), str(unseen), told)
    return table


if __name__ == "__main__":
    run(main, SEVERAL)
