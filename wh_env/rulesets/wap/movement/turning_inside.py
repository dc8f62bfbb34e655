"""War machines in a building turn on the spot: they look out of another of its walls, and never leave it of their own
will (wap.building.shooting.war-machines, wap.machine.terrain).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.wap.basics.garrisons import SIDES, buildings_of, look_out
from wh_env.rulesets.wap.codes import MOVED, STAYED
from wh_env.rulesets.wap.movement.going import MoveFrame
from wh_env.rulesets.wap.ways.poses import degrees

RULE = "wap.building.shooting.war-machines"


def facings(g: BattleCore, unit: int) -> list[int]:
    """The directions in which the walls of a garrison's building look, in whole degrees, by their sides."""
    building = buildings_of(g)[g.units.garrison[unit]]
    return [degrees(building.wall(side)[2]) for side in range(SIDES)]


class TurnInside(Procedure):
    """A war machine in a building may turn; the frame below is that of its move."""

    UNIT = integer(row_of("units"))
    asks = ("turn-inside",)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + TurnInside.UNIT]
        return g.ask(TurnToWall, g.units.owner[unit], unit)


class TurnToWall(DecisionKind):
    name = "turn-inside"
    what = "Out of which other wall of its building a war machine looks, for which it turns; done: it stays as it is."
    keys = ("wap.building.shooting.war-machines", "wap.machine.terrain")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        unit = g.stack[f + TurnInside.UNIT]
        mask[0] = True
        for side, facing in enumerate(facings(g, unit)):
            mask[g.setup.space.option + side] = facing != degrees(g.units.facing[unit])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit, u = g.stack[f + TurnInside.UNIT], g.units
        g.pop()
        u.did[unit] |= MOVED if action else STAYED
        if action:
            look_out(g, unit, action - g.setup.space.option)
            g.note(RULE, "turns in a building", unit=unit, facing=degrees(u.facing[unit]))
        MoveFrame.go_to(g, g.frame, MoveFrame.Step.OVER)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit, names = g.stack[f + TurnInside.UNIT], g.setup.names["units"]
        if action == 0:
            return f"{names[unit]} stays as it is"
        return f"{names[unit]} turns to face {facings(g, unit)[action - g.setup.space.option]}"
