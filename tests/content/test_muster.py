"""Mustering: which armies may be played (w10.army.*)."""

from __future__ import annotations

import pytest

from wh_env.content import ContentError
from wh_env.content.battle import Battle
from wh_env.content.w10 import army_faults, load_army, load_battle, load_datasheet, load_mission, muster
from wh_env.content.w10.schema import Faction

STATS = {"M": 6, "T": 4, "Sv": "3+", "W": 2, "Ld": "6+", "OC": 2, "base": {"circle_mm": 32}, "height_in": 1.6}
WEAPONS = {
    "gun": {"range": 24, "A": 2, "skill": "3+", "S": 4, "AP": 0, "D": 1},
    "big gun": {"range": 36, "A": 1, "skill": "4+", "S": 9, "AP": -2, "D": "D6"},
    "blade": {"range": "melee", "A": 2, "skill": "3+", "S": 4, "AP": 0, "D": 1},
}
RED = Faction.model_validate(
    {
        "name": "Red", "keyword": "RED",
        "detachments": [
            {"name": "Line", "enhancements": [{"name": n, "points": 10, "effect": "none"} for n in "ABCD"]},
            {"name": "Strict", "requires": ["R"], "forbids": ["D"]},
        ],
    }
)  # fmt: skip


def sheet(name, points=100, keywords=("INFANTRY",), smallest=1, largest=1, faction="RED", abilities=None, options=()):
    model = {
        **STATS,
        "name": name,
        "min": smallest,
        "max": largest,
        "weapons": ["gun", "blade"],
        "options": list(options),
    }
    return load_datasheet(
        {
            "name": name, "faction": faction.title(), "faction_keywords": [faction], "keywords": list(keywords),
            "models": [model], "weapons": WEAPONS, "abilities": abilities or {},
            "points": [{"models": largest, "points": points}],
        }
    )  # fmt: skip


HERO = sheet("Hero", 50, ("INFANTRY", "CHARACTER"), abilities={"leader": ["Line squad"]})
SHEETS = {
    s.name: s
    for s in (
        HERO,
        sheet("Hero 2", 50, ("INFANTRY", "CHARACTER"), abilities={"leader": ["Line squad"]}),
        sheet("Legend", 50, ("INFANTRY", "CHARACTER", "EPIC HERO")),
        sheet("Legend 2", 50, ("INFANTRY", "CHARACTER", "EPIC HERO")),
        sheet("Line squad", 70, ("INFANTRY", "BATTLELINE"), 5, 10,
              options=[{"name": "big gun", "weapons": ["big gun", "blade"], "max": 1, "per": 10}]),
        sheet("R", 30), sheet("D", 30), sheet("Guard", 75), sheet("Blue", 80, faction="BLUE"), sheet("Red 80", 80),
        sheet("Bikes", 40, ("MOUNTED",), 3, 3),
        sheet("Diver", 60, abilities={"deep_strike": True}),
        sheet("Carrier", 80, ("VEHICLE", "TRANSPORT", "DEDICATED TRANSPORT"),
              abilities={"transport": {"capacity": 6, "allowed": ["RED", "INFANTRY"], "excluded": ["BATTLELINE"],
                                       "places": {"CHARACTER": 2}}}),
        sheet("Bus", 80, ("VEHICLE", "TRANSPORT"), abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"]}}),
        sheet("Bunker", 80, ("FORTIFICATION",)),
        *(sheet(f"P{points}", points) for points in (5, 880, 1950)),
    )
}  # fmt: skip


def army(*units, warlord="Hero", detachment: str | None = "Line", **more):
    """An army of units given by datasheet name or as dicts, with a Hero as Warlord in front."""
    rows = [{"datasheet": unit} if isinstance(unit, str) else unit for unit in units]
    if warlord:
        rows.insert(0, {"datasheet": warlord, "warlord": True})
    return load_army({"name": "test", "faction": "Red", "detachment": detachment, "units": rows, **more})


def faults(*units, limit=None, **more):
    return [str(fault).removeprefix("<army>: ") for fault in army_faults(army(*units, **more), SHEETS, RED, limit)]


@pytest.mark.rule("w10.army.battle-size")
def test_battle_size_limits_points():
    limits = {size.name: size.points for size in load_mission("w10/only-war").sizes}
    assert limits == {"Incursion": 1000, "Strike Force": 2000, "Onslaught": 3000}
    strike_force = limits["Strike Force"]
    assert faults("P1950", limit=strike_force) == []  # 2000 with the Hero
    assert faults("P1950", "P5", limit=strike_force) == [
        "units: 2005 points are spent; expected at most 2000 points",
    ]


@pytest.mark.rule("w10.army.points")
def test_points():
    assert faults("P880", "Line squad", limit=1000) == []  # 930 and 70
    assert faults("P880", "Guard", limit=1000) == ["units: 1005 points are spent; expected at most 1000 points"]


@pytest.mark.rule("w10.mission.only-war.sizes")
def test_only_war_onslaught_has_3000_points():
    size = load_mission("w10/only-war").size("Onslaught")
    assert size is not None
    assert size.points == 3000
    assert faults("P1950", "P880", "Guard", "R", "P5", "P5", "P5", limit=size.points) == []  # exactly 3000
    assert faults("P1950", "P880", "Guard", "Guard", limit=size.points) == [
        "units: 3030 points are spent; expected at most 3000 points"
    ]


@pytest.mark.rule("w10.mission.muster")
def test_only_the_sizes_of_the_mission_are_allowed():
    field = {"name": "long", "size": [90, 44]}
    for name, points in (("Incursion", 1000), ("Strike Force", 2000), ("Onslaught", 3000)):
        battle = load_battle("w10/only-war-incursion", {"size": name, "battlefield": field})
        assert battle.size.points == points
        assert [muster.limit for muster in battle.armies] == [points, points]
    with pytest.raises(ContentError) as caught:
        load_battle("w10/only-war-incursion", {"size": "Skirmish"})
    assert "Incursion, Onslaught, Strike Force" in caught.value.expected


@pytest.mark.rule("w10.army.faction")
def test_faction():
    assert faults("Blue") == [
        "units[1].datasheet: 'Blue' is of BLUE; expected a datasheet with the Faction keyword RED"
    ]
    assert faults("Red 80", limit=150) == []


@pytest.mark.rule("w10.army.sequence")
def test_steps_of_mustering():
    missing = faults("Hero", warlord=None, detachment=None)
    assert len(missing) == 2
    assert missing[0].startswith("detachment: None")
    assert "step 4" in missing[0]
    assert "step 6" in missing[1]


@pytest.mark.rule("w10.army.detachment")
def test_detachment():
    assert faults("R", detachment="Strict") == []
    assert faults("R", "D", detachment="Strict") == [
        "units[2].datasheet: 'D' is forbidden by the Detachment; expected none of D"
    ]
    assert faults("Guard", detachment="Strict") == [
        "units: ['Hero', 'Guard'] lack one; expected a unit of R, which the Detachment requires"
    ]


@pytest.mark.rule("w10.army.character")
def test_at_least_one_character():
    five = ["R", "D", "Guard", "Red 80", "Diver"]
    assert any("at least one CHARACTER unit" in fault for fault in faults(*five, warlord=None))
    assert faults(*five) == []


@pytest.mark.rule("w10.army.character", "w10.army.warlord")
def test_a_list_to_try_goes_without_a_warlord():
    """It must say so, and may not have one then."""
    five = ["R", "D", "Guard", "Red 80", "Diver"]
    assert faults(*five, warlord=None, without=["warlord"]) == []
    assert faults(*five, without=["warlord"]) == [
        "without: 'warlord' has one; expected it only in a list without a Warlord"
    ]


@pytest.mark.rule("w10.army.units")
def test_only_listed_options():
    unit = {"datasheet": "Line squad", "models": 5, "equipment": {"Line squad": {"plasma gun": 1}}}
    assert faults(unit) == [
        "units[1].equipment.Line squad.plasma gun: 'plasma gun' is not known; expected one of big gun"
    ]


@pytest.mark.rule("w10.army.duplicates")
def test_duplicates():
    assert faults(*["Guard"] * 3) == []
    assert faults(*["Guard"] * 4) == ["units[4].datasheet: 'Guard' is there too often; expected at most 3 of it"]
    for many in ("Line squad", "Carrier"):
        assert faults(*[many] * 6) == []
        assert faults(*[many] * 7) == [f"units[7].datasheet: {many!r} is there too often; expected at most 6 of it"]


@pytest.mark.rule("w10.army.enhancements.characters")
def test_enhancements_are_for_characters():
    def one(name):
        return faults({"datasheet": name, "enhancement": "A"})

    assert one("Hero 2") == []
    assert len(one("Guard")) == 1
    assert len(one("Legend")) == 1
    assert "only CHARACTERS that are no EPIC HERO" in one("Guard")[0]


@pytest.mark.rule("w10.army.enhancements.number")
def test_number_of_enhancements():
    def several(*names):
        sheets = ["Hero 2", "Hero 2", "Hero 2", "Hero"]
        return faults(*({"datasheet": sheets[i], "enhancement": name} for i, name in enumerate(names)))

    assert several("A", "B", "C") == []
    assert "at most 3 Enhancements" in several("A", "B", "C", "D")[0]
    assert "stands twice" in several("A", "A")[0]
    with pytest.raises(ContentError, match=r"units\[1\].enhancement: \['A', 'B'\] is not valid; expected text"):
        several(["A", "B"])
    assert "did you mean" in faults({"datasheet": "Hero 2", "enhancement": "AA"})[0]


@pytest.mark.rule("w10.army.epic-heroes")
def test_epic_heroes_are_unique():
    assert faults("Legend", "Legend 2") == []
    assert faults("Legend", "Legend") == ["units[2].datasheet: 'Legend' is there too often; expected at most 1 of it"]


@pytest.mark.rule("w10.army.warlord")
def test_one_warlord():
    chosen = army("Hero 2", {"datasheet": "Hero", "warlord": True}, warlord=None)
    assert [unit.warlord for unit in muster(chosen, SHEETS, RED).units] == [False, True]
    assert "units are Warlord" in faults({"datasheet": "Hero 2", "warlord": True})[0]
    assert "'Guard' is no CHARACTER" in faults("Hero", {"datasheet": "Guard", "warlord": True}, warlord=None)[0]


@pytest.mark.rule("w10.army.warlord")
def test_the_warlord_gains_a_keyword():
    """Two CHARACTERS in each army, one of them chosen: exactly that model has WARLORD."""
    battle = Battle.load("w10/only-war-skirmish")
    warlord = battle.setup.statics["keyword_bits"]["WARLORD"]
    rosters = [*battle.roster(0), *battle.roster(1)]
    units = [row for row, entry in enumerate(rosters) if entry["warlord"]]
    assert len(units) == 2
    models = [battle.units.first[row] for row in units]
    assert [row for row, keywords in enumerate(battle.models.keywords) if keywords & warlord] == models


@pytest.mark.rule("w10.army.warlord", "w10.army.character", "w10.concepts.keywords.model-or-unit")
def test_a_character_among_other_models_can_be_warlord():
    """A unit in which one type of model is a CHARACTER is a CHARACTER unit; that model, the third, is the Warlord."""
    kinds = [{**STATS, "name": name, "min": n, "max": n, "weapons": ["gun"], "keywords": keywords}
             for name, n, keywords in (("Guard", 2, []), ("Marshal", 1, ["CHARACTER"]))]  # fmt: skip
    court = load_datasheet(
        {
            "name": "Court", "faction": "Red", "faction_keywords": ["RED"], "keywords": ["INFANTRY"], "models": kinds,
            "weapons": WEAPONS, "points": [{"models": 3, "points": 90}],
        }
    )  # fmt: skip
    chosen = army({"datasheet": "Court", "warlord": True}, warlord=None)
    assert army_faults(chosen, {**SHEETS, "Court": court}, RED) == []
    unit = muster(chosen, {**SHEETS, "Court": court}, RED).units[0]
    assert unit.warlord_model == 2


def test_an_army_is_all_its_models():
    first = army({"datasheet": "Line squad", "models": 5}, "Bikes")
    second = army({"datasheet": "Line squad", "models": 10})
    sizes = [[len(unit.models) for unit in muster(one, SHEETS, RED).units[1:]] for one in (first, second)]
    assert sizes == [[5, 3], [10]]  # beside a Hero each


@pytest.mark.rule("w10.concepts.unit")
def test_a_unit_has_one_datasheet():
    for two in (["Guard", "R"], {"Guard": 3, "R": 2}):
        with pytest.raises(ContentError) as caught:
            army({"datasheet": two, "models": 5})
        assert caught.value.field == "units[1].datasheet"
        assert "one datasheet" in caught.value.expected


@pytest.mark.rule("w10.datasheet.contents")
def test_a_unit_needs_a_datasheet():
    assert faults("Nobody")[0].startswith("units[1].datasheet: 'Nobody' is not known")
    model = SHEETS["Line squad"].models[0]
    assert (model.M, model.T, model.Sv, model.W, model.Ld, model.OC) == (6, 4, 3, 2, 6, 2)
    line = SHEETS["Line squad"]
    assert set(line.weapons) == {"gun", "big gun", "blade"}
    assert line.keywords == ("INFANTRY", "BATTLELINE")
    assert (line.smallest, line.largest) == (5, 10)
    assert [option.name for option in model.options] == ["big gun"]
    assert HERO.abilities.leader == ("Line squad",)


@pytest.mark.rule("w10.datasheet.composition")
def test_unit_composition():
    troop = {**STATS, "weapons": ["gun", "blade"]}
    squad = load_datasheet(
        {
            "name": "Troop", "faction": "Red", "faction_keywords": ["RED"], "keywords": ["INFANTRY"],
            "models": [{**troop, "name": "Sergeant", "min": 1, "max": 1}, {**troop, "name": "Trooper", "min": 4, "max": 9}],
            "weapons": WEAPONS, "points": [{"models": 5, "points": 50}, {"models": 10, "points": 100}],
        }
    )  # fmt: skip
    sheets = {**SHEETS, "Troop": squad}
    for models in range(5, 11):
        unit = muster(army({"datasheet": "Troop", "models": models}), sheets, RED).units[1]
        assert [m.type.name for m in unit.models] == ["Sergeant"] + ["Trooper"] * (models - 1)
        assert all(m.weapons == ("gun", "blade") for m in unit.models)
        assert unit.points == (50 if models == 5 else 100)
    for models in (4, 11):
        found = army_faults(army({"datasheet": "Troop", "models": models}), sheets, RED)
        assert [fault.field for fault in found] == ["units[1].models"]
        assert found[0].expected == "5 to 10 models of Troop"


@pytest.mark.rule("w10.datasheet.wargear-options")
def test_wargear_options():
    def squad(models, number):
        return {"datasheet": "Line squad", "models": models, "equipment": {"Line squad": {"big gun": number}}}

    unit = muster(army(squad(10, 1)), SHEETS, RED).units[1]
    assert [m.option for m in unit.models].count("big gun") == 1
    assert unit.models[-1].weapons == ("big gun", "blade")
    assert "at most 1 with it" in faults(squad(10, 2))[0]
    assert "at most 0 with it" in faults(squad(9, 1))[0]


def test_leaders():
    line, hero = {"datasheet": "Line squad", "models": 5, "id": "line"}, {"datasheet": "Hero 2", "leads": "line"}
    assert faults(line, hero) == []
    assert "no other Leader leads" in faults(line, hero, hero)[0]
    assert "cannot be led by it" in faults({"datasheet": "Guard", "id": "line"}, hero)[0]
    assert muster(army(line, hero), SHEETS, RED).units[2].leads == 1


def test_the_capacity_is_that_of_each_model_of_a_transport_unit():
    """Capacity 6: two models take 5 and 5, or 6 and a Leader with a squad of 5, never the halves of a unit."""
    cargo = {"transport": {"capacity": 6, "allowed": ["INFANTRY"]}}
    pair = sheet("Pair", 80, ("VEHICLE", "TRANSPORT"), 1, 2, abilities=cargo)
    hero = {"datasheet": "Hero 2", "leads": "first"}

    def found(models, *sizes, leader=()):
        squads = [
            {"datasheet": "Line squad", "models": size, "embarked_in": "pair", "id": name}
            for name, size in zip(("first", "second", "third"), sizes)
        ]
        units = army({"datasheet": "Pair", "models": models, "id": "pair"}, *squads, *leader)
        return [(fault.field, str(fault)) for fault in army_faults(units, {**SHEETS, "Pair": pair}, RED)]

    assert found(2, 5, 5) == found(2, 6, 6) == found(2, 5, 6, leader=[hero]) == []
    assert [field for field, _ in found(1, 5, 5)] == ["units[3].embarked_in"]
    assert "10 places are taken; expected at most 6 in Pair" in found(1, 5, 5)[0][1]
    ((field, told),) = found(2, 5, 5, 5)
    assert field == "units[4].embarked_in"
    assert "at most 6 in Pair, in each of its 2 models" in told
    assert [field for field, _ in found(2, 6, 5, leader=[hero])] == ["units[2].embarked_in"]


def test_transports():
    bus = {"datasheet": "Bus", "id": "bus"}
    five = {"datasheet": "Line squad", "models": 5, "embarked_in": "bus", "id": "five"}
    hero = {"datasheet": "Hero 2", "leads": "five"}
    assert faults(bus, five, hero) == []
    assert [unit.embarked_in for unit in muster(army(bus, five, hero), SHEETS, RED).units] == [None, None, 1, 1]
    assert "7 places are taken; expected at most 6 in Bus" in faults(bus, {**five, "models": 7})[0]
    assert "at most 6 in Bus" in faults(bus, {**five, "models": 6}, hero)[0]
    assert "cannot embark in Bus" in faults(bus, {"datasheet": "Bikes", "embarked_in": "bus"})[0]
    carrier = {"datasheet": "Carrier", "id": "bus"}
    assert "without BATTLELINE" in faults(carrier, five)[0]
    heroes = [{"datasheet": "Hero 2", "embarked_in": "bus"}] * 3
    assert faults(carrier, *heroes) == []
    assert "7 places" in faults(carrier, *heroes, {"datasheet": "Guard", "embarked_in": "bus"})[0]
    assert "parts an Attached unit" in faults(bus, {**five, "embarked_in": None}, {**hero, "embarked_in": "bus"})[0]
    assert "beside embarked_in" in faults(bus, {**five, "reserves": "strategic"})[0]


def test_reserves():
    assert faults({"datasheet": "Diver", "reserves": "deep-strike"}) == []
    assert "is not open to Guard" in faults({"datasheet": "Guard", "reserves": "deep-strike"})[0]
    assert "is not open to Bunker" in faults({"datasheet": "Bunker", "reserves": "strategic"})[0]
    held = {"datasheet": "Guard", "reserves": "strategic"}
    assert faults(held, held, held, limit=1000) == []
    over = faults(held, held, held, {"datasheet": "R", "reserves": "strategic"}, limit=1000)
    assert over == ["units: 255 points are in Strategic Reserves; expected at most 250 points in Strategic Reserves"]


def test_muster_raises_the_first_fault_and_keeps_the_others():
    with pytest.raises(ContentError) as caught:
        muster(army("Nobody", "Blue"), SHEETS, RED)
    assert caught.value.field == "units[1].datasheet"
    assert [fault.field for fault in caught.value.others] == ["units[2].datasheet"]
