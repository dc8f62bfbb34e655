"""Which units shoot, and that their weapons are fired (w8.shoot.select, .once, .ineligible.*, .all-weapons.*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene
from eighth_shooting import HIT, SAVE, WOUND, declare, gunners, shots, squad, targets, waits, wounds

from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import choose, dice_left, melee, offered, pick, ranged, sheet, slots, words


@pytest.mark.rule("w8.shoot.sequence")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_unit_target_weapon_then_the_attack(player, detail):
    """Of two units and two targets: first who shoots is chosen, then at whom with what; then the attack, die by die, up to the Wound."""
    scene = EighthScene()
    guns = scene.unit(player, gunners(), at=(10, 10), models=1)
    scene.unit(player, gunners("Others"), at=(20, 10), models=1)
    unit = scene.unit(1 - player, sheet("X", Sv=3, W=9), at=(10, 21), models=1)
    scene.unit(1 - player, sheet("Y", W=9), at=(16, 21), models=1)
    battle = scene.battle("shooting", active=player, detail=detail, dice=[4, 4, 2])
    asked = [battle.decision.kind]
    pick(battle, "Guns")
    asked.append(battle.decision.kind)
    if detail == "squad":
        assert targets(battle) == ["X", "Y"]
        pick(battle, "X")
    else:
        assert all(text.startswith("Guns 1, gun: ") for text in words(battle).values())
        pick(battle, "at X")
    assert asked == ["select-to-shoot", "shoot-target" if detail == "squad" else "weapon-target"]
    log = [(e.rule, e.data) for e in battle.events if e.rule.startswith(("w8.shoot", "w8.attack"))]
    assert [rule for rule, _ in log[:2]] == ["w8.shoot.select", "w8.shoot.attacks"]
    assert log[0][1]["unit"] == guns.row
    assert (log[1][1]["attacker"], log[1][1]["target"]) == (guns.first, unit.row)
    assert [(rule, data["die"], data["result"]) for rule, data in log[2:]] == [
        (HIT, 4, 1), (WOUND, 4, 1), ("w8.attack.allocate", 0, 0), (SAVE, 2, 0), ("w8.attack.damage", 0, 1), ("w8.attack.damage", 0, 8),
    ]  # fmt: skip
    assert wounds(battle, unit) == [8]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.select", "w8.shoot.once")
@pytest.mark.parametrize("player", [0, 1])
def test_one_unit_after_the_other_each_once_as_long_as_the_player_wishes(player):
    scene = EighthScene()
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
    assert len(shots(battle)) == 2  # Guns 1 does not shoot
    assert battle.clock.phase[0] != 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.once")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_models_without_a_target_do_not_shoot_later(detail):
    """One of two models reaches; when it has shot, the unit is not offered again."""
    scene = EighthScene()
    scene.unit(0, gunners(), at=[(10, 12), (10, 10)])
    scene.unit(0, gunners("Others"), at=(20, 20))
    scene.unit(1, sheet("X", W=9), at=(10, 36.5))
    battle = scene.battle("shooting", detail=detail, dice=[1])
    pick(battle, "Guns")
    declare(battle, "at X")
    if waits(battle, "shoot-target"):
        pick(battle, "X")
    assert len(shots(battle)) == 1
    assert offered(battle, "select-to-shoot") == [1]


@pytest.mark.rule("w8.shoot.ineligible.advanced", "w8.shoot.ineligible.fell-back", "w8.shoot.assault.unit-eligible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("keywords", "moved", "types", "eligible"),
    [
        (("INFANTRY",), Moved.NORMAL, ["Rapid Fire 1"], True),
        (("INFANTRY",), Moved.ADVANCE, ["Rapid Fire 1"], False),
        (("INFANTRY",), Moved.ADVANCE, ["Heavy"], False),
        (("INFANTRY", "FLY"), Moved.ADVANCE, ["Heavy"], False),
        (("INFANTRY",), Moved.ADVANCE, ["Assault"], True),
        (("INFANTRY",), Moved.FELL_BACK, ["Rapid Fire 1"], False),
        (("INFANTRY",), Moved.FELL_BACK, ["Assault"], False),
        (("VEHICLE", "TITANIC"), Moved.FELL_BACK, ["Heavy"], False),
        (("INFANTRY", "FLY"), Moved.FELL_BACK, ["Rapid Fire 1"], True),
        (("VEHICLE", "FLY"), Moved.FELL_BACK, ["Heavy"], True),
    ],
)
def test_who_cannot_shoot_for_how_it_moved(player, keywords, moved, types, eligible):
    scene = EighthScene()
    scene.unit(player, gunners(weapon=ranged(24, abilities=types), keywords=keywords), at=(10, 10), moved=moved)
    scene.unit(1 - player, sheet("X"), at=(10, 20))
    assert offered(scene.battle("shooting", active=player), "select-to-shoot") == [0] * eligible


@pytest.mark.rule("w8.shoot.assault.unit-eligible", "w8.shoot.ineligible.advanced")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_after_an_advance_only_the_assault_weapon_fires(player, detail):
    weapons = {
        "carbine": ranged(24, A=2, BS=3, abilities=["Assault"]),
        "rifle": ranged(24, BS=3, abilities=["Rapid Fire 1"]),
    }
    men = squad("Men", [(1, ["carbine"]), (4, ["rifle"])], weapons)
    scene = EighthScene()
    unit = scene.unit(player, men, at=(10, 10), models=5, moved=Moved.ADVANCE)
    scene.unit(1 - player, sheet("X", W=9), at=(10, 30))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[1, 1])
    pick(battle, "Men")
    declare(battle, "at X")
    assert [attacker for attacker, _ in shots(battle)] == 2 * [unit.first]
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.ineligible.engaged", "w8.shoot.pistol.unit-eligible")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("keywords", "types", "gap", "eligible"),
    [
        (("INFANTRY",), ["Rapid Fire 1"], 1.0, False),
        (("INFANTRY",), ["Rapid Fire 1"], 1.1, True),
        (("VEHICLE",), ["Heavy"], 1.0, False),
        (("INFANTRY", "FLY"), ["Assault"], 1.0, False),
        (("INFANTRY",), ["Pistol"], 1.0, True),
    ],
)
def test_one_model_near_an_enemy_holds_its_whole_unit(player, keywords, types, gap, eligible):
    scene = EighthScene()
    data = gunners(weapon=ranged(24, abilities=types), keywords=keywords)
    scene.unit(player, data, at=[(10 + 1.5 * n, 10) for n in range(10)])
    scene.unit(1 - player, sheet("X"), at=(10, 11 + gap))
    scene.unit(1 - player, sheet("Y"), at=(20, 30))
    assert offered(scene.battle("shooting", active=player), "select-to-shoot") == [0] * eligible


@pytest.mark.rule("w8.shoot.all-weapons", "w8.shoot.attacks")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_a_model_fires_all_that_it_has(player, detail):
    weapons = {"carbine": ranged(24, A=2, abilities=["Assault"]), "cannon": ranged(36, abilities=["Heavy"])}
    scene = EighthScene()
    scene.unit(player, sheet("Guns", weapons=weapons), at=(10, 10))
    scene.unit(1 - player, sheet("X", W=9), at=(10, 20))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[1, 1, 1])
    pick(battle, "Guns")
    if detail == "full":
        pick(battle, "resolve cannon", kind="profile-order")
    assert len(shots(battle)) == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.shoot.all-weapons.mandatory", "w8.shoot.target.per-model")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_weapons_with_a_target_are_fired_and_no_others(player, detail):
    """Two models 23" from the only enemy, three 25"; nobody is asked whether they hold fire."""
    scene = EighthScene()
    spots = [(10, 10), (11.2, 10), (10, 8), (11.2, 8), (12.4, 8)]
    unit = scene.unit(player, gunners(), at=spots)
    scene.unit(1 - player, sheet("X", W=9), at=(10.6, 34))
    battle = scene.battle("shooting", active=player, detail=detail, dice=[1, 1])
    pick(battle, "Guns")
    while waits(battle, "weapon-target"):
        assert targets(battle) == ["X"]
        assert not battle.legal()[0]
        assert not any("hold" in text for text in words(battle).values())
        pick(battle, "at X")
    assert [attacker for attacker, _ in shots(battle)] == [unit.model(0), unit.model(1)]
    assert dice_left(battle) == 0
