"""Datasheets from files: characteristics, damage tables, Strength of melee weapons, models without them."""

from __future__ import annotations

import pytest
from classic import WEAPONS, battle_of, raw_sheet, setup_of, tank

from wh_env.rulesets.w40k.attack.brackets import degrade, refresh_moves
from wh_env.rulesets.w40k.attack.casualties import heal
from wh_env.rulesets.w40k.attack.rolls import hit_needed


def blade(strength):
    return {"range": "melee", "type": "Melee", "S": strength, "AP": 0, "D": 1}


def rows_of(setup, model):
    """Weapon rows that a model carries, by name."""
    m = setup.layout.view(setup.template.copy(), "models")[model]
    arsenal = setup.statics["arsenal"][m["first_weapon"] : m["first_weapon"] + m["weapons"]]["weapon"]
    return {setup.names["weapons"][w]: setup.statics["weapons"][w] for w in arsenal}


@pytest.mark.rule("w9.weapon.strength")
@pytest.mark.parametrize("model", [0, 1])
def test_strength_of_a_weapon_is_that_of_its_bearer_changed(model):
    weapons = {"a": blade("User"), "b": blade("+2"), "c": blade("x2"), "d": blade("-1"), "e": blade(7)}
    setup = setup_of(raw_sheet(weapons=weapons, model={"weapons": list(weapons)}))
    assert [int(row["strength_plus"]) for row in rows_of(setup, model).values()] == [4, 6, 8, 3, 7]


@pytest.mark.rule("w9.weapon.close-combat")
@pytest.mark.parametrize("model", [0, 1])
def test_a_model_without_a_melee_weapon_fights_with_a_close_combat_weapon(model):
    setup = setup_of(raw_sheet(model={"weapons": ["gun"], "S": 3, "A": 2}))
    row = rows_of(setup, model)["Close combat weapon"]
    assert (row["strength_plus"], row["ap"], row["damage_plus"], row["attacks_plus"], row["skill"]) == (3, 0, 1, 2, 3)
    armed = setup_of(raw_sheet(model={"weapons": ["gun", "blade"]}))
    assert "Close combat weapon" not in rows_of(armed, model)


def next_attack_needs(battle, unit):
    """The lowest die that hits when the unit fires its first weapon at the first enemy unit."""
    model, setup, jobs = battle.units.first[unit], battle.setup, battle.jobs
    battle.models.on_table[model] = 1
    weapon = int(setup.statics["arsenal"][battle.models.first_weapon[model]]["weapon"])
    enemy = battle.players.first_unit[1 - battle.units.owner[unit]]
    jobs.attacks[0], jobs.model[0], jobs.weapon[0], jobs.target[0], jobs.near[0] = 1, model, weapon, enemy, 0
    degrade(battle, unit)
    return hit_needed(setup.statics["weapons"], jobs.weapon[0], 0, False, setup.statics["attack_rules"])


@pytest.mark.rule("w9.concepts.damaged")
@pytest.mark.parametrize("player", [0, 1])
def test_the_row_of_a_damage_table_counts_from_the_moment_wounds_change(player):
    battle = battle_of(setup_of(raw_sheet(weapons=WEAPONS), tank()))
    unit = battle.players.first_unit[player] + 1
    model = battle.units.first[unit]
    for wounds, needed, move in ((8, 3, 12), (6, 4, 8), (3, 5, 4)):
        battle.models.wounds[model] = wounds
        refresh_moves(battle)
        assert (next_attack_needs(battle, unit), battle.models.move[model]) == (needed, move)
    heal(battle, unit, 4)  # it regains wounds: 7
    assert (next_attack_needs(battle, unit), battle.models.move[model]) == (3, 12)
