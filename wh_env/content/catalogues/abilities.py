"""The abilities of one unit of a catalogue: which became fields of the datasheet, effects, or are not played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wh_env.content.catalogues.entries import Entry, Line, own_parts
from wh_env.content.catalogues.prose import Understood, ability_of, understood
from wh_env.content.catalogues.prose.words import About, Rules
from wh_env.content.catalogues.sheets import MOST_OTHER
from wh_env.content.catalogues.telling import Report, name_of
from wh_env.content.errors import ContentError
from wh_env.content.load import validate
from wh_env.content.w40k.schema import OtherAbility

MOST_READ = 200  # abilities of a unit whose texts are read
Told = tuple[str, str]  # the name and the text of an ability line


def ability_lines(entry: Entry, kind: str, only_own: bool = False) -> list[tuple[Line, bool]]:
    """The ability lines of a unit, each name once, and whether all its models have the ability whatever is chosen.

    Args:
        kind: the type of their profiles.
        only_own: without those of options.
    """
    own = {id(one) for one in own_parts(entry)}
    of_all = frozenset.intersection(*(_lines_of(own_parts(model), kind) for model in entry.models()))
    within_models = {id(one) for model in entry.models() if model is not entry for one in model.walk()}
    of_all |= _lines_of([one for one in own_parts(entry) if id(one) not in within_models], kind)
    found: dict[str, tuple[Line, bool]] = {}
    for one in entry.walk():
        for line in one.lines:
            if line.kind == kind and (id(one) in own or not only_own):
                found.setdefault(line.name, (line, _told(line) in of_all))
    return list(found.values())


def _told(line: Line) -> Told:
    return line.name, line.get("Description")


def _lines_of(entries: Iterable[Entry], kind: str) -> frozenset[Told]:
    return frozenset(_told(line) for one in entries for line in one.lines if line.kind == kind)


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
    items: dict[Told, str] = field(default_factory=dict)  # active abilities of some models, by name and text

    def as_field(self, title: str) -> None:
        """Count an ability line that is a field of the datasheet."""
        self.report.fields.append(f"{self.unit}: {name_of(title)}")

    def read(self, title: str, text: str, whole: bool = True) -> None:
        """Add an ability with its effects, or as not played where its text is not understood.

        Args:
            whole: whether all models of the unit have it. If not, it belongs to those that are equipped with an item of
                its name.
        """
        name = name_of(title)
        if not name or name in self.active or name in self.inactive:
            return
        known = text and len(self.active) + len(self.inactive) < MOST_READ
        found = understood(text, replace(self.about, whole=whole), self.rules) if known else None
        row = None if found is None else self._row(name, title, found, whole)
        if row is None:
            self._miss(name, bool(text))
            return
        self.active[name] = row
        self.report.understood.append(f"{self.unit}: {name}")
        if not whole:
            self.items[title, text] = name

    def _row(self, name: str, title: str, found: Understood, whole: bool) -> dict[str, Any] | None:
        """An ability as a mapping of the schema ``OtherAbility``; None: it does not fit the schema."""
        row = ability_of(name, found, "psychic" in title.lower() and "PSYKER" in self.about.own)
        if not whole:
            row["wargear"] = name
        try:
            validate(OtherAbility, row, "<catalogue>")
        except ContentError:
            return None
        return row

    def _miss(self, name: str, counted: bool = True) -> None:
        """Note an ability as not played; one without a text is not ``counted`` among the lines."""
        self.inactive[name] = None
        if counted:
            self.report.missed.append(f"{self.unit}: {name}")

    def items_of(self, entry: Entry) -> tuple[str, ...]:
        """The items that an entry gives to the models that have it, by the names of their abilities."""
        return tuple(sorted({self.items[told] for line in entry.lines if (told := _told(line)) in self.items}))

    def settle(self, models: Sequence[Mapping[str, Any]]) -> None:
        """Take abilities out of play that no model can have, or that are about weapons that no model can carry.

        Args:
            models: the kinds of models of the datasheet, as mappings of the schema.
        """
        ways = [way for model in models for way in (model, *model.get("options", ()))]
        items = {item for way in ways for item in way.get("wargear", ())}
        weapons = {weapon for way in ways for weapon in way["weapons"]}
        for name, row in list(self.active.items()):
            named = {weapon for play in row.get("plays", ()) for weapon in play.get("weapon", ())}
            borne = "wargear" not in row or row["wargear"] in items
            if not borne or not named <= weapons:
                del self.active[name]
                self.report.understood.remove(f"{self.unit}: {name}")
                self._miss(name)

    def rows(self) -> list[dict[str, Any]]:
        """The abilities as mappings of the schema ``OtherAbility``; those that are not played are reported."""
        rows = list(self.active.values())[:MOST_OTHER]
        named = list(self.inactive)[: MOST_OTHER - len(rows)]
        for one in (*list(self.active)[MOST_OTHER:], *self.inactive):
            self.report.leave(f"{self.unit}: {one}")
        return rows + [{"name": one, "effect": "not played", "active": False} for one in named]
