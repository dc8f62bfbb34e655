"""Cover: how many models of a target other units or terrain hide from a shooter (wap.shoot.cover.*)."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import near_polygon, near_rect
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.views import free_view
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.garrisons import is_building_of, is_inside
from wh_env.rulesets.wap.basics.leaving_by_charge import left_by, without
from wh_env.rulesets.wap.basics.quarters import quarter_of
from wh_env.rulesets.wap.basics.sight import GROUND_MARK
from wh_env.rulesets.wap.codes import FRONT, HEAVY_COVER, LEFT, LIGHT_COVER, NO_COVER, REAR, RIGHT
from wh_env.rulesets.wap.ways.poses import middle_of

UNITS, HEAVY, ALL = 1, 2, 3  # screens that count: units; also terrain that gives heavy cover; also all other terrain
TURNS = {FRONT: 0, LEFT: 1, REAR: 2, RIGHT: 3}  # quarter turns to the left from the front to each side


@kernel
def screens(
    parts: Array,
    units: Array,
    ground: Array,
    corners: Array,
    u: int,
    target: int,
    what: int,
    near: Array,
    points: Array,
) -> int:
    """Fill ``near`` and ``points`` with the units and terrain that could hide unit ``target`` from unit ``u``.
    ``what``: ``UNITS``, ``HEAVY`` or ``ALL``. Returns the number of rows. Does not test that they lie between the two.
    """
    most = max(units[u]["sight"], units[target]["sight"])
    n = 0
    for k in range(len(parts)):
        p = parts[k]
        if p["on_table"] == 1 and p["unit"] != u and p["unit"] != target and 2 * units[p["unit"]]["sight"] >= most:
            n = near_rect(near, points, n, p["x"], p["y"], p["facing"], p["half_a"], p["half_b"], 0.0, p["unit"])
    for b in range(len(ground)):
        piece = ground[b]
        if piece["screen"] > 0 and 2 * piece["screen"] >= most and piece["cover"] + what > ALL:
            if is_building_of(units, piece, u, target):
                continue
            n = near_polygon(near, points, n, corners, piece["first"], piece["count"], 0.0, GROUND_MARK)
    return n


@kernel
def count_hidden(
    models: Array,
    units: Array,
    near: Array,
    points: Array,
    n: int,
    eye: int,
    turn: int,
    target: int,
    rows: Array,
    rect: Array,
    room: Array,
    line: Array,
) -> int:
    """How many of the models ``rows`` of unit ``target`` are hidden from model ``eye``: they are in its front arc, and
    no free line reaches them from its front edge. The model looks ``turn`` quarter turns to the left of its facing.
    """
    m = models[eye]
    f = m["facing"] + 0.5 * pi * turn
    u = m["unit"]
    ahead = units[u]["base_a"] if turn % 2 == 0 else units[u]["base_b"]
    x = m["x"] + ahead * cos(f)
    y = m["y"] + ahead * sin(f)
    found = 0
    for r in range(len(rows)):
        t = models[rows[r]]
        for c in range(4):
            a = units[target]["base_a"] if c < 2 else -units[target]["base_a"]
            b = units[target]["base_b"] if c == 1 or c == 2 else -units[target]["base_b"]
            rect[c, 0], rect[c, 1] = on_table_at(t["x"], t["y"], t["facing"], a, b)
        half = units[u]["base_b"] if turn % 2 == 0 else units[u]["base_a"]
        if not free_view(near, points, n, x, y, f, half, rect, 0, 4, room, line):
            if free_view(near, points, 0, x, y, f, half, rect, 0, 4, room, line):  # so it is in the front arc
                found += 1
    return found


def quarter_to(g: BattleCore, unit: int, target: int) -> int:
    """The quarter of a unit in which the middle of a target lies."""
    u = g.units
    return quarter_of(g, unit, *middle_of(g, target, u.x[target], u.y[target], u.facing[target]))


def covers(g: BattleCore, unit: int, target: int, eyes: set[int], *, all_round: bool = False) -> dict[int, int]:
    """The cover that a target has from each of the models ``eyes`` of a unit.

    Units give it if they hide half of the target or more, terrain if it hides more than half; only the heavier cover
    counts (wap.shoot.cover.heavy, .light, .not-cumulative). ``all_round``: the models look to the side on which the
    target stands.
    """
    if is_inside(g, target):
        return dict.fromkeys(eyes, HEAVY_COVER)  # wap.building.shooting.at
    setup, work = g.setup, g.work.sights
    near, points = g.work.ways.near, g.work.ways.points
    rows = np.array(list(g.members(target)), np.int64)
    found = dict.fromkeys(eyes, NO_COVER)
    turn = TURNS[quarter_to(g, unit, target)] if all_round else 0

    def hide(what: int, eye: int) -> int:
        return int(
            g.work.call(
                count_hidden,
                g.models.rows,
                g.units.rows,
                near,
                points,
                counts[what],
                eye,
                turn,
                target,
                rows,
                work.rect,
                work.room,
                work.line,
            )
        )

    counts: dict[int, int] = {}
    for what, cover in ((UNITS, HEAVY_COVER), (HEAVY, HEAVY_COVER), (ALL, LIGHT_COVER)):
        n = g.work.call(
            screens,
            g.parts.rows,
            g.units.rows,
            setup.statics["ground"],
            setup.corners,
            unit,
            target,
            what,
            near,
            points,
        )
        counts[what] = without(near, int(n), left_by(g, unit, target))
        if counts[what] == 0 or (what != UNITS and counts[what] == counts.get(what - 1)):
            continue
        for eye in eyes:
            if found[eye] == NO_COVER:
                hidden = 2 * hide(what, eye)
                if hidden > len(rows) or (what == UNITS and hidden == len(rows)):
                    found[eye] = cover
    return found
