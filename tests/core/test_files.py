"""Files are written whole or not at all: where the disk is full there is the old file, and nothing beside it."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Any

import pytest

from wh_env import ContentError
from wh_env.content.rosters import Imported
from wh_env.core.files import replacing, write_whole

ROOT = Path(__file__).resolve().parents[2]
WRITERS = {"write_text", "write_bytes", "savefig"}
# what writes in place, and why that does no harm
IN_PLACE = {
    ("agents/fuzzing/results.py", "edited"),  # a file of its own folder that goes with the program
    ("agents/fuzzing/results.py", "feed"),
    ("agents/fuzzing/rosters.py", "feed"),
    ("agents/fuzzing/yaml_inputs.py", "feed"),
    ("agents/matchup_page.py", "inline"),  # memory
    ("scripts/fuzz.py", "store_input"),  # a new file each time, of a finding that is told too
    ("scripts/mutants.py", "run"),  # a temporary folder
    ("wh_env/core/kernel_cache.py", "_write"),  # a file beside, as here
}


class Writes(ast.NodeVisitor):
    """Functions that write a file that is not the draft of ``replacing``."""

    def __init__(self) -> None:
        self.function = ""
        self.drafts: set[str] = set()
        self.found: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self.function = self.function, node.name
        self.generic_visit(node)
        self.function = before

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            if ast.unparse(item.context_expr).startswith("replacing(") and isinstance(item.optional_vars, ast.Name):
                self.drafts.add(item.optional_vars.id)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in WRITERS:
            file = node.args[0] if called.attr == "savefig" else called.value
            if not (isinstance(file, ast.Name) and file.id in self.drafts):
                self.found.add(self.function)
        self.generic_visit(node)


def test_no_other_file_is_written_in_place():
    found = set()
    for part in ("wh_env", "agents", "scripts"):
        for file in (ROOT / part).rglob("*.py"):
            writes = Writes()
            writes.visit(ast.parse(file.read_text(encoding="utf-8")))
            found |= {(str(file.relative_to(ROOT)), function) for function in writes.found}
    assert found == IN_PLACE


@pytest.fixture
def full(monkeypatch) -> None:
    """Every file that is written from here on finds the disk full."""
    write = Path.write_text

    def half(path: Path, text: str, *how: Any, **named: Any) -> int:
        write(path, text[: len(text) // 2], *how, **named)
        with Path("/dev/full").open("w") as nowhere:
            return nowhere.write(text)

    def fdopen(handle: int, *how: Any, **named: Any) -> Any:
        os.close(handle)
        return open("/dev/full", *how, **named)

    monkeypatch.setattr(Path, "write_text", half)
    monkeypatch.setattr(os, "fdopen", fdopen)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux")
@pytest.mark.parametrize("old", [b"old", None])
def test_a_full_disk_leaves_what_was_there(tmp_path, full, old):
    file = tmp_path / "file.txt"
    if old is not None:
        file.write_bytes(old)
    with pytest.raises(OSError, match="No space left"):
        write_whole(file, b"new")
    with pytest.raises(OSError, match="No space left"), replacing(file) as draft:
        draft.write_text("new" * 10_000)
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == ([("file.txt", old)] if old else [])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux")
def test_an_army_that_cannot_be_written_leaves_the_old_one(tmp_path, full):
    there = tmp_path / "w10" / "armies" / "some.yaml"
    there.parent.mkdir(parents=True)
    there.write_bytes(b"name: old")
    army = Imported("text", {"name": "some", "units": ["x" * 9000]}, None, None)
    with pytest.raises(ContentError, match="No space left"):
        army.write(tmp_path, replace=True)
    assert there.read_bytes() == b"name: old" and len(list(there.parent.iterdir())) == 1


def test_what_is_written_whole_is_its_owners(tmp_path):
    write_whole(tmp_path / "new" / "file", b"text")
    assert (tmp_path / "new" / "file").read_bytes() == b"text"
    assert (tmp_path / "new" / "file").stat().st_mode & 0o077 == 0
