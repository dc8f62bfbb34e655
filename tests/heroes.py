"""Cards of characters for scenes of the game of regiments."""

from __future__ import annotations

from typing import Any

from wh_env.testing.wap import INCH, square

HORSE = {"m": 8, "ws": 3, "bs": 0, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 5}


def hero(**values: Any) -> dict[str, Any]:
    """A character on foot on a base of one inch."""
    return square(**{"character": True, "size": [1, 1], "w": 2, "a": 3, "ld": 9, **values})


def rider(**values: Any) -> dict[str, Any]:
    """A character on a horse."""
    return hero(**{"type": "cavalry", "base_mm": [INCH, 2 * INCH], "mount": HORSE, **values})


def horse(**values: Any) -> dict[str, Any]:
    """Cavalry."""
    return square(**{"type": "cavalry", "base_mm": [INCH, 2 * INCH], "mount": HORSE, **values})
