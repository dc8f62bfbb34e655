"""Panic tests: causes are marked on units and worked off by one procedure, so that no flight starts another on top of it (wap.panic.*).

So far the only cause is a friend who flees through a unit (wap.compulsory.flee.friends-panic, wap.panic.fled-through).
"""

from __future__ import annotations

from math import atan2

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer, Procedure
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.leadership import psychology_test
from wh_env.rulesets.wap.codes import FLED_THROUGH
from wh_env.rulesets.wap.compulsory.flight import Flight, start_to_flee
from wh_env.rulesets.wap.movement.going import middle_of

RULES = {FLED_THROUGH: "wap.compulsory.flee.friends-panic"}


def must_test(g: BattleCore, unit: int) -> bool:
    """Whether a unit has to take a Panic test: not if it flees or is engaged already, nor a second time in a phase (wap.panic.exempt.engaged,
    .exempt.fleeing, .once-per-phase)."""
    u = g.units
    return bool(
        u.due[unit]
        and u.place[unit] == ON_TABLE
        and not u.fleeing[unit]
        and not u.steeled[unit]
        and not engaged(g, unit)
    )


def closest_enemy(g: BattleCore, unit: int) -> int:
    """The nearest enemy unit on the table, -1: there is none."""
    u = g.units
    there = [other for other in g.units_of(1 - u.owner[unit]) if u.place[other] == ON_TABLE]
    return min(there, key=lambda other: distance(g, unit, other), default=-1)


def nearest_first(g: BattleCore, mask: memoryview) -> int:
    """Of the own units that are offered that which is nearest to an enemy."""
    own, player = g.setup.space.own, g.clock.player[0]

    def far(slot: int) -> float:
        unit = g.players.first_unit[player] + slot
        enemy = closest_enemy(g, unit)
        return distance(g, unit, enemy) if enemy >= 0 else 0.0

    offered = [slot for slot in range(g.players.units[player]) if mask[own + slot]]
    return int(own + min(offered, key=far))


def back_to(g: BattleCore, unit: int, other: int) -> float:
    """The direction from the centre of another unit to that of this one."""
    u = g.units
    x, y = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    ox, oy = middle_of(g, other, u.x[other], u.y[other], u.facing[other])
    return atan2(y - oy, x - ox)


class Panic(Procedure):
    """Panic tests until nobody has one left to take, those of the player whose turn it is first."""

    def advance(self, g: BattleCore, f: int) -> int:
        turn = g.clock.turn[0]
        for player in (turn, 1 - turn):
            if any(must_test(g, unit) for unit in g.units_of(player)):
                g.push(PanicOf, player)
                return GO
        g.units.rows["due"] = 0
        return g.pop()


class PanicOf(OfPlayer):
    """The next Panic test of a player."""

    asks = ("panic-order",)

    def advance(self, g: BattleCore, f: int) -> int:
        return g.ask(PanicOrder, g.stack[f + PanicOf.PLAYER])


class PanicOrder(ChooseUnit):
    name = "panic-order"
    what = "Which unit takes its Panic test next."
    policy = "The unit nearest to an enemy."
    keys = ("wap.panic.order",)
    squad = False

    def may(self, g: BattleCore, unit: int) -> bool:
        return must_test(g, unit)

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        g.pop()
        panic_test(g, unit)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return nearest_first(g, mask)


def panic_test(g: BattleCore, unit: int) -> None:
    """A unit tests; if it fails it turns its back on the nearest enemy and flees at once (wap.panic.test, .direction.other)."""
    u = g.units
    rule = RULES[u.due[unit]]
    u.due[unit], u.steeled[unit] = 0, 1
    if psychology_test(g, unit, rule):
        return
    enemy = closest_enemy(g, unit)
    start_to_flee(g, unit, back_to(g, unit, enemy) if enemy >= 0 else u.facing[unit], rule)
    g.push(Flight, unit)
