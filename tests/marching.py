"""Driving moves of regiments in scenes: what several test modules of the movement chapter share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wh_env import Battle
from wh_env.testing import choose, kind, slots
from wh_env.testing.wap import RegimentScene, UnitHandle

STAY, ADVANCE, MARCH, BACK, LEFT, RIGHT, REFORM, SWIFT = range(8)
FORWARD, WHEEL_LEFT, WHEEL_RIGHT, PIVOT, FINISH = range(5)
FAR_AWAY = (44.0, 47.0)  # of the enemy unit that a scene needs
MOST = 31  # the slot "as far as it can"
DEGREES = 5  # of a step of a wheel


def select(battle: Battle, unit: UnitHandle) -> None:
    """Choose a unit to move; nobody charges."""
    if kind(battle) == "declare-charge":
        choose(battle, "done")
    assert kind(battle) == "select-to-move", battle.decision
    choose(battle, "own", unit.number)


def manoeuvres(battle: Battle, unit: UnitHandle) -> list[int]:
    """What the unit may do once it is chosen."""
    select(battle, unit)
    return slots(battle, "option")


def go(battle: Battle, unit: UnitHandle, manoeuvre: int) -> None:
    """Choose a unit and how it moves."""
    assert manoeuvre in manoeuvres(battle, unit), slots(battle, "option")
    choose(battle, "option", manoeuvre)


def leg(battle: Battle, which: int, slot: int) -> None:
    """One leg of a move at full detail."""
    assert kind(battle) == "leg", battle.decision
    choose(battle, "option", which)
    choose(battle, "number", slot)


def finish(battle: Battle) -> None:
    """End the move here; where nothing else is left that happens by itself."""
    if kind(battle) == "leg":
        choose(battle, "option", FINISH)


def ahead(inches: float) -> int:
    """The slot of a length straight ahead."""
    return round(inches / 0.5) - 1


def degrees(angle: float) -> int:
    """The slot of a wheel."""
    return round(angle / DEGREES) - 1


def limit(battle: Battle, which: int) -> float:
    """How much a leg can be at most, by the words of its last slot; inches that it costs where that is all there is."""
    copy, unit = battle.clone(), battle.clock.subject[0]
    choose(copy, "option", which)
    if kind(copy) != "leg-length":
        return float(copy.units.spent[unit] - battle.units.spent[unit])
    words = copy.describe(copy.setup.space.number + MOST)
    return float(words.split(" degrees")[0].split()[-1] if "degrees" in words else words.split('"')[0].split()[-1])


def places_to_go(battle: Battle) -> np.ndarray:
    """Centres of the cells that are offered: n x 2."""
    pending = battle.pending()
    grid = battle.setup.space.grid
    x, y = pending.cells(grid)
    return np.stack([x, y], axis=1)[slots(battle, "cell")]


def cell_of(battle: Battle, x: float, y: float) -> int:
    """The cell whose centre is at a place."""
    xs, ys = battle.pending().cells(battle.setup.space.grid)
    found = np.flatnonzero(np.hypot(xs - x, ys - y) < 1e-6)
    assert len(found) == 1, (x, y)
    return int(found[0])


def alone(
    models: int = 20,
    files: int = 5,
    at: Sequence[float] = (20.0, 20.0),
    *,
    detail: str = "full",
    dice: Sequence[int] = (),
    **more: object,
) -> tuple[Battle, UnitHandle]:
    """A unit on bases of one inch that faces north and has the table for itself."""
    scene = RegimentScene()
    unit = scene.unit(0, more.pop("card", None), (at[0], at[1]), models=models, files=files, **more)  # type: ignore[arg-type]
    scene.unit(1, None, FAR_AWAY)
    return scene.battle("movement", detail=detail, dice=dice), unit
