"""Where spells are laid that have a template or need a point of the table: the spots and directions that a wizard may
choose (wap.magic.type.direct-damage.template).

The middle of a round template lies over a base of an enemy unit: a cell of the grid over that unit. A line begins at
the wizard's base and goes in the direction of a slot of angles. A point is a cell of the grid over the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import cos, sin, tau
from typing import NamedTuple

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.contacts import block_of
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import Building, buildings_of, is_inside
from wh_env.rulesets.wap.basics.marks import free_row
from wh_env.rulesets.wap.basics.sight import within
from wh_env.rulesets.wap.magic.sides import side_of
from wh_env.rulesets.wap.magic.spells import Aim, Casting, Spell, Version
from wh_env.rulesets.wap.magic.targets import are_foes, are_friends, gap_between, model_of
from wh_env.rulesets.wap.shooting.spots import spot_of, window_over

CLEAR = 0.01  # inches outside the walls of a building at which a line out of it begins


class Bases(NamedTuple):
    """Rectangles on the table, a number of each array for each: middle, direction of the front, half depth, half
    width. In inches and radians.
    """

    x: Array
    y: Array
    facing: Array
    half_a: Array
    half_b: Array

    def frame(self, xs: Array, ys: Array) -> tuple[Array, Array]:
        """How far points lie ahead of the middle of each rectangle, and to its left: a row for each rectangle."""
        dx, dy = xs - self.x[:, None], ys - self.y[:, None]
        c, s = np.cos(self.facing)[:, None], np.sin(self.facing)[:, None]
        return c * dx + s * dy, c * dy - s * dx

    def gaps(self, xs: Array, ys: Array) -> Array:
        """Inches from each rectangle to each point, 0 for a point on it: a row for each rectangle."""
        ahead, aside = self.frame(xs, ys)
        out = np.abs(ahead) - self.half_a[:, None], np.abs(aside) - self.half_b[:, None]
        return np.asarray(np.hypot(np.maximum(0.0, out[0]), np.maximum(0.0, out[1])))

    def before(self, xs: Array, ys: Array) -> Array:
        """Whether each point lies in the front quarter of each rectangle (``basics.quarters``)."""
        ahead, aside = self.frame(xs, ys)
        return np.asarray(ahead - self.half_a[:, None] >= np.abs(aside) - self.half_b[:, None] - EPS)


def bases_of_models(g: BattleCore, models: Iterable[int]) -> Bases:
    """The bases of models."""
    return bases_in(g.models.rows, models)


def bases_in(table: Array, models: Iterable[int]) -> Bases:
    """The bases of models as they are in a table of them."""
    rows = table[list(models)]
    return Bases(rows["x"], rows["y"], rows["facing"], rows["half_a"], rows["half_b"])


def bases_of(g: BattleCore, unit: int) -> Bases:
    """The bases of a unit with all characters in it, or the building that it is in."""
    if is_inside(g, unit):
        return bases_of_building(buildings_of(g)[g.units.garrison[unit]])
    return bases_of_models(g, within(g, unit))


def bases_of_building(building: Building) -> Bases:
    """The outline of a building."""
    fields = (building.x, building.y, building.facing, building.half_a, building.half_b)
    return Bases(*(np.array([value]) for value in fields))


def base_of_wizard(g: BattleCore, wizard: int) -> Bases:
    """A wizard's base, or the building that he is in (wap.building.magic.casting)."""
    block = block_of(g, wizard)
    return bases_of(g, block) if is_inside(g, block) else bases_of_models(g, [model_of(g, wizard)])


def is_barred(g: BattleCore, wizard: int, unit: int) -> bool:
    """Whether a template of a wizard's spell may not be laid over a unit: a friend, or whoever is in close combat."""
    block = block_of(g, unit)
    return are_friends(g, side_of(g, wizard), block) or engaged(g, block)


def barred_units(g: BattleCore, wizard: int) -> list[int]:
    """The units on the table over which a template may not be laid."""
    u = g.units
    return [unit for unit in range(len(u.owner)) if u.place[unit] == ON_TABLE and is_barred(g, wizard, unit)]


# ---------------------------------------------------------------- round templates


def cells_of(g: BattleCore, target: int) -> tuple[Array, Array]:
    """x and y of all cells of the grid over a unit."""
    grid = g.setup.space.grid
    x, y, step = window_over(g, target)
    ways = np.arange(grid) * step
    return np.tile(x + ways, grid), np.repeat(y + ways, grid)


def spots_on(g: BattleCore, wizard: int, versions: Iterable[Version], target: int) -> Array:
    """The cells of the grid over an enemy at which the middle of the template of any of these versions may be placed:
    over a base, in the wizard's front arc and in range, the template over no friend and over nobody in close combat.
    Bool, by cell.
    """
    xs, ys = cells_of(g, target)
    base = base_of_wizard(g, wizard)
    found = (bases_of(g, target).gaps(xs, ys) <= EPS).any(axis=0)
    if not is_inside(g, block_of(g, wizard)):
        found &= base.before(xs, ys)[0]
    away = base.gaps(xs, ys)[0]
    room = np.full(len(xs), np.inf)  # inches to the nearest base that must not be touched
    for unit in barred_units(g, wizard):
        room = np.minimum(room, bases_of(g, unit).gaps(xs, ys).min(axis=0))
    fits = np.zeros(len(xs), np.bool_)
    for version in versions:
        fits |= (away <= version.range + EPS) & (room > radius_of(version) + EPS)
    return found & fits


def radius_of(version: Version) -> float:
    """The radius of the round template of a version, inches."""
    return version.template.radius if version.template is not None else 0.0


def length_of(version: Version) -> float:
    """The length of the line of a version, inches."""
    return version.template.length if version.template is not None else 0.0


# ---------------------------------------------------------------- lines


class Line(NamedTuple):
    """A line on the table: where it begins, its direction in radians, its length in inches."""

    x: float
    y: float
    facing: float
    length: float

    @property
    def end(self) -> tuple[float, float]:
        """Its other end (x, y)."""
        return self.x + self.length * cos(self.facing), self.y + self.length * sin(self.facing)


def line_from(g: BattleCore, wizard: int, slot: int, length: float) -> Line:
    """The line of a wizard's spell in the direction of a slot. It begins at the middle of his front, or where it leaves
    the building that he is in.
    """
    facing = slot * tau / g.setup.space.angles
    block = block_of(g, wizard)
    if is_inside(g, block):
        return Line(*buildings_of(g)[g.units.garrison[block]].way_out(facing, CLEAR), facing, length)
    m, k = g.models, model_of(g, wizard)
    x, y = m.x[k] + m.half_a[k] * cos(m.facing[k]), m.y[k] + m.half_a[k] * sin(m.facing[k])
    return Line(x, y, facing, length)


def crossed_by(g: BattleCore, wizard: int, line: Line) -> list[int]:
    """The units that a line crosses, the wizard himself left out."""
    u, own = g.units, block_of(g, wizard)
    found = []
    for unit in range(len(u.owner)):
        if u.place[unit] != ON_TABLE:
            continue
        if unit == own:
            comrades = [k for k in within(g, unit) if k != model_of(g, wizard)]
            if is_inside(g, unit) or not comrades:
                continue
            bases = bases_of_models(g, comrades)
        else:
            bases = bases_of(g, unit)
        if is_crossed(bases, line).any():
            found.append(unit)
    return found


def is_crossed(bases: Bases, line: Line) -> Array:
    """Whether a line crosses each rectangle; bool."""
    (bx, by), one = line.end, np.array
    ahead, aside = bases.frame(one([line.x, bx]), one([line.y, by]))
    first, last = np.zeros(len(bases.x)), np.ones(len(bases.x))
    for ways, half in ((ahead, bases.half_a), (aside, bases.half_b)):
        begins, step = ways[:, 0], ways[:, 1] - ways[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            t0, t1 = (-half - EPS - begins) / step, (half + EPS - begins) / step
        still = np.abs(step) < EPS
        inside = np.abs(begins) <= half + EPS
        first = np.maximum(first, np.where(still, np.where(inside, 0.0, np.inf), np.minimum(t0, t1)))
        last = np.minimum(last, np.where(still, 1.0, np.maximum(t0, t1)))
    return np.asarray(first <= last)


def gaps_from_line(bases: Bases, line: Line) -> Array:
    """Inches from each rectangle to a line, 0 if it crosses it."""
    bx, by = line.end
    found = bases.gaps(np.array([line.x, bx]), np.array([line.y, by])).min(axis=1)
    c, s = cos(line.facing), sin(line.facing)
    for ahead, aside in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        u, v = ahead * bases.half_a, aside * bases.half_b
        dx = bases.x + np.cos(bases.facing) * u - np.sin(bases.facing) * v - line.x
        dy = bases.y + np.sin(bases.facing) * u + np.cos(bases.facing) * v - line.y
        on = np.clip(c * dx + s * dy, 0.0, line.length)
        found = np.minimum(found, np.hypot(dx - on * c, dy - on * s))
    return np.where(is_crossed(bases, line), 0.0, found)


def may_go(g: BattleCore, wizard: int, version: Version, slot: int) -> bool:
    """Whether the line of a version may go in a direction: it ends in the front arc and crosses no friend and nobody in
    close combat.
    """
    line = line_from(g, wizard, slot, length_of(version))
    if not is_inside(g, block_of(g, wizard)):
        x, y = line.end
        if not base_of_wizard(g, wizard).before(np.array([x]), np.array([y]))[0, 0]:
            return False
    return not any(is_barred(g, wizard, unit) for unit in crossed_by(g, wizard, line))


def meets_foe(g: BattleCore, wizard: int, version: Version, slot: int) -> bool:
    """Whether the line of a version in a direction crosses an enemy unit."""
    line = line_from(g, wizard, slot, length_of(version))
    return any(are_foes(g, side_of(g, wizard), unit) for unit in crossed_by(g, wizard, line))


def ways_for(g: BattleCore, wizard: int, versions: tuple[Version, ...]) -> Iterator[int]:
    """The directions (slots of angles) in which the line of any of these versions may go and crosses an enemy."""
    for slot in range(g.setup.space.angles):
        if any(may_go(g, wizard, version, slot) and meets_foe(g, wizard, version, slot) for version in versions):
            yield slot


# ---------------------------------------------------------------- points


def point_of(g: BattleCore, cell: int) -> tuple[float, float]:
    """The point (x, y) of a cell of the grid over the table."""
    grid = g.setup.space.grid
    return (cell % grid) * g.setup.length / (grid - 1), (cell // grid) * g.setup.width / (grid - 1)


# ---------------------------------------------------------------- of spells


def versions_for(spell: Spell, *, boosted: bool) -> tuple[Version, ...]:
    """The versions in which a spell may be cast."""
    return spell.versions if boosted else spell.base_versions


def targets_at_spots(g: BattleCore, wizard: int, versions: tuple[Version, ...]) -> Iterator[int]:
    """The enemies over which the template of any of these versions of a spell may be placed."""
    far = max(version.range for version in versions)
    for unit in range(len(g.units.owner)):
        if g.units.place[unit] != ON_TABLE or not are_foes(g, side_of(g, wizard), unit) or engaged(g, unit):
            continue
        if gap_between(g, wizard, unit) <= far + EPS and spots_on(g, wizard, versions, unit).any():
            yield unit


def has_place(g: BattleCore, wizard: int, spell: Spell, *, boosted: bool) -> bool:
    """Whether there is a direction or a point for a spell that has no unit as its target."""
    if spell.leaves_mark and free_row(g) < 0:
        return False
    return spell.aim is not Aim.WAY or any(True for _ in ways_for(g, wizard, versions_for(spell, boosted=boosted)))


def may_be_version(g: BattleCore, wizard: int, spell: Spell, version: int, target: int, place: int) -> bool:
    """Whether a spell may be cast in a version where it was aimed: the template of a version may be larger than that of
    another one.
    """
    if place < 0 or spell.aim not in (Aim.SPOT, Aim.WAY):
        return True
    drawn = spell.versions[version]
    if spell.aim is Aim.WAY:
        return may_go(g, wizard, drawn, place)
    x, y = (np.array([value]) for value in spot_of(g, target, place))
    return all(bases_of(g, unit).gaps(x, y).min() > radius_of(drawn) + EPS for unit in barred_units(g, wizard))


def place_of(g: BattleCore, casting: Casting) -> tuple[float, float]:
    """The spot or point (x, y) at which a spell was aimed."""
    if casting.spell.aim is Aim.SPOT:
        return spot_of(g, casting.target, casting.place)
    return point_of(g, casting.place)
