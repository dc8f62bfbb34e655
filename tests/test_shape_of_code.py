"""No function is longer than a screen or two, no kernel takes more arguments than can be read at a glance."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("wh_env", "agents", "scripts")
MOST_LINES = 60  # of a function
LATER = {  # the limit where functions are still longer, until these folders are mended too
    "scripts": 80,
}
SHORT_FILES = ("wh_env", "agents")
MOST_IN_FILE = 600
MOST_PARAMETERS = 20  # of a kernel: what belongs together is handed over in a named tuple
FEWER = {"wh_env/rulesets/wap": 12}  # the limit where kernels take fewer already
KERNELS = ("kernel", "inner_kernel")
MOST_EXCEPTIONS = 5
# "file:function": why its parts would be harder to read than the whole
LONG: dict[str, str] = {}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(source: str) -> Iterator[Function]:
    """Every function of a module, those in classes and functions too."""
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, Function))


def length(function: Function) -> int:
    """Its lines, from ``def`` to the last one."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def most_lines(name: str) -> int:
    """The limit for a function with this name, ``file:function``."""
    return next((most for place, most in LATER.items() if name.startswith((f"{place}/", f"{place}:"))), MOST_LINES)


def most_parameters(name: str) -> int:
    """The limit for a kernel with this name, ``file:function``."""
    return next((most for place, most in FEWER.items() if name.startswith(f"{place}/")), MOST_PARAMETERS)


def parameters(function: Function) -> int:
    """How many it takes, of any kind."""
    given = function.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))])


def is_kernel(function: Function) -> bool:
    """Whether it is compiled."""
    return any(isinstance(mark, ast.Name) and mark.id in KERNELS for mark in function.decorator_list)


def inner(function: Function) -> bool:
    """Whether it is compiled for other kernels only."""
    return any(isinstance(mark, ast.Name) and mark.id == "inner_kernel" for mark in function.decorator_list)


def named_in_python(node: ast.AST) -> Iterator[str]:
    """Names and attributes that are named outside kernels."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, Function) and is_kernel(child)):
            yield from named_in_python(child)
            if isinstance(child, ast.Name | ast.Attribute):
                yield child.id if isinstance(child, ast.Name) else child.attr


@pytest.fixture(scope="module")
def everything() -> list[tuple[str, Function]]:
    """All functions with their names, ``file:function``."""
    found = []
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            found += [(f"{name}:{node.name}", node) for node in functions(file.read_text(encoding="utf-8"))]
    return found


def test_no_function_is_long(everything: list[tuple[str, Function]]) -> None:
    long = {
        f"{name}: {length(node)} lines"
        for name, node in everything
        if length(node) > most_lines(name) and name not in LONG
    }
    assert not long, f"above {MOST_LINES} lines: name their parts"


def test_other_limits_are_needed_still(everything: list[tuple[str, Function]]) -> None:
    assert (most_lines("wh_env/core/battle.py:run"), most_lines("scripts/play.py:main")) == (MOST_LINES, 80)
    long = [name for name, node in everything if length(node) > MOST_LINES]
    mended = {place for place in LATER if not any(name.startswith((f"{place}/", f"{place}:")) for name in long)}
    assert not mended, "take them out of LATER"


def test_no_file_is_long() -> None:
    files = [file for folder in SHORT_FILES for file in sorted((ROOT / folder).rglob("*.py"))]
    lines = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8").count("\n") for file in files}
    long = {name: number for name, number in lines.items() if number > MOST_IN_FILE}
    assert not long, f"above {MOST_IN_FILE} lines: a file has one subject"
    assert len(lines) > 500


def test_no_kernel_takes_many_arguments(everything: list[tuple[str, Function]]) -> None:
    many = {
        f"{name}: {parameters(node)}"
        for name, node in everything
        if is_kernel(node) and parameters(node) > most_parameters(name)
    }
    assert not many, (
        f"kernels with more than {MOST_PARAMETERS} parameters ({FEWER}): hand over in one piece what belongs together"
    )
    assert sum(is_kernel(node) for _, node in everything) > 500


def test_kernels_that_only_kernels_call_are_inner_ones(everything: list[tuple[str, Function]]) -> None:
    files = (file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py")))
    named = {name for file in files for name in named_in_python(ast.parse(file.read_text(encoding="utf-8")))}
    kernels = [(name, node) for name, node in everything if is_kernel(node)]
    assert {name for name, node in kernels if inner(node) and node.name in named} == set(), "called by Python: @kernel"
    assert {name for name, node in kernels if not inner(node) and node.name not in named} == set(), "@inner_kernel"
    assert sum(inner(node) for _, node in kernels) > 300


def test_exceptions_are_few_and_have_reasons(everything: list[tuple[str, Function]]) -> None:
    assert len(LONG) <= MOST_EXCEPTIONS and all(LONG.values())
    still = {name for name, node in everything if length(node) > most_lines(name)}
    assert set(LONG) <= still, "no exceptions any more"


def test_limits_are_measured_right() -> None:
    source = "@kernel\ndef a(b, /, c, *d, e, **f):\n    x = 1\n\n    return x\n\nclass G:\n    async def h(self): ...\n"
    one, two = functions(source)
    assert (is_kernel(one), length(one), parameters(one)) == (True, 4, 5)
    assert (is_kernel(two), length(two), parameters(two)) == (False, 1, 1)


def test_the_core_knows_no_edition() -> None:
    """Rule ids in the core lack the edition, which maps them to its own."""
    files = sorted((ROOT / "wh_env" / "core").rglob("*.py"))
    assert len(files) > 30
    assert not [file.name for file in files if "w10" in file.read_text(encoding="utf-8").replace("tenth", "w10")]
