"""Moves before the battle: Scouts (w10.deploy.scouts.*, w10.mission.pre-battle)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import DecisionKind, Procedure, V
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.w10.codes import Selected
from wh_env.rulesets.w10.limits import SCOUT, limits_for
from wh_env.rulesets.w10.unit_moves import fill_cells, move_to_cell
from wh_env.rulesets.w40k.profiles import Ability

PLAYER, UNIT = V, V + 1
AWAY = 9.0


def can_scout(g: BattleCore, unit: int) -> bool:
    """Whether the unit may still make its Scouts move."""
    u = g.units
    return bool(
        u.place[unit] == ON_TABLE
        and u.flags[unit] & int(Ability.SCOUTS)
        and not u.selected[unit] & Selected.SCOUT
    )


class Scouts(Procedure):
    """Scouts moves: all of the first player's, then the other's (w10.deploy.scouts.order)."""

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + PLAYER]
        for side in (player, 1 - player):
            for unit in g.units_of(side):
                if can_scout(g, unit):
                    g.stack[f + UNIT] = unit
                    return g.ask(ScoutMove, side, unit)
        return g.pop()


class ScoutMove(DecisionKind):
    """Where a unit with Scouts moves before the first turn, or not at all (done)."""

    name = "scout-move"
    rules = ("w10.deploy.scouts.move", "w10.deploy.scouts.distance", "w10.mission.pre-battle")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space, unit = g.setup.space, g.stack[f + UNIT]
        mask[0] = True
        limits = limits_for(g, unit, SCOUT, float(g.setup.statics["scout_distance"][unit]))
        fill_cells(g, unit, limits, g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + UNIT]
        g.units.selected[unit] |= Selected.SCOUT
        if action:
            limits = limits_for(g, unit, SCOUT, float(g.setup.statics["scout_distance"][unit]))
            path = move_to_cell(g, unit, limits, action - g.setup.space.cell)
            if g.recorder is not None:
                g.note("w10.deploy.scouts.move", "Scouts move", unit=unit, path=path)
