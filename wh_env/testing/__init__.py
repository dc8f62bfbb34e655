"""Building any position and playing it: to test a rule, to check a ruling, to start training from a set piece.

``scene`` builds positions of the 40k editions and ``epic`` those of the Epic-scale game; ``play`` plays them; ``moves``
and ``melee_moves`` judge moves that are given model by model; ``counts`` counts what is legal.
"""

from __future__ import annotations

from wh_env.testing.play import (
    SCRIPT_ROOM,
    Spot,
    apart,
    cell_nearest,
    choose,
    dice_left,
    in_full_view,
    in_sight,
    kind,
    offered,
    pick,
    place,
    play_until,
    script,
    slots,
    told,
    words,
)
from wh_env.testing.scene import PLACES, Scene, UnitHandle, melee, ranged, sheet

__all__ = [
    "PLACES",
    "SCRIPT_ROOM",
    "Scene",
    "Spot",
    "UnitHandle",
    "apart",
    "cell_nearest",
    "choose",
    "dice_left",
    "in_full_view",
    "in_sight",
    "kind",
    "melee",
    "offered",
    "pick",
    "place",
    "play_until",
    "ranged",
    "script",
    "sheet",
    "slots",
    "told",
    "words",
]
