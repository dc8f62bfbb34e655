"""Numbers of weapons that are rolled, and several Anti abilities: Rapid Fire D3, Melta D3, Sustained Hits D3, S 2D6
(w10.weapon.rapid-fire, .melta, .sustained-hits, .anti, w10.datasheet.random.other)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, choose, dice_left, melee, pick, ranged, sheet, told, words

DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])
ASKED = {"stratagems": {"command-re-roll": "ask"}, "cp_each_command_phase": 0}


def volley(weapon, dice, *, gap=6.0, detail="squad", shooters=1, cp=(0, 0), rules=None, foes=None, leader=None):
    """A unit shoots with one weapon each at a unit so many inches away; what happens next are its dice."""
    scene = Scene()
    at = [(10 + 2 * k, 10) for k in range(shooters)]
    scene.unit(0, sheet("Guns", weapons={"gun": weapon}), at=at)
    scene.unit(0, sheet("Others"), at=(40, 10))
    target = scene.unit(1, foes or sheet("Foes", Sv=7, W=20, T=4), at=(10, 11 + gap), models=1)
    if leader is not None:
        scene.unit(1, leader, at=(10, 13 + gap), models=1, leads=target)
    battle = scene.battle("shooting", dice=dice, detail=detail, cp=cp, rules=rules)
    pick(battle, "Guns", kind="select-to-shoot")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        choose(battle, "enemy", 0)
    return battle, target


def results(battle, rule, key="result"):
    return [event[key] for event in told(battle, rule)]


# ---------------------------------------------------------------- Rapid Fire


@pytest.mark.rule("w10.weapon.rapid-fire", "w10.datasheet.random.other")
@DETAILS
@pytest.mark.parametrize(("gap", "dice", "attacks"), [(12.0, [4], 3), (12.1, [], 1)])
def test_rapid_fire_d3(detail, gap, dice, attacks):
    """A 1 [RAPID FIRE D3]: within half range a 4 (2 on a D3) makes 3 attacks, beyond it no die is rolled."""
    gun = ranged(24, abilities=["Rapid Fire D3"])
    battle, _ = volley(gun, [*dice, *[1] * attacks], gap=gap, detail=detail)
    assert len(told(battle, "w10.attack.hit.roll")) == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.rapid-fire", "w10.shoot.attacks.number")
def test_each_weapon_rolls_its_own_number():
    """Two models with A D6 [RAPID FIRE D3+1]: D6 and D3 for the one, then for the other."""
    gun = ranged(24, A="D6", abilities=["Rapid Fire D3+1"])
    battle, _ = volley(gun, [1, 1, 2, 6, *[1] * 9], shooters=2)
    assert results(battle, "w10.shoot.attacks.number") == [1 + 1 + 1, 2 + 3 + 1]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll", "w10.weapon.rapid-fire", "w10.concepts.reroll.sum-all-dice")
def test_command_re_roll_takes_all_dice_of_the_number_of_attacks():
    gun = ranged(24, A="D6", abilities=["Rapid Fire D3"])
    battle, _ = volley(gun, [1, 1, 2, 3, 1, 1, 1, 1], cp=(1, 0), rules=ASKED)
    pick(battle, "attacks roll of 2", kind="command-re-roll-die")
    assert results(battle, "w10.shoot.attacks.number") == [4]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll")
def test_a_number_of_attacks_above_the_slots_of_the_action_space_can_be_rolled_again():
    gun = ranged(24, A="6D6", abilities=["Rapid Fire D3"])
    battle, _ = volley(gun, [6] * 7 + [1] * 7 + [1] * 7, cp=(1, 0), rules=ASKED)
    assert sorted(words(battle).values()) == ["Command Re-roll: an attacks roll of 39", "keep the attacks roll"]
    pick(battle, "attacks roll of 39")
    assert results(battle, "w10.shoot.attacks.number") == [7]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Melta


@pytest.mark.rule("w10.weapon.melta", "w10.datasheet.random.other")
@DETAILS
@pytest.mark.parametrize(("gap", "dice", "damage"), [(12.0, [2, 5], 5), (12.1, [2], 2)])
def test_melta_d3(detail, gap, dice, damage):
    """D D6 [MELTA D3]: within half range 2 and 3 (a 5) make 5 damage, beyond it 2."""
    gun = ranged(24, BS=2, S=8, D="D6", AP=-6, abilities=["Melta D3"])
    battle, target = volley(gun, [2, 2, 1, *dice], gap=gap, detail=detail)
    assert battle.models.wounds[target.first] == 20 - damage
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.melta")
def test_melta_d6_and_one_on_a_fixed_damage():
    gun = ranged(24, BS=2, S=8, D=1, AP=-6, abilities=["Melta D6+1"])
    battle, target = volley(gun, [2, 2, 1, 4])
    assert battle.models.wounds[target.first] == 20 - (1 + 4 + 1)
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.command-re-roll", "w10.weapon.melta")
def test_command_re_roll_takes_all_dice_of_the_damage_roll():
    gun = ranged(24, BS=2, S=8, D="D6", AP=-6, abilities=["Melta D3"])
    battle, target = volley(gun, [2, 2, 1, 1, 2, 6, 6], cp=(1, 0), rules=ASKED)
    while "damage roll of 2" not in " ".join(words(battle).values()):
        pick(battle, "keep", kind="command-re-roll-die")
    pick(battle, "damage roll of 2")
    assert battle.models.wounds[target.first] == 20 - 9
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Sustained Hits


@pytest.mark.rule("w10.weapon.sustained-hits", "w10.datasheet.random.other")
@DETAILS
def test_sustained_hits_d3(detail):
    """Hit rolls 6, 6, 3: 1 and 3 additional hits (dice of 2 and 5), 7 wound rolls."""
    battle, _ = volley(ranged(24, A=3, BS=3, abilities=["Sustained Hits D3"]), [6, 6, 3, 2, 5, *[1] * 7], detail=detail)
    assert results(battle, "w10.weapon.sustained-hits") == [4]
    assert len(told(battle, "w10.attack.wound.roll")) == 7
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Strength


@pytest.mark.rule("w10.datasheet.random.other", "w10.datasheet.weapon.strength")
@DETAILS
def test_strength_d6_and_two(detail):
    """Three hits against T 4, each with its Strength and then its wound roll: S 3 needs 5+, S 6 3+, S 8 2+."""
    battle, target = volley(ranged(24, A=3, S="D6+2", AP=-6), [4, 4, 4, 1, 4, 4, 3, 6, 2, 1, 1], detail=detail)
    assert results(battle, "w10.datasheet.random.other") == [3, 6, 8]
    assert results(battle, "w10.attack.wound.roll", "needed") == [5, 3, 2]
    assert battle.models.wounds[target.first] == 18
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.random.other")
def test_strength_2d6_in_melee():
    scene = Scene()
    scene.unit(0, sheet("Brute", weapons={"claw": melee(1, WS=2, S="2D6", AP=-6)}), at=(10, 10), models=1)
    target = scene.unit(1, sheet("Foes", W=6, T=5), at=(11, 10), models=1)
    battle = scene.battle("fight", dice=[2, 4, 6, 2, 1])
    assert results(battle, "w10.datasheet.random.other") == [10]
    assert battle.models.wounds[target.first] == 5
    assert dice_left(battle) == 0


@pytest.mark.rule(
    "w10.stratagem.command-re-roll", "w10.stratagem.command-re-roll.not-others", "w10.datasheet.random.other"
)
def test_a_wound_roll_of_a_random_strength_is_rolled_again_the_strength_is_not():
    """S 3: a wound roll of 4 fails, the 5 that it becomes succeeds; the other attack has a Strength of its own."""
    gun = ranged(24, A=2, BS=2, S="D6+2", AP=-6)
    battle, target = volley(gun, [2, 2, 1, 4, 5, 6, 2, 1, 1], cp=(1, 0), rules=ASKED)
    pick(battle, "keep the hit roll")
    assert sorted(words(battle).values()) == ["Command Re-roll: a wound roll of 4", "keep the wound roll"]
    pick(battle, "wound roll of 4")
    assert results(battle, "w10.datasheet.random.other") == [3, 8]
    assert battle.models.wounds[target.first] == 18
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.datasheet.abilities", "w10.datasheet.random.other")
def test_strength_that_an_ability_raises():
    """+1 Strength on D6+2: a 1 makes S 4."""
    data = sheet("Guns", weapons={"gun": ranged(24, BS=2, S="D6+2", AP=-6)})
    data["abilities"] = {"other": [{"name": "Rage", "effect": "+1 Strength", "active": True}]}
    scene = Scene()
    scene.unit(0, data, at=(10, 10), models=1)
    target = scene.unit(1, sheet("Foes", W=6, T=4), at=(20, 10), models=1)
    battle = scene.battle("shooting", dice=[2, 1, 4, 1])
    pick(battle, "Guns")
    assert results(battle, "w10.datasheet.random.other") == [4]
    assert battle.models.wounds[target.first] == 5
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Anti


ANTI = ["Anti-VEHICLE 4+", "Anti-INFANTRY 2+", "Anti-Fly 3+"]


@pytest.mark.rule("w10.weapon.anti")
@DETAILS
@pytest.mark.parametrize(
    ("keywords", "needed"),
    [(("VEHICLE",), 4), (("INFANTRY",), 2), (("VEHICLE", "FLY"), 3), (("FLY", "INFANTRY"), 2), (("BEASTS",), 6)],
)
def test_several_anti_abilities_on_one_weapon(detail, keywords, needed):
    """Against T 12 (6+) each keyword has its roll; with several the best counts, and it is a Critical Wound."""
    foes = sheet("Foes", T=12, W=20, keywords=keywords)
    gun = ranged(24, A=2, BS=2, S=4, AP=-6, abilities=ANTI)
    battle, target = volley(gun, [2, 2, needed, needed - 1, 1], foes=foes, detail=detail)
    assert results(battle, "w10.attack.wound.roll") == [2, 0]
    assert battle.models.wounds[target.first] == 19
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.anti", "w10.weapon.anti.attached", "w10.weapon.anti.devastating")
def test_the_leader_of_an_attached_unit_brings_the_better_anti_ability():
    """[ANTI-INFANTRY 5+, ANTI-PSYKER 3+, DEVASTATING WOUNDS] against INFANTRY led by a PSYKER: a 3 is a mortal wound."""
    foes = sheet("Foes", T=12, W=20, keywords=("INFANTRY",))
    hero = sheet(
        "Hero", W=4, keywords=("CHARACTER", "PSYKER", "INFANTRY"), abilities={"leader": ["Foes"]}, models=(1, 1)
    )
    gun = ranged(24, BS=2, S=4, abilities=["Anti-INFANTRY 5+", "Anti-PSYKER 3+", "Devastating Wounds"])
    battle, target = volley(gun, [2, 3], foes=foes, leader=hero)
    assert results(battle, "w10.weapon.devastating-wounds") == [1]
    assert battle.models.wounds[target.first] == 19
    battle, target = volley(gun, [2, 3], foes=foes)
    assert results(battle, "w10.attack.wound.roll") == [0]
