"""Rosters of list builders as armies: each format and its traps, what is refused, what is told."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from programs_in_place import in_place
from rosters import (
    APP,
    PACK,
    RECRUIT,
    as_json,
    as_xml,
    captain,
    chosen,
    eel_king,
    eel_riders,
    intercessors,
    melee,
    ranged,
    roster,
    unit_line,
    zipped,
)

from wh_env import Battle, ContentError
from wh_env.content.load import OWN
from wh_env.content.rosters import Imported, import_roster
from wh_env.content.rosters.sniffing import MOST_BYTES
from wh_env.content.w10.importing import ROSTERS

MARINES = roster(captain(), intercessors())
FILES: dict[str, tuple[str, bytes, str]] = {
    "New Recruit": ("list.json", as_json(MARINES), "JSON"),
    "ListForge": ("list.json", as_json(MARINES["roster"]), "JSON"),
    "BattleScribe": ("list.ros", as_xml(MARINES), "XML"),
    "BattleScribe, zipped": ("list.rosz", zipped(("list.ros", as_xml(MARINES))), "zipped XML"),
    "plain XML called .rosz": ("list.rosz", as_xml(MARINES), "XML"),
    "JSON called .ros": ("list.ros", as_json(MARINES), "JSON"),
    "a zip with something beside it": (
        "x.rosz",
        zipped(("a/", b""), ("list.ros", as_xml(MARINES)), ("note.txt", b"x")),
        "zipped XML",
    ),
    "with a mark of the byte order": ("list.ros", b"\xef\xbb\xbf" + as_xml(MARINES), "XML"),
}


def read(tmp_path: Path, data: bytes, name: str = "list.json") -> Imported:
    """The army of a file."""
    path = tmp_path / name
    path.write_bytes(data)
    return import_roster([ROSTERS], path)


def fault(tmp_path: Path, data: bytes, name: str = "list.json") -> str:
    """The message about a file."""
    with pytest.raises(ContentError) as caught:
        read(tmp_path, data, name)
    return str(caught.value)


def sheet(found: Imported, name: str) -> dict[str, Any]:
    return next(one for one in found.army["datasheets"] if one["name"] == name)


def play(army: dict[str, Any], seed: int) -> int:
    """A random battle of an army against itself; how many decisions."""
    from_file = {
        "ruleset": "w10",
        "name": "x",
        "mission": "only-war-skirmish",
        "size": "Skirmish",
        "battlefield": "skirmish-1",
    }
    battle = Battle.load({**from_file, "armies": [army, army]}, seed)
    rng, count = np.random.default_rng(seed), 0
    while not battle.over:
        battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
        count += 1
    return count


@pytest.mark.parametrize("name", FILES)
def test_every_format_is_the_same_army(tmp_path, name):
    file, data, form = FILES[name]
    found = read(tmp_path, data, file)
    assert found.form == form and found.muster.points == 170
    assert [(unit.name, len(unit.models), unit.leads) for unit in found.muster.units] == [
        ("Captain", 1, 1),
        ("Intercessor Squad", 5, None),
    ]
    assert found.army == read(tmp_path, as_json(MARINES)).army


def test_what_a_unit_is(tmp_path):
    found = read(tmp_path, as_json(MARINES))
    army = found.army
    assert (army["name"], army["faction"], army["detachment"], army["points_limit"]) == (
        "My list", "Adeptus Astartes", "Gladius Task Force", 500,
    )  # fmt: skip
    squad = sheet(found, "Intercessor Squad")
    assert [(m["name"], m["max"], sorted(m["weapons"])) for m in squad["models"]] == [
        ("Intercessor Sergeant", 1, ["Bolt rifle", "Power fist"]),
        ("Intercessors", 1, ["Astartes grenade launcher", "Bolt rifle", "Close combat weapon"]),
        ("Intercessors (3)", 3, ["Bolt rifle", "Close combat weapon"]),
    ]
    assert [row["name"] for row in squad["weapons"]["Astartes grenade launcher"]["profiles"]] == ["frag", "krak"]
    assert squad["weapons"]["Bolt rifle"] == {
        "range": 24, "A": 2, "skill": "3+", "S": 4, "AP": -1, "D": 1, "abilities": ["Assault", "Heavy"],
    }  # fmt: skip
    assert squad["models"][0]["base"] == {"circle_mm": 32.0}  # of the shipped sheet
    leader = sheet(found, "Captain")
    assert leader["models"][0]["invuln"] == "4+" and leader["points"] == [{"models": 1, "points": 80}]
    assert found.army["units"][0] == {
        "datasheet": "Captain",
        "models": 1,
        "warlord": True,
        "enhancement": "Artificer Armour",
        "leads": 1,
    }
    assert found.faction is None and "words that nobody stores" not in json.dumps(army)


def test_what_is_told(tmp_path):
    report = read(tmp_path, as_json(MARINES)).report
    assert report.taken == ["1 Captain, 80 points", "5 Intercessor Squad, 80 points"]
    assert report.guessed == ["Captain leads Intercessor Squad"]
    played = {"Captain: Rites of Battle", "Captain: Enhancement Artificer Armour"}
    assert not played & set(report.unplayed)


def test_a_faction_that_nobody_knows(tmp_path):
    found = read(tmp_path, as_json(roster(eel_king(), eel_riders(), book="Xenos - River Folk", detachment="Banks")))
    assert found.faction is not None and found.faction["name"] == "River Folk"
    riders = sheet(found, "Eel Riders")
    assert riders["abilities"]["deep_strike"] is True and riders["abilities"]["scouts"] == 6
    assert riders["abilities"]["feel_no_pain"] == "5+" and riders["abilities"]["deadly_demise"] == "D3"
    assert riders["weapons"]["Lance"]["abilities"] == ["Lance", "Lethal Hits"]
    assert riders["weapons"]["Flamer"]["abilities"] == ["Ignores Cover", "Torrent", "Anti-INFANTRY 4+"]
    assert riders["weapons"]["Flamer"]["skill"] == "N/A"
    report = found.report
    assert "Eel Riders: weapon ability 'Mystery 3'" in report.unplayed and "Eel Riders: Slippery" in report.unplayed
    assert any(line.startswith("Eel Riders: base oval_mm [75, 42]") for line in report.guessed)
    assert "Eel King is the Warlord" in report.guessed


def test_units_of_one_sheet_that_were_chosen_otherwise(tmp_path):
    bare = intercessors()
    bare["selections"][1]["selections"].pop(1)
    found = read(tmp_path, as_json(roster(captain(), intercessors(), bare, intercessors())))
    assert [row["datasheet"] for row in found.army["units"]] == [
        "Captain",
        "Intercessor Squad",
        "Intercessor Squad (2)",
        "Intercessor Squad",
    ]
    assert found.muster.points == 330


def test_allies_are_told(tmp_path):
    found = read(tmp_path, as_json(roster(captain(), intercessors(), intercessors(), eel_riders())))
    assert "Eel Riders counts as ADEPTUS ASTARTES" in found.report.guessed


def points_below() -> dict[str, Any]:
    """Intercessors whose points stand at their models: 20 and 60."""
    squad = intercessors(0)
    for models, points in zip(squad["selections"], (20, 60), strict=True):
        models["costs"] = [{"name": "pts", "typeId": "x", "value": points}]
    return squad


def tables_elsewhere() -> list[dict[str, Any]]:
    """Two squads; in the second no weapon has its table."""
    bare = intercessors()
    for models in bare["selections"]:
        for weapon in models["selections"]:
            weapon.pop("profiles", None)
    return [intercessors(), bare]


EELS = roster(eel_king(), eel_riders(), eel_riders(), book="Xenos - River Folk", detachment="Banks")
# name: file, content, points, units, how many of them lead another
ARMIES: dict[str, tuple[str, bytes, int, int, int]] = {
    "New Recruit JSON": ("list.json", as_json(MARINES), 170, 2, 1),
    "ListForge JSON, with an ally": (
        "list.json", as_json(roster(captain(), intercessors(), intercessors(), eel_riders())["roster"]), 370, 4, 1),
    "XML, wrapper elements, groups of wargear": ("list.ros", as_xml(roster(captain(), intercessors())), 170, 2, 1),
    "zipped XML": ("list.rosz", zipped(("list.ros", as_xml(roster(captain(), intercessors(), intercessors())))), 250, 3, 1),
    "plain XML called .rosz": ("list.rosz", as_xml(roster(captain(), intercessors(), eel_riders())), 290, 3, 1),
    "points over the subtree": ("list.json", as_json(roster(captain(), points_below())), 170, 2, 1),
    "a repeated weapon without its table": ("list.ros", as_xml(roster(captain(), *tables_elsewhere())), 250, 3, 1),
    "no base sizes, no attachments": ("list.json", as_json(EELS), 330, 3, 0),
    "no base sizes, zipped": ("list.rosz", zipped(("list.ros", as_xml(EELS))), 330, 3, 0),
    "official app, text": ("list.txt", APP.encode(), 435, 3, 1),
    "tournament pack, text": ("list.txt", PACK.encode(), 170, 2, 1),
    "New Recruit, text": ("list.txt", RECRUIT.encode(), 170, 2, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", ARMIES)
def test_imported_armies_play(tmp_path, name):
    """Each format and trap: the army is what the file says, with its Warlord, and plays 20 random battles to their end."""
    file, data, points, units, leading = ARMIES[name]
    found = read(tmp_path, data, file)
    mustered = found.muster.units
    assert (found.muster.points, len(mustered)) == (points, units)
    assert sum(unit.leads is not None for unit in mustered) == leading
    assert sum(unit.warlord for unit in mustered) == 1
    assert all(play(found.army, seed) > 10 for seed in range(20))


# ---------------------------------------------------------------- what is refused

BOMB = b"<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><roster><forces>&b;</forces></roster>"
REFUSED: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "is none"),
    "text": (b"+ FACTION KEYWORD: Xenos", "is none"),
    "a list of units that nobody knows": (
        b"Captain (80 points)\nEel Riders (90 points)\nOtters (10 pts)",
        "2 of its units have no datasheet; expected datasheets of all units; there are none of Eel Riders, Otters",
    ),
    "entities": (BOMB, "document type"),
    "a document type": (b"<!DOCTYPE roster><roster/>", "document type"),
    "XML cut off": (as_xml(MARINES)[:-40], "well-formed XML"),
    "JSON cut off": (as_json(MARINES)[:-40], "JSON in UTF-8"),
    "deep XML": (b"<a>" * 100, "is too large"),
    "deep JSON": (b'{"forces": ' + b"[" * 100_000, "JSON in UTF-8"),
    "deeper than allowed": (b'{"forces": ' + b"[" * 200 + b"]" * 200 + b"}", "is too large"),
    "no number": (b'{"forces": [NaN]}', "no number"),
    "no roster": (b'{"units": []}', "has no forces"),
    "no units": (as_json(roster()), "at least one unit"),
    "forces of numbers": (b'{"forces": [1, 2]}', "a list of entries"),
    "a zip of nothing": (zipped(), "0 files"),
    "a zip of two rosters": (zipped(("a.ros", b"<r/>"), ("b.ros", b"<r/>")), "2 files"),
    "a zip bomb": (zipped(("a.ros", b" " * (MOST_BYTES - 1))), "are too many"),
    "a broken zip": (zipped(("a.ros", as_xml(MARINES)))[:200], "a zip with one roster"),
    "UTF-16": ("\ufeff<roster/>".encode("utf-16"), "is none"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_roster_is_refused(tmp_path, name):
    data, told = REFUSED[name]
    message = fault(tmp_path, data)
    assert told in message and "\n" not in message and str(tmp_path) in message


def changed(tree: dict[str, Any], *path: Any, value: Any) -> bytes:
    """The roster with something changed at a place."""
    found = copy.deepcopy(tree)
    at: Any = found["roster"]["forces"][0]["selections"]
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return as_json(found)


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ((2, "number"), -1, "0 to 1000"),
        ((2, "number"), "many", "a whole number"),
        ((2, "costs", 0, "value"), 1e400, "no number"),
        ((3, "selections", 0, "profiles"), [], ""),
        ((2, "profiles", 0, "characteristics", 1, "$text"), "hard", "unit 'Captain'.T"),
        ((2, "selections", 2, "profiles", 0, "characteristics", 2, "$text"), "good", "a roll such as 3+"),
        ((2, "selections"), "all", "a list of entries"),
    ],
)
def test_faults_name_their_place(tmp_path, path, value, told):
    data = changed(MARINES, *path, value=value)
    if not told:  # characteristics of the others serve
        assert read(tmp_path, data).muster.points == 170
        return
    message = fault(tmp_path, data)
    assert told in message and "\n" not in message


def test_another_game_is_refused(tmp_path):
    tree = copy.deepcopy(MARINES)
    tree["roster"]["gameSystemName"] = "Warhammer 40,000 9th Edition"
    assert "is another game" in fault(tmp_path, as_json(tree))


def mutated(tree: Any, rng: np.random.Generator) -> Any:
    """The tree with a few values replaced, removed or doubled anywhere in it."""
    places: list[tuple[Any, Any]] = []

    def walk(at: Any) -> None:
        for key in at if isinstance(at, dict) else range(len(at)):
            places.append((at, key))
            if isinstance(at[key], dict | list):
                walk(at[key])

    found = copy.deepcopy(tree)
    odd = [None, -1, 10**30, "", "x" * 5000, [], {}, "1e9", 0.5, True, "\u202eD6+", ["a"], {"$text": 3}]
    for _ in range(int(rng.integers(1, 4))):
        places.clear()
        walk(found)
        at, key = places[rng.integers(len(places))]
        if rng.random() < 0.2:
            del at[key]
        else:
            at[key] = odd[rng.integers(len(odd))]
    return found


def test_mutated_rosters_end_in_an_army_or_one_line(tmp_path):
    rng = np.random.default_rng(5)
    taken = refused = 0
    for n in range(500):
        if n % 3 == 2:
            data = bytearray(as_xml((MARINES, EELS)[n % 2]))
            for _ in range(int(rng.integers(1, 5))):
                data[rng.integers(len(data))] = rng.integers(256)
            text = bytes(data)
        else:
            text = as_json(mutated((MARINES, EELS)[n % 2], rng))
        try:
            read(tmp_path, text)
            taken += 1
        except ContentError as error:
            refused += "\n" not in str(error)
    assert taken + refused == 500 and taken > 50 and refused > 50


# ---------------------------------------------------------------- the program


def test_the_program_writes_what_plays(tmp_path, monkeypatch):
    monkeypatch.setenv(OWN, "")
    path, mine = tmp_path / "list.rosz", tmp_path / "mine"
    path.write_bytes(
        zipped(("list.ros", as_xml(roster(eel_king(), eel_riders(), book="Xenos - River Folk", detachment="Banks"))))
    )
    done = in_place("import_roster.py", path, "--into", mine)
    assert done.returncode == 0, done.stderr
    assert "not played" in done.stdout and "my-list.yaml" in done.stdout
    again = in_place("import_roster.py", path, "--into", mine)
    assert again.returncode == 2 and "is there already" in again.stderr
    told = json.loads(in_place("import_roster.py", path, "--into", mine, "--replace", "--json").stdout)
    assert told["army"] == {"name": "My list", "faction": "River Folk", "points": 210} and len(told["files"]) == 2
    monkeypatch.setenv(OWN, str(mine))
    battle = {
        "ruleset": "w10",
        "name": "x",
        "mission": "only-war-skirmish",
        "size": "Skirmish",
        "battlefield": "skirmish-1",
    }
    assert Battle.load({**battle, "armies": ["my-list", "tyranids-skirmish"]}, 0).setup.names["players"][0] == "My list"


def test_the_program_tells_faults_in_one_line(tmp_path):
    path = tmp_path / "list.ros"
    path.write_bytes(BOMB)
    done = in_place("import_roster.py", path, "--dry")
    assert done.returncode == 2 and len(done.stderr.strip().splitlines()) == 1
    assert in_place("import_roster.py", tmp_path / "nothing").returncode == 2


def test_weapons_by_rule_of_group(tmp_path):
    """Six pistols of three models are two each, of which one is used; a weapon on the unit itself is of a model that has no selection of its own."""
    pistol = chosen("Pistol", number=6, profiles=[ranged("Pistol", '12"', "1", "3+", "4", "0", "1", "Pistol")])
    claw = chosen("Claw", profiles=[melee("Claw", "6", "3+", "7", "-2", "3")])
    three = chosen("Duo", "unit", points=60, categories=["Faction: River Folk", "Infantry"],
                   inside=[chosen("Duo", "model", 3, profiles=[unit_line("Duo")], inside=[pistol])])  # fmt: skip
    beast = chosen(
        "Beast",
        "unit",
        points=60,
        profiles=[unit_line("Beast")],
        categories=["Faction: River Folk", "Monster", "Character"],
        inside=[claw],
    )
    found = read(tmp_path, as_json(roster(three, beast, book="River Folk")))
    assert sheet(found, "Duo")["models"][0]["weapons"] == ["Pistol"]
    assert "Duo: of weapons that a model has twice it uses one" in found.report.guessed
    assert [m["name"] for m in sheet(found, "Beast")["models"]] == ["Beast"]


# ---------------------------------------------------------------- lists as text


@pytest.mark.parametrize("text", [APP, PACK, RECRUIT], ids=["app", "tournament pack", "New Recruit"])
def test_lists_as_text(tmp_path, text):
    """A Captain with an Enhancement, the Warlord, and Intercessors with a fist: whatever the list looks like."""
    found = read(tmp_path, text.encode(), "list.txt")
    army = found.army
    assert (found.form, army["faction"], army["detachment"]) == ("text", "Adeptus Astartes", "Gladius Task Force")
    units = {unit.name: unit for unit in found.muster.units}
    captain, squad = units["Captain"], units["Intercessor Squad"]
    assert captain.warlord and captain.enhancement is not None and captain.enhancement.name == "Artificer Armour"
    assert captain.points - captain.enhancement.points == 80 and captain.leads == list(units).index("Intercessor Squad")
    assert len(squad.models) == (10 if text is APP else 5) and squad.points == (160 if text is APP else 80)
    assert [sorted(model.weapons) for model in squad.models][:2] == [
        ["Bolt rifle", "Power fist"], ["Bolt rifle", "Close combat weapon"],
    ]  # fmt: skip
    assert found.army["name"] == ("Sunday list" if text is APP else "My list" if text is RECRUIT else "Imported army")
    assert play(army, 1) > 10


def test_what_a_list_does_not_name_is_the_datasheet_s(tmp_path):
    found = read(tmp_path, APP.encode(), "list.txt")
    squad = next(unit for unit in found.muster.units if unit.name == "Terminator Squad")
    assert len(squad.models) == 5 and squad.points == 185
    assert "Intercessor Squad: 'Mystery banner' is not on its datasheet" in found.report.unplayed


def test_mutated_lists_end_in_an_army_or_one_line(tmp_path):
    rng = np.random.default_rng(6)
    taken = refused = 0
    for n in range(200):
        data = bytearray((APP, PACK, RECRUIT)[n % 3].encode())
        for _ in range(int(rng.integers(1, 6))):
            data[rng.integers(len(data))] = rng.integers(256) if rng.random() < 0.3 else rng.integers(32, 127)
        try:
            read(tmp_path, bytes(data))
            taken += 1
        except ContentError as error:
            refused += "\n" not in str(error)
    assert taken + refused == 200 and taken > 20 and refused > 20


ATTACHED = """River host (250 points)

River Folk
Strike Force (2000 points)

Attached units
Attached unit 1

Captain (80 points)
  • Attached as: Leader (Character)
  • 1x Bolt pistol

Intercessor Squad (80 points)
  • Attached as: Bodyguard ()
  • 5x Intercessor

OTHER DATASHEETS

Intercessor Squad (80 points)
  • 5x Intercessor
"""


@pytest.mark.parametrize("french", [False, True])
def test_attached_units_say_whom_a_leader_leads(tmp_path, french):
    """The Captain leads the squad that he stands with, the second of the list, and that is no guess."""
    other, first = ATTACHED.split("OTHER DATASHEETS")[1].strip(), ATTACHED.index("Attached units")
    text = f"{ATTACHED[:first]}OTHER DATASHEETS\n\n{other}\n\n{ATTACHED[first:]}".replace(
        "Captain (80 points)\n", "Captain (90 points)\n  • Warlord\n  • Enhancements: Artificer Armour\n"
    )
    if french:
        for english, words in (
            ("Attached units", "Unités Attachées"),
            ("Attached unit 1", "Unité 1 Attachée"),
            ("Attached as: Leader (Character)", "Attachée en tant que : Meneur (Personnage)"),
            ("Strike Force", "Force de Frappe"),
            ("Warlord", "Seigneur de Guerre"),
            ("Enhancements:", "Optimisation :"),
            ("(90 points)", "(90 Points)"),
        ):
            text = text.replace(english, words)
    found = read(tmp_path, text.encode(), "list.txt")
    assert [unit.leads for unit in found.muster.units] == [None, 2, None, None]
    assert not any("leads" in line for line in found.report.guessed)
    assert found.army["units"][1]["warlord"] and found.army["units"][1]["enhancement"] == "Artificer Armour"


def test_all_units_without_a_datasheet_are_named_with_the_command_that_makes_them(tmp_path):
    names = [f"Otters {n}" for n in range(14)]
    text = "River host (700 points)\n\n" + "\n\n".join(f"{name} (50 points)\n  • 1x Paw" for name in names)
    message = fault(tmp_path, text.encode(), "list.txt")
    assert "14 of its units have no datasheet" in message
    assert all(f"'{name}'" in message for name in names) and "wh-env import CATALOGUE --units" in message


def test_what_a_known_faction_does_not_have_is_told(tmp_path):
    """An Enhancement and a Detachment that nobody knows: the army plays without them."""
    text = APP.replace("Artificer Armour", "Otter Hat").replace("Gladius Task Force", "Otter Task Force")
    found = read(tmp_path, text.encode(), "list.txt")
    assert found.army["detachment"] == "Gladius Task Force" and "enhancement" not in found.army["units"][0]
    assert {"Captain: Enhancement Otter Hat", "Detachment Otter Task Force"} <= set(found.report.unplayed)
    assert "the Detachment is Gladius Task Force" in found.report.guessed


def test_an_army_without_a_character_is_taken_to_be_tried(tmp_path):
    """A single unit: the report names the rule that the army breaks, and the army plays."""
    found = read(tmp_path, as_json(roster(intercessors())))
    assert found.army["without"] == ["warlord"]
    assert not any(unit.warlord for unit in found.muster.units)
    assert any("w10.army.character" in line for line in found.report.unplayed)
    assert play(found.army, 38) > 10
