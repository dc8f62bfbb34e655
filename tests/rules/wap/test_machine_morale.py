"""Panic and terror of war machines' crews, shots at machines, and misfires."""

from __future__ import annotations

from typing import Any

import pytest
from charging import charge, over

from tests.machines import machine
from wh_env import Battle
from wh_env.core.tables import DESTROYED, ON_TABLE
from wh_env.rulesets.wap.battle.timing import start_phase, start_turn
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.codes import FRIEND_DESTROYED, FRONT, Phase
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.fright import takes_fright
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.shooting.machine_ways import can_fire_at_spot
from wh_env.rulesets.wap.shooting.misfires import misfire
from wh_env.rulesets.wap.troops.war_machines import best_skill, crew_left
from wh_env.rulesets.wap.weapons.hit import FLAMING, Hit
from wh_env.testing import choose, dice_left, told
from wh_env.testing.play import play_until, script
from wh_env.testing.wap import NORTH, PLAIN, SOUTH, RegimentScene, UnitHandle, square

BOTH_PLAYERS = pytest.mark.parametrize("player", [0, 1])
TERRIBLE = square(type="monster", base_mm=[50, 100], w=5, m=8, size=[1, 1], command=[])


def facing(
    player: int, card: dict[str, Any], *, phase: str = "shooting", dice: tuple[int, ...] = (), active: int | None = None
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A war machine of a player and ten enemies 20" before it."""
    scene = RegimentScene()
    cannon = scene.unit(player, card, (24, 12), facing=NORTH, models=1)
    enemy = scene.unit(
        1 - player, square(equipment=["hand weapon", "crossbow"]), (24, 32), facing=SOUTH, models=10, files=10
    )
    turn = player if active is None else active
    return scene.battle(phase, player=turn, dice=dice, run=False), cannon, enemy


def next_turn(battle: Battle, player: int) -> None:
    """A player's turn begins; its phases follow up to Shooting."""
    start_turn(battle, player)
    for phase in (Phase.MOVEMENT, Phase.MAGIC, Phase.SHOOTING):
        start_phase(battle, phase)


def end_turn(battle: Battle) -> None:
    start_phase(battle, Phase.COMBAT)


def may_fire(battle: Battle, unit: UnitHandle) -> bool:
    """Whether a machine can fire at the enemy before it."""
    return can_fire_at_spot(battle, unit.row)


# ---------------------------------------------------------------- panic


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.panic")
def test_crew_that_panic_hide(player: int) -> None:
    """In the enemy's turn 2 a friend of Unit Strength 10 is destroyed 6" away: the crew test, fail and do not flee."""
    scene = RegimentScene()
    cannon = scene.unit(player, machine(ld=7), (24, 12), facing=NORTH, models=1)
    friend = scene.unit(player, None, (31, 12), facing=NORTH, models=10, files=5)
    scene.unit(1 - player, None, (24, 44), facing=SOUTH, models=10)
    battle = scene.battle("movement", player=1 - player, turn=2, run=False, dice=[6, 6])
    next_turn(battle, 1 - player)
    remove_unit(battle, friend.row)
    assert battle.units.due[cannon] == FRIEND_DESTROYED
    battle.push(Panic)
    battle.run()
    assert dice_left(battle) == 0
    assert [event["unit"] for event in told(battle, "wap.machine.panic")] == [cannon.row]
    assert not battle.units.fleeing[cannon]
    assert (battle.units.x[cannon], battle.units.y[cannon]) == (24, 12)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.panic")
@pytest.mark.parametrize("jammed", [False, True])
def test_hidden_crew_miss_one_shooting_phase(player: int, jammed: bool) -> None:
    """Crew that hide in the enemy's turn do not fire in their next one, and fire in the one after; a malfunction runs
    out meanwhile.
    """
    battle, cannon, _ = facing(player, machine(ld=2), dice=(6, 6))
    next_turn(battle, player)
    if jammed:
        script(battle, [3, 6, 6])
        misfire(battle, cannon.row)
        assert battle.units.jammed[cannon] == 2
    end_turn(battle)
    next_turn(battle, 1 - player)
    assert not takes_fright(battle, cannon.row, "wap.panic.friend-destroyed")
    assert battle.units.ducks[cannon]
    end_turn(battle)
    next_turn(battle, player)
    assert battle.units.ducks[cannon]
    assert not may_fire(battle, cannon)
    end_turn(battle)
    next_turn(battle, 1 - player)
    end_turn(battle)
    next_turn(battle, player)
    assert may_fire(battle, cannon)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.panic")
def test_in_its_own_shooting_phase_the_next_one_is_meant(player: int) -> None:
    battle, cannon, _ = facing(player, machine(ld=2), dice=(6, 6))
    next_turn(battle, player)
    assert not takes_fright(battle, cannon.row, "wap.panic.friend-destroyed")
    for turn in (1 - player, player):
        end_turn(battle)
        next_turn(battle, turn)
    assert not may_fire(battle, cannon)
    for turn in (1 - player, player):
        end_turn(battle)
        next_turn(battle, turn)
    assert may_fire(battle, cannon)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.panic")
def test_before_its_shooting_phase_the_present_turn_is_meant(player: int) -> None:
    battle, cannon, _ = facing(player, machine(ld=2), dice=(6, 6))
    start_turn(battle, player)
    start_phase(battle, Phase.MOVEMENT)
    assert not takes_fright(battle, cannon.row, "wap.panic.friend-destroyed")
    start_phase(battle, Phase.SHOOTING)
    assert not may_fire(battle, cannon)
    end_turn(battle)
    assert may_fire(battle, cannon)


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.panic")
def test_crew_that_a_terror_frightens_hide_and_hold(player: int) -> None:
    """Charged by a monster, Ld 2 crew fail their test: they hide, and the machine stands where it is."""
    scene = RegimentScene()
    monster = scene.unit(player, TERRIBLE, (24, 10), facing=NORTH, models=1)
    cannon = scene.unit(1 - player, machine(ld=2), (24, 18), facing=SOUTH, models=1)
    battle = scene.battle("movement", player=player, dice=[6, 6, 4, 4, 4, 4])
    charge(battle, monster, cannon)
    over(battle)
    assert [event["unit"] for event in told(battle, "wap.machine.panic")] == [cannon.row]
    assert [event["unit"] for event in told(battle, "wap.charge.reaction.list")] == [cannon.row]
    assert [event["unit"] for event in told(battle, "wap.charge.move.contact")] == [monster.row]
    assert not told(battle, "wap.machine.forced-to-flee") or told(battle, "wap.break.test")


def test_loss_of_crew_is_no_loss_of_models() -> None:
    """Two of three crew fall to shots: no test for heavy casualties, as the machine is one model."""
    battle, cannon, _ = facing(1, machine(ld=2))
    next_turn(battle, 0)
    suffer(battle, cannon.row, 2)
    assert crew_left(battle, cannon.row) == 1
    assert not is_due(battle)


# ---------------------------------------------------------------- shots at it


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.shot-at.toughness", "wap.machine.profile")
def test_shots_meet_the_machine(player: int) -> None:
    """Crossbows of S 4 at a cannon of T 7 wound on 6+; a save of 6+ is gone at S 4."""
    card = machine(t=3, equipment=["hand weapon", "light armour"])
    battle, cannon, enemy = facing(player, card, active=1 - player)
    script(battle, [6] * 10 + [6] + [5] * 9)
    battle.run()
    play_until(battle, "select-to-shoot", 5)
    choose(battle, "own", enemy.number)
    shots = [event for event in told(battle, "wap.shoot.wound.roll") if event["target"] == cannon.row]
    assert [(event["needed"], event["result"]) for event in shots] == [(6, 1)]
    assert not told(battle, "wap.shoot.save.roll")
    assert crew_left(battle, cannon.row) == 2


@pytest.mark.rule("wap.machine.shot-at.toughness")
def test_spells_meet_the_machine_too() -> None:
    """Six hits of S 4: each wounds only on a 6, and there is no save."""
    battle, cannon, enemy = facing(0, machine(toughness=7), dice=(5, 5, 5, 5, 6, 1))
    take_hits(battle, cannon.row, [(6, Hit(4, nature=FLAMING))], FRONT, enemy.row)
    shots = told(battle, "wap.shoot.wound.roll")
    assert [(event["needed"], event["result"]) for event in shots] == [(6, 1)]
    assert crew_left(battle, cannon.row) == 2


@BOTH_PLAYERS
@pytest.mark.rule("wap.machine.shot-at.toughness")
def test_the_save_is_the_crew_s(player: int) -> None:
    """Light armour makes 6+; S 3 does not change it, and the 6 saves the crewman."""
    battle, cannon, enemy = facing(player, machine(equipment=["hand weapon", "light armour"]), dice=(6, 6))
    take_hits(battle, cannon.row, [(1, Hit(3))], FRONT, enemy.row)
    saves = told(battle, "wap.shoot.save.roll")
    assert (saves[0]["needed"][0], saves[0]["result"]) == (6, 0)
    assert crew_left(battle, cannon.row) == 3


@BOTH_PLAYERS
def test_the_best_skill_of_crew_that_are_left(player: int) -> None:
    """Crew of BS 3, 3 and 4: 4, also of the last one, who falls last."""
    card = {**machine(crew=2, bs=3), "crew": {**PLAIN, "bs": 4}}
    battle, cannon, _ = facing(player, card)
    assert best_skill(battle, cannon.row) == 4
    suffer(battle, cannon.row, 2)
    assert (crew_left(battle, cannon.row), best_skill(battle, cannon.row)) == (1, 4)


# ---------------------------------------------------------------- misfires


BLACK_POWDER = ["destroyed", "destroyed", "malfunction", "malfunction", "no shot", "no shot"]
STONES = ["destroyed", "malfunction", "malfunction", "no shot", "no shot", "no shot"]


@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("weapon", "results"),
    [
        pytest.param("cannon", BLACK_POWDER, marks=pytest.mark.rule("wap.machine.misfire.black-powder")),
        pytest.param("fire thrower", BLACK_POWDER, marks=pytest.mark.rule("wap.machine.misfire.black-powder")),
        pytest.param("stone thrower", STONES, marks=pytest.mark.rule("wap.machine.misfire.stone-thrower")),
    ],
)
def test_results_of_the_die(player: int, weapon: str, results: list[str]) -> None:
    found = []
    for die in range(1, 7):
        battle, cannon, _ = facing(player, machine(weapon), dice=(die, 1))
        misfire(battle, cannon.row)
        made = next(event for event in events(battle) if event.kind == "misfires")
        assert made.data["die"] == die
        found.append(made.data["name"])
    assert found == results


def events(battle: Battle) -> list[Any]:
    assert battle.recorder is not None
    return list(battle.recorder)


@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("weapon", "die"),
    [
        pytest.param("cannon", 2, marks=pytest.mark.rule("wap.machine.misfire.black-powder.destroyed")),
        pytest.param("stone thrower", 1, marks=pytest.mark.rule("wap.machine.misfire.stone-thrower.destroyed")),
    ],
)
def test_destroyed_with_its_crew(player: int, weapon: str, die: int) -> None:
    """Nobody near it is hurt."""
    scene = RegimentScene()
    cannon = scene.unit(player, machine(weapon, crew=4), (24, 12), facing=NORTH, models=1)
    friend = scene.unit(player, None, (28, 12), facing=NORTH, models=10)
    scene.unit(1 - player, None, (24, 40), facing=SOUTH, models=10)
    battle = scene.battle("shooting", player=player, run=False, dice=[die])
    misfire(battle, cannon.row)
    assert (battle.units.place[cannon], battle.units.alive[cannon], crew_left(battle, cannon.row)) == (DESTROYED, 0, 0)
    assert battle.units.alive[friend] == 10


@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("weapon", "die"),
    [
        pytest.param("cannon", 3, marks=pytest.mark.rule("wap.machine.misfire.black-powder.malfunction")),
        pytest.param("stone thrower", 2, marks=pytest.mark.rule("wap.machine.misfire.stone-thrower.malfunction")),
    ],
)
def test_a_malfunction_lasts_for_the_next_turn(player: int, weapon: str, die: int) -> None:
    """In its turn 2 it misfires: no shot in turn 3, one in turn 4."""
    battle, cannon, _ = facing(player, machine(weapon, crew=4, equipment=["hand weapon", "light armour"]), dice=(die,))
    next_turn(battle, player)
    misfire(battle, cannon.row)
    assert battle.units.place[cannon] == ON_TABLE
    assert crew_left(battle, cannon.row) == (3 if weapon == "stone thrower" else 4)
    assert not may_fire(battle, cannon)
    for expected in (False, True):
        for turn in (1 - player, player):
            end_turn(battle)
            next_turn(battle, turn)
        assert may_fire(battle, cannon) is expected
    assert not told(battle, "wap.shoot.save.roll")


@pytest.mark.rule("wap.machine.misfire.stone-thrower.malfunction")
@pytest.mark.parametrize(("die", "left"), [(5, 4), (4, 3)])
def test_a_ward_may_save_the_crewman(die: int, left: int) -> None:
    card = machine("stone thrower", crew=4, rules=["Ward Save (5+)"], equipment=["hand weapon", "full plate armour"])
    battle, cannon, _ = facing(0, card, dice=(2, die))
    misfire(battle, cannon.row)
    assert crew_left(battle, cannon.row) == left


@BOTH_PLAYERS
@pytest.mark.parametrize(
    ("weapon", "die"),
    [
        pytest.param("cannon", 5, marks=pytest.mark.rule("wap.machine.misfire.black-powder.no-shot")),
        pytest.param("stone thrower", 6, marks=pytest.mark.rule("wap.machine.misfire.stone-thrower.no-shot")),
    ],
)
def test_no_shot_and_no_harm(player: int, weapon: str, die: int) -> None:
    battle, cannon, _ = facing(player, machine(weapon), dice=(die,))
    next_turn(battle, player)
    assert may_fire(battle, cannon)
    misfire(battle, cannon.row)
    assert crew_left(battle, cannon.row) == 3 and not may_fire(battle, cannon)
    for turn in (1 - player, player):
        end_turn(battle)
        next_turn(battle, turn)
    assert may_fire(battle, cannon)
