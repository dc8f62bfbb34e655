"""Datasheets from files: names, Power, profiles, composition, wargear, weapons, keywords; models without a skill."""

from __future__ import annotations

import random

import pytest
from classic import battle_of, in_phase, raw_army, raw_sheet, setup_of

from wh_env.content import ContentError, w8
from wh_env.content.w8.schema import Army
from wh_env.rulesets.w8.ruleset import EIGHTH_EDITION
from wh_env.rulesets.w40k.attack.brackets import degrade, refresh_moves
from wh_env.rulesets.w40k.attack.rolls import hit_needed
from wh_env.testing import kind, offered, told

LORD = w8.load_datasheet("Lord of Contagion")
FIGHT = EIGHTH_EDITION.phases.index("Fight")


def army_of(*units, **fields):
    return Army.model_validate({"name": "T", "units": list(units), **fields})


def rows_of(setup, model):
    """Weapon rows that a model carries, by name."""
    m = setup.layout.view(setup.template.copy(), "models")[model]
    arsenal = setup.statics["arsenal"][m["first_weapon"] : m["first_weapon"] + m["weapons"]]["weapon"]
    return {setup.names["weapons"][w]: setup.statics["weapons"][w] for w in arsenal}


def blade(strength):
    return {"range": "melee", "type": "Melee", "S": strength, "AP": 0, "D": 1}


def duel(mine, theirs, player=0, detail="squad"):
    """A battle of the player's datasheets against others."""
    armies = [raw_army(*mine), raw_army(*theirs)]
    overrides = {"armies": armies if player == 0 else armies[::-1], "detail": detail}
    return w8.GAME.load("w8/only-war-skirmish", overrides)


def at(loaded, phase, spots, **more):
    return in_phase(loaded, phase, spots, game=w8.GAME, **more)


@pytest.mark.rule("w8.datasheet.unit-name")
def test_a_unit_has_the_name_of_its_datasheet():
    assert LORD.name == "Lord of Contagion"
    (unit,) = w8.muster_army(army_of({"datasheet": "Lord of Contagion"})).units
    assert unit.name == "Lord of Contagion"


@pytest.mark.rule("w8.datasheet.power-rating")
def test_power_levels_are_sums_of_power_ratings():
    """7, 6 and 9."""
    units = [{"datasheet": n} for n in ("Captain in Gravis Armour", "Malignant Plaguecaster", "Lord of Contagion")]
    assert w8.muster_army(army_of(*units)).power == 22


@pytest.mark.rule("w8.datasheet.lord-of-contagion.power-rating")
def test_the_power_of_a_lord_of_contagion_is_data():
    """9 in the file, and a unit of 6. A file that says another number counts with that."""
    marines = {"datasheet": "Plague Marines", "models": 5}
    assert w8.muster_army(army_of({"datasheet": LORD.name}, marines)).power == 15
    other = {**LORD.model_dump(mode="json", exclude_none=True), "power": [{"models": 1, "power": 4}]}
    assert w8.muster_army(army_of({"datasheet": LORD.name}, marines, datasheets=[other])).power == 10


@pytest.mark.rule("w8.datasheet.profiles")
def test_kinds_of_models_have_profiles_of_their_own():
    (unit,) = w8.muster_army(army_of({"datasheet": "Plague Marines", "models": 5})).units
    found = sorted((m.type.name, m.type.A.plus, m.type.Ld) for m in unit.models)
    assert found == [("Plague Champion", 2, 8), *[("Plague Marine", 1, 7)] * 4]


@pytest.mark.rule("w8.datasheet.composition")
def test_a_unit_of_two_lords_is_refused():
    assert len(w8.muster_army(army_of({"datasheet": LORD.name, "models": 1})).units[0].models) == 1
    with pytest.raises(ContentError) as caught:
        w8.muster_army(army_of({"datasheet": LORD.name, "models": 2}))
    assert (caught.value.field, caught.value.value) == ("units[0].models", 2)


@pytest.mark.rule("w8.datasheet.wargear")
def test_a_lord_carries_a_plaguereaper_alone():
    (unit,) = w8.muster_army(army_of({"datasheet": LORD.name})).units
    assert [tuple(model.weapons) for model in unit.models] == [("Plaguereaper",)]


@pytest.mark.rule("w8.datasheet.weapon.type")
def test_a_type_has_a_number_of_attacks():
    (gun,) = w8.load_datasheet("Plague Marines").weapons["Boltgun"].profiles
    assert (gun.type.kind, gun.type.shots.dice, gun.type.shots.plus) == ("Rapid Fire", 0, 1)
    row = rows_of(setup_of(raw_sheet(), game=w8.GAME), 0)["gun"]
    assert (row["attacks_plus"], row["rapid_fire_plus"]) == (1, 1)


@pytest.mark.rule("w8.datasheet.strength")
@pytest.mark.rule("w8.datasheet.weapon.strength.modifier")
@pytest.mark.parametrize("model", [0, 1])
@pytest.mark.parametrize(("bearer", "strengths"), [(4, [4, 6, 8, 3, 7]), (6, [6, 8, 12, 5, 7])])
def test_strength_of_a_weapon_is_that_of_its_bearer_changed(model, bearer, strengths):
    weapons = {"a": blade("User"), "b": blade("+2"), "c": blade("x2"), "d": blade("-1"), "e": blade(7)}
    sheet = raw_sheet(weapons=weapons, model={"weapons": list(weapons), "S": bearer})
    rows = rows_of(setup_of(sheet, game=w8.GAME), model)
    assert [int(row["strength_plus"]) for row in rows.values()] == strengths


NEST = raw_sheet("Nest", model={"WS": "-", "BS": "-", "A": 3, "W": 9, "max": 1})
GUNNER = raw_sheet("Gunner", model={"max": 1, "W": 9})
FOE = raw_sheet("Foe", model={"max": 1, "W": 9, "Sv": "-"})


@pytest.mark.rule("w8.datasheet.ballistic-skill.none")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_model_with_a_dash_for_ballistic_skill_shoots_with_nothing(player, detail):
    """It carries a gun that reaches; only its comrade that has a Ballistic Skill is offered."""
    loaded = duel([NEST, GUNNER], [FOE], player, detail)
    battle = at(loaded, "shooting", {"Nest": (10, 10), "Gunner": (14, 10), "Foe": (20, 15)}, active=player)
    assert "gun" in loaded.armies[player].units[0].models[0].weapons
    assert kind(battle) == "select-to-shoot"
    assert offered(battle, "select-to-shoot") == [1]


def fought(mine, theirs, player, detail, dice):
    """The battle after a Fight phase of two models that stand beside each other."""
    loaded = duel([mine], [theirs], player, detail)
    spots = {mine["name"]: (15, 15), theirs["name"]: (15.0, 16.8)}
    battle = at(loaded, "fight", spots, active=player, dice=dice)
    while battle.decision is not None and battle.clock.phase[0] == FIGHT:
        battle.apply(battle.first_legal())
    return battle


@pytest.mark.rule("w8.datasheet.weapon-skill.none")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_model_with_a_dash_for_weapon_skill_makes_no_attacks(player, detail):
    """Its foe makes its two; it, with Attacks of 3, none."""
    battle = fought(NEST, FOE, player, detail, [2, 2])
    foe = battle.units.first[battle.players.first_unit[1 - player]]
    assert [hit["die"] for hit in told(battle, "w8.attack.hit")] == [2, 2]
    assert battle.models.wounds[foe] == 9


@pytest.mark.rule("w8.datasheet.weapon-skill")
@pytest.mark.rule("w8.datasheet.attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_as_many_attacks_as_the_characteristic_hit_on_the_weapon_skill(player, detail):
    """WS 2+ and A 4: dice of 2 hit, one of 1 misses."""
    mine = raw_sheet("Mine", model={"max": 1, "WS": "2+", "A": 4, "weapons": ["blade"]})
    battle = fought(mine, {**FOE, "models": [{**FOE["models"][0], "WS": "-"}]}, player, detail, [2, 1, 2, 1, 2, 2])
    hits = told(battle, "w8.attack.hit")
    assert [(hit["die"], hit["needed"], hit["result"]) for hit in hits] == [(2, 2, 1), (1, 2, 0), (2, 2, 1), (1, 2, 0)]


@pytest.mark.rule("w8.datasheet.toughness")
@pytest.mark.rule("w8.datasheet.weapon.damage")
@pytest.mark.parametrize("player", [0, 1])
def test_toughness_is_what_is_wounded_and_damage_what_is_lost(player):
    """S 4 wounds T 5 on 5+; Damage 3."""
    weapons = {"blade": {**blade("User"), "D": 3}}
    mine = raw_sheet("Mine", model={"max": 1, "A": 2, "WS": "2+", "weapons": ["blade"]}, weapons=weapons)
    theirs = raw_sheet("Foe", model={"max": 1, "W": 9, "T": 5, "Sv": "-", "WS": "-"})
    battle = fought(mine, theirs, player, "squad", [2, 2, 4, 5])
    wounds = told(battle, "w8.attack.wound")
    assert [(w["die"], w["needed"], w["result"]) for w in wounds] == [(4, 5, 0), (5, 5, 1)]
    assert battle.models.wounds[battle.units.first[battle.players.first_unit[1 - player]]] == 6


@pytest.mark.rule("w8.datasheet.damage-table")
@pytest.mark.parametrize("player", [0, 1])
def test_a_damage_table_gives_the_characteristics_of_the_wounds_left(player):
    """7 to 12: M 10 and 3+; 4 to 6: M 6 and 4+; 1 to 3: M 4 and 5+."""
    rows = [{"wounds": 6, "M": 6, "BS": "4+"}, {"wounds": 3, "M": 4, "BS": "5+"}]
    tank = raw_sheet("Tank", model={"max": 1, "M": 10, "BS": "3+", "W": 12, "damage": rows})
    for wounds, move, needed in ((7, 10, 3), (6, 6, 4), (4, 6, 4), (3, 4, 5), (1, 4, 5)):
        battle = at(duel([tank], [FOE], player), "shooting", {}, active=player, dice=[1])
        tanks, foe = (battle.players.first_unit[side] for side in (player, 1 - player))
        for unit, x in ((tanks, 10.0), (foe, 25.0)):
            model = battle.units.first[unit]
            battle.models.x[model], battle.models.y[model], battle.models.on_table[model] = x, 15.0, 1
            battle.units.place[unit] = 1
        model = battle.units.first[tanks]
        battle.models.wounds[model] = wounds
        refresh_moves(battle)
        assert battle.models.move[model] == move
        jobs, statics = battle.jobs, battle.setup.statics
        gun = int(statics["arsenal"][battle.models.first_weapon[model]]["weapon"])
        jobs.attacks[0], jobs.model[0], jobs.weapon[0], jobs.target[0], jobs.near[0] = 1, model, gun, foe, 0
        degrade(battle, tanks)
        assert hit_needed(statics["weapons"], jobs.weapon[0], 0, False, statics["attack_rules"]) == needed


@pytest.mark.rule("w8.datasheet.minimum-one")
def test_the_strength_of_a_blow_is_never_below_1():
    sheet = raw_sheet(weapons={"blade": blade("-1")}, model={"weapons": ["blade"], "S": 1})
    assert rows_of(setup_of(sheet, game=w8.GAME), 0)["blade"]["strength_plus"] == 1


@pytest.mark.rule("w8.datasheet.battlefield-role")
def test_battlefield_roles_change_nothing():
    """Armies of HQ alone and of Troops alone are lawful; the same choices are offered in their battles, which end alike."""
    courses = []
    for role in ("Troops", "HQ"):
        battle, chance = battle_of(setup_of(raw_sheet(role=role), game=w8.GAME)), random.Random(1)
        course = []
        while battle.decision is not None:
            course.append((kind(battle), battle.decision.player, list(battle.decision.options)))
            battle.apply(chance.choice(battle.decision.options))
        courses.append((course, battle.players.vp[0], battle.players.vp[1]))
    assert courses[0] == courses[1]
