"""Front, flanks and rear: four quarters of 90 degrees from the corners of a base or of a block (wap.core.facing.*)."""

from __future__ import annotations

from math import cos, inf, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.codes import FRONT, LEFT, REAR, RIGHT
from wh_env.rulesets.wap.tables import PARTS


@inner_kernel
def quarter_at(x: float, y: float, f: float, half_a: float, half_b: float, px: float, py: float) -> int:
    """The quarter of a rectangle at pose (x, y, f) in which point (px, py) lies: FRONT, RIGHT, REAR or LEFT. A point on
    a border ray is in the front or the rear.
    """
    dx = px - x
    dy = py - y
    ahead = cos(f) * dx + sin(f) * dy
    aside = cos(f) * dy - sin(f) * dx
    out = abs(aside) - half_b
    if ahead - half_a >= out:
        return FRONT
    if -ahead - half_a >= out:
        return REAR
    return LEFT if aside > 0.0 else RIGHT


@inner_kernel
def is_partly_before(parts: Array, first: int, x: float, y: float, f: float, half: float) -> bool:
    """Whether one of the rectangles of a unit, rows ``first`` and following of ``parts``, lies at least partly in the
    front quarter of a front edge: ``half`` inches to either side of (x, y), facing ``f``.
    """
    c = cos(f)
    s = sin(f)
    best = -inf
    for k in range(first, first + PARTS):
        p = parts[k]
        if p["on_table"] == 0:
            continue
        pc = cos(p["facing"])
        ps = sin(p["facing"])
        before_u = 0.0
        before_v = 0.0
        for n in range(5):
            a = p["half_a"] if n % 4 < 2 else -p["half_a"]
            b = p["half_b"] if n % 4 == 0 or n % 4 == 3 else -p["half_b"]
            dx = p["x"] + pc * a - ps * b - x
            dy = p["y"] + ps * a + pc * b - y
            ahead = c * dx + s * dy
            aside = c * dy - s * dx
            best = max(best, ahead - abs(aside) + half)
            if n > 0 and before_v * aside < 0.0:  # the edge crosses the line straight ahead
                t = before_v / (before_v - aside)
                best = max(best, before_u + t * (ahead - before_u) + half)
            before_u = ahead
            before_v = aside
    return best > EPS


@kernel
def quarter_in(units: Array, u: int, x: float, y: float) -> int:
    """``quarter_of`` as a kernel."""
    unit = units[u]
    ranks = -(-unit["block"] // max(1, unit["files"]))
    half_a = ranks * unit["base_a"] + 0.5 * max(0, ranks - 1) * unit["spacing"]
    half_b = (
        unit["files"] * unit["base_b"] + 0.5 * max(0, unit["files"] - 1) * unit["spacing"] + 0.5 * abs(unit["wider"])
    )
    f = unit["facing"]
    return quarter_at(unit["x"] - cos(f) * half_a, unit["y"] - sin(f) * half_a, f, half_a, half_b, x, y)


@kernel
def find_quarters(models: Array, units: Array, u: int, target: int, quarters: Array) -> int:
    """Write to ``quarters`` the quarter of unit ``target`` in which each model of unit ``u`` on the table stands.
    Returns how many models these are.
    """
    n = 0
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if models[k]["on_table"] == 1:
            quarters[n] = quarter_in(units, target, models[k]["x"], models[k]["y"])
            n += 1
    return n


def quarter_of(g: BattleCore, unit: int, x: float, y: float) -> int:
    """The quarter of a unit in which a point lies. Rays run from the corners of its formation, a short rear rank
    counted as a whole one.
    """
    return quarter_in(g.units.rows, unit, x, y)
