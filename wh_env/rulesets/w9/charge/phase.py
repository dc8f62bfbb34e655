"""The Charge phase: charges with Overwatch before the roll, then Heroic Interventions (w9.charge.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.procedures import GO, STEP, Steps, integer
from wh_env.rulesets.w9.charge.defence import Defend
from wh_env.rulesets.w9.rare.stationary import CHARGE, phase_begins, phase_ends
from wh_env.rulesets.w40k.attack.abilities import test_result
from wh_env.rulesets.w40k.charge import phase
from wh_env.rulesets.w40k.charge.heroic import HeroicInterventions, Intervention
from wh_env.rulesets.w40k.move.limits import engaged
from wh_env.rulesets.w40k.reaction.book import Moment
from wh_env.rulesets.w40k.reaction.windows import open_window
from wh_env.rulesets.w40k.sequence.timing import end_phase


class ChargePhase(phase.ChargePhase):
    """w9.charge.phase: charges of the turn player, then Heroic Interventions of the opponent."""

    class Step(Steps):
        INTERVENED = 3

    def advance(self, g: BattleCore, f: int) -> int:
        Step = ChargePhase.Step
        step, player = g.stack[f + STEP], g.stack[f + ChargePhase.PLAYER]
        if step == phase.ChargePhase.Step.END:
            g.stack[f + STEP] = Step.INTERVENED
            g.push(HeroicInterventions, 1 - player)
            return GO
        if step == Step.INTERVENED:
            phase_ends(g)
            end_phase(g)
            return g.pop()
        done = super().advance(g, f)
        if step == phase.ChargePhase.Step.BEGIN:
            phase_begins(g, player, CHARGE)
            # w9.charge.eligible: who is engaged now charges nobody in this phase
            for unit in g.units_of(player):
                if g.units.can_charge[unit] and engaged(g, unit):
                    g.units.can_charge[unit] = 0
        return done


class Charge(phase.Charge):
    """A charge with Overwatch before the roll (w9.charge.overwatch). ``MARK``: the moment for it has come."""

    MARK = integer(flag())

    def declared(self, g: BattleCore, f: int) -> bool:
        if g.stack[f + Charge.MARK]:
            return False
        unit = g.stack[f + Charge.UNIT]
        g.stack[f + Charge.MARK] = 1
        g.charges[unit] = g.charge_targets_array
        asked = open_window(g, Moment.DECLARES_CHARGE, unit)
        if len(g.setup.features):  # first of all the targets decide how they defend themselves
            g.push(Defend, unit)
            return True
        return asked


class ChargeRoll(phase.ChargeRoll):
    """w9.glossary.charge-distance: the modified result is kept for rules that ask for it."""

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        distance = g.combat.charge_distance[unit] = test_result(g, unit, self.name, result)
        super().then(g, unit, result)
        if g.recorder is not None:
            g.note("w9.glossary.charge-distance", "charge distance", unit=unit, result=distance)


class HeroicIntervention(Intervention):
    """Units that charged may fight who intervened (w9.fight.targets.charged)."""

    def intervened(self, g: BattleCore, unit: int) -> None:
        g.combat.intervened[unit] = 1
