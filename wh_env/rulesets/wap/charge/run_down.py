"""Fleeing units that are run down (wap.charge.fleeing.*)."""

from __future__ import annotations

from math import cos, inf, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import Way
from wh_env.core.kernel import kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.casualties.removing import remove_unit, suffer
from wh_env.rulesets.wap.tables import PARTS
from wh_env.rulesets.wap.ways.poses import straight_on
from wh_env.rulesets.wap.ways.ways import gather, straight_limit

NO_CONTACT = 0.01  # inches kept from other units on the way


def run_down(g: BattleCore, unit: int, target: int, *, destroys: bool) -> None:
    """A unit has come into contact with an enemy that flees. There is no combat: the enemy suffers two wounds for each
    point of the unit's Unit Strength, without saves (wap.charge.fleeing.wounds). With ``destroys``, a Unit Strength of
    10 removes all of it (.us10). The unit stops an inch behind the survivors, who go on fleeing (.survivors).
    """
    u, rules = g.units, g.setup.rules
    strength = unit_strength(g, unit)
    if destroys and strength >= rules["run_down_strength"]:
        g.note("wap.charge.fleeing.us10", "runs down", unit=unit, target=target, amount=u.alive[target])
        remove_unit(g, target)
        return
    wounds = rules["run_down_wounds"] * strength
    g.note("wap.charge.fleeing.wounds", "runs down", unit=unit, target=target, amount=wounds)
    fleers = wholly(g, target)
    suffer(g, target, wounds)
    left = next((row for row in fleers if u.place[row] == ON_TABLE), -1)  # the unit, or a character who was in it
    if left >= 0:
        stop_behind(g, unit, left)


@kernel
def ahead_of(parts: Array, units: Array, unit: int, target: int) -> float:
    """Inches from the front edge of ``unit``, along its facing, to the nearest corner of ``target``; inf if that is not
    on the table.
    """
    x = units[unit]["x"]
    y = units[unit]["y"]
    c = cos(units[unit]["facing"])
    s = sin(units[unit]["facing"])
    best = inf
    for k in range(units[target]["first_part"], units[target]["first_part"] + PARTS):
        p = parts[k]
        if p["on_table"] == 0:
            continue
        turn = p["facing"] - units[unit]["facing"]
        far = abs(cos(turn)) * p["half_a"] + abs(sin(turn)) * p["half_b"]
        best = min(best, c * (p["x"] - x) + s * (p["y"] - y) - far)
    return best


def stop_behind(g: BattleCore, unit: int, target: int) -> None:
    """Put a unit an inch behind the fleeing unit that it has run into, along its own facing, as far as it has room."""
    u, setup, room = g.units, g.setup, g.work.ways
    far = float(ahead_of(g.parts.rows, u.rows, unit, target)) - setup.rules["one_inch"]
    x, y, f = u.x[unit], u.y[unit], u.facing[unit]
    n, rows = g.work.call(
        gather,
        g.parts.rows,
        u.rows,
        ground_to_stand_in(g, unit),
        setup.corners,
        unit,
        x,
        y,
        f,
        abs(far),
        NO_CONTACT,
        room.empty,
    )
    sense = 1.0 if far > 0.0 else -1.0
    way = Way(room.near, room.points, n, room.body, rows)
    goes = sense * float(g.work.call(straight_limit, way, x, y, f, sense, 0.0, abs(far), setup.length, setup.width))
    x, y, f = straight_on((x, y, f), goes)
    set_block(g, unit, x, y, f, u.files[unit])
    meet(g)
    if g.recorder is not None:
        g.note(
            "wap.charge.fleeing.survivors",
            "stops behind the fleers",
            unit=unit,
            target=target,
            place=(round(x, 2), round(y, 2)),
        )
