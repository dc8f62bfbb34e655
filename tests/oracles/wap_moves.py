"""Moves of regiments by sampling: every hundredth of an inch and every 0.002 rad of a way is looked at, and wheels and what follows them a thousand
times as closely where something comes near its margin. Shares no code with the kernels.

A margin is kept up to a millionth of an inch; what comes nearer than it by half as much to twice as much is a tie, and left open (``None``).
"""

from __future__ import annotations

import numpy as np
from oracles.outlines import body_gaps, placed

SURE = 0.02  # inches
INCH, RADIAN = 0.01, 0.002
TIE = 1e-6  # inches nearer than the margin that are rounding, not a nearer place
KEPT, BROKEN = -0.5 * TIE, -2.0 * TIE  # room above the first is free, below the second it is not
EQUAL = 1e-4  # inches too far, or over the edge of the table, that count as none
LEVEL = 1e-9  # inches of rounding in a gap that does not change
COARSE = 16  # steps of a way on which nothing is near
CLOSER = 40  # looks instead of one where it comes near, twice over


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
        self.limits = {}  # of wheels from that pose, by side
        self.gaps = [float(body_gaps(body, *pose, polygon)[0]) for polygon in polygons]
        self.margins = [min(one_inch, gap) for gap in self.gaps]

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


def between(at, values, intervals, times):
    """The same looks, and ``times`` as many within some of the intervals between them."""
    parts = np.linspace(0.0, 1.0, times + 1)[None, 1:-1]
    more = (at[intervals, None] + parts * (at[intervals + 1] - at[intervals])[:, None]).ravel()
    order = np.argsort(np.concatenate([at, more]), kind="stable")
    return np.concatenate([at, more])[order], lambda room: np.concatenate([values, room(more)])[order]


def bounds_of(room, most, step, fastest):
    """Up to where a way is surely free of one obstacle, and from where surely not; ``room``: there, of an array of places on the way, ``fastest``: inches
    by which it changes at most as the place on the way changes by one.

    It cannot come near between two looks that are far enough from it: where they are not, looks are a ``step`` apart, and closer at its least and where
    it passes a bound.
    """
    at = np.append(np.arange(0.0, most, COARSE * step), most)
    values = room(at)
    near = np.flatnonzero(values[1:] + values[:-1] < fastest * np.diff(at) + 2 * TIE)
    if not len(near):
        return most, np.inf
    at, join = between(at, values, near, COARSE)
    values = join(room)
    for _ in range(2):
        reach = fastest * np.diff(at)
        slope = np.diff(values)
        before, after = np.append(-np.inf, slope), np.append(slope, np.inf)
        least = (before < LEVEL) & (after > -LEVEL) & (np.maximum(-before, after) > LEVEL)
        least &= np.abs(values) < np.maximum(np.append(reach, 0.0), np.append(0.0, reach))
        crossed = np.logical_or(*((values[1:] < bound) != (values[:-1] < bound) for bound in (KEPT, BROKEN)))
        at, join = between(at, values, np.flatnonzero(crossed | least[1:] | least[:-1]), CLOSER)
        values = join(room)
    sure, past = first_below(values, KEPT), first_below(values, BROKEN)
    return at[max(0, sure - 1)] if sure < len(at) else most, at[past] if past < len(at) else np.inf


def bounds_along(table, poses, most, step, fastest):
    """The same, of all that stands about."""
    found = []
    for polygon, margin in zip(table.polygons, table.margins, strict=True):
        found.append(
            bounds_of(lambda at, p=polygon, m=margin: body_gaps(table.body, *poses(at), p) - m, most, step, fastest)
        )
    return min(sure for sure, _ in found), min(past for _, past in found)


def wheel_limit(table, pose, width, side, most):
    """Between which angles the limit of a wheel lies, whatever the edge of the table: (surely free up to, surely not from)."""
    size = float(np.hypot(np.abs(table.body[:, 0]) + table.body[:, 2], table.body[:, 3] + width / 2).max())
    return bounds_along(table, lambda angles: wheel_poses(pose, width, side, angles), most, RADIAN, size)


def comes_to(table, pose, width, allowance, place):
    """Whether a wheel to either side and a straight move bring the middle of the front edge to a place; ``None``: a tie."""
    verdicts = [_one_side(table, pose, width, allowance, place, side) for side in (1, -1)]
    if True in verdicts:
        return True
    return None if None in verdicts else False


def _judged(value, bound):
    """Whether a value is at most a bound; ``None``: it is more by so little that it counts as equal."""
    return True if value < bound - 1e-9 else False if value > bound + 2 * EQUAL else None


def _wheel_ahead(pose, width, side, most, place):
    """The angle after which a place lies straight ahead, by walking through angles, closer where it passes the line; and how far ahead."""

    def off(angles):
        x, y, f = wheel_poses(pose, width, side, angles)
        dx, dy = place[0] - x, place[1] - y
        return np.cos(f) * dy - np.sin(f) * dx, np.cos(f) * dx + np.sin(f) * dy

    angles = np.append(np.arange(0.0, most, RADIAN), most)
    aside, ahead = off(angles)
    if abs(aside[0]) < 1e-9 and ahead[0] > 0.0:
        return 0.0, float(ahead[0])
    for k in np.flatnonzero((aside[1:] > 0.0) != (aside[:-1] > 0.0)):
        low, high = angles[k], angles[k + 1]
        for _ in range(4):
            closer = np.linspace(low, high, 101)
            last = np.flatnonzero((off(closer)[0] > 0.0) == (aside[k] > 0.0))[-1]
            low, high = closer[last], closer[min(last + 1, 100)]
        far = float(off(np.array([low]))[1][0])
        if far > 0.0:
            return float(low), far
    return None


def _one_side(table, pose, width, allowance, place, side):
    most = min(2 * np.pi, (allowance + 0.1) / width)
    corner = np.array(pose[:2]) + side * width / 2 * np.array([-np.sin(pose[2]), np.cos(pose[2])])
    if abs(np.hypot(*(np.array(place) - corner)) - width / 2) < 1e-4:
        return None  # on the circle of the front's middle, whose tangent leads there from where it stands
    found = _wheel_ahead(pose, width, side, most, place)
    if found is None:
        return False
    angle, ahead = found
    verdicts = [_judged(width * angle + ahead, allowance)]
    if 0.0 < angle < 1e-5 or angle > 2 * np.pi - 1e-5:
        verdicts.append(None)  # straight ahead, or behind a whole turn
    if False in verdicts:
        return False
    if side not in table.limits:
        table.limits[side] = wheel_limit(table, pose, width, side, most)
    sure, past = table.limits[side]
    verdicts.append(True if angle <= sure else False if angle >= past else None)
    x, y, f = (float(v[0]) for v in wheel_poses(pose, width, side, np.array([angle])))
    ends = np.array([x + ahead * np.cos(f)]), np.array([y + ahead * np.sin(f)]), np.array([f])
    verdicts.append(_judged(-table.inside(*ends)[0], 0.0))
    if False in verdicts:
        return False

    def straight_poses(far):
        return x + far * np.cos(f), y + far * np.sin(f), np.full(len(far), f)

    sure, past = bounds_along(table, straight_poses, ahead, INCH, 1.0)
    verdicts.append(True if sure >= ahead else False if past <= ahead else None)
    if False in verdicts:
        return False
    return None if None in verdicts else True
