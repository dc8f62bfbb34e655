"""How wide and how deep a block is, and the columns in which its move is planned."""

from __future__ import annotations

from math import pi

import numpy as np

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array

TURN = 2.0 * pi


@kernel
def front_edge(units: Array, u: int, files: int) -> float:
    """Inches of the front edge of a unit in so many files, 0: in those that it has."""
    unit = units[u]
    abreast = min(files if files > 0 else max(1, unit["files"]), unit["block"])
    return float(2.0 * abreast * unit["base_b"] + (abreast - 1) * unit["spacing"] + abs(unit["wider"]))


@kernel
def front_to_rear(units: Array, u: int, files: int) -> float:
    """Inches from its front edge to its rear in so many files, 0: in those that it has."""
    unit = units[u]
    wide = files if files > 0 else max(1, unit["files"])
    ranks = (unit["block"] + wide - 1) // wide
    return float(2.0 * ranks * unit["base_a"] + (ranks - 1) * unit["spacing"])


@kernel
def plan_from_here(units: Array, u: int) -> None:
    """Plan the move of a unit from where it stands: it has led nowhere yet."""
    unit = units[u]
    facing = unit["facing"]
    unit["px"] = unit["x"]
    unit["py"] = unit["y"]
    unit["pf"] = facing - TURN * np.rint(facing / TURN) if abs(facing) > TURN else facing
    unit["spent"] = 0.0
    unit["pfiles"] = max(1, unit["files"])


@kernel
def remember_origin(units: Array, origin: Array, u: int) -> None:
    """Write down where a unit stands, in its row of ``origin``."""
    unit = units[u]
    row = origin[u]
    row["x"] = unit["x"]
    row["y"] = unit["y"]
    row["facing"] = unit["facing"]
    row["files"] = unit["files"]
