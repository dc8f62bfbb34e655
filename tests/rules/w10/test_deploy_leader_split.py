"""What is left of an Attached unit within a phase (w10.deploy.leader.split): whom it may target, who may target it."""

from __future__ import annotations

import pytest

from wh_env import Battle
from wh_env.rulesets.w40k.codes import YES
from wh_env.testing import Scene, choose, dice_left, melee, offered, pick, ranged, sheet

KILL = [6, 6, 1]  # hit, wound, failed save
GUN = {"gun": ranged(24, BS=2, S=8)}


def lord(led: str, **fields: object) -> dict[str, object]:
    """A Leader of a Bodyguard unit of that name."""
    return sheet("Lord", W=4, keywords=("INFANTRY", "CHARACTER"), abilities={"leader": [led]}, **fields)  # type: ignore[arg-type]


def shoot(battle: Battle, unit: str, target: str) -> None:
    """The unit shoots all it has at the target; what is asked meanwhile is answered by the first option."""
    pick(battle, unit, kind="select-to-shoot")
    while battle.decision is not None and battle.decision.kind in ("shoot-target", "weapon-target"):
        pick(battle, target if battle.decision.kind == "shoot-target" else f"at {target}")
    while battle.decision is not None and battle.decision.kind == "allocate":
        battle.apply(battle.first_legal())


@pytest.mark.rule("w10.deploy.leader.split", "w10.shoot.targets.range-and-visible")
@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("detail", ["squad", "full"])
def test_the_next_unit_may_target_a_leader_left_alone(detail: str, active: int) -> None:
    """The first volley destroys the last Bodyguard; the second unit of the phase is offered, and shoots the Leader."""
    scene = Scene()
    for name, x in (("Alpha", 10), ("Beta", 14)):
        scene.unit(active, sheet(name, weapons=GUN), at=(x, 10))
    guard = scene.unit(1 - active, sheet("Guard"), at=(12, 20))
    leader = scene.unit(1 - active, lord("Guard"), at=(14, 20), leads=guard)
    battle = scene.battle("shooting", active=active, dice=[*KILL, *KILL], detail=detail)
    assert offered(battle, "select-to-shoot") == [0, 1]
    shoot(battle, "Alpha", "Guard")
    assert battle.units.alive[leader] == 1
    assert offered(battle, "select-to-shoot") == [1]
    shoot(battle, "Beta", "Lord")
    assert battle.models.wounds[leader.first] == 3
    assert dice_left(battle) == 0


@pytest.mark.rule("w10.deploy.leader.split", "w10.stratagem.grenade")
def test_so_it_is_after_a_grenade() -> None:
    """Grenades destroy the last Bodyguard: the gun is offered, and its only target is the Leader."""
    scene = Scene()
    scene.unit(0, sheet("Thrower", keywords=("INFANTRY", "GRENADES"), weapons={"fist": melee()}), at=(10, 14))
    scene.unit(0, sheet("Beta", weapons=GUN), at=(14, 10))
    guard = scene.unit(1, sheet("Guard"), at=(12, 20))
    leader = scene.unit(1, lord("Guard"), at=(14, 20), leads=guard)
    battle = scene.battle(
        "shooting", dice=[4, 1, 1, 1, 1, 1, *KILL], cp=(1, 0), rules={"stratagems": {"grenade": "ask"}}
    )
    assert offered(battle, "select-to-shoot") == [1]
    pick(battle, "use Grenade")
    while battle.decision is not None and battle.decision.kind in ("grenade", "grenade-target"):
        battle.apply(battle.decision.options[-1])
    assert battle.units.alive[leader] == 1
    assert offered(battle, "select-to-shoot") == [1]
    shoot(battle, "Beta", "Lord")
    assert battle.models.wounds[leader.first] == 3


@pytest.mark.rule("w10.deploy.leader.split", "w10.shoot.locked-in-combat.shooter")
def test_a_leader_left_alone_in_combat_does_not_shoot() -> None:
    """A Deadly Demise of the own army destroys the last Bodyguard of an engaged unit: its Leader, who has no Pistol, is not offered."""
    scene = Scene()
    bomb = sheet("Bomb", weapons={"gun": ranged(24, BS=2, abilities=["Hazardous"])}, abilities={"deadly_demise": 1})
    scene.unit(0, bomb, at=(10, 10))
    scene.unit(0, sheet("Beta", weapons=GUN), at=(30, 10))
    guard = scene.unit(0, sheet("Guard"), at=(14, 10))
    leader = scene.unit(0, lord("Guard", weapons=GUN), at=(14, 12), leads=guard)
    scene.unit(1, sheet("Brute", W=9), at=(14, 13.5))
    scene.unit(1, sheet("Foes", W=9), at=(20, 28))
    battle = scene.battle("shooting", dice=[1, 1, 6])  # the gun misses, its Hazardous test fails, the Bomb goes off
    assert offered(battle, "select-to-shoot") == [0, 1]
    shoot(battle, "Bomb", "Foes")
    assert dice_left(battle) == 0
    assert (battle.units.alive[guard], battle.units.alive[leader]) == (0, 1)
    assert offered(battle, "select-to-shoot") == [1]


@pytest.mark.rule("w10.deploy.leader.split", "w10.shoot.locked-in-combat.target")
def test_nobody_shoots_at_a_leader_left_alone_in_combat() -> None:
    """The last Bodyguard falls to the only unit that could see past its friend in combat; the Leader stays locked in it."""
    scene = Scene()
    tank = sheet("Tank", keywords=("VEHICLE",), W=9, weapons={"bolter": ranged(24, BS=2, S=8)})
    scene.unit(0, tank, at=(10, 10))
    scene.unit(0, sheet("Beta", weapons=GUN), at=(20, 10))
    guard = scene.unit(1, sheet("Guard"), at=(10, 11.5))
    scene.unit(1, lord("Guard"), at=(11.5, 10.8), leads=guard)
    battle = scene.battle("shooting", dice=[6, 6, 1])
    assert offered(battle, "select-to-shoot") == [0]
    shoot(battle, "Tank", "Guard")
    assert dice_left(battle) == 0
    assert offered(battle, "select-to-shoot") == []


@pytest.mark.rule("w10.deploy.leader.split", "w10.shoot.targets.range-and-visible")
def test_bodyguards_left_without_their_leader_are_still_targets() -> None:
    """Precision destroys the Leader: the next unit is offered against what is left, once."""
    scene = Scene()
    sniper = {"rifle": ranged(24, BS=2, S=8, D=9, abilities=["Precision"])}
    scene.unit(0, sheet("Alpha", weapons=sniper), at=(10, 10))
    scene.unit(0, sheet("Beta", weapons=GUN), at=(14, 10))
    guard = scene.unit(1, sheet("Guard"), at=(12, 20))
    leader = scene.unit(1, lord("Guard"), at=(14, 20), leads=guard)
    battle = scene.battle("shooting", dice=[*KILL, *KILL])
    shoot(battle, "Alpha", "Guard")
    assert (battle.units.alive[guard], battle.models.alive[leader.first]) == (1, 0)
    assert offered(battle, "select-to-shoot") == [1]
    pick(battle, "Beta")
    assert battle.units.alive[guard] == 0
    assert dice_left(battle) == 0


def test_what_is_kept_is_forgotten_when_a_unit_comes_apart() -> None:
    """The row of the Bodyguard unit knows no target and is none, that of the Leader is asked anew."""
    scene = Scene()
    for name, x in (("Alpha", 10), ("Beta", 14), ("Gamma", 18)):
        scene.unit(0, sheet(name, weapons=GUN), at=(x, 10))
    guard = scene.unit(1, sheet("Guard"), at=(12, 20))
    leader = scene.unit(1, lord("Guard"), at=(14, 20), leads=guard)
    scene.unit(1, sheet("Others"), at=(40, 20))
    battle = scene.battle("shooting", dice=KILL)
    choose(battle, "own", 0)
    if battle.decision is not None and battle.decision.kind == "shoot-target":
        pick(battle, "Guard")
    battle.legal()
    assert battle.targets[1, leader] == YES
    assert battle.targets[1, guard] != YES
