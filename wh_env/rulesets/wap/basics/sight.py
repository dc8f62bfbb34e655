"""Lines of sight: from the front edges of bases, past models and ground with a lower Line of Sight value
(wap.core.los.*).

Models see nothing through the ranks before them: only the front rank sees unless a rule says otherwise.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import near_polygon, near_rect, remove_marked
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.views import free_view
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import stands_in
from wh_env.rulesets.wap.basics.garrisons import is_building_of
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.tables import PARTS

GROUND_MARK = -1
CORNERS = 4


class SightRoom:
    """Scratch memory for lines of sight.

    Attributes:
        rect: corners of the base that is looked at. room: corners of all that may be near.
        line: start and end of the line that was found, (x, y) each.
        seeing: bool, by model: the models of a unit that see another unit.
        rows: int64: the models that were asked. eyes: int64: the model through whose eyes each of them sees.
    """

    __slots__ = ("eyes", "line", "rect", "room", "rows", "seeing")

    def __init__(self, setup: Setup) -> None:
        parts, ground = len(setup.layout.view(setup.template, "parts")), setup.statics["ground"]
        most = CORNERS * (parts + 1) + int(ground["count"].sum()) + 8
        self.rect, self.room, self.line = np.zeros((CORNERS, 2)), np.zeros((3, most, 2)), np.zeros(4)
        models = len(setup.layout.view(setup.template, "models"))
        self.seeing, self.eyes, self.rows = (
            np.zeros(models, np.bool_),
            np.zeros(models, np.int64),
            np.zeros(models, np.int64),
        )


@kernel
def blockers(
    parts: Array, units: Array, ground: Array, corners: Array, u: int, target: int, near: Array, points: Array
) -> int:
    """Fill ``near`` and ``points`` with what hides unit ``target`` from unit ``u`` if it lies between them: units and
    ground with a high enough Line of Sight value (wap.terrain.impassable.line-of-sight). Returns how many rows.
    """
    least = max(units[u]["sight"], units[target]["sight"])
    n = 0
    for k in range(len(parts)):
        p = parts[k]
        if p["on_table"] == 1 and p["unit"] != u and p["unit"] != target and units[p["unit"]]["sight"] >= least:
            n = near_rect(near, points, n, p["x"], p["y"], p["facing"], p["half_a"], p["half_b"], 0.0, p["unit"])
    for b in range(len(ground)):
        piece = ground[b]
        if piece["sight"] > 0 and piece["sight"] >= least and not is_building_of(units, piece, u, target):
            n = near_polygon(near, points, n, corners, piece["first"], piece["count"], 0.0, GROUND_MARK)
    return n


@inner_kernel
def sees_from(
    units: Array,
    parts: Array,
    near: Array,
    points: Array,
    n: int,
    x: float,
    y: float,
    f: float,
    half: float,
    target: int,
    rect: Array,
    room: Array,
    line: Array,
) -> bool:
    """Whether a free line leads from a front edge (``half`` inches to either side of (x, y), facing ``f``) to a base of
    unit ``target`` (wap.core.los.draw).
    """
    first = units[target]["first_part"]
    for k in range(first, first + PARTS):
        p = parts[k]
        if p["on_table"] == 0:
            continue
        for c in range(4):
            a = p["half_a"] if c < 2 else -p["half_a"]
            b = p["half_b"] if c == 1 or c == 2 else -p["half_b"]
            rect[c, 0], rect[c, 1] = on_table_at(p["x"], p["y"], p["facing"], a, b)
        if free_view(near, points, n, x, y, f, half, rect, 0, 4, room, line):
            return True
    return False


@inner_kernel
def anybody_sees(
    units: Array,
    models: Array,
    parts: Array,
    ground: Array,
    corners: Array,
    u: int,
    target: int,
    near: Array,
    points: Array,
    rect: Array,
    room: Array,
    line: Array,
) -> bool:
    """Whether a model of the front rank of unit ``u``, or its leader there, sees a base of unit ``target``."""
    n = blockers(parts, units, ground, corners, u, target, near, points)
    for row in range(2):
        own = u if row == 0 else units[u]["leader"]
        if own < 0:
            continue
        for k in range(units[own]["first"], units[own]["first"] + units[own]["count"]):
            m = models[k]
            if m["on_table"] == 0 or m["unit"] != u or m["rank"] != 0:
                continue
            x = m["x"] + units[u]["base_a"] * cos(m["facing"])
            y = m["y"] + units[u]["base_a"] * sin(m["facing"])
            half = units[u]["base_b"]
            if sees_from(units, parts, near, points, n, x, y, m["facing"], half, target, rect, room, line):
                return True
    return False


def within(g: BattleCore, unit: int) -> list[int]:
    """The models on the table of a unit and of the characters in it."""
    return [k for row in wholly(g, unit) for k in g.members(row)]


@inner_kernel
def fill_within(units: Array, models: Array, u: int, joined: bool, rows: Array) -> int:
    """Write to ``rows`` the models on the table in unit ``u``, and, if ``joined``, those of all characters in it.
    Returns how many.
    """
    n = 0
    for other in range(-2, len(units) if joined else 0):
        own = u if other == -2 else units[u]["leader"] if other == -1 else other
        if own < 0 or (other >= 0 and not stands_in(units, other, u)):
            continue
        of = other if other >= 0 else u
        for k in range(units[own]["first"], units[own]["first"] + units[own]["count"]):
            if models[k]["on_table"] == 1 and models[k]["unit"] == of:
                rows[n] = k
                n += 1
    return n


@kernel
def mark_who_see(
    units: Array,
    models: Array,
    parts: Array,
    ground: Array,
    corners: Array,
    u: int,
    target: int,
    turns: int,
    joined: bool,
    near: Array,
    points: Array,
    rect: Array,
    room: Array,
    line: Array,
    rows: Array,
    seeing: Array,
) -> int:
    """Mark in ``seeing`` (bool, by model) the models of the front rank of unit ``u`` that see a base of unit
    ``target``. Returns how many. Units that either of them charges out of hide nothing (wap.character.leave.charge).

    Args:
        turns: sides of each base that see: 1 the front, 4 all.
        joined: whether characters in the unit are asked too.
    """
    n = blockers(parts, units, ground, corners, u, target, near, points)
    n = remove_marked(near, n, units[u]["out_of"])
    n = remove_marked(near, n, units[target]["out_of"])
    seeing[:] = False
    found = 0
    for at in range(fill_within(units, models, u, joined, rows)):
        m = models[rows[at]]
        if m["rank"] != 0:
            continue
        inside = units[u]["garrison"] >= 0  # it sees from any point of the building's outline
        half_a = units[u]["base_a"] if inside else m["half_a"]
        half_b = units[u]["base_b"] if inside else m["half_b"]
        for turn in range(turns):
            facing = m["facing"] + 0.5 * pi * turn
            ahead = half_a if turn % 2 == 0 else half_b
            aside = half_b if turn % 2 == 0 else half_a
            x = m["x"] + ahead * cos(facing)
            y = m["y"] + ahead * sin(facing)
            if sees_from(units, parts, near, points, n, x, y, facing, aside, target, rect, room, line):
                seeing[rows[at]] = True
                found += 1
                break
    return found


def find_who_see(g: BattleCore, unit: int, target: int, *, all_round: bool = False, joined: bool = False) -> int:
    """Mark in ``work.sights.seeing`` the models of a unit that see a base of another unit; returns how many.
    ``all_round``: they see to all sides; ``joined``: characters in the unit are asked too.
    """
    setup, work, near = g.setup, g.work.sights, g.work.ways
    found: int = g.work.call(
        mark_who_see,
        g.units.rows,
        g.models.rows,
        g.parts.rows,
        setup.statics["ground"],
        setup.corners,
        unit,
        target,
        4 if all_round else 1,
        joined,
        near.near,
        near.points,
        work.rect,
        work.room,
        work.line,
        work.rows,
        work.seeing,
    )
    return found
