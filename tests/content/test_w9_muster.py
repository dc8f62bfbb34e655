"""Mustering an army of the 9th edition: Detachments, Command points, the WARLORD, transports and reserves (w9.army.*)."""

from __future__ import annotations

import pytest
from classic import raw_sheet

from wh_env.content import ContentError
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.load import config_root, validate
from wh_env.content.w9 import army_faults, load_army, load_tables, muster, muster_army
from wh_env.content.w9.schema import Army, Tables

TABLES = load_tables()


def made(name, role="Troops", points=10, keywords=("INFANTRY",), fk=("IMPERIUM", "TESTERS"), **fields):
    raw = raw_sheet(name, role=role, keywords=list(keywords), **fields)
    return validate(ClassicDatasheet, {**raw, "points": points, "faction_keywords": list(fk)}, f"<{name}>")


SHEETS = {
    s.name: s
    for s in (
        made("Hero", "HQ", 50, ("INFANTRY", "CHARACTER")),
        made("Squad"),
        made("Guard", "Elites"),
        made("Strangers", fk=("IMPERIUM", "OTHERS", "TESTERS ALLIED")),
        made("Bunker", "Fortifications", keywords=("VEHICLE",)),
        made("Car", "Dedicated Transport", keywords=("VEHICLE", "TRANSPORT"), model={"max": 1},
             abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"], "excluded": ["CHARACTER"]}}),
        made("Divers", abilities={"teleport": True}),
        made("Dear", points=450),
    )
}  # fmt: skip
HERO = {"datasheet": "Hero", "warlord": True}


def army(*detachments, units=(), **fields):
    """An army of Detachments given as (type, units)."""
    listed = [
        {"type": kind, "units": [{"datasheet": u} if isinstance(u, str) else u for u in own]}
        for kind, *own in detachments
    ]
    rows = [{"datasheet": u} if isinstance(u, str) else u for u in units]
    return validate(Army, {"name": "T", "faction": "Testers", "detachments": listed, "units": rows, **fields}, "<army>")


def faults(*detachments, size="Strike Force", limit=None, units=(), tables=TABLES):
    found = army_faults(army(*detachments, units=units), SHEETS, tables, tables.size(size), None, limit)
    return [str(fault).removeprefix("<army>: ") for fault in found]


def mustered(*detachments, size="Strike Force", units=()):
    return muster(army(*detachments, units=units), SHEETS, TABLES, TABLES.size(size))


PATROL = ("Patrol", HERO, "Squad")
BATTALION = ("Battalion", HERO, "Hero", "Squad", "Squad", "Squad")


def test_detachments_cost_command_points_and_that_of_the_warlord_is_paid_back():
    second = ("Patrol", "Hero", "Squad")
    assert mustered(BATTALION, second).cp == 12 - 3 + 3 - 2  # w9.army.detachments
    assert mustered(BATTALION).cp == 12
    assert mustered(("Vanguard", HERO, "Guard", "Guard", "Guard")).cp == 9
    assert mustered(PATROL, size="Combat Patrol").cp == 3


def test_slots_are_filled_and_not_overfilled():
    assert faults(PATROL) == []
    assert faults(("Patrol", HERO)) == [
        "detachments[0].units: 0 Troops are in it; expected 1 to 3 Troops in a Detachment Patrol"
    ]
    (fault,) = faults(("Patrol", HERO, "Squad", "Squad", "Squad", "Squad"))
    assert "4 Troops are in it" in fault
    (fault,) = faults((*PATROL, "Bunker"))
    assert "'Fortifications' has no slot in Patrol" in fault
    (fault,) = faults(("Patrols", HERO, "Squad"))
    assert fault.startswith("detachments[0].type: 'Patrols' is not known") and "did you mean 'Patrol'?" in fault


def test_a_dedicated_transport_for_each_infantry_unit():
    assert faults((*PATROL, "Car", "Car")) == []
    (fault,) = faults((*PATROL, "Car", "Car", "Car"))
    assert fault.startswith("detachments[0].units: 3 Dedicated Transports are in it; expected at most 2")


def test_how_many_detachments_and_what_they_cost_together():
    more = ("Patrol", "Hero", "Squad")
    (fault,) = faults(PATROL, more, size="Combat Patrol")
    assert fault.startswith("detachments: 2 Detachments are too many; expected at most 1")
    four = [("Auxiliary Support", "Squad")] * 3
    assert any("cost too many Command points" in fault for fault in faults(PATROL, *four, size="Combat Patrol"))


def test_an_army_with_a_unit_outside_detachments_is_not_battle_forged():
    whole, part = mustered(PATROL), mustered(PATROL, units=("Squad",))
    assert (whole.battle_forged, whole.cp) == (True, 12)
    assert (part.battle_forged, part.cp) == (False, 0)


def test_a_faction_keyword_holds_it_together_unless_it_is_too_general():
    general = Tables.model_validate(
        {**TABLES.model_dump(mode="json", exclude_none=True), "general_keywords": ["IMPERIUM", "TESTERS"]}
    )
    one = army(PATROL)
    assert muster(one, SHEETS, TABLES, TABLES.size("Strike Force")).battle_forged
    assert not muster(one, SHEETS, general, general.size("Strike Force")).battle_forged


def test_the_warlord_is_one_unit_and_no_fortification():
    assert faults(("Patrol", "Hero", "Squad")) == [
        "units: 0 units are WARLORD; expected exactly one unit with warlord: true"
    ]
    (fault,) = faults(("Patrol", HERO, {"datasheet": "Squad", "warlord": True}))
    assert "2 units are WARLORD" in fault
    bunker = {"datasheet": "Bunker", "warlord": True}
    (fault,) = faults(("Patrol", "Hero", "Squad"), ("Fortification Network", bunker))
    assert fault == "detachments[1].units[0].warlord: 'Bunker' is a Fortification; expected no Fortification"


def test_points_and_factions():
    assert any("points are spent; expected at most 500 points" in f for f in faults((*PATROL, "Dear"), limit=500))
    (fault,) = faults((*PATROL, "Strangers"))
    assert fault.startswith("detachments[0].units[2].datasheet: 'Strangers' is of IMPERIUM, OTHERS")


def test_passengers_fit_or_it_is_said_why_not():
    car = {"datasheet": "Car", "id": "car"}

    def riding(name, models=1):
        return {"datasheet": name, "models": models, "embarked_in": "car"}

    assert faults((*PATROL, car, riding("Squad", 6))) == []
    (fault,) = faults((*PATROL, car, riding("Squad", 7)))
    assert "7 places are taken; expected at most 6 in Car" in fault
    (fault,) = faults((*PATROL, car, riding("Hero")))
    assert "'Hero' cannot embark in Car" in fault
    (fault,) = faults((*PATROL, {**riding("Squad"), "embarked_in": "cart"}))
    assert fault.startswith("detachments[0].units[2].embarked_in: 'cart' is not known")


def test_reserves_need_the_ability_or_a_battle_forged_army():
    assert faults((*PATROL, {"datasheet": "Divers", "reserves": "deep-strike"})) == []
    (fault,) = faults((*PATROL, {"datasheet": "Squad", "reserves": "deep-strike"}))
    assert "'deep-strike' is not open to Squad" in fault
    assert faults((*PATROL, {"datasheet": "Squad", "reserves": "strategic"})) == []
    (fault,) = faults(PATROL, units=({"datasheet": "Squad", "reserves": "strategic"},))
    assert "'strategic' is not open to this army" in fault


@pytest.mark.parametrize(("name", "size", "points"), [
    ("astartes-patrol", "Combat Patrol", 500), ("tyranids-patrol", "Combat Patrol", 500),
    ("astartes-incursion", "Incursion", 1000), ("tyranids-incursion", "Incursion", 1000),
])  # fmt: skip
def test_shipped_armies_are_legal_and_nearly_full(name, size, points):
    one = muster_army(load_army(name), TABLES.size(size), points)
    assert one.battle_forged and 0.95 * points <= one.points <= points
    assert f"{one.points} points, {one.power} Power" in (config_root() / "w9" / "armies" / f"{name}.yaml").read_text()


def test_a_fault_in_a_file_names_file_field_value_and_what_was_expected():
    with pytest.raises(ContentError) as caught:
        load_army(
            {"name": "x", "faction": "Tyranids", "detachments": [{"type": "Patrol", "units": [{"datasheet": ["a"]}]}]}
        )
    assert caught.value.field == "detachments[0].units[0].datasheet"
    assert "the name of one datasheet" in caught.value.expected
