"""What a seat may see of a battle: a copy with which the player of that seat may do anything."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wh_env.core.features import hidden_parts
from wh_env.core.tables import Array

if TYPE_CHECKING:
    from wh_env.core.battle import BattleCore
    from wh_env.core.procedures import Hidden
    from wh_env.core.setup import Setup

LOW, HIGH = 0x7B1D5EA7, 0x3C0FFEE1  # seed of the copy's dice, which has nothing to do with the real seed


class SeatView:
    """Shows battles, one after another, as a seat may see them.

    A shown battle is a battle like any other (``clone``, ``describe``, ``legal``, playing on). It is made once and
    overwritten by each call. What ``Ruleset.hidden`` names has the value from before the battle, or something legal if
    the battle could not be played on from there (``Ruleset.complete``). Its dice have another seed; it records nothing;
    it gives access to nothing else but the Setup.

    Changes to a shown battle last until the next call and affect nothing else. So each player needs a view of his own,
    and so does each thread.
    """

    def __init__(self) -> None:
        """Start without a copy; the first call makes it."""
        self._layout: object = None
        self._shared: Setup | None = None

    def __reduce__(self) -> tuple[type[SeatView], tuple[()]]:
        """A pickle holds nothing: the copy is made again."""
        return SeatView, ()  # what it holds is made anew

    def of(self, battle: BattleCore, seat: int) -> BattleCore:
        """The battle as ``seat`` may see it, valid until the next call."""
        setup = battle.setup
        if setup.layout is not self._layout:
            self._make(battle)
        options = battle._options
        if options is None:
            options = battle._find_options()  # before the copy is made, as it may write to the state
        self._state[:] = battle.buffer
        fields = self._fields
        if setup is not self._shared:
            # workspaces of its own: the copy must not share scratch memory with the battle
            self._shared, self._own = setup, replace(setup, idle=deque())
        fields["setup"] = self._own
        fields["_options"] = options if battle.clock.player[0] == seat else None
        if hidden := setup.ruleset.hidden(battle, seat):
            self._blank(setup, seat, hidden)
        # the seeds of two dice must differ in both halves to have nothing in common
        low, high = self._low, self._high
        low[0] = LOW if low[0] != LOW else ~LOW & 0xFFFFFFFF
        high[0] = HIGH if high[0] != HIGH else ~HIGH & 0xFFFFFFFF
        if self._script_at[0] != self._script_end[0]:
            self._script_end[0] = self._script_at[0]
            self._script[:] = 0
        return self._copy

    def _make(self, battle: BattleCore) -> None:
        """Make the copy for battles of this layout. Its memory is written through arrays that users of the copy cannot
        reach.
        """
        layout = battle.setup.layout
        memory = bytearray(layout.size)  # cannot be moved or locked while it is used
        self._state: Array = np.frombuffer(memory, np.uint8)
        self._copy = self._battle(battle, memory)
        self._fields = self._copy.__dict__
        self._filler = self._battle(battle, memory)
        self._parts: dict[Hidden, list[tuple[Array, Array]]] = {}
        dice: Any = layout.view(self._state, "dice")
        self._low, self._high, self._script_at, self._script_end = (
            memoryview(dice[name]) for name in ("seed_low", "seed_high", "script_at", "script_end")
        )
        self._script = layout.view(self._state, "script")
        self._layout = layout

    @staticmethod
    def _battle(battle: BattleCore, memory: bytearray) -> BattleCore:
        """A battle on ``memory`` with the class and the Setup of ``battle``."""
        copy = object.__new__(type(battle))
        copy._bind(battle.setup, np.frombuffer(memory, np.uint8), record=False)
        return copy

    def _blank(self, setup: Setup, seat: int, hidden: Any) -> None:
        """Give what is ``hidden`` the values from before the battle, and let the ruleset complete the rest."""
        for what in hidden:
            parts = self._parts.get(what)
            if parts is None:
                now, before = (hidden_parts(setup, state, what) for state in (self._state, setup.template))
                parts = self._parts[what] = list(zip(now, before, strict=True))
            for part, before_ in parts:
                part[...] = before_
        self._filler.setup = setup
        setup.ruleset.complete(self._filler, seat)


__all__ = ["SeatView"]
