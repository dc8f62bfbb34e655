"""Carrying out a planned move: paths, dangerous terrain on the way, where units stop (epic.move.path,
epic.terrain.dangerous-*).
"""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin

from wh_env.core.dice import roll_d6
from wh_env.core.geometry.shapes import EPS, SLACK
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.epic.basics.contact import eliminate, mark_contacts
from wh_env.rulesets.epic.basics.log import log_row
from wh_env.rulesets.epic.codes import DANGEROUS, IMPASSABLE, INFANTRY, PLANNED, WENT
from wh_env.rulesets.epic.move.paths import (
    BEFORE,
    X,
    Y,
    enters,
    leg_free,
    near_models,
    near_walls,
    on_the_table,
    touches_enemy,
    touches_enemy_at,
    way_to,
    ways_round,
)
from wh_env.rulesets.epic.terrain.ground import TINY, crossing, inside, passage, passage_at

# rows of the log (the first one holds their number): what happened, the unit, up to five numbers
TESTED, DAMAGED, SAVED, ELIMINATED = 1, 2, 3, 4
ALL_WENT = -1
DIRECT, SAFE = 0, 1  # the two ways that a player may choose between
ANGLES, MOST_PLACES = 16, 4000  # places tried in growing circles round a place that is taken
BACK = 0.05  # cm by which a unit goes back at a time until there is room


@kernel
def begin_walk(
    models: Array, units: Array, origin: Array, u: int, times: float, fixed: float, to_engage: float
) -> bool:
    """Put the units of a plan back where they began; ``origin`` then has the planned places, and as ``reach`` the
    length of way that each unit may use, cm. Returns whether any unit has to move.

    The reach is ``fixed`` if that is not negative, else ``times`` its Movement; ``to_engage`` times for infantry that
    engages, if that is more.
    """
    some = False
    for k in range(units[u]["first"], units[u]["first"] + units[u]["count"]):
        if models[k]["moved"] != PLANNED or models[k]["on_table"] == 0:
            continue
        x = models[k]["x"]
        y = models[k]["y"]
        if x == origin[k]["x"] and y == origin[k]["y"]:
            models[k]["moved"] = WENT
            continue
        reach = fixed if fixed >= 0.0 else times * models[k]["move"]
        if to_engage > times and models[k]["rank"] == INFANTRY and touches_enemy(models, k):
            reach = to_engage * models[k]["move"]
        models[k]["x"] = origin[k]["x"]
        models[k]["y"] = origin[k]["y"]
        origin[k]["x"] = x
        origin[k]["y"] = y
        origin[k]["reach"] = reach
        some = True
    return some


@kernel
def _next(models: Array, units: Array, origin: Array, u: int) -> int:
    """The unit of formation ``u`` that goes next: the one farthest ahead, so that those behind find its place free; -1
    when all have gone.
    """
    first = units[u]["first"]
    last = first + units[u]["count"]
    dx = 0.0
    dy = 0.0
    for k in range(first, last):
        if models[k]["moved"] == PLANNED and models[k]["on_table"] == 1:
            dx += origin[k]["x"] - models[k]["x"]
            dy += origin[k]["y"] - models[k]["y"]
    best = -1
    most = 0.0
    for k in range(first, last):
        if models[k]["moved"] == PLANNED and models[k]["on_table"] == 1:
            ahead = dx * models[k]["x"] + dy * models[k]["y"]
            if best < 0 or ahead > most:
                best = k
                most = ahead
    return best


@inner_kernel
def _chain(nodes: Array, last: int, x: float, y: float, trail: Array) -> int:
    """Write into ``trail`` the points of the way that ends at (x, y) and comes from turning point ``last``; returns
    their number.
    """
    n = 1
    at = last
    while at > 0:
        n += 1
        at = int(nodes[at, BEFORE])
    trail[n - 1, 0] = x
    trail[n - 1, 1] = y
    at = last
    put = n - 2
    while at > 0:
        trail[put, 0] = nodes[at, X]
        trail[put, 1] = nodes[at, Y]
        put -= 1
        at = int(nodes[at, BEFORE])
    return n


@kernel
def _room(models: Array, u: int, k: int, x: float, y: float, clearance: float) -> bool:
    """Whether the base of unit ``k`` at (x, y) overlaps no other and keeps ``clearance`` cm from enemies (0: may touch
    them). Units of formation ``u`` that have yet to go do not count.
    """
    for j in range(len(models)):
        q = models[j]
        if j == k or q["on_table"] == 0 or (q["unit"] == u and q["moved"] == PLANNED):
            continue
        far = models[k]["radius"] + q["radius"] - SLACK
        if clearance > 0.0 and q["owner"] != models[k]["owner"]:
            far += SLACK + clearance - EPS
        if hypot(q["x"] - x, q["y"] - y) < far:
            return False
    return True


@inner_kernel
def _stop(
    models: Array, ground: Array, corners: Array, numbers: Array, u: int, k: int, x0: float, y0: float, x: float,
    y: float, clearance: float,
) -> None:  # fmt: skip
    """Let unit ``k`` stop at (x, y), coming from (x0, y0).

    If there is no room, because others stopped early or enemies stand too near, it stops short of (x, y), as near to it
    as there is room. If there is none on the whole leg, it stops at a free place near where the leg began.
    """
    length = hypot(x - x0, y - y0)
    back = 0.0
    cx = x
    cy = y
    while back < length and not _room(models, u, k, x, y, clearance):
        back = min(length, back + BACK)
        x = cx + back / length * (x0 - cx)
        y = cy + back / length * (y0 - cy)
    # the place where the leg began may be taken by now
    cx = x
    cy = y
    ring = 0
    while not _room(models, u, k, x, y, 0.0) and ring < MOST_PLACES:
        ring += 1
        away = 0.25 * (ring // ANGLES + 1)
        angle = 2.0 * pi * (ring % ANGLES) / ANGLES
        tx = cx + away * cos(angle)
        ty = cy + away * sin(angle)
        if on_the_table(models, numbers, k, tx, ty):
            if passage_at(ground, corners, models[k]["rank"], tx, ty) < IMPASSABLE:
                x = tx
                y = ty
    models[k]["x"] = x
    models[k]["y"] = y
    models[k]["moved"] = WENT


@inner_kernel
def _bogged(models: Array, units: Array, k: int, dice: Array, script: Array, log: Array) -> bool:
    """Roll a dangerous terrain test for unit ``k``. Returns whether the unit goes no further; it may also be
    eliminated.
    """
    roll = roll_d6(dice, script)
    if roll > 1:
        log_row(log, TESTED, k, roll, 0, 0, 0, 0)
        return False
    second = roll_d6(dice, script)
    log_row(log, TESTED, k, roll, second, 0, 0, 0)
    if second == 1:
        save = models[k]["save"]
        die = roll_d6(dice, script) if save > 0 else 0
        kept = save > 0 and die > 1 and die >= save
        log_row(log, DAMAGED, k, die, save, int(kept), 0, 0)
        if not kept:
            eliminate(models, units, k)
    return True


@inner_kernel
def _next_danger(
    ground: Array,
    corners: Array,
    walls: Array,
    w: int,
    rank: int,
    x: float,
    y: float,
    tx: float,
    ty: float,
    length: float,
    done: float,
) -> tuple[float, float, int]:
    """The next piece of dangerous terrain that begins on the rest of a leg from (x, y) to (tx, ty).

    Returns the parts of the leg at which it begins and ends, and its row; -1: there is none. ``done``: the part of the
    leg that is behind the unit.
    """
    enter = inf
    leave = 0.0
    piece = -1
    for i in range(w):
        b = walls[i]
        if passage(ground, b, rank) != DANGEROUS:
            continue
        t0, t1 = crossing(corners, ground[b]["first"], ground[b]["count"], x, y, tx, ty)
        if (t1 - t0) * length > TINY and t1 > done + TINY and t0 < enter:
            enter = t0
            leave = t1
            piece = int(b)
    return enter, leave, piece


@kernel
def _go(
    models: Array, units: Array, ground: Array, corners: Array, numbers: Array, u: int, k: int, points: int,
    walls: Array, w: int, clearance: float, dice: Array, script: Array, trail: Array, log: Array,
) -> None:  # fmt: skip
    """Let unit ``k`` go along the points of ``trail``. It tests where it starts in dangerous terrain and where it
    enters some.
    """
    m = models[k]
    tests = m["traits"] == 0
    x = m["x"]
    y = m["y"]
    feature = -1  # dangerous feature that the unit is in
    if tests:
        for i in range(w):
            if passage(ground, walls[i], m["rank"]) == DANGEROUS and inside(ground, corners, walls[i], x, y):
                feature = ground[walls[i]]["feature"]
        if feature >= 0 and _bogged(models, units, k, dice, script, log):
            if models[k]["on_table"] == 1:
                _stop(models, ground, corners, numbers, u, k, x, y, x, y, 0.0)
            return
    for p in range(points):
        tx = trail[p, 0]
        ty = trail[p, 1]
        length = hypot(tx - x, ty - y)
        if length == 0.0:
            continue
        models[k]["facing"] = atan2(ty - y, tx - x)
        done = 0.0  # of the leg
        while tests:
            enter, leave, piece = _next_danger(ground, corners, walls, w, m["rank"], x, y, tx, ty, length, done)
            if piece < 0:
                break
            # passing from one piece of a feature to the next does not count as entering
            if ground[piece]["feature"] != feature or enter * length > done * length + TINY:
                feature = ground[piece]["feature"]
                if _bogged(models, units, k, dice, script, log):
                    if models[k]["on_table"] == 1:
                        _stop(
                            models, ground, corners, numbers, u, k, x, y,
                            x + enter * (tx - x), y + enter * (ty - y), clearance,
                        )  # fmt: skip
                    return
            done = leave
        if tests and done < 1.0 - TINY:
            feature = -1
        if p == points - 1:
            _stop(models, ground, corners, numbers, u, k, x, y, tx, ty, clearance)
            return
        x = tx
        y = ty


@inner_kernel
def _enters_on_trail(
    models: Array, ground: Array, corners: Array, k: int, trail: Array, points: int, walls: Array, w: int
) -> bool:
    """Whether unit ``k`` enters dangerous terrain on its way along the points of ``trail``."""
    x = models[k]["x"]
    y = models[k]["y"]
    for p in range(points):
        if enters(models, ground, corners, k, x, y, trail[p, 0], trail[p, 1], walls, w):
            return True
        x = trail[p, 0]
        y = trail[p, 1]
    return False


@kernel
def walk_on(
    models: Array,
    units: Array,
    ground: Array,
    corners: Array,
    numbers: Array,
    origin: Array,
    u: int,
    asked: int,
    way: int,
    clearance: float,
    dice: Array,
    script: Array,
    marks: Array,
    nodes: Array,
    trail: Array,
    log: Array,
) -> int:
    """Let the units of formation ``u`` go on to their places in ``origin``, one after the other, by the shortest way.

    If that way enters dangerous terrain and another way within reach does not, the player chooses, unless the unit
    engages: returns that unit, to be called again with it as ``asked`` and the chosen ``way``. Units that stop early
    keep ``clearance`` cm from enemies if they can. Returns ``ALL_WENT`` at the end, when contacts are determined anew.
    """
    rows = marks[: len(models)]
    walls = marks[len(models) :]
    while True:
        k = _next(models, units, origin, u)
        if k < 0:
            mark_contacts(models)
            return ALL_WENT
        x0 = models[k]["x"]
        y0 = models[k]["y"]
        x = origin[k]["x"]
        y = origin[k]["y"]
        reach = origin[k]["reach"] + EPS
        n = near_models(models, k, reach, 0.0, rows)
        w = near_walls(models, ground, k, reach, DANGEROUS, walls)
        points = 1
        trail[0, 0] = x
        trail[0, 1] = y
        if not leg_free(models, ground, corners, k, x0, y0, x, y, IMPASSABLE, rows, n, walls, w):
            count = ways_round(models, ground, corners, numbers, k, reach, IMPASSABLE, rows, n, walls, w, nodes)
            length, last = way_to(models, ground, corners, k, x, y, IMPASSABLE, rows, n, walls, w, nodes, count)
            if length == inf:
                _stop(models, ground, corners, numbers, u, k, x0, y0, x0, y0, 0.0)
                continue
            points = _chain(nodes, last, x, y, trail)
        danger = w > 0 and models[k]["traits"] == 0 and not (asked == k and way == DIRECT)
        danger = danger and _enters_on_trail(models, ground, corners, k, trail, points, walls, w)
        if danger and not touches_enemy_at(models, k, x, y):
            count = ways_round(models, ground, corners, numbers, k, reach, DANGEROUS, rows, n, walls, w, nodes)
            length, last = way_to(models, ground, corners, k, x, y, DANGEROUS, rows, n, walls, w, nodes, count)
            if length <= reach:
                if asked != k:
                    return k
                points = _chain(nodes, last, x, y, trail)
        _go(models, units, ground, corners, numbers, u, k, points, walls, w, clearance, dice, script, trail, log)


@kernel
def facing_enemy(models: Array, k: int) -> float:
    """The direction, radians, from unit ``k`` to the nearest enemy; its own facing if there is no enemy."""
    m = models[k]
    best = inf
    facing = m["facing"]
    for j in range(len(models)):
        q = models[j]
        if q["on_table"] == 1 and q["owner"] != m["owner"]:
            apart = hypot(q["x"] - m["x"], q["y"] - m["y"])
            if apart < best:
                best = apart
                facing = atan2(q["y"] - m["y"], q["x"] - m["x"])
    return float(facing)
