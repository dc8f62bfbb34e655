"""Compare datasheets with public data files that the user brings, and say in which fields they differ."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from wh_env.agents.programs import fail, run
from wh_env.content.catalogues.comparing import Compared, accepted_list, compare
from wh_env.content.catalogues.library import read_library
from wh_env.content.games import GAMES

SEVERAL = ("--against", "--sheets")


def main(
    against: Annotated[
        list[Path], typer.Option(help="Catalogues of BattleScribe (.cat, .gst, zipped too), or folders of them.")
    ],
    ruleset: Annotated[
        str | None, typer.Option(help="Whose datasheets. Default: that of the catalogues' game system.")
    ] = None,
    sheets: Annotated[list[str] | None, typer.Option(help="Only these datasheets. Default: all.")] = None,
    accepted: Annotated[
        Path | None, typer.Option(help="Differences that are accepted, with reasons. Default: the shipped list.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Print accepted differences too.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Compare the datasheets of a ruleset, shipped ones and your own, with catalogues. Nothing of the catalogues is
    stored.

    What a catalogue links to is looked for beside it. Exits 1 if there is a difference that is not accepted, or an
    accepted one that is gone.

    Example: wh-env content --against catalogues/Tyranids.cat --sheets Harpy
    """
    known = {name: game.comparison for name, game in GAMES.items() if game.comparison is not None}
    library = read_library(against)
    name = ruleset or next((key for key, how in known.items() if how.edition in library.game), "")
    if name not in known:
        told = repr(ruleset) if ruleset else f"the game system {library.game!r}"
        fail(f"--ruleset: {told} is not known; expected one of {', '.join(sorted(known))}")
    if library.missing:
        typer.echo(f"not found beside the files: {', '.join(library.missing)}", err=True)
    listed = accepted_list(name, accepted)
    outcome = compare(known[name], library, sheets or (), listed.accepted if listed else ())
    if json_:
        print(json.dumps({"ruleset": name, "game": library.game, **asdict(outcome)}, default=_plain))
    else:
        tell(name, library.game, outcome, all_)
    if outcome.open or outcome.unused:
        raise typer.Exit(1)


def _plain(value: object) -> object:
    return value.model_dump() if hasattr(value, "model_dump") else str(value)


def tell(ruleset: str, game: str, outcome: Compared, every: bool) -> None:
    """The outcome in words and a table."""
    console = Console(highlight=False, markup=False)
    rows = outcome.rows if every else outcome.open
    if rows:
        table = Table("datasheet", "field", "ours", "theirs", *(("accepted because",) if every else ()))
        for row in rows:
            table.add_row(row.sheet, row.field, row.ours, row.theirs, *((row.reason,) if every else ()))
        console.print(table)
    for one in outcome.unused:
        console.print(f"accepted, but there is no such difference: {one.sheet}: {one.field}")
    if outcome.absent:
        console.print(f"in no catalogue: {', '.join(outcome.absent)}")
    for origin, count in outcome.dated:
        console.print(f"{count} datasheets: {origin}")
    told = f"{ruleset} against {game}: {len(outcome.compared)} datasheets compared, {len(outcome.rows)} differences"
    console.print(f"{told}, {len(outcome.rows) - len(outcome.open)} of them accepted, {len(outcome.open)} not")


if __name__ == "__main__":
    run(main, SEVERAL)
