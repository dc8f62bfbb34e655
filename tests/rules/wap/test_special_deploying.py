"""Scouts, vanguards, ambushers: who is deployed when and where, moves before the battle, comes in its course."""

from __future__ import annotations

from math import pi
from typing import Any

import pytest
from marching import ADVANCE, FORWARD, MARCH, finish, leg

from wh_env import Battle
from wh_env.core.tables import ON_TABLE, RESERVE
from wh_env.rulesets.wap.basics.blocks import distance, set_block
from wh_env.rulesets.wap.basics.room import Grid, away_mask
from wh_env.rulesets.wap.battle.victory import share_of, trophies_of
from wh_env.rulesets.wap.charge.declarers import may_declare
from wh_env.rulesets.wap.codes import ADVANCED, AMBUSHES, ARRIVED, COMING, LATE, SCOUTS
from wh_env.rulesets.wap.deployment.setting_up import FAR_ENOUGH, place_of, zone_of
from wh_env.rulesets.wap.deployment.special_deployment import Vanguard, is_coming
from wh_env.rulesets.wap.pursuit.off_table import carried_off
from wh_env.testing import choose, dice_left, kind, slots, told
from wh_env.testing.wap import NORTH, RegimentScene, UnitHandle, pose, square


def card(*rules: str, **values: Any) -> dict[str, Any]:
    return square(rules=list(rules), **values)


def to_own(battle: Battle, unit: UnitHandle) -> None:
    """Choose a unit."""
    choose(battle, "own", unit.number)


def after_sides(scene: RegimentScene, *dice: int, **options: Any) -> Battle:
    """Player 0 wins the roll-off and takes the southern half."""
    battle = scene.battle("deployment", dice=[6, 1, *dice], **options)
    choose(battle, "option", 0)
    return battle


def deployed(battle: Battle) -> list[int]:
    """Units in the order in which they were set up."""
    return [event["unit"] for event in told(battle, "wap.scenario.battleline.deployment")]


# ---------------------------------------------------------------- scouts


@pytest.mark.rule("wap.special.scouts.deploy")
def test_scouts_are_deployed_last_and_more_than_twelve_inches_from_the_enemy() -> None:
    scene = RegimentScene((48, 48))
    scouts = scene.unit(0, card("Scouts"), models=5)
    plain = scene.unit(0, None, models=5)
    foes = [scene.unit(1, None, models=5) for _ in range(2)]
    battle = after_sides(scene)
    assert (kind(battle), slots(battle, "own"), bool(battle.legal()[0])) == ("hold-back", [scouts.number], True)
    to_own(battle, scouts)
    while not (kind(battle) == "deploy-to" and battle.clock.subject[0] == scouts.row):
        battle.apply(battle.first_legal())
    assert {plain.row, *(foe.row for foe in foes)} == set(deployed(battle))
    top, files = zone_of(battle, 0)[:, 1].max(), battle.units.files[plain]
    inside = outside = 0
    for cell in slots(battle, "cell"):
        copy = battle.clone()
        copy.units.place[scouts] = ON_TABLE
        set_block(copy, scouts.row, *place_of(battle, scouts.row, cell), NORTH, files)
        at_home = pose(copy, scouts)[1] <= top
        inside, outside = inside + at_home, outside + (not at_home)
        assert at_home or min(distance(copy, scouts.row, foe.row) for foe in foes) > 12.0
    assert inside and outside


@pytest.mark.parametrize(("apart", "fine"), [(12.0, False), (12.1, True), (11.9, False)])
@pytest.mark.rule("wap.special.scouts.deploy")
def test_twelve_inches_are_too_near(apart: float, fine: bool) -> None:
    """The scouts' rear lies in front of their zone, which ends below y = 12."""
    scene = RegimentScene((48, 48))
    scouts = scene.unit(0, card("Scouts"), models=5)
    scene.unit(1, None, (24, 20 + apart), models=5)
    battle = scene.battle("movement", run=False)
    mask = battle.work.cells
    mask[:] = False
    mask[0] = True
    grid = Grid(24.0, 20.0, 1.0, 1.0, battle.setup.space.grid)
    rows = (battle.troops, zone_of(battle, 0), scouts.row)
    assert away_mask(*rows, NORTH, 5, FAR_ENOUGH, grid, battle.work.block, mask) == fine
    mask[0] = True
    grid = Grid(24.0, 11.0, 1.0, 1.0, battle.setup.space.grid)
    assert away_mask(*rows, NORTH, 5, FAR_ENOUGH, grid, battle.work.block, mask) == 1


def scouts_on_both_sides(*dice: int) -> Battle:
    scene = RegimentScene()
    scene.unit(0, card("Scouts"), models=5)
    for _ in range(2):
        scene.unit(1, card("Scouts"), models=5)
    battle = after_sides(scene, *dice)
    while kind(battle) == "hold-back":
        battle.apply(slots(battle, "own")[0] + battle.setup.space.own)
    return battle


@pytest.mark.parametrize(("dice", "order"), [((2, 5), [1, 0, 1]), ((5, 2), [0, 1, 1]), ((3, 3, 2, 5), [1, 0, 1])])
@pytest.mark.rule("wap.special.scouts.roll-off")
def test_scouts_of_both_sides_alternate(dice: tuple[int, ...], order: list[int]) -> None:
    battle = scouts_on_both_sides(*dice)
    while battle.clock.phase[0] == 0:
        battle.apply(battle.first_legal())
    assert [int(battle.units.owner[unit]) for unit in deployed(battle)] == order
    assert len(told(battle, "wap.special.scouts.roll-off")) == len(dice) // 2


def test_nobody_rolls_for_scouts_that_only_one_side_has() -> None:
    scene = RegimentScene()
    scene.unit(0, card("Scouts"), models=5)
    scene.unit(1, None, models=5)
    battle = after_sides(scene, 6, 1)
    to_own(battle, scene.sides[0][0])
    while battle.clock.phase[0] == 0:
        battle.apply(battle.first_legal())
    assert dice_left(battle) == 0 and not told(battle, "wap.special.scouts.roll-off")


@pytest.mark.parametrize(
    ("how", "turn", "first", "fine"),
    [
        (SCOUTS, 1, 0, False),
        (0, 1, 0, True),
        (SCOUTS, 2, 0, True),
        (SCOUTS, 1, 1, True),
        (ADVANCED, 1, 0, False),
        (ADVANCED, 1, 1, True),
        (ADVANCED, 2, 0, True),
    ],
)
@pytest.mark.rule("wap.special.scouts.no-first-charge")
@pytest.mark.rule("wap.special.vanguard.no-first-charge")
def test_no_charge_in_the_first_turn(how: int, turn: int, first: int, fine: bool) -> None:
    scene = RegimentScene()
    unit = scene.unit(0, card("Scouts", "Vanguard"), (24, 20), models=5, deployed=how)
    scene.unit(1, None, (24, 26), models=5)
    battle = scene.battle("movement", turn=turn, run=False)
    battle.clock.first_player[0], battle.clock.round[0] = first, turn
    assert may_declare(battle, unit.row) is fine


# ---------------------------------------------------------------- vanguard


def vanguard(
    gap: float, rules: tuple[str, ...] = ("Vanguard",), *, detail: str = "full", **values: Any
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A unit that faces an enemy across a gap, and is asked for its vanguard move."""
    scene = RegimentScene()
    unit = scene.unit(0, card(*rules, **values), (24, 8), models=5, files=5)
    foe = scene.unit(1, None, (24, 8 + gap), models=5)
    battle = scene.battle("deployment", run=False, detail=detail)
    while battle.clock.depth[0]:
        battle.pop()
    battle.clock.phase[0] = 0
    battle.push(Vanguard, 0)
    battle.run()
    return battle, unit, foe


@pytest.mark.parametrize(
    ("gap", "values", "far"),
    [
        (20.0, {}, 6.0),
        (17.0, {}, 5.0),
        (30.0, {}, 6.0),
        (30.0, {"m": 9}, 6.0),
        (30.0, {"type": "cavalry"}, 12.0),
        (12.0, {}, 0.0),
    ],
)
@pytest.mark.rule("wap.special.vanguard.move")
def test_a_vanguard_move(gap: float, values: dict[str, Any], far: float) -> None:
    """No march; it ends more than 12" from the enemy."""
    battle, unit, foe = vanguard(gap, **values)
    assert kind(battle) == "vanguard-unit"
    to_own(battle, unit)
    assert kind(battle) == "manoeuvre" and MARCH not in slots(battle, "option")
    if far == 0.0:  # it may wheel away at most
        assert ADVANCE not in slots(battle, "option")
        return
    choose(battle, "option", ADVANCE)
    leg(battle, FORWARD, 31)
    finish(battle)
    assert pose(battle, unit)[1] - 8.0 == pytest.approx(far, abs=1e-3)
    assert distance(battle, unit.row, foe.row) > 12.0
    assert battle.units.deployed[unit] & ADVANCED and battle.units.did[unit] == 0


@pytest.mark.rule("wap.special.vanguard.move")
def test_it_may_stay_and_others_are_not_asked() -> None:
    battle, unit, _ = vanguard(20.0)
    battle.apply(0)
    assert not battle.units.deployed[unit] & ADVANCED and pose(battle, unit)[1] == 8.0
    battle, _, _ = vanguard(20.0, ())
    assert kind(battle) != "vanguard-unit"


@pytest.mark.parametrize(("dice", "order"), [((5, 2), [0, 1, 0]), ((2, 5), [1, 0, 0]), ((4, 4, 5, 2), [0, 1, 0])])
@pytest.mark.rule("wap.special.vanguard.roll-off")
def test_vanguards_of_both_sides_alternate(dice: tuple[int, ...], order: list[int]) -> None:
    scene = RegimentScene()
    for x in (8, 24):
        scene.unit(0, card("Vanguard"), (x, 8), models=5)
    scene.unit(1, card("Vanguard"), (24, 40), models=5)
    battle = scene.battle("deployment", dice=list(dice), run=False)
    while battle.clock.depth[0]:
        battle.pop()
    battle.push(Vanguard, 0)
    battle.run()
    found = []
    while kind(battle) == "vanguard-unit":
        found.append(battle.clock.player[0])
        choose(battle, "own", slots(battle, "own")[0])
        choose(battle, "option", 0)  # stays
    assert found == order


@pytest.mark.rule("wap.special.fast-cavalry.vanguard")
def test_fast_cavalry_is_a_vanguard() -> None:
    battle, unit, _ = vanguard(30.0, ("Fast Cavalry",), type="cavalry", base_mm=[25, 50])
    to_own(battle, unit)
    choose(battle, "option", ADVANCE)
    leg(battle, FORWARD, 31)
    finish(battle)
    assert pose(battle, unit)[1] - 8.0 == pytest.approx(12.0, abs=1e-3)


# ---------------------------------------------------------------- ambushers


def in_ambush(*dice: int, models: int = 5, detail: str = "squad") -> tuple[Battle, UnitHandle]:
    scene = RegimentScene()
    unit = scene.unit(0, card("Ambushers"), models=models, reserve=True, deployed=AMBUSHES)
    scene.unit(0, None, (24, 10), models=5)
    scene.unit(1, None, (40, 30), models=5)
    return scene.battle("movement", dice=dice, detail=detail), unit


def play_to_turn(battle: Battle, turn: int, what: str = "start-effect") -> None:
    """Decline everything until the player's movement phase of a game turn."""
    while not battle.clock.over[0] and not (
        battle.clock.round[0] == turn
        and battle.clock.turn[0] == 0
        and kind(battle) in (what, "arrive-edge", "select-to-move")
    ):
        battle.apply(0 if battle.legal()[0] else battle.first_legal())


@pytest.mark.rule("wap.special.ambushers.roll")
def test_ambushers_come_on_three_or_more_from_turn_two_on() -> None:
    battle, unit = in_ambush(2, 3)
    play_to_turn(battle, 1)
    assert not told(battle, "wap.special.ambushers.roll")
    play_to_turn(battle, 2, "select-to-move")
    assert [event["die"] for event in told(battle, "wap.special.ambushers.roll")] == [2]
    assert kind(battle) == "select-to-move" and battle.units.place[unit] == RESERVE
    play_to_turn(battle, 3, "arrive-edge")
    assert [event["die"] for event in told(battle, "wap.special.ambushers.roll")] == [2, 3]
    assert kind(battle) == "arrive-edge" and slots(battle, "option") == [0, 1, 2, 3]


@pytest.mark.rule("wap.special.ambushers.roll")
def test_ambushers_may_be_deployed_instead() -> None:
    for back in (True, False):
        scene = RegimentScene()
        unit = scene.unit(0, card("Ambushers"), models=5)
        scene.unit(0, None, models=5)
        scene.unit(1, None, models=5)
        battle = after_sides(scene)
        assert kind(battle) == "hold-back"
        battle.apply(battle.setup.space.own + unit.number if back else 0)
        while battle.clock.phase[0] == 0:
            battle.apply(battle.first_legal())
        assert battle.units.place[unit] == (RESERVE if back else ON_TABLE)


@pytest.mark.rule("wap.special.ambushers.arrive")
def test_ambushers_come_over_any_edge_and_neither_charge_nor_march() -> None:
    battle, unit = in_ambush(3, detail="full")
    play_to_turn(battle, 2, "arrive-edge")
    choose(battle, "option", 2)  # the enemy's
    while kind(battle) in ("arrive-files", "arrive-at"):
        battle.apply(battle.first_legal())
    deep = float(-(-5 // battle.units.files[unit]))  # its rear lies on the edge
    assert (pose(battle, unit)[1], pose(battle, unit)[2] % (2 * pi)) == pytest.approx((48.0 - deep, 1.5 * pi))
    assert battle.units.did[unit] & ARRIVED and kind(battle) == "select-to-move"
    choose(battle, "own", unit.number)
    assert ADVANCE in slots(battle, "option") and MARCH not in slots(battle, "option")
    choose(battle, "option", ADVANCE)
    leg(battle, FORWARD, 31)
    assert battle.units.py[unit] == pytest.approx(44.0 - deep)


@pytest.mark.rule("wap.special.ambushers.never")
def test_ambushers_that_never_come_count_as_fled() -> None:
    battle, unit = in_ambush(1, 2, 1, 2, 1)
    while not battle.clock.over[0]:
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    assert len(told(battle, "wap.special.ambushers.roll")) == 5
    scored = told(battle, "wap.special.ambushers.never")
    assert [(event["unit"], event["player"], event["points"]) for event in scored] == [
        (unit.row, 1, battle.units.points[unit])
    ]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.special.ambushers.never", "wap.victory.king-is-dead")
def test_a_general_who_never_comes_counts_as_one_who_fled(player: int) -> None:
    """He lies in ambush, alone or in a unit. A General who is late in a Meeting Engagement is not lost."""
    lord = card("Ambushers", character=True, size=[1, 1])
    for deployed, joined, points in ((AMBUSHES, False, 100), (AMBUSHES, True, 100), (LATE, False, 0)):
        scene = RegimentScene()
        unit = scene.unit(player, card("Ambushers"), models=5, reserve=True, deployed=deployed)
        where = {"inside": unit} if joined else {"reserve": True, "deployed": deployed}
        general = scene.unit(player, lord, models=1, leads=("general",), **where)
        scene.unit(player, None, (10, 24), models=5)
        scene.unit(1 - player, None, (40, 24), models=5)
        battle = scene.battle("end", turn=6, player=player, run=False)
        assert (share_of(battle, general.row)[0] == "wap.special.ambushers.never") is bool(points)
        assert dict(trophies_of(battle, 1 - player))["wap.victory.king-is-dead"] == points


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.special.ambushers.never", "wap.pursuit.off-table")
def test_ambushers_who_were_there_and_pursued_off_the_table_are_scored_as_others(player: int) -> None:
    """They have appeared, so they are not lost, nor do they come over any edge again."""
    scene = RegimentScene()
    unit = scene.unit(player, card("Ambushers"), (24, 24), models=10, facing=NORTH, deployed=AMBUSHES | COMING)
    scene.unit(player, None, (10, 24), models=5)
    scene.unit(1 - player, None, (40, 24), models=5)
    battle = scene.battle("movement", run=False, player=player)
    set_block(battle, unit.row, 24.0, 48.0, 0.5 * pi, 5)
    carried_off(battle, unit.row)
    assert battle.units.place[unit] == RESERVE and battle.units.left_edge[unit] >= 0
    assert share_of(battle, unit.row) == ("", 0) and not is_coming(battle, unit.row)


def test_ambushers_that_are_there_are_scored_as_others() -> None:
    scene = RegimentScene()
    unit = scene.unit(0, card("Ambushers"), (24, 10), models=5, deployed=AMBUSHES | COMING)
    scene.unit(1, None, (24, 40))
    assert share_of(scene.battle("movement", run=False), unit.row) == ("", 0)
