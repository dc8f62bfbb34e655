"""Planning a formation's move: how far it may go, which cells of the window are legal, and the move to a cell
(epic.move.*).

A plan puts units where they are to end. ``walk.Walk`` then takes them back and lets them go there, so that dangerous
terrain on the way takes effect. The window spans the formation's allowance in each direction.
"""

from __future__ import annotations

from math import inf

from wh_env.core.battle import BattleCore
from wh_env.core.features import Pending, Region
from wh_env.core.kernel import kernel
from wh_env.core.tables import Array
from wh_env.rulesets.epic.basics.formation import listed
from wh_env.rulesets.epic.codes import PLANNED, UNMOVED, Phase
from wh_env.rulesets.epic.move.cells import FREE, OUT_OF_CONTACT, can_go, move_mask, place_at
from wh_env.rulesets.epic.move.coherency import groups, regroup, regroup_mask
from wh_env.rulesets.epic.move.paths import TOUCHING
from wh_env.rulesets.epic.orders.orders import order_of

ALL = -1


@kernel
def slowest(models: Array, units: Array, u: int) -> float:
    """The smallest Movement among the units of the formation that can move; infinite if none can."""
    best = inf
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if can_go(models, k, u):
            best = min(best, models[k]["move"])
    return float(best)


@kernel
def remember(models: Array, units: Array, origin: Array, u: int) -> None:
    """A move begins: write the places of the units of formation ``u`` into ``origin``, and mark them as not moved."""
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        origin[k]["x"] = models[k]["x"]
        origin[k]["y"] = models[k]["y"]
        models[k]["moved"] = UNMOVED


@kernel
def take_back(models: Array, units: Array, origin: Array, u: int) -> None:
    """Put the planned units of formation ``u`` back where they began, so that they can be planned anew."""
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if models[k]["moved"] == PLANNED:
            models[k]["x"] = origin[k]["x"]
            models[k]["y"] = origin[k]["y"]
            models[k]["moved"] = UNMOVED


def allowance(g: BattleCore, unit: int, movement: float) -> float:
    """How far, in cm, a unit of this Movement may go now: by order, in retreat, or in an assault move
    (epic.move.distance).
    """
    if g.clock.phase[0] == Phase.ASSAULT:
        return movement
    if g.units.retreating[unit]:
        return float(g.setup.rules["retreat"]["move"] * movement)
    order = order_of(g, unit)
    if order is None:
        return 0.0
    return order.move_cm if order.move_cm is not None else order.move * movement


def allowance_of(g: BattleCore, unit: int, only: int = ALL) -> float:
    """How far, in cm, the formation may go as one, by its slowest unit that can move; 0 if none can. ``only``: this
    unit alone.
    """
    if only >= 0:
        return allowance(g, unit, g.models.move[only])
    movement = g.work.call(slowest, g.models.rows, g.units.rows, unit)
    return allowance(g, unit, movement) if movement < inf else 0.0


def clearance(g: BattleCore) -> float:
    """How far, in cm, bases of units that do not engage stay from enemy bases at the end of a move
    (epic.move.no-contact).
    """
    return TOUCHING if g.clock.phase[0] == Phase.ASSAULT else float(g.setup.rules["clearance_cm"])


def group_count(g: BattleCore, unit: int) -> int:
    """The number of groups that the formation is in; it counts the units that matter in this phase
    (epic.move.coherency, epic.assault.coherency).
    """
    if g.units.alive[unit] == 1:
        return 1
    who = OUT_OF_CONTACT if g.clock.phase[0] == Phase.ASSAULT else FREE
    return int(
        g.work.call(groups, g.models.rows, g.units.rows, unit, g.setup.rules["coherency_cm"], who, g.work.labels)
    )


def scattered(g: BattleCore, unit: int) -> bool:
    """Whether the formation is out of coherency."""
    return group_count(g, unit) > 1


def cells_of(g: BattleCore, unit: int, how: int, cells: Array, only: int = ALL) -> int:
    """Mark the cells that the formation, or only its unit ``only``, may move to; returns how many."""
    statics, grid = g.setup.statics, g.setup.space.grid
    reach = allowance_of(g, unit, only)
    step = 2.0 * reach / (grid - 1)
    m, u = g.models.rows, g.units.rows
    ground, corners, numbers = statics["ground"], g.setup.corners, statics["numbers"]
    if only < 0 and g.clock.phase[0] != Phase.ASSAULT and scattered(g, unit):
        return int(
            regroup_mask(
                m, u, ground, corners, numbers, unit, step, grid, reach, clearance(g), how,
                g.work.marks, g.work.poses, g.work.gaps, g.work.labels, cells,
            )
        )  # fmt: skip
    return int(
        g.work.call(
            move_mask,
            m, u, ground, corners, numbers, unit, only, 0.0, 0.0, step, grid, reach, clearance(g), how,
            g.work.marks, g.work.nodes, cells,
        )
    )  # fmt: skip


def displacement(g: BattleCore, unit: int, cell: int, only: int = ALL) -> tuple[float, float]:
    """(dx, dy) in cm that a cell of the window stands for."""
    grid = g.setup.space.grid
    step = 2.0 * allowance_of(g, unit, only) / (grid - 1)
    return (cell % grid - grid // 2) * step, (cell // grid - grid // 2) * step


def is_coarse(g: BattleCore, unit: int, only: int = ALL) -> bool:
    """Whether the cells of the window are so large that the player also chooses a cell of a second grid over the chosen
    one.
    """
    return 2.0 * allowance_of(g, unit, only) / (g.setup.space.grid - 1) > float(g.setup.rules["fine_cm"])


def fine_displacement(g: BattleCore, unit: int, cell: int, fine: int, only: int = ALL) -> tuple[float, float]:
    """(dx, dy) in cm of cell ``fine`` of the second grid, which spans the width of ``cell``."""
    grid = g.setup.space.grid
    dx, dy = displacement(g, unit, cell, only)
    step = 2.0 * allowance_of(g, unit, only) / (grid - 1) / (grid - 1)
    return dx + (fine % grid - grid // 2) * step, dy + (fine // grid - grid // 2) * step


def fine_cells(g: BattleCore, unit: int, how: int, cell: int, cells: Array, only: int = ALL) -> int:
    """Mark the legal cells of the second grid over a cell; returns how many."""
    statics, grid = g.setup.statics, g.setup.space.grid
    reach = allowance_of(g, unit, only)
    dx, dy = displacement(g, unit, cell, only)
    return int(
        g.work.call(
            move_mask,
            g.models.rows, g.units.rows, statics["ground"], g.setup.corners, statics["numbers"], unit, only,
            dx, dy, 2.0 * reach / (grid - 1) / (grid - 1), grid, reach, clearance(g), how,
            g.work.marks, g.work.nodes, cells,
        )
    )  # fmt: skip


def plan(g: BattleCore, unit: int, dx: float, dy: float, how: int, only: int = ALL) -> None:
    """Put the formation, or only its unit ``only``, where the legal displacement (dx, dy) takes it."""
    statics = g.setup.statics
    m, u = g.models.rows, g.units.rows
    if only < 0 and g.clock.phase[0] != Phase.ASSAULT and scattered(g, unit):
        regroup(
            m, u, statics["ground"], g.setup.corners, statics["numbers"], unit, dx, dy, allowance_of(g, unit),
            clearance(g), g.work.marks, g.work.labels,
        )  # fmt: skip
        return
    g.work.call(place_at, m, u, statics["numbers"], unit, only, dx, dy, how)


# ---------------------------------------------------------------- what a decision is about


def moving(g: BattleCore) -> Pending:
    """``Pending`` of a decision about a formation that moves as one."""
    return Pending(Region.square(0.0, 0.0, allowance_of(g, g.clock.subject[0])), moves=True)


def moving_finely(g: BattleCore, cell: int) -> Pending:
    """``Pending`` of a decision about a formation that moves as one, on the second grid over ``cell``."""
    unit = g.clock.subject[0]
    rows = g.models.rows[listed(g, unit)]
    here = rows[rows["on_table"] == 1]
    dx, dy = displacement(g, unit, cell)
    half = allowance_of(g, unit) / (g.setup.space.grid - 1)
    return Pending(Region.square(float(here["x"].mean()) + dx, float(here["y"].mean()) + dy, half))
