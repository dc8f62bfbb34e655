"""From terrain features to convex prisms: the ``blocks``, ``corners`` and ``features`` of a Setup.

Also checks maps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

import numpy as np

from wh_env.content.errors import ContentError, unknown
from wh_env.content.fields import INCH
from wh_env.content.geometry import (
    Points,
    convex_pieces,
    counter_clockwise,
    fault_of_polygon,
    gap_between,
    hull,
    inside,
    is_convex,
    overlap,
)
from wh_env.content.kept import Same
from wh_env.content.w40k.schema import (
    FEATURE_KINDS,
    Battlefield,
    Feature,
    Floor,
    Markers,
    Mass,
    Parts,
    Shape,
    Wall,
    ZoneRule,
    Zones,
)
from wh_env.core.tables import BLOCK, FEATURE, Array

MASS, WALL, FLOOR = 0, 1, 2  # BLOCK["kind"]
FLOOR_THICKNESS = 0.25
MARKER_FROM_WALL = 1.0  # a marker's edge is more than so far from impassable parts
TOUCH = 1e-6  # features may touch

# kinds that are one solid mass when no parts are given, and whether models can stand on it
SOLID = {"barricade": False, "debris": False, "statue": False, "container": True, "hill": True, "building": True}
WALKABLE = {**SOLID, "crater": True}  # masses that do not say themselves
RAISED = ("container", "hill", "building")  # features that others can be placed on
ENDLESS = 1e9  # inches: a footprint that screens reaches over everything
MOST_PIECES = 4000  # of a battlefield; kernels go through all of them


@dataclass(frozen=True)
class Prism:
    """A convex polygon (counter-clockwise) from ``z_low`` to ``z_high``."""

    corners: Points
    z_low: float
    z_high: float
    kind: int
    walkable: bool


@dataclass(frozen=True)
class Placed:
    """A feature in table coordinates."""

    field: str  # its place in the file, for messages
    kind: str
    outline: Points  # the footprint as given
    footprint: Points  # its convex hull
    height: float
    prisms: tuple[Prism, ...]


# ---------------------------------------------------------------- placing


def _turned(points: Sequence[tuple[float, float]], at: tuple[float, float], degrees: float) -> Points:
    quarter, rest = divmod(degrees % 360.0, 90.0)
    if rest == 0.0:  # exact for quarter turns
        cosine, sine = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter)]
    else:
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(at[0] + cosine * x - sine * y, at[1] + sine * x + cosine * y) for x, y in points]


def place_features(battlefield: Battlefield) -> list[Placed]:
    """All features of a battlefield, including mirrored ones, in table coordinates."""
    placed: list[Placed] = []
    length, width = battlefield.size
    pieces = 0
    for index, feature in enumerate(battlefield.features):
        before = len(placed)
        field = f"features[{index}]"
        if feature.template is not None and feature.template not in battlefield.templates:
            raise unknown(battlefield.source, f"{field}.template", feature.template, battlefield.templates)
        at = feature.at or (0.0, 0.0)
        placed.append(_place(battlefield, feature, field, at, feature.rotation))
        if feature.mirror:
            other = (length - at[0], width - at[1])
            placed.append(_place(battlefield, feature, field, other, feature.rotation + 180.0))
        pieces += sum(len(item.prisms) for item in placed[before:])
        if pieces > MOST_PIECES:
            expected = f"at most {MOST_PIECES} convex pieces in all"
            raise ContentError(battlefield.source, field, pieces, expected, "pieces of terrain are too many")
    return placed


def _place(battlefield: Battlefield, feature: Feature, field: str, at: tuple[float, float], rotation: float) -> Placed:
    shape, file = battlefield.shape(feature), battlefield.source
    inner = f"templates.{feature.template}" if feature.template is not None else field
    prisms: list[Prism] = []
    for prism in _prisms_of(Same(shape), file, inner):
        corners = _turned(prism.corners, at, rotation)
        prisms.append(Prism(corners, prism.z_low, prism.z_high, prism.kind, prism.walkable))
    outline = counter_clockwise(_turned(shape.polygon, at, rotation))
    return Placed(field, shape.kind, outline, hull(outline), shape.height, tuple(prisms))


@lru_cache(maxsize=512)
def _prisms_of(shape: Same[Shape], file: str, field: str) -> tuple[Prism, ...]:
    """The prisms of a shape as its template gives them, kept for templates that many battles share.

    Raises:
        ContentError: an outline is not sound, or a part stands out of it.
    """
    _check_polygon(file, f"{field}.polygon", shape.value.polygon)
    return tuple(_prisms(shape.value, file, field))


def _check_polygon(file: str, field: str, points: Sequence[tuple[float, float]]) -> None:
    fault = fault_of_polygon(points)
    if fault:
        raise ContentError(file, field, [list(p) for p in points], "a simple polygon with an area", fault)


# ---------------------------------------------------------------- parts to prisms


def _prisms(shape: Shape, file: str, field: str) -> list[Prism]:
    prisms: list[Prism] = []
    if shape.parts is None:
        if shape.kind in SOLID and shape.height > 0.0:
            mass = Mass(polygon=shape.polygon, height=shape.height)
            prisms += _mass(mass, shape.kind, file, field)
        return prisms
    footprint = hull(counter_clockwise(list(shape.polygon)))
    for at, mass in enumerate(shape.parts.masses):
        prisms += _mass(mass, shape.kind, file, f"{field}.parts.masses[{at}]")
    for at, wall in enumerate(shape.parts.walls):
        prisms += _wall(wall, file, f"{field}.parts.walls[{at}]")
    for at, floor in enumerate(shape.parts.floors):
        prisms += _floor(floor, file, f"{field}.parts.floors[{at}]")
    names = _part_names(shape.parts)
    for prism in prisms:
        if not all(inside(footprint, point, 1e-3) for point in prism.corners):
            corners = [[round(x, 3), round(y, 3)] for x, y in prism.corners]
            raise ContentError(
                file, f"{field}.parts", corners, f"{names} within the polygon", "stands out of the feature"
            )
    return prisms


def _part_names(parts: Parts) -> str:
    held = {"masses": parts.masses, "walls": parts.walls, "floors": parts.floors}
    return ", ".join(name for name, some in held.items() if some) or "parts"


def _mass(mass: Mass, kind: str, file: str, field: str) -> list[Prism]:
    _check_polygon(file, f"{field}.polygon", mass.polygon)
    if mass.height <= mass.z:
        raise ContentError(file, f"{field}.height", mass.height, f"more than z ({mass.z:g})")
    walkable = WALKABLE.get(kind, False) if mass.walkable is None else mass.walkable
    pieces = convex_pieces(list(mass.polygon))
    return [Prism(piece, mass.z, mass.height, MASS, walkable) for piece in pieces]


def _floor(floor: Floor, file: str, field: str) -> list[Prism]:
    _check_polygon(file, f"{field}.polygon", floor.polygon)
    low = max(0.0, floor.height - FLOOR_THICKNESS)
    return [Prism(piece, low, floor.height, FLOOR, True) for piece in convex_pieces(list(floor.polygon))]


def _wall(wall: Wall, file: str, field: str) -> list[Prism]:
    low, high = wall.z, wall.z + wall.height
    if wall.polygon is not None:
        _check_polygon(file, f"{field}.polygon", wall.polygon)
        return [Prism(piece, low, high, WALL, False) for piece in convex_pieces(list(wall.polygon))]
    assert wall.line is not None
    joints = _mitres(wall.line, wall.thickness, file, field)
    prisms: list[Prism] = []
    start = 0.0
    taken: set[int] = set()
    for at in range(len(wall.line) - 1):
        (x1, y1), (x2, y2) = wall.line[at], wall.line[at + 1]
        length = math.hypot(x2 - x1, y2 - y1)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        half = wall.thickness / 2

        def cross(
            along: float, x: float = x1, y: float = y1, u: float = ux, v: float = uy, h: float = half
        ) -> tuple[tuple[float, float], tuple[float, float]]:
            px, py = x + u * along, y + v * along
            return (px - v * h, py + u * h), (px + v * h, py - u * h)

        mine = [
            (k, o) for k, o in enumerate(wall.openings) if o.start >= start - 1e-9 and o.end <= start + length + 1e-9
        ]
        edge, along = joints[at], 0.0
        for index, opening in sorted(mine, key=lambda pair: pair[1].start):
            taken.add(index)
            a, b = opening.start - start, opening.end - start
            first, last = at == 0, at == len(wall.line) - 2
            if (a < wall.thickness and not (first and a == 0.0)) or (
                length - b < wall.thickness and not (last and abs(length - b) < 1e-9)
            ):
                expected = f"an opening at least the wall's thickness ({wall.thickness:g}) away from its corners"
                raise ContentError(file, f"{field}.openings[{index}]", [opening.start, opening.end], expected)
            if a < along - 1e-9:
                value = [opening.start, opening.end]
                raise ContentError(file, f"{field}.openings[{index}]", value, "openings apart", "overlaps another")
            near, far = cross(a), cross(b)
            if a > along + 1e-9:
                prisms.append(Prism(_quad(edge, near), low, high, WALL, False))
            if opening.z_low > 0.0:
                prisms.append(Prism(_quad(near, far), low, low + opening.z_low, WALL, False))
            if opening.z_high < wall.height:
                prisms.append(Prism(_quad(near, far), low + opening.z_high, high, WALL, False))
            edge, along = far, b
        if along < length - 1e-9:
            prisms.append(Prism(_quad(edge, joints[at + 1]), low, high, WALL, False))
        start += length
    for index, opening in enumerate(wall.openings):
        if index not in taken:
            value = [opening.start, opening.end]
            expected = f"an opening on one straight piece of the wall, 0 to {start:g} along it"
            raise ContentError(file, f"{field}.openings[{index}]", value, expected)
    return prisms


Edge = tuple[tuple[float, float], tuple[float, float]]  # left and right end of a cut across a wall


def _quad(start: Edge, end: Edge) -> Points:
    return counter_clockwise([start[1], end[1], end[0], start[0]])


def _mitres(line: Sequence[tuple[float, float]], thickness: float, file: str, field: str) -> list[Edge]:
    """The cut across the wall at each point of its line; at corners it halves the angle."""
    units: list[tuple[float, float]] = []
    for (x1, y1), (x2, y2) in pairwise(line):
        length = math.hypot(x2 - x1, y2 - y1)
        if length < 2 * thickness:
            value = [[x1, y1], [x2, y2]]
            raise ContentError(file, f"{field}.line", value, "pieces at least twice as long as thick", "is too short")
        units.append(((x2 - x1) / length, (y2 - y1) / length))
    half = thickness / 2
    cuts: list[Edge] = []
    for at, (x, y) in enumerate(line):
        before, after = units[max(0, at - 1)], units[min(at, len(units) - 1)]
        mx, my = -(before[1] + after[1]), before[0] + after[0]
        size = math.hypot(mx, my)
        share = (mx * -after[1] + my * after[0]) / size if size > 1e-9 else 0.0
        if share < 0.5:  # sharper than 60 degrees
            raise ContentError(file, f"{field}.line", [x, y], "corners of at least 60 degrees", "is too sharp a corner")
        ox, oy = mx / size * half / share, my / size * half / share
        cuts.append(((x + ox, y + oy), (x - ox, y - oy)))
    return cuts


# ---------------------------------------------------------------- tables


class FeatureType(Protocol):
    """The rules of a ruleset for a kind of feature."""

    @property
    def traits(self) -> int:
        """Bits of ``FEATURE["traits"]``."""

    @property
    def ends(self) -> bool:
        """Whether models can stand on its walkable parts."""

    @property
    def parts(self) -> int:
        """Added to the kinds of its blocks."""

    @property
    def screen(self) -> int:
        """Column of ``BLOCK`` for its footprint, 0: the footprint is no block."""

    @property
    def screen_height(self) -> float:
        """Inches that the feature must be high to be such a block."""

    @property
    def spares(self) -> int:
        """Column of ``BLOCK`` for its footprint."""

    @property
    def across(self) -> float:
        """Column of ``BLOCK`` for its parts."""

    @property
    def engage(self) -> float:
        """Column of ``BLOCK`` for its footprint, 0: it needs no block for that."""


def compile_terrain(
    battlefield: Battlefield,
    kinds: Mapping[str, int] | None = None,
    traits: Mapping[str, int] | None = None,
    types: Mapping[str, FeatureType] | None = None,
) -> tuple[Array, Array, Array]:
    """The terrain of a battlefield as tables of ``core.tables``.

    Args:
        battlefield: with its templates.
        kinds: number of each kind of feature (``FEATURE["kind"]``); None: its place in ``FEATURE_KINDS``.
        traits: bits of each kind of feature; None: 0.
        types: the ruleset's types of features. They also give traits, flag blocks, and add footprints as blocks that
            screen or that Engagement Range reaches across.

    Returns:
        ``(blocks, corners, features)``: rows of ``BLOCK``, points (n, 2), rows of ``FEATURE``.
    """
    numbers = kinds if kinds is not None else {kind: at for at, kind in enumerate(FEATURE_KINDS)}
    types = types or {}
    placed = check_battlefield(battlefield)
    corners: list[tuple[float, float]] = []
    grounds = sum(1 for p in placed if p.kind in types and _matters(p, types[p.kind]))
    blocks = np.zeros(sum(len(p.prisms) for p in placed) + grounds, BLOCK)
    features = np.zeros(len(placed), FEATURE)
    row = 0
    for at, item in enumerate(placed):
        feature = features[at]
        feature["first"], feature["count"] = len(corners), len(item.footprint)
        corners += item.footprint
        feature["kind"] = numbers[item.kind]
        feature["traits"] = traits.get(item.kind, 0) if traits is not None else 0
        ends, parts, across = True, 0, 0.0
        if item.kind in types:
            rule = types[item.kind]
            ends, parts, across = rule.ends, rule.parts, rule.across
            feature["traits"] |= int(rule.traits)
        feature["height"] = _highest(item)
        feature["first_block"], feature["blocks"] = row, len(item.prisms)
        for prism in item.prisms:
            block = blocks[row]
            _stand(block, at, prism.corners, len(corners))
            block["z_low"], block["z_high"] = prism.z_low, prism.z_high
            block["kind"], block["across"] = prism.kind + parts, across
            block["solid"], block["walkable"] = 1, int(prism.walkable and ends)
            corners += prism.corners
            row += 1
        if item.kind in types and _matters(item, types[item.kind]):
            block, rule = blocks[row], types[item.kind]
            _stand(block, at, item.footprint, int(feature["first"]))
            block["z_low"], block["z_high"] = -ENDLESS, ENDLESS
            block["kind"], block["engage"] = parts, rule.engage
            if _screens(item, rule):
                block["screen"], block["spares"] = rule.screen, rule.spares
            row += 1
    return blocks, np.array(corners, np.float64).reshape(-1, 2), features


def _highest(item: Placed) -> float:
    """The height of a feature's highest point, inches."""
    return max([item.height, *(prism.z_high for prism in item.prisms)])


def _screens(item: Placed, rule: FeatureType) -> bool:
    """Whether the footprint of a feature is a block for sight."""
    return bool(rule.screen) and _highest(item) >= rule.screen_height - TOUCH


def _matters(item: Placed, rule: FeatureType) -> bool:
    """Whether the footprint of a feature is a block: for sight, or for Engagement Range."""
    return bool(rule.engage) or _screens(item, rule)


def _stand(block: Array, feature: int, outline: Points, first: int) -> None:
    """Fill outline and feature of a block; the outline's corners begin at row ``first``."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    block["min_x"], block["max_x"], block["min_y"], block["max_y"] = min(xs), max(xs), min(ys), max(ys)
    block["first"], block["count"], block["feature"] = first, len(outline), feature


# ---------------------------------------------------------------- checks


def _on_top(item: Placed, hill: Placed) -> bool:
    """Whether a feature stands on a raised area that models can stand on, and no part of it overhangs."""
    tops = [prism.z_high for prism in hill.prisms if prism.walkable]
    if hill.kind not in RAISED or not tops or not item.prisms:
        return False
    return all(inside(hill.footprint, point, 1e-6) for point in item.footprint) and all(
        prism.z_low >= max(tops) - TOUCH for prism in item.prisms
    )


def _near(one: Points, two: Points) -> bool:
    """Whether the boxes around two outlines meet; only then can they overlap."""
    return not any(
        max(p[axis] for p in a) < min(p[axis] for p in b) for a, b in ((one, two), (two, one)) for axis in (0, 1)
    )


def check_battlefield(battlefield: Battlefield, markers: Markers | None = None) -> list[Placed]:
    """The placed features, after checking that they stand on the table and apart, and the objective markers."""
    file = battlefield.source
    length, width = battlefield.size
    placed = place_features(battlefield)
    for item in placed:
        if any(x < -TOUCH or y < -TOUCH or x > length + TOUCH or y > width + TOUCH for x, y in item.outline):
            corners = [[round(x, 3), round(y, 3)] for x, y in item.outline]
            raise ContentError(
                file, item.field, corners, f"a place on the {length:g} x {width:g} table", "leaves the table"
            )
    for at, item in enumerate(placed):
        for other in placed[:at]:
            if not _near(item.footprint, other.footprint):
                continue
            if overlap(item.footprint, other.footprint) > 1e-3 and not (_on_top(item, other) or _on_top(other, item)):
                expected = "features whose outlines (convex hulls) do not overlap"
                raise ContentError(file, item.field, item.kind, expected, f"overlaps {other.field} ({other.kind})")
    if battlefield.zones is not None:
        _check_zones(battlefield, battlefield.zones)
    if markers is not None:
        check_objectives(battlefield, markers, placed)
    return placed


def _check_zones(battlefield: Battlefield, zones: Zones) -> None:
    """Check that deployment zones are convex, on the table and apart (they may touch)."""
    file, (length, width) = battlefield.source, battlefield.size
    for field, points in (("zones.attacker", zones.attacker), ("zones.defender", zones.defender)):
        _check_polygon(file, field, points)
        value = [list(p) for p in points]
        if not is_convex(counter_clockwise(points)):
            raise ContentError(file, field, value, "a zone without corners that point inwards", "is not convex")
        if any(x < -TOUCH or y < -TOUCH or x > length + TOUCH or y > width + TOUCH for x, y in points):
            raise ContentError(file, field, value, f"a zone on the {length:g} x {width:g} table", "leaves the table")
    if overlap(counter_clockwise(zones.attacker), counter_clockwise(zones.defender)) > TOUCH:
        value = [list(p) for p in zones.defender]
        raise ContentError(file, "zones.defender", value, "zones that do not overlap", "overlaps zones.attacker")


def check_objectives(battlefield: Battlefield, markers: Markers, placed: Sequence[Placed] | None = None) -> None:
    """Check that markers are away from edges and each other, and off walls and other impassable parts."""
    file = battlefield.source
    length, width = battlefield.size
    radius = markers.diameter_mm / INCH / 2
    placed = place_features(battlefield) if placed is None else placed
    for at, (x, y) in enumerate(battlefield.objectives):
        field, value = f"objectives[{at}]", [x, y]
        if min(x, y, length - x, width - y) - radius <= markers.from_edges_in:
            expected = f"a marker more than {markers.from_edges_in:g} from every edge"
            raise ContentError(file, field, value, expected, "is too near an edge")
        for x2, y2 in battlefield.objectives[:at]:
            if math.hypot(x - x2, y - y2) - 2 * radius <= markers.apart_in:
                expected = f"markers more than {markers.apart_in:g} apart"
                raise ContentError(file, field, value, expected, f"is too near [{x2:g}, {y2:g}]")
        for item in placed:
            for prism in item.prisms:
                if prism.kind == FLOOR or (prism.z_low > 0.0 and prism.kind != MASS):
                    continue
                if gap_between(prism.corners, (x, y)) - radius <= MARKER_FROM_WALL:
                    expected = f"more than {MARKER_FROM_WALL:g} between a marker and impassable parts of terrain"
                    raise ContentError(file, field, value, expected, f"is too near {item.field} ({item.kind})")


def deployment_zones(battlefield: Battlefield, rule: ZoneRule) -> Zones:
    """The deployment zones of the map, counter-clockwise.

    A map without zones gets those of the mission: along both long edges, the Attacker's at the origin.
    """
    if battlefield.zones is not None:
        attacker, defender = (
            tuple(counter_clockwise(z)) for z in (battlefield.zones.attacker, battlefield.zones.defender)
        )
        return Zones(attacker=attacker, defender=defender)
    length, width = battlefield.size
    if length >= width:
        deep = width / 2 - rule.from_centre_line_in
        attacker = ((0.0, 0.0), (length, 0.0), (length, deep), (0.0, deep))
        defender = ((0.0, width - deep), (length, width - deep), (length, width), (0.0, width))
    else:
        deep = length / 2 - rule.from_centre_line_in
        attacker = ((0.0, 0.0), (deep, 0.0), (deep, width), (0.0, width))
        defender = ((length - deep, 0.0), (length, 0.0), (length, width), (length - deep, width))
    if deep <= 0.0:
        expected = f"a battlefield wider than {2 * rule.from_centre_line_in:g}"
        raise ContentError(battlefield.source, "size", list(battlefield.size), expected, "leaves no deployment zones")
    return Zones(attacker=attacker, defender=defender)


def zone_at(zones: Zones, point: tuple[float, float]) -> str | None:
    """The deployment zone of a point, ``attacker`` or ``defender``; None in No Man's Land."""
    for name, polygon in (("attacker", zones.attacker), ("defender", zones.defender)):
        if any(inside(piece, point, 1e-6) for piece in convex_pieces(list(polygon))):
            return name
    return None


def scale_battlefield(battlefield: Battlefield, size: tuple[float, float]) -> Battlefield:
    """The map on a table of another size: places move in proportion, features keep their size."""
    fx, fy = size[0] / battlefield.size[0], size[1] / battlefield.size[1]

    def moved(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        return tuple((x * fx, y * fy) for x, y in points)

    features: list[Feature] = []
    for feature in battlefield.features:
        outline = hull(_turned(battlefield.shape(feature).polygon, feature.at or (0.0, 0.0), feature.rotation))
        cx = (min(x for x, _ in outline) + max(x for x, _ in outline)) / 2
        cy = (min(y for _, y in outline) + max(y for _, y in outline)) / 2
        at = feature.at or (0.0, 0.0)
        features.append(feature.model_copy(update={"at": (at[0] + cx * (fx - 1), at[1] + cy * (fy - 1))}))
    zones = battlefield.zones
    if zones is not None:
        zones = Zones(attacker=moved(zones.attacker), defender=moved(zones.defender))
    update = {
        "size": size,
        "features": tuple(features),
        "objectives": moved(battlefield.objectives),
        "zones": zones,
    }
    scaled = battlefield.model_copy(update=update)
    scaled._source = battlefield.source
    return scaled
