"""A building that an item brings, and that its bearer's player places in his zone before the armies are deployed
(wap.item.enchanted.folding-fortress).

It is compiled beside the table as any other feature, with a row in ``walks``: placing it moves it (``moved_ground``).
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import between
from wh_env.core.features import Pending, Region
from wh_env.core.geometry.shapes import EPS
from wh_env.core.procedures import DecisionKind, OfPlayer, integer
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import item_at, spend
from wh_env.rulesets.wap.basics.ground import Ground, features_of
from wh_env.rulesets.wap.basics.moved_ground import follow_ground
from wh_env.rulesets.wap.deployment.divisions import zone_of
from wh_env.rulesets.wap.field.walking import middle, overlap, shapes

RULE = "wap.item.enchanted.folding-fortress"
MOST = 128  # features of a table


def fortresses_of(g: BattleCore, player: int) -> list[int]:
    """The buildings that a player's items bring and that are not placed yet, by their features."""
    features = g.setup.statics["fortresses"][player]
    if not features:
        return []
    moved = {row for row, dx, dy in g.walks.rows[["feature", "dx", "dy"]].tolist() if dx or dy}
    return [feature for feature in features if feature not in moved]


def item_of(g: BattleCore, player: int, feature: int) -> int:
    """The row of the item of a player that has brought a building."""
    owners = g.units.owner
    rows = [k for k, unit in enumerate(g.items.unit.tolist()) if owners[unit] == player and item_at(g, k).builds]
    at: int = g.setup.statics["fortresses"][player].index(feature)
    return rows[at]


def grid_of(g: BattleCore, player: int, ground: Ground) -> tuple[Array, Array]:
    """The middles of the cells in which a building may stand in the box round a player's zone: x and y, inches."""
    zone, grid = zone_of(g, player), g.setup.space.grid
    (x, y), half = middle(ground.outline), [0.0, 0.0]
    for px, py in ground.outline:
        half = [max(half[0], abs(px - x)), max(half[1], abs(py - y))]
    low, high = zone.min(axis=0) + half, zone.max(axis=0) - half
    return np.linspace(low[0], high[0], grid), np.linspace(low[1], high[1], grid)


def places_for(g: BattleCore, player: int, ground: Ground) -> Array:
    """The cells in which a building may be placed (bool): wholly in the player's zone and clear of other terrain."""
    xs, ys = grid_of(g, player, ground)
    zone, (x, y) = zone_of(g, player), middle(ground.outline)
    corners = np.array(ground.outline) - (x, y)
    bars = (item for item in features_of(g) if item.row != ground.row and item.kind != "open")
    own, others = shapes(g, ground), [shape for item in bars for shape in shapes(g, item)]
    edges = np.roll(zone, -1, axis=0) - zone
    free = np.zeros((len(ys), len(xs)), np.bool_)
    for row, cy in enumerate(ys):
        for column, cx in enumerate(xs):
            to = corners[:, None, :] + (cx, cy) - zone[None, :, :]
            inside = (edges[:, 0] * to[:, :, 1] - edges[:, 1] * to[:, :, 0] >= -EPS * np.hypot(*edges.T)).all()
            by = (float(cx - x), float(cy - y))
            free[row, column] = inside and not any(overlap(one, two, *by) for one in own for two in others)
    return free.ravel()


class PlaceFortress(OfPlayer):
    """A player places the buildings that his items bring, one after the other; without room for one it stays away."""

    ROW = integer(between(0, MOST))  # the feature that is placed now, counted from 1; 0: none yet
    asks = ("place-building",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the building is one that is to be placed."""
        row = g.stack[f + PlaceFortress.ROW]
        return row == 0 or row - 1 in fortresses_of(g, g.stack[f + PlaceFortress.PLAYER])

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + PlaceFortress.PLAYER]
        for row in fortresses_of(g, player):
            if places_for(g, player, features_of(g)[row]).any():
                g.stack[f + PlaceFortress.ROW] = row + 1
                return g.ask(PlaceBuilding, player)
        return g.pop()

    @staticmethod
    def now(g: BattleCore, f: int) -> int:
        """The building that is to be placed now, by its feature."""
        return int(g.stack[f + PlaceFortress.ROW] - 1)


class PlaceBuilding(DecisionKind):
    name = "place-building"
    what = "Where in the own deployment zone the building of an item stands, before the armies are deployed."
    policy = "As near to the middle of the zone as there is room."
    keys = (RULE,)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        ground = features_of(g)[PlaceFortress.now(g, f)]
        for at in np.flatnonzero(places_for(g, g.stack[f + PlaceFortress.PLAYER], ground)).tolist():
            mask[g.setup.space.cell + at] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player, feature = g.stack[f + PlaceFortress.PLAYER], PlaceFortress.now(g, f)
        k, (x, y) = item_of(g, player, feature), self.spot(g, f, action)
        at, (from_x, from_y) = g.walks.feature.tolist().index(feature), middle(features_of(g)[feature].outline)
        g.walks.dx[at], g.walks.dy[at] = x - from_x, y - from_y
        g.stack[f + PlaceFortress.ROW] = 0
        spend(g, k)
        follow_ground(g)
        if g.recorder is not None:
            name = item_at(g, k).name
            g.note(RULE, "places a building", unit=g.items.unit[k], name=name, place=(round(x, 2), round(y, 2)))

    @staticmethod
    def spot(g: BattleCore, f: int, action: int) -> tuple[float, float]:
        """The middle of a cell, inches."""
        xs, ys = grid_of(g, g.stack[f + PlaceFortress.PLAYER], features_of(g)[PlaceFortress.now(g, f)])
        row, column = divmod(action - g.setup.space.cell, len(xs))
        return float(xs[column]), float(ys[row])

    def pending(self, g: BattleCore, f: int) -> Pending:
        xs, ys = grid_of(g, g.stack[f + PlaceFortress.PLAYER], features_of(g)[PlaceFortress.now(g, f)])
        return Pending(Region.between(float(xs[0]), float(ys[0]), float(xs[-1]), float(ys[-1])))

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        player, cell = g.stack[f + PlaceFortress.PLAYER], g.setup.space.cell
        xs, ys = grid_of(g, player, features_of(g)[PlaceFortress.now(g, f)])
        x, y = zone_of(g, player).mean(axis=0)
        away = np.add.outer((ys - y) ** 2, (xs - x) ** 2).ravel()
        away[~np.asarray(mask[cell : cell + len(away)], np.bool_)] = np.inf
        return int(cell + away.argmin())

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = self.spot(g, f, action)
        return f"the building stands at {x:.1f}, {y:.1f}"
