"""Enemy models that keep Reinforcements away farther than the rules of their arrival (rare.prevent-reinforcements)."""

from __future__ import annotations

from math import hypot

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.beside import BAD
from wh_env.core.geometry.paths import horizontal_distance_to_keep
from wh_env.core.geometry.placement import zone_cell
from wh_env.core.geometry.shapes import EPS, gap_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack.abilities import TUNNELS
from wh_env.rulesets.w40k.edition import edition


def arrives_beside(g: BattleCore, unit: int) -> bool:
    """Whether the unit, which leaves a TRANSPORT, is a Reinforcement unit because the TRANSPORT arrived in this turn
    (transport.disembark.from-reserves).
    """
    return bool(edition(g).transports.brings_reinforcements and g.units.arrived[g.units.carrier[unit]])


def kept_clear(g: BattleCore, unit: int) -> Array | None:
    """By model row the inches that the model keeps the arriving unit away (float64, 0: not at all). None if no model
    does.
    """
    if not g.setup.statics["powers"]["arrivals"]:
        return None
    if not g.work.concerned["arrivals"][g.units.owner[unit]]:
        return None
    far = np.zeros(len(g.models.rows), np.float64)
    powers, bearers = edition(g).power_rows(g, "arrivals")
    return far if g.work.call(keep_away, g.models.rows, g.units.rows, powers, bearers, unit, far) else None


def deep_strike_from(g: BattleCore, unit: int) -> float:
    """Inches that the unit must keep from enemies when it arrives by Deep Strike. An ability can reduce them in its
    player's own turn.
    """
    usual = edition(g).placing.deep_strike
    if not g.setup.statics["powers"]["tunnels"] or g.clock.turn[0] != g.units.owner[unit]:
        return usual
    own = [power for power in g.setup.statics["powers"]["tunnels"] if g.models.unit[power.models[0]] == unit]
    return min([usual, *(TUNNELS[power.effect] for power in own)])


@kernel
def keep_away(models: Array, units: Array, powers: Array, bearers: Array, u: int, far: Array) -> bool:
    """Fill ``far`` for unit ``u`` as in ``kept_clear``. Returns whether any model keeps the unit away."""
    found = False
    for p in range(len(powers)):
        power = powers[p]
        if power["owner"] == units[u]["owner"] or power["enemies"] == 0:
            continue
        if power["keyword"] != 0 and units[u]["keywords"] & power["keyword"] == 0:
            continue
        for n in range(power["first"], power["first"] + power["count"]):
            k = bearers[n]
            if models[k]["on_table"] != 0 and power["reach"] > 0.0:
                far[k] = max(far[k], power["reach"])
                found = True
    return found


@inner_kernel
def _too_near(
    models: Array, limits: Array, i: int, x: float, y: float, z: float, f: float, j: int, inches: float
) -> bool:
    """True if model ``i`` at this pose is within ``inches`` of model ``j``, by the measure for set-ups near enemies
    (move.reinforcements.horizontal).
    """
    q = models[j]
    dx = q["x"] - x
    dy = q["y"] - y
    # the circles round the bases are never farther apart than the bases
    reach = inches + models[i]["radius"] + q["radius"] + 2.0 * EPS
    if dx * dx + dy * dy > reach * reach:
        return False
    across = horizontal_distance_to_keep(limits, inches, z - q["z"])
    return bool(gap_at(models, i, x, y, f, j, q["x"], q["y"], q["facing"]) <= across + EPS)


@kernel
def too_near_at(models: Array, limits: Array, i: int, x: float, y: float, z: float, f: float, far: Array) -> bool:
    """True if model ``i`` at this pose is too near to a model ``j`` that keeps it ``far[j]`` inches away."""
    for j in range(len(models)):
        if far[j] > 0.0 and _too_near(models, limits, i, x, y, z, f, j, far[j]):
            return True
    return False


@kernel
def bar_spots(
    models: Array,
    limits: Array,
    i: int,
    x0: float,
    y0: float,
    sx: float,
    sy: float,
    side: int,
    facing: float,
    far: Array,
    spots: Array,
) -> None:
    """Set to ``BAD`` the spots of a padded lattice at which model ``i`` is kept away (``core.geometry.beside``).

    The lattice has ``side`` points a side, the first at (x0, y0), sx and sy inches apart.
    """
    pad, width = side - 1, 3 * side - 2
    for r in range(side):
        for c in range(side):
            spot = (r + pad) * width + c + pad
            if spots[spot] != BAD and too_near_at(models, limits, i, x0 + c * sx, y0 + r * sy, 0.0, facing, far):
                spots[spot] = BAD


@kernel
def clear_cells(
    models: Array,
    rows: Array,
    offsets: Array,
    zone: Array,
    limits: Array,
    grid: int,
    facing: float,
    far: Array,
    cells: Array,
) -> int:
    """Clear the cells of a mask over the zone at which a model of a formation on the ground is kept away. Returns the
    number of cells left.

    The models ``rows`` stand at ``offsets`` from the centre of a cell.
    """
    spread = 0.0  # radius of the circle round the formation
    for n in range(len(offsets)):
        spread = max(spread, hypot(offsets[n, 0], offsets[n, 1]) + models[rows[n]]["radius"])
    first = last = -1  # the models that keep it away lie between these rows
    for j in range(len(models)):
        if far[j] > 0.0:
            first = j if first < 0 else first
            last = j
    left = 0
    for cell in range(len(cells)):
        if not cells[cell]:
            continue
        x, y = zone_cell(zone, limits, grid, grid, cell)
        for j in range(max(first, 0), last + 1):
            dx = models[j]["x"] - x
            dy = models[j]["y"] - y
            reach = far[j] + models[j]["radius"] + spread + 2.0 * EPS
            if far[j] <= 0.0 or dx * dx + dy * dy > reach * reach:
                continue
            for n in range(len(offsets)):
                at_x, at_y = x + offsets[n, 0], y + offsets[n, 1]
                if _too_near(models, limits, rows[n], at_x, at_y, 0.0, facing, j, far[j]):
                    cells[cell] = False
                    break
            if not cells[cell]:
                break
        left += cells[cell]
    return left
