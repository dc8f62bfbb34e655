"""Rosters of the 9th and the 8th edition as armies: what is taken, dealt, guessed, told and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from programs_in_place import in_place
from rosters import Tree, ability, as_json, as_xml, chosen, profile, roster, zipped

from wh_env import Battle, ContentError
from wh_env.content.load import config_root
from wh_env.content.reading import read_yaml
from wh_env.content.rosters import Imported, import_roster
from wh_env.content.w8.rosters import ROSTERS as EIGHTH
from wh_env.content.w9.rosters import ROSTERS as NINTH
from wh_env.content.w10.importing import ROSTERS as TENTH

EDITIONS = (TENTH, NINTH, EIGHTH)


def line(name: str, **values: str) -> Tree:
    row = {"M": '6"', "WS": "3+", "BS": "3+", "S": "4", "T": "4", "W": "2", "A": "2", "Ld": "8", "Save": "3+", **values}
    return profile(name, "Unit", **row)


def gun(name: str, kind: str = "Rapid Fire 1", **values: str) -> Tree:
    row = {"Range": '24"', "Type": kind, "S": "4", "AP": "-1", "D": "1", "Abilities": "-", **values}
    return profile(name, "Weapon", **row)


NET, HOOK, CANNON = gun("Net gun"), gun("Hook", "Melee", Range="Melee", S="User"), gun("Cannon", "Heavy 1", S="8")
FOLK = ("Faction: River Folk", "Infantry", "Troops")
DODGE = ability("Dodge", "Each time a ranged attack is made against this unit, subtract 1 from that attack's hit roll.")
ODD = ability("Odd", "On Tuesdays this unit sings.")


def king(**more: Any) -> Tree:
    weapons = [chosen("Hook", profiles=[HOOK])]
    categories = ("Faction: River Folk", "Infantry", "HQ", "Character")
    lines = [line("Eel King", W="5", A="4")]
    return chosen("Eel King", "model", points=80, profiles=lines, categories=categories, inside=weapons, **more)


def netters() -> Tree:
    """Ten models for 95 points: a chief with a hook, and nine others; two carry a cannon in place of their net gun."""
    chief = chosen("Chief", "model", profiles=[line("Chief", A="3")], inside=[chosen("Hook", profiles=[HOOK])])
    weapons = [chosen("Net gun", number=7, profiles=[NET]), chosen("Cannon", number=2, profiles=[CANNON])]
    others = chosen("Netter", "model", 9, profiles=[line("Netter")], inside=weapons)
    return chosen("Netters", "unit", points=95, profiles=[DODGE, ODD], categories=FOLK, inside=[chief, others])


def boat() -> Tree:
    """A machine whose characteristics fall with its wounds; columns of its table have no titles."""
    lines = [line("Boat", M="*", BS="*", W="10")]
    lines += [
        profile(
            f"Boat {n}", "Wound Track", **{"Remaining W": left, "Characteristic 1": move, "Characteristic 2": skill}
        )
        for n, (left, move, skill) in enumerate((("6-10+", '12"', "3+"), ("3-5", '8"', "4+"), ("1-2", '4"', "5+")))
    ]
    lines.append(
        ability(
            "Boom",
            "When this model is destroyed, roll one D6. On a 6 it explodes, and each unit"
            ' within 6" suffers D3 mortal wounds.',
        )
    )
    inside = [chosen("Cannon", number=2, profiles=[CANNON])]
    return chosen(
        "Boat",
        "model",
        points=120,
        profiles=lines,
        categories=("Faction: River Folk", "Vehicle", "Heavy Support"),
        inside=inside,
    )


def of_edition(edition: str, *units: Tree, book: str = "Xenos - River Folk") -> Tree:
    tree = roster(*units, book=book)
    tree["roster"]["gameSystemName"] = f"Warhammer 40,000 {edition} Edition"
    return tree


def read(folder: Path, data: bytes, name: str = "list.json") -> Imported:
    path = folder / name
    path.write_bytes(data)
    return import_roster(EDITIONS, path)


def sheet(found: Imported, name: str) -> dict[str, Any]:
    return next(one for one in found.army["datasheets"] if one["name"] == name)


@pytest.mark.parametrize(("edition", "ruleset", "points"), [("9th", "w9", 295), ("8th", "w8", 300)])
def test_units_and_what_they_carry(tmp_path: Path, edition: str, ruleset: str, points: int) -> None:
    found = read(tmp_path, as_json(of_edition(edition, king(), netters(), boat())))
    assert (found.ruleset, found.army["faction"], found.muster.points) == (ruleset, "RIVER FOLK", points)
    assert ("Boat: 6 Power, from 120 points" in found.report.guessed) == (edition == "8th")
    assert [(unit.name, len(unit.models)) for unit in found.muster.units] == [
        ("Eel King", 1),
        ("Netters", 10),
        ("Boat", 1),
    ]
    models = sheet(found, "Netters")["models"]
    assert [(m["name"], m["max"], m["weapons"]) for m in models] == [
        ("Chief", 1, ["Hook"]),
        ("Netter", 7, ["Net gun"]),
        ("Netter [2]", 2, ["Cannon"]),
    ]
    assert sheet(found, "Netters")["points"] == 9 and models[0]["points"] == 14
    assert sheet(found, "Boat")["models"][0]["weapons"] == ["Cannon", "Cannon"]
    assert found.army["units"][0]["warlord"]
    assert "Eel King is the Warlord" in found.report.guessed


def test_abilities_and_damage_tables(tmp_path: Path) -> None:
    found = read(tmp_path, as_json(of_edition("9th", king(), netters(), boat())))
    dodge, odd = sheet(found, "Netters")["abilities"]["other"]
    assert dodge["plays"] == [{"effect": "hit rolls", "by": -1, "weapons": "ranged", "attacks": "suffered"}]
    assert (odd["name"], odd["active"]) == ("Odd", False)
    assert "Netters: Odd" in found.report.unplayed
    [model] = sheet(found, "Boat")["models"]
    assert (model["M"], model["BS"]) == (12, "3+")
    assert model["damage"] == [{"wounds": 5, "M": 8, "BS": "4+"}, {"wounds": 2, "M": 4, "BS": "5+"}]
    assert sheet(found, "Boat")["abilities"]["explodes"] == {"needed": "6+", "range": 6, "damage": "D3"}


@pytest.mark.parametrize(
    ("file", "pack"),
    [
        ("list.ros", as_xml),
        ("list.rosz", lambda tree: zipped(("list.ros", as_xml(tree)))),
        ("list.json", lambda tree: as_json(tree["roster"])),
    ],
)
def test_every_format_is_the_same_army(tmp_path: Path, file: str, pack: Any) -> None:
    tree = of_edition("9th", king(), netters())
    armies = [read(tmp_path, pack(tree), file).army, read(tmp_path, as_json(tree)).army]
    assert armies[0]["datasheets"][0].pop("source") == file
    for army in armies:
        army["datasheets"] = [{**one, "source": ""} for one in army["datasheets"]]
    assert armies[0] == armies[1]


def test_weapons_of_the_unit_are_dealt_to_its_models(tmp_path: Path) -> None:
    men = chosen("Diver", "model", 3, profiles=[line("Diver")])
    unit = chosen(
        "Divers", "unit", points=30, categories=FOLK, inside=[men, chosen("Net gun", number=3, profiles=[NET])]
    )
    found = read(tmp_path, as_json(of_edition("9th", unit)))
    assert [(m["max"], m["weapons"]) for m in sheet(found, "Divers")["models"]] == [(3, ["Net gun"])]
    assert "Divers: which models carry the weapons of the unit" in found.report.guessed


def test_a_force_within_a_force_and_a_choice_that_is_no_unit(tmp_path: Path) -> None:
    tree = of_edition("9th", king())
    game = chosen("Kind of game", "unit", inside=[chosen("Matched")])
    tree["roster"]["forces"][0]["selections"].append(game)
    tree["roster"]["forces"][0]["forces"] = of_edition("9th", netters())["roster"]["forces"]
    found = read(tmp_path, as_json(tree))
    assert [unit.name for unit in found.muster.units] == ["Eel King", "Netters"]
    assert "Kind of game: Matched" in found.report.unplayed


def test_rosters_that_are_refused(tmp_path: Path) -> None:
    tree = of_edition("9th", king())
    tree["roster"]["gameSystemName"] = "Duels of the Deep"
    with pytest.raises(ContentError, match=r"gameSystemName: 'Duels of the Deep' is another game; expected .*9th.*8th"):
        read(tmp_path, as_json(tree))
    bare = of_edition("9th", chosen("Eel King", "model", points=80, categories=FOLK))
    with pytest.raises(ContentError, match="'Eel King' has no characteristics; expected profiles of the type Unit"):
        read(tmp_path, as_json(bare))
    with pytest.raises(ContentError, match=r"unit 'Eel King'\.W: 'many' is not valid"):
        read(tmp_path, as_json(of_edition("9th", king(number=1) | {"profiles": [line("Eel King", W="many")]})))


@pytest.mark.parametrize(("edition", "ruleset"), [("9th", "w9"), ("8th", "w8")])
def test_the_program_writes_an_army_that_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edition: str, ruleset: str
) -> None:
    file = tmp_path / "list.rosz"
    file.write_bytes(zipped(("list.ros", as_xml(of_edition(edition, king(), netters(), boat())))))
    mine = tmp_path / "mine"
    told = in_place("import_roster.py", file, "--into", mine, "--json")
    assert told.returncode == 0, told.stderr
    [written] = json.loads(told.stdout)["files"]
    assert Path(written).parent == mine / ruleset / "armies"
    monkeypatch.setenv("WH_ENV_CONTENT", str(mine))
    path = sorted((config_root() / ruleset / "battles").glob("only-war-*.yaml"))[-1]
    battle = Battle.load({**read_yaml(path), "armies": [Path(written).stem] * 2}, 3)
    rng = np.random.default_rng(3)
    while battle.decision is not None:
        battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
    assert battle.result is not None
