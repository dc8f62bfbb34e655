"""Missions: Battleline; victory conditions that a mission names."""

from __future__ import annotations

from typing import Any

import pytest

from wh_env import Battle, ContentError
from wh_env.content.load import names
from wh_env.content.wap import load_mission
from wh_env.rulesets.wap.basics.blocks import block_parts
from wh_env.rulesets.wap.basics.room import in_zone, on_the_table
from wh_env.rulesets.wap.battle.victory import degree_of
from wh_env.rulesets.wap.deployment.setting_up import cells_for, set_up, zone_of
from wh_env.rulesets.wap.turns.turns import Turns
from wh_env.testing import choose, dice_left, told
from wh_env.testing.wap import NORTH, RegimentScene, square

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
    scene.unit(0, square(points=10), models=5)
    for _ in range(2):
        scene.unit(1, square(points=10), models=5)
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


# ---------------------------------------------------------------- what decides who has won

TOWER = {"victory": "control", "control": {"feature": "tower", "within": 6.0}}


def with_a_tower(
    mission: dict[str, Any] | str, *beside: tuple[int, int, float, int], vp: tuple[int, int] = (0, 0)
) -> Battle:
    """Twenty-four by twenty-four inches with a tower of four by four in the middle; units (player, models, inches from it, fleeing), and a last turn."""
    scene = RegimentScene(mission=mission, points=2000)
    scene.area("impassable", 22, 22, 26, 26, name="tower")
    for at, (player, models, far, fleeing) in enumerate(beside):
        y = 22.0 - far if player == 0 else 26.0 + far
        scene.unit(player, None, (24.0 + 5.5 * (at // 2), y), models=models, files=min(5, models), fleeing=fleeing)
    for player in (0, 1):
        scene.unit(player, None, (2.5, 6.0 if player == 0 else 42.0), models=1, files=1)
    battle = scene.battle("end", turn=6, player=1, run=False)
    battle.players.vp[0], battle.players.vp[1] = vp
    battle.stack[battle.frame + Turns.SECOND] = 1
    battle.run()
    assert battle.over
    return battle


@pytest.mark.parametrize(
    ("beside", "totals", "winner"),
    [
        (((0, 12, 1.0, 0), (1, 10, 1.0, 0)), (12, 10), 0),
        (((0, 12, 1.0, 0), (1, 13, 1.0, 0)), (12, 13), 1),
        (((0, 20, 1.0, 1), (1, 10, 1.0, 0)), (0, 10), 1),  # who flees controls nothing
        (((0, 20, 6.0, 0), (1, 10, 1.0, 0)), (20, 10), 0),  # six inches are within
        (((0, 20, 6.01, 0), (1, 10, 1.0, 0)), (0, 10), 1),  # more are not
        (((0, 9, 1.0, 0), (1, 10, 1.0, 0), (0, 2, 1.0, 0)), (11, 10), 0),  # all units of a side together
    ],
)
@pytest.mark.rule("wap.victory.by-scenario")
def test_a_mission_may_ask_who_controls_a_tower(
    beside: tuple[tuple[int, int, float, int], ...], totals: tuple[int, int], winner: int
) -> None:
    """Whoever is ahead in points by as much as may be."""
    battle = with_a_tower(TOWER, *beside, vp=(5000, 0) if winner else (0, 5000))
    (note,) = told(battle, "wap.victory.by-scenario")
    assert (note["totals"], note["winner"]) == (totals, winner)
    assert battle.result is not None and battle.result.winner == winner


@pytest.mark.parametrize("beside", [(), ((0, 20, 6.5, 0), (1, 20, 1.0, 1)), ((0, 20, 1.0, 0), (1, 20, 1.0, 0))])
@pytest.mark.rule("wap.victory.by-scenario")
def test_points_decide_where_nobody_controls_it(beside: tuple[tuple[int, int, float, int], ...]) -> None:
    """Nobody is near, those who are flee, or both are as strong."""
    battle = with_a_tower(TOWER, *beside, vp=(0, 1500))
    assert battle.result is not None and battle.result.winner == 1
    assert not told(battle, "wap.victory.by-scenario")
    assert told(battle, "wap.scenario.battleline.victory")[0]["degree"] == "massacre"


@pytest.mark.rule("wap.victory.by-scenario")
def test_battleline_compares_points_whoever_stands_at_the_tower() -> None:
    battle = with_a_tower("battleline", (0, 20, 1.0, 0), vp=(0, 1000))
    assert battle.result is not None and battle.result.winner == 1
    assert not told(battle, "wap.victory.by-scenario")


@pytest.mark.rule("wap.victory.by-scenario", "wap.victory.concede")
def test_who_concedes_has_lost_though_he_controls_the_tower() -> None:
    scene = RegimentScene(mission=TOWER, rules={"conceding": True})
    scene.area("impassable", 22, 22, 26, 26, name="tower")
    scene.unit(0, None, (24, 21), models=20)
    scene.unit(1, None, (20, 44))
    battle = scene.battle("movement")
    choose(battle, "option", 0)
    assert battle.result is not None and battle.result.winner == 1
    assert told(battle, "wap.victory.concede")[-1]["degree"] == "massacre"


@pytest.mark.parametrize(
    ("fields", "told_as"),
    [
        ({"victory": "glory"}, r"victory: 'glory' is not known; expected one of control, fortitude, points"),
        ({"victory": "control"}, r"control: is missing; expected a feature and a distance beside `victory: control`"),
        ({"control": {"feature": "tower", "within": 6.0}}, r"victory: 'points' asks for no feature; expected control"),
        ({"victory": "control", "control": {"feature": "tower"}}, r"control.within: is missing"),
        (
            {"victory": "control", "control": {"feature": "tower", "within": -1.0}},
            r"control.within: -1.0 is not valid; expected",
        ),
        (
            {"victory": "control", "control": {"feature": "", "within": 6.0}},
            r"control.feature: '' is not valid; expected",
        ),
    ],
)
@pytest.mark.rule("wap.victory.by-scenario")
def test_bad_victory_conditions(fields: dict[str, Any], told_as: str) -> None:
    plain = load_mission("battleline").model_dump(mode="json")
    with pytest.raises(ContentError, match=told_as):
        load_mission({**plain, **fields})


@pytest.mark.parametrize(
    ("names", "told_as"),
    [
        (("mill",), r"'tower' is not known; expected one of mill"),
        (("tower", "tower"), r"'tower' names 2; expected the name of one feature"),
    ],
)
@pytest.mark.rule("wap.victory.by-scenario")
def test_the_feature_has_to_be_there_once(names: tuple[str, ...], told_as: str) -> None:
    field = {"name": "field", "features": [
        {"kind": "impassable", "polygon": [(x, 22), (x + 2, 22), (x + 2, 24)], "name": name} for x, name in zip((10, 20), names, strict=False)
    ]}  # fmt: skip
    mission = {**load_mission("battleline").model_dump(mode="json"), **TOWER}
    with pytest.raises(ContentError, match=f"control.feature: {told_as}"):
        Battle.load("wap/open-skirmish", 0, overrides={"battlefield": field, "mission": mission})
    field["features"][0]["name"] = "tower"  # type: ignore[index]
    field["features"] = field["features"][:1]
    assert (
        Battle.load("wap/open-skirmish", 0, overrides={"battlefield": field, "mission": mission}).setup.statics[
            "controlled"
        ]
        == 0
    )
