"""What all war machines have in common when they fire: turning, sight, range, moves, the skill of the crew."""

from __future__ import annotations

from math import cos, pi, radians, sin
from typing import Any

import pytest
from charging import charge, over
from heroes import hero

from tests.machine_scenes import MUZZLE, Range
from tests.machines import gunner, machine
from wh_env import Battle
from wh_env.core.tables import DESTROYED
from wh_env.rulesets.wap.basics.sight import find_who_see
from wh_env.rulesets.wap.codes import MOVED
from wh_env.rulesets.wap.shooting.firing_points import muzzle_of
from wh_env.rulesets.wap.shooting.shots import IN_PHASE, MULTIPLE, firings, penalties, ways_of
from wh_env.testing import choose, dice_left, kind, pick, slots, told, words
from wh_env.testing.play import play_until
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, pose, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
WEAPONS = pytest.mark.parametrize("weapon", ["bolt thrower", "cannon"])
MAN = square(base_mm=[10, 10])  # hardly more than a point
MIDDLE = (MUZZLE[0] - 1.5, MUZZLE[1])  # of the chassis


def bearing(degrees: float, far: float = 20.0) -> tuple[float, float]:
    """A place so far from the middle of the chassis, in a direction to the left of where it looks."""
    return MIDDLE[0] + far * cos(radians(degrees)), MIDDLE[1] + far * sin(radians(degrees))


def targets(table: Range) -> set[int]:
    """The rows of the enemies that the machine of a scene may fire at."""
    battle = table.battle()
    name = table.machine.regiment.name
    if not any(text == f"{name} shoots" for text in words(battle).values()):
        return set()
    pick(battle, f"{name} shoots")
    if kind(battle) == "machine-way":
        pick(battle, next(text for text in words(battle).values() if "cannonball" in text or "what it sees" in text))
    first = battle.players.first_unit[1 - table.player]
    if kind(battle) in ("machine-target", "shoot-target"):
        return {first + slot for slot in slots(battle, "enemy")}
    return {event["target"] for event in told(battle, "wap.shoot.sequence")} or {first}


# ---------------------------------------------------------------- turning


@BOTH_PLAYERS
@WEAPONS
@pytest.mark.rule("wap.machine.fire.pivot")
@pytest.mark.parametrize("degrees", [44, -44, 0])
def test_a_machine_turns_to_its_target_and_fires(player: int, weapon: str, degrees: int) -> None:
    """It turns on the spot by the angle at which the target lies, and that is no move."""
    table = Range(player, weapon)
    table.enemy(square(), bearing(degrees))
    battle = table.battle(dice=[1] * 8)
    before = middle_of(battle, table.machine)
    facing = pose(battle, table.machine)[2]
    pick(battle, f"{table.machine.regiment.name} shoots")
    if kind(battle) == "machine-aim":
        cell = next(iter(slots(battle, "cell")))
        choose(battle, "cell", cell)
    after = pose(battle, table.machine)[2]
    off = (after - facing + pi) % (2 * pi) - pi
    assert off == pytest.approx(radians(degrees), abs=0.08)
    assert middle_of(battle, table.machine) == pytest.approx(before)


def middle_of(battle: Battle, unit: UnitHandle) -> tuple[float, float]:
    first = battle.units.first[unit]
    return float(battle.models.x[first]), float(battle.models.y[first])


@BOTH_PLAYERS
@WEAPONS
@pytest.mark.rule("wap.machine.fire.pivot")
@pytest.mark.parametrize(
    ("degrees", "legal"), [(44, True), (-44, True), (46.6, False), (-46.6, False), (90, False), (180, False)]
)
def test_the_target_lies_in_the_front_arc(player: int, weapon: str, degrees: float, legal: bool) -> None:
    """A small target at 44 degrees may be fired at, one wholly beyond 46 may not."""
    table = Range(player, weapon)
    enemy = table.enemy(MAN, bearing(degrees, 22.0))
    assert (enemy.row in targets(table)) is legal


@BOTH_PLAYERS
@pytest.mark.parametrize(("weapon", "dice"), [("bolt thrower", [1]), ("cannon", [1, 1, 1, 1, 1])])
@pytest.mark.rule("wap.machine.fire.pivot", "wap.machine.fire.line-of-sight")
def test_it_turns_to_those_of_a_unit_that_it_sees(player: int, weapon: str, dice: list[int]) -> None:
    """Friends hide all of a wide unit but its far end, which lies to the right; the middle of it lies to the left."""
    table = Range(player, weapon)
    wide = table.enemy(None, (15, 31), models=20, files=20)
    table.unit(True, None, (13, 31), models=16, files=16, facing=0.0)
    battle = table.battle(dice=dice)
    before = pose(battle, table.machine)[2]
    pick(battle, f"{table.machine.regiment.name} shoots")
    assert [event["amount"] for event in told(battle, "wap.shoot.hit.roll")] == [1 if weapon == "bolt thrower" else 3]
    off = (pose(battle, table.machine)[2] - before + pi) % (2 * pi) - pi
    assert radians(-30) < off < radians(-10) and dice_left(battle) == 0
    assert battle.units.alive[wide] == 20


# ---------------------------------------------------------------- where it measures from


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.measure.firing-point")
@pytest.mark.parametrize(
    ("weapon", "far", "reached"),
    [
        ("cannon", 47.5, True),
        ("cannon", 48.5, False),
        ("bolt thrower", 47.5, True),
        ("bolt thrower", 48.5, False),
        ("stone thrower", 57.5, True),
        ("stone thrower", 58.8, False),
    ],
)
def test_range_is_measured_from_the_muzzle_or_the_arm(player: int, weapon: str, far: float, reached: bool) -> None:
    """``far`` from the muzzle, and 1.5" more from the middle of the chassis, where a stone thrower measures its 60"
    from.
    """
    table = Range(player, weapon)
    enemy = table.enemy(MAN, (MUZZLE[0] + far, MUZZLE[1]))
    assert (enemy.row in targets(table)) is reached


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.measure.firing-point")
def test_the_firing_point(player: int) -> None:
    """The end of the barrel is the middle of the front edge, the pivot of an arm the middle of the chassis."""
    for weapon, expected in (("cannon", MUZZLE), ("bolt thrower", MUZZLE), ("stone thrower", MIDDLE)):
        table = Range(player, weapon)
        table.enemy(MAN, (40, 24))
        battle = table.battle(run=False)
        assert muzzle_of(battle, table.machine.row) == pytest.approx(table.there(*expected))


@BOTH_PLAYERS
@WEAPONS
@pytest.mark.rule("wap.machine.fire.line-of-sight")
@pytest.mark.parametrize(("slit", "legal"), [(0.0, True), (0.7, False)])
def test_sight_is_that_of_the_muzzle(player: int, weapon: str, slit: float, legal: bool) -> None:
    """Two rocks leave a slit. Before the muzzle it shows the target, whatever they hide from the rest of the chassis.
    Beside the muzzle it does not, though men on such a base would see through it."""
    found = {}
    for name in ("machine", "man"):
        table = Range(player, weapon, **({} if name == "machine" else {"card": square(base_mm=machine()["base_mm"])}))
        y = MUZZLE[1] + slit
        table.area("impassable", 11.0, y + 0.15, 13.0, 40.0)
        table.area("impassable", 11.0, 8.0, 13.0, y - 0.15)
        enemy = table.enemy(MAN, (40.0, y))
        if name == "man":
            battle = table.battle(run=False)
            found[name] = bool(find_who_see(battle, table.machine.row, enemy.row))
        else:
            found[name] = enemy.row in targets(table)
    assert found == {"machine": legal, "man": True}


# ---------------------------------------------------------------- Move or Fire, Slow to Fire


@BOTH_PLAYERS
@pytest.mark.parametrize("weapon", ["bolt thrower", "cannon", "stone thrower", "fire thrower"])
@pytest.mark.rule("wap.machine.fire.default-rules", "wap.machine.move")
def test_a_machine_that_has_moved_does_not_fire(player: int, weapon: str) -> None:
    fires = {}
    for moves in (False, True):
        scene = RegimentScene()
        unit = scene.unit(player, machine(weapon), (24, 10), facing=NORTH, models=1)
        scene.unit(
            1 - player, None, (24, 10 + (16 if weapon != "fire thrower" else 7)), facing=SOUTH, models=10, files=5
        )
        battle = scene.battle("movement", player=player, detail="full")
        play_until(battle, "select-to-move")
        if moves:
            choose(battle, "own", unit.number)
            pick(battle, f"unit {player}0 goes back")
            battle.apply(battle.first_legal())
        else:
            choose(battle, "done")
        fires[moves] = kind(battle) == "select-to-shoot"
    assert fires == {False: True, True: False}


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire.default-rules")
def test_a_machine_does_not_stand_and_shoot(player: int) -> None:
    """Charged from 20" away it holds, as nothing else is offered."""
    scene = RegimentScene()
    unit = scene.unit(player, square(m=9, type="cavalry"), (24, 4), facing=NORTH, models=5, files=5)
    cannon = scene.unit(1 - player, machine("bolt thrower"), (24, 24), facing=SOUTH, models=1)
    battle = scene.battle("movement", player=player, dice=[6, 6, 6, 6])
    charge(battle, unit, cannon)
    over(battle)
    assert [event["unit"] for event in told(battle, "wap.charge.reaction.list")] == [cannon.row]
    assert not told(battle, "wap.shoot.sequence")


# ---------------------------------------------------------------- to hit


def needs(table: Range, enemy: UnitHandle, way: int = 0, **state: Any) -> list[tuple[int, int]]:
    """What the shots of the machine need to hit, and how many there are."""
    battle = table.battle(run=False)
    for column, value in state.items():
        getattr(battle.units, column)[table.machine] = value
    return [(firing.needed, firing.shots) for firing in firings(battle, table.machine.row, enemy.row, way, IN_PHASE)]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire.best-bs")
def test_the_best_of_the_crew_aims(player: int) -> None:
    """Crew of BS 3, 3 and 4 hit on 3+; without him, on 4+."""
    for card, expected in (
        ({**machine("bolt thrower", crew=2, bs=3), "crew": gunner(bs=4)}, 3),
        (machine("bolt thrower", crew=3, bs=3), 4),
    ):
        table = Range(player, card=card)
        enemy = table.enemy(square(), (34, 24), models=10, files=5)
        assert needs(table, enemy) == [(expected, 1)]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire.best-bs", "wap.machine.shot-at.mixed-crew")
def test_a_character_who_serves_a_machine_aims_for_it(player: int) -> None:
    """He is one of the crew. A worse shot than they are does no harm."""
    for skill, expected in ((5, 2), (2, 4)):
        table = Range(player, "bolt thrower", bs=3)
        engineer = hero(bs=skill, rules=["Serves War Machines"])
        table.scene.unit(player, engineer, inside=table.machine, models=1, beside=1)
        enemy = table.enemy(square(), (34, 24), models=10, files=5)
        assert needs(table, enemy) == [(expected, 1)]


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.fire.no-penalties")
def test_several_shots_and_moves_cost_a_machine_nothing(player: int) -> None:
    """BS 3 and Multiple Shots (4): four shots at 4+, also after a move."""
    table = Range(player, card=machine("bolt thrower", bs=3, rules=["Multiple Shots (4)"]))
    enemy = table.enemy(square(), (34, 24), models=10, files=5)
    battle = table.battle(run=False)
    assert MULTIPLE in ways_of(battle, table.machine.row, enemy.row, IN_PHASE)
    assert needs(table, enemy, MULTIPLE) == [(4, 4)]
    battle.units.did[table.machine] = MOVED
    assert not penalties(battle, table.machine.row, enemy.row, 0, IN_PHASE)
    man = RegimentScene()
    archer = man.unit(player, square(bs=3, equipment=["hand weapon", "bow"]), (24, 10), facing=NORTH, models=10)
    mark = man.unit(1 - player, None, (24, 24), facing=SOUTH, models=10)
    moved = man.battle("shooting", player=player, run=False)
    moved.units.did[archer] = MOVED
    assert penalties(moved, archer.row, mark.row, 0, IN_PHASE)


@BOTH_PLAYERS
def test_a_machine_that_grapeshot_destroys_shoots_nobody(player: int) -> None:
    table = Range(player, "cannon")
    enemy = table.enemy(square(), (18, 24), models=10, files=5)
    battle = table.battle(dice=[6, 2])
    pick(battle, f"{table.machine.regiment.name} shoots")
    assert battle.units.place[table.machine] == DESTROYED
    assert not told(battle, "wap.shoot.hit.roll")
    assert battle.units.alive[enemy] == 10
