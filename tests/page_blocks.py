"""The code blocks of the documents: read, written to the files that they name, run, or checked as the programs would read them."""

from __future__ import annotations

import importlib
import re
import runpy
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from wh_env import ContentError
from wh_env.agents.options import spread
from wh_env.agents.policies import prepare
from wh_env.agents.programs import BAD_USE, CONTENT
from wh_env.content.load import check_battle_name
from wh_env.scripts import MODULES, PROGRAMS

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"<!-- not run: (?P<reason>[^\n]+) -->\s*$")
NAMED = re.compile(r"`(?P<file>[\w./-]+\.\w+)`:\s*$")
PYTHON, SHELL = "python", "sh"
DATA = ("yaml", "toml", "text", "bat")  # parsed, or words
BUILDS = "{"  # of the site's own directives
CONFIGS = {"tournament": "tournaments", "train": "train"}  # folders of what --config names
NOT_OURS = ("git", "tensorboard", "cd", "export")  # nothing to check but that they are spelt as here


@dataclass(frozen=True)
class Block:
    """One code block.

    Attributes:
        language: after the fence. text: without the indentation of its fence.
        line: of the fence. file: that the line before says it is; empty: none.
        reason: why it is not run; empty: it is.
    """

    language: str
    text: str
    line: int
    file: str = ""
    reason: str = ""


def blocks_of(page: Path) -> list[Block]:
    """The code blocks of a page, in their order."""
    text, found = page.read_text(encoding="utf-8"), []
    for match in FENCE.finditer(text):
        before = text[: match.start()].rstrip()
        named, marked = NAMED.search(before), NOT_RUN.search(before)
        inner = re.sub(rf"^{match['indent']}", "", match["text"], flags=re.MULTILINE)
        line = text.count("\n", 0, match.start()) + 1
        words = named["file"] if named else "", marked["reason"] if marked else ""
        found.append(Block(match["language"].strip(), inner, line, *words))
    return found


def pages() -> list[Path]:
    """Everything that people read."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


# ---------------------------------------------------------------- commands


def commands_of(block: Block) -> list[list[str]]:
    """The commands of a shell block as words, comments left out, ``a && b`` as two."""
    text = block.text.replace("\\\n", " ")
    found = []
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        while words:
            end = words.index("&&") if "&&" in words else len(words)
            found.append(words[:end])
            words = words[end + 1 :]
    return found


def check(words: list[str]) -> None:
    """See that a command could be called like this.

    Raises:
        AssertionError: with the command and what is wrong with it.
    """
    told = shlex.join(words)
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words = words[1:]
    first = words[0].removeprefix(".venv/bin/")
    if first == "make":
        _check_targets(words[1:], told)
    elif first == "pip":
        _check_extras(words, told)
    elif first == "wh-env" or (first == "python" and words[1].startswith(("scripts/", "examples/"))):
        _check_program(words[1:], told)
    elif first == "python":
        assert words[1] == "-m" or (ROOT / words[1]).is_file(), f"{told}: {words[1]} is not there"
        for word in words[2:]:
            assert not word.startswith("tests/") or (ROOT / word).exists(), f"{told}: {word} is not there"
    elif first == "pre-commit":
        assert words[1:] == ["install"], told
    else:
        assert first in NOT_OURS, f"{told}: nothing is known of {first!r}"


def _check_targets(words: list[str], told: str) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for word in words:
        assert "=" in word or word in targets, f"{told}: the Makefile has no target {word!r}"


def _check_extras(words: list[str], told: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [extra for word in words for part in re.findall(r"\[([\w,-]+)\]", word) for extra in part.split(",")]
    for extra in asked:
        assert extra in project["optional-dependencies"], f"{told}: there is no extra {extra!r}"


def _check_program(words: list[str], told: str) -> None:
    """Read the arguments as the program does: names, options, types, choices."""
    command, several = command_of(words[0])
    arguments = list(words[1:])
    own = CONTENT in arguments
    if own:  # which every program takes
        at = arguments.index(CONTENT)
        del arguments[at : at + 2]
    try:
        context = command.make_context(words[0], spread(arguments, several))
        if hasattr(command, "resolve_command"):  # a program of several commands
            left = [*getattr(context, "_protected_args", []), *context.args]
            name, inner, rest = command.resolve_command(context, left)
            inner.make_context(name, rest, parent=context)
    except (BAD_USE, typer.Exit, SystemExit) as error:
        raise AssertionError(f"{told}: {getattr(error, 'message', error)}") from None
    for policy in values_of(arguments, "--agents", "--pilot"):
        if ":" not in policy and "=" not in policy:
            prepare(policy)
    for battle in () if own else values_of(arguments, "--battle", "--battles", "--beside"):
        try:
            check_battle_name(battle, told, "battle")
        except ContentError:
            raise AssertionError(f"{told}: no battle is called {battle!r}") from None
    stem = Path(words[0]).stem
    for config in values_of(arguments, "--config"):
        file = ROOT / "configs" / CONFIGS[stem] / f"{config}.yaml"
        assert file.is_file(), f"{told}: {file} is not there"


def values_of(arguments: list[str], *options: str) -> list[str]:
    """What is given to options, all values of those that take several."""
    found, taking = [], False
    for word in arguments:
        if word.startswith("--"):
            taking = word in options
        elif taking:
            found.append(word)
    return found


def command_of(name: str) -> tuple[Any, tuple[str, ...]]:
    """The command line of a program, ``play`` or ``scripts/play.py``, and its options that take several values."""
    if name.endswith(".py"):
        path = ROOT / name
        assert path.is_file(), f"{name} is not there"
        module = runpy.run_path(str(path), run_name="not_main")
    else:
        assert name in PROGRAMS, f"{name!r} is no program"
        module = vars(importlib.import_module(f"wh_env.scripts.{MODULES.get(name, name)}"))
    app = module.get("app")
    if app is None:
        app = typer.Typer(add_completion=False)
        app.command()(module["main"])
    return get_command(app), tuple(module.get("SEVERAL", ()))


__all__ = ["BUILDS", "DATA", "PYTHON", "SHELL", "Block", "blocks_of", "check", "commands_of", "pages"]
