"""Datasheets from files: characteristics, damage tables, Strength of melee weapons, models without them."""

from __future__ import annotations

import pytest
from classic import WEAPONS, battle_of, in_phase, raw_army, raw_sheet, setup_of, tank

from wh_env.content import w9
from wh_env.rulesets.w9.codes import Phase
from wh_env.rulesets.w40k.attack.brackets import degrade, refresh_moves
from wh_env.rulesets.w40k.attack.casualties import heal
from wh_env.rulesets.w40k.attack.rolls import hit_needed
from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import kind, offered, pick, told, words


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


def duel(mine, theirs, player=0, detail="squad"):
    """A battle of the player's datasheets against others."""
    armies = [raw_army(*mine), raw_army(*theirs)]
    return w9.GAME.load("w9/only-war-patrol", {"armies": armies if player == 0 else armies[::-1], "detail": detail})


NEST = raw_sheet("Nest", model={"M": "-", "WS": "4+", "BS": "-", "A": 3, "max": 1})
GUNNER = raw_sheet("Gunner", model={"max": 1, "W": 9})
FOE = raw_sheet("Foe", model={"max": 1, "W": 9, "Sv": "-", "WS": "-"})


def wound_rolls(model, weapons, player=0):
    """What the wound rolls of a single fighter need against T 4, and the wounds that its foe, which has no save, has lost."""
    fighter = raw_sheet("Fighter", model={"max": 1, "WS": "2+", **model}, weapons=weapons)
    loaded = duel([fighter], [FOE], player)
    spots = {"Fighter": (15, 15), "Foe": (15.0, 16.8)}
    battle = in_phase(loaded, "fight", spots, active=player, dice=[2, 2, 6, 6, 6, 6], cp_each_command_phase=0)
    while battle.decision is not None and battle.clock.phase[0] == Phase.FIGHT:
        battle.apply(battle.first_legal())
    foe = battle.units.first[battle.players.first_unit[1 - player]]
    return [e["needed"] for e in told(battle, "w9.attack.wound")], 9 - battle.models.wounds[foe]


@pytest.mark.rule("w9.weapon.strength")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("strength", "needed"), [("User", 4), ("+2", 3), ("x2", 2), ("-1", 5), (2, 6)])
def test_attacks_wound_with_that_strength(player, strength, needed):
    """S 4 against T 4: 4, 6, 8, 3 and 2."""
    needs, _ = wound_rolls({"weapons": ["a"]}, {"a": blade(strength)}, player)
    assert needs == [needed, needed]


@pytest.mark.rule("w9.weapon.close-combat")
@pytest.mark.parametrize("player", [0, 1])
def test_two_attacks_with_a_close_combat_weapon(player):
    """S 3, A 2 and a gun only: two attacks that wound T 4 on 5+, each with a Damage of 1."""
    assert wound_rolls({"weapons": ["gun"], "S": 3, "A": 2}, {"gun": WEAPONS["gun"]}, player) == ([5, 5], 2)


@pytest.mark.rule("w9.concepts.datasheet")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_model_with_a_dash_for_move_remains_stationary(player, detail):
    """Remain Stationary is its only option, and so made without a question; its comrade is asked."""
    loaded = duel([NEST, GUNNER], [FOE], player, detail)
    battle = in_phase(loaded, "movement", {"Nest": (10, 10), "Gunner": (20, 10), "Foe": (30, 20)}, active=player)
    first = battle.players.first_unit[player]
    while battle.decision.player == player and kind(battle) != "select-to-shoot":
        if kind(battle) in ("move-kind", "move-to", "select-model"):
            assert battle.decision.subject == first + 1
        if kind(battle) == "move-kind":
            texts = set(words(battle).values())
            assert {"Gunner: Normal move", "Gunner: Advance", "Gunner: Remain Stationary"} <= texts
            pick(battle, "Remain Stationary")
        else:
            battle.apply(battle.first_legal())
    assert battle.units.moved[first] == Moved.STATIONARY
    assert (battle.models.x[battle.units.first[first]], battle.models.y[battle.units.first[first]]) == (10, 10)


@pytest.mark.rule("w9.concepts.datasheet")
@pytest.mark.parametrize("player", [0, 1])
def test_a_model_with_a_dash_for_ballistic_skill_shoots_with_nothing(player):
    """It carries a gun that reaches; only the comrade that has a Ballistic Skill is offered."""
    loaded = duel([NEST, GUNNER], [FOE], player)
    battle = in_phase(loaded, "shooting", {"Nest": (10, 10), "Gunner": (14, 10), "Foe": (20, 15)}, active=player)
    assert "gun" in loaded.armies[player].units[0].models[0].weapons
    assert kind(battle) == "select-to-shoot"
    assert offered(battle, "select-to-shoot") == [1]


@pytest.mark.rule("w9.concepts.datasheet")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
def test_weapon_skill_is_what_melee_attacks_hit_on(player, detail):
    """Three attacks with WS 4+ show 3, 4 and 5: two hit. The foe, whose Weapon Skill is a dash, makes none in return."""
    loaded = duel([NEST], [FOE], player, detail)
    dice = [3, 4, 5, 6, 6]
    battle = in_phase(
        loaded, "fight", {"Nest": (15, 15), "Foe": (15.0, 16.8)}, active=player, dice=dice, cp_each_command_phase=0
    )
    while battle.decision is not None and battle.clock.phase[0] == Phase.FIGHT:
        battle.apply(battle.first_legal())
    hits = told(battle, "w9.attack.hit")
    assert [(hit["die"], hit["needed"], hit["result"]) for hit in hits] == [
        (3, 4, 0),
        (4, 4, 1),
        (5, 4, 1),
    ]
    foe = battle.units.first[battle.players.first_unit[1 - player]]
    assert battle.models.wounds[foe] == 9 - 2 * 2  # Damage 2; no save can be made with a dash


@pytest.mark.rule("w9.concepts.datasheet")
@pytest.mark.parametrize("player", [0, 1])
def test_characteristics_of_models_and_weapons_are_those_of_the_datasheet(player):
    """M 6, T 4, W 2, Ld 7, Sv 3+; a rifle of 24", Rapid Fire 1, S 4, AP -1, D 1 on BS 4+; a blade on WS 3+ with two attacks of S 5, AP -2, D 2."""
    setup = setup_of(raw_sheet())
    battle = battle_of(setup)
    model = battle.units.first[battle.players.first_unit[player]]
    m = battle.models
    assert (m.move[model], m.toughness[model], m.wounds[model], m.leadership[model], m.save[model]) == (6, 4, 2, 7, 3)
    gun, blade = rows_of(setup, model)["gun"], rows_of(setup, model)["blade"]
    assert (gun["range"], gun["attacks_plus"], gun["skill"], gun["strength_plus"]) == (24, 1, 4, 4)
    assert (gun["ap"], gun["damage_plus"], gun["rapid_fire_plus"], gun["melee"]) == (-1, 1, 1, 0)
    assert (blade["attacks_plus"], blade["skill"], blade["strength_plus"]) == (2, 3, 5)
    assert (blade["ap"], blade["damage_plus"], blade["melee"]) == (-2, 2, 1)


@pytest.mark.rule("w9.concepts.characteristic.minimum")
@pytest.mark.parametrize("player", [0, 1])
def test_strength_is_never_below_1_and_a_dash_is_not_modified(player):
    """A blade of -1 Strength in the hands of Strength 1; a gun in those of a model without a Ballistic Skill that has +1 to hit."""
    weak = raw_sheet("Weak", weapons={"blade": blade("-1")}, model={"weapons": ["blade"], "S": 1, "max": 1})
    sure = {"name": "Sure", "effect": "+1 to hit", "active": True}
    nest = {**NEST, "abilities": {"other": [sure]}}
    loaded = duel([nest, GUNNER, weak], [FOE], player)
    spots = {"Nest": (10, 10), "Gunner": (14, 10), "Weak": (18, 10), "Foe": (20, 15)}
    battle = in_phase(loaded, "shooting", spots, active=player)
    assert offered(battle, "select-to-shoot") == [1]
    model = battle.units.first[battle.players.first_unit[player] + 2]
    assert rows_of(battle.setup, model)["blade"]["strength_plus"] == 1
