"""How many decisions a second: floors, aims and what this machine reaches.

Rates are decisions by second of processor time of one core, so that other programs on the machine disturb them little.
"""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from agents.policies import RandomPolicy
from wh_env import Battle, ContentError
from wh_env.content.replay import engine_version
from wh_env.envs import registry

RATE, MICROSECONDS, SECONDS = "/s", "µs", "s"
# row: unit, floor, aim (rates: at least; times: at most)
GOALS: dict[str, tuple[str, float, float]] = {
    "core API, masks included": (RATE, 20_000, 50_000),
    "+ observation": (RATE, 12_000, 30_000),
    "AEC raw_env": (RATE, 8_000, 20_000),
    "clone": (MICROSECONDS, 10, 3),
    "first decision after import, kernels cached": (SECONDS, 3, 1),
    "first decision after import, empty cache": (SECONDS, 45, 20),
    "first whole battle, empty cache": (
        SECONDS,
        math.inf,
        math.inf,
    ),  # for information: it compiles nearly every kernel
}
WARM_UP = 15  # battles before anything is measured: most kernels are loaded when they are first needed
FIRST = """
import sys, time
began = time.perf_counter()
from wh_env import Battle, ContentError
battle = Battle.load(sys.argv[1], 1)
battle.apply(battle.first_legal())
print(time.perf_counter() - began)
if len(sys.argv) > 2:
    from agents.match import play_battle
    from agents.policies import RandomPolicy
    play_battle(battle, [RandomPolicy(1), RandomPolicy(2)])
print(time.perf_counter() - began)
"""


@dataclass
class Row:
    """One measurement."""

    name: str
    unit: str
    floor: float
    aim: float
    measured: float

    @property
    def passed(self) -> bool:
        """Whether the floor is reached."""
        return self.measured >= self.floor if self.unit == RATE else self.measured <= self.floor

    @property
    def aimed(self) -> bool:
        """Whether the aim is reached."""
        return self.measured >= self.aim if self.unit == RATE else self.measured <= self.aim


def row(name: str, measured: float) -> Row:
    """A measurement beside its goals."""
    unit, floor, aim = GOALS[name]
    return Row(name, unit, floor, aim, measured)


# ---- what is measured


def battles(name: str) -> Iterator[Battle]:
    """Battles with one dice seed after the other, all of one setup; the first one is not to be measured."""
    setup = Battle.load(name, 0).setup
    seed = 0
    while True:
        yield Battle(setup, seed)
        seed += 1


def rate(name: str, seconds: float, play: Callable[[Battle, RandomPolicy], int]) -> float:
    """Decisions a second of whole battles, for about so long, after some battles to warm up."""
    policy = RandomPolicy(1)
    games = battles(name)
    for _ in range(WARM_UP):
        play(next(games), policy)
    decisions, spent = 0, 0.0
    while spent < seconds:
        battle = next(games)
        began = time.process_time()
        decisions += play(battle, policy)
        spent += time.process_time() - began
    return decisions / spent


def play_core(battle: Battle, policy: RandomPolicy) -> int:
    """A battle through the core API."""
    count, over = 0, battle.clock.over
    while not over[0]:
        battle.apply(policy.act(battle, battle.legal()))
        count += 1
    return count


def observing() -> Callable[[Battle, RandomPolicy], int]:
    """A battle of which the deciding player observes every decision."""
    from wh_env.envs.observation import SIZE, Observer
    from wh_env.envs.spaces import fill_mask

    observers: dict[int, Observer] = {}
    vector = np.zeros(SIZE, np.float32)

    def play(battle: Battle, policy: RandomPolicy) -> int:
        observer = observers.get(id(battle.setup)) or observers.setdefault(id(battle.setup), Observer(battle.setup))
        mask = np.zeros(battle.setup.space.size, np.int8)
        count, over, player = 0, battle.clock.over, battle.clock.player
        while not over[0]:
            observer.write(battle, player[0], vector)
            fill_mask(battle, player[0], mask)
            battle.apply(policy.act(battle, battle.legal()))
            count += 1
        return count

    return play


def aec_rate(name: str, seconds: float) -> float:
    """Decisions a second of ``raw_env``, with ``last`` and a random legal action from the mask."""
    import wh_env

    played = wh_env.raw_env(Battle.load(name, 0).setup.ruleset.id, battle=name)
    policy = RandomPolicy(1)
    decisions, spent, seed = 0, 0.0, 0
    while spent < seconds:
        played.reset(seed=seed)
        warm = seed < WARM_UP
        began, count = time.process_time(), 0
        for _ in played.agent_iter():
            observation, _, terminated, truncated, _ = played.last()
            if terminated or truncated:
                played.step(None)
                continue
            played.step(policy.act(played.battle, observation["action_mask"]))
            count += 1
        if not warm:
            decisions += count
            spent += time.process_time() - began
        seed += 1
    return decisions / spent


def clone_time(name: str, seconds: float) -> float:
    """Microseconds for a copy of a battle in its middle."""
    battle = next(battles(name))
    policy = RandomPolicy(1)
    while not battle.over and battle.clock.round[0] < 3:
        battle.apply(policy.act(battle, battle.legal()))
    count, began = 0, time.process_time()
    while time.process_time() - began < min(seconds, 1.0):
        for _ in range(1000):
            battle.clone()
        count += 1000
    return (time.process_time() - began) / count * 1e6


def first_decision(name: str, cache: str | None = None) -> tuple[float, float]:
    """Seconds from the start of the import to the first decision answered, in a process of its own.

    With ``cache`` (an empty folder for kernels) also to the end of a whole battle.
    """
    environment = {**os.environ, "WH_ENV_CACHE": cache} if cache else dict(os.environ)
    command = [sys.executable, "-c", FIRST, name, *(["whole"] if cache else [])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    first, whole = map(float, done.stdout.split())
    return first, whole


def profile(name: str, seconds: float) -> list[dict[str, Any]]:
    """Time per kind of decision: applying an answer to it, the mask of the next decision included."""
    counts: dict[str, int] = {}
    times: dict[str, float] = {}
    worst: dict[str, float] = {}
    policy = RandomPolicy(1)
    games = battles(name)
    for _ in range(WARM_UP):
        play_core(next(games), policy)
    began = time.process_time()
    while time.process_time() - began < seconds:
        battle = next(games)
        kinds, clock = battle.setup.ruleset.kinds, battle.clock
        while not clock.over[0]:
            kind = kinds[clock.kind[0]].name
            action = policy.act(battle, battle.legal())
            start = time.process_time()
            battle.apply(action)
            spent = time.process_time() - start
            counts[kind] = counts.get(kind, 0) + 1
            times[kind] = times.get(kind, 0.0) + spent
            worst[kind] = max(worst.get(kind, 0.0), spent)
    total = sum(times.values())
    return [
        {
            "kind": kind,
            "count": counts[kind],
            "share": times[kind] / total,
            "mean_us": times[kind] / counts[kind] * 1e6,
            "max_us": worst[kind] * 1e6,
        }
        for kind in sorted(times, key=lambda kind: -times[kind])
    ]


def measure(name: str, seconds: float) -> dict[str, float]:
    """What one battle reaches, by row: rates and the time of a copy."""
    return {
        "core API, masks included": rate(name, seconds, play_core),
        "+ observation": rate(name, seconds, observing()),
        "AEC raw_env": aec_rate(name, seconds),
        "clone": clone_time(name, seconds),
    }


# ---- the machine and the words


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    model = platform.processor()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return {
        "cpu": model or platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "wh_env": engine_version(),
    }


def words(value: float, unit: str) -> str:
    """A number with its unit."""
    if math.isinf(value):
        return "-"
    return f"{value:,.0f} {unit}" if unit == RATE else f"{value:.2f} {unit}"


def goals_table(rows: list[Row], beside: dict[str, dict[str, float]]) -> Table:
    """The measurements as a table; in columns of their own what other battles reach."""
    table = Table("", "floor", "aim", "measured", "", *beside)
    for r in rows:
        others = [words(figures.get(r.name, math.inf), r.unit) for figures in beside.values()]
        verdict = (
            "" if math.isinf(r.floor) else "aim reached" if r.aimed else "above floor" if r.passed else "UNDER FLOOR"
        )
        table.add_row(r.name, words(r.floor, r.unit), words(r.aim, r.unit), words(r.measured, r.unit), verdict, *others)
    return table


def profile_table(entries: list[dict[str, Any]]) -> Table:
    """The profile as a table."""
    table = Table("decision", "count", "share", "mean µs", "max µs")
    for entry in entries:
        table.add_row(
            entry["kind"],
            f"{entry['count']}",
            f"{entry['share']:.1%}",
            f"{entry['mean_us']:.1f}",
            f"{entry['max_us']:.0f}",
        )
    return table


def main(
    battle: Annotated[str | None, typer.Option(help="Battle that is played. Default: the ruleset's.")] = None,
    ruleset: Annotated[str, typer.Option(help="Whose battle that is, if none is named.")] = "w10",
    beside: Annotated[
        list[str] | None, typer.Option(help="Measure this battle too, without goals; may be repeated.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long each row is measured.")] = 5.0,
    cold: Annotated[
        bool, typer.Option("--cold", help="Also measure the first decision with an empty kernel cache (a minute).")
    ] = False,
    profile_: Annotated[bool, typer.Option("--profile", help="Show the time per kind of decision.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit 1 if a row is under its floor.")] = False,
) -> None:
    """Measure uniformly random legal play on one core, squad detail.

    Example: benchmark.py --seconds 3 --profile --beside w10/only-war-strike-force
    """
    try:
        battle = battle or registry.environment(ruleset).battle
        for name in (battle, *(beside or [])):
            Battle.load(name, 0)
    except ContentError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from error
    rows = [row(name, measured) for name, measured in measure(battle, seconds).items()]
    first_decision(battle)  # whatever was not compiled yet is now
    rows.append(row("first decision after import, kernels cached", first_decision(battle)[0]))
    if cold:
        with tempfile.TemporaryDirectory() as cache:
            first, whole = first_decision(battle, cache)
        rows.append(row("first decision after import, empty cache", first))
        rows.append(row("first whole battle, empty cache", whole))
    others = {name: measure(name, seconds) for name in beside or []}
    entries = profile(battle, seconds) if profile_ else []
    if json_:
        told = [{**asdict(r), "passed": r.passed, "aimed": r.aimed} for r in rows]
        for entry in told:  # JSON knows no infinity
            entry.update({goal: None for goal in ("floor", "aim") if math.isinf(entry[goal])})
        found = {"machine": machine(), "battle": battle, "rows": told, "beside": others, "profile": entries}
        typer.echo(json.dumps(found, indent=1))
    else:
        console = Console()
        told_machine = machine()
        console.print(
            f"{told_machine['cpu']}, {told_machine['cores']} cores (load {told_machine['load']}), "
            f"Python {told_machine['python']}, {battle}"
        )
        console.print(goals_table(rows, others))
        if entries:
            console.print(profile_table(entries))
    if check and not all(r.passed for r in rows):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
