"""Feed mutated inputs of every kind to their readers: each must raise one documented error or be played."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from wh_env.agents.fuzzing.run import SOURCES, VERDICTS, Tally, input_of, places_of, source
from wh_env.agents.fuzzing.run import run as feed
from wh_env.agents.programs import INTERRUPTED, MOST_SEED, fail, run, writable_folder

SEVERAL = ("--kinds",)
SHOWN = 20  # greatest number of printed findings; all are stored


def main(
    inputs: Annotated[int, typer.Option(min=1, help="Number of inputs; the kinds take turns.")] = 1000,
    seed: Annotated[
        int, typer.Option(min=0, max=MOST_SEED, help="Seed; every input follows from it, its kind and its number.")
    ] = 0,
    first: Annotated[int, typer.Option(min=0, help="Number of the first input.")] = 0,
    kinds: Annotated[list[str] | None, typer.Option(help="Only these kinds. Default: all.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Child processes. Default: all cores.")] = os.cpu_count() or 1,
    seconds: Annotated[
        float, typer.Option(min=1, help="Greatest time for one input, including kernels that it must compile.")
    ] = 120.0,
    memory: Annotated[int, typer.Option(min=256, help="MiB that a child may use beyond those at its start.")] = 4096,
    out: Annotated[Path, typer.Option(help="Folder for inputs that caused a fault.")] = Path("out/fuzz"),
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Feed mutated inputs to the readers of the library; count clean errors, valid inputs, foreign exceptions, crashes
    and hangs.

    Exits 1 if there is any of the last three. Such an input is stored as KIND-SEED-NUMBER.bin, with details in
    KIND-SEED-NUMBER.txt. Ctrl-C prints the result so far (exit code 130).

    Example: fuzz.py --inputs 10000 --seed 1 --kinds content tactics
    """
    known = [source(place).name for place in SOURCES]
    for kind in kinds or ():
        if kind not in known:
            fail(f"--kinds: {kind!r} is not known; expected some of {', '.join(known)}")
    writable_folder(out, "--out")
    places, tally, interrupted = places_of(kinds or ()), Tally(), False
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet or json_) as bar:
        task = bar.add_task("starting", total=inputs)
        stored = 0

        def tell(tally: Tally) -> None:
            nonlocal stored
            for finding in tally.findings[stored:]:
                place = places[finding.number % len(places)]
                store_input(out, place, seed, finding.number, finding.verdict, finding.details)
            stored = len(tally.findings)
            bar.update(task, completed=tally.inputs, description=f"{stored} found")

        try:
            feed(
                places,
                inputs,
                seed,
                first=first,
                workers=workers,
                seconds=seconds,
                megabytes=memory,
                tell=tell,
                tally=tally,
            )
        except KeyboardInterrupt:
            interrupted = True
        tell(tally)
    show(tally, seed, out, json_)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    if not tally.clean:
        raise typer.Exit(1)


def store_input(out: Path, place: str, seed: int, number: int, verdict: str, details: str) -> None:
    """Store an input that caused a fault, and what is known about it."""
    kind = source(place).name
    file = out / f"{kind}-{seed}-{number}.bin"
    file.write_bytes(input_of(place, seed, number))
    again = f"fuzz.py --kinds {kind} --seed {seed} --first {number} --inputs 1"
    file.with_suffix(".txt").write_text(f"{verdict}\n{details}\n{again}\n", encoding="utf-8", errors="replace")


def show(tally: Tally, seed: int, out: Path, as_json: bool) -> None:
    """Print the counts and the faults."""
    if as_json:
        typer.echo(json.dumps({"seed": seed, "inputs": tally.inputs, **asdict(tally)}, indent=1))
        return
    table = Table("kind", *VERDICTS)
    for kind, row in tally.counts.items():
        table.add_row(kind, *(str(row[verdict]) for verdict in VERDICTS))
    table.add_section()
    table.add_row("all", *(str(sum(row[verdict] for row in tally.counts.values())) for verdict in VERDICTS))
    Console(emoji=False, markup=False).print(table)
    for finding in tally.findings[:SHOWN]:
        last = (finding.details.strip().splitlines() or [""])[-1]
        typer.echo(f"{finding.kind} {finding.number}: {finding.verdict}: {last[:200]}")
    if tally.findings:
        typer.echo(f"{len(tally.findings)} inputs are kept in {out}")


if __name__ == "__main__":
    run(main, SEVERAL)
