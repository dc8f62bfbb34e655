"""Compare datasheets with public data files that the user provides, and list the fields that differ."""

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
        str | None, typer.Option(help="Ruleset of the datasheets. Default: by the catalogues' game system.")
    ] = None,
    sheets: Annotated[list[str] | None, typer.Option(help="Only these datasheets. Default: all.")] = None,
    accepted: Annotated[
        Path | None, typer.Option(help="File of accepted differences, with reasons. Default: the included one.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Also print accepted differences.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Compare the datasheets of a ruleset, included ones and your own, with catalogues. Nothing of the catalogues is
    stored.

    Files that a catalogue links to are searched beside it. Exits 1 if there is a difference that is not accepted, or if
    an accepted difference no longer exists.

    Example: wh-env content --against catalogues/Tyranids.cat --sheets Harpy
    """
    known = {name: game.comparison for name, game in GAMES.items() if game.comparison is not None}
    library = read_library(against)
    name = ruleset or next((key for key, how in known.items() if how.edition in library.game), "")
    if name not in known:
        wish = repr(ruleset) if ruleset else f"the game system {library.game!r}"
        fail(f"--ruleset: {wish} is not known; expected one of {', '.join(sorted(known))}")
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
    """A value as plain data for JSON."""
    return value.model_dump() if hasattr(value, "model_dump") else str(value)


def tell(ruleset: str, game: str, outcome: Compared, show_all: bool) -> None:
    """Print the result in words and as a table; with accepted differences if ``show_all``."""
    console = Console(highlight=False, markup=False)
    rows = outcome.rows if show_all else outcome.open
    if rows:
        table = Table("datasheet", "field", "ours", "theirs", *(("accepted because",) if show_all else ()))
        for row in rows:
            table.add_row(row.sheet, row.field, row.ours, row.theirs, *((row.reason,) if show_all else ()))
        console.print(table)
    for one in outcome.unused:
        console.print(f"accepted, but there is no such difference: {one.sheet}: {one.field}")
    if outcome.absent:
        console.print(f"in no catalogue: {', '.join(outcome.absent)}")
    for origin, count in outcome.dated:
        console.print(f"{count} datasheets: {origin}")
    text = f"{ruleset} against {game}: {len(outcome.compared)} datasheets compared, {len(outcome.rows)} differences"
    console.print(f"{text}, {len(outcome.rows) - len(outcome.open)} of them accepted, {len(outcome.open)} not")


if __name__ == "__main__":
    run(main, SEVERAL)
