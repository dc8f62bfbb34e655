"""Which units shoot, and at what (w9.shoot.select, .eligible, .targets.*, .attacks.*, .order.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import choose, dice_left, melee, offered, pick, ranged, sheet, slots, told, words

HIT = "w9.attack.hit"
GUN = ranged(24, BS=3)


def gunners(name="Guns", weapon=GUN, **fields):
    """A unit with one gun each."""
    return sheet(name, weapons={"gun": weapon}, **fields)


def squad(name, kinds, weapons, **fields):
    """A datasheet whose first models carry ``kinds[0]``, and so on: pairs of a number and names of weapons."""
    data = sheet(name, weapons=weapons, **fields)
    model = data["models"][0]
    data["models"] = [
        {**model, "name": f"Kind {n}", "min": count, "max": count, "weapons": list(names)}
        for n, (count, names) in enumerate(kinds)
    ]
    data["points"] = [{"models": sum(count for count, _ in kinds), "points": 100}]
    return data


def targets(battle):
    """Names of the units that may be targeted in the waiting decision."""
    assert battle.decision.kind in ("shoot-target", "weapon-target"), battle.decision
    units, first = battle.setup.names["units"], battle.players.first_unit[1 - battle.decision.player]
    return [units[first + slot] for slot in slots(battle, "enemy")]


def can_shoot_at(scene, shooter, target, player=0):
    """Whether the unit is offered for shooting and, once selected, the target for it."""
    battle = scene.battle("shooting", active=player, detail="full")
    if battle.decision is None or battle.decision.kind != "select-to-shoot":
        return False
    at = battle.players.first_unit[player]
    if shooter.row - at not in slots(battle, "own"):
        return False
    choose(battle, "own", shooter.row - at)
    return battle.setup.names["units"][target.row] in targets(battle)


def hits(battle):
    """(attacker, target) of the hit rolls."""
    return [(e["attacker"], e["target"]) for e in told(battle, HIT)]


# ---------------------------------------------------------------- selecting units


@pytest.mark.rule("w9.shoot.select")
@pytest.mark.parametrize("player", [0, 1])
def test_one_unit_after_the_other_each_once(player):
    scene = NinthScene()
    for n in range(3):
        scene.unit(player, gunners(f"Guns {n}"), at=(10 + 4 * n, 10))
    scene.unit(player, sheet("Fists", weapons={"fist": melee()}), at=(30, 10))  # nothing to shoot with
    scene.unit(1 - player, sheet("X", W=9), at=(14, 20))
    battle = scene.battle("shooting", active=player, dice=[1, 1])
    assert battle.decision.player == player
    assert slots(battle, "own") == [0, 1, 2]
    pick(battle, "Guns 0")
    assert slots(battle, "own") == [1, 2]
    pick(battle, "Guns 2")
    assert slots(battle, "own") == [1]
    choose(battle, "done")
    assert len(hits(battle)) == 2  # the third does not shoot
    assert battle.decision is None or battle.decision.kind != "select-to-shoot"
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.shoot.eligible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_after_an_advance_only_assault_weapons(player, detail):
    weapons = {
        "carbine": ranged(24, A=2, BS=3, abilities=["Assault"]),
        "rifle": ranged(24, BS=3, abilities=["Rapid Fire 1"]),
    }
    scene = NinthScene()
    unit = scene.unit(
        player, squad("Men", [(1, ["carbine"]), (4, ["rifle"])], weapons), at=(10, 10), models=5, moved=Moved.ADVANCE
    )
    scene.unit(1 - player, sheet("X", W=9), at=(10, 30))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[1, 1])
    pick(battle, "Men")
    if detail == "full":
        assert [w.split(": ")[0] for w in words(battle).values()] == 2 * ["Kind 0 1, carbine"]
        pick(battle, "at X")
    assert [attacker for attacker, _ in hits(battle)] == 2 * [unit.first]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.shoot.eligible")
@pytest.mark.parametrize(
    ("keywords", "moved", "gun", "eligible"),
    [
        (("INFANTRY",), Moved.NORMAL, [], True),
        (("INFANTRY",), Moved.ADVANCE, [], False),
        (("INFANTRY",), Moved.ADVANCE, ["Assault"], True),
        (("INFANTRY",), Moved.FELL_BACK, [], False),
        (("INFANTRY",), Moved.FELL_BACK, ["Assault"], False),
        (("VEHICLE",), Moved.FELL_BACK, [], False),
        (("INFANTRY", "FLY"), Moved.FELL_BACK, [], False),
        (("VEHICLE", "TITANIC"), Moved.FELL_BACK, [], True),
        (("VEHICLE", "TITANIC"), Moved.ADVANCE, [], False),
    ],
)
def test_who_cannot_shoot_for_how_it_moved(keywords, moved, gun, eligible):
    scene = NinthScene()
    unit = scene.unit(0, gunners(weapon=ranged(24, abilities=gun), keywords=keywords), at=(10, 10), moved=moved)
    scene.unit(1, sheet("X"), at=(10, 20))
    assert offered(scene.battle("shooting"), "select-to-shoot") == [unit] * eligible


@pytest.mark.rule("w9.shoot.eligible", "w9.shoot.locked.shooter")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("keywords", "gun", "gap", "eligible"),
    [
        (("INFANTRY",), ["Rapid Fire 1"], 0.5, False),
        (("INFANTRY",), ["Rapid Fire 1"], 1.0, False),
        (("INFANTRY",), ["Rapid Fire 1"], 1.1, True),
        (("INFANTRY",), ["Pistol"], 0.5, True),
        (("VEHICLE",), [], 0.5, True),
        (("MONSTER",), [], 0.5, True),
        (("MOUNTED",), [], 0.5, False),
    ],
)
def test_who_cannot_shoot_while_engaged(player, keywords, gun, gap, eligible):
    scene = NinthScene()
    scene.unit(player, gunners(weapon=ranged(24, abilities=gun), keywords=keywords), at=(10, 10))
    scene.unit(1 - player, sheet("X"), at=(10, 11 + gap))
    battle = scene.battle("shooting", active=player)
    shown = battle.decision is not None and battle.decision.kind == "select-to-shoot"
    assert shown == eligible


@pytest.mark.rule("w9.shoot.locked.shooter")
def test_one_engaged_model_holds_the_whole_unit():
    scene = NinthScene()
    scene.unit(0, gunners(), at=[(10, 10), (11.5, 10), (13, 10)])
    scene.unit(1, sheet("X"), at=(8.5, 10))
    scene.unit(1, sheet("Far"), at=(13, 20))
    battle = scene.battle("shooting")
    assert battle.decision is None or battle.decision.kind != "select-to-shoot"


# ---------------------------------------------------------------- targets


@pytest.mark.rule("w9.shoot.targets.first")
@pytest.mark.parametrize("player", [0, 1])
def test_targets_are_selected_before_any_attack(player):
    """Two lascannons at V: the first destroys it, the second's attack is lost and is not made at V2."""
    lascannon = ranged(48, BS=2, S=9, AP=-3, D=4, abilities=["Heavy"])
    scene = NinthScene()
    scene.unit(player, gunners(weapon=lascannon), at=(10, 10), models=2)
    scene.unit(1 - player, sheet("Tank", T=7, W=8, Sv=3, keywords=("VEHICLE",)), at=(10, 30), wounds=[3])
    v2 = scene.unit(1 - player, sheet("Other", T=7, W=8, Sv=3, keywords=("VEHICLE",)), at=(20, 30))
    battle = scene.battle("shooting", active=player, detail="full", dice=[2, 2, 3, 3, 1, 1])
    pick(battle, "Guns")
    assert sorted(w.split(": ")[1] for w in words(battle).values()) == ["at Other", "at Tank", "hold fire"]
    pick(battle, "at Tank")
    assert told(battle, HIT) == []
    pick(battle, "at Tank")
    assert battle.models.wounds[v2.first] == 8
    assert {e["target"] for e in told(battle, HIT)} == {v2.row - 1}
    assert len(told(battle, "w9.attack.save")) == 1
    assert dice_left(battle) == 1  # no save against the second


@pytest.mark.rule("w9.shoot.targets.first")
def test_weapons_of_a_model_may_have_different_targets_or_none():
    weapons = {"gun": ranged(24, BS=3), "long": ranged(24, BS=3), "third": ranged(24, BS=3)}
    scene = NinthScene()
    scene.unit(0, sheet("Men", weapons=weapons), at=(10, 10))
    x, y = scene.unit(1, sheet("X", W=9), at=(10, 20)), scene.unit(1, sheet("Y", W=9), at=(15, 20))
    battle = scene.battle("shooting", detail="full", dice=[1, 1])
    pick(battle, "Men")
    pick(battle, "at Y")
    pick(battle, "hold fire")
    pick(battle, "at X")
    while battle.decision is not None and battle.decision.kind == "target-order":
        pick(battle, "Y")
    assert hits(battle) == [(0, y), (0, x)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.shoot.targets.legal")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("distance", "legal"), [(24.0, True), (24.1, False)])
def test_range_is_measured_to_the_base(player, distance, legal):
    scene = NinthScene()
    shooter = scene.unit(player, gunners(), at=(5, 5))
    target = scene.unit(1 - player, sheet("Target"), at=(6 + distance, 5))
    assert can_shoot_at(scene, shooter, target, player) == legal


@pytest.mark.rule("w9.shoot.targets.legal")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("seen_at", "legal"), [(25.0, False), (24.0, True)])
def test_one_and_the_same_model_is_in_range_and_visible(player, seen_at, legal):
    scene = NinthScene()
    shooter = scene.unit(player, gunners(), at=(5, 20))
    scene.box(14, 8, 16, 18, 8, kind="hill")  # hides the second model, which is about 20" away
    target = scene.unit(1 - player, sheet("Target"), at=[(6 + seen_at, 20), (23, 9.5)])
    assert can_shoot_at(scene, shooter, target, player) == legal


@pytest.mark.rule("w9.shoot.targets.kept")
def test_declared_attacks_are_made_when_nobody_is_in_range_any_more():
    """The second weapon reaches one model only; the first destroys that one."""
    weapons = {"first": ranged(24, BS=2, S=8), "second": ranged(12, BS=2, S=8)}
    scene = NinthScene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    unit = scene.unit(1, sheet("X", Sv=6), at=[(10, 22.9), (10, 24.9)])  # 11.9" and 13.9"
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 1, 2, 2, 1])
    pick(battle, "Guns")
    pick(battle, "at X")
    pick(battle, "at X")
    pick(battle, "resolve first")
    choose(battle, "model", 0)
    assert [battle.models.alive[unit.model(n)] for n in range(2)] == [0, 0]
    assert len(hits(battle)) == 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.shoot.targets.kept")
def test_declared_attacks_are_made_when_nobody_is_visible_any_more():
    weapons = {"first": ranged(24, BS=2, S=8), "second": ranged(24, BS=2, S=9)}
    scene = NinthScene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    scene.box(4, 15, 9, 17, 8, kind="hill")
    unit = scene.unit(1, sheet("X", Sv=6), at=[(10, 22), (5, 19)])  # the second behind the hill
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 1, 2, 2, 1])
    pick(battle, "Guns")
    pick(battle, "at X")
    pick(battle, "at X")
    pick(battle, "resolve first")
    choose(battle, "model", 0)
    assert [battle.models.alive[unit.model(n)] for n in range(2)] == [0, 0]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.shoot.attacks.one-target")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_random_number_of_attacks_is_rolled_once_the_target_is_known(player, detail):
    scene = NinthScene()
    scene.unit(player, gunners(weapon=ranged(24, A="D6", BS=3, abilities=["Assault"])), at=(10, 10))
    x = scene.unit(1 - player, sheet("X", W=9), at=(10, 20))
    scene.unit(1 - player, sheet("Y", W=9), at=(15, 20))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[5, 1, 1, 1, 1, 1])
    pick(battle, "Guns")
    assert dice_left(battle) == 6
    pick(battle, "at X" if detail == "full" else "X")
    assert [target for _, target in hits(battle)] == 5 * [x]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.shoot.attacks.one-target")
def test_each_weapon_rolls_its_own_number():
    scene = NinthScene()
    scene.unit(0, gunners(weapon=ranged(24, A="D3", BS=3)), at=(10, 10), models=2)
    scene.unit(1, sheet("X", W=9), at=(10, 20))
    battle = scene.battle("shooting", dice=[1, 6, 1, 1, 1, 1])
    pick(battle, "Guns")
    assert [attacker for attacker, _ in hits(battle)] == [0, 1, 1, 1]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.shoot.attacks.one-target")
def test_a_fixed_number_is_that_many_attacks():
    scene = NinthScene()
    scene.unit(0, gunners(weapon=ranged(24, A=3, BS=3, abilities=["Heavy"]), keywords=("VEHICLE",)), at=(10, 10))
    scene.unit(1, sheet("X", W=9), at=(10, 20))
    battle = scene.battle("shooting", dice=[1, 1, 1])
    pick(battle, "Guns")
    assert len(hits(battle)) == 3


# ---------------------------------------------------------------- order


@pytest.mark.rule("w9.shoot.order.targets")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("first", ["B1", "B2"])
def test_one_target_after_the_other_as_the_player_says(player, first):
    scene = NinthScene()
    scene.unit(player, gunners(), at=(10, 10), models=4)
    units = {name: scene.unit(1 - player, sheet(name, W=9), at=(x, 20)) for name, x in (("B1", 8), ("B2", 14))}
    battle = scene.battle("shooting", active=player, detail="full", dice=[1, 1, 1, 1])
    pick(battle, "Guns")
    for name in ("B1", "B2", "B1", "B2"):
        pick(battle, f"at {name}")
    assert battle.decision.kind == "target-order"
    assert battle.decision.player == player
    pick(battle, first)
    other = "B2" if first == "B1" else "B1"
    assert [target for _, target in hits(battle)] == 2 * [units[first].row] + 2 * [units[other].row]


@pytest.mark.rule("w9.shoot.order.profiles")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("first", ["boltgun", "lascannon"])
@pytest.mark.parametrize("terrain", [True, False])
def test_profiles_that_every_model_has_are_fired_one_by_one(terrain, first, player):
    """Three models with two weapons each: one order of two profiles, whatever stands on the battlefield."""
    weapons = {"boltgun": ranged(24, BS=3), "lascannon": ranged(48, BS=3, S=9)}
    scene = NinthScene()
    if terrain:
        scene.box(40, 20, 44, 20.5, 1, kind="barricade")
    unit = scene.unit(player, sheet("Men", weapons=weapons), at=(10, 10), models=3)
    scene.unit(1 - player, sheet("X", W=9), at=(10, 30))
    battle = scene.battle("shooting", active=player, detail="full", dice=[1] * 6)
    pick(battle, "Men")
    for _ in range(6):
        pick(battle, "at X")
    assert battle.decision.kind == "profile-order"
    assert len(battle.decision.options) == 2
    pick(battle, f"resolve {first}")
    assert [attacker - unit.first for attacker, _ in hits(battle)] == [0, 1, 2, 0, 1, 2]


@pytest.mark.rule("w9.shoot.order.profiles")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("first", ["boltgun", "lascannon"])
def test_one_profile_after_the_other_as_the_player_says(player, first):
    weapons = {"boltgun": ranged(24, BS=3), "lascannon": ranged(48, BS=3, S=9, abilities=["Heavy"])}
    scene = NinthScene()
    unit = scene.unit(
        player, squad("Men", [(2, ["boltgun"]), (1, ["lascannon"]), (2, ["boltgun"])], weapons), at=(10, 10), models=5
    )
    scene.unit(1 - player, sheet("X", W=9), at=(10, 30))
    battle = scene.battle("shooting", active=player, detail="full", dice=[1, 1, 1, 1, 1])
    pick(battle, "Men")
    for _ in range(5):
        pick(battle, "at X")
    assert battle.decision.kind == "profile-order"
    assert battle.decision.player == player
    pick(battle, f"resolve {first}")
    attackers = [attacker - unit.first for attacker, _ in hits(battle)]
    assert attackers == ([2, 0, 1, 3, 4] if first == "lascannon" else [0, 1, 3, 4, 2])
