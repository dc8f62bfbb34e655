"""The observation and mask of the seat that is asked, for use inside a policy's ``act``, and the way back from its
answer to an action of the battle.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, SupportsIndex

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.envs.observation import Observer
from wh_env.envs.spaces import fill_mask, is_turned, turn_action

KEPT = 16  # Setups whose observers are kept


class Seat:
    """Sees battles as environments show them to the seat that is asked.

    Environments turn the table, and actions with it, so that both seats see it from their own side. Ask a network that
    was trained there about ``observe(battle)``; ``action`` turns its answer into an action of the battle. One ``Seat``
    serves any number of battles, one after another.

    Args:
        form: of the observation, ``vector`` or ``entities``.
    """

    def __init__(self, form: str = "vector") -> None:
        """See the class."""
        self.form = form
        self._observers: OrderedDict[int, tuple[Setup, Observer, Array]] = OrderedDict()

    def __reduce__(self) -> tuple[type[Seat], tuple[str]]:
        """A pickle holds the form alone; observers are made again."""
        return type(self), (self.form,)

    def observe(self, battle: BattleCore) -> dict[str, Any]:
        """``observation`` and ``action_mask`` (int8) of the seat that is asked, as an environment gives them; valid
        until the next call.
        """
        setup = battle.setup
        found = self._observers.get(id(setup))
        if found is None:
            # the Setup is kept too, so that no other Setup gets its id
            found = setup, Observer(setup, self.form), np.zeros(setup.space.size, np.int8)
            self._observers[id(setup)] = found
            if len(self._observers) > KEPT:
                self._observers.popitem(last=False)
        _, observer, mask = found
        seat = battle.clock.player[0]
        fill_mask(battle, seat, mask)
        return {"observation": observer.observe(battle, seat), "action_mask": mask}

    def action(self, battle: BattleCore, chosen: SupportsIndex) -> int:
        """The action of the battle for ``chosen``, which is numbered as the seat that is asked sees actions."""
        number = int(chosen)
        return turn_action(battle.setup.space, number) if is_turned(battle, battle.clock.player[0]) else number


__all__ = ["Seat"]
