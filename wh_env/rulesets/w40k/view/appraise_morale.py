"""Values of Morale: models that flee on average, and whether Command points are worth preventing it (morale.*)."""

from __future__ import annotations

from math import floor

from wh_env.core.battle import BattleCore
from wh_env.core.chances import ways
from wh_env.core.tables import Array
from wh_env.rulesets.w40k.edition import edition
from wh_env.rulesets.w40k.morale.phase import must_test, rules_of
from wh_env.rulesets.w40k.morale.toll import passes_tests, slain_this_turn
from wh_env.rulesets.w40k.psychic.lasting import leadership
from wh_env.rulesets.w40k.reaction.windows import unit_of
from wh_env.rulesets.w40k.view.appraise import EditionAppraiser
from wh_env.rulesets.w40k.view.appraise_effects import cost


def flight(g: BattleCore, unit: int, lost: int = 0) -> float:
    """Models of the unit that flee on average in its Morale test of this turn, if it loses ``lost`` more
    models before.
    """
    left = g.units.alive[unit] - lost
    slain = slain_this_turn(g, unit) + lost
    if left <= 0 or slain <= 0 or passes_tests(g, unit):
        return 0.0
    if g.nerve.fails[unit]:
        return flee(g, unit, left, 0, lost)
    counts = ways(edition(g).dice.leadership)
    if slain + len(counts) - 1 <= leadership(g, unit):
        return 0.0
    rules = rules_of(g)
    failed = [roll for roll, count in enumerate(counts) if count and not rules.passed(g, unit, roll, lost)]
    return sum(counts[roll] * flee(g, unit, left, roll, lost) for roll in failed) / sum(counts)


def flee(g: BattleCore, unit: int, left: int, die: int, lost: int) -> float:
    """Models that flee on average, of ``left``, after a failed test with this die (0: no roll)."""
    rules = rules_of(g)
    first = min(left, rules.fleeing(g, unit, die, lost))
    return first + min(float(left - first), rules.mean_follow(g, unit, left - first))


class MoraleScorers:
    """Decisions of the Morale phase, and the points that flee because of losses."""

    def __init__(self, values: EditionAppraiser) -> None:
        self.values = values
        self.scorers = {"insane-bravery": self.insane_bravery}

    def afraid(self, g: BattleCore, unit: int) -> float:
        """Points of the unit that flee on average."""
        alive = g.units.alive[unit]
        return flight(g, unit) * self.values.left(g, unit) / alive if alive > 0 else 0.0

    def fear(self, g: BattleCore, unit: int, points: float) -> float:
        """Points that flee on average because the unit loses ``points``; below 0 if fewer flee because fewer
        are left.
        """
        left, alive = self.values.left(g, unit), g.units.alive[unit]
        if left <= 0.0 or alive <= 1:
            return 0.0
        killed = min(float(alive), alive * points / left)
        whole = floor(killed)
        then = flight(g, unit, whole)
        if killed > whole:
            then += (killed - whole) * (flight(g, unit, whole + 1) - then)
        return (then - flight(g, unit)) * left / float(alive)

    def insane_bravery(self, g: BattleCore, mask: Array) -> int:
        """Use it if more points would flee than the Command points are worth, and no other own unit that must test
        needs it more.
        """
        player, unit = g.clock.player[0], unit_of(g, g.frame)
        gain = self.afraid(g, unit)
        others = max((self.afraid(g, k) for k in g.units_of(player) if k != unit and must_test(g, k)), default=0.0)
        action = g.setup.space.own + unit - g.players.first_unit[player]
        return int(action) if mask[action] and gain > max(others, cost(g)) else 0
