"""List the kernels that battles of a ruleset need, in ``wh_env/rulesets/<id>/kernels.json``, for compiling them
beforehand.
"""

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
SEEDS = 4  # number of plays of the ruleset's battle and of its small one
MOST = 1500  # greatest number of decisions of battles with other policies, and of other battles
THINKING = ("greedy", "tactician", "search")
UNKNOWN = 0.2  # assumed seconds of a kernel that was already compiled: about the mean
LEAST = 0.01


class Times(event.Listener):
    """Records the processor time in seconds that each kernel takes to compile, without the kernels that it
    calls.

    Attributes:
        found: times by kernel and types in words.
    """

    def __init__(self) -> None:
        self.seconds: dict[tuple[str, tuple[str, ...]], float] = {}
        self._running: list[list[float]] = []  # start of each running compilation, and the time of those inside it

    def on_start(self, _event: Any) -> None:
        """The compilation of a kernel begins."""
        self._running.append([time.process_time(), 0.0])

    def on_end(self, event: Any) -> None:
        """The compilation of a kernel ends."""
        began, others = self._running.pop()
        whole = time.process_time() - began
        if self._running:
            self._running[-1][1] += whole
        name = getattr(getattr(event.data["dispatcher"], "_cache", None), "name", None)
        if name in DISPATCHERS:
            self.seconds[str(name), words_of(event.data["args"])] = whole - others


def compiled_now() -> set[tuple[str, tuple[str, ...]]]:
    """Every kernel that this process has needed so far, with the types of its arguments in words.

    Raises:
        NoWord: an argument has a type without a word.
    """
    return {(name, words_of(kinds)) for name, kinds in needed()}


def play(battle: str, policies: tuple[str, str], seed: int, most: int | None = None, **how: Any) -> None:
    """Play a battle, at most ``most`` decisions."""
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
    """Use kernels for one purpose after another; yields each purpose when it is done."""
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
    """The list of a ruleset as found in this process; the time is 0 for kernels that were already compiled."""
    times = Times()
    event.register("numba:compile", times)
    seen: set[tuple[str, tuple[str, ...]]] = set()
    rows = []
    for use in uses_of(ruleset):
        compiled = compiled_now() - seen
        seen |= compiled
        rows += [[kernel, takes, use, times.seconds.get((kernel, takes), 0.0)] for kernel, takes in sorted(compiled)]
    return rows


def renewed(ruleset: str, cold: bool) -> list[Wanted]:
    """The list of a ruleset as found by a separate process; with measured times if ``cold``, else with those of
    the old lists.
    """
    old = {(w.kernel, w.takes): w.seconds for other in (*rulesets(), ruleset) for w in listed(other)}
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, OFF: "0", **({"WH_ENV_CACHE": cache} if cold else {})}
        command = [sys.executable, __file__, ruleset, "--record"]
        finished = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    rows = []
    for kernel, takes, use, seconds in json.loads(finished.stdout):
        known = None if cold else old.get((kernel, tuple(takes)))
        rows.append(Wanted(kernel, tuple(takes), use, known or max(LEAST, round(seconds, 2) or UNKNOWN)))
    return rows


def differences(old: list[Wanted], new: list[Wanted]) -> list[str]:
    """Entries that only one of two lists has, without regard to times."""
    before, after = ({(w.kernel, w.takes, w.use) for w in rows} for rows in (old, new))
    missing, added = sorted(before - after), sorted(after - before)
    return [f"- {row[0]} ({row[2]})" for row in missing] + [f"+ {row[0]} ({row[2]})" for row in added]


def main(
    rulesets_: Annotated[
        list[str] | None, typer.Argument(metavar="[RULESET]...", help="Rulesets. Default: all.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a list is out of date.")] = False,
    cold: Annotated[
        bool, typer.Option("--cold", help="Compile everything again and measure the times (takes minutes).")
    ] = False,
    record: Annotated[bool, typer.Option("--record", hidden=True)] = False,
) -> None:
    """Renew the lists of kernels: play battles of each ruleset and record which kernels they need.

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
