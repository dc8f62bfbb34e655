"""Where reforms of a block end, and how far its models go in them (wap.move.reform, .manoeuvre.cap). The kernels take
the arguments of those in ``ways.ways``.
"""

from __future__ import annotations

from math import pi

from wh_env.core.geometry.near import Way
from wh_env.core.geometry.ranks import can_rearrange, centre_at, front_at
from wh_env.core.geometry.rects import body_inside
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import lay_out_ranks, unit_body
from wh_env.rulesets.wap.basics.files import from_middle
from wh_env.rulesets.wap.codes import RANK_AND_FILE
from wh_env.rulesets.wap.ways.way_room import ReformRoom
from wh_env.rulesets.wap.ways.ways import clear_at

ASIDE = 1e9  # x of a place that is left out
FINENESS = 20  # bisection steps for the cost of a reform


@inner_kernel
def set_aside(places: Array, count: int) -> int:
    """Remove the places marked with ``ASIDE`` from the first ``count`` rows of ``places`` and close the gaps. Returns
    how many are left.
    """
    left = 0
    for k in range(count):
        if places[k, 0] != ASIDE:
            places[left, 0] = places[k, 0]
            places[left, 1] = places[k, 1]
            left += 1
    return left


@inner_kernel
def old_places(models: Array, units: Array, u: int, old: Array) -> tuple[int, int]:
    """Fill ``old`` with the present places of the ordinary models of unit ``u``. Returns their number and that of its
    command models.
    """
    unit = units[u]
    count = unit["block"]
    lay_out_ranks(unit, count, unit["files"], unit["x"], unit["y"], unit["facing"], old)
    leaders = 0
    for k in range(unit["first"], unit["first"] + unit["count"]):
        if models[k]["alive"] == 1 and models[k]["role"] != RANK_AND_FILE:
            old[models[k]["rank"] * unit["files"] + models[k]["file"], 0] = ASIDE
            leaders += 1
    if leaders > 0:
        count = set_aside(old, count)
    return count, leaders


@inner_kernel
def new_places(units: Array, u: int, files: int, x: float, y: float, facing: float, leaders: int, new: Array) -> None:
    """Fill ``new`` with the places that the ordinary models of unit ``u`` may take at a pose in ``files`` files. The
    ``leaders`` command models have the places from the middle of the front outwards, which are left out.
    """
    unit = units[u]
    count = unit["block"]
    lay_out_ranks(unit, count, files, x, y, facing, new)
    for k in range(leaders):
        new[from_middle(k, files) if k < files else k, 0] = ASIDE
    if leaders > 0:
        set_aside(new, count)


@kernel
def reform_cost(models: Array, units: Array, u: int, files: int, facing: float, most: float, room: ReformRoom) -> float:
    """The cost of a reform of unit ``u`` about its centre: the inches that its farthest-going ordinary model goes, if
    models take the places that make this least. At most ``most``.
    """
    old, new, links, work = room.old, room.new, room.links, room.work
    unit = units[u]
    count = unit["block"]
    a = unit["base_a"]
    apart = unit["spacing"]
    cx, cy = centre_at(count, unit["files"], a, apart, unit["x"], unit["y"], unit["facing"])
    plain, leaders = old_places(models, units, u, old)
    x, y = front_at(count, files, a, apart, cx, cy, facing)
    new_places(units, u, files, x, y, facing, leaders, new)
    low = 0.0
    for _ in range(FINENESS):
        middle = 0.5 * (low + most)
        if can_rearrange(old, new, plain, middle, links, work):
            most = middle
        else:
            low = middle
    return most


@kernel
def reform_ends(
    models: Array,
    units: Array,
    u: int,
    files: int,
    most: float,
    way: Way,
    length: float,
    width: float,
    first: bool,
    room: ReformRoom,
    mask: Array,
) -> int:
    """Mark the facings at which unit ``u`` can end a reform into ``files`` files about its centre. Returns how many it
    marked.

    Slot ``k`` of ``mask`` (bool) is the facing ``k * 2 pi / (len(mask) - 1)``; the last slot is the present facing.
    With ``first`` it stops at the first facing found. The unit must end clear and on the table. The models may take any
    places, but none may be displaced by more than ``most`` inches (wap.move.reform, .manoeuvre.cap). Command models are
    exempt: they go to the middle of the new front from wherever they were (wap.command.position.reform).
    """
    near, points, n = way.near, way.points, way.n
    body, old, new, links, work = room
    unit = units[u]
    count = unit["block"]
    a = unit["base_a"]
    apart = unit["spacing"]
    cx, cy = centre_at(count, unit["files"], a, apart, unit["x"], unit["y"], unit["facing"])
    plain, leaders = old_places(models, units, u, old)
    rows = unit_body(unit, count, files, body)
    angles = len(mask) - 1
    found = 0
    for slot in range(angles + 1):
        mask[slot] = False
    for at in range(angles + 1):
        slot = angles - at  # the present facing comes first: it is seldom refused
        facing = unit["facing"] if slot == angles else slot * 2.0 * pi / angles
        x, y = front_at(count, files, a, apart, cx, cy, facing)
        if not body_inside(body, rows, x, y, facing, length, width, EPS):
            continue
        if not clear_at(Way(near, points, n, body, rows), x, y, facing):
            continue
        new_places(units, u, files, x, y, facing, leaders, new)
        if can_rearrange(old, new, plain, most, links, work):
            mask[slot] = True
            found += 1
            if first:
                return found
    return found


@kernel
def reforms_into(
    models: Array,
    units: Array,
    u: int,
    files: int,
    most: float,
    way: Way,
    length: float,
    width: float,
    room: ReformRoom,
) -> bool:
    """Whether a reform of unit ``u`` into ``files`` files can end at its present facing. Other arguments as for
    ``reform_ends``.
    """
    near, points, n = way.near, way.points, way.n
    body, old, new, links, work = room
    unit = units[u]
    count = unit["block"]
    a = unit["base_a"]
    apart = unit["spacing"]
    facing = unit["facing"]
    cx, cy = centre_at(count, unit["files"], a, apart, unit["x"], unit["y"], facing)
    rows = unit_body(unit, count, files, body)
    x, y = front_at(count, files, a, apart, cx, cy, facing)
    if not body_inside(body, rows, x, y, facing, length, width, EPS):
        return False
    if not clear_at(Way(near, points, n, body, rows), x, y, facing):
        return False
    plain, leaders = old_places(models, units, u, old)
    new_places(units, u, files, x, y, facing, leaders, new)
    return bool(can_rearrange(old, new, plain, most, links, work))


@kernel
def reform_files(
    models: Array,
    units: Array,
    u: int,
    least: int,
    widest: int,
    most: float,
    way: Way,
    length: float,
    width: float,
    room: ReformRoom,
    mask: Array,
    fine: Array,
) -> None:
    """Mark in ``fine`` (bool, slot 0: one file) the numbers of files, from ``least`` to ``widest``, into which unit
    ``u`` can reform at some facing. Other arguments as for ``reform_ends``.
    """
    for k in range(len(fine)):
        fine[k] = False
        if least <= k + 1 <= widest:
            fine[k] = reform_ends(models, units, u, k + 1, most, way, length, width, True, room, mask) > 0
