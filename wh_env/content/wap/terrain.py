"""Compiles the terrain of a battle of regiments: tables for kernels and drawings, and what each feature does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from wh_env.content.geometry import Points, hull, seams
from wh_env.content.wap.load import Placed
from wh_env.content.wap.schema_battle import Rules
from wh_env.core.frozen import frozen
from wh_env.core.tables import BLOCK, FEATURE, Array
from wh_env.rulesets.wap.basics.effects import Effect, On, Until
from wh_env.rulesets.wap.basics.garrisons import Building, rectangle_of
from wh_env.rulesets.wap.basics.ground import Ground, Traits, by_trait
from wh_env.rulesets.wap.basics.special_rules import Abilities
from wh_env.rulesets.wap.basics.standing import Standing
from wh_env.rulesets.wap.codes import COVERS, DANGEROUS, GROUND, IMPASSABLE, OPEN
from wh_env.rulesets.wap.rule_book import ETHEREAL, STRIDER, SpecialRule, is_open_ground
from wh_env.rulesets.wap.tables import PIECE

HIDES = 2  # BLOCK["screen"]: models behind it are not visible
ENDLESS = 1e9  # inches: ground has sight values in place of heights
OPEN_TO_MACHINES = ("open", "hill")  # kinds of ground that war machines enter


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
    if GROUND[kind] == IMPASSABLE and not traits.water:  # deep water lies flat (wap.machine.cannon.bounce.impassable)
        return replace(traits, sight=rules.impassable_sight)
    return traits


def how_it_affects(traits: Traits) -> int:
    """The code of ``PIECE["passage"]``."""
    if traits.entry == "impassable":
        return IMPASSABLE
    return DANGEROUS if traits.noted else OPEN


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


def walkers_among(laid: Sequence[Ground]) -> list[int]:
    """Rows of the features that magic makes move."""
    return [item.row for item in laid if item.traits.harm is not None and item.traits.harm.walks]


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
    for _, beside in fords:
        for name in ("passage", "sight", "screen", "cover", "kind", "depth"):
            beside[name] = pieces[name][0]
    own = (item.example, item.name, item.levels, item.storeys, tuple((wide, frozen(beside)) for wide, beside in fords))
    return Ground(row, item.kind, traits, tuple(item.outline), frozen(pieces), *own)


def standing_on(laid: Sequence[Ground], placed: Sequence[Placed], abilities: Sequence[Abilities]) -> Standing | None:
    """Ground that lifts or slows units; None if there is none. ``laid``, ``placed``: the features. ``abilities``:
    special rules by unit.
    """
    hills = [item.pieces for item in laid if item.traits.lifts]
    bogs = [(item, item.traits.slows) for item in laid if item.traits.slows]
    storeys = np.array([item.storeys for item in laid], np.int64)
    if not hills and not bogs and not storeys.any():
        return None
    none, windows = np.zeros(0, PIECE), np.array([item.shooters for item in placed], np.int64)
    losses = [slows for item, slows in bogs for _ in range(len(item.pieces))]
    spared = spared_by(laid, abilities)
    slow = np.concatenate([item.pieces for item, _ in bogs]) if bogs else none
    lifting = np.concatenate(hills) if hills else none
    return Standing(*map(frozen, (lifting, slow, np.array(losses, np.int64), spared, storeys, windows)))


def spared_by(laid: Sequence[Ground], abilities: Sequence[Abilities]) -> Array:
    """Which features do not slow units with these special rules (bool, units x features)."""
    found = np.array([[goes_freely(rules, item.kind) for item in laid] for rules in abilities], np.bool_)
    return frozen(found.reshape(len(abilities), len(laid)))


def gifts_of(laid: Sequence[Ground]) -> frozenset[SpecialRule]:
    """The special rules that ground gives to units in it or near it."""
    return frozenset(rule for item in laid for rule, _ in item.traits.gives)


def effects_of(laid: Sequence[Ground]) -> dict[int, Effect]:
    """What ground gives to units that move through it, by feature (wap.terrain.river.necrotic-ooze.poison, .blood)."""
    return {
        item.row: Effect(item.example or item.kind, On.UNIT, Until.NEXT_TURN, item.traits.gives_crossing)
        for item in laid
        if item.traits.gives_crossing
    }


def goes_freely(rules: Abilities, kind: str) -> bool:
    """Whether ground of a kind does not slow a unit with these rules (wap.special.strider, .ethereal.movement)."""
    return ETHEREAL in rules or is_open_ground(kind, rules.get(STRIDER, ()))


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


def ground_for_machines(ground: Array, features: Sequence[Placed]) -> Array:
    """The pieces of terrain with those impassable that war machines do not enter: all but open ground and hills
    (wap.machine.terrain). ``ground`` itself if these are the same.
    """
    closed = np.array([item.kind not in OPEN_TO_MACHINES for item in features], np.bool_)
    there = closed[ground["feature"]] if len(ground) else np.zeros(0, np.bool_)
    if (ground["passage"][there] == IMPASSABLE).all():
        return ground
    found = ground.copy()
    found["passage"][there] = IMPASSABLE
    return found


def ground_for_swimmers(ground: Array, laid: Sequence[Ground]) -> Array:
    """The pieces of terrain with deep water as open ground (wap.special.aquatic.movement). ``ground`` itself if
    there is none.
    """
    deep = [item.row for item in laid if item.traits.water and item.traits.entry == "impassable"]
    if not deep:
        return ground
    found = ground.copy()
    found["passage"][np.isin(ground["feature"], deep)] = OPEN
    return found


def ground_of(
    placed: Sequence[Placed],
    edges: Sequence[object],
    ground: Array,
    laid: Sequence[Ground],
    abilities: Sequence[Abilities],
    effects: int,
) -> dict[str, Any]:
    """Statics about terrain: its pieces, without those that stand for edges too, the buildings, and what features do
    (``basics.ground``, ``basics.standing``). ``edges``: what stands for edges of the table, in the last features.
    ``effects``: of the battle; the last ones are what features give to units that cross them.
    """
    inner, crossed = int(np.searchsorted(ground["feature"], len(placed) - len(edges))), list(effects_of(laid))
    return {
        "ground": ground,
        "inner_ground": ground[:inner],
        "machine_ground": ground_for_machines(ground, placed),
        "drained_ground": ground_for_swimmers(ground, laid),
        "features": tuple(laid),
        "buildings": buildings_among(placed),
        "ground_with": by_trait(laid),
        "noted": tuple(item for item in laid if item.traits.noted),
        "standing": standing_on(laid, placed, abilities),
        "crossing_effects": {row: effects - len(crossed) + n for n, row in enumerate(crossed)},
    }
