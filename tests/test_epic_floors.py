"""Questions know no procedures: no module without a procedure or decision kind imports one that has some.

Above both are views, which look at everything, and the modules beside the chapters.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from wh_env.core.class_lists import classes_in_chapters

ROOT = Path(__file__).resolve().parent.parent
RULESETS = ("epic",)


def imported(text: str) -> Iterator[str]:
    """Modules that a text may import, those of imports in functions and under ``TYPE_CHECKING`` too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "rulesets import by full names"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def chapters(ruleset: str) -> dict[str, str]:
    """The texts of the modules in the chapters of a ruleset, by module; views are none."""
    folder = ROOT / "wh_env" / "rulesets" / ruleset
    files = [path for path in folder.glob("*/**/*.py") if path.relative_to(folder).parts[0] != "view"]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text(encoding="utf-8") for path in files}


def questions_that_know_procedures(texts: dict[str, str], procedures: set[str]) -> set[tuple[str, str]]:
    """Pairs of a module without procedures and a module with some that it imports."""
    questions = texts.keys() - procedures
    return {(module, other) for module in questions for other in imported(texts[module]) if other in procedures}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_question_imports_a_procedure(ruleset: str) -> None:
    texts = chapters(ruleset)
    procedures = {cls.__module__ for cls in classes_in_chapters(f"wh_env.rulesets.{ruleset}")}
    assert len(procedures) > 5 and len(texts.keys() - procedures) > 10
    assert questions_that_know_procedures(texts, procedures) == set()


@pytest.mark.parametrize(
    "line",
    [
        "from toy.move.phase import Move",
        "from toy.move import phase",
        "import toy.move.phase",
        "def asked():\n    from toy.move.phase import Move",
        "if TYPE_CHECKING:\n    from toy.move.phase import Move",
    ],
)
def test_a_question_that_imports_a_procedure_is_found(line: str) -> None:
    texts = {"toy.move.phase": "from toy.move.ways import far", "toy.move.ways": line, "toy.fire.aim": "import numpy"}
    assert questions_that_know_procedures(texts, {"toy.move.phase"}) == {("toy.move.ways", "toy.move.phase")}
