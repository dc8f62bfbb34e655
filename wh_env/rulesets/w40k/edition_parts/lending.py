"""Weapons of embarked models that a TRANSPORT fires as its own: what the Shooting phase asks an edition about them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from contextlib import AbstractContextManager, nullcontext

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import Unchanging


class Lending(Unchanging):
    """Nobody lends a weapon; an edition whose TRANSPORTS fire those of their passengers answers otherwise."""

    def outlook(self, g: BattleCore, unit: int) -> AbstractContextManager[None]:
        """While it is open, distances and lines of sight of an embarked unit are those that it shoots by."""
        return nullcontext()

    def armed(self, g: BattleCore, unit: int) -> list[int]:
        """Models whose weapons the unit fires, in the order in which they are asked about."""
        return list(g.members(unit))

    def in_use(self, g: BattleCore, unit: int, model: int, number: int) -> bool:
        """Whether the unit fires entry ``number`` of the model's arsenal."""
        return True

    def ready(self, g: BattleCore, player: int) -> Iterable[int]:
        """Units of the player that could shoot with lent weapons, whatever they carry themselves."""
        return ()

    def targets(self, g: BattleCore, unit: int) -> Container[int]:
        """Enemy units that some lent weapon may target."""
        return ()

    def choose(self, g: BattleCore, unit: int) -> None:
        """Full detail: the unit was selected to shoot; let its player choose what is lent."""

    def declare(self, g: BattleCore, unit: int, target: int) -> None:
        """Squad detail: lend what hurts most and declare its attacks, at ``target`` where it can."""

    def give_back(self, g: BattleCore) -> None:
        """The unit has shot, or will: nobody lends a weapon any longer."""

    def lent(self, g: BattleCore, unit: int) -> list[tuple[int, int]]:
        """Models of the unit and the weapon profiles that are lent to them."""
        return []
