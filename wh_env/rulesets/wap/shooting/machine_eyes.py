"""What a war machine sees once it points at a model: kernels on the columns of its shot (wap.machine.fire.pivot,
.fire.line-of-sight, wap.machine.measure.firing-point).
"""

from __future__ import annotations

from math import atan2, cos, pi, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.point_views import seen_from_point
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.basics.sight import find_who_see, heights_of, is_raised, what_hides
from wh_env.rulesets.wap.tables import Troops

# columns of a machine's shot, float64: the middle of the machine, its facing, inches from the middle to where it
# measures from, least and greatest range, and the template: radius of a disc, length and radius of a drop
X, Y, FACING, AHEAD, LEAST, FAR, DISC, DROP, ROUND_END = COLUMNS = range(9)
HALF_ARC = 0.25 * pi  # a machine turns no further before it fires (wap.machine.fire.pivot)


@inner_kernel
def eye_towards(shot: Array, x: float, y: float) -> tuple[float, float, float]:
    """The place from which a machine measures once it points at (x, y), and the direction there in radians."""
    f = atan2(y - shot[Y], x - shot[X])
    return shot[X] + shot[AHEAD] * cos(f), shot[Y] + shot[AHEAD] * sin(f), f


@kernel
def list_hiding(troops: Troops, ground: Array, corners: Array, u: int, target: int, near: Array, points: Array) -> int:
    """Fill ``near`` and ``points`` with what hides models of unit ``target`` from machine ``u`` if it lies between
    them, without woods (``is_past_woods``). Returns the number of rows.
    """
    models, units = troops.models, troops.units
    raised = is_raised(models)
    own = units[u]["sight"] + (heights_of(models, units, u)[1] if raised else 0)
    theirs = units[target]["sight"] + (heights_of(models, units, target)[1] if raised else 0)
    hard, _ = what_hides(troops, ground, corners, u, target, raised, max(own, theirs), near, points)
    return int(hard)


def hiding(g: BattleCore, unit: int, target: int) -> int:
    """Fill ``work.spots`` with what hides models of a unit from a machine; returns the number of rows."""
    setup, room = g.setup, g.work.spots
    ground = (setup.statics["ground"], setup.corners)
    return int(g.work.call(list_hiding, g.troops, *ground, unit, target, room.near, room.points))


def is_past_woods(g: BattleCore, unit: int, target: int) -> bool:
    """Whether woods leave a line from any side of a machine to a unit (wap.terrain.forest.line-of-sight)."""
    return not with_trait(g, "sight_depth") or find_who_see(g, unit, target, all_round=True) > 0


@kernel
def find_seen(
    models: Array,
    rows: Array,
    near: Array,
    points: Array,
    n: int,
    comrades: int,
    shot: Array,
    rect: Array,
    spans: Array,
    seen: Array,
) -> int:
    """Mark in ``seen`` (bool, by place in ``rows``) the models that a machine sees once it points at them. Obstacle
    ``comrades`` and those after it are the bases of ``rows`` themselves, if there are so many. Returns how many.
    """
    found = 0
    for r in range(len(rows)):
        m = models[rows[r]]
        for c in range(4):
            a = m["half_a"] if c < 2 else -m["half_a"]
            b = m["half_b"] if c == 1 or c == 2 else -m["half_b"]
            rect[c, 0], rect[c, 1] = on_table_at(m["x"], m["y"], m["facing"], a, b)
        x, y, _ = eye_towards(shot, m["x"], m["y"])
        seen[r] = seen_from_point(near, points, n, comrades + r, x, y, rect, 4, spans)
        found += 1 if seen[r] else 0
    return found
