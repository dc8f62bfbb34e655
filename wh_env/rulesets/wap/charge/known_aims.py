"""Charges that were found possible, kept as long as nothing changes that they follow from: masks ask for the same ones several times over."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup

Aims = tuple[tuple[int, tuple[int, ...]], ...]
Reach = dict[int, tuple[int, ...]]


class Known:
    """What was worked out for one state.

    Attributes:
        aims: the enemies on which a unit declares a charge, by unit, the enemy that is meant, and whether it flies. reach: those near enough, by unit, of the players of whom
            that was asked.
    """

    __slots__ = ("aims", "reach")

    def __init__(self) -> None:
        self.aims: dict[tuple[int, int, bool], Aims] = {}
        self.reach: dict[int, Reach] = {}


class KnownAims:
    """What was worked out for the last state that was asked about.

    It is told from others by its content, so that battles which take turns on one workspace never read what is another's.
    """

    __slots__ = ("_found", "_setup", "_state")

    def __init__(self) -> None:
        self._setup: Setup | None = None
        self._state: tuple[bytes, ...] = ()
        self._found = Known()

    def of(self, g: BattleCore) -> Known:
        """What is known of the battle as it stands now; to be added to."""
        state = (
            g.units.rows.tobytes(), g.charges.rows.tobytes(), g.lines.rows.tobytes(), g.models.rows["alive"].tobytes(),
            g.clock.round[0].to_bytes(2, "little"),
        )  # fmt: skip
        if self._setup is not g.setup or self._state != state:
            self._setup, self._state, self._found = g.setup, state, Known()
        return self._found
