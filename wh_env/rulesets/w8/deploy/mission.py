"""The mission sequence of Only War (w8.mission.setup-order)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, Procedure, Steps
from wh_env.core.tables import DEPLOYING, RESERVE
from wh_env.rulesets.w8.mission.halves import ChooseHalf, DivideBattlefield
from wh_env.rulesets.w8.mission.objectives import draw_relic
from wh_env.rulesets.w8.mission.power import FirstTurn, name_underdog
from wh_env.rulesets.w8.mission.state import Primary, roller, underdog
from wh_env.rulesets.w8.warlord.state import forget_left_over
from wh_env.rulesets.w8.warlord.traits import DetermineTrait, Nominate
from wh_env.rulesets.w40k.deploy import deployment
from wh_env.rulesets.w40k.deploy.battlefield import NOBODY, PlaceTerrain
from wh_env.rulesets.w40k.deploy.deployment import AfterDeployment, Deployment
from wh_env.rulesets.w40k.deploy.formations import Formations, count_left_behind, to_reserves
from wh_env.rulesets.w40k.deploy.markers import PlaceMarkers
from wh_env.rulesets.w40k.deploy.pre_battle import BEFORE_BATTLE, PreBattle
from wh_env.rulesets.w40k.phases.timing import army_destroyed, end_battle
from wh_env.rulesets.w40k.psychic.learning import LearnPowers
from wh_env.rulesets.w40k.rounds.turns import BattleRounds
from wh_env.rulesets.w40k.sequence.rolloff import roll_off
from wh_env.rulesets.w40k.sequence.sequencing import MOMENTS


class MissionSequence(Procedure):
    """The steps from mustering armies to the victor. The mission was chosen when the battle was loaded."""

    class Step(Steps):
        START, ARMIES, BATTLEFIELD, MARKERS, PRIMARY, DIVIDE, ZONES, TRAITS, EMBARK, DEPLOY = range(10)
        POWER, FIRST_TURN, PRE_BATTLE, BEGIN, BATTLE, OVER = range(10, 16)

    asks = ("divide", "choose-zone", "first-turn")

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MissionSequence.Step
        step = g.stack[f + STEP] = g.stack[f + STEP] + 1
        if g.recorder is not None and step == Step.ARMIES:
            g.note("w8.mission.setup-order", "step", step=1, name="select the mission")
        if g.recorder is not None and step in STEPS:
            g.note("w8.mission.setup-order", "step", step=tuple(STEPS).index(step) + 2, name=STEPS[step])
        if step <= Step.ZONES:
            return self.set_up_battlefield(g, step)
        if step <= Step.DEPLOY:
            self.set_up_armies(g, step)
        elif step == Step.POWER:
            forget_left_over(g)
            name_underdog(g)
        elif step == Step.FIRST_TURN:
            first = g.setup.rules["first_player"]
            if first < 0:
                return g.ask(FirstTurn, underdog(g))
            g.clock.first_player[0] = g.clock.turn[0] = first
        elif step == Step.PRE_BATTLE:
            g.push(PreBattle, MOMENTS.index(BEFORE_BATTLE), g.clock.first_player[0])
        elif step == Step.BEGIN:
            g.clock.round[0] = 1
            count_left_behind(g)
            draw_relic(g)
            if army_destroyed(g, 0) or army_destroyed(g, 1):
                end_battle(g, "mission.only-war.end")
        elif step == Step.BATTLE:
            g.push(BattleRounds)
        elif step == Step.OVER:
            return g.pop()
        return GO

    @staticmethod
    def set_up_battlefield(g: BattleCore, step: int) -> int:
        """Steps of Warlords, terrain, markers, the primary objective and the halves."""
        Step, rules = MissionSequence.Step, g.setup.rules
        if step == Step.ARMIES:
            g.push(Nominate, 1)
            g.push(Nominate, 0)
        elif step == Step.BATTLEFIELD:
            if len(g.sites.placed):
                g.push(PlaceTerrain, NOBODY)
        elif step == Step.MARKERS:
            if not all(g.objectives.placed):
                g.push(PlaceMarkers, NOBODY)
        elif step == Step.PRIMARY:
            roll_primary(g)
        elif step == Step.DIVIDE:
            if rules["division"] < 0:
                return g.ask(DivideBattlefield, 1 - roller(g))
            g.mission.division[0] = 1 + rules["division"]
        else:
            g.clock.attacker[0] = max(0, rules["attacker"])
            if rules["attacker"] < 0:
                return g.ask(ChooseHalf, roller(g))
        return GO

    @staticmethod
    def set_up_armies(g: BattleCore, step: int) -> None:
        """Steps of psychic powers and Traits, of embarked units and reserves, and of deployment."""
        Step, divider = MissionSequence.Step, 1 - roller(g)
        if step == Step.TRAITS:
            g.push(DetermineTrait, 1 - divider)
            g.push(DetermineTrait, divider)
            g.push(LearnPowers)  # w8.psychic.generate-before-battle
        elif step == Step.EMBARK:
            g.push(Formations)
        else:
            for unit, place in enumerate(g.units.place):
                if place == RESERVE:
                    g.units.place[unit] = DEPLOYING  # it takes a pick as well (w8.mission.deploy.run-out)
            g.push(AfterDeployment)
            g.push(Deployment, divider)


Step = MissionSequence.Step
STEPS = {
    Step.ARMIES: "muster armies and nominate Warlords",
    Step.BATTLEFIELD: "set up the battlefield",
    Step.MARKERS: "place objective markers",
    Step.PRIMARY: "roll for the primary objective",
    Step.DIVIDE: "divide the battlefield and choose deployment zones",
    Step.TRAITS: "determine psychic powers and Warlord Traits",
    Step.DEPLOY: "deploy units",
    Step.POWER: "work out Power Levels",
    Step.FIRST_TURN: "choose who has the first turn",
    Step.BEGIN: "start of the first battle round",
}


def roll_primary(g: BattleCore) -> None:
    """The winner of a roll-off rolls on the primary objectives table (w8.mission.primary.roll, .table)."""
    winner = roll_off(g, "w8.mission.primary.roll")
    g.mission.roller[0] = 1 + winner
    primary = Primary(g.setup.rules["primary"] or g.roll(1, 3))
    g.mission.primary[0] = primary
    if g.recorder is not None:
        name = primary.name.replace("_", " ").title().replace("And", "and")
        g.note("w8.mission.primary.table", "primary objective", player=winner, name=name)


class DeployUnit(deployment.DeployUnit):
    """Deployment of one unit. A unit that starts in reserve takes a pick as well (w8.mission.deploy.run-out)."""

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.stack[f + DeployUnit.UNIT]
        if g.stack[f + STEP] == DeployUnit.Step.BEGIN and g.units.reserve[unit]:
            to_reserves(g, unit, g.units.reserve[unit])
            return g.pop()
        return super().advance(g, f)
