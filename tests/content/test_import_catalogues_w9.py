"""Units of catalogues of the 9th edition become datasheets: tables, types of weapons, options with points."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from catalogues import POWER, ability, catalogue, condition, entry, game, group, limit, link, modifier, profile
from programs_in_place import in_place

from wh_env import Battle, ContentError
from wh_env.content import w9
from wh_env.content.catalogues import importing
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.games import random_battle
from wh_env.content.load import OWN, validate
from wh_env.content.w9.importing import IMPORTING

import_factions = partial(importing.import_factions, (IMPORTING,))
NINTH = "Warhammer 40,000 9th Edition"
MAN = {"M": '6"', "WS": "3+", "BS": "3+", "S": "4", "T": "4", "W": "2", "A": "2", "Ld": "7", "Save": "3+"}


def weapon(name: str, **values: str) -> str:
    """A line of a weapon table."""
    return profile(
        name,
        "Weapon",
        **{"Range": '24"', "Type": "Heavy 1", "S": "4", "AP": "-1", "D": "1", "Abilities": "-", **values},
    )


def blade(name: str, **values: str) -> str:
    """A melee weapon."""
    return weapon(name, **{"Range": "Melee", "Type": "Melee", "S": "User", **values})


RIFLE = entry("rifle", "Rifle", profiles=[weapon("Rifle", Type="Rapid Fire 1")])
CANNON = entry("cannon", "Cannon", profiles=[weapon("Cannon", Type="Heavy D6", S="9", Abilities="Blast")], points=15)
CLAWS = entry(
    "claws",
    "Two Claws",
    profiles=[blade("Claw", S="x2", Abilities="it makes 1 additional attack with this weapon.")],
    points=5,
)
SHARED = [RIFLE, CANNON, CLAWS]
ONE = [limit("min", 1), limit("max", 1)]
ARMS = group(
    "arms", "Arms", links=[link("rifle", "Rifle"), link("cannon", "Cannon"), link("claws", "Two Claws")], limits=ONE
)


def squad(**changes: Any) -> str:
    """A sergeant and four to nine men who choose their weapons."""
    sergeant = entry(
        "sgt",
        "Man Sgt",
        "model",
        profiles=[profile("Man Sgt", "Unit", **{**MAN, "A": "3"})],
        groups=[ARMS],
        limits=ONE,
        points=20,
    )
    man = entry(
        "man",
        "Man",
        "model",
        profiles=[profile("Man", "Unit", **MAN)],
        groups=[ARMS],
        limits=[limit("min", 4), limit("max", 9)],
        points=18,
    )
    men = group("men", "Men", [sergeant, man])
    parts: dict[str, Any] = {
        "groups": [men],
        "power": 5,
        "modifiers": [modifier("increment", POWER, "4", [condition("atLeast", "model", 6)])],
        "categories": ["Troops", "Infantry", "Squad", "Faction: Own", "Faction: <House>"],
    }
    return entry("squad", "Squad", "unit", **{**parts, **changes})


CHIEF = entry(
    "chief",
    "Chief",
    "model",
    profiles=[
        profile("Chief", "Unit", **MAN),
        profile("Chief", "Psyker", Cast="2", Deny="1"),
        ability("Halo", "This model has a 4+ invulnerable save."),
        ability("Teleport", 'Reinforcements step: set up more than 9" away from any enemy models.'),
        ability("Tough", "Each time this model would lose a wound, roll one D6: on a 5+, that wound is not lost."),
        ability("Aura of Dread", "words that nobody stores"),
    ],
    categories=["HQ", "Infantry", "Character", "Psyker", "Faction: Own"],
    links=[link("rifle", "Rifle", limits=ONE)],
    points=80,
    power=4,
)
HURT = {**MAN, "M": '10"', "W": "10"}
TANK = entry(
    "tank",
    "Tank",
    "model",
    profiles=[
        profile("Tank [1] (6+ wounds remaining)", "Unit", **HURT),
        profile("Tank [2] (1-5 wounds remaining)", "Unit", **{**HURT, "M": '5"', "BS": "4", "A": "d3", "W": "N/A"}),
        profile("Transport", "Transport", Capacity=(
            "A transport capacity of 10 <HOUSE> INFANTRY models. Each JUMP PACK model takes the space of 2 other"
            " models. It cannot transport TERMINATOR models."
        )),
        ability('Burst (6"/D3)', 'On a 4+, the closest enemy unit within 6" suffers D3 mortal wounds.'),
        weapon("Ram", Type="Dakka 5/3"),
    ],
    categories=["Heavy Support", "Vehicle", "Transport", "Faction: Own"],
    links=[link("cannon", "Cannon", limits=ONE)],
    points=100,
    power=6,
)  # fmt: skip
STAR = {"M": "*", "BS": "*", "A": "*"}


def track(wounds: str, *values: str) -> dict[str, str]:
    """A row of a table of wounds, as such catalogues have it."""
    return {"Remaining W": wounds, **{f"Characteristic {n}": value for n, value in enumerate(values, 1)}}


WALKER = entry(
    "walker",
    "Strider",
    "model",
    profiles=[
        profile("Strider", "Unit", **{**HURT, **STAR}),
        profile("Strider", "Wound Track", **track("", "M", "BS", "A")),
        profile("Strider 1", "Wound Track", **track("6-10+", '8"', "3+", "4")),
        profile("Strider 2", "Wound Track", **track("1-5", '4"', "5+", "D3")),
    ],
    categories=["Elites", "Vehicle", "Faction: Own"],
    links=[link("claws", "Two Claws", limits=ONE)],
    points=90,
    power=5,
)  # fmt: skip


def written(folder: Path, *units: str) -> Path:
    """A catalogue of the 9th edition beside its game system."""
    (folder / "game.gst").write_text(game(NINTH), encoding="utf-8")
    file = folder / "own.cat"
    file.write_text(catalogue(units, SHARED), encoding="utf-8")
    return file


def sheet_of(folder: Path, unit: str) -> ClassicDatasheet:
    """The one datasheet that comes of it."""
    [found] = import_factions([written(folder, unit)])
    assert found.made.refused == {}
    [sheet] = found.made.sheets.values()
    return validate(ClassicDatasheet, sheet, "<test>")


def test_models_weapons_and_options_with_what_they_cost(tmp_path):
    sheet = sheet_of(tmp_path, squad())
    man = sheet.models[1]
    assert [(m.name, m.min, m.max, m.A.plus, m.points) for m in sheet.models] == [
        ("Man Sgt", 1, 1, 3, 20),
        ("Man", 4, 9, 2, None),
    ]
    assert (sheet.points, sheet.role, sheet.keywords) == (18, "Troops", ("INFANTRY",))
    assert sheet.faction_keywords == ("OWN", "HOUSE")
    assert [(row.models, row.power) for row in sheet.power] == [(5, 5), (10, 9)]
    assert man.weapons == ("Rifle",)
    assert [(o.name, o.weapons, o.points) for o in man.options] == [
        ("Cannon", ("Cannon",), 15),
        ("Two Claws", ("Claw", "Claw"), 5),
    ]
    [claw] = sheet.weapons["Claw"].profiles
    assert (claw.S.times, claw.extra, claw.melee) == (2, 1, True)
    assert sheet.weapons["Cannon"].profiles[0].abilities == ("Blast",)


def test_a_psyker_with_a_save_and_what_is_not_played(tmp_path):
    sheet = sheet_of(tmp_path, CHIEF)
    abilities = sheet.abilities
    assert (abilities.psyker.manifest, abilities.psyker.deny) == (2, 1)
    assert (sheet.models[0].invuln, abilities.feel_no_pain, abilities.teleport) == (4, 5, True)
    assert sheet.inactive == ("Aura of Dread",)


def test_a_machine_with_a_damage_table(tmp_path):
    sheet = sheet_of(tmp_path, TANK)
    [row] = sheet.models[0].damage
    assert (row.wounds, row.M.most, row.BS, row.WS, row.A.sides) == (5, 5, 4, None, 3)
    burst, carries = sheet.abilities.explodes, sheet.abilities.transport
    assert (burst.needed, burst.range, str(burst.damage), burst.closest_enemy) == (4, 6, "D3", True)
    assert (carries.capacity, carries.allowed, carries.excluded) == (10, ("INFANTRY",), ("TERMINATOR",))
    assert dict(carries.places) == {"JUMP PACK": 2}
    assert sheet.points == 115  # with the cannon, which it cannot do without


def test_a_damage_table_that_stands_beside_the_characteristics(tmp_path):
    model = sheet_of(tmp_path, WALKER).models[0]
    assert (model.M.most, model.BS, model.A.plus) == (8, 3, 4)
    assert [(row.wounds, row.M.most, row.BS, row.A.sides) for row in model.damage] == [(5, 4, 5, 3)]


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ("That attack automatically hits the target.", "abilities", ("Automatic hits",)),
        ("An attack within half range has a Damage characteristic of D6+2.", "half_range_damage", 2),
        ("Subtract 1 from that attack’s hit roll.", "hit", -1),
        ("It can target units that are not visible to the bearer.", "abilities", ("Not visible",)),
        ("Each time, you can re-roll the wound roll.", "abilities", ("Re-roll wounds",)),
        ("If the target is a MONSTER, you can re-roll the wound roll.", "abilities", ()),
        (
            "If any unmodified hit rolls of 1 are made, the bearer is destroyed.",
            "abilities",
            ("Hit rolls of 1 slay the bearer",),
        ),
    ],
)
def test_words_of_weapons(tmp_path, words, field, value):
    gun = entry("gun", "Gun", profiles=[weapon("Gun", D="D6", Abilities=words)], limits=ONE)
    man = entry(
        "man", "Man", "model", profiles=[profile("Man", "Unit", **MAN)], inside=[gun], categories=["HQ", "Faction: Own"]
    )
    [profile_] = sheet_of(tmp_path, man).weapons["Gun"].profiles
    assert getattr(profile_, field) == value


def test_what_does_not_map_is_told_and_the_rest_goes_on(tmp_path):
    strange = entry(
        "strange",
        "Strange",
        "model",
        profiles=[profile("Strange", "Unit", **{**MAN, "M": "far"})],
        categories=["HQ", "Faction: Own"],
    )
    [found] = import_factions([written(tmp_path, TANK, strange)])
    assert list(found.made.sheets) == ["Tank"]
    assert "a Move in inches" in found.made.refused["Strange"]
    assert any("weapon" in line and "Dakka" in line for line in found.made.report.unplayed)
    assert any(line.startswith("Tank: base") for line in found.made.report.guessed)
    (tmp_path / "game.gst").write_text(game("Warhammer 40,000 10th Edition"), encoding="utf-8")
    with pytest.raises(ContentError, match="is another game"):
        import_factions([tmp_path / "own.cat"])


def test_the_program_writes_a_faction_that_plays(tmp_path, monkeypatch):
    mine = tmp_path / "mine"
    told = in_place("import_roster.py", written(tmp_path, squad(), CHIEF, TANK, WALKER), "--into", mine, "--json")
    assert told.returncode == 0, told.stderr
    [faction] = json.loads(told.stdout)["factions"]
    assert sorted(faction["datasheets"]) == ["Chief", "Squad", "Strider", "Tank"]
    assert (mine / "w9" / "factions" / "own.yaml").is_file()
    monkeypatch.setenv(OWN, str(mine))
    assert w9.load_datasheet("Squad").points == 18
    rng = np.random.default_rng(9)
    for seed in range(2):
        battle = Battle.load(random_battle("w9", "Combat Patrol", rng, factions=["Own", "Own"]), seed)
        while battle.decision is not None:
            battle.apply(int(rng.choice(np.flatnonzero(battle.legal()))))
        assert battle.result is not None
