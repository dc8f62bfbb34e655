"""Stratagems are told by their names in the rulebook, in options as in events."""

from __future__ import annotations

import re

import pytest

from wh_env import Battle
from wh_env.content.rulebook import catalogue

BATTLES = {"w10": "w10/only-war-skirmish", "w9": "w9/only-war-patrol"}
COST = re.compile(r" \(\d CP\)$")


@pytest.mark.parametrize("game", BATTLES)
def test_titles_are_those_of_the_catalogue(game: str) -> None:
    book = Battle.load(BATTLES[game], 1).setup.ruleset.stratagems
    titles = {entry.name: entry.title for entry in book.table.values() if not entry.name.startswith("faction-")}
    assert titles == {name: COST.sub("", catalogue(game)[f"{game}.stratagem.{name}"]["title"]) for name in titles}
    assert len(titles) > 6
