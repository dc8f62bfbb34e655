"""Estimate the win rate between two army lists, with a wanted precision."""

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
from wh_env.agents.breakdown import Breakdown, Mean
from wh_env.agents.matchup import MatchUp, PilotFailed, Question, Shown, Tally, estimate
from wh_env.agents.matchup_page import Game, MissingExtra, drawing, game_of, matchup_page, number, trade_words
from wh_env.agents.not_played import in_words, not_played
from wh_env.agents.policies import UnknownPolicy, names, prepare
from wh_env.agents.programs import INTERRUPTED, MOST_SEED, fail, run, writable
from wh_env.agents.tournament import BACKENDS, NoBackend, backend_of
from wh_env.agents.tournament.pages import write_page
from wh_env.core.files import replacing, write_whole

SEVERAL = ("--armies",)
WATCHED = 4  # games with a page, which takes a second and a megabyte


def main(
    battle: Annotated[str, typer.Option(help="Battle by name or path.")] = "w10/only-war-skirmish",
    armies: Annotated[
        list[str] | None, typer.Option(help="Two army lists, by name or path. Default: the battle's own.")
    ] = None,
    battlefield: Annotated[str | None, typer.Option(help="Battlefield, instead of the battle's own.")] = None,
    pilot: Annotated[
        str,
        typer.Option(
            help=f"The policy that plays both sides: {', '.join(names())} or module:Class, with ,key=value options."
        ),
    ] = "greedy",
    width: Annotated[
        float, typer.Option(min=0.001, max=1, help="Play until the interval is no wider: 0.1 is ±5 %.")
    ] = 0.1,
    level: Annotated[float, typer.Option(min=0.5, max=0.9999, help="Confidence level of the interval.")] = 0.95,
    max_games: Annotated[int, typer.Option(min=2, help="Greatest number of games.")] = 4000,
    seed: Annotated[
        int, typer.Option(min=0, max=MOST_SEED, help="Seed from which all seeds of dice and pilots follow.")
    ] = 0,
    detail: Annotated[str | None, typer.Option(help="squad or full. Default: the battle's.")] = None,
    decision_seconds: Annotated[float, typer.Option(help="Greatest time of the pilot for one decision.")] = 30.0,
    processes: Annotated[int, typer.Option(min=1, help="Games at the same time. Default: all cores.")] = os.cpu_count()
    or 1,
    backend: Annotated[str, typer.Option(help=f"Where games are played: {', '.join(BACKENDS)}.")] = BACKENDS[0],
    out: Annotated[Path | None, typer.Option(help="Also write the result as JSON to this file.")] = None,
    page: Annotated[
        Path | None, typer.Option(help="Write a page with plots to this file (.html). Needs the extra render.")
    ] = None,
    replays: Annotated[int, typer.Option(min=0, help="Number of games that the page links, the first ones.")] = WATCHED,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play mirrored pairs of games until the win rate of the first list is known as precisely as asked. The same pilot
    plays both sides.

    Then print where the difference comes from: what each unit killed and lost in points, and the objectives round by
    round. Ctrl-C ends it with the result so far (exit code 130).

    Example: matchup.py --armies astartes-skirmish tyranids-skirmish --pilot greedy --width 0.1
    """
    if armies and len(armies) != 2:
        fail(f"--armies: {' '.join(armies)}: expected two army lists")
    if backend not in BACKENDS:
        fail(f"--backend: {backend!r} is not known; expected one of {', '.join(BACKENDS)}")
    writable(out, "--out")
    drawable(page)
    question = Question(
        battle=battle,
        armies=(armies[0], armies[1]) if armies else None,
        battlefield=battlefield,
        pilot=pilot,
        width=width,
        level=level,
        most=max_games,
        seed=seed,
        detail=detail,
        decision_seconds=decision_seconds,
        replays=replays if page is not None else 0,
    )
    try:
        prepare(pilot)
        tally = Tally(question)
        matchup, interrupted = play(tally, backend, processes, quiet or json_)
    except (ContentError, NoBackend, PilotFailed, UnknownPolicy) as error:
        fail(str(error))
    undone = not_played([battle], [question.armies or ()])
    data = {"battle": battle, "pilot": pilot, "seed": seed, "level": level, "width": width, **asdict(matchup)}
    data["not_played"] = undone
    if out is not None:
        with replacing(out) as draft:
            draft.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if page is not None and matchup.why is not None:
        write_matchup(page, tally, matchup, undone)
    if json_:
        typer.echo(json.dumps(data, indent=1))
    else:
        tell(question, matchup, undone)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def write_matchup(page: Path, tally: Tally, matchup: MatchUp, undone: list[str]) -> None:
    """Write the page of a match-up, and the pages of its games."""
    question = tally.question
    lines, games = words(question, matchup).splitlines(), write_games(page, tally.shown)
    text = matchup_page(lines, matchup, question.level, in_words(undone), games)
    with replacing(page) as draft:
        draft.write_text(text, encoding="utf-8")


def write_games(page: Path, shown: list[Shown]) -> list[Game]:
    """Write replays and their pages in a folder beside ``page``, and return the games with the paths of their pages
    from there.
    """
    folder = page.with_name(f"{page.stem}-games")
    games = []
    for at, game in enumerate(shown, 1):
        file = folder / f"{at}.replay"
        write_whole(file, game.replay)
        write_page(file, file.with_suffix(".html"))
        games.append(game_of(game, f"{folder.name}/{at}.html"))
    return games


def play(tally: Tally, backend: str, processes: int, quiet: bool) -> tuple[MatchUp, bool]:
    """Play with a progress bar that shows the interval. Returns the result, and whether Ctrl-C ended it."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    question = tally.question
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("compiling kernels (first time only)", total=1.0)

        def watch(matchup: MatchUp) -> None:
            if matchup.games:
                # the width falls with the square root of the games
                share_done = min(1.0, (question.width / max(1e-9, matchup.high - matchup.low)) ** 2)
                interval = f"({100 * matchup.low:.1f} – {100 * matchup.high:.1f})"
                text = f"{matchup.games} games, {100 * matchup.share:.1f} % {interval}"
                bar.update(task, completed=share_done, description=text)

        try:
            with backend_of(backend, processes) as played:
                return estimate(question, played, watch, tally), False
        except KeyboardInterrupt:
            return tally.explained(), True


def drawable(page: Path | None) -> None:
    """Check, before the games, that a page with plots can be written.

    Raises:
        typer.Exit: it cannot; the reason is printed.
    """
    writable(page, "--page")
    if page is not None:
        try:
            with drawing():
                pass
        except MissingExtra as error:
            fail(f"--page: {error}")


def tell(question: Question, matchup: MatchUp, undone: list[str]) -> None:
    """Print the result for people."""
    typer.echo(words(question, matchup))
    if matchup.why is not None:
        explain(matchup.why, question.level)
    if undone:
        typer.echo(in_words(undone))


def words(question: Question, matchup: MatchUp) -> str:
    """The result in sentences."""
    if not matchup.games:
        return "No pair of games was finished."
    one, other = matchup.armies
    lines = [
        f"{one} against {other}, {question.battle}, pilot {question.pilot}, seed {question.seed}",
        f"{one} takes {100 * matchup.share:.1f} % of the points "
        f"({100 * question.level:g} %: {100 * matchup.low:.1f} – {100 * matchup.high:.1f})",
        f"{matchup.games} games: {matchup.wins} won, {matchup.draws} drawn, {matchup.losses} lost; "
        f"victory points {matchup.vp[0]:.1f} : {matchup.vp[1]:.1f}",
    ]
    if matchup.first_turn is not None:
        lines.append(f"The player with the first turn took {100 * matchup.first_turn:.1f} % of the points.")
    if not matchup.enough:
        lines.append(f"The interval is wider than asked ({question.width:g}).")
    return "\n".join(lines)


def explain(why: Breakdown, level: float) -> None:
    """Print where the difference comes from, as tables."""
    console = Console()
    first, other = (part.army for part in why.lists)
    rounds = Table(title=f"Victory points by battle round, a game ({100 * level:g} % intervals)")
    for name in ("round", first, other, f"lead of {first}", "markers held", "lead in markers"):
        rounds.add_column(escape(name), justify="right")
    for part in why.rounds:
        held = f"{part.markers[0].mean:.1f} : {part.markers[1].mean:.1f}"
        leads = spread(part.lead, 1), spread(part.markers_lead, 1)
        vp = (f"{part.vp[0].mean:.1f}", f"{part.vp[1].mean:.1f}")
        rounds.add_row(str(part.number), *vp, leads[0], held, leads[1])
    console.print(rounds)
    for part in why.lists:
        units = Table(title=escape(f"{part.army}: points killed and lost, a game"))
        for name in ("unit", "points", "killed", "lost", "killed - lost", "killed per 100 points"):
            units.add_column(name, justify="left" if name == "unit" else "right")
        for unit in part.units:
            share = f"{100 * unit.killed.mean / unit.points:.0f}" if unit.points else ""
            means = (spread(mean) for mean in (unit.killed, unit.lost, unit.balance))
            units.add_row(escape(unit.name), f"{unit.points:.0f}", *means, share)
        whole = sum(unit.points for unit in part.units)
        units.add_section()
        units.add_row("all", f"{whole:.0f}", spread(part.killed), spread(part.lost), "", "")
        console.print(units)
    typer.echo(trade_words(why))


def spread(mean: Mean, digits: int = 0) -> str:
    """A mean and half the width of its interval, as text."""
    text = number(mean.mean, digits)
    return text if mean.high is None else f"{text} ± {number(mean.high - mean.mean, digits)}"


if __name__ == "__main__":
    run(main, SEVERAL)
