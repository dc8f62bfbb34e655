"""Only War and the mission sequence: markers, attacker and defender, formations, deployment, first turn (w10.mission.*)."""

from __future__ import annotations

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, player, row_of
from wh_env.core.features import Pending, Region
from wh_env.core.geometry.outlines import point_polygon_gap
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, V, integer
from wh_env.core.tables import DEPLOYING, DESTROYED
from wh_env.rulesets.w10.deploy.scouts import Scouts
from wh_env.rulesets.w10.numbers import GUIDELINES
from wh_env.rulesets.w40k.attack.casualties import remove_model
from wh_env.rulesets.w40k.deploy.battlefield import NOBODY, PlaceTerrain
from wh_env.rulesets.w40k.deploy.formations import Formations, count_left_behind, embarked_in, living
from wh_env.rulesets.w40k.deploy.setting_up import (
    DEPLOYMENT_ZONE,
    INFILTRATION,
    InFormation,
    finds_room,
    finish_set_up,
    set_up_loose,
    start_set_up,
)
from wh_env.rulesets.w40k.profiles import Ability
from wh_env.rulesets.w40k.sequence.rolloff import roll_off
from wh_env.rulesets.w40k.sequence.sequencing import MOMENTS, DueOrder, DueRules, TimedRule, due
from wh_env.rulesets.w40k.sequence.timing import army_destroyed, end_battle
from wh_env.rulesets.w40k.sequence.turns import BattleRounds
from wh_env.rulesets.w40k.terrain.types import impassable

EPS = 1e-4
BEFORE_BATTLE = "before-battle"
AFTER_DEPLOYMENT = "after-deployment"

STEPS = (
    "Muster Armies",
    "Read Mission Objectives",
    "Create the Battlefield",
    "Determine Attacker and Defender",
    "Declare Battle Formations",
    "Deploy Armies",
    "Determine First Turn",
    "Resolve Pre-battle Rules",
    "Begin the Battle",
    "Ending the Battle",
    "Determine Victor",
)


def tell_step(g: BattleCore, number: int) -> None:
    """Record that a step of the mission sequence begins."""
    if g.recorder is not None:
        g.note("w10.mission.sequence", "step", step=number, name=STEPS[number - 1])


class MissionSequence(Procedure):
    """w10.mission.sequence. Steps 1 and 2 (armies, mission) were done when the battle was loaded; steps 10 and 11 are told
    when it has ended."""

    class Step(Steps):
        START, ARMIES, MISSION, BATTLEFIELD, ATTACKER, FORMATIONS, DEPLOY = range(7)
        FIRST_TURN, PRE_BATTLE, BEGIN, ENDING, VICTOR = range(7, 12)  # all but START as ``STEPS`` has them

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MissionSequence.Step
        stack = g.stack
        step = stack[f + STEP] + 1
        stack[f + STEP] = step
        rules = g.setup.rules
        if step <= Step.BEGIN:
            tell_step(g, step)
        if step == Step.BATTLEFIELD:
            if not all(g.objectives.placed):
                g.push(PlaceMarkers, NOBODY)
            if len(g.sites.placed):
                g.push(PlaceTerrain, NOBODY)
        elif step == Step.ATTACKER:
            attacker = rules["attacker"]
            if attacker < 0:
                attacker = roll_off(g, "w10.mission.attacker-defender")
            g.clock.attacker[0] = attacker
        elif step == Step.FORMATIONS:
            g.push(Formations)
        elif step == Step.DEPLOY:
            g.push(AfterDeployment)
            g.push(Deployment, g.clock.attacker[0])
        elif step == Step.FIRST_TURN:
            first = rules["first_player"]
            if first < 0:
                first = roll_off(g, "w10.mission.only-war.first-turn")
            g.clock.first_player[0] = g.clock.turn[0] = first
        elif step == Step.PRE_BATTLE:
            g.push(PreBattle, MOMENTS.index(BEFORE_BATTLE), g.clock.first_player[0])
        elif step == Step.BEGIN:
            begin(g)
        elif step == Step.ENDING:
            g.push(BattleRounds)
        elif step == Step.VICTOR:
            return g.pop()
        return GO


def begin(g: BattleCore) -> None:
    """w10.mission.begin: the first battle round starts, with Scouts moves; if an army found no room, all is over."""
    g.clock.round[0] = 1
    count_left_behind(g)
    if army_destroyed(g, 0) or army_destroyed(g, 1):
        end_battle(g, "w10.mission.only-war.end")
        return
    if g.recorder is not None:
        g.note("w10.mission.begin", "the first battle round begins", first_player=g.clock.first_player[0])
    g.push(Scouts, g.clock.first_player[0])


# ---------------------------------------------------------------- objective markers


class PlaceMarkers(Procedure):
    """The players alternately place one objective marker each, the winner of the roll-off first; none where there is no place."""

    class Step(Steps):
        COARSE, FINE = range(2)

    NEXT = integer(player(none=True))  # whose turn it is to place one
    AFTER = integer(row_of("objectives"))  # the marker that is placed
    CELL = integer(row_of("cells"), at=V + 3)
    asks = ("place-marker", "place-marker-exactly")

    def advance(self, g: BattleCore, f: int) -> int:
        if g.stack[f + PlaceMarkers.NEXT] == NOBODY:
            g.stack[f + PlaceMarkers.NEXT] = roll_off(g, "w10.mission.only-war.markers")
        if g.stack[f + STEP] == PlaceMarkers.Step.FINE:
            return g.ask(PlaceMarkerExactly, g.stack[f + PlaceMarkers.NEXT])
        for marker, placed in enumerate(g.objectives.placed):
            if not placed and any(marker_allowed(g, x, y) for x, y in table_cells(g)):
                g.stack[f + PlaceMarkers.AFTER] = marker
                return g.ask(PlaceMarker, g.stack[f + PlaceMarkers.NEXT])
        return g.pop()


def marker_allowed(g: BattleCore, x: float, y: float) -> bool:
    """w10.mission.only-war.markers: more than 6" from every edge and more than 9" from every other marker, edge to edge.
    w10.objective.on-terrain: more than 1" from impassable parts of terrain."""
    rules, o = g.setup.rules, g.objectives
    r = o.radius[0]
    edge = min(x, y, g.setup.length - x, g.setup.width - y) - r
    if edge <= rules["marker_from_edge"] + EPS:
        return False
    corners = g.setup.corners
    for part in impassable(g.setup.blocks):
        if point_polygon_gap(x, y, corners, part["first"], part["count"]) - r <= GUIDELINES.from_parts + EPS:
            return False
    return all(
        ((o.x[k] - x) ** 2 + (o.y[k] - y) ** 2) ** 0.5 - 2 * r > rules["marker_from_marker"] + EPS
        for k in range(len(o.x))
        if o.placed[k]
    )


def markers_apart(g: BattleCore) -> float:
    """More than so far from centre to centre of two markers."""
    return float(g.setup.rules["marker_from_marker"] + 2 * g.objectives.radius[0] + EPS)


def table_cells(g: BattleCore) -> list[tuple[float, float]]:
    """Centres of the cells of the grid laid over the whole table."""
    return [table_cell(g, cell) for cell in range(g.setup.space.grid**2)]


def leave_room(g: BattleCore, wanted: list[tuple[float, float]]) -> list[bool]:
    """For each wanted place of a marker, whether there is room for the markers that are still to come; all of them where
    the table has no room for so many."""
    to_come = sum(1 for placed in g.objectives.placed if not placed) - 1
    free = np.array([place for place in table_cells(g) if marker_allowed(g, *place)]).reshape(-1, 2)
    far = markers_apart(g)

    def bits(x: float, y: float) -> int:
        """The free cells that a marker at this place leaves, as bits."""
        left = np.hypot(free[:, 0] - x, free[:, 1] - y) > far
        return int.from_bytes(np.packbits(left, bitorder="little").tobytes(), "little")

    beside = [bits(x, y) for x, y in free]

    def fits(cells: int, markers: int) -> bool:
        while markers and cells:
            first = cells & -cells
            if fits(cells & beside[first.bit_length() - 1], markers - 1):
                return True
            cells ^= first
        return not markers

    found = [fits(bits(x, y), to_come) for x, y in wanted]
    return found if any(found) else [True] * len(wanted)


def table_cell(g: BattleCore, cell: int) -> tuple[float, float]:
    """Centre of a cell of the grid laid over the whole table."""
    grid = g.setup.space.grid
    return (cell % grid + 0.5) * g.setup.length / grid, (cell // grid + 0.5) * g.setup.width / grid


def inner_cell(g: BattleCore, cell: int, inner: int) -> tuple[float, float]:
    """Centre of a cell of the grid laid over one cell of that grid."""
    grid = g.setup.space.grid
    x, y = table_cell(g, cell)
    half = grid // 2
    return (
        x + (inner % grid - half) * g.setup.length / grid**2,
        y + (inner // grid - half) * g.setup.width / grid**2,
    )


class PlaceMarker(DecisionKind):
    name = "place-marker"
    what = "Where the next objective marker goes: a cell of the grid over the table."
    keys = ("w10.mission.only-war.markers", "w10.objective.on-terrain")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        legal = [cell for cell, place in enumerate(table_cells(g)) if marker_allowed(g, *place)]
        for cell, roomy in zip(legal, leave_room(g, [table_cell(g, cell) for cell in legal]), strict=True):
            mask[g.setup.space.cell + cell] = roomy

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        cell = action - g.setup.space.cell
        if g.setup.rules["detail"] == "full":
            g.stack[f + PlaceMarkers.CELL] = cell
            g.stack[f + STEP] = PlaceMarkers.Step.FINE
        else:
            place_marker(g, f, *table_cell(g, cell))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = table_cell(g, action - g.setup.space.cell)
        return f"objective marker at {x:.1f}, {y:.1f}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        return Pending(Region.between(*table_cell(g, 0), *table_cell(g, g.setup.space.grid**2 - 1)))


class PlaceMarkerExactly(DecisionKind):
    name = "place-marker-exactly"
    what = "The exact place of the marker within the chosen cell, on a grid as fine again."
    instead = "It stands in the middle of the cell."
    keys = ("w10.mission.only-war.markers", "w10.objective.on-terrain")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        places = [inner_cell(g, g.stack[f + PlaceMarkers.CELL], inner) for inner in range(g.setup.space.grid**2)]
        legal = [inner for inner, place in enumerate(places) if marker_allowed(g, *place)]
        for inner, roomy in zip(legal, leave_room(g, [places[inner] for inner in legal]), strict=True):
            mask[g.setup.space.cell + inner] = roomy

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.stack[f + STEP] = PlaceMarkers.Step.COARSE
        place_marker(g, f, *inner_cell(g, g.stack[f + PlaceMarkers.CELL], action - g.setup.space.cell))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        x, y = inner_cell(g, g.stack[f + PlaceMarkers.CELL], action - g.setup.space.cell)
        return f"objective marker at {x:.2f}, {y:.2f}"

    def pending(self, g: BattleCore, f: int) -> Pending:
        cell, last = g.stack[f + PlaceMarkers.CELL], g.setup.space.grid**2 - 1
        return Pending(Region.between(*inner_cell(g, cell, 0), *inner_cell(g, cell, last)))


def place_marker(g: BattleCore, f: int, x: float, y: float) -> None:
    """The player whose turn it is places the marker; the other one is next."""
    marker, player = g.stack[f + PlaceMarkers.AFTER], g.stack[f + PlaceMarkers.NEXT]
    g.objectives.x[marker], g.objectives.y[marker] = x, y
    g.objectives.placed[marker] = 1
    g.stack[f + PlaceMarkers.NEXT] = 1 - player
    if g.recorder is not None:
        g.note("w10.mission.only-war.markers", "marker placed", marker=marker, player=player, place=(x, y))


# ---------------------------------------------------------------- deployment


def late(g: BattleCore) -> set[int]:
    """Units that are set up after both armies are deployed (w10.mission.only-war.deploy.after)."""
    timed: tuple[TimedRule, ...] = g.setup.statics["timed"]
    return {rule.unit for rule in timed if rule.when == AFTER_DEPLOYMENT and rule.effect == "set-up"}


def to_deploy(g: BattleCore, player: int, after: int) -> list[int]:
    """Units of the player that are to be set up now: those that are deployed with the army, or ``after`` both armies."""
    waiting = [unit for unit in g.units_of(player) if g.units.place[unit] == DEPLOYING]
    if not waiting or not g.setup.statics["timed"]:
        return [] if after else waiting
    last = late(g)
    return [unit for unit in waiting if (unit in last) == bool(after)]


class Deployment(Procedure):
    """The players alternately set up their units, the Attacker first (w10.mission.only-war.deploy)."""

    NEXT = integer(player())
    LATE = integer(flag(), at=V + 2)  # units that are set up after both armies
    asks = ("select-to-deploy",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + Deployment.NEXT]
        for side in (player, 1 - player):
            if to_deploy(g, side, g.stack[f + Deployment.LATE]):
                g.stack[f + Deployment.NEXT] = side
                return g.ask(SelectToDeploy, side)
        return g.pop()


class AfterDeployment(Procedure):
    """Units set up after both armies: alternately, the winner of a roll-off first if both players have such units."""

    def advance(self, g: BattleCore, f: int) -> int:
        g.pop()
        have = [side for side in (0, 1) if to_deploy(g, side, 1)]
        if have:
            first = roll_off(g, "w10.mission.only-war.deploy.after") if len(have) == 2 else have[0]
            g.push(Deployment, first, 0, 1)
        return GO


class SelectToDeploy(DecisionKind):
    name = "select-to-deploy"
    what = "Which own unit is set up next."
    keys = ("w10.mission.only-war.deploy", "w10.mission.only-war.deploy.after")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + Deployment.NEXT]
        at = g.setup.space.own - g.players.first_unit[player]
        for unit in to_deploy(g, player, g.stack[f + Deployment.LATE]):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.stack[f + Deployment.NEXT]
        g.stack[f + Deployment.NEXT] = 1 - player
        g.push(DeployUnit, g.players.first_unit[player] + action - g.setup.space.own)


def ways_with_room(g: BattleCore, unit: int) -> list[int]:
    """The ways in which the unit finds room to be set up: in its zone, by Infiltrators outside it too."""
    infiltrates = g.units.flags[unit] & int(Ability.INFILTRATORS)
    ways = (DEPLOYMENT_ZONE, INFILTRATION) if infiltrates else (DEPLOYMENT_ZONE,)
    return [way for way in ways if finds_room(g, unit, way)]


class DeployUnit(Procedure):
    """Sets up one unit, or finds that there is no room for it (w10.mission.only-war.deploy.no-room)."""

    class Step(Steps):
        BEGIN, SET_UP, END = range(3)

    UNIT = integer(row_of("units"))
    asks = ("deploy-by", "deploy-to")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit, step = stack[f + DeployUnit.UNIT], stack[f + STEP]
        stack[f + STEP] = step + 1
        if step == DeployUnit.Step.BEGIN:
            ways = ways_with_room(g, unit)
            if len(ways) > 1:
                return g.ask(DeployBy, g.units.owner[unit], unit)
            if ways:
                g.units.reserve[unit] = ways[0]
            else:
                deploy_loose(g, unit)
                return g.pop()
        elif step == DeployUnit.Step.SET_UP:
            return start_set_up(g, unit, DeployTo)
        else:
            by_infiltrators = g.units.reserve[unit] == INFILTRATION
            finish_set_up(g, unit)
            if g.recorder is not None:
                rule = "w10.deploy.infiltrators" if by_infiltrators else "w10.mission.only-war.deploy"
                g.note(rule, "unit deployed", unit=unit)
            return g.pop()
        return GO


def deploy_loose(g: BattleCore, unit: int) -> None:
    """No formation fits: as many models as find room in coherency are set up, the others are destroyed
    (w10.concepts.coherency.set-up); if none does, the unit counts as destroyed, with all that is embarked in it."""
    found = set_up_loose(g, unit)
    if found:
        finish_set_up(g, unit)
        if g.recorder is not None:
            g.note("w10.mission.only-war.deploy", "unit deployed", unit=unit, placed=found)
        for model in [k for k in living(g, unit) if not g.models.on_table[k]]:
            if g.recorder is not None:
                g.note("w10.concepts.coherency.set-up", "cannot be set up and is destroyed", model=model)
            remove_model(g, model)
        return
    for row in (*embarked_in(g, unit), unit):
        if g.recorder is not None:
            g.note("w10.mission.only-war.deploy.no-room", "finds no room and counts as destroyed", unit=row)
        for model in living(g, row):
            g.models.alive[model] = g.models.wounds[model] = 0
        g.units.place[row] = DESTROYED
        g.units.alive[row] = 0


class DeployBy(DecisionKind):
    name = "deploy-by"
    what = "Whether a unit with Infiltrators is set up in its deployment zone or by that ability."
    keys = ("w10.deploy.infiltrators",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        option = g.setup.space.option
        mask[option] = mask[option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        g.units.reserve[g.stack[f + DeployUnit.UNIT]] = (DEPLOYMENT_ZONE, INFILTRATION)[action - g.setup.space.option]

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return ("in the deployment zone", "Infiltrators")[action - g.setup.space.option]


class DeployTo(InFormation):
    name = "deploy-to"
    what = "Squad detail: where the unit is set up in formation, as a cell of the grid over its deployment zone."
    full = False
    keys = ("w10.mission.only-war.deploy", "w10.mission.only-war.deploy.after", "w10.deploy.infiltrators")


# ---------------------------------------------------------------- pre-battle rules


class PreBattle(DueRules):
    """The players alternately resolve one of their pre-battle rules, the first player first (w10.mission.pre-battle)."""

    CHOOSER = integer(player())
    asks = ("pre-battle",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + PreBattle.CHOOSER]
        for side in (player, 1 - player):
            if pre_battle_rules(g, f, side):
                g.stack[f + PreBattle.CHOOSER] = side
                return g.ask(PreBattleChoice, side)
        return g.pop()


def pre_battle_rules(g: BattleCore, f: int, player: int) -> list[int]:
    """Numbers of the pre-battle rules that the player has not resolved."""
    if not g.setup.statics["timed"]:
        return []
    return [
        number
        for number, rule in due(g, BEFORE_BATTLE)
        if rule.owner == player and not PreBattle.resolved(g, f, number)
    ]


class PreBattleChoice(DueOrder):
    name = "pre-battle"
    what = "Which of the own pre-battle rules is resolved next."
    keys = ("w10.mission.pre-battle",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for number in pre_battle_rules(g, f, g.stack[f + PreBattle.CHOOSER]):
            mask[g.setup.space.option + number] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.stack[f + PreBattle.CHOOSER]
        g.stack[f + PreBattle.CHOOSER] = 1 - player
        if g.recorder is not None:
            number = action - g.setup.space.option
            g.note(
                "w10.mission.pre-battle", "pre-battle rule", player=player, name=g.setup.statics["timed"][number].name
            )
        super().answer(g, f, action)
