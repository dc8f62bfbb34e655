"""Buildings, the units inside them, and the units that assault them (wap.building.*).

A garrison stands on the table as a block of one place that is as large as its building. So whatever is measured to the
unit is measured to the outline of the building (wap.building.panic.measure, .assault.distance). An empty building is
impassable ground, and so is a held one for all who do not assault it (wap.building.impassable).

Contact with a garrison is not a matter of bases: column ``storms`` of a unit names the building that it assaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, cos, hypot, inf, sin
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.core.kernel import inner_kernel
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.wap.basics.blocks import set_block
from wh_env.rulesets.wap.basics.profiles import wholly
from wh_env.rulesets.wap.basics.rows import rows_with
from wh_env.rulesets.wap.codes import CHARIOT, ENTERED, FRONT, TROOP_TYPES

# troop types that may enter a building (wap.building.enter.types)
ENTERS = tuple(
    TROOP_TYPES.index(name) for name in ("infantry", "monstrous infantry", "war beast", "monstrous beast", "swarm")
)
SIDES = 4
RIGHT_ANGLE = 1e-3  # cosine of an angle that still counts as a right one
STRAIGHT_ON = 2  # player's turns: an assault that many turns after another one goes on with it
QUARTER = 0.5 * 3.141592653589793


class Building(NamedTuple):
    """A building of the battle: a rectangle (wap.building.complex: larger ones have several parts, each a building).

    Attributes:
        feature: its row among the terrain features.
        x, y: its centre, inches. facing: of its front, radians.
        half_a, half_b: half its depth and half its width, inches.
        storeys: their number.
        shooters: models that may shoot from each storey (wap.building.shooting.five-per-storey).
    """

    feature: int
    x: float
    y: float
    facing: float
    half_a: float
    half_b: float
    storeys: int
    shooters: int

    def wall(self, side: int) -> tuple[float, float, float, float]:
        """The wall at a side: (x, y) of its middle, the direction in which it looks, half its length."""
        facing = self.facing - side * QUARTER
        far, half = (self.half_a, self.half_b) if side % 2 == 0 else (self.half_b, self.half_a)
        return self.x + far * cos(facing), self.y + far * sin(facing), facing, half

    def way_out(self, direction: float, clear: float = 0.0) -> tuple[float, float]:
        """Where a line from the centre in a direction (radians) is ``clear`` inches outside the walls: (x, y)."""
        c, s = abs(cos(direction - self.facing)), abs(sin(direction - self.facing))
        far = min(self.half_a / c if c > EPS else inf, self.half_b / s if s > EPS else inf) + clear
        return self.x + far * cos(direction), self.y + far * sin(direction)


def rectangle_of(outline: tuple[tuple[float, float], ...]) -> tuple[float, float, float, float, float] | None:
    """Centre (x, y), facing, half depth and half width of a rectangle given by its corners, counter-clockwise; None: it
    is no rectangle.
    """
    if len(outline) != SIDES:
        return None
    edges = [(outline[(n + 1) % SIDES][0] - x, outline[(n + 1) % SIDES][1] - y) for n, (x, y) in enumerate(outline)]
    sizes = [hypot(*edge) for edge in edges]
    for n in range(SIDES):
        (ax, ay), (bx, by) = edges[n], edges[(n + 1) % SIDES]
        if abs(ax * bx + ay * by) > RIGHT_ANGLE * sizes[n] * sizes[(n + 1) % SIDES]:
            return None
    x, y = (sum(corner[axis] for corner in outline) / SIDES for axis in (0, 1))
    return x, y, atan2(edges[1][1], edges[1][0]), 0.5 * sizes[1], 0.5 * sizes[0]


def buildings_of(g: BattleCore) -> Mapping[int, Building]:
    """The buildings of the battle by their rows among the terrain features; empty in most battles."""
    found: Mapping[int, Building] = g.setup.statics["buildings"]
    return found


def garrison_in(g: BattleCore, feature: int) -> int:
    """The unit that occupies a building; -1: none does."""
    held = rows_with(g.units.garrison, feature)
    return held[0] if held else -1


def is_inside(g: BattleCore, unit: int) -> bool:
    """Whether a unit is a garrison."""
    return g.units.garrison[unit] >= 0


def windows_of(g: BattleCore, unit: int) -> int:
    """How many models of a garrison may shoot (wap.building.shooting.five-per-storey)."""
    building = buildings_of(g)[g.units.garrison[unit]]
    return building.storeys * building.shooters


def turn_number(g: BattleCore) -> int:
    """The number of the player's turn that is being played, counted over both players."""
    return int(2 * g.clock.round[0] + (g.clock.turn[0] != g.clock.first_player[0]))


# ---------------------------------------------------------------- entering and leaving


def may_occupy(g: BattleCore, unit: int) -> bool:
    """Whether all models of a unit are of types that may enter a building (wap.building.enter.types)."""
    return all(g.units.kind[row] in ENTERS for row in wholly(g, unit))


def occupy(g: BattleCore, unit: int, feature: int, rule: str, side: int = FRONT) -> None:
    """A unit enters an empty building, with all characters in it (wap.building.enter, .capacity). ``side``: the wall
    out of which a war machine looks.
    """
    u = g.units
    u.place[unit], u.garrison[unit], u.storms[unit] = ON_TABLE, feature, -1
    u.did[unit] |= ENTERED
    for joined in wholly(g, unit)[1:]:
        u.beside[joined] = 0
    look_out(g, unit, side)
    g.note(rule, "enters a building", unit=unit, building=feature)


def look_out(g: BattleCore, unit: int, side: int) -> None:
    """Lay out the block of a garrison so that it looks out of a wall of its building."""
    u, building = g.units, buildings_of(g)[g.units.garrison[unit]]
    x, y, facing, _ = building.wall(side)
    deep, wide = (building.half_a, building.half_b) if side % 2 == 0 else (building.half_b, building.half_a)
    u.base_a[unit], u.base_b[unit] = deep, wide
    set_block(g, unit, x, y, facing, 1)


def give_up(g: BattleCore, unit: int) -> None:
    """A unit is no garrison any more. The caller lays out its block."""
    u, template = g.units, g.setup.layout.view(g.setup.template, "units")
    u.garrison[unit] = -1
    u.base_a[unit], u.base_b[unit] = float(template["base_a"][unit]), float(template["base_b"][unit])


def take_over(g: BattleCore, heir: int, unit: int) -> None:
    """Characters whose unit is gone are the garrison, or assault the building, in its place."""
    u = g.units
    for column in (u.garrison, u.storms, u.stormed, u.stormed_in):
        column[heir] = column[unit]
    if u.garrison[unit] >= 0:
        u.base_a[heir], u.base_b[heir] = u.base_a[unit], u.base_b[unit]
        give_up(g, unit)
    u.storms[unit] = -1


# ---------------------------------------------------------------- assaults


def may_assault(g: BattleCore, unit: int) -> bool:
    """Whether a unit may assault a building: all but chariots (wap.building.assault.types)."""
    return all(g.units.kind[row] != CHARIOT for row in wholly(g, unit))


def assailant_of(g: BattleCore, unit: int) -> int:
    """The unit that assaults the building of a garrison; -1: none, or the unit is no garrison."""
    if g.units.garrison[unit] < 0:
        return -1
    found = rows_with(g.units.storms, g.units.garrison[unit])
    return found[0] if found else -1


def opponent_in_assault(g: BattleCore, unit: int) -> int:
    """The garrison that a unit assaults, or the unit that assaults it; -1: there is no assault."""
    u = g.units
    return garrison_in(g, u.storms[unit]) if u.storms[unit] >= 0 else assailant_of(g, unit)


def goes_on(g: BattleCore, unit: int, feature: int) -> bool:
    """Whether a unit has fought at a building in the last turn of either player, so that its next round there is no
    first one (wap.building.assault.not-first-round).
    """
    u = g.units
    return u.stormed[unit] == feature and turn_number(g) - u.stormed_in[unit] <= STRAIGHT_ON


def end_assault(g: BattleCore, unit: int) -> None:
    """End the assault that a unit makes. ``meet`` must follow."""
    g.units.storms[unit] = -1


def remember_assault(g: BattleCore, unit: int, feature: int) -> None:
    """Note that a unit has fought at a building in this turn."""
    g.units.stormed[unit], g.units.stormed_in[unit] = feature, turn_number(g)


# ---------------------------------------------------------------- for kernels


@inner_kernel
def in_assault(units: Array, u: int, o: int) -> bool:
    """Whether one of two units is a garrison and the other assaults its building."""
    return bool(
        (units[u]["garrison"] >= 0 and units[o]["storms"] == units[u]["garrison"])
        or (units[o]["garrison"] >= 0 and units[u]["storms"] == units[o]["garrison"])
    )


@inner_kernel
def is_building_of(units: Array, piece: Array, u: int, o: int) -> bool:
    """Whether a piece of ground is the building of unit ``u`` or ``o``."""
    return bool(piece["feature"] == units[u]["garrison"] or piece["feature"] == units[o]["garrison"])
