"""Two wizards with arcane items, each with a unit, for scenes of the game of regiments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wizards import TRIAL, knowing, wizard

from wh_env import Battle
from wh_env.testing import choose, kind
from wh_env.testing.wap import RegimentScene, UnitHandle, square

EVERY = "Stroke,Shield,Curse,Cloak,Rot,Gale"


@dataclass
class Duel:
    """A battle in which a wizard's player begins the Magic phase. ``target``: a unit of the enemy, 12 inches before
    him; ``rival``: its wizard, who stands far off.
    """

    battle: Battle
    mage: UnitHandle
    target: UnitHandle
    rival: UnitHandle
    guard: UnitHandle


def duel(
    player: int = 0,
    own: Sequence[str | dict[str, Any]] = (),
    enemy: Sequence[str | dict[str, Any]] = (),
    *,
    level: int = 2,
    against: int = 2,
    winds: Sequence[int] = (6, 6),
    channel: Sequence[int] | None = None,
    spells: str = EVERY,
    lore: str = TRIAL,
    mage: dict[str, Any] | None = None,
    joins: bool = False,
    foe: dict[str, Any] | None = None,
    detail: str = "full",
    before: Sequence[int] = (),
    lists: str = "open",
) -> Duel:
    """A wizard with items ``own`` against one with items ``enemy``; the winds are 12 power dice and 6 dispel dice.
    ``joins``: both stand in units of theirs. ``before``: dice that are rolled before the winds. ``lists``: whether the
    players know each other's items.
    """
    scene, sign = RegimentScene(size=(72, 72), rules={"lists": lists}), 1 if player == 0 else -1
    guard = scene.unit(player, None, (36 if joins else 60, 36), models=10)
    at: dict[str, Any] = {"inside": guard} if joins else {"at": (36, 36)}
    caster = scene.unit(player, wizard(level, lore, **(mage or {})), models=1, items=own, **at)
    target = scene.unit(1 - player, square(**(foe or {})), (36, 36 + sign * 12), models=20, files=10)
    at = {"inside": target} if joins else {"at": (8, 36 + sign * 34)}
    rival = scene.unit(1 - player, wizard(against, lore), models=1, items=enemy, **at)
    fallen = [1] * (level + against) if channel is None else channel
    battle = scene.battle(
        "magic", player=player, dice=(*before, *winds, *fallen), detail=detail, set_state=knowing({caster: spells})
    )
    return Duel(battle, caster, target, rival, guard)


def decline(battle: Battle, *kinds: str) -> None:
    """Keep items, or let things be, as long as a question of one of these kinds is asked."""
    while kind(battle) in kinds:
        choose(battle, "done")
