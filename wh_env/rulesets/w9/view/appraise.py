"""Values of options in the 9th edition: answers to a charge, actions, Stratagems of the core rules and of Factions."""

from __future__ import annotations

from typing import cast

import numpy as np

from wh_env.core.battle import BattleCore
from wh_env.core.setup import Setup
from wh_env.core.tables import ON_TABLE, Array
from wh_env.rulesets.w9.actions.moments import PhaseEnds
from wh_env.rulesets.w9.actions.performing import actions_of
from wh_env.rulesets.w9.charge.defence import HOLD_STEADY, SET_TO_DEFEND, SNAP, STEADY, TO_HIT, Defend, snapping
from wh_env.rulesets.w9.stratagems.book import BOOK, FACTION, Stratagem
from wh_env.rulesets.w9.stratagems.effects import CUTS, CutThemDown
from wh_env.rulesets.w9.stratagems.factions import UseFactionStratagem
from wh_env.rulesets.w40k.charge.phase import can_charge, targets_in_reach
from wh_env.rulesets.w40k.questions.move_limits import engaged
from wh_env.rulesets.w40k.reaction.windows import unit_of
from wh_env.rulesets.w40k.view.appraise_attacks import apart, blows, chance_to_charge, share_lost, shots
from wh_env.rulesets.w40k.view.appraise_classic import ClassicAppraiser
from wh_env.rulesets.w40k.view.appraise_effects import command_point, cost, effect_worth

LIKELY = 0.5  # weight of a charge that may still be declared
PASSES = "passes-morale"
CUT = (7 - CUTS) / 6  # chance that one model causes a mortal wound


class NinthAppraiser(ClassicAppraiser):
    """Values of options in battles of one Setup."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._acts = bool(setup.statics["actions"])
        self.scorers |= {
            "defend": self.defend,
            "fire-overwatch": self.fire_overwatch,
            "cut-them-down": self.cut_them_down,
            "start-action": self.start_action,
            **dict.fromkeys(FACTION.values(), self.faction_stratagem),
        }

    # ---- meeting a charge

    def overwatch(self, g: BattleCore, unit: int, charger: int, near: int) -> float:
        """Points that Overwatch is worth: what it takes from the charger, and what the models it kills would have taken
        if the charge succeeds.
        """
        hurt = shots(self, g, unit, charger, near, apart(g, unit, charger))
        fewer = share_lost(self, g, charger, hurt) * blows(self, g, charger, unit, 0)
        return hurt + chance_to_charge(g, charger, unit) * fewer

    def defend(self, g: BattleCore, mask: Array) -> int:
        """Hold Steady if better Overwatch can be paid for and is worth more, else Set to Defend for better blows."""
        f, option = g.frame, g.setup.space.option
        charger, unit = g.stack[f + Defend.UNIT], g.stack[f + Defend.TARGET]
        steady = plain = 0.0
        if BOOK.can_use(g, g.units.owner[unit], Stratagem.FIRE_OVERWATCH, unit):
            price = command_point(g) * g.setup.statics["stratagem_costs"][g.units.owner[unit]][Stratagem.FIRE_OVERWATCH]
            steady, plain = (max(0.0, self.overwatch(g, unit, charger, near) - price) for near in (SNAP | STEADY, SNAP))
        more = blows(self, g, unit, charger, TO_HIT[0]) - blows(self, g, unit, charger, 0)
        hold = max(steady, plain) >= chance_to_charge(g, charger, unit) * more
        return option + (HOLD_STEADY if hold else SET_TO_DEFEND)

    def later_overwatch(self, g: BattleCore, player: int, charger: int) -> float:
        """Points of the player's best Overwatch at another enemy unit that can still declare a charge."""
        return max(
            (
                self.overwatch(g, unit, enemy, snapping(g, unit))
                for enemy in g.units_of(1 - player)
                if enemy != charger and can_charge(g, enemy)
                for unit in targets_in_reach(g, enemy)
                if not engaged(g, unit)
            ),
            default=0.0,
        )

    def fire_overwatch(self, g: BattleCore, mask: Array) -> int:
        """The unit whose Overwatch is worth most, if that is more than the Command points and than what a later charge
        promises.
        """
        space, player, charger = g.setup.space, g.clock.player[0], unit_of(g, g.frame)
        first = g.players.first_unit[player]
        slots = mask[space.own : space.enemy].nonzero()[0].tolist()
        likely = ((self.overwatch(g, first + s, charger, snapping(g, first + s)), -s) for s in slots)
        worth, slot = max(likely, default=(0.0, 0))
        enough = worth > cost(g) and worth >= LIKELY * self.later_overwatch(g, player, charger)
        return (space.own - slot) if enough else 0

    # ---- other Stratagems

    def cut_them_down(self, g: BattleCore, mask: Array) -> int:
        """Use it if the models that it destroys on average are worth more than the Command points."""
        option, unit = g.setup.space.option, unit_of(g, g.frame)
        if not mask[option]:
            return 0
        worth = CUT * CutThemDown.strikes(g, unit, g.clock.player[0]) * self.price(unit)
        return int(option) if min(worth, self.left(g, unit)) > cost(g) else 0

    def effect(self, g: BattleCore, effect: str, unit: int, amount: int) -> float:
        """Points that the effect on an own unit is worth to its player."""
        if effect == PASSES:
            return self.morale.afraid(g, unit)
        owner = g.units.owner[unit]
        return effect_worth(self, g, owner, effect, unit, owner, (0, 0, amount))

    def faction_stratagem(self, g: BattleCore, mask: Array) -> int:
        """The unit that gains most from it, if that is worth more than the Command points."""
        space, first = g.setup.space, g.players.first_unit[g.clock.player[0]]
        kind = cast(UseFactionStratagem, g.setup.ruleset.kinds[g.clock.kind[0]])
        row = kind.row(g)
        slots = mask[space.own : space.enemy].nonzero()[0].tolist()
        effects = ((self.effect(g, row["effect"], first + slot, row["amount"]), -slot) for slot in slots)
        worth, slot = max(effects, default=(0.0, 0))
        return (space.own - slot) if worth > cost(g) else 0

    # ---- actions

    def forgone(self, g: BattleCore, unit: int) -> float:
        """Points that the unit could still take this turn by shooting or charging, which would end its action."""
        if g.units.owner[unit] != g.clock.turn[0]:
            return 0.0
        foes = [e for e in g.units_of(1 - g.units.owner[unit]) if g.units.place[e] == ON_TABLE]
        volley = max((shots(self, g, unit, e, 0, apart(g, unit, e)) for e in foes), default=0.0)
        charge = max((self.charge_value(g, unit, e) for e in self.in_reach(g, unit)), default=0.0)
        return max(volley, charge)

    def start_action(self, g: BattleCore, mask: Array) -> int:
        """The unit for which the action is worth most beyond what it gives up; done if no unit gains."""
        space, first = g.setup.space, g.players.first_unit[g.clock.player[0]]
        action = actions_of(g.setup)[g.stack[g.frame + PhaseEnds.ACTION]]
        best, choice = 0.0, 0
        for slot in mask[space.own : space.enemy].nonzero()[0].tolist():
            worth = self.effect(g, action.effect, first + slot, action.amount) - self.forgone(g, first + slot)
            if worth > best:
                best, choice = worth, space.own + slot
        return int(choice)

    def free(self, g: BattleCore, mask: Array) -> Array:
        """The mask without units whose action is worth more than the shooting or charge that would end it."""
        if not self._acts or not any(g.acting.now):
            return mask
        space, first = g.setup.space, g.players.first_unit[g.clock.player[0]]
        kept: Array = np.array(mask)
        for slot in kept[space.own : space.enemy].nonzero()[0].tolist():
            now = g.acting.now[first + slot]
            if now:
                action = actions_of(g.setup)[now - 1]
                worth = self.effect(g, action.effect, first + slot, action.amount)
                kept[space.own + slot] = worth < self.forgone(g, first + slot)
        return kept

    def select_to_shoot(self, battle: BattleCore, mask: Array) -> int:
        """As usual, but not units whose action is worth more."""
        free = self.free(battle, mask)
        return super().select_to_shoot(battle, free) if free[1:].any() else int(mask.argmax())

    def select_to_charge(self, battle: BattleCore, mask: Array) -> int:
        """As usual, but not units whose action is worth more."""
        return super().select_to_charge(battle, self.free(battle, mask))
