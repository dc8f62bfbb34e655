"""Judging and making moves that are given model by model.

    fault = check_move(battle, unit, "normal", {0: [(12, 10), (14, 11)], 1: [(12, 12)]})

``paths`` maps the number of a model in its unit (an attached Leader's models follow the Bodyguard's) to the points that
it moves through after its start: ``(x, y)``, ``(x, y, z)`` or ``(x, y, z, facing)``. Without ``z`` the model ends each
leg on the surface that its way leads to; without a facing it keeps its own. Inches and radians.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import hypot
from typing import SupportsIndex

import numpy as np

from wh_env.content.battle import Battle
from wh_env.core.geometry.legs import leg_climb
from wh_env.core.geometry.path_checks import check_unit_move
from wh_env.core.geometry.paths import Fault, allowance, choose_surface, end_fault, terrain_fault_at
from wh_env.core.geometry.single import find_path
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.edition_parts.ways import Way, first_legal
from wh_env.rulesets.w40k.fight.close_moves import close_reach
from wh_env.rulesets.w40k.move.model_moves import LOWEST, cell_at, selected_model
from wh_env.rulesets.w40k.questions.engagements import forget_targets
from wh_env.rulesets.w40k.questions.move_limits import (
    ADVANCE,
    CHARGE,
    CONSOLIDATE,
    FALL_BACK,
    FALL_BACK_AROUND,
    NORMAL,
    PILE_IN,
    SCOUT,
    limits_for,
)

Point = Sequence[float]
Paths = Mapping[int, Sequence[Point]]
SLOWED = (NORMAL, ADVANCE, FALL_BACK, CHARGE)  # by Difficult Ground and the like
KINDS = (NORMAL, ADVANCE, FALL_BACK, SCOUT, CHARGE, PILE_IN, CONSOLIDATE)


def check_move(
    battle: Battle,
    unit: SupportsIndex,
    kind: str,
    paths: Paths,
    *,
    roll: float | None = None,
    targets: Collection[SupportsIndex] = (),
    over: Collection[int] | None = None,
) -> Fault:
    """Make a move of ``unit`` model by model, or return its first fault.

    The engine's validator judges every path (distance, table edge, models and terrain on the way, Engagement Range, end
    place) with earlier models already moved, then the unit's coherency. If all is legal (``Fault.LEGAL``, 0) the models
    stand at their ends, otherwise none has moved. Models without a path stay. No decision is asked and no dice are
    rolled, so it can be called at any time. It tests neither whether the unit may make such a move now nor whether a
    Fall Back costs Desperate Escape tests.

    Args:
        kind: ``normal``, ``advance``, ``fall back`` or ``scout``; ``charge``, ``pile in`` and ``consolidate`` check
            only what holds for every move of a model (``wh_env.testing.melee_moves`` checks their conditions).
        paths: points by model number, in the order in which the models move.
        roll: the Advance roll (None: the unit's roll of this turn) or the Charge roll.
        targets: the units charged.
        over: numbers of the models declared to move over enemy models in a Fall Back; None: all.

    Raises:
        ValueError: unknown kind of move; LookupError: the unit has no model of that number on the table.
    """
    if kind not in KINDS:
        raise ValueError(f"kind of move {kind!r} is unknown, one of {', '.join(KINDS)} is expected")
    row = unit.__index__()
    rows = list(battle.members(row))
    flags = np.zeros(len(battle.units.rows), np.int32)
    flags[[target.__index__() for target in targets]] = 1
    for number in paths:
        if not 0 <= number < len(rows):
            raise LookupError(f"unit {row} has {len(rows)} models on the table, number {number} is none of them")
    ways = _ways(battle, row, kind, rows, roll)
    fault = Fault(first_legal(_on_way(battle, row, kind, paths, way, roll, flags, over) for way in ways))
    if not fault:
        forget_targets(battle)
    return fault


def _ways(battle: Battle, unit: int, kind: str, rows: Sequence[int], roll: float | None) -> tuple[Way, ...]:
    """The ways in which the unit can make the move, if terrain makes a difference (``w40k.move.ways``)."""
    ground = edition(battle).ground
    if ground is not None and kind in SLOWED:
        limits = [_limits(battle, unit, kind, k, roll, True) for k in rows]
        reach = max(float(allowance(battle.models.rows, row, k)) for row, k in zip(limits, rows, strict=True))
        if ways := ground.ways(battle, unit, reach):
            return ways
    return (Way(battle.setup.blocks, 0.0, 0, on_foot=False),)


def _on_way(
    battle: Battle,
    row: int,
    kind: str,
    paths: Paths,
    way: Way,
    roll: float | None,
    flags: Array,
    over: Collection[int] | None,
) -> Fault:
    """``check_move`` on one of the ways of the unit."""
    m, rows = battle.models, list(battle.members(row))
    stood = m.rows[rows]
    fault = Fault.LEGAL
    moves = list(paths.items())
    for at, (number, path) in enumerate(moves):
        limits = way.limits(_limits(battle, row, kind, rows[number], roll, over is None or number in over))
        points = _points(battle, rows[number], limits, path)
        if at < len(moves) - 1:
            # coherency is judged once all have moved
            limits["coherency"] = limits["coherency_z"] = 1e6
            limits["coherency_big"] = len(rows) + 1
        fault = _check(battle, row, rows[number], way.blocks, limits, flags, points)
        if fault:
            break
    if not fault and kind == FALL_BACK:
        fault = _engaged_end(battle, row, rows, flags)
    if fault:
        m.rows[rows] = stood
    return fault


def judged(battle: Battle, unit: SupportsIndex, *path: Point, kind: str = NORMAL) -> Fault:
    """The verdict on a path of the first model of a unit; the battle is not changed."""
    return check_move(battle.clone(), unit, kind, {0: path})


def reachable(
    battle: Battle, unit: SupportsIndex, number: int, place: Point, kind: str = NORMAL, *, roll: float | None = None
) -> list[tuple[float, float, float, float]] | None:
    """A legal path of one model to a place as the engine finds it, straight or with one bend: (x, y, z, facing) points.

    Returns None if it finds none. Other models of the unit count where they stand, coherency is not tested, and nothing
    moves. Arguments as in ``check_move``.
    """
    row = unit.__index__()
    model = list(battle.members(row))[number]
    limits = _limits(battle, row, kind, model, roll, True)
    x, y, z, f = _points(battle, model, limits, [place])[-1]
    points = np.zeros((2, 4))
    m, corners, markers, nobody = (
        battle.models.rows,
        battle.setup.corners,
        battle.objectives.rows,
        battle.work.no_targets,
    )
    found = 0
    for way in _ways(battle, row, kind, list(battle.members(row)), roll):
        found = found or find_path(
            m,
            way.blocks,
            corners,
            markers,
            way.limits(limits),
            nobody,
            model,
            x,
            y,
            z,
            f,
            points,
            np.zeros(1, np.int32),
            -1,
            -1,
            True,
        )
    return [(float(p[0]), float(p[1]), float(p[2]), float(p[3])) for p in points[:found]] if found else None


def walk(
    battle: Battle, number: int, x: float, y: float, *, facing: int | None = None, level: int = LOWEST
) -> tuple[float, float]:
    """Play the decisions that move one model in full detail, to the legal place of the finest grid nearest to (x, y).

    ``select-model`` must wait (or the decision after it, for the last model to move). ``facing``: one of the 24
    directions, for models without a round base (None: its own); ``level``: the surface to end on if the engine asks for
    it. Returns the place the model was moved to.

    Raises:
        LookupError: another decision waits, or the place is more than a cell of that grid from any legal one.
    """
    space = battle.setup.space
    unit = battle.decision.subject if battle.decision is not None else -1
    model = list(battle.members(unit))[number]
    if battle.decision is not None and battle.decision.kind == "select-model":
        battle.apply(space.model + number)
    if battle.decision is not None and battle.decision.kind == "model-facing":
        battle.apply(0 if facing is None else space.angle + facing)
    if battle.decision is not None and battle.decision.kind == "model-level":
        battle.apply(space.number + level)
    if battle.decision is None or battle.decision.kind != "model-to" or selected_model(battle, battle.frame) != model:
        raise LookupError(f"decision model-to for model {number} was expected, {battle.decision} waits")
    m = battle.models
    kind = {2: NORMAL, 3: ADVANCE, 4: FALL_BACK}[battle.units.moved[unit]]
    reach = float(allowance(m.rows, _limits(battle, unit, kind, model, None, True), model))
    x0, y0 = m.x[model], m.y[model]
    coarse = _nearest(battle, x0, y0, reach, x, y)
    cx, cy = cell_at(battle, x0, y0, reach, coarse)
    battle.apply(space.cell + coarse)
    if (
        battle.decision is not None and battle.decision.kind == "model-refine"
    ):  # not asked where only one place is legal
        inner = 2.0 * reach / (space.grid - 1)
        fine = _nearest(battle, cx, cy, inner, x, y)
        px, py = cell_at(battle, cx, cy, inner, fine)
        if hypot(px - x, py - y) > 2.0 * inner / (space.grid - 1):
            raise LookupError(f"model {number} cannot move to {x}, {y}: the nearest legal place is {px:.3f}, {py:.3f}")
        battle.apply(space.cell + fine)
    return m.x[model], m.y[model]


def _nearest(battle: Battle, cx: float, cy: float, reach: float, x: float, y: float) -> int:
    space = battle.setup.space
    cells = np.flatnonzero(battle.legal()[space.cell : space.angle])

    def away(cell: int) -> float:
        px, py = cell_at(battle, cx, cy, reach, cell)
        return hypot(px - x, py - y)

    return int(min(cells.tolist(), key=away))


def _tables(battle: Battle, limits: Array) -> tuple[Array, Array, Array, Array, Array]:
    setup = battle.setup
    return battle.models.rows, setup.blocks, setup.corners, battle.objectives.rows, limits


def _limits(battle: Battle, unit: int, kind: str, model: int, roll: float | None, over: bool) -> Array:
    """A copy of the limits of the move for this model."""
    extra = 0.0
    if kind in (PILE_IN, CONSOLIDATE):
        extra = close_reach(battle, kind)
    elif kind not in (NORMAL, FALL_BACK):
        own = battle.setup.statics["scout_distance"][unit] if kind == SCOUT else battle.units.advance[unit]
        extra = float(own if roll is None or kind == SCOUT else roll)
    name = kind if over or kind != FALL_BACK else FALL_BACK_AROUND
    return limits_for(battle, unit, name, extra, model).copy()


def _points(battle: Battle, model: int, limits: Array, path: Sequence[Point]) -> Array:
    """The (x, y, z, facing) points of a path, with missing heights and facings filled in."""
    m, setup = battle.models, battle.setup
    ground = (m.rows, setup.blocks, setup.corners, limits, model)
    x, y, z, facing = m.x[model], m.y[model], m.z[model], m.facing[model]
    points = np.zeros((len(path), 4))
    for k, point in enumerate(path):
        x1, y1 = float(point[0]), float(point[1])
        facing = float(point[3]) if len(point) > 3 else facing
        if len(point) > 2:
            z = float(point[2])
        else:
            _, z = leg_climb(*ground, x, y, z, x1, y1, facing)
            if k == len(path) - 1 and terrain_fault_at(*ground, x1, y1, z, facing):
                # on top of something low, which is no climb
                top = choose_surface(*ground, x1, y1, facing, z, float(limits[0]["low"]))
                z = top if top >= 0.0 else z
        points[k] = x1, y1, z, facing
        x, y = x1, y1
    return points


def _check(battle: Battle, unit: int, model: int, blocks: Array, limits: Array, flags: Array, points: Array) -> Fault:
    setup = battle.setup
    fault, _ = check_unit_move(
        battle.models.rows, battle.units.rows, blocks, setup.corners, battle.objectives.rows, limits, flags, unit,
        np.array([model], np.int32), 1, points.reshape(1, len(points), 4), np.array([len(points)], np.int32),
        battle.work.scratch, battle.work.marks,
    )  # fmt: skip
    return Fault(fault)


def _engaged_end(battle: Battle, unit: int, rows: Sequence[int], flags: Array) -> Fault:
    """The fault of a Fall Back that ends with any model of the unit, moved or not, within Engagement Range."""
    m = battle.models
    for model in rows:
        limits = _limits(battle, unit, FALL_BACK, model, None, True)
        pose = (m.x[model], m.y[model], m.z[model], m.facing[model])
        fault = end_fault(*_tables(battle, limits), flags, model, *pose, -1)
        if fault == Fault.ENGAGES_AT_THE_END:
            return Fault.ENGAGES_AT_THE_END
    return Fault.LEGAL
