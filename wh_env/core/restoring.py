"""Making a battle again from its pickle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wh_env.core.events import Event
from wh_env.core.setup import Setup

if TYPE_CHECKING:
    from wh_env.core.battle import BattleCore


def restored(cls: type[BattleCore], setup: Setup, state: bytes, recorder: list[Event] | None) -> BattleCore:
    """Make a battle again from its pickle.

    Args:
        cls: the class of the battle. setup: its Setup. state: the bytes of its buffer. recorder: the events so far,
            ``None`` if it records none.

    Raises:
        ValueError: the state has not the size that the Setup's layout needs, so another version of the engine wrote it.
    """
    if len(state) != setup.layout.size:
        raise ValueError(
            f"a pickled battle has {len(state)} bytes of state; expected {setup.layout.size}, as this version writes"
        )
    battle = object.__new__(cls)
    battle._bind(setup, np.frombuffer(state, np.uint8).copy(), record=False)
    battle.recorder = recorder
    setup.ruleset.resume(battle)
    return battle
