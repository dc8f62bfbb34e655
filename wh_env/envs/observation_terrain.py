"""Terrain planes, and which units seem to see each other past the terrain.

Both are estimates. Planes are computed from points on a lattice, ``SAMPLES`` by ``SAMPLES`` in a cell. Sight is tested
along three straight lines (from top to top, through the middles and along both sides) between each two of up to
``LOOKERS`` models of either unit. A solid block stops a line. A footprint that hides what lies behind it
(``BLOCK["screen"]``) stops it if neither end lies in the footprint. Other models do not stop it.
"""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np

from wh_env.core.geometry.corridor import clip_polygon
from wh_env.core.geometry.sight import BLOCKS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.envs.observation_fields import COLUMNS, INCH, PLANE_AT, PLANES, POOL, ROWS, SAMPLES, WIDTH, fields_of
from wh_env.envs.observation_places import COUNT, FIRST, RADIUS, X, Y

SOLID, SCREEN, SURFACE, FEATURE = 1, 2, 4, 8  # marks of a point
LOW = 2.0  # inches: a solid block that begins lower stands on the ground
LOOKERS = 6  # models of a unit that look, at most
TIP = 0.01  # inches below the top of a model at which a line starts
SIDE = 0.98  # share of a base's half width at which the lines along its sides run

# ---------------------------------------------------------------- planes


@kernel
def mark(corners: Array, first: int, count: int, dx: float, dy: float, bit: int, marks: Array) -> int:
    """Set ``bit`` in ``marks`` at the lattice points (steps dx, dy) that lie in a convex polygon; returns how many."""
    x0 = y0 = 1e18
    x1 = y1 = -1e18
    for k in range(first, first + count):
        x0 = min(x0, corners[k, 0])
        x1 = max(x1, corners[k, 0])
        y0 = min(y0, corners[k, 1])
        y1 = max(y1, corners[k, 1])
    found = 0
    for row in range(max(0, ceil(y0 / dy - 0.5)), min(marks.shape[0], int(y1 / dy + 0.5) + 1)):
        y = (row + 0.5) * dy
        for column in range(max(0, ceil(x0 / dx - 0.5)), min(marks.shape[1], int(x1 / dx + 0.5) + 1)):
            x = (column + 0.5) * dx
            inside = True
            px = corners[first + count - 1, 0]
            py = corners[first + count - 1, 1]
            for k in range(first, first + count):
                # with a little slack, so that points on an edge count whichever way round the table lies
                if (corners[k, 0] - px) * (y - py) - (corners[k, 1] - py) * (x - px) < -1e-6:
                    inside = False
                    break
                px = corners[k, 0]
                py = corners[k, 1]
            if inside:
                marks[row, column] |= bit
                found += 1
    return found


@kernel
def survey(
    blocks: Array,
    corners: Array,
    features: Array,
    dx: float,
    dy: float,
    inch: float,
    marks: Array,
    tops: Array,
    point: Array,
) -> None:
    """Mark what stands on the points of a lattice over the table (``marks``), and the height of the highest solid block
    there (``tops``).

    ``point``: scratch, like ``marks``.
    """
    for b in range(len(blocks)):
        block = blocks[b]
        bit = 0
        if block["solid"] != 0 and block["z_low"] < LOW * inch:
            bit |= SOLID
        if block["screen"] != 0:
            bit |= SCREEN
        if block["walkable"] != 0 and block["z_high"] > 0.0:
            bit |= SURFACE
        if block["solid"] == 0 and bit == 0:
            continue
        point[:] = 0
        mark(corners, block["first"], block["count"], dx, dy, 1, point)
        for row in range(point.shape[0]):
            for column in range(point.shape[1]):
                if point[row, column] != 0:
                    marks[row, column] |= bit
                    if block["solid"] != 0:
                        tops[row, column] = max(tops[row, column], block["z_high"])
    for f in range(len(features)):
        mark(corners, features[f]["first"], features[f]["count"], dx, dy, FEATURE, marks)


def cell_means(points: Array) -> Array:
    """Means over the cells of values on the lattice: from shape (..., ROWS * SAMPLES, COLUMNS * SAMPLES) to (..., ROWS,
    COLUMNS).
    """
    lead = points.shape[:-2]
    means: Array = points.reshape(*lead, ROWS, SAMPLES, COLUMNS, SAMPLES).mean(axis=(-3, -1))
    return means


def terrain_planes(setup: Setup, division: int, pieces: tuple[Array, Array, Array]) -> tuple[Array, Array]:
    """The terrain planes of a table as the Defender and as the Attacker sees them: float32, shape of the part
    ``terrain``.

    Args:
        division: number of the division into zones. pieces: blocks, corners and features.
    """
    blocks, corners, features = pieces
    inch = INCH[setup.ruleset.length_unit]
    shape = ROWS * SAMPLES, COLUMNS * SAMPLES
    dx, dy = setup.length / shape[1], setup.width / shape[0]
    marks, tops = np.zeros(shape, np.uint8), np.zeros(shape)
    survey(blocks, corners, features, dx, dy, inch, marks, tops, np.zeros(shape, np.uint8))

    planes = np.zeros((WIDTH["terrain"], ROWS, COLUMNS))
    planes[PLANE_AT.height] = np.minimum(cell_means(tops) / (12.0 * inch), 1.0)
    for plane, bit in (("solid", SOLID), ("screen", SCREEN), ("surface", SURFACE), ("feature", FEATURE)):
        planes[getattr(PLANE_AT, plane)] = cell_means(((marks & bit) != 0).astype(np.float64))
    x, y = np.meshgrid((np.arange(shape[1]) + 0.5) * dx, (np.arange(shape[0]) + 0.5) * dy)
    added = setup.ruleset.features.planes(setup, division, features, corners, x.ravel(), y.ravel())
    planes[len(PLANES) : len(PLANES) + len(added)] = cell_means(added.reshape(len(added), *shape).astype(np.float64))

    attacker = np.ascontiguousarray(planes, np.float32)
    turned = attacker[:, ::-1, ::-1].copy()
    names = [field.name for field in fields_of(setup.ruleset, "terrain")]
    for at, name in enumerate(names):
        if name.startswith("own_"):
            theirs = names.index("enemy_" + name.removeprefix("own_"))
            turned[[at, theirs]] = turned[[theirs, at]]
    return turned, attacker


def pooled(planes: Array) -> Array:
    """The planes as they stand in the vector, flat."""
    means = planes.reshape(len(planes), ROWS // POOL, POOL, COLUMNS // POOL, POOL).mean(axis=(2, 4))
    return np.ascontiguousarray(means.ravel(), np.float32)


# ---------------------------------------------------------------- sight


@inner_kernel
def clear_line(
    blocks: Array,
    corners: Array,
    near: Array,
    start: int,
    count: int,
    keywords: int,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
) -> bool:
    """Whether none of the listed blocks stops the line from a to b between models that together have ``keywords``."""
    for n in range(start, start + count):
        b = blocks[near[n]]
        t0, t1 = clip_polygon(corners, b["first"], b["count"], ax, ay, bx, by)
        if t0 > t1:
            continue
        if b["solid"] != 0:
            za = az + (bz - az) * t0
            zb = az + (bz - az) * t1
            if min(za, zb) < b["z_high"] and max(za, zb) > b["z_low"]:
                return False
        elif int(b["spares"]) & keywords == 0 and t0 > 0.0 and t1 < 1.0:
            return False
    return True


@inner_kernel
def models_see(
    blocks: Array, corners: Array, near: Array, count: int, discs: Array, models: Array, i: int, j: int
) -> bool:
    """Whether one of the three lines between models ``i`` and ``j`` is clear.

    Args:
        near: its first ``count`` are blocks that may stand in the way; behind them is room for as many. discs: x, y,
            radius round each.
    """
    p = models[i]
    q = models[j]
    dx = q["x"] - p["x"]
    dy = q["y"] - p["y"]
    length = max(1e-9, sqrt(dx * dx + dy * dy))
    ux = dx / length
    uy = dy / length
    a = SIDE * min(p["half_a"], p["half_b"])
    b = SIDE * min(q["half_a"], q["half_b"])
    wide = max(a, b)
    few = 0
    for n in range(count):
        cx = discs[n, 0] - p["x"]
        cy = discs[n, 1] - p["y"]
        reach = discs[n, 2]
        along = ux * cx + uy * cy
        if abs(ux * cy - uy * cx) <= reach + wide and -reach <= along <= length + reach:
            near[count + few] = near[n]
            few += 1
    if few == 0:
        return True
    keywords = int(p["keywords"]) | int(q["keywords"])
    az = p["z"] + p["height"] - TIP
    bz = q["z"] + q["height"] - TIP
    for line in range(3):
        s = line * (5 - 3 * line) / 2.0  # 0, 1, -1
        ax = p["x"] - s * a * uy
        ay = p["y"] + s * a * ux
        bx = q["x"] - s * b * uy
        by = q["y"] + s * b * ux
        if clear_line(blocks, corners, near, count, few, keywords, ax, ay, az, bx, by, bz):
            return True
    return False


@inner_kernel
def nth_looker(members: Array, u: int, n: int) -> int:
    """The ``n``-th model of a unit that looks, of at most ``LOOKERS`` spread evenly over its standing models; -1 if it
    has fewer.
    """
    count = members[u, COUNT]
    if n >= min(LOOKERS, count):
        return -1
    return int(members[u, FIRST] + n * count // min(LOOKERS, count))


@inner_kernel
def units_see(
    models: Array,
    blocks: Array,
    corners: Array,
    order: Array,
    members: Array,
    discs: Array,
    a: int,
    e: int,
    near: Array,
    round_blocks: Array,
) -> bool:
    """Whether some model of unit ``a`` seems to see some model of unit ``e``; the same with both exchanged."""
    dx = discs[e, X] - discs[a, X]
    dy = discs[e, Y] - discs[a, Y]
    length = max(1e-9, sqrt(dx * dx + dy * dy))
    ux = dx / length
    uy = dy / length
    wide = max(discs[a, RADIUS], discs[e, RADIUS])
    count = 0
    for k in range(len(blocks)):
        b = blocks[k]
        if b["solid"] == 0 and b["screen"] != BLOCKS:
            continue
        cx = 0.5 * (b["min_x"] + b["max_x"])
        cy = 0.5 * (b["min_y"] + b["max_y"])
        reach = 0.5 * sqrt((b["max_x"] - b["min_x"]) ** 2 + (b["max_y"] - b["min_y"]) ** 2)
        across = ux * (cy - discs[a, Y]) - uy * (cx - discs[a, X])
        along = ux * (cx - discs[a, X]) + uy * (cy - discs[a, Y])
        if abs(across) <= reach + wide and -reach - discs[a, RADIUS] <= along <= length + reach + discs[e, RADIUS]:
            near[count] = k
            round_blocks[count, 0] = cx
            round_blocks[count, 1] = cy
            round_blocks[count, 2] = reach
            count += 1
    for p in range(LOOKERS):
        i = nth_looker(members, a, p)
        if i < 0:
            break
        for q in range(LOOKERS):
            j = nth_looker(members, e, q)
            if j < 0:
                break
            if models_see(blocks, corners, near, count, round_blocks, models, order[i], order[j]):
                return True
    return False


@kernel
def fill_sight(
    models: Array,
    players: Array,
    blocks: Array,
    corners: Array,
    seat: int,
    order: Array,
    scratch: Array,
    view: Array,
    near: Array,
    round_blocks: Array,
    sight: Array,
) -> None:
    """Write the part ``sight`` (all 0 before) for the pairs whose distances are known.

    ``order``, ``scratch``, ``view``: as ``observation_kernels.fill`` left them. ``near`` (int32, twice as long as
    ``blocks``), ``round_blocks`` (float64, (blocks, 3)): scratch.
    """
    members = scratch[0]["members"]
    discs = scratch[0]["discs"]
    distances = view[0]["distances"]
    own = players[seat]["first_unit"]
    enemy = players[1 - seat]["first_unit"]
    for i in range(min(len(sight), players[seat]["units"])):
        for j in range(min(len(sight), players[1 - seat]["units"])):
            if distances[i, j] >= 0.0 and units_see(
                models, blocks, corners, order, members, discs, own + i, enemy + j, near, round_blocks
            ):
                sight[i, j] = 1.0
