"""The Charge phase: charges with Overwatch before the roll, then Heroic Interventions (w9.charge.*)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.rulesets.w9.charge.defence import Defend
from wh_env.rulesets.w9.rare.stationary import CHARGE, phase_begins, phase_ends
from wh_env.rulesets.w40k.attack.abilities import test_result
from wh_env.rulesets.w40k.charge import declared, heroic, phase
from wh_env.rulesets.w40k.charge.heroic import Intervention
from wh_env.rulesets.w40k.edition_parts.stratagem_book import Moment
from wh_env.rulesets.w40k.reaction.windows import open_window


class ChargePhase(heroic.ChargePhase):
    """The Charge phase, in which units may count as stationary (w9.charge.phase, w9.charge.eligible)."""

    def begun(self, g: BattleCore, player: int) -> None:
        phase_begins(g, player, CHARGE)

    def ended(self, g: BattleCore) -> None:
        phase_ends(g)


class Charge(declared.Charge):
    """A declared charge, with Overwatch before the roll (w9.charge.overwatch)."""

    def answered(self, g: BattleCore, unit: int) -> bool:
        asked = open_window(g, Moment.DECLARES_CHARGE, unit)
        if len(g.setup.features):  # first of all the targets decide how they defend themselves
            g.push(Defend, unit)
            return True
        return asked


class ChargeRoll(phase.ChargeRoll):
    """A charge roll, whose modified result is kept for rules that ask for the charge distance
    (w9.glossary.charge-distance).
    """

    def then(self, g: BattleCore, unit: int, result: int) -> None:
        distance = g.combat.charge_distance[unit] = test_result(g, unit, self.name, result)
        super().then(g, unit, result)
        g.note("w9.glossary.charge-distance", "charge distance", unit=unit, result=distance)


class HeroicIntervention(Intervention):
    """A Heroic Intervention, after which units that charged may fight the unit that made it
    (w9.fight.targets.charged).
    """

    def intervened(self, g: BattleCore, unit: int) -> None:
        g.combat.intervened[unit] = 1
