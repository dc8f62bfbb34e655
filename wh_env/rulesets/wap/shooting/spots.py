"""Spots that a war machine may aim at: places on the bases of enemy models, given as cells of a grid over their unit
(wap.machine.cannon.target, wap.machine.stone-thrower.target, .no-friends, wap.machine.fire-thrower.placing,
wap.shoot.template.friends).

The machine turns on its middle until it points at the spot; range and sight are those of the machine so turned
(wap.machine.fire.pivot, wap.machine.measure.firing-point, wap.machine.fire.line-of-sight).
"""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import NEAR, near_rect
from wh_env.core.geometry.shapes import EPS, disc_gap_at
from wh_env.core.geometry.stamps import disc_stamp, drop_stamp, line_stamp
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.shooting.aims import ENDLESS, block_of
from wh_env.rulesets.wap.shooting.firing_points import reach_ahead
from wh_env.rulesets.wap.shooting.machine_eyes import (
    AHEAD,
    COLUMNS,
    DISC,
    DROP,
    FACING,
    FAR,
    HALF_ARC,
    LEAST,
    ROUND_END,
    X,
    Y,
    eye_towards,
    find_seen,
    hiding,
    is_past_woods,
)
from wh_env.rulesets.wap.shooting.templates import FLAME
from wh_env.rulesets.wap.shooting.templates_on_buildings import as_templates_meet, rows_in

USUAL = 6.0  # inches that the artillery die shows on average if it is no misfire


class SpotRoom:
    """Scratch memory for aiming a machine.

    Attributes:
        near, points, spans: what hides models from it. rect: corners of the base that is looked at.
        shot: the columns above. drop, marks: for a template. seen: bool, by row of ``rows``: the models of a target in
            sight.
        barred: int8, by model: a template may not be laid over it. cells: bool, by cell. scores: int64, by
            cell.
    """

    __slots__ = ("barred", "cells", "drop", "marks", "near", "points", "rect", "scores", "seen", "shot", "spans")

    def __init__(self, setup: Setup) -> None:
        layout, template, ground = setup.layout, setup.template, setup.statics["ground"]
        models = len(layout.view(template, "models"))
        rows = len(layout.view(template, "parts")) + len(ground) + models
        self.near = np.zeros(rows, NEAR)
        self.points = np.zeros((4 * rows + len(setup.corners), 2))
        self.spans, self.rect, self.drop = np.zeros((rows, 2)), np.zeros((4, 2)), np.zeros((4, 2))
        self.shot, self.marks = np.zeros(len(COLUMNS)), np.zeros(models, np.int8)
        self.seen, self.barred = np.zeros(models, np.bool_), np.zeros(models, np.int8)
        self.cells = np.zeros(setup.space.grid**2, np.bool_)
        self.scores = np.zeros(setup.space.grid**2, np.int64)


class Sort(NamedTuple):
    """What a shot asks of a spot.

    Attributes:
        least, far: inches that the model aimed at is away, at least and at most.
        seen: the model must be in sight. past_comrades: models of its own unit do not hide it.
        disc, drop: the template that is laid there: the radius of a round one, or whether it is the flame template.
    """

    least: float = 0.0
    far: float = ENDLESS
    seen: bool = True
    past_comrades: bool = False
    disc: float = 0.0
    drop: bool = False


# ---------------------------------------------------------------- kernels


@kernel
def add_bases(models: Array, rows: Array, near: Array, points: Array, n: int) -> int:
    """Append the bases of the models ``rows`` to the ``n`` obstacles. Returns how many there are then."""
    for r in range(len(rows)):
        m = models[rows[r]]
        n = near_rect(near, points, n, m["x"], m["y"], m["facing"], m["half_a"], m["half_b"], 0.0, rows[r])
    return n


@inner_kernel
def may_aim_at(models: Array, k: int, shot: Array, x: float, y: float) -> bool:
    """Whether (x, y) is on the base of model ``k``, in the arc to which the machine may turn, and the model in
    range.
    """
    m = models[k]
    if disc_gap_at(models, k, m["x"], m["y"], m["facing"], x, y, 0.0) > EPS:
        return False
    ex, ey, f = eye_towards(shot, x, y)
    if abs((f - shot[FACING] + pi) % (2.0 * pi) - pi) > HALF_ARC + EPS:
        return False
    away = disc_gap_at(models, k, m["x"], m["y"], m["facing"], ex, ey, 0.0)
    return bool(away >= shot[LEAST] - EPS and hypot(x - ex, y - ey) <= shot[FAR] + EPS)


@inner_kernel
def covers_barred(models: Array, shot: Array, x: float, y: float, barred: Array, drop: Array, marks: Array) -> bool:
    """Whether the template of a shot at (x, y) lies over a model that is ``barred``."""
    if shot[DROP] > 0.0:
        ex, ey, f = eye_towards(shot, x, y)
        drop_stamp(models, 0, len(models), ex, ey, f, shot[DROP], shot[ROUND_END], drop, marks)
        for k in range(len(models)):
            if barred[k] == 1 and marks[k] != 0:
                return True
    if shot[DISC] > 0.0:
        for k in range(len(models)):
            m = models[k]
            if barred[k] == 1 and m["on_table"] == 1:
                if disc_gap_at(models, k, m["x"], m["y"], m["facing"], x, y, shot[DISC]) <= EPS:
                    return True
    return False


@kernel
def find_spots(
    models: Array,
    rows: Array,
    seen: Array,
    shot: Array,
    window: Array,
    grid: int,
    barred: Array,
    drop: Array,
    marks: Array,
    cells: Array,
) -> int:
    """Mark in ``cells`` (bool) the spots of a grid at which a machine may aim: they lie on bases of the models ``rows``
    that are ``seen``. ``window``: x and y of the first cell, and the inches from one to the next. Returns how many.
    """
    found = 0
    for cell in range(grid * grid):
        x = window[0] + (cell % grid) * window[2]
        y = window[1] + (cell // grid) * window[2]
        cells[cell] = False
        for r in range(len(rows)):
            if seen[r] and may_aim_at(models, rows[r], shot, x, y):
                cells[cell] = not covers_barred(models, shot, x, y, barred, drop, marks)
                break
        found += 1 if cells[cell] else 0
    return found


@kernel
def score_spots(
    models: Array,
    side: int,
    shot: Array,
    window: Array,
    grid: int,
    drop: Array,
    marks: Array,
    cells: Array,
    scores: Array,
) -> None:
    """Write to ``scores`` (int64), for each of the spots in ``cells``, the models of the enemy of player ``side`` that
    a shot strikes there if it goes as planned, less twice his own: those beneath its template, or on the way of a ball
    that bounces ``USUAL`` inches.
    """
    for cell in range(grid * grid):
        scores[cell] = -len(models)
        if not cells[cell]:
            continue
        x = window[0] + (cell % grid) * window[2]
        y = window[1] + (cell // grid) * window[2]
        ex, ey, f = eye_towards(shot, x, y)
        if shot[DISC] > 0.0:
            disc_stamp(models, 0, len(models), x, y, shot[DISC], marks)
        elif shot[DROP] > 0.0:
            ex += USUAL * cos(f)
            ey += USUAL * sin(f)
            drop_stamp(models, 0, len(models), ex, ey, f, shot[DROP], shot[ROUND_END], drop, marks)
        else:
            line_stamp(models, 0, len(models), x, y, f, USUAL, 0.0, drop, marks)
        scores[cell] = 0
        for k in range(len(models)):
            if marks[k] != 0:
                scores[cell] += 1 if models[k]["owner"] != side else -2


# ---------------------------------------------------------------- questions


def window_over(g: BattleCore, target: int) -> tuple[float, float, float]:
    """The grid of spots over a unit: x and y of its first cell, and the inches from one cell to the next. The unit lies
    in the middle and just fits in.
    """
    models, xs, ys = as_templates_meet(g), list[float](), list[float]()
    for k in rows_in(g, models, target):
        m = models[k]
        c, s = abs(cos(m["facing"])), abs(sin(m["facing"]))
        wide, deep = c * m["half_a"] + s * m["half_b"], s * m["half_a"] + c * m["half_b"]
        xs += [float(m["x"] - wide), float(m["x"] + wide)]
        ys += [float(m["y"] - deep), float(m["y"] + deep)]
    x, y = 0.5 * (min(xs) + max(xs)), 0.5 * (min(ys) + max(ys))
    half = 0.5 * max(max(xs) - min(xs), max(ys) - min(ys))
    return x - half, y - half, 2.0 * half / (g.setup.space.grid - 1)


def spot_of(g: BattleCore, target: int, cell: int) -> tuple[float, float]:
    """The spot (x, y) of a cell of the grid over a unit."""
    grid = g.setup.space.grid
    x, y, step = window_over(g, target)
    return x + cell % grid * step, y + cell // grid * step


def write_shot(g: BattleCore, unit: int, sort: Sort) -> None:
    """Write the columns of a machine's shot to ``work.spots.shot``."""
    m, k, shot = g.models, g.units.first[unit], g.work.spots.shot
    shot[X], shot[Y], shot[FACING], shot[AHEAD] = m.x[k], m.y[k], m.facing[k], reach_ahead(g, unit)
    shot[LEAST], shot[FAR], shot[DISC] = sort.least, sort.far, sort.disc
    shot[DROP], shot[ROUND_END] = FLAME if sort.drop else (0.0, 0.0)


def write_barred(g: BattleCore, unit: int) -> None:
    """Write to ``work.spots.barred`` the models over which a machine lays no template: friends and whoever fights
    (wap.shoot.template.friends).
    """
    u, barred, block = g.units, g.work.spots.barred, block_of(g, unit)
    for row in range(len(u.owner)):
        other = block_of(g, row)
        bars = other != block and (u.owner[row] == u.owner[unit] or engaged(g, other))
        barred[u.first[row] : u.first[row] + u.count[row]] = bars


def spots(g: BattleCore, unit: int, target: int, sort: Sort) -> Array:
    """The cells of the grid over an enemy at which a machine may aim, bool. The next call writes over it. None is
    offered at a unit in close combat (wap.machine.cannon.target).
    """
    setup, work, room, near = g.setup, g.work, g.work.spots, g.work.spots.near
    room.cells[:] = False
    if engaged(g, target):
        return room.cells  # type: ignore[no-any-return]
    models = as_templates_meet(g)
    rows = np.array(rows_in(g, models, target), np.int64)
    write_shot(g, unit, sort)
    if sort.seen:
        if not is_past_woods(g, unit, target):
            return room.cells  # type: ignore[no-any-return]
        n = hiding(g, unit, target)
        comrades = n
        if not sort.past_comrades:
            n = int(work.call(add_bases, models, rows, near, room.points, n))
        eyes = (room.shot, room.rect, room.spans, room.seen)
        if not work.call(find_seen, models, rows, near, room.points, n, comrades, *eyes):
            return room.cells  # type: ignore[no-any-return]
    else:
        room.seen[:] = True
    if sort.disc or sort.drop:
        write_barred(g, unit)
    where = (np.array(window_over(g, target)), setup.space.grid)
    beneath = (room.barred, room.drop, room.marks)
    work.call(find_spots, models, rows, room.seen, room.shot, *where, *beneath, room.cells)
    return room.cells  # type: ignore[no-any-return]


def best_spot(g: BattleCore, unit: int, target: int, sort: Sort) -> tuple[int, int]:
    """The cell over an enemy at which a machine's shot strikes most of the enemy and fewest friends if it goes as
    planned, and how many (``score_spots``); -1: it may aim at none.
    """
    room, models = g.work.spots, as_templates_meet(g)
    if not spots(g, unit, target, sort).any():
        return -1, 0
    where = (np.array(window_over(g, target)), g.setup.space.grid)
    scratch = (room.drop, room.marks, room.cells, room.scores)
    g.work.call(score_spots, models, g.units.owner[unit], room.shot, *where, *scratch)
    cell = int(room.scores.argmax())
    return cell, int(room.scores[cell])
