"""Scratch memory of a battle: what kernels write besides the state."""

from __future__ import annotations

import numpy as np

from wh_env.core.calls import Calls
from wh_env.core.setup import Setup

NODES = 384  # corners that a path may turn at
LOG_ROWS, LOG_COLUMNS = 512, 8
CONTACTS = 6  # enemies that a unit touches at most, on average over all


class Workspace(Calls):
    """What a battle has for itself while it is played; nothing in it outlives the call that wrote it.

    Attributes:
        marks: int32 (units + pieces of terrain,). labels: int32 (units,), the group of each.
        trail: float64 (nodes, 2), the corners of a path. nodes: float64 (nodes, 5), those that it may have.
        poses, saved: float64 (units, 3), places and facings. spot: float64 (1, 3), one of them.
        cells: bool, gaps: float64, one for each cell of the grid. one: bool (1,), a single cell.
        pairs: int32 (contacts, 2), rows of units in contact.
        log, no_log: int32 (rows, columns), what kernels tell while events are recorded, and while they are not.
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
