"""The start of the turn: effects of special rules before any charge, in the order that the player chooses
(wap.move.start).
"""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.frozen import Unchanging
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer, integer
from wh_env.rulesets.wap.basics.auras import is_spurred
from wh_env.rulesets.wap.basics.ground import with_trait
from wh_env.rulesets.wap.basics.special_rules import handlers_at
from wh_env.rulesets.wap.codes import SPURRED
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.rule_book import Point


class StartEffect(Unchanging):
    """What a special rule does for a unit at the start of its player's turn.

    Attributes:
        rule: its id.
        optional: whether the player may decline it.
    """

    rule: ClassVar[str] = ""
    optional: ClassVar[bool] = False

    def possible(self, g: BattleCore) -> bool:
        """A quick look whether any unit in this battle could have the effect. False: none can."""
        return True

    def due(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit has the effect as the battle stands now."""
        raise NotImplementedError

    def resolve(self, g: BattleCore, unit: int) -> None:
        """Resolve the effect for the unit."""
        raise NotImplementedError


# the number of a handler is its bit in ``units.begun``
ON_START_OF_TURN: Point[StartEffect] = Point("start of the turn")
ON_START_OF_BATTLE: Point[StartEffect] = Point("start of the battle")  # ``battle.deployment.start_of_battle``


def effects_of(g: BattleCore, unit: int) -> list[int]:
    """The numbers of the effects that are due for the unit and have not been resolved this turn."""
    begun = g.units.begun[unit]
    handlers = handlers_at(g, ON_START_OF_TURN)
    return [n for n, handler in enumerate(handlers) if not begun >> n & 1 and handler.act.due(g, unit)]


def is_any_due(g: BattleCore, player: int) -> bool:
    """Whether an effect is due for any unit of a player."""
    possible = any(handler.act.possible(g) for handler in handlers_at(g, ON_START_OF_TURN))
    return possible and any(effects_of(g, unit) for unit in g.units_of(player))


class StartOfTurn(OfPlayer):
    """The start of a player's turn: effects are resolved one after the other. Once only optional ones are due, the
    player may leave them.
    """

    OVER = integer(flag())
    asks = ("start-effect",)

    def advance(self, g: BattleCore, f: int) -> int:
        if is_due(g):
            g.push(Panic)
            return GO
        player = g.stack[f + StartOfTurn.PLAYER]
        if not g.stack[f + StartOfTurn.OVER] and is_any_due(g, player):
            return g.ask(ChooseStartEffect, player)
        return g.pop()


def begin_turn(g: BattleCore, player: int) -> None:
    """Mark all effects of the player's units as not yet resolved, and the units that stand near an idol
    (wap.terrain.monument.idol-of-gork).
    """
    spurs = with_trait(g, "auras")
    for unit in g.units_of(player):
        g.units.begun[unit] = 0
        if spurs and is_spurred(g, unit):
            g.units.did[unit] |= SPURRED


class ChooseStartEffect(ChooseUnit):
    name = "start-effect"
    what = (
        "Which unit is next to do what its rules have it do at the start of the turn; done: what is optional is left."
    )
    keys = ("wap.move.start",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        super().options(g, f, mask)
        handlers, units = handlers_at(g, ON_START_OF_TURN), g.units_of(g.stack[f + StartOfTurn.PLAYER])
        mask[0] = all(handlers[n].act.optional for unit in units for n in effects_of(g, unit))

    def may(self, g: BattleCore, unit: int) -> bool:
        return bool(effects_of(g, unit))

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + StartOfTurn.OVER] = 1

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        n = effects_of(g, unit)[0]
        effect = handlers_at(g, ON_START_OF_TURN)[n].act
        g.units.begun[unit] |= 1 << n
        g.note("wap.move.start", "start of turn", unit=unit, name=effect.rule)
        effect.resolve(g, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "what is optional is left" if action == 0 else g.default_words(action)
