"""Mutants that were judged to change nothing: a committed list with a reason for each."""

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
    """The list cannot be used."""


@dataclass
class Judged:
    """The reasons, by what a mutant is (`Mutant.key`)."""

    reasons: dict[Key, str]

    def reason(self, mutant: Mutant) -> str | None:
        """Why this one changes nothing; ``None``: it was not judged to."""
        return self.reasons.get(mutant.key)

    def stale(self, mutants: Iterable[Mutant], files: Iterable[str]) -> list[Key]:
        """Entries of these files to which no mutant belongs any more."""
        there = {mutant.key for mutant in mutants}
        known = set(files)
        return [key for key in self.reasons if key[0] in known and key not in there]


def read(path: Path) -> Judged:
    """Read the list; a file that is not there is an empty one.

    Raises:
        JudgedError: an entry lacks a field, has another one or comes twice.
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
