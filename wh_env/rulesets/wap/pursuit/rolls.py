"""Flee rolls, pursuit rolls, and caught units (wap.pursuit.flee-roll, .pursuit-roll, .caught, wap.multi.flee.beat-all,
.caught-by-several).

All units roll before any moves. A caught unit loses its models where it stands; its survivors flee all the same.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.codes import BROKEN, OVERRUNS, PURSUES
from wh_env.rulesets.wap.pursuit.directions import settle_direction
from wh_env.rulesets.wap.special.stride import flight_roll

WOUNDS = 2  # wounds on a caught unit for each point of Unit Strength (wap.pursuit.caught.wounds)


def broken_units(g: BattleCore) -> list[int]:
    """The broken units of the combat that are on the table and have not fled yet."""
    u = g.units
    return [
        unit
        for unit in range(len(u.owner))
        if u.fighting[unit] and u.outcome[unit] == BROKEN and u.place[unit] == ON_TABLE and not u.fleeing[unit]
    ]


def pursuers_of(g: BattleCore, unit: int) -> list[int]:
    """The units that pursue a broken unit."""
    u = g.units
    return [p for p in range(len(u.owner)) if u.fighting[p] and u.intent[p] == PURSUES and u.prey[p] == unit]


def roll_pursuit(g: BattleCore, unit: int, rule: str) -> None:
    """Roll the inches that a unit pursues or overruns, into ``units.rolled``."""
    g.units.rolled[unit] = flight_roll(g, unit)
    g.note(rule, "pursuit roll", unit=unit, roll=g.units.rolled[unit])


def roll_flights(g: BattleCore) -> None:
    """Roll for all broken units, then for all units that pursue or overrun in the combat being fought; push the losses
    of caught units.
    """
    u, broken = g.units, broken_units(g)
    for unit in broken:
        u.rolled[unit] = flight_roll(g, unit)
        g.note("wap.pursuit.flee-roll", "flee roll", unit=unit, roll=u.rolled[unit])
    for unit in range(len(u.owner)):
        if u.fighting[unit] and u.intent[unit] == PURSUES:
            roll_pursuit(g, unit, "wap.pursuit.pursuit-roll")
        elif u.fighting[unit] and u.intent[unit] == OVERRUNS:
            roll_pursuit(g, unit, "wap.pursuit.overrun.move")
    for unit in broken:
        settle_direction(g, unit)
    for unit in reversed(broken):  # the losses pushed last are taken first
        compare(g, unit)


def compare(g: BattleCore, unit: int) -> None:
    """Compare the flee roll of a broken unit with the rolls of its pursuers: each that rolled at least as much catches
    it (wap.pursuit.escaped).
    """
    u, pursuers = g.units, pursuers_of(g, unit)
    caught_by = [p for p in pursuers if u.rolled[p] >= u.rolled[unit]]
    if not caught_by:
        g.note("wap.pursuit.escaped", "escapes", unit=unit, roll=u.rolled[unit])
        return
    wounds = WOUNDS * sum(unit_strength(g, p) for p in caught_by)
    if g.recorder is not None:
        rule = "wap.multi.flee.caught-by-several" if len(caught_by) > 1 else "wap.pursuit.caught"
        g.note(rule, "caught", unit=unit, units=tuple(caught_by), amount=wounds)
    g.push(Casualties, unit, wounds)
