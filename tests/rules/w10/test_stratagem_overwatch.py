"""Fire Overwatch (w10.stratagem.fire-overwatch.*)."""

from __future__ import annotations

from math import hypot

import pytest

from wh_env.testing import (
    Scene,
    cell_nearest,
    choose,
    dice_left,
    kind,
    pick,
    play_until,
    ranged,
    script,
    sheet,
    slots,
    told,
    words,
)

POOR = {"cp_each_command_phase": 0}
USE = "Fire Overwatch: Guards"


def scene_of(away, *, gun=None, W=9, others=True):
    """A Runner of player 0 in its Movement phase and Guards of player 1 ``away`` inches (base to base) north of it."""
    scene = Scene()
    scene.unit(0, sheet("Runner", W=W, M=6), at=(30, 12))
    if others:
        scene.unit(0, sheet("Idle"), at=(50, 3))
    gun = gun or ranged(36, A=1, BS=2)
    scene.unit(1, sheet("Guards", weapons={"gun": gun}), at=(30, 13 + away))
    return scene


def move(battle, dy, reach=6.0):
    """Answer a move-to decision by a displacement along y."""
    assert kind(battle) == "move-to"
    choose(battle, "cell", cell_nearest(battle, 0.0, dy, reach))


def begin(battle, what="Normal move"):
    pick(battle, "Runner", kind="select-to-move")
    pick(battle, what, kind="move-kind")


# ---------------------------------------------------------------- when and who


@pytest.mark.rule("w10.stratagem.fire-overwatch")
@pytest.mark.parametrize(("away", "offered"), [(24.0, True), (24.1, False)])
def test_at_the_end_of_a_move_24_inches_away(away, offered):
    """The Runner moves 1.5" nearer and ends ``away`` inches off: a unit without combat may shoot at it now or not."""
    battle = scene_of(away + 1.5).battle("movement", cp=(0, 1), rules=POOR)
    begin(battle)
    move(battle, 1.5)
    assert battle.distance(0, 2) == pytest.approx(away)
    assert (kind(battle) == "fire-overwatch") == offered
    if offered:
        assert battle.decision.player == 1 and battle.decision.subject == 0
        assert sorted(words(battle).values()) == [USE, "no Fire Overwatch"]


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_it_must_be_in_sight():
    scene = scene_of(20)
    scene.wall(0, 24, 60, 24, 6.0)
    battle = scene.battle("movement", cp=(0, 1), rules=POOR)
    begin(battle)
    move(battle, 1.5)
    assert kind(battle) == "select-to-move" or "Idle" in " ".join(words(battle).values())


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_at_the_start_and_at_the_end_of_each_kind_of_move():
    """Normal move and Advance: asked before anybody moves (after the Advance roll) and again where the unit ends."""
    for what, dice in (("Normal move", []), ("Advance", [3])):
        battle = scene_of(20).battle("movement", cp=(0, 1), rules=POOR, dice=dice)
        begin(battle, what)
        assert kind(battle) == "fire-overwatch" and battle.models.y[0] == 12
        assert dice_left(battle) == 0
        pick(battle, "no Fire Overwatch")
        move(battle, 1.5)
        assert kind(battle) == "fire-overwatch" and battle.models.y[0] > 13
        pick(battle, "no Fire Overwatch")
        assert battle.players.cp[1] == 1 and kind(battle) == "move-kind"


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_a_unit_that_stays_where_it_is_is_not_shot_at():
    battle = scene_of(20).battle("movement", cp=(0, 1), rules=POOR)
    begin(battle, "Remain Stationary")
    assert kind(battle) == "move-kind"


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_a_unit_falling_back_can_be_shot_at_when_it_is_out_of_combat():
    """While it is engaged with the Guards' friend nobody may target it; where its Fall Back ends they may."""
    scene = Scene()
    scene.unit(0, sheet("Runner", W=9), at=(30, 12))
    scene.unit(1, sheet("Guards", weapons={"gun": ranged(36)}), at=(36, 27))
    scene.unit(1, sheet("Fighter"), at=(30, 13.5))
    battle = scene.battle("movement", cp=(0, 1), rules=POOR)
    pick(battle, "Fall Back")
    assert kind(battle) == "fall-back-to"
    assert battle.models.y[0] == 12  # nobody was asked at the start
    choose(battle, "cell", battle.setup.space.grid // 2)
    assert kind(battle) == "fire-overwatch"
    assert USE in words(battle).values()


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_a_unit_that_is_set_up_can_be_shot_at():
    scene = Scene()
    scene.unit(0, sheet("Diver", abilities={"deep_strike": True}), models=1, reserves="deep-strike")
    scene.unit(0, sheet("Idle", M=0), at=(50, 3))
    scene.unit(1, sheet("Guards", weapons={"gun": ranged(36)}), at=(30, 22))
    battle = scene.battle("movement", round=2, cp=(0, 1), rules=POOR)
    while kind(battle) == "move-kind":
        pick(battle, "Remain Stationary")
    pick(battle, "Diver", kind="select-reserves")
    assert kind(battle) == "arrive-at"
    middle = min(words(battle).items(), key=lambda item: abs(float(item[1].split()[-2][:-1]) - 30))
    battle.apply(middle[0])
    assert kind(battle) == "fire-overwatch" and battle.decision.player == 1


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_a_unit_locked_in_combat_cannot_shoot_and_the_mover_must_not_be_engaged():
    """Guards in combat with another unit could not shoot in their Shooting phase; so they cannot now."""
    scene = scene_of(20)
    scene.unit(0, sheet("Holder"), at=(31.5, 33))
    battle = scene.battle("movement", cp=(0, 1), rules=POOR)
    assert battle.distance(2, 3) < 1.0 or battle.distance(3, 2) < 1.0
    begin(battle)
    assert kind(battle) == "move-to"


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_not_without_cp_in_the_own_turn_or_switched_off():
    for cp, rules, active in (((1, 0), POOR, 0), ((0, 1), {**POOR, "stratagems": {"fire-overwatch": "off"}}, 0)):
        battle = scene_of(20).battle("movement", cp=cp, rules=rules, active=active)
        begin(battle)
        assert kind(battle) == "move-to"


@pytest.mark.rule("w10.stratagem.fire-overwatch", "w10.command.battle-shock.stratagems")
def test_not_with_a_battle_shocked_unit():
    scene = Scene()
    scene.unit(0, sheet("Runner"), at=(30, 12))
    scene.unit(1, sheet("Guards", weapons={"gun": ranged(36)}), at=(30, 30), shocked=1)
    battle = scene.battle("movement", cp=(0, 1), rules=POOR)
    pick(battle, "Normal move")
    assert kind(battle) == "move-to"


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_only_the_moving_unit_can_be_shot_at():
    """Full detail: the weapon is asked about with the Runner as its only target, although the Idle unit is nearer."""
    scene = scene_of(20)
    scene.unit(0, sheet("Near"), at=(33, 26))
    battle = scene.battle(
        "movement", cp=(0, 1), rules={**POOR, "stratagems": {"command-re-roll": "off"}}, detail="full", dice=[1]
    )
    begin(battle)
    pick(battle, USE, kind="fire-overwatch")
    assert kind(battle) == "weapon-target" and battle.decision.player == 1
    assert slots(battle, "enemy") == [0] and slots(battle, "done") == [0]
    choose(battle, "enemy", 0)
    assert told(battle, "w10.attack.hit.roll")[-1]["target"] == 0
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_squad_detail_aims_every_weapon_at_the_moving_unit():
    """A weapon that does not reach the moving unit is not fired at anybody else."""
    scene = Scene()
    scene.unit(0, sheet("Runner", W=9), at=(30, 12))
    scene.unit(0, sheet("Near", W=9), at=(33, 26))
    weapons = {"long": ranged(36, A=1), "short": ranged(8, A=3)}
    scene.unit(1, sheet("Guards", weapons=weapons), at=(30, 32))
    battle = scene.battle("movement", cp=(0, 1), rules=POOR, dice=[6, 4, 1])
    begin(battle)
    pick(battle, USE)
    assert battle.models.wounds[0] == 8 and dice_left(battle) == 0
    assert len(told(battle, "w10.attack.hit.roll")) == 1


# ---------------------------------------------------------------- only sixes


@pytest.mark.rule("w10.stratagem.fire-overwatch.sixes")
@pytest.mark.parametrize(("dice", "lost"), [([5], 0), ([6, 4, 1], 1)])
def test_heavy_bs_2_hits_on_unmodified_sixes_only(dice, lost):
    gun = ranged(36, A=1, BS=2, abilities=["Heavy"])
    battle = scene_of(20, gun=gun).battle("movement", cp=(0, 1), rules=POOR, dice=dice)
    begin(battle)
    pick(battle, USE)
    assert battle.models.wounds[0] == 9 - lost
    roll = told(battle, "w10.attack.hit.roll")[-1]
    assert roll["needed"] == 6 and roll["result"] == (2 if lost else 0)  # a hit is a Critical Hit
    assert battle.players.cp[1] == 0 and dice_left(battle) == 0
    assert kind(battle) == "move-to"


@pytest.mark.rule("w10.stratagem.fire-overwatch.sixes")
def test_torrent_makes_no_hit_roll():
    battle = scene_of(20, gun=ranged(24, A=2, BS=None, abilities=["Torrent"])).battle(
        "movement", cp=(0, 1), rules=POOR, dice=[4, 4, 1, 1]
    )
    begin(battle)
    pick(battle, USE)
    assert battle.models.wounds[0] == 7 and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.fire-overwatch.sixes", "w10.stratagem.out-of-phase")
def test_in_its_own_shooting_phase_the_unit_shoots_as_ever():
    """Used in player 0's round 2 turn, the Guards are selected to shoot in player 1's round 2 Shooting phase, hitting on 2s."""
    battle = scene_of(20, others=False).battle("movement", round=2, cp=(0, 1), rules=POOR, dice=[5])
    pick(battle, "Normal move")
    pick(battle, USE)
    move(battle, 0.75)
    play_until(battle, "select-to-shoot")
    assert battle.clock.turn[0] == 1 and battle.clock.round[0] == 2
    script(battle, [2, 4, 1])
    pick(battle, "Guards")
    assert battle.models.wounds[0] == 8 and dice_left(battle) == 0


# ---------------------------------------------------------------- once per turn


@pytest.mark.rule("w10.stratagem.fire-overwatch.once-per-turn")
def test_once_in_a_turn_and_again_in_the_next_of_the_opponent():
    """3 CP: used in player 0's round 2 Movement phase, not offered in its Charge phase, offered again in round 3."""
    scene = Scene()
    scene.unit(0, sheet("Runner", W=20), at=(30, 12))
    scene.unit(1, sheet("Guards", W=20, weapons={"gun": ranged(36)}), at=(30, 23))
    rules = {**POOR, "stratagems": {"heroic-intervention": "off", "counter-offensive": "off"}}
    battle = scene.battle("movement", round=2, cp=(0, 3), rules=rules, dice=[1])
    pick(battle, "Normal move")
    pick(battle, USE)
    assert battle.players.cp[1] == 2
    move(battle, 0.75)
    assert kind(battle) == "select-to-charge"  # neither at the end of the move nor elsewhere in the phase
    script(battle, [6, 5])
    pick(battle, "Runner")
    while kind(battle) == "charge-target":
        choose(battle, "done" if battle.legal()[0] else "enemy")
    assert told(battle, "w10.charge.move")
    assert "fire-overwatch" not in (kind(battle),)
    assert len(told(battle, "w10.stratagem.fire-overwatch")) == 1
    again = scene.battle("movement", round=2, cp=(0, 3), rules=rules, dice=[1])
    pick(again, "Normal move")
    pick(again, USE)
    move(again, 0.0)
    for _ in range(200):
        if again.clock.round[0] == 3 and kind(again) == "move-kind" and again.decision.player == 0:
            break
        again.apply(again.first_legal())
    pick(again, "Normal move")
    assert kind(again) == "fire-overwatch" and again.decision.player == 1


@pytest.mark.rule("w10.stratagem.fire-overwatch.once-per-turn")
def test_not_used_in_the_movement_phase_it_is_offered_for_a_charge():
    """Before the move (the roll of 11 suffices) and, refused, after it."""
    scene = Scene()
    scene.unit(0, sheet("Runner", W=20), at=(30, 12))
    scene.unit(1, sheet("Target", W=20), at=(30, 20))
    scene.unit(1, sheet("Guards", W=20, weapons={"gun": ranged(36)}), at=(38, 32))
    battle = scene.battle("charge", round=2, cp=(0, 1), rules=POOR, dice=[6, 5])
    charge(battle)
    assert kind(battle) == "fire-overwatch" and battle.models.y[0] == 12 and dice_left(battle) == 0
    pick(battle, "no Fire Overwatch")
    assert battle.models.y[0] > 17
    assert kind(battle) != "fire-overwatch"  # it is locked in combat with a friend of the Guards now


def charge(battle, name="Runner", target=0):
    pick(battle, name, kind="select-to-charge")
    while kind(battle) == "charge-target":
        if battle.legal()[0]:
            choose(battle, "done")
        else:
            choose(battle, "enemy", target)


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_a_charging_vehicle_can_be_shot_at_before_or_after_its_move():
    """MONSTERS and VEHICLES can be targeted in combat: offered at the start of the Charge move and, left, at its end."""
    scene = Scene()
    scene.unit(0, sheet("Runner", W=20, keywords=("MONSTER",)), at=(30, 12))
    scene.unit(1, sheet("Target", W=20), at=(30, 20))
    scene.unit(1, sheet("Guards", W=20, weapons={"gun": ranged(36)}), at=(38, 32))
    battle = scene.battle("charge", round=2, cp=(0, 1), rules=POOR, dice=[6, 5])
    charge(battle)
    assert kind(battle) == "fire-overwatch" and battle.models.y[0] == 12
    pick(battle, "no Fire Overwatch")
    assert kind(battle) == "fire-overwatch" and battle.models.y[0] > 17
    pick(battle, "no Fire Overwatch")
    assert battle.players.cp[1] == 1


# ---------------------------------------------------------------- at the start of a move


@pytest.mark.rule("w10.stratagem.fire-overwatch.start-of-move")
def test_the_survivors_make_the_move():
    """Two models Advance; the roll is made first, then one of them is shot, then the other moves."""
    scene = Scene()
    scene.unit(0, sheet("Runner"), at=[(30, 12), (31.5, 12)])
    scene.unit(1, sheet("Guards", weapons={"gun": ranged(36)}), at=(30, 30))
    battle = scene.battle("movement", cp=(0, 1), rules=POOR, dice=[4, 6, 4, 1])
    pick(battle, "Advance")
    assert battle.units.advance[0] == 4
    pick(battle, USE)
    assert battle.units.alive[0] == 1 and dice_left(battle) == 0
    assert kind(battle) == "move-to"
    move(battle, 10.0, reach=10.0)
    here = [k for k in (0, 1) if battle.models.on_table[k]]
    assert len(here) == 1 and battle.models.y[here[0]] == pytest.approx(22.0)


@pytest.mark.rule("w10.stratagem.fire-overwatch.start-of-move")
def test_a_charge_whose_conditions_can_no_longer_be_met_fails():
    """Two models, a roll of 6: only the first is near enough. It is destroyed; the charge fails and nobody moves."""
    for dice, alive in (([3, 3, 6, 4, 1], 1), ([3, 3, 1], 2)):
        scene = Scene()
        scene.unit(0, sheet("Runner"), at=[(30, 14), (30, 12)], models=2)
        scene.unit(1, sheet("Target", W=9), at=(30, 21.5))
        scene.unit(1, sheet("Guards", weapons={"gun": ranged(36)}), at=(44, 24))
        battle = scene.battle("charge", cp=(0, 1), rules=POOR, dice=dice, set_state=wound_first)
        charge(battle)
        assert kind(battle) == "fire-overwatch"
        pick(battle, USE)
        assert battle.units.alive[0] == alive and dice_left(battle) == 0
        assert bool(told(battle, "w10.charge.move")) == (alive == 2)
        assert bool(told(battle, "w10.charge.failed")) == (alive == 1)
        if alive == 1:
            assert not battle.models.on_table[0] and (battle.models.x[1], battle.models.y[1]) == (30, 12)


def wound_first(battle):
    """The first model of the Runners takes the next attack."""
    battle.models.max_wounds[0] = 2
    battle.models.wounds[0] = 1


@pytest.mark.rule("w10.stratagem.fire-overwatch.start-of-move")
@pytest.mark.parametrize("phase", ["movement", "charge"])
def test_a_destroyed_unit_does_not_move_and_no_window_opens_at_the_end(phase):
    scene = Scene()
    scene.unit(0, sheet("Runner"), at=(30, 14))
    scene.unit(0, sheet("Idle"), at=(36, 14))
    scene.unit(1, sheet("Target", W=9), at=(30, 21.5))
    scene.unit(1, sheet("Guards", weapons={"gun": ranged(36)}), at=(44, 24))
    dice = [6, 4, 1] if phase == "movement" else [6, 6, 6, 4, 1]
    battle = scene.battle(phase, cp=(0, 5), rules=POOR, dice=dice)
    if phase == "movement":
        begin(battle)
    else:
        charge(battle)
    pick(battle, USE, kind="fire-overwatch")
    assert battle.units.alive[0] == 0 and dice_left(battle) == 0
    assert not told(battle, "w10.charge.move") and not told(battle, "w10.move.normal")
    # the phase goes on with the other unit; no window asks about the unit that is gone
    assert kind(battle) != "heroic-intervention"
    assert battle.decision.player == 0 and battle.decision.subject != 0
    assert len(told(battle, "w10.stratagem.fire-overwatch")) == 1


@pytest.mark.rule("w10.stratagem.fire-overwatch.start-of-move")
def test_a_leader_left_alone_goes_on_with_the_move():
    """The only Bodyguard model dies to Overwatch: its Leader, now a unit of its own, still makes the Normal move."""
    scene = Scene()
    squad = scene.unit(0, sheet("Runner"), at=(30, 12))
    hero = sheet("Hero", W=4, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": ["Runner"]})
    lead = scene.unit(0, hero, at=(31.5, 12), leads=squad)
    scene.unit(1, sheet("Guards", weapons={"gun": ranged(36)}), at=(30, 30))
    battle = scene.battle("movement", cp=(0, 1), rules=POOR, dice=[6, 4, 1])
    pick(battle, "Normal move")
    pick(battle, USE)
    assert battle.units.alive[squad] == 0 and battle.units.alive[lead] == 1
    assert kind(battle) == "move-to" and battle.decision.subject == lead
    move(battle, 6.0)
    assert hypot(battle.models.x[1] - 31.5, battle.models.y[1] - 18.0) < 1e-6
    assert battle.decision is None or kind(battle) != "move-kind"


@pytest.mark.rule("w10.stratagem.fire-overwatch")
def test_the_policy_shoots_at_chargers_only_with_the_unit_that_promises_most():
    rules = {**POOR, "stratagems": {"fire-overwatch": "delegate"}}
    battle = scene_of(20).battle("movement", cp=(0, 1), rules=rules)
    begin(battle)
    assert kind(battle) == "move-to"
    scene = Scene()
    scene.unit(0, sheet("Runner", W=9), at=(30, 12))
    scene.unit(1, sheet("Target", W=9), at=(30, 20))
    scene.unit(1, sheet("Weak", weapons={"gun": ranged(36, A=1)}), at=(44, 24))
    scene.unit(1, sheet("Strong", weapons={"gun": ranged(36, A=2)}), at=(48, 24))
    battle = scene.battle("charge", cp=(0, 1), rules=rules, dice=[6, 6, 1, 1])
    charge(battle)
    assert told(battle, "w10.stratagem.fire-overwatch")[0]["unit"] == 3
    assert told(battle, "w10.charge.move") and dice_left(battle) == 0


@pytest.mark.rule("w10.stratagem.fire-overwatch.start-of-move")
@pytest.mark.parametrize(("what", "die"), [("Normal move", 1), ("Normal move", 6), ("Fall Back", 1), ("Fall Back", 6)])
def test_survivors_that_have_no_legal_move_stay(what, die):
    """Three models 1.9" apart with a Move of 1": without the one in the middle they cannot end in coherency."""
    scene = Scene()
    run = scene.unit(
        0, sheet("Runner", W=2, M=1, Sv=6, keywords=("MONSTER",)), at=(30, 12), models=3, gap=1.9, wounds={1: 1}
    )
    scene.unit(0, sheet("Idle"), at=(50, 3))
    scene.unit(1, sheet("Guards", weapons={"gun": ranged(36, BS=2, AP=-2)}), at=(30, 24))
    if what == "Fall Back":
        scene.unit(1, sheet("Fighter"), at=(30, 13.5))
    dice = [6, 4, 6] if die == 6 else [1]
    battle = scene.battle("movement", cp=(0, 1), rules=POOR, dice=dice)
    pick(battle, "Runner", kind="select-to-move")
    pick(battle, what, kind="move-kind")
    before = [(battle.models.x[k], battle.models.y[k]) for k in (0, 2)]
    pick(battle, USE, kind="fire-overwatch")
    assert dice_left(battle) == 0
    if die == 6:
        assert battle.units.alive[run] == 2
        assert kind(battle) == "move-kind"  # of the Idle unit
        assert battle.decision.subject != run
        assert [(battle.models.x[k], battle.models.y[k]) for k in (0, 2)] == before
    else:
        assert kind(battle) == ("move-to" if what == "Normal move" else "fall-back-to")
