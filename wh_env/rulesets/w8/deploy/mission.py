"""The mission sequence of Only War (w8.mission.setup-order)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, STEP, Procedure, Steps
from wh_env.rulesets.w40k.deploy.battlefield import NOBODY, PlaceTerrain
from wh_env.rulesets.w40k.deploy.deployment import AfterDeployment, Deployment
from wh_env.rulesets.w40k.deploy.formations import Formations, count_left_behind
from wh_env.rulesets.w40k.deploy.markers import PlaceMarkers
from wh_env.rulesets.w40k.deploy.pre_battle import BEFORE_BATTLE, PreBattle
from wh_env.rulesets.w40k.psychic.learning import LearnPowers
from wh_env.rulesets.w40k.sequence.rolloff import roll_off
from wh_env.rulesets.w40k.sequence.sequencing import MOMENTS
from wh_env.rulesets.w40k.sequence.timing import army_destroyed, end_battle
from wh_env.rulesets.w40k.sequence.turns import BattleRounds


class MissionSequence(Procedure):
    """From the battlefield to the victor; the armies were mustered when the battle was loaded."""

    class Step(Steps):
        START, BATTLEFIELD, ZONES, EMBARK, DEPLOY, FIRST_TURN, PRE_BATTLE, BEGIN, BATTLE, OVER = range(10)

    def advance(self, g: BattleCore, f: int) -> int:
        Step = MissionSequence.Step
        step = g.stack[f + STEP] = g.stack[f + STEP] + 1
        rules = g.setup.rules
        if step == Step.BATTLEFIELD:
            if not all(g.objectives.placed):
                g.push(PlaceMarkers, NOBODY)
            if len(g.sites.placed):
                g.push(PlaceTerrain, NOBODY)
        elif step == Step.ZONES:
            g.clock.attacker[0] = (
                rules["attacker"] if rules["attacker"] >= 0 else roll_off(g, "w8.mission.deploy.zones")
            )
        elif step == Step.EMBARK:
            g.push(Formations)
        elif step == Step.DEPLOY:
            g.push(AfterDeployment)
            g.push(Deployment, 1 - g.clock.attacker[0])
            g.push(LearnPowers)  # w8.psychic.generate-before-battle
        elif step == Step.FIRST_TURN:
            first = rules["first_player"]
            first = roll_off(g, "w8.mission.first-turn") if first < 0 else first
            g.clock.first_player[0] = g.clock.turn[0] = first
        elif step == Step.PRE_BATTLE:
            g.push(PreBattle, MOMENTS.index(BEFORE_BATTLE), g.clock.first_player[0])
        elif step == Step.BEGIN:
            g.clock.round[0] = 1
            count_left_behind(g)
            if army_destroyed(g, 0) or army_destroyed(g, 1):
                end_battle(g, "mission.only-war.end")
        elif step == Step.BATTLE:
            g.push(BattleRounds)
        elif step == Step.OVER:
            return g.pop()
        return GO
