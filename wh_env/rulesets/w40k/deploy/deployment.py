"""Deploying the armies, unit by unit (mission.only-war.deploy)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, player, row_of
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, V, integer
from wh_env.core.tables import DEPLOYING, DESTROYED
from wh_env.rulesets.w40k.attack.casualties import remove_model, unit_destroyed
from wh_env.rulesets.w40k.deploy.fortifications import restricted
from wh_env.rulesets.w40k.deploy.loose import set_up_loose
from wh_env.rulesets.w40k.deploy.places import DEPLOYMENT_ZONE, INFILTRATION, cells_for, finds_room
from wh_env.rulesets.w40k.deploy.setting_up import InFormation, finish_set_up, start_set_up
from wh_env.rulesets.w40k.profiles import Ability
from wh_env.rulesets.w40k.questions.hulls import embarked_in
from wh_env.rulesets.w40k.questions.strength import living
from wh_env.rulesets.w40k.sequence.rolloff import roll_off
from wh_env.rulesets.w40k.sequence.sequencing import TimedRule

AFTER_DEPLOYMENT = "after-deployment"
INFILTRATORS = int(Ability.INFILTRATORS)


def late(g: BattleCore) -> set[int]:
    """Units that are set up after both armies are deployed (mission.only-war.deploy.after)."""
    timed: tuple[TimedRule, ...] = g.setup.statics["timed"]
    return {rule.unit for rule in timed if rule.when == AFTER_DEPLOYMENT and rule.effect == "set-up"}


def to_deploy(g: BattleCore, player: int, after: int) -> list[int]:
    """Units of the player to set up now: those that are deployed with the army, or (``after``) after both armies."""
    units = g.units_of(player)
    where = g.units.place[units.start : units.stop]
    waiting = (
        [unit for unit, place in zip(units, where, strict=True) if place == DEPLOYING] if DEPLOYING in where else []
    )
    if not waiting or not g.setup.statics["timed"]:
        return [] if after else waiting
    last = late(g)
    return [unit for unit in waiting if (unit in last) == bool(after)]


def anybody_to_deploy(g: BattleCore, player: int, after: int) -> bool:
    """Whether ``to_deploy`` has any unit."""
    units = g.units_of(player)
    if DEPLOYING not in g.units.place[units.start : units.stop]:
        return False
    return bool(to_deploy(g, player, after)) if g.setup.statics["timed"] else not after


class Deployment(Procedure):
    """The players alternately set up their units, the Attacker first (mission.only-war.deploy)."""

    NEXT = integer(player())
    LATE = integer(flag(), at=V + 2)  # units that are set up after both armies
    asks = ("select-to-deploy",)

    def advance(self, g: BattleCore, f: int) -> int:
        player = g.stack[f + Deployment.NEXT]
        for side in (player, 1 - player):
            if anybody_to_deploy(g, side, g.stack[f + Deployment.LATE]):
                g.stack[f + Deployment.NEXT] = side
                return g.ask(SelectToDeploy, side)
        return g.pop()


class AfterDeployment(Procedure):
    """Units set up after both armies: alternately, the winner of a roll-off first if both players have such units."""

    def advance(self, g: BattleCore, f: int) -> int:
        g.pop()
        have = [side for side in (0, 1) if anybody_to_deploy(g, side, 1)]
        if have:
            first = roll_off(g, "mission.only-war.deploy.after") if len(have) == 2 else have[0]
            g.push(Deployment, first, 0, 1)
        return GO


class SelectToDeploy(DecisionKind):
    name = "select-to-deploy"
    what = "Which own unit is set up next."
    keys = ("mission.only-war.deploy", "mission.only-war.deploy.after")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player = g.stack[f + Deployment.NEXT]
        at = g.setup.space.own - g.players.first_unit[player]
        for unit in to_deploy(g, player, g.stack[f + Deployment.LATE]):
            mask[at + unit] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        player = g.stack[f + Deployment.NEXT]
        g.stack[f + Deployment.NEXT] = 1 - player
        g.push(DeployUnit, g.players.first_unit[player] + action - g.setup.space.own)


def ways_to_deploy(g: BattleCore, unit: int) -> list[int]:
    """The ways in which the unit may be set up: in its zone and, for Infiltrators, outside it. If there is a choice, or
    at full detail, only ways in which it finds room. Otherwise ``DeployTo`` looks for room.
    """
    infiltrates = g.units.flags[unit] & INFILTRATORS
    if not infiltrates and g.setup.rules["detail"] == "squad":
        return [DEPLOYMENT_ZONE]
    ways = (DEPLOYMENT_ZONE, INFILTRATION) if infiltrates else (DEPLOYMENT_ZONE,)
    return [way for way in ways if finds_room(g, unit, way)]


class DeployUnit(Procedure):
    """Sets up one unit, or finds that there is no room for it (mission.only-war.deploy.no-room)."""

    class Step(Steps):
        BEGIN, SET_UP, END = range(3)

    UNIT = integer(row_of("units"))
    asks = ("deploy-by", "deploy-to")

    def advance(self, g: BattleCore, f: int) -> int:
        stack = g.stack
        unit, step = stack[f + DeployUnit.UNIT], stack[f + STEP]
        if step == DeployUnit.Step.BEGIN:
            stack[f + STEP] = step = DeployUnit.Step.SET_UP
            ways = ways_to_deploy(g, unit)
            if len(ways) > 1:
                return g.ask(DeployBy, g.units.owner[unit], unit)
            if not ways:
                deploy_loose(g, unit)
                return g.pop()
            g.units.reserve[unit] = ways[0]
        stack[f + STEP] = step + 1
        if step == DeployUnit.Step.SET_UP:
            return start_set_up(g, unit, DeployTo)
        by_infiltrators = g.units.reserve[unit] == INFILTRATION
        finish_set_up(g, unit)
        if g.recorder is not None:
            rule = "deploy.infiltrators" if by_infiltrators else "mission.only-war.deploy"
            g.tell(rule, "unit deployed", unit=unit)
        return g.pop()


def deploy_loose(g: BattleCore, unit: int) -> None:
    """Deploy a unit that fits in no formation: set up as many models as find room in coherency, and destroy the others
    (concepts.coherency.set-up).

    If no model finds room, the unit counts as destroyed, with all units embarked in it. A Fortification without a place
    is not deployed (deploy.fortification.impossible).
    """
    found = 0 if restricted(g, unit) else set_up_loose(g, unit)
    if found:
        finish_set_up(g, unit)
        g.tell("mission.only-war.deploy", "unit deployed", unit=unit, placed=found)
        for model in [k for k in living(g, unit) if not g.models.on_table[k]]:
            g.tell("concepts.coherency.set-up", "cannot be set up and is destroyed", model=model)
            remove_model(g, model)
        return
    for row in (*embarked_in(g, unit), unit):
        if g.recorder is not None:
            key = "deploy.fortification.impossible" if restricted(g, row) else "mission.only-war.deploy.no-room"
            g.tell(key, "finds no room and counts as destroyed", unit=row)
        for model in living(g, row):
            g.models.alive[model] = g.models.wounds[model] = 0
        if restricted(g, row):
            unit_destroyed(g, row)
        g.units.place[row] = DESTROYED
        g.units.alive[row] = 0


class DeployBy(DecisionKind):
    name = "deploy-by"
    what = "Whether a unit with Infiltrators is set up in its deployment zone or by that ability."
    keys = ("deploy.infiltrators",)

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
    keys = ("mission.only-war.deploy", "mission.only-war.deploy.after", "deploy.infiltrators")

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        """If there is no room at all, the only answer is ``done``. No player is asked then (``deploy_loose``)."""
        space = g.setup.space
        mask[0] = not cells_for(g, g.clock.subject[0], g.mask[space.cell : space.angle])

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            super().answer(g, f, action)
        else:
            deploy_loose(g, g.clock.subject[0])
            g.pop()
