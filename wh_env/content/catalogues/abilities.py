"""The abilities of one unit of a catalogue: which became fields of the datasheet, effects, or are not played."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from wh_env.content.catalogues.entries import Entry, Line, own_parts
from wh_env.content.catalogues.prose import ability_of, understood
from wh_env.content.catalogues.prose.words import About, Rules
from wh_env.content.catalogues.sheets import MOST_OTHER
from wh_env.content.catalogues.telling import Report, name_of
from wh_env.content.errors import ContentError
from wh_env.content.load import validate
from wh_env.content.w40k.schema import OtherAbility

MOST_READ = 200  # abilities of a unit whose texts are read


def ability_lines(entry: Entry, kind: str, only_own: bool = False) -> list[tuple[Line, bool]]:
    """The ability lines of a unit, each name once, and whether all its models have the ability whatever is chosen.

    Args:
        kind: the type of their profiles.
        only_own: without those of options.
    """
    own = {id(one) for one in own_parts(entry)}
    single = len(entry.models()) == 1
    found: dict[str, tuple[Line, bool]] = {}
    for one in entry.walk():
        for line in one.lines:
            if line.kind == kind and (id(one) in own or not only_own):
                found.setdefault(line.name, (line, one is entry or (single and id(one) in own)))
    return list(found.values())


@dataclass
class Abilities:
    """Collects the abilities of a unit that are no fields of the datasheet.

    Attributes:
        unit: its name.
        about: the unit.
        rules: the patterns of sentences of the edition.
    """

    unit: str
    about: About
    rules: tuple[Rules, ...]
    report: Report
    active: dict[str, dict[str, Any]] = field(default_factory=dict)
    inactive: dict[str, None] = field(default_factory=dict)

    def as_field(self, title: str) -> None:
        """Count an ability line that is a field of the datasheet."""
        self.report.fields.append(f"{self.unit}: {name_of(title)}")

    def read(self, title: str, text: str, whole: bool = True) -> None:
        """Add an ability with its effects, or as not played where its text is not understood.

        Args:
            whole: whether all models of the unit have it.
        """
        name = name_of(title)
        if not name or name in self.active or name in self.inactive:
            return
        known = text and len(self.active) + len(self.inactive) < MOST_READ
        found = understood(text, replace(self.about, whole=whole), self.rules) if known else None
        if found is not None:
            row = ability_of(name, found, "psychic" in title.lower() and "PSYKER" in self.about.own)
            try:
                validate(OtherAbility, row, "<catalogue>")
            except ContentError:
                found = None
            else:
                self.active[name] = row
                self.report.understood.append(f"{self.unit}: {name}")
        if found is None:
            self.inactive[name] = None
            if text:
                self.report.missed.append(f"{self.unit}: {name}")

    def rows(self) -> list[dict[str, Any]]:
        """The abilities as mappings of the schema ``OtherAbility``; those that are not played are reported."""
        rows = list(self.active.values())[:MOST_OTHER]
        named = list(self.inactive)[: MOST_OTHER - len(rows)]
        for one in (*list(self.active)[MOST_OTHER:], *self.inactive):
            self.report.leave(f"{self.unit}: {one}")
        return rows + [{"name": one, "effect": "not played", "active": False} for one in named]
