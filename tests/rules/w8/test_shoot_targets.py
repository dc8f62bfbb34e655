"""Targets: range, sight, friends near them, splitting fire, and when all that is settled (w8.shoot.target.*, .visible.*, .split)."""

from __future__ import annotations

from itertools import product

import pytest
from eighth import EighthScene
from eighth_shooting import HIT, SAVE, declare, gunners, shots, targets, waits, wounds

from wh_env.testing import choose, dice_left, in_sight, offered, pick, play_until, ranged, sheet, slots, words


def seen_by(scene, player=0, detail="full"):
    """Names of the units that the first model of the unit of guns may target; none where the unit is not offered."""
    battle = scene.battle("shooting", active=player, detail=detail)
    if 0 not in offered(battle, "select-to-shoot"):
        return []
    pick(battle, "Guns")
    if waits(battle, "weapon-target") or waits(battle, "shoot-target"):
        return targets(battle)
    return sorted(
        {battle.setup.names["units"][target] for _, target in shots(battle)}
    )  # the only one is not asked about


@pytest.mark.rule("w8.shoot.target.range")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("gap", "reached"), [(24.0, True), (24.1, False)])
def test_a_model_of_the_target_is_in_range(player, detail, gap, reached):
    scene = EighthScene()
    scene.unit(player, gunners(), at=(10, 5))
    scene.unit(1 - player, sheet("X"), at=[(10, 6 + gap), (10, 8 + gap)])
    assert seen_by(scene, player, detail) == ["X"] * reached


@pytest.mark.rule("w8.shoot.target.visible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("end", "seen"), [(16.0, False), (11.6, True)])
def test_a_model_of_the_target_is_visible(player, detail, end, seen):
    """Behind a wall; or the second of its models shows past it."""
    scene = EighthScene()
    scene.unit(player, gunners(), at=(10, 5))
    scene.unit(1 - player, sheet("X"), at=[(10, 20), (12, 20)])
    scene.wall(4, 18.5, end, 18.5, 9)
    assert seen_by(scene, player, detail) == ["X"] * seen


@pytest.mark.rule("w8.shoot.target.same-model")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("far", "reached"), [(35.0, False), (29.0, True)])
def test_one_and_the_same_model_is_in_range_and_visible(detail, far, reached):
    """The near one stands behind a wall, the other in the open."""
    scene = EighthScene()
    scene.unit(0, gunners(), at=(10, 5))
    scene.unit(1, sheet("X"), at=[(10, 25), (16, far)])
    scene.wall(4, 23, 12, 23, 9)
    battle = scene.battle("shooting", run=False)
    assert [in_sight(battle, 0, k) for k in (1, 2)] == [False, True]
    assert seen_by(scene, 0, detail) == ["X"] * reached


@pytest.mark.rule("w8.shoot.target.per-model")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_each_weapon_of_each_model_has_its_own_range(detail):
    weapons = {"rifle": ranged(24), "flamer": ranged(8)}
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=[(10, 12), (10, 10)])
    scene.unit(1, sheet("X", W=9), at=(10, 20.5))  # 7.5" and 9.5" away
    scene.unit(1, sheet("Y", W=9), at=(20, 20))
    battle = scene.battle("shooting", detail=detail)
    pick(battle, "Guns")
    if detail == "full":
        seen = []
        while waits(battle, "weapon-target"):
            seen.append(next(iter(words(battle).values())))
            pick(battle, "at X")
        assert seen == ["Guns 1, rifle: at X", "Guns 2, rifle: at X"]  # the flamer has no other target
        pick(battle, "resolve rifle")
    else:
        pick(battle, "X")
    assert sorted(attacker for attacker, _ in shots(battle)) == [0, 0, 1]


@pytest.mark.rule("w8.shoot.visible.geometry")
@pytest.mark.parametrize(("height", "seen"), [(3.0, True), (1.0, False)])
def test_any_line_between_the_two_volumes_is_enough(height, seen):
    """A wall of 1.5" between a shooter of 1" and a target, both 1" away from it."""
    scene = EighthScene()
    scene.wall(0, 12, 30, 12, 1.5, thickness=0.02)
    scene.unit(0, gunners(height=1.0), at=(10, 10.5))
    scene.unit(1, sheet("X", height=height), at=(10, 13.5))
    battle = scene.battle("shooting", run=False)
    assert in_sight(battle, 0, 1) == seen
    assert seen_by(scene) == ["X"] * seen


@pytest.mark.rule("w8.shoot.visible.geometry")
@pytest.mark.parametrize("facing", [0.0, 1.6, 3.1])
def test_there_is_no_firing_arc(facing):
    scene = EighthScene()
    scene.unit(0, gunners(), at=[(10, 20, 0, facing)])
    for n, (x, y) in enumerate(((10, 30), (10, 10), (20, 20))):
        scene.unit(1, sheet(f"X{n}"), at=(x, y))
    assert seen_by(scene) == ["X0", "X1", "X2"]


@pytest.mark.rule("w8.shoot.visible.own-unit", "w8.shoot.visible.geometry")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("whose", "seen"), [("own", True), ("friends", False), ("enemy", False), ("target", True)])
def test_a_model_sees_through_its_own_unit_and_through_that_of_the_target(player, whose, seen):
    """A wide, high model stands in the way: of the unit that looks, of another one, of the target itself."""
    wide = {"base_mm": (200.0, 60.0), "height": 6.0}
    scene = EighthScene()
    guns = gunners()
    kind = guns["models"][0]
    big = {
        **kind,
        "name": "Big",
        "min": 0,
        "max": 1,
        "weapons": [],
        "base": {"oval_mm": [200.0, 60.0]},
        "height_in": 6.0,
    }
    guns["models"] = [{**kind, "min": 1, "max": 1}, {**big, "min": int(whose == "own")}]
    target = sheet("X")
    target["models"] = [{**target["models"][0], "min": 1, "max": 1}, {**big, "min": int(whose == "target")}]
    for data in (guns, target):
        data["models"] = [model for model in data["models"] if model["min"]]
        data["points"] = [{"models": len(data["models"]), "points": 100}]
    scene.unit(player, guns, at=[(20, 10), *([(20, 16, 0, 0.0)] if whose == "own" else [])])
    scene.unit(1 - player, target, at=[(20, 22), *([(20, 16, 0, 0.0)] if whose == "target" else [])])
    if whose in ("friends", "enemy"):
        owner = player if whose == "friends" else 1 - player
        scene.unit(owner, sheet("Wide", **wide), at=[(20, 16, 0, 0.0)])
    battle = scene.battle("shooting", active=player, run=False)
    mine, other = (battle.units.first[battle.players.first_unit[p]] for p in (player, 1 - player))
    if whose != "target":  # there the one in front is seen in any case
        assert in_sight(battle, mine, other) == seen
    assert ("X" in seen_by(scene, player)) == seen


@pytest.mark.rule("w8.shoot.target.friends-within-1")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("keywords", [("INFANTRY",), ("VEHICLE",)])
@pytest.mark.parametrize(("gap", "open_"), [(1.0, False), (1.1, True)])
def test_an_enemy_within_an_inch_of_friends_is_no_target(player, detail, keywords, gap, open_):
    scene = EighthScene()
    scene.unit(player, gunners(), at=(10, 10))
    scene.unit(player, sheet("Y"), at=(19, 20 - gap - 1))
    scene.unit(1 - player, sheet("X", keywords=keywords), at=[(10 + n, 20) for n in range(10)])
    scene.unit(1 - player, sheet("Z"), at=(5, 25))
    assert seen_by(scene, player, detail) == ["X", "Z"] if open_ else ["Z"]


@pytest.mark.rule("w8.shoot.target.snapshot")
@pytest.mark.parametrize("player", [0, 1])
def test_losses_do_not_make_a_declared_shot_illegal(player):
    """Only the first model of X is in range; it falls to the first wound, and the other shots are made all the same."""
    scene = EighthScene()
    scene.unit(player, gunners(weapon=ranged(24, BS=2, S=8)), at=[(9 + 0.01 * n + 1.05 * n, 10) for n in range(4)])
    unit = scene.unit(1 - player, sheet("X", Sv=6), at=[(10.5, 34.5), (10.5, 36.4), (10.5, 38.3)])
    scene.unit(1 - player, sheet("Z"), at=(50, 40))
    battle = scene.battle("shooting", active=player, detail="full", dice=4 * [2] + 4 * [2] + 3 * [1])
    pick(battle, "Guns")
    declare(battle, "at X")
    assert waits(battle, "allocate")
    choose(battle, "model", 0)  # the one that could be seen and reached
    assert waits(battle, "allocate")
    play_until(battle, "select-to-shoot") if battle.decision.kind != "select-to-shoot" else None
    assert wounds(battle, unit) == [0, 0, 0]
    assert len(shots(battle)) == 4
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.target.snapshot", "w8.shoot.rapid-fire.measure")
def test_half_range_is_settled_when_targets_are_declared():
    """The model within half range of the second group falls to the first: it doubles its attacks still."""
    weapons = {"sniper": ranged(24, BS=2, S=8), "rifle": ranged(24, BS=3, abilities=["Rapid Fire 1"])}
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    scene.unit(1, sheet("X", Sv=6), at=[(10, 21), (10, 23)])
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 1, 1, 1])
    pick(battle, "Guns")
    declare(battle, "at X")
    pick(battle, "resolve sniper")
    choose(battle, "model", 0)
    assert len(shots(battle)) == 1 + 2
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.target.destroyed")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize("player", [0, 1])
def test_shots_at_a_destroyed_target_are_lost(detail, player):
    """A model of 1 wound, five shots that are rolled one by one; another unit stands near and loses nothing."""
    weapons = {f"gun {n}": ranged(24, BS=2, S=8) for n in range(5)}
    scene = EighthScene()
    scene.unit(player, sheet("Guns", weapons=weapons), at=(10, 10))
    scene.unit(1 - player, sheet("X", Sv=6), at=(10, 20))
    other = scene.unit(1 - player, sheet("Y", Sv=6), at=(14, 20))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[2, 2, 1])
    pick(battle, "Guns")
    if detail == "squad":
        pick(battle, "X")
    declare(battle, "at X")
    if waits(battle, "profile-order"):
        pick(battle, "resolve gun 0")
    assert len(shots(battle)) == 1
    assert wounds(battle, other) == [1]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.declare-first")
def test_shots_are_split_before_any_die_is_rolled():
    """3 shots at X and 2 at Y; X falls to the first, and Y receives its 2."""
    scene = EighthScene()
    weapons = {"gun": ranged(24, BS=2, S=8)}
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10), models=5)
    scene.unit(1, sheet("X", Sv=6), at=(10, 20))
    y = scene.unit(1, sheet("Y", Sv=6, W=9), at=(14, 20))
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 2, 2, 2, 2, 1] + [2, 2, 1, 1])
    pick(battle, "Guns")
    for target in ("X", "X", "X", "Y", "Y"):
        assert shots(battle) == []
        pick(battle, f"at {target}")
    pick(battle, "X", kind="target-order")
    assert [battle.setup.names["units"][target] for _, target in shots(battle)] == ["X", "X", "X", "Y", "Y"]
    assert len([e for e in battle.events if e.rule == SAVE and e.data["target"] == y.row]) == 0
    assert battle.units.alive[1] == 0


@pytest.mark.rule("w8.shoot.split")
def test_every_weapon_of_every_model_at_any_of_three_units():
    """All 3^6 ways to aim six weapons are legal."""
    weapons = {"carbine": ranged(24, abilities=["Assault"]), "cannon": ranged(36, abilities=["Heavy"])}
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10), models=3)
    for n, name in enumerate("XYZ"):
        scene.unit(1, sheet(name, W=9), at=(8 + 4 * n, 20))
    start = scene.battle("shooting", detail="full")
    pick(start, "Guns")
    for aims in product("XYZ", repeat=6):
        battle = start.clone()
        for k, name in enumerate(aims):
            assert slots(battle, "enemy") == [0, 1, 2]
            battle.apply(battle.setup.space.enemy + "XYZ".index(name))
            assert battle.jobs.target[k] == 1 + "XYZ".index(name)


@pytest.mark.rule("w8.shoot.target-by-target")
@pytest.mark.parametrize("first", ["X", "Y"])
@pytest.mark.parametrize("player", [0, 1])
def test_all_shots_at_one_target_before_the_next_in_the_order_of_the_player(first, player):
    weapons = {"a": ranged(24, BS=2, S=8), "b": ranged(24, BS=2, S=8)}
    scene = EighthScene()
    scene.unit(player, sheet("Guns", weapons=weapons), at=(10, 10), models=2)
    scene.unit(1 - player, sheet("X", W=9, Sv=6), at=(10, 20))
    scene.unit(1 - player, sheet("Y", W=9, Sv=6), at=(14, 20))
    battle = scene.battle("shooting", active=player, detail="full", dice=12 * [2])
    pick(battle, "Guns")
    for target in ("X", "Y", "Y", "X"):
        pick(battle, f"at {target}")
    assert waits(battle, "target-order")
    assert battle.decision.player == player
    pick(battle, first)
    pick(battle, "resolve b", kind="profile-order")
    if waits(battle, "profile-order"):
        pick(battle, "resolve b")
    names = battle.setup.names
    order = [
        (names["units"][e.data["target"]], e.rule)
        for e in battle.events
        if e.rule in (HIT, SAVE) and "target" in e.data
    ]
    second = "Y" if first == "X" else "X"
    assert [name for name, _ in order] == 4 * [first] + 4 * [second]
    assert order[:4] == [(first, HIT), (first, SAVE), (first, HIT), (first, SAVE)]


@pytest.mark.rule("w8.shoot.weapon-one-target")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_all_attacks_of_a_weapon_go_to_one_unit(detail):
    scene = EighthScene()
    scene.unit(0, gunners(weapon=ranged(24, A=3, abilities=["Heavy"])), at=(10, 10))
    scene.unit(1, sheet("X", W=9), at=(10, 20))
    y = scene.unit(1, sheet("Y", W=9), at=(14, 20))
    battle = scene.battle("shooting", detail=detail, dice=[1, 1, 1])
    pick(battle, "Guns")
    pick(battle, "Y" if detail == "squad" else "at Y")  # asked once
    assert [target for _, target in shots(battle)] == 3 * [y.row]
    assert dice_left(battle) == 0
