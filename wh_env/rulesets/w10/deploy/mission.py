"""The mission sequence of Only War (w10.mission.sequence)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, Procedure, Steps
from wh_env.rulesets.w10.deploy.scouts import Scouts
from wh_env.rulesets.w40k.deploy.battlefield import NOBODY, PlaceTerrain
from wh_env.rulesets.w40k.deploy.deployment import AfterDeployment, Deployment
from wh_env.rulesets.w40k.deploy.formations import Formations, count_left_behind
from wh_env.rulesets.w40k.deploy.markers import PlaceMarkers
from wh_env.rulesets.w40k.deploy.pre_battle import BEFORE_BATTLE, PreBattle
from wh_env.rulesets.w40k.phases.timing import army_destroyed, end_battle
from wh_env.rulesets.w40k.rounds.turns import BattleRounds
from wh_env.rulesets.w40k.sequence.rolloff import roll_off
from wh_env.rulesets.w40k.sequence.sequencing import MOMENTS

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
    g.note("w10.mission.sequence", "step", step=number, name=STEPS[number - 1])


class MissionSequence(Procedure):
    """The steps of w10.mission.sequence. Steps 1 and 2 (armies, mission) are done when the battle is loaded; steps 10
    and 11 are recorded when it has ended.
    """

    class Step(Steps):
        START, ARMIES, MISSION, BATTLEFIELD, ATTACKER, FORMATIONS, DEPLOY = range(7)
        FIRST_TURN, PRE_BATTLE, BEGIN, ENDING, VICTOR = range(7, 12)  # numbered as in ``STEPS``, but for START

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
    """The first battle round starts, with Scouts moves (w10.mission.begin). If an army found no room, the battle ends
    at once.
    """
    g.clock.round[0] = 1
    count_left_behind(g)
    if army_destroyed(g, 0) or army_destroyed(g, 1):
        end_battle(g, "w10.mission.only-war.end")
        return
    g.note("w10.mission.begin", "the first battle round begins", first_player=g.clock.first_player[0])
    g.push(Scouts, g.clock.first_player[0])
