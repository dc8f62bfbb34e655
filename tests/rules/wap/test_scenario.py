"""Missions: Battleline."""

from __future__ import annotations

import pytest

from wh_env import ContentError
from wh_env.content.load import names
from wh_env.content.wap import load_mission
from wh_env.rulesets.wap.basics.blocks import block_parts
from wh_env.rulesets.wap.basics.room import in_zone, on_the_table
from wh_env.rulesets.wap.battle.setting_up import cells_for, set_up, zone_of
from wh_env.rulesets.wap.battle.turns import Turns
from wh_env.rulesets.wap.battle.victory import degree_of
from wh_env.testing import choose, dice_left, told
from wh_env.testing.wap import NORTH, RegimentScene

SEVEN = ("armies", "battlefield", "deployment", "first_turn", "rounds", "victory", "special_rules")


@pytest.mark.rule("wap.scenario.format")
def test_a_mission_has_its_seven_fields() -> None:
    for name in names("missions", "wap"):
        mission = load_mission(name)
        whole = mission.model_dump(mode="json")
        assert set(SEVEN) < whole.keys()
        for field in SEVEN:
            with pytest.raises(ContentError, match=f"{field}: is missing"):
                load_mission({key: value for key, value in whole.items() if key != field})
    assert load_mission("battleline").special_rules == ()


@pytest.mark.parametrize(("front", "fine"), [(11.99, True), (12.0, False), (12.5, False), (0.5, False), (1.0, True)])
@pytest.mark.rule("wap.scenario.battleline.deployment")
def test_units_stand_more_than_twelve_inches_from_the_centre_line(front: float, fine: bool) -> None:
    """A single rank on bases of one inch that faces the enemy, with its front edge at y = ``front``."""
    scene = RegimentScene((72, 48))
    unit = scene.unit(0, None, models=5)
    scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    block_parts(battle.units.rows, unit.row, 36.0, front, NORTH, 5, battle.work.block, 0)
    zone = zone_of(battle, 0)
    assert (in_zone(battle.work.block, zone) and on_the_table(battle.work.block, 72.0, 48.0)) is fine


@pytest.mark.rule("wap.scenario.battleline.deployment")
def test_every_cell_that_is_offered_lies_in_the_zone() -> None:
    scene = RegimentScene((72, 48))
    unit = scene.unit(0, None, models=20)
    scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    count = cells_for(battle, unit.row, NORTH, 5, battle.work.cells)
    assert count > 50
    assert battle.work.cells[-17:].any()  # the foremost row: as near the enemy as may be
    set_up(battle, unit.row, 36.0, 12.0 - 3e-4, NORTH, 5)
    assert max(battle.models.y[k] + 0.5 for k in battle.members(unit.row)) < 12.0


@pytest.mark.parametrize(("dice", "first"), [([3, 3], 0), ([3, 4, 2, 2], 0), ([3, 4, 2, 6], 1)])
@pytest.mark.rule("wap.scenario.battleline.first-turn")
def test_who_finished_deploying_first_adds_one(dice: list[int], first: int) -> None:
    """A has one unit, B two: A finishes first, whoever drops first."""
    scene = RegimentScene()
    scene.unit(0, None, models=5)
    for _ in range(2):
        scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[1, 6, *dice])
    choose(battle, "option", 1)  # B takes the north, so A's die is read first
    while battle.clock.phase[0] == 0:
        battle.apply(battle.first_legal())
    assert (battle.clock.finished[0], battle.clock.first_player[0], dice_left(battle)) == (0, first, 0)


@pytest.mark.parametrize(
    ("lead", "points", "degree"),
    [(500, 2000, "solid victory"), (500, 2500, "minor victory"), (249, 2500, "draw"), (250, 2500, "minor victory"),
     (625, 2500, "solid victory"), (1250, 2500, "massacre")],
)  # fmt: skip
@pytest.mark.rule("wap.scenario.battleline.victory", "wap.victory.result")
def test_the_lead_says_how_great_a_victory_it_is(lead: int, points: int, degree: str) -> None:
    degrees = {"minor": 10, "solid": 25, "massacre": 50}
    assert degree_of(lead, points, degrees) == degree


@pytest.mark.parametrize(
    ("other", "degree", "winner"), [(400, "solid victory", 0), (701, "draw", None), (700, "minor victory", 0)]
)
@pytest.mark.rule("wap.scenario.battleline.victory")
def test_the_leader_in_points_wins(other: int, degree: str, winner: int | None) -> None:
    """900 points against others in a game of 2,000."""
    scene = RegimentScene(points=2000)
    scene.unit(0, None, (10, 10))
    scene.unit(1, None, (20, 40))
    battle = scene.battle("end", turn=6, player=1, run=False)
    battle.players.vp[0], battle.players.vp[1] = 900, other
    battle.stack[battle.frame + Turns.SECOND] = 1
    battle.run()
    assert battle.result is not None and battle.result.winner == winner
    assert told(battle, "wap.scenario.battleline.victory")[0]["degree"] == degree
