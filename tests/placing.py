"""Placing chargers in scenes without the declarations before: what several test modules share."""

from __future__ import annotations

from math import cos, sin

from wh_env import Battle
from wh_env.rulesets.wap.basics.contacts import foes_of
from wh_env.rulesets.wap.charge.places import Place, best_place, move_into_contact
from wh_env.rulesets.wap.charge.reach import sides_of_charge
from wh_env.rulesets.wap.codes import FRONT
from wh_env.testing.wap import UnitHandle

MOVED = "wap.charge.move.contact"


def placed(battle: Battle, unit: UnitHandle, target: UnitHandle, side: int | None = None) -> Place | None:
    """Where a charge ends; ``side``: None where it stands now."""
    at = sides_of_charge(battle, unit.row, target.row)[0] if side is None else side
    return best_place(battle, unit.row, [(target.row, at)])


def charged(battle: Battle, unit: UnitHandle, target: UnitHandle, side: int | None = None) -> Place:
    """Make a charge that must find a place, and have both in contact."""
    place = placed(battle, unit, target, side)
    assert place is not None
    move_into_contact(battle, unit.row, place, MOVED)
    assert target.row in foes_of(battle, unit.row)
    return place


def front_corner(
    battle: Battle, unit: UnitHandle, side: float, pose: tuple[float, float, float]
) -> tuple[float, float]:
    """A front corner of a unit at a pose: 1 the left, -1 the right one."""
    u = battle.units
    half = side * u.files[unit] * u.base_b[unit]
    x, y, f = pose
    return x - half * sin(f), y + half * cos(f)


__all__ = ["FRONT", "MOVED", "charged", "front_corner", "placed"]
