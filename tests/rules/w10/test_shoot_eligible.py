"""Shooting phase: the sequence, which units can be selected, and what an engaged unit may do (w10.shoot.*)."""

from __future__ import annotations

import pytest

from wh_env.rulesets.w40k.codes import Moved
from wh_env.testing import Scene, choose, dice_left, melee, offered, pick, ranged, sheet, slots, told

GUN = ranged(24, BS=3)
FAR = (30, 40)


def gunners(name="Guns", weapon=GUN, **fields):
    """A unit with one gun each."""
    return sheet(name, weapons={"gun": weapon}, **fields)


def eligible(shooter, *, enemy=None, at=(10.0, 10.0), enemy_at=(20.0, 10.0), **columns):
    """Whether a lone unit of the turn player is offered for shooting; the same for either player."""
    seats = []
    for player in (0, 1):
        scene = Scene()
        unit = scene.unit(player, shooter, at=at, **columns)
        scene.unit(1 - player, enemy or sheet("Enemy", weapons={"fist": melee()}), at=enemy_at)
        battle = scene.battle("shooting", active=player)
        seats.append(unit.number in offered(battle, "select-to-shoot") and battle.decision.player == player)
    assert seats[0] == seats[1]
    return seats[0]


@pytest.mark.rule("w10.shoot.sequence")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_all_attacks_of_one_unit_come_before_the_next_is_selected(detail):
    scene = Scene()
    scene.unit(0, gunners("Alpha", ranged(24, A=5, BS=3)), at=(10, 10))
    scene.unit(0, gunners("Beta"), at=(30, 10))
    scene.unit(1, sheet("Left", Sv=5), at=(10, 25), models=5)
    scene.unit(1, sheet("Right", Sv=5), at=(30, 25), models=5)
    # Alpha: 5 hit rolls, 3 wound rolls, 2 saves (one failed); then Beta: misses
    battle = scene.battle("shooting", dice=[3, 4, 5, 2, 2, 4, 4, 1, 5, 4, 2], detail=detail)
    pick(battle, "Alpha", kind="select-to-shoot")
    assert battle.decision.kind in ("shoot-target", "weapon-target")
    pick(battle, "Left" if detail == "squad" else "at Left")
    while battle.decision.kind == "allocate":
        choose(battle, "model", slots(battle, "model")[0])
    assert dice_left(battle) == 1
    assert battle.decision.kind == "select-to-shoot"
    assert [e["unit"] for e in told(battle, "w10.shoot.select-unit")] == [0]
    pick(battle, "Beta", kind="select-to-shoot")
    assert battle.decision.kind in ("shoot-target", "weapon-target")
    pick(battle, "Right" if detail == "squad" else "at Right")
    assert dice_left(battle) == 0
    order = [e.rule for e in battle.events if e.rule in ("w10.shoot.select-unit", "w10.attack.hit.roll")]
    assert order == ["w10.shoot.select-unit"] + 5 * ["w10.attack.hit.roll"] + order[6:]
    assert order[6:] == ["w10.shoot.select-unit", "w10.attack.hit.roll"]
    assert battle.units.alive[2] == 4  # one failed save
    assert battle.units.alive[3] == 5


@pytest.mark.rule("w10.shoot.select-unit")
def test_each_unit_shoots_once_and_the_player_may_stop():
    scene = Scene()
    units = [scene.unit(0, gunners(name), at=(x, 10)) for name, x in (("A", 10), ("B", 20), ("C", 30))]
    scene.unit(1, sheet("Enemy"), at=(20, 20))
    battle = scene.battle("shooting", dice=[1, 1])
    assert offered(battle, "select-to-shoot") == units
    pick(battle, "B")
    assert offered(battle, "select-to-shoot") == [units[0], units[2]]
    pick(battle, "A")
    assert offered(battle, "select-to-shoot") == [units[2]]
    assert dice_left(battle) == 0
    assert slots(battle, "done") == [0]  # shooting is optional
    choose(battle, "done")
    assert battle.decision is None or battle.decision.kind != "select-to-shoot"
    assert [e["unit"] for e in told(battle, "w10.shoot.select-unit")] == [1, 0]
    assert "Charge" in [e["phase"] for e in told(battle, "w10.round.phases")]


@pytest.mark.rule("w10.shoot.select-unit")
def test_only_the_turn_player_shoots():
    scene = Scene()
    scene.unit(0, gunners("Mine"), at=(10, 10))
    scene.unit(1, gunners("Theirs"), at=(20, 10))
    battle = scene.battle("shooting", active=1)
    assert battle.decision.player == 1
    assert offered(battle, "select-to-shoot") == [0]  # slot 0 of player 1
    assert battle.describe(battle.decision.options[1]) == "Theirs"


@pytest.mark.rule("w10.shoot.eligible")
def test_eligible_unless_it_advanced_or_fell_back():
    scene = Scene()
    moves = (Moved.STATIONARY, Moved.NORMAL, Moved.ADVANCE, Moved.FELL_BACK)
    units = [scene.unit(0, gunners(), at=(10 + 5 * k, 10), moved=moves[k]) for k in range(4)]
    scene.unit(1, sheet("Enemy"), at=(20, 20))
    assert offered(scene.battle("shooting"), "select-to-shoot") == units[:2]


@pytest.mark.rule("w10.weapon.assault")
def test_assault_weapons_make_a_unit_that_advanced_eligible():
    mixed = sheet("Mixed", weapons={"gun": GUN, "carbine": ranged(18, abilities=["Assault"])})
    one_of_five = {
        **mixed,
        "models": [
            {**mixed["models"][0], "name": "Leader", "min": 1, "max": 1, "weapons": ["carbine"]},
            {**mixed["models"][0], "name": "Man", "min": 4, "max": 4, "weapons": ["gun"]},
        ],
        "points": [{"models": 5, "points": 100}],
    }
    row = [(10.0 + 1.5 * k, 10.0) for k in range(5)]
    assert eligible(one_of_five, at=row, moved=Moved.ADVANCE)
    assert not eligible(one_of_five, at=row, moved=Moved.FELL_BACK)
    assert not eligible(gunners(), moved=Moved.ADVANCE)
    assert not eligible(gunners(weapon=ranged(24, abilities=["Assault"])), moved=Moved.FELL_BACK)
    # the Assault weapon must itself have a target: at 19" only the guns would
    assert not eligible(one_of_five, at=row, enemy_at=(10, 30), moved=Moved.ADVANCE)
    assert eligible(one_of_five, at=row, enemy_at=(10, 30), moved=Moved.NORMAL)


@pytest.mark.rule("w10.shoot.targets.none")
def test_a_unit_without_a_target_is_not_offered():
    scene = Scene()
    near = scene.unit(0, gunners("Near"), at=(10, 10))
    scene.unit(0, gunners("Too far"), at=(10, 2))
    scene.unit(0, sheet("Unarmed", weapons={"fist": melee()}), at=(20, 20))
    scene.unit(1, sheet("Enemy"), at=(10, 35))
    assert offered(scene.battle("shooting"), "select-to-shoot") == [near]


@pytest.mark.rule("w10.shoot.targets.none")
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_models_without_a_target_do_not_shoot_while_the_others_do(detail):
    scene = Scene()
    # 24" reaches the enemy at y = 30 from y = 5, not from y = 4.8
    squad = scene.unit(0, gunners("Squad"), at=[(10, 5), (12, 5), (10, 3.5), (12, 3.5), (14, 3.5)])
    scene.unit(1, sheet("Enemy"), at=(11, 30 - 0.03))
    scene.unit(1, sheet("Far away"), at=(58, 42))
    battle = scene.battle("shooting", dice=[1, 1], detail=detail)
    assert offered(battle, "select-to-shoot") == [squad]
    pick(battle, "Squad")
    asked = 0
    while battle.decision is not None and battle.decision.kind == "weapon-target":
        asked += 1
        pick(battle, "at Enemy")
    assert asked == (2 if detail == "full" else 0)
    assert len(told(battle, "w10.attack.hit.roll")) == 2
    assert {e["attacker"] for e in told(battle, "w10.attack.hit.roll")} == {squad.model(0), squad.model(1)}
    assert dice_left(battle) == 0


def test_targets_are_looked_for_again_in_every_shooting_phase():
    """A unit that had a target is not offered in a later turn when both have moved apart, and the reverse."""
    scene = Scene()
    scene.unit(0, gunners("Guns"), at=(10, 10))
    scene.unit(0, gunners("Others"), at=(50, 10))
    enemy = scene.unit(1, sheet("Enemy"), at=(10, 30))
    battle = scene.battle("shooting")
    assert offered(battle, "select-to-shoot") == [0]
    choose(battle, "done")
    battle.models.x[enemy.first] = 50.0  # as if moved in the meantime
    while battle.decision.kind != "select-to-shoot":
        done = [a for a in battle.decision.options if "Stationary" in battle.describe(a)]
        battle.apply(done[0] if done else battle.decision.options[0])
    assert battle.clock.turn[0] == 0
    assert battle.clock.round[0] == 2
    assert offered(battle, "select-to-shoot") == [1]


# ---------------------------------------------------------------- engaged units


@pytest.mark.rule("w10.shoot.locked-in-combat.shooter")
def test_an_engaged_unit_is_not_eligible():
    # one of its models 1.0" from an enemy model (bases of 1"): engaged; 1.1": not
    squad = [(10.0, 10.0), (11.5, 10.0), (13.0, 10.0)]
    assert not eligible(gunners(), at=squad, enemy_at=(15.0, 10.0))
    assert eligible(gunners(), at=squad, enemy_at=(15.1, 10.0))


@pytest.mark.rule("w10.shoot.locked-in-combat.shooter")
def test_an_engaged_unit_cannot_shoot_at_another_target_either():
    scene = Scene()
    scene.unit(0, gunners("Locked"), at=(10, 10))
    free = scene.unit(0, gunners("Free"), at=(10, 14))
    scene.unit(1, sheet("Close"), at=(12, 10))
    scene.unit(1, sheet("Open"), at=(10, 25))
    assert offered(scene.battle("shooting"), "select-to-shoot") == [free]


@pytest.mark.rule("w10.shoot.big-guns.eligible")
@pytest.mark.parametrize("keyword", ["VEHICLE", "MONSTER"])
def test_monsters_and_vehicles_shoot_while_engaged(keyword):
    big = gunners(keywords=(keyword,))
    assert eligible(big, enemy_at=(11.5, 10.0), moved=Moved.STATIONARY)  # 0.5" apart
    assert not eligible(gunners(), enemy_at=(11.5, 10.0), moved=Moved.STATIONARY)
    # other reasons for not being eligible still apply
    assert not eligible(big, enemy_at=(11.5, 10.0), moved=Moved.FELL_BACK)
    assert not eligible(big, enemy_at=(11.5, 10.0), moved=Moved.ADVANCE)


@pytest.mark.rule("w10.shoot.big-guns.engaged-infantry")
def test_a_unit_engaged_with_a_vehicle_is_locked_unless_it_has_pistols():
    tank = sheet("Tank", keywords=("VEHICLE",))
    assert not eligible(gunners(), enemy=tank, enemy_at=(11.9, 10.0))
    scene = Scene()
    unit = scene.unit(0, gunners(weapon=ranged(12, BS=4, S=8, abilities=["Pistol"])), at=(10, 10), models=2)
    other = scene.unit(0, gunners("Others", ranged(24, BS=4)), at=(10, 20))
    scene.unit(1, sheet("Tank", T=8, W=5, Sv=7 - 1, keywords=("VEHICLE",)), at=(10, 11.9))
    # Pistols of BS 4+ hit on 4 without any -1 (one hit, one miss); then wound roll and save fail
    battle = scene.battle("shooting", dice=[4, 3, 4, 1, 4])
    assert offered(battle, "select-to-shoot") == [unit, other]
    pick(battle, "Guns")
    hits = told(battle, "w10.attack.hit.roll")
    assert [(e["die"], e["needed"], e["result"]) for e in hits] == [(4, 4, 1), (3, 4, 0)]
    assert battle.models.wounds[3] == 4
    # other eligible friendly units may shoot the VEHICLE too, at -1
    pick(battle, "Others")
    assert told(battle, "w10.attack.hit.roll")[-1]["needed"] == 5
    assert dice_left(battle) == 0
