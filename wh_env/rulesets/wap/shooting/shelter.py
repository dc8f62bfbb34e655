"""The cover of those who stand behind an obstacle in contact with it (wap.terrain.obstacle.cover, .cover-shooters)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import SIDES
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.ground import Ground, with_trait
from wh_env.rulesets.wap.basics.obstacles import lies_along
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.codes import COVERS, FRONT, NO_COVER, REAR
from wh_env.rulesets.wap.weapons.defending import touching_of


@inner_kernel
def goes_through(x: float, y: float, dx: float, dy: float, corners: Array, first: int, count: int) -> bool:
    """Whether the line from (x, y) to (x + dx, y + dy) goes through a convex polygon, corners counter-clockwise."""
    begins = 0.0
    ends = 1.0
    last = first + count - 1
    for k in range(first, first + count):
        ex = corners[k, 0] - corners[last, 0]
        ey = corners[k, 1] - corners[last, 1]
        inside = ex * (y - corners[last, 1]) - ey * (x - corners[last, 0])  # above 0: to the left of the edge
        more = ex * dy - ey * dx
        last = k
        if more == 0.0:
            if inside < 0.0:
                return False
        elif more > 0.0:
            begins = max(begins, -inside / more)
        else:
            ends = min(ends, -inside / more)
    return begins < ends


@kernel
def count_beyond(models: Array, eye: int, rows: Array, pieces: Array, corners: Array) -> int:
    """How many of the models ``rows`` lie beyond an obstacle, given by its convex ``pieces``, as model ``eye`` sees
    them: a line from middle to middle goes through it.
    """
    found = 0
    for n in range(len(rows)):
        x = models[eye]["x"]
        y = models[eye]["y"]
        dx = models[rows[n]]["x"] - x
        dy = models[rows[n]]["y"] - y
        for b in range(len(pieces)):
            if goes_through(x, y, dx, dy, corners, pieces[b]["first"], pieces[b]["count"]):
                found += 1
                break
    return found


def behind(g: BattleCore, target: int, ground: Ground, rows: Sequence[int]) -> list[int]:
    """Of the models ``rows`` of a unit, those that stand behind an obstacle: they touch it along a side of the block,
    or stand in line with a model that does, a character among them.
    """
    u, m = g.units, g.models
    touched = [k for row in wholly(g, target) for k in touching_of(g, row, ground)]
    found: set[int] = set()
    if not touched:
        return []
    c, s = cos(u.facing[target]), sin(u.facing[target])
    ahead = {k: c * (m.x[k] - u.x[target]) + s * (m.y[k] - u.y[target]) for k in (*rows, *touched)}
    aside = {k: c * (m.y[k] - u.y[target]) - s * (m.x[k] - u.x[target]) for k in (*rows, *touched)}
    for side in range(SIDES):
        if lies_along(g, target, side, ground):
            at, half = (aside, m.half_b) if side in (FRONT, REAR) else (ahead, m.half_a)
            found |= {k for k in rows if any(abs(at[k] - at[t]) <= half[t] + EPS for t in touched)}
    return sorted(found)


def shelters(g: BattleCore, target: int, eyes: Iterable[int], rows: Sequence[int]) -> dict[int, int]:
    """The cover that obstacles give a target from each of the models ``eyes``: more than half of its models ``rows``
    stand behind one. Who touches the obstacle looks over it.
    """
    found = dict.fromkeys(eyes, NO_COVER)
    for ground in with_trait(g, "obstacle"):
        barrier = ground.traits.obstacle
        hidden = behind(g, target, ground, rows) if barrier is not None else []
        if barrier is None or 2 * len(hidden) <= len(rows):
            continue
        models = np.array(hidden, np.int64)
        touching = {k for unit in {g.models.unit[eye] for eye in found} for k in touching_of(g, unit, ground)}
        for eye in found:
            if eye in touching or found[eye] >= COVERS[barrier.cover]:
                continue
            beyond = g.work.call(count_beyond, g.models.rows, eye, models, ground.pieces, g.setup.corners)
            if 2 * beyond > len(rows):
                found[eye] = COVERS[barrier.cover]
    return found
