"""What must hold in a battle after every action, besides what holds in every game. Programs that play at random
use it.
"""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import Audit
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.epic.basics.contact import mark_contacts
from wh_env.rulesets.epic.codes import DANGEROUS, IMPASSABLE, NO_ORDER, Phase
from wh_env.rulesets.epic.move.cells import FREE
from wh_env.rulesets.epic.move.coherency import groups
from wh_env.rulesets.epic.move.paths import near_walls, touches_enemy
from wh_env.rulesets.epic.sequence.initiative import cup_of
from wh_env.rulesets.epic.terrain.ground import passage_at

PLANS = ("select-unit", "place-unit", "refine-unit", "engage-unit", "assault-to", "assault-refine", "way-round")
MOVES = ("move-to", "move-refine", "way-round")
# counters drawn when a decision of the phase waits
DRAWN = {Phase.MOVEMENT: 1, Phase.FIRE: 2, Phase.ASSAULT: 3, Phase.RALLY: 3}
FARTHEST = 4.0  # times its Movement: no unit goes that far in the movement phase


class EpicAudit(Audit):
    """Checks of one battle: contacts, terrain, losses, orders, initiative counters, the ends of moves, the time of
    scoring.
    """

    def __init__(self, g: BattleCore) -> None:
        self.g = g
        self._labels = np.zeros(len(g.models.x), np.int32)
        self._models = g.models.rows.copy()
        self.before()

    def before(self) -> None:
        g = self.g
        self._kind = g.setup.ruleset.kinds[g.clock.kind[0]].name if g.clock.asking[0] else ""
        self._unit = g.clock.subject[0]
        self._models[:] = g.models.rows
        self._vp = tuple(g.players.vp)
        self._together = self._unit >= 0 and self._groups(self._unit) == 1

    def _groups(self, unit: int) -> int:
        g = self.g
        return int(groups(g.models.rows, g.units.rows, unit, g.setup.rules["coherency_cm"], FREE, self._labels))

    def after(self) -> list[str]:
        return [*self._state(), *self._move()]

    def _state(self) -> list[str]:
        g, faults = self.g, []
        m, u, clock = g.models.rows, g.units.rows, g.clock
        kind = g.setup.ruleset.kinds[clock.kind[0]].name if clock.asking[0] else ""
        if kind not in PLANS:  # while a move is planned, units do not stand at their final places
            known = m.copy()
            mark_contacts(known)
            if (known["contact"] != m["contact"]).any() or (known["pinned"] != m["pinned"]).any():
                faults.append("who is in contact or pinned is not what the places say")
        here = m["on_table"] == 1
        ground, corners = g.setup.statics["ground"], g.setup.corners
        for k in np.flatnonzero(here).tolist():
            if passage_at(ground, corners, m[k]["rank"], m[k]["x"], m[k]["y"]) == IMPASSABLE:
                faults.append(f"{g.setup.names['models'][k]} stands on impassable terrain")
        if (u["lost"] > u["strength"] - u["alive"]).any():
            faults.append("a formation lost more units this turn than altogether")
        if ((u["order"] != NO_ORDER) & (u["retreating"] != 0)).any():
            faults.append("a formation in retreat has an order")
        if clock.asking[0] and clock.phase[0] in DRAWN:
            left, full = sum(g.players.counters), sum(cup_of(g))
            if left != full - DRAWN[Phase(clock.phase[0])]:
                faults.append(f"{left} of {full} counters in the cup in phase {Phase(clock.phase[0]).name}")
            standing = (u["place"] == ON_TABLE) & (u["retreating"] == 0)
            if clock.phase[0] != Phase.RALLY and (u["order"][standing] == NO_ORDER).any():
                faults.append("a formation has no order")
        if tuple(g.players.vp) != self._vp and not clock.over[0]:
            faults.append(f"victory points changed from {self._vp} before the end")
        return faults

    def _move(self) -> list[str]:
        g, unit, faults = self.g, self._unit, []
        if self._kind not in MOVES or unit < 0 or g.clock.phase[0] != Phase.MOVEMENT:
            return []
        if g.clock.asking[0] and g.clock.subject[0] == unit and g.setup.ruleset.kinds[g.clock.kind[0]].name in MOVES:
            return []  # the move goes on
        m, u = g.models.rows, g.units.rows
        name = g.setup.names["units"][unit]
        rows = range(u[unit]["first"], u[unit]["first"] + u[unit]["count"])
        before = self._models
        moved = [k for k in rows if m[k]["on_table"] and (m[k]["x"], m[k]["y"]) != (before[k]["x"], before[k]["y"])]
        faults += [f"{name} ended a move in contact" for k in moved if touches_enemy(m, k)]
        ground, walls = g.setup.statics["ground"], g.work.marks[len(m) :]
        # a unit stuck in dangerous terrain may be left behind
        firm = not any(near_walls(before, ground, k, FARTHEST * before[k]["move"], DANGEROUS, walls) for k in rows)
        if moved and firm and self._together and self._groups(unit) > 1:
            faults.append(f"{name} ended a move out of coherency")
        return faults
