"""Terrain that inspires (w9.terrain.inspiring).

The terrain is given by rows of ``rules["inspiring"]``: mappings with ``feature`` (a kind of terrain feature, as
battlefields name it) and, if it inspires only some units, their ``keyword`` (singular or plural).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.outlines import point_polygon_gap
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import CIRCLE
from wh_env.rulesets.w9.shoot.lines import POINTS, outline_point
from wh_env.rulesets.w40k.keywords import keyword_bit

NEAR = 6.0  # inches
MORE = 1


def wholly_within(g: BattleCore, model: int, feature: int, inches: float) -> bool:
    """Whether every part of the model's base is within ``inches`` of the footprint of the feature."""
    setup, m = g.setup, g.models.rows
    first, count = setup.features["first"][feature], setup.features["count"][feature]
    if m["shape"][model] == CIRCLE:
        points, more = [(m["x"][model], m["y"][model])], float(m["half_a"][model])
    else:
        points, more = [outline_point(m, model, k, POINTS) for k in range(POINTS)], 0.0
    return all(point_polygon_gap(x, y, setup.corners, first, count) + more <= inches + EPS for x, y in points)


def inspired(g: BattleCore, unit: int) -> int:
    """``MORE`` if all models of the unit on the table are near one inspiring feature, else 0: added to its
    Leadership.
    """
    rows = g.setup.rules["inspiring"]
    if not rows:
        return 0
    bits, names = g.setup.statics["keyword_bits"], g.setup.names["terrain"]
    kinds = {
        row["feature"]
        for row in rows
        if row.get("keyword") is None or g.units.keywords[unit] & keyword_bit(bits, row["keyword"])
    }
    models = [k for k in g.members(unit) if g.models.on_table[k]]
    near = any(
        names[kind] in kinds and all(wholly_within(g, k, f, NEAR) for k in models)
        for f, kind in enumerate(g.setup.features["kind"].tolist())
    )
    return MORE if models and near else 0
