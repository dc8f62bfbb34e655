"""Values of places, as kernels: markers, targets, fights and danger, each place in less than a microsecond."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.questions.chances import chance_of

MARKER = 70.0  # points that a marker is worth in a battle round
HELD, CONTESTED = 0.2, 0.45  # factors: for a marker that other own units hold, for one that cannot be won
NEXT_TURN = 0.6  # factor for what is a turn away
LATER = 0.35  # weight of attacks that are not possible this turn
DANGER = 0.25  # weight of what the enemy can do in return
THREAT_MOVE = 6.0  # inches the enemy comes nearer before it shoots


@dataclass(frozen=True)
class Foes:
    """What a unit and its enemies can do to each other, one row for each enemy, for any place of the unit.

    Attributes:
        x, y, size: middles of the enemies and their extent, inches.
        gain: points of the unit's blows less the enemy's in return.
        danger_reach, danger: inches that each enemy's blows reach, and the points that they take.
        reach, volleys: range in inches and points (weapons x enemies) of the unit's ranged weapons.
        assault: whether these fire after an Advance.
        back_from, back_reach, back: the enemies' ranged weapons: row of the enemy, range in inches, points.
        near: float64 (2,): Engagement Range and mean Charge roll, inches.
        charge: inches within which a charge can be declared.
        odds: chances of a Charge roll (``core.chances.at_least``).
    """

    x: Array
    y: Array
    size: Array
    gain: Array
    danger_reach: Array
    danger: Array
    reach: Array
    volleys: Array
    assault: Array
    back_from: Array
    back_reach: Array
    back: Array
    near: Array
    charge: float
    odds: Array

    def worth(self, total: Array, xs: Array, ys: Array, size: float, move: float, fires: Array, charges: bool) -> None:
        """Add to ``total`` the points that a unit of this size and Move gains and loses at each place. ``fires``: the
        weapons that may fire. ``charges``: whether it may charge.
        """
        charge = self.charge if charges else -1.0
        foe_worth(
            total, xs, ys, size, max(1.0, move), self.x, self.y, self.size, self.gain, self.danger_reach, self.danger,
            self.reach, self.volleys, fires, self.back_from, self.back_reach, self.back, self.near, charge,
            self.odds,
        )  # fmt: skip


@kernel
def marker_worth(
    best: Array,
    xs: Array,
    ys: Array,
    unit: int,
    player: int,
    control: float,
    size: float,
    move: float,
    objectives: Array,
    x: Array,
    y: Array,
    sizes: Array,
    controls: Array,
    owner: Array,
    here: Array,
    inches: float,
) -> None:
    """Set ``best`` to the points for markers at each place of a unit with Objective Control ``control``.

    ``x`` to ``here``: all units. ``inches``: range of a marker.
    """
    best[:] = 0.0
    for o in range(len(objectives)):
        marker = objectives[o]
        if not marker["placed"]:
            continue
        reach = inches + marker["radius"]
        own, theirs = 0.0, 0.0
        for other in range(len(x)):
            if not here[other] or other == unit:
                continue
            if hypot(x[other] - marker["x"], y[other] - marker["y"]) - sizes[other] <= reach:
                if owner[other] == player:
                    own += controls[other]
                else:
                    theirs += controls[other]
        worth = HELD if own > theirs else 1.0 if own + control > theirs else CONTESTED
        for n in range(len(xs)):
            away = max(0.0, hypot(xs[n] - marker["x"], ys[n] - marker["y"]) - 0.7 * size - reach)
            best[n] = max(best[n], worth * NEXT_TURN ** (away / move))
    for n in range(len(xs)):
        best[n] *= MARKER


@kernel
def foe_worth(
    total: Array, xs: Array, ys: Array, size: float, move: float, x: Array, y: Array, sizes: Array, gain: Array,
    danger_reach: Array, danger: Array, reach: Array, volleys: Array, fires: Array,
    back_from: Array, back_reach: Array, back: Array, near: Array, charge: float,
    odds: Array,
) -> None:  # fmt: skip
    """The kernel of ``Foes.worth``."""
    engaged, mean = near[0], near[1]
    longest = 0.0
    for w in range(len(reach)):
        longest = max(longest, reach[w])
    for n in range(len(xs)):
        now, soon, fight, lost = 0.0, 0.0, 0.0, 0.0
        at = 0
        for e in range(len(x)):
            apart = max(0.0, hypot(xs[n] - x[e], ys[n] - y[e]) - size - sizes[e])
            shots, every = 0.0, 0.0
            for w in range(len(reach)):
                every += volleys[w, e]
                if fires[w] and apart <= reach[w]:
                    shots += volleys[w, e]
            now = max(now, shots)
            if every > 0.0:
                soon = max(soon, every * NEXT_TURN ** (max(0.0, apart - longest) / move))
            if gain[e] > 0.0:
                value = LATER * (gain[e] * NEXT_TURN ** (max(0.0, apart - engaged - mean) / move))
                if apart <= charge:
                    value = max(value, gain[e] * chance_of(odds, apart - engaged))
                fight = max(fight, value)
            blows = danger[e] if apart <= danger_reach[e] else 0.0
            while at < len(back) and back_from[at] == e:
                if apart <= back_reach[at] + THREAT_MOVE:
                    blows += back[at]
                at += 1
            lost += blows
        total[n] += now
        total[n] += LATER * soon
        total[n] += fight
        total[n] -= DANGER * lost
