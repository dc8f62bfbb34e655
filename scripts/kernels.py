"""Which kernels battles of a ruleset need, as ``wh_env/rulesets/<id>/kernels.json`` lists them for compiling them beforehand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from numba.core import event

from wh_env import Battle
from wh_env.agents.policies import make
from wh_env.agents.programs import run
from wh_env.content.games import game_named
from wh_env.content.load import names
from wh_env.content.warming import BATTLE, FILE, FULL, OBSERVATION, OFF, OTHERS, POLICIES, USES, listed
from wh_env.core.files import replacing
from wh_env.core.kernel_cache import DISPATCHERS
from wh_env.core.kernel_plan import Wanted, needed, written
from wh_env.core.kernel_words import words_of
from wh_env.envs.observation import FORMS, Observer
from wh_env.envs.registry import environment, rulesets

PROJECT = Path(__file__).resolve().parents[1]
SEEDS = 4  # battles of the ruleset's own that are played
MOST = 1500  # decisions of a battle with policies that think, or of another battle
THINKING = ("greedy", "tactician", "search")
UNKNOWN = 0.2  # seconds, of a kernel that was kept already: about the mean
LEAST = 0.01


class Times(event.Listener):
    """Seconds of processor time that kernels take to compile, without those that they call, by kernel and types in words."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, tuple[str, ...]], float] = {}
        self._running: list[list[float]] = []  # when it began, what others took in between

    def on_start(self, _event: Any) -> None:
        """A kernel is compiled."""
        self._running.append([time.process_time(), 0.0])

    def on_end(self, event: Any) -> None:
        """It is."""
        began, others = self._running.pop()
        whole = time.process_time() - began
        if self._running:
            self._running[-1][1] += whole
        name = getattr(getattr(event.data["dispatcher"], "_cache", None), "name", None)
        if name in DISPATCHERS:
            self.found[str(name), words_of(event.data["args"])] = whole - others


def compiled_now() -> set[tuple[str, tuple[str, ...]]]:
    """Every kernel that this process has needed so far, with the types of its arguments in words.

    Raises:
        NoWord: one takes what has no name.
    """
    return {(name, words_of(kinds)) for name, kinds in needed()}


def play(battle: str, policies: tuple[str, str], seed: int, most: int | None = None, **how: Any) -> None:
    """Play a battle, at most so many decisions."""
    game = Battle.load(battle, seed, **how)
    seats = [make(name, seed + seat) for seat, name in enumerate(policies)]
    while not game.over and (most is None or most > 0):
        game.apply(seats[game.clock.player[0]].act(game, game.legal()))
        most = None if most is None else most - 1


def observe(battle: str) -> None:
    """Play a battle and observe every decision in both forms."""
    game = Battle.load(battle, 1)
    observers = [Observer(game.setup, form) for form in FORMS]
    policy = make("random", 1)
    while not game.over:
        for observer in observers:
            for seat in (0, 1):
                observer.observe(game, seat)
        game.apply(policy.act(game, game.legal()))


def uses_of(ruleset: str) -> Iterator[str]:
    """Do what kernels are needed for, one after the other; says each when it is done."""
    own, at_random = environment(ruleset), ("random", "random")
    for seed in range(SEEDS):
        play(own.battle, at_random, seed)
        play(own.skirmish, at_random, seed)
    yield BATTLE
    for battle in (own.battle, own.skirmish):
        play(battle, at_random, 1, detail="full")
    yield FULL
    observe(own.battle)
    yield OBSERVATION
    for name in THINKING:
        play(own.skirmish, (name, "random"), 1, 40 if name == "search" else MOST)
    yield POLICIES
    for battle in names("battles", ruleset):
        play(battle, at_random, 1, MOST)
    yield OTHERS


def recorded(ruleset: str) -> list[list[Any]]:
    """The list of a ruleset as this process finds it; a time of 0 where the kernel was kept already."""
    times = Times()
    event.register("numba:compile", times)
    seen: set[tuple[str, tuple[str, ...]]] = set()
    rows = []
    for use in uses_of(ruleset):
        found = compiled_now() - seen
        seen |= found
        rows += [[kernel, takes, use, times.found.get((kernel, takes), 0.0)] for kernel, takes in sorted(found)]
    return rows


def renewed(ruleset: str, cold: bool) -> list[Wanted]:
    """The list of a ruleset as a process of its own finds it: with the times measured if nothing is kept, else with those that are listed."""
    old = {(w.kernel, w.takes): w.seconds for other in (*rulesets(), ruleset) for w in listed(other)}
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, OFF: "0", **({"WH_ENV_CACHE": cache} if cold else {})}
        command = [sys.executable, __file__, ruleset, "--record"]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    rows = []
    for kernel, takes, use, seconds in json.loads(done.stdout):
        known = None if cold else old.get((kernel, tuple(takes)))
        rows.append(Wanted(kernel, tuple(takes), use, known or max(LEAST, round(seconds, 2) or UNKNOWN)))
    return rows


def differences(old: list[Wanted], new: list[Wanted]) -> list[str]:
    """What one list has and the other lacks, times aside."""
    before, after = ({(w.kernel, w.takes, w.use) for w in rows} for rows in (old, new))
    gone, come = sorted(before - after), sorted(after - before)
    return [f"- {row[0]} ({row[2]})" for row in gone] + [f"+ {row[0]} ({row[2]})" for row in come]


def main(
    rulesets_: Annotated[list[str] | None, typer.Argument(metavar="[RULESET]...", help="Default: all.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a list is out of date.")] = False,
    cold: Annotated[
        bool, typer.Option("--cold", help="Compile everything anew and list the times that it takes (minutes).")
    ] = False,
    record: Annotated[bool, typer.Option("--record", hidden=True)] = False,
) -> None:
    """Renew the lists of kernels: play battles of each ruleset and see what was compiled.

    Example: kernels.py w10
    """
    chosen = rulesets_ or rulesets()
    for ruleset in chosen:
        game_named(ruleset)
    if record:
        typer.echo(json.dumps(recorded(chosen[0])))
        return
    stale = False
    for ruleset in chosen:
        old, new = listed(ruleset), renewed(ruleset, cold)
        changed = differences(old, new)
        stale |= bool(changed)
        counts = ", ".join(f"{sum(w.use == use for w in new)} {use}" for use in USES)
        typer.echo(f"{ruleset}: {len(new)} kernels ({counts}), {sum(w.seconds for w in new):.0f} s")
        if check:
            typer.echo("\n".join(changed[:20]) or "up to date")
        else:
            with replacing(PROJECT / "wh_env" / "rulesets" / ruleset / FILE) as draft:
                draft.write_text(written(new), encoding="utf-8")
    if check and stale:
        raise typer.Exit(1)


if __name__ == "__main__":
    run(main)
