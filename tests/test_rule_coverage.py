"""The rule marker and the coverage program, on a project of six rules."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from programs_in_place import in_place

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "scripts" / "rule_coverage.py"

RULES = {
    "toy.move.normal": "Normal move",
    "toy.move.advance": "Advance move",
    "toy.move.fly": "Flying over others",
    "toy.shoot.range": "Range",
    "toy.shoot.sight": "Sight",
    "toy.shoot.cover": "Cover",
}

QUIET = """\
import pytest


@pytest.fixture(scope="session", autouse=True)
def events_are_as_declared():
    'No battle is played here, so none of its code is imported.'
"""

TESTS = """


@pytest.mark.rule("toy.move.normal", "toy.shoot.range")
@pytest.mark.parametrize("reach", [6, 5])
def test_passes(reach):
    assert reach < 7


@pytest.mark.rule("toy.move.advance")
def test_fails():
    assert False


@pytest.mark.rule("toy.move.advance")
def test_passes_beside_a_failure():
    pass


@pytest.mark.rule("toy.move.fly")
@pytest.mark.skip(reason="later")
def test_is_skipped():
    pass


@pytest.mark.rule("toy.shoot.sight")
@pytest.mark.xfail(reason="not yet", strict=False)
class TestExpectedFailures:
    def test_fails_as_expected(self):
        assert False

    def test_passes_unexpectedly(self):
        pass


@pytest.fixture
def broken_end():
    yield
    raise RuntimeError("tear-down")


@pytest.mark.rule("toy.shoot.cover")
def test_fails_at_its_end(broken_end):
    pass


def test_shows_no_rule():
    pass
"""


class Project:
    """A small project on disk, with a catalogue, the marker plugin and tests."""

    def __init__(self, root: Path, tests: str = TESTS) -> None:
        self.root = root
        self.rules = root / "docs" / "rules"
        self.rules.mkdir(parents=True)
        (root / "tests").mkdir()
        (root / "pyproject.toml").write_text(
            '[tool.pytest.ini_options]\naddopts = ["--strict-markers"]\nmarkers = ["rule(*ids): rules shown"]\n'
        )
        entries = [{"id": rule, "title": title} for rule, title in RULES.items()]
        document = {"ruleset": "toy", "source": "toy.txt", "rules": entries}
        (self.rules / "toy.yaml").write_text(yaml.safe_dump(document, sort_keys=False))
        shutil.copy(ROOT / "tests" / "conftest.py", root / "tests")
        self.write_tests(tests)

    def write_tests(self, text: str) -> None:
        (self.root / "tests" / "test_toy.py").write_text(QUIET + text)

    def waive(self, *entries: dict[str, str]) -> None:
        (self.rules / "waivers.yaml").write_text(yaml.safe_dump(list(entries)))

    def divide(self, parts: object) -> None:
        """Say in which parts the rules are built."""
        (self.rules / "parts.yaml").write_text(yaml.safe_dump(parts))

    def write_results(self, **outcomes: list[str]) -> Path:
        """A results file in which each rule has one test for each of its outcomes."""
        path = self.root / "results.json"
        path.write_text(
            json.dumps(
                {
                    rule: {
                        outcome: [f"t::{outcome}"] * (outcome in found) for outcome in ("passed", "failed", "skipped")
                    }
                    for rule, found in outcomes.items()
                }
            )
        )
        return path

    def cover(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return in_place(PROGRAM.name, "--root", self.root, *arguments, folder=self.root)

    def cover_from_outside(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """The same in a process of its own."""
        command = [sys.executable, str(PROGRAM), "--root", str(self.root), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.root)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("workers", [0, 2])
def test_only_tests_that_ran_and_passed_count(project: Project, workers: int) -> None:
    run = project.cover_from_outside("--json", "--workers", str(workers))
    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout)
    assert report["areas"] == {
        "toy.move": {"rules": 3, "shown": 1, "waived": 0, "missing": 2, "percent": 33.3},
        "toy.shoot": {"rules": 3, "shown": 1, "waived": 0, "missing": 2, "percent": 33.3},
    }
    assert list(report["missing"]) == ["toy.move.advance", "toy.move.fly", "toy.shoot.sight", "toy.shoot.cover"]
    assert list(report["failed"]) == ["toy.move.advance", "toy.shoot.cover"]


def test_results_file_names_every_test_under_its_rule(project: Project) -> None:
    path = project.root / "out" / "results.json"
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--rule-results", str(path)]
    subprocess.run(command, cwd=project.root, capture_output=True, check=False)
    results = json.loads(path.read_text())
    assert set(results) == set(RULES)
    where = "tests/test_toy.py::"
    assert results["toy.shoot.range"]["passed"] == [f"{where}test_passes[5]", f"{where}test_passes[6]"]
    assert results["toy.move.advance"] == {
        "passed": [f"{where}test_passes_beside_a_failure"],
        "failed": [f"{where}test_fails"],
        "skipped": [],
    }
    assert results["toy.move.fly"] == {"passed": [], "failed": [], "skipped": [f"{where}test_is_skipped"]}
    assert len(results["toy.shoot.sight"]["skipped"]) == 2
    assert results["toy.shoot.cover"] == {"passed": [], "failed": [f"{where}test_fails_at_its_end"], "skipped": []}


def test_a_crash_counts_as_a_failure(project: Project) -> None:
    project.write_tests("\n\nimport os\n\n\n@pytest.mark.rule('toy.move.fly')\ndef test_crashes():\n    os._exit(3)\n")
    report = json.loads(project.cover("--json", "--area", "toy.move.fly").stdout)
    assert report["failed"] == {"toy.move.fly": ["tests/test_toy.py::test_crashes"]}


@pytest.mark.parametrize("mark", ["'toy.move.swim'", "", "'toy.move.fly', 7"])
@pytest.mark.parametrize("workers", [0, 2])
def test_a_mark_that_names_no_rule_of_the_catalogue_is_a_collection_error(
    project: Project, mark: str, workers: int
) -> None:
    project.write_tests(f"\n\n@pytest.mark.rule({mark})\ndef test_a():\n    pass\n")
    run = project.cover("--workers", str(workers))
    assert run.returncode == 2
    assert re.search(r"^error: the tests could not", run.stderr, re.MULTILINE)
    assert "not in the catalogue" in run.stderr or "names no rule" in run.stderr
    assert "INTERNALERROR" not in run.stderr


def test_check_passes_only_when_nothing_is_missing(project: Project) -> None:
    results = project.write_results(**{rule: ["passed"] for rule in RULES})
    assert project.cover("--results", results, "--check").returncode == 0
    results = project.write_results(**{rule: ["passed"] for rule in RULES if rule != "toy.move.fly"})
    run = project.cover("--results", results, "--check")
    assert run.returncode == 1
    assert "1 of 6 rules are missing" in run.stderr
    assert project.cover("--results", results, "--check", "--area", "shoot").returncode == 0
    assert project.cover("--results", results).returncode == 0


def test_check_fails_on_a_failed_test_of_a_waived_rule(project: Project) -> None:
    outcomes = {rule: ["passed"] for rule in RULES} | {"toy.move.fly": ["passed", "failed"]}
    project.waive({"id": "toy.move.fly", "reason": "nothing flies here"})
    run = project.cover("--results", project.write_results(**outcomes), "--check", "--json")
    assert run.returncode == 1
    report = json.loads(run.stdout)
    assert report["failed"] == {"toy.move.fly": ["t::failed"]}
    assert report["missing"] == {}


def test_waivers_count_apart_and_are_limited(project: Project) -> None:
    project.waive({"id": "toy.move.fly", "reason": "nothing flies here"})
    results = project.write_results(**{rule: ["passed"] for rule in RULES if rule != "toy.move.fly"})
    run = project.cover("--results", results, "--check", "--json")
    report = json.loads(run.stdout)
    assert report["total"] == {"rules": 6, "shown": 5, "waived": 1, "missing": 0, "percent": 100.0}
    assert report["waived"] == {"toy.move.fly": "nothing flies here"}
    assert run.returncode == 1
    assert "1 of 6 rules are waived" in run.stderr
    assert project.cover("--results", results, "--check", "--area", "shoot").returncode == 0


def test_a_waiver_on_a_shown_rule_is_reported(project: Project) -> None:
    project.waive({"id": "toy.move.fly", "reason": "nothing flies here"})
    results = project.write_results(**{rule: ["passed"] for rule in RULES})
    run = project.cover("--results", results, "--check")
    assert run.returncode == 0
    assert "waived but shown: toy.move.fly" in run.stdout


@pytest.mark.parametrize(
    "entries",
    [
        [{"id": "toy.move.swim", "reason": "no water"}],
        [{"id": "toy.move.fly"}],
        [{"id": "toy.move.fly", "reason": " "}],
        [{"id": "toy.move.fly", "reason": "once"}, {"id": "toy.move.fly", "reason": "twice"}],
    ],
)
def test_a_faulty_waiver_is_an_error(project: Project, entries: list[dict[str, str]]) -> None:
    project.waive(*entries)
    run = project.cover("--results", project.write_results())
    assert run.returncode == 2
    assert "waivers.yaml" in run.stderr


def test_missing_rules_are_listed_with_their_titles(project: Project) -> None:
    results = project.write_results(**{"toy.shoot.range": ["passed"]})
    run = project.cover("--results", results, "--missing", "--ruleset", "toy", "--area", "toy.shoot")
    assert re.findall(r"^missing: (.*)$", run.stdout, re.MULTILINE) == [
        "toy.shoot.sight: Sight",
        "toy.shoot.cover: Cover",
    ]


@pytest.mark.parametrize("arguments", [["--ruleset", "w99"], ["--area", "swim"]])
def test_an_unknown_selection_is_an_error(project: Project, arguments: list[str]) -> None:
    run = project.cover("--results", project.write_results(), *arguments)
    assert run.returncode == 2
    assert "no such" in run.stderr


IN_PARTS = {"toy": {"one": ["move", "shoot.range"], "two": ["shoot", "move.fly"]}}


def test_a_part_is_checked_while_later_ones_are_missing(project: Project) -> None:
    """The longest beginning of an id says where it belongs."""
    project.divide(IN_PARTS)
    first = ["toy.move.normal", "toy.move.advance", "toy.shoot.range"]
    results = project.write_results(**{rule: ["passed"] for rule in first})
    assert project.cover("--results", results, "--check").returncode == 1
    run = project.cover("--results", results, "--check", "--part", "one", "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["total"]["rules"] == 3
    run = project.cover("--results", results, "--check", "--ruleset", "toy", "--part", "toy.two", "--json")
    assert run.returncode == 1
    assert list(json.loads(run.stdout)["missing"]) == ["toy.move.fly", "toy.shoot.sight", "toy.shoot.cover"]
    run = project.cover("--results", results, "--part", "one", "--part", "two", "--area", "shoot", "--json")
    assert json.loads(run.stdout)["total"]["rules"] == 3


@pytest.mark.parametrize(
    "parts",
    [
        ["toy"],
        {"toy": ["one"]},
        {"toy": {"one": ["move"], "two": ["shoot.range"]}},
        {"toy": {"one": ["move", "shoot"], "two": ["move"]}},
        {"toy": {"one": ["move", "shoot"], "two": ["swim"]}},
        {"toy": {"one": ["move", "shoot"]}},
    ],
)
def test_faulty_parts_are_an_error(project: Project, parts: object) -> None:
    """No mapping; a rule in no part, in two; a part of no rule; a part that there is not."""
    project.divide(parts)
    run = project.cover("--results", project.write_results(), "--part", "two")
    assert run.returncode == 2
    assert "parts.yaml" in run.stderr or "no such part: two" in run.stderr


def test_a_ruleset_without_parts_has_none_to_select(project: Project) -> None:
    run = project.cover("--results", project.write_results(), "--part", "one")
    assert run.returncode == 2
    assert "no such part: one (there are none)" in run.stderr


def test_every_rule_of_regiments_is_in_one_part() -> None:
    program = load(PROGRAM)
    titles = program.read_catalogue(ROOT / "docs" / "rules")
    part_of = program.read_parts(ROOT / "docs" / "rules" / "parts.yaml", titles)
    assert {rule for rule in titles if rule.startswith("wap.")} == set(part_of)
    counts = Counter(part_of.values())
    assert counts == {
        "wap.moves": 155, "wap.combat": 356, "wap.shooting": 276, "wap.battlefields": 313, "wap.magic": 327,
    }  # fmt: skip


def without_value(value: object, at: str) -> Iterator[str]:
    """Where a key or an item of a table has no value."""
    if value is None:
        yield at
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from without_value(inner, f"{at}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from without_value(inner, f"{at}[{number}]")


def test_no_table_of_the_catalogue_has_a_null() -> None:
    """A comma that is not quoted, within braces, ends the value and makes a key without one of what follows."""
    assert list(without_value(yaml.safe_load("[{what: resolve it, only if manifested}]"), "t")) == [
        "t[0].only if manifested"
    ]
    tables = 0
    for path in sorted((ROOT / "docs" / "rules").glob("*.yaml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        for rule in document.get("rules", []) if isinstance(document, dict) else []:
            assert list(without_value(rule, rule["id"])) == []
            tables += "table" in rule
    assert tables > 150


def test_marker_and_program_read_the_same_catalogue() -> None:
    folder = ROOT / "docs" / "rules"
    titles = load(PROGRAM).read_catalogue(folder)
    assert len(titles) > 2700
    assert load(ROOT / "tests" / "conftest.py").catalogue_ids(folder) == set(titles)


# ---------------------------------------------------------------- what only tests call


ENGINE = {
    "wh_env/__init__.py": "",
    "wh_env/rulesets/__init__.py": "",
    "wh_env/rulesets/dice.py": """
        def double(x):
            return twice(x)

        def twice(x):
            return 2 * x

        def square(square):
            return square * square

        def halves(x):
            return twice(x) / 4

        class Turn:
            def advance(self):
                return cube(2)

        def cube(x):
            return x**3
        """,
    "wh_env/core/__init__.py": "",
    "wh_env/core/play.py": """
        from wh_env.rulesets import dice as rolled

        def play():
            return rolled.double(3)
        """,
    "wh_env/testing/__init__.py": """
        from wh_env.rulesets.dice import square

        def area():
            return square(3)
        """,
    "tests/helping.py": """
        from wh_env.rulesets.dice import halves as parts

        HALVED = parts
        """,
}
PLAYED = """
import pytest
from wh_env.rulesets.dice import cube, double, square
from wh_env.testing import area
from helping import HALVED


@pytest.fixture
def side():
    return area()


@pytest.mark.rule("toy.move.normal")
def test_doubles():
    assert (double(2), cube(2)) == (4, 8)


@pytest.mark.rule("toy.move.normal", "toy.move.advance")
def test_squares():
    assert square(3) == 9


@pytest.mark.rule("toy.move.fly")
def test_by_a_fixture(side):
    assert side == 9


class TestHalves:
    @pytest.mark.rule("toy.shoot.range", "toy.shoot.sight")
    @pytest.mark.parametrize("square", [4])
    def test_halves(self, square):
        assert HALVED(square) == 2
"""
LED = {
    "toy.move.normal": ["tests/test_toy.py::test_doubles", "tests/test_toy.py::test_squares"],
    "toy.move.advance": ["tests/test_toy.py::test_squares"],
    "toy.move.fly": ["tests/test_toy.py::test_by_a_fixture"],
    "toy.shoot.range": ["tests/test_toy.py::TestHalves::test_halves[4]"],
    "toy.shoot.sight": ["tests/test_toy.py::TestHalves::test_halves[4]"],
    "toy.shoot.cover": ["tests/test_toy.py::test_doubles"],
}


@pytest.fixture
def played(project: Project) -> Project:
    """A project with an engine of six functions, of which nobody calls `square` and `halves` but tests and helpers of tests."""
    for path, text in ENGINE.items():
        (project.root / path).parent.mkdir(parents=True, exist_ok=True)
        (project.root / path).write_text(textwrap.dedent(text))
    project.write_tests(PLAYED)
    results = {rule: {"passed": tests, "failed": [], "skipped": []} for rule, tests in LED.items()}
    (project.root / "results.json").write_text(json.dumps(results))
    return project


def test_a_test_of_what_nobody_calls_shows_no_rule(played: Project) -> None:
    run = played.cover("--results", played.root / "results.json", "--json", "--check")
    assert run.returncode == 1
    found = json.loads(run.stdout)
    assert list(found["missing"]) == ["toy.move.advance", "toy.move.fly", "toy.shoot.range", "toy.shoot.sight"]
    assert {rule: len(tests) for rule, tests in found["unplayed"].items()} == {
        "toy.move.normal": 1, "toy.move.advance": 1, "toy.move.fly": 1, "toy.shoot.range": 1, "toy.shoot.sight": 1,
    }  # fmt: skip
    assert "(wh_env.rulesets.dice.square)" in found["unplayed"]["toy.move.fly"][0]
    assert "(wh_env.rulesets.dice.halves)" in found["unplayed"]["toy.shoot.range"][0]
    assert "5 rules lead to functions that only tests call" in run.stderr
    run = played.cover("--results", played.root / "results.json")
    assert "not played: toy.move.fly: tests/test_toy.py::test_by_a_fixture (wh_env.rulesets.dice.square)" in run.stdout


def test_what_is_listed_brings_positions_about_and_shows_not_what_it_carries_out(played: Project) -> None:
    entries = [
        {"function": "wh_env.rulesets.dice.square", "reason": "squares come later"},
        {"function": "wh_env.rulesets.dice.halves", "reason": "halves too", "carries": ["toy.shoot.range"]},
    ]
    (played.rules / "uncalled.yaml").write_text(yaml.safe_dump(entries))
    run = played.cover("--results", played.root / "results.json", "--json")
    found = json.loads(run.stdout)
    assert list(found["missing"]) == list(found["unplayed"]) == ["toy.shoot.range"]


@pytest.mark.parametrize(
    "entries",
    [
        "square",
        [{"function": "wh_env.rulesets.dice.square"}],
        [{"function": "a.b", "reason": "so", "rule": "toy.move.fly"}],
        [{"function": "a.b", "reason": "so", "carries": ["toy.move.swim"]}],
        [{"function": "a.b", "reason": "so"}, {"function": "a.b", "reason": "again"}],
    ],
)
def test_a_faulty_list_of_functions_is_an_error(project: Project, entries: object) -> None:
    (project.rules / "uncalled.yaml").write_text(yaml.safe_dump(entries))
    run = project.cover("--results", project.write_results())
    assert run.returncode == 2
    assert "uncalled.yaml" in run.stderr


@pytest.fixture(scope="module")
def graph() -> Any:
    return load(PROGRAM).Graph(ROOT)


def test_every_function_of_the_engine_is_called_or_waits_for_a_part_of_a_game(graph: Any) -> None:
    """An entry whose function is called, or is gone, goes."""
    program = load(PROGRAM)
    folder = ROOT / "docs" / "rules"
    listed = program.read_uncalled(folder / "uncalled.yaml", program.read_catalogue(folder))
    assert set(map(".".join, graph.uncalled)) ^ set(listed) == set()


def marked(graph: Any) -> dict[str, dict[str, list[str]]]:
    """All tests by the rules that their marks name, as if they had passed."""
    found: dict[str, dict[str, list[str]]] = {}
    for module in graph.modules.values():
        for name, definition in module.defines.items():
            if not module.name.startswith("tests.") or not name.lower().startswith("test"):
                continue
            for node in ast.walk(definition):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
                    test = f"{module.name.replace('.', '/')}.py::{name}"
                    for rule in (each.value for each in node.args if isinstance(each, ast.Constant)):
                        found.setdefault(rule, {"passed": []})["passed"].append(test)
    return found


def test_no_mark_stands_on_a_test_of_what_nobody_calls(graph: Any) -> None:
    program = load(PROGRAM)
    folder = ROOT / "docs" / "rules"
    titles = program.read_catalogue(folder)
    results = {rule: tests for rule, tests in marked(graph).items() if rule in titles}
    assert len(results) > 2000
    assert program.without_unplayed(results, graph, program.read_uncalled(folder / "uncalled.yaml", titles))[1] == {}
