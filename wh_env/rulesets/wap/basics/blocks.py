"""A block and what follows from it: the places of its models, its rectangles (``parts``), its Unit Strength.

Formation: wap.core.unit.formation, .even-ranks: ranks base to base, a short rear rank in the middle. Nothing else
writes places: after changing a pose, a number of files or models, call ``lay_out_unit``.
"""

from __future__ import annotations

from math import cos, hypot, sin

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.ranks import HALF_A, HALF_B, U, V, body_of, lay_out, on_table_at, place_in, span_of
from wh_env.core.geometry.shapes import overlap_at
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import ATTACHED, ON_TABLE, RECT, Array
from wh_env.rulesets.wap.basics.files import driver_place, file_bits, from_middle, has_file
from wh_env.rulesets.wap.basics.standing import settle
from wh_env.rulesets.wap.codes import AT_THE_LEFT, WAR_MACHINE
from wh_env.rulesets.wap.tables import PARTS

MOST_POSTS = 60  # the first files from the right: only in these can command models be put


@inner_kernel
def front_span(unit: Array, abreast: int) -> float:
    """Inches of the front edge of a unit with ``abreast`` models in its front rank, and a character beside it who does
    not fit in (wap.character.base.misfit).
    """
    return span_of(abreast, float(unit["base_b"]), float(unit["spacing"])) + abs(float(unit["wider"]))


@inner_kernel
def ranks_aside(unit: Array) -> float:
    """Inches to the left from the middle of the front edge to the middle of the ranks: not 0 if a character beside them
    is part of the front.
    """
    return -0.5 * float(unit["wider"])


@inner_kernel
def rear_aside(unit: Array, count: int, files: int) -> float:
    """Inches to the left from the middle of the ranks to the middle of the short rank of ``count`` models in ``files``
    files. Not 0 only if a character's base reaches into that rank from the ranks before it
    (wap.character.base.multiple).
    """
    if unit["rear_shift"] == 0 or count != unit["block"] or files != unit["files"]:
        return 0.0
    return float(unit["rear_shift"] * (unit["base_b"] + 0.5 * unit["spacing"]))


@inner_kernel
def place_in_block(unit: Array, files: int, k: int) -> tuple[float, float]:
    """Inches ahead of the middle of the front edge (below 0: behind) and to its left of place ``k`` of a unit
    (``place_in``).
    """
    count = int(unit["block"])
    ahead, aside = place_in(count, files, float(unit["base_a"]), float(unit["base_b"]), float(unit["spacing"]), k)
    if k >= count // files * files:
        aside += rear_aside(unit, count, files)
    return ahead, aside + ranks_aside(unit)


@inner_kernel
def beside_aside(unit: Array, abreast: int) -> float:
    """Inches to the left from the middle of the front edge to the middle of the character who stands at its end."""
    out = 0.5 * (front_span(unit, abreast) - abs(float(unit["wider"])))
    return out if unit["wider"] > 0.0 else -out


@inner_kernel
def unit_body(unit: Array, count: int, files: int, body: Array) -> int:
    """``body_of`` a unit with ``count`` models in ``files`` files, with a character beside its ranks. Returns how many
    rows of ``body`` it fills.
    """
    rows = body_of(count, files, float(unit["base_a"]), float(unit["base_b"]), float(unit["spacing"]), body)
    if rows > 1:
        body[1, V] += rear_aside(unit, count, files)
    if unit["wider"] == 0.0:
        return rows
    for k in range(rows):
        body[k, V] += ranks_aside(unit)
    body[rows, U] = -unit["beside_a"]
    body[rows, V] = beside_aside(unit, min(files, count))
    body[rows, HALF_A] = unit["beside_a"]
    body[rows, HALF_B] = 0.5 * abs(unit["wider"])
    return rows + 1


@inner_kernel
def lay_out_ranks(unit: Array, count: int, files: int, x: float, y: float, f: float, places: Array) -> None:
    """``lay_out`` of the ranks of a unit whose front edge has its middle at (x, y) and faces ``f``; fills
    ``places``.
    """
    x, y = on_table_at(x, y, f, 0.0, ranks_aside(unit))
    lay_out(count, files, float(unit["base_a"]), float(unit["base_b"]), float(unit["spacing"]), x, y, f, places)
    shifted = rear_aside(unit, count, files)
    if shifted != 0.0:
        for k in range(count // files * files, count):
            places[k, 0], places[k, 1] = on_table_at(places[k, 0], places[k, 1], f, 0.0, shifted)


@inner_kernel
def put_part(part: Array, x: float, y: float, f: float, behind: float, depth: float, across: float) -> None:
    """Write one rectangle: its front ``behind`` inches behind (x, y), ``depth`` deep and ``across`` wide."""
    part["x"], part["y"] = on_table_at(x, y, f, -behind - 0.5 * depth, 0.0)
    part["facing"] = f
    part["half_a"] = 0.5 * depth
    part["half_b"] = 0.5 * across
    part["radius"] = hypot(0.5 * depth, 0.5 * across)
    part["shape"] = RECT
    part["on_table"] = 1


@inner_kernel
def block_parts(units: Array, u: int, x: float, y: float, f: float, files: int, parts: Array, first: int) -> int:
    """Write the rectangles of unit ``u`` with the middle of its front edge at (x, y), facing ``f``, in ``files`` files,
    to ``parts[first : first + PARTS]``; unused rows are off the table. Returns how many are used.
    """
    unit = units[u]
    filled = unit["block"]
    a = unit["base_a"]
    b = unit["base_b"]
    apart = unit["spacing"]
    for n in range(PARTS):
        part = parts[first + n]
        part["x"] = 0.0
        part["y"] = 0.0
        part["facing"] = 0.0
        part["half_a"] = 0.0
        part["half_b"] = 0.0
        part["radius"] = 0.0
        part["on_table"] = 0
    if filled == 0 or files == 0:
        return 0
    abreast = min(files, filled)
    full = filled // abreast
    left = filled - full * abreast
    depth = span_of(full, a, apart)
    count = 0
    if unit["wider"] != 0.0:
        bx, by = on_table_at(x, y, f, 0.0, beside_aside(unit, abreast))
        put_part(parts[first + 2], bx, by, f, 0.0, 2.0 * unit["beside_a"], abs(unit["wider"]))
        x, y = on_table_at(x, y, f, 0.0, ranks_aside(unit))
        count = 1
    put_part(parts[first], x, y, f, 0.0, depth, span_of(abreast, b, apart))
    if left == 0:
        return count + 1
    x, y = on_table_at(x, y, f, 0.0, rear_aside(unit, filled, files))
    put_part(parts[first + 1], x, y, f, depth + apart, 2.0 * a, span_of(left, b, apart))
    return count + 2


@inner_kernel
def stands_in(units: Array, c: int, u: int) -> bool:
    """Whether unit ``c`` is a character in the block of unit ``u``."""
    return bool(units[c]["bodyguard"] == u and units[c]["place"] == ATTACHED and units[c]["alive"] == 1)


@inner_kernel
def charges_out_of(units: Array, c: int, u: int) -> bool:
    """Whether unit ``c`` is a character who charges out of the block of unit ``u``: his place in it stays empty until
    he has moved (wap.character.leave.charge).
    """
    return bool(units[c]["out_of"] == u and units[c]["place"] == ON_TABLE)


@inner_kernel
def places_under(units: Array, c: int, u: int) -> tuple[int, int]:
    """Files and ranks of unit ``u`` that the base of character ``c`` takes (wap.character.base.multiple)."""
    wide = int(units[c]["base_b"] / units[u]["base_b"] + 0.5)
    deep = int(units[c]["base_a"] / units[u]["base_a"] + 0.5)
    return max(1, wide), max(1, deep)


@inner_kernel
def first_of_rear(unit: Array, standing: int) -> int:
    """The file of the block at which a short rank of ``standing`` models begins, if a character's base reaches
    into it.
    """
    return int((unit["rear_shift"] + unit["files"] - standing) // 2)


@inner_kernel
def is_taken(models: Array, units: Array, u: int, rank: int, file: int, standing: int) -> bool:
    """Whether a place is under the base of a character. In a short rank of ``standing`` models, ``file`` counts from
    the right end of that rank.
    """
    for c in range(len(units)):
        out = charges_out_of(units, c, u)
        if units[c]["beside"] == 0 and (out or stands_in(units, c, u)):
            wide, deep = places_under(units, c, u)
            m = models[units[c]["first"]]
            first = m["post"] if out else m["file"]
            if rank > m["rank"] and standing < units[u]["files"]:
                first -= first_of_rear(units[u], standing)
            if m["rank"] <= rank < m["rank"] + deep and first <= file < first + wide:
                return True
    return False


@inner_kernel
def put_character(models: Array, units: Array, u: int, c: int, files: int, rank: int, file: int) -> None:
    """Put character ``c`` into the block of unit ``u``, the right front corner of his base at (rank, file)."""
    unit = units[u]
    m = models[units[c]["first"]]
    wide, _ = places_under(units, c, u)
    a = unit["base_a"]
    b = unit["base_b"]
    m["rank"] = rank
    m["file"] = file
    ahead, aside = place_in_block(unit, files, rank * files + file)
    aside += 0.5 * (wide - 1) * (2.0 * b + unit["spacing"])
    ahead += a - units[c]["base_a"]
    m["x"], m["y"] = on_table_at(unit["x"], unit["y"], unit["facing"], ahead, aside)
    m["facing"] = unit["facing"]
    m["on_table"] = 1


@inner_kernel
def put_beside(models: Array, units: Array, u: int, c: int, files: int) -> None:
    """Put character ``c`` at the end of the front rank of unit ``u`` where he stands, in line with it
    (wap.character.base.misfit).
    """
    unit = units[u]
    m = models[units[c]["first"]]
    m["rank"] = 0
    m["file"] = files if units[c]["beside"] == AT_THE_LEFT else -1
    m["x"], m["y"] = on_table_at(unit["x"], unit["y"], unit["facing"], -units[c]["base_a"], beside_aside(unit, files))
    m["facing"] = unit["facing"]
    m["on_table"] = 1


@inner_kernel
def has_room_behind(unit: Array, files: int, wide: int, deep: int) -> bool:
    """Whether the ranks behind the front rank are wide and deep enough for a base of ``wide`` files and ``deep``
    ranks.
    """
    filled = int(unit["block"])
    return min(files, filled - files) >= wide and (deep == 1 or filled // files > deep)


@inner_kernel
def hide_behind(models: Array, units: Array, u: int, c: int, files: int) -> bool:
    """Put character ``c`` of unit ``u`` behind its front rank, beside all other bases and as near the middle of the
    second as he then can (wap.challenge.refuse.replaced). Returns whether there is such a place.
    """
    wide, _ = places_under(units, c, u)
    standing = min(files, int(units[u]["block"]) - files)
    models[units[c]["first"]]["file"] = -wide  # nowhere yet
    for n in range(standing - wide + 1):
        at = from_middle(n, standing - wide + 1)
        taken = False
        for file in range(at, at + wide):
            taken = taken or is_taken(models, units, u, 1, file, standing)
        if not taken:
            put_character(models, units, u, c, files, 1, at)
            return True
    return False


@inner_kernel
def put_characters(models: Array, units: Array, u: int, files: int) -> int:
    """Put the characters of a block into its front rank, where their player wants them or in the middle; if they do not
    find room so, side by side from both ends (wap.character.position.front-rank). Returns the files of the front rank
    that they take, as bits.
    """
    taken = put_abreast(models, units, u, files, False)
    return taken if taken >= 0 else put_abreast(models, units, u, files, True)


@inner_kernel
def put_abreast(models: Array, units: Array, u: int, files: int, packed: bool) -> int:
    """``put_characters``; ``packed``: side by side from both ends, those whose bases reach into a short rank from the
    right one. Returns -1 if one of them finds no room.
    """
    unit = units[u]
    taken = 0
    most = min(files, MOST_POSTS)
    driving = 0
    full = unit["block"] // files
    short = unit["block"] - full * files
    # files from ``low`` to before ``high`` are those of bases that reach into a short rank: these bases stand side by
    # side in it
    low = MOST_POSTS
    high = 0
    for k in range(2 * len(units)):
        c = k % len(units)
        wide, deep = places_under(units, c, u)
        hides = units[c]["cowers"] == 1 and has_room_behind(unit, files, wide, deep)
        if hides != (k >= len(units)):  # those who hide come last
            continue
        if units[c]["beside"] != 0:
            if stands_in(units, c, u):
                put_beside(models, units, u, c, files)
            continue
        if charges_out_of(units, c, u):
            taken |= file_bits(models[units[c]["first"]]["post"], wide)
        if not stands_in(units, c, u):
            continue
        if units[c]["drives"] == 1:
            rank, file = driver_place(unit["block"], files, driving)
            put_character(models, units, u, c, files, rank, file)
            taken |= file_bits(file, 1) if rank == 0 else 0
            driving += 1
            continue
        if hides and hide_behind(models, units, u, c, files):
            continue
        juts = full < deep and short > 0
        at = -1 if packed else models[units[c]["first"]]["post"]
        n = 0
        while not has_file(taken, at, wide, most, short - max(high, at + wide) + min(low, at) if juts else 0):
            if n == most and not packed:
                return -1
            if n == most:
                at = 0
                break
            at = from_middle(n, most) if not packed else n if juts else most - wide - n
            n += 1
        taken |= file_bits(at, wide)
        if juts:
            low = min(low, at)
            high = max(high, at + wide)
            first = max(high - short, min(low, (files - short) // 2))
            unit["rear_shift"] = 2 * first - (files - short)
        put_character(models, units, u, c, files, 0, at)
    return taken


@inner_kernel
def put_nowhere(m: Array) -> None:
    """Take a model off the table."""
    m["on_table"] = 0
    m["x"] = 0.0
    m["y"] = 0.0
    m["facing"] = 0.0
    m["rank"] = -1
    m["file"] = -1


@inner_kernel
def count_block(models: Array, units: Array, u: int) -> int:
    """Write how many places a block fills and its Unit Strength. Takes its characters off the table until they are put
    into it; returns how many stand in it or charge out of it.
    """
    unit = units[u]
    unit["block"] = unit["alive"]
    unit["us"] = unit["alive"] * unit["each"]
    if unit["kind"] == WAR_MACHINE:  # its crew (wap.troop.war-machine.unit-strength)
        unit["us"] = models[unit["first"]]["wounds"]
    unit["wider"] = 0.0
    unit["beside_a"] = 0.0
    unit["rear_shift"] = 0
    found = 0
    for c in range(len(units)):
        beside = units[c]["beside"] != 0 and (stands_in(units, c, u) or charges_out_of(units, c, u))
        if beside:
            unit["wider"] = 2.0 * units[c]["base_b"] * (1.0 if units[c]["beside"] == AT_THE_LEFT else -1.0)
            unit["beside_a"] = units[c]["base_a"]
        if units[c]["bodyguard"] == u and units[c]["place"] == ATTACHED:
            put_nowhere(models[units[c]["first"]])
        if charges_out_of(units, c, u):
            wide, deep = places_under(units, c, u)
            unit["block"] += 0 if beside else wide * deep
            found += 1
        if stands_in(units, c, u):
            wide, deep = places_under(units, c, u)
            unit["block"] += 0 if beside else wide * deep
            unit["us"] += units[c]["each"]
            units[c]["block"] = 1
            units[c]["us"] = units[c]["each"]
            found += 1
    if unit["garrison"] >= 0 and unit["block"] > 0:  # one place as large as the building
        unit["block"] = 1
        unit["wider"] = 0.0
        unit["beside_a"] = 0.0
    return found


@inner_kernel
def lay_inside(models: Array, units: Array, u: int) -> None:
    """Put all models of garrison ``u``, with the characters in it, into the middle of the building, abreast: any of
    them may stand at a window or a door.
    """
    unit = units[u]
    x, y = on_table_at(unit["x"], unit["y"], unit["facing"], -unit["base_a"], 0.0)
    file = 0
    for c in range(len(units)):
        if c != u and not stands_in(units, c, u):
            continue
        for k in range(units[c]["first"], units[c]["first"] + units[c]["count"]):
            m = models[k]
            if m["alive"] == 0:
                put_nowhere(m)
                continue
            m["x"] = x
            m["y"] = y
            m["facing"] = unit["facing"]
            m["on_table"] = 1
            m["rank"] = 0
            m["file"] = file
            file += 1


@inner_kernel
def _put_at_posts(models: Array, unit: Array, files: int, taken: int) -> int:
    """Put living models of a unit at their posts, files of the front rank; all others get rank -1. ``taken``: the files
    that are taken already, as bits. Returns those that are taken then. Without ``files`` nobody is put anywhere.
    """
    for k in range(unit["first"], unit["first"] + unit["count"]):
        post = models[k]["post"]
        models[k]["rank"] = -1
        if post >= 0 and models[k]["alive"] == 1 and post < min(files, MOST_POSTS) and not (taken >> post) & 1:
            taken |= 1 << post
            models[k]["rank"] = 0
            models[k]["file"] = post
    return taken


@kernel
def lay_out_unit(models: Array, units: Array, parts: Array, u: int) -> None:
    """Write all that follows from the block of unit ``u``: places, ranks and files of its models, its parts, its Unit
    Strength (wap.core.us.compute: models times the Unit Strength of one). A character in another block: lays out that
    block.

    Living models fill the ranks from the front in the order of their rows, the front rank from the middle. So losses
    come off the rear rank (wap.core.casualties.rear-rank), and a loss in front is replaced from behind (.fill-gap).
    Command models have the first rows: they stand in front, where their player has put them or in the middle, and in
    the next rank if there is no room (wap.command.position.front-rank). Characters in the unit go before all others
    (wap.character.position.front-rank, .base.same-size, .base.multiple).
    """
    if units[u]["place"] == ATTACHED:
        u = units[u]["bodyguard"]
    unit = units[u]
    before = float(unit["wider"])
    joined = count_block(models, units, u)
    if unit["wider"] != before:  # the middle of the front edge moves, so that the ranks stay
        unit["x"], unit["y"] = on_table_at(unit["x"], unit["y"], unit["facing"], 0.0, 0.5 * (unit["wider"] - before))
    here = unit["place"] == ON_TABLE and unit["alive"] > 0
    files = min(unit["files"], unit["block"])
    x, y, f = unit["x"], unit["y"], unit["facing"]
    if here and unit["garrison"] >= 0:
        block_parts(units, u, x, y, f, 1, parts, unit["first_part"])
        lay_inside(models, units, u)
        return
    # files of the front rank that are taken, as bits
    taken = put_characters(models, units, u, files) if joined > 0 and here else 0
    block_parts(units, u, x, y, f, files if here else 0, parts, unit["first_part"])
    taken = _put_at_posts(models, unit, files if here else 0, taken)
    front = 0
    n = files
    for k in range(unit["first"], unit["first"] + unit["count"]):
        m = models[k]
        if not here or m["alive"] == 0:
            put_nowhere(m)
            continue
        while front < files and (taken >> min(MOST_POSTS, from_middle(front, files))) & 1:
            front += 1
        if m["rank"] == 0:
            rank = 0
            file = m["file"]
        elif front < files:
            rank = 0
            file = from_middle(front, files)
            front += 1
        else:
            while joined > 0 and is_taken(
                models, units, u, n // files, n % files, min(files, unit["block"] - n // files * files)
            ):
                n += 1
            rank, file = n // files, n % files
            n += 1
        ahead, aside = place_in_block(unit, files, rank * files + file)
        m["x"], m["y"] = on_table_at(x, y, f, ahead, aside)
        m["facing"] = f
        m["on_table"] = 1
        m["rank"] = rank
        m["file"] = file


@kernel
def derive_all(models: Array, units: Array, parts: Array) -> None:
    """Lay out every unit with a block of its own."""
    for u in range(len(units)):
        if units[u]["place"] != ATTACHED:
            lay_out_unit(models, units, parts, u)


@kernel
def block_distance(parts: Array, units: Array, a: int, b: int) -> float:
    """Inches between the nearest bases of two units (wap.core.measure.unit-to-unit, .base-to-base); inf if one is not
    on the table.
    """
    best = float("inf")
    for i in range(units[a]["first_part"], units[a]["first_part"] + PARTS):
        for j in range(units[b]["first_part"], units[b]["first_part"] + PARTS):
            if parts[i]["on_table"] == 1 and parts[j]["on_table"] == 1:
                best = min(best, part_gap(parts[i], parts[j]))
    return best


@kernel
def blocks_overlap(parts: Array, units: Array, a: int, b: int) -> bool:
    """Whether two units on the table overlap by more than outlines that only touch."""
    for i in range(units[a]["first_part"], units[a]["first_part"] + PARTS):
        for j in range(units[b]["first_part"], units[b]["first_part"] + PARTS):
            p = parts[i]
            q = parts[j]
            if p["on_table"] == 1 and q["on_table"] == 1:
                if overlap_at(parts, i, p["x"], p["y"], p["facing"], j, q["x"], q["y"], q["facing"]):
                    return True
    return False


@inner_kernel
def corner_gap(p: Array, q: Array) -> float:
    """Least inches from a corner of rectangle ``p`` to rectangle ``q``; 0 if one is inside."""
    cp = cos(p["facing"])
    sp = sin(p["facing"])
    cq = cos(q["facing"])
    sq = sin(q["facing"])
    best = float("inf")
    for n in range(4):
        a = p["half_a"] if n < 2 else -p["half_a"]
        b = p["half_b"] if n % 2 == 0 else -p["half_b"]
        dx = p["x"] + cp * a - sp * b - q["x"]
        dy = p["y"] + sp * a + cp * b - q["y"]
        u = max(0.0, abs(cq * dx + sq * dy) - q["half_a"])
        v = max(0.0, abs(cq * dy - sq * dx) - q["half_b"])
        best = min(best, hypot(u, v))
    return best


@inner_kernel
def apart_along(p: Array, q: Array) -> float:
    """Greatest gap in inches between two rectangles across a side of ``p``; below 0: minus the least overlap there."""
    c = cos(p["facing"])
    s = sin(p["facing"])
    dx = q["x"] - p["x"]
    dy = q["y"] - p["y"]
    turn = q["facing"] - p["facing"]
    ct = abs(cos(turn))
    st = abs(sin(turn))
    along = abs(c * dx + s * dy) - p["half_a"] - q["half_a"] * ct - q["half_b"] * st
    across = abs(c * dy - s * dx) - p["half_b"] - q["half_a"] * st - q["half_b"] * ct
    return float(max(along, across))


@inner_kernel
def signed_gap(p: Array, q: Array) -> float:
    """Inches between two rectangles; if they overlap, minus the depth."""
    depth = max(apart_along(p, q), apart_along(q, p))
    return depth if depth < 0.0 else min(corner_gap(p, q), corner_gap(q, p))


@inner_kernel
def part_gap(p: Array, q: Array) -> float:
    """Inches between two rectangles; 0 if they overlap or touch."""
    return max(0.0, signed_gap(p, q))


# ---------------------------------------------------------------- for procedures


def derive(g: BattleCore, unit: int) -> None:
    """Lay out a unit after its block has changed (``lay_out_unit``)."""
    g.work.call(lay_out_unit, g.models.rows, g.units.rows, g.parts.rows, unit)
    if g.setup.statics["standing"] is not None:
        settle(g, unit)


def set_block(g: BattleCore, unit: int, x: float, y: float, facing: float, files: int) -> None:
    """Set pose and files of a unit and lay it out. All poses and files of units are set here."""
    u = g.units
    u.x[unit], u.y[unit], u.facing[unit], u.files[unit] = x, y, facing, files
    derive(g, unit)


def distance(g: BattleCore, unit: int, other: int) -> float:
    """Inches between two units; may be measured at any time (wap.core.measure.premeasure)."""
    return float(g.work.call(block_distance, g.parts.rows, g.units.rows, unit, other))
