"""Selecting the targets of ranged weapons, and declaring them before any attack (w10.shoot.targets.*)."""

from __future__ import annotations

import pytest

from wh_env.testing import Scene, UnitHandle, choose, dice_left, melee, pick, ranged, sheet, slots, told, words

GUN = ranged(24, BS=3)


def gunners(name="Guns", weapon=GUN, **fields):
    """A unit with one gun each."""
    return sheet(name, weapons={"gun": weapon}, **fields)


def targets(battle):
    """Names of the units that may be targeted in the waiting decision."""
    assert battle.decision.kind in ("shoot-target", "weapon-target"), battle.decision
    units, first = battle.setup.names["units"], battle.players.first_unit[1 - battle.decision.player]
    return [units[first + slot] for slot in slots(battle, "enemy")]


def can_shoot_at(scene, shooter, target):
    """Whether the unit is offered for shooting and, once selected, the target for it."""
    battle = scene.battle("shooting", detail="full")
    if battle.decision is None or battle.decision.kind != "select-to-shoot" or shooter not in slots(battle, "own"):
        return False
    choose(battle, "own", int(shooter))
    return target in [int(slot) + battle.players.first_unit[1] for slot in slots(battle, "enemy")]


def duel(distance, weapon=GUN, **fields):
    """Whether a model may target a unit whose base is ``distance`` away from its own."""
    scene = Scene()
    shooter = scene.unit(0, gunners(weapon=weapon), at=(5, 5))
    target = scene.unit(1, sheet("Target", **fields), at=(6 + distance, 5))
    return can_shoot_at(scene, shooter, target)


@pytest.mark.rule("w10.shoot.targets.in-range")
def test_range_is_measured_to_the_base_and_includes_its_end():
    assert duel(24.0)
    assert not duel(24.1)
    assert duel(12.0, ranged(12))
    assert not duel(12.1, ranged(12))


@pytest.mark.rule("w10.shoot.targets.in-range")
def test_range_is_checked_for_each_model_separately():
    scene = Scene()
    squad = scene.unit(0, gunners(), at=[(5, 5), (5, 3.9), (6.5, 5)])
    scene.unit(1, sheet("Target"), at=(30, 5))
    battle = scene.battle("shooting", detail="full", dice=[1, 1])
    # 24.0", 24.02" and 22.5"
    choose(battle, "own", int(squad))
    assert [w.split(",")[0] for w in words(battle).values()] == 2 * ["Guns 1"]
    pick(battle, "at Target")
    assert [w.split(",")[0] for w in words(battle).values()] == 2 * ["Guns 3"]
    pick(battle, "at Target")
    assert len(told(battle, "w10.attack.hit.roll")) == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.targets.range-and-visible")
def test_the_same_model_must_be_in_range_and_visible():
    def shown(seen_at):
        scene = Scene()
        shooter = scene.unit(0, gunners(), at=(5, 20))
        scene.box(14, 8, 16, 18, 8)  # hides the second model, not the first
        target = scene.unit(1, sheet("Target"), at=[(6 + seen_at, 20), (23, 9.5)])
        return can_shoot_at(scene, shooter, target)

    assert not shown(25)
    assert not shown(24.1)
    assert shown(24)


@pytest.mark.rule("w10.shoot.targets.range-and-visible")
def test_a_hidden_unit_in_range_is_no_target():
    def shown(wall):
        scene = Scene()
        shooter = scene.unit(0, gunners(), at=(5, 20))
        if wall:
            scene.box(14, 10, 16, 30, 8)
        return can_shoot_at(scene, shooter, scene.unit(1, sheet("Target"), at=(25, 20)))

    assert shown(wall=False)
    assert not shown(wall=True)


@pytest.mark.rule("w10.shoot.targets.all-first")
def test_all_targets_are_selected_first_and_cannot_be_changed():
    scene = Scene()
    squad = scene.unit(0, gunners(), at=(5, 5), models=5)
    x = scene.unit(1, sheet("X", T=1, Sv=6, W=1), at=(10, 15))
    y = scene.unit(1, sheet("Y", T=8, Sv=2, W=1), at=(20, 15))
    # 3 shots at X hit and wound; the first save fails and X is gone, the other two are lost; at Y a miss and a hit
    battle = scene.battle("shooting", detail="full", dice=[3, 3, 3, 3, 4, 5, 1, 2, 6, 1])
    choose(battle, "own", int(squad))
    for _ in range(3):
        pick(battle, "at X", kind="weapon-target")
    assert told(battle, "w10.attack.hit.roll") == []  # no attack before the last declaration
    pick(battle, "at Y", kind="weapon-target")
    assert told(battle, "w10.attack.hit.roll") == []
    pick(battle, "at Y", kind="weapon-target")
    pick(battle, "X", kind="target-order")
    # X destroyed; nothing is asked about the lost attacks, and the two at Y were made
    assert battle.units.alive[x] == 0
    hits = told(battle, "w10.attack.hit.roll")
    assert [e["target"] for e in hits] == [x, x, x, y, y]
    assert len(told(battle, "w10.attack.save.roll")) == 1
    assert [e["die"] for e in hits[3:]] == [2, 6]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.targets.weapons")
def test_weapons_of_a_model_may_have_different_targets_but_none_is_split():
    both = sheet("Walker", weapons={"P": ranged(24, A=4, BS=3), "Q": ranged(24, A=2, BS=3)})

    def shoot(p, q):
        scene = Scene()
        unit = scene.unit(0, both, at=(5, 5))
        x = scene.unit(1, sheet("X"), at=(10, 15))
        y = scene.unit(1, sheet("Y"), at=(20, 15))
        battle = scene.battle("shooting", detail="full", dice=6 * [1])
        choose(battle, "own", int(unit))
        asked = []
        while battle.decision is not None and battle.decision.kind == "weapon-target":
            asked.append([w.split(": ")[0] for w in words(battle).values()])
            pick(battle, p if len(asked) == 1 else q)
        if battle.decision is not None and battle.decision.kind in ("target-order", "profile-order"):
            battle.apply(battle.decision.options[0])
        # one decision for each weapon: its attacks cannot be told apart
        assert asked == [3 * ["Walker 1, P"], 3 * ["Walker 1, Q"]]
        hits = [e["target"] for e in told(battle, "w10.attack.hit.roll")]
        assert dice_left(battle) == 6 - len(hits)
        return hits.count(x), hits.count(y)

    assert shoot("at X", "at Y") == (4, 2)
    assert shoot("at Y", "at X") == (2, 4)
    assert shoot("at X", "at X") == (6, 0)
    assert shoot("hold fire", "at X") == (2, 0)


@pytest.mark.rule("w10.shoot.targets.weapons")
def test_two_weapons_alike_are_two_weapons():
    twin = sheet("Twin", weapons={"gun": ranged(24, A=2, BS=3)})
    twin["models"][0]["weapons"] = ["gun", "gun"]
    for detail in ("squad", "full"):
        scene = Scene()
        unit = scene.unit(0, twin, at=(5, 5))
        scene.unit(1, sheet("X"), at=(10, 15))
        battle = scene.battle("shooting", detail=detail, dice=4 * [1])
        choose(battle, "own", int(unit))
        while battle.decision is not None and battle.decision.kind == "weapon-target":
            pick(battle, "at X")
        assert len(told(battle, "w10.attack.hit.roll")) == 4
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.targets.models")
def test_models_of_a_unit_may_choose_different_targets():
    scene = Scene()
    squad = scene.unit(0, gunners(), at=(5, 5), models=5)
    x = scene.unit(1, sheet("X"), at=(10, 15))
    y = scene.unit(1, sheet("Y"), at=(20, 15))
    battle = scene.battle("shooting", detail="full", dice=5 * [1])
    choose(battle, "own", int(squad))
    for n in range(5):
        assert targets(battle) == ["X", "Y"]
        pick(battle, "at X" if n < 3 else "at Y")
    pick(battle, "X", kind="target-order")
    hits = told(battle, "w10.attack.hit.roll")
    assert [(e["target"], e["attacker"]) for e in hits] == [(x, 0), (x, 1), (x, 2), (y, 3), (y, 4)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.targets.models")
def test_squad_detail_models_that_cannot_reach_the_choice_take_another_target():
    scene = Scene()
    squad = scene.unit(0, gunners(), at=[(5, 5), (5, 6.5), (5, 8)])
    x = scene.unit(1, sheet("X"), at=(5, 31))
    y = scene.unit(1, sheet("Y"), at=(20, 5))
    battle = scene.battle("shooting", dice=3 * [1])
    choose(battle, "own", int(squad))
    assert targets(battle) == ["X", "Y"]
    pick(battle, "X")  # 25", 23.5" and 22" away
    hits = {e["attacker"]: e["target"] for e in told(battle, "w10.attack.hit.roll")}
    assert hits == {0: y, 1: x, 2: x}
    assert dice_left(battle) == 0


PLASMA = {
    "profiles": [
        {**ranged(24, BS=3, S=7, D=1), "name": "standard"},
        {**ranged(24, BS=3, S=8, D=2), "name": "supercharge"},
    ]
}


@pytest.mark.rule("w10.shoot.targets.declare")
def test_profiles_are_declared_before_any_attack():
    scene = Scene()
    squad = scene.unit(0, sheet("Plasma", weapons={"plasma": PLASMA}), at=(5, 5), models=2)
    x = scene.unit(1, sheet("X", T=7, Sv=6, W=5), at=(10, 15))
    # standard: hit, S 7 against T 7 wounds on 4, save fails; supercharge: hit, S 8 wounds on 3, save fails
    battle = scene.battle("shooting", detail="full", dice=[3, 4, 1, 3, 3, 1])
    choose(battle, "own", int(squad))
    assert all("Plasma 1, plasma (standard)" in w for w in words(battle).values())
    pick(battle, "at X")
    # the other profile of the first gun is no longer on offer; the second model declares for itself
    assert all("Plasma 2, plasma (standard)" in w for w in words(battle).values())
    pick(battle, "hold fire")
    assert all("Plasma 2, plasma (supercharge)" in w for w in words(battle).values())
    pick(battle, "at X")
    assert battle.decision.kind == "profile-order"
    assert sorted(words(battle).values()) == ["resolve plasma (standard)", "resolve plasma (supercharge)"]
    assert told(battle, "w10.attack.hit.roll") == []
    pick(battle, "resolve plasma (standard)")
    assert [e["needed"] for e in told(battle, "w10.attack.wound.roll")] == [4, 3]
    assert battle.models.wounds[2] == 5 - 1 - 2
    assert battle.units.alive[x] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.targets.declare")
def test_one_weapon_uses_one_profile_even_where_a_model_carries_two_such_weapons():
    pair = sheet("Pair", weapons={"plasma": PLASMA})
    pair["models"][0]["weapons"] = ["plasma", "plasma"]
    scene = Scene()
    squad = scene.unit(0, pair, at=(5, 5))
    scene.unit(1, sheet("X"), at=(10, 15))
    battle = scene.battle("shooting", detail="full", dice=[1])
    choose(battle, "own", int(squad))
    pick(battle, "hold fire")  # first gun, standard
    pick(battle, "hold fire")  # first gun, supercharge
    pick(battle, "at X")  # second gun, standard: its supercharge is not offered any more
    assert battle.decision is None or battle.decision.kind != "weapon-target"
    assert len(told(battle, "w10.attack.hit.roll")) == 1
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Lone Operative


LONER = {"lone_operative": True}


@pytest.mark.rule("w10.shoot.lone-operative")
def test_lone_operative_can_be_targeted_within_12_inches_only():
    assert duel(12.0, abilities=LONER)
    assert not duel(12.1, abilities=LONER)
    assert duel(12.1)
    # Indirect Fire does not help
    assert not duel(12.1, ranged(24, abilities=["Indirect Fire"]), abilities=LONER)


@pytest.mark.rule("w10.shoot.lone-operative")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_lone_operative_is_judged_for_each_attacking_model(detail):
    scene = Scene()
    squad = scene.unit(0, gunners(), at=[(5, 5), (3.9, 5)])
    scene.unit(1, sheet("Loner", abilities=LONER), at=(18, 5))  # 12.0" and 13.1"
    battle = scene.battle("shooting", detail=detail, dice=[1])
    choose(battle, "own", int(squad))
    if detail == "full":
        assert all("Guns 1" in w for w in words(battle).values())
        pick(battle, "at Loner")
    assert [e["attacker"] for e in told(battle, "w10.attack.hit.roll")] == [squad.model(0)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.lone-operative")
def test_lone_operative_leading_an_attached_unit_has_no_protection():
    def shown(attached, guards_too=False):
        scene = Scene()
        shooter = scene.unit(0, gunners(), at=(5, 5))
        ability = LONER if guards_too else {}
        guards = scene.unit(1, sheet("Guards", abilities=ability), at=[(22, 8), (24, 8)])
        leader = sheet("Agent", keywords=("INFANTRY", "CHARACTER"), abilities={**LONER, "leader": ["Guards"]})
        agent = scene.unit(1, leader, at=(22, 5), leads=guards if attached else None)
        return can_shoot_at(scene, shooter, guards if attached else agent)

    assert not shown(attached=False)
    assert shown(attached=True)
    assert shown(attached=True, guards_too=True)


@pytest.mark.rule("w10.shoot.lone-operative")
def test_nor_has_one_that_was_mustered_first():
    """The Leader stands in the first row of all, its Bodyguards in the second."""
    scene = Scene()
    leader = sheet("Agent", keywords=("INFANTRY", "CHARACTER"), abilities={**LONER, "leader": ["Guards"]})
    scene.unit(0, leader, at=(22, 5), leads=UnitHandle(scene, 0, 1))
    scene.unit(0, sheet("Guards", abilities=LONER), at=[(22, 8), (24, 8)])
    scene.unit(1, gunners(), at=(5, 5))
    battle = scene.battle("shooting", active=1, detail="full")
    pick(battle, "Guns", kind="select-to-shoot")
    assert any("at Guards" in text for text in words(battle).values())


# ---------------------------------------------------------------- engaged targets


@pytest.mark.rule("w10.shoot.locked-in-combat.target")
def test_an_enemy_unit_engaged_with_a_friendly_unit_is_no_target():
    def shown(gap):
        scene = Scene()
        shooter = scene.unit(0, gunners(), at=(5, 5))
        x = scene.unit(1, sheet("X"), at=(5, 16))
        scene.unit(0, sheet("U", weapons={"fist": melee()}), at=(6 + gap, 16))
        return can_shoot_at(scene, shooter, x)

    assert not shown(1.0)
    assert shown(1.1)


@pytest.mark.rule("w10.shoot.big-guns.targets")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_targets_of_an_engaged_vehicle(detail):
    scene = Scene()
    tank = scene.unit(0, gunners("V", keywords=("VEHICLE",)), at=(10, 10))
    scene.unit(0, sheet("U"), at=[(13, 11.6), (14.5, 11.6)])
    scene.unit(1, sheet("X"), at=(11.7, 10))  # engaged with V and U
    scene.unit(1, sheet("Y"), at=(10, 31))  # 20" away, not engaged
    scene.unit(1, sheet("Z"), at=(16.2, 11.6))  # engaged with U only
    battle = scene.battle("shooting", detail=detail)
    assert slots(battle, "own") == [tank]
    choose(battle, "own", int(tank))
    assert targets(battle) == ["X", "Y"]


@pytest.mark.rule("w10.shoot.big-guns.targets")
def test_an_unengaged_vehicle_has_no_such_privilege():
    scene = Scene()
    tank = scene.unit(0, gunners("V", keywords=("VEHICLE",)), at=(10, 10))
    scene.unit(0, sheet("U"), at=(20, 11.6))
    locked = scene.unit(1, sheet("X"), at=(20, 10))
    assert not can_shoot_at(scene, tank, locked)


@pytest.mark.rule("w10.shoot.big-guns.engaged-target")
@pytest.mark.parametrize(("engaged", "needed"), [(True, 5), (False, 4)])
def test_an_engaged_monster_may_be_targeted_at_minus_one(engaged, needed):
    scene = Scene()
    shooter = scene.unit(0, gunners("V", ranged(24, BS=4)), at=(10, 10))
    monster = scene.unit(1, sheet("Monster", keywords=("MONSTER",)), at=(10, 20))
    scene.unit(0, sheet("U"), at=(11.5 if engaged else 15, 20))
    battle = scene.battle("shooting", dice=[needed - 1])
    choose(battle, "own", int(shooter))
    (roll,) = told(battle, "w10.attack.hit.roll")
    assert (roll["target"], roll["needed"], roll["result"]) == (monster, needed, 0)
    battle = scene.battle("shooting", dice=[needed, 1])
    choose(battle, "own", int(shooter))
    assert told(battle, "w10.attack.hit.roll")[0]["result"] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.big-guns.penalty-shooter")
def test_an_engaged_vehicle_shoots_at_minus_one_but_not_its_pistols():
    guns = {"cannon": ranged(24, BS=3), "pistol": ranged(24, BS=3, abilities=["Pistol"])}
    for gap, cannon in ((0.5, 4), (1.1, 3)):
        scene = Scene()
        tank = scene.unit(0, sheet("V", weapons=guns, keywords=("VEHICLE",)), at=(10, 10))
        scene.unit(1, sheet("Close"), at=(11 + gap, 10))
        scene.unit(1, sheet("Distant"), at=(10, 31))
        battle = scene.battle("shooting", dice=[2, 2])
        choose(battle, "own", int(tank))
        pick(battle, "Distant")
        assert [e["needed"] for e in told(battle, "w10.attack.hit.roll")] == [cannon, 3]
        assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.big-guns.penalty-shooter")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_only_the_models_of_the_unit_that_are_engaged_have_the_penalty(detail):
    """Two VEHICLE models in a unit, the first 0.5" from an enemy, the second 2.5" from it."""
    scene = Scene()
    tanks = scene.unit(0, gunners("V", ranged(24, BS=3), keywords=("VEHICLE",)), at=[(10, 10), (12, 10)])
    scene.unit(1, sheet("Close"), at=(8.5, 10))
    scene.unit(1, sheet("Distant"), at=(12, 25))
    battle = scene.battle("shooting", detail=detail, dice=[2, 2])
    choose(battle, "own", int(tanks))
    pick(battle, "Distant")
    if detail == "full":
        pick(battle, "Distant", kind="weapon-target")
        choose(battle, "number", 0)
    assert [(e["attacker"], e["needed"]) for e in told(battle, "w10.attack.hit.roll")] == [(0, 4), (1, 3)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.big-guns.penalty-shooter")
def test_an_infantry_model_in_a_vehicle_unit_has_no_penalty():
    scene = Scene()
    crew = sheet(
        "Crew", weapons={"gun": ranged(24, BS=3)}, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["V"]}
    )
    tank = scene.unit(0, gunners("V", ranged(24, BS=3), keywords=("VEHICLE",)), at=(10, 10))
    scene.unit(0, crew, at=(11.2, 11), leads=tank)
    scene.unit(1, sheet("Close"), at=(11.5, 9.6))  # within 1" of both
    scene.unit(1, sheet("Distant"), at=(12, 25))
    battle = scene.battle("shooting", dice=[2, 2])
    choose(battle, "own", int(tank))
    pick(battle, "Distant")
    assert [(e["attacker"], e["needed"]) for e in told(battle, "w10.attack.hit.roll")] == [(0, 4), (1, 3)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.shoot.big-guns.penalty-shooter", "w10.shoot.big-guns.engaged-target")
@pytest.mark.parametrize(("keyword", "needed"), [("INFANTRY", 3), ("MONSTER", 4)])
def test_both_penalties_add_up_for_monsters_and_vehicles_only(keyword, needed):
    """BS 3+, Heavy: -1 for the engaged shooter and +1 are 0; -1 more where the target is an engaged MONSTER."""
    scene = Scene()
    heavy = ranged(24, BS=3, abilities=["Heavy"])
    scene.unit(0, gunners("V", heavy, keywords=("VEHICLE",)), at=(10, 10))
    scene.unit(1, sheet("X", keywords=(keyword,)), at=(11.5, 10))
    battle = scene.battle("shooting", dice=[2])
    pick(battle, "V")
    assert [e["needed"] for e in told(battle, "w10.attack.hit.roll")] == [needed]
    assert dice_left(battle) == 0
