"""Panic tests: causes are marked on units (``morale.panic_causes``) and worked off by one procedure, so that no flight starts another on top of it
(wap.panic.test, .chain).

A flight is finished before those whom it went through test (wap.panic.fled-through); they may flee through others in turn. Who panics may rally in his
player's next turn (wap.panic.rally-next-turn), see ``compulsory.rally.may_rally``.
"""

from __future__ import annotations

from math import atan2, hypot

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer, Procedure
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import distance
from wh_env.rulesets.wap.codes import FLED_THROUGH, FRIEND_BROKEN, FRIEND_DESTROYED, HEAVY_CASUALTIES
from wh_env.rulesets.wap.fleeing.flight import Flight, start_to_flee
from wh_env.rulesets.wap.morale.army_leaders import holds_ground
from wh_env.rulesets.wap.morale.leadership import psychology_test
from wh_env.rulesets.wap.morale.panic_causes import may_panic, worst_source
from wh_env.rulesets.wap.special.psychology import fears_fire
from wh_env.rulesets.wap.ways.poses import middle_of

# by which rule a unit tests, if it has several causes by the first of these: losses of its own decide the direction
RULES = {
    HEAVY_CASUALTIES: "wap.panic.heavy-casualties",
    FRIEND_DESTROYED: "wap.panic.friend-destroyed",
    FRIEND_BROKEN: "wap.panic.friend-broken",
    FLED_THROUGH: "wap.compulsory.flee.friends-panic",
}


HOLD_YOUR_GROUND = "wap.general.bsb.hold-your-ground"
SCORCHED = 1  # what fire takes off the Leadership of who is afraid of it


def must_test(g: BattleCore, unit: int) -> bool:
    """Whether a unit has to take a Panic test: it has a cause, and nothing that has happened since exempts it."""
    return bool(g.units.due[unit]) and may_panic(g, unit)


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
    return direction_from(g, unit, *middle_of(g, other, u.x[other], u.y[other], u.facing[other]))


def direction_from(g: BattleCore, unit: int, x: float, y: float) -> float:
    """The direction from a place to the centre of a unit; where that is the place, as it faces."""
    u = g.units
    cx, cy = middle_of(g, unit, u.x[unit], u.y[unit], u.facing[unit])
    return atan2(cy - y, cx - x) if hypot(cx - x, cy - y) > EPS else float(u.facing[unit])


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
    """A unit tests; if it fails it turns its back on what it flees from and flees at once (wap.panic.test)."""
    due = g.units.due[unit]
    cause = next(cause for cause in RULES if due & cause)
    g.units.due[unit] = 0
    modifier = -SCORCHED if cause == HEAVY_CASUALTIES and g.units.scorched[unit] and fears_fire(g, unit) else 0
    if not takes_fright(g, unit, RULES[cause], modifier):
        return
    rule, facing = away_from_harm(g, unit) if cause == HEAVY_CASUALTIES else away_from_enemies(g, unit)
    start_to_flee(g, unit, facing, rule)
    g.push(Flight, unit)


def takes_fright(g: BattleCore, unit: int, rule: str, modifier: int = 0) -> bool:
    """Whether a unit fails a Panic test that it takes here and now, by a rule; one that may not be made to take it does not fail it. It takes no
    other one in this phase (wap.panic.once-per-phase). ``modifier``: of its Leadership (wap.special.flaming-attacks.panic)."""
    if not may_panic(g, unit):
        return False
    g.units.steeled[unit] = 1
    return not psychology_test(g, unit, rule, modifier, again=HOLD_YOUR_GROUND if holds_ground(g, unit) else "")


def away_from_enemies(g: BattleCore, unit: int, rule: str = "wap.panic.direction.other") -> tuple[str, float]:
    """The rule by which a unit flees from the nearest enemy, and the direction; where there is none, as it faces (wap.panic.direction.other)."""
    enemy = closest_enemy(g, unit)
    return rule, back_to(g, unit, enemy) if enemy >= 0 else g.units.facing[unit]


def away_from_harm(g: BattleCore, unit: int) -> tuple[str, float]:
    """The same from the enemy or the terrain feature that has cost it the most models, if there is one (wap.panic.direction.heavy)."""
    source, units = worst_source(g, unit), len(g.units.owner)
    if source < 0:
        return away_from_enemies(g, unit, "wap.panic.direction.heavy.nothing")
    if source < units:
        return "wap.panic.direction.heavy", back_to(g, unit, source)
    feature = g.setup.features[source - units]
    corners = g.setup.corners[feature["first"] : feature["first"] + feature["count"]]
    return "wap.panic.direction.heavy", direction_from(g, unit, *corners.mean(axis=0).tolist())
