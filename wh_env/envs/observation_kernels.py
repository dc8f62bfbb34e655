"""Writing the core's part of an observation: globals, decision, units, markers, models, distances.

``out`` is flat: the vector first (``observation_fields.PARTS``), then the relations. ``inch`` is the length of an inch
in the ruleset's unit of length. ``row`` is the index in ``out`` at which a row begins.
"""

from __future__ import annotations

from math import cos, inf, sin, sqrt
from typing import NamedTuple

import numpy as np

from wh_env.core.features import MARKERS, MODELS, UNITS, share, signed
from wh_env.core.geometry.shapes import member, member_count
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, EMBARKED, Array
from wh_env.envs.observation_fields import (
    DECISION_AT,
    FAR,
    GLOBAL_AT,
    KINDS,
    MARKER_AT,
    MODEL_AT,
    PARTS,
    PHASES,
    RELATION,
    RELATION_AT,
    SIZE,
    UNIT_AT,
    WIDTH,
)
from wh_env.envs.observation_places import (
    COUNT,
    FIRST,
    LEAD_X,
    LEAD_Y,
    MEAN_X,
    MEAN_Y,
    RADIUS,
    SPREAD,
    TOP,
    X,
    Y,
    gather,
    measure,
    outside,
)

GLOBALS, DECISION, OWN, ENEMY = (PARTS[name].start for name in ("globals", "decision", "own", "enemy"))
SUBJECT, MARKER, MODEL, OPTION = (PARTS[name].start for name in ("subject", "markers", "models", "options"))
UNIT_WIDTH, MODEL_WIDTH, RELATION_WIDTH = (WIDTH[name] for name in ("units", "models", "relations"))
MARKER_WIDTH, OPTION_WIDTH = WIDTH["markers"], WIDTH["options"]
TERRAIN = PARTS["terrain"].start
RELATIONS = len(RELATION)  # the core's fields of a pair of units; those of the ruleset follow
# the cells of the waiting decision: it has none, they are places, they are displacements of the subject
NO_CELLS, OF_PLACES, OF_MOVES = range(3)
PLACES = 6  # codes of `units.place`, in the order of their columns

# one row: numbers that the kernels need in every call, what they have found (`observation_places`), and scratch
SCRATCH = np.dtype(
    [
        ("rounds", "i8"),
        ("inch", "f8"),
        ("length", "f8"),  # of the table
        ("width", "f8"),
        ("everything", "i8"),  # 1: all relations, 0: those of the subject
        ("members", "i4", (2 * UNITS, 4)),
        ("discs", "f8", (2 * UNITS, 13)),
        ("gaps", "f8", (2, MARKERS)),
    ],
    align=True,
)


class Look(NamedTuple):
    """How a seat looks at the table."""

    turn: float  # 1, or -1 if the seat sees the table turned by half a turn
    length: float  # of the table
    width: float
    inch: float  # the length of an inch in the ruleset's unit


class Standing(NamedTuple):
    """Where units stand, as ``observation_places.gather`` found it."""

    places: Array  # by standing model: x, y, z, radius, facing
    order: Array  # by standing model: its row in `models`
    members: Array  # by unit: FIRST, COUNT, ALIKE, MOVED
    discs: Array  # by unit: the disc and the box round it


@inner_kernel
def fill_place(units: Array, u: int, first: int, row: int, out: Array) -> None:
    """Write where unit ``u`` is, and the unit that it is attached to or embarked in. ``first``: the first unit of its
    side.
    """
    U = UNIT_AT
    unit = units[u]
    place = unit["place"]
    if 0 <= place < PLACES:
        out[row + U.deploying + place] = 1.0
    if unit["leader"] >= 0:
        out[row + U.led] = 1.0
    if place == ATTACHED and unit["bodyguard"] >= 0:
        out[row + U.leads] = 1.0
        out[row + U.host] = (unit["bodyguard"] - first + 1) / UNITS
    elif unit["carrier"] >= 0:
        out[row + U.carried] = 1.0 if place == EMBARKED else 0.0
        out[row + U.host] = (unit["carrier"] - first + 1) / UNITS


@inner_kernel
def fill_strength(models: Array, units: Array, u: int, row: int, inch: float, out: Array) -> bool:
    """Write the losses of unit ``u`` and the characteristics of its first living model. Returns whether any model is
    left.
    """
    U = UNIT_AT
    alive = 0
    wounds = 0
    all_wounds = 0
    first_living = -1
    for n in range(member_count(units, u)):
        k = member(units, u, n)
        m = models[k]
        if m["unit"] != u:
            continue
        all_wounds += m["max_wounds"]
        if m["alive"] != 0:
            alive += 1
            wounds += m["wounds"]
            if first_living < 0:
                first_living = k
    out[row + U.models] = share(alive, 20.0)
    out[row + U.strength] = share(alive, units[u]["strength"])
    out[row + U.wounds_left] = share(wounds, all_wounds)
    out[row + U.wounds] = share(wounds, 40.0)
    if first_living < 0:
        return False
    m = models[first_living]
    out[row + U.wounds_each] = share(m["max_wounds"], 24.0)
    out[row + U.move] = share(m["move"], 24.0 * inch)
    out[row + U.base] = share(m["radius"], 5.0 * inch)
    out[row + U.height] = share(m["height"], 10.0 * inch)
    return True


@inner_kernel
def nearest_marker(objectives: Array, found: Standing, u: int, gaps: Array) -> float:
    """The distance from the closest model of unit ``u`` to the edge of the closest marker; lowers ``gaps`` (by marker)
    to the distances that are smaller.
    """
    places, members, discs = found.places, found.members, found.discs
    best = inf
    for o in range(len(objectives)):
        if objectives[o]["placed"] == 0:
            continue
        mx = objectives[o]["x"]
        my = objectives[o]["y"]
        limit = max(best, gaps[o]) + objectives[o]["radius"]
        if outside(discs, u, mx, my, mx, my) >= limit * limit:
            continue
        for n in range(members[u, FIRST], members[u, FIRST] + members[u, COUNT]):
            dx = mx - places[n, X]
            dy = my - places[n, Y]
            reach = limit + places[n, RADIUS]
            if dx * dx + dy * dy < reach * reach:
                away = max(0.0, sqrt(dx * dx + dy * dy) - places[n, RADIUS] - objectives[o]["radius"])
                gaps[o] = min(gaps[o], away)
                best = min(best, away)
    return best


@inner_kernel
def fill_unit_places(objectives: Array, found: Standing, u: int, look: Look, gaps: Array, row: int, out: Array) -> None:
    """Write the places of the standing models of unit ``u``, as far as a row of units shows them."""
    U = UNIT_AT
    discs = found.discs
    out[row + U.x] = signed(look.turn * (discs[u, X] - 0.5 * look.length), 0.5 * look.length)
    out[row + U.y] = signed(look.turn * (discs[u, Y] - 0.5 * look.width), 0.5 * look.width)
    out[row + U.spread] = share(discs[u, SPREAD], 12.0 * look.inch)
    out[row + U.facing_x] = look.turn * discs[u, LEAD_X]
    out[row + U.facing_y] = look.turn * discs[u, LEAD_Y]
    out[row + U.mean_facing_x] = signed(look.turn * discs[u, MEAN_X], 1.0)
    out[row + U.mean_facing_y] = signed(look.turn * discs[u, MEAN_Y], 1.0)
    out[row + U.z] = share(discs[u, TOP], 12.0 * look.inch)
    out[row + U.nearest_marker] = share(nearest_marker(objectives, found, u, gaps), FAR * look.inch)


@inner_kernel
def fill_army(
    models: Array,
    units: Array,
    objectives: Array,
    first: int,
    count: int,
    subject: int,
    found: Standing,
    look: Look,
    nearest: Array,
    gaps: Array,
    at: int,
    out: Array,
) -> float:
    """Write the rows of the units of one side, from ``out[at]`` on. Returns the part of the army that is left, weighed
    by points.

    Args:
        first, count: its units. subject: row of the unit that the decision is about. nearest: by slot, the distance of
            the closest enemy.
        gaps: by marker; becomes the distance of the side's closest model from its edge.
    """
    U = UNIT_AT
    left = 0.0
    all_points = 0.0
    for o in range(len(objectives)):
        gaps[o] = inf
    for slot in range(min(count, UNITS)):
        u = first + slot
        row = at + slot * UNIT_WIDTH
        unit = units[u]
        out[row + U.there] = 1.0
        out[row + U.points] = share(unit["points"], 400.0)
        out[row + U.capacity] = share(unit["capacity"], 20.0)
        out[row + U.subject] = 1.0 if subject == u else 0.0
        out[row + U.nearest_enemy] = share(nearest[slot], FAR * look.inch)
        out[row + U.nearest_marker] = 1.0
        fill_place(units, u, first, row, out)
        # for the army, count the models mustered in this row, in whatever unit they fight now
        wounds_left = 0
        wounds_full = 0
        for k in range(unit["first"], unit["first"] + unit["count"]):
            wounds_full += models[k]["max_wounds"]
            wounds_left += models[k]["wounds"] if models[k]["alive"] != 0 else 0
        all_points += max(1, unit["points"])
        left += max(1, unit["points"]) * share(wounds_left, wounds_full)
        if fill_strength(models, units, u, row, look.inch, out) and found.members[u, COUNT] > 0:
            fill_unit_places(objectives, found, u, look, gaps, row, out)
    return left / all_points if all_points > 0.0 else 0.0


@inner_kernel
def fill_markers(
    objectives: Array, seat: int, look: Look, gaps: Array, rows: Array, out: Array
) -> tuple[int, int]:  # fmt: skip
    """Write the rows of the markers, ordered from left to right as the seat sees them. Returns how many the seat and
    how many the other seat controls.

    ``rows``: becomes the row of each objective, -1 if it has none.
    """
    K = MARKER_AT
    turn, length, width, inch = look
    own_count = 0
    enemy_count = 0
    for o in range(min(MARKERS, len(objectives))):
        marker = objectives[o]
        rows[o] = -1
        if marker["placed"] == 0:
            continue
        rank = 0
        for other in range(min(MARKERS, len(objectives))):
            if objectives[other]["placed"] == 0 or other == o:
                continue
            ahead = turn * (marker["x"] - objectives[other]["x"])
            if abs(ahead) < 1e-6:
                ahead = turn * (marker["y"] - objectives[other]["y"])
            if ahead > 0.0:
                rank += 1
        rows[o] = rank
        row = MARKER + MARKER_WIDTH * rank
        out[row + K.there] = 1.0
        out[row + K.x] = signed(turn * (marker["x"] - 0.5 * length), 0.5 * length)
        out[row + K.y] = signed(turn * (marker["y"] - 0.5 * width), 0.5 * width)
        out[row + K.z] = share(marker["z"], 12.0 * inch)
        out[row + K.radius] = share(marker["radius"], 5.0 * inch)
        out[row + K.own_level] = share(marker["level0"] if seat == 0 else marker["level1"], 20.0)
        out[row + K.enemy_level] = share(marker["level1"] if seat == 0 else marker["level0"], 20.0)
        out[row + K.own_distance] = share(gaps[0, o], FAR * inch)
        out[row + K.enemy_distance] = share(gaps[1, o], FAR * inch)
        if marker["holder"] == seat:
            out[row + K.own] = 1.0
            own_count += 1
        elif marker["holder"] == 1 - seat:
            out[row + K.enemy] = 1.0
            enemy_count += 1
    return own_count, enemy_count


@kernel
def fill_models(models: Array, rows: Array, about: int, look: Look, out: Array) -> None:
    """Write the rows of the models for which the model slots stand. ``about``: row of the model that the decision is
    about.
    """
    C = MODEL_AT
    turn, length, width, inch = look
    for slot in range(MODELS):
        if rows[slot] < 0:
            break
        m = models[rows[slot]]
        row = MODEL + slot * MODEL_WIDTH
        out[row + C.there] = 1.0
        if m["on_table"] != 0:
            out[row + C.x] = signed(turn * (m["x"] - 0.5 * length), 0.5 * length)
            out[row + C.y] = signed(turn * (m["y"] - 0.5 * width), 0.5 * width)
            out[row + C.z] = share(m["z"], 12.0 * inch)
            out[row + C.facing_x] = turn * cos(m["facing"])
            out[row + C.facing_y] = turn * sin(m["facing"])
        out[row + C.wounds_left] = share(m["wounds"], m["max_wounds"])
        out[row + C.wounds_each] = share(m["max_wounds"], 24.0)
        out[row + C.base] = share(m["radius"], 5.0 * inch)
        out[row + C.height] = share(m["height"], 10.0 * inch)
        out[row + C.moved] = 1.0 if m["moved"] != 0 else 0.0
        out[row + C.asked] = 1.0 if rows[slot] == about else 0.0


@inner_kernel
def fill_relations(view: Array, inch: float, out: Array) -> None:
    """Write the core's fields of the wanted pairs of units."""
    v = view[0]
    distances = v["distances"]
    first = v["relations"] - RELATIONS
    for i in range(v["own_from"], v["own_to"]):
        for j in range(v["enemy_from"], v["enemy_to"]):
            if distances[i, j] >= 0.0:
                cell = first + (i - v["own_from"]) * v["own_stride"] + (j - v["enemy_from"]) * v["enemy_stride"]
                out[cell + RELATION_AT.there] = 1.0
                out[cell + RELATION_AT.distance] = share(distances[i, j], FAR * inch)


@inner_kernel
def want(
    view: Array, units: Array, seat: int, own: int, owns: int, enemy: int, enemies: int, subject: int, everything: bool
) -> None:
    """Note in ``view`` which relations are wanted: with ``everything``, of all pairs, behind the vector; otherwise
    those of the subject, in its part.
    """
    v = view[0]
    v["own_from"] = 0
    v["own_to"] = owns
    v["enemy_from"] = 0
    v["enemy_to"] = enemies
    v["relations"] = (SIZE if everything else SUBJECT) + RELATIONS
    v["own_stride"] = UNITS * RELATION_WIDTH if everything else RELATION_WIDTH
    v["enemy_stride"] = RELATION_WIDTH
    if not everything:
        if subject < 0:
            v["own_to"] = 0
        elif units[subject]["owner"] == seat:
            v["own_from"] = subject - own
            v["own_to"] = subject - own + 1
        else:
            v["enemy_from"] = subject - enemy
            v["enemy_to"] = subject - enemy + 1


@inner_kernel
def fill_decision(
    clock: Array,
    units: Array,
    seat: int,
    asked: int,
    x: float,
    y: float,
    half_x: float,
    half_y: float,
    look: Look,
    out: Array,
) -> None:
    """Write the part of the waiting decision. (x, y), ``half_x``, ``half_y``: the region of its cells, if ``asked`` is
    not ``NO_CELLS``.
    """
    C = DECISION_AT
    c = clock[0]
    if c["asking"] == 0:
        return
    out[DECISION + C.waiting] = 1.0
    out[DECISION + C.asked] = 1.0 if c["player"] == seat else 0.0
    if c["subject"] >= 0:
        own = units[c["subject"]]["owner"] == seat
        out[DECISION + (C.own_subject if own else C.enemy_subject)] = 1.0
    if 0 <= c["kind"] < KINDS:
        out[DECISION + C.kind_0 + c["kind"]] = 1.0
    if asked != NO_CELLS:
        out[DECISION + C.cells] = 1.0
        out[DECISION + C.moves] = 1.0 if asked == OF_MOVES else 0.0
        out[DECISION + C.x] = signed(look.turn * (x - 0.5 * look.length), 0.5 * look.length)
        out[DECISION + C.y] = signed(look.turn * (y - 0.5 * look.width), 0.5 * look.width)
        out[DECISION + C.span_x] = share(half_x, FAR * look.inch)
        out[DECISION + C.span_y] = share(half_y, FAR * look.inch)


@kernel
def clear(out: Array) -> None:
    """Set a vector that ``fill`` wrote to 0, except for the terrain. It skips rows behind the last one in use, which
    are 0 already.
    """
    for k in range(OWN):
        out[k] = 0.0
    for side in range(2):
        row = OWN if side == 0 else ENEMY
        end = row
        while end < row + UNITS * UNIT_WIDTH and out[end + UNIT_AT.there] != 0.0:
            end += UNIT_WIDTH
        for k in range(row, end):
            out[k] = 0.0
    for k in range(SUBJECT, MODEL):
        out[k] = 0.0
    end = MODEL
    while end < OPTION and out[end + MODEL_AT.there] != 0.0:
        end += MODEL_WIDTH
    for k in range(MODEL, end):
        out[k] = 0.0
    for row in range(OPTION, TERRAIN, OPTION_WIDTH):
        if out[row] != 0.0:
            for k in range(row, row + OPTION_WIDTH):
                out[k] = 0.0


@inner_kernel
def _list_models(subject: int, members: Array, order: Array, rows: Array) -> None:
    """List the standing models of the unit ``subject`` (-1: none) in ``rows``, and -1 behind them."""
    n = 0
    if subject >= 0:
        for k in range(members[subject, FIRST], members[subject, FIRST] + min(MODELS, members[subject, COUNT])):
            rows[n] = order[k]
            n += 1
    for slot in range(n, MODELS):
        rows[slot] = -1


@inner_kernel
def _fill_globals(players: Array, clock: Array, seat: int, rounds: int, look: Look, out: Array) -> None:
    """Write the fields of the battle as a whole, but for the armies and markers. ``rounds``: battle rounds."""
    C = GLOBAL_AT
    c = clock[0]
    me = players[seat]
    other = players[1 - seat]
    begun = c["round"] > 0  # before the first turn the columns say player 0, although it is nobody's turn
    out[GLOBALS + C.round] = share(c["round"], rounds)
    out[GLOBALS + C.own_turn] = 1.0 if begun and c["turn"] == seat else 0.0
    out[GLOBALS + C.first_player] = 1.0 if begun and c["first_player"] == seat else 0.0
    out[GLOBALS + C.attacker] = 1.0 if c["attacker"] == seat else 0.0
    out[GLOBALS + C.own_vp] = share(me["vp"], 100.0)
    out[GLOBALS + C.enemy_vp] = share(other["vp"], 100.0)
    out[GLOBALS + C.vp_lead] = signed(me["vp"] - other["vp"], 20.0)
    out[GLOBALS + C.step] = share(c["step"], 8.0)
    out[GLOBALS + C.length] = share(look.length, 120.0 * look.inch)
    out[GLOBALS + C.width] = share(look.width, 120.0 * look.inch)
    if 0 <= c["phase"] < PHASES:
        out[GLOBALS + C.phase_0 + c["phase"]] = 1.0


@kernel
def fill(
    models: Array, units: Array, players: Array, clock: Array, objectives: Array, seat: int, asked: int,
    x: float, y: float, half_x: float, half_y: float, about: int, listed: bool, again: bool, planes: Array,
    standing: Array, order: Array, scratch: Array, view: Array, out: Array,
) -> None:  # fmt: skip
    """Write the core's fields of the whole vector, and behind it those of all relations if everything is wanted.

    ``asked``: ``NO_CELLS``, ``OF_PLACES`` or ``OF_MOVES``; the cells lie round (x, y). ``about``: as in
    ``fill_models``. ``again``: whether ``out`` holds a vector that this function wrote. ``planes``: of the terrain,
    flat; empty if they are written already. ``standing``, ``order``, ``scratch``, distances of ``view``: see
    ``Memory``. ``listed``: whether ``rows`` of ``view`` are given; otherwise they become the models of the subject.
    """
    if again:
        clear(out)
    else:
        out[:TERRAIN] = 0.0
    for k in range(len(planes)):
        out[TERRAIN + k] = planes[k]
    rounds = scratch[0]["rounds"]
    length = scratch[0]["length"]
    width = scratch[0]["width"]
    inch = scratch[0]["inch"]
    members = scratch[0]["members"]
    discs = scratch[0]["discs"]
    gaps = scratch[0]["gaps"]
    nearest = view[0]["nearest"]
    rows = view[0]["rows"]
    C = GLOBAL_AT
    c = clock[0]
    me = players[seat]
    other = players[1 - seat]
    own = me["first_unit"]
    owns = min(me["units"], UNITS)
    enemy = other["first_unit"]
    enemies = min(other["units"], UNITS)
    look = Look(1.0 if c["attacker"] == seat else -1.0, length, width, inch)
    found = Standing(standing, order, members, discs)
    subject = c["subject"] if c["asking"] != 0 else -1
    _fill_globals(players, clock, seat, rounds, look, out)
    want(view, units, seat, own, owns, enemy, enemies, subject, scratch[0]["everything"] != 0)
    gather(models, units, standing, order, members, discs)
    if asked == OF_MOVES and subject >= 0:
        x = discs[subject, X]
        y = discs[subject, Y]
    fill_decision(clock, units, seat, asked, x, y, half_x, half_y, look, out)
    measure(models, standing, order, members, discs, own, owns, enemy, enemies, view)
    fill_relations(view, inch, out)
    for side in range(2):
        out[GLOBALS + C.own_left + side] = fill_army(
            models, units, objectives, own if side == 0 else enemy, owns if side == 0 else enemies, subject, found,
            look, nearest[side * UNITS :], gaps[side], OWN if side == 0 else ENEMY, out,
        )  # fmt: skip
    own_count, enemy_count = fill_markers(objectives, seat, look, gaps, view[0]["marker_rows"], out)
    out[GLOBALS + C.own_markers] = share(own_count, MARKERS)
    out[GLOBALS + C.enemy_markers] = share(enemy_count, MARKERS)

    if not listed:
        _list_models(subject, members, order, rows)
    fill_models(models, rows, about, look, out)
