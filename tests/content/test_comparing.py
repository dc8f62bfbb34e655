"""Datasheets against catalogues: every difference by field, accepted ones with their reason, the program."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from catalogues import (
    POINTS,
    ability,
    condition,
    entry,
    group,
    gun,
    limit,
    model_line,
    modifier,
    profile,
    written,
)
from programs_in_place import in_place

from wh_env import ContentError
from wh_env.content.catalogues import read_library, unit_entries
from wh_env.content.catalogues.comparing import Accepted, Compared, compare
from wh_env.content.catalogues.facts import differences
from wh_env.content.classic.facts import facts_of_entry, facts_of_sheet
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.games import GAMES
from wh_env.content.w10.schema import Datasheet


def ours(**changes: Any) -> Datasheet:
    """A datasheet of a squad of five to ten."""
    man = {
        "name": "Man",
        "min": 4,
        "max": 9,
        "M": 6,
        "T": 4,
        "Sv": "3+",
        "W": 2,
        "Ld": "6+",
        "OC": 2,
        "invuln": "4+",
        "base": {"circle_mm": 32},
        "height_in": 1.8,
        "weapons": ["Rifle"],
    }
    sheet = {
        "name": "Squad",
        "faction": "Own",
        "faction_keywords": ["OWN"],
        "keywords": ["INFANTRY", "BATTLELINE"],
        "models": [{**man, "name": "Chief", "min": 1, "max": 1}, man],
        "weapons": {
            "Rifle": {"range": 24, "A": 2, "skill": "3+", "S": 4, "AP": -1, "D": 1, "abilities": ["Rapid Fire 1"]}
        },
        "abilities": {
            "deep_strike": True,
            "scouts": 6,
            "feel_no_pain": "5+",
            "deadly_demise": "D3",
            "damaged": 4,
            "leader": ["Bodyguard Squad"],
            "transport": {"capacity": 6, "allowed": ["INFANTRY"], "firing_deck": 2},
            "other": [{"name": "Steady", "effect": "steady", "active": False}],
        },
        "points": [{"models": 5, "points": 80}, {"models": 10, "points": 160}],
    }
    return Datasheet.model_validate({**sheet, **changes})


def theirs(name: str = "Squad", **changes: Any) -> str:
    """The same squad as a unit of a catalogue."""
    parts: dict[str, Any] = {
        "profiles": [
            ability("Steady"),
            ability("Invulnerable Save", "4+"),
            ability("Damaged: 1-4 wounds remaining"),
            ability("Leader", "■ Bodyguard Squads"),
            ability("Transport", "This model has a transport capacity of 6 Infantry models."),
        ],
        "rules": ["Deep Strike", 'Scouts 6"', "Feel No Pain 5+", "Deadly Demise D3", "Firing Deck 2", "Leader"],
        "categories": ["Infantry", "Battleline", "Squad", "Faction: Own"],
        "groups": [
            group(
                "men",
                "Men",
                [
                    entry(
                        "chief",
                        "Chief",
                        "model",
                        profiles=[model_line("Chief")],
                        limits=[limit("min", 1), limit("max", 1)],
                    ),
                    entry(
                        "man",
                        "Man",
                        "model",
                        profiles=[model_line("Man"), gun("➤ Rifle", Keywords="Rapid Fire 1")],
                        limits=[limit("min", 4), limit("max", 9)],
                    ),
                ],
            )
        ],
        "points": 80,
        "modifiers": [modifier("set", POINTS, "160", [condition("atLeast", "men", 6)])],
    }
    return entry("squad", name, "unit", **{**parts, **changes})


def compared(folder: Path, unit: str, sheet: Datasheet, accepted: tuple[Accepted, ...] = ()) -> Compared:
    """The sheet against a catalogue with that unit."""
    how = replace(GAMES["w10"].comparison, sheets=lambda: {sheet.name: sheet})
    return compare(how, read_library([written(folder, [unit])]), accepted=accepted)


def test_what_agrees_has_no_difference(tmp_path):
    outcome = compared(tmp_path, theirs(), ours())
    assert outcome.compared == ("Squad",)
    assert outcome.rows == ()


DIFFERING = {
    "abilities": {"profiles": [ability("Steadier"), ability("Invulnerable Save (4+)")]},
    "invulnerable save": {"profiles": [ability("Invulnerable Save (5+)")]},
    "damaged at": {"profiles": [ability("Damaged: 1-5 wounds remaining")]},
    "leads": {"profiles": [ability("Leader", "- Other Squad")]},
    "capacity": {"profiles": [ability("Transport", "a transport capacity of 12 models")]},
    "deep strike": {"rules": ["Stealth"]},
    "stealth": {"rules": ["Stealth"]},
    "scouts": {"rules": ['Scouts 7"']},
    "feel no pain": {"rules": ["Feel No Pain 6+"]},
    "deadly demise": {"rules": ["Deadly Demise 1"]},
    "firing deck": {"rules": ["Firing Deck 12"]},
    "keywords": {"categories": ["Infantry", "Faction: Own"]},
    "faction keywords": {"categories": ["Infantry", "Battleline", "Faction: Other"]},
    "points of 5": {"points": 85},
    "points of 10": {"modifiers": []},
}


@pytest.mark.parametrize("field", DIFFERING)
def test_each_field_that_differs_is_told(tmp_path, field):
    rows = {row.field: row for row in compared(tmp_path, theirs(**DIFFERING[field]), ours()).rows}
    assert field in rows and rows[field].sheet == "Squad"
    assert rows[field].ours != rows[field].theirs


def test_characteristics_weapons_and_sizes_that_differ(tmp_path):
    men = group(
        "men",
        "Men",
        [
            entry(
                "chief",
                "Chief",
                "model",
                profiles=[model_line("Chief", W="3")],
                limits=[limit("min", 1), limit("max", 1)],
            ),
            entry(
                "man",
                "Man",
                "model",
                profiles=[model_line("Man"), gun("Rifle", A="3", Keywords="Rapid Fire 1, Heavy"), gun("Pistol")],
                limits=[limit("min", 4), limit("max", 4)],
            ),
        ],
    )
    rows = {
        row.field: (row.ours, row.theirs) for row in compared(tmp_path, theirs(groups=[men], modifiers=[]), ours()).rows
    }
    assert rows.pop("points of 10") == ("160", "80")
    assert rows == {
        "chief: W": ("2", "3"),
        "models": ("5-10", "5-5"),
        "weapon rifle: A": ("2", "3"),
        "weapon rifle: abilities": ("-", "heavy"),
        "weapon pistol": ("-", "range 24 A 2 skill 3+ S 4 AP -1 D 1 abilities -"),
    }


def test_accepted_differences_have_a_reason_and_end(tmp_path):
    accepted = (
        Accepted(sheet="Squad", field="points of *", reason="points of another date"),
        Accepted(sheet="Squad", field="keywords", reason="was different in an older file"),
    )
    outcome = compared(tmp_path, theirs(points=85), ours(), accepted)
    assert [(row.field, row.reason) for row in outcome.rows] == [("points of 5", "points of another date")]
    assert outcome.open == ()
    assert outcome.unused == accepted[1:]


def test_another_game_and_an_unknown_sheet_are_refused(tmp_path):
    library = read_library([written(tmp_path, [theirs()], edition="Warhammer: The Old World")])
    with pytest.raises(ContentError, match="is another game"):
        compare(GAMES["w10"].comparison, library)
    library = read_library([written(tmp_path, [theirs()])])
    with pytest.raises(ContentError, match="Squod"):
        compare(GAMES["w10"].comparison, library, ["Squod"])


def classic() -> ClassicDatasheet:
    """A datasheet of the 9th edition: a machine with a damage table."""
    machine = {
        "name": "Machine",
        "min": 1,
        "max": 1,
        "M": 10,
        "WS": "6+",
        "BS": "3+",
        "S": 6,
        "T": 7,
        "W": 10,
        "A": 3,
        "Ld": 8,
        "Sv": "3+",
        "invuln": "5+",
        "damage": [{"wounds": 5, "M": 5, "BS": "4+", "A": "D3"}],
        "base": {"circle_mm": 90},
        "height_in": 3,
        "weapons": ["Cannon"],
    }
    return ClassicDatasheet.model_validate(
        {
            "name": "Machine",
            "faction": "Own",
            "faction_keywords": ["OWN"],
            "keywords": ["VEHICLE", "PSYKER"],
            "role": "Heavy Support",
            "power": [{"models": 1, "power": 6}],
            "points": 120,
            "models": [machine],
            "weapons": {
                "Cannon": {
                    "range": 24,
                    "type": "Heavy D6",
                    "S": 8,
                    "AP": -3,
                    "D": "D6",
                    "half_range_damage": 2,
                    "abilities": ["Blast"],
                }
            },
            "abilities": {
                "psyker": {"manifest": 2, "deny": 1},
                "explodes": {"needed": "6+", "range": 6, "damage": "D3"},
                "transport": {"capacity": 10, "allowed": ["INFANTRY"]},
            },
        }
    )


def classic_unit(**cannon: str) -> str:
    """The same as a unit of a catalogue."""
    row = {"M": '10"', "WS": "6+", "BS": "3+", "S": "6", "T": "7", "W": "10", "A": "3", "Ld": "8", "Save": "3+"}
    hurt = {**row, "M": '5"', "BS": "4+", "A": "d3", "W": "N/A"}
    words = (
        "Blast. Each time an attack targets a unit within half range, that attack has a Damage characteristic of D6+2."
    )
    weapon = {"Range": '24"', "Type": "Heavy D6", "S": "8", "AP": "-3", "D": "D6", "Abilities": words, **cannon}
    return entry(
        "machine",
        "Machine",
        "model",
        points=120,
        rules=['Explodes (6"/D3)'],
        categories=["Heavy Support", "Vehicle", "Psyker", "Machine", "Faction: Own", "Faction: <Any>"],
        profiles=[
            profile("Machine [1] (6+ wounds remaining)", "Unit", **row),
            profile("Machine [2] (1-5 wounds remaining)", "Unit", **hurt),
            profile("Machine", "Psyker", Cast="2", Deny="1"),
            profile("Transport", "Transport", Capacity="It can transport 10 OWN INFANTRY models."),
            profile("Shield", "Abilities", Description="This model has a 5+ invulnerable save."),
            profile("Cannon", "Weapon", **weapon),
        ],
    )


def test_the_9th_edition_has_tables_types_and_psykers(tmp_path):
    library = read_library([written(tmp_path, [classic_unit()], edition="Warhammer 40,000 9th Edition")])
    [unit] = unit_entries(library, library.given[0])
    assert differences("Machine", facts_of_sheet(classic()), facts_of_entry(unit, classic())) == []
    library = read_library(
        [written(tmp_path, [classic_unit(AP="-4", Abilities="-")], edition="Warhammer 40,000 9th Edition")]
    )
    [unit] = unit_entries(library, library.given[0])
    rows = differences("Machine", facts_of_sheet(classic()), facts_of_entry(unit, classic()))
    assert [(row.field, row.ours, row.theirs) for row in rows] == [
        ("weapon cannon: AP", "-3", "-4"),
        ("weapon cannon: blast", "yes", "no"),
        ("weapon cannon: damage at half range", "2", "0"),
    ]


def test_the_program_prints_a_table_and_exits_by_it(tmp_path):
    unit = theirs("Intercessor Squad")
    file = written(tmp_path, [unit])
    accepted = tmp_path / "accepted.yaml"
    accepted.write_text(
        "against: own\naccepted:\n  - {sheet: Intercessor Squad, field: '*', reason: the tests wrote it}\n"
    )
    told = in_place("content.py", "--against", file, "--sheets", "Intercessor Squad", "--accepted", accepted)
    assert told.returncode == 0, told.stderr
    assert "1 datasheets compared" in told.stdout and ", 0 not" in told.stdout
    accepted.write_text("against: own\n")
    told = in_place("content.py", "--against", file, "--sheets", "Intercessor Squad", "--accepted", accepted, "--json")
    assert told.returncode == 1
    assert {row["field"] for row in json.loads(told.stdout)["rows"]} >= {"invulnerable save", "capacity"}
    told = in_place("content.py", "--against", written(tmp_path, [unit], edition="Kings of War"))
    assert told.returncode == 2 and "'Kings of War' is not known; expected one of w10, w9" in told.stderr
