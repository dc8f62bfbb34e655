"""Armies of the 8th edition by Power (w8.mission.armies): faults name file, field, value and what was expected."""

from __future__ import annotations

import pytest
from classic import raw_sheet

from wh_env.content import ContentError, w8
from wh_env.content.w8.schema import Army

SQUAD = raw_sheet("Squad", model={"min": 5})
OTHERS = raw_sheet("Others", faction_keywords=["OTHERS"], model={"min": 5})
CAR = raw_sheet(
    "Car", role="Dedicated Transport", keywords=["VEHICLE", "TRANSPORT"], model={"max": 1},
    abilities={"transport": {"capacity": 6, "allowed": ["INFANTRY"], "excluded": ["CHARACTER"]}},
)  # fmt: skip
DIVERS = raw_sheet("Divers", abilities={"teleport": True})
SHEETS = [SQUAD, OTHERS, CAR, DIVERS]


def mustered(*units, limit=None, **fields):
    rows = [{"datasheet": unit} if isinstance(unit, str) else unit for unit in units]
    army = Army.model_validate({"name": "T", "units": rows, "datasheets": SHEETS, **fields})
    return w8.muster_army(army, limit)


def fault(*units, **fields):
    with pytest.raises(ContentError) as caught:
        mustered(*units, **fields)
    return caught.value


@pytest.mark.rule("w8.mission.armies")
def test_an_army_is_any_units_up_to_a_limit_of_power():
    """Units of one faction or of several, in no Detachment; 4 Power each."""
    assert mustered("Squad", "Others", "Squad", limit=12).power == 12
    found = fault("Squad", "Others", "Squad", limit=11)
    assert (found.field, found.value, found.expected) == ("units", 12, "at most 11 Power")


def test_an_army_that_names_a_faction_has_units_of_it():
    assert mustered("Squad", faction="Testers").power == 4
    found = fault("Squad", "Others", faction="Testers")
    assert (found.field, found.value) == ("units[1].datasheet", "Others")
    assert found.expected == "a datasheet with the Faction keyword TESTERS"


@pytest.mark.rule("w8.mission.armies.understrength")
@pytest.mark.parametrize("first", [4, 1])
def test_one_unit_of_a_type_may_have_fewer_models(first):
    """A second of the same type is refused, one of another type is not."""
    few = {"datasheet": "Squad", "models": first}
    army = mustered(few, "Squad", {"datasheet": "Others", "models": 2})
    assert [len(unit.models) for unit in army.units] == [first, 5, 2]
    found = fault(few, {"datasheet": "Squad", "models": 3})
    assert (found.field, found.value, found.problem) == ("units[1].models", 3, "is a second one")
    assert found.expected == "one unit of Squad with fewer than 5 models"


@pytest.mark.parametrize("models", [0, 11])
def test_a_unit_has_a_model_and_no_more_than_its_datasheet_allows(models):
    with pytest.raises((ContentError, ValueError)):
        mustered({"datasheet": "Squad", "models": models})


def test_at_most_one_warlord():
    assert sum(unit.warlord for unit in mustered("Squad").units) == 0
    lead = {"datasheet": "Squad", "warlord": True}
    assert sum(unit.warlord for unit in mustered(lead, "Squad").units) == 1
    found = fault(lead, lead)
    assert (found.field, found.value, found.expected) == ("units", 2, "at most one unit with warlord: true")


def test_only_units_that_teleport_wait():
    assert mustered({"datasheet": "Divers", "reserves": "deep-strike"}).units[0].reserves == "deep-strike"
    found = fault({"datasheet": "Squad", "reserves": "deep-strike"})
    assert (found.field, found.value, found.expected) == ("units[0].reserves", "deep-strike", "a unit with teleport")


def test_passengers_fit():
    car = {"datasheet": "Car", "id": "car"}
    riding = {"datasheet": "Squad", "models": 6, "embarked_in": "car"}
    assert mustered(car, riding).units[1].embarked_in == 0
    found = fault(car, {**riding, "models": 7})
    assert (found.field, found.value, found.expected) == ("units[1].embarked_in", 7, "at most 6 in Car")
    assert fault(car, {**riding, "embarked_in": "cart"}).field == "units[1].embarked_in"


@pytest.mark.parametrize("name", ["death-guard", "space-marines", "death-guard-skirmish", "space-marines-skirmish"])
def test_shipped_armies_are_lawful(name):
    limit = w8.load_mission("only-war-skirmish" if "skirmish" in name else "only-war").sizes[0].power
    army = w8.muster_army(w8.load_army(name), limit)
    assert 0.8 * limit <= army.power <= limit


def test_a_fault_in_a_file_names_file_field_value_and_what_was_expected():
    with pytest.raises(ContentError) as caught:
        w8.load_army({"name": "x", "units": [{"datasheet": ["a"]}]})
    assert caught.value.field == "units[0].datasheet"
    assert "the name of one datasheet" in caught.value.expected
