"""Verify a replay byte for byte, or show the battle it holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from agents.report import Reporter, outcome
from wh_env import ContentError
from wh_env.content.replay import Replay, read_replay

app = typer.Typer(help=__doc__, no_args_is_help=True)
File = Annotated[Path, typer.Argument(help="A replay written by play.py.")]
BAD = 1


@app.command()
def verify(
    file: File,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing if all is well.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Play the replay again and compare the state on the way and, at the end, every byte; exits 1 at the first difference."""
    replay = read(file)
    try:
        with Progress(console=Console(stderr=True), transient=True, disable=quiet or json_) as bar:
            task = bar.add_task("replaying", total=len(replay.actions))
            battle = replay.verify(lambda done, _: bar.update(task, completed=done))
    except ContentError as error:
        fail(error)
    if json_:
        data = {"file": str(file), "actions": len(replay.actions), "bytes": len(replay.final), "verified": True}
        typer.echo(json.dumps(data))
    elif not quiet:
        checks = f"{len(replay.marks)} checkpoints and the final {len(replay.final)} bytes"
        typer.echo(f"{file}: verified: {len(replay.actions)} actions, {checks} are the same. {outcome(battle)}")


@app.command()
def show(
    file: File,
    rules: Annotated[bool, typer.Option("--rules", help="Name the rules that were applied.")] = False,
    decisions: Annotated[
        bool, typer.Option("--decisions", help="List decisions and answers instead of the report.")
    ] = False,
) -> None:
    """Print the battle report of a replay."""
    replay = read(file)
    typer.echo(
        f"{' against '.join(replay.agents)}, seed {replay.seed}, {len(replay.actions)} actions, wh_env {replay.version}"
    )
    try:
        if decisions:
            show_decisions(replay)
            return
        show_report(replay, rules)
    except ContentError as error:
        fail(error)


def show_report(replay: Replay, rules: bool) -> None:
    """The battle report, told as the battle goes on."""
    reporter, told = None, 0
    for battle in replay.play(record=True):
        reporter = reporter or Reporter(battle, rules=rules)
        for event in battle.events[told:]:
            reporter(event)
        told = len(battle.events)
    assert reporter is not None
    for line in reporter.finish():
        typer.echo(line)


def show_decisions(replay: Replay) -> None:
    """One line a decision: who, what kind, how many options, the answer."""
    states = replay.play()
    for number, (battle, action) in enumerate(zip(states, replay.actions, strict=False)):
        decision = battle.decision
        assert decision is not None
        typer.echo(
            f"{number:5d}  round {battle.clock.round[0]}  player {decision.player}  {decision.kind:18s} "
            f"{len(decision.options):3d} options  {action:4d}  {battle.describe(action)}"
        )


def read(file: Path) -> Replay:
    """The replay, or an error message and exit."""
    try:
        return read_replay(file)
    except ContentError as error:
        fail(error)
        raise


def fail(error: ContentError) -> None:
    """Print the error and exit."""
    typer.echo(f"error: {error}", err=True)
    raise typer.Exit(BAD)


if __name__ == "__main__":
    app()
