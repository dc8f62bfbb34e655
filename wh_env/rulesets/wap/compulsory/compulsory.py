"""Compulsory moves of a player's turn: fleeing units first, then other units that must move (wap.compulsory.step)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer
from wh_env.rulesets.wap.basics.by_magic import is_held
from wh_env.rulesets.wap.battle.victory import finish_if_left
from wh_env.rulesets.wap.codes import MOVED
from wh_env.rulesets.wap.compulsory.rally import Rally, may_rally
from wh_env.rulesets.wap.compulsory.random_moves import RandomMove
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.movement.forced_moves import is_compelled
from wh_env.rulesets.wap.panic.directions import nearest_first
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.rule_book import RANDOM_MOVEMENT


def is_any_compelled(g: BattleCore, player: int) -> bool:
    """Whether a unit of a player has a compulsory move left: it flees, is stupid, or moves at random."""
    u = g.units
    possible = any(u.fleeing.tolist()) or any(u.stupid.tolist()) or RANDOM_MOVEMENT in g.setup.statics["named_rules"]
    return possible and any(may_rally(g, unit) or is_compelled(g, unit) for unit in g.units_of(player))


class Compulsory(OfPlayer):
    """The moves that units must make before others may move (wap.compulsory.rally.order, .other.order)."""

    asks = ("compelled-next",)

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        if finish_if_left(g):
            return GO
        player = g.stack[f + Compulsory.PLAYER]
        if is_any_compelled(g, player):
            return g.ask(CompelledNext, player)
        return g.pop()


class CompelledNext(ChooseUnit):
    name = "compelled-next"
    what = (
        "Which unit that is compelled is dealt with next: fleeing units first, then those with other compulsory moves."
    )
    policy = "The unit nearest to an enemy."
    keys = ("wap.compulsory.rally.order", "wap.compulsory.other.order", "wap.compulsory.step")
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        player, own = g.stack[f + Compulsory.PLAYER], g.setup.space.own
        fleeing = [unit for unit in g.units_of(player) if may_rally(g, unit)]
        for unit in fleeing or [unit for unit in g.units_of(player) if is_compelled(g, unit)]:
            mask[own + unit - g.players.first_unit[player]] = True

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        if g.units.fleeing[unit]:
            g.push(Rally, unit)
        elif is_held(g, unit):
            g.units.did[unit] |= MOVED
        else:
            g.push(RandomMove, unit)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return nearest_first(g, mask)
