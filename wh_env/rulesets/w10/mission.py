"""Only War and the mission sequence: markers, attacker and defender, formations, deployment, first turn (w10.mission.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, V
from wh_env.core.tables import DEPLOYING, DESTROYED
from wh_env.rulesets.w10.formations import Formations
from wh_env.rulesets.w10.rolloff import roll_off
from wh_env.rulesets.w10.scouts import Scouts
from wh_env.rulesets.w10.sequencing import push_due
from wh_env.rulesets.w10.setting_up import cell_place, cells_for, set_up_at
from wh_env.rulesets.w10.turns import BattleRounds

NEXT, AFTER = V, V + 1
UNIT = V
EPS = 1e-4


class MissionSequence(Procedure):
    """w10.mission.sequence, from step 3 on: armies, mission and battlefield were validated when the battle was loaded."""

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        step = stack[f + STEP]
        stack[f + STEP] = step + 1
        rules = g.setup.rules
        if step == 0:
            if not all(g.objectives.placed):
                g.push(PlaceMarkers, roll_off(g, "w10.mission.only-war.markers"))
        elif step == 1:
            attacker = rules.get("attacker", -1)
            if attacker < 0:
                attacker = roll_off(g, "w10.mission.attacker-defender")
            g.clock.attacker[0] = attacker
        elif step == 2:
            g.push(Formations)
        elif step == 3:
            g.push(Deployment, g.clock.attacker[0])
        elif step == 4:
            first = rules.get("first_player", -1)
            if first < 0:
                first = roll_off(g, "w10.mission.only-war.first-turn")
            g.clock.first_player[0] = g.clock.turn[0] = first
        elif step == 5:
            push_due(g, "before-battle", -1)
        elif step == 6:
            g.push(Scouts, g.clock.first_player[0])
        elif step == 7:
            g.push(BattleRounds)
        else:
            return g.pop()
        return GO


class PlaceMarkers(Procedure):
    """The players alternately place one objective marker each, the winner of the roll-off first."""

    def advance(self, g: BattleCore, f: int) -> int:
        for marker, placed in enumerate(g.objectives.placed):
            if not placed:
                g.stack[f + AFTER] = marker
                return g.ask(PlaceMarker, g.stack[f + NEXT])
        return g.pop()


def marker_allowed(g: BattleCore, x: float, y: float) -> bool:
    """w10.mission.only-war.markers: more than 6" from every edge and more than 9" from every other marker, edge to edge."""
    rules, o = g.setup.rules, g.objectives
    r = o.radius[0]
    edge = min(x, y, g.setup.length - x, g.setup.width - y) - r
    if edge <= rules["marker_from_edge"] + EPS:
        return False
    return all(
        ((o.x[k] - x) ** 2 + (o.y[k] - y) ** 2) ** 0.5 - 2 * r > rules["marker_from_marker"] + EPS
        for k in range(len(o.x))
        if o.placed[k]
    )


def table_cell(g: BattleCore, cell: int) -> tuple[float, float]:
    """Centre of a cell of the grid laid over the whole table."""
    grid = g.setup.space.grid
    return (cell % grid + 0.5) * g.setup.length / grid, (cell // grid + 0.5) * g.setup.width / grid


class PlaceMarker(DecisionKind):
    """Where the next objective marker goes: a cell of the grid over the table."""

    name = "place-marker"
    rules = ("w10.mission.only-war.markers",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for cell in range(g.setup.space.grid**2):
            if marker_allowed(g, *table_cell(g, cell)):
                mask[g.setup.space.cell + cell] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        marker, player = g.stack[f + AFTER], g.stack[f + NEXT]
        g.objectives.x[marker], g.objectives.y[marker] = table_cell(g, action - g.setup.space.cell)
        g.objectives.placed[marker] = 1
        g.stack[f + NEXT] = 1 - player
        if g.recorder is not None:
            place = (g.objectives.x[marker], g.objectives.y[marker])
            g.note("w10.mission.only-war.markers", "marker placed", marker=marker, player=player, place=place)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = table_cell(g, action - g.setup.space.cell)
        return f"objective marker at {x:.1f}, {y:.1f}"


class Deployment(Procedure):
    """The players alternately set up their units, the Attacker first (w10.mission.only-war.deploy)."""

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + NEXT]
        for side in (player, 1 - player):
            if any(g.units.place[unit] == DEPLOYING for unit in g.units_of(side)):
                g.stack[f + NEXT] = side
                return g.ask(SelectToDeploy, side)
        return g.pop()


class SelectToDeploy(DecisionKind):
    """Which own unit is set up next."""

    name = "select-to-deploy"
    rules = ("w10.mission.only-war.deploy",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + NEXT]
        at = g.setup.space.own - g.players.first_unit[player]
        for unit in g.units_of(player):
            if g.units.place[unit] == DEPLOYING:
                mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.stack[f + NEXT]
        g.stack[f + NEXT] = 1 - player
        g.push(DeployUnit, g.players.first_unit[player] + action - g.setup.space.own)


class DeployUnit(Procedure):
    """Sets up one unit, or finds that there is no room for it (w10.mission.only-war.deploy.no-room)."""

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + UNIT]
        if g.stack[f + STEP]:
            return g.pop()
        g.stack[f + STEP] = 1
        if not cells_for(g, unit, g.setup.statics["cells"]):
            g.units.place[unit] = DESTROYED
            g.units.alive[unit] = 0
            if g.recorder is not None:
                g.note("w10.mission.only-war.deploy.no-room", "finds no room and counts as destroyed", unit=unit)
            return g.pop()
        return g.ask(DeployTo, g.units.owner[unit], unit)


class DeployTo(DecisionKind):
    """Where the unit is set up: a cell of the grid over its deployment zone."""

    name = "deploy-to"
    rules = ("w10.mission.only-war.deploy", "w10.deploy.infiltrators")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        space = g.setup.space
        cells_for(g, g.stack[f + UNIT], g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = g.stack[f + UNIT]
        set_up_at(g, unit, action - g.setup.space.cell)
        if g.recorder is not None:
            g.note("w10.mission.only-war.deploy", "unit deployed", unit=unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.stack[f + UNIT]
        x, y = cell_place(g, unit, action - g.setup.space.cell)
        return f"deploy {g.setup.names['units'][unit]} at {x:.1f}, {y:.1f}"
