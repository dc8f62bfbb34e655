"""The start of the turn: what rules would have done then, before any charge, in the order that the player likes
(wap.move.start).
"""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.frozen import Unchanging
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer, integer
from wh_env.rulesets.wap.basics.special_rules import handlers_at
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic
from wh_env.rulesets.wap.rule_book import Point


class StartEffect(Unchanging):
    """What a rule does for a unit at the start of its player's turn.

    Attributes:
        rule: its id. optional: the player may leave it.
    """

    rule: ClassVar[str] = ""
    optional: ClassVar[bool] = False

    def possible(self, g: BattleCore) -> bool:
        """Whether any unit could have it at all, by a quick look: False settles it for all of them."""
        return True

    def due(self, g: BattleCore, unit: int) -> bool:
        """Whether the unit has it, as the battle stands now."""
        raise NotImplementedError

    def resolve(self, g: BattleCore, unit: int) -> None:
        """Do it."""
        raise NotImplementedError


# handlers are numbered by the bits of ``units.begun``
ON_START_OF_TURN: Point[StartEffect] = Point("start of the turn")
ON_START_OF_BATTLE: Point[StartEffect] = Point("start of the battle")  # ``battle.deployment.start_of_battle``


def effects_of(g: BattleCore, unit: int) -> list[int]:
    """Numbers of the effects that are due for the unit and were not resolved this turn."""
    begun = g.units.begun[unit]
    handlers = handlers_at(g, ON_START_OF_TURN)
    return [n for n, handler in enumerate(handlers) if not begun >> n & 1 and handler.act.due(g, unit)]


def is_any_due(g: BattleCore, player: int) -> bool:
    """Whether any effect is, for any unit of a player."""
    possible = any(handler.act.possible(g) for handler in handlers_at(g, ON_START_OF_TURN))
    return possible and any(effects_of(g, unit) for unit in g.units_of(player))


class StartOfTurn(OfPlayer):
    """Works off what is due, one effect of one unit after the other; what is optional can be left when nothing else is
    due.
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
    """Nothing of this turn was resolved yet."""
    for unit in g.units_of(player):
        g.units.begun[unit] = 0


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
