"""Bearers of magic items in scenes of the game of regiments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heroes import hero

from wh_env import Battle
from wh_env.testing import script, told
from wh_env.testing.wap import RegimentScene, UnitHandle, fight

HIT, WOUND, SAVE = "wap.combat.hit.roll", "wap.combat.wound.roll", "wap.shoot.save.roll"


def duel(
    owner: int,
    items: Sequence[str | dict[str, Any]],
    *,
    bearer: dict[str, Any] | None = None,
    foe: dict[str, Any] | None = None,
    foes: int = 10,
    **fields: Any,
) -> tuple[Battle, UnitHandle, UnitHandle]:
    """A bearer of items, a hero on foot with 3 Attacks and Initiative 4 unless ``bearer`` says otherwise, in contact
    with the front of an enemy unit. The battle stands before the Close Combat phase of the bearer's player; ``fight``
    fights a round. ``fields``: of the battle.
    """
    scene = RegimentScene()
    own = scene.unit(owner, hero(**{"i": 4, **(bearer or {})}), (24, 24), models=1, files=1, items=items)
    enemy = scene.beside(own, 1 - owner, foe, models=foes, files=min(5, foes))
    return scene.battle("combat", player=owner, run=False, **fields), own, enemy


def strike(battle: Battle, unit: UnitHandle, dice: Sequence[int]) -> dict[str, tuple[int, int]]:
    """Fight a round with these dice. Returns (dice, score needed) of the unit's first roll to hit and to wound by their
    rules.
    """
    script(battle, dice)
    fight(battle, unit)
    rolls = [(rule, row) for rule in (WOUND, HIT) for row in reversed(told(battle, rule)) if row["unit"] == unit.row]
    return {rule: (row["amount"], row["needed"]) for rule, row in rolls}


def saves(battle: Battle, unit: UnitHandle) -> list[tuple[int, int]]:
    """The scores that armour and ward saves of a unit needed, each time they were rolled; 7: there was none."""
    return [row["needed"] for row in told(battle, SAVE) if row["unit"] == unit.row]
