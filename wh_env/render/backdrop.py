"""What lies under the models: the table with its scale, deployment zones, terrain by height."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.outlines import laid_out
from wh_env.core.tables import Array
from wh_env.render.labels import Labels
from wh_env.render.shapes import Point, Shape, line, polygon, text
from wh_env.render.theme import GROUNDS, LEVELS

TABLE, ZONES, GRID, GROUND, PARTS, HEIGHTS = 0, 5, 10, 15, 20, 28
STEPS = {"in": (6.0, 12.0, 24.0), "cm": (10.0, 20.0, 30.0, 50.0)}  # distances between lines of the grid
MOST_LINES = 6  # lines of the grid along the longer side
LEVEL = 2.0  # grains of height for one shade
LOW = 0.5  # grains: walls that begin lower are drawn as walls, others as hanging above
NAMED = 3.0  # grains: features whose longer side is at least so long are named


def backdrop_key(battle: BattleCore) -> tuple[int, bytes]:
    """A value that differs whenever the backdrops of two states of battles with one setup differ."""
    sites = battle.sites.rows.tobytes() if "sites" in battle.setup.layout.offsets else b""
    return battle.clock.attacker[0], sites


def backdrop(battle: BattleCore, grain: float) -> dict[str, Shape]:
    """The shapes of table, zones and terrain by key. ``grain``: see ``scene``."""
    shapes = dict(_table(battle, grain))
    shapes.update(_zones(battle))
    shapes.update(_terrain(battle, grain))
    return shapes


def terrain(battle: BattleCore) -> tuple[Array, Array, Array]:
    """Blocks, corners and features as they stand now, even while the players are still placing them."""
    setup = battle.setup
    pieces = setup.statics.get("pieces")
    if len(setup.features) or pieces is None or "sites" not in setup.layout.offsets:
        return setup.blocks, setup.corners, setup.features
    sites = battle.sites
    poses = [
        (x, y, turn) if placed == 1 else None
        for x, y, turn, placed in zip(sites.x, sites.y, sites.facing, sites.placed, strict=True)
    ]
    blocks, corners, features = pieces
    return laid_out(blocks, corners, features, poses)


def _table(battle: BattleCore, grain: float) -> Iterator[tuple[str, Shape]]:
    """The table, the lines of its grid and the lengths along its edges."""
    length, width = battle.setup.length, battle.setup.width
    unit = battle.setup.ruleset.length_unit
    yield "table", polygon("table", ((0, 0), (length, 0), (length, width), (0, width)), TABLE)
    steps = STEPS.get(unit, STEPS["in"])
    step = next((s for s in steps if max(length, width) / s <= MOST_LINES), steps[-1])
    size, names = 0.8 * grain, Labels(battle)
    for axis, reach in (("x", length), ("y", width)):
        for k in range(int(reach / step + 1e-9) + 1):
            at = k * step
            if axis == "x":
                points: tuple[Point, Point] = ((at, 0.0), (at, width))
                mark = text("ruler", at, -0.75 * grain, size, names.length(at), GRID)
            else:
                points = ((0.0, at), (length, at))
                mark = text(
                    "ruler", -0.35 * grain - 0.27 * size * len(names.length(at)), at, size, names.length(at), GRID
                )
            if 0.0 < at < reach:
                yield f"g{axis}{k}", line("grid", points, GRID)
            if axis == "x" or k:
                yield f"gt{axis}{k}", mark


def _zones(battle: BattleCore) -> Iterator[tuple[str, Shape]]:
    """The deployment zones as far as they are settled."""
    for number, zone in enumerate(battle.setup.ruleset.deployment_zones(battle)):
        attacker = battle.clock.attacker[0]
        player = attacker if number == 0 else 1 - attacker
        title = f"deployment zone of {Labels(battle).player(player)}"
        yield f"zone{number}", polygon(f"zone-{player}", np.asarray(zone).tolist(), ZONES, title=title)


def _terrain(battle: BattleCore, grain: float) -> Iterator[tuple[str, Shape]]:
    """The footprints of the features, their parts, and their names and heights."""
    blocks, corners, features = terrain(battle)
    names = Labels(battle)
    for at, feature in enumerate(features):
        kind = names.feature(int(feature["kind"]))
        outline = corners[feature["first"] : feature["first"] + feature["count"]]
        style = f"ground-{kind}" if f"ground-{kind}" in GROUNDS else "ground"
        height = float(feature["height"])
        title = kind + (f", {names.length(height)} high" if height > 0 else "")
        yield f"f{at}", polygon(style, outline.tolist(), GROUND, title=title)
    for at, block in enumerate(blocks):
        if not block["solid"] and not block["walkable"]:
            continue  # a footprint that rules name; drawn already
        outline = corners[block["first"] : block["first"] + block["count"]]
        yield f"b{at}", polygon(_part(block, grain), outline.tolist(), _layer(block, grain))
    yield from _heights(battle, grain, blocks, corners, features)


def _part(block: Any, grain: float) -> str:
    """The style of a part of terrain: a floor has a shade by its height, everything else is a wall."""
    if block["walkable"]:
        return f"floor-{min(LEVELS - 1, int(block['z_high'] / (LEVEL * grain)))}"
    return "wall" if block["z_low"] < LOW * grain else "wall-high"


def _layer(block: Any, grain: float) -> int:
    """The layer of a part of terrain, by the height at which it begins."""
    return PARTS + min(HEIGHTS - PARTS - 1, int(block["z_low"] / (LEVEL * grain)) * 2 + (not block["walkable"]))


def _heights(
    battle: BattleCore, grain: float, blocks: Array, corners: Array, features: Array
) -> Iterator[tuple[str, Shape]]:
    """The names of the features, and the heights of surfaces on which models can stand."""
    names = Labels(battle)
    for at, feature in enumerate(features):
        outline = corners[feature["first"] : feature["first"] + feature["count"]]
        (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
        if max(x1 - x0, y1 - y0) >= NAMED * grain:
            kind = names.feature(int(feature["kind"]))
            yield f"ft{at}", text("feature", (x0 + x1) / 2, y1 - 0.6 * grain, 0.7 * grain, kind, HEIGHTS)
    written: set[tuple[int, float]] = set()
    order = np.argsort([-_area(corners[b["first"] : b["first"] + b["count"]]) for b in blocks], kind="stable")
    for at in order.tolist():
        block = blocks[at]
        top = round(float(block["z_high"]), 3)
        if not block["walkable"] or (int(block["feature"]), top) in written:
            continue
        written.add((int(block["feature"]), top))
        x, y = corners[block["first"] : block["first"] + block["count"]].mean(axis=0).tolist()
        yield f"bt{at}", text("height", x, y, 0.7 * grain, names.length(top), HEIGHTS)


def _area(outline: Array) -> float:
    """The area of an outline (corners x 2)."""
    x, y = outline[:, 0], outline[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)
