"""Every key that the code of a ruleset gives an event is declared: else recording a battle fails when it comes up."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from wh_env import Battle
from wh_env.content.load import names, rulesets
from wh_env.core.events import FIELDS

RULESETS = Path(__file__).resolve().parents[2] / "wh_env" / "rulesets"
SHARED = "w40k"  # what the editions share


def keys_of_events(folder: Path) -> Iterator[tuple[str, str]]:
    """(file:line, key) of each keyword of ``g.note`` and ``g.tell`` in a folder."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("note", "tell")
            ):
                yield from ((f"{file.name}:{node.lineno}", word.arg) for word in node.keywords if word.arg)


def declared(ruleset: str) -> set[str]:
    """The keys that a ruleset declares."""
    return set(Battle.load(names("battles", ruleset)[0], 0).setup.ruleset.event_fields)


@pytest.mark.parametrize("ruleset", [*rulesets(), SHARED])
def test_no_event_has_a_key_that_is_not_declared(ruleset: str) -> None:
    editions = [each for each in rulesets() if each.startswith("w") and each != "wap"]
    known = set.intersection(*map(declared, editions)) if ruleset == SHARED else declared(ruleset)
    found = list(keys_of_events(RULESETS / ruleset))
    assert len(found) > 30
    assert known >= FIELDS.keys()
    assert not [(where, key) for where, key in found if key not in known]
