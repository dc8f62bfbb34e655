"""How far models are from their places at the start of their unit's move (``begin_move``)."""

from __future__ import annotations

from math import hypot, pi, sin, tan

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS, disc_gap_at
from wh_env.core.tables import CIRCLE


def least_displacement(g: BattleCore, model: int) -> float:
    """Inches from the model's place at the start of its unit's move: of the part of its base that has moved least. For
    a round base, of its centre.
    """
    m = g.models
    return displacement_at(g, model, m.x[model], m.y[model], m.z[model], m.facing[model])


def displaced(g: BattleCore, model: int) -> bool:
    """Whether any part of the model has another place than at the start of its unit's move."""
    m, origin = g.models, g.origin
    turn = (m.facing[model] - origin.facing[model] + pi) % (2.0 * pi) - pi
    if m.shape[model] != CIRCLE and abs(turn) > EPS:
        return True
    return hypot(m.x[model] - origin.x[model], m.y[model] - origin.y[model], m.z[model] - origin.z[model]) > EPS


def displacement_at(g: BattleCore, model: int, x: float, y: float, z: float, facing: float) -> float:
    """``least_displacement`` for the model at this pose (inches, radians)."""
    m, origin = g.models, g.origin
    dx, dy, dz = x - origin.x[model], y - origin.y[model], z - origin.z[model]
    turn = (facing - origin.facing[model] + pi) % (2.0 * pi) - pi
    if m.shape[model] == CIRCLE or abs(turn) < EPS:
        return hypot(dx, dy, dz)
    # the base turned about this point, so that parts move the more the farther they are from it
    c = 1.0 / tan(turn / 2.0)
    x0, y0, f0 = origin.x[model], origin.y[model], origin.facing[model]
    px, py = x0 + 0.5 * (dx - c * dy), y0 + 0.5 * (c * dx + dy)
    away = max(0.0, float(disc_gap_at(m.rows, model, x0, y0, f0, px, py, 0.0)))
    return hypot(2.0 * abs(sin(turn / 2.0)) * away, dz)
