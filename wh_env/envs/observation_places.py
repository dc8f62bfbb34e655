"""Where the models of units stand in an observation, and how far units are from each other.

Both are kept from one observation to the next. A unit is listed again only if a place of one of its models has changed,
and only pairs with a unit that was listed again are measured. Whatever else a distance depends on (the bases) never
changes.
"""

from __future__ import annotations

from math import cos, inf, sin, sqrt

from wh_env.core.features import UNITS
from wh_env.core.geometry.shapes import gap, member, member_count, stands_in
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import CIRCLE, Array

# columns of the tables
X, Y, Z, RADIUS, FACING = range(5)  # `standing`, and X, Y, RADIUS of `discs`
SPREAD = Z  # `discs`: distance of the farthest model from the middle
# `discs`: the box round the bases (x from, y from, x to, y to), the highest z, cosine and sine of the first facing, and
# the means of all
LEFT, NEAR, RIGHT, AWAY, TOP, LEAD_X, LEAD_Y, MEAN_X, MEAN_Y = range(4, 13)
# `members`: first row in `standing`, number of rows; 1: bases are round, of one size, on one level; 1: listed again
FIRST, COUNT, ALIKE, MOVED = range(4)
NOBODY = -1  # FIRST of a unit that was never listed


@inner_kernel
def enclose(models: Array, standing: Array, order: Array, members: Array, discs: Array, u: int) -> None:
    """Compute the disc and the box round the listed models of unit ``u``, and whether these models are alike."""
    one = members[u, FIRST]
    n = one + members[u, COUNT]
    sx = 0.0
    sy = 0.0
    ahead_x = 0.0
    ahead_y = 0.0
    for k in range(one, n):
        sx += standing[k, X]
        sy += standing[k, Y]
        ahead_x += cos(standing[k, FACING])
        ahead_y += sin(standing[k, FACING])
    x = sx / (n - one)
    y = sy / (n - one)
    far = 0.0
    spread = 0.0
    alike = 1
    x0 = y0 = inf
    x1 = y1 = top = -inf
    for k in range(one, n):
        x0 = min(x0, standing[k, X] - standing[k, RADIUS])
        x1 = max(x1, standing[k, X] + standing[k, RADIUS])
        y0 = min(y0, standing[k, Y] - standing[k, RADIUS])
        y1 = max(y1, standing[k, Y] + standing[k, RADIUS])
        top = max(top, standing[k, Z])
        dx = standing[k, X] - x
        dy = standing[k, Y] - y
        away = sqrt(dx * dx + dy * dy)
        spread = max(spread, away)
        far = max(far, away + standing[k, RADIUS])
        same_size = standing[k, RADIUS] == standing[one, RADIUS] and standing[k, Z] == standing[one, Z]
        if not same_size or models[order[k]]["shape"] != CIRCLE:
            alike = 0
    discs[u, X] = x
    discs[u, Y] = y
    discs[u, SPREAD] = spread
    discs[u, RADIUS] = far
    discs[u, LEFT] = x0
    discs[u, NEAR] = y0
    discs[u, RIGHT] = x1
    discs[u, AWAY] = y1
    discs[u, TOP] = top
    discs[u, LEAD_X] = cos(standing[one, FACING])
    discs[u, LEAD_Y] = sin(standing[one, FACING])
    discs[u, MEAN_X] = ahead_x / (n - one)
    discs[u, MEAN_Y] = ahead_y / (n - one)
    members[u, ALIKE] = alike


@kernel
def gather(models: Array, units: Array, standing: Array, order: Array, members: Array, discs: Array) -> None:
    """List the standing models of each unit: their places in ``standing``, their rows in ``order``, and a disc round
    each unit in ``discs``.

    The tables hold what the last call found (before the first call: ``NOBODY``); nothing changes for units whose models
    have not moved. ``standing`` (float64, 5 columns) and ``order`` have room for every model twice, because an attached
    unit's models have room in two units.
    """
    begin = 0
    for u in range(len(units)):
        n = begin
        moved = members[u, FIRST] != begin
        offered = member_count(units, u)
        for o in range(offered):
            k = member(units, u, o)
            if not stands_in(models, k, u):
                continue
            m = models[k]
            if (
                moved
                or order[n] != k
                or standing[n, X] != m["x"]
                or standing[n, Y] != m["y"]
                or standing[n, FACING] != m["facing"]
                or standing[n, Z] != m["z"]
                or standing[n, RADIUS] != m["radius"]
            ):
                moved = True
                order[n] = k
                standing[n, X] = m["x"]
                standing[n, Y] = m["y"]
                standing[n, Z] = m["z"]
                standing[n, RADIUS] = m["radius"]
                standing[n, FACING] = m["facing"]
            n += 1
        moved = moved or members[u, COUNT] != n - begin
        members[u, MOVED] = 1 if moved else 0
        if moved:
            members[u, FIRST] = begin
            members[u, COUNT] = n - begin
            discs[u, RADIUS] = -1.0
            if n > begin:
                enclose(models, standing, order, members, discs, u)
        begin += offered


@kernel
def outside(discs: Array, u: int, x0: float, y0: float, x1: float, y1: float) -> float:
    """Square of the distance between a box and the box of unit ``u``; 0 if they meet."""
    dx = max(0.0, x0 - discs[u, RIGHT], discs[u, LEFT] - x1)
    dy = max(0.0, y0 - discs[u, AWAY], discs[u, NEAR] - y1)
    return float(dx * dx + dy * dy)


@inner_kernel
def exact(models: Array, standing: Array, order: Array, members: Array, a: int, e: int, one: int, two: int) -> float:
    """The distance, in a straight line, of the closest models of units ``a`` and ``e``; ``one`` and ``two`` are the
    models with the closest circles.
    """
    best = inf
    for turn in range(2):
        first = one if turn == 0 else members[a, FIRST]
        last = one + 1 if turn == 0 else first + members[a, COUNT]
        other = two if turn == 0 else members[e, FIRST]
        end = two + 1 if turn == 0 else other + members[e, COUNT]
        for p in range(first, last):
            for q in range(other, end):
                dx = standing[q, X] - standing[p, X]
                dy = standing[q, Y] - standing[p, Y]
                reach = best + standing[p, RADIUS] + standing[q, RADIUS]
                if dx * dx + dy * dy < reach * reach and (turn == 0 or p != one or q != two):
                    dz = standing[q, Z] - standing[p, Z]
                    flat = gap(models, order[p], order[q])
                    best = min(best, sqrt(flat * flat + dz * dz) if dz != 0.0 else flat)
    return best


@inner_kernel
def gap_below_limit(
    models: Array, standing: Array, order: Array, members: Array, discs: Array, a: int, e: int, limit: float
) -> float:
    """The distance, in a straight line, of the closest models of two units on the table; -1 if it is not below
    ``limit``.
    """
    # the circles round the bases are never farther apart than the bases
    one = -1
    two = -1
    first = members[a, FIRST]
    for p in range(first, first + members[a, COUNT]):
        x = standing[p, X]
        y = standing[p, Y]
        reach = limit + standing[p, RADIUS]
        if outside(discs, e, x, y, x, y) >= reach * reach and reach > 0.0:
            continue
        for q in range(members[e, FIRST], members[e, FIRST] + members[e, COUNT]):
            dx = standing[q, X] - x
            dy = standing[q, Y] - y
            far = reach + standing[q, RADIUS]
            if dx * dx + dy * dy < far * far and far > 0.0:
                limit = sqrt(dx * dx + dy * dy) - standing[p, RADIUS] - standing[q, RADIUS]
                reach = limit + standing[p, RADIUS]
                one = p
                two = q
    if one < 0:
        return -1.0
    if members[a, ALIKE] == 0 or members[e, ALIKE] == 0:
        return exact(models, standing, order, members, a, e, one, two)
    dz = standing[two, Z] - standing[one, Z]
    away = max(0.0, limit)
    return sqrt(away * away + dz * dz) if dz != 0.0 else away


@inner_kernel
def forget_distances_of_moved(
    members: Array, own: int, owns: int, enemy: int, enemies: int, distances: Array, nearest: Array
) -> bool:
    """Set the distances of units that were listed again to -1, and ``nearest`` to the least known distances. Returns
    False if no unit was.
    """
    moved = False
    for i in range(owns):
        moved = moved or members[own + i, MOVED] != 0
    for j in range(enemies):
        moved = moved or members[enemy + j, MOVED] != 0
    if not moved:
        return False
    for i in range(owns):
        nearest[i] = inf
    for j in range(enemies):
        nearest[UNITS + j] = inf
    for i in range(owns):
        for j in range(enemies):
            if members[own + i, MOVED] != 0 or members[enemy + j, MOVED] != 0:
                distances[i, j] = -1.0
            elif distances[i, j] >= 0.0:
                nearest[i] = min(nearest[i], distances[i, j])
                nearest[UNITS + j] = min(nearest[UNITS + j], distances[i, j])
    return True


@inner_kernel
def neighbour(members: Array, discs: Array, a: int, enemy: int, enemies: int) -> int:
    """The slot of the enemy unit whose middle is closest to that of unit ``a``; -1 if there is none."""
    found = -1
    least = inf
    for j in range(enemies):
        dx = discs[enemy + j, X] - discs[a, X]
        dy = discs[enemy + j, Y] - discs[a, Y]
        if members[enemy + j, COUNT] > 0 and dx * dx + dy * dy < least:
            least = dx * dx + dy * dy
            found = j
    return found


@kernel
def measure(
    models: Array,
    standing: Array,
    order: Array,
    members: Array,
    discs: Array,
    own: int,
    owns: int,
    enemy: int,
    enemies: int,
    view: Array,
) -> None:
    """Fill in ``distances`` of the view for the wanted pairs and ``nearest`` for every unit, as far as they are not
    known from the last call.

    For pairs that are not wanted ``distances`` is either right or negative.
    """
    v = view[0]
    distances = v["distances"]
    nearest = v["nearest"]
    # other pairs are measured only if they may be the closest: first neighbours, which rules out most of the rest
    moved = forget_distances_of_moved(members, own, owns, enemy, enemies, distances, nearest)
    for turn in range(3 if moved else 1):
        for i in range(v["own_from"] if turn == 0 else 0, v["own_to"] if turn == 0 else owns):
            a = own + i
            if members[a, COUNT] == 0 or (turn == 1 and nearest[i] < inf):
                continue
            start = 0
            end = enemies
            if turn == 0:
                start = v["enemy_from"]
                end = v["enemy_to"]
            elif turn == 1:
                start = neighbour(members, discs, a, enemy, enemies)
                end = start + 1
            for j in range(max(0, start), end):
                e = enemy + j
                if members[e, COUNT] == 0 or distances[i, j] >= 0.0:
                    continue
                limit = inf
                if turn == 2:
                    limit = max(nearest[i], nearest[UNITS + j])
                    box = outside(discs, e, discs[a, LEFT], discs[a, NEAR], discs[a, RIGHT], discs[a, AWAY])
                    if box >= limit * limit:
                        continue
                away = gap_below_limit(models, standing, order, members, discs, a, e, limit)
                if away >= 0.0:
                    distances[i, j] = away
                    nearest[i] = min(nearest[i], away)
                    nearest[UNITS + j] = min(nearest[UNITS + j], away)
