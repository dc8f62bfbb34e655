"""Whether a unit has room in another form where it stands: in fewer files, with its characters in other places, with
more or fewer models (wap.move.one-inch, .manoeuvre.one-inch).

Each change of a block that is no move of its unit asks this. ``before`` is always the ``outline_of`` the block before
the change: a unit may stay as near to others as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import cos, sin, tau

from wh_env.core.battle import BattleCore
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.passage import ground_to_stand_in
from wh_env.rulesets.wap.basics.room import may_stand
from wh_env.rulesets.wap.tables import PARTS

STEP, STEPS = 0.1, 20  # inches of a step by which a unit is moved to find room, and the most steps
WAYS = tuple(tau * n / 12 for n in (6, 5, 7, 4, 8, 3, 9, 2, 10, 1, 11, 0))  # from its facing, in turn: back first


@contextmanager
def tried_out(g: BattleCore) -> Iterator[None]:
    """A context for trying changes: when it ends, the battle is as before."""
    before = g.buffer.copy()  # bytes; numpy copies rows column by column, a hundred times as slowly
    try:
        yield
    finally:
        g.buffer[:] = before


def rectangles(g: BattleCore, unit: int) -> Array:
    """The rows of ``parts`` of a unit."""
    first = g.units.first_part[unit]
    return g.parts.rows[first : first + PARTS]


def outline_of(g: BattleCore, unit: int) -> Array:
    """A copy of the rectangles of a unit."""
    return rectangles(g, unit).copy()


def inches_to_keep(g: BattleCore, unit: int) -> float:
    """Inches that a unit keeps from others when its form changes: an inch; in a fight it must only overlap nobody."""
    return 0.0 if g.units.fights[unit] else float(g.setup.rules["one_inch"])


def has_room_now(g: BattleCore, unit: int, before: Array, *moved: float) -> bool:
    """Whether a unit has room in the form that it has now, where it stands or ``moved`` (x, y) inches."""
    u, setup, parts, first = g.units, g.setup, g.parts.rows.copy(), g.units.first_part[unit]
    parts[first : first + PARTS] = before
    dx, dy = moved or (0.0, 0.0)
    return bool(
        g.work.call(
            may_stand, g.troops._replace(parts=parts), ground_to_stand_in(g, unit), setup.corners, setup.length,
            setup.width, unit, u.x[unit] + dx, u.y[unit] + dy, u.facing[unit], u.files[unit], inches_to_keep(g, unit),
            g.work.block,
        )
    )  # fmt: skip


def has_room_after(g: BattleCore, unit: int, change: Callable[[], None]) -> bool:
    """Whether a unit has room where it stands after ``change``, which lays it out and tells nothing."""
    with tried_out(g):
        before = outline_of(g, unit)
        change()
        return has_room_now(g, unit, before)


def make_room(g: BattleCore, unit: int, before: Array) -> None:
    """Move a unit whose form has changed, as it had to, by as little as gives it room, back rather than ahead. One
    that fights, or that has no room within two inches, stays where it is.
    """
    u = g.units
    if u.fights[unit] or u.place[unit] != ON_TABLE or u.garrison[unit] >= 0 or has_room_now(g, unit, before):
        return
    x, y, facing, files = u.x[unit], u.y[unit], u.facing[unit], u.files[unit]
    for step in range(1, STEPS + 1):
        for way in WAYS:
            dx, dy = step * STEP * cos(facing + way), step * STEP * sin(facing + way)
            if has_room_now(g, unit, before, dx, dy):
                set_block(g, unit, x + dx, y + dy, facing, files)
                return
