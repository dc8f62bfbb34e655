"""What must hold in a battle after every action, besides what holds in every game; for the programs that play at random."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.geometry.shapes import coherent, unit_engaged
from wh_env.core.procedures import Audit
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w10.codes import (
    COHERENCY_HORIZONTAL,
    COHERENCY_VERTICAL,
    ENGAGEMENT_HORIZONTAL,
    ENGAGEMENT_VERTICAL,
    LARGE_UNIT,
    Moved,
    Phase,
)

MOVED = (Moved.NORMAL, Moved.ADVANCE, Moved.FELL_BACK)
MOVES = ("move-to", "fall-back-to", "select-model")


class TenthAudit(Audit):
    """Checks of one battle: when points are scored, how moves end."""

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        self._labels = np.zeros(len(g.models.x), np.int32)
        self._moment = (0, 0, 0)
        self._vp = (0, 0)
        self._kind = ""
        self._unit = -1
        self._places = self._positions()

    def before(self) -> None:
        g = self.g
        clock = g.clock
        self._vp = (g.players.vp[0], g.players.vp[1])
        self._moment = (clock.round[0], clock.turn[0], clock.phase[0])
        self._kind = g.setup.ruleset.kinds[clock.kind[0]].name
        self._unit = clock.subject[0]
        self._places = self._positions()

    def _positions(self) -> Array:
        models = self.g.models.rows
        return np.stack([models["x"], models["y"]])

    def after(self) -> list[str]:
        return [*self._score(), *self._move()]

    def _score(self) -> list[str]:
        g = self.g
        vp = (g.players.vp[0], g.players.vp[1])
        moment = (g.clock.round[0], g.clock.turn[0], g.clock.phase[0])
        # a Command phase may pass without a decision: then a new turn has begun
        same_turn = moment[:2] == self._moment[:2]
        if vp != self._vp and same_turn and Phase.COMMAND not in (moment[2], self._moment[2]):
            return [f"victory points changed from {self._vp} to {vp} outside of a Command phase"]
        return []

    def _move(self) -> list[str]:
        g, unit = self.g, self._unit
        if self._kind not in MOVES or unit < 0:
            return []
        moved = g.units.moved[unit]
        if moved not in MOVED or g.units.place[unit] != ON_TABLE or g.units.alive[unit] == 0:
            return []
        if self._kind == "select-model" and g.clock.asking[0] and g.clock.subject[0] == unit:
            return []  # the move goes on
        if (self._positions() == self._places).all():
            return []
        faults = []
        name = g.setup.names["units"][unit]
        m, u = g.models.rows, g.units.rows
        if unit_engaged(m, u, unit, ENGAGEMENT_HORIZONTAL, ENGAGEMENT_VERTICAL):
            faults.append(f"{name} ended a move within Engagement Range")
        if not coherent(m, u, unit, COHERENCY_HORIZONTAL, COHERENCY_VERTICAL, LARGE_UNIT, self._labels):
            faults.append(f"{name} ended a move out of coherency")
        return faults
