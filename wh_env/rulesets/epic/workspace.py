"""Scratch memory of a battle: what kernels write besides the state."""

from __future__ import annotations

import numpy as np

from wh_env.core.calls import Calls
from wh_env.core.setup import Setup

NODES = 384  # corners that a path may turn at
LOG_ROWS, LOG_COLUMNS = 512, 8
CONTACTS = 6  # the most enemies that a unit touches, on average over all units


class Workspace(Calls):
    """Scratch memory of one battle. Its contents do not outlive the call that wrote them.

    Attributes:
        marks: int32 (units + pieces of terrain,).
        labels: int32 (units,), the group of each unit.
        trail: float64 (nodes, 2), the points of a path.
        nodes: float64 (nodes, 5), the points that a path may turn at.
        poses, saved: float64 (units, 3), remembered places and states of units.
        spot: float64 (1, 3), one place.
        cells, gaps: bool and float64, one entry for each cell of the grid.
        pairs: int32 (contacts, 2), rows of units in contact.
        log, no_log: int32 (rows, columns), the log of kernels if events are recorded, and an empty one if not.
        one: bool (1,), a single cell.
    """

    __slots__ = (
        "cells", "gaps", "labels", "log", "marks", "no_log", "nodes", "one", "pairs", "poses", "saved", "spot", "trail",
    )  # fmt: skip

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        models = len(setup.layout.view(setup.template, "models"))
        cells = setup.space.grid**2
        self.marks = np.zeros(models + len(setup.statics["ground"]), np.int32)
        self.labels = np.zeros(models, np.int32)
        self.trail = np.zeros((NODES, 2), np.float64)
        self.nodes = np.zeros((NODES, 5), np.float64)
        self.poses = np.zeros((models, 3), np.float64)
        self.saved = np.zeros((models, 3), np.float64)
        self.spot = np.zeros((1, 3), np.float64)
        self.cells = np.zeros(cells, np.bool_)
        self.gaps = np.zeros(cells, np.float64)
        self.pairs = np.zeros((models * CONTACTS, 2), np.int32)
        self.log = np.zeros((LOG_ROWS, LOG_COLUMNS), np.int32)
        self.no_log = np.zeros((0, LOG_COLUMNS), np.int32)
