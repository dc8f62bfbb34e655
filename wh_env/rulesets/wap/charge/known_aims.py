"""Charges that were found possible, kept as long as nothing changes that they follow from: masks ask for the same ones several times over."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import Array

Aims = tuple[tuple[int, tuple[int, ...]], ...]
Reach = dict[int, tuple[int, ...]]
Places = dict[tuple[int, Aims, tuple[int, ...], bool], bool]


class Known:
    """What was worked out for one state.

    Attributes:
        aims: the enemies on which a unit declares a charge, by unit, the enemy that is meant, and whether it flies. reach: those near enough, by unit, of the
            players of whom that was asked.
        seen: the same by player and by those of his characters in units of whom it was asked. places: whether a unit can come into contact with some enemies,
            by unit, enemies, who is taken for gone, and whether it flies. Both do not hang on who has declared a charge or done anything else in this turn.
    """

    __slots__ = ("aims", "places", "reach", "seen")

    def __init__(self, before: Known | None = None) -> None:
        self.aims: dict[tuple[int, int, bool], Aims] = {}
        self.reach: dict[int, Reach] = {}
        self.seen: dict[tuple[int, tuple[int, ...]], Reach] = {} if before is None else before.seen
        self.places: Places = {} if before is None else before.places


class KnownAims:
    """What was worked out for the last state that was asked about.

    It is told from others by its content, so that battles which take turns on one workspace never read what is another's.
    """

    __slots__ = ("_found", "_setup", "_state", "_where")

    def __init__(self) -> None:
        self._setup: Setup | None = None
        self._state: tuple[bytes, ...] = ()
        self._where: tuple[bytes, ...] = ()
        self._found = Known()

    def of(self, g: BattleCore) -> Known:
        """What is known of the battle as it stands now; to be added to."""
        models, lines = g.models.rows, g.lines.rows.tobytes()
        alive, posts = models["alive"].tobytes(), models["post"].tobytes()  # who stands where in his unit
        state = (
            g.units.rows.tobytes(), g.charges.rows.tobytes(), lines, alive, posts, g.clock.round[0].to_bytes(2, "little")
        )  # fmt: skip
        if self._setup is g.setup and self._state == state:
            return self._found
        units = bytearray(state[0])  # a copy of the rows would have other bytes between their columns
        rows: Array = np.frombuffer(units, g.units.rows.dtype)
        rows["did"] = 0
        where = (bytes(units), lines, alive, posts)
        same = self._setup is g.setup and self._where == where
        self._setup, self._state, self._where, self._found = g.setup, state, where, Known(self._found if same else None)
        return self._found
