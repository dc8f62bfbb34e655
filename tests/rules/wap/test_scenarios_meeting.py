"""Meeting Engagement: halves from corner to corner, and units that are late."""

from __future__ import annotations

from math import hypot
from typing import Any

import numpy as np
import pytest

from tests.scenarios import at_the_end, deploy_all
from wh_env import Battle
from wh_env.core.tables import ATTACHED, ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.blocks import block_parts
from wh_env.rulesets.wap.basics.room import in_zone, on_the_table
from wh_env.rulesets.wap.battle.victory import share_of
from wh_env.rulesets.wap.codes import ARRIVED, LATE
from wh_env.rulesets.wap.deployment.divisions import ahead_of, zone_of
from wh_env.rulesets.wap.movement.aftermath import counts_as_moved
from wh_env.rulesets.wap.movement.going import MARCH
from wh_env.rulesets.wap.view.observe import within
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, corners, square

HERO = square(character=True, points=50, size=[1, 1])
ROLL, ZONE = "wap.scenario.meeting-engagement.reserve-roll", "wap.scenario.meeting-engagement.zone"


def muster(*cards: Any, second: int = 1) -> tuple[RegimentScene, list[UnitHandle]]:
    """Units of player 0 and so many plain ones of player 1, all of which wait to be deployed."""
    scene = RegimentScene((72, 48), mission="meeting-engagement")
    own = [scene.unit(0, card, models=1 if card is HERO else 5, files=1 if card is HERO else None) for card in cards]
    for _ in range(second):
        scene.unit(1, None, models=5)
    return scene, own


def lies_in(battle: Battle, player: int, x: float, y: float) -> bool:
    return bool(within(zone_of(battle, player), np.array([x]), np.array([y]))[0])


@pytest.mark.parametrize(
    ("option", "words", "his", "others"),
    [
        (0, "the south-eastern half", (60, 10), (10, 40)),
        (1, "the north-western half", (10, 40), (60, 10)),
        (2, "the south-western half", (10, 10), (60, 40)),
        (3, "the north-eastern half", (60, 40), (10, 10)),
    ],
)
@pytest.mark.parametrize(("dice", "winner"), [([6, 1], 0), ([4, 4, 2, 5], 1)])
@pytest.mark.rule("wap.scenario.meeting-engagement.corners", "wap.scenario.roll-off")
def test_the_winner_chooses_corners_and_his_half(
    dice: list[int], winner: int, option: int, words: str, his: tuple[float, float], others: tuple[float, float]
) -> None:
    scene, _ = muster(None)
    battle = scene.battle("deployment", dice=[*dice, 4, 4])
    assert battle.decision is not None and (battle.decision.player, slots(battle, "option")) == (winner, [0, 1, 2, 3])
    assert battle.describe(battle.setup.space.option + option) == words
    choose(battle, "option", option)
    assert lies_in(battle, winner, *his) and not lies_in(battle, winner, *others)
    assert lies_in(battle, 1 - winner, *others) and not lies_in(battle, 1 - winner, *his)
    assert told(battle, "wap.scenario.meeting-engagement.corners")
    first, second = (zone.tolist() for zone in battle.setup.ruleset.deployment_zones(battle))
    assert np.allclose(sorted(first), sorted([72 - x, 48 - y] for x, y in second))


@pytest.mark.parametrize(("point", "fine"), [((36, 31), False), ((36, 32), True), ((0, 7.0), False), ((0, 7.3), True)])
@pytest.mark.rule("wap.scenario.meeting-engagement.zone")
def test_more_than_six_inches_from_the_line(point: tuple[float, float], fine: bool) -> None:
    """Square to the line y = 2x/3; the half above it."""
    scene, _ = muster(None)
    battle = scene.battle("deployment", dice=[6, 1, 4, 4])
    choose(battle, "option", 1)
    assert lies_in(battle, 0, *point) is fine
    assert ((3 * point[1] - 2 * point[0]) / hypot(2, 3) > 6.0) is fine


@pytest.mark.parametrize(("off", "fine"), [(6.001, True), (6.0, False), (5.5, False)])
@pytest.mark.rule("wap.scenario.meeting-engagement.zone")
def test_no_base_comes_nearer(off: float, fine: bool) -> None:
    """A rank whose front lies along the line, so far from it."""
    scene, (unit,) = muster(None)
    battle = scene.battle("deployment", dice=[6, 1, 4, 4])
    choose(battle, "option", 0)
    nx, ny = -2 / hypot(2, 3), 3 / hypot(2, 3)
    facing = ahead_of(battle, 0)
    assert (np.cos(facing), np.sin(facing)) == pytest.approx((nx, ny))
    block_parts(battle.units.rows, unit.row, 36 - off * nx, 24 - off * ny, facing, 5, battle.work.block, 0)
    assert (in_zone(battle.work.block, zone_of(battle, 0)) and on_the_table(battle.work.block, 72.0, 48.0)) is fine


@pytest.mark.parametrize("option", range(4))
@pytest.mark.rule("wap.scenario.meeting-engagement.zone")
def test_all_places_that_are_offered_lie_in_the_zone(option: int) -> None:
    scene, (unit, *_) = muster(None, None)
    battle = scene.battle("deployment", dice=[6, 1, 4, 4, 4], detail="squad")
    choose(battle, "option", option)
    choose(battle, "own", 0)
    assert kind(battle) == "deploy-to"
    assert len(slots(battle, "cell")) > 40
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        choose(copy, "cell", cell)
        far = [
            abs((3 * y - 2 * x) if option < 2 else (3 * y + 2 * x - 144)) / hypot(2, 3) for x, y in corners(copy, unit)
        ]
        assert min(far) > 6.0


@pytest.mark.rule("wap.scenario.meeting-engagement.order", "wap.scenario.meeting-engagement.reserve-roll")
def test_all_of_one_army_is_placed_before_the_other_rolls() -> None:
    scene, _ = muster(None, None, None, second=2)
    battle = scene.battle("deployment", dice=[6, 1, 2, 1, 6, 3, 4])
    choose(battle, "option", 0)
    assert dice_left(battle) == 2
    deploy_all(battle, 1)
    story = [(event.kind, event.data["unit"]) for event in battle.events if event.rule in (ROLL, ZONE)]
    assert story[:3] == [("is there", 0), ("is late", 1), ("is there", 2)]
    assert sorted(story[3:5]) == [("deployed", 0), ("deployed", 2)]
    assert story[5:7] == [("is there", 3), ("is there", 4)]
    assert sorted(story[7:]) == [("deployed", 3), ("deployed", 4)]


@pytest.mark.rule("wap.scenario.meeting-engagement.reserve-roll")
def test_a_die_for_every_unit_and_every_character() -> None:
    """Five units, a hero, one unit more: 1, 4, 6, 2, 3 for the five, 1 for the hero, 5 for the last."""
    scene, own = muster(*[None] * 5, HERO, None)
    battle = scene.battle("deployment", dice=[6, 1, 1, 4, 6, 2, 3, 1, 5, 2])
    choose(battle, "option", 0)
    late = [unit.row for unit in own if battle.units.place[unit] == RESERVE]
    assert late == [own[0].row, own[5].row]
    deploy_all(battle)
    assert [battle.units.place[unit] == ON_TABLE for unit in own] == [False, True, True, True, True, False, True]


@pytest.mark.rule("wap.scenario.meeting-engagement.reserve-roll")
def test_nobody_is_deployed_in_a_unit_that_is_late() -> None:
    scene, (hero, late, _) = muster(HERO, None, None)
    battle = scene.battle("deployment", dice=[6, 1, 4, 1, 4, 4])
    choose(battle, "option", 0)
    while kind(battle) != "join-unit":
        battle.apply(battle.first_legal())
    assert battle.clock.subject[0] == hero.row and slots(battle, "own") == [2]
    assert battle.units.place[late] == RESERVE


@pytest.mark.parametrize(("die", "chooser"), [(6, 1), (5, 0), (1, 0)])
@pytest.mark.rule("wap.scenario.meeting-engagement.first-turn")
def test_on_a_six_the_second_deployer_chooses_who_plays_first(die: int, chooser: int) -> None:
    scene, _ = muster(None)
    battle = scene.battle("deployment", dice=[6, 1, 4, 4, die])
    choose(battle, "option", 0)
    deploy_all(battle)
    assert battle.decision is not None and (battle.decision.kind, battle.decision.player) == ("choose-first", chooser)
    choose(battle, "option", 1)
    assert battle.clock.first_player[0] == 1 - chooser
    assert told(battle, "wap.scenario.meeting-engagement.first-turn")[-1]["first_player"] == 1 - chooser


@pytest.mark.parametrize(("turn", "over"), [(5, False), (6, True)])
@pytest.mark.rule("wap.scenario.meeting-engagement.length")
def test_six_game_turns(turn: int, over: bool) -> None:
    assert at_the_end("meeting-engagement", 2500, turn).over is over


@pytest.mark.parametrize(("vp", "degree", "winner"), [((1000, 750), "minor victory", 0), ((999, 750), "draw", None)])
@pytest.mark.rule("wap.scenario.meeting-engagement.victory")
def test_points_decide(vp: tuple[int, int], degree: str, winner: int | None) -> None:
    battle = at_the_end("meeting-engagement", 2500, 6, vp)
    assert told(battle, "wap.scenario.meeting-engagement.victory")[0]["degree"] == degree
    assert battle.result is not None and battle.result.winner == winner


# ---------------------------------------------------------------- reserves


def with_reserves(*cards: Any, player: int = 0, turn: int = 2) -> tuple[Battle, list[UnitHandle]]:
    """Units of a player that are late, a friend and an enemy on the table, in the Movement phase of his turn."""
    scene = RegimentScene((72, 48), mission="meeting-engagement")
    own = [
        scene.unit(
            player, card, models=1 if card is HERO else 10, files=1 if card is HERO else 5, reserve=True, deployed=LATE
        )
        for card in cards
    ]
    scene.unit(player, None, (66, 10), facing=NORTH)
    scene.unit(1 - player, None, (6, 40), facing=SOUTH)
    return scene.battle("movement", turn=turn, player=player), own


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.rule("wap.scenario.meeting-engagement.reserves")
def test_reserves_come_over_the_long_edge_of_their_half_when_their_player_likes(player: int, turn: int) -> None:
    battle, (unit,) = with_reserves(None, player=player, turn=turn)
    assert (kind(battle), slots(battle, "own"), slots(battle, "done")) == ("bring-on", [0], [0])
    choose(battle, "own", 0)
    assert kind(battle) == "arrive-at"
    edge, xs = 0.0 if player == 0 else 48.0, []
    for slot in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", slot)
        ys = sorted(y for _, y in corners(copy, unit))
        xs += [x for x, _ in corners(copy, unit)]
        assert (ys[0] if player == 0 else ys[-1]) == pytest.approx(edge)
    assert min(xs) == pytest.approx(0.0) and max(xs) == pytest.approx(72.0)
    choose(battle, "number", slots(battle, "number")[0])
    assert battle.units.did[unit] & ARRIVED and not battle.units.deployed[unit] & LATE
    assert max(abs(y - edge) for _, y in corners(battle, unit)) <= 8.0
    assert counts_as_moved(battle, unit.row)
    assert kind(battle) == "select-to-move"  # charges are over
    choose(battle, "own", 0)
    assert kind(battle) == "manoeuvre" and MARCH not in slots(battle, "option")


@pytest.mark.rule("wap.scenario.meeting-engagement.reserves")
def test_who_waits_is_asked_again_in_the_next_turn() -> None:
    battle, (unit,) = with_reserves(None)
    choose(battle, "done")
    assert kind(battle) == "select-to-move" and battle.units.place[unit] == RESERVE
    while not (kind(battle) == "bring-on" and battle.clock.round[0] == 3):
        battle.apply(battle.first_legal())
    assert battle.clock.turn[0] == 0


@pytest.mark.rule("wap.scenario.meeting-engagement.reserves")
def test_several_come_one_after_the_other() -> None:
    battle, units = with_reserves(None, None)
    for left in ([0, 1], [1]):
        assert (kind(battle), slots(battle, "own")) == ("bring-on", left)
        choose(battle, "own", left[0])
        choose(battle, "number", slots(battle, "number")[0])
    assert kind(battle) == "select-to-move"
    assert [battle.units.place[unit] for unit in units] == [ON_TABLE, ON_TABLE]


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.rule("wap.scenario.meeting-engagement.reserve-roll", "wap.scenario.meeting-engagement.reserves")
def test_a_character_and_a_unit_that_are_late_may_come_together(together: bool) -> None:
    battle, (hero, unit) = with_reserves(HERO, None)
    choose(battle, "own", 1)
    assert (kind(battle), slots(battle, "own")) == ("go-along", [0])
    if not together:
        choose(battle, "done")
        choose(battle, "number", slots(battle, "number")[0])
        assert (kind(battle), slots(battle, "own"), battle.units.place[hero]) == ("bring-on", [0], RESERVE)
        return
    choose(battle, "own", 0)
    assert kind(battle) == "arrive-at"
    choose(battle, "number", slots(battle, "number")[0])
    assert (battle.units.place[hero], battle.units.bodyguard[hero]) == (ATTACHED, unit.row)
    assert battle.models.rank[hero.model()] == 0 and not battle.units.deployed[hero] & LATE


@pytest.mark.rule("wap.scenario.meeting-engagement.reserves")
def test_who_never_came_is_not_lost() -> None:
    battle, (unit,) = with_reserves(None)
    assert share_of(battle, unit.row) == ("", 0)
    assert not battle.setup.ruleset.wiped_out(battle, 0)
