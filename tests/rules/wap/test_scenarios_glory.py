"""Blood and Glory: armies that leave the field when their banners and their General are lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scenarios import deploy_all
from wh_env import Battle
from wh_env.core.tables import RESERVE
from wh_env.rulesets.wap.basics.blocks import block_parts
from wh_env.rulesets.wap.basics.room import in_zone, on_the_table
from wh_env.rulesets.wap.battle.fortitude import breaking_point, fortitude, have_left
from wh_env.rulesets.wap.casualties.removing import remove_unit
from wh_env.rulesets.wap.deployment.divisions import zone_of
from wh_env.rulesets.wap.turns.turns import Turns
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, square

HERO = square(character=True, points=50, size=[1, 1])


def muster(first: int, second: int) -> RegimentScene:
    """Armies of so many units, which wait to be deployed."""
    scene = RegimentScene((72, 48), mission="blood-and-glory")
    for player, count in ((0, first), (1, second)):
        for _ in range(count):
            scene.unit(player, square(points=10), models=5)
    return scene


@pytest.mark.rule("wap.scenario.blood-and-glory.side")
def test_the_winner_chooses_a_half_and_units_are_placed_by_turns() -> None:
    battle = muster(3, 2).battle("deployment", dice=[6, 1])
    assert battle.decision is not None and battle.decision.player == 0 and slots(battle, "option") == [0, 1]
    choose(battle, "option", 0)
    assert zone_of(battle, 0)[:, 1].max() < 24 < zone_of(battle, 1)[:, 1].min()
    deploy_all(battle)
    placed = [battle.units.owner[event["unit"]] for event in told(battle, "wap.scenario.blood-and-glory.zone")]
    assert placed == [0, 1, 0, 1, 0]
    assert told(battle, "wap.scenario.blood-and-glory.side")


@pytest.mark.parametrize(
    ("x", "y", "fine"),
    [(36.0, 14.99, True), (36.0, 15.0, False), (11.51, 10.0, True), (11.5, 10.0, False), (60.49, 10.0, True), (60.5, 10.0, False), (36.0, 1.0, True)],
)  # fmt: skip
@pytest.mark.rule("wap.scenario.blood-and-glory.zone")
def test_units_stand_nine_inches_from_the_centre_line_and_the_short_edges(x: float, y: float, fine: bool) -> None:
    """A single rank of five bases of one inch, the middle of its front edge at (x, y)."""
    battle = muster(1, 1).battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    block_parts(battle.units.rows, 0, x, y, NORTH, 5, battle.work.block, 0)
    assert (in_zone(battle.work.block, zone_of(battle, 0)) and on_the_table(battle.work.block, 72.0, 48.0)) is fine


@pytest.mark.parametrize(("dice", "first"), [([2, 4], 1), ([3, 3], 0), ([3, 4, 5, 1], 0)])
@pytest.mark.rule("wap.scenario.blood-and-glory.first-turn")
def test_who_finished_deploying_first_adds_one(dice: list[int], first: int) -> None:
    """A has one unit, B two."""
    battle = muster(1, 2).battle("deployment", dice=[6, 1, *dice])
    choose(battle, "option", 0)
    deploy_all(battle)
    assert (battle.clock.finished[0], battle.clock.first_player[0], dice_left(battle)) == (0, first, 0)
    assert told(battle, "wap.scenario.blood-and-glory.first-turn")[-1]["first_player"] == first


@pytest.mark.parametrize(
    ("points", "found"), [(1, 1), (1000, 1), (1001, 2), (2000, 2), (2001, 3), (2500, 3), (3001, 4)]
)
@pytest.mark.rule("wap.scenario.blood-and-glory.breaking-point")
def test_one_for_each_thousand_points(points: int, found: int) -> None:
    assert breaking_point(points, 1000) == found


def armies(points: int = 2000, **more: Any) -> tuple[RegimentScene, list[list[UnitHandle]]]:
    """On either side three units with standards, the Battle Standard Bearer, the General, and one plain unit more: so many points in all."""
    scene = RegimentScene((72, 48), mission="blood-and-glory", points=points, **more)
    found = []
    for player in (0, 1):
        y = 10.0 if player == 0 else 38.0
        own = [scene.unit(player, None, (10.0 + 9.0 * n, y), models=10, command=("standard",)) for n in range(3)]
        own.append(scene.unit(player, HERO, (40.0, y), models=1, files=1, leads=("battle standard",)))
        own.append(scene.unit(player, HERO, (46.0, y), models=1, files=1, leads=("general",)))
        rest = points - sum(unit.regiment.points for unit in own)
        own.append(scene.unit(player, square(points=rest), (56.0, y), models=1, files=1))
        found.append(own)
    return scene, found


@pytest.mark.rule("wap.scenario.blood-and-glory.fortitude", "wap.scenario.blood-and-glory.breaking-point")
def test_banners_and_twice_the_general() -> None:
    """3 + 1 + 2; who flees or is off the table still counts."""
    scene, (own, _) = armies()
    own[0].columns["fleeing"] = 1
    battle = scene.battle("movement", run=False)
    assert battle.setup.statics["leaves_at"] == (2, 2)
    battle.units.place[own[1]] = RESERVE
    assert [fortitude(battle, player) for player in (0, 1)] == [6, 6]
    for lost, left in ((own[5], 6), (own[0], 5), (own[3], 4), (own[4], 2)):
        remove_unit(battle, lost.row)
        assert fortitude(battle, 0) == left
        assert have_left(battle) == ([0] if left == 2 else [])


@pytest.mark.parametrize(("points", "at"), [(1000, 1), (1001, 2), (2500, 3)])
@pytest.mark.rule("wap.scenario.blood-and-glory.breaking-point")
def test_an_army_breaks_by_its_own_points(points: int, at: int) -> None:
    assert armies(points)[0].battle("movement", run=False).setup.statics["leaves_at"] == (at, at)


@pytest.mark.rule("wap.scenario.blood-and-glory.fortitude")
def test_who_has_no_more_to_begin_with_leaves_with_the_first_loss() -> None:
    scene = RegimentScene(mission="blood-and-glory")
    units = [scene.unit(player, None, (24, 10 + 28 * player), command=("standard",)) for player in (0, 1)]
    battle = scene.battle("movement")
    assert not battle.over and fortitude(battle, 0) == 1
    remove_unit(battle, units[0].row)
    assert have_left(battle) == [0]


def fall(battle: Battle, *units: UnitHandle) -> None:
    """So many units are lost in the midst of other moves."""
    for unit in units:
        remove_unit(battle, unit.row)
    battle.clock.asking[0] = 0
    battle.run()


@pytest.mark.rule("wap.scenario.blood-and-glory.length", "wap.scenario.blood-and-glory.victory")
def test_the_game_ends_at_once_whoever_leads_in_points() -> None:
    """A breaks in game turn 3, in his own Movement phase."""
    scene, (own, theirs) = armies()
    battle = scene.battle("movement", turn=3)
    assert kind(battle) == "select-to-move"
    fall(battle, *own[:3])
    assert not battle.over  # 3 are left, more than 2
    for unit in theirs[:2]:  # B has lost units worth more, but not his spirit
        remove_unit(battle, unit.row)
    remove_unit(battle, theirs[5].row)
    fall(battle, own[3])
    assert battle.over and battle.clock.round[0] == 3
    assert battle.result is not None and battle.result.winner == 1
    assert battle.players.vp[0] > battle.players.vp[1]
    (note,) = told(battle, "wap.scenario.blood-and-glory.length")
    assert (note["player"], note["amount"]) == (0, 2)


@pytest.mark.rule("wap.scenario.blood-and-glory.victory")
def test_points_decide_where_both_break_together() -> None:
    scene, (own, theirs) = armies()
    battle = scene.battle("movement", turn=4)
    fall(battle, *own[:4], *theirs[:4], theirs[5])
    assert battle.over and battle.result is not None and battle.result.winner == 0
    assert told(battle, "wap.scenario.blood-and-glory.victory")[-1]["degree"] == "massacre"


@pytest.mark.rule("wap.scenario.blood-and-glory.victory", "wap.scenario.blood-and-glory.length")
@pytest.mark.parametrize(("turn", "over"), [(5, False), (6, True)])
def test_points_decide_where_nobody_breaks_in_six_turns(turn: int, over: bool) -> None:
    scene, _ = armies()
    battle = scene.battle("end", turn=turn, player=1, run=False)
    battle.players.vp[1] = 600
    battle.stack[battle.frame + Turns.SECOND] = 1
    battle.run()
    assert battle.over is over
    if over:
        assert battle.result is not None and battle.result.winner == 1
        assert told(battle, "wap.scenario.blood-and-glory.victory")[-1]["degree"] == "solid victory"


@pytest.mark.rule("wap.scenario.blood-and-glory.length")
def test_a_combat_that_breaks_an_army_is_the_last() -> None:
    """Two combats; in the one that is fought first the last banner but two falls."""
    scene = RegimentScene((72, 48), mission="blood-and-glory", points=1000)
    slayer = square(ws=10, s=10, a=10, i=10, t=10)
    victims = []
    for n in range(2):
        victims.append(
            scene.unit(1, square(ld=2), (20 + 20 * n, 24), models=5, files=5, command=("standard",), facing=NORTH)
        )
        scene.unit(0, slayer, (20 + 20 * n, 24), models=10, files=5, facing=-NORTH, command=("standard",))
    battle = scene.battle("combat", seed=1)
    assert battle.setup.statics["leaves_at"] == (1, 1)
    while not battle.over and battle.clock.phase[0] == 4:
        battle.apply(battle.first_legal())
    assert battle.over and battle.result is not None and battle.result.winner == 0
    assert len(told(battle, "wap.combat.phase.sequence")) == 1
    assert sum(battle.units.alive[unit] > 0 for unit in victims) == 1


@pytest.mark.rule("wap.scenario.blood-and-glory.victory", "wap.victory.concede")
def test_who_concedes_has_lost() -> None:
    scene, (_, theirs) = armies(rules={"conceding": True})
    battle = scene.battle("movement", run=False)
    for unit in theirs[:2]:
        remove_unit(battle, unit.row)
    battle.run()
    choose(battle, "option", 0)
    assert battle.result is not None and battle.result.winner == 1
