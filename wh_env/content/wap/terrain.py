"""Compiles the terrain of a battle of regiments: tables for kernels and drawings, and what each feature does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from wh_env.content.geometry import Points, hull, seams
from wh_env.content.wap.load import Placed
from wh_env.content.wap.schema_battle import Rules
from wh_env.core.tables import BLOCK, FEATURE, Array
from wh_env.rulesets.wap.basics.garrisons import Building, rectangle_of
from wh_env.rulesets.wap.basics.ground import Ground, Traits
from wh_env.rulesets.wap.codes import COVERS, DANGEROUS, GROUND, IMPASSABLE, OPEN
from wh_env.rulesets.wap.tables import PIECE

HIDES = 2  # BLOCK["screen"]: models behind it are not visible
ENDLESS = 1e9  # inches: ground has sight values in place of heights


class Corners:
    """Corners of polygons, one after another.

    Attributes:
        points: all of them so far, (x, y) in inches.
    """

    def __init__(self) -> None:
        self.points: list[tuple[float, float]] = []

    def rows(self, pieces: Sequence[Points], feature: int) -> Array:
        """Rows of ``PIECE`` for convex pieces of a feature; their corners are added."""
        found = np.zeros(len(pieces), PIECE)
        for row, points in zip(found, pieces, strict=True):
            xs, ys = [x for x, _ in points], [y for _, y in points]
            row["min_x"], row["max_x"], row["min_y"], row["max_y"] = min(xs), max(xs), min(ys), max(ys)
            row["first"], row["count"], row["feature"] = len(self.points), len(points), feature
            self.points += points
        return found


def with_values(traits: Traits, kind: str, rules: Rules) -> Traits:
    """The traits of a feature with the Line of Sight values that the rules of the battle give plain ground."""
    if GROUND[kind] == IMPASSABLE:
        return replace(traits, sight=rules.impassable_sight)
    return traits


def how_it_affects(traits: Traits) -> int:
    """The code of ``PIECE["passage"]``."""
    if traits.passage == "impassable":
        return IMPASSABLE
    return DANGEROUS if traits.dangerous == "everybody" else OPEN


def terrain_tables(placed: Sequence[Placed], rules: Rules) -> tuple[Array, Array, Array, Array, tuple[Ground, ...]]:
    """The terrain as tables: pieces for the game's own kernels; blocks, corners and features for drawing; and the
    features themselves.
    """
    corners = Corners()
    features = np.zeros(len(placed), FEATURE)
    grounds: list[Array] = []
    laid: list[Ground] = []
    row = 0
    for at, item in enumerate(placed):
        footprint, feature = hull(item.outline), features[at]
        feature["kind"], feature["first"], feature["count"] = GROUND[item.kind], len(corners.points), len(footprint)
        corners.points += footprint
        traits = with_values(item.traits, item.kind, rules)
        pieces = corners.rows([*item.pieces, *seams(item.pieces)], at)
        pieces["kind"], pieces["passage"] = GROUND[item.kind], how_it_affects(traits)
        sight = traits.sight * (item.storeys or item.levels)  # wap.building.line-of-sight
        pieces["sight"], pieces["depth"] = sight, traits.sight_depth
        pieces["cover"] = COVERS[traits.screen]
        if COVERS[traits.screen]:
            pieces["screen"] = sight or rules.cover_sight
        feature["first_block"], feature["blocks"] = row, len(pieces)
        row += len(pieces)
        grounds.append(pieces)
        laid.append(laid_out(at, item, traits, pieces[: len(item.pieces)], corners))
    ground = np.concatenate(grounds) if grounds else np.zeros(0, PIECE)
    blocks = np.array(list(drawn(ground)), BLOCK) if len(ground) else np.zeros(0, BLOCK)
    return ground, blocks, np.array(corners.points, np.float64).reshape(-1, 2), features, tuple(laid)


def buildings_among(placed: Sequence[Placed]) -> dict[int, Building]:
    """``statics["buildings"]``: the buildings by their rows among the features."""
    found = {}
    for row, item in enumerate(placed):
        outline = rectangle_of(tuple(item.outline)) if item.storeys else None
        if outline is not None:
            found[row] = Building(row, *outline, item.storeys, item.shooters)
    return found


def laid_out(row: int, item: Placed, traits: Traits, pieces: Array, corners: Corners) -> Ground:
    """A feature as the engine asks about it."""
    fords = tuple((wide, corners.rows(beside, row)) for wide, beside in item.fords)
    own = (item.example, item.name, item.levels, item.storeys, fords)
    return Ground(row, item.kind, traits, tuple(item.outline), pieces, *own)


def drawn(ground: Array) -> Iterator[Array]:
    """The blocks of pieces for drawing: those that hide everything are walls."""
    for piece in ground:
        block = np.zeros(1, BLOCK)[0]
        for name in ("min_x", "max_x", "min_y", "max_y", "first", "count", "feature"):
            block[name] = piece[name]
        if piece["passage"] == IMPASSABLE:
            block["screen"] = HIDES
        block["z_low"], block["z_high"] = -ENDLESS, ENDLESS
        yield block
