"""Train a policy by self-play."""

from __future__ import annotations

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from wh_env import ContentError
from wh_env.agents.policies import UnknownPolicy
from wh_env.agents.programs import INTERRUPTED, Interrupt, fail, run, writable_folder
from wh_env.content.load import slug

if TYPE_CHECKING:
    from wh_env.agents.training.config import TrainingConfig
    from wh_env.agents.training.run import Run

COMPARED = 3  # number of updates of each kind that --compare-noop measures


def main(
    overrides: Annotated[
        list[str] | None, typer.Argument(help="Changed fields of the config: steps=50000 ppo.batch=256")
    ] = None,
    config: Annotated[
        str, typer.Option(help="A run by name (w10-skirmish, demo, ...) or path of a YAML file.")
    ] = "demo",
    seed: Annotated[
        int | None, typer.Option(help="Seed from which everything random follows. Default: the config's.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for its files. Default: out/training/NAME.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue from the checkpoint in the folder.")] = False,
    compare_noop: Annotated[
        bool,
        typer.Option(
            "--compare-noop",
            help="Do not train; compare the throughput with that on an environment that does nothing.",
        ),
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Train by self-play; write checkpoint.pt, policy.pt (latest), best.pt, history.json and events for TensorBoard.

    Ctrl-C ends the run after the present update and saves it (exit code 130). --resume continues exactly where the run
    was saved, even if it was killed. Play with the result:
    play.py --agents learned,checkpoint=out/training/NAME/best.pt greedy

    Example: train.py --config w10-skirmish steps=200000 --out out/training/short
    """
    try:
        from wh_env.agents.training.arena import OtherBattles
        from wh_env.agents.training.beside import CollectorLost
        from wh_env.agents.training.config import assignments, load_config
        from wh_env.agents.training.run import Run
    except ImportError as error:
        fail(f"training needs {error.name}: pip install 'wh-env[train]'")
    try:
        fields = assignments(overrides or [])
        chosen = load_config(config, fields if seed is None else {**fields, "seed": seed})
        if compare_noop:
            report_noop(chosen, json_, quiet)
            return
        folder = out or Path("out/training") / (slug(chosen.name) or "training")
        if not resume and (folder / "checkpoint.pt").exists():
            raise ContentError(
                str(folder), "", "checkpoint.pt", "--resume to go on with it, or another --out", "is there"
            )
        writable_folder(folder, "--out")
        training_run = Run(chosen, folder, resume)
        interrupted = train(training_run, quiet or json_)
    except (ContentError, UnknownPolicy, OtherBattles, CollectorLost) as error:
        fail(str(error))
    if json_:
        typer.echo(json.dumps(summary(training_run), indent=1))
    else:
        show(training_run)
    if interrupted:
        typer.echo("stopped; the same command with --resume goes on", err=True)
        raise typer.Exit(INTERRUPTED)


def train(run: Run, quiet: bool) -> bool:
    """Train with a progress bar, or with a line for each update where there is no terminal. Returns whether
    Ctrl-C ended it.
    """
    from wh_env.agents.training.board import Board

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    stop = Interrupt("stopping after this step; Ctrl-C again leaves at once, back to the last checkpoint")
    with (
        Board(run.folder / "tensorboard", run.decisions) as board,
        Progress(*columns, TextColumn("{task.fields[text]}"), console=console, transient=True, disable=quiet) as bar,
        stop,
    ):
        task = bar.add_task("starting", total=run.total, completed=run.decisions, text="")
        while not run.finished and not stop.asked:
            began, first = time.monotonic(), run.decisions
            decisions_done = 0

            def tell(decisions: int, _ended: list[dict[str, Any]], began: float = began, first: int = first) -> None:
                nonlocal decisions_done
                decisions_done += decisions
                rate = decisions_done / max(1e-9, time.monotonic() - began)
                bar.update(task, completed=first + decisions_done, text=f"{rate:,.0f}/s  {rates(run)}")

            step_words = words(run)
            bar.update(task, description=step_words)
            board.add(run.step(tell))
            if not (quiet or console.is_terminal):  # where no bar can be drawn
                rate = decisions_done / max(1e-9, time.monotonic() - began)
                text = f"{step_words}: {run.decisions:,} of {run.total:,} decisions, {rate:,.0f}/s  {rates(run)}"
                typer.echo(text.rstrip(), err=True)
    if stop.asked:
        run.save()
    return stop.asked


def words(run: Run) -> str:
    """The next step in words."""
    if run.phase == "clone":
        rounds = run.lesson.round if run.lesson else 0
        lesson = run.config.clone[run.lessons]
        return f"cloning {lesson.teacher}, round {rounds + 1}/{lesson.rounds}"
    return f"update {run.updates + 1}/{run.config.updates}"


def rates(run: Run) -> str:
    """The share of recent points against each anchor, in words."""
    standings = ((name, run.collector.pool.standings[name]) for name in run.collector.pool.anchors)
    return ", ".join(f"{name} {100 * met.recent / met.weight:.0f} %" for name, met in standings if met.weight)


def summary(run: Run) -> dict[str, Any]:
    """The result of a run as plain data."""
    evaluations = [row["scores"] for row in run.history if "scores" in row]
    return {
        "folder": str(run.folder),
        "finished": run.finished,
        "updates": run.updates,
        "decisions": run.decisions,
        "seconds": run.seconds,
        "games": {name: [met.points, met.games] for name, met in run.collector.pool.standings.items() if met.games},
        "snapshots": run.collector.pool.taken_count,
        "scores": evaluations[-1] if evaluations else {},
    }


def show(run: Run) -> None:
    """Print the result of a run."""
    data = summary(run)
    console = Console(emoji=False, markup=False)
    table = Table(title=f"{run.config.name}: {data['decisions']:,} decisions, {run.seconds / 60:.1f} minutes")
    for column in ("opponent", "games learnt from", "points", "last evaluation", "95 %"):
        table.add_column(column, justify="left" if column == "opponent" else "right")
    for name in sorted({*data["games"], *data["scores"]}):
        points, games = data["games"].get(name, (0.0, 0))
        cells = [name, str(games), f"{100 * points / games:.1f} %" if games else ""]
        if name in data["scores"]:
            won, played, low, high = data["scores"][name]
            cells += [f"{100 * won / played:.1f} %", f"{100 * low:.1f} – {100 * high:.1f}"]
        table.add_row(*cells)
    console.print(table)
    typer.echo(f"{run.folder}: checkpoint.pt, policy.pt, best.pt, history.json, tensorboard")


def report_noop(config: TrainingConfig, as_json: bool, quiet: bool) -> None:
    """Print the throughput and that on an environment that does nothing."""
    from wh_env.agents.training.noop import compare

    columns = (TextColumn("updates"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet or as_json) as bar:
        task = bar.add_task("", total=(2 + config.overlap) * (COMPARED + 1))
        with TemporaryDirectory() as folder:
            throughput = compare(config, Path(folder), COMPARED, lambda done: bar.update(task, completed=done))
    data = {
        "config": config.name,
        "threads": config.threads,
        "overlap": config.overlap,
        "battles_per_second": throughput.battles,
        "nothing_per_second": throughput.nothing,
        "share": throughput.share,
        "processor_seconds": {
            "playing": throughput.playing,
            "learning": throughput.learning,
            "nothing": throughput.idling,
        },
    }
    if as_json:
        typer.echo(json.dumps(data, indent=1))
        return
    nothing = ", ".join(f"{rate:,.0f}/s with {threads}" for threads, rate in throughput.nothing.items())
    typer.echo(
        f"{config.name}: {throughput.battles:,.0f} decisions/s in battles with {config.threads} thread(s) of torch"
        f"{' and the next rollout beside' if config.overlap else ''}; on an environment that does nothing {nothing}: "
        f"{100 * throughput.share:.0f} % (the fastest of {throughput.updates} updates each)"
    )
    playing, learning, idling = (1e6 * part for part in (throughput.playing, throughput.learning, throughput.idling))
    typer.echo(
        f"processor time a decision: {playing:.0f} µs of playing, {learning:.0f} µs of learning; "
        f"where nothing happens {idling:.0f} µs in all on {config.threads} thread(s)"
        f"{f'; side by side, undisturbed: {throughput.ceiling:,.0f}/s' if config.overlap else ''}"
    )


if __name__ == "__main__":
    run(main)
