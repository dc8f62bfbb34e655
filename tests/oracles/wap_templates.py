"""Templates over bases by clipping polygons, and machines' shots by placing them many times at random; numpy alone, no code
of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Polygon = Any  # corners, float64 (n, 2), counter-clockwise
ROUND = 72  # corners of a disc: within 0.0025 inches of the true rim


def base(x: float, y: float, facing: float, half_a: float, half_b: float) -> Polygon:
    """Corners of a base."""
    ahead = np.array([np.cos(facing), np.sin(facing)])
    left = np.array([-ahead[1], ahead[0]])
    ends = ((1, -1), (1, 1), (-1, 1), (-1, -1))
    return np.array([np.array([x, y]) + a * half_a * ahead + b * half_b * left for a, b in ends])


def disc(x: float, y: float, radius: float) -> Polygon:
    """Corners of a round template, no point of which is outside the true one."""
    turn = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
    return np.stack((x + radius * np.cos(turn), y + radius * np.sin(turn)), axis=1)


def drop(x: float, y: float, facing: float, length: float, radius: float) -> Polygon:
    """Corners of a flame template with its tip at (x, y)."""
    far = length - radius
    touch = np.arccos(radius / far)
    turn = np.linspace(touch - np.pi, np.pi - touch, ROUND)
    points = np.concatenate((np.stack((far + radius * np.cos(turn), radius * np.sin(turn)), axis=1), [[0.0, 0.0]]))
    c, s = np.cos(facing), np.sin(facing)
    return points @ np.array([[c, s], [-s, c]]) + (x, y)


def stripe(x: float, y: float, facing: float, length: float, half: float = 1e-7) -> Polygon:
    """Corners of a line from (x, y), as a very thin stripe."""
    return base(x + length / 2 * np.cos(facing), y + length / 2 * np.sin(facing), facing, length / 2, half)


def clipped(subject: Polygon, clip: Polygon) -> Polygon:
    """The part of a convex polygon inside another one, by cutting it along each side."""
    found = [tuple(point) for point in subject]
    for k in range(len(clip)):
        a, b = clip[k - 1], clip[k]
        kept: list[tuple[float, float]] = []
        for n in range(len(found)):
            p, q = found[n - 1], found[n]
            inside_p = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
            inside_q = (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])
            if (inside_p < 0) != (inside_q < 0):
                t = inside_p / (inside_p - inside_q)
                kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
            if inside_q >= 0:
                kept.append(q)
        found = kept
        if not found:
            break
    return np.array(found).reshape(-1, 2)


def overlap(one: Polygon, other: Polygon) -> float:
    """Square inches that two convex polygons share."""
    part = clipped(one, other)
    x, y = part[:, 0], part[:, 1]
    return float(0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))


def lying_under(bases: Sequence[Polygon], template: Polygon) -> list[int]:
    """The bases that a template covers, wholly or partly."""
    low, high = template.min(axis=0), template.max(axis=0)
    return [
        k
        for k, corners in enumerate(bases)
        if (corners.max(axis=0) >= low).all()
        and (corners.min(axis=0) <= high).all()
        and len(clipped(corners, template))
    ]


def scattered(
    rng: np.random.Generator, x: float, y: float, share: float, skill: int | None = None
) -> tuple[float, float] | None:
    """Where a shot that is aimed at (x, y) comes down; None: it misfires. ``share`` of the artillery die's number counts
    on an arrow; ``skill``: on a Hit it goes that number less this."""
    face, number, turn = rng.integers(6), 2 * (rng.integers(6) + 1), rng.random() * 2 * np.pi
    if number == 12:
        return None
    far = share * number if face < 4 else 0.0 if skill is None else max(0, number - skill)
    return x + far * np.cos(turn), y + far * np.sin(turn)
