"""Draws battlefields at random, within the guidelines for creating a battlefield (w10.terrain.layout-guidelines).

A battlefield is divided into boards of about 22" by 30", or of the edition's size. Features are placed on every board,
as many as the edition says or enough to cover the table, with a Ruin across the middle. A lane stays free along every
edge, and models as large as tanks find ways between solid features.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from wh_env.content.errors import ContentError
from wh_env.content.fields import INCH
from wh_env.content.geometry import Point, Points, are_apart, area, counter_clockwise, gap_between, hull
from wh_env.content.w40k.schema import Battlefield, Feature, Markers, RandomLayout, Shape
from wh_env.content.w40k.terrain import FLOOR, MARKER_FROM_WALL, MASS, place_features
from wh_env.rulesets.w40k.deploy.battlefield import boards
from wh_env.rulesets.w40k.numbers import Guidelines

APART = 1.0  # between any two features; solid ones leave the gap of the guidelines
SPARE = 0.1  # kept beyond a distance, so that rounding breaks none
MIDDLE = 8.0  # a Ruin lies as near to the centre
STEP = 0.25  # places are multiples of it
TURN = 15.0  # degrees; angles that are no quarter turns are multiples of it
QUARTERS = 0.6  # share of features that lie along the edges
COVERED = (0.10, 0.17)  # share of the battlefield under features
ZONE_FREE = 0.7  # at least such a share of each deployment zone is free of solid features
CENTRE = 0.3  # how often a feature stands in the very centre, where the layout is symmetric
FEWEST = 3  # features for each board
MOST = 32  # the most features that players can place (``ActionSpace.numbers``)
ROUNDS = 3  # how often every kind may come
TRIES, PLACES, SPOTS = 40, 40, 400  # layouts, places of one feature, sets of markers that are tried


@dataclass(frozen=True)
class Piece:
    """A template that features are drawn from."""

    name: str
    kind: str
    outline: Points  # convex hull, counter-clockwise
    radius: float  # about its origin
    solid: bool  # large models have to go round it
    turned: bool  # it looks the same when turned by half a turn
    area: float


@dataclass(frozen=True)
class Lying:
    """A piece at a place; ``rotation`` in degrees."""

    piece: Piece
    x: float
    y: float
    rotation: float
    outline: Points


def pieces_of(templates: Mapping[str, Shape]) -> list[Piece]:
    """The templates as pieces to draw from."""
    found = []
    for name, shape in templates.items():
        outline = hull(counter_clockwise(list(shape.polygon)))
        corners = {(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in outline}
        mass = shape.parts is None and shape.height > 0 and shape.kind not in ("ruins", "woods", "crater")
        found.append(
            Piece(
                name,
                shape.kind,
                outline,
                max(math.hypot(x, y) for x, y in outline),
                solid=shape.kind != "barricade" and (mass or shape.parts is not None),
                turned=shape.parts is None and corners == {(-x + 0.0, -y + 0.0) for x, y in corners},
                area=abs(area(list(shape.polygon))),
            )
        )
    return found


def draw_battlefield(
    size: tuple[float, float],
    terrain: str,
    templates: Mapping[str, Shape],
    markers: Markers,
    zone_depth: float,
    chance: np.random.Generator,
    guidelines: Guidelines,
    layout: RandomLayout = "turned",
    place_markers: bool = True,
    name: str = "Random",
) -> Battlefield:
    """A random battlefield.

    Args:
        size: length and width in inches.
        terrain: name of the terrain set.
        templates: the templates of the terrain set.
        markers: numbers of the mission; the markers look the same from both sides.
        zone_depth: of the deployment zones along both long edges, inches.
        chance: the source of all randomness.
        guidelines: of the edition, for creating a battlefield.
        layout: ``turned`` (every feature stands twice, turned by half a turn about the centre) or ``even`` (every board
            has the same features, each at its own place).
        place_markers: false leaves the markers to the players.
        name: of the battlefield.

    Returns:
        The battlefield; its templates are those of the terrain set it names.

    Raises:
        ContentError: no template blocks visibility, or no layout was found for the table.
    """
    pieces = pieces_of(templates)
    if not any(piece.kind == "ruins" for piece in pieces):
        found = sorted({piece.kind for piece in pieces})
        raise ContentError("<random>", f"terrain.{terrain}.templates", found, "at least one of the kind ruins")
    for _ in range(TRIES):
        features = _Layout(size, pieces, zone_depth, chance, layout == "turned", guidelines).draw()
        if features is None:
            continue
        field = Battlefield(name=name, size=size, terrain=terrain, features=features)
        if not place_markers:
            return field
        spots = _draw_markers(field.model_copy(update={"templates": dict(templates)}), markers, chance)
        if spots is not None:
            return field.model_copy(update={"objectives": spots})
    raise ContentError("<random>", "size", list(size), "a table that such a layout finds room on", "is too small")


class _Layout:
    """One attempt to lay out features."""

    def __init__(
        self,
        size: tuple[float, float],
        pieces: Sequence[Piece],
        zone_depth: float,
        chance: np.random.Generator,
        turned: bool,
        guidelines: Guidelines,
    ) -> None:
        self.length, self.width = size
        self.pieces = pieces
        self.zone_depth = zone_depth
        self.chance = chance
        self.turned = turned
        self.guidelines = guidelines
        self.columns, self.rows = boards(*size, guidelines.board)
        self.lying: list[Lying] = []
        self.mirrored: list[bool] = []
        self.taken = [0.0, 0.0]  # square inches of solid features in each zone

    def draw(self) -> tuple[Feature, ...] | None:
        """The features; None if the attempt fails."""
        return self._cover() if self.guidelines.each is None else self._share_out(*self.guidelines.each)

    def _share_out(self, fewest: int, most: int) -> tuple[Feature, ...] | None:
        """Place features until every board has from ``fewest`` to ``most``; the table size limits their sum.

        Returns the features, or None if a limit is not met (w8.mission.terrain).
        """
        across, along = self.guidelines.board
        room = max(fewest * self.columns * self.rows, round(most * self.length * self.width / (across * along)))
        wanted = int(self.chance.integers(fewest * self.columns * self.rows, room, endpoint=True))
        for kind in ("ruins", *self._kinds()):  # something to hide behind comes first
            if len(self.lying) >= wanted and min(self._crowd()) >= fewest:
                break
            self._spread(self._pick([piece for piece in self.pieces if piece.kind == kind]))
        crowd = self._crowd()
        return self._features() if fewest <= min(crowd) and max(crowd) <= most and sum(crowd) <= room else None

    def _cover(self) -> tuple[Feature, ...] | None:
        """Features that cover enough of the table; None if the attempt fails."""
        wanted = float(self.chance.uniform(*COVERED)) * self.length * self.width
        fewest = FEWEST * self.columns * self.rows
        if self.turned and self.chance.random() < CENTRE:
            symmetric = [piece for piece in self.pieces if piece.turned]
            if symmetric:
                self._put(self._turn(self._pick(symmetric), self.length / 2, self.width / 2), mirror=False)
        if not self._ruin_in_the_middle():
            return None
        for kind in self._kinds():
            if self._covered() >= wanted and len(self.lying) >= fewest:
                break
            self._spread(self._pick([piece for piece in self.pieces if piece.kind == kind]))
        if 0 in self._crowd() or self._covered() < COVERED[0] * self.length * self.width or len(self.lying) < fewest:
            return None
        return self._features()

    def _covered(self) -> float:
        return sum(item.piece.area for item in self.lying)

    def _kinds(self) -> list[str]:
        """Kinds of features in placing order: every kind once in each round, with Ruins after every second feature."""
        kinds = sorted({piece.kind for piece in self.pieces} - {"ruins"})
        drawn: list[str] = []
        for _ in range(ROUNDS):
            order = cycle((False, False, True))
            waiting = [kinds[k] for k in self.chance.permutation(len(kinds))]
            while waiting:
                drawn.append("ruins" if next(order) else waiting.pop())
        return drawn

    def _pick(self, pieces: Sequence[Piece]) -> Piece:
        return pieces[int(self.chance.integers(len(pieces)))]

    def _turn(self, piece: Piece, x: float, y: float) -> Lying:
        """The piece at (x, y), with a random rotation."""
        quarter = self.chance.random() < QUARTERS
        rotation = 90.0 * int(self.chance.integers(4)) if quarter else TURN * int(self.chance.integers(24))
        return Lying(piece, x, y, rotation, _moved(piece.outline, x, y, rotation))

    def _at(self, x: tuple[float, float], y: tuple[float, float], piece: Piece) -> Lying:
        """The piece at a random place in a rectangle, far edges excluded."""
        px, py = (
            STEP * int(self.chance.integers(math.ceil(low / STEP), math.ceil(high / STEP))) for low, high in (x, y)
        )
        return self._turn(piece, px, py)

    # ---- where features go

    def _ruin_in_the_middle(self) -> bool:
        """Place a Ruin near the centre, across the line between the long edges; returns whether a place was found.

        A turned layout has its counterpart too; otherwise the Ruin covers the centre.
        """
        ruins = [piece for piece in self.pieces if piece.kind == "ruins"]
        centre = (self.length / 2, self.width / 2)
        near = MIDDLE if self.turned else 0.0
        reach = near + 3.0
        for _ in range(PLACES):
            item = self._at(
                (centre[0] - reach, centre[0] + reach), (centre[1] - reach, centre[1] + reach), self._pick(ruins)
            )
            across = [x for x, _ in item.outline]
            if min(across) < centre[0] - 1.0 and max(across) > centre[0] + 1.0:
                if gap_between(item.outline, centre) <= near and self._put(item, mirror=self.turned):
                    return True
        return False

    def _spread(self, piece: Piece) -> None:
        """Place a piece on the emptiest board and its counterpart, or on every board.

        Nothing is placed if one of the boards lacks room.
        """
        count, before = len(self.lying), list(self.taken)
        crowd = self._crowd()
        numbers = [min(range(len(crowd)), key=crowd.__getitem__)] if self.turned else list(range(len(crowd)))
        if count + (2 if self.turned else len(numbers)) > MOST:
            return
        for number in numbers:
            row, column = divmod(number, self.columns)
            dx, dy = self.length / self.columns, self.width / self.rows
            x, y = (column * dx, (column + 1) * dx), (row * dy, (row + 1) * dy)
            if not any(self._put(self._at(x, y, piece), mirror=self.turned) for _ in range(PLACES)):
                del self.lying[count:], self.mirrored[count:]
                self.taken = before
                return

    def _crowd(self) -> list[int]:
        """The number of features with their middle on each board."""
        count = [0] * (self.columns * self.rows)
        for item in self.lying:
            column = min(int(item.x / self.length * self.columns), self.columns - 1)
            count[min(int(item.y / self.width * self.rows), self.rows - 1) * self.columns + column] += 1
        return count

    def _put(self, item: Lying, mirror: bool) -> bool:
        """Place an item, with its counterpart if ``mirror``; returns whether there was room."""
        if not (self._on_table(item) and self._on_board(item)):
            return False
        items = [item]
        if mirror:
            x, y, rotation = self.length - item.x, self.width - item.y, (item.rotation + 180.0) % 360.0
            items.append(
                Lying(item.piece, x, y, rotation, [(self.length - a, self.width - b) for a, b in item.outline])
            )
        if not all(_apart(item, other, self.guidelines.gap) for other in (*self.lying, *items[1:])):
            return False
        taken = list(self.taken)
        for one in items:
            if one.piece.solid:
                taken[0] += _part_below(one.outline, self._depths(one.outline))
                taken[1] += _part_below(one.outline, self._depths(one.outline, far=True))
        zone = self.zone_depth * max(self.length, self.width)
        if max(taken) > (1.0 - ZONE_FREE) * zone:
            return False
        self.taken = taken
        self.lying += items
        self.mirrored += [False, True][: len(items)]
        return True

    def _depths(self, outline: Points, far: bool = False) -> list[float]:
        """Inches of each corner inside the zone at the origin's long edge, or the far one (negative: outside)."""
        across, width = (1, self.width) if self.length >= self.width else (0, self.length)
        return [self.zone_depth - (width - point[across] if far else point[across]) for point in outline]

    def _on_table(self, item: Lying) -> bool:
        lane = self.guidelines.lane + SPARE
        return all(lane <= x <= self.length - lane and lane <= y <= self.width - lane for x, y in item.outline)

    def _on_board(self, item: Lying) -> bool:
        """Whether an item lies on one board; always true if features are not shared out among boards."""
        if self.guidelines.each is None:
            return True
        dx, dy = self.length / self.columns, self.width / self.rows
        x, y = zip(*item.outline, strict=True)
        column, row = item.x // dx, item.y // dy
        along = column * dx <= min(x) and max(x) <= (column + 1) * dx
        return bool(along and row * dy <= min(y) and max(y) <= (row + 1) * dy)

    def _features(self) -> tuple[Feature, ...]:
        numbers: dict[str, int] = {}
        found = []
        pairs = zip(self.lying, self.mirrored, strict=True)
        for at, (item, counterpart) in enumerate(pairs):
            if counterpart:
                continue
            number = numbers[item.piece.name] = numbers.get(item.piece.name, 0) + 1
            mirror = at + 1 < len(self.mirrored) and self.mirrored[at + 1]
            found.append(
                Feature(
                    id=f"{item.piece.name} {number}",
                    template=item.piece.name,
                    at=(item.x, item.y),
                    rotation=item.rotation,
                    mirror=mirror,
                )
            )
        return tuple(found)


# ---------------------------------------------------------------- outlines


def _moved(outline: Points, x: float, y: float, degrees: float) -> Points:
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x + cosine * a - sine * b, y + sine * a + cosine * b) for a, b in outline]


def _apart(one: Lying, two: Lying, gap: float) -> bool:
    """Whether two features keep their distance: ``gap`` between solid ones, ``APART`` otherwise."""
    needed = SPARE + (gap if one.piece.solid and two.piece.solid else APART)
    far = one.piece.radius + two.piece.radius + needed
    if (one.x - two.x) ** 2 + (one.y - two.y) ** 2 >= far * far:
        return True
    return are_apart(one.outline, two.outline, needed)  # never by more than the true distance


def _part_below(outline: Points, depths: Sequence[float]) -> float:
    """Area of the part of a convex outline with positive depth; depth is linear along the edges."""
    if max(depths) <= 0.0:
        return 0.0
    kept: Points = []
    for k, (point, depth) in enumerate(zip(outline, depths, strict=True)):
        before, outside = outline[k - 1], depths[k - 1]
        if (depth > 0.0) != (outside > 0.0):
            share = outside / (outside - depth)
            kept.append((before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])))
        if depth > 0.0:
            kept.append(point)
    return abs(area(kept))


# ---------------------------------------------------------------- markers


def _draw_markers(field: Battlefield, markers: Markers, chance: np.random.Generator) -> tuple[Point, ...] | None:
    """Places of the markers, the same for both sides (w10.mission.only-war.markers, w10.objective.on-terrain)."""
    length, width = field.size
    radius = markers.diameter_mm / INCH / 2
    walls = [
        prism.corners
        for item in place_features(field)
        for prism in item.prisms
        if prism.kind == MASS or (prism.kind != FLOOR and prism.z_low == 0.0)
    ]
    edge = markers.from_edges_in + radius + SPARE
    apart = markers.apart_in + 2 * radius + SPARE
    if min(length, width) < 2 * edge:
        return None

    def legal(spot: Point) -> bool:
        clear = MARKER_FROM_WALL + radius + SPARE
        near = [w for w in walls if math.dist(w[0], spot) < clear + 2 * max(math.dist(w[0], p) for p in w)]
        return all(gap_between(wall, spot) >= clear for wall in near)

    spots: list[Point] = []
    if markers.number % 2:
        spots.append((length / 2, width / 2))
        if not legal(spots[0]):
            return None
    for _ in range(SPOTS):
        if len(spots) == markers.number:
            return tuple(spots)
        x, y = (STEP * round(float(chance.uniform(edge, side - edge)) / STEP) for side in (length, width))
        pair = [(x, y), (length - x, width - y)]
        if min(x, y, length - x, width - y) < edge or math.dist(*pair) < apart:
            continue
        if any(math.dist(spot, new) < apart for spot in spots for new in pair):
            continue
        if all(map(legal, pair)):
            spots += pair
    return None
