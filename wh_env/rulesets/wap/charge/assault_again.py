"""A repulsed attacker assaults its building again in the charge step of the other player's next turn
(wap.building.assault.attacker-repulsed). It stands an inch from the wall, so that it rolls no dice for its charge.
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, STEP, ChooseUnit, OfPlayer, Procedure, Steps, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.declared_charges import charges_of, dares_not, drop, enter, refuse
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import (
    assailant_of,
    buildings_of,
    garrison_in,
    is_inside,
    may_assault,
    turn_number,
)
from wh_env.rulesets.wap.charge.reach import side_charged
from wh_env.rulesets.wap.charge.reactions import React
from wh_env.rulesets.wap.charge.resolve import come_to_blows
from wh_env.rulesets.wap.charge.terror import dares_to_charge
from wh_env.rulesets.wap.codes import FAILED
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic

RULE = "wap.building.assault.attacker-repulsed"


def garrison_to_assault(g: BattleCore, unit: int) -> int:
    """The garrison that a unit may assault again now, as it was repulsed in the turn before; -1: there is none."""
    u = g.units
    if u.stormed[unit] < 0 or u.stormed_in[unit] != turn_number(g) - 1 or u.place[unit] != ON_TABLE:
        return -1
    garrison = garrison_in(g, u.stormed[unit])
    if garrison < 0 or u.owner[garrison] == u.owner[unit] or assailant_of(g, garrison) >= 0:
        return -1
    free = not (u.fleeing[unit] or u.did[unit] or engaged(g, unit) or is_inside(g, unit) or charges_of(g, unit))
    near = distance(g, unit, garrison) <= g.setup.rules["one_inch"] + EPS
    return garrison if free and near and may_assault(g, unit) and not dares_not(g, unit, garrison) else -1


def somebody_may(g: BattleCore, player: int) -> bool:
    """Whether a unit of a player may assault a building again in this charge step."""
    return bool(buildings_of(g)) and any(garrison_to_assault(g, unit) >= 0 for unit in g.units_of(player))


class AssaultsAgain(OfPlayer):
    """The new assaults of the player whose turn it is not."""

    asks = ("assault-again",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + AssaultsAgain.PLAYER]
        if is_due(g):
            g.push(Panic)
            return GO
        return g.ask(WhoAssaultsAgain, player) if somebody_may(g, player) else g.pop()


class WhoAssaultsAgain(ChooseUnit):
    name = "assault-again"
    what = "Which unit that a garrison has repulsed in the turn before assaults it again; done: none does."
    keys = ("wap.building.assault.attacker-repulsed",)
    declines = True

    def may(self, g: BattleCore, unit: int) -> bool:
        return garrison_to_assault(g, unit) >= 0

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.push(AssaultAgain, unit)

    def declined(self, g: BattleCore, f: int) -> None:
        g.pop()

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.default_words(action)} assaults again" if action else "no new assault"


class AssaultAgain(Procedure):
    """One new assault: declared, answered, made."""

    class Step(Steps):
        DECLARE, MAKE = range(2)

    UNIT = integer(row_of("units"))

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + AssaultAgain.UNIT]
        if g.stack[f + STEP] == AssaultAgain.Step.DECLARE:
            g.stack[f + STEP] = AssaultAgain.Step.MAKE
            garrison = garrison_to_assault(g, unit)
            if not dares_to_charge(g, unit, garrison):
                refuse(g, unit, garrison)
                return g.pop()
            row = enter(g, unit, garrison, side_charged(g, unit, garrison))
            if g.recorder is not None:
                g.note(RULE, "assaults again", unit=unit, target=garrison)
            g.push(React, row)
            return GO
        if is_due(g):  # after shots at the unit
            g.push(Panic)
            return GO
        g.pop()
        rows = charges_of(g, unit)
        there = g.units.place[unit] == ON_TABLE and not g.units.fleeing[unit]
        if not (there and rows and come_to_blows(g, unit, rows, RULE)):
            g.units.did[unit] |= FAILED
        for row in charges_of(g, unit):
            drop(g, row)
        return GO
