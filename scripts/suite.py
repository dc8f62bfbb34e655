"""Make a suite: seeds with which a random battle is fair, the same policy on both sides."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from wh_env import ContentError
from wh_env.agents.matchup import MatchUp, PilotFailed
from wh_env.agents.policies import UnknownPolicy, names, prepare
from wh_env.agents.programs import INTERRUPTED, MOST_SEED, fail, run, writable
from wh_env.agents.suites import FAIR, Draw, screen_draws, written
from wh_env.agents.tournament import BACKENDS, backend_of
from wh_env.content.load import is_drawn_anew
from wh_env.core.files import replacing


def main(
    battle: Annotated[str, typer.Option(help="A battle with random parts, such as w10/random-skirmish.")],
    out: Annotated[Path, typer.Option(help="The file of the suite; its folder names a ruleset and 'suites'.")],
    draws: Annotated[int, typer.Option(min=1, max=1000, help="Number of draws that the suite shall have.")] = 16,
    games: Annotated[int, typer.Option(min=8, help="Games of a draw; half of them with seats changed.")] = 40,
    first: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Seed of the first draw that is tried.")] = 0,
    name: Annotated[str | None, typer.Option(help="Name of the suite. Default: that of its file.")] = None,
    pilot: Annotated[
        str,
        typer.Option(
            help=f"The policy that plays both sides: {', '.join(names())} or module:Class, with ,key=value options."
        ),
    ] = "greedy",
    processes: Annotated[int, typer.Option(min=1, help="Games at the same time. Default: all cores.")] = os.cpu_count()
    or 1,
    log: Annotated[
        Path | None,
        typer.Option(help="Keep the result of each draw in this file; draws that stand in it are not repeated."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Draw a random battle with one seed after the other, and keep those with which it is fair: of the points in games
    of one policy against itself, the first list takes between 35 and 65 %. A draw that cannot reach this any more is
    given up early.

    The file is a battle itself, drawn anew for each game or pair of games: `suite:w10/claims` if it lies in
    configs/w10/suites/claims.yaml, or its path. Ctrl-C writes nothing (exit code 130); with --log the same command goes
    on from there.

    Example: suite.py --battle w10/random-skirmish --draws 16 --first 1000 --out configs/w10/suites/claims.yaml
    """
    if games % 2:
        fail(f"--games: {games}: expected an even number")
    writable(out, "--out")
    writable(log, "--log")
    try:
        if not is_drawn_anew(battle):
            fail(f"--battle: {battle!r} draws nothing anew; expected a battle with random parts and without a seed")
        prepare(pilot)
        found = play(battle, draws, games, pilot, first, processes, log, quiet)
    except (ContentError, PilotFailed, UnknownPolicy) as error:
        fail(str(error))
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    # how many processes played and where results were kept changes nothing in the file
    command = f"suite.py --battle {battle} --draws {draws} --games {games} --first {first} --pilot {pilot}"
    with replacing(out) as draft:
        draft.write_text(written(battle, name or out.stem, found, command), encoding="utf-8")
    taken, (low, high) = sum(draw.taken for draw in found), (f"{100 * share:.0f}" for share in FAIR)
    typer.echo(f"{out}: {taken} of {len(found)} draws: the first list takes {low} to {high} % of the points")


def play(
    battle: str, draws: int, games: int, pilot: str, first: int, processes: int, log: Path | None, quiet: bool
) -> list[Draw]:
    """Screen draws with a progress bar until enough are taken. Returns all that were screened."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("compiling kernels (first time only)", total=draws)
        found: list[Draw] = []

        def watch(now: MatchUp) -> None:
            bar.update(task, description=f"seed {first + len(found)}: {now.games} games, {100 * now.share:.0f} %")

        with backend_of(BACKENDS[0], processes) as played:
            for draw in screen_draws(battle, draws, games, pilot, first, log, played, watch):
                found.append(draw)
                bar.update(task, advance=draw.taken)
    return found


if __name__ == "__main__":
    run(main)
