"""A scroll that may turn an enemy wizard into a toad once his spell is over, and how he becomes himself again
(wap.item.arcane.sivejirs-hex-scroll).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import count_of
from wh_env.core.procedures import DecisionKind, OfPlayer, integer
from wh_env.rulesets.wap.basics.carried import item_at
from wh_env.rulesets.wap.basics.effects import (
    Bares,
    Effect,
    begin_effect,
    effect_of,
    end_effect,
    number_of,
    renew,
    rows_in_use,
)
from wh_env.rulesets.wap.basics.forms import as_it_is
from wh_env.rulesets.wap.magic.scrolls import Scroll
from wh_env.rulesets.wap.magic.spells import Casting
from wh_env.rulesets.wap.magic.wizards import level_of

ROLL = 0  # the option


@dataclass(frozen=True)
class Toad(Bares):
    """The model is a toad. ``rule``: why. ``needed``: the least die with which it is itself again."""

    rule: str
    needed: int


@dataclass(frozen=True)
class Hexes(Scroll):
    """When the spell is over, the wizard who has cast it rolls a D6; if it is higher than his level, the effect begins
    on him, in the form that he has.
    """

    effect: Effect = field(kw_only=True)

    def effects(self) -> tuple[Effect, ...]:
        return (self.effect,)

    def after(self, g: BattleCore, k: int, casting: Casting, rolled: int) -> None:
        unit, level = as_it_is(g, casting.caster), level_of(g, casting.caster)
        if not g.units.alive[unit]:
            return
        die = g.d6()
        told = {"unit": unit, "die": die, "needed": level, "result": int(die > level)}
        g.note(item_at(g, k).rule, "may become a toad", **told)
        if die > level:
            bearer = g.items.unit[k]
            begin_effect(g, number_of(g, self.effect), unit, g.units.owner[bearer], bearer)
            renew(g)  # what his equipment does to others is over


def toad_on(g: BattleCore, k: int) -> Toad | None:
    """What the effect of row ``k`` is if it makes a toad of its unit."""
    return next((power for power in effect_of(g, k).powers if isinstance(power, Toad)), None)


def toads_of(g: BattleCore, player: int) -> dict[int, int]:
    """The units of a player that are toads, each with the row of the effect."""
    if not g.setup.statics["bare"]:
        return {}
    rows = (k for k in rows_in_use(g) if toad_on(g, k) is not None)
    return {g.effects.unit[k]: k for k in rows if g.units.owner[g.effects.unit[k]] == player}


class ShakeOff(OfPlayer):
    """A player may roll for each of his units that is a toad, in the order of their rows."""

    DONE = integer(count_of("units"))  # units that were asked about: those below this row
    asks = ("shake-off",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether a toad is left."""
        return ShakeOff.next_toad(g, f) >= 0

    def advance(self, g: BattleCore, f: int) -> int:
        unit = ShakeOff.next_toad(g, f)
        return g.ask(ShakeItOff, g.stack[f + ShakeOff.PLAYER], unit) if unit >= 0 else g.pop()

    @staticmethod
    def next_toad(g: BattleCore, f: int) -> int:
        """The unit that is asked about next; -1: none is left."""
        toads = toads_of(g, g.stack[f + ShakeOff.PLAYER])
        return min((unit for unit in toads if unit >= g.stack[f + ShakeOff.DONE]), default=-1)


class ShakeItOff(DecisionKind):
    name = "shake-off"
    what = "Whether a die is rolled by which a wizard who is a toad becomes himself again; done: it is not."
    policy = "It is."
    keys = ("wap.item.arcane.sivejirs-hex-scroll",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option + ROLL] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        unit = ShakeOff.next_toad(g, f)
        g.stack[f + ShakeOff.DONE] = unit + 1
        if action == 0:
            return
        k = toads_of(g, g.stack[f + ShakeOff.PLAYER])[unit]
        toad, die = toad_on(g, k), g.d6()
        assert toad is not None
        told = {"unit": unit, "die": die, "needed": toad.needed, "result": int(die >= toad.needed)}
        g.note(toad.rule, "may be no toad any more", **told)
        if die >= toad.needed:
            end_effect(g, k)

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option + ROLL)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = g.setup.names["units"][ShakeOff.next_toad(g, f)]
        return f"{name} tries to be itself again" if action else f"{name} stays a toad"
