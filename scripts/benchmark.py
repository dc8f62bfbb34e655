"""Measure how many decisions a second the engine answers, and compare with the floors and aims of the project.

A rate is the number of decisions divided by the processor time of one core. Every round plays the same battles.
Machines differ, and other programs use them at the same time. Therefore each row is measured in turns with a fixed
piece of work (``wh_env.agents.speed.yardstick``). The ratio of the two rates, times ``REFERENCE``, is what a quiet
reference machine would reach; floors and aims are compared with that number.
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
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from wh_env import Battle, ContentError
from wh_env.agents.programs import run
from wh_env.agents.speed import batches, play
from wh_env.agents.speed.peers import peers
from wh_env.agents.speed.turns import speed_of, speeds_of
from wh_env.agents.speed.yardstick import Yardstick
from wh_env.content.load import is_drawn_anew, names
from wh_env.content.warming import marked
from wh_env.core.kernel_plan import Plan
from wh_env.core.sealed import engine_version
from wh_env.envs import registry

RATE, MICROSECONDS, MILLISECONDS, SECONDS, TIMES = "/s", "µs", "ms", "s", "times"
CORE, VECTOR, ENTITIES = "core API, masks included", "+ observation", "+ observation as entities"
RAW, WRAPPED, SINGLE = "AEC raw_env", "AEC env", "Gymnasium view, opponent random"
BATCHED = f"batch of {batches.BATCH}, observations and masks"
PROCESSES = f"two processes with twice {batches.BATCH} battles each, to one process (by the clock)"
CORES = 2.0  # free cores of the reference machine, so that two programs do twice the work of one there
PROGRAMS = f"two programs with {batches.BATCH} battles each, to one program: what the machine gives"
CLONE = "clone"
FIRST_ON = "first whole battle, empty cache, on {} cores (computed from compile times)"
# Units of the yardstick's work a second on the reference machine, for which floors and aims hold. With this number the
# core of commit 236254bf reaches 21,400 decisions a second, as it did on two hosts (docs/performance.md).
REFERENCE = 45_000.0
BATTLES = 32  # battles of a round: with fewer, one long battle changes the rate too much
DRAWS = 50  # draws of a random battle that are loaded after the first
UNITS_A_DRAW = 50  # units of the yardstick's work beside each of them
LOAD_AIM = 5.0  # milliseconds
REFERENCE_IMPORT = 0.25  # seconds that the reference machine takes to import numpy, numba, pydantic and gymnasium
# Row: unit, floor, aim. Rates and ratios must be at least this, times at most. Infinity: the row has no goal.
GOALS: dict[str, tuple[str, float, float]] = {
    CORE: (RATE, 20_000, 50_000),
    VECTOR: (RATE, 12_000, 30_000),
    ENTITIES: (RATE, math.inf, math.inf),
    RAW: (RATE, 8_000, 20_000),
    WRAPPED: (RATE, math.inf, math.inf),
    SINGLE: (RATE, math.inf, math.inf),
    BATCHED: (RATE, 12_000, 30_000),
    PROCESSES: (TIMES, 1.8, 2.0),
    PROGRAMS: (TIMES, math.inf, math.inf),
    CLONE: (MICROSECONDS, 10, 3),
    "first decision after import, kernels cached": (SECONDS, 3, 1),
    "first decision after import, empty cache": (SECONDS, math.inf, math.inf),  # until its kernels are compiled
    "first whole battle, empty cache": (SECONDS, math.inf, math.inf),
    FIRST_ON.format(2): (SECONDS, 75, 30),
    FIRST_ON.format(8): (SECONDS, 25, 10),
}
# Battles with goals of their own: (floor, aim) by row. A row that is not named has no goal in that battle.
GOALS_OF: dict[str, dict[str, tuple[float, float]]] = {
    # 1,000 points a side with heroes, shooting and every kind of troops
    "wap/open-heroes": {CORE: (15_000, 30_000), VECTOR: (12_000, 20_000), CLONE: (6, 3)},
    # two wizards a side, of 1,000 points and of 2,000
    "wap/open-wizards": {CORE: (18_000, 30_000)},
    "wap/grand-wizards": {CORE: (10_000, 20_000)},
}
MORE_IS_BETTER = (RATE, TIMES)
LIBRARIES = """
import time
began = time.perf_counter()
import numpy, numba, pydantic, gymnasium
print(time.perf_counter() - began)
"""
IMPORT = "import time, wh_env; print(time.process_time())"
FIRST = """
import sys, time
began = time.perf_counter()
from wh_env import Battle, ContentError
battle = Battle.load(sys.argv[1], 1)
battle.apply(battle.first_legal())
print(time.perf_counter() - began)
if len(sys.argv) > 2:
    from wh_env.agents.match import play_battle
    from wh_env.agents.policies import RandomPolicy
    play_battle(battle, [RandomPolicy(1), RandomPolicy(2)])
print(time.perf_counter() - began)
print(time.process_time())
"""


@dataclass
class Row:
    """One measured number beside its goals.

    ``measured``: on this machine. ``reference``: what the reference machine would reach; it is compared with
    ``floor`` and ``aim``. All four are in ``unit``.
    """

    name: str
    unit: str
    floor: float
    aim: float
    measured: float
    reference: float

    @property
    def passed(self) -> bool:
        """True if ``reference`` reaches the floor, or if there is no floor."""
        return math.isinf(self.floor) or self._reaches(self.floor)

    @property
    def aimed(self) -> bool:
        """True if ``reference`` reaches the aim, or if there is no aim."""
        return math.isinf(self.aim) or self._reaches(self.aim)

    def _reaches(self, goal: float) -> bool:
        return self.reference >= goal if self.unit in MORE_IS_BETTER else self.reference <= goal


def row(battle: str, name: str, measured: float, reference: float | None = None) -> Row:
    """A measurement with the goals that the battle ``battle`` has for the row ``name``.

    Without ``reference`` the number is taken to be the same on every machine.
    """
    unit, floor, aim = GOALS[name]
    if battle in GOALS_OF:
        floor, aim = GOALS_OF[battle].get(name, (math.inf, math.inf))
    return Row(name, unit, floor, aim, measured, measured if reference is None else reference)


# ---- what is measured


def first_decision(name: str, cache: str | None = None) -> list[float]:
    """Load a battle in a new process and answer its first decision.

    Args:
        name: name or file of the battle.
        cache: an empty folder for compiled kernels; the battle is then played to its end, at random. None: use this
            machine's cache and stop after the first decision.

    Returns:
        Seconds from the start of the import to the answer; seconds to the end of what was played; processor seconds
        of the process.
    """
    environment = {**os.environ, "WH_ENV_CACHE": cache} if cache else dict(os.environ)
    return timed([FIRST, name, *(["whole"] if cache else [])], environment)


def cold_rows(name: str) -> tuple[list[Row], str]:
    """Measure a first battle with an empty kernel cache.

    The rows for 2 and 8 cores are computed, because other programs use the cores of this machine. They are the
    processor time of the process that plays, plus the time that a process needs to start, plus the time that so
    many cores need for the measured compile times.

    Returns:
        Two rows by the clock and two computed rows; and a sentence about what was compiled.
    """
    with tempfile.TemporaryDirectory() as cache:
        began = os.times()
        first, whole, own = first_decision(name, cache)
        ended = os.times()
        plan = Plan(marked(Path(cache) / "wh_env"))
    start = timed([IMPORT], dict(os.environ))[0]
    rows = [
        row(name, "first decision after import, empty cache", first),
        row(name, "first whole battle, empty cache", whole),
    ]
    rows += [row(name, FIRST_ON.format(count), own + start + plan.lasts(count)) for count in (2, 8)]
    spent = ended.children_user + ended.children_system - began.children_user - began.children_system
    return (
        rows,
        f"empty cache: {plan.in_words()}; {spent:.1f} s of processor time in total, "
        f"{own:.1f} s of it in the process that plays the battle",
    )


def timed(program: list[str], environment: dict[str, str]) -> list[float]:
    """Run a short Python program (its code and arguments) and return the seconds that it prints."""
    command = [sys.executable, "-c", *program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def first_decision_row(name: str) -> Row:
    """Time to the first decision with cached kernels, measured three times in turns with an import of libraries.

    The middle time is kept. The reference is its ratio to the middle import time, times ``REFERENCE_IMPORT``.
    """
    first_decision(name)  # compiles what is not in the cache yet
    measured, imports = [], []
    for _ in range(3):
        measured.append(first_decision(name)[0])
        imports += timed([LIBRARIES], dict(os.environ))
    middle = float(np.median(measured))
    return row(
        name,
        "first decision after import, kernels cached",
        middle,
        middle / float(np.median(imports)) * REFERENCE_IMPORT,
    )


def loading_rows(ruleset: str) -> list[Row]:
    """The mean time to load a draw of each random battle of a ruleset after its first one: the draws of the seeds 1 to
    ``DRAWS``, in turns with the yardstick.
    """
    yardstick, rows = Yardstick(), list[Row]()
    for name in filter(is_drawn_anew, names("battles", ruleset)):
        Battle.load(f"{name}?seed=0", 0)
        own = beside = 0.0
        for seed in range(1, DRAWS + 1):
            began = time.process_time()
            yardstick.work(UNITS_A_DRAW)
            middle = time.process_time()
            Battle.load(f"{name}?seed={seed}", 0)
            own, beside = own + time.process_time() - middle, beside + middle - began
        mean = own / DRAWS * 1e3
        units_a_second = DRAWS * UNITS_A_DRAW / beside
        told = f"{name}, another draw loaded (seeds 1 to {DRAWS})"
        rows.append(Row(told, MILLISECONDS, math.inf, LOAD_AIM, mean, mean * units_a_second / REFERENCE))
    return rows


def profile(name: str, seconds: float, count: int) -> list[dict[str, Any]]:
    """Measure the time of `apply` by kind of decision; that includes the mask of the decision that follows.

    Whole rounds of ``count`` battles are played until ``seconds`` of processor time have passed.
    """
    counts: dict[str, int] = {}
    times: dict[str, float] = {}
    worst: dict[str, float] = {}
    setup = Battle.load(name, 0).setup
    for _ in play.core(name, count)():  # loads the kernels
        pass
    began = time.process_time()
    while not counts or time.process_time() - began < seconds:
        for battle, policy in play.battles(setup, count):
            kinds, clock = setup.ruleset.kinds, battle.clock
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


def measure(name: str, seconds: float, count: int) -> dict[str, Row]:
    """All rates of one battle and the time of a copy, by row; ``count`` is the number of battles of a round."""
    yardstick = Yardstick()
    rates = {
        CORE: play.core(name, count),
        VECTOR: play.observed(name, count, "vector"),
        ENTITIES: play.observed(name, count, "entities"),
        RAW: play.aec(name, count),
        WRAPPED: play.aec(name, count, wrapped=True),
        SINGLE: play.single(name, count),
        BATCHED: batches.batched(name, count),
    }
    rows = {}
    for key, speed in speeds_of(rates, seconds, yardstick).items():
        rows[key] = row(name, key, speed.rate, speed.ratio * REFERENCE)
    gains = batches.gains(name, 4 * seconds, min(batches.HALF, batches.STEPS_A_BATTLE * count))
    rows[PROCESSES] = row(name, PROCESSES, gains.processes, gains.processes / gains.programs * CORES)
    rows[PROGRAMS] = row(name, PROGRAMS, gains.programs)
    copies = speed_of(play.clones(name), min(seconds, 1.0), yardstick)
    rows[CLONE] = row(name, CLONE, 1e6 / copies.rate, 1e6 / (copies.ratio * REFERENCE))
    return rows


# ---- the machine and the words


def machine() -> dict[str, Any]:
    """The processor, its load and the versions of Python, numpy and wh_env."""
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


def goals_table(rows: list[Row], beside: dict[str, dict[str, Row]]) -> Table:
    """The measurements as a table.

    Args:
        rows: the rows of the battle that has goals.
        beside: rows of other battles by battle; each battle gets a column with its reference figures.
    """
    table = Table("", "floor", "aim", "here", "reference", "", *beside)
    for r in rows:
        others = [words(figures[r.name].reference, r.unit) if r.name in figures else "" for figures in beside.values()]
        verdict = (
            "" if math.isinf(r.floor) else "aim reached" if r.aimed else "above floor" if r.passed else "UNDER FLOOR"
        )
        figures = (r.floor, r.aim, r.measured, r.reference)
        table.add_row(r.name, *(words(figure, r.unit) for figure in figures), verdict, *others)
    return table


def peers_table(rates: dict[str, float], own: float) -> Table:
    """Rates of other environments, as decisions a second, and how many times as fast ours (``own``) is."""
    table = Table("PettingZoo, random legal play", "reference", "AEC raw_env to this")
    for name, measured in rates.items():
        table.add_row(name, words(measured, RATE), f"{own / measured:.2f} times")
    return table


def profile_table(entries: list[dict[str, Any]]) -> Table:
    """The entries of `profile` as a table."""
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


def compare(seconds: float) -> dict[str, float]:
    """Rates of PettingZoo's games on the reference machine, by game.

    Where PettingZoo's games are not installed, the reason is printed and the result is empty.
    """
    try:
        yardstick = Yardstick()
        return {game: speed_of(begin, seconds, yardstick).ratio * REFERENCE for game, begin in peers().items()}
    except ImportError as error:
        typer.echo(f"PettingZoo's games are left out: {error}", err=True)
        return {}


def main(
    battle: Annotated[
        str | None, typer.Option(help="Battle to play: a name or a file. Default: the ruleset's default battle.")
    ] = None,
    ruleset: Annotated[
        str, typer.Option(help="Ruleset whose default battle is played if --battle is not given.")
    ] = "w10",
    beside: Annotated[
        list[str] | None, typer.Option(help="Measure this battle too, without goals; may be repeated.")
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(min=0.01, max=3600, help="Seconds to measure each row; a round that has begun is finished."),
    ] = 5.0,
    battles: Annotated[
        int,
        typer.Option(
            min=1,
            help="Battles of a round, always the same ones. Compare figures only if this number was the same.",
        ),
    ] = BATTLES,
    cold: Annotated[
        bool, typer.Option("--cold", help="Also measure the first battle with an empty kernel cache (a minute).")
    ] = False,
    loading: Annotated[
        bool,
        typer.Option("--loading", help="Also measure how long draws of random battles take to load."),
    ] = False,
    rates: Annotated[bool, typer.Option(help="Measure rates. Without them only the first battle is timed.")] = True,
    peers: Annotated[bool, typer.Option(help="Also play chess and Connect Four of PettingZoo (extra `bench`).")] = True,
    profile_: Annotated[bool, typer.Option("--profile", help="Show the time of each kind of decision.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit 1 if a row does not reach its floor.")] = False,
) -> None:
    """Measure the speed of random legal play on one core, at squad detail.

    Example: benchmark.py --seconds 3 --profile --beside w10/only-war-strike-force
    """
    try:
        battle = battle or registry.environment(ruleset).battle
        for name in (battle, *(beside or [])):
            Battle.load(name, 0)
    except ContentError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from error
    rows = [*(measure(battle, seconds, battles).values() if rates else ()), first_decision_row(battle)]
    if cold:
        first_battle_rows, compiled_sentence = cold_rows(battle)
        rows += first_battle_rows
    if loading:
        rows += loading_rows(play.ruleset_of(battle))
    others = {name: measure(name, seconds, battles) for name in beside or []}
    entries = profile(battle, seconds, battles) if profile_ else []
    compared = compare(seconds) if peers and rates else {}
    if json_:
        rows_as_json = [{**asdict(r), "passed": r.passed, "aimed": r.aimed} for r in rows]
        for entry in rows_as_json:  # JSON has no infinity
            entry.update({goal: None for goal in ("floor", "aim") if math.isinf(entry[goal])})
        report = {
            "machine": machine(),
            "battle": battle,
            "rows": rows_as_json,
            "beside": {name: [asdict(r) for r in figures.values()] for name, figures in others.items()},
            "peers": compared,
            "profile": entries,
        }
        typer.echo(json.dumps(report, indent=1))
    else:
        console = Console()
        host = machine()
        console.print(f"{host['cpu']}, {host['cores']} cores (load {host['load']}), Python {host['python']}, {battle}")
        console.print(goals_table(rows, others))
        if cold:
            console.print(compiled_sentence)
        if compared:
            console.print(peers_table(compared, next(r.reference for r in rows if r.name == RAW)))
        if entries:
            console.print(profile_table(entries))
    if check and not all(r.passed for r in rows):
        raise typer.Exit(1)


if __name__ == "__main__":
    run(main)
