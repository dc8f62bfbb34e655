"""Charge moves of regiments by trying them: how far straight, which wheel, then on until blocks touch, then the last wheel step by step. Shares no code with
the kernels."""

from __future__ import annotations

import numpy as np
from oracles.outlines import body_gaps, placed

STEP, TURN = 0.06, 0.035  # inches and radians from one pose of a way to the next
TOUCH = 2e-3


def hull_of(pose, depth, width):
    """The corners of a block, counter-clockwise from its front right."""
    return placed([[-depth / 2, 0.0, depth / 2, width / 2]], *pose)[0, 0]


def intervals(count, size):
    """Where ``count`` bases side by side begin and end, middle at 0."""
    return [(size * (k - count / 2), size * (k + 1 - count / 2)) for k in range(count)]


def met(bases, low, high):
    """How many bases reach a stretch, by a corner too."""
    return sum(1 for a, b in bases if b >= low - TOUCH and a <= high + TOUCH)


class Charge:
    """A charger (pose, files, ranks, base side 1"), a target with its charged side, and what is in the way: polygons with the inches kept from each."""

    def __init__(self, pose, files, ranks, target, target_files, target_ranks, side, obstacles, size):
        self.pose, self.files, self.width, self.depth = np.array(pose), files, float(files), float(ranks)
        self.body = np.array([[-ranks / 2, 0.0, ranks / 2, files / 2]])
        self.hull = hull_of(target, target_ranks, target_files)
        self.count = target_files if side % 2 == 0 else target_ranks
        # the ends of the charged side, from the left to the right of who comes at it
        ends = {0: (0, 1), 3: (1, 2), 2: (2, 3), 1: (3, 0)}[side]
        self.ends = self.hull[ends[0]], self.hull[ends[1]]
        along = self.ends[1] - self.ends[0]
        self.half = float(np.hypot(*along)) / 2
        self.along = along / (2 * self.half)
        self.final = float(np.arctan2(along[1], along[0])) + np.pi / 2  # facing with the left at the first end
        self.obstacles, self.size = obstacles, np.array(size)

    def free(self, poses, charged=True):
        """How many of the first poses (n x 3) are clear."""
        fine = np.ones(len(poses), bool)
        for polygon, margin in self.obstacles:
            fine &= body_gaps(self.body, *poses.T, polygon) >= margin - 1e-4
        if charged:
            fine &= body_gaps(self.body, *poses.T, self.hull) >= -1e-3
        bad = np.flatnonzero(~fine)
        return int(bad[0]) if len(bad) else len(poses)

    def ahead(self, pose, far):
        """Poses straight on."""
        far = np.asarray(far, float)
        return np.stack(
            [pose[0] + far * np.cos(pose[2]), pose[1] + far * np.sin(pose[2]), np.full(len(far), pose[2])], 1
        )

    def turned(self, pose, point, angles):
        """Poses turned about a point."""
        dx, dy = pose[0] - point[0], pose[1] - point[1]
        c, s = np.cos(angles), np.sin(angles)
        return np.stack([point[0] + c * dx - s * dy, point[1] + s * dx + c * dy, pose[2] + angles], 1)

    def corner(self, pose, side):
        """A front corner: 1 the left, -1 the right one."""
        return pose[:2] + side * self.width / 2 * np.array([-np.sin(pose[2]), np.cos(pose[2])])

    def ways(self, before_step, turn_step):
        """All poses after a straight way and a wheel that are reached."""
        far = float(np.hypot(*(self.hull.mean(axis=0) - self.pose[:2]))) + self.width + self.depth
        straight = self.ahead(self.pose, np.arange(0.0, far, STEP))
        clear = self.free(straight)
        yield self.pose
        for before in np.arange(0.0, clear * STEP, before_step):
            here = self.ahead(self.pose, [before])[0]
            for side in (1, -1):
                angles = side * np.arange(0.0, np.pi / 2 + TURN, TURN).clip(max=np.pi / 2)
                poses = self.turned(here, self.corner(here, side), angles)
                clear_turn = abs(angles[self.free(poses) - 1])
                for angle in np.arange(turn_step, clear_turn + 1e-9, turn_step):
                    yield self.turned(here, self.corner(here, side), np.array([side * angle]))[0]

    def finish(self, pose):
        """Models in contact after the way on and the last wheel; 0: it does not come there, or something is in the way."""
        closing = (self.final - pose[2] + np.pi) % (2 * np.pi) - np.pi
        if abs(closing) >= np.pi / 2 - 1e-6:
            return 0
        far = float(np.hypot(*(self.hull.mean(axis=0) - pose[:2]))) + self.width + 2 * self.half
        poses = self.ahead(pose, np.arange(0.0, far, STEP))
        apart = body_gaps(self.body, *poses.T, self.hull)
        hits = np.flatnonzero(apart <= 0.0)
        if not len(hits) or hits[0] == 0:
            return 0
        low, high = (hits[0] - 1) * STEP, hits[0] * STEP
        for _ in range(26):
            middle = (low + high) / 2
            if body_gaps(self.body, *self.ahead(pose, [middle]).T, self.hull)[0] <= 0.0:
                high = middle
            else:
                low = middle
        if self.free(poses[: hits[0]]) < hits[0]:
            return 0
        here = self.ahead(pose, [low])[0]
        point = self.touching(here)
        if point is None:
            return 0
        steps = np.linspace(0.0, closing, max(2, int(abs(closing) / TURN) + 2))
        poses = self.turned(here, point, steps)
        if self.free(poses) < len(poses):
            return 0
        end = poses[-1]
        corners = placed(self.body, *end)[0, 0]
        if (corners < -1e-3).any() or (corners > self.size + 1e-3).any():
            return 0
        left = self.corner(end, 1) - self.ends[0]
        if abs(self.along[0] * left[1] - self.along[1] * left[0]) > 1e-3:
            return 0  # not that side
        at = float(left @ self.along) + self.width / 2 - self.half
        return self.contacts(at)

    def contacts(self, at):
        """Models of both sides in contact with the middle of the charger's front at a place along the side."""
        low, high = at - self.width / 2, at + self.width / 2
        theirs = met(intervals(self.count, 2 * self.half / self.count), low, high)
        return theirs + met(intervals(self.files, 1.0), -self.half - at, self.half - at) if theirs else 0

    def touching(self, pose):
        """Where blocks touch: a front corner of the charger on the target's outline, or a corner of the target on the charger's front; None: elsewhere."""
        best, found = 2e-4, None
        for side in (1, -1):
            corner = self.corner(pose, side)
            apart = abs(body_gaps([[0.0, 0.0, 1e-9, 1e-9]], *corner, 0.0, self.hull)[0])
            if apart < best:
                best, found = apart, corner
        ahead = np.array([np.cos(pose[2]), np.sin(pose[2])])
        left = np.array([-ahead[1], ahead[0]])
        for point in self.hull:
            away = point - pose[:2]
            if abs(away @ left) < self.width / 2 and abs(away @ ahead) < best:
                best, found = abs(away @ ahead), point
        return found

    def most(self, before_step=0.5, turn_step=0.0873):
        """The most models that any way brings into contact."""
        return max((self.finish(pose) for pose in self.ways(before_step, turn_step)), default=0)
