"""Setting up a unit in a small area round a model, as close together as there is room: units that leave a TRANSPORT.

The area is a lattice of ``3 * grid`` points a side, nine for each cell of the action grid. The first model stands in
the chosen cell, as near to its middle as possible. Each further model stands on the nearest free point that keeps it in
coherency.

The lattice lies in the middle of a padded lattice three times as wide, so that no step leads out of it: the point in
column c, row r has the number ``spot = (r + pad) * width + c + pad``. Whether a model can stand on a spot is computed
once for each kind of base (``legal``: 0 not computed yet, 1 yes, 2 no; 2 for all spots outside the lattice).
"""

from __future__ import annotations

from math import cos, hypot, sin
from typing import NamedTuple

from wh_env.core.geometry.board import Board, with_blocks
from wh_env.core.geometry.paths import _end_fault, set_pose
from wh_env.core.geometry.placement import gather_alive, is_near_model_at
from wh_env.core.geometry.shapes import EPS, SLACK, _point_gap, gap_at, overlap_at, overlaps_in_height
from wh_env.core.geometry.single import near_blocks, near_models
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array

PER_CELL = 3  # lattice points along a side of a cell
IN_CELL = PER_CELL * PER_CELL  # the first steps of `order`, which stay in the cell
SCATTER = 101  # a stride through the cells: a prime that divides no side of a grid in use
UNASKED, GOOD, BAD = 0, 1, 2


class Lattice(NamedTuple):
    """The points of the area: the point in column c, row r lies at ``(x0 + c * sx, y0 + r * sy)``, in inches."""

    x0: float
    y0: float
    sx: float
    sy: float
    side: int  # points along one side
    pad: int  # columns, or rows, of the padding on each side
    width: int  # points along one side of the padded lattice


class Party(NamedTuple):
    """The models that are set up, all with one facing, and what is known about their places."""

    u: int  # their unit
    facing: float  # radians
    rows: Array  # their rows in `models`
    kinds: Array  # for each, the number of its kind of base
    n: int  # how many models
    near: Array  # rows of the models that may be in the way or too close
    nn: int  # how many of these
    order: Array  # 3 x steps, the shortest first: step in spots, in columns, in rows
    legal: Array  # by kind of base and spot: UNASKED, GOOD or BAD
    places: Array  # n x 3: x, y, and scratch


class Hull(NamedTuple):
    """The model round which the unit is set up: the pose and base of the TRANSPORT, and how near the models must be to
    it.
    """

    row: int
    near: float  # inches from it within which every part of each model must be
    near_large: float  # inches within which some part of a model too large for that must be; 0: no such rule
    x: float
    y: float
    c: float  # cosine of its facing
    s: float  # sine of its facing
    shape: int
    half_a: float
    half_b: float
    z: float
    height: float
    stands: bool  # whether it is on the table


@inner_kernel
def lattice(area: Array, grid: int) -> Lattice:
    """The lattice over the rectangle ``area`` (float64, 4 corners x 2, of which the first and the third are opposite)
    for a grid of ``grid`` cells a side.
    """
    side = PER_CELL * grid
    sx = (area[2, 0] - area[0, 0]) / side
    sy = (area[2, 1] - area[0, 1]) / side
    return Lattice(area[0, 0] + sx / 2, area[0, 1] + sy / 2, sx, sy, side, side - 1, 3 * side - 2)


@inner_kernel
def hull_at(models: Array, place: Array) -> Hull:
    """The model that ``place`` (one row of ``PLACE_RULES``) names as ``near_model``, as a ``Hull``."""
    j = place[0]["near_model"]
    q = models[j]
    turned = q["shape"] != CIRCLE
    return Hull(
        int(j),
        float(place[0]["near"]),
        float(place[0]["near_large"]),
        float(q["x"]),
        float(q["y"]),
        cos(q["facing"]) if turned else 1.0,
        sin(q["facing"]) if turned else 0.0,
        int(q["shape"]),
        float(q["half_a"]),
        float(q["half_b"]),
        float(q["z"]),
        float(q["height"]),
        bool(q["on_table"] == 1),
    )


@inner_kernel
def kinds_of_base(models: Array, limits: Array, rows: Array, n: int, kinds: Array) -> int:
    """Number the kinds of base of ``n`` models: set ``kinds[k]`` to the kind of ``rows[k]``. Returns the number of
    kinds.

    Models are of one kind if their bases, heights and the keywords that rules on standing places name are equal.
    """
    lim = limits[0]
    relevant_keywords = lim["through_keywords"] | lim["floor_keywords"] | lim["big_keywords"] | lim["air_keywords"]
    count = 0
    for k in range(n):
        p = models[rows[k]]
        kinds[k] = -1
        for o in range(k):
            q = models[rows[o]]
            if (
                p["shape"] == q["shape"]
                and p["half_a"] == q["half_a"]
                and p["half_b"] == q["half_b"]
                and p["height"] == q["height"]
                and (p["keywords"] ^ q["keywords"]) & relevant_keywords == 0
            ):
                kinds[k] = kinds[o]
                break
        if kinds[k] < 0:
            kinds[k] = count
            count += 1
    return count


@inner_kernel
def _ruled_out(models: Array, hull: Hull, i: int, x: float, y: float, slack: float) -> bool:
    """Whether model ``i`` certainly cannot stand anywhere within ``slack`` inches of (x, y): too far from the hull, or
    overlapping it.

    Always False for bases that are not round. For round bases with ``slack`` 0, False means that the base is near
    enough.
    """
    m = models[i]
    if m["shape"] != CIRCLE:
        return False
    r = m["half_a"]
    dx = x - hull.x
    dy = y - hull.y
    away = _point_gap(hull.shape, hull.half_a, hull.half_b, hull.c * dx + hull.s * dy, hull.c * dy - hull.s * dx)
    if hull.near_large > 0.0 and 2.0 * r > hull.near + EPS:
        if away - r - slack > hull.near_large + EPS:
            return True
    elif away + r - slack > hull.near + EPS:
        return True
    return hull.stands and away + slack < r - SLACK and overlaps_in_height(0.0, m["height"], hull.z, hull.height)


@inner_kernel
def _may_stand(board: Board, party: Party, hull: Hull, i: int, x: float, y: float) -> bool:
    """Whether model ``i`` can stand at (x, y): near enough to the hull and without a fault. Models of its own unit are
    ignored.
    """
    models, _, blocks, corners, objectives, limits, targets = board
    if models[i]["shape"] == CIRCLE:
        if _ruled_out(models, hull, i, x, y, 0.0):
            return False
    elif not is_near_model_at(models, i, x, y, party.facing, hull.row, hull.near, hull.near_large):
        return False
    return (
        _end_fault(
            models,
            blocks,
            corners,
            objectives,
            limits,
            targets,
            i,
            x,
            y,
            0.0,
            party.facing,
            party.near,
            party.nn,
            party.u,
        )
        == 0
    )


@inner_kernel
def _first_step_beyond(order: Array, away: float) -> int:
    """The number of the first step of ``order`` that leads at least ``away`` points from its start."""
    low = 0
    high = order.shape[1]
    while low < high:
        mid = (low + high) // 2
        if order[1, mid] * order[1, mid] + order[2, mid] * order[2, mid] < away * away:
            low = mid + 1
        else:
            high = mid
    return low


@inner_kernel
def _fits_at(board: Board, party: Party, hull: Hull, k: int, x: float, y: float, needed: int, spot: int) -> bool:
    """Whether the ``k``-th model can stand at (x, y), which is the lattice point ``spot``, in coherency with ``needed``
    of the models placed before it.

    That it overlaps none of them is the caller's check.
    """
    models, places, facing = board.models, party.places, party.facing
    i = party.rows[k]
    far = board.limits[0]["coherency"] + EPS
    linked = 0
    for q in range(k):
        if linked == needed:
            break
        if gap_at(models, i, x, y, facing, party.rows[q], places[q, 0], places[q, 1], facing) <= far:
            linked += 1
    if linked < needed:
        return False
    state = party.legal[party.kinds[k]]
    if state[spot] == UNASKED:
        state[spot] = GOOD if _may_stand(board, party, hull, i, x, y) else BAD
    return bool(state[spot] == GOOD)


@inner_kernel
def _place_round(board: Board, party: Party, hull: Hull, net: Lattice, c0: int, r0: int) -> int:
    """Find points for the models round the point in column ``c0``, row ``r0``, the middle of a cell. Returns how many
    models find a place.
    """
    models, rows, kinds, order, places = board.models, party.rows, party.kinds, party.order, party.places
    n = party.n
    neighbours = 2 if n >= board.limits[0]["coherency_big"] else 1
    start = (r0 + net.pad) * net.width + c0 + net.pad
    steps = order[0]
    after = 0  # steps of `order` before this one were tried for the previous model
    for k in range(n):
        m = models[rows[k]]
        state = party.legal[kinds[k]]
        same_kind = k > 0 and kinds[k] == kinds[k - 1]
        for q in range(k):
            apart = m["radius"] + models[rows[q]]["radius"] - SLACK
            places[q, 2] = apart * apart
        # all points nearer to the start than `under` steps lie under the first model
        under = 0.0
        if k == 1 and m["shape"] == CIRCLE and models[rows[0]]["shape"] == CIRCLE:
            off = hypot(places[0, 0] - net.x0 - c0 * net.sx, places[0, 1] - net.y0 - r0 * net.sy)
            under = (m["radius"] + models[rows[0]]["radius"] - SLACK - off) / max(net.sx, net.sy) - EPS
        found = False
        # a model of the same kind as the previous one goes on where that stopped, then tries the skipped points
        for attempt in range(2 if same_kind else 1):
            begin = after if same_kind and attempt == 0 else 0
            end = (after if attempt == 1 else order.shape[1]) if k > 0 else IN_CELL
            if under > 0.0:
                begin = max(begin, _first_step_beyond(order, under))
            for o in range(begin, end):
                spot = start + steps[o]
                if state[spot] == BAD:
                    continue
                x = net.x0 + (c0 + order[1, o]) * net.sx
                y = net.y0 + (r0 + order[2, o]) * net.sy
                clear = True
                for q in range(k):
                    dx = places[q, 0] - x
                    dy = places[q, 1] - y
                    if dx * dx + dy * dy < places[q, 2] and overlap_at(
                        models, rows[k], x, y, party.facing, rows[q], places[q, 0], places[q, 1], party.facing
                    ):
                        clear = False
                        break
                if clear and _fits_at(board, party, hull, k, x, y, min(k, neighbours), spot):
                    places[k, 0] = x
                    places[k, 1] = y
                    after = o + 1
                    found = True
                    break
            if found:
                break
        if not found:
            return k
    return n


@kernel
def _prepare(
    board: Board,
    u: int,
    facing: float,
    net: Lattice,
    order: Array,
    blank: Array,
    legal: Array,
    scratch: Array,
    marks: Array,
) -> tuple[Board, Party]:
    """What the mask and the move need first: the board with only the blocks that are near, and the party with its kinds
    of base and the models that are near.

    Args: as ``beside_mask``.
    """
    models = board.models
    total = len(models)
    rows = marks[:total]
    kinds = marks[total : 2 * total]
    near = marks[2 * total : 3 * total]
    n = gather_alive(models, board.units, u, rows)
    count = kinds_of_base(models, board.limits, rows, n, kinds)
    for k in range(count):
        legal[k] = blank
    half = 0.5 * net.side
    x = net.x0 + half * net.sx
    y = net.y0 + half * net.sy
    reach = half * max(net.sx, net.sy) + (models[rows[0]]["radius"] if n > 0 else 0.0)
    nn = near_models(models, board.limits, x, y, reach, near)
    party = Party(u, facing, rows, kinds, n, near, nn, order, legal, scratch[: 3 * n].reshape((n, 3)))
    return with_blocks(board, near_blocks(board.blocks, x, y, reach)), party


@inner_kernel
def _mark_ruled_out(models: Array, hull: Hull, party: Party, net: Lattice, legal: Array) -> None:
    """Mark the spots that are too far from the hull, for each kind of base."""
    for k in range(party.n):
        if k > 0 and party.kinds[k] == party.kinds[k - 1]:
            continue
        state = legal[party.kinds[k]]
        for r in range(net.side):
            first = (r + net.pad) * net.width + net.pad
            for c in range(net.side):
                if _ruled_out(models, hull, party.rows[k], net.x0 + c * net.sx, net.y0 + r * net.sy, 0.0):
                    state[first + c] = BAD


@kernel
def beside_mask(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    place: Array,
    facing: float,
    area: Array,
    grid: int,
    order: Array,
    blank: Array,
    legal: Array,
    mask: Array,
    scratch: Array,
    marks: Array,
    any_will_do: bool,
) -> int:
    """Mark the cells round which all living models of unit ``u`` find room; returns how many cells.

    Args:
        models, units, blocks, corners, objectives, limits, targets: see ``Board``.
        u: the unit. place: one row of ``PLACE_RULES``; every model must be near its ``near_model``. facing: of all
            models, radians.
        area: float64, 4 x 2: a rectangle that contains all places within reach of ``near_model``.
        grid: cells a side.
        order: 3 x steps, the shortest first: step in spots, in columns, in rows.
        blank: uint8, by spot: 2 outside the lattice, else 0.
        legal: uint8, a row like ``blank`` for each living model; overwritten.
        mask: by cell, set to 0 or 1. scratch, marks: as ``rigid.scratch_sizes`` says.
        any_will_do: stop at the first cell that is found.
    """
    net = lattice(area, grid)
    whole = Board(models, units, blocks, corners, objectives, limits, targets)
    board, party = _prepare(whole, u, facing, net, order, blank, legal, scratch, marks)
    hull = hull_at(models, place)
    found = 0
    mask[: grid * grid] = 0
    if party.n == 0:
        return 0
    if not any_will_do:
        _mark_ruled_out(models, hull, party, net, legal)  # all points will be looked at
    for k in range(grid * grid):
        # if any cell will do, take cells all over the area instead of starting in one corner
        c = k * SCATTER % (grid * grid) if any_will_do else k
        c0 = PER_CELL * (c % grid) + PER_CELL // 2
        r0 = PER_CELL * (c // grid) + PER_CELL // 2
        x = net.x0 + c0 * net.sx
        y = net.y0 + r0 * net.sy
        if _ruled_out(models, hull, party.rows[0], x, y, PER_CELL // 2 * (net.sx + net.sy)):
            continue
        if _place_round(board, party, hull, net, c0, r0) == party.n:
            mask[c] = 1
            found += 1
            if any_will_do:
                break
    return found


@kernel
def beside_apply(
    models: Array,
    units: Array,
    blocks: Array,
    corners: Array,
    objectives: Array,
    limits: Array,
    targets: Array,
    u: int,
    place: Array,
    facing: float,
    area: Array,
    grid: int,
    order: Array,
    blank: Array,
    legal: Array,
    cell: int,
    scratch: Array,
    marks: Array,
) -> bool:
    """Set up unit ``u`` round ``cell``. Returns True for exactly the cells that ``beside_mask`` marks; otherwise False,
    and nothing changes.

    Args: as ``beside_mask``.
    """
    net = lattice(area, grid)
    whole = Board(models, units, blocks, corners, objectives, limits, targets)
    board, party = _prepare(whole, u, facing, net, order, blank, legal, scratch, marks)
    n = party.n
    c0 = PER_CELL * (cell % grid) + PER_CELL // 2
    r0 = PER_CELL * (cell // grid) + PER_CELL // 2
    if n == 0 or _place_round(board, party, hull_at(models, place), net, c0, r0) != n:
        return False
    for k in range(n):
        i = party.rows[k]
        set_pose(models, i, party.places[k, 0], party.places[k, 1], 0.0, facing)
        models[i]["on_table"] = 1
    return True
