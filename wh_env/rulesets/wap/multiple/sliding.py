"""Units that fight with only a part of their front slide together (wap.break.reform.slide).

Only two units that have no other enemy slide. The weaker one slides along the other until a whole front is in contact,
or as far as it has room. If they are equal, the unit of the player whose turn it is slides.
"""

from __future__ import annotations

from math import cos, pi, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.flush import bases_touching, side_halves, side_out
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.kernel import kernel
from wh_env.core.procedures import Procedure
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.contacts import TOUCH, apart_from, block_hull, meet, sides_of
from wh_env.rulesets.wap.basics.strength import unit_strength
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.movement.forced_moves import way_along

LEAST = 1e-3  # inches


@kernel
def slide_of(units: Array, u: int, o: int) -> tuple[int, float]:
    """The slide that brings blocks ``u`` and ``o`` together.

    Returns:
        The side of ``u`` along which ``o`` lies, and inches along it, to its left, that ``o`` must go so that the whole
            shorter side is in contact. 0 inches if a whole front rank is in contact already, or neither block shows its
            front.
    """
    side, other, low, high = sides_of(units, u, o, 0.0)
    if side < 0 or (side != FRONT and other != FRONT):
        return side, 0.0
    if side == FRONT:
        files = min(units[u]["files"], units[u]["block"])
        if bases_touching(files, units[u]["base_b"], units[u]["spacing"], low, high, TOUCH) == files:
            return side, 0.0
    x, y, a, b = block_hull(units, u)
    ox, oy, oa, ob = block_hull(units, o)
    out = side_out(units[u]["facing"], side)
    _, half = side_halves(a, b, side)
    ofar, ohalf = side_halves(oa, ob, other)
    mx, my = on_table_at(ox, oy, side_out(units[o]["facing"], other), ofar, 0.0)
    middle = cos(out) * (my - y) - sin(out) * (mx - x)
    if other == FRONT:
        files = min(units[o]["files"], units[o]["block"])
        if bases_touching(files, units[o]["base_b"], units[o]["spacing"], middle - high, middle - low, TOUCH) == files:
            return side, 0.0
    room = abs(half - ohalf)
    return side, max(-room, min(room, middle)) - middle


def slide_apart(g: BattleCore, unit: int, other: int) -> tuple[int, float, float]:
    """Of two units in contact, the unit that slides, the direction (radians) and the distance (inches); 0: none
    slides.
    """
    u = g.units
    side, far = slide_of(u.rows, unit, other)
    if side < 0 or abs(far) < LEAST:
        return unit, 0.0, 0.0
    mine, theirs = unit_strength(g, unit), unit_strength(g, other)
    slides = unit if mine < theirs or (mine == theirs and u.owner[unit] == g.clock.turn[0]) else other
    left = side_out(u.facing[unit], side) + 0.5 * pi
    if slides == unit:
        far = -far
    return (slides, left, far) if far > 0.0 else (slides, left + pi, -far)


class Slides(Procedure):
    """The slides of one combat, after all combat reforms."""

    def advance(self, g: BattleCore, f: int) -> int:
        u, c = g.units, g.contacts
        pairs = [(c.a[k], c.b[k]) for k in range(len(c.a)) if c.a[k] >= 0]
        for unit, other in sorted(pairs):
            if not (u.fighting[unit] and u.fighting[other] and u.fights[unit] == u.fights[other] == 1):
                continue
            if apart_from(g, unit, other) > 0.0:  # an obstacle holds them
                continue
            who, direction, far = slide_apart(g, unit, other)
            goes = min(far, way_along(g, who, direction, far)) if far > 0.0 else 0.0
            if goes < LEAST:
                continue
            x, y = u.x[who] + goes * cos(direction), u.y[who] + goes * sin(direction)
            set_block(g, who, x, y, u.facing[who], u.files[who])
            meet(g)
            if g.recorder is not None:
                target = other if who == unit else unit
                g.note("wap.break.reform.slide", "slides", unit=who, target=target, far=round(goes, 2))
        return g.pop()
