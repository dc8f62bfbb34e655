"""Datasheets with WS, BS, S and A on models: what may be written, and what is told about the rest."""

from __future__ import annotations

import pytest
from classic import MODEL, TABLE, WEAPONS, raw_sheet, sheet, tank

from wh_env.content import ContentError
from wh_env.content.classic.numbers import Movement, Strength
from wh_env.content.classic.schema import ClassicDatasheet
from wh_env.content.load import validate


def fault(raw):
    with pytest.raises(ContentError) as caught:
        validate(ClassicDatasheet, raw, "some.yaml")
    return caught.value


def weapon(**fields):
    return {**WEAPONS, "gun": {**WEAPONS["gun"], **fields}}


CASES = [
    ({"model": {"WS": "1+"}}, "models[0].WS", "1+", "a roll such as 3+"),
    ({"model": {"M": "6-"}}, "models[0].M", "6-", "two values such as 20-60"),
    ({"model": {"M": "60-20"}}, "models[0].M", None, "two rising values"),
    ({"model": {"Ld": 0}}, "models[0].Ld", 0, "at least 1"),
    ({"model": {"damage": [{"wounds": 2}]}}, "models[0].damage", [2], "falling numbers of wounds below 2"),
    ({"model": {"weapons": ["bow"]}}, "models[0].weapons", "bow", "one of blade, gun"),
    ({"weapons": weapon(type="Rapid 1")}, "weapons.gun.type", "Rapid 1", "Rapid Fire 2"),
    ({"weapons": weapon(type="Melee")}, "weapons.gun.type", "Melee", "together"),
    ({"weapons": weapon(S="x1")}, "weapons.gun.S", "x1", "User"),
    ({"weapons": weapon(AP=1)}, "weapons.gun.AP", 1, "0 or a negative number"),
    ({"weapons": weapon(abilities=["Blasts"])}, "weapons.gun.abilities[0]", "Blasts", "Blast"),
    ({"weapons": weapon(extra=1)}, "weapons.gun.extra", 1, "melee weapons only"),
    ({"weapons": weapon(half_range_damage=21)}, "weapons.gun.half_range_damage", 21, "at most 20"),
    ({"weapons": weapon(type="Rapid Fire 10D6")}, "weapons.gun.type", "Rapid Fire 10D6", "at most 20"),
    ({"role": "Troop"}, "role", "Troop", "Troops"),
    ({"power": [{"models": 5, "power": 3}]}, "power", [5], "up to the largest unit"),
    ({"abilities": {"psyker": {"manifest": 1, "deny": 1}}}, "keywords", ["INFANTRY"], "PSYKER"),
    ({"skill": 3}, "skill", None, "one of"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "field", "value", "expected"), CASES, ids=[case[1] + str(n) for n, case in enumerate(CASES)]
)
def test_a_fault_names_file_field_value_and_what_was_expected(change, field, value, expected):
    told = fault(raw_sheet(**change))
    assert told.file == "some.yaml"
    assert told.field == field
    assert value is None or told.value == value
    assert expected in told.expected


@pytest.mark.parametrize(("written", "most", "least"), [(6, 6, None), ("-", 0, None), ("20-60", 60, 20)])
def test_moves_have_one_value_none_or_two(written, most, least):
    read = Movement.model_validate(written)
    assert (read.most, read.least) == (most, least)
    assert Movement.model_validate(read.model_dump()) == read


@pytest.mark.parametrize(("written", "strength"), [("User", 4), ("+2", 6), ("-1", 3), ("x2", 8), (5, 5), ("-5", 1)])
def test_strengths_are_worked_out_for_a_bearer(written, strength):
    read = Strength.model_validate(written)
    assert read.of(4).plus == strength
    assert Strength.model_validate(read.model_dump()) == read


def test_a_datasheet_written_out_is_read_back_alike():
    for raw in (raw_sheet(), tank()):
        one = validate(ClassicDatasheet, raw, "<sheet>")
        again = validate(ClassicDatasheet, one.model_dump(mode="json", by_alias=True, exclude_none=True), "<sheet>")
        assert again == one


def test_rows_of_a_damage_table_change_only_what_they_say():
    kind = validate(ClassicDatasheet, tank(), "<sheet>").models[0]
    rows = [(kind.movement(n).most, kind.bearer(n).WS, kind.bearer(n).BS, str(kind.bearer(n).A)) for n in range(3)]
    assert rows == [(12, 3, 3, "3"), (8, 3, 4, "3"), (4, 3, 5, "D3")]
    assert kind.brackets == 1 + len(TABLE)


def test_the_battlefield_role_is_asked_as_a_keyword():
    assert sheet().has("Troops") and not sheet().has("HQ")
    assert sheet(role="Fortifications").has("FORTIFICATION")


def test_power_goes_by_size():
    squad = sheet(power=[{"models": 5, "power": 3}, {"models": 10, "power": 6}])
    assert [squad.power_of(n) for n in (1, 5, 6, 10)] == [3, 3, 6, 6]
    assert MODEL["max"] == squad.largest
