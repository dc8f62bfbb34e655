"""The start of the turn: what rules would have done then, before any charge, in the order that the player likes (wap.move.start)."""

from __future__ import annotations

from typing import ClassVar

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag
from wh_env.core.frozen import Unchanging
from wh_env.core.procedures import GO, ChooseUnit, OfPlayer, integer
from wh_env.rulesets.wap.morale.panic_causes import is_due
from wh_env.rulesets.wap.panic.panic import Panic


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


def effects_of(g: BattleCore, unit: int) -> list[int]:
    """Numbers of the effects that are due for the unit and were not resolved this turn."""
    effects: tuple[StartEffect, ...] = g.setup.statics["start_effects"]
    begun = g.units.begun[unit]
    return [n for n, effect in enumerate(effects) if not begun >> n & 1 and effect.due(g, unit)]


def is_any_due(g: BattleCore, player: int) -> bool:
    """Whether any effect is, for any unit of a player."""
    effects: tuple[StartEffect, ...] = g.setup.statics["start_effects"]
    possible = any(effect.possible(g) for effect in effects)
    return possible and any(effects_of(g, unit) for unit in g.units_of(player))


class StartOfTurn(OfPlayer):
    """Works off what is due, one effect of one unit after the other; what is optional can be left when nothing else is due."""

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
        effects: tuple[StartEffect, ...] = g.setup.statics["start_effects"]
        units = g.units_of(g.stack[f + StartOfTurn.PLAYER])
        mask[0] = all(effects[n].optional for unit in units for n in effects_of(g, unit))

    def may(self, g: BattleCore, unit: int) -> bool:
        return bool(effects_of(g, unit))

    def declined(self, g: BattleCore, f: int) -> None:
        g.stack[f + StartOfTurn.OVER] = 1

    def chosen(self, g: BattleCore, f: int, unit: int) -> None:
        effects: tuple[StartEffect, ...] = g.setup.statics["start_effects"]
        n = effects_of(g, unit)[0]
        g.units.begun[unit] |= 1 << n
        if g.recorder is not None:
            g.note("wap.move.start", "start of turn", unit=unit, name=effects[n].rule)
        effects[n].resolve(g, unit)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return "what is optional is left" if action == 0 else g.default_words(action)
