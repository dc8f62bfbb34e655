"""Weapons of embarked models that a TRANSPORT fires as its own: questions of the Shooting phase to the edition."""

from __future__ import annotations

from collections.abc import Container, Iterable
from contextlib import AbstractContextManager, nullcontext

from wh_env.core.battle import BattleCore
from wh_env.core.frozen import Unchanging


class Lending(Unchanging):
    """No model lends a weapon. An edition in which TRANSPORTS fire the weapons of their passengers has a subclass."""

    def outlook(self, g: BattleCore, unit: int) -> AbstractContextManager[None]:
        """A context in which distances and lines of sight of an embarked unit are those that it shoots by."""
        return nullcontext()

    def armed(self, g: BattleCore, unit: int) -> list[int]:
        """Rows of the models whose weapons the unit fires, in the order in which decisions about them are asked."""
        return list(g.members(unit))

    def in_use(self, g: BattleCore, unit: int, model: int, number: int) -> bool:
        """Whether the unit fires entry ``number`` of the arsenal of ``model``."""
        return True

    def ready(self, g: BattleCore, player: int) -> Iterable[int]:
        """Units of the player that could shoot with lent weapons, whatever weapons they carry themselves."""
        return ()

    def targets(self, g: BattleCore, unit: int) -> Container[int]:
        """Enemy units that at least one lent weapon may target."""
        return ()

    def choose(self, g: BattleCore, unit: int) -> None:
        """Full detail, after the unit was selected to shoot: let its player choose the weapons that are lent to it."""

    def declare(self, g: BattleCore, unit: int, target: int) -> None:
        """Squad detail: lend the weapons that are expected to do most damage and declare their attacks, at ``target``
        where possible.
        """

    def give_back(self, g: BattleCore) -> None:
        """End the lending: the unit has shot or its attacks are about to be made."""

    def lent(self, g: BattleCore, unit: int) -> list[tuple[int, int]]:
        """Pairs (model of the unit, weapon profile): the profiles that are lent and the models that fire them."""
        return []
