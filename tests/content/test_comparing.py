"""Datasheets against catalogues: every difference by field, accepted ones with their reason, the program."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from catalogues import (
    POINTS,
    POWER,
    ability,
    catalogue,
    condition,
    element,
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
        power=6,
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


def crew(**changes: Any) -> ClassicDatasheet:
    """A datasheet of the 9th edition: a crew of five to ten with a sergeant."""
    man = {
        **classic().models[0].model_dump(mode="json", exclude_none=True),
        "damage": [],
        "max": 9,
        "min": 4,
        "name": "Man",
    }
    own = {"name": "Gun", "range": 24, "type": "Heavy 1", "S": 4, "AP": 0, "D": 1}
    flamer = {"range": 12, "type": "Pistol D6", "S": 3, "AP": 0, "D": 1, "abilities": ["Automatic hits"]}
    melta = {"range": 24, "type": "Heavy 1", "S": 8, "AP": -4, "D": "D6+2", "half_range_damage": 2}
    said = {
        "name": "Crew",
        "faction": "Own",
        "faction_keywords": ["OWN", "HOUSE"],
        "keywords": ["INFANTRY", "GUNNERS"],
        "role": "Flyers",
        "power": [{"models": 5, "power": 4}, {"models": 10, "power": 7}],
        "points": 17,
        "models": [
            {**man, "name": "Crew Sergeant", "min": 1, "max": 1, "weapons": ["Gun"]},
            {**man, "weapons": ["Gun"]},
        ],
        "weapons": {
            "Gun": {"profiles": [{**own, "name": "loud shot"}, {**own, "name": "soft", "S": 3}]},
            "Skytalon gun": own,
            "Hand flamer": flamer,
            "Melta": melta,
            "Tail": {"range": "melee", "type": "Melee", "S": "User", "AP": 0, "D": 1},
        },
        "abilities": {"explodes": {"range": 3, "damage": 1, "closest_enemy": True}},
    }
    del said["weapons"]["Skytalon gun"]["name"]
    return ClassicDatasheet.model_validate({**said, **changes})


def weapon_line(name: str, **values: str) -> str:
    """A weapon of the 9th edition."""
    row = {"Range": '24"', "Type": "Heavy 1", "S": "4", "AP": "0", "D": "1", "Abilities": "-", **values}
    return profile(name, "Weapon", **row)


def crew_unit(**changes: Any) -> str:
    """The same as a unit of a catalogue, in other words."""
    row = {"M": '10"', "WS": "6+", "BS": "3+", "S": "6", "T": "7", "W": "10", "A": "3", "Ld": "8", "Save": "3+"}
    shield = entry(
        "shield",
        "Shield",
        profiles=[ability("Shield", "The bearer has a 5+ invulnerable save.")],
        limits=[limit("min", 1)],
    )
    cloak = entry("cloak", "Cloak", profiles=[ability("Cloak", "The bearer has a 2+ invulnerable save.")])
    shell = entry("shell", "Shell", profiles=[profile("Man (Shell)", "Unit", **{**row, "M": '7"'})])
    relics = group("relics", "Special-Issue Wargear", [entry("relic", "Relic", profiles=[weapon_line("Relic")])])
    man = {"kind": "model", "points": 17, "inside": [shield]}
    guns = [
        weapon_line("Loud shot"),
        weapon_line("Gun (soft)", S="3"),
        weapon_line("Skytallon gun"),
        weapon_line("Hand flamer", Range='12"', Type="Pistol D6", S="3", Abilities="It automatically scores a hit."),
        weapon_line(
            "Melta", S="8", AP="- 4", D="D6+2", Abilities="at half range it has a Damage characteristic of D6+4."
        ),
        weapon_line("Tails (Melee)", Range="Melee", Type="Melee", S="User"),
    ]
    parts: dict[str, Any] = {
        "power": 4,
        "modifiers": [modifier("increment", POWER, "3", [condition("atLeast", "model", 6)])],
        "profiles": [
            ability('Throes (3"/1)', 'On a 6+, the closest enemy unit within 3" suffers 1 mortal wound.'),
            *guns,
        ],
        "categories": ["Flyer", "Non-Compulsory Flyers", "Infantry", "Gunners", "Faction: Own", "Faction: <House>"],
        "groups": [
            group(
                "men",
                "Men",
                [
                    entry(
                        "first",
                        "Crew Sgt",
                        profiles=[profile("Crew Sgt", "Unit", **row)],
                        limits=[limit("min", 1), limit("max", 1)],
                        **man,
                    ),
                    entry(
                        "man",
                        "Man",
                        profiles=[profile("Man", "Unit", **row)],
                        limits=[limit("min", 4), limit("max", 9)],
                        **man,
                    ),
                ],
            ),
            relics,
        ],
        "inside": [cloak, shell],
    }
    return entry("crew", "Crew", "unit", **{**parts, **changes})


def crew_differences(folder: Path, sheet: ClassicDatasheet, **changes: Any) -> list[tuple[str, str, str]]:
    """Fields in which the crews differ."""
    how = replace(GAMES["w9"].comparison, sheets=lambda: {sheet.name: sheet})
    file = written(folder, [crew_unit(**changes)], edition="Warhammer 40,000 9th Edition")
    return [(row.field, row.ours, row.theirs) for row in compare(how, read_library([file])).rows]


def test_other_words_for_the_same_are_no_difference(tmp_path):
    """Sgt, a profile without its weapon, another spelling, melee in brackets, a shield that every model has, Power by
    steps, a keyword that the player chooses; relics and lines of upgrades play no part."""
    assert crew_differences(tmp_path, crew()) == []


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ({"role": "Elites"}, {}, ("role", "Elites", "Flyers")),
        ({"power": [{"models": 10, "power": 4}]}, {}, ("power", "4 up to 10", "4 up to 5, 7 up to 10")),
        ({}, {"modifiers": [modifier("set", POWER, "9", [condition("atLeast", "model", 8)])]},
         ("power", "4 up to 5, 7 up to 10", "4 up to 7, 9 up to 10")),
        ({"faction_keywords": ["OWN"]},
         {"categories": ["Flyer", "Infantry", "Gunners", "Faction: Own", "Faction: Old"]},
         ("faction keywords", "-", "OLD")),
        ({"abilities": {"explodes": {"range": 3, "damage": 1}}}, {}, ("explodes", "3, 1", "3, 1, closest enemy unit")),
        ({}, {"profiles": [weapon_line("Loud shot", S="9")]}, ("weapon gun, loud shot: S", "4", "9")),
    ],
)  # fmt: skip
def test_what_differs_in_a_crew_is_told(tmp_path, ours, theirs, expected):
    assert expected in crew_differences(tmp_path, crew(**ours), **theirs)


def test_a_category_has_the_name_that_its_own_catalogue_gives_it(tmp_path):
    """Another catalogue calls the category of the same id differently."""
    own = element("categoryEntries", [element("categoryEntry", id="category-Gunners", name="Gunners")])
    first = catalogue([], id_="first").replace("Gunners", "Shooters")
    other = own.replace('Gunners"/>', 'Shooters"/>').replace('name="Gunners"', 'name="Shooters"')
    (tmp_path / "a.cat").write_text(first.replace("</catalogue>", f"{other}</catalogue>"), encoding="utf-8")
    file = written(tmp_path, [crew_unit()], edition="Warhammer 40,000 9th Edition")
    text = file.read_text(encoding="utf-8").replace('name="Gunners" targetId', 'id="link" name="New" targetId')
    file.write_text(text.replace("</catalogue>", f"{own}</catalogue>"), encoding="utf-8")
    library = read_library([tmp_path / "a.cat", file])
    [unit] = unit_entries(library, library.given[1])
    assert "Gunners" in unit.categories and "Shooters" not in unit.categories


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
