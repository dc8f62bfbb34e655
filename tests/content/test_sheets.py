"""Datasheets of the units of a battle, for people: from the army lists of any game."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.content.load import names
from wh_env.content.sheets import sheets
from wh_env.envs.registry import environment, rulesets


@pytest.mark.parametrize("ruleset", rulesets())
def test_every_unit_has_a_sheet_with_its_models(ruleset: str) -> None:
    setup = Battle.load(environment(ruleset).skirmish, 1).setup
    found = sheets(setup)
    assert [sheet.unit for sheet in found] == list(setup.names["units"])
    assert [sheet.player for sheet in found] == setup.layout.view(setup.template, "units")["owner"].tolist()
    for sheet in found:
        assert sheet.title and sheet.tables["models"], sheet.unit
        assert all(len(row) > 3 for row in sheet.tables["models"]), sheet.unit
        words = [*sheet.notes, *(value for rows in sheet.tables.values() for row in rows for value in row.values())]
        assert all(isinstance(word, str) and word for word in words)
        assert not any(sign in word for word in words for sign in "{}[]"), "nothing is shown as Python writes it"


def test_a_sheet_says_what_the_datasheet_says() -> None:
    found = {sheet.unit: sheet for sheet in sheets(Battle.load("w10/only-war-skirmish", 1).setup)}
    captain, genestealers = found["captain"], found["genestealers"]
    assert captain.title == "Captain" and "80 points" in captain.notes and "1 model" in captain.notes
    assert [row["weapon"] for row in captain.tables["weapons"]] == ["Heavy bolt pistol", "Master-crafted power weapon"]
    (row,) = genestealers.tables["models"]
    assert (row["M"], row["T"], row["Sv"], row["invulnerable"]) == ("8", "4", "5+", "5+")
    (claws,) = genestealers.tables["weapons"]
    assert (claws["range"], claws["A"], claws["skill"], claws["AP"]) == ("melee", "4", "2+", "-2")


@pytest.mark.parametrize("battle", [name for name in names("battles") if "random" not in name and "strike" not in name])
def test_every_shipped_battle_has_sheets(battle: str) -> None:
    setup = Battle.load(battle, 1).setup
    assert all(sheet.title for sheet in sheets(setup))
