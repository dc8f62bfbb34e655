"""Scenes in which a wizard casts a spell on an enemy, for both players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from heroes import hero

from wh_env import Battle
from wh_env.testing import choose, kind, pick, script, told
from wh_env.testing.wap import NORTH, SOUTH, RegimentScene, UnitHandle, square

PLAYERS = pytest.mark.parametrize("player", [0, 1])
SIZE = 48.0
ENOUGH = (5, 5, 5, 4)  # dice that cast any spell, without sixes and ones: 19, and 21 with the bonus of level 4
BARE: dict[str, Any] = {"ld": 10}  # who does not panic


def wizard(lore: str, *spells: int, level: int = 4, **values: Any) -> dict[str, Any]:
    """A wizard on foot who knows these spells of a lore, by number."""
    return hero(**{"wizard": {"level": level, "lores": [lore], "spells": list(spells)}, "ld": 8, **values})


class Field:
    """A table on which a player's wizard stands in the middle of the table's width, 12 inches from its edge."""

    def __init__(self, player: int, card: dict[str, Any], size: float = SIZE) -> None:
        self.player, self.size = player, size
        self.scene = RegimentScene((size, size))
        self.caster = self.own(card, (24, 12), models=1, files=1)

    def spot(self, at: Sequence[float]) -> tuple[float, float]:
        """A place as player 0 would call it, turned round for player 1."""
        return (at[0], at[1]) if self.player == 0 else (self.size - at[0], self.size - at[1])

    def own(self, card: Any = None, at: Sequence[float] | None = None, **fields: Any) -> UnitHandle:
        """A unit of the caster's side that looks towards the enemy."""
        where = None if at is None else self.spot(at)
        return self.scene.unit(self.player, card, where, facing=(NORTH, SOUTH)[self.player], **fields)

    def enemy(
        self, card: Any = None, at: Sequence[float] | None = (24, 24), *, away: bool = False, **fields: Any
    ) -> UnitHandle:
        """A unit of the other side; ``at`` is the middle of its front edge. ``away``: it shows its rear."""
        where = None if at is None else self.spot(at)
        facing = (NORTH, SOUTH)[self.player if away else 1 - self.player]
        known = square(**BARE) if card is None else card
        return self.scene.unit(1 - self.player, known, where, facing=facing, **fields)

    def area(self, ground: str, x0: float, y0: float, x1: float, y1: float, **fields: Any) -> None:
        """Ground on a rectangle."""
        (ax, ay), (bx, by) = self.spot((x0, y0)), self.spot((x1, y1))
        self.scene.area(ground, min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), **fields)

    def battle(self, *, detail: str = "squad", set_state: Callable[[Battle], None] | None = None) -> Battle:
        """The Magic phase of the player, who has 12 power dice; his enemy has no dice."""
        battle = self.scene.battle("magic", player=self.player, dice=[6, 6], detail=detail, set_state=set_state)
        battle.pools.dice[self.player], battle.pools.dice[1 - self.player] = 12, 0
        return battle

    def cast(
        self, battle: Battle, spell: str, target: UnitHandle | None = None, then: Sequence[int] = (), *,
        roll: Sequence[int] = ENOUGH, version: int = 0, model: str = "", will: bool = False, caster: UnitHandle | None = None,
        before: Sequence[int] = (),
    ) -> None:  # fmt: skip
        """Cast a spell with dice of ``roll``; ``then`` are the dice that follow, ``before`` those that precede it. Stops
        at the first question that these arguments do not answer.
        """
        script(battle, [*before, *roll, *then])
        choose(battle, "own", (caster or self.caster).number)
        while True:
            asked = kind(battle)
            if asked == "cast-spell":
                pick(battle, spell)
            elif asked == "spell-target" and target is not None:
                choose(battle, "own" if target.player == self.player else "enemy", target.number)
            elif asked == "spell-model" and model:
                pick(battle, model)
            elif asked == "test-will":
                choose(battle, *(("option", 0) if will else ("done",)))
            elif asked == "spell-dice":
                choose(battle, "number", len(roll) - 1)
            elif asked == "spell-version":
                choose(battle, "option", version)
            else:
                return


def amounts(battle: Battle, rule: str, kind: str = "spell hits") -> list[int]:
    """The amounts of the events of a kind of a rule: of hits, or of Wounds that a spell cost."""
    return [event.data["amount"] for event in battle.events if event.rule == rule and event.kind == kind]


def needed(battle: Battle) -> list[int]:
    """What rolls to wound needed."""
    return [event["needed"] for event in told(battle, "wap.shoot.wound.roll")]
