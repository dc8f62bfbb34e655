"""What a seat is shown of a battle: a copy that whoever plays the seat may do anything with."""

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

LOW, HIGH = 0x7B1D5EA7, 0x3C0FFEE1  # seed of the dice that are shown; it says nothing about the real ones


class SeatView:
    """Shows one battle after the other as a seat may see it.

    What is shown is a battle like any other (``clone``, ``describe``, ``legal``, playing on), made once and written over at each call:
    what ``Ruleset.hidden`` names is as it was before the battle began, or, where that could not be played on, something legal
    (``Ruleset.complete``); its dice are others; it records nothing and leads to nothing but the Setup. Whatever is done to it is
    undone at the next call, or spoils what this view shows and nothing else. So everybody who is asked needs a view of his own, and
    threads need one each.
    """

    def __init__(self) -> None:
        self._layout: object = None
        self._shared: Setup | None = None

    def __reduce__(self) -> tuple[type[SeatView], tuple[()]]:
        return SeatView, ()  # what it holds is made anew

    def of(self, battle: BattleCore, seat: int) -> BattleCore:
        """The battle as ``seat`` may see it, valid until the next call."""
        setup = battle.setup
        if setup.layout is not self._layout:
            self._make(battle)
        options = battle._options
        if options is None:
            options = battle._find_options()  # what that finds out stands in the state
        self._state[:] = battle.buffer
        fields = self._fields
        if setup is not self._shared:
            self._shared, self._own = (
                setup,
                replace(setup, idle=deque()),
            )  # scratch memory is not shared with those who are shown
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
        """A copy for battles of this layout. It is written through arrays of its own, which nobody who has the copy holds."""
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
        copy = object.__new__(type(battle))
        copy._bind(battle.setup, np.frombuffer(memory, np.uint8), record=False)
        return copy

    def _blank(self, setup: Setup, seat: int, hidden: Any) -> None:
        """Take out what is hidden, and complete what is left."""
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
