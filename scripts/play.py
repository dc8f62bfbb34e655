"""Play a battle between two policies, print what happened, write a replay."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from wh_env import Battle, ContentError, Event
from wh_env.agents.live import listen
from wh_env.agents.match import Played, play_battle
from wh_env.agents.not_played import in_words
from wh_env.agents.policies import POLICIES, UnknownPolicy, check_plays, ready
from wh_env.agents.policies.human import HumanPolicy, Left
from wh_env.agents.programs import INTERRUPTED, MOST_SEED, Interrupt, fail, run, writable
from wh_env.agents.report import Reporter, outcome
from wh_env.content.replay import Recorder


def play_with_bar(
    battle: Battle, policies: list, reporter: Reporter | None, recorder: Recorder, quiet: bool
) -> tuple[Played, bool]:
    """Play with a progress bar on standard error, so that the report can be piped. Returns the match, and
    whether Ctrl-C ended it.
    """
    rounds = battle.setup.rules.get("rounds", 5)
    columns = (
        SpinnerColumn(),
        TextColumn("round {task.completed:.0f}/{task.total:.0f}"),
        BarColumn(),
        TextColumn("{task.description}"),
    )
    bar = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True, disable=quiet)
    with Interrupt() as stop, bar:
        task = bar.add_task("compiling kernels (first time only)", total=rounds)
        began = bar.get_time()

        def progress(battle: Battle, decisions: int) -> None:
            rate = decisions / max(1e-9, bar.get_time() - began)
            done = rounds if battle.over else battle.clock.round[0]
            bar.update(task, completed=done, description=f"{decisions} decisions, {rate:,.0f}/s")

        played = play_battle(battle, policies, on_event=reporter, progress=progress, stop=stop, recorder=recorder)
    return played, stop.asked


def interruptible(read: Callable[[str], str]) -> Callable[[str], str]:
    """Wrap a function that reads input so that Ctrl-C ends it at once. While the engine works, Ctrl-C waits for
    the decision to be finished.
    """

    def asked(prompt: str) -> str:
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return read(prompt)
        finally:
            signal.signal(signal.SIGINT, before)

    return asked


def play_with_people(
    battle: Battle, policies: list, reporter: Reporter | None, recorder: Recorder, rules: bool
) -> tuple[Played, bool]:
    """Play with people at the terminal. A person who leaves, or Ctrl-C, ends it between two decisions. Returns
    the match, and whether Ctrl-C ended it.
    """
    people = {seat: policy for seat, policy in enumerate(policies) if isinstance(policy, HumanPolicy)}
    for person in people.values():
        person.read = interruptible(person.read)
    hear = listen(battle, people, rules=rules)

    def on_event(event: Event) -> None:
        hear(event)
        if reporter is not None:
            reporter(event)

    began = time.perf_counter()
    interrupted = False
    with Interrupt() as stop:
        try:
            play_battle(battle, policies, on_event=on_event, stop=stop, recorder=recorder)
        except Left:
            pass
        except KeyboardInterrupt:
            interrupted = True
    return Played(battle.result, recorder.actions, time.perf_counter() - began), interrupted or stop.asked


def replay_of_people(battle: str, seed: int, replay: Path | None) -> Path:
    """The replay file of a battle with people, which cannot be repeated by its seed."""
    return replay or Path(
        f"{Path(battle).stem if battle.endswith('.yaml') else battle.replace('/', '-')}-{seed}.replay"
    )


def two_names(chosen: list[str]) -> list[str]:
    """The names of both policies; by default greedy against random."""
    names = chosen or ["greedy", "random"]
    if len(names) != 2:
        fail(f"--agents: {' '.join(names)}: expected two policies")
    return names


def main(
    battle: Annotated[
        str, typer.Option(help="Battle by name (w10/only-war-incursion) or path of a YAML file.")
    ] = "w10/only-war-incursion",
    agents: Annotated[
        list[str] | None,
        typer.Option(
            help=f"The policies of player 0 and player 1: {', '.join(sorted(POLICIES))} or module:Class. "
            "Default: greedy random."
        ),
    ] = None,
    more: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    seed: Annotated[
        int,
        typer.Option(min=0, max=MOST_SEED, help="Seed of the dice; policies get it plus the player's number."),
    ] = 0,
    detail: Annotated[
        str | None, typer.Option(help="squad (tactical decisions) or full (all decisions). Default: the battle's.")
    ] = None,
    replay: Annotated[Path | None, typer.Option(help="Write a replay to this file.")] = None,
    report: Annotated[bool, typer.Option("--report", help="Print a battle report.")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="Print a report that names the applied rules.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play one battle.

    Ctrl-C ends it after the present decision: replay and report are written up to there, and the exit code is 130.

    With `human` as a policy you play yourself: you choose options by number or by letters of their words. The battle is
    always saved as a replay, even if you leave it.

    Example: play.py --battle w10/only-war-skirmish --agents greedy random --seed 7 --report --replay out/battle.replay
    """
    names = two_names([*(agents or []), *(more or [])])
    try:
        policies = [ready(name, seed + player) for player, name in enumerate(names)]
        people = any(isinstance(policy, HumanPolicy) for policy in policies)
        game = Battle.load(battle, seed, detail=detail, record=report or rules or people)
        for name, policy in zip(names, policies, strict=True):
            check_plays(name, policy, game.setup)
    except (UnknownPolicy, ContentError) as error:
        fail(str(error))
    replay = replay_of_people(battle, seed, replay) if people else replay
    writable(replay, "--replay")
    recorder = Recorder(game, seed)
    reporter = Reporter(game, rules=rules) if report or rules else None
    if people:
        played, interrupted = play_with_people(game, policies, reporter, recorder, rules)
    else:
        played, interrupted = play_with_bar(game, policies, reporter, recorder, quiet)
    written = recorder.replay(names, (seed, seed + 1))
    if replay is not None:
        written.write(replay)
    if json_:
        result = asdict(game.result) if game.result else None
        data = {
            "battle": battle,
            "agents": names,
            "seed": seed,
            "result": result,
            "victory_points": list(written.victory_points),
            "not_played": list(game.setup.inactive),
        }
        data |= {"decisions": len(played.actions), "seconds": round(played.seconds, 3), "rate": round(played.rate, 1)}
        typer.echo(json.dumps({**data, "replay": str(replay) if replay else None}))
    elif reporter is not None:
        for line in reporter.finish():
            typer.echo(line)
    else:
        typer.echo(outcome(game))
    if not json_ and (undone := in_words(game.setup.inactive)):
        typer.echo(undone, err=True)
    if not json_ and not quiet:
        replay_text = f"; replay: {replay}" if replay else ""
        typer.echo(
            f"{len(played.actions)} decisions in {played.seconds:.2f} s ({played.rate:,.0f}/s){replay_text}", err=True
        )
    if interrupted:
        raise typer.Exit(INTERRUPTED)


if __name__ == "__main__":
    run(main)
