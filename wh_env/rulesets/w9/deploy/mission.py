"""The mission sequence of Only War (w9.deploy.sequence, w9.mission.only-war.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import player
from wh_env.core.procedures import GO, STEP, DecisionKind, Procedure, Steps, integer
from wh_env.rulesets.w9.army import whole
from wh_env.rulesets.w9.deploy.at_the_start import AtTheStart
from wh_env.rulesets.w9.mission.late import note_waiting
from wh_env.rulesets.w9.mission.stand import STANDING, WhileWeStand
from wh_env.rulesets.w9.mission.steps import STEPS, tell_step
from wh_env.rulesets.w40k.deploy.battlefield import NOBODY, PlaceTerrain
from wh_env.rulesets.w40k.deploy.deployment import AfterDeployment, Deployment
from wh_env.rulesets.w40k.deploy.formations import Formations, count_left_behind
from wh_env.rulesets.w40k.deploy.markers import PlaceMarkers
from wh_env.rulesets.w40k.deploy.pre_battle import BEFORE_BATTLE, PreBattle
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.phases.timing import army_destroyed, end_battle
from wh_env.rulesets.w40k.psychic.learning import LearnPowers
from wh_env.rulesets.w40k.reaction.windows import open_window
from wh_env.rulesets.w40k.rounds.turns import BattleRounds
from wh_env.rulesets.w40k.sequence.rolloff import roll_off
from wh_env.rulesets.w40k.sequence.sequencing import BY_ROLL_OFF, DEPLOYMENT_START, MOMENTS


class MissionSequence(Procedure):
    """The steps of w9.deploy.sequence. The first step, mustering, was done when the battle was loaded."""

    class Step(Steps):
        START, ARMIES, BATTLEFIELD, ZONES, RESERVES, DEPLOY, FIRST_TURN, PRE_BATTLE, BEGIN, BATTLE, OVER = range(11)

    CHOOSER = integer(player())  # the player who chose the deployment zones
    asks = ("choose-zone",)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MissionSequence.Step
        step = g.stack[f + STEP] = g.stack[f + STEP] + 1
        rules = g.setup.rules
        if step <= Step.BEGIN:
            tell_step(g, STEPS[step - 1])
        if step == Step.ARMIES:
            muster(g)
            for side in (1, 0):
                if STANDING in rules["secondaries"][side]:
                    g.push(WhileWeStand, side)
            g.push(LearnPowers)
        elif step == Step.BATTLEFIELD:
            if not all(g.objectives.placed):
                g.push(PlaceMarkers, NOBODY)
            if len(g.sites.placed):
                g.push(PlaceTerrain, NOBODY)
        elif step == Step.ZONES:
            g.clock.attacker[0] = g.stack[f + MissionSequence.CHOOSER] = max(0, rules["attacker"])
            if rules["attacker"] < 0:
                g.stack[f + MissionSequence.CHOOSER] = roll_off(g, "w9.mission.only-war.zones")
                return g.ask(ChooseZone, g.stack[f + MissionSequence.CHOOSER])
        elif step == Step.RESERVES:
            g.push(Formations)
            if g.setup.statics["timed"]:
                g.push(AtTheStart, MOMENTS.index(DEPLOYMENT_START), BY_ROLL_OFF)
        elif step == Step.DEPLOY:
            g.push(AfterDeployment)
            g.push(Deployment, 1 - g.stack[f + MissionSequence.CHOOSER])
        elif step == Step.FIRST_TURN:
            first = rules["first_player"]
            first = roll_off(g, "w9.deploy.first-turn") if first < 0 else first
            g.clock.first_player[0] = g.clock.turn[0] = first
        elif step == Step.PRE_BATTLE:
            open_window(g, Moment.BEFORE_BATTLE)  # pushed first, so that abilities are resolved before it
            g.push(PreBattle, MOMENTS.index(BEFORE_BATTLE), g.clock.first_player[0])
        elif step == Step.BEGIN:
            g.clock.round[0] = 1
            count_left_behind(g)
            note_waiting(g)
            if army_destroyed(g, 0) or army_destroyed(g, 1):
                end_battle(g, "mission.only-war.end")
        elif step == Step.BATTLE:
            g.push(BattleRounds)
        elif step == Step.OVER:
            return g.pop()
        return GO


def muster(g: BattleCore) -> None:
    """The armies are mustered: settle conditions of whole armies, and give Battle-forged armies their Command points
    (w9.army.battle-size).
    """
    whole.settle(g)
    for side in (0, 1):
        if g.setup.rules["battle_forged"][side]:
            g.players.cp[side] += g.setup.rules["cp_at_start"][side]


class ChooseZone(DecisionKind):
    name = "choose-zone"
    what = "Which of the two deployment zones the player has; the other one is the opponent's, who deploys first."
    keys = ("w9.mission.only-war.zones",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[g.setup.space.option] = mask[g.setup.space.option + 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        chooser, zone = g.stack[f + MissionSequence.CHOOSER], action - g.setup.space.option
        g.clock.attacker[0] = chooser if zone == 0 else 1 - chooser
        if g.recorder is not None:
            g.note("w9.mission.only-war.zones", "zone chosen", player=chooser, name=self.describe(g, f, action))

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return ("the first zone", "the second zone")[action - g.setup.space.option]
