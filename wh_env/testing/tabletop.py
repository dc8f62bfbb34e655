"""A table built by hand, to try kernels of ``core.geometry`` without a battle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from wh_env.core.frozen import frozen
from wh_env.core.geometry.moves import new_limits, scratch_sizes
from wh_env.core.tables import BLOCK, OBJECTIVE, RECT
from wh_env.rulesets.w40k.tables import MODEL, UNIT  # the rows that kernels are compiled for anyway

# limits of a move, like those of an Engagement Range of 1" and units in coherency at 2"
NUMBERS = {
    "engage": 1.0, "engage_z": 5.0, "low": 2.0, "coherency": 2.0, "coherency_z": 5.0, "coherency_big": 7,
    "over_friends": 1, "floor_kinds": 1 << 2, "marker_z": 1.0, "barrier": 1.0,
    "need_contact": 1, "need_closer": 1, "end_engaged": 1, "need_all": 1,
}  # fmt: skip


class Table:
    """A 60" by 44" table: the arrays that kernels take, filled by hand.

    Args:
        units: for each unit, its owner and the places of its models as (x, y) or (x, y, z). Bases are round, radius
            0.5".
        move: inches that every model may move.
    """

    def __init__(self, *units: tuple[int, Sequence[tuple[float, ...]]], move: float = 6.0) -> None:
        poses = [(u, owner, pose) for u, (owner, models) in enumerate(units) for pose in models]
        self.models = m = np.zeros(len(poses), MODEL)
        self.units = np.zeros(len(units), UNIT)
        self.units["leader"] = -1
        m["radius"] = m["half_a"] = m["half_b"] = 0.5
        m["height"], m["move"], m["on_table"], m["alive"] = 1.5, move, 1, 1
        for i, (u, owner, pose) in enumerate(poses):
            m["unit"][i], m["owner"][i], m["x"][i], m["y"][i] = u, owner, pose[0], pose[1]
            m["z"][i] = pose[2] if len(pose) > 2 else 0.0
        at = 0
        for u, (owner, models) in enumerate(units):
            self.units["owner"][u], self.units["first"][u], self.units["count"][u] = owner, at, len(models)
            at += len(models)
        self.blocks = np.zeros(0, BLOCK)
        self.corners = np.zeros((0, 2))
        self.objectives = np.zeros(0, OBJECTIVE)
        self.limits = new_limits(60.0, 44.0, **NUMBERS)
        self.targets = np.zeros(len(units), np.int32)
        self.room()

    def room(self, grid: int = 33) -> None:
        """Allocate scratch memory for the objects on the table and for a grid of ``grid`` x ``grid`` cells."""
        floats, ints = scratch_sizes(len(self.models), len(self.blocks) + 8, grid)
        self.scratch, self.marks = np.zeros(floats), np.zeros(ints, np.int32)

    def shape(self, i: int, shape: int, a: float, b: float, facing: float = 0.0) -> None:
        """Give model ``i`` a base of this shape with half lengths ``a`` and ``b`` in inches."""
        row = self.models[i : i + 1]
        row["shape"], row["half_a"], row["half_b"], row["facing"] = shape, a, b, facing
        row["radius"] = math.hypot(a, b) if shape == RECT else max(a, b)

    def block(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        top: float,
        bottom: float = 0,
        walkable: int = 0,
        kind: int = 0,
    ) -> None:
        """Add a box of terrain."""
        row = np.zeros(1, BLOCK)
        row["min_x"], row["min_y"], row["max_x"], row["max_y"] = x0, y0, x1, y1
        row["z_low"], row["z_high"] = bottom, top
        row["first"], row["count"], row["solid"], row["walkable"], row["kind"] = len(self.corners), 4, 1, walkable, kind
        self.blocks = np.concatenate([self.blocks, row])
        self.corners = np.concatenate([self.corners, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]])

    def area(self, x0: float, y0: float, x1: float, y1: float, reach: float) -> None:
        """Add the footprint of an area that engagement range reaches across (``reach`` inches)."""
        self.block(x0, y0, x1, y1, 1e6, bottom=-1e6)
        self.blocks["solid"][-1], self.blocks["engage"][-1] = 0, reach
        self.limits["engage_across"] = max(reach, float(self.limits["engage_across"][0]))

    def marker(self, x: float, y: float, radius: float = 0.787) -> None:
        """Add an objective marker."""
        row = np.zeros(1, OBJECTIVE)
        row["x"], row["y"], row["placed"] = x, y, 1
        self.objectives = np.concatenate([self.objectives, row])
        self.limits["marker"] = radius

    @property
    def tables(self) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
        """Models, units, blocks, corners, objectives, limits, targets: the first arguments of move kernels."""
        blocks, corners = frozen(self.blocks), frozen(self.corners)
        return (self.models, self.units, blocks, corners, self.objectives, self.limits, self.targets)
