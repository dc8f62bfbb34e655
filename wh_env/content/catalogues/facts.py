"""Facts of one datasheet from two sources, by field, and their differences.

A fact is a text, a number, a set of texts, or nested facts (a weapon), under the name of its field, such as
``lieutenant: W``. Each edition defines the facts of its datasheets (``w10/facts.py``); this module knows no edition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

Fact = str | int | frozenset[str] | dict[str, "Fact"] | None
Facts = dict[str, Fact]
ABSENT = "-"  # how a field is shown that one source does not have
_MARKS = re.compile(r"^[^\w(\[]+")  # arrows before the profiles of one weapon
_SPACES = re.compile(r"[\s\u00a0]+")
_KIND = re.compile(r"\s*[(\[](aura|psychic|aura, psychic|psychic, aura)[)\]]$")
_LEGENDS = re.compile(r"\s*\[legends\]\s*$", re.IGNORECASE)


def plain_name(name: str) -> str:
    """A name for comparison: lower case, one kind of dash, apostrophe and space, without leading marks."""
    text = name.replace("’", "'").replace("–", "-").replace("—", "-").replace("‑", "-")
    return _SPACES.sub(" ", _LEGENDS.sub("", _MARKS.sub("", text))).strip().lower()


def alike(name: str) -> str:
    """A name for comparison without plural and without the kind of ability, as sources differ in them."""
    return _KIND.sub("", plain_name(name.strip("*^ "))).replace("-", " ").removesuffix("s")


@dataclass(frozen=True)
class Difference:
    """A field of a datasheet in which two sources differ; ``reason``: why it is accepted, empty if it is not."""

    sheet: str
    field: str
    ours: str
    theirs: str
    reason: str = ""


def shown(fact: Fact) -> str:
    """A fact in a cell of a table."""
    if fact is None:
        return ABSENT
    if isinstance(fact, frozenset):
        return ", ".join(sorted(fact)) or ABSENT
    if isinstance(fact, dict):
        return " ".join(f"{name} {shown(value)}" for name, value in fact.items())
    return str(fact)


def differences(sheet: str, ours: Mapping[str, Fact], theirs: Mapping[str, Fact], within: str = "") -> list[Difference]:
    """Every field in which the facts of a datasheet differ.

    Of two sets only the members that the other lacks are shown; two weapons are compared field by field.
    """
    found: list[Difference] = []
    for name in sorted({*ours, *theirs}):
        left, right = ours.get(name), theirs.get(name)
        if left == right:
            continue
        if isinstance(left, dict) and isinstance(right, dict):
            found += differences(sheet, left, right, f"{within}{name}: ")
            continue
        if isinstance(left, frozenset) and isinstance(right, frozenset):
            left, right = left - right, right - left
        found.append(Difference(sheet, within + name, shown(left), shown(right)))
    return found
