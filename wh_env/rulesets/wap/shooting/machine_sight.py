"""Whether a war machine that fires like a missile weapon, a bolt or grapeshot, sees and reaches a unit
(wap.machine.fire.pivot, .fire.line-of-sight, wap.machine.measure.firing-point).

It turns on its middle towards a model of the target, by 45 degrees to either side at most; sight and range are those of
its muzzle then.
"""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.shapes import EPS, disc_gap_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.shooting.firing_points import reach_ahead
from wh_env.rulesets.wap.shooting.machine_eyes import (
    AHEAD,
    FACING,
    FAR,
    HALF_ARC,
    X,
    Y,
    find_seen,
    hiding,
    is_past_woods,
)
from wh_env.rulesets.wap.shooting.pivoting import point_at
from wh_env.rulesets.wap.shooting.templates_on_buildings import as_templates_meet, rows_in
from wh_env.rulesets.wap.ways.poses import middle_of


@inner_kernel
def off_straight(angle: float) -> float:
    """An angle in radians, from -pi to pi."""
    return float((angle + pi) % (2.0 * pi) - pi)


@inner_kernel
def is_in_arc(models: Array, k: int, shot: Array) -> bool:
    """Whether the base of model ``k`` lies at least partly in the front arc of a machine, seen from its middle."""
    m = models[k]
    middle = off_straight(atan2(m["y"] - shot[Y], m["x"] - shot[X]) - shot[FACING])
    low = 0.0
    high = 0.0
    for c in range(4):
        a = m["half_a"] if c < 2 else -m["half_a"]
        b = m["half_b"] if c == 1 or c == 2 else -m["half_b"]
        x, y = on_table_at(m["x"], m["y"], m["facing"], a, b)
        off = off_straight(atan2(y - shot[Y], x - shot[X]) - shot[FACING] - middle)
        low = min(low, off)
        high = max(high, off)
    return bool(middle + low <= HALF_ARC + EPS and middle + high >= -HALF_ARC - EPS)


@kernel
def find_mark(models: Array, rows: Array, seen: Array, shot: Array, x: float, y: float) -> int:
    """The model nearest to (x, y) among those of ``rows`` that are ``seen`` and that a machine reaches once it points
    at them as far as it may turn; -1: it reaches none.
    """
    found = -1
    nearest = inf
    for r in range(len(rows)):
        m = models[rows[r]]
        apart = hypot(m["x"] - x, m["y"] - y)
        if not seen[r] or apart >= nearest - EPS or not is_in_arc(models, rows[r], shot):
            continue
        turn = off_straight(atan2(m["y"] - shot[Y], m["x"] - shot[X]) - shot[FACING])
        f = shot[FACING] + max(-HALF_ARC, min(HALF_ARC, turn))
        ex = shot[X] + shot[AHEAD] * cos(f)
        ey = shot[Y] + shot[AHEAD] * sin(f)
        if disc_gap_at(models, rows[r], m["x"], m["y"], m["facing"], ex, ey, 0.0) <= shot[FAR] + EPS:
            found = rows[r]
            nearest = apart
    return found


def mark_of_machine(g: BattleCore, unit: int, target: int, far: float) -> tuple[float, float] | None:
    """The middle of the model at which a war machine points to fire at a unit: of those that it sees within ``far``
    inches and to which it may turn, the one nearest to the middle of the unit. None: there is no such model.
    """
    work, room, u = g.work, g.work.spots, g.units
    models = as_templates_meet(g)
    rows = np.array(rows_in(g, models, target), np.int64)
    m, k, shot = g.models, g.units.first[unit], room.shot
    shot[X], shot[Y], shot[FACING], shot[AHEAD], shot[FAR] = m.x[k], m.y[k], m.facing[k], reach_ahead(g, unit), far
    if not is_past_woods(g, unit, target):
        return None
    n = hiding(g, unit, target)
    if not work.call(
        find_seen, models, rows, room.near, room.points, n, n, room.shot, room.rect, room.spans, room.seen
    ):
        return None
    x, y = middle_of(g, target, u.x[target], u.y[target], u.facing[target])
    mark = work.call(find_mark, models, rows, room.seen, room.shot, x, y)
    return None if mark < 0 else (float(models["x"][mark]), float(models["y"][mark]))


def machine_sees(g: BattleCore, unit: int, target: int, far: float) -> bool:
    """Whether a war machine sees a model of a unit within ``far`` inches, to which it may turn."""
    return mark_of_machine(g, unit, target, far) is not None


def turn_to_fire(g: BattleCore, unit: int, target: int, far: float) -> None:
    """A war machine turns towards a unit that it fires at, so that it still sees it (``mark_of_machine``)."""
    mark = mark_of_machine(g, unit, target, far)
    if mark is not None:
        point_at(g, unit, *mark)
