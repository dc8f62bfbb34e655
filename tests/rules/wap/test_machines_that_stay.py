"""War machines that nothing makes charge, nothing moves out of the ground in which they were set up, and that keep out
of ground which they cannot enter.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.machines import machine
from tests.rules.wap.test_lore_moves_wind import HIT, before, blown
from wh_env import Battle
from wh_env.rulesets.wap.basics.passage import is_rooted
from wh_env.rulesets.wap.movement.edge_places import SOUTH as SOUTHERN
from wh_env.rulesets.wap.movement.reinforcements import Arrive
from wh_env.testing import choose, dice_left, kind, pick, slots, told, words
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, pose, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
CALM = {"rules": ["Immunity (Panic)"]}


def stupid(player: int, dice: list[int], foe_at: float, **ground: Any) -> tuple[Battle, UnitHandle]:
    """A stupid machine of a player whose front is at y = 20, in its Movement phase, and an enemy ahead of it."""
    scene = RegimentScene()
    if ground:
        scene.area(**ground)
    engine = scene.unit(player, machine(rules=["Stupidity"], ld=2), (24, 20), facing=NORTH, models=1)
    scene.unit(1 - player, None, (24, foe_at), facing=SOUTH, models=5)
    scene.unit(player, None, (44, 3), facing=NORTH, models=5)
    return scene.battle("movement", player=player, dice=dice), engine


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.no-charge-no-march", "wap.special.stupidity.failed")
def test_a_stupid_machine_does_not_run_into_an_enemy(player: int) -> None:
    """It fails its test and rolls 6; an enemy is four inches ahead, before whom it stops an inch away."""
    battle, engine = stupid(player, [6, 6, 6], 24.0)
    assert told(battle, "wap.special.stupidity.failed") and not told(battle, "wap.special.random-movement.contact")
    assert pose(battle, engine) == pytest.approx((24.0, 23.0, NORTH)) and dice_left(battle) == 0
    assert not battle.units.fights[engine]


@BOTH_PLAYERS
@pytest.mark.parametrize(("south", "goes"), [(16.0, 0.0), (22.0, 1.0), (30.0, 6.0)])
@pytest.mark.rule("wap.machine.terrain", "wap.special.stupidity.failed")
def test_a_stupid_machine_stays_in_the_wood_in_which_it_was_set_up(player: int, south: float, goes: float) -> None:
    """A wood begins behind its front, two inches ahead of it or far away. In the wood it does not turn either."""
    ground = {"kind": "forest", "x0": 20, "y0": south, "x1": 28, "y1": south + 8}
    battle, engine = stupid(player, [6, 6, 6], 45.0, **ground)
    assert pose(battle, engine) == pytest.approx((24.0, 20.0 + goes, NORTH))
    assert kind(battle) == "select-to-move" and engine.number not in slots(battle, "own")


@BOTH_PLAYERS
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.rule("wap.machine.terrain", "wap.lore.heavens.wind-blast.collision")
def test_a_wind_does_not_blow_a_machine_out_of_a_wood(player: int, inside: bool) -> None:
    """Pushed by five inches it goes as far in the open. In a wood it cannot move, and takes four hits instead."""
    scene, wizard, engine = before(player, card=machine(**CALM), models=1, files=1)
    if inside:
        scene.area("forest", 21, 17, 27, 22)
    battle = blown(scene, wizard, engine, [3, 5, *([4, 1, 1, 1, 1] if inside else [])])
    assert pose(battle, engine) == pytest.approx((24.0, 18.0 if inside else 23.0, SOUTH))
    assert [event["amount"] for event in told(battle, HIT)] == ([4] if inside else [])
    assert dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.parametrize("card", [machine(**CALM), square(**CALM)])
@pytest.mark.rule("wap.machine.terrain", "wap.lore.heavens.wind-blast.collision")
def test_a_wind_blows_a_machine_against_a_wood(player: int, card: dict[str, Any]) -> None:
    """A wood is three inches behind it: it stops after two and takes hits, where men go on into the wood."""
    scene, wizard, target = before(player, card=card, models=1, files=1)
    is_machine = card["type"] == "war machine"
    rear = 18.0 + (3.0 if is_machine else 1.0)
    scene.area("forest", 20, rear + 3, 28, rear + 8)
    battle = blown(scene, wizard, target, [3, 5, *([2, 1, 1] if is_machine else [])])
    assert pose(battle, target)[1] == pytest.approx(20.0 if is_machine else 23.0, abs=0.06)
    assert [event["amount"] for event in told(battle, HIT)] == ([2] if is_machine else [])
    assert dice_left(battle) == 0


@BOTH_PLAYERS
@pytest.mark.parametrize("card", [machine(), square(figures=3, size=[1, 1])])
@pytest.mark.rule("wap.building.leave.forced-charge", "wap.machine.no-charge-no-march", "wap.machine.terrain")
def test_no_frenzy_drives_a_machine_out_of_its_building(player: int, card: dict[str, Any]) -> None:
    """In a Tower of Blood the forces of Destruction are frenzied. Men in it test to stay, and fail; crew do not test."""
    scene = RegimentScene()
    scene.area("building", 20, 20, 25, 25, storeys=2, example="tower of blood")
    inside = scene.unit(player, card, models=1, garrison=0, book=("some book", "destruction"))
    scene.unit(1 - player, None, (22.5, 14), facing=NORTH, models=5)
    scene.unit(player, None, (44, 3), facing=NORTH, models=5)
    battle = scene.battle("movement", player=player, dice=[6, 6])
    stays = "machine" in card
    assert bool(told(battle, "wap.special.frenzy.must-charge")) is not stays
    assert battle.units.garrison[inside] == (0 if stays else -1) and dice_left(battle) == (2 if stays else 0)


@BOTH_PLAYERS
@pytest.mark.parametrize("card", [machine(), None])
@pytest.mark.rule("wap.machine.terrain", "wap.move.reinforce.place")
def test_a_machine_comes_on_to_open_ground_alone(player: int, card: dict[str, Any] | None) -> None:
    """There is a wood along the edge from x = 0 to 20, and a river from 30 on: men come on there too."""
    scene = RegimentScene()
    scene.area("forest", 0, 0, 20, 6)
    scene.area("river", 30, 0, 48, 6)
    late = scene.unit(player, card, models=1, files=1, reserve=True)
    scene.unit(1 - player, None, (24, 40), models=5)
    scene.unit(player, None, (44, 30), models=5)
    battle = scene.battle("movement", player=player)
    battle.push(Arrive, late.row, SOUTHERN, 0, 0)
    battle.run()
    xs = []
    for slot in slots(battle, "number"):
        copy = battle.clone()
        choose(copy, "number", slot)
        xs.append(pose(copy, late)[0])
    if card is None:
        assert min(xs) < 1.0 and max(xs) > 47.0
    else:
        assert xs and min(xs) >= 22.0 - 1e-3 and max(xs) <= 28.0 + 1e-3


@BOTH_PLAYERS
@pytest.mark.parametrize(("wide", "farthest"), [(4.2, 22.5), (3.8, 20.0), (1.8, 19.5)])
@pytest.mark.rule("wap.terrain.river.crossing", "wap.machine.terrain")
def test_a_machine_crosses_a_river_by_a_bridge(player: int, wide: float, farthest: float) -> None:
    """Its chassis is two inches wide and keeps an inch from the water. The river begins two inches ahead of it. On the
    bridge it may move on in its next turn.
    """
    scene, (west, east) = RegimentScene(), (24 - 0.5 * wide, 24 + 0.5 * wide)
    bridge = {"polygon": [[west, 20], [east, 20], [east, 25], [west, 25]], "wide": wide}
    scene.area("river", 4, 22, 44, 23.5, crossings=[bridge])
    engine = scene.unit(player, machine(), (24, 20), facing=NORTH, models=1)
    scene.unit(1 - player, None, (24, 45), facing=SOUTH, models=5)
    battle = scene.battle("movement", player=player)
    choose(battle, "own", engine.number)
    pick(battle, "advances")
    places = {action: text.split(",")[1].rstrip('"') for action, text in words(battle).items() if " to " in text}
    assert max(map(float, places.values())) == farthest  # its middle, an inch and a half behind its front
    battle.apply(max(places, key=lambda action: (float(places[action]), action)))
    assert not is_rooted(battle, engine.row)
