"""Bearers of magic armour and talismans that are hit, in scenes of the game of regiments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carrying import duel, saves
from heroes import HORSE, hero
from wizards import SetState, knowing, wizard

from wh_env import Battle
from wh_env.rulesets.wap.codes import FRONT
from wh_env.rulesets.wap.shooting.hits import take_hits
from wh_env.rulesets.wap.weapons.hit import Hit
from wh_env.testing import dice_left, script
from wh_env.testing.wap import INCH, RegimentScene, UnitHandle, fight, square

MOUNTED = {"type": "cavalry", "base_mm": [INCH, 2 * INCH], "mount": HORSE}  # fields of a card


def struck(
    owner: int,
    items: Sequence[str],
    dice: Sequence[int],
    *,
    bearer: dict[str, Any] | None = None,
    foe: dict[str, Any] | None = None,
    detail: str = "squad",
) -> tuple[list[tuple[int, int]], int]:
    """One enemy of Initiative 5 strikes at a bearer of items with these dice, which must be used up before he strikes
    back. Returns the scores that his saves needed, and the Wounds that he has lost.
    """
    before = {"w": 5, **(bearer or {})}
    battle, own, _ = duel(owner, items, bearer={**before, "i": 1}, foe=square(**{"i": 5, **(foe or {})}), foes=1)
    script(battle, [*dice, *[1] * (before.get("a", 3) + ("mount" in before))])
    fight(battle, own)
    assert dice_left(battle) == 0
    return saves(battle, own), before["w"] - int(battle.models.wounds[own.model()])


def in_unit(
    owner: int, items: Sequence[str], card: dict[str, Any] | None = None, detail: str = "squad"
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A bearer of items in a unit of ten models, and an enemy unit far away. The battle stands before a Shooting phase
    of the enemy.
    """
    scene = RegimentScene()
    host = scene.unit(owner, None, (24, 20), models=10)
    own = scene.unit(owner, hero(**{"w": 5, **(card or {})}), inside=host, models=1, items=items)
    foe = scene.unit(1 - owner, None, (24, 40 if owner == 0 else 4), models=5)
    return scene.battle("shooting", player=1 - owner, run=False, detail=detail), host, own, foe


def alone(
    owner: int, items: Sequence[str], card: dict[str, Any] | None = None, detail: str = "squad"
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A bearer of items by himself, and an enemy unit far away, before a Shooting phase of the enemy."""
    scene = RegimentScene()
    own = scene.unit(owner, hero(**{"w": 5, **(card or {})}), (24, 20), models=1, files=1, items=items)
    foe = scene.unit(1 - owner, None, (24, 40 if owner == 0 else 4), models=5)
    return scene.battle("shooting", player=1 - owner, run=False, detail=detail), own, foe


def shot(
    battle: Battle, target: UnitHandle, by: UnitHandle, dice: Sequence[int], *hits: tuple[int, Hit], side: int = FRONT
) -> list[tuple[int, int]]:
    """A unit takes hits with these dice; returns the scores that its saves needed."""
    battle.events.clear()
    script(battle, dice)
    take_hits(battle, target.row, list(hits), side, by.row)
    assert dice_left(battle) == 0
    return saves(battle, target)


def under_spells(
    owner: int, items: Sequence[str], *, joined: bool = False, spell: str = "Stroke", detail: str = "squad"
) -> tuple[Battle, UnitHandle, UnitHandle, UnitHandle]:
    """A wizard of level 2 in his Magic phase, and a bearer of items 12 inches in front of him, alone or in a unit of
    ten models. Returns the battle, the wizard, the target and the bearer. Six dispel dice.
    """
    scene = RegimentScene(size=(72, 72))
    mage = scene.unit(1 - owner, wizard(2), (36, 36), models=1)
    spot = (36.0, 48.0 if owner else 24.0)
    host = scene.unit(owner, None, spot, models=10) if joined else None
    place: dict[str, Any] = {"inside": host} if host else {"at": spot, "files": 1}
    own = scene.unit(owner, hero(w=5), models=1, items=items, **place)
    state: SetState = knowing({mage: spell})
    battle = scene.battle("magic", player=1 - owner, dice=(6, 6, 1, 1), set_state=state, detail=detail)
    battle.pools.dice[owner] = 6
    return battle, mage, host or own, own
