"""Moves that a unit has to make, by the usual rules of movement: by dice, towards something (wap.compulsory.other.*, wap.core.measure.move-toward).

A unit with Random Movement turns on its centre as its player wants, then rolls, then goes straight ahead. Nobody charges yet, so it stops an inch from
enemies as it does from friends.
"""

from __future__ import annotations

from math import atan2, cos, hypot, sin, tau

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.basics.special_rules import movement_dice
from wh_env.rulesets.wap.codes import CHARGED, FAILED, FLED, MOVED, RALLIED
from wh_env.rulesets.wap.movement.going import degrees, middle_of, offer, survey, turned_on_centre
from wh_env.rulesets.wap.movement.ways import straight_limit

SPENT = CHARGED | FAILED | MOVED | RALLIED | FLED


def is_compelled(g: BattleCore, unit: int) -> bool:
    """Whether a unit that does not flee has to move in this step."""
    u = g.units
    return bool(
        u.place[unit] == ON_TABLE
        and not u.fleeing[unit]
        and not u.did[unit] & SPENT
        and movement_dice(g, unit) > 0
        and not engaged(g, unit)
    )


def way_along(g: BattleCore, unit: int, direction: float, far: float) -> float:
    """How far a unit goes in a direction on the table, up to so many inches, before something is in its way (wap.compulsory.other.rules)."""
    u, setup = g.units, g.setup
    turn = direction - u.facing[unit]
    return float(
        straight_limit(
            *survey(g, unit, far),
            u.x[unit],
            u.y[unit],
            u.facing[unit],
            cos(turn),
            sin(turn),
            far,
            setup.length,
            setup.width,
        )
    )


def go_along(g: BattleCore, unit: int, direction: float, far: float, rule: str) -> float:
    """Move a unit so, without turning it; returns how far it went."""
    u = g.units
    goes = way_along(g, unit, direction, far)
    x, y = u.x[unit] + goes * cos(direction), u.y[unit] + goes * sin(direction)
    set_block(g, unit, x, y, u.facing[unit], u.files[unit])
    if g.recorder is not None:
        g.note(rule, "is moved", unit=unit, far=round(goes, 2), place=(round(x, 2), round(y, 2)))
    return goes


def move_toward(g: BattleCore, unit: int, x: float, y: float, far: float) -> float:
    """Move a unit so many inches along the straight line from its centre to a place, at most on to it (wap.core.measure.move-toward)."""
    u = g.units
    cx, cy = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    there = hypot(x - cx, y - cy)
    return go_along(g, unit, atan2(y - cy, x - cx), min(far, there), "wap.core.measure.move-toward")


class RandomMove(Procedure):
    """A unit with Random Movement moves (wap.special.random-movement.procedure)."""

    class Step(Steps):
        FACE, ROLL = range(2)

    UNIT = integer(row_of("units"))
    asks = ("random-facing",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + RandomMove.UNIT]
        if g.stack[f + STEP] == RandomMove.Step.FACE:
            return g.ask(RandomFacing, g.units.owner[unit], unit)
        far = g.roll(movement_dice(g, unit))
        go_along(g, unit, g.units.facing[unit], float(far), "wap.compulsory.other.rules")
        g.units.did[unit] |= MOVED
        g.pop()
        return GO


class RandomFacing(DecisionKind):
    name = "random-facing"
    what = "Which way a unit with Random Movement faces before its dice are rolled; done: as it does."
    keys = ("wap.special.random-movement.procedure", "wap.compulsory.other.rules")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit, setup, u = g.stack[f + RandomMove.UNIT], g.setup, g.units
        fine = [
            bool(
                may_stand(
                    g.parts.rows, u.rows, setup.statics["ground"], setup.corners, setup.length, setup.width, unit,
                    *turned_on_centre(g, unit, slot * tau / setup.space.angles), u.files[unit], setup.rules["one_inch"], g.work.block,
                )
            )
            for slot in range(setup.space.angles)
        ]  # fmt: skip
        offer(g, u.facing[unit], [*fine, True], mask)

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, u, space = g.stack[f + RandomMove.UNIT], g.units, g.setup.space
        if action:
            set_block(g, unit, *turned_on_centre(g, unit, (action - space.angle) * tau / space.angles), u.files[unit])
        g.stack[f + STEP] = RandomMove.Step.ROLL
        if g.recorder is not None:
            g.note("wap.special.random-movement.procedure", "turns", unit=unit, facing=degrees(u.facing[unit]))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name, space = g.setup.names["units"][g.stack[f + RandomMove.UNIT]], g.setup.space
        if action == 0:
            return f"{name} faces as it does"
        return f"{name} faces {degrees((action - space.angle) * tau / space.angles)} degrees"
