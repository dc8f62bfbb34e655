"""What the types of weapons do (w8.shoot.attacks, .assault*, .heavy, .rapid-fire*, .grenade, .pistol*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene
from eighth_shooting import HIT, declare, gunners, rolls, shoot, shots, targets, waits

from wh_env.rulesets.w40k.codes import AFTER_IT_MOVED, BEFORE_IT_MOVED, Moved
from wh_env.testing import cell_nearest, choose, dice_left, offered, pick, ranged, sheet, words
from wh_env.testing.moves import walk


@pytest.mark.rule("w8.shoot.attacks")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("weapon", "dice", "attacks"), [
    (ranged(24, A=1, abilities=["Assault"]), [1], 1),
    (ranged(24, A=3, abilities=["Heavy"]), 3 * [1], 3),
    (ranged(24, A="D6", abilities=["Heavy"]), [5, 1, 1, 1, 1, 1], 5),
])  # fmt: skip
def test_one_die_for_each_attack_of_the_profile(detail, weapon, dice, attacks):
    battle, _ = shoot(weapon, dice, detail=detail)
    assert len(shots(battle)) == attacks
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Assault, Heavy


@pytest.mark.rule("w8.shoot.assault", "w8.shoot.assault.penalty")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("moved", "needed"), [(Moved.ADVANCE, 4), (Moved.NORMAL, 3), (Moved.STATIONARY, 3)])
def test_assault_weapons_after_an_advance(player, detail, moved, needed):
    gun = ranged(24, A=2, BS=3, abilities=["Assault"])
    battle, _ = shoot(gun, [3, 4, 1, 1], player=player, detail=detail, mine={"moved": moved})
    assert rolls(battle, HIT) == [(3, needed, int(needed == 3)), (4, needed, 1)]


def steadiness(columns, *, types=("Heavy",), player=0, detail="squad", keywords=("INFANTRY",)):
    """The die that a weapon of BS 4+ needs."""
    scene = EighthScene()
    gun = ranged(24, BS=4, abilities=list(types))
    scene.unit(player, gunners(weapon=gun, keywords=keywords), at=(10, 10), **columns)
    scene.unit(1 - player, sheet("X", W=9), at=(10, 20))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[1])
    pick(battle, "Guns")
    return rolls(battle, HIT)[0][1]


@pytest.mark.rule("w8.shoot.heavy")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("columns", "needed"),
    [
        ({"moved": Moved.NORMAL}, 5),
        ({"moved": Moved.STATIONARY}, 4),
        ({"moved": Moved.NOT_YET}, 4),
        ({"moved": Moved.STATIONARY, "disembarked": BEFORE_IT_MOVED}, 5),
        ({"disembarked": AFTER_IT_MOVED}, 5),
        ({"arrived": 1}, 5),
    ],
)
@pytest.mark.parametrize("keywords", [("INFANTRY",), ("VEHICLE",), ("MONSTER", "TITANIC"), ("OTHERS",)])
def test_heavy_weapons_of_units_that_moved_whatever_they_are(player, columns, needed, keywords):
    assert steadiness(columns, player=player, keywords=keywords) == needed


@pytest.mark.rule("w8.shoot.heavy")
def test_other_types_of_weapons_do_not_mind_a_move():
    for types in (["Rapid Fire 1"], ["Assault"], ["Pistol"], ["Grenade"], []):
        assert steadiness({"moved": Moved.NORMAL}, types=types) == 4


@pytest.mark.rule("w8.shoot.heavy")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("moving", [0, 1])
def test_only_the_model_that_moved_suffers(player, moving):
    """Moved model by model in the Movement phase: one of two models 1", the other not."""
    scene = EighthScene()
    y = 10 if player == 0 else 30
    unit = scene.unit(player, gunners(weapon=ranged(24, BS=4, abilities=["Heavy"])), at=(20, y), models=2)
    scene.unit(1 - player, sheet("X", W=9), at=(20, y + 12 if player == 0 else y - 12))
    battle = scene.battle("movement", active=player, detail="full", dice=[4, 4, 1])
    pick(battle, "Normal move", kind="move-kind")
    choose(battle, "model", moving)
    start = battle.models.x[unit.model(moving)], battle.models.y[unit.model(moving)]
    while waits(battle, "model-to") or waits(battle, "model-refine"):
        at = [(abs(abs(dx) + abs(dy) - 1.0), a) for a in battle.decision.options for dx, dy in [shift(battle, a)]]
        battle.apply(min(at)[1])
    now = battle.models.x[unit.model(moving)], battle.models.y[unit.model(moving)]
    assert start != now
    if waits(battle, "select-model"):
        choose(battle, "done")
    assert to_the_shot(battle) == {unit.model(moving): 5, unit.model(1 - moving): 4}


def to_the_shot(battle):
    """Play on until the guns have shot; the die that each model needed."""
    for _ in range(40):
        if waits(battle, "select-to-shoot") or rolls(battle, HIT):
            break
        battle.apply(battle.first_legal())
    if waits(battle, "select-to-shoot"):
        pick(battle, "Guns")
    declare(battle, "at X")
    if waits(battle, "profile-order"):
        battle.apply(battle.first_legal())
    return {e.data["attacker"]: e.data["needed"] for e in battle.events if e.rule == HIT}


@pytest.mark.rule("w8.shoot.heavy", "w8.move.stationary")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("stays", [0, 1])
def test_a_model_whose_player_says_that_it_stays_has_not_moved(player, stays):
    """Model by model: both are selected, one stays where it is, the other moves 1"; or both stay."""
    for other_moves in (True, False):
        scene = EighthScene()
        y = 10 if player == 0 else 30
        unit = scene.unit(player, gunners(weapon=ranged(24, BS=4, abilities=["Heavy"])), at=(20, y), models=2)
        scene.unit(1 - player, sheet("X", W=9), at=(20, y + 12 if player == 0 else y - 12))
        battle = scene.battle("movement", active=player, detail="full", dice=[4, 4, 1])
        pick(battle, "Normal move", kind="move-kind")
        for model in (stays, 1 - stays):
            if waits(battle, "select-model"):
                choose(battle, "model", model)
            if model == stays or not other_moves:
                choose(battle, "done")
                continue
            m = battle.models
            walk(battle, model, m.x[unit.model(model)], m.y[unit.model(model)] + (1 if player == 0 else -1))
        if waits(battle, "select-model"):
            choose(battle, "done")
        assert battle.units.moved[unit] == Moved.NORMAL
        assert to_the_shot(battle) == {unit.model(stays): 4, unit.model(1 - stays): 5 if other_moves else 4}


@pytest.mark.rule("w8.shoot.heavy", "w8.move.stationary")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("stays", [0, 1])
@pytest.mark.parametrize("order", [("rifle", "cannon"), ("cannon", "rifle")])
def test_what_else_a_model_fires_makes_no_difference(order, stays, player):
    """Each model has a rifle and a Heavy cannon, in either order: only the cannon of the model that moved suffers."""
    arms = {"rifle": ranged(24, BS=4), "cannon": ranged(24, BS=4, abilities=["Heavy"])}
    scene = EighthScene()
    y, forward = (10, 1) if player == 0 else (30, -1)
    unit = scene.unit(player, sheet("Guns", weapons={name: arms[name] for name in order}), at=(20, y), models=2)
    scene.unit(1 - player, sheet("X", W=9), at=(20, y + 12 * forward))
    battle = scene.battle("movement", active=player, detail="full", dice=[1] * 4)
    pick(battle, "Normal move", kind="move-kind")
    mover = 1 - stays
    walk(battle, mover, battle.models.x[unit.model(mover)], y + forward)
    choose(battle, "done")
    while not rolls(battle, HIT):
        battle.apply(battle.decision.options[-1] if battle.clock.phase[0] == 3 else battle.first_legal())
    needed = [(e.data["attacker"] - unit.first, e.data["needed"]) for e in battle.events if e.rule == HIT]
    assert sorted(needed) == sorted([(stays, 4), (stays, 4), (mover, 4), (mover, 5)])


@pytest.mark.rule("w8.shoot.heavy", "w8.move.stationary")
@pytest.mark.parametrize(("inches", "needed"), [(0, 4), (1, 5)])
def test_nor_has_a_unit_that_was_moved_by_nothing(inches, needed):
    scene = EighthScene()
    unit = scene.unit(0, gunners(weapon=ranged(24, BS=4, abilities=["Heavy"])), at=(20, 10), models=1)
    scene.unit(1, sheet("X", W=9), at=(20, 22))
    battle = scene.battle("movement", dice=[4, 1])
    pick(battle, "Normal move", kind="move-kind")
    choose(battle, "cell", cell_nearest(battle, 0, inches, 6))
    assert battle.units.moved[unit] == Moved.NORMAL
    assert to_the_shot(battle) == {unit.first: needed}


@pytest.mark.rule("w8.shoot.heavy", "w8.move.stationary")
@pytest.mark.parametrize(("turned", "needed"), [(6, 5), (None, 4)])
def test_a_turn_on_the_spot_is_a_move(turned, needed):
    """Of a hull, by a right angle: its ends have moved."""
    scene = EighthScene()
    tank = gunners(weapon=ranged(24, BS=4, abilities=["Heavy"]), hull_in=(4, 2), keywords=("VEHICLE",))
    unit = scene.unit(0, tank, at=(20, 10), facing=0.0, models=1)
    scene.unit(1, sheet("X", W=9), at=(20, 22))
    battle = scene.battle("movement", detail="full", dice=[4, 1])
    pick(battle, "Normal move", kind="move-kind")
    if turned is None:
        choose(battle, "model", 0) if waits(battle, "select-model") else None
        choose(battle, "done")  # it keeps its facing
        choose(battle, "done")  # and stays
    else:
        walk(battle, 0, 20, 10, facing=turned)
    if waits(battle, "select-model"):
        choose(battle, "done")
    assert (battle.models.x[unit.first], battle.models.y[unit.first]) == (20, 10)
    assert to_the_shot(battle) == {unit.first: needed}


def shift(battle, action):
    """The displacement that a cell stands for, in inches; far away for what is no cell."""
    space = battle.setup.space
    cell = action - space.cell
    if not 0 <= cell < space.grid**2:
        return 99.0, 99.0
    region = battle.pending().region
    step = (region.x1 - region.x0) / (space.grid - 1)
    return (cell % space.grid - space.grid // 2) * step, (cell // space.grid - space.grid // 2) * step


# ---------------------------------------------------------------- Rapid Fire


@pytest.mark.rule("w8.shoot.rapid-fire")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("number", "gap", "each"), [(1, 6.0, 2), (1, 12.0, 2), (1, 12.1, 1), (2, 12.0, 4), (2, 12.1, 2)]
)
def test_rapid_fire_doubles_within_half_range(player, detail, number, gap, each):
    """Four models side by side before a target as wide as they are."""
    gun = ranged(24, A=number, BS=3, abilities=[f"Rapid Fire {number}"])
    scene = EighthScene()
    scene.unit(player, gunners(weapon=gun), at=[(10 + 1.05 * n, 10) for n in range(4)])
    scene.unit(1 - player, sheet("X", W=20, hull_in=(8, 2)), at=[(11.5, 11.5 + gap, 0, 0.0)])
    battle = scene.battle("shooting", active=player, detail=detail, dice=4 * each * [1])
    pick(battle, "Guns")
    assert len(shots(battle)) == 4 * each
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.rapid-fire.measure")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_half_range_is_measured_for_each_model_to_the_nearest_of_the_target(player, detail):
    scene = EighthScene()
    unit = scene.unit(player, gunners(weapon=ranged(24, abilities=["Rapid Fire 1"])), at=[(10, 12), (10, 10)])
    scene.unit(1 - player, sheet("X"), at=[(10, 24), (10, 26)])  # the closest model is 11" and 13" away
    battle = scene.battle("shooting", active=player, detail=detail, dice=3 * [1])
    pick(battle, "Guns")
    if waits(battle, "profile-order"):
        battle.apply(battle.first_legal())
    assert sorted(attacker for attacker, _ in shots(battle)) == [unit.model(0), unit.model(0), unit.model(1)]


# ---------------------------------------------------------------- Grenades

BOLTS = {
    "boltgun": ranged(24, BS=3, abilities=["Rapid Fire 1"]),
    "grenade": ranged(6, BS=3, S=6, AP=-1, D="D3", abilities=["Grenade"]),
}


def throwers(player=0, detail="full", dice=(), weapons=BOLTS, gap=5.0, count=5):
    """Models with guns and grenades before a target that all of them reach."""
    scene = EighthScene()
    unit = scene.unit(player, sheet("Men", weapons=weapons), at=[(10 + 1.05 * n, 10) for n in range(count)])
    scene.unit(1 - player, sheet("Wide", W=30, hull_in=(10, 2)), at=[(12, 11.5 + gap, 0, 0.0)])
    scene.unit(1 - player, sheet("Far"), at=(28, 10))
    return scene.battle("shooting", active=player, detail=detail, dice=list(dice)), unit


@pytest.mark.rule("w8.shoot.grenade")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("thrower", [1, 3, 5])
def test_one_model_throws_a_grenade_instead_of_firing(player, thrower):
    battle, unit = throwers(player, dice=9 * [1])
    pick(battle, "Men")
    asked = []
    while waits(battle, "weapon-target"):
        which = next(iter(words(battle).values())).split(":")[0]
        asked.append(which)
        # who has a Grenade that nobody throws may hold its gun for it
        held = [w for w in words(battle).values() if "hold" in w]
        assert bool(held) == (which.endswith("boltgun") and int(which[4]) <= thrower)
        if which == f"Men {thrower}, boltgun":
            choose(battle, "done")
        else:
            pick(battle, "at Wide")
    # the grenade has but one target in range, so it is thrown without a question
    assert asked == [f"Men {n}, boltgun" for n in range(1, 6)]
    pick(battle, "resolve grenade", kind="profile-order")
    count = [sum(attacker == unit.model(n) for attacker, _ in shots(battle)) for n in range(5)]
    assert count == [1 if n == thrower - 1 else 2 for n in range(5)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.grenade")
def test_nobody_has_to_throw_one_and_nobody_else_may():
    weapons = dict(reversed(BOLTS.items()))  # the grenade is asked about first
    for throws in (False, True):
        battle, unit = throwers(weapons=weapons, dice=9 * [1] if throws else 10 * [1])
        pick(battle, "Men")
        thrown = []
        while waits(battle, "weapon-target"):
            if "grenade" in next(iter(words(battle).values())):
                assert battle.legal()[0]
                thrown.append(next(iter(words(battle).values())).split(",")[0])
                pick(battle, "at Wide" if throws else "hold fire")
            else:
                assert not battle.legal()[0]
                pick(battle, "at Wide")
        assert thrown == [f"Men {n}" for n in range(1, 2 if throws else 6)]
        if waits(battle, "profile-order"):
            battle.apply(battle.first_legal())
        assert len(shots(battle)) == (9 if throws else 10)
        assert dice_left(battle) == 0
        assert sum(attacker == unit.model(0) for attacker, _ in shots(battle)) == (1 if throws else 2)


@pytest.mark.rule("w8.shoot.grenade")
@pytest.mark.parametrize(
    ("order", "answers", "fired"),
    [
        (("frag", "krak", "gun"), ["at X"], "frag"),
        (("frag", "krak", "gun"), ["hold fire", "at X"], "krak"),
        (("frag", "krak", "gun"), ["hold fire", "hold fire", "at X"], "gun"),
        (("gun", "frag", "krak"), ["at X"], "gun"),
        (("gun", "frag", "krak"), ["hold fire", "at X"], "frag"),
        (("gun", "frag", "krak"), ["hold fire", "hold fire", "at X"], "krak"),
    ],
)
def test_the_player_says_which_of_its_grenades(order, answers, fired):
    arms = {"frag": ranged(6, abilities=["Grenade"]), "krak": ranged(6, S=6, abilities=["Grenade"]), "gun": ranged(24)}
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons={name: arms[name] for name in order}), at=(10, 10))
    scene.unit(1, sheet("X", W=9), at=(10, 15))
    scene.unit(1, sheet("Y", W=9), at=(13, 15))
    battle = scene.battle("shooting", detail="full", dice=[1])
    pick(battle, "Guns")
    for answer in answers:
        assert waits(battle, "weapon-target")
        pick(battle, answer)
    assert not waits(battle, "weapon-target")
    assert len(shots(battle)) == 1
    assert battle.setup.names["weapons"][battle.jobs.weapon[0]].split(" (")[0] == fired


@pytest.mark.rule("w8.shoot.grenade")
@pytest.mark.parametrize("player", [0, 1])
def test_squad_detail_throws_one_where_that_hurts_more(player):
    strong = {**BOLTS, "grenade": ranged(6, A=6, BS=2, S=8, AP=-3, D=3, abilities=["Grenade"])}
    battle, _ = throwers(player, "squad", dice=14 * [1], weapons=strong)
    pick(battle, "Men")
    pick(battle, "Wide")
    attackers = [attacker for attacker, _ in shots(battle)]
    assert sorted(attackers.count(k) for k in set(attackers)) == [2, 2, 2, 2, 6]


# ---------------------------------------------------------------- Pistols


def melee_with(player=0, detail="full", dice=(), friend=False, weapons=None, spots=((10, 10),), y=(12.5, 16.0)):
    """A unit within 1" of X (at x = 10), Y 4" from it; the battle and the unit."""
    scene = EighthScene()
    arms = weapons or {"pistol": ranged(12, BS=3, abilities=["Pistol"])}
    unit = scene.unit(player, sheet("Guns", weapons=arms), at=list(spots))
    if friend:
        scene.unit(player, sheet("Friend"), at=(10, 13.4))
    scene.unit(1 - player, sheet("X", W=9), at=(10, 11.7))
    scene.unit(1 - player, sheet("Y", W=9), at=y)
    return scene.battle("shooting", active=player, detail=detail, dice=list(dice)), unit


@pytest.mark.rule("w8.shoot.pistol", "w8.shoot.pistol.closest")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_in_combat_pistols_are_fired_at_the_closest_enemy(player, detail):
    battle, unit = melee_with(player, detail, [1])
    pick(battle, "Guns")  # X is the only target, so nothing is asked
    x = battle.players.first_unit[1 - player]
    assert shots(battle) == [(unit.first, x)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.pistol.closest")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_closest_enemy_is_that_of_each_model(player, detail):
    """The second model is closer to Y, which is not within 1" of its unit, than to X."""
    battle, unit = melee_with(player, detail, [1, 1], spots=((10, 10), (11.8, 9.5)), y=(13.5, 11.7))
    pick(battle, "Guns")
    if detail == "squad":
        assert targets(battle) == ["X", "Y"]
        pick(battle, "X")
    elif waits(battle, "target-order"):
        pick(battle, "Y")
    x = battle.players.first_unit[1 - player]
    assert sorted(shots(battle)) == [(unit.model(0), x), (unit.model(1), x + 1)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.pistol.closest")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_on_an_exact_tie_the_shooter_chooses(player, detail):
    scene = EighthScene()
    scene.unit(player, gunners(weapon=ranged(12, abilities=["Pistol"])), at=(10, 10))
    for name, at in (("X", (11.8, 10)), ("Y", (8.2, 10)), ("Z", (10, 13))):
        scene.unit(1 - player, sheet(name), at=at)
    battle = scene.battle("shooting", active=player, detail=detail)
    pick(battle, "Guns")
    assert targets(battle) == ["X", "Y"]
    assert battle.decision.player == player


@pytest.mark.rule("w8.shoot.pistol.closest")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_out_of_combat_a_pistol_has_any_target(detail):
    scene = EighthScene()
    scene.unit(0, gunners(weapon=ranged(12, abilities=["Pistol"])), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 16))
    scene.unit(1, sheet("Y"), at=(13, 18))
    battle = scene.battle("shooting", detail=detail)
    pick(battle, "Guns")
    assert targets(battle) == ["X", "Y"]


@pytest.mark.rule("w8.shoot.pistol.friends")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_friends_near_the_target_do_not_matter_then(player, detail):
    """P and Q are both within 1" of X; both fire their Pistols at it, R 6" away may not."""
    scene = EighthScene()
    arms = {"pistol": ranged(12, BS=3, abilities=["Pistol"])}
    scene.unit(player, sheet("P", weapons=arms), at=(10, 10))
    scene.unit(player, sheet("Q", weapons=arms), at=(10, 13.4))
    scene.unit(player, sheet("R", weapons=arms), at=(17, 11.7))
    scene.unit(1 - player, sheet("X", W=9), at=(10, 11.7))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[1, 1])
    assert offered(battle, "select-to-shoot") == [0, 1]
    pick(battle, "P")
    pick(battle, "Q")
    assert len(shots(battle)) == 2


@pytest.mark.rule("w8.shoot.pistol.unit-eligible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_in_combat_only_pistols_fire(player, detail):
    arms = {"pistol": ranged(12, BS=3, abilities=["Pistol"]), "carbine": ranged(24, A=3, BS=3, abilities=["Assault"])}
    battle, unit = melee_with(player, detail, [1, 1], weapons=arms, spots=((10, 10), (10, 8.8)))
    pick(battle, "Guns")
    assert [attacker for attacker, _ in shots(battle)] == [unit.model(0), unit.model(1)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.pistol.closest")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_losses_change_who_is_closest(detail):
    """The first model of P slays what is closest to Q's; then Q may fire at the next unit."""
    scene = EighthScene()
    arms = {"pistol": ranged(12, BS=2, S=8, abilities=["Pistol"])}
    scene.unit(0, sheet("P", weapons=arms), at=(10, 10))
    scene.unit(0, sheet("Q", weapons=arms), at=(13.3, 11.7))
    scene.unit(1, sheet("X", Sv=6), at=(11.7, 11.0))
    scene.unit(1, sheet("Y", W=9), at=[(15.2, 11.7), (16.4, 11.7)])
    battle = scene.battle("shooting", detail=detail, dice=[2, 2, 1, 1])
    q = battle.clone()
    pick(q, "Q")
    assert q.jobs.target[0] == 2
    pick(battle, "P")
    if battle.decision.kind == "select-to-shoot":
        pick(battle, "Q")
    assert [target for _, target in shots(battle)] == [2, 3]


@pytest.mark.rule("w8.shoot.pistol.or-others")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("order", "answers", "attacks"),
    [
        (("pistol", "rifle"), ["at X", "at X"], ["pistol"]),
        (("pistol", "rifle"), ["hold fire", "at X"], ["rifle"]),
        (("rifle", "pistol"), ["at X", "at X"], ["rifle"]),
        (("rifle", "pistol"), ["hold fire", "at X"], ["pistol"]),
        (("pistol", "rifle", "second pistol"), ["at X", "at X"], ["pistol", "second pistol"]),
        (("rifle", "pistol", "cannon"), ["at X", "at X"], ["rifle", "cannon"]),
        (("rifle", "pistol", "cannon"), ["hold fire", "at X"], ["pistol"]),
        (("pistol", "second pistol", "rifle", "cannon"), ["hold fire", "at X"], ["rifle", "cannon"]),
    ],
)
def test_a_model_fires_its_pistols_or_all_its_other_weapons(player, order, answers, attacks):
    arms = {
        "pistol": ranged(12, abilities=["Pistol"]),
        "second pistol": ranged(12, S=5, abilities=["Pistol"]),
        "rifle": ranged(24, BS=3),
        "cannon": ranged(36, BS=5, abilities=["Heavy"]),
    }
    scene = EighthScene()
    scene.unit(player, sheet("Guns", weapons={name: arms[name] for name in order}), at=(10, 10))
    scene.unit(1 - player, sheet("X", W=9), at=(10, 20))
    scene.unit(1 - player, sheet("Y", W=9), at=(13, 20))
    battle = scene.battle("shooting", active=player, detail="full", dice=len(attacks) * [1])
    pick(battle, "Guns")
    left, first = list(answers), True
    while waits(battle, "weapon-target"):
        assert shots(battle) == []  # the choice comes before any roll
        answer = left.pop(0) if len(left) > 1 else left[0]
        # to hold is offered as long as the other kind can still be fired
        assert bool(battle.legal()[0]) == first
        first = False
        pick(battle, answer)
    if waits(battle, "profile-order"):
        battle.apply(battle.first_legal())
    assert len(shots(battle)) == len(attacks)
    fired = [battle.setup.names["weapons"][battle.jobs.weapon[k]] for k in range(len(attacks))]
    assert [name.split(" (")[0] for name in fired] == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.pistol.or-others", "w8.shoot.all-weapons.mandatory")
def test_out_of_the_pistols_range_the_other_weapon_is_no_choice():
    """The target is 20" away: the rifle is fired, and nobody asks whether."""
    arms = {"pistol": ranged(12, abilities=["Pistol"]), "rifle": ranged(24, BS=3, abilities=["Rapid Fire 1"])}
    scene = EighthScene()
    scene.unit(0, sheet("Guns", weapons=arms), at=(10, 10))
    scene.unit(1, sheet("X", W=9), at=(10, 31))
    scene.unit(1, sheet("Y", W=9), at=(13, 31))
    battle = scene.battle("shooting", detail="full", dice=[1])
    pick(battle, "Guns")
    assert not battle.legal()[0]
    pick(battle, "rifle: at X")
    assert len(shots(battle)) == 1


@pytest.mark.rule("w8.shoot.pistol.or-others")
def test_squad_detail_fires_pistols_only_where_nothing_else_can():
    arms = {"pistol": ranged(12, A=2, abilities=["Pistol"]), "rifle": ranged(24, BS=3)}
    for types, attacks in ((arms, 1), ({"pistol": arms["pistol"]}, 2)):
        scene = EighthScene()
        scene.unit(0, sheet("Guns", weapons=types), at=(10, 10))
        scene.unit(1, sheet("X", W=9), at=(10, 20))
        battle = scene.battle("shooting", dice=attacks * [1])
        pick(battle, "Guns")
        assert len(shots(battle)) == attacks
