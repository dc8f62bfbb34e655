"""How many decisions a second: floors, aims and what this machine reaches.

Rates are decisions by second of processor time of one core, in rounds of the same battles. As hosts are shared and differ, each row is
measured in turns with a fixed piece of work (``wh_env.agents.speed.yardstick``), and floors and aims are judged by that ratio: by what a
quiet reference machine, which does ``REFERENCE`` units of the work a second, would reach.
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
from wh_env.content.warming import marked
from wh_env.core.kernel_plan import Plan
from wh_env.core.sealed import engine_version
from wh_env.envs import registry

RATE, MICROSECONDS, SECONDS, TIMES = "/s", "µs", "s", "times"
CORE, VECTOR, ENTITIES = "core API, masks included", "+ observation", "+ observation as entities"
RAW, WRAPPED, SINGLE = "AEC raw_env", "AEC env", "Gymnasium view, opponent random"
BATCHED = f"batch of {batches.BATCH}, observations and masks"
PROCESSES = f"two processes with two times {batches.BATCH} each, as they finish, to one (by the clock)"
CORES = 2.0  # that the reference machine has free: what two programs gain there
PROGRAMS = f"two programs with {batches.BATCH} each, to one: what the machine gives"
CLONE = "clone"
FIRST_ON = "first whole battle, empty cache, {} cores by the times of its kernels"
# Units of the yardstick a second on the machine that floors and aims are meant for: what makes the core of 236254bf reach 21,400 decisions
# a second, as it did on two hosts before (docs/performance.md).
REFERENCE = 45_000.0
BATTLES = 32  # of a round: with fewer, those that happen to be among them count too much
REFERENCE_IMPORT = 0.25  # seconds that it takes to import the libraries that everybody needs
# row: unit, floor, aim (rates and ratios: at least; times: at most); without either for information
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
    "first decision after import, empty cache": (SECONDS, math.inf, math.inf),  # it waits for the kernels of the battle
    "first whole battle, empty cache": (SECONDS, math.inf, math.inf),
    FIRST_ON.format(2): (SECONDS, 75, 30),
    FIRST_ON.format(8): (SECONDS, 25, 10),
}
# Battles that are meant to reach other figures than the rest; a row that is not named has no goal there.
GOALS_OF: dict[str, dict[str, tuple[float, float]]] = {
    # 1,000 points a side with heroes, shooting and every kind of troops
    "wap/open-heroes": {CORE: (15_000, 30_000), VECTOR: (12_000, 20_000), CLONE: (6, 3)},
}
MORE_IS_BETTER = (RATE, TIMES)
LIBRARIES = "import time; began = time.perf_counter(); import numpy, numba, pydantic, gymnasium; print(time.perf_counter() - began)"
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
    """One measurement: ``measured`` here, ``reference`` as the reference machine would have it, which is judged."""

    name: str
    unit: str
    floor: float
    aim: float
    measured: float
    reference: float

    @property
    def passed(self) -> bool:
        """Whether the floor is reached."""
        return math.isinf(self.floor) or self._reaches(self.floor)

    @property
    def aimed(self) -> bool:
        """Whether the aim is reached."""
        return math.isinf(self.aim) or self._reaches(self.aim)

    def _reaches(self, goal: float) -> bool:
        return self.reference >= goal if self.unit in MORE_IS_BETTER else self.reference <= goal


def row(battle: str, name: str, measured: float, reference: float | None = None) -> Row:
    """A measurement beside the goals of that battle; without ``reference`` it is the same everywhere."""
    unit, floor, aim = GOALS[name]
    if battle in GOALS_OF:
        floor, aim = GOALS_OF[battle].get(name, (math.inf, math.inf))
    return Row(name, unit, floor, aim, measured, measured if reference is None else reference)


# ---- what is measured


def first_decision(name: str, cache: str | None = None) -> list[float]:
    """Seconds from the start of the import to the first decision answered, in a process of its own.

    With ``cache`` (an empty folder for kernels) then to the end of a whole battle; last the processor time of that process.
    """
    environment = {**os.environ, "WH_ENV_CACHE": cache} if cache else dict(os.environ)
    return timed([FIRST, name, *(["whole"] if cache else [])], environment)


def cold_rows(name: str) -> tuple[list[Row], str]:
    """What a first battle takes with an empty cache, by the clock and by the times of its kernels; and what was compiled beforehand, in words.

    On so many cores it takes what its own process takes, the start of those that compile, and the plan of kernels by the times that were
    measured: cores that others use make the clock worth little.
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
        f"empty cache: {plan.in_words()}; all in all {spent:.1f} s of processor time, {own:.1f} s of it where the battle is played",
    )


def timed(program: list[str], environment: dict[str, str]) -> list[float]:
    """The numbers that a short program prints, each of them seconds."""
    command = [sys.executable, "-c", *program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def first_decision_row(name: str) -> Row:
    """The first decision with cached kernels, in turns with importing libraries; the middle one of three."""
    first_decision(name)  # whatever was not compiled yet is now
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


def profile(name: str, seconds: float, count: int) -> list[dict[str, Any]]:
    """Time per kind of decision: applying an answer to it, the mask of the next decision included; whole rounds of ``count`` battles."""
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
    """What one battle reaches, by row: rates and the time of a copy; ``count``: battles of a round."""
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


def goals_table(rows: list[Row], beside: dict[str, dict[str, Row]]) -> Table:
    """The measurements as a table; in columns of their own what other battles reach, on the reference machine too."""
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
    """Other environments beside ours."""
    table = Table("PettingZoo, random legal play", "reference", "AEC raw_env to this")
    for name, measured in rates.items():
        table.add_row(name, words(measured, RATE), f"{own / measured:.2f} times")
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


def compare(seconds: float) -> dict[str, float]:
    """Rates of the games of PettingZoo as the reference machine would have them; none, with a word why, where they are not
    installed."""
    try:
        yardstick = Yardstick()
        return {game: speed_of(begin, seconds, yardstick).ratio * REFERENCE for game, begin in peers().items()}
    except ImportError as error:
        typer.echo(f"PettingZoo's games are left out: {error}", err=True)
        return {}


def main(
    battle: Annotated[str | None, typer.Option(help="Battle that is played. Default: the ruleset's.")] = None,
    ruleset: Annotated[str, typer.Option(help="Whose battle that is, if none is named.")] = "w10",
    beside: Annotated[
        list[str] | None, typer.Option(help="Measure this battle too, without goals; may be repeated.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=3600, help="How long each row is measured, in whole rounds; at least one.")
    ] = 5.0,
    battles: Annotated[
        int,
        typer.Option(
            min=1,
            help="Battles of a round, always the same ones; other numbers of them are other work, so compare figures of one number only.",
        ),
    ] = BATTLES,
    cold: Annotated[
        bool, typer.Option("--cold", help="Also measure the first battle with an empty kernel cache (a minute).")
    ] = False,
    rates: Annotated[bool, typer.Option(help="Measure rates; without them only what a first battle takes.")] = True,
    peers: Annotated[bool, typer.Option(help="Also play chess and Connect Four of PettingZoo (extra `bench`).")] = True,
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
    rows = [*(measure(battle, seconds, battles).values() if rates else ()), first_decision_row(battle)]
    if cold:
        slow, compiled = cold_rows(battle)
        rows += slow
    others = {name: measure(name, seconds, battles) for name in beside or []}
    entries = profile(battle, seconds, battles) if profile_ else []
    compared = compare(seconds) if peers and rates else {}
    if json_:
        told = [{**asdict(r), "passed": r.passed, "aimed": r.aimed} for r in rows]
        for entry in told:  # JSON knows no infinity
            entry.update({goal: None for goal in ("floor", "aim") if math.isinf(entry[goal])})
        found = {
            "machine": machine(),
            "battle": battle,
            "rows": told,
            "beside": {name: [asdict(r) for r in figures.values()] for name, figures in others.items()},
            "peers": compared,
            "profile": entries,
        }
        typer.echo(json.dumps(found, indent=1))
    else:
        console = Console()
        told_machine = machine()
        console.print(
            f"{told_machine['cpu']}, {told_machine['cores']} cores (load {told_machine['load']}), "
            f"Python {told_machine['python']}, {battle}"
        )
        console.print(goals_table(rows, others))
        if cold:
            console.print(compiled)
        if compared:
            console.print(peers_table(compared, next(r.reference for r in rows if r.name == RAW)))
        if entries:
            console.print(profile_table(entries))
    if check and not all(r.passed for r in rows):
        raise typer.Exit(1)


if __name__ == "__main__":
    run(main)
