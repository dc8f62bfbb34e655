"""Reforms of units that stayed, pursuits and overruns (wap.pursuit.move.*, .overrun.move, .reform-stayed,
wap.multi.pursuit.direction, .order).
"""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, Procedure, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import meet
from wh_env.rulesets.wap.basics.traps import flees_or_pursues
from wh_env.rulesets.wap.casualties.crossings import forget, goes_straight, test_for_all
from wh_env.rulesets.wap.codes import NO_INTENT, OVERRAN, OVERRUNS, PURSUED, PURSUES, REFORMS, RESTRAINS, STAYS
from wh_env.rulesets.wap.field.dangerous import How
from wh_env.rulesets.wap.movement.going import MoveFrame
from wh_env.rulesets.wap.movement.reform import ReformFacing, ReformFiles
from wh_env.rulesets.wap.movement.reform_choices import can_reform
from wh_env.rulesets.wap.pursuit.choices import AfterVictory
from wh_env.rulesets.wap.pursuit.directions import direction_of_flight
from wh_env.rulesets.wap.pursuit.flights import gone
from wh_env.rulesets.wap.pursuit.new_enemies import charge, overtake
from wh_env.rulesets.wap.pursuit.off_table import carried_off
from wh_env.rulesets.wap.pursuit.order import CombatOrder, InTurn
from wh_env.rulesets.wap.pursuit.ways import LEAVES, MEETS, End, direction_to, straight_on, towards
from wh_env.rulesets.wap.ways.poses import degrees


def stands(g: BattleCore, unit: int) -> bool:
    """Whether a unit is on the table and does not flee."""
    return g.units.place[unit] == ON_TABLE and not g.units.fleeing[unit]


# ---------------------------------------------------------------- who stays


class StayedReforms(Procedure):
    """Reforms of the units of one combat that stayed and have no enemy left, one after the other."""

    def advance(self, g: BattleCore, f: int) -> int:
        u = g.units
        for unit in range(len(u.owner)):
            if u.fighting[unit] and u.intent[unit] in (RESTRAINS, REFORMS):
                if stands(g, unit) and u.fights[unit] == 0 and can_reform(g, unit):
                    g.push(StayedReform, unit)
                    return GO
                u.intent[unit] = STAYS
        return g.pop()


class StayedReform(MoveFrame):
    """A unit that stayed reforms as in the Movement phase, or keeps its formation (wap.pursuit.reform-stayed)."""

    asks = ("after-victory", "reform-files", "reform-facing")

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack, u = StayedReform.Step, g.stack, g.units
        unit, step = stack[f + StayedReform.UNIT], stack[f + STEP]
        if step == Step.HOW:
            if u.intent[unit] == RESTRAINS:
                return g.ask(AfterVictory, u.owner[unit], unit)
            stack[f + STEP] = Step.FILES if u.intent[unit] == REFORMS else Step.OVER
        elif step == Step.FILES:
            return g.ask(ReformFiles, u.owner[unit], unit)
        elif step == Step.FACING:
            return g.ask(ReformFacing, u.owner[unit], unit)
        else:
            u.intent[unit] = STAYS
            meet(g)
            return g.pop()
        return GO


# ---------------------------------------------------------------- who goes


def way_of_pursuit(g: BattleCore, unit: int) -> End:
    """The way of a unit that pursues or overruns: towards the enemy it pursues, or, if that is gone, in the direction
    in which it would have fled. An overrun goes straight ahead.
    """
    u = g.units
    far, prey = float(u.rolled[unit]), u.prey[unit]
    if u.intent[unit] == OVERRUNS or prey < 0:
        return straight_on(g, unit, far)
    direction = direction_of_flight(g, prey) if gone(g, prey) else direction_to(g, unit, prey)
    return towards(g, unit, direction, far)


def go_after(g: BattleCore, unit: int) -> int:
    """Move a unit that pursues or overruns. Returns the fleeing enemy that it has run into, -1: none."""
    u = g.units
    overruns = u.intent[unit] == OVERRUNS
    rule = "wap.pursuit.overrun.move" if overruns else "wap.pursuit.move"
    end = way_of_pursuit(g, unit)
    u.intent[unit], u.fighting[unit], u.charging[unit] = NO_INTENT, 0, 0  # it has left this combat
    u.did[unit] |= OVERRAN if overruns else PURSUED
    if g.recorder is not None:
        x, y, facing = end.place
        told = {
            "roll": u.rolled[unit],
            "far": round(end.far, 2),
            "place": (round(x, 2), round(y, 2)),
            "facing": degrees(facing),
        }
        g.note(rule, "overruns" if overruns else "pursues", unit=unit, **told)
    if end.how == MEETS:
        met = charge(g, unit, end)
        flees_or_pursues(g, unit)
        return met
    forget(g, unit)
    goes_straight(g, unit, end.pose, end.far)
    set_block(g, unit, *end.place, u.files[unit])
    if end.how == LEAVES:
        carried_off(g, unit)
    meet(g)
    if end.how != LEAVES:
        test_for_all(g, unit, How.FAST)
        flees_or_pursues(g, unit)
    return -1


def start_pursuit(g: BattleCore, unit: int) -> None:
    """Move a unit that pursues or overruns. Losses from its move are pushed above the procedure that runs down an
    enemy, so they come first.
    """
    g.push(RunDownPursued, unit, -1)
    frame = g.frame
    g.stack[frame + RunDownPursued.TARGET] = go_after(g, unit)


class RunDownPursued(Procedure):
    """The fleeing enemy that a pursuer has run into is run down. If no model of it is left, the pursuer may reform
    (wap.pursuit.new-enemy.fleeing).
    """

    UNIT = integer(row_of("units"))
    TARGET = integer(row_of("units", none=True))  # -1: there is none

    def advance(self, g: BattleCore, f: int) -> int:
        unit, target = g.stack[f + RunDownPursued.UNIT], g.stack[f + RunDownPursued.TARGET]
        g.pop()
        if target >= 0 and overtake(g, unit, target) and can_reform(g, unit):
            g.push(StayedReform, unit)
        return GO


class Pursuits(InTurn):
    """The pursuits and overruns of one combat, one after the other in the order that the winner chooses."""

    asks = ("combat-order",)

    def waiting(self, g: BattleCore) -> Sequence[int]:
        u = g.units
        return [
            unit
            for unit in range(len(u.owner))
            if u.fighting[unit] and u.intent[unit] in (PURSUES, OVERRUNS) and stands(g, unit)
        ]

    def advance(self, g: BattleCore, f: int) -> int:
        Step, stack = Pursuits.Step, g.stack
        if stack[f + STEP] == Step.MOVE:
            stack[f + STEP] = Step.NEXT
            start_pursuit(g, stack[f + Pursuits.UNIT])
            return GO
        unit = self.next_unit(g, f)
        if unit == -1:
            return g.pop()
        if unit == -2:
            return g.ask(CombatOrder, stack[f + Pursuits.PLAYER])
        return GO
