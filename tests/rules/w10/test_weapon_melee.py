"""Weapon abilities in the Fight phase and Hazardous weapons in both (w10.weapon.*)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, choose, dice_left, in_sight, melee, pick, ranged, sheet, slots, told, words


def fight(battle, **answers):
    """Play on until the first attacks were made: no pile-in; ``answers`` by kind of decision, else the first option."""
    while battle.decision is not None and not told(battle, "w10.attack.hit.roll"):
        kind = battle.decision.kind
        if kind in answers:
            pick(battle, answers[kind])
        elif kind == "pile-in":
            pick(battle, "do not pile in")
        else:
            battle.apply(battle.decision.options[0])


def duel(weapons, detail="squad", *, dice=(), enemy=None, rules=None, **columns):
    """A fighter with these weapons, 0.5" from its enemy, at the start of the Fight phase."""
    scene = Scene()
    scene.unit(0, sheet("Fighter", weapons=weapons), at=(10, 10), **columns)
    scene.unit(1, enemy or sheet("Enemy", W=20), at=(11.5, 10))
    return scene.battle("fight", detail=detail, dice=list(dice), rules=rules)


def attacks(battle):
    """Hit rolls made by weapon skill needed (which tells the weapons of these tests apart)."""
    needed = [e["needed"] for e in told(battle, "w10.attack.hit.roll") if e["attacker"] == 0]
    return {number: needed.count(number) for number in set(needed)}


SWORD_AND_HOOVES = {"sword": melee(A=4, WS=3), "hooves": melee(A=3, WS=5, abilities=["Extra Attacks"])}


@pytest.mark.rule("w10.weapon.extra-attacks")
def test_extra_attacks_come_in_addition():
    battle = duel(SWORD_AND_HOOVES, dice=7 * [1])
    fight(battle)
    assert attacks(battle) == {3: 4, 5: 3}
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.extra-attacks")
@pytest.mark.parametrize(("use", "made"), [("hooves", {3: 4, 5: 3}), ("no Extra Attacks weapon", {3: 4})])
def test_full_detail_the_bearer_may_leave_them(use, made):
    weapons = {**SWORD_AND_HOOVES, "dagger": melee(A=6, WS=4)}
    battle = duel(weapons, "full", dice=7 * [1])
    while battle.decision.kind != "melee-weapon":
        battle.apply(battle.decision.options[0])
    # the hooves are no weapon to fight with, and only one of the others is used
    assert sorted(w.split("with ")[1] for w in words(battle).values()) == ["dagger", "sword"]
    pick(battle, "sword")
    assert battle.decision.kind == "extra-attacks"
    assert len(words(battle)) == 2
    pick(battle, use)
    if battle.decision is not None and battle.decision.kind == "profile-order":
        pick(battle, "resolve sword")
    assert attacks(battle) == made
    assert dice_left(battle) == 7 - sum(made.values())


ONE_MORE = {"modifiers": [{"effect": "+1 Attacks", "keyword": "INFANTRY", "player": 0}]}


@pytest.mark.rule("w10.weapon.extra-attacks.no-modify")
def test_extra_attacks_are_never_modified():
    battle = duel(SWORD_AND_HOOVES, dice=8 * [1], rules=ONE_MORE)
    fight(battle)
    assert attacks(battle) == {3: 5, 5: 3}
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.lance")
@pytest.mark.parametrize(("charged", "needed"), [(1, 3), (0, 4)])
def test_lance_helps_a_bearer_that_charged(charged, needed):
    battle = duel({"lance": melee(WS=3, S=4, abilities=["Lance"])}, dice=[3, 3] + [6] * charged, charged=charged)
    fight(battle)
    (roll,) = told(battle, "w10.attack.wound.roll")
    assert (roll["needed"], roll["result"]) == (needed, charged)
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Hazardous


PLASMA = ranged(24, BS=6, abilities=["Hazardous"])
BIG_PLASMA = ranged(24, A=3, BS=6, abilities=["Hazardous"])


def hazard(tests, detail="squad", lone=()):
    """Five models fire a Hazardous weapon each, one of them with A 3; all miss, then the tests."""
    data = sheet("Plasma", weapons={"plasma": PLASMA, "cannon": BIG_PLASMA, "knife": melee()})
    kind = data["models"][0]
    data["models"] = [
        {**kind, "name": "Gunner", "min": 4, "max": 4, "weapons": ["plasma"]},
        {**kind, "name": "Heavy", "min": 1, "max": 1, "weapons": ["cannon"]},
    ]
    data["points"] = [{"models": 5, "points": 100}]
    scene = Scene()
    scene.unit(0, data, at=(10, 10), models=5)
    scene.unit(1, sheet("X"), at=(10, 20))
    battle = scene.battle("shooting", detail=detail, dice=7 * [1] + list(tests))
    pick(battle, "Plasma")
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    if battle.decision is not None and battle.decision.kind == "profile-order":
        pick(battle, "resolve plasma")
    return battle


@pytest.mark.rule("w10.weapon.hazardous.test")
def test_one_test_for_each_weapon_after_all_attacks():
    battle = hazard([2, 3, 4, 5, 6])
    assert [e["die"] for e in told(battle, "w10.weapon.hazardous.test")] == [2, 3, 4, 5, 6]
    assert dice_left(battle) == 0  # seven attacks, five tests
    order = [e.rule for e in battle.events if e.rule in ("w10.attack.hit.roll", "w10.weapon.hazardous.test")]
    assert order == 7 * ["w10.attack.hit.roll"] + 5 * ["w10.weapon.hazardous.test"]
    assert battle.units.alive[0] == 5


@pytest.mark.rule("w10.weapon.hazardous.test")
def test_two_weapons_of_one_model_are_two_tests():
    data = sheet("Man", weapons={"plasma": PLASMA})
    data["models"][0]["weapons"] = ["plasma", "plasma"]
    scene = Scene()
    scene.unit(0, data, at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 20))
    battle = scene.battle("shooting", dice=[1, 1, 2, 3])
    pick(battle, "Man")
    assert [e["die"] for e in told(battle, "w10.weapon.hazardous.test")] == [2, 3]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.hazardous.test")
def test_no_test_without_a_hazardous_weapon_or_where_it_is_not_fired():
    scene = Scene()
    weapons = {"plasma": PLASMA, "gun": ranged(24, BS=6)}
    scene.unit(0, sheet("Man", weapons=weapons), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 20))
    battle = scene.battle("shooting", detail="full", dice=[1])
    pick(battle, "Man")
    pick(battle, "hold fire")
    pick(battle, "at X")
    assert told(battle, "w10.weapon.hazardous.test") == []
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.hazardous.model-destroyed")
def test_the_owner_chooses_who_pays():
    battle = hazard([1, 2, 3, 5, 6], "full")
    assert battle.decision.kind == "hazardous-model"
    assert battle.decision.player == 0
    assert slots(battle, "model") == [0, 1, 2, 3, 4]
    choose(battle, "model", 3)
    assert [battle.models.alive[k] for k in range(5)] == [1, 1, 1, 0, 1]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.hazardous.model-destroyed")
def test_each_failed_test_takes_one_model():
    battle = hazard([1, 1, 3, 5, 1], "full")
    for slot, left in ((4, 4), (0, 3), (0, 2)):
        choose(battle, "model", slot)
        assert battle.units.alive[0] == left
    assert battle.decision is None or battle.decision.kind != "hazardous-model"
    assert hazard([1, 1, 3, 5, 1]).units.alive[0] == 2


@pytest.mark.rule("w10.weapon.hazardous.mortal")
def test_a_vehicle_suffers_mortal_wounds_instead():
    scene = Scene()
    tank = scene.unit(0, sheet("Tank", W=10, weapons={"plasma": PLASMA}, keywords=("VEHICLE",)), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 20))
    battle = scene.battle("shooting", dice=[1, 1])
    pick(battle, "Tank")
    assert battle.models.wounds[tank.first] == 7
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.hazardous.test")
def test_a_melee_weapon_split_over_two_targets_is_tested_once():
    scene = Scene()
    scene.unit(0, sheet("Fighter", weapons={"fist": melee(A=2, WS=6, abilities=["Hazardous"])}), at=(10, 10))
    scene.unit(1, sheet("Left"), at=(8.5, 10))
    scene.unit(1, sheet("Right"), at=(11.5, 10))
    battle = scene.battle("fight", detail="full", dice=[1, 1, 2])
    while battle.decision.kind != "attack-target":
        battle.apply(battle.decision.options[0])
    pick(battle, "Left")
    pick(battle, "Right")
    while not told(battle, "w10.weapon.hazardous.test"):
        battle.apply(battle.decision.options[0])
    assert len({e["target"] for e in told(battle, "w10.attack.hit.roll")}) == 2
    assert len(told(battle, "w10.weapon.hazardous.test")) == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.hazardous.attached")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("left", "wounds"), [(5, [1, 2, 2]), (2, [0, 2, 0])])
def test_the_leader_whose_weapon_fails_suffers_first(left, wounds, detail):
    """A hurt Bodyguard model beside him: he loses 3 wounds, or is destroyed by 2 and the third goes to that model."""
    scene = Scene()
    guard = scene.unit(0, sheet("Guard", W=2), at=[(10, 10), (11.5, 10)], wounds={0: 1})
    boss = sheet(
        "Boss", W=5, weapons={"plasma": PLASMA}, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Guard"]}
    )
    scene.unit(0, boss, at=(13, 10), leads=guard, wounds={0: left})
    scene.unit(1, sheet("X"), at=(10, 20))
    battle = scene.battle("shooting", detail=detail, dice=[1, 1])
    pick(battle, "Guard")
    if detail == "full":
        pick(battle, "at X", kind="weapon-target")
    assert list(battle.models.wounds[:3]) == wounds
    assert battle.units.alive[guard] == (3 if left == 5 else 1)
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Precision


@pytest.mark.rule("w10.weapon.precision")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("height", "seen"), [(6, False), (0.5, True)])
def test_precision_in_melee_takes_a_character_that_is_seen(height, seen, detail):
    """A Leader stands behind a long Bodyguard hull that hides him, or that is so low that he is seen over it."""
    scene = Scene()
    scene.unit(0, sheet("Duelist", weapons={"sword": melee(WS=2, S=8, D=2, abilities=["Precision"])}), at=(10, 10))
    guard = scene.unit(1, sheet("Guard", W=3, Sv=6, hull_in=(1, 4), height=height), at=(11.5, 10, 0, 0))
    boss = sheet("Boss", W=4, Sv=6, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Guard"]})
    leader = scene.unit(1, boss, at=(12.7, 10), leads=guard)
    battle = scene.battle("fight", detail=detail, dice=[2, 2, 1])
    assert in_sight(battle, 0, leader.first) == seen
    asked = False
    while not told(battle, "w10.attack.damage.amount"):
        asked = asked or battle.decision.kind == "precision"
        battle.apply(battle.decision.options[-1] if battle.decision.kind == "precision" else battle.decision.options[0])
    assert asked == (seen and detail == "full")
    assert list(battle.models.wounds[1:3]) == ([3, 2] if seen else [1, 4])
    assert dice_left(battle) == 0
