"""Values of options in editions with a Psychic phase, Heroic Interventions and Morale tests."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.fight.phase import can_fight, has_fights_first
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser
from wh_env.rulesets.w40k.view.appraise_attacks import apart, blows, share_lost
from wh_env.rulesets.w40k.view.appraise_effects import cost
from wh_env.rulesets.w40k.view.appraise_morale import MoraleScorers
from wh_env.rulesets.w40k.view.appraise_psychic import PsychicScorers

RETURN = 0.6  # weight of the enemy's blows in return


class ClassicAppraiser(EditionAppraiser):
    """Adds powers, denials, Heroic Interventions, interrupted fights, and models that flee."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.morale, self.psychic = MoraleScorers(self), PsychicScorers(self)
        self.scorers |= {
            **self.psychic.scorers,
            **self.morale.scorers,
            "select-to-intervene": self.select_to_intervene,
            "counter-offensive": self.counter_offensive,
        }

    def shots(self, battle: BattleCore, unit: int, targets: Array) -> Array:
        """Adds the points of each target that flee because of the losses that the unit can inflict."""
        hurt = super().shots(battle, unit, targets)
        for n, target in enumerate(targets.tolist()):
            hurt[n] += self.morale.fear(battle, target, float(hurt[n]))
        return hurt

    def near(self, g: BattleCore, unit: int, reach: float) -> list[int]:
        """Enemy units on the table at most ``reach`` inches from the unit."""
        enemies = g.units_of(1 - g.units.owner[unit])
        return [e for e in enemies if g.units.place[e] == ON_TABLE and apart(g, unit, e) <= reach + 1e-4]

    def intervention(self, g: BattleCore, unit: int) -> float:
        """Points that a Heroic Intervention of the unit is worth: its best fight, less the blows of all enemies in
        return.
        """
        foes = self.near(g, unit, edition(g).intervening.reach)
        best = max((blows(self, g, unit, e, 0) for e in foes), default=0.0)
        back = sum(blows(self, g, e, unit, 0) for e in foes)
        return best - RETURN * min(back, self.left(g, unit))

    def select_to_intervene(self, g: BattleCore, mask: Array) -> int:
        """Select the unit that gains most by a Heroic Intervention; none if no unit gains."""
        space, first = g.setup.space, g.players.first_unit[g.clock.player[0]]
        slots = mask[space.own : space.enemy].nonzero()[0].tolist()
        worth, slot = max(((self.intervention(g, first + slot), -slot) for slot in slots), default=(0.0, 0))
        return (space.own - slot) if worth > 0.0 else 0

    def interruption(self, g: BattleCore, unit: int) -> float:
        """Points gained if the unit strikes before enemies that would strike first: its own blows that these would
        prevent, and their blows that it prevents.
        """
        if has_fights_first(g, unit):
            return 0.0
        waiting = [
            e for e in self.near(g, unit, edition(g).measures.engagement) if can_fight(g, e) and has_fights_first(g, e)
        ]
        best = 0.0
        for e in waiting:
            out, back = blows(self, g, unit, e, 0), blows(self, g, e, unit, 0)
            best = max(best, share_lost(self, g, unit, back) * out + share_lost(self, g, e, out) * back)
        return best

    def counter_offensive(self, g: BattleCore, mask: Array) -> int:
        """Select the unit that gains most by striking now, if that is worth more than the Command points."""
        space, first = g.setup.space, g.players.first_unit[g.clock.player[0]]
        slots = mask[space.own : space.enemy].nonzero()[0].tolist()
        worth, slot = max(((self.interruption(g, first + slot), -slot) for slot in slots), default=(0.0, 0))
        return (space.own - slot) if worth > cost(g) else 0
