"""The battle: sides, deployment by turns, who plays first, turns and phases, the end."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.machines import machine
from wh_env import Battle
from wh_env.content.wap import load_battle, load_rules
from wh_env.core.tables import ATTACHED, DEPLOYING, ON_TABLE
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.codes import FLED_THROUGH
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.testing import choose, dice_left, kind, script, slots, told
from wh_env.testing.wap import RegimentScene, corners, square


def muster(first: int, second: int, **more: object) -> RegimentScene:
    """Armies of so many units, which wait to be deployed."""
    scene = RegimentScene((72, 48), **more)  # type: ignore[arg-type]
    for player, count in ((0, first), (1, second)):
        for _ in range(count):
            scene.unit(player, square(points=10), models=5)
    return scene


def deploy_all(battle: Battle, seed: int = 0) -> list[int]:
    """Deploy everything; returns who was asked to drop a unit, in order."""
    asked, chance = [], random.Random(seed)
    while battle.clock.phase[0] == 0:
        assert battle.decision is not None
        if battle.decision.kind == "deploy-unit" or battle.decision.kind == "deploy-to":
            asked.append(battle.decision.player)
        battle.apply(chance.choice(battle.decision.options))
    return asked


def drops(battle: Battle) -> list[int]:
    """Players in the order of what they have deployed."""
    return [battle.units.owner[event["unit"]] for event in told(battle, "wap.scenario.battleline.deployment")]


@pytest.mark.rule("wap.battle.table-size")
def test_a_table_is_six_feet_by_four_where_nothing_says_otherwise() -> None:
    assert load_rules().table == (72.0, 48.0)
    bare = {"name": "bare"}
    assert load_battle("wap/open-field", {"battlefield": bare}).size == (72.0, 48.0)
    assert load_battle("wap/open-field").size == (48.0, 48.0)


@pytest.mark.rule("wap.battle.deploy.edges")
def test_zones_lie_along_the_long_edges() -> None:
    battle = muster(1, 1).battle("deployment", dice=[2, 1])
    south, north = battle.setup.ruleset.deployment_zones(battle)
    assert (south.min(axis=0).tolist(), south[:, 0].max()) == ([0.0, 0.0], 72.0)
    assert (north.max(axis=0).tolist(), north[:, 0].min()) == ([72.0, 48.0], 0.0)


@pytest.mark.parametrize(("dice", "winner"), [([2, 5], 1), ([4, 4, 6, 1], 0)])
@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.rule("wap.battle.deploy.roll-side", "wap.scenario.battleline.side", "wap.scenario.roll-off")
def test_the_higher_roll_chooses_a_side_and_places_first(dice: list[int], winner: int, half: int) -> None:
    battle = muster(1, 1).battle("deployment", dice=dice)
    assert battle.decision is not None
    assert (battle.decision.kind, battle.decision.player) == ("choose-side", winner)
    assert slots(battle, "option") == [0, 1]
    choose(battle, "option", half)
    deploy_all(battle)
    assert drops(battle) == [winner, 1 - winner]
    for player in (0, 1):
        below = (winner if half == 0 else 1 - winner) == player
        ys = [y for unit in battle.units_of(player) for _, y in corners(battle, unit)]
        assert all((y < 24) is below for y in ys)


@pytest.mark.rule("wap.battle.deploy.alternate", "wap.scenario.battleline.deployment")
def test_one_unit_each_in_turn() -> None:
    """A has 5 units, B 3 and places first."""
    battle = muster(5, 3).battle("deployment", dice=[1, 6])
    choose(battle, "option", 0)
    assert slots(battle, "own") == [0, 1, 2]
    deploy_all(battle)
    assert drops(battle) == [1, 0, 1, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.rule("wap.battle.deploy.groups")
def test_machines_cheap_units_and_characters_are_placed_in_one_go(player: int) -> None:
    """Three units of 50 points, two war machines, two units of 40 points and two characters are six drops; the other
    side has six units, and places one after each of them."""
    scene = RegimentScene((72, 48))
    dear = [scene.unit(player, square(points=10), models=5) for _ in range(3)]
    machines = [scene.unit(player, machine(), models=1, files=1) for _ in range(2)]
    cheap = [scene.unit(player, square(points=8), models=5) for _ in range(2)]
    heroes = [scene.unit(player, square(character=True, size=[1, 1], points=200), models=1) for _ in range(2)]
    for _ in range(6):
        scene.unit(1 - player, square(points=10), models=5)
    dice = [6, 1] if player == 0 else [1, 6]
    battle = scene.battle("deployment", dice=dice)
    choose(battle, "option", 0)
    groups = {"machine": machines, "cheap": cheap}
    drops: list[int] = []
    for wanted in (machines[1], cheap[0], *dear):
        left = [unit.number for unit in (*dear, *machines, *cheap) if battle.units.place[unit] == DEPLOYING]
        if kind(battle) == "deploy-unit":
            assert slots(battle, "own") == left
            choose(battle, "own", wanted.number)
        group = next((units for units in groups.values() if wanted in units), [wanted])
        for unit in (wanted, *(other for other in group if other is not wanted)):
            assert kind(battle) == "deploy-to" and battle.clock.player[0] == player
            assert battle.clock.subject[0] == unit.row
            battle.apply(battle.first_legal())
        drops.append(wanted.row)
        assert battle.clock.player[0] == 1 - player and len(slots(battle, "own")) == 7 - len(drops)
        battle.apply(battle.first_legal())
        battle.apply(battle.first_legal())
    while battle.clock.phase[0] == 0:
        battle.apply(battle.first_legal())
    assert battle.players.drops.tolist() == [6, 6]
    assert all(battle.units.place[unit] == ON_TABLE for unit in (*dear, *machines, *cheap))
    assert all(battle.units.place[unit] in (ON_TABLE, ATTACHED) for unit in heroes)


@pytest.mark.parametrize(("points", "asked"), [(9, [0, 0, 1, 1]), (10, [0, 1, 0, 1])])
@pytest.mark.rule("wap.battle.deploy.groups")
def test_below_fifty_points_is_cheap(points: int, asked: list[int]) -> None:
    scene = RegimentScene((72, 48))
    for player in (0, 1):
        for _ in range(2):
            scene.unit(player, square(points=points), models=5)
    battle = scene.battle("deployment", dice=[6, 1])
    choose(battle, "option", 0)
    while battle.clock.phase[0] == 0:
        battle.apply(battle.first_legal())
    found = [battle.units.owner[note["unit"]] for note in told(battle, "wap.scenario.battleline.deployment")]
    assert found == asked


@pytest.mark.rule("wap.battle.deploy.alternate", "wap.core.unit.formation")
def test_files_and_facing_are_chosen_at_full_detail() -> None:
    battle = muster(1, 1).battle("deployment", dice=[6, 1], detail="full")
    choose(battle, "option", 0)
    assert kind(battle) == "deploy-files"
    assert slots(battle, "number") == [2, 3, 4]  # three files make two ranks, two would make three
    choose(battle, "number", 3)
    assert kind(battle) == "deploy-facing" and len(slots(battle, "angle")) == 24
    choose(battle, "angle", 3)
    assert kind(battle) == "deploy-to"
    choose(battle, "cell", slots(battle, "cell")[40])
    assert kind(battle) == "deploy-refine"
    choose(battle, "cell", slots(battle, "cell")[0])
    assert battle.units.files[0] == 4
    assert battle.units.facing[0] == pytest.approx(np.pi / 4)


@pytest.mark.parametrize(("gap", "fine"), [(1.0, True), (0.9, False)])
@pytest.mark.rule("wap.battle.deploy.spacing")
def test_units_are_deployed_an_inch_apart(gap: float, fine: bool) -> None:
    """A unit with its right edge at x = 20; another beside it, at the place of a cell."""
    scene = RegimentScene((72, 48))
    scene.unit(0, None, (0, 0), models=5, files=5)
    second = scene.unit(0, None, models=5)
    scene.unit(1, None, models=5)
    battle = scene.battle("deployment", dice=[6, 1], run=False)
    cell = 17 * 8 + 8  # its place, by the grid over the zone: the middle of the table
    x, y = 36.0, 9 * (12 - 2e-4) / 17
    battle.units.x[0], battle.units.y[0] = x - 5.0 - gap, y
    derive(battle, 0)
    battle.run()
    choose(battle, "option", 0)
    while kind(battle) != "deploy-to" or battle.decision is None or battle.decision.subject != second.row:
        battle.apply(battle.first_legal())
    assert (cell in slots(battle, "cell")) is fine


@pytest.mark.parametrize(
    ("dice", "first"), [([4, 4], 1), ([5, 4, 5, 4, 6, 1], 0), ([5, 4, 1, 1], 1), ([6, 1], 0), ([6, 5, 2, 2], 1)]
)
@pytest.mark.rule("wap.battle.first-turn")
def test_the_one_with_fewer_units_adds_one(dice: list[int], first: int) -> None:
    """A has 8 units, B has 6; the southern player, who rolls first, is A."""
    scene = muster(8, 6, mission={"first_turn": {"roll": "fewer-units"}})
    battle = scene.battle("deployment", dice=[6, 1, *dice])
    choose(battle, "option", 0)
    deploy_all(battle)
    assert (battle.clock.first_player[0], battle.clock.turn[0], dice_left(battle)) == (first, first, 0)


def play(battle: Battle, seed: int = 1) -> None:
    chance = random.Random(seed)
    while battle.decision is not None:
        battle.apply(chance.choice(battle.decision.options))


@pytest.mark.rule("wap.battle.length", "wap.battle.turn.alternate", "wap.scenario.battleline.length")
def test_six_game_turns_of_two_player_turns() -> None:
    battle = Battle.load("wap/open-skirmish", 2, record=True)
    play(battle)
    first = battle.clock.first_player[0]
    turns = [(event["round"], event["player"]) for event in told(battle, "wap.battle.turn.alternate")]
    assert turns == [(n, player) for n in range(1, 7) for player in (first, 1 - first)]
    phases = [event for event in battle.events if event.kind == "phase" and event.data["round"] > 0]
    assert len(phases) == 48


@pytest.mark.rule("wap.battle.turn.phases")
def test_four_phases_in_their_order() -> None:
    battle = Battle.load("wap/open-skirmish", 2, record=True)
    play(battle)
    names = [event.data["phase"] for event in battle.events if event.kind == "phase" and event.data["round"] == 1]
    assert names == ["Movement", "Magic", "Shooting", "Close Combat"] * 2


@pytest.mark.rule("wap.battle.turn.game-turn")
def test_a_game_turn_is_two_player_turns() -> None:
    battle = Battle.load("wap/open-skirmish", 2, record=True)
    play(battle)
    kinds = [event.kind for event in battle.events if event.kind in ("game turn", "turn")]
    assert kinds == ["game turn", "turn", "turn"] * 6


@pytest.mark.rule("wap.battle.end")
def test_after_the_last_turn_the_points_are_counted_once() -> None:
    battle = Battle.load("wap/open-skirmish", 2, record=True)
    play(battle)
    assert battle.over and battle.decision is None and not battle.legal().any()
    assert len(told(battle, "wap.battle.end")) == len(told(battle, "wap.scenario.battleline.victory")) == 1


@pytest.mark.parametrize("moves", [0, 1, 3])
@pytest.mark.rule("wap.battle.turn.all-units")
def test_he_moves_as_many_units_as_he_wants(moves: int) -> None:
    scene = RegimentScene()
    for x in (10, 20, 30):
        scene.unit(0, None, (x, 10), models=5)
    scene.unit(1, None, (20, 40))
    battle = scene.battle("movement")
    for unit in range(moves):
        assert slots(battle, "own") == list(range(unit, 3))
        assert slots(battle, "done") == [0]
        choose(battle, "own", unit)
        choose(battle, "option", 3)
        choose(battle, "number", 1)
    if moves < 3:
        choose(battle, "done")
    assert battle.clock.turn[0] == 1
    assert [battle.units.y[unit] for unit in range(3)] == [9.5] * moves + [10.0] * (3 - moves)


@pytest.mark.rule("wap.battle.turn.exceptions")
def test_what_breaks_the_sequence_is_resolved_and_the_step_goes_on_where_it_was() -> None:
    """Between two moves of a player's Movement phase a unit of the other one panics and flees."""
    scene = RegimentScene()
    for x in (8, 20, 32):
        scene.unit(0, None, (x, 10))
    enemy = scene.unit(1, None, (20, 30))
    battle = scene.battle("movement")
    choose(battle, "own", 1)
    choose(battle, "option", 0)
    assert slots(battle, "own") == [0, 2]
    before = (battle.clock.turn[0], battle.clock.phase[0], battle.clock.step[0])
    script(battle, [6, 6, 2, 3])
    battle.units.due[enemy] = FLED_THROUGH
    battle.push(Panic)
    battle.clock.asking[0] = 0
    battle.run()
    assert battle.units.fleeing[enemy] and battle.units.y[enemy] > 30.0
    assert (battle.clock.turn[0], battle.clock.phase[0], battle.clock.step[0]) == before
    assert slots(battle, "own") == [0, 2]
