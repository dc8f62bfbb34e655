"""Building any position: to test a rule, to check a ruling, to start training from a set piece; see ``scene``."""

from __future__ import annotations

from wh_env.testing.scene import (
    PLACES,
    SCRIPT_ROOM,
    Scene,
    Spot,
    UnitHandle,
    cell_nearest,
    choose,
    dice_left,
    in_full_view,
    in_sight,
    melee,
    pick,
    play_until,
    ranged,
    script,
    sheet,
    slots,
    told,
    words,
)

__all__ = [
    "PLACES",
    "SCRIPT_ROOM",
    "Scene",
    "Spot",
    "UnitHandle",
    "cell_nearest",
    "choose",
    "dice_left",
    "in_full_view",
    "in_sight",
    "melee",
    "pick",
    "play_until",
    "ranged",
    "script",
    "sheet",
    "slots",
    "told",
    "words",
]
