"""Driving the charge step in scenes: what several test modules share. A decision that has only one answer is not asked."""

from __future__ import annotations

from wh_env import Battle
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import RegimentScene, UnitHandle, square

HOLD, SHOOT, FLEE = range(3)
BOWS = square(equipment=["hand weapon", "short bow"])


def facing_off(
    gap: float, *, card: dict | None = None, foe: dict | None = None, at: float = 24.0
) -> tuple[RegimentScene, UnitHandle, UnitHandle]:
    """Ten models in two ranks, and as many enemies straight ahead of them."""
    scene = RegimentScene()
    unit = scene.unit(0, card, (at, 12), models=10, files=5)
    return scene, unit, scene.unit(1, foe, (at, 12 + gap), models=10, files=5)


def charge(battle: Battle, unit: UnitHandle, target: UnitHandle) -> None:
    """Declare a charge."""
    assert kind(battle) == "declare-charge", battle.decision
    choose(battle, "own", unit.number)
    if kind(battle) == "charge-target":
        choose(battle, "enemy", target.number)


def react(battle: Battle, option: int) -> None:
    """Answer a charge."""
    assert kind(battle) == "charge-reaction", battle.decision
    choose(battle, "option", option)


def over(battle: Battle) -> None:
    """No further charge is declared."""
    if kind(battle) == "declare-charge":
        choose(battle, "done")


def chargers(battle: Battle) -> list[int]:
    """The own units that may declare a charge."""
    return slots(battle, "own") if kind(battle) == "declare-charge" else []


def charged(battle: Battle, unit: UnitHandle) -> list[int]:
    """The enemies that a unit has declared charges on."""
    c = battle.charges
    return [int(c.target[k]) for k in range(len(c.unit)) if c.unit[k] == unit.row]


def targets(battle: Battle, unit: UnitHandle) -> list[int]:
    """The enemies, as numbers of their army, that a unit may charge; none: it may not declare a charge."""
    if unit.number not in chargers(battle):
        return []
    copy = battle.clone()
    choose(copy, "own", unit.number)
    if kind(copy) == "charge-target":
        return slots(copy, "enemy")
    first = copy.players.first_unit[1 - unit.player]
    return [row - first for row in charged(copy, unit)[:1]]
