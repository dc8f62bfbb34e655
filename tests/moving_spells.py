"""Wizards for scenes of spells that move, heal or change ground, and how they cast them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wh_env import Battle
from wh_env.rulesets.wap.codes import KNOWN
from wh_env.rulesets.wap.magic.wizards import rows_of, spell_at
from wh_env.testing import choose, kind, pick, words
from wh_env.testing.wap import UnitHandle, square


def mage(lore: str = "fire", level: int = 2, **values: Any) -> dict[str, Any]:
    """A wizard on foot on a base of one inch."""
    wizard = {"level": level, "lores": [lore]}
    return square(**{"character": True, "size": [1, 1], "w": 2, "ld": 8, "wizard": wizard, **values})


def knows(*spells: tuple[UnitHandle, str]) -> Callable[[Battle], None]:
    """A ``set_state`` in which wizards know spells by their names."""

    def apply(battle: Battle) -> None:
        for unit, name in spells:
            for row in rows_of(battle, unit.row):
                if spell_at(battle, row).name == name:
                    battle.spellbook.known[row] = KNOWN

    return apply


def to_casting(battle: Battle) -> None:
    """Go on to the question who casts."""
    while kind(battle) and kind(battle) != "cast-by":
        choose(battle, "done") if 0 in words(battle) else battle.apply(min(words(battle)))


def cast(
    battle: Battle, unit: UnitHandle, spell: str, target: UnitHandle | None = None, dice: int = 2, *, version: int = 0
) -> None:
    """Cast a spell with so many dice of the pool; the enemy does not dispel it. What is not asked has no choice."""
    to_casting(battle)
    choose(battle, "own", unit.number)
    if kind(battle) == "cast-spell":
        pick(battle, f"{spell} (")
    if kind(battle) == "spell-target" and target is not None:
        choose(battle, "own" if target.player == unit.player else "enemy", target.number)
    if kind(battle) == "test-will":
        choose(battle, "done")
    if kind(battle) == "spell-dice":
        choose(battle, "number", dice - 1)
    if kind(battle) == "fate-die":
        choose(battle, "done")
    if kind(battle) == "spell-version":
        choose(battle, "option", version)
    if kind(battle) == "dispel-by":
        choose(battle, "done")
