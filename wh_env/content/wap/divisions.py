"""Deployment zones of a mission and their areas, on a table of given size, as convex polygons.

The rules are wap.scenario.*.deployment, .zone and .table.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, hypot, pi

import numpy as np

from wh_env.content.errors import ContentError
from wh_env.content.geometry import Points
from wh_env.content.wap.schema_battle import Area, Deployment, Mission
from wh_env.core.frozen import frozen
from wh_env.rulesets.wap.deployment.divisions import Division, Zone
from wh_env.rulesets.wap.movement.edge_places import EAST, NORTH, SOUTH, WEST

STRICT = 2e-4  # inches by which "more than" a distance exceeds it; above the tolerance of distances
THICK = 1.0  # depth in inches of the ground outside the table that closes an edge
Box = tuple[float, float, float, float]  # from left to right, from its lower edge to its upper one
Size = tuple[float, float]


def beyond(inches: float) -> float:
    """The least distance that counts as more than ``inches``; 0 if ``inches`` is 0, where touching is allowed."""
    return inches + STRICT if inches else 0.0


def corners_of(box: Box) -> Points:
    """The corners of a rectangle, counter-clockwise."""
    left, right, low, high = box
    return [(left, low), (right, low), (right, high), (left, high)]


def zones_on(polygon: Sequence[tuple[float, float]], size: Size) -> tuple[Zone, Zone]:
    """The deployment zones of both sides; the second is the first, turned by half a turn."""
    first = np.array(polygon)
    second = np.array([(size[0] - x, size[1] - y) for x, y in first])
    return zone_on(first), zone_on(second)


def zone_on(polygon: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Zone:
    """A convex polygon with its bounds."""
    along, across = zip(*polygon.tolist(), strict=True)
    return Zone(frozen(polygon), (min(along), max(along), min(across), max(across)))


def half(deployment: Deployment, size: Size) -> Box:
    """The first side's zone on a table halved in the middle: the southern half, or with ``ends`` the western one."""
    length, width = size
    aside = beyond(deployment.from_sides)
    if deployment.zones == "ends":
        return 0.0, 0.5 * length - deployment.beyond_centre - STRICT, aside, width - aside
    return aside, length - aside, 0.0, 0.5 * width - deployment.beyond_centre - STRICT


def part(area: Area, zone: Box, deployment: Deployment, size: Size) -> Box:
    """The rectangle of an area of that zone."""
    left, right, low, high = zone
    long, ends = (size[1] if deployment.zones == "ends" else size[0]), deployment.zones == "ends"
    near, far = (0.0, area.inches), (long - area.inches, long)
    stretch = {
        "anywhere": (0.0, long), "centre": (area.inches + STRICT, long - area.inches - STRICT),
        "left": far if ends else near, "right": near if ends else far,
    }[area.where]  # fmt: skip
    if ends:  # a player who looks east has the north on the left
        return left, right, max(low, stretch[0]), min(high, stretch[1])
    return max(left, stretch[0]), min(right, stretch[1]), low, high


def clipped(polygon: Points, a: float, b: float, most: float) -> Points:
    """The part of a convex polygon with a x + b y <= most."""
    found: Points = []
    for (px, py), (qx, qy) in zip([polygon[-1], *polygon[:-1]], polygon, strict=True):
        before, here = a * px + b * py - most, a * qx + b * qy - most
        if before * here < 0.0:
            t = before / (before - here)
            found.append((px + t * (qx - px), py + t * (qy - py)))
        if here <= 0.0:
            found.append((qx, qy))
    return found


def below(deployment: Deployment, size: Size, rising: bool) -> tuple[Points, tuple[float, float]]:
    """The first side's zone under a diagonal, and the unit direction from it to the other zone."""
    (length, width), aside = size, beyond(deployment.from_sides)
    long = hypot(length, width)
    nx, ny = (-width if rising else width) / long, length / long  # square to the line, upwards
    on = 0.0 if rising else nx * length  # of a point on the line
    box = corners_of((aside, length - aside, 0.0, width))
    return clipped(box, nx, ny, on - deployment.beyond_centre - STRICT), (nx, ny)


def divisions_of(mission: Mission, size: Size) -> tuple[Division, ...]:
    """The divisions of the table in a mission: two if a player chooses between the diagonals, else one."""
    deployment = mission.deployment
    if deployment.zones == "corners":
        return tuple(diagonal(deployment, size, rising) for rising in (True, False))
    ends = deployment.zones == "ends"
    zone = half(deployment, size)
    parts = (part(area, zone, deployment, size) for area in deployment.areas)
    return (
        Division(
            zones=zones_on(corners_of(zone), size),
            areas=tuple(zones_on(corners_of(box), size) for box in parts),
            facings=(0.0, pi) if ends else (pi / 2, -pi / 2),
            way=(1.0, 0.0) if ends else (0.0, 1.0),
            lengthwise=ends,
            sides=("west", "east") if ends else ("south", "north"),
            edges=(WEST, EAST) if ends else (SOUTH, NORTH),
        ),
    )


def diagonal(deployment: Deployment, size: Size, rising: bool) -> Division:
    """The division by a diagonal of the table; each half has one of the long edges."""
    polygon, way = below(deployment, size, rising)
    facing = atan2(way[1], way[0])
    sides = ("south-east", "north-west") if rising else ("south-west", "north-east")
    return Division(zones_on(polygon, size), (), (facing, facing - pi), way, False, sides, (SOUTH, NORTH))


def cliffs(mission: Mission, size: Size) -> list[Points]:
    """Rectangles outside the table that close its long edges; empty if they are open."""
    length, width = size
    if mission.long_edges == "open":
        return []
    return [corners_of((0.0, length, -THICK, 0.0)), corners_of((0.0, length, width, width + THICK))]


def check_zones(mission: Mission, size: Size, file: str) -> None:
    """Check that strips along centre line and sides leave room in a half and in each of its areas.

    The rule is wap.scenario.battleline.deployment.

    Raises:
        ContentError: no room is left.
    """
    deployment = mission.deployment
    length, width = size
    most = {
        "halves": 0.5 * width, "ends": 0.5 * length, "corners": length * width / hypot(length, width),
    }[deployment.zones]  # fmt: skip
    if deployment.beyond_centre + STRICT >= most:
        words = {"halves": "half of the width", "ends": "half of the length", "corners": "the depth of a half"}[
            deployment.zones
        ]
        raise ContentError(file, "deployment.beyond_centre", deployment.beyond_centre, f"less than {words}, {most:g}")
    side = 0.5 * (width if deployment.zones == "ends" else length)
    if beyond(deployment.from_sides) >= side:
        raise ContentError(
            file,
            "deployment.from_sides",
            deployment.from_sides,
            f"less than half of that side of the table, {side:g}",
        )
    if deployment.zones == "corners":
        for rising in (True, False):
            if len(below(deployment, size, rising)[0]) < 3:
                expected = "less, so that something is left of a half"
                raise ContentError(file, "deployment.from_sides", deployment.from_sides, expected)
        return
    for at, area in enumerate(deployment.areas):
        left, right, low, high = part(area, half(deployment, size), deployment, size)
        if right <= left or high <= low:
            field = f"deployment.areas[{at}].inches"
            raise ContentError(
                file, field, area.inches, f"an area on a table of {length:g} x {width:g}", "leaves nothing of it"
            )
