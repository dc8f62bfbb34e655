"""Cards of war machines for tests, and scenes with one."""

from __future__ import annotations

from typing import Any

from wh_env.testing.wap import INCH, PLAIN, square

CHASSIS = [2 * INCH, 3 * INCH]  # two inches wide, three deep


def machine(weapon: str = "cannon", toughness: int = 7, crew: int = 3, **fields: Any) -> dict[str, Any]:
    """A card of a war machine on a chassis of 2" by 3"; ``fields`` as for ``square``, of its crew."""
    engine = {"weapon": weapon, "toughness": toughness}
    own = {"base_mm": CHASSIS, "figures": crew, "size": [1, 1], "command": [], **fields}
    return square(**{**own, "type": "war machine", "machine": engine})


def gunner(**values: int) -> dict[str, int]:
    """The profile of one of its crew."""
    return {**PLAIN, **values}
