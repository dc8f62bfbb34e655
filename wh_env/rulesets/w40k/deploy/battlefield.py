"""Create the Battlefield: terrain features that the players place (concepts.terrain-features, objective.on-terrain).

With ``terrain: players`` the features of the battlefield wait beside the table and the players place them alternately.
Table ``sites`` of the state has the place of each. After the last one, the battle continues with a ``Setup`` that has
the features there. Places follow the guidelines for battlefields if such places are left (terrain.layout-guidelines).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist, pi

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between, player, row_of
from wh_env.core.features import Pending, Region
from wh_env.core.frozen import frozen
from wh_env.core.geometry.outlines import ROOM, Pose, laid_out, middle_of, room_mask
from wh_env.core.geometry.sight import BLOCKS, OBSCURES
from wh_env.core.procedures import STEP, DecisionKind, Procedure, Steps, integer
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.sequence.rolloff import roll_off
from wh_env.rulesets.w40k.terrain.types import impassable

NOBODY = -1  # the roll-off is still to come
WAITING, STANDS, LEFT_OUT = range(3)  # sites.placed

# the guidelines, from the last on dropped one after the other if no place follows them all
ROOMY = ("lane", "gap", "middle", "spread")
LADDER = (ROOMY, ROOMY[:3], ROOMY[:2], ROOMY[:1], ())
LOOSEST = len(LADDER) - 1


def boards(length: float, width: float, board: tuple[float, float]) -> tuple[int, int]:
    """The number of boards along the length and along the width of the table. ``board``: about the size of one,
    inches.
    """
    across, along = board
    both = [(max(1, round(length / a)), max(1, round(width / b))) for a, b in ((across, along), (along, across))]
    return min(both, key=lambda n: abs(n[0] * n[1] - length * width / (across * along)))


@dataclass(frozen=True)
class Table:
    """The features on the battlefield so far, as ``outlines.room_mask`` takes them."""

    features: Array
    corners: Array
    high: Array  # for each feature on the battlefield, whether models must walk round it
    middle: bool  # whether a feature that blocks visibility lies across the middle
    emptiest: Array  # for each board, whether it has the fewest features


def table(g: BattleCore) -> Table:
    """The features on the battlefield so far."""
    pieces: tuple[Array, Array, Array] = g.setup.statics["pieces"]
    blocks, corners, features = laid_out(*pieces, poses(g))
    columns, rows = boards(g.setup.length, g.setup.width, edition(g).guidelines.board)
    count = np.zeros(columns * rows, np.int32)
    for x, y, placed in zip(g.sites.x, g.sites.y, g.sites.placed, strict=True):
        if placed == STANDS:
            column = min(int(x / g.setup.length * columns), columns - 1)
            count[min(int(y / g.setup.width * rows), rows - 1) * columns + column] += 1
    return Table(
        features,
        corners,
        np.array([high(blocks, k, edition(g).measures.low) for k in range(len(features))], np.int32),
        any(across_middle(g, outline_of(corners, row)) for k, row in enumerate(features) if screens(blocks, k)),
        (count == count.min()).astype(np.int32),
    )


def outline_of(corners: Array, feature: Array) -> Array:
    """Corners (n, 2) of the footprint of a feature."""
    rows: Array = corners[feature["first"] : feature["first"] + feature["count"]]
    return rows


def across_middle(g: BattleCore, outline: Array) -> bool:
    """Whether the outline lies across the line in the middle, between the long edges."""
    centre = g.setup.length / 2
    return bool(outline[:, 0].min() < centre < outline[:, 0].max())


def high(blocks: Array, feature: int, low: float) -> bool:
    """Whether the feature has a solid part higher than ``low`` inches, which models must walk round or climb."""
    mine = blocks[(blocks["feature"] == feature) & (blocks["solid"] == 1)]
    return bool((mine["z_high"] > low).any())


def screens(blocks: Array, feature: int) -> bool:
    """Whether a part of the feature blocks or obscures visibility with its footprint."""
    return bool(np.isin(blocks[blocks["feature"] == feature]["screen"], (BLOCKS, OBSCURES)).any())


def poses(g: BattleCore) -> list[Pose | None]:
    """The pose (x, y, angle) of each feature, None if it is not on the battlefield."""
    s = g.sites
    return [(x, y, a) if on == STANDS else None for x, y, a, on in zip(s.x, s.y, s.facing, s.placed, strict=True)]


def settle(g: BattleCore) -> None:
    """All features have been placed: replace the Setup by one that has them there."""
    pieces: tuple[Array, Array, Array] = g.setup.statics["pieces"]
    blocks, corners, features = laid_out(*pieces, poses(g))
    g.setup = g.setup.with_terrain(blocks, corners, features)


def settled(g: BattleCore) -> bool:
    """Whether the players have finished placing the features; False if there are none to place."""
    return bool(len(g.sites.placed)) and all(g.sites.placed)


def angle_at(g: BattleCore, turn: int) -> float:
    """The angle, in radians, of a feature turned by the angle with number ``turn``."""
    return 2.0 * pi * turn / g.setup.space.angles


Grid = tuple[float, float, float, float]  # centre of the first cell, steps


def table_grid(g: BattleCore) -> Grid:
    """The grid over the whole table."""
    dx, dy = g.setup.length / g.setup.space.grid, g.setup.width / g.setup.space.grid
    return dx / 2, dy / 2, dx, dy


def cell_grid(g: BattleCore, cell: int) -> Grid:
    """The finer grid over one cell of ``table_grid``."""
    grid = g.setup.space.grid
    x0, y0, dx, dy = table_grid(g)
    half = grid // 2
    return x0 + cell % grid * dx - half * dx / grid, y0 + cell // grid * dy - half * dy / grid, dx / grid, dy / grid


def place_of(g: BattleCore, grid: Grid, cell: int) -> tuple[float, float]:
    """Centre of a cell of the grid, inches."""
    size = g.setup.space.grid
    return grid[0] + cell % size * grid[2], grid[1] + cell // size * grid[3]


def cells(
    g: BattleCore, now: Table, piece: int, turn: int, level: int, grid: Grid, mask: Array, enough: int | None = None
) -> int:
    """Mark the cells where the feature ``piece`` can lie, turned by angle number ``turn``, by the guidelines of step
    ``level`` of ``LADDER``. Returns the number of cells. The search stops after ``enough`` cells.
    """
    blocks, corners, features = g.setup.statics["pieces"]
    only = [(0.0, 0.0, angle_at(g, turn)) if k == piece else None for k in range(len(features))]
    own_blocks, own_corners, own = laid_out(blocks, corners, features, only)
    wanted, guidelines = LADDER[level], edition(g).guidelines
    room = np.zeros(1, ROOM)
    room["length"], room["width"], room["marker"] = g.setup.length, g.setup.width, guidelines.from_parts
    room["lane"] = guidelines.lane * ("lane" in wanted)
    room["gap"] = guidelines.gap * ("gap" in wanted)
    room["middle"] = guidelines.middle * ("middle" in wanted and not now.middle and screens(own_blocks, 0))
    if "spread" in wanted:
        room["columns"], room["rows"] = boards(g.setup.length, g.setup.width, guidelines.board)
    return int(
        room_mask(
            outline_of(own_corners, own[0]),
            frozen(impassable(own_blocks)),
            own_corners,
            now.features,
            now.high * high(own_blocks, 0, edition(g).measures.low),
            now.corners,
            g.objectives.rows,
            now.emptiest,
            room,
            *grid,
            g.setup.space.grid,
            g.setup.space.grid**2 if enough is None else enough,
            mask,
        )
    )


def waiting(g: BattleCore) -> list[int]:
    """Features that are not placed yet."""
    return [k for k, placed in enumerate(g.sites.placed) if placed == WAITING]


def turns(g: BattleCore, now: Table, piece: int, enough: int) -> Sequence[int]:
    """Numbers of the angles with which there is a place for the feature, ``enough`` of them at most."""
    found: list[int] = []
    for turn in range(g.setup.space.angles):
        if len(found) == enough:
            break
        if cells(g, now, piece, turn, LOOSEST, table_grid(g), g.work.cells, enough=1):
            found.append(turn)
    return found


def strictest(g: BattleCore, piece: int, turn: int) -> int:
    """The first step of ``LADDER`` by which there is a place for the feature with this angle."""
    now, marks = table(g), g.work.cells
    return next(k for k in range(len(LADDER)) if cells(g, now, piece, turn, k, table_grid(g), marks, enough=1))


class PlaceTerrain(Procedure):
    """The players alternately place one terrain feature each, the winner of a roll-off first. A feature without a legal
    place is left out.
    """

    class Step(Steps):
        SELECT, FACE, COARSE, FINE = range(4)

    NEXT = integer(player(none=True))
    PIECE = integer(row_of("sites"))
    TURN = integer(row_of("angles"))
    LEVEL = integer(between(0, LOOSEST))
    CELL = integer(row_of("cells"))
    asks = ("select-feature", "turn-feature", "place-feature", "place-feature-exactly")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = PlaceTerrain.Step
        stack = g.stack
        step = stack[f + STEP]
        if stack[f + PlaceTerrain.NEXT] == NOBODY:
            stack[f + PlaceTerrain.NEXT] = roll_off(g, "concepts.terrain-features")
        player = stack[f + PlaceTerrain.NEXT]
        if step == Step.SELECT:
            now = table(g)
            if any(turns(g, now, piece, 1) for piece in waiting(g)):
                return g.ask(SelectFeature, player)
            for piece in waiting(g):
                g.sites.placed[piece] = LEFT_OUT
            settle(g)
            return g.pop()
        if step == Step.COARSE:
            stack[f + PlaceTerrain.LEVEL] = strictest(g, stack[f + PlaceTerrain.PIECE], stack[f + PlaceTerrain.TURN])
        return g.ask((TurnFeature, PlaceFeature, PlaceFeatureExactly)[step - Step.FACE], player)


def put(g: BattleCore, f: int, x: float, y: float) -> None:
    """Place the feature; the other player is next."""
    stack, piece = g.stack, g.stack[f + PlaceTerrain.PIECE]
    g.sites.x[piece], g.sites.y[piece] = x, y
    g.sites.facing[piece] = angle_at(g, stack[f + PlaceTerrain.TURN])
    g.sites.placed[piece] = STANDS
    g.tell(
        "concepts.terrain-features", "terrain placed", feature=piece, player=stack[f + PlaceTerrain.NEXT], place=(x, y),
        guidelines=LADDER[stack[f + PlaceTerrain.LEVEL]],
    )  # fmt: skip
    stack[f + PlaceTerrain.NEXT] = 1 - stack[f + PlaceTerrain.NEXT]
    stack[f + STEP] = PlaceTerrain.Step.SELECT


class SelectFeature(DecisionKind):
    name = "select-feature"
    what = "Which terrain feature is placed next; the players alternate, the winner of a roll-off first."
    keys = ("concepts.terrain-features",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        now = table(g)
        for piece in waiting(g):
            if turns(g, now, piece, 1):
                mask[g.setup.space.number + piece] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + PlaceTerrain.PIECE] = action - g.setup.space.number
        g.stack[f + STEP] = PlaceTerrain.Step.FACE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        piece = action - g.setup.space.number
        return f"{piece}: {tuple(edition(g).terrain)[g.setup.statics['pieces'][2]['kind'][piece]]}"


class TurnFeature(DecisionKind):
    name = "turn-feature"
    what = "By how much the terrain feature is turned from how the map has it, counter-clockwise."
    keys = ("concepts.terrain-features",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for turn in turns(g, table(g), g.stack[f + PlaceTerrain.PIECE], g.setup.space.angles):
            mask[g.setup.space.angle + turn] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + PlaceTerrain.TURN] = action - g.setup.space.angle
        g.stack[f + STEP] = PlaceTerrain.Step.COARSE

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"turned by {360 * (action - g.setup.space.angle) // g.setup.space.angles} degrees"


class PlaceFeature(DecisionKind):
    name = "place-feature"
    what = "Where the middle of the terrain feature goes: a cell of the grid over the table."
    policy = "The cell nearest to where the map has the feature."
    keys = ("concepts.terrain-features", "objective.on-terrain", "terrain.layout-guidelines")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space, stack = g.setup.space, g.stack
        marks = g.mask[space.cell : space.angle]
        cells(
            g,
            table(g),
            stack[f + PlaceTerrain.PIECE],
            stack[f + PlaceTerrain.TURN],
            stack[f + PlaceTerrain.LEVEL],
            table_grid(g),
            marks,
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        cell = action - g.setup.space.cell
        if g.setup.rules["detail"] == "full":
            g.stack[f + PlaceTerrain.CELL] = cell
            g.stack[f + STEP] = PlaceTerrain.Step.FINE
        else:
            put(g, f, *place_of(g, table_grid(g), cell))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = place_of(g, table_grid(g), action - g.setup.space.cell)
        return f"terrain feature at {x:.1f}, {y:.1f}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(Region.of_grid(*table_grid(g), g.setup.space.grid))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        _, corners, features = g.setup.statics["pieces"]
        space, grid = g.setup.space, table_grid(g)
        x, y = middle_of(features[g.stack[f + PlaceTerrain.PIECE]], corners)
        legal = [cell for cell in range(space.grid**2) if mask[space.cell + cell]]
        return space.cell + min(legal, key=lambda cell: dist((x, y), place_of(g, grid, cell)))


class PlaceFeatureExactly(DecisionKind):
    name = "place-feature-exactly"
    what = "The exact place of the terrain feature within the chosen cell, on a grid as fine again."
    instead = "Its middle stands on the middle of the cell."
    keys = ("concepts.terrain-features", "objective.on-terrain")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space, stack = g.setup.space, g.stack
        marks = g.mask[space.cell : space.angle]
        fine = cell_grid(g, stack[f + PlaceTerrain.CELL])
        cells(
            g,
            table(g),
            stack[f + PlaceTerrain.PIECE],
            stack[f + PlaceTerrain.TURN],
            stack[f + PlaceTerrain.LEVEL],
            fine,
            marks,
        )

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        put(g, f, *place_of(g, cell_grid(g, g.stack[f + PlaceTerrain.CELL]), action - g.setup.space.cell))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = place_of(g, cell_grid(g, g.stack[f + PlaceTerrain.CELL]), action - g.setup.space.cell)
        return f"terrain feature at {x:.2f}, {y:.2f}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(Region.of_grid(*cell_grid(g, g.stack[f + PlaceTerrain.CELL]), g.setup.space.grid))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return g.setup.space.cell + g.setup.space.grid**2 // 2
