"""List the rules of the catalogue that are shown by tests which ran and passed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

PROJECT = Path(__file__).resolve().parents[1]
if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))

from scripts.calls.graph import Graph  # noqa: E402
from wh_env import ContentError  # noqa: E402
from wh_env.agents.programs import run  # noqa: E402
from wh_env.content import reading  # noqa: E402

# Files beside the catalogue that contain no rules.
WAIVERS, PARTS, UNCALLED = "waivers.yaml", "parts.yaml", "uncalled.yaml"
# Greatest share of waived rules; with more, "every rule is shown or waived" would mean little.
MAX_WAIVED = 0.03
Results = dict[str, dict[str, list[str]]]


class CatalogueError(Exception):
    """The catalogue, the waivers, the results or the selection cannot be used. The message says why."""


@dataclass
class Count:
    """Counts of the rules of one area."""

    rules: int = 0
    shown: int = 0
    waived: int = 0
    missing: int = 0

    def add(self, state: str) -> None:
        """Count a rule with this state."""
        self.rules += 1
        setattr(self, state, getattr(self, state) + 1)

    @property
    def percent(self) -> float:
        """The share of rules that are shown or waived, in percent, rounded down so that 100 means all."""
        return (self.shown + self.waived) * 1000 // self.rules / 10 if self.rules else 100.0


@dataclass
class Coverage:
    """The coverage of the selected rules.

    Attributes:
        areas, total: counts by area and over all.
        missing: titles of missing rules, by id.
        waived: reasons of waived rules, by id.
        failed: failed tests of rules, by id.
        waived_but_shown: ids of rules that are waived although a test shows them.
        unplayed: tests that reach functions which only tests call, by id.
    """

    areas: dict[str, Count] = field(default_factory=dict)
    total: Count = field(default_factory=Count)
    missing: dict[str, str] = field(default_factory=dict)
    waived: dict[str, str] = field(default_factory=dict)
    failed: dict[str, list[str]] = field(default_factory=dict)
    waived_but_shown: list[str] = field(default_factory=list)
    unplayed: dict[str, list[str]] = field(default_factory=dict)

    def problems(self) -> list[str]:
        """The reasons why `--check` fails; empty if it passes."""
        sentences = []
        if self.missing:
            sentences.append(f"{len(self.missing)} of {self.total.rules} rules are missing")
        if self.failed:
            sentences.append(f"tests of {len(self.failed)} rules failed")
        if self.unplayed:
            sentences.append(f"tests of {len(self.unplayed)} rules lead to functions that only tests call")
        if self.total.waived > MAX_WAIVED * self.total.rules:
            sentences.append(
                f"{self.total.waived} of {self.total.rules} rules are waived, more than {MAX_WAIVED * 100:.0f} %"
            )
        return sentences


def read_yaml(path: Path) -> Any:
    """The content of a YAML file.

    Raises:
        CatalogueError: it cannot be read.
    """
    try:
        return reading.read_yaml(path)
    except ContentError as error:
        raise CatalogueError(str(error)) from error


def read_catalogue(folder: Path) -> dict[str, str]:
    """Titles of all rules by id, in the order of the files.

    Raises:
        CatalogueError: a file is no catalogue, or an id occurs twice.
    """
    titles: dict[str, str] = {}
    for path in sorted(folder.glob("*.yaml")):
        if path.name in (WAIVERS, PARTS, UNCALLED):
            continue
        data = read_yaml(path)
        rules = data.get("rules") if isinstance(data, dict) else None
        if not isinstance(rules, list) or not all(isinstance(r, dict) and {"id", "title"} <= r.keys() for r in rules):
            raise CatalogueError(f"{path}: not a catalogue: expected rules, each with an id and a title")
        for rule in rules:
            if rule["id"] in titles:
                raise CatalogueError(f"{path}: {rule['id']} is there twice")
            titles[rule["id"]] = rule["title"]
    if not titles:
        raise CatalogueError(f"no catalogue in {folder}")
    return titles


def read_waivers(path: Path, titles: dict[str, str]) -> dict[str, str]:
    """Reasons of all waivers by id.

    Raises:
        CatalogueError: a waiver is malformed, occurs twice, or its rule does not exist.
    """
    waivers: dict[str, str] = {}
    entries = (read_yaml(path) if path.exists() else None) or []
    if not isinstance(entries, list):
        raise CatalogueError(f"{path}: not a list of waivers")
    for entry in entries:
        if not isinstance(entry, dict) or set(entry) != {"id", "reason"} or not str(entry["reason"] or "").strip():
            raise CatalogueError(f"{path}: not a waiver with an id and a reason: {entry}")
        if entry["id"] not in titles:
            raise CatalogueError(f"{path}: {entry['id']} is not in the catalogue")
        if entry["id"] in waivers:
            raise CatalogueError(f"{path}: {entry['id']} is waived twice")
        waivers[entry["id"]] = str(entry["reason"])
    return waivers


@dataclass(frozen=True)
class Waiting:
    """A function that nothing calls yet: the reason, and the ids of rules that it would carry out."""

    reason: str
    carries: frozenset[str]


def read_uncalled(path: Path, titles: dict[str, str]) -> dict[str, Waiting]:
    """The functions that wait for an unfinished part of a game, by full name.

    Raises:
        CatalogueError: an entry is malformed, occurs twice, or names a rule that does not exist.
    """
    listed: dict[str, Waiting] = {}
    entries = (read_yaml(path) if path.exists() else None) or []
    if not isinstance(entries, list):
        raise CatalogueError(f"{path}: not a list of functions")
    for entry in entries:
        if not isinstance(entry, dict) or not {"function", "reason"} <= entry.keys() <= {
            "function",
            "reason",
            "carries",
        }:
            raise CatalogueError(f"{path}: not a function with a reason, and rules that it carries out: {entry}")
        carries = frozenset(entry.get("carries", ()))
        if unknown := sorted(carries - titles.keys()):
            raise CatalogueError(f"{path}: not in the catalogue: {', '.join(unknown)}")
        if entry["function"] in listed:
            raise CatalogueError(f"{path}: {entry['function']} is there twice")
        listed[entry["function"]] = Waiting(str(entry["reason"]), carries)
    return listed


def without_unplayed(
    results: Results, graph: Graph, listed: dict[str, Waiting]
) -> tuple[Results, dict[str, list[str]]]:
    """Leave out tests that show a rule through functions which only tests call.

    A listed function may help to build a position, but shows none of the rules that it carries out.

    Args:
        results: results of the tests, by rule.
        graph: the calls between functions.
        listed: the listed functions.

    Returns:
        The other results, and the left out tests by rule, each with these functions.
    """
    led: dict[str, list[str]] = {}
    played: Results = {}
    unplayed: dict[str, list[str]] = {}
    for rule, outcome in results.items():
        passed = []
        for test in outcome.get("passed", []):
            if (function := test.split("[")[0]) not in led:
                led[function] = [".".join(name) for name in graph.uncalled_by_test(function)]
            wrong = [name for name in led[function] if name not in listed or rule in listed[name].carries]
            if wrong:
                unplayed.setdefault(rule, []).append(f"{test} ({', '.join(wrong)})")
            else:
                passed.append(test)
        played[rule] = {**outcome, "passed": passed}
    return played, unplayed


def read_parts(path: Path, titles: dict[str, str]) -> dict[str, str]:
    """The part (for example "wap.moves") of every rule of rulesets that are built in parts, by id.

    Raises:
        CatalogueError: the file is malformed, or does not match the catalogue.
    """
    data = (read_yaml(path) if path.exists() else None) or {}
    if not isinstance(data, dict) or not all(isinstance(parts, dict) for parts in data.values()):
        raise CatalogueError(f"{path}: not parts: expected rulesets, each with parts and the beginnings of their ids")
    part_of: dict[str, str] = {}
    for ruleset, parts in data.items():
        listed = [(f"{ruleset}.{beginning}", f"{ruleset}.{name}") for name, all_ in parts.items() for beginning in all_]
        of = dict(listed)
        if len(of) < len(listed):
            raise CatalogueError(f"{path}: {ruleset} lists the beginning of an id twice")
        for rule in (rule for rule in titles if rule.startswith(f"{ruleset}.")):
            steps = rule.split(".")
            fits = [start for n in range(len(steps), 1, -1) if (start := ".".join(steps[:n])) in of]
            if not fits:
                raise CatalogueError(f"{path}: {rule} is in no part")
            part_of[rule] = of[fits[0]]
        for start in of:
            if not any(rule == start or rule.startswith(start + ".") for rule in titles):
                raise CatalogueError(f"{path}: no rule begins with {start}")
    return part_of


def in_parts(selected: list[str], part_of: dict[str, str], names: list[str]) -> list[str]:
    """Those of the selected rules that belong to the wanted parts, named "moves" or "wap.moves".

    Raises:
        CatalogueError: there is no such part.
    """
    known = sorted({part_of[rule] for rule in selected if rule in part_of})
    for name in names:
        if not any(part == name or part.split(".", 1)[1] == name for part in known):
            raise CatalogueError(f"no such part: {name} (there are {', '.join(known) or 'none'})")
    return [rule for rule in selected if rule in part_of and {part_of[rule], part_of[rule].split(".", 1)[1]} & {*names}]


def read_results(path: Path) -> Results:
    """The results in a file that pytest wrote.

    Raises:
        CatalogueError: it cannot be read.
    """
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CatalogueError(f"{path}: {error}") from error
    if not isinstance(results, dict):
        raise CatalogueError(f"{path}: not a results file")
    return results


def run_tests(root: Path, workers: int) -> Results:
    """Run the marked tests below `root`; their progress goes to standard error, so that the report is alone on
    standard output.

    Raises:
        CatalogueError: the tests could not be run.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.json"
        command = [sys.executable, "-m", "pytest", "tests", "-m", "rule", "-q", "--rule-results", str(path)]
        if workers and importlib.util.find_spec("xdist"):
            command += ["-n", str(workers)]
        code = subprocess.run(command, cwd=root, stdout=sys.stderr, check=False).returncode
        # 0: passed, 1: some failed, 5: none selected; after anything else the results are not whole.
        if code not in (0, 1, 5):
            raise CatalogueError(f"the tests could not be run (pytest exit status {code})")
        if not path.exists():
            raise CatalogueError("the tests could not all be collected")
        return read_results(path)


def select(titles: dict[str, str], rulesets: list[str], areas: list[str]) -> list[str]:
    """The ids of the rules of the wanted rulesets and areas; all if none are named.

    Raises:
        CatalogueError: a name fits no rule.
    """

    def in_ruleset(rule: str, name: str) -> bool:
        return rule.split(".")[0] == name

    def in_area(rule: str, name: str) -> bool:
        # "move" fits every ruleset's moves, "w10.move" one ruleset's, "wap.core.measure" a part of an area.
        return rule.split(".")[1] == name or rule == name or rule.startswith(name + ".")

    for names, fits, what in ((rulesets, in_ruleset, "ruleset"), (areas, in_area, "area")):
        for name in names:
            if not any(fits(rule, name) for rule in titles):
                known = sorted({rule.split(".")[0] if what == "ruleset" else rule.split(".")[1] for rule in titles})
                raise CatalogueError(f"no such {what}: {name} (there are {', '.join(known)})")
    return [
        rule
        for rule in titles
        if (not rulesets or any(in_ruleset(rule, name) for name in rulesets))
        and (not areas or any(in_area(rule, name) for name in areas))
    ]


def measure(selected: list[str], titles: dict[str, str], waivers: dict[str, str], results: Results) -> Coverage:
    """Sort every selected rule into shown, waived or missing."""
    coverage = Coverage()
    for rule in selected:
        outcome = results.get(rule, {})
        failed = outcome.get("failed", [])
        shown = bool(outcome.get("passed")) and not failed
        if failed:
            coverage.failed[rule] = failed
        if shown:
            state = "shown"
            if rule in waivers:
                coverage.waived_but_shown.append(rule)
        elif rule in waivers:
            state = "waived"
            coverage.waived[rule] = waivers[rule]
        else:
            state = "missing"
            coverage.missing[rule] = titles[rule]
        coverage.areas.setdefault(".".join(rule.split(".")[:2]), Count()).add(state)
        coverage.total.add(state)
    return coverage


def table_of(coverage: Coverage) -> Table:
    """The coverage as a table."""
    table = Table(title="Rules shown by tests that passed", show_footer=True)
    total = coverage.total
    table.add_column("area", "all", no_wrap=True)
    for name in ("rules", "shown", "waived", "missing"):
        table.add_column(name, str(getattr(total, name)), justify="right")
    table.add_column("%", f"{total.percent:.1f}", justify="right")
    for area, count in coverage.areas.items():
        row = [str(number) for number in (count.rules, count.shown, count.waived, count.missing)]
        table.add_row(area, *row, f"{count.percent:.1f}", style=None if count.missing else "green")
    return table


def as_json(coverage: Coverage) -> str:
    """The coverage as JSON."""

    def numbers(count: Count) -> dict[str, float]:
        return asdict(count) | {"percent": count.percent}

    document = asdict(coverage) | {
        "areas": {area: numbers(count) for area, count in coverage.areas.items()},
        "total": numbers(coverage.total),
        "problems": coverage.problems(),
    }
    return json.dumps(document, indent=1)


def main(
    ruleset: Annotated[list[str] | None, typer.Option(help="Only this ruleset, e.g. w10; may be repeated.")] = None,
    area: Annotated[
        list[str] | None,
        typer.Option(help="Only this area: move (of every ruleset), w10.move, or a longer prefix; may be repeated."),
    ] = None,
    part: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this part of a ruleset that is built in parts (docs/rules/parts.yaml); may be repeated."
        ),
    ] = None,
    missing: Annotated[bool, typer.Option("--missing", help="List id and title of every missing rule.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print everything as JSON instead of a table.")] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Exit 1 if a rule is missing, if a test that names one failed or reaches functions that only tests "
            "call, or if over 3 % are waived.",
        ),
    ] = False,
    results: Annotated[
        Path | None, typer.Option(help="Use this file, written by pytest --rule-results, instead of running tests.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes that run the tests; 0 runs them in one.")] = 2,
    root: Annotated[
        Path, typer.Option(help="The project, with docs/rules/ and tests/.", show_default="this project")
    ] = PROJECT,
) -> None:
    """List the rules of the catalogue that are shown by tests which ran and passed.

    Runs the tests with a rule mark, then prints a table: rules, shown, waived and missing for each area. A test that
    reaches a function of the engine which only tests call shows no rule. Exits 2 if the catalogue, the waivers or the
    tests cannot be read or run.
    """
    try:
        folder = root / "docs" / "rules"
        titles = read_catalogue(folder)
        waivers = read_waivers(folder / WAIVERS, titles)
        selected = select(titles, ruleset or [], area or [])
        if part:
            selected = in_parts(selected, read_parts(folder / PARTS, titles), part)
        listed = read_uncalled(folder / UNCALLED, titles)
        outcome = read_results(results) if results else run_tests(root, workers)
        outcome, unplayed = without_unplayed(outcome, Graph(root), listed)
    except CatalogueError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from error

    coverage = measure(selected, titles, waivers, outcome)
    coverage.unplayed = {rule: unplayed[rule] for rule in selected if rule in unplayed}
    if json_:
        typer.echo(as_json(coverage))
    else:
        Console().print(table_of(coverage))
        for rule, tests in coverage.failed.items():
            typer.echo(f"failed: {rule}: {', '.join(tests)}")
        for rule, tests in coverage.unplayed.items():
            typer.echo(f"not played: {rule}: {', '.join(tests)}")
        for rule in coverage.waived_but_shown:
            typer.echo(f"waived but shown: {rule} (the waiver can go)")
        if missing:
            for rule, title in coverage.missing.items():
                typer.echo(f"missing: {rule}: {title}")
    if check and (problems := coverage.problems()):
        for problem in problems:
            typer.echo(f"check: {problem}", err=True)
        raise typer.Exit(1)


if __name__ == "__main__":
    run(main)
