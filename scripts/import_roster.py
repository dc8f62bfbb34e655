"""Make an army of a roster of a list builder, and say what was taken, what was guessed and what is not played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from wh_env.agents.programs import run
from wh_env.content.load import own_roots
from wh_env.content.w10.importing import Imported, import_roster


def main(
    roster: Annotated[
        Path,
        typer.Argument(help="A file of BattleScribe, New Recruit, ListForge (.ros, .rosz, JSON), or a list as text."),
    ],
    into: Annotated[
        Path | None,
        typer.Option(help="Folder of your own content. Default: the first of --content, else my-content."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Of the army. Default: the roster's.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over files of the same name.")] = False,
    dry: Annotated[bool, typer.Option("--dry", help="Write nothing, only tell.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Import an army of the 10th edition: units, models, weapons and points are those of the roster; bases and heights those of known datasheets.

    Example: wh-env import my-list.rosz --into mine
    """
    found = import_roster(roster, name)
    own = own_roots()
    folder = into or (own[0] if own else Path("my-content"))
    files = [] if dry else [str(path) for path in found.write(folder, replace)]
    if json_:
        report = found.report
        told = {"taken": report.taken, "guessed": report.guessed, "not_played": report.unplayed}
        army = {"name": found.army["name"], "faction": found.army["faction"], "points": found.muster.points}
        print(json.dumps({"form": found.form, "army": army, **told, "files": files}))
    else:
        tell(found, files, folder)


def tell(found: Imported, files: list[str], folder: Path) -> None:
    """The report in words."""
    console, report = Console(highlight=False, markup=False), found.report
    console.print(f"{found.army['name']} ({found.army['faction']}), {found.muster.points} points, from {found.form}")
    for title, lines in (
        ("taken", report.taken),
        ("guessed: edit the file where a guess is wrong", report.guessed),
        ("not played", report.unplayed),
    ):
        if lines:
            console.print(f"\n{title}:")
            for line in lines:
                console.print(f"  {line}")
    if files:
        console.print("\nwritten:")
        for file in files:
            console.print(f"  {file}")
        stem = Path(files[0]).stem
        console.print(f"\nwh-env matchup --content {folder} --armies w10/{stem} w10/tyranids-incursion")


if __name__ == "__main__":
    run(main)
