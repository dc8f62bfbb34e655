"""What is at stake for a unit: the rounds of close combat that it fights now or may soon have to fight, in points."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from weakref import ref

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.contacts import foes_of, side_towards
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.special.stride import farthest_way
from wh_env.rulesets.wap.view.appraise_combat import worth_of_charge, worth_of_round
from wh_env.rulesets.wap.view.appraise_places import FALTER, KEPT, Key, state_of
from wh_env.rulesets.wap.view.outlook import place_of, quarter

ROUNDS = 1.4  # rounds that a combat is expected to last
CHARGE = -1  # in place of a side
LIKELY = 0.5  # the share of charges within reach that happen


class Stakes:
    """Says what is at stake for units, and caches the worth of rounds between units in the same state, of the battles
    of one Setup at a time.
    """

    def __init__(self) -> None:
        self._kept: tuple[Callable[[], Setup | None], dict[Key, float]] = (lambda: None, {})

    def of(self, g: BattleCore, unit: int) -> float:
        """Points that the next rounds of close combat are expected to bring the player of a unit: those that it fights,
        else the charges in the next turn of the player whose turn it is not. Before it is deployed, a round front to
        front with an enemy on average.
        """
        setup, known = self._kept
        if setup() is not g.setup or len(known) > KEPT:
            known = {}
            self._kept = (ref(g.setup), known)
        u = g.units
        enemies = g.units_of(1 - u.owner[unit])
        if u.place[unit] != ON_TABLE:
            return sum(cached(g, unit, foe, FRONT, FRONT, known) for foe in enemies) / max(1, len(enemies))
        if foes := foes_of(g, unit):
            sides = ((foe, side_towards(g, foe, unit), side_towards(g, unit, foe)) for foe in foes)
            return ROUNDS * sum(cached(g, unit, foe, side, mine, known) for foe, side, mine in sides) / len(foes)
        others = [foe for foe in enemies if u.place[foe] == ON_TABLE and not foes_of(g, foe)]
        if g.clock.turn[0] == u.owner[unit]:  # the enemies move next
            return -LIKELY * max((worth_of_strike(g, foe, unit, known) for foe in others), default=0.0)
        return LIKELY * max((worth_of_strike(g, unit, foe, known) for foe in others), default=0.0)


def cached(g: BattleCore, unit: int, foe: int, side: int, mine: int, known: dict[Key, float]) -> float:
    """The worth of a round to a unit at ``side`` of an enemy that stands at its side ``mine``; a charge if that is
    ``CHARGE``.
    """
    key = (side, mine, *state_of(g, unit), *state_of(g, foe))
    found = known.get(key)
    if found is None:
        if mine == CHARGE:
            found = worth_of_charge(g, unit, foe, side)
        else:
            found = worth_of_round(g, unit, foe, side, mine=mine)
        known[key] = found
    return found


def worth_of_strike(g: BattleCore, unit: int, foe: int, known: dict[Key, float]) -> float:
    """Points that a charge at an enemy is worth, at least 0; 0 if the enemy is not before the unit's front or out of
    reach.
    """
    if g.units.fleeing[unit]:
        return 0.0
    (x, y, facing, half), (ex, ey, its, size) = place_of(g, unit), place_of(g, foe)
    apart = hypot(ex - x, ey - y) - half - size
    if apart > farthest_way(g, unit) - FALTER or quarter(x, y, facing, ex, ey) != FRONT:
        return 0.0
    return max(0.0, cached(g, unit, foe, quarter(ex, ey, its, x, y), CHARGE, known))
