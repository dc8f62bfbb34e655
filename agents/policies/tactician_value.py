"""The value of a position for a seat: armies, objectives, and what either side can do next."""

from __future__ import annotations

from math import tanh
from typing import NamedTuple

import numpy as np

from wh_env import Battle
from wh_env.core.tables import Array

from .tactician_reading import Reader, Side, Situation
from .tactician_weights import Weights

NEXT_TURN = 0.55  # factor for each turn's move that a unit is away from a marker
UNSEEN = 0.4  # weight of shooting at a target that is not visible yet


def threat(seen: Situation, side: str) -> float:
    """Points that one side (``own`` or ``enemy``) is expected to destroy in its next turn; each unit attacks its
    best target, and no points are counted twice.
    """
    mine = side == "own"
    acting, other = (seen.own, seen.enemy) if mine else (seen.enemy, seen.own)
    _, shots, blows = seen.odds(side)
    apart, sight = seen.distances, seen.sight
    if not mine:
        shots, blows, apart, sight = shots.T, blows.T, apart.T, sight.T
    left = np.maximum(0.0, apart - acting.move[:, None])
    shooting = np.where(left <= acting.reach[:, None], shots, 0.0) * np.where(sight > 0, 1.0, UNSEEN)
    charging = np.where(apart <= seen.chances.engaged + 0.05, 1.0, seen.chances.reaches(left)) * blows
    share = np.maximum(shooting, charging) * np.where(np.isfinite(apart) & (apart < 90.0), 1.0, 0.0)
    gains = share * other.points[None, :]
    if gains.size == 0:
        return 0.0
    damage = np.zeros(len(other.points))
    order = np.argsort(-gains.max(axis=1))
    for unit in order.tolist():
        room = np.minimum(gains[unit], other.points - damage)
        target = int(room.argmax())
        if room[target] <= 0.0:
            continue
        damage[target] += room[target]
    return float(damage.sum())


def presence(seen: Situation, side: Side) -> tuple[Array, Array]:
    """Control of a side at each marker, shape (markers,): now, and what it could have there in the next turns."""
    count = len(seen.marker_x)
    if count == 0 or len(side.x) == 0:
        return np.zeros(count), np.zeros(count)
    apart = np.hypot(side.x[:, None] - seen.marker_x, side.y[:, None] - seen.marker_y) - seen.marker_radius
    apart = np.maximum(0.0, apart - 0.8 * side.spread[:, None] - 0.5 - seen.chances.marker)
    near = np.where(side.here[:, None], NEXT_TURN ** (apart / side.move[:, None]), 0.0)
    now = (np.where(apart <= 0.0, side.control[:, None], 0.0) * side.here[:, None]).sum(axis=0)
    soon = side.control[:, None] * near / np.maximum(1.0, near.sum(axis=1))[:, None]
    return now, soon.sum(axis=0)


class Terms(NamedTuple):
    """What the lead at the end depends on. Each term is that of a seat minus that of the other seat.

    Attributes:
        turns: player turns that are left, the present one included (no difference).
        lead: victory points.
        held: number of markers held.
        near: sum over markers of how much stronger the seat is around them, each from -1 to 1.
        army: points of units.
        strikes: points that the units can destroy next.
        flights: victory points that are due for fleeing units, where the ruleset says so.
        soon: points that charges and combats under way are expected to destroy, where the ruleset says so.
    """

    turns: float
    lead: float
    held: float
    near: float
    army: float
    strikes: float
    flights: float = 0.0
    soon: float = 0.0

    def final(self, w: Weights) -> float:
        """The expected lead in victory points at the end of the battle, with weights ``w``."""
        use = min(w.most, max(w.left_over, self.turns - 1.0))  # armies count only while there is time to use them
        markers = w.held * min(1.0, self.turns / w.last) * self.held + w.near * self.turns * self.near
        lead = self.lead + markers + use * (w.army * self.army + w.strike * self.strikes)
        return lead + (w.flight if self.turns > 1.0 else 1.0) * self.flights + w.soon * self.soon


def terms(reader: Reader, battle: Battle, seat: int) -> Terms:
    """The terms of a battle in progress for ``seat``: from the ruleset (``Appraiser.outlook``) if it provides
    them, else from the observation.
    """
    clock = battle.clock
    second = clock.turn[0] != clock.first_player[0]
    turns = max(0.0, 2.0 * (reader.rounds - clock.round[0]) + (1.0 if second else 2.0))
    known = reader.outlook(battle, seat)
    if known is not None:
        vp = battle.players.vp
        return Terms(turns, vp[seat] - vp[1 - seat] + known.due, 0.0, 0.0, known.army, 0.0, known.flights, known.soon)
    seen = reader.read(battle, seat)
    (mine, mine_soon), (theirs, theirs_soon) = presence(seen, seen.own), presence(seen, seen.enemy)
    now = np.where(mine == theirs, seen.marker_holder * (mine > 0), np.sign(mine - theirs))
    near = (mine_soon**2 - theirs_soon**2) / (mine_soon**2 + theirs_soon**2 + 1.0)
    return Terms(
        turns=turns,
        lead=seen.vp_lead,
        held=float(now.sum()),
        near=float(near.sum()),
        army=float(seen.own.points.sum() - seen.enemy.points.sum()),
        strikes=threat(seen, "own") - threat(seen, "enemy"),
    )


def value_at_end(w: Weights, battle: Battle, seat: int) -> float:
    """The value of a finished battle for a seat, in points of units."""
    vp = battle.players.vp
    won = battle.clock.winner[0]
    result = 0.0 if won < 0 else w.settled if won == seat else -w.settled
    return result + w.victory_point * (vp[seat] - vp[1 - seat])


def value(reader: Reader, battle: Battle, seat: int) -> float:
    """The value of a position for ``seat``, in points of units."""
    w = reader.weights
    return value_at_end(w, battle, seat) if battle.over else w.victory_point * terms(reader, battle, seat).final(w)


def prospects(reader: Reader, battle: Battle, seat: int) -> float:
    """How likely ``seat`` is to win, from about -1 (lost) to 1 (won), plus a small amount for its expected lead."""
    w = reader.weights
    if battle.over:
        vp, won = battle.players.vp, battle.clock.winner[0]
        return (0.0 if won < 0 else 1.0 if won == seat else -1.0) + w.margin * (vp[seat] - vp[1 - seat])
    now = terms(reader, battle, seat)
    lead = now.final(w)
    return tanh(lead / (w.unsure * (1.0 + now.turns))) + w.margin * lead
