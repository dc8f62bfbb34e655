"""What the armies hold in a position: points due, points left, and what charges and combats can be expected to take."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Outlook
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.contacts import block_of, foes_of, side_towards
from wh_env.rulesets.wap.battle.control import strengths_near
from wh_env.rulesets.wap.battle.victory import points_due
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.special.stride import farthest_way
from wh_env.rulesets.wap.view.appraise_combat import worth_left, worth_of_charge, worth_of_round
from wh_env.rulesets.wap.view.appraise_places import FALTER, KEPT, Key, state_of
from wh_env.rulesets.wap.ways.poses import depth_of, front_width

TURNED = (FRONT, LEFT, REAR, RIGHT)  # quarters, counter-clockwise from the front
NEXT, LATER = 0.5, 0.3  # shares of a charge's worth: it can be declared in this turn, or the enemy moves first
HOLDS = 0.25  # share of the points of the game that control of the feature that decides it is worth
Place = tuple[float, float, float, float]  # x, y of the middle; facing; half the mean of width and depth


class Prospect:
    """Judges positions, and caches the worth of rounds of combat between units in the same state."""

    def __init__(self) -> None:
        self._known: dict[Key, float] = {}

    def outlook(self, g: BattleCore, seat: int) -> Outlook:
        """The position as ``seat`` sees it (``core.procedures.Outlook``)."""
        (flights, due), (armies, soon), other = points_due(g), self._armies(g), 1 - seat
        return Outlook(
            due=float(due[seat] - due[other]) + self._control(g, seat),
            flights=float(flights[seat] - flights[other]),
            army=armies[seat] - armies[other],
            soon=soon[seat] - soon[other],
        )

    def _control(self, g: BattleCore, seat: int) -> float:
        """The points that holding the terrain feature that decides the battle is worth; 0 if none does."""
        feature = g.setup.statics["controlled"]
        if feature < 0:
            return 0.0
        totals = strengths_near(g, feature)
        lead = totals[seat] - totals[1 - seat]
        worth = HOLDS * float(g.setup.rules["points"])
        return worth if lead > 0 else -worth if lead < 0 else 0.0

    def _armies(self, g: BattleCore) -> tuple[list[float], list[float]]:
        """By player: the points of units that do not flee, and the points that charges and combats can be expected to
        take.
        """
        u, armies, soon = g.units, [0.0, 0.0], [0.0, 0.0]
        there = {unit: place_of(g, unit) for unit in range(len(u.owner)) if u.place[unit] == ON_TABLE}
        for unit in range(len(u.owner)):
            if not u.fleeing[block_of(g, unit)]:
                armies[u.owner[unit]] += worth_left(g, unit)
        for unit in there:
            owner = u.owner[unit]
            if u.fleeing[unit]:
                continue
            if foes := foes_of(g, unit):
                soon[owner] += sum(self._fight(g, unit, foe) for foe in foes) / (2.0 * len(foes))
            else:
                strikes = [self._strike(g, unit, foe, there) for foe in there if u.owner[foe] != owner]
                soon[owner] += (NEXT if g.clock.turn[0] == owner else LATER) * max(0.0, *strikes, 0.0)
        return armies, soon

    def _fight(self, g: BattleCore, unit: int, foe: int) -> float:
        """Points that the next round of two units in contact is worth."""
        side, mine = side_towards(g, foe, unit), side_towards(g, unit, foe)
        key = (mine, side, *state_of(g, unit), *state_of(g, foe))
        value = self._known.get(key)
        if value is None:
            value = self._keep(key, worth_of_round(g, unit, foe, side, mine=mine))
        return value

    def _strike(self, g: BattleCore, unit: int, foe: int, there: dict[int, Place]) -> float:
        """Points that a charge in the next turn is worth; 0 if the enemy is not before the unit's front or out of
        reach.
        """
        (x, y, facing, half), (ex, ey, its, size) = there[unit], there[foe]
        apart = hypot(ex - x, ey - y) - half - size
        if apart > farthest_way(g, unit) - FALTER or quarter(x, y, facing, ex, ey) != FRONT:
            return 0.0
        side = quarter(ex, ey, its, x, y)
        key = (side, *state_of(g, unit), *state_of(g, foe))
        value = self._known.get(key)
        if value is None:
            value = self._keep(key, worth_of_charge(g, unit, foe, side))
        return value

    def _keep(self, key: Key, value: float) -> float:
        if len(self._known) >= KEPT:
            self._known.clear()
        self._known[key] = value
        return value


def place_of(g: BattleCore, unit: int) -> Place:
    """The middle of a unit (x, y), its facing, and half the mean of its width and depth."""
    u, deep = g.units, depth_of(g, unit)
    x, y, facing = u.x[unit], u.y[unit], u.facing[unit]
    return x - 0.5 * deep * cos(facing), y - 0.5 * deep * sin(facing), facing, 0.25 * (deep + front_width(g, unit))


def quarter(x: float, y: float, facing: float, px: float, py: float) -> int:
    """The quarter of a block with this centre and facing in which a point lies, seen from the centre."""
    turned = (atan2(py - y, px - x) - facing + 0.25 * pi) % (2.0 * pi)
    return TURNED[int(turned // (0.5 * pi)) % 4]
