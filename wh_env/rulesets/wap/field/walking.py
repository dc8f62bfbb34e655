"""Ground that walks (wap.terrain.forest.blood.move)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, sin, tau

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import EPS
from wh_env.rulesets.wap.basics.ground import Ground, features_of
from wh_env.rulesets.wap.basics.moved_ground import follow_ground
from wh_env.rulesets.wap.basics.scatter import scatter_die
from wh_env.rulesets.wap.basics.standing import settle_all

RULE = "wap.terrain.forest.blood.move"
RING = 0.5  # inches between the rings in which a free place is looked for
AROUND = 8  # places in the first ring; the n-th ring has n times as many
Polygon = Sequence[tuple[float, float]]


def walk(g: BattleCore, row: int, dice: int, player: int) -> None:
    """The feature of a row moves ``dice`` D6 inches in a random direction, by the scatter die of ``player``; models
    stay where they are.
    """
    ground, direction, far = features_of(g)[row], scatter_die(g, player).direction, g.roll(dice)
    dx, dy = place_for(g, ground, direction, far)
    at = g.walks.feature.tolist().index(row)
    g.walks.dx[at] += dx
    g.walks.dy[at] += dy
    if g.setup.statics["controlled"] == row:
        g.objectives.x[0] += dx
        g.objectives.y[0] += dy
    follow_ground(g)
    settle_all(g)
    if g.recorder is not None:
        name, there = ground.example or ground.kind, middle(features_of(g)[row].outline)
        g.note(RULE, "the ground walks", name=name, far=hypot(dx, dy), place=there)


def place_for(g: BattleCore, ground: Ground, direction: float, far: float) -> tuple[float, float]:
    """By how much (dx, dy) a feature moves that goes ``far`` inches in a direction: to the end of the way, or, if it
    cannot lie there, to the nearest place to that end where it can; (0, 0): there is none nearer than where it is.
    """
    bars = (item for item in features_of(g) if item.row != ground.row and item.kind != "open")
    own, others = shapes(g, ground), [shape for item in bars for shape in shapes(g, item)]
    x, y = far * cos(direction), far * sin(direction)
    for dx, dy in ((x, y), *around(x, y, direction, far)):
        if is_on_table(g, ground, dx, dy) and not any(overlap(one, two, dx, dy) for one in own for two in others):
            return dx, dy
    return 0.0, 0.0


def around(x: float, y: float, direction: float, far: float) -> Iterator[tuple[float, float]]:
    """Places in rings about (x, y) that are less than ``far`` inches away, the nearest first; each ring begins in the
    direction and goes on counter-clockwise.
    """
    for ring in range(1, int((far - EPS) / RING) + 1):
        for n in range(AROUND * ring):
            angle = direction + n * tau / (AROUND * ring)
            yield x + ring * RING * cos(angle), y + ring * RING * sin(angle)


def is_on_table(g: BattleCore, ground: Ground, dx: float, dy: float) -> bool:
    """Whether a feature that moves by (dx, dy) lies wholly on the table."""
    length, width = g.setup.length, g.setup.width
    return all(-EPS <= x + dx <= length + EPS and -EPS <= y + dy <= width + EPS for x, y in ground.outline)


def shapes(g: BattleCore, ground: Ground) -> list[Polygon]:
    """The corners of each convex piece of a feature, counter-clockwise."""
    corners = g.setup.corners
    return [corners[piece["first"] : piece["first"] + piece["count"]].tolist() for piece in ground.pieces]


def overlap(one: Polygon, two: Polygon, dx: float, dy: float) -> bool:
    """Whether convex polygon ``one``, moved by (dx, dy), overlaps ``two``; polygons that touch do not."""
    moved = [(x + dx, y + dy) for x, y in one]
    return not (separates(moved, two) or separates(two, moved))


def separates(one: Polygon, two: Polygon) -> bool:
    """Whether an edge of convex polygon ``one`` separates it: it has all of ``two`` on its outer side."""
    for n, (x, y) in enumerate(one):
        px, py = one[n - 1]
        ex, ey = x - px, y - py
        least = -EPS * hypot(ex, ey)
        if all(ey * (qx - px) - ex * (qy - py) >= least for qx, qy in two):
            return True
    return False


def middle(outline: Polygon) -> tuple[float, float]:
    """The middle (x, y) of the box round an outline."""
    xs, ys = zip(*outline, strict=True)
    return 0.5 * (min(xs) + max(xs)), 0.5 * (min(ys) + max(ys))
