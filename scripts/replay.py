"""Verify a replay byte for byte, print the battle in it, or turn it into a page, a film or a picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from wh_env import Battle, ContentError
from wh_env.agents.chances import Chances
from wh_env.agents.programs import run, writable
from wh_env.agents.report import Reporter, outcome
from wh_env.content.replay import Replay, read_replay
from wh_env.core.files import replacing
from wh_env.render.film import Every, frames, write_gif, write_mp4
from wh_env.render.last import Follower, Last
from wh_env.render.page import build_page
from wh_env.render.picture import Camera, MissingExtra, load_pygame
from wh_env.render.tape import record_tape
from wh_env.render.text import render_ansi
from wh_env.render.theme import Mode

app = typer.Typer(help=__doc__, no_args_is_help=True)
File = Annotated[Path, typer.Argument(help="A replay written by play.py.")]
BAD = 1
BAD_USE = 2
INTERRUPTED = 130


@app.command()
def verify(
    file: File,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing if the replay is right.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play the replay again; compare its checkpoints and, at the end, every byte. Exits 1 at the first difference."""
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


@app.command()
def render(
    file: File,
    html: Annotated[
        Path | None,
        typer.Option(help="Write one HTML page with table, timeline and rules. It needs no network."),
    ] = None,
    gif: Annotated[Path | None, typer.Option(help="Write an animated GIF.")] = None,
    mp4: Annotated[Path | None, typer.Option(help="Write an H.264 film.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write one picture of the battle at --at.")] = None,
    ansi: Annotated[bool, typer.Option("--ansi", help="Print board and units at --at in characters.")] = False,
    at: Annotated[
        int | None, typer.Option(min=0, help="Number of decisions before --png or --ansi. Default: all.")
    ] = None,
    every: Annotated[Every, typer.Option(help="When to take a picture (--gif, --mp4).")] = "decision",
    fps: Annotated[float, typer.Option(min=0.1, max=50, help="Pictures a second (--gif, --mp4).")] = 4.0,
    width: Annotated[int, typer.Option(min=320, max=4000, help="Width of pictures in pixels.")] = 900,
    dark: Annotated[bool, typer.Option("--dark", help="Pictures with a dark background.")] = False,
    color: Annotated[bool, typer.Option("--color", help="Coloured characters (--ansi).")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar and no messages.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the list of written files as JSON.")] = False,
) -> None:
    """Turn a replay into a page, a GIF, a film, a picture or characters; several at once.

    A file appears complete or not at all; after Ctrl-C (exit code 130) finished files stay. Pictures need the extra
    `render` (pygame, pillow, imageio-ffmpeg); the page and the characters need no extra.

    Example: replay.py render out/demo.replay --html out/demo.html --gif out/demo.gif --every turn --fps 1
    """
    if not (html or gif or mp4 or png or ansi):
        typer.echo("error: nothing to do: expected --html, --gif, --mp4, --png or --ansi", err=True)
        raise typer.Exit(BAD_USE)
    replay = read(file)
    if at is not None and at > len(replay.actions):
        typer.echo(f"error: --at {at}: expected at most {len(replay.actions)}, the decisions of {file}", err=True)
        raise typer.Exit(BAD_USE)
    for path, option in ((html, "--html"), (gif, "--gif"), (mp4, "--mp4"), (png, "--png")):
        writable(path, option)
    mode: Mode = "dark" if dark else "light"
    jobs: list[tuple[str, Path, Callable[[Any], int]]] = []
    if html:
        jobs.append(("page", html, lambda step: write_page(replay, html, step)))
    if gif:
        jobs.append(("GIF", gif, lambda step: write_gif(gif, frames(replay, every, width, mode, step), fps, mode)))
    if mp4:
        jobs.append(("film", mp4, lambda step: write_mp4(mp4, frames(replay, every, width, mode, step), fps)))
    if png:
        jobs.append(("picture", png, lambda step: write_png(replay, png, at, width, mode, step)))
    written = []
    for name, path, job in jobs:
        with errors(path), Progress(console=Console(stderr=True), transient=True, disable=quiet or json_) as bar:
            task = bar.add_task(f"{name}: {path}", total=len(replay.actions))
            count = job(lambda done, _, task=task: bar.update(task, completed=done))
        written.append({"kind": name, "file": str(path), "steps": count, "bytes": path.stat().st_size})
        if not quiet and not json_:
            made_of = f"{count} {'step' if name == 'page' else 'picture'}{'' if count == 1 else 's'}"
            typer.echo(f"{path}: {name}, {made_of}, {path.stat().st_size:,} bytes")
    if ansi:
        with errors(file):
            battle, last = battle_at(replay, at)
            typer.echo(render_ansi(battle, color, last=last), color=color)
    if json_:
        typer.echo(json.dumps({"replay": str(file), "written": written}))


@contextmanager
def errors(path: Path) -> Iterator[None]:
    """A context that turns errors into a message and an exit code."""
    try:
        yield
    except ContentError as error:
        fail(error)
    except MissingExtra as error:
        typer.echo(f"error: {path}: {error}", err=True)
        raise typer.Exit(BAD) from error
    except OSError as error:
        typer.echo(f"error: {path}: cannot be written ({error.strerror or error})", err=True)
        raise typer.Exit(BAD) from error
    except KeyboardInterrupt as error:
        typer.echo(f"{path}: not written", err=True)
        raise typer.Exit(INTERRUPTED) from error


def write_page(replay: Replay, path: Path, step: Callable[[int, int], None]) -> int:
    """Write the HTML page. Returns its number of steps."""
    tape = record_tape(replay, step, Chances())
    with replacing(path) as draft:
        draft.write_text(build_page(tape), encoding="utf-8")
    return len(tape.steps)


def write_png(
    replay: Replay, path: Path, at: int | None, width: int, mode: Mode, step: Callable[[int, int], None]
) -> int:
    """Write one picture. Returns 1, the number of pictures."""
    battle, last = battle_at(replay, at, step)
    with replacing(path) as draft:
        load_pygame().image.save(Camera(mode).take(battle, width, last), str(draft), "PNG")
    return 1


def battle_at(
    replay: Replay, at: int | None, step: Callable[[int, int], None] = lambda done, total: None
) -> tuple[Battle, Last]:
    """The battle after ``at`` decisions (``None``: all), and the effects of the last one."""
    end = len(replay.actions) if at is None else at
    follower: Follower | None = None
    for number, battle in enumerate(replay.play(record=True)):
        follower = follower or Follower(battle)
        last = follower.step()
        step(number, end)
        if number == end:
            return battle, last
    raise AssertionError("a replay yields the battle after each of its actions")


def show_report(replay: Replay, rules: bool) -> None:
    """Print the battle report."""
    reporter, reported = None, 0
    for battle in replay.play(record=True):
        reporter = reporter or Reporter(battle, rules=rules)
        for event in battle.events[reported:]:
            reporter(event)
        reported = len(battle.events)
    assert reporter is not None
    for line in reporter.finish():
        typer.echo(line)


def show_decisions(replay: Replay) -> None:
    """Print one line for each decision: player, kind, number of options, answer."""
    states = replay.play()
    for number, (battle, action) in enumerate(zip(states, replay.actions, strict=False)):
        decision = battle.decision
        assert decision is not None
        typer.echo(
            f"{number:5d}  round {battle.clock.round[0]}  player {decision.player}  {decision.kind:18s} "
            f"{len(decision.options):3d} options  {action:4d}  {battle.describe(action)}"
        )


def read(file: Path) -> Replay:
    """The replay in a file; prints an error and exits if there is none."""
    try:
        if file.exists() and not file.is_file():
            raise ContentError(str(file), "", str(file), "a replay file", "is no ordinary file")
        return read_replay(file)
    except ContentError as error:
        fail(error)
        raise


def fail(error: ContentError) -> None:
    """Print the error and exit."""
    typer.echo(f"error: {error}", err=True)
    raise typer.Exit(BAD)


if __name__ == "__main__":
    run(app)
