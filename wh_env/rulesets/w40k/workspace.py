"""Scratch memory of a battle: the arrays that kernels write besides the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from wh_env.core.calls import Calls
from wh_env.core.geometry.rigid import scratch_sizes
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.attack_row import LOG_COLUMNS

R = TypeVar("R")

LOG_ROWS = 4096


class Workspace(Calls):
    """Scratch arrays of one battle. Their contents do not outlive the call that wrote them, except facts that follow
    from a Setup alone (``about``).

    Attributes:
        limits: the limits of each kind of move, by kind and whether the unit can FLY; the caller sets ``extra``.
        extras: the column ``extra`` of each of them.
        no_targets: int32 (units,), all zero: no unit is the target of a charge.
        labels: int32 (models,), the group of each model.
        found: int32 (units,), rows of units.
        reaches: float64 (models,).
        scratch, marks: float64 and int32, at least as long as ``scratch_sizes`` says.
        trail: float64 (2, 2), displacements of a unit that moves as one.
        cells: bool, one for each cell of the grid.
        log, no_log: int32 (rows, columns), log of the attack machine while events are recorded, and while they are not.
        freedoms: uint8 (units, powers), which of the powers of hook ``freedoms`` are in force on which units.
        in_force: by hook uint8 (powers,), one for each power of that hook.
        concerned: by hook and player, whether a power of that hook can affect the player's units.
        stateful: by hook, whether any power of that hook depends on ``states``.
    """

    __slots__ = (
        "_facts",
        "_setup",
        "cells",
        "concerned",
        "extras",
        "found",
        "freedoms",
        "in_force",
        "labels",
        "limits",
        "log",
        "marks",
        "no_log",
        "no_targets",
        "reaches",
        "scratch",
        "stateful",
        "trail",
    )

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self._setup = setup
        self._facts: dict[Callable[[Setup], Any], Any] = {}
        statics, grid = setup.statics, setup.space.grid
        units = len(setup.layout.view(setup.template, "units"))
        models = len(setup.layout.view(setup.template, "models"))
        blocks, _, features = statics["pieces"]  # before the players place them, too
        # footprints can be in the way too (``edition_parts.ways``)
        floats, ints = scratch_sizes(models, len(blocks) + len(features), grid)
        self.limits: dict[tuple[str, bool], Array] = {key: rows.copy() for key, rows in statics["limits"].items()}
        extras: dict[tuple[str, bool], Any] = {key: rows["extra"] for key, rows in self.limits.items()}
        self.extras = {key: memoryview(column) for key, column in extras.items()}
        self.no_targets = np.zeros(units, np.int32)
        self.labels = np.zeros(models, np.int32)
        self.found = np.zeros(units, np.int32)
        self.reaches = np.zeros(models, np.float64)
        self.scratch = np.zeros(floats, np.float64)
        jobs = len(setup.layout.view(setup.template, "jobs"))  # groups of alike attacks are listed there, too
        self.marks = np.zeros(max(ints, jobs), np.int32)
        self.trail = np.zeros((2, 2), np.float64)
        self.cells = np.zeros(grid**2, np.bool_)
        self.log = np.zeros((LOG_ROWS, LOG_COLUMNS), np.int32)
        self.no_log = np.zeros((0, LOG_COLUMNS), np.int32)
        self.in_force = {hook: np.zeros(len(rows), np.uint8) for hook, (rows, _) in statics["power_rows"].items()}
        self.freedoms = np.zeros((units, len(statics["powers"]["freedoms"])), np.uint8)
        sides = {hook: {p.owner ^ p.enemies for p in powers} for hook, powers in statics["powers"].items()}
        self.stateful = {
            hook: any(power.states or power.under for power in powers) for hook, powers in statics["powers"].items()
        }
        self.concerned = {hook: (0 in found, 1 in found) for hook, found in sides.items()}

    def about(self, setup: Setup, find: Callable[[Setup], R]) -> R:
        """The result of ``find`` for this Setup, computed once. Setups that share a workspace differ in terrain."""
        if setup is not self._setup:
            self._setup, self._facts = setup, {}
        facts = self._facts
        if find not in facts:
            facts[find] = find(setup)
        return facts[find]  # type: ignore[no-any-return]
