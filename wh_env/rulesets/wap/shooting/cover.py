"""Cover: how many models of a target other units or terrain hide from a shooter (wap.shoot.cover.*)."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.near import near_polygon, near_rect
from wh_env.core.geometry.ranks import on_table_at
from wh_env.core.geometry.views import free_view
from wh_env.core.kernel import kernel
from wh_env.core.tables import ATTACHED, Array
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.garrisons import is_building_of, is_inside
from wh_env.rulesets.wap.basics.ground import features_of, is_mostly_in, models_in, with_trait
from wh_env.rulesets.wap.basics.leaving_by_charge import left_by, without
from wh_env.rulesets.wap.basics.quarters import quarter_of
from wh_env.rulesets.wap.basics.sight import GROUND_MARK, heights_of, is_raised, within
from wh_env.rulesets.wap.codes import COVERS, FRONT, HEAVY_COVER, LEFT, LIGHT_COVER, NO_COVER, REAR, RIGHT
from wh_env.rulesets.wap.shooting.shelter import shelters
from wh_env.rulesets.wap.tables import Troops
from wh_env.rulesets.wap.ways.poses import middle_of

UNITS, HEAVY, ALL = 1, 2, 3  # screens that count: units; also terrain that gives heavy cover; also all other terrain
TURNS = {FRONT: 0, LEFT: 1, REAR: 2, RIGHT: 3}  # quarter turns to the left from the front to each side


@kernel
def screens(
    troops: Troops,
    ground: Array,
    corners: Array,
    u: int,
    target: int,
    height: int,
    what: int,
    spared: Array,
    near: Array,
    points: Array,
) -> int:
    """Fill ``near`` and ``points`` with the units and terrain that could hide ``target``, a unit or a character in one,
    from models of unit ``u`` that stand at a ``height``. ``what``: ``UNITS``, ``HEAVY`` or ``ALL``. ``spared``: bool,
    by feature: those that hide nothing. Returns the number of rows. Does not test that they lie between the two.
    """
    models, units, parts = troops
    host = units[target]["bodyguard"] if units[target]["place"] == ATTACHED else target
    raised = is_raised(models)
    above = heights_of(models, units, target)[1] if raised else 0
    most = max(units[u]["sight"] + height, units[target]["sight"] + above)
    n = 0
    for k in range(len(parts)):
        p = parts[k]
        if p["on_table"] == 0 or p["unit"] == u or p["unit"] == host:
            continue
        value = units[p["unit"]]["sight"]
        if raised:
            value += heights_of(models, units, p["unit"])[1]
        if 2 * value >= most:
            n = near_rect(near, points, n, p["x"], p["y"], p["facing"], p["half_a"], p["half_b"], 0.0, p["unit"])
    for b in range(len(ground)):
        piece = ground[b]
        if spared[piece["feature"]]:
            continue
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
    rows: Array,
    rect: Array,
    room: Array,
    line: Array,
) -> int:
    """How many of the models ``rows`` of a target are hidden from model ``eye``: they are in its front arc, and no free
    line reaches them from its front edge. The model looks ``turn`` quarter turns to the left of its facing.
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
            a = t["half_a"] if c < 2 else -t["half_a"]
            b = t["half_b"] if c == 1 or c == 2 else -t["half_b"]
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


class Eyes(NamedTuple):
    """Models of a unit from which the same things hide a target: those at one height, and inside the same features.

    ``spared``: bool, by feature: those that hide nothing from them.
    """

    height: int
    spared: Array
    models: tuple[int, ...]


def alike(g: BattleCore, unit: int, target: int, eyes: Iterable[int]) -> list[Eyes]:
    """The models ``eyes`` of a unit, those that see past the same things together. A forest hides nothing from a model
    inside it. A hill hides nothing from a model on it, and no unit that stands on it
    (wap.terrain.forest.cover-exception, .hill.line-of-sight).
    """
    features, soft = features_of(g), [*with_trait(g, "sight_depth"), *with_trait(g, "lifts")]
    if not soft:
        return [Eyes(0, np.zeros(len(features), np.bool_), tuple(eyes))]
    on = [item.row for item in with_trait(g, "lifts") if models_in(g, target, item)]
    inside = {item.row: frozenset(models_in(g, unit, item)) for item in soft}
    groups: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for eye in eyes:
        free = tuple(sorted({*on, *(row for row, models in inside.items() if eye in models)}))
        groups.setdefault((int(g.models.lifted[eye]), free), []).append(eye)
    found = []
    for (height, free), models in groups.items():
        spared = np.zeros(len(features), np.bool_)
        spared[list(free)] = True
        found.append(Eyes(height, spared, tuple(models)))
    return found


def cover_inside(g: BattleCore, target: int) -> int:
    """The cover that a unit has from the ground in which most of its models stand (wap.terrain.forest.cover-inside,
    .marsh.mist.cover).
    """
    inside = [item for item in with_trait(g, "cover_inside") if is_mostly_in(g, target, item)]
    return max((COVERS[item.traits.cover_inside] for item in inside), default=NO_COVER)


def covers(g: BattleCore, unit: int, target: int, eyes: set[int], *, all_round: bool = False) -> dict[int, int]:
    """The cover that a target, a unit or a character in one, has from each of the models ``eyes`` of a unit.

    Units give it if they hide half of the target or more, terrain if it hides more than half; only the heavier cover
    counts (wap.shoot.cover.heavy, .light, .not-cumulative, wap.terrain.forest.cover-through). An obstacle gives it to
    units behind it in contact (wap.terrain.obstacle.cover). ``all_round``: the models look to the side on
    which the target stands.
    """
    host = block_of(g, target)
    if is_inside(g, host):
        return dict.fromkeys(eyes, HEAVY_COVER)  # wap.building.shooting.at
    found = dict.fromkeys(eyes, cover_inside(g, target))
    rows = np.array(within(g, target), np.int64)
    turn = TURNS[quarter_to(g, unit, host)] if all_round else 0
    for group in alike(g, unit, target, eyes):
        count = 0
        for what, cover in ((UNITS, HEAVY_COVER), (HEAVY, HEAVY_COVER), (ALL, LIGHT_COVER)):
            before, count = count, list_screens(g, unit, target, group, what)
            if count == 0 or (what != UNITS and count == before):
                continue
            for eye in group.models:
                if found[eye] < cover:
                    hidden = 2 * hidden_from(g, eye, turn, rows, count)
                    if hidden > len(rows) or (what == UNITS and hidden == len(rows)):
                        found[eye] = cover
    if with_trait(g, "obstacle"):
        behind = shelters(g, host, eyes, rows.tolist())
        found = {eye: max(cover, behind[eye]) for eye, cover in found.items()}
    return found


def list_screens(g: BattleCore, unit: int, target: int, eyes: Eyes, what: int) -> int:
    """Write to ``work.ways.near`` what could hide a target from some models of a unit (``screens``); returns how many
    rows there are. Units that one of both charges out of hide nothing.
    """
    setup, near = g.setup, g.work.ways.near
    n = g.work.call(
        screens,
        g.troops,
        setup.statics["ground"],
        setup.corners,
        unit,
        target,
        eyes.height,
        what,
        eyes.spared,
        near,
        g.work.ways.points,
    )
    return without(near, int(n), left_by(g, unit, block_of(g, target)))


def hidden_from(g: BattleCore, eye: int, turn: int, rows: Array, count: int) -> int:
    """How many of the models ``rows`` of a target the first ``count`` rows of ``work.ways.near`` hide from a model."""
    work, ways = g.work.sights, g.work.ways
    return int(
        g.work.call(
            count_hidden, g.models.rows, g.units.rows, ways.near, ways.points, count, eye, turn, rows, work.rect,
            work.room, work.line,
        )
    )  # fmt: skip
