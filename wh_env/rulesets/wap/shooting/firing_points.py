"""What a war machine fires, and the point from which it measures range and sight (wap.machine.measure.firing-point)."""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.rulesets.wap.weapons.machines import Machine, machine_of


def engine_of(g: BattleCore, unit: int) -> Machine:
    """The weapon of a unit that is a war machine."""
    machine = machine_of(g, unit)
    assert machine is not None, unit
    return machine


def reach_ahead(g: BattleCore, unit: int) -> float:
    """Inches from the middle of a machine forward to the point from which it measures range and sight."""
    return 0.0 if engine_of(g, unit).arm else float(g.units.base_a[unit])


def muzzle_of(g: BattleCore, unit: int) -> tuple[float, float]:
    """The point from which a machine measures range and sight, as it stands."""
    m, k, ahead = g.models, g.units.first[unit], reach_ahead(g, unit)
    return m.x[k] + ahead * cos(m.facing[k]), m.y[k] + ahead * sin(m.facing[k])
