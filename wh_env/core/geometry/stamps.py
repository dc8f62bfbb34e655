"""Templates over bases: discs, drops, thin and thick lines; which models they touch, and how (core.template.hit).

Each function looks at the models in rows ``first`` to ``first + count - 1``; models off the table are never touched. It
sets ``marks`` (int8, count) to ``MISSED``, ``PARTLY`` or ``WHOLLY`` for each model and returns how many are touched.
``points`` is float64 scratch, 4 x 2.
"""

from __future__ import annotations

from math import cos, hypot, inf, sin, sqrt

from wh_env.core.geometry.corridor import clip_model
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.shapes import EPS, disc_gap_at, farthest_gap_from_disc_at, inside_polygon_at, polygon_gap_at
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import Array

MISSED, PARTLY, WHOLLY = 0, 1, 2


@inner_kernel
def disc_stamp(models: Array, first: int, count: int, x: float, y: float, r: float, marks: Array) -> int:
    """Lay a round template of radius ``r`` with its centre at (x, y). Returns how many models it touches; see the
    module for ``marks``.
    """
    found = 0
    for k in range(count):
        m = models[first + k]
        marks[k] = MISSED
        if m["on_table"] == 1 and disc_gap_at(models, first + k, m["x"], m["y"], m["facing"], x, y, r) <= EPS:
            away = farthest_gap_from_disc_at(models, first + k, m["x"], m["y"], m["facing"], x, y, r)
            marks[k] = WHOLLY if away <= EPS else PARTLY
            found += 1
    return found


@inner_kernel
def base_at_point(models: Array, first: int, count: int, x: float, y: float) -> int:
    """The row of the model whose base contains the point (x, y); if several do, the one with the nearest centre; -1 if
    none does.
    """
    best = -1
    least = inf
    for i in range(first, first + count):
        m = models[i]
        if m["on_table"] == 1 and disc_gap_at(models, i, m["x"], m["y"], m["facing"], x, y, 0.0) <= EPS:
            away = hypot(m["x"] - x, m["y"] - y)
            if away < least - EPS:
                least = away
                best = i
    return best


@inner_kernel
def _drop_holds(px: float, py: float, far: float, r: float) -> bool:
    """Whether the point (px, py) lies, up to ``EPS``, in a drop with its tip at (0, 0) and a round end of radius ``r``
    about (far, 0).
    """
    if hypot(px - far, py) <= r + EPS:
        return True
    # no farther from the axis than the sides, which touch the round end
    along = sqrt(far * far - r * r)
    return 0.0 <= px <= along * along / far and abs(py) * along <= px * r + EPS * far


@inner_kernel
def drop_stamp(
    models: Array,
    first: int,
    count: int,
    x: float,
    y: float,
    f: float,
    length: float,
    r: float,
    points: Array,
    marks: Array,
) -> int:
    """Lay a template shaped like a drop: from its tip at (x, y) it is ``length`` inches long in the direction ``f`` and
    widens to a round end of radius ``r``. Returns how many models it touches.
    """
    far = length - r
    ex, ey = on_table_at(x, y, f, far, 0.0)
    # the tip and where the sides touch the round end
    along = (far * far - r * r) / far
    aside = r * sqrt(far * far - r * r) / far
    points[0, 0], points[0, 1] = x, y
    points[1, 0], points[1, 1] = on_table_at(x, y, f, along, -aside)
    points[2, 0], points[2, 1] = on_table_at(x, y, f, along, aside)
    c = cos(f)
    s = sin(f)
    found = 0
    for k in range(count):
        m = models[first + k]
        marks[k] = MISSED
        if m["on_table"] == 0:
            continue
        px = m["x"]
        py = m["y"]
        g = m["facing"]
        if disc_gap_at(models, first + k, px, py, g, ex, ey, r) > EPS:
            if polygon_gap_at(models, first + k, px, py, g, points, 0, 3) > EPS:
                continue
        whole = True
        for corner in range(4):
            u = m["half_a"] if corner < 2 else -m["half_a"]
            v = m["half_b"] if corner % 2 == 0 else -m["half_b"]
            qx, qy = on_table_at(px, py, g, u, v)
            whole = whole and _drop_holds(c * (qx - x) + s * (qy - y), c * (qy - y) - s * (qx - x), far, r)
        marks[k] = WHOLLY if whole else PARTLY
        found += 1
    return found


@inner_kernel
def line_stamp(
    models: Array,
    first: int,
    count: int,
    x: float,
    y: float,
    f: float,
    length: float,
    wide: float,
    points: Array,
    marks: Array,
) -> int:
    """Lay a straight template from (x, y), ``length`` inches long in the direction ``f`` and ``wide`` inches wide; 0: a
    thin line, under which no base lies wholly. Returns how many models it touches.
    """
    corners = 4 if wide > 0.0 else 2
    for k in range(corners):
        u = length if k == 1 or k == 2 else 0.0
        v = 0.5 * wide if k > 1 else -0.5 * wide
        points[k, 0], points[k, 1] = on_table_at(x, y, f, u, v)
    found = 0
    for k in range(count):
        m = models[first + k]
        marks[k] = MISSED
        if m["on_table"] == 1 and (
            polygon_gap_at(models, first + k, m["x"], m["y"], m["facing"], points, 0, corners) <= EPS
        ):
            whole = corners == 4 and inside_polygon_at(
                models, first + k, m["x"], m["y"], m["facing"], points, 0, corners
            )
            marks[k] = WHOLLY if whole else PARTLY
            found += 1
    return found


@inner_kernel
def keep_one_of_each_key(
    models: Array,
    first: int,
    count: int,
    x: float,
    y: float,
    f: float,
    length: float,
    keys: Array,
    best: Array,
    marks: Array,
) -> int:
    """Keep, of the models that a line touches, one for each key (its rank or its file): the one with the longest part
    of its base under the line, of equals the first. Returns how many are kept (core.template.line).

    Args:
        x, y, f, length: the line. keys: integers, count. best: float64 scratch, one longer than the largest key. marks:
            as ``line_stamp`` set them; of the others they become ``MISSED``.
    """
    bx, by = on_table_at(x, y, f, length, 0.0)
    for k in range(count):
        best[keys[k]] = -1.0
    for k in range(count):
        if marks[k] != MISSED:
            t0, t1 = clip_model(models, first + k, x, y, bx, by)
            best[keys[k]] = max(best[keys[k]], max(0.0, t1 - t0))
    found = 0
    for k in range(count):
        if marks[k] == MISSED:
            continue
        t0, t1 = clip_model(models, first + k, x, y, bx, by)
        if max(0.0, t1 - t0) < best[keys[k]]:
            marks[k] = MISSED
        else:
            best[keys[k]] = inf
            found += 1
    return found
