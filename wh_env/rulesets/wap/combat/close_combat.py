"""The Close Combat phase and the steps of one combat (wap.combat.phase.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, STEP, ChooseUnit, OfPlayer, Procedure, Steps, integer
from wh_env.rulesets.wap.basics.contacts import combat_of, foes_of
from wh_env.rulesets.wap.basics.engaged import engaged
from wh_env.rulesets.wap.basics.garrisons import opponent_in_assault
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.breaking.break_tests import BreakTests
from wh_env.rulesets.wap.breaking.combat_reform import CombatReforms
from wh_env.rulesets.wap.challenges.challenge import Challenges
from wh_env.rulesets.wap.characters.make_way import MakeWay
from wh_env.rulesets.wap.codes import BROKEN
from wh_env.rulesets.wap.combat.assailants import ChooseAssailants
from wh_env.rulesets.wap.combat.assault import FightAssault
from wh_env.rulesets.wap.combat.impact_hits import ImpactHits
from wh_env.rulesets.wap.combat.machine_assault import forget_choices, has_machines
from wh_env.rulesets.wap.combat.rivals import count_rivals
from wh_env.rulesets.wap.combat.rounds import begin_combat, end_combat, round_over
from wh_env.rulesets.wap.combat.strikes import Strikes
from wh_env.rulesets.wap.combat.weapon_choice import ChooseWeapons, put_all_down
from wh_env.rulesets.wap.deployment.hidden import Reveals, somebody_hides
from wh_env.rulesets.wap.items.rivals import name_rivals
from wh_env.rulesets.wap.morale.panic_causes import has_broken
from wh_env.rulesets.wap.multiple.sliding import Slides
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.pursuit.choices import PursueOrRestrain
from wh_env.rulesets.wap.pursuit.flights import CombatFlights
from wh_env.rulesets.wap.pursuit.pursuits import Pursuits, StayedReforms
from wh_env.rulesets.wap.pursuit.rolls import roll_flights
from wh_env.rulesets.wap.pursuit.vanished import begin_phase
from wh_env.rulesets.wap.result.scoring import score_combat


def is_unresolved(g: BattleCore, unit: int) -> bool:
    """Whether the combat that a unit is in is still to be fought in this phase: the unit is engaged and has not
    fought.
    """
    return engaged(g, unit) and not g.units.fought[unit]


class CloseCombat(OfPlayer):
    """The phase: the player whose turn it is picks one combat after another until all are fought
    (wap.combat.phase.choose-combat, .must-fight).
    """

    class Step(Steps):
        BEGIN, PICK, END = range(3)

    asks = ("choose-combat",)

    def advance(self, g: BattleCore, f: int) -> int:
        step, player = g.stack[f + STEP], g.stack[f + CloseCombat.PLAYER]
        if step == CloseCombat.Step.BEGIN:
            g.stack[f + STEP] = CloseCombat.Step.PICK
            g.work.call(put_all_down, g.units.rows)
            g.push(ChooseWeapons)
            if has_machines(g):
                forget_choices(g)
                g.push(ChooseAssailants, -1, -1, True)
            begin_phase(g)
            name_rivals(g, player)
            if somebody_hides(g):
                for side in (1 - player, player):
                    g.push(Reveals, side)
            return GO
        if finish_if_left(g):
            return GO
        if any(g.units.fights.tolist()) and any(is_unresolved(g, unit) for unit in g.units_of(player)):
            return g.ask(ChooseCombat, player)
        return g.pop()


class ChooseCombat(ChooseUnit):
    name = "choose-combat"
    what = "Which combat is fought next, named by a unit in it."
    keys = ("wap.combat.phase.choose-combat",)

    def may(self, g: BattleCore, unit: int) -> bool:
        if not is_unresolved(g, unit):
            return False
        u, members = g.units, combat_of(g, unit)
        return unit == min(other for other in members if u.owner[other] == u.owner[unit] and not u.fought[other])

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        opponent, u = opponent_in_assault(g, unit), g.units
        if opponent >= 0:
            g.push(FightAssault, max(u.garrison[unit], u.garrison[opponent]))
        else:
            g.push(FightCombat, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        unit = g.players.first_unit[g.clock.player[0]] + action - g.setup.space.own
        names = g.setup.names["units"]
        return f"{names[unit]} against " + " and ".join(names[foe] for foe in foes_of(g, unit))


def fighters(g: BattleCore) -> list[int]:
    """The units of the combat that is being fought, also those that have lost their last model in it."""
    return [unit for unit in range(len(g.units.owner)) if g.units.fighting[unit]]


class FightCombat(Procedure):
    """One combat, from the first blow to the last move (wap.combat.phase.sequence, .timeline)."""

    UNIT = integer(row_of("units"))

    class Step(Steps):
        (
            BEGIN,
            MAKE_WAY,
            IMPACT,
            CHALLENGE,
            STRIKE,
            SCORE,
            BREAK,
            PANIC,
            CHOOSE,
            ROLL,
            FLEE,
            FRIENDS,
            STAY,
            PURSUE,
            REFORM,
            SLIDE,
            AFTER,
            END,
        ) = range(18)

    def advance(self, g: BattleCore, f: int) -> int:
        Step, step = FightCombat.Step, g.stack[f + STEP]
        g.stack[f + STEP] = step + 1
        if step == Step.BEGIN:
            begin_combat(g, g.stack[f + FightCombat.UNIT])
            g.push(ChooseWeapons, True)
            if has_machines(g):
                g.push(ChooseAssailants, -1, -1, False)
        elif step == Step.SCORE:
            score_combat(g)
        elif step == Step.PANIC:
            for unit in fighters(g):
                if g.units.outcome[unit] == BROKEN:
                    has_broken(g, unit)
            g.push(Panic)
        elif step == Step.ROLL:
            roll_flights(g)
        elif step == Step.END:
            end_combat(g)
            return g.pop()
        else:
            if step == Step.IMPACT:
                count_rivals(g)
            elif step == Step.PURSUE:
                round_over(g)
            g.push(PARTS_OF_COMBAT[step])
        return GO


PARTS_OF_COMBAT: dict[int, type[Procedure]] = {
    FightCombat.Step.MAKE_WAY: MakeWay,
    FightCombat.Step.IMPACT: ImpactHits,
    FightCombat.Step.CHALLENGE: Challenges,
    FightCombat.Step.STRIKE: Strikes,
    FightCombat.Step.BREAK: BreakTests,
    FightCombat.Step.CHOOSE: PursueOrRestrain,
    FightCombat.Step.FLEE: CombatFlights,
    FightCombat.Step.FRIENDS: Panic,
    FightCombat.Step.STAY: StayedReforms,
    FightCombat.Step.PURSUE: Pursuits,
    FightCombat.Step.REFORM: CombatReforms,
    FightCombat.Step.SLIDE: Slides,
    FightCombat.Step.AFTER: Panic,
}
