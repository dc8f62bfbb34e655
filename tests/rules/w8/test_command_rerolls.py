"""The Underdog's Command re-rolls (w8.mission.command-rerolls.*)."""

from __future__ import annotations

import pytest
from eighth import EighthScene

from wh_env.testing import choose, dice_left, kind, pick, ranged, sheet, slots, told

ASK = {"stratagems": {"command-re-roll": "ask"}}
DELEGATED = {"stratagems": {"command-re-roll": "delegate"}}
CHARGERS = sheet("Chargers")
TARGETS = sheet("Targets", W=4, T=4, Sv=4)


def charging(dice, *, cp=(1, 0), player=0, detail="squad", gap=8.0):
    scene = EighthScene()
    scene.unit(player, CHARGERS, at=(20, 20), models=1)
    scene.unit(1 - player, TARGETS, at=(20, 20 + 1 + gap), models=1)
    battle = scene.battle("charge", active=player, dice=dice, cp=cp, detail=detail, rules=ASK)
    while battle.decision is not None and kind(battle) != "command-re-roll" and battle.clock.phase[0] == 4:
        if told(battle, "w8.charge.roll"):
            break
        battle.apply(battle.decision.options[-1])
    return battle


@pytest.mark.rule("w8.mission.command-rerolls.use")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_one_die_of_a_charge_roll_is_made_again(player, detail):
    """1 and 5 fall short of 8; the 1 becomes a 4: 9."""
    battle = charging([1, 5, 4], cp=(1, 0) if player == 0 else (0, 1), player=player, detail=detail)
    assert (kind(battle), battle.decision.player) == ("command-re-roll", player)
    assert battle.decision.options[0] == 0
    assert slots(battle, "number") == [1, 5]
    choose(battle, "number", 1)
    (event,) = told(battle, "w8.charge.roll")
    assert event["roll"] == 9
    assert battle.players.cp[player] == 0
    assert kind(battle) != "command-re-roll" if battle.decision is not None else True
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.mission.command-rerolls.use")
@pytest.mark.parametrize(("face", "total"), [(1, 9), (5, 5)])
def test_either_die_can_be_chosen(face, total):
    battle = charging([1, 5, 4])
    choose(battle, "number", face)
    assert told(battle, "w8.charge.roll")[0]["roll"] == total


@pytest.mark.rule("w8.mission.command-rerolls.use")
def test_the_same_die_is_not_offered_again_though_there_are_more():
    """1 and 5: the 1 becomes another 1; only the 5 is left, which becomes a 6."""
    battle = charging([1, 5, 1, 6], cp=(3, 0))
    choose(battle, "number", 1)
    assert kind(battle) == "command-re-roll"
    assert slots(battle, "number") == [5]
    choose(battle, "number", 5)
    assert told(battle, "w8.charge.roll")[0]["roll"] == 7
    assert battle.players.cp[0] == 1
    assert dice_left(battle) == 0


@pytest.mark.rule("w8.mission.command-rerolls.use", "w8.mission.command-rerolls.own-dice")
@pytest.mark.parametrize("cp", [(0, 0), (0, 3)])
def test_who_has_none_is_not_asked_and_the_opponents_dice_are_their_own(cp):
    battle = charging([1, 5], cp=cp)
    assert told(battle, "w8.charge.roll")[0]["roll"] == 6
    assert list(battle.players.cp) == list(cp)


def shooting(cp, dice):
    """One shot that hits on 3+, wounds on 4+ and is saved on 4+; who may make which die again."""
    scene = EighthScene()
    gun = sheet("Gunner", models=(1, 1), weapons={"gun": ranged(24, A=1, BS=3, S=4, D=1)})
    scene.unit(0, gun, at=(20, 20))
    scene.unit(1, TARGETS, at=(20, 30), models=1)
    battle = scene.battle("shooting", dice=dice, cp=cp, rules=ASK)
    asked = []
    while battle.decision is not None and battle.clock.phase[0] == 3:
        if kind(battle) == "command-re-roll-die":
            asked.append((battle.decision.player, battle.pending().values["roll"]))
            battle.apply(battle.decision.options[0])
        else:
            battle.apply(battle.decision.options[-1])
    return asked


@pytest.mark.rule("w8.mission.command-rerolls.own-dice")
def test_of_an_attack_each_player_is_offered_only_their_own_dice():
    mine = shooting((3, 0), [5, 5, 6])
    theirs = shooting((0, 3), [5, 5, 6])
    assert {player for player, _ in mine} == {0}
    assert len(mine) >= 2  # the hit roll, the wound roll; the saving throw of 6 is the opponent's
    assert {player for player, _ in theirs} == {1}
    assert len(theirs) == 1


@pytest.mark.rule("w8.mission.command-rerolls.use")
def test_several_can_be_used_in_a_phase():
    scene = EighthScene()
    for x in (10, 30):
        scene.unit(0, CHARGERS, at=(x, 20), models=1, name=f"C{x}")
        scene.unit(1, TARGETS, at=(x, 29), models=1, name=f"T{x}")
    battle = scene.battle("charge", dice=[1, 1, 1, 1, 1, 1], cp=(2, 0), rules=ASK)
    used = 0
    while battle.decision is not None and battle.clock.phase[0] == 4:
        if kind(battle) == "command-re-roll":
            choose(battle, "number", 1)
            used += 1
        else:
            battle.apply(battle.decision.options[-1])
    assert used == 2
    assert battle.players.cp[0] == 0


# ---------------------------------------------------------------- left to the engine


def charge_by_the_engine(dice, player=0):
    """A charge 8" away whose dice the engine makes again, with one Command re-roll."""
    scene = EighthScene()
    scene.unit(player, CHARGERS, at=(20, 20), models=1)
    scene.unit(1 - player, TARGETS, at=(20, 29), models=1)
    cp = (1, 0) if player == 0 else (0, 1)
    battle = scene.battle("charge", active=player, dice=dice, cp=cp, rules=DELEGATED)
    pick(battle, "Chargers", kind="select-to-charge")
    return told(battle, "w8.charge.roll")[0]["roll"], battle.players.cp[player], dice_left(battle)


@pytest.mark.rule("w8.mission.command-rerolls.use")
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ([1, 5, 4], (9, 0, 0)),  # 6 falls short of the average: the 1 is made again
        ([5, 1, 4], (9, 0, 0)),
        ([2, 3, 6], (9, 0, 0)),
        ([1, 6, 4], (7, 1, 1)),  # the average will do
        ([6, 6, 1], (12, 1, 1)),
    ],
)
def test_the_engine_makes_the_lowest_die_of_a_roll_that_falls_short_again(dice, expected, player):
    assert charge_by_the_engine(dice, player) == expected


@pytest.mark.rule("w8.mission.command-rerolls.use")
@pytest.mark.parametrize("die", [1, 6])
def test_the_engine_leaves_a_single_die_as_it_is(die):
    """An Advance."""
    scene = EighthScene()
    unit = scene.unit(0, CHARGERS, at=(20, 20), models=1)
    scene.unit(1, TARGETS, at=(20, 40), models=1)
    battle = scene.battle(dice=[die, 4], cp=(1, 0), rules=DELEGATED)
    pick(battle, "Advance", kind="move-kind")
    assert (battle.units.advance[unit], battle.players.cp[0], dice_left(battle)) == (die, 1, 1)
