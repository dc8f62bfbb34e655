"""Find changes of rules code that no rule test notices: seeded mutants and their survivors."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

PROJECT = Path(__file__).resolve().parent.parent
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))

from scripts.mutation import judged as judgements  # noqa: E402
from scripts.mutation.judged import Judged, JudgedError  # noqa: E402
from scripts.mutation.sites import Mutant, mutants_of, signatures  # noqa: E402
from wh_env.agents.programs import BAD_INPUT, INTERRUPTED, fail  # noqa: E402
from wh_env.agents.programs import run as run_program  # noqa: E402

RULES = "wh_env/rulesets"
LIST = "tests/mutants/equivalent.yaml"
# Files that carry out no rule: views, estimates, audits, checks of states, layouts of tables and lists. --paths may
# name any file.
NO_RULES = (
    "observe", "appraise", "audit", "odds", "ruleset", "__init__", "validity", "kept", "workspace", "classes", "tables",
    "rule_ids", "event_fields",
)  # fmt: skip
VIEWS = "view"  # name of folders with views
SURVIVED = "survived"
RESULTS = "results.jsonl"  # file in the folder of a run


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    Attributes:
        mutant: the mutant.
        result: killed, timeout or survived.
        by: the test that noticed it, or the reason why none could.
        tests: number of tests that ran.
        seconds: duration.
    """

    mutant: Mutant
    result: str
    by: str
    tests: int
    seconds: float

    @property
    def survived(self) -> bool:
        """Whether no test noticed it."""
        return self.result == SURVIVED


class WarmError(Exception):
    """The tests could not be run."""


# ---------------------------------------------------------------- choosing mutants


def rule_files(root: Path, paths: list[str], ruleset: str | None) -> tuple[list[Path], dict[Path, set[int]]]:
    """The files to mutate: named files, and all files with rules in named folders.

    Returns:
        The files, and for files of which only some lines are wanted, these lines.

    Raises:
        JudgedError: a path does not exist, or no file is left.
    """
    places = paths or (played_by(root, ruleset) if ruleset else [RULES])
    files: list[Path] = []
    lines: dict[Path, set[int]] = {}
    for place in places:
        name, _, line = place.partition(":")
        path = (root / name).resolve()
        if path.is_file():
            files.append(path)
            if line.isdigit():
                lines.setdefault(path, set()).add(int(line))
        elif path.is_dir():
            of_path = [file for file in sorted(path.rglob("*.py")) if VIEWS not in file.relative_to(path).parts]
            files += [file for file in of_path if not file.stem.startswith(NO_RULES)]
        else:
            raise JudgedError(f"--paths: {place!r} is neither a file nor a folder of {root}")
    if not files:
        raise JudgedError(f"--paths: no Python files in {', '.join(places)}")
    return list(dict.fromkeys(files)), lines


def played_by(root: Path, ruleset: str) -> list[str]:
    """The folder of a ruleset, and the folders of other rulesets that it imports from."""
    folder = root / RULES / ruleset
    names = {ruleset}
    for file in sorted(folder.rglob("*.py")):
        names.update(re.findall(r"^\s*from wh_env\.rulesets\.(\w+)", file.read_text(encoding="utf-8"), re.MULTILINE))
    return [f"{RULES}/{name}" for name in sorted(names)]


def draw_mutants(mutants: list[Mutant], seed: int, count: int) -> list[Mutant]:
    """Draw ``count`` mutants (0: all) in an order given by the seed, so that any beginning of a run is a fair
    sample.

    The place of a mutant in that order depends only on its change: after edits elsewhere, or after moving
    files, the same mutants are drawn.
    """
    alike: Counter[tuple[str, str, str]] = Counter()
    order: list[tuple[bytes, Mutant]] = []
    for mutant in mutants:
        change = (mutant.function, mutant.before, mutant.after)
        text = json.dumps([seed, *change, alike[change]])
        alike[change] += 1
        order.append((sha256(text.encode()).digest(), mutant))
    order.sort(key=lambda item: item[0])
    return [mutant for _, mutant in order[: count or None]]


def test_files(root: Path) -> list[str]:
    """Files with tests that show rules."""
    files = sorted((root / "tests").rglob("test_*.py"))
    return [
        file.relative_to(root).as_posix()
        for file in files
        if "rules" in file.relative_to(root).parts or "mark.rule" in file.read_text(encoding="utf-8")
    ]


# ---------------------------------------------------------------- running


def run(job: dict[str, Any], folder: Path) -> Iterator[dict[str, Any]]:
    """Start the process that runs the tests and yield its messages.

    Raises:
        WarmError: it ended before its work was done.
    """
    reading, writing = os.pipe()
    path = folder / "job.json"
    path.write_text(json.dumps({**job, "out": writing, "log": str(folder / "tests.log")}), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "scripts.mutation.warm", str(path)]
    process = subprocess.Popen(command, cwd=PROJECT, env=environment, pass_fds=[writing], start_new_session=True)
    os.close(writing)
    try:
        with os.fdopen(reading, encoding="utf-8") as lines:
            for line in lines:
                message = json.loads(line)
                if "error" in message:
                    raise WarmError(message["error"])
                yield message
        if process.wait() != 0:
            raise WarmError(f"the tests ended with exit status {process.returncode}; see {folder / 'tests.log'}")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, 9)
            process.wait()


def try_all(
    job: dict[str, Any], folder: Path, untested: list[Mutant], outcomes: list[Outcome], failing: list[str], quiet: bool
) -> None:
    """Try the mutants in ``untested`` with a progress bar.

    Args:
        job: settings for the process that runs the tests.
        folder: folder of the run; results are written to it at once.
        untested: mutants to try.
        outcomes: receives the outcomes.
        failing: receives the tests that fail without any change.
        quiet: show no bar.

    Raises:
        WarmError: the tests could not be run.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar,
        (folder / RESULTS).open("w", encoding="utf-8") as file,
    ):
        file.writelines(json.dumps(asdict(outcome)) + "\n" for outcome in outcomes)
        first = bar.add_task("tests, unchanged", total=None)
        then = bar.add_task("mutants", total=len(outcomes) + len(untested), completed=len(outcomes))
        for message in run(job, folder):
            if "recorded" in message:
                bar.update(first, total=message["tests"], completed=message["recorded"])
            elif "failing" in message:
                failing[:] = message["failing"]
            else:
                message["mutant"] = untested[message["mutant"]]
                outcome = Outcome(**message)
                outcomes.append(outcome)
                file.write(json.dumps(asdict(outcome)) + "\n")
                file.flush()
                survived = sum(o.survived for o in outcomes)
                bar.update(then, advance=1, description=f"mutants ({survived} survive)")


def read_results(path: Path, mutants: list[Mutant]) -> list[Outcome]:
    """Outcomes of these mutants in the file of an earlier run; an incomplete line is left out."""
    known = set(mutants)
    outcomes: dict[Mutant, Outcome] = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                data = json.loads(line)
                mutant = Mutant(**data.pop("mutant"))
                if mutant in known:
                    outcomes[mutant] = Outcome(mutant, **data)
            except (ValueError, TypeError, KeyError):
                continue
    return list(outcomes.values())


# ---------------------------------------------------------------- output


@dataclass
class Count:
    """Counts of the mutants of one module."""

    mutants: int = 0
    killed: int = 0
    survived: int = 0
    equivalent: int = 0

    @property
    def percent(self) -> float:
        """The share of killed mutants among those not judged equivalent, in percent, rounded down."""
        real = self.mutants - self.equivalent
        return self.killed * 1000 // real / 10 if real else 100.0


def counts(outcomes: list[Outcome], list_: Judged) -> dict[str, Count]:
    """Counts by file."""
    by_file: dict[str, Count] = {}
    for outcome in outcomes:
        count = by_file.setdefault(outcome.mutant.file, Count())
        count.mutants += 1
        if not outcome.survived:
            count.killed += 1
        elif list_.reason(outcome.mutant) is None:
            count.survived += 1
        else:
            count.equivalent += 1
    return by_file


def total_of(parts: dict[str, Count]) -> Count:
    """Counts over all files."""
    total = Count()
    for count in parts.values():
        total.mutants += count.mutants
        total.killed += count.killed
        total.survived += count.survived
        total.equivalent += count.equivalent
    return total


def table_of(parts: dict[str, Count]) -> Table:
    """A table with one row a file."""
    total = total_of(parts)
    table = Table(title="Mutants killed by rule tests", show_footer=True)
    table.add_column("module", "all", no_wrap=True)
    for name in ("mutants", "killed", "survived", "equivalent"):
        table.add_column(name, str(getattr(total, name)), justify="right")
    table.add_column("%", f"{total.percent:.1f}", justify="right")
    for file, count in sorted(parts.items()):
        row = [str(number) for number in asdict(count).values()]
        table.add_row(file, *row, f"{count.percent:.1f}", style="yellow" if count.survived else None)
    return table


def tell(
    outcomes: list[Outcome], list_: Judged, stale: list[judgements.Key], failing: list[str], as_json: bool
) -> None:
    """Print the result."""
    parts = counts(outcomes, list_)
    left = [outcome for outcome in outcomes if outcome.survived and list_.reason(outcome.mutant) is None]
    if as_json:
        document = {
            "score": total_of(parts).percent,
            "total": asdict(total_of(parts)),
            "modules": {file: {**asdict(count), "percent": count.percent} for file, count in sorted(parts.items())},
            "survivors": [{**asdict(o.mutant), "by": o.by, "tests": o.tests} for o in left],
            "timeouts": sum(outcome.result == "timeout" for outcome in outcomes),
            "stale": [dict(zip(judgements.FIELDS, key, strict=False)) for key in stale],
            "failing": failing,
        }
        typer.echo(json.dumps(document, indent=1))
        return
    Console().print(table_of(parts))
    for outcome in left:
        mutant = outcome.mutant
        by = outcome.by or f"{outcome.tests} tests"
        typer.echo(f"{mutant.where} {mutant.function} ({mutant.way}; {by})\n  - {mutant.before}\n  + {mutant.after}")
    for key in stale:
        typer.echo(f"stale: {key[0]} {key[1]}: {key[2]!r} to {key[3]!r} is no mutant any more")
    for test in failing:
        typer.echo(f"fails without any change, left out: {test}")


def verdict(outcomes: list[Outcome], list_: Judged, failing: list[str], at_least: float) -> int:
    """The exit code: 2 if nothing could be tried, 1 if a smaller share was killed than wanted, else 0."""
    if failing and not outcomes:
        return BAD_INPUT
    return int(total_of(counts(outcomes, list_)).percent < at_least)


# ---------------------------------------------------------------- the program


def main(
    seed: Annotated[int, typer.Option(help="Seed of the order of mutants.")] = 0,
    count: Annotated[int, typer.Option(min=0, help="Number of mutants; 0: all.")] = 200,
    paths: Annotated[
        list[str] | None,
        typer.Option(help=f"A folder, a file or a line of it (file:12) to mutate; may be repeated. Default: {RULES}."),
    ] = None,
    ruleset: Annotated[
        str | None,
        typer.Option(help="Only tests of this ruleset; without --paths only its code and the code it shares."),
    ] = None,
    at_least: Annotated[float, typer.Option(help="Exit 1 if a smaller share is killed, in percent.")] = 95.0,
    tests: Annotated[
        list[str] | None, typer.Option(help="Only these test files; may be repeated. Default: all that show rules.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Number of mutants tried at the same time.")] = 2,
    patience: Annotated[
        float, typer.Option(min=0.1, help="Processor seconds that a test may take beyond ten times its usual time.")
    ] = 10.0,
    out: Annotated[Path | None, typer.Option(help="Folder for results and for the log of the tests.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Do not repeat mutants with results in --out.")] = False,
    equivalent: Annotated[
        Path | None, typer.Option(help=f"List of mutants judged equivalent. Default: {LIST}.")
    ] = None,
    root: Annotated[Path, typer.Option(help="The project, with tests/.", show_default="this project")] = PROJECT,
    list_only: Annotated[bool, typer.Option("--list", help="Print the mutants and try none.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Change rules code in small ways and list the changes that no rule test notices.

    A mutant is killed if a test that reaches the changed line fails or takes far too long. Mutants that change no rule
    are listed with reasons. Exits 1 below --at-least, and 2 if nothing can be run. Ctrl-C reports the mutants tried so
    far; with --out and --resume the same command continues from there.

    Example: mutants.py --seed 2 --count 200 --out out/mutants
    """
    root = root.resolve()
    try:
        if resume and out is None:
            raise JudgedError("--resume: nothing to go on from; expected --out beside it")
        files, lines = rule_files(root, paths or [], ruleset)
        # watch all rules code, whatever is mutated, so that one record of the tests serves all runs
        rules = rule_files(root, [], None)[0] if (root / RULES).is_dir() else []
        watched = sorted({*files, *rules})
        known = signatures(watched)
        everything = [mutant for file in files for mutant in mutants_of(root, file, known)]
        list_ = judgements.read(equivalent or root / LIST)
    except (JudgedError, SyntaxError, OSError) as error:
        fail(error)
    stale = list_.stale(everything, [file.relative_to(root).as_posix() for file in files])
    meant = {path.relative_to(root).as_posix(): numbers for path, numbers in lines.items()}
    chosen = draw_mutants([m for m in everything if m.line in meant.get(m.file, (m.line,))], seed, count)
    if list_only:
        for mutant in chosen:
            typer.echo(f"{mutant.where} {mutant.function} ({mutant.way})\n  - {mutant.before}\n  + {mutant.after}")
        return
    folder = out or root / "out" / "mutants"
    (root / "out").mkdir(exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    outcomes = read_results(folder / RESULTS, chosen) if resume else []
    tested = {outcome.mutant for outcome in outcomes}
    left = [mutant for mutant in chosen if mutant not in tested]
    failing, interrupted = list[str](), False
    if left:
        job = {
            "root": str(root), "tests": tests or test_files(root),
            "files": [file.relative_to(root).as_posix() for file in watched], "jobs": jobs, "ruleset": ruleset,
            "record": str(root / "out" / "mutants-record.json"), "patience": patience,
            "mutants": [asdict(mutant) for mutant in left],
        }  # fmt: skip
        try:
            try_all(job, folder, left, outcomes, failing, quiet=json_)
        except WarmError as error:
            fail(error)
        except KeyboardInterrupt:
            interrupted = True
    outcomes.sort(key=lambda outcome: (outcome.mutant.file, outcome.mutant.start))
    tell(outcomes, list_, stale, failing, json_)
    if status := INTERRUPTED if interrupted else verdict(outcomes, list_, failing, at_least):
        raise typer.Exit(status)


if __name__ == "__main__":
    run_program(main)
