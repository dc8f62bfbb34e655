"""War machines on the table: moves, ground, charges on them, distances, sight, pivots before they fire."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import cos, pi, radians, sin
from typing import Any

import pytest
from charging import charge, over

from tests.machines import CHASSIS, machine
from wh_env import Battle
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.passage import is_rooted
from wh_env.rulesets.wap.basics.sight import find_who_see
from wh_env.rulesets.wap.shooting.pivoting import point_at, turn_needed
from wh_env.rulesets.wap.shooting.templates import ROUND, beneath_disc
from wh_env.testing import choose, kind, pick, slots, told, words
from wh_env.testing.play import play_until
from wh_env.testing.wap import EAST, INCH, NORTH, SOUTH, RegimentScene, UnitHandle, pose, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
DETAILS = pytest.mark.parametrize("detail", ["squad", "full"])


def moving(
    card: dict[str, Any] | None = None, *, player: int = 0, detail: str = "squad", areas: Sequence[Any] = ()
) -> tuple[Battle, UnitHandle]:
    """A war machine that is chosen to move; an enemy far away."""
    scene = RegimentScene()
    unit = scene.unit(player, card or machine(), (24, 20), facing=NORTH, models=1)
    scene.unit(1 - player, None, (6, 44), facing=SOUTH, models=10)
    for area in areas:
        scene.area(*area)
    battle = scene.battle("movement", player=player, detail=detail)
    play_until(battle, "select-to-move")
    choose(battle, "own", unit.number)
    return battle, unit


# ---------------------------------------------------------------- moves


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.move")
def test_a_machine_goes_as_far_as_its_crew(player: int) -> None:
    """4" with free pivots: straight on, then about, and back as far as is left."""
    battle, unit = moving(player=player, detail="full")
    pick(battle, "unit 00 advances" if player == 0 else "unit 10 advances")
    assert kind(battle) == "leg"
    pick(battle, f"unit {player}0 goes straight on")
    assert kind(battle) == "leg-length"
    lengths = {slot: lengths_of(text) for slot, text in words(battle).items()}
    assert max(lengths.values()) == pytest.approx(4.0)
    battle.apply(min(slot for slot in lengths if lengths[slot] >= 2.0))
    assert any("pivots on the spot" in text for text in words(battle).values())
    pick(battle, f"unit {player}0 finishes its move")
    moved = told(battle, "wap.move.basic.distance")
    assert [event["unit"] for event in moved] == [unit.row]
    assert 2.0 <= moved[0]["far"] <= 4.0


@BOTH_PLAYERS
@DETAILS
@pytest.mark.rule("wap.machine.no-charge-no-march")
def test_a_machine_never_charges_nor_marches(player: int, detail: str) -> None:
    """An enemy 3" ahead: no charge is offered, and no march."""
    scene = RegimentScene()
    unit = scene.unit(player, machine(), (24, 20), facing=NORTH, models=1)
    scene.unit(1 - player, None, (24, 23), facing=SOUTH, models=10)
    battle = scene.battle("movement", player=player, detail=detail)
    assert kind(battle) == "select-to-move"
    choose(battle, "own", unit.number)
    assert not any("marches" in text for text in words(battle).values())
    assert any("advances" in text or "goes back" in text for text in words(battle).values())
    free, other = moving(player=player, detail=detail)
    assert not any("marches" in text for text in words(free).values())
    assert any("advances" in text for text in words(free).values())
    assert other.row >= 0


def lengths_of(text: str) -> float:
    """The inches that a choice of a length names."""
    return max(float(part) for part in re.findall(r"[0-9]+(?:\.[0-9]+)?(?=\")", text))


# ---------------------------------------------------------------- ground


@BOTH_PLAYERS
@DETAILS
@pytest.mark.rule("wap.machine.terrain")
def test_a_machine_in_ground_only_turns(player: int, detail: str) -> None:
    """Set up in dangerous ground it may not move, but it may turn by 40 degrees."""
    battle, unit = moving(player=player, detail=detail, areas=[("dangerous", 20, 14, 28, 24)])
    assert is_rooted(battle, unit.row)
    assert set(words(battle).values()) == {f"unit {player}0 stays", f"unit {player}0 turns on the spot"}
    middle = middle_of(battle, unit)
    pick(battle, f"unit {player}0 turns on the spot")
    assert kind(battle) == "pivot-to"
    near = min(slots(battle, "angle"), key=lambda slot: abs(slot * 2 * pi / battle.setup.space.angles - radians(130)))
    choose(battle, "angle", near)
    play_until(battle, "select-to-move")
    assert middle_of(battle, unit) == pytest.approx(middle)
    assert pose(battle, unit)[2] == pytest.approx(near * 2 * pi / battle.setup.space.angles)


def middle_of(battle: Battle, unit: UnitHandle) -> tuple[float, float]:
    first = battle.units.first[unit]
    return float(battle.models.x[first]), float(battle.models.y[first])


@BOTH_PLAYERS
@pytest.mark.parametrize("ground", ["dangerous", "river", "marsh", "forest", "obstacle"])
@pytest.mark.rule("wap.machine.terrain")
def test_ground_is_impassable_to_a_machine(player: int, ground: str) -> None:
    """Ground 2" ahead: men go into it, a machine keeps an inch away from it."""
    ahead = [(ground, 14, 22, 34, 30)]
    reached = {}
    for name, card in (("machine", machine()), ("man", square(base_mm=CHASSIS))):
        battle, unit = moving(card, player=player, areas=ahead)
        pick(battle, f"unit {player}0 advances")
        ys = [float(text.split(",")[1].rstrip('"')) for text in words(battle).values() if " to " in text]
        reached[name] = max(ys)
        assert unit.row >= 0
    assert (reached["machine"], reached["man"]) == (19.5, 22.5)  # its middle, an inch and a half behind its front


def test_open_ground_is_not() -> None:
    battle, _ = moving(areas=[("open", 14, 22, 34, 30)])
    pick(battle, "unit 00 advances")
    assert max(float(text.split(",")[1].rstrip('"')) for text in words(battle).values() if " to " in text) == 22.5


# ---------------------------------------------------------------- charges on machines


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.charge-reaction")
@pytest.mark.parametrize("weapon", ["cannon", "bolt thrower"])
def test_a_machine_holds(player: int, weapon: str) -> None:
    """Charged from afar: holding is all that it can do, so nobody is asked; it does not stand and shoot, nor flee."""
    scene = RegimentScene()
    unit = scene.unit(player, square(m=9), (24, 12), facing=NORTH, models=10, files=5)
    cannon = scene.unit(1 - player, machine(weapon), (24, 23), facing=SOUTH, models=1)
    battle = scene.battle("movement", player=player, dice=[6, 6])
    charge(battle, unit, cannon)
    assert kind(battle) != "charge-reaction"
    reaction = told(battle, "wap.charge.reaction.list")
    assert [(event["unit"], event["target"]) for event in reaction] == [(cannon.row, unit.row)]
    over(battle)
    assert not told(battle, "wap.charge.flee.pivot")
    assert not told(battle, "wap.charge.stand-shoot.resolve")
    assert [event["unit"] for event in told(battle, "wap.charge.move.contact")] == [unit.row]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.charging-it")
def test_a_charger_closes_the_door(player: int) -> None:
    """The charger comes at an angle of 20 degrees to the long side: it ends with its front edge along that side."""
    scene = RegimentScene()
    cannon = scene.unit(1 - player, machine(), (24, 24), facing=EAST, models=1)
    unit = scene.unit(player, square(), (24, 18), facing=NORTH + radians(20), models=5, files=5)
    battle = scene.battle("movement", player=player, dice=[6, 6])
    charge(battle, unit, cannon)
    over(battle)
    made = told(battle, "wap.charge.move.contact")[0]
    assert (made["facing"], made["place"][1]) == (90, 23.0)  # along the side, at the chassis


# ---------------------------------------------------------------- distances, sight, pivots


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.measure.chassis", "wap.machine.crew.not-separate")
def test_distances_are_those_of_the_chassis(player: int) -> None:
    """A chassis of 2" by 3" and an enemy 8" before it: 8", and no model but the chassis is on the table."""
    scene = RegimentScene()
    cannon = scene.unit(player, machine(), (24, 20), facing=NORTH, models=1)
    enemy = scene.unit(1 - player, None, (24, 28), facing=SOUTH, models=10, files=5)
    battle = scene.battle("movement", run=False)
    assert distance(battle, cannon.row, enemy.row) == pytest.approx(8.0)
    k = battle.units.first[cannon]
    assert (2 * battle.models.half_b[k], 2 * battle.models.half_a[k]) == pytest.approx((2.0, 3.0))
    assert battle.units.count[cannon] == 1


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.crew.not-separate")
def test_nothing_beside_the_chassis_is_in_the_way(player: int) -> None:
    """Its crew would stand within an inch of it: a template there touches nobody, and friends pass right beside it."""
    scene = RegimentScene()
    cannon = scene.unit(player, machine(), (24, 20), facing=NORTH, models=1)  # from x = 23 to 25
    unit = scene.unit(player, None, (27.6, 17.5), facing=NORTH, models=5, files=5)  # from x = 25.1 on
    scene.unit(1 - player, None, (6, 44), facing=SOUTH, models=10)
    battle = scene.battle("movement", player=player)
    assert beneath_disc(battle, 25 + 1.6, 19.5, ROUND["small"]) == []
    assert beneath_disc(battle, 25 + 1.4, 19.5, ROUND["small"]) == [cannon.first]
    play_until(battle, "select-to-move")
    choose(battle, "own", unit.number)
    pick(battle, f"{unit.regiment.name} advances")
    ways = [text for text in words(battle).values() if " to 27.60" in text]
    assert max(float(text.split(",")[1].rstrip('"')) for text in ways) == 21.5


@pytest.mark.rule("wap.troop.war-machine.profile")
@BOTH_PLAYERS
@pytest.mark.parametrize(("target", "seen"), [(square(), False), (square(type="cavalry"), True)])
def test_a_machine_sees_as_infantry_does(player: int, target: dict[str, Any], seen: bool) -> None:
    """Behind infantry it sees cavalry beyond them, and no infantry."""
    scene = RegimentScene()
    cannon = scene.unit(player, machine(), (24, 10), facing=NORTH, models=1)
    scene.unit(player, None, (24, 15), facing=NORTH, models=20, files=20)
    enemy = scene.unit(1 - player, target, (24, 25), facing=SOUTH, models=5, files=5)
    battle = scene.battle("shooting", run=False)
    assert battle.units.sight[cannon] == 1
    assert bool(find_who_see(battle, cannon.row, enemy.row)) is seen


@BOTH_PLAYERS
@pytest.mark.parametrize("degrees", [44, -44, 10])
def test_a_machine_turns_to_fire(player: int, degrees: int) -> None:
    """It turns on its middle, and that is no move."""
    scene = RegimentScene()
    cannon = scene.unit(player, machine(), (24, 24), facing=EAST, models=1)
    scene.unit(1 - player, None, (4, 44), models=5)
    battle = scene.battle("shooting", run=False)
    x, y = middle_of(battle, cannon)
    at = x + 20 * cos(radians(degrees)), y + 20 * sin(radians(degrees))
    assert turn_needed(battle, cannon.row, *at) == pytest.approx(radians(degrees))
    point_at(battle, cannon.row, *at)
    assert middle_of(battle, cannon) == pytest.approx((x, y))
    assert pose(battle, cannon)[2] == pytest.approx(radians(degrees))
    assert battle.units.did[cannon] == 0


def test_a_machine_without_room_does_not_turn() -> None:
    scene = RegimentScene()
    cannon = scene.unit(0, machine(base_mm=[2 * INCH, 4 * INCH]), (24, 24), facing=EAST, models=1)
    scene.unit(0, None, (23.9, 26.2), facing=NORTH, models=5, files=5)
    battle = scene.battle("shooting", run=False)
    x, y = middle_of(battle, cannon)
    point_at(battle, cannon.row, x + 10, y + 9)
    assert pose(battle, cannon)[2] == EAST
