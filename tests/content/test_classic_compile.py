"""Weapons as their bearers use them, damage tables and models without weapons, in rows."""

from __future__ import annotations

import numpy as np
import pytest
from classic import WEAPONS, battle_of, raw_sheet, setup_of, tank

from wh_env.rulesets.w40k.attack.brackets import bracket_of, degrade, refresh_moves, weapon_now
from wh_env.rulesets.w40k.attack.casualties import heal
from wh_env.rulesets.w40k.profiles import WeaponAbility


def rows_of(setup, model=0):
    """Name and row of each weapon profile of a model."""
    m = setup.layout.view(setup.template.copy(), "models")[model]
    arsenal = setup.statics["arsenal"][m["first_weapon"] : m["first_weapon"] + m["weapons"]]
    return [(setup.names["weapons"][w], setup.statics["weapons"][w]) for w in arsenal["weapon"]]


def attacks(row):
    return int(row["attacks_dice"]), int(row["attacks_sides"]), int(row["attacks_plus"])


def test_skill_strength_and_attacks_are_those_of_the_bearer():
    (gun_name, gun), (blade_name, blade) = rows_of(setup_of(raw_sheet()))
    assert (gun_name, blade_name) == ("gun", "blade")
    assert (gun["skill"], gun["strength_plus"], attacks(gun), gun["rapid_fire_plus"]) == (4, 4, (0, 0, 1), 1)
    assert (blade["skill"], blade["strength_plus"], attacks(blade), blade["melee"]) == (3, 5, (0, 0, 2), 1)


def test_extra_attacks_are_a_row_of_their_own():
    sword = {"range": "melee", "type": "Melee", "S": "User", "AP": 0, "D": 1, "extra": 1}
    rows = rows_of(setup_of(raw_sheet(weapons={**WEAPONS, "blade": sword})))
    assert [attacks(row) for name, row in rows if name == "blade"] == [(0, 0, 2), (0, 0, 1)]
    assert int(rows[-1][1]["abilities"]) & int(WeaponAbility.EXTRA_ATTACKS)


def test_a_pair_gives_one_extra_attack_and_copies_each_their_own():
    claw = {"range": "melee", "type": "Melee", "S": "User", "AP": 0, "D": 1}
    for fields, expected in (({"extra_pair": 1}, [(0, 0, 2), (0, 0, 1)]), ({"extra": 1}, [(0, 0, 2), (0, 0, 2)])):
        weapons = {**WEAPONS, "blade": {**claw, **fields}}
        rows = rows_of(setup_of(raw_sheet(weapons=weapons, model={"weapons": ["blade", "blade"]})))
        assert [attacks(row) for _, row in rows] == expected
    alone = rows_of(
        setup_of(raw_sheet(weapons={**WEAPONS, "blade": {**claw, "extra_pair": 1}}, model={"weapons": ["blade"]}))
    )
    assert [attacks(row) for _, row in alone] == [(0, 0, 2)]


def test_who_has_no_melee_weapon_has_a_close_combat_weapon():
    name, row = rows_of(setup_of(raw_sheet(model={"weapons": ["gun"], "S": 3})))[-1]
    assert name == "Close combat weapon"
    assert (row["strength_plus"], row["ap"], row["damage_plus"], attacks(row)) == (3, 0, 1, (0, 0, 2))


def test_a_dash_makes_no_such_attacks():
    assert [name for name, _ in rows_of(setup_of(raw_sheet(model={"BS": "-"})))] == ["blade"]
    assert [name for name, _ in rows_of(setup_of(raw_sheet(model={"WS": "-"})))] == ["gun"]


def test_a_weapon_modifies_its_own_hit_rolls():
    weapons = {**WEAPONS, "blade": {**WEAPONS["blade"], "hit": -1}}
    assert [int(row["hit"]) for _, row in rows_of(setup_of(raw_sheet(weapons=weapons)))] == [0, -1]


@pytest.mark.parametrize(
    ("left", "bracket", "skill", "move"), [(12, 0, 3, 12), (7, 0, 3, 12), (6, 1, 4, 8), (3, 2, 5, 4), (1, 2, 5, 4)]
)
def test_the_row_of_the_wounds_left_is_used(left, bracket, skill, move):
    battle = battle_of(setup_of(tank()))
    battle.models.wounds[0] = left
    weapon = int(battle.setup.statics["arsenal"][0]["weapon"])
    assert bracket_of(battle, 0) == bracket
    assert battle.setup.statics["weapons"][weapon_now(battle, 0, weapon)]["skill"] == skill
    refresh_moves(battle)
    assert battle.models.move[0] == move


def test_declared_attacks_are_made_with_the_weapons_as_they_are_now():
    battle = battle_of(setup_of(tank(), raw_sheet()))
    first = battle.units.first[2]  # the second army
    battle.models.on_table[first] = 1
    weapon = int(battle.setup.statics["arsenal"][battle.models.first_weapon[first]]["weapon"])
    for wounds, skill in ((12, 3), (5, 4)):
        battle.models.wounds[first] = wounds
        jobs = battle.jobs
        jobs.attacks[0], jobs.model[0], jobs.weapon[0], jobs.target[0], jobs.near[0] = 1, first, weapon, 1, 0
        degrade(battle, 2)
        assert battle.setup.statics["weapons"][jobs.weapon[0]]["skill"] == skill


def test_who_is_healed_moves_farther_again():
    battle = battle_of(setup_of(tank()))
    battle.models.wounds[0], battle.models.on_table[0] = 5, 1
    refresh_moves(battle)
    assert battle.models.move[0] == 8
    heal(battle, 0, 3)
    assert (battle.models.wounds[0], battle.models.move[0]) == (8, 12)


def test_weapons_that_degrade_alike_share_rows_and_others_do_not():
    other = {**tank(), "name": "Other"}
    other["models"] = [{**other["models"][0], "name": "Other", "damage": [{"wounds": 4, "BS": "6+"}]}]
    setup = setup_of(tank(), {**tank(), "name": "Twin"}, other)
    guns = [
        int(setup.statics["arsenal"][m["first_weapon"]]["weapon"])
        for m in setup.layout.view(setup.template.copy(), "models")
    ]
    assert guns[0] == guns[1] != guns[2]
    table = setup.statics["bracket_weapons"]
    assert [int(setup.statics["weapons"][table[1, gun]]["skill"]) for gun in guns[:3]] == [4, 4, 6]


def test_a_model_without_a_table_keeps_its_rows():
    setup = setup_of(raw_sheet())
    assert setup.statics["degrading"] == ()
    assert np.array_equal(setup.statics["bracket_weapons"][0], np.arange(len(setup.statics["weapons"])))
