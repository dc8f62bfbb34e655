"""Abilities of ranged weapons that bear on eligibility, targets and numbers of attacks (w10.weapon.*)."""

from __future__ import annotations

import pytest

from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import Scene, choose, dice_left, melee, offered, pick, ranged, sheet, told, words

FREE = (50, 40)


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


def declare(battle, *names):
    """Answer the weapon-target decisions with these, in order; all of them."""
    for name in names:
        pick(battle, name, kind="weapon-target")
    assert battle.decision is None or battle.decision.kind != "weapon-target"


def asked(battle):
    """The model and weapon that the waiting decision is about."""
    (text,) = {w.split(":")[0] for w in words(battle).values()}
    return text


def hits(battle):
    """(attacker, target) of the hit rolls."""
    return [(e["attacker"], e["target"]) for e in told(battle, "w10.attack.hit.roll")]


# ---------------------------------------------------------------- Assault


ASSAULT = {"carbine": ranged(24, A=2, abilities=["Assault"]), "launcher": ranged(24)}


@pytest.mark.rule("w10.weapon.assault.only")
@pytest.mark.parametrize("detail", ["squad", "full"])
@pytest.mark.parametrize(("moved", "launched"), [(Moved.ADVANCE, 0), (Moved.NORMAL, 1)])
def test_only_assault_weapons_after_an_advance(detail, moved, launched):
    data = squad("Men", [(4, ["carbine"]), (1, ["carbine", "launcher"])], ASSAULT)
    scene = Scene()
    scene.unit(0, data, at=(10, 10), models=5, moved=moved)
    x = scene.unit(1, sheet("X"), at=(10, 20))
    battle = scene.battle("shooting", detail=detail, dice=(10 + launched) * [1])
    pick(battle, "Men")
    weapons = []
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        weapons.append(asked(battle).split(", ")[1])
        pick(battle, "at X")
    if battle.decision is not None and battle.decision.kind == "profile-order":
        pick(battle, "resolve carbine")
    if detail == "full":
        assert weapons == 5 * ["carbine"] + launched * ["launcher"]
    assert hits(battle) == [(k, x) for k in range(5) for _ in range(2)] + launched * [(4, x)]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Rapid Fire, Melta, half range


@pytest.mark.rule("w10.weapon.rapid-fire")
@pytest.mark.parametrize(
    ("gap", "weapon", "attacks"),
    [
        (12.0, ranged(24, abilities=["Rapid Fire 1"]), 2),
        (12.1, ranged(24, abilities=["Rapid Fire 1"]), 1),
        (10.0, ranged(24, A=2, abilities=["Rapid Fire 2"]), 4),
        (12.1, ranged(24, A=2, abilities=["Rapid Fire 2"]), 2),
        (10.0, ranged(24, A=2), 2),
    ],
)
def test_rapid_fire_within_half_range(gap, weapon, attacks):
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": weapon}), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 11 + gap))
    battle = scene.battle("shooting", dice=attacks * [1])
    pick(battle, "Guns")
    assert len(hits(battle)) == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.half-range")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_half_range_is_measured_for_each_attacking_model(detail):
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, abilities=["Rapid Fire 1"])}), at=[(10, 12), (10, 10)])
    scene.unit(1, sheet("X"), at=[(10, 24), (10, 26)])  # the closest model is 11" and 13" away
    battle = scene.battle("shooting", detail=detail, dice=3 * [1])
    pick(battle, "Guns")
    if detail == "full":
        declare(battle, "at X", "at X")
        choose(battle, "number", 0)
    assert [k for k, _ in hits(battle)] == [0, 0, 1]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.half-range")
def test_half_range_is_fixed_when_targets_are_selected():
    """The close model dies to the first weapon; the second, declared while it stood, still gets its extra attack."""
    weapons = {"first": ranged(24, BS=2, S=8), "second": ranged(24, abilities=["Rapid Fire 1"])}
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    x = scene.unit(1, sheet("X", Sv=6), at=[(10, 23), (10, 24.9)])  # 12.0" and 13.9"
    battle = scene.battle("shooting", detail="full", dice=[2, 2, 1, 1, 1])
    pick(battle, "Guns")
    declare(battle, "at X", "at X")
    pick(battle, "resolve first", kind="profile-order")
    choose(battle, "model", 0)
    assert battle.models.alive[x.first] == 0
    assert len(hits(battle)) == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.melta")
@pytest.mark.parametrize(("gap", "damage"), [(6.0, 5), (6.1, 3)])
def test_melta_adds_damage_within_half_range(gap, damage):
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(12, BS=2, S=8, D="D6", abilities=["Melta 2"])}), at=(10, 10))
    x = scene.unit(1, sheet("X", Sv=6, W=9), at=(10, 11 + gap))
    battle = scene.battle("shooting", dice=[2, 2, 1, 3])
    pick(battle, "Guns")
    assert battle.models.wounds[x.first] == 9 - damage
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Pistol


SIDEARM = {"pistol": ranged(12, abilities=["Pistol"]), "rifle": ranged(24, A=2)}


@pytest.mark.rule("w10.weapon.pistol.eligible")
def test_one_pistol_makes_an_engaged_unit_eligible():
    def shown(kinds, moved=Moved.STATIONARY):
        scene = Scene()
        unit = scene.unit(0, squad("Men", kinds, SIDEARM), at=(10, 10), models=5, moved=moved)
        scene.unit(1, sheet("X"), at=(10, 12))  # 1" away
        return offered(scene.battle("shooting"), "select-to-shoot") == [unit]

    assert shown([(4, ["rifle"]), (1, ["pistol"])])
    assert not shown([(5, ["rifle"])])
    assert not shown([(4, ["rifle"]), (1, ["pistol"])], Moved.FELL_BACK)


def engaged_with_two(detail):
    """A unit of three with pistols and rifles, engaged with X and Y (so is a friendly unit); Z stands 3" away."""
    scene = Scene()
    scene.unit(0, sheet("Men", weapons=SIDEARM), at=(10, 10), models=3)
    scene.unit(0, sheet("Friends", weapons={"fist": melee()}), at=(8.2, 11.8))
    x = scene.unit(1, sheet("X"), at=(10, 11.8))
    y = scene.unit(1, sheet("Y"), at=(13, 11.8))
    scene.unit(1, sheet("Z"), at=(11.5, 6))
    return scene.battle("shooting", detail=detail, dice=3 * [1]), x, y


@pytest.mark.rule("w10.weapon.pistol.engaged-targets")
def test_squad_detail_an_engaged_unit_fires_its_pistols_at_one_unit_it_is_engaged_with():
    battle, x, y = engaged_with_two("squad")
    assert offered(battle, "select-to-shoot") == [0]
    pick(battle, "Men")
    assert sorted(words(battle).values()) == ["X", "Y"]
    pick(battle, "Y")
    assert hits(battle) == [(k, y) for k in range(3)]  # pistols of A 1, no rifles of A 2
    assert dice_left(battle) == 0
    battle, x, y = engaged_with_two("squad")
    pick(battle, "Men")
    pick(battle, "X")
    assert hits(battle) == [(k, x) for k in range(3)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.pistol.engaged-targets")
def test_full_detail_the_first_target_binds_the_whole_unit():
    battle, x, _ = engaged_with_two("full")
    pick(battle, "Men")
    assert asked(battle).endswith("1, pistol")
    assert sorted(w.split(": ")[1] for w in words(battle).values()) == ["at X", "at Y", "hold fire"]
    pick(battle, "at X")
    for k in (2, 3):
        assert asked(battle).endswith(f"{k}, pistol")
        assert sorted(w.split(": ")[1] for w in words(battle).values()) == ["at X", "hold fire"]
        pick(battle, "at X")
    assert hits(battle) == [(k, x) for k in range(3)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.pistol.engaged-monster-vehicle")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_an_engaged_vehicle_fires_everything(detail):
    weapons = {"cannon": ranged(24, BS=3), "pistol": ranged(12, BS=3, abilities=["Pistol"])}
    scene = Scene()
    scene.unit(0, sheet("Tank", weapons=weapons, keywords=("VEHICLE",)), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 11.5))
    scene.unit(1, sheet("Y"), at=(20, 10))
    battle = scene.battle("shooting", detail=detail, dice=[3, 2])
    pick(battle, "Tank")
    if detail == "squad":
        pick(battle, "Y")
    else:
        declare(battle, "at Y", "at X")  # not even bound to one target
        pick(battle, "Y", kind="target-order")
    shown = [(e["target"], e["needed"]) for e in told(battle, "w10.attack.hit.roll")]
    assert shown == [(2, 4), (1 if detail == "full" else 2, 3)]
    assert dice_left(battle) == 0


def pistol_or_rifle(keyword, *answers):
    """Hit rolls of a model with a bolt pistol (A 1) and a bolt rifle (A 2) after these declarations."""
    scene = Scene()
    scene.unit(0, sheet("Man", weapons=SIDEARM, keywords=(keyword,)), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 18))
    battle = scene.battle("shooting", detail="full", dice=3 * [1])
    pick(battle, "Man")
    declare(battle, *answers)
    if battle.decision is not None and battle.decision.kind == "profile-order":
        pick(battle, "resolve pistol")
    count = len(hits(battle))
    assert dice_left(battle) == 3 - count
    return count


@pytest.mark.rule("w10.weapon.pistol.or-others")
def test_pistols_or_the_other_weapons():
    assert pistol_or_rifle("INFANTRY", "at X") == 1  # the rifle is not asked about any more
    assert pistol_or_rifle("INFANTRY", "hold fire", "at X") == 2
    assert pistol_or_rifle("VEHICLE", "at X", "at X") == 3
    assert pistol_or_rifle("MONSTER", "at X", "at X") == 3


@pytest.mark.rule("w10.weapon.pistol.or-others")
@pytest.mark.parametrize(("keyword", "gap", "attacks"), [("INFANTRY", 12, 2), ("VEHICLE", 12, 3), ("VEHICLE", 12.1, 2)])
def test_squad_detail_the_other_weapons_go_first(keyword, gap, attacks):
    scene = Scene()
    scene.unit(0, sheet("Man", weapons=SIDEARM, keywords=(keyword,)), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 11 + gap))
    battle = scene.battle("shooting", dice=attacks * [1])
    pick(battle, "Man")
    assert len(hits(battle)) == attacks
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.pistol.or-others")
def test_each_model_chooses_for_itself():
    scene = Scene()
    scene.unit(0, sheet("Men", weapons=SIDEARM), at=(10, 10), models=2)
    scene.unit(1, sheet("X"), at=(10, 18))
    battle = scene.battle("shooting", detail="full", dice=3 * [1])
    pick(battle, "Men")
    declare(battle, "at X", "hold fire", "at X")
    pick(battle, "resolve pistol", kind="profile-order")
    assert [k for k, _ in hits(battle)] == [0, 1, 1]
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Indirect Fire


def behind_a_wall(gap, abilities=("Indirect Fire",), scout=False, hull=False):
    """A mortar and a target ``gap`` away behind a wall; ``scout``: a second model of the unit sees the target.

    ``hull``: a large friendly model stands there instead of the wall, which gives nobody the Benefit of Cover.
    """
    scene = Scene()
    spots = [(5, 5), (18, 5)] if scout else [(5, 5)]
    data = squad(
        "Mortar", [(1, ["mortar"])] + scout * [(1, [])], {"mortar": ranged(36, BS=4, S=8, abilities=list(abilities))}
    )
    scene.unit(0, data, at=spots)
    if hull:
        scene.unit(0, sheet("Hull", hull_in=(1, 21), height=10), at=(15.5, 11.5, 0, 0))
    else:
        scene.box(15, 1, 16, 22, 10)
    scene.unit(1, sheet("X", Sv=4), at=(6 + gap, 5))
    return scene


@pytest.mark.rule("w10.weapon.indirect-fire.targets")
def test_indirect_fire_reaches_unseen_targets_in_range():
    battle = behind_a_wall(30).battle("shooting", dice=[5, 2, 2])
    assert offered(battle, "select-to-shoot") == [0]
    pick(battle, "Mortar")
    assert battle.units.alive[1] == 0  # its models may be destroyed
    assert dice_left(battle) == 0
    assert offered(behind_a_wall(36).battle("shooting"), "select-to-shoot") == [0]
    assert offered(behind_a_wall(37).battle("shooting"), "select-to-shoot") == []
    assert offered(behind_a_wall(30, abilities=()).battle("shooting"), "select-to-shoot") == []


@pytest.mark.rule("w10.weapon.indirect-fire.penalty")
@pytest.mark.parametrize(("scout", "to_hit", "to_save"), [(False, 5, 3), (True, 4, 4)])
def test_the_penalty_is_for_targets_that_no_model_of_the_unit_sees(scout, to_hit, to_save):
    battle = behind_a_wall(30, scout=scout, hull=True).battle("shooting", dice=[to_hit, 2, to_save])
    pick(battle, "Mortar")
    (hit,), (save,) = told(battle, "w10.attack.hit.roll"), told(battle, "w10.attack.save.roll")
    assert (hit["needed"], hit["result"]) == (to_hit, 1)
    assert (save["needed"], save["result"]) == (to_save, 1)
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Blast


@pytest.mark.rule("w10.weapon.blast.engaged")
def test_blast_is_never_fired_at_an_engaged_unit():
    weapons = {"gun": ranged(24), "cannon": ranged(24, A="D6", abilities=["Blast"])}
    scene = Scene()
    scene.unit(0, sheet("Tank", weapons=weapons, keywords=("VEHICLE",)), at=(10, 10))
    scene.unit(0, sheet("U"), at=(30, 11.8))
    scene.unit(1, sheet("X"), at=(10, 11.8))  # 0.8" from the Tank
    scene.unit(1, sheet("Monster", keywords=("MONSTER",)), at=(30, 10))  # within 1" of U
    scene.unit(1, sheet("Open"), at=(18, 25))
    battle = scene.battle("shooting", detail="full")
    pick(battle, "Tank")
    assert asked(battle).endswith("gun")
    assert sorted(w.split(": ")[1] for w in words(battle).values()) == ["at Monster", "at Open", "at X", "hold fire"]
    pick(battle, "at X")
    assert asked(battle).endswith("cannon")
    assert sorted(w.split(": ")[1] for w in words(battle).values()) == ["at Open", "hold fire"]


@pytest.mark.rule("w10.weapon.blast.engaged")
def test_squad_detail_the_blast_weapon_takes_another_target():
    weapons = {"gun": ranged(24), "cannon": ranged(24, A=2, abilities=["Blast"])}
    scene = Scene()
    scene.unit(0, sheet("Tank", weapons=weapons, keywords=("VEHICLE",)), at=(10, 10))
    x = scene.unit(1, sheet("X"), at=(10, 11.8))
    free = scene.unit(1, sheet("Open"), at=(20, 10))
    battle = scene.battle("shooting", dice=3 * [1])
    pick(battle, "Tank")
    pick(battle, "X")
    assert hits(battle) == [(0, x), (0, free), (0, free)]
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.blast.extra")
@pytest.mark.parametrize(("models", "attacks"), [(4, 9), (5, 10), (10, 11), (11, 11)])
def test_blast_counts_the_models_when_the_target_is_selected(models, attacks):
    """Another weapon may destroy models first: the number is that of the moment of selection."""
    weapons = {"first": ranged(24, BS=2, S=8), "blast": ranged(24, A="2D6", abilities=["Blast"])}
    scene = Scene()
    scene.unit(0, sheet("Tank", weapons=weapons), at=(10, 10))
    x = scene.unit(1, sheet("X", Sv=6), at=(10, 20), models=models)
    battle = scene.battle("shooting", dice=[2, 2, 1] + [4, 5] + attacks * [1])
    pick(battle, "Tank")
    assert len(told(battle, "w10.attack.damage.destroyed")) == 1
    assert battle.units.alive[x] == models - 1
    assert len(hits(battle)) == 1 + attacks
    assert dice_left(battle) == 0


# ---------------------------------------------------------------- Heavy, Torrent, One Shot, exclusive weapons


@pytest.mark.rule("w10.weapon.heavy")
@pytest.mark.parametrize(
    ("columns", "needed"),
    [({"moved": Moved.STATIONARY}, 3), ({"moved": Moved.NORMAL}, 4), ({"moved": Moved.STATIONARY, "arrived": 1}, 4)],
)
def test_heavy_weapons_of_a_unit_that_remained_stationary(columns, needed):
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=4, abilities=["Heavy"])}), at=(10, 10), **columns)
    scene.unit(1, sheet("X"), at=(10, 20))
    battle = scene.battle("shooting", dice=[3] + [1] * (needed == 3))
    pick(battle, "Guns")
    (roll,) = told(battle, "w10.attack.hit.roll")
    assert (roll["needed"], roll["result"]) == (needed, int(needed == 3))
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.weapon.heavy")
def test_a_normal_move_of_no_distance_is_a_move():
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"gun": ranged(24, BS=4, abilities=["Heavy"])}), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 20))

    def needed(move):
        battle = scene.battle("movement")
        while battle.decision.kind != "select-to-shoot":
            fits = [a for a, w in words(battle).items() if move in w]
            stay = battle.setup.space.cell + battle.setup.space.grid**2 // 2
            options = battle.decision.options
            battle.apply(fits[0] if fits else stay if stay in options else options[0])
        assert battle.models.y[0] == pytest.approx(10)
        pick(battle, "Guns")
        return told(battle, "w10.attack.hit.roll")[0]["needed"]

    assert needed("Remain Stationary") == 3
    assert needed("Normal move") == 4


@pytest.mark.rule("w10.weapon.torrent")
def test_torrent_hits_without_dice():
    scene = Scene()
    flamer = ranged(12, A="D6", BS=None, S=4, abilities=["Torrent"])
    scene.unit(0, sheet("Tank", weapons={"flamer": flamer}, keywords=("VEHICLE",)), at=(10, 10))
    scene.unit(1, sheet("X", abilities={"stealth": True}), at=(10, 11.9))  # engaged: modifiers do not matter
    battle = scene.battle("shooting", dice=[4] + 4 * [1])
    pick(battle, "Tank")
    assert told(battle, "w10.attack.hit.roll") == []
    assert len(told(battle, "w10.attack.wound.roll")) == 4
    assert dice_left(battle) == 0


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_one_shot_weapons_fire_once_in_a_battle(detail):
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons={"rocket": ranged(24, abilities=["One Shot"])}), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 20))
    battle = scene.battle("shooting", detail=detail, dice=[1])
    pick(battle, "Guns")
    if detail == "full":
        declare(battle, "at X")
    assert len(hits(battle)) == 1
    while battle.clock.round[0] < 3 and not battle.over:
        assert battle.decision.kind != "select-to-shoot"
        still = [a for a, w in words(battle).items() if "Stationary" in w]
        battle.apply(still[0] if still else battle.decision.options[0])
    assert len(hits(battle)) == 1
    assert battle.clock.round[0] == 3


@pytest.mark.parametrize("detail", ["squad", "full"])
def test_weapons_of_one_slot_exclude_each_other(detail):
    """Of two weapons that share a slot a model fires one, whatever stands between them on its list."""
    weapons = {"one": {**ranged(24, A=1), "slot": 1}, "gun": ranged(24, A=3), "two": {**ranged(24, A=5), "slot": 1}}
    scene = Scene()
    scene.unit(0, sheet("Guns", weapons=weapons), at=(10, 10))
    scene.unit(1, sheet("X"), at=(10, 20))
    battle = scene.battle("shooting", detail=detail, dice=8 * [1])
    pick(battle, "Guns")
    if detail == "full":
        declare(battle, "at X", "at X")
        pick(battle, "resolve one", kind="profile-order")
    assert len(hits(battle)) == (8 if detail == "squad" else 4)
    assert dice_left(battle) == 8 - len(hits(battle))
