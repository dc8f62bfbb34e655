"""Where reforms of a block end, and how far its models go in them (wap.move.reform, .manoeuvre.cap). Arguments as for
the kernels of ``ways.ways``.
"""

from __future__ import annotations

from math import pi

from wh_env.core.geometry.ranks import can_rearrange, centre_at, front_at
from wh_env.core.geometry.rects import body_inside
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel, kernel
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.blocks import from_middle, lay_out_ranks, unit_body
from wh_env.rulesets.wap.codes import RANK_AND_FILE
from wh_env.rulesets.wap.ways.ways import clear_at

ASIDE = 1e9  # of a place: it does not count
FINENESS = 20  # halvings of what a reform may cost


@inner_kernel
def set_aside(places: Array, count: int) -> int:
    """Close the ranks of ``count`` places over those that are marked with ``ASIDE``; returns how many are left."""
    left = 0
    for k in range(count):
        if places[k, 0] != ASIDE:
            places[left, 0] = places[k, 0]
            places[left, 1] = places[k, 1]
            left += 1
    return left


@inner_kernel
def old_places(models: Array, units: Array, u: int, old: Array) -> tuple[int, int]:
    """Fill ``old`` with the places of the ordinary models of a unit; returns how many they are, and how many command
    models.
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
    """Fill ``new`` with those that they may take at a pose in so many files."""
    unit = units[u]
    count = unit["block"]
    lay_out_ranks(unit, count, files, x, y, facing, new)
    for k in range(leaders):
        new[from_middle(k, files) if k < files else k, 0] = ASIDE
    if leaders > 0:
        set_aside(new, count)


@kernel
def reform_cost(
    models: Array,
    units: Array,
    u: int,
    files: int,
    facing: float,
    most: float,
    old: Array,
    new: Array,
    links: Array,
    work: Array,
) -> float:
    """Inches that the ordinary model goes which goes farthest in a reform of unit ``u`` about its centre, as few as can
    be, at most ``most``.
    """
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
    near: Array,
    points: Array,
    n: int,
    length: float,
    width: float,
    first: bool,
    body: Array,
    old: Array,
    new: Array,
    links: Array,
    work: Array,
    mask: Array,
) -> int:
    """Mark the facings in which unit ``u`` can stand after a reform into so many files about its centre; returns how
    many.

    Slot ``k`` of ``mask`` (bool) is the facing ``k * 2 pi / (len(mask) - 1)``, the last one that which it has;
    ``first``: one is enough. It must end on the table and clear, and no model may be displaced by more than ``most``
    inches, whichever takes which place (wap.move.reform, .manoeuvre.cap), command models aside, who go to the middle of
    the new front from wherever they were (wap.command.position.reform).
    """
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
        slot = angles - at  # the facing that it has comes first: it is seldom refused
        facing = unit["facing"] if slot == angles else slot * 2.0 * pi / angles
        x, y = front_at(count, files, a, apart, cx, cy, facing)
        if not body_inside(body, rows, x, y, facing, length, width, EPS):
            continue
        if not clear_at(near, points, n, body, rows, x, y, facing):
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
    near: Array,
    points: Array,
    n: int,
    length: float,
    width: float,
    body: Array,
    old: Array,
    new: Array,
    links: Array,
    work: Array,
) -> bool:
    """Whether a reform of unit ``u`` into so many files can end with the facing that it has; the rest as for
    ``reform_ends``.
    """
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
    if not clear_at(near, points, n, body, rows, x, y, facing):
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
    near: Array,
    points: Array,
    n: int,
    length: float,
    width: float,
    body: Array,
    old: Array,
    new: Array,
    links: Array,
    work: Array,
    mask: Array,
    fine: Array,
) -> None:
    """Mark in ``fine`` (bool, the first slot for one file) into how many files, from ``least`` to ``widest``, unit
    ``u`` can reform with any facing; the rest as for ``reform_ends``.
    """
    for k in range(len(fine)):
        fine[k] = False
        if least <= k + 1 <= widest:
            fine[k] = (
                reform_ends(
                    models,
                    units,
                    u,
                    k + 1,
                    most,
                    near,
                    points,
                    n,
                    length,
                    width,
                    True,
                    body,
                    old,
                    new,
                    links,
                    work,
                    mask,
                )
                > 0
            )
