"""Reinforcements step: Reserves units arrive (w10.move.reinforcements.*, w10.deploy.deep-strike.arrive, w10.reserves.arrive)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import STEP, DecisionKind, Procedure, V
from wh_env.core.tables import RESERVE
from wh_env.rulesets.w10.codes import Moved, Selected
from wh_env.rulesets.w10.setting_up import STRATEGIC, cell_place, cells_for, set_up_at

PLAYER, UNIT = V, V
FIRST_STRATEGIC_ROUND = 2


def may_arrive(g: BattleCore, unit: int) -> bool:
    """Whether the Reserves unit can be set up now; there must be room for it."""
    u = g.units
    if u.place[unit] != RESERVE or (u.reserve[unit] == STRATEGIC and g.clock.round[0] < FIRST_STRATEGIC_ROUND):
        return False
    return cells_for(g, unit, g.setup.statics["cells"]) > 0


class Reinforcements(Procedure):
    """The turn player sets up Reserves units, one at a time, as many as they want."""

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + PLAYER]
        if g.stack[f + STEP] or all(g.units.place[unit] != RESERVE for unit in g.units_of(player)):
            return g.pop()
        return g.ask(SelectReserves, player)


class SelectReserves(DecisionKind):
    """Which Reserves unit is set up next, or end the step (w10.move.reinforcements.arrive)."""

    name = "select-reserves"
    rules = ("w10.move.reinforcements.arrive", "w10.reserves.arrive", "w10.deploy.deep-strike.arrive")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + PLAYER]
        at = g.setup.space.own - g.players.first_unit[player]
        mask[0] = True
        for unit in g.units_of(player):
            if may_arrive(g, unit):
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action == 0:
            g.stack[f + STEP] = 1
            return
        g.push(Arrive, g.players.first_unit[g.stack[f + PLAYER]] + action - g.setup.space.own)


class Arrive(Procedure):
    """Sets up one Reserves unit."""

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + STEP]:
            return g.pop()
        g.stack[f + STEP] = 1
        unit = g.stack[f + UNIT]
        return g.ask(ArriveAt, g.units.owner[unit], unit)


class ArriveAt(DecisionKind):
    """Where the Reserves unit is set up: a cell of the grid over the table."""

    name = "arrive-at"
    rules = ("w10.move.reinforcements.how", "w10.move.reinforcements.horizontal", "w10.reserves.place.nine-inches")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        cells_for(g, g.stack[f + UNIT], g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + UNIT]
        set_up_at(g, unit, action - g.setup.space.cell)
        g.units.moved[unit] = Moved.NORMAL
        g.units.arrived[unit] = 1
        g.units.reserve[unit] = 0
        g.units.selected[unit] |= Selected.MOVE
        if g.recorder is not None:
            g.note("w10.move.reinforcements.counts-as-normal", "arrives from Reserves", unit=unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + UNIT]
        x, y = cell_place(g, unit, action - g.setup.space.cell)
        return f"{g.setup.names['units'][unit]} arrives at {x:.1f}, {y:.1f}"
