"""Play a tournament between policies: ratings, payoffs, a report."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from wh_env import ContentError
from wh_env.agents.policies import UnknownPolicy, names
from wh_env.agents.programs import INTERRUPTED, fail, run, writable_folder
from wh_env.agents.tournament import (
    BACKENDS,
    RESULTS,
    NoBackend,
    Progress,
    Results,
    Tournament,
    TournamentConfig,
    backend_of,
    load_config,
)
from wh_env.agents.tournament.pages import MOST, write_pages
from wh_env.agents.tournament.report import html
from wh_env.agents.tournament.results import Row
from wh_env.agents.tournament.standings import Summary
from wh_env.content.load import slug
from wh_env.core.files import write_whole

REPORT = "report.html"
CORES = os.cpu_count() or 1
SEVERAL = ("--agents", "--battles", "--battlefields", "--armies")
WIDE = 110  # width of the terminal from which all columns are shown
SHOWN = 6  # greatest number of printed faults; the report has all of them


def main(
    config: Annotated[
        str | None,
        typer.Option(help="A tournament by name (demo, anchors) or path of a YAML file; options override it."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the tournament and of its folder.")] = None,
    agents: Annotated[
        list[str] | None, typer.Option(help=f"Policies: {', '.join(names())} or module:Class, with ,key=value options.")
    ] = None,
    battles: Annotated[list[str] | None, typer.Option(help="Battles, by name or path.")] = None,
    battlefields: Annotated[list[str] | None, typer.Option(help="Play every battle on each of these tables.")] = None,
    armies: Annotated[list[str] | None, typer.Option(help="Play every battle with each pair of these lists.")] = None,
    same_army: Annotated[
        bool | None, typer.Option("--same-army/--no-same-army", help="Whether an army also meets itself.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(help="Games of each pair on each table; an even number, half with seats changed.")
    ] = None,
    format_: Annotated[str | None, typer.Option("--format", help="round-robin or swiss.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds of a Swiss tournament.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed from which all seeds of dice and policies follow.")] = None,
    detail: Annotated[str | None, typer.Option(help="squad or full. Default: the battle's.")] = None,
    decision_seconds: Annotated[
        float | None, typer.Option(help="An agent that thinks longer about one decision forfeits the game.")
    ] = None,
    game_seconds: Annotated[
        float | None, typer.Option(help="An agent that thinks longer in the whole game forfeits it.")
    ] = None,
    memory: Annotated[
        int | None, typer.Option(help="An agent that holds more MiB forfeits the game (Linux). Default: no limit.")
    ] = None,
    replays: Annotated[str | None, typer.Option(help="Which games leave a replay: none, faults, all.")] = None,
    pages: Annotated[int, typer.Option(min=0, help="Number of games with a replay that get a page.")] = MOST,
    anchor: Annotated[str | None, typer.Option(help="The agent whose rating is 0.")] = None,
    resamples: Annotated[int | None, typer.Option(help="Bootstrap samples for the intervals.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for its files. Default: out/tournaments/NAME.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue with the results in the folder.")] = False,
    retry: Annotated[
        bool, typer.Option("--retry", help="Continue, and repeat games that were forfeited or did not count.")
    ] = False,
    processes: Annotated[int, typer.Option(min=1, help="Games at the same time. Default: all cores.")] = CORES,
    backend: Annotated[str, typer.Option(help=f"Where games are played: {', '.join(BACKENDS)}.")] = BACKENDS[0],
    ray_address: Annotated[
        str | None, typer.Option(help="Address of a running Ray cluster. Default: start one on this machine.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play a tournament; write results.sqlite, results.csv, results.json and report.html.

    Every result is written as soon as its game is over. After Ctrl-C (exit code 130) or a crash, --resume plays the
    missing games. An agent that crashes, answers illegally or exceeds a limit loses the game, and the report says why.
    Exits 1 if games do not count because the engine failed.

    Example: tournament.py --agents random greedy --battles w10/only-war-skirmish --games 20
    """
    fields: dict[str, Any] = {
        "name": name, "agents": agents, "battles": battles, "battlefields": battlefields, "armies": armies,
        "same_army": same_army, "games": games, "format": format_, "rounds": rounds, "seed": seed, "detail": detail,
        "decision_seconds": decision_seconds, "game_seconds": game_seconds, "memory": memory, "replays": replays,
        "anchor": anchor, "resamples": resamples,
    }  # fmt: skip
    if backend not in BACKENDS:
        fail(f"--backend: {backend!r} is not known; expected one of {', '.join(BACKENDS)}")
    try:
        tournament = load_config(config, {key: value for key, value in fields.items() if value is not None})
        folder = out or Path("out/tournaments") / (slug(tournament.name) or "tournament")
        writable_folder(folder, "--out")
        with Results(folder / RESULTS) as results:
            held = Tournament(tournament, folder, results, resume, retry)
            interrupted = play(held, backend, processes, ray_address, quiet or json_)
            summary = report(held, pages, quiet or json_)
    except (ContentError, NoBackend, UnknownPolicy) as error:
        fail(str(error))
    tell(tournament, summary, folder, json_)
    if interrupted:
        typer.echo(f"stopped: {summary.missing} games are missing; the same command with --resume plays them", err=True)
        raise typer.Exit(INTERRUPTED)
    if summary.void:
        raise typer.Exit(1)


def play(held: Tournament, backend: str, processes: int, address: str | None, quiet: bool) -> bool:
    """Play the missing games with a progress bar. Returns whether Ctrl-C ended it."""
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Bar(*columns, TextColumn("{task.description}"), console=console, transient=True, disable=quiet) as bar:
        task = bar.add_task("starting", total=held.progress.total)
        shown = 0.0

        def watch(progress: Progress) -> None:
            nonlocal shown
            if progress.done < progress.total and time.monotonic() - shown < 0.2:
                return
            shown = time.monotonic()
            bar.update(task, completed=progress.done, description=leaders(progress))

        try:
            with backend_of(backend, processes, address) as played:
                held.play(played, watch)
        except KeyboardInterrupt:
            return True
    return False


def report(held: Tournament, most: int, quiet: bool) -> Summary:
    """Write all result files, with pages of at most ``most`` games. Returns the summary."""
    summary = held.write()
    rows = held.ordered()
    shown = write_pages_with_bar(held.folder, rows, most, quiet)
    page = html(held.config, summary, rows, held.results.timings(), held.results.traces(), shown)
    write_whole(held.folder / REPORT, page.encode())
    return summary


def write_pages_with_bar(folder: Path, rows: Sequence[Row], most: int, quiet: bool) -> frozenset[str]:
    """Write pages of games with a progress bar. Returns the replays that have one; Ctrl-C leaves out the others."""
    columns = (TextColumn("pages"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("pages", total=None)
        return write_pages(folder, rows, most, lambda done, total: bar.update(task, completed=done, total=total))


def tell(config: TournamentConfig, summary: Summary, folder: Path, as_json: bool) -> None:
    """Print the standings and the folder."""
    if as_json:
        typer.echo(json.dumps({"folder": str(folder), **summary.data()}, indent=1))
    else:
        show(config, summary)
        typer.echo(f"{folder}: results.sqlite, results.csv, results.json, {REPORT}")


def leaders(progress: Progress, most: int = 3) -> str:
    """The agents with the best shares of points so far, in words."""
    shares = {name: progress.points[name] / games for name, games in progress.games.items()}
    best = sorted(shares, key=lambda name: -shares[name])[:most]
    return ", ".join(f"{name} {100 * shares[name]:.0f} %" for name in best) or "compiling kernels (first time only)"


def show(config: TournamentConfig, summary: Summary) -> None:
    """Print the standings."""
    console = Console(emoji=False, markup=False)
    wide = console.width >= WIDE
    table = Table(title=f"{config.name}: {summary.games} games")
    # Leave out empty columns: forfeits if there are none, cycles if there are only two agents.
    forfeits, cycles = any(line.forfeits for line in summary.standings), len(summary.standings) > 2
    table.add_column("")
    table.add_column("agent", overflow="fold")
    for column in ("rating", "95 %", "w-d-l", "points", *(["95 %"] if wide else [])):
        table.add_column(column, justify="right", no_wrap=True)
    for column in (["forf."] if forfeits else []) + (["Nash", "α-rank"] if cycles else []):
        table.add_column(column, justify="right", no_wrap=True)
    for place, line in enumerate(summary.standings, 1):
        cells = [
            str(place), line.agent, f"{line.rating:.0f}", f"{line.rating_low:.0f} – {line.rating_high:.0f}",
            f"{line.wins}-{line.draws}-{line.losses}", f"{100 * line.share:.1f} %",
        ]  # fmt: skip
        if wide:
            cells.append(f"{100 * line.low:.1f} – {100 * line.high:.1f}")
        if forfeits:
            cells.append(str(line.forfeits))
        if cycles:
            cells.append("" if line.nash is None else f"{100 * line.nash:.0f} %")
            cells.append(f"{100 * line.alpha_rank:.0f} %")
        table.add_row(*cells)
    console.print(table)
    turn = summary.ratings.first_turn
    if turn is not None and summary.first_turns:
        share = summary.first_turns[0]
        console.print(
            f"First turn: {100 * share.share:.1f} % of the points ({100 * share.low:.1f} – {100 * share.high:.1f}), "
            f"worth {turn.value:.0f} rating points ({turn.low:.0f} – {turn.high:.0f})."
        )
    for row in (*summary.faults, *summary.void)[:SHOWN]:
        who = "does not count" if row.at_fault is None else f"forfeited by {(row.agent0, row.agent1)[row.at_fault]}"
        console.print(f"{row.key}: {who}: {row.fault}", style="red")
    more = len(summary.faults) + len(summary.void) - SHOWN
    if more > 0:
        console.print(f"... and {more} more, in the report", style="red")


if __name__ == "__main__":
    run(main, SEVERAL)
