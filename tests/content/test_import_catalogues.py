"""Units of catalogues as datasheets of one's own: models, weapons, options, abilities, points, files, the program."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import yaml
from catalogues import (
    POINTS,
    ability,
    condition,
    entry,
    group,
    gun,
    limit,
    link,
    model_line,
    modifier,
    profile,
    written,
)
from programs_in_place import in_place

from wh_env import Battle, ContentError
from wh_env.content.catalogues import importing
from wh_env.content.catalogues.importing import ImportedFaction
from wh_env.content.games import random_battle
from wh_env.content.w10.importing import IMPORTING

import_factions = partial(importing.import_factions, (IMPORTING,))

RIFLE, PISTOL = (
    entry("rifle", "Rifle", profiles=[gun("Rifle")]),
    entry("pistol", "Pistol", profiles=[gun("Pistol", Range='12"')]),
)
CANNON = entry(
    "cannon",
    "Cannon",
    profiles=[gun("➤ Cannon - shell", S="9"), gun("➤ Cannon - burst", A="D6", Keywords="Blast, Sustained Hits D3")],
)
FIST = entry(
    "fist",
    "Fist",
    profiles=[profile("Fist", "Melee Weapons", Range="Melee", A="3", WS="3+", S="8", AP="-2", D="2", Keywords="-")],
)
SHARED = [RIFLE, PISTOL, CANNON, FIST]
ONE = [limit("min", 1), limit("max", 1)]


def weapon(target: str, at_least: int = 1) -> str:
    """A link to a weapon that is chosen so often at least."""
    return link(
        target, target.title(), f"link-{target}-{at_least}", limits=[limit("min", at_least)] if at_least else []
    )


def squad(**changes: object) -> str:
    """A chief who chooses one of two weapons, and four to nine men of whom one may have the cannon."""
    chief = entry(
        "chief",
        "Squad Chief",
        "model",
        profiles=[model_line("Squad Chief", OC="3")],
        limits=ONE,
        links=[weapon("fist")],
        groups=[group("arm", "Weapon", links=[weapon("rifle", 0), weapon("pistol", 0)], limits=ONE)],
    )
    man = entry(
        "man",
        "Trooper w/ rifle",
        "model",
        profiles=[model_line("Trooper")],
        links=[weapon("rifle"), weapon("fist")],
        limits=[limit("max", 9)],
    )
    heavy = entry(
        "heavy",
        "Trooper w/ cannon",
        "model",
        profiles=[model_line("Trooper")],
        links=[weapon("cannon"), weapon("fist")],
        limits=[limit("max", 1)],
    )
    parts: dict[str, object] = {
        "profiles": [ability("Invulnerable Save", "5+"), ability("Steady"), ability("Leader", "■ Guards\n■ Squad")],
        "rules": ["Deep Strike", 'Scouts 6"', "Oath"],
        "categories": ["Infantry", "Character", "Squad", "Faction: Own"],
        "groups": [group("men", "Men", [chief, man, heavy], limits=[limit("min", 5), limit("max", 10)])],
        "points": 80,
        "modifiers": [modifier("set", POINTS, "160", [condition("atLeast", "men", 6)])],
    }
    return entry("squad", "Squad", "unit", **{**parts, **changes})


TANK = entry(
    "tank",
    "Tank [Legends]",
    "model",
    categories=["Vehicle", "Transport", "Faction: Own"],
    points=150,
    links=[weapon("cannon", 2)],
    profiles=[
        model_line("Tank", M='10"', T="10", W="12", LD="7", OC="-"),
        ability("Damaged: 1-4 wounds remaining", "... subtract 1 from the Hit roll."),
        ability(
            "Transport",
            "This model has a transport capacity of 12 **^^OWN INFANTRY^^** models. "
            "It cannot transport JUMP PACK models. "
            "Each "
            "TERMINATOR model takes up the space of 2 models.",
        ),
    ],
    rules=["Deadly Demise D3", "Firing Deck 6", "Feel No Pain"],
)


def imported(folder: Path, *units: str, names: tuple[str, ...] = ()) -> ImportedFaction:
    """The faction of a catalogue with these units."""
    [found] = import_factions([written(folder, list(units), shared=SHARED, name="Empire - Own")], names)
    return found


def test_models_and_what_they_carry(tmp_path: Path) -> None:
    sheet = imported(tmp_path, squad()).made.sheets["Squad"]
    chief, man = sheet["models"]
    assert [(m["name"], m["min"], m["max"]) for m in sheet["models"]] == [("Squad Chief", 1, 1), ("Trooper", 4, 9)]
    assert (chief["OC"], man["OC"], chief["invuln"], man["invuln"]) == (3, 2, "5+", "5+")
    assert sorted(chief["weapons"]) == ["Fist", "Rifle"]
    assert [sorted(option["weapons"]) for option in chief["options"]] == [["Fist", "Pistol"]]
    assert sorted(man["weapons"]) == ["Fist", "Rifle"]
    assert [(o["name"], sorted(o["weapons"]), o["max"]) for o in man["options"]] == [("cannon", ["Cannon", "Fist"], 1)]
    assert [p["name"] for p in sheet["weapons"]["Cannon"]["profiles"]] == ["shell", "burst"]
    assert sheet["weapons"]["Cannon"]["profiles"][1]["abilities"] == ["Blast", "Sustained Hits D3"]


def test_keywords_abilities_and_points(tmp_path: Path) -> None:
    made = imported(tmp_path, squad()).made
    sheet = made.sheets["Squad"]
    assert (sheet["keywords"], sheet["faction_keywords"]) == (["INFANTRY", "CHARACTER"], ["OWN"])
    assert sheet["points"] == [{"models": 5, "points": 80}, {"models": 10, "points": 160}]
    other = [{"name": name, "effect": "not played", "active": False} for name in ("Oath", "Steady")]
    assert sheet["abilities"] == {"deep_strike": True, "scouts": 6, "leader": ["Guards", "Squad"], "other": other}
    assert {"Squad: Oath", "Squad: Steady"} <= set(made.report.unplayed)
    assert any("base" in line for line in made.report.guessed)


def test_abilities_whose_sentences_are_understood_play(tmp_path: Path) -> None:
    words = {
        "Sharp": "Each time a model in this unit makes an attack, re-roll a Hit roll of 1.",
        "Odd": "Each time a model in this unit makes an attack on a Tuesday, re-roll a Hit roll of 1.",
    }
    lines = [ability(name, text) for name, text in words.items()]
    made = imported(tmp_path, squad(profiles=lines, rules=[])).made
    sharp = {"name": "Sharp", "effect": "re-roll hit rolls of 1", "active": True}
    assert made.sheets["Squad"]["abilities"]["other"] == [
        {**sharp, "plays": [{"effect": "re-roll hit rolls of 1"}]},
        {"name": "Odd", "effect": "not played", "active": False},
    ]
    assert (made.report.understood, made.report.missed) == (["Squad: Sharp"], ["Squad: Odd"])
    assert "Tuesday" not in json.dumps(made.sheets)


def test_a_character_that_cannot_be_the_warlord(tmp_path: Path) -> None:
    made = imported(tmp_path, squad(profiles=[ability("Humble", "This model cannot be your Warlord.")], rules=[])).made
    assert made.sheets["Squad"]["abilities"] == {"no_warlord": True}


def test_a_machine_that_carries(tmp_path: Path) -> None:
    made = imported(tmp_path, TANK).made
    sheet = made.sheets["Tank"]
    assert sheet["abilities"] == {
        "deadly_demise": "D3",
        "damaged": 4,
        "transport": {
            "capacity": 12,
            "allowed": ["OWN", "INFANTRY"],
            "excluded": ["JUMP PACK"],
            "places": {"TERMINATOR": 2},
            "firing_deck": 6,
        },
    }
    assert sheet["models"][0]["weapons"] == ["Cannon", "Cannon"]
    assert (sheet["models"][0]["Ld"], sheet["models"][0]["OC"]) == ("7+", 0)
    assert "Tank: Feel No Pain" in made.report.unplayed  # without its number


def test_what_makes_no_datasheet_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    odd = entry(
        "odd",
        "Odd",
        "model",
        profiles=[profile("Odd", "Unit", M='6"', T="4", SV="3+", W="many", LD="6+", OC="1")],
        categories=["Faction: Own"],
    )
    found = imported(tmp_path, squad(), odd)
    assert list(found.made.sheets) == ["Squad"]
    assert list(found.made.refused) == ["Odd"] and "'many'" in found.made.refused["Odd"]


def test_only_the_units_that_are_named(tmp_path: Path) -> None:
    assert list(imported(tmp_path, squad(), TANK, names=("tank",)).made.sheets) == ["Tank"]
    with pytest.raises(ContentError, match=r"'Tonk' is not known.*Tank"):
        imported(tmp_path, squad(), TANK, names=("Tonk",))


def test_known_units_and_allies_are_left_out_and_told(tmp_path: Path) -> None:
    known = squad().replace('name="Squad"', 'name="Termagants"').replace('id="squad"', 'id="other"')
    ally = entry("ally", "Ally", "model", profiles=[model_line("Ally")], categories=["Infantry", "Faction: Foreign"])
    found = imported(tmp_path, squad(), TANK, known, ally)
    assert set(found.made.sheets) == {"Squad", "Tank"}
    assert (found.shipped, found.allies) == (["Termagants"], ["Ally"])


def test_a_unit_of_two_catalogues_of_a_faction_is_written_once(tmp_path: Path) -> None:
    one = written(tmp_path, [squad()], shared=SHARED, name="Empire - Own")
    two = tmp_path / "two.cat"
    other = one.read_text(encoding="utf-8").replace('id="own"', 'id="two"').replace('id="squad"', 'id="squad2"')
    two.write_text(other, encoding="utf-8")
    first, second = import_factions([one, two])
    assert (list(first.made.sheets), list(second.made.sheets), second.shipped) == (["Squad"], [], ["Squad"])


def test_another_game_and_a_game_system_that_is_not_there(tmp_path: Path) -> None:
    file = written(tmp_path, [squad()], edition="Warhammer 40,000 9th Edition")
    with pytest.raises(ContentError, match="is another game"):
        import_factions([file])
    (tmp_path / "game.gst").unlink()
    with pytest.raises(ContentError, match=r"is not there; expected the game system"):
        import_factions([file])


def test_the_program_writes_a_faction_that_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, mine = written(tmp_path, [squad(), TANK], shared=SHARED, name="Own"), tmp_path / "mine"
    told = in_place("import_roster.py", file, "--into", mine)
    assert told.returncode == 0, told.stderr
    assert sorted(path.relative_to(mine).as_posix() for path in mine.rglob("*.yaml")) == [
        "w10/datasheets/own/squad.yaml",
        "w10/datasheets/own/tank.yaml",
        "w10/factions/own.yaml",
    ]
    assert yaml.safe_load((mine / "w10/factions/own.yaml").read_text())["keyword"] == "OWN"
    monkeypatch.setenv("WH_ENV_CONTENT", str(mine))
    rng = np.random.default_rng(38)
    for seed in range(3):
        battle = Battle.load(random_battle("w10", "skirmish", rng, factions=("Own", "Own")), seed=seed)
        while battle.decision is not None:
            battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
        assert battle.result is not None
    monkeypatch.delenv("WH_ENV_CONTENT")
    again = in_place("import_roster.py", file, "--into", mine)
    assert again.returncode == 2 and "is there already" in again.stderr
    told = in_place("import_roster.py", file, "--dry", "--json")
    [faction] = json.loads(told.stdout)["factions"]
    assert (faction["datasheets"], faction["refused"], faction["unarmed"]) == (["Squad", "Tank"], {}, [])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--name", "Mine"], "--name: a catalogue makes no army"),
        (["--units", "Tonk"], "'Tonk' is not known"),
    ],
)
def test_options_that_do_not_fit_are_refused(tmp_path: Path, arguments: list[str], expected: str) -> None:
    told = in_place("import_roster.py", written(tmp_path, [squad()], shared=SHARED), *arguments)
    assert told.returncode == 2 and expected in told.stderr
