"""Datasheets from files: names, Power, profiles, composition, wargear, weapons, keywords; models without a skill."""

from __future__ import annotations

import random

import pytest
from classic import battle_of, raw_sheet, setup_of
from eighth_files import at, duel, fight_out

from wh_env.content import ContentError, w8
from wh_env.content.w8.schema import Army
from wh_env.rulesets.w40k.attack.brackets import degrade, refresh_moves
from wh_env.rulesets.w40k.attack.rolls import hit_needed
from wh_env.testing import kind, offered, told

LORD = w8.load_datasheet("Lord of Contagion")


def army_of(*units, **fields):
    return Army.model_validate({"name": "T", "units": list(units), **fields})


def rows_of(setup, model):
    """Weapon rows that a model carries, by name."""
    m = setup.layout.view(setup.template.copy(), "models")[model]
    arsenal = setup.statics["arsenal"][m["first_weapon"] : m["first_weapon"] + m["weapons"]]["weapon"]
    return {setup.names["weapons"][w]: setup.statics["weapons"][w] for w in arsenal}


def blade(strength):
    return {"range": "melee", "type": "Melee", "S": strength, "AP": 0, "D": 1}


@pytest.mark.rule("w8.datasheet.unit-name")
def test_a_unit_has_the_name_of_its_datasheet():
    assert LORD.name == "Lord of Contagion"
    (unit,) = w8.muster_army(army_of({"datasheet": "Lord of Contagion"})).units
    assert unit.name == "Lord of Contagion"


@pytest.mark.rule("w8.datasheet.power-rating")
def test_power_levels_are_sums_of_power_ratings():
    """7, 6 and 9."""
    units = [{"datasheet": n} for n in ("Captain in Gravis Armour", "Malignant Plaguecaster")]
    assert w8.muster_army(army_of(*units, {"datasheet": "Tactical Squad", "models": 10})).power == 22


@pytest.mark.rule("w8.datasheet.lord-of-contagion.power-rating")
def test_the_power_of_a_lord_of_contagion_is_data():
    """7 in the list, and a unit of 7. A file that says another number counts with that."""
    marines = {"datasheet": "Plague Marines", "models": 5}
    assert w8.muster_army(army_of({"datasheet": LORD.name}, marines)).power == 14
    other = {**LORD.model_dump(mode="json", exclude_none=True), "power": [{"models": 1, "power": 4}]}
    assert w8.muster_army(army_of({"datasheet": LORD.name}, marines, datasheets=[other])).power == 11


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
    return fight_out(at(loaded, "fight", spots, active=player, dice=dice))


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


@pytest.mark.rule("w8.datasheet.abilities")
def test_the_lord_of_contagion_lists_his_abilities_and_they_change_the_rules_for_him():
    """Two are numbers of his datasheet, two stand there by name and are played; one of a later datasheet is not."""
    own = LORD.abilities
    assert (own.feel_no_pain, own.teleport) == (5, True)
    played = [each.name for each in own.other if each.active]
    assert [*(each.name for each in own.afflictions), *played] == ["Nurgle's Gift", "Cataphractii Armour"]
    assert LORD.inactive == ("Death to the False Emperor",)
    other = w8.load_datasheet("Captain in Gravis Armour").abilities
    assert (other.feel_no_pain, other.teleport, other.afflictions) == (None, False, ())


@pytest.mark.rule("w8.datasheet.weapon.profile")
def test_the_plaguereaper_has_a_profile():
    """Range and type Melee, S +2, AP -3, D 3, Plague Weapon."""
    (profile,) = LORD.weapons["Plaguereaper"].profiles
    assert (profile.melee, profile.range, profile.type.kind) == (True, 0, "Melee")
    assert (profile.S.times, profile.S.plus, profile.S.fixed) == (1, 2, None)
    assert (profile.AP, profile.D.plus, profile.D.dice) == (-3, 3, 0)
    assert profile.abilities == ("Plague Weapon",)


ARMOURY = {"name": "Elsewhere", "weapons": {"lance": {**blade("+3"), "AP": -2}, "club": blade("User")}}


@pytest.mark.rule("w8.datasheet.weapon.elsewhere")
def test_weapons_that_are_options_may_be_described_elsewhere():
    """The datasheet knows its gun alone; who takes the option fights with the lance of the list."""
    option = {"name": "lance", "weapons": ["gun", "lance"]}
    gun = {"gun": {"range": 24, "type": "Rapid Fire 1", "S": 4, "AP": -1, "D": 1}}
    sheet = raw_sheet(weapons=gun, model={"weapons": ["gun"], "options": [option]}, armoury=ARMOURY)
    read = w8.load_datasheet(sheet)
    assert sorted(read.weapons) == ["gun", "lance"]
    armed = {"datasheet": "Squad", "models": 1, "equipment": {"Soldier": {"lance": 1}}}
    for units, weapons in (
        ([armed], {"gun": (4, -1), "lance": (7, -2)}),
        ([{"datasheet": "Squad", "models": 1}], None),
    ):
        one = {"name": "T", "units": units, "datasheets": [sheet]}
        setup = w8.GAME.compile(w8.GAME.load("w8/only-war-skirmish", {"armies": [one, one]}), {}, None)
        found = {name: (int(row["strength_plus"]), int(row["ap"])) for name, row in rows_of(setup, 0).items()}
        assert found == (weapons or {"gun": (4, -1), "Close combat weapon": (4, 0)})


@pytest.mark.rule("w8.datasheet.weapon.elsewhere")
@pytest.mark.parametrize(
    ("armoury", "field"),
    [("nowhere", "armoury"), ({"name": "Empty", "weapons": {"club": blade(3)}}, "models[0].weapons")],
)
def test_a_weapon_that_is_described_nowhere_is_refused(armoury, field):
    option = {"name": "lance", "weapons": ["gun", "lance"]}
    sheet = raw_sheet(model={"options": [option]}, armoury=armoury)
    with pytest.raises(ContentError) as caught:
        w8.load_datasheet(sheet)
    assert caught.value.field == field


def test_a_datasheet_with_an_armoury_is_written_out_whole():
    """What is kept of a battle needs no further file."""
    sheet = w8.load_datasheet("Plague Marines")
    kept = sheet.model_dump(mode="json", exclude_none=True)
    assert "armoury" not in kept
    assert {"Blight launcher", "Boltgun"} <= set(kept["weapons"])
    assert w8.load_datasheet(kept).model_dump(mode="json", exclude_none=True) == kept


@pytest.mark.rule("w8.shoot.types")
@pytest.mark.parametrize("kind", ["Assault", "Heavy", "Rapid Fire", "Grenade", "Pistol"])
def test_the_five_types_of_ranged_weapon_and_melee_are_accepted(kind):
    weapons = {"gun": {"range": 24, "type": f"{kind} 3", "S": 4, "AP": 0, "D": 1}, "blade": blade("User")}
    read = w8.load_datasheet(raw_sheet(weapons=weapons))
    assert (read.weapons["gun"].profiles[0].type.kind, read.weapons["gun"].profiles[0].type.shots.plus) == (kind, 3)
    assert read.weapons["blade"].profiles[0].type.kind == "Melee"


@pytest.mark.rule("w8.shoot.types")
@pytest.mark.parametrize("kind", ["Blast 3", "Melee 3", "Assault", "Salvo 2", "3"])
def test_other_types_are_refused(kind):
    weapons = {"gun": {"range": 24, "type": kind, "S": 4, "AP": 0, "D": 1}, "blade": blade("User")}
    with pytest.raises(ContentError) as caught:
        w8.load_datasheet(raw_sheet(weapons=weapons))
    assert caught.value.field.endswith("type")
    assert caught.value.value == kind


@pytest.mark.rule("w8.concepts.datasheet-reference")
def test_a_model_has_the_characteristics_of_its_datasheet():
    """M 4, WS and BS 2+, S 4, T 5, W 6, A 4, Ld 9, Sv 2+: in the file, and on the battlefield."""
    kind = LORD.models[0]
    assert (kind.M.most, kind.WS, kind.BS, kind.S, kind.T, kind.W, kind.A.plus, kind.Ld, kind.Sv) == (
        4,
        2,
        2,
        4,
        5,
        6,
        4,
        9,
        2,
    )
    army = {"name": "T", "units": [{"datasheet": LORD.name}]}
    setup = w8.GAME.compile(w8.GAME.load("w8/only-war-skirmish", {"armies": [army, army]}), {}, None)
    m = setup.layout.view(setup.template.copy(), "models")[0]
    found = {c: int(m[c]) for c in ("move", "toughness", "wounds", "max_wounds", "leadership", "save")}
    assert found == {"move": 4, "toughness": 5, "wounds": 6, "max_wounds": 6, "leadership": 9, "save": 2}
    reaper = rows_of(setup, 0)["Plaguereaper"]
    assert (reaper["skill"], reaper["strength_plus"], reaper["attacks_plus"]) == (2, 6, 4)


@pytest.mark.rule("w8.concepts.datasheet-reference")
@pytest.mark.parametrize("unit", [{}, {"models": 3}, {"datasheet": "Nobody"}])
def test_models_without_a_datasheet_take_no_part(unit):
    with pytest.raises(ContentError) as caught:
        w8.muster_army(w8.load_army({"name": "T", "units": [unit]}))
    assert caught.value.field == "units[0].datasheet"


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
