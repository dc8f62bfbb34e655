"""The committed list of mutants that behave like the original code, with a reason for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from scripts.mutation.sites import Mutant

Key = tuple[str, str, str, str]
FIELDS = ("file", "function", "line", "mutated", "reason")


class JudgedError(Exception):
    """The list has a fault."""


@dataclass
class Judged:
    """The reasons why mutants behave like the original code, by `Mutant.key`."""

    reasons: dict[Key, str]

    def reason(self, mutant: Mutant) -> str | None:
        """Why this mutant behaves like the original code; None if it is not in the list."""
        return self.reasons.get(mutant.key)

    def stale(self, mutants: Iterable[Mutant], files: Iterable[str]) -> list[Key]:
        """Entries about these files that fit none of the mutants any more."""
        present = {mutant.key for mutant in mutants}
        known = set(files)
        return [key for key in self.reasons if key[0] in known and key not in present]


def read(path: Path) -> Judged:
    """Read the list. A missing file counts as an empty list.

    Raises:
        JudgedError: the file is not valid YAML, or an entry lacks a field, has an unknown field, has no reason or
            occurs twice.
    """
    if not path.is_file():
        return Judged({})
    try:
        entries: Any = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    except yaml.YAMLError as error:
        raise JudgedError(f"{path}: no valid YAML: {' '.join(str(error).split())}") from error
    reasons: dict[Key, str] = {}
    if not isinstance(entries, list):
        raise JudgedError(f"{path}: expected a list of entries")
    for number, entry in enumerate(entries):
        fields = entry if isinstance(entry, dict) else {}
        if set(fields) != set(FIELDS) or not all(isinstance(text, str) for text in fields.values()):
            raise JudgedError(f"{path}: entry {number}: expected the fields {', '.join(FIELDS)}, each a text")
        if not fields["reason"].strip():
            raise JudgedError(f"{path}: entry {number}: the reason is empty")
        key = (fields["file"], fields["function"], fields["line"], fields["mutated"])
        if key in reasons:
            raise JudgedError(f"{path}: entry {number}: {key[0]}, {key[2]!r} comes twice")
        reasons[key] = " ".join(fields["reason"].split())
    return Judged(reasons)
