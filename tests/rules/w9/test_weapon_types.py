"""Weapon types and what weapons can do (w9.weapon.*)."""

from __future__ import annotations

import pytest
from ninth import NinthScene

from wh_env.rulesets.w40k.attack.making import Attacks
from wh_env.rulesets.w40k.attack.rolls import Near
from wh_env.rulesets.w40k.attack.sequence import RANGED
from wh_env.rulesets.w40k.codes import AFTER_IT_MOVED, BEFORE_IT_MOVED, Moved
from wh_env.rulesets.w40k.shoot.declare import append_job
from wh_env.testing import choose, dice_left, melee, pick, play_until, ranged, sheet, told, words

HIT = "w9.attack.hit"


def shoot(
    weapons,
    dice,
    *,
    gap=10.0,
    player=0,
    detail="squad",
    foes=None,
    models=1,
    count=1,
    keywords=("INFANTRY",),
    **columns,
):
    """A unit shoots X, whose first model is ``gap`` inches away, with all it has."""
    scene = NinthScene()
    data = sheet("Guns", weapons=weapons if "range" not in weapons else {"gun": weapons}, keywords=keywords)
    unit = scene.unit(player, data, at=(10, 10), models=count, **columns)
    target = scene.unit(1 - player, foes or sheet("X", W=9), at=(10, 11 + gap), models=models)
    scene.unit(1 - player, sheet("Elsewhere"), at=(58, 42))
    battle = scene.battle("shooting", active=player, detail=detail, dice=list(dice))
    pick(battle, "Guns")
    if detail == "full":
        while battle.decision is not None and battle.decision.kind == "weapon-target":
            pick(battle, "at X")
    return battle, unit, target


def rolls(battle):
    """(die, needed, result) of the hit rolls."""
    return [(e["die"], e["needed"], e["result"]) for e in told(battle, HIT)]


# ---------------------------------------------------------------- Assault, Heavy


@pytest.mark.rule("w9.weapon.assault")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("moved", "needed"), [(Moved.ADVANCE, 4), (Moved.NORMAL, 3), (Moved.STATIONARY, 3)])
def test_assault_weapons_after_an_advance(player, detail, moved, needed):
    gun = ranged(24, BS=3, abilities=["Assault"])
    for die in (3, 4):
        battle, *_ = shoot(gun, [die, 1], player=player, detail=detail, moved=moved)
        assert rolls(battle) == [(die, needed, int(die >= needed))]


@pytest.mark.rule("w9.weapon.heavy")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("keywords", "columns", "needed"),
    [
        (("INFANTRY",), {"moved": Moved.NORMAL}, 5),
        (("INFANTRY",), {"moved": Moved.STATIONARY}, 4),
        (("INFANTRY",), {"moved": Moved.NOT_YET}, 4),
        (("INFANTRY",), {"moved": Moved.STATIONARY, "disembarked": BEFORE_IT_MOVED}, 5),
        (("INFANTRY",), {"disembarked": AFTER_IT_MOVED}, 5),
        (("INFANTRY",), {"arrived": 1}, 5),
        (("VEHICLE",), {"moved": Moved.NORMAL}, 4),
        (("VEHICLE",), {"arrived": 1}, 4),
        (("MONSTER",), {"moved": Moved.NORMAL}, 4),
        (("MOUNTED",), {"moved": Moved.NORMAL}, 4),
    ],
)
def test_heavy_weapons_of_infantry_that_moved(player, keywords, columns, needed):
    battle, *_ = shoot(ranged(24, BS=4, abilities=["Heavy"]), [4, 1], player=player, keywords=keywords, **columns)
    assert rolls(battle) == [(4, needed, int(needed == 4))]


@pytest.mark.rule("w9.weapon.heavy")
@pytest.mark.parametrize(("keywords", "needed"), [(("VEHICLE", "TITANIC"), 4), (("INFANTRY", "TITANIC"), 5)])
def test_heavy_weapons_after_falling_back(keywords, needed):
    gun = ranged(24, BS=4, abilities=["Heavy"])
    battle, *_ = shoot(gun, [4, 1], keywords=keywords, moved=Moved.FELL_BACK)
    assert rolls(battle) == [(4, needed, int(needed == 4))]


@pytest.mark.rule("w9.weapon.heavy")
def test_other_types_of_weapons_do_not_mind():
    for types in (["Rapid Fire 1"], ["Assault"], ["Pistol"], []):
        battle, *_ = shoot(ranged(18, BS=4, abilities=types), [4, 1], moved=Moved.NORMAL)
        assert rolls(battle) == [(4, 4, 1)]


@pytest.mark.rule("w9.weapon.heavy")
def test_each_model_of_a_unit_is_judged_by_its_own_keyword():
    data = sheet("Guns", weapons={"gun": ranged(24, BS=4, abilities=["Heavy"])})
    kind = data["models"][0]
    data["models"] = [
        {**kind, "name": "Man", "min": 1, "max": 1},
        {**kind, "name": "Walker", "min": 1, "max": 1, "keywords": ["VEHICLE"]},
    ]
    data["points"] = [{"models": 2, "points": 100}]
    data["keywords"] = ["SMOKE"]
    data["models"][0]["keywords"] = ["INFANTRY"]
    scene = NinthScene()
    scene.unit(0, data, at=(10, 10), models=2, moved=Moved.NORMAL)
    scene.unit(1, sheet("X", W=9), at=(10, 20))
    battle = scene.battle("shooting", dice=[1, 1])
    pick(battle, "Guns")
    assert {e["attacker"]: e["needed"] for e in told(battle, HIT)} == {0: 5, 1: 4}


# ---------------------------------------------------------------- Rapid Fire


@pytest.mark.rule("w9.weapon.rapid-fire")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("number", "gap", "attacks"), [(1, 12.0, 2), (1, 12.1, 1), (2, 12.0, 4), (2, 12.1, 2)])
def test_rapid_fire_doubles_within_half_range(player, detail, number, gap, attacks):
    gun = ranged(24, A=number, BS=3, abilities=[f"Rapid Fire {number}"])
    battle, *_ = shoot(gun, attacks * [1], gap=gap, player=player, detail=detail)
    assert len(rolls(battle)) == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.weapon.rapid-fire")
def test_half_range_is_measured_for_each_model_to_the_nearest_of_the_target():
    scene = NinthScene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, abilities=["Rapid Fire 1"])}), at=[(10, 12), (10, 10)])
    scene.unit(1, sheet("X"), at=[(10, 24), (10, 26)])  # the closest model is 11" and 13" away
    battle = scene.battle("shooting", dice=3 * [1])
    pick(battle, "Guns")
    assert [e["attacker"] for e in told(battle, HIT)] == [0, 0, 1]


# ---------------------------------------------------------------- Grenades


BOLTS = {
    "boltgun": ranged(24, BS=3, abilities=["Rapid Fire 1"]),
    "grenade": ranged(6, A="D6", BS=3, abilities=["Grenade"]),
}


def throwers(player=0, detail="full", dice=(), weapons=BOLTS, gap=5.0, count=10):
    """Ten models with guns and grenades before a target that all of them reach."""
    scene = NinthScene()
    unit = scene.unit(
        player, sheet("Men", weapons=weapons), at=[(10 + 1.05 * n, 10) for n in range(count)], models=count
    )
    scene.unit(1 - player, sheet("Wide", W=30, base_mm=(250, 40)), at=[(14.7, 11 + gap + 0.3, 0, 0.0)])
    scene.unit(1 - player, sheet("Far"), at=(40, 30))
    return scene.battle("shooting", active=player, detail=detail, dice=list(dice)), unit


@pytest.mark.rule("w9.weapon.grenade")
@pytest.mark.parametrize("player", [0, 1])
def test_one_model_throws_a_grenade_and_fires_nothing_else(player):
    battle, unit = throwers(player, dice=[4] + 22 * [1])
    pick(battle, "Men")
    asked = []
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        (which,) = {w.split(":")[0] for w in words(battle).values()}
        asked.append(which)
        if which == "Men 3, boltgun":
            choose(battle, "done")
        else:
            pick(battle, "at Wide")
    # the others have declared their guns already, so a Grenade is offered to the third alone
    guns = [f"Men {n}, boltgun" for n in range(1, 11)]
    assert asked == [*guns[:3], "Men 3, grenade", *guns[3:]]
    pick(battle, "resolve grenade", kind="profile-order")
    assert {e["attacker"] for e in told(battle, HIT)[:4]} == {unit.model(2)}
    assert [sum(e["attacker"] == unit.model(n) for e in told(battle, HIT)) for n in range(10)] == [2, 2, 4, *(7 * [2])]


@pytest.mark.rule("w9.weapon.grenade")
def test_once_a_grenade_is_declared_nobody_else_throws_one_nor_does_it_fire_its_gun():
    weapons = dict(reversed(BOLTS.items()))  # the grenade is asked about first
    battle, _ = throwers(weapons=weapons, count=3)
    pick(battle, "Men")
    asked = []
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        (which,) = {w.split(":")[0] for w in words(battle).values()}
        asked.append(which)
        pick(battle, "at Wide")
    assert asked == ["Men 1, grenade", "Men 2, boltgun", "Men 3, boltgun"]


@pytest.mark.rule("w9.weapon.grenade")
def test_nobody_has_to_throw_one():
    weapons = dict(reversed(BOLTS.items()))
    battle, _ = throwers(weapons=weapons, count=2)
    pick(battle, "Men")
    choose(battle, "done")
    (which,) = {w.split(":")[0] for w in words(battle).values()}
    assert which == "Men 1, boltgun"


@pytest.mark.rule("w9.weapon.grenade")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("gap", "grenades"), [(5.0, 1), (7.0, 0)])
def test_squad_detail_one_grenade_where_it_hurts_more(player, gap, grenades):
    """D6 attacks hurt more than two: one of ten throws, the nine others fire; out of range all fire."""
    dice = 18 * [1] + [4] + 4 * [1] if grenades else 20 * [1]
    battle, unit = throwers(player, "squad", dice, gap=gap)
    pick(battle, "Men")
    play_until(battle, "select-to-charge")
    by_model = [sum(e["attacker"] == unit.model(n) for e in told(battle, HIT)) for n in range(10)]
    assert sorted(by_model) == (9 * [2] + [4] if grenades else 10 * [2])


@pytest.mark.rule("w9.weapon.grenade")
def test_squad_detail_no_grenade_where_the_gun_hurts_more():
    weapons = {"cannon": ranged(24, A=8, BS=2, S=9), "grenade": ranged(6, A=1, BS=3, abilities=["Grenade"])}
    battle, unit = throwers(0, "squad", 16 * [1], weapons=weapons, count=2)
    pick(battle, "Men")
    assert [sum(e["attacker"] == unit.model(n) for e in told(battle, HIT)) for n in range(2)] == [8, 8]


# ---------------------------------------------------------------- Pistols


SIDEARM = {"pistol": ranged(12, BS=3, abilities=["Pistol"]), "rifle": ranged(24, BS=3, abilities=["Rapid Fire 1"])}


@pytest.mark.rule("w9.weapon.pistol")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_engaged_unit_fires_pistols_at_units_it_is_engaged_with(player, detail):
    """B1 is engaged with friends, too; B2 stands 6" away."""
    scene = NinthScene()
    scene.unit(player, sheet("Men", weapons=SIDEARM), at=(10, 10), models=2)
    scene.unit(player, sheet("Friends", weapons={"fist": melee()}), at=(8.2, 11.8))
    b1 = scene.unit(1 - player, sheet("B1", W=9), at=(10, 11.5))
    scene.unit(1 - player, sheet("B2"), at=(10, 17))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[1, 1])
    pick(battle, "Men")
    if detail == "full":
        for n in (1, 2):
            assert sorted(words(battle).values()) == [f"Men {n}, pistol: at B1", f"Men {n}, pistol: hold fire"]
            pick(battle, "at B1")
    assert [e["target"] for e in told(battle, HIT)] == [b1, b1]
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.weapon.pistol")
def test_engaged_with_two_units_each_pistol_has_a_target_of_its_own():
    scene = NinthScene()
    scene.unit(0, sheet("Men", weapons=SIDEARM), at=(10, 10), models=2)
    b1 = scene.unit(1, sheet("B1", W=9), at=(10, 11.5))
    b2 = scene.unit(1, sheet("B2", W=9), at=(11.6, 11.5))
    battle = scene.battle("shooting", detail="full", dice=[1, 1])
    pick(battle, "Men")
    for name in ("B1", "B2"):
        assert sorted(w.split(": ")[1] for w in words(battle).values()) == ["at B1", "at B2", "hold fire"]
        pick(battle, f"at {name}")
    pick(battle, "B1", kind="target-order")
    assert [e["target"] for e in told(battle, HIT)] == [b1, b2]


@pytest.mark.rule("w9.weapon.pistol.exclusive")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("first", "attacks"), [("pistol", 1), ("rifle", 2)])
def test_pistols_or_the_other_weapons(player, first, attacks):
    battle = armed(player, ("INFANTRY",), "full", attacks)
    if first == "rifle":
        choose(battle, "done")
    pick(battle, f"{first}: at X")
    assert battle.decision is None or battle.decision.kind != "weapon-target"
    assert len(told(battle, HIT)) == attacks
    assert dice_left(battle) == 0


def armed(player, keywords, detail, attacks):
    """A model with a Pistol and a rifle before a target 10" away, selected to shoot."""
    scene = NinthScene()
    scene.unit(player, sheet("Man", weapons=SIDEARM, keywords=keywords), at=(10, 10))
    scene.unit(1 - player, sheet("X", W=9), at=(10, 21))
    battle = scene.battle("shooting", active=player, detail=detail, dice=attacks * [1])
    pick(battle, "Man")
    return battle


@pytest.mark.rule("w9.weapon.pistol.exclusive")
@pytest.mark.parametrize("keywords", [("MONSTER",), ("VEHICLE",)])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_monsters_and_vehicles_fire_both(keywords, detail):
    battle = armed(0, keywords, detail, 3)
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        pick(battle, "at X")
    if battle.decision is not None and battle.decision.kind == "profile-order":
        pick(battle, "pistol")
    assert len(told(battle, HIT)) == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.weapon.pistol.exclusive")
def test_squad_detail_infantry_fires_the_others():
    battle = armed(0, ("INFANTRY",), "squad", 2)
    assert len(told(battle, HIT)) == 2
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Blast


def blast(A, models, dice, *, player=0, detail="squad", abilities=("Heavy", "Blast")):
    """The number of attacks of a Blast weapon at so many models, and whether a hit roll came next."""
    gun = ranged(48, A=A, BS=3, abilities=list(abilities))
    battle, _, _ = shoot(gun, [*dice, *(30 * [1])], models=models, player=player, detail=detail, keywords=("VEHICLE",))
    number = len(rolls(battle))
    assert dice_left(battle) == 30 - number
    return number


@pytest.mark.rule("w9.weapon.blast.minimum")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(
    ("models", "die", "attacks"), [(6, 2, 3), (10, 1, 3), (5, 2, 2), (6, 4, 4), (1, 1, 1), (6, 3, 3)]
)
def test_at_least_three_attacks_against_six_models(player, detail, models, die, attacks):
    assert blast("D6", models, [die], player=player, detail=detail) == attacks


@pytest.mark.rule("w9.weapon.blast.maximum")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_most_attacks_against_eleven_models(player, detail):
    assert blast("D6", 11, [], player=player, detail=detail) == 6  # no die is rolled
    assert blast("D3+3", 15, [], player=player, detail=detail) == 6
    assert blast("D6", 10, [4], player=player, detail=detail) == 4


@pytest.mark.rule("w9.weapon.blast.several-dice")
@pytest.mark.parametrize(
    ("models", "dice", "attacks"),
    [(6, [1, 1], 3), (10, [1, 2], 3), (6, [1, 5], 4), (5, [1, 1], 2), (11, [], 6), (6, [6, 6], 6)],
)
def test_the_minimum_is_compared_with_the_total(models, dice, attacks):
    assert blast("2D3", models, dice) == attacks


@pytest.mark.rule("w9.weapon.blast.minimum", "w9.weapon.blast.maximum")
def test_without_blast_the_number_of_models_does_not_matter():
    assert blast("D6", 11, [2], abilities=["Heavy"]) == 2
    assert blast("D6", 6, [1], abilities=["Heavy"]) == 1


@pytest.mark.rule("w9.weapon.blast.minimum")
def test_models_are_counted_when_the_target_is_selected():
    """The first weapon destroys one of six; the second, declared against six, still makes three attacks."""
    weapons = {"gun": ranged(48, BS=2, S=8), "mortar": ranged(48, A="D6", BS=3, abilities=["Blast"])}
    scene = NinthScene()
    scene.unit(0, sheet("Tank", weapons=weapons, keywords=("VEHICLE",)), at=(10, 10))
    unit = scene.unit(1, sheet("X", Sv=6), at=(10, 30), models=6)
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 1, 1, 1, 1, 1])
    pick(battle, "Tank")
    pick(battle, "at X")
    pick(battle, "at X")
    pick(battle, "resolve gun")
    choose(battle, "model", 5)
    assert battle.units.alive[unit] == 5
    assert len(told(battle, HIT)) == 4
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- profiles, automatic hits


@pytest.mark.rule("w9.weapon.profiles")
@pytest.mark.parametrize("player", [0, 1])
def test_each_weapon_has_one_of_its_profiles(player):
    plasma = {
        "profiles": [
            {**ranged(24, BS=2, S=7, D=1), "name": "standard"},
            {**ranged(24, BS=2, S=8, D=2), "name": "supercharge"},
        ]
    }
    scene = NinthScene()
    scene.unit(player, sheet("Men", weapons={"plasma gun": plasma}), at=(10, 10), models=2)
    unit = scene.unit(1 - player, sheet("X", W=9, Sv=6, T=4), at=(10, 20))
    battle = scene.battle("shooting", active=player, detail="full", dice=[2, 2, 1, 2, 3, 1])
    pick(battle, "Men")
    for which, answer in (
        ("1, plasma gun (standard)", "hold fire"),
        ("1, plasma gun (supercharge)", "at X"),
        ("2, plasma gun (standard)", "at X"),
    ):
        assert sorted(words(battle).values()) == [f"Men {which}: at X", f"Men {which}: hold fire"]
        pick(battle, answer)
    # the second model has taken the first profile: it is not asked about the other
    pick(battle, "supercharge", kind="profile-order")
    assert [e["needed"] for e in told(battle, "w9.attack.wound")] == [2, 3]
    assert battle.models.wounds[unit.first] == 9 - 2 - 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.weapon.auto-hit")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("snap", [False, True])
def test_automatic_hits_need_no_hit_roll(player, snap):
    """D6 attacks with a die of 4 are four hits, as attacks out of turn (which hit on 6s) as well."""
    flamer = ranged(12, A="D6", BS=None, S=4, abilities=["Assault", "Torrent"])
    scene = NinthScene()
    unit = scene.unit(player, sheet("Guns", weapons={"gun": flamer}), at=(10, 10))
    target = scene.unit(1 - player, sheet("X", W=9), at=(10, 17))
    battle = scene.battle("shooting", active=player, dice=[4, 1, 1, 4, 6, 1, 6], run=False)
    append_job(battle, unit.first, 0, int(target), int(Near.SNAP) if snap else 0)
    battle.push(Attacks, int(unit), RANGED)
    battle.run()
    assert told(battle, HIT) == []
    assert [e["result"] for e in told(battle, "w9.weapon.auto-hit")] == [4]
    assert [e["die"] for e in told(battle, "w9.attack.wound")] == [1, 1, 4, 6]
    assert battle.models.wounds[target.first] == 8
    assert dice_left(battle) == 0


@pytest.mark.rule("w9.weapon.auto-hit")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_automatic_hits_in_overwatch(player, detail):
    """A charge is met by a weapon with D6 attacks and a die of 4: four wound rolls follow, though Overwatch hits on 6s only."""
    scene = NinthScene()
    flamer = {"gun": ranged(12, A="D6", BS=None, S=4, abilities=["Assault", "Torrent"])}
    scene.unit(player, sheet("Charger", W=9), at=(10, 10))
    scene.unit(1 - player, sheet("Guns", weapons=flamer), at=(10, 16))
    cp = (0, 1) if player == 0 else (1, 0)
    battle = scene.battle(
        "charge", active=player, detail=detail, cp=cp, dice=[4, 1, 1, 1, 1, 1, 1], rules={"cp_each_command_phase": 0}
    )
    if battle.decision.kind == "select-to-charge":
        pick(battle, "Charger")
    while battle.decision.kind == "charge-target":
        pick(battle, "charge Guns" if "no more targets" not in words(battle).values() else "no more targets")
    pick(battle, "Fire Overwatch: Guns", kind="fire-overwatch")
    if battle.decision.kind == "weapon-target":
        pick(battle, "at Charger")
    assert told(battle, HIT) == []
    assert [e["result"] for e in told(battle, "w9.weapon.auto-hit")] == [4]
    assert [e["die"] for e in told(battle, "w9.attack.wound")] == 4 * [1]
    assert dice_left(battle) == 0  # the charge roll took the last two


@pytest.mark.rule("w9.weapon.auto-hit")
def test_re_rolls_of_hit_rolls_have_nothing_to_re_roll():
    flamer = ranged(12, A=2, BS=None, S=4, abilities=["Torrent"])
    scene = NinthScene()
    ability = {"name": "Aim", "effect": "re-roll hit rolls of 1", "active": True}
    scene.unit(0, sheet("Guns", weapons={"gun": flamer}, abilities={"other": [ability]}), at=(10, 10))
    scene.unit(1, sheet("X", W=9), at=(10, 17))
    battle = scene.battle("shooting", dice=[1, 1])
    pick(battle, "Guns")
    assert [e["die"] for e in told(battle, "w9.attack.wound")] == [1, 1]
    assert dice_left(battle) == 0
