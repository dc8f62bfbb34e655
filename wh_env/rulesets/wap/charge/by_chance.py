"""Charges that are not declared: a random move that would end in an enemy (wap.special.random-movement.contact)."""

from __future__ import annotations

from math import cos, sin

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance, set_block
from wh_env.rulesets.wap.basics.declared_charges import drop, enter
from wh_env.rulesets.wap.charge.reach import side_charged
from wh_env.rulesets.wap.charge.resolve import come_to_blows
from wh_env.rulesets.wap.codes import HOLDS
from wh_env.rulesets.wap.troops.war_machines import is_machine
from wh_env.rulesets.wap.ways.survey import survey
from wh_env.rulesets.wap.ways.through import on_the_way
from wh_env.rulesets.wap.ways.ways import straight_limit

TOUCHING = 0.02  # inches


def enemies_met(g: BattleCore, unit: int, far: float) -> list[int]:
    """Rows of the enemies that a unit would touch if it moved ``far`` inches straight ahead. Friends and impassable
    ground stop that move. The unit is put back where it stood.
    """
    u, setup = g.units, g.setup
    x, y, facing = u.x[unit], u.y[unit], u.facing[unit]
    way = on_the_way(survey(g, unit, far))
    near = way[0][: way[2]]
    foes = [other for other in g.units_of(1 - u.owner[unit]) if u.place[other] == ON_TABLE]
    for row in near:
        if row["mark"] in foes:
            row["margin"] = 0.0
    goes = g.work.call(straight_limit, way, x, y, facing, 1.0, 0.0, far, setup.length, setup.width)
    files = u.files[unit]
    try:
        set_block(g, unit, x + goes * cos(facing), y + goes * sin(facing), facing, files)
        return [foe for foe in foes if distance(g, unit, foe) <= TOUCHING]
    finally:
        set_block(g, unit, x, y, facing, files)


def charge_by_chance(g: BattleCore, unit: int, far: float) -> bool:
    """Whether a random move of ``far`` inches straight ahead becomes a charge. If it does, the charge is made at once:
    nobody reacts to it or tests for terror. Else no charge stays declared. A war machine never charges
    (wap.machine.no-charge-no-march).
    """
    if is_machine(g, unit):
        return False
    met = enemies_met(g, unit, far)
    rows = [enter(g, unit, foe, side_charged(g, unit, foe), HOLDS) for foe in met]
    if met and come_to_blows(g, unit, rows, "wap.special.random-movement.contact"):
        return True
    for row in rows:
        drop(g, row)
    return False
