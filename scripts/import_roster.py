"""Turn a roster into an army, or a catalogue into a faction; list what was guessed and what is not played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from wh_env.agents.programs import fail, run
from wh_env.content.catalogues.importing import ImportedFaction, import_factions
from wh_env.content.catalogues.tree import ENDINGS
from wh_env.content.games import GAMES
from wh_env.content.load import own_roots
from wh_env.content.rosters import Imported, import_roster

SEVERAL = ("--units",)
OPPONENTS = {"w10": "w10/tyranids-incursion", "w9": "w9/tyranids-incursion", "w8": "w8/death-guard"}
CATALOGUES = frozenset(ENDINGS) - {".zip"}


def main(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="A roster of BattleScribe, New Recruit, ListForge (.ros, .rosz, JSON), or a list as text; or "
            "catalogues (.cat, .catz), or a folder of them."
        ),
    ],
    into: Annotated[
        Path | None,
        typer.Option(help="Folder of your content to write into. Default: the first --content, else my-content."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the army. Default: the roster's.")] = None,
    units: Annotated[
        list[str] | None,
        typer.Option(help="With catalogues: only these units. Default: all that have no datasheet yet."),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite files of the same name.")] = False,
    dry: Annotated[bool, typer.Option("--dry", help="Write nothing, only print the report.")] = False,
    all_: Annotated[
        bool, typer.Option("--all", help="With catalogues: print every line that is guessed or not played.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Import an army of the 10th edition, or a faction of the 10th or the 9th.

    A roster provides units, models, weapons and points; bases and heights come from known datasheets. In a catalogue
    each unit becomes a datasheet; bases and heights are guessed by keyword.

    Example: wh-env import my-list.rosz --into mine

    Example: wh-env import catalogues/Orks.cat --units Boyz Battlewagon --into mine
    """
    own = own_roots()
    folder = into or (own[0] if own else Path("my-content"))
    if all(path.is_dir() or path.suffix.lower() in CATALOGUES for path in files):
        if name is not None:
            fail("--name: a catalogue makes no army; expected it with a roster")
        editions = [game.importing for game in GAMES.values() if game.importing is not None]
        found = import_factions(editions, files, units or ())
        written = [] if dry else [str(path) for one in found for path in one.write(folder, replace)]
        tell_factions(found, written, folder, all_, json_)
        return
    if units or all_:
        fail(f"{'--units' if units else '--all'}: {files[0]} is no catalogue; expected a .cat file or a folder of them")
    if len(files) > 1:
        fail(f"{files[1]}: one roster is imported at a time; expected one file, or catalogues alone")
    roster = import_roster([game.rosters for game in GAMES.values() if game.rosters is not None], files[0], name)
    tell_roster(roster, [] if dry else [str(path) for path in roster.write(folder, replace)], folder, json_)


def tell_roster(imported: Imported, files: list[str], folder: Path, as_json: bool) -> None:
    """Print the report of a roster."""
    report = imported.report
    if as_json:
        army = {"name": imported.army["name"], "faction": imported.army["faction"], "points": imported.muster.points}
        data = {"taken": report.taken, "guessed": report.guessed, "not_played": report.unplayed}
        print(json.dumps({"form": imported.form, "ruleset": imported.ruleset, "army": army, **data, "files": files}))
        return
    console = Console(highlight=False, markup=False)
    console.print(
        f"{imported.army['name']} ({imported.army['faction']}), {imported.muster.points} points, from {imported.form}"
    )
    tell_lines(console, "taken", report.taken)
    tell_lines(console, "guessed: edit the file where a guess is wrong", report.guessed)
    tell_lines(console, "not played", report.unplayed)
    tell_lines(console, "written", files)
    if files:
        against = OPPONENTS[imported.ruleset]
        console.print(
            f"\nwh-env matchup --content {folder} --armies {imported.ruleset}/{Path(files[0]).stem} {against}"
        )


def tell_lines(console: Console, title: str, lines: Sequence[str]) -> None:
    """Print lines under a title; nothing if there are none."""
    if lines:
        console.print(f"\n{title}:")
        for line in lines:
            console.print(f"  {line}")


def tell_factions(
    imported: list[ImportedFaction], files: list[str], folder: Path, show_all: bool, as_json: bool
) -> None:
    """Print the report of catalogues: counts by faction, units without a datasheet, and with ``every`` all
    lines.
    """
    if as_json:
        print(json.dumps({"factions": [summary(one) for one in imported], "files": files}))
        return
    console = Console(highlight=False, markup=False)
    table = Table(
        "faction",
        "datasheets",
        "refused",
        "with a model unarmed",
        "known already",
        "allies left out",
        "guessed",
        "not played",
        "abilities",
        "as fields",
        "understood",
    )
    rows = [summary(one) for one in imported]
    counted = ("datasheets", "refused", "unarmed", "shipped", "allies", "guessed", "not_played")
    for row in rows:
        table.add_row(row["name"], *(str(len(row[key])) for key in counted), *abilities_told([row]))
    if len(rows) > 1:
        table.add_section()
        table.add_row("all", *(str(sum(len(row[key]) for row in rows)) for key in counted), *abilities_told(rows))
    console.print(table)
    for one in imported:
        tell_lines(console, f"{one.name}: makes no datasheet", [f"{n}: {why}" for n, why in one.made.refused.items()])
        tell_lines(console, f"{one.name}: has a model without weapons", one.made.unarmed)
        if show_all:
            tell_lines(console, f"{one.name}: guessed", one.made.report.guessed)
            tell_lines(console, f"{one.name}: not played", one.made.report.unplayed)
    if not show_all:
        console.print("\n--all prints every line that is guessed or not played; edit the file where a guess is wrong")
    if files:
        console.print(f"\n{len(files)} files written into {folder}")
        console.print(f"wh-env odds --content {folder} --help")


def abilities_told(rows: Sequence[dict[str, Any]]) -> tuple[str, str, str]:
    """Ability lines of catalogues: how many there are, the share that became fields, and the share that became effects
    of those that did not become fields.
    """
    fields, understood, missed = (
        sum(row["abilities"][key] for row in rows) for key in ("as fields", "understood", "not played")
    )
    lines, prose = fields + understood + missed, understood + missed
    return str(lines), f"{fields / max(1, lines):.0%}", f"{understood} of {prose}, {understood / max(1, prose):.0%}"


def summary(imported: ImportedFaction) -> dict[str, Any]:
    """The report of a faction as plain data."""
    sheets_report = imported.made
    return {
        "name": imported.name,
        "keyword": imported.keyword,
        "datasheets": list(sheets_report.sheets),
        "refused": sheets_report.refused,
        "unarmed": sheets_report.unarmed,
        "shipped": imported.shipped,
        "allies": imported.allies,
        "guessed": sheets_report.report.guessed,
        "not_played": sheets_report.report.unplayed,
        "abilities": {
            "as fields": len(sheets_report.report.fields),
            "understood": len(sheets_report.report.understood),
            "not played": len(sheets_report.report.missed),
        },
    }


if __name__ == "__main__":
    run(main, SEVERAL)
