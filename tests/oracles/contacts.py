"""Places in base contact by brute force: every degree round every enemy, ways round bases and boxes as polylines.

Shares no code with the search: places and ways are tried out by numpy, and what is found is a path like one that a player
gives model by model, so that the verdict on explicit paths says whether it is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any

import numpy as np

from wh_env.core.geometry.path_checks import check_path
from wh_env.testing.tabletop import Table

DEGREE = np.pi / 180.0
ROUND = 24  # corners of the polygon that a way round a base follows
APART = 0.004  # inches between bases in contact
CLEAR = 0.003  # ... and between a base and what it passes


def places(t: Table, i: int, allowed: float, step: float) -> Iterator[tuple[float, float]]:
    """Where model ``i`` (round) would be in contact with a round enemy, at most ``allowed`` inches away, every ``step`` degrees."""
    m = t.models
    angles = np.arange(0.0, 360.0, step) * DEGREE
    for j in np.flatnonzero((m["owner"] != m["owner"][i]) & (m["on_table"] == 1)):
        far = m["radius"][i] + m["radius"][j] + APART
        xs, ys = m["x"][j] + far * np.cos(angles), m["y"][j] + far * np.sin(angles)
        near = np.hypot(xs - m["x"][i], ys - m["y"][i]) <= allowed
        yield from zip(xs[near].tolist(), ys[near].tolist(), strict=True)


def has_room(t: Table, i: int, xs: Any, ys: Any, others: Any, margin: float) -> Any:
    """Whether model ``i`` touches none of these models and no box at each place."""
    m = t.models
    free = np.ones(np.shape(xs), np.bool_)
    for j in others:
        free &= np.hypot(xs - m["x"][j], ys - m["y"][j]) >= m["radius"][i] + m["radius"][j] + margin
    for block in t.blocks:
        dx = np.maximum(np.maximum(block["min_x"] - xs, xs - block["max_x"]), 0.0)
        dy = np.maximum(np.maximum(block["min_y"] - ys, ys - block["max_y"]), 0.0)
        free &= np.hypot(dx, dy) >= m["radius"][i] + margin
    return free


def is_open(t: Table, i: int, ax: float, ay: float, bx: float, by: float, enemies: Any) -> bool:
    """Whether model ``i`` slides from one place to the other past enemies and boxes."""
    count = max(2, int(np.hypot(bx - ax, by - ay) / 0.02) + 2)
    along = np.linspace(0.0, 1.0, count)
    return bool(has_room(t, i, ax + along * (bx - ax), ay + along * (by - ay), enemies, 0.0).all())


def corners_round(t: Table, i: int, enemies: Any, reach: float) -> list[tuple[float, float]]:
    """Points at which a way of model ``i`` may bend: round enemies and the corners of boxes."""
    m = t.models
    found = []
    for j in enemies:
        far = (m["radius"][i] + m["radius"][j] + CLEAR) / np.cos(np.pi / ROUND)
        for k in range(ROUND):
            angle = 2.0 * np.pi * k / ROUND
            found.append((m["x"][j] + far * np.cos(angle), m["y"][j] + far * np.sin(angle)))
    for block in t.blocks:
        far = m["radius"][i] + CLEAR
        for cx, cy, sx, sy in (
            (block["min_x"], block["min_y"], -1, -1), (block["max_x"], block["min_y"], 1, -1),
            (block["max_x"], block["max_y"], 1, 1), (block["min_x"], block["max_y"], -1, 1),
        ):  # fmt: skip
            found += [(cx + sx * far, cy + sy * far * 0.42), (cx + sx * far * 0.42, cy + sy * far)]
            found += [(cx + sx * far * 0.72, cy + sy * far * 0.72)]
    found = [(x, y) for x, y in found if np.hypot(x - m["x"][i], y - m["y"][i]) < reach]
    xs, ys = (np.array([p[k] for p in found]) for k in (0, 1))
    return [p for p, free in zip(found, has_room(t, i, xs, ys, enemies, 0.0), strict=True) if free] if found else []


class Ways:
    """Shortest ways of model ``i`` of at most ``allowed`` inches past enemies and boxes."""

    def __init__(self, t: Table, i: int, allowed: float) -> None:
        m = t.models
        self.t, self.i, self.allowed = t, i, allowed
        near = np.hypot(m["x"] - m["x"][i], m["y"] - m["y"][i]) < allowed + m["radius"] + m["radius"][i] + 0.1
        self.enemies = np.flatnonzero(near & (m["owner"] != m["owner"][i]) & (m["on_table"] == 1))
        self.start = float(m["x"][i]), float(m["y"][i])
        self.bends: list[tuple[float, tuple[float, float], int]] | None = None

    def tree(self) -> list[tuple[float, tuple[float, float], int]]:
        """The bends that can be reached, each with its distance by the shortest way and the bend before it (-1: the start)."""
        if self.bends is None:
            points = corners_round(self.t, self.i, self.enemies, self.allowed)
            self.bends, done = [], set()
            queue: list[tuple[float, int, int]] = []
            for k, p in enumerate(points):
                heappush(queue, (float(np.hypot(p[0] - self.start[0], p[1] - self.start[1])), k, -1))
            while queue:
                far, k, before = heappop(queue)
                came = self.start if before < 0 else self.bends[before][1]
                if k in done or far > self.allowed or not is_open(self.t, self.i, *came, *points[k], self.enemies):
                    continue
                done.add(k)
                self.bends.append((far, points[k], before))
                for o, p in enumerate(points):
                    if o not in done:
                        more = float(np.hypot(p[0] - points[k][0], p[1] - points[k][1]))
                        if far + more <= self.allowed:
                            heappush(queue, (far + more, o, len(self.bends) - 1))
        return self.bends

    def to(self, x: float, y: float) -> list[tuple[float, float]]:
        """The points of a way to this place, empty if there is none."""
        straight = np.hypot(x - self.start[0], y - self.start[1])
        if straight > self.allowed:
            return []
        if is_open(self.t, self.i, *self.start, x, y, self.enemies):
            return [(x, y)]
        ways = sorted((far + float(np.hypot(x - p[0], y - p[1])), n) for n, (far, p, _) in enumerate(self.tree()))
        for far, n in ways:
            if far > self.allowed:
                break
            bends = self.tree()
            if is_open(self.t, self.i, *bends[n][1], x, y, self.enemies):
                points = [(x, y)]
                while n >= 0:
                    points.insert(0, bends[n][1])
                    n = bends[n][2]
                return points
        return []


def contact(t: Table, i: int, goal: int, allowed: float, step: float = 1.0) -> list[tuple[float, float]]:
    """The points of a legal way of the round model ``i`` into base contact, nearer to the model ``goal`` than it stood; else empty."""
    m = t.models
    ways = Ways(t, i, allowed)
    apart = np.hypot(m["x"][goal] - m["x"][i], m["y"][goal] - m["y"][i])
    others = [j for j in range(len(m)) if j != i and m["on_table"][j] == 1]
    spots = np.array(list(places(t, i, allowed, step)))
    if not len(spots):
        return []
    good = has_room(t, i, spots[:, 0], spots[:, 1], others, CLEAR / 10.0)
    good &= np.hypot(spots[:, 0] - m["x"][goal], spots[:, 1] - m["y"][goal]) < apart - 1e-4
    for x, y in spots[good].tolist():
        points = ways.to(x, y)
        if points:
            path = np.array([(px, py, 0.0, float(m["facing"][i])) for px, py in points])
            if check_path(*t.tables, i, path, len(path)) == 0:
                return points
    return []
