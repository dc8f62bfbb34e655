"""Objective markers that the players place (mission.only-war.markers, objective.on-terrain)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import player, row_of
from wh_env.core.features import Pending, Region
from wh_env.core.geometry.outlines import point_polygon_gap
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, V, integer
from wh_env.rulesets.w40k.deploy.battlefield import NOBODY
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.sequence.rolloff import roll_off
from wh_env.rulesets.w40k.terrain.types import impassable

EPS = 1e-4


class PlaceMarkers(Procedure):
    """The players alternately place one objective marker each, the winner of the roll-off first. A marker without a
    place is left out.
    """

    class Step(Steps):
        COARSE, FINE = range(2)

    NEXT = integer(player(none=True))  # the player who places the next marker
    AFTER = integer(row_of("objectives"))  # the marker that is placed
    CELL = integer(row_of("cells"), at=V + 3)
    asks = ("place-marker", "place-marker-exactly")

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + PlaceMarkers.NEXT] == NOBODY:
            g.stack[f + PlaceMarkers.NEXT] = roll_off(g, "mission.only-war.markers")
        if g.stack[f + STEP] == PlaceMarkers.Step.FINE:
            return g.ask(PlaceMarkerExactly, g.stack[f + PlaceMarkers.NEXT])
        for marker, placed in enumerate(g.objectives.placed):
            if not placed and any(marker_allowed(g, x, y) for x, y in table_cells(g)):
                g.stack[f + PlaceMarkers.AFTER] = marker
                return g.ask(PlaceMarker, g.stack[f + PlaceMarkers.NEXT])
        return g.pop()


def marker_allowed(g: BattleCore, x: float, y: float) -> bool:
    """mission.only-war.markers: more than 6" from every edge and more than 9" from every other marker, edge to edge.
    objective.on-terrain: more than 1" from impassable parts of terrain."""
    rules, o = g.setup.rules, g.objectives
    r = marker_radius(g)
    edge = min(x, y, g.setup.length - x, g.setup.width - y) - r
    if edge <= rules["marker_from_edge"] + EPS:
        return False
    corners = g.setup.corners
    for part in impassable(g.setup.blocks):
        if point_polygon_gap(x, y, corners, part["first"], part["count"]) - r <= edition(g).guidelines.from_parts + EPS:
            return False
    return all(
        ((o.x[k] - x) ** 2 + (o.y[k] - y) ** 2) ** 0.5 > markers_apart(g) for k in range(len(o.x)) if o.placed[k]
    )


def marker_radius(g: BattleCore) -> float:
    """Inches from the centre of a marker to the edge from which distances to it are measured."""
    return 0.0 if edition(g).guidelines.to_centre else g.objectives.radius[0]


def markers_apart(g: BattleCore) -> float:
    """Inches between the centres of two markers; their distance must be greater than this."""
    slack = -EPS if edition(g).guidelines.to_centre else EPS
    return float(g.setup.rules["marker_from_marker"] + 2 * marker_radius(g) + slack)


def table_cells(g: BattleCore) -> list[tuple[float, float]]:
    """Centres of the cells of the grid laid over the whole table."""
    return [table_cell(g, cell) for cell in range(g.setup.space.grid**2)]


def leave_room(g: BattleCore, wanted: list[tuple[float, float]]) -> list[bool]:
    """By wanted place of a marker: whether it leaves room for the markers still to come. All True if no place leaves
    room for them all.
    """
    to_come = sum(1 for placed in g.objectives.placed if not placed) - 1
    free = np.array([place for place in table_cells(g) if marker_allowed(g, *place)]).reshape(-1, 2)
    far = markers_apart(g)

    def bits(x: float, y: float) -> int:
        """The free cells that a marker at this place leaves, as bits."""
        left = np.hypot(free[:, 0] - x, free[:, 1] - y) > far
        return int.from_bytes(np.packbits(left, bitorder="little").tobytes(), "little")

    beside = [bits(x, y) for x, y in free]

    def fits(cells: int, markers: int) -> bool:
        while markers and cells:
            first = cells & -cells
            if fits(cells & beside[first.bit_length() - 1], markers - 1):
                return True
            cells ^= first
        return not markers

    found = [fits(bits(x, y), to_come) for x, y in wanted]
    return found if any(found) else [True] * len(wanted)


def table_cell(g: BattleCore, cell: int) -> tuple[float, float]:
    """Centre of a cell of the grid laid over the whole table."""
    grid = g.setup.space.grid
    return (cell % grid + 0.5) * g.setup.length / grid, (cell // grid + 0.5) * g.setup.width / grid


def inner_cell(g: BattleCore, cell: int, inner: int) -> tuple[float, float]:
    """Centre of a cell of the finer grid laid over one cell of ``table_cell``."""
    grid = g.setup.space.grid
    x, y = table_cell(g, cell)
    half = grid // 2
    return (
        x + (inner % grid - half) * g.setup.length / grid**2,
        y + (inner // grid - half) * g.setup.width / grid**2,
    )


class PlaceMarker(DecisionKind):
    name = "place-marker"
    what = "Where the next objective marker goes: a cell of the grid over the table."
    keys = ("mission.only-war.markers", "objective.on-terrain")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        legal = [cell for cell, place in enumerate(table_cells(g)) if marker_allowed(g, *place)]
        for cell, roomy in zip(legal, leave_room(g, [table_cell(g, cell) for cell in legal]), strict=True):
            mask[g.setup.space.cell + cell] = roomy

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        cell = action - g.setup.space.cell
        if g.setup.rules["detail"] == "full":
            g.stack[f + PlaceMarkers.CELL] = cell
            g.stack[f + STEP] = PlaceMarkers.Step.FINE
        else:
            place_marker(g, f, *table_cell(g, cell))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = table_cell(g, action - g.setup.space.cell)
        return f"objective marker at {x:.1f}, {y:.1f}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(Region.between(*table_cell(g, 0), *table_cell(g, g.setup.space.grid**2 - 1)))


class PlaceMarkerExactly(DecisionKind):
    name = "place-marker-exactly"
    what = "The exact place of the marker within the chosen cell, on a grid as fine again."
    instead = "It stands in the middle of the cell."
    keys = ("mission.only-war.markers", "objective.on-terrain")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        places = [inner_cell(g, g.stack[f + PlaceMarkers.CELL], inner) for inner in range(g.setup.space.grid**2)]
        legal = [inner for inner, place in enumerate(places) if marker_allowed(g, *place)]
        for inner, roomy in zip(legal, leave_room(g, [places[inner] for inner in legal]), strict=True):
            mask[g.setup.space.cell + inner] = roomy

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + STEP] = PlaceMarkers.Step.COARSE
        place_marker(g, f, *inner_cell(g, g.stack[f + PlaceMarkers.CELL], action - g.setup.space.cell))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = inner_cell(g, g.stack[f + PlaceMarkers.CELL], action - g.setup.space.cell)
        return f"objective marker at {x:.2f}, {y:.2f}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        cell, last = g.stack[f + PlaceMarkers.CELL], g.setup.space.grid**2 - 1
        return Pending(Region.between(*inner_cell(g, cell, 0), *inner_cell(g, cell, last)))


def place_marker(g: BattleCore, f: int, x: float, y: float) -> None:
    """The player whose turn it is places the marker. The other player is next."""
    marker, player = g.stack[f + PlaceMarkers.AFTER], g.stack[f + PlaceMarkers.NEXT]
    g.objectives.x[marker], g.objectives.y[marker] = x, y
    g.objectives.placed[marker] = 1
    g.stack[f + PlaceMarkers.NEXT] = 1 - player
    g.tell("mission.only-war.markers", "marker placed", marker=marker, player=player, place=(x, y))
