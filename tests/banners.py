"""Units with magic banners in scenes of the game of regiments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from heroes import hero

from wh_env import Battle
from wh_env.rulesets.wap.casualties.removing import slay
from wh_env.rulesets.wap.codes import STANDARD
from wh_env.testing.wap import RegimentScene, UnitHandle

FLIES = pytest.mark.parametrize("flies", [True, False])
OWNERS = pytest.mark.parametrize("owner", [0, 1])
UNIT, ARMY = "the unit's standard bearer", "the Battle Standard Bearer"
BEARERS = pytest.mark.parametrize("by", [UNIT, ARMY])


def mustered(
    scene: RegimentScene, owner: int, banner: str, card: dict[str, Any] | None, at: Any, by: str = UNIT, **fields: Any
) -> tuple[UnitHandle, UnitHandle]:
    """(a unit under a banner, the unit whose bearer carries it). ``at``: (x, y). ``by``: who carries the banner; the
    Battle Standard Bearer stands in the unit, an infantryman with the unit's Leadership.
    """
    fields = {"models": 10, "files": 5, **fields}
    if by == UNIT:
        unit = scene.unit(owner, card, at, banner=banner, **{**fields, "command": ["standard"]})
        return unit, unit
    unit = scene.unit(owner, card, at, **fields)
    chief = hero(ld=1 if card is None else card["profile"]["ld"], a=1)
    return unit, scene.unit(owner, chief, inside=unit, models=1, leads=["battle standard"], banner=banner)


def lower(battle: Battle, carrier: UnitHandle) -> None:
    """The bearer of a banner falls."""
    army = battle.units.count[carrier] == 1
    slay(battle, next(k for k in battle.members(carrier.row) if army or battle.models.role[k] == STANDARD))


def beneath(
    owner: int,
    banner: str,
    card: dict[str, Any] | None = None,
    foe: dict[str, Any] | None = None,
    *,
    by: str = UNIT,
    foes: int = 10,
    gap: float | None = None,
    **fields: Any,
) -> tuple[RegimentScene, UnitHandle, UnitHandle, UnitHandle]:
    """(scene, unit under a banner, its carrier, an enemy unit): both fight front to front, or stand ``gap`` inches
    apart.
    """
    scene = RegimentScene()
    unit, carrier = mustered(scene, owner, banner, card, (24, 20 if owner == 0 else 28), by, **fields)
    if gap is None:
        return scene, unit, carrier, scene.beside(unit, 1 - owner, foe, models=foes, files=5)
    ahead = 20 + gap if owner == 0 else 28 - gap
    return scene, unit, carrier, scene.unit(1 - owner, foe, (24, ahead), models=foes, files=5)


def flown(carrier: UnitHandle, flies: bool) -> Callable[[Battle], None] | None:
    """A ``set_state`` for a battle in which a banner still flies, or whose bearer has fallen."""
    return None if flies else lambda battle: lower(battle, carrier)
