"""Catalogues of the 10th edition: the Detachments of a catalogue, and new factions."""

from __future__ import annotations

from typing import Any

from wh_env.content.catalogues.entries import named_entries
from wh_env.content.catalogues.importing import Importing
from wh_env.content.catalogues.library import Library
from wh_env.content.catalogues.telling import Report, name_of
from wh_env.content.catalogues.tree import Node
from wh_env.content.w10.facts import LEFT_OUT
from wh_env.content.w10.importing.catalogues import sheet_of_entry
from wh_env.content.w10.load import CONTENT, RULESET, SHEETS
from wh_env.content.w10.schema import Datasheet

MOST_DETACHMENTS = 32


def detachments_of(library: Library, root: Node) -> list[str]:
    """Names of the Detachments that a catalogue offers."""
    found: dict[str, None] = {}
    for entry in named_entries(library, root, "detachment"):
        for one in entry.walk():
            if one.kind == "upgrade" and one is not entry and not one.name.lower().startswith("detachment"):
                found.setdefault(name_of(one.name))
    return [name for name in found if name][:MOST_DETACHMENTS]


def faction_of(library: Library, root: Node, name: str, keyword: str, report: Report) -> dict[str, Any]:
    """A new faction as a mapping of the schema ``Faction``."""
    detachments = detachments_of(library, root) or ["Detachment"]
    report.leave(f"army rule of {name}")
    for one in detachments:
        report.leave(f"Detachment {one} of {name}: its rules, Enhancements and Stratagems")
    return {"name": name, "keyword": keyword, "detachments": [{"name": one} for one in detachments]}


IMPORTING = Importing(
    ruleset=RULESET,
    edition="40,000 10th Edition",
    left_out=LEFT_OUT,
    known=SHEETS.all,
    factions=CONTENT.factions,
    sheet_of=sheet_of_entry,
    schema=Datasheet,
    faction_of=faction_of,
)
