"""Units and weapons of the example turn as their files have them (w8.datasheet.example-*)."""

from __future__ import annotations

from typing import Any

import pytest
from eighth_files import army, at, loaded, unit_of

from wh_env.content import w8
from wh_env.testing import told

MARINES, SQUAD = "Plague Marines", "Intercessor Squad"


def kind_of(sheet: str, model: str) -> dict[str, Any]:
    """The characteristics of a model of a shipped datasheet."""
    kind = next(each for each in w8.load_datasheet(sheet).models if each.name == model)
    return {
        "M": kind.M.most, "WS": kind.WS, "BS": kind.BS, "S": kind.S, "T": kind.T, "W": kind.W, "A": kind.A.plus, "Ld": kind.Ld, "Sv": kind.Sv,
    }  # fmt: skip


@pytest.mark.rule("w8.datasheet.example-units")
@pytest.mark.parametrize(
    ("sheet", "model", "row"),
    [
        (MARINES, "Plague Marine", (5, 3, 3, 4, 5, 1, 1, 7, 3)),
        (MARINES, "Plague Champion", (5, 3, 3, 4, 5, 1, 2, 8, 3)),
        ("Malignant Plaguecaster", "Malignant Plaguecaster", (5, 3, 3, 4, 5, 4, 3, 8, 3)),
        (SQUAD, "Intercessor", (6, 3, 3, 4, 4, 2, 2, 7, 3)),
        (SQUAD, "Intercessor Sergeant", (6, 3, 3, 4, 4, 2, 3, 8, 3)),
    ],
)
def test_profiles_of_the_example_units(sheet, model, row):
    assert tuple(kind_of(sheet, model).values()) == row


@pytest.mark.rule("w8.datasheet.example-units")
def test_keywords_composition_and_powers_of_the_example_units():
    assert {"INFANTRY"} <= set(w8.load_datasheet(MARINES).keywords)
    assert set(w8.load_datasheet(MARINES).faction_keywords) == {"CHAOS", "NURGLE", "HERETIC ASTARTES", "DEATH GUARD"}
    caster = w8.load_datasheet("Malignant Plaguecaster")
    assert {"PSYKER", "CHARACTER", "INFANTRY"} <= set(caster.keywords)
    assert (caster.abilities.psyker.manifest, caster.abilities.psyker.deny) == (2, 1)
    assert {"INFANTRY"} <= set(w8.load_datasheet(SQUAD).keywords)
    assert "ADEPTUS ASTARTES" in w8.load_datasheet(SQUAD).faction_keywords
    for sheet, leader, other in (
        (MARINES, "Plague Champion", "Plague Marine"),
        (SQUAD, "Intercessor Sergeant", "Intercessor"),
    ):
        entry = {"name": "T", "units": [{"datasheet": sheet, "models": 5}]}
        (unit,) = w8.muster_army(w8.load_army(entry)).units
        assert sorted(model.type.name for model in unit.models) == sorted([leader, *[other] * 4])


@pytest.mark.rule("w8.datasheet.example-units")
@pytest.mark.parametrize("player", [0, 1])
def test_bolters_wound_intercessors_on_4_and_are_saved_on_3(player):
    battle = at(
        loaded(army(MARINES), army({"datasheet": SQUAD, "models": 5}), player), "shooting",
        {MARINES: (10.0, 10.0), SQUAD: (10.0, 30.0)}, active=player, dice=[3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3],
    )  # fmt: skip
    for _ in range(20):
        if told(battle, "w8.attack.save"):
            break
        battle.apply(battle.decision.options[-1])
    assert {(hit["needed"], hit["result"]) for hit in told(battle, "w8.attack.hit")} == {(3, 1)}
    wounds = told(battle, "w8.attack.wound")
    assert {wound["needed"] for wound in wounds} == {4}
    assert sum(wound["result"] for wound in wounds) == 1
    (save,) = told(battle, "w8.attack.save")
    assert (save["needed"], save["die"], save["result"]) == (3, 3, 1)


@pytest.mark.rule("w8.datasheet.example-units")
@pytest.mark.parametrize(("champion", "needed"), [(True, 8), (False, 7)])
def test_the_champion_leads_by_8(champion, needed):
    places = [(10.0 + 1.5 * n, 10.0) for n in range(5)]
    battle = at(loaded(army(MARINES), army("Rhino")), "fight", {MARINES: places, "Rhino": (40.0, 30.0)}, dice=[1])
    unit = unit_of(battle, MARINES)
    first = battle.units.first[unit]
    lost = first + (1 if champion else 0)
    battle.models.alive[lost] = battle.models.wounds[lost] = battle.models.on_table[lost] = 0
    battle.toll_array[lost] = 1
    battle.units.alive[unit] -= 1
    for _ in range(20):
        if told(battle, "w8.morale.test"):
            break
        battle.apply(battle.first_legal())
    assert told(battle, "w8.morale.test")[0]["needed"] == needed


@pytest.mark.rule("w8.datasheet.example-weapons")
@pytest.mark.parametrize(
    ("sheet", "weapon", "row"),
    [
        (MARINES, "Boltgun", (24, "Rapid Fire 1", 4, 0, "1", ())),
        (MARINES, "Krak grenades", (6, "Grenade 1", 6, -1, "D3", ())),
        (MARINES, "Plague knife", (0, "Melee", "User", 0, "1", ("Plague Weapon",))),
        (MARINES, "Plague sword", (0, "Melee", "User", 0, "1", ("Re-roll wounds",))),
        (MARINES, "Power fist", (0, "Melee", "x2", -3, "D3", ())),
        (SQUAD, "Bolt rifle", (30, "Rapid Fire 1", 4, -1, "1", ())),
    ],
)
def test_profiles_of_the_example_weapons(sheet, weapon, row):
    (profile,) = w8.load_datasheet(sheet).weapons[weapon].profiles
    found = (profile.range, profile.type._write(), profile.S._write(), profile.AP, str(profile.D), profile.abilities)
    assert found == row
    assert profile.hit == (-1 if weapon == "Power fist" else 0)


@pytest.mark.rule("w8.datasheet.example-weapons")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("save", "slain"), [(3, True), (4, False)])
def test_the_champion_throws_a_krak_grenade(save, slain, player):
    """Dice of 4, 3 and 3: it hits, wounds on 3+, and the save of 3 - 1 = 2 fails; a 6 is 3 points of damage."""
    apart = 6.0 + 32 / 25.4
    places = {MARINES: [(10.0, 10.0)], SQUAD: [(10.0, 10.0 + apart), (10.0 + 1.5, 10.0 + apart)]}
    battle = at(
        loaded(army(MARINES), army({"datasheet": SQUAD, "models": 5}), player, "full"), "shooting", places, active=player,
        dice=[4, 3, save, 6],
    )  # fmt: skip
    for _ in range(20):
        if told(battle, "w8.attack.save"):
            break
        held = battle.decision.kind == "weapon-target"  # the boltgun; the grenade has but one target in range
        battle.apply(0 if held else battle.decision.options[-1])
    (hit,), (wound,) = told(battle, "w8.attack.hit"), told(battle, "w8.attack.wound")
    assert (hit["die"], hit["result"], wound["needed"], wound["result"]) == (4, 1, 3, 1)
    (saved,) = told(battle, "w8.attack.save")
    assert (saved["needed"], saved["result"]) == (4, 0 if slain else 1)
    squad = unit_of(battle, SQUAD)
    assert battle.units.alive[squad] == (1 if slain else 2)
