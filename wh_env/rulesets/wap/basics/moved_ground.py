"""Terrain features that move during a battle (wap.terrain.forest.blood.move).

The table ``walks`` has a row for each feature that can move: by how much it has moved since the battle began. All that
is compiled from the ground follows from the Setup, so a battle whose ground has moved goes on with a Setup derived from
its first one and from this table, also when it is resumed from its bytes (``Ruleset.resume``). Battles in which no
feature can move have no rows, and keep their Setup.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import frozen
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.ground import Ground, by_trait

KEPT = 64  # Setups with moved ground that are kept
PIECES = ("ground", "inner_ground", "machine_ground", "drained_ground")  # statics that are pieces of ground
BOX = ("min_x", "max_x", "min_y", "max_y")


def moves_of(g: BattleCore) -> bytes:
    """What the state says about moved ground: (dx, dy) of each row of ``walks``; empty if nothing has moved."""
    rows = g.walks.rows
    moves = np.stack([rows["dx"], rows["dy"]], axis=1) + 0.0  # -0.0 is 0.0
    return moves.tobytes() if moves.any() else b""


def follow_ground(g: BattleCore) -> None:
    """Give the battle the Setup with its ground where the state says that it is."""
    if not len(g.walks.feature):
        return
    moves = moves_of(g)
    if moves != g.setup.moves:
        unmoved = g.setup.unmoved or g.setup
        g.setup = moved(unmoved, moves) if moves else unmoved


@lru_cache(maxsize=KEPT)
def moved(setup: Setup, moves: bytes) -> Setup:
    """The Setup derived from ``setup`` with its ground moved. ``moves``: as of ``moves_of``."""
    by = np.zeros((len(setup.features), 2))
    by[setup.layout.view(setup.template, "walks")["feature"]] = np.frombuffer(moves).reshape(-1, 2)
    owner = np.searchsorted(setup.features["first"], np.arange(len(setup.corners)), side="right") - 1
    features = tuple(moved_feature(item, by) for item in setup.statics["features"])
    statics: dict[str, Any] = {name: moved_pieces(setup.statics[name], by) for name in PIECES}
    statics["features"], statics["ground_with"] = features, by_trait(features)
    statics["noted"] = tuple(item for item in features if item.traits.noted)
    statics["buildings"] = {
        row: house._replace(x=house.x + by[row, 0].item(), y=house.y + by[row, 1].item())
        for row, house in setup.statics["buildings"].items()
    }
    standing = setup.statics["standing"]
    if standing is not None:
        hills, bogs = moved_pieces(standing.hills, by), moved_pieces(standing.bogs, by)
        statics["standing"] = standing._replace(hills=hills, bogs=bogs)
    blocks, corners = moved_pieces(setup.blocks, by), setup.corners + by[owner]
    return setup.with_moved_terrain(moves, blocks, corners, setup.features, statics)


def moved_pieces(pieces: Array, by: Array) -> Array:
    """Pieces or blocks with their boxes moved. ``by``: inches (dx, dy) by feature."""
    found = pieces.copy()
    for name in BOX:
        found[name] += by[pieces["feature"], int(name.endswith("y"))]
    return frozen(found)


def moved_feature(item: Ground, by: Array) -> Ground:
    """A feature where it has moved to; itself if it has not. ``by``: inches (dx, dy) by feature."""
    dx, dy = by[item.row].tolist()
    if not dx and not dy:
        return item
    outline = tuple((x + dx, y + dy) for x, y in item.outline)
    fords = tuple((wide, moved_pieces(beside, by)) for wide, beside in item.fords)
    return replace(item, outline=outline, pieces=moved_pieces(item.pieces, by), fords=fords)
