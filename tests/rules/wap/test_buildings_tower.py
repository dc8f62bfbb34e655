"""The watchtower as a building, and its garrison at the start."""

from __future__ import annotations

import pytest
from houses import house

from tests.machines import machine
from wh_env.content.wap import load_battle, load_battlefield
from wh_env.content.wap.load import placed
from wh_env.core.tables import DEPLOYING
from wh_env.rulesets.wap.basics.garrisons import garrison_in
from wh_env.rulesets.wap.deployment.special_deployment import Vanguard
from wh_env.rulesets.wap.deployment.tower import GarrisonTower
from wh_env.testing import choose, kind, slots, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, may_move, square

MISSION = {"victory": "control", "control": {"feature": "tower", "within": 6.0}}


@pytest.mark.rule("wap.scenario.watchtower.tower")
def test_the_tower_is_a_building_in_the_centre() -> None:
    field = load_battlefield("watch-field")
    first = placed(field, field.size)[0]
    assert (first.kind, first.name, first.storeys) == ("building", "tower", 2)
    assert [sum(corner[axis] for corner in first.outline) / 4 for axis in (0, 1)] == [36, 24]
    assert field.size == (72, 48)


@pytest.mark.rule("wap.scenario.watchtower.tower")
@pytest.mark.parametrize("battlefield", ["open-field", "random"])
def test_a_battlefield_without_a_tower_gets_that_of_the_mission(battlefield: str) -> None:
    loaded = load_battle("wap/open-field", {"mission": "watchtower", "battlefield": battlefield})
    first = loaded.features[0]
    assert (first.kind, first.name, first.storeys) == ("building", "tower", 2)
    x, y = (0.5 * side for side in loaded.battlefield.size)
    assert sorted(first.outline) == [(x - 2, y - 2), (x - 2, y + 2), (x + 2, y - 2), (x + 2, y + 2)]
    assert [item.name for item in loaded.features].count("tower") == 1


@pytest.mark.rule("wap.scenario.watchtower.garrison")
@pytest.mark.parametrize("player", [0, 1])
def test_core_infantry_of_twenty_holds_the_tower(player: int) -> None:
    scene = RegimentScene(mission=MISSION)
    scene.area("building", 22, 22, 26, 26, storeys=2, name="tower")
    fits = scene.unit(player, square(), models=20)
    scene.unit(player, square(), models=21)
    scene.unit(player, {**square(), "category": "special"}, models=10)
    scene.unit(player, machine("cannon"), models=1)
    scene.unit(1 - player, square(), (24, 46), facing=SOUTH, models=5)
    scene.unit(player, square(), (24, 3), facing=NORTH, models=5)
    battle = scene.battle("deployment", run=False)
    battle.push(GarrisonTower, player)
    battle.run()
    assert kind(battle) == "tower-garrison" and battle.clock.player[0] == player
    assert slots(battle, "own") == [fits.number] and slots(battle, "done") == [0]
    empty = battle.clone()
    choose(empty, "done")
    assert garrison_in(empty, 0) == -1 and empty.units.place[fits] == DEPLOYING
    choose(battle, "own", fits.number)
    assert garrison_in(battle, 0) == fits.row
    for _ in range(400):
        if battle.clock.turn[0] == player and kind(battle) == "select-to-move":
            assert may_move(battle, fits) is (battle.clock.round[0] > 1)
            if battle.clock.round[0] > 1:
                break
        choose(battle, "done") if 0 in words(battle) else battle.apply(min(words(battle)))
    assert battle.clock.round[0] == 2


@pytest.mark.rule("wap.scenario.watchtower.garrison", "wap.special.vanguard.move")
@pytest.mark.parametrize("player", [0, 1])
def test_a_garrison_of_the_tower_makes_no_vanguard_move(player: int) -> None:
    """Others of its army do."""
    scene = RegimentScene(mission=MISSION)
    scene.area("building", 22, 22, 26, 26, storeys=2, name="tower")
    card = square(rules=["Vanguard"])
    held = scene.unit(player, card, models=10, garrison=0)
    other = scene.unit(player, card, (40, 4 if player == 0 else 44), models=10)
    scene.unit(1 - player, square(), (8, 44 if player == 0 else 4), models=5)
    battle = scene.battle("deployment", run=False)
    battle.push(Vanguard, player)
    battle.run()
    assert kind(battle) == "vanguard-unit" and slots(battle, "own") == [other.number]
    assert garrison_in(battle, 0) == held.row


@pytest.mark.rule("wap.scenario.watchtower.garrison")
@pytest.mark.parametrize("player", [0, 1])
def test_only_one_unit_holds_the_tower(player: int) -> None:
    """Three could; the first that is named holds it, and no other is asked for."""
    scene = RegimentScene(mission=MISSION)
    scene.area("building", 22, 22, 26, 26, storeys=2, name="tower")
    units = [scene.unit(player, None, models=20) for _ in range(3)]
    scene.unit(1 - player, None, models=5)
    battle = scene.battle("deployment", run=False)
    battle.push(GarrisonTower, player)
    battle.run()
    assert slots(battle, "own") == [0, 1, 2]
    choose(battle, "own", 0)
    assert kind(battle) != "tower-garrison" and garrison_in(battle, 0) == units[0].row


def test_a_house_is_no_tower() -> None:
    scene = RegimentScene()
    house(scene)
    scene.unit(0, square(), models=20)
    battle = scene.battle("deployment", run=False)
    battle.push(GarrisonTower, 0)
    battle.run()
    assert kind(battle) != "tower-garrison"
