"""Imports catalogues of the 9th edition: datasheets of their units, and new factions."""

from __future__ import annotations

from typing import Any

from wh_env.content.catalogues.importing import Importing
from wh_env.content.catalogues.library import Library
from wh_env.content.catalogues.telling import Report
from wh_env.content.catalogues.tree import Node
from wh_env.content.classic.facts import LEFT_OUT
from wh_env.content.classic.importing import sheet_of_entry
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.w9.load import CONTENT, RULESET, SHEETS


def faction_of(library: Library, root: Node, name: str, keyword: str, report: Report) -> dict[str, Any]:
    """A new faction as a mapping of the schema ``Faction``."""
    report.leave(f"rules, psychic disciplines and Stratagems of {name}")
    return {"name": name, "keyword": keyword}


IMPORTING = Importing(
    ruleset=RULESET,
    edition="40,000 9th Edition",
    left_out=LEFT_OUT,
    known=SHEETS.all,
    factions=CONTENT.factions,
    sheet_of=sheet_of_entry,
    schema=ClassicDatasheet,
    faction_of=faction_of,
)
