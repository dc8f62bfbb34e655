"""Wizards who know all spells of a lore, and castings of these spells with scripted dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wh_env import Battle
from wh_env.rulesets.wap.codes import Phase
from wh_env.testing import choose, kind, pick, slots
from wh_env.testing.play import script
from wh_env.testing.wap import RegimentScene, UnitHandle, square

ALL = [0, 1, 2, 3, 4, 5, 6]  # numbers of the spells of a lore
LEVEL = 4
BONUS = 2  # that a wizard of the fourth level adds to his casting results
POOL = [5, 5]  # winds of magic: ten power dice, five dispel dice
NO_CHANNEL = [1] * LEVEL
Spot = tuple[float, float]


def wizard(lore: str, **values: Any) -> dict[str, Any]:
    """A card of a wizard of the fourth level on foot who knows all spells of a lore."""
    wizardry = {"level": LEVEL, "lores": [lore], "spells": ALL}
    return square(**{"character": True, "size": [1, 1], "w": 2, "ld": 8, "wizard": wizardry, **values})


class Rite:
    """A table with a wizard of ``player`` (at ``at``, or in a unit that is added later), in his Magic phase.

    Units are added by ``own`` and ``enemy``. For player 1 the whole table is turned by half a turn.
    """

    def __init__(
        self, lore: str, player: int = 0, *, at: Spot | None = (6, 12), card: dict[str, Any] | None = None
    ) -> None:
        self.lore, self.player, self.card = lore, player, card or wizard(lore)
        self.scene = RegimentScene()
        self.wizard: UnitHandle | None = self.add(player, self.card, at, models=1, files=1) if at else None

    def there(self, at: Spot) -> Spot:
        """A place as player 0 sees the table."""
        return at if self.player == 0 else (48 - at[0], 48 - at[1])

    def add(self, player: int, card: Any, at: Spot | None, **fields: Any) -> UnitHandle:
        """Add a unit of a player."""
        return self.scene.unit(player, card, None if at is None else self.there(at), **fields)

    def own(self, card: Any = None, at: Spot | None = (18, 12), **fields: Any) -> UnitHandle:
        """Add a unit of the wizard's player."""
        return self.add(self.player, card, at, **fields)

    def enemy(self, card: Any = None, at: Spot | None = (18, 30), **fields: Any) -> UnitHandle:
        """Add a unit of the enemy."""
        return self.add(1 - self.player, card, at, **fields)

    def facing(self, unit: UnitHandle, card: Any = None, *, own: bool = False, **fields: Any) -> UnitHandle:
        """Add a unit in contact with the front of another one: an enemy of the wizard's player, or his ``own``."""
        return self.scene.beside(unit, self.player if own else 1 - self.player, card, **fields)

    def battle(self, *, levels: int = LEVEL, **fields: Any) -> Battle:
        """The battle in the Magic phase of the wizard's player, after the winds were rolled. A second wizard far away
        could always cast a spell, so that the phase goes on. ``levels``: of all other wizards, none of whom channels.
        """
        second = wizard("light", wizard={"level": 1, "lores": ["light"], "spells": [2]})
        self.own(second, (45, 3), models=1, files=1)
        dice = [*POOL, *[1] * (levels + 1)]
        return self.scene.battle("magic", player=self.player, dice=dice, **fields)


def dice_for(total: int) -> list[int]:
    """Dice without 6s, and without two 1s, with which a wizard reaches a casting result."""
    rest, dice = max(3, total - BONUS), list[int]()
    while rest > 5:
        take = 4 if rest == 6 else 5
        dice.append(take)
        rest -= take
    return [*dice, rest]


def cast(
    battle: Battle,
    spell: str,
    target: UnitHandle | None,
    total: int,
    *,
    version: str = "",
    then: Sequence[int] = (),
    by: UnitHandle | None = None,
) -> None:
    """Cast a spell with a casting result of ``total``; the enemy lets it be. ``version``: words of the one to take if
    there are several; empty: the first. ``then``: dice rolled after those of the casting.
    """
    dice = dice_for(total)
    script(battle, [*dice, *then])
    assert kind(battle) == "cast-by"
    choose(battle, "own", slots(battle, "own")[0] if by is None else by.number)
    if kind(battle) == "cast-spell":  # it is not asked if one spell is left
        pick(battle, spell)
    if kind(battle) == "spell-target":
        assert target is not None
        choose(battle, "own" if target.player == player_of(battle) else "enemy", target.number)
    if kind(battle) == "test-will":
        choose(battle, "done")
    choose(battle, "number", len(dice) - 1)
    if kind(battle) == "spell-version" and version:
        pick(battle, version)
    elif kind(battle) == "spell-version":
        choose(battle, "option", slots(battle, "option")[0])
    if kind(battle) == "dispel-by":
        choose(battle, "done")
    assert battle.clock.phase[0] == Phase.MAGIC


def player_of(battle: Battle) -> int:
    """The player whose turn it is."""
    return int(battle.clock.turn[0])


def end_magic(battle: Battle, dice: Sequence[int] = ()) -> None:
    """Cast nothing more; what follows has scripted dice."""
    script(battle, dice)
    while kind(battle) in ("cast-by", "dispel-in-play", "dispel-by", "end-spell"):
        choose(battle, "done")


def go_to(battle: Battle, what: str, dice: Sequence[int] = (), limit: int = 400) -> None:
    """Decline everything until a decision ``what`` waits; then queue dice."""
    for _ in range(limit):
        if kind(battle) == what:
            script(battle, dice)
            return
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    raise LookupError(f"no decision {what}")


def until(battle: Battle, holds: Callable[[Battle], bool], limit: int = 800) -> None:
    """Decline everything until ``holds`` is true."""
    for _ in range(limit):
        if holds(battle) or battle.decision is None:
            return
        battle.apply(0 if battle.legal()[0] else battle.first_legal())
    raise LookupError("it never holds")
