"""scripts/mutants.py, on a toy game whose mutants are known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from programs_in_place import in_place

from scripts.mutants import draw_mutants, rule_files
from scripts.mutation import judged
from scripts.mutation.judged import JudgedError
from scripts.mutation.sites import Mutant, mutants_of, signatures
from scripts.mutation.warm import choose_kernels

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "scripts" / "mutants.py"
GAME = '''"""A game."""

from __future__ import annotations

NEEDED = 4
UNTESTED = 7


class Dice:
    """Of a game."""

    def hits(self, rolls: list[int], bonus: int = 0) -> int:
        """How many rolls are high enough."""
        found = 0
        for roll in rolls:
            if roll + bonus < NEEDED:
                continue
            found += 1
        return found


def first(rolls: list[int]) -> int:
    """The first one."""
    return rolls[0]


def sum_to(limit: int) -> int:
    """1 + 2 + ..."""
    total, k = 0, 0
    while k < limit:
        k += 1
        total += k
    return total


def nobody_asks(value: int) -> int:
    """No test calls it."""
    return value + UNTESTED


def far(value: int) -> bool:
    """Beyond a limit that no test goes near."""
    return value > 100
'''
TESTS = """
import pytest
from toy.game import Dice, far, first, sum_to


@pytest.mark.rule("toy.hits")
def test_hits():
    assert Dice().hits([3, 4, 5]) == 2
    assert Dice().hits([3, 2], 1) == 1
    assert Dice().hits([1]) == 0


@pytest.mark.rule("toy.first")
def test_first():
    assert first([2, 2]) == 2


@pytest.mark.rule("toy.sum")
def test_sum():
    assert sum_to(4) == 10


@pytest.mark.rule("toy.far")
def test_far():
    assert far(1000) and not far(1)


def test_that_shows_no_rule():
    assert first([1, 3]) == 1 and far(101) and not far(100)


@pytest.mark.rule("toy.broken")
def test_that_fails_anyway():
    assert first([1, 3]) == 7
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A project with one file of rules, its tests and no judged mutants."""
    (tmp_path / "toy").mkdir()
    (tmp_path / "tests" / "mutants").mkdir(parents=True)
    (tmp_path / "toy" / "game.py").write_text(GAME)
    (tmp_path / "tests" / "test_game.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    rule(*ids): rules\n")
    return tmp_path


def call(toy: Path, *arguments: str, code: int) -> str:
    """Run the program on the toy; what it prints. In this process where it runs no test: one that does starts as it would be started."""
    words = ["--root", str(toy), "--paths", "toy", "--patience", "1", *arguments]
    if code == 2 or "--list" in arguments:
        done = in_place(PROGRAM.name, *words)
    else:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160"}
        command = [sys.executable, str(PROGRAM), *words]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=300)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code != 2 else done.stderr


def survivors(told: str) -> dict[tuple[str, str], str]:
    """Mutated lines and why they live, by function."""
    return {(row["function"], row["after"]): row["by"] for row in json.loads(told)["survivors"]}


def test_killed_survived_and_unreached_mutants_of_a_toy(toy: Path) -> None:
    told = json.loads(call(toy, "--count", "0", "--json", code=1))
    left = survivors(json.dumps(told))
    # no test looks at another place of the row, goes near the limit or calls the function
    assert left.pop(("first", "return rolls[1]")) == ""
    assert {after for name, after in left if name == "far"} == {
        "return (value >= 100)", "return value > 101", "return value > 99",
    }  # fmt: skip
    reasons = {why for (name, _), why in left.items() if name == "nobody_asks"}
    assert reasons == {"no test reaches it"}
    # a constant is imported afresh: what it is used for is tested, or is not
    assert {after for name, after in left if name == ""} == {"UNTESTED = 8", "UNTESTED = 6"}
    assert {name for name, _ in left} == {"", "far", "nobody_asks"}
    assert told["total"]["mutants"] == told["total"]["killed"] + told["total"]["survived"]
    assert told["timeouts"] >= 1  # the loop that never ends
    assert [test.split("::")[1] for test in told["failing"]] == ["test_that_fails_anyway"]
    kept = [json.loads(line) for line in (toy / "out" / "mutants" / "results.jsonl").read_text().splitlines()]
    by = {row["mutant"]["after"]: row["by"] for row in kept if row["result"] == "killed"}
    assert by["if (roll + bonus <= NEEDED):"].endswith("::test_hits")
    assert by["NEEDED = 5"].endswith("::test_hits")


def test_judged_mutants_count_for_neither_and_stale_entries_are_told(toy: Path) -> None:
    entry = {"file": "toy/game.py", "function": "first", "line": "return rolls[0]", "mutated": "return rolls[1]"}
    entries = [
        {**entry, "reason": "the order of rolls means nothing"},
        {**entry, "line": "return rolls[3]", "reason": "it was like this once"},
    ]
    (toy / "tests" / "mutants" / "equivalent.yaml").write_text(yaml.safe_dump(entries))
    place = f"toy/game.py:{GAME.splitlines().index('    return rolls[0]') + 1}"
    told = call(toy, "--paths", place, "--count", "0", "--json", code=0)
    assert survivors(told) == {}
    assert json.loads(told)["total"]["equivalent"] == 1
    assert [row["line"] for row in json.loads(told)["stale"]] == ["return rolls[3]"]
    assert "stale: toy/game.py first: 'return rolls[3]'" in call(toy, "--count", "1", "--at-least", "0", code=0)


def test_the_same_seed_draws_the_same_and_a_run_is_resumed(toy: Path) -> None:
    told = call(toy, "--seed", "5", "--count", "6", "--list", code=0)
    assert told == call(toy, "--seed", "5", "--count", "6", "--list", code=0)
    assert told != call(toy, "--seed", "6", "--count", "6", "--list", code=0)
    out = toy / "results"
    call(toy, "--seed", "5", "--count", "6", "--at-least", "0", "--out", str(out), code=0)
    lines = (out / "results.jsonl").read_text().splitlines()
    assert len(lines) == 6
    (out / "results.jsonl").write_text("\n".join(lines[:4]) + "\n" + lines[4][:20])
    call(toy, "--seed", "5", "--count", "6", "--at-least", "0", "--out", str(out), "--resume", code=0)
    again = [json.loads(line)["mutant"] for line in (out / "results.jsonl").read_text().splitlines()]
    assert sorted(json.dumps(row) for row in again) == sorted(json.dumps(json.loads(line)["mutant"]) for line in lines)


def test_what_cannot_be_run_is_told_in_a_line(toy: Path) -> None:
    assert "neither a file nor a folder" in call(toy, "--paths", "nowhere", code=2)
    assert "expected --out" in call(toy, "--resume", code=2)
    (toy / "tests" / "mutants" / "equivalent.yaml").write_text("- {file: a}\n")
    assert "expected the fields" in call(toy, code=2)


def found(tmp_path: Path, text: str) -> list[Mutant]:
    """The mutants of a source."""
    file = tmp_path / "rules.py"
    file.write_text(text)
    return mutants_of(tmp_path, file, signatures([file]))


def test_the_draw_does_not_hang_on_what_else_there_is(tmp_path: Path) -> None:
    (tmp_path / "moved").mkdir()
    before = draw_mutants(found(tmp_path, GAME), 5, 6)
    after = draw_mutants(found(tmp_path / "moved", "import os\n\n" + GAME), 5, 6)
    assert len(before) == 6
    assert [mutant.key[1:] for mutant in before] == [mutant.key[1:] for mutant in after]


def test_every_mutant_compiles_and_differs(tmp_path: Path) -> None:
    for mutant in found(tmp_path, GAME):
        changed = mutant.applied(GAME)
        assert changed != GAME
        compile(changed, "game.py", "exec")


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("return a < b", {"return (a <= b)", "return (a >= b)"}),
        ("return a + EPS < b", {"return (a - EPS) < b", "return (a + EPS >= b)"}),
        ("return a and b", {"return (a or b)", "return (not (a and b))"}),
        ("return min(a, b)", {"return max(a, b)"}),
        ("return not a", {"return (a)"}),
        ("g.push(a)", {"pass"}),
        ("return a[0]", {"return a[1]"}),
        ("a.x = 1", {"pass", "a.x = 0"}),
        ("return a > -1", {"return (a >= -1)", "return (a <= -1)", "return a > -0"}),
        ("return a - 1", {"return (a + 1)", "return a - 2", "return a - 0"}),
        ("return helper(a, 2)", {"return helper(a, 3)", "return helper(a, 1)", "return helper(a)"}),
        ('g.note("rule", "words", a=1)', set()),
        ('g.tell("rule", "words", a=1)', set()),
        ('x = g.stack[f + Charge.UNIT]', set()),
        ('raise ValueError("a" + 1)', set()),
    ],
)  # fmt: skip
def test_ways_of_changing_a_line(tmp_path: Path, line: str, after: set[str]) -> None:
    text = f"def helper(a, b=1):\n    pass\n\n\ndef rule(g, a, b):\n    {line}\n"
    told = {mutant.after for mutant in found(tmp_path, text) if mutant.function == "rule"}
    assert told == after


def test_words_types_and_numbering_are_left_alone(tmp_path: Path) -> None:
    text = '''"""Words 1."""
__all__ = ["a"]
ROW = np.dtype([("x", 1)])
BIT = 1 << 3


class Way(IntEnum):
    FIRST = 0


class Kind:
    squad: bool = False
    name = "kind"

    def describe(self, g):
        return 1 + 2

    def fits(self, g):
        return 1 + 3


def fits(g):
    return 1 - g
'''
    assert [mutant.after for mutant in found(tmp_path, text)] == [
        "squad: bool = True", "return (1 + g)", "return 2 - g", "return 0 - g",
    ]  # fmt: skip


def test_modules_and_folders_that_carry_out_no_rule_are_left_alone() -> None:
    files = [path.relative_to(ROOT / "wh_env" / "rulesets") for path in rule_files(ROOT, [], None)[0]]
    assert not [file for file in files if "view" in file.parts]
    names = ("validity", "kept", "workspace", "classes", "rule_ids", "event_fields")
    assert not [file for file in files if file.stem.startswith(names)]
    assert Path("epic/move/paths.py") in files
    assert rule_files(ROOT, ["wh_env/rulesets/epic/validity.py"], None)[0] == [
        ROOT / "wh_env/rulesets/epic/validity.py"
    ]


def test_an_entry_without_reason_or_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    entry = {"file": "a.py", "function": "f", "line": "x", "mutated": "y", "reason": "none"}
    for entries, words in (([{**entry, "reason": " "}], "reason is empty"), ([entry, entry], "comes twice")):
        path.write_text(yaml.safe_dump(entries))
        with pytest.raises(JudgedError, match=words):
            judged.read(path)


def test_the_committed_list_belongs_to_the_code() -> None:
    """Every judged mutant is still one: what was edited since must be judged again."""
    list_ = judged.read(ROOT / "tests" / "mutants" / "equivalent.yaml")
    files = sorted({ROOT / key[0] for key in list_.reasons})
    known = signatures(rule_files(ROOT, [], None)[0])
    mutants = [mutant for file in files for mutant in mutants_of(ROOT, file, known)]
    assert list_.stale(mutants, {key[0] for key in list_.reasons}) == []


def test_no_kernel_of_what_is_mutated_is_compiled() -> None:
    """Neither those that Python calls nor those that only kernels call: a compiled one could not call the others."""

    def kernels_of(function: Any) -> Any:
        return SimpleNamespace(compile=None, py_func=function)

    module = SimpleNamespace(
        kernel=kernels_of, inner_kernel=kernels_of, compiled_for=lambda kernel, arguments: arguments
    )
    inside = SimpleNamespace(depends=lambda file: True)
    outside = SimpleNamespace(depends=lambda file: False)
    choose_kernels(module, inside)  # type: ignore[arg-type]
    assert module.kernel(kernels_of) is module.inner_kernel(kernels_of) is kernels_of
    assert module.compiled_for(kernels_of, (1,)) is kernels_of
    module.kernel = module.inner_kernel = kernels_of
    choose_kernels(module, outside)  # type: ignore[arg-type]
    assert module.kernel(kernels_of).py_func is module.inner_kernel(kernels_of).py_func is kernels_of
    assert module.compiled_for(module.kernel(kernels_of), (1,)) == (1,)


def test_the_warm_process_imports_nothing_that_is_mutated_before_it_marks() -> None:
    """A module that is imported with it would be compiled without marks, and every test that reaches it would fail."""
    code = "import sys, scripts.mutation.warm; print(sorted(m for m in sys.modules if m.split('.')[0] == 'wh_env'))"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
