"""A small army, and a battle between two of it, in an edition whose datasheets give characteristics to models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wh_env import Battle
from wh_env.testing import Scene, melee, ranged, sheet

RIFLES = sheet("Rifles", weapons={"rifle": ranged(24, A=1, BS=3, S=4), "knife": melee(A=1, WS=3, S=4)})
BLADES = sheet(
    "Blades",
    weapons={"pistol": ranged(12, A=1, BS=3, S=4, abilities=["Pistol"]), "blade": melee(A=3, WS=3, S=4, AP=-1)},
)
WALKER = sheet(
    "Walker", W=8, T=7, Sv=3, base_mm=60, models=(1, 1), keywords=("VEHICLE", "WALKER"),
    weapons={"cannon": ranged(36, A="D6", BS=3, S=7, AP=-1, D=2), "fist": melee(A=4, WS=3, S=10, AP=-3, D="D3")},
)  # fmt: skip
FLIERS = sheet(
    "Fliers", M=12, keywords=("INFANTRY", "FLY"), weapons={"gun": ranged(18, A=2, BS=4, S=4), "claw": melee(A=2)}
)
ARMY: tuple[tuple[dict[str, Any], int], ...] = (
    (RIFLES, 5),
    (RIFLES, 10),
    (BLADES, 5),
    (BLADES, 8),
    (WALKER, 1),
    (FLIERS, 3),
)


def battle_between_two(scene_of: Callable[..., Scene], seed: int = 1, detail: str = "squad", **rules: Any) -> Battle:
    """A battle between two equal armies from the mission sequence on, on a table with four markers; ``scene_of``: a ``Scene`` of the edition."""
    scene = scene_of(size=(60, 44))
    for player in (0, 1):
        for number, (datasheet, models) in enumerate(ARMY):
            scene.unit(player, datasheet, models=models, place="deploy", name=f"{datasheet['name']} {number}")
    for x, y in ((15.0, 22.0), (30.0, 14.0), (45.0, 22.0), (30.0, 30.0)):
        scene.marker(x, y)
    return scene.battle(phase="mission", seed=seed, detail=detail, rules=rules)
