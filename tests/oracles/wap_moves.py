"""Moves of regiments by sampling: every hundredth of an inch and every 0.002 rad of a way is looked at. Shares no code with the kernels.

What is judged within ``SURE`` of a bound is left open (``None``): sampling cannot tell.
"""

from __future__ import annotations

import numpy as np
from oracles.outlines import body_gaps, placed

SURE = 0.02  # inches
INCH, RADIAN = 0.01, 0.002
TIE = 1e-6  # inches nearer than the margin that are rounding, not a nearer place


def rectangles(count, files, side=1.0):
    """Rectangles (u, v, half_a, half_b) of a block of square bases."""
    whole, rest = divmod(count, files)
    found = [(-whole * side / 2, 0.0, whole * side / 2, files * side / 2)] if whole else []
    if rest:
        found.append((-whole * side - side / 2, 0.0, side / 2, rest * side / 2))
    return np.array(found)


class Table:
    """What stands about a unit: convex polygons, the margin to each, the size of the table."""

    def __init__(self, body, pose, polygons, length, width, one_inch=1.0):
        self.body, self.polygons, self.size = body, polygons, (length, width)
        self.margins = [min(one_inch, float(body_gaps(body, *pose, polygon)[0])) for polygon in polygons]

    def spare(self, x, y, f):
        """Inches by which the nearest obstacle is farther than its margin, at each pose."""
        found = np.full(np.broadcast(x, y, f).shape, np.inf)
        for polygon, margin in zip(self.polygons, self.margins, strict=True):
            found = np.minimum(found, body_gaps(self.body, x, y, f, polygon) - margin)
        return found

    def inside(self, x, y, f):
        """Inches between the block and the edge of the table, below 0 over it."""
        points = placed(self.body, x, y, f).reshape(len(np.atleast_1d(x)), -1, 2)
        low, high = points.min(axis=1), points.max(axis=1)
        return np.minimum(low.min(axis=1), (np.array(self.size) - high).min(axis=1))


def first_below(values, bound):
    """Index of the first value below a bound, or how many there are."""
    low = np.flatnonzero(values < bound)
    return int(low[0]) if len(low) else len(values)


def straight(table, pose, direction, most):
    """Between which lengths the limit of a straight move lies: (surely free up to, surely not beyond)."""
    far = np.arange(0.0, most + INCH, INCH).clip(max=most)
    x, y, f = pose[0] + far * direction[0], pose[1] + far * direction[1], np.full(len(far), pose[2])
    room = np.minimum(table.spare(x, y, f), table.inside(x, y, f))
    sure, past = first_below(room[1:], -TIE), first_below(room[1:], -SURE)
    return far[max(0, sure - 1)] if sure < len(far) - 1 else most, far[min(past + 1, len(far) - 1)]


def wheel_poses(pose, width, side, angles):
    """Poses of a block that wheels to a side."""
    x, y, f = pose
    corner = np.array([x, y]) + side * width / 2 * np.array([-np.sin(f), np.cos(f)])
    turned = f + side * angles
    middle = corner[:, None] - side * width / 2 * np.array([-np.sin(turned), np.cos(turned)])
    return middle[0], middle[1], turned


def wheel_limit(table, pose, width, side, most):
    """Between which angles the limit of a wheel lies, whatever the edge of the table."""
    angles = np.append(np.arange(0.0, most, RADIAN), most)
    room = table.spare(*wheel_poses(pose, width, side, angles))
    sure, past = first_below(room[1:], -1e-4), first_below(room[1:], -SURE)
    return angles[max(0, sure - 1)] if sure < len(angles) - 1 else most, angles[min(past + 1, len(angles) - 1)]


def comes_to(table, pose, width, allowance, place):
    """Whether a wheel to either side and a straight move bring the middle of the front edge to a place; ``None``: too close to call."""
    verdicts = [_one_side(table, pose, width, allowance, place, side) for side in (1, -1)]
    if True in verdicts:
        return True
    return None if None in verdicts else False


def _one_side(table, pose, width, allowance, place, side):
    """The wheel is found by walking through angles until the place lies straight ahead."""
    angles = np.arange(0.0, min(2 * np.pi, (allowance + 0.1) / width) + RADIAN / 4, RADIAN / 4)
    x, y, f = wheel_poses(pose, width, side, angles)
    dx, dy = place[0] - x, place[1] - y
    aside, ahead = np.cos(f) * dy - np.sin(f) * dx, np.cos(f) * dx + np.sin(f) * dy
    near = np.flatnonzero((np.abs(aside) < RADIAN * 10) & (ahead > -1e-3))
    if not len(near):
        return False
    k = near[np.argmin(np.abs(aside[near]))]
    cost = width * angles[k] + max(0.0, ahead[k])
    if np.abs(aside[k]) > 0.01 or cost > allowance + SURE:
        return None if np.abs(aside[k]) < 0.02 and cost < allowance + 5 * SURE else False
    turn = slice(0, k + 1, 4)
    steps = np.arange(0.0, max(0.0, ahead[k]) + INCH, INCH).clip(max=max(0.0, ahead[k]))
    way_x, way_y, way_f = x[k] + steps * np.cos(f[k]), y[k] + steps * np.sin(f[k]), np.full(len(steps), f[k])
    room = min(table.spare(x[turn], y[turn], f[turn]).min(), table.spare(way_x, way_y, way_f).min())
    room = min(room, table.inside(way_x[-1:], way_y[-1:], way_f[-1:])[0])
    if room < -SURE:
        return False
    doubtful = width * angles[k] < SURE or ahead[k] < SURE  # it lies on the corner's arc, or nearly straight ahead
    return None if room < -1e-3 or cost > allowance - SURE or doubtful else True
