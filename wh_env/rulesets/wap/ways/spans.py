"""How wide and how deep a block is."""

from __future__ import annotations

from wh_env.core.kernel import kernel
from wh_env.core.tables import Array


@kernel
def front_edge(units: Array, u: int, files: int) -> float:
    """Inches of the front edge of unit ``u`` in ``files`` files; ``files`` 0: in its present ones."""
    unit = units[u]
    abreast = min(files if files > 0 else max(1, unit["files"]), unit["block"])
    return float(2.0 * abreast * unit["base_b"] + (abreast - 1) * unit["spacing"] + abs(unit["wider"]))


@kernel
def front_to_rear(units: Array, u: int, files: int) -> float:
    """Inches from the front edge of unit ``u`` to its rear in ``files`` files; ``files`` 0: in its present ones."""
    unit = units[u]
    wide = files if files > 0 else max(1, unit["files"])
    ranks = (unit["block"] + wide - 1) // wide
    return float(2.0 * ranks * unit["base_a"] + (ranks - 1) * unit["spacing"])
