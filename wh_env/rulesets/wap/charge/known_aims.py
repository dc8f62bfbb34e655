"""A cache of the charges that were found possible: masks ask for the same ones several times in one state."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import Array
from wh_env.rulesets.wap.special.flying import is_grounded

Aims = tuple[tuple[int, tuple[int, ...]], ...]
Reach = dict[int, tuple[int, ...]]
Places = dict[tuple[int, Aims, tuple[int, ...], bool], bool]


class Known:
    """What is known of one state.

    Attributes:
        aims: the enemies that a unit declares its charge on, by (unit, named target, flies).
        reach: the enemies near enough to each unit, by player.
        seen: the same by player and the characters who may charge out of their units.
        places: whether a unit can touch some enemies, by (unit, aims, units taken for gone, flies).

    ``seen`` and ``places`` depend only on where units stand; ``aims`` and ``reach`` also on declared charges and on
    what units have done in this turn.
    """

    __slots__ = ("aims", "places", "reach", "seen")

    def __init__(self, before: Known | None = None) -> None:
        self.aims: dict[tuple[int, int, bool], Aims] = {}
        self.reach: dict[int, Reach] = {}
        self.seen: dict[tuple[int, tuple[int, ...]], Reach] = {} if before is None else before.seen
        self.places: Places = {} if before is None else before.places


class KnownAims:
    """The cache of the last state that was asked about.

    It compares the content of the state, so that battles that take turns on one workspace never read the cache of
    another.
    """

    __slots__ = ("_found", "_setup", "_state", "_where")

    def __init__(self) -> None:
        self._setup: Setup | None = None
        self._state: tuple[bytes, ...] = ()
        self._where: tuple[bytes, ...] = ()
        self._found = Known()

    def of(self, g: BattleCore) -> Known:
        """What is known of the battle as it stands now. The caller may add to it."""
        models, lines = g.models.rows, g.lines.rows.tobytes()
        # which models live, where characters stand, and whether nobody flies
        alive, posts, grounded = models["alive"].tobytes(), models["post"].tobytes(), bytes([is_grounded(g)])
        state = (
            g.units.rows.tobytes(),
            g.charges.rows.tobytes(),
            lines,
            alive,
            posts,
            grounded,
            g.clock.round[0].to_bytes(2, "little"),
        )
        if self._setup is g.setup and self._state == state:
            return self._found
        units = bytearray(state[0])  # a copy of the rows would have other bytes between their columns
        rows: Array = np.frombuffer(units, g.units.rows.dtype)
        rows["did"] = 0
        where = (bytes(units), lines, alive, posts, grounded)
        same = self._setup is g.setup and self._where == where
        self._setup, self._state, self._where, self._found = g.setup, state, where, Known(self._found if same else None)
        return self._found
