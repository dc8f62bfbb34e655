"""A wizard has a roll on the miscast table rolled again with an item (wap.item.arcane.earthing-rod)."""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, count_of, row_of
from wh_env.core.procedures import FRAME_SIZE, DecisionKind, Procedure, beneath, integer
from wh_env.rulesets.wap.basics.carried import Moment, is_left, is_of_use, item_at, use_item
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.magic.luck import item_for
from wh_env.rulesets.wap.magic.miscasts import DETONATION, result_of, tell_miscast

AGAIN = 0  # the option


def roll_miscast(g: BattleCore, unit: int, row: int, rolled: int, into: int) -> int:
    """A spell has miscast: roll a D6, add the dice that were rolled to cast it (wap.magic.miscast.roll). Returns the
    result on the table. If the wizard has an item to roll again his player is asked, and the result is written to the
    frame beneath, at offset ``into``.
    """
    die, k = g.d6(), item_for(g, unit, Moment.MISCAST)
    if k >= 0:
        g.push(Earthing, k, row, die, rolled, into)
    else:
        tell_miscast(g, unit, row, die, rolled)
    return result_of(die, rolled)


class Earthing(Procedure):
    """A player is asked whether a roll on the miscast table is rolled again."""

    ITEM = integer(row_of("items"))
    ROW = integer(count_of("spellbook"))
    DIE = integer(between(1, FACES))
    ROLLED = integer(amount())  # dice that cast the spell
    INTO = integer(amount())  # offset in the frame beneath at which the result is written
    asks = ("earth-miscast",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the item can still be used."""
        stack, k = g.stack, g.stack[f + Earthing.ITEM]
        return stack[f + Earthing.INTO] < FRAME_SIZE and is_left(g, k) and is_of_use(g, k)

    def advance(self, g: BattleCore, f: int) -> int:
        unit = g.items.unit[g.stack[f + Earthing.ITEM]]
        return g.ask(EarthMiscast, g.units.owner[unit], unit)


class EarthMiscast(DecisionKind):
    name = "earth-miscast"
    what = "Whether a wizard rolls again on the miscast table with an item; done: the result stands."
    policy = "The wizard does if the result is 7 or more."
    keys = ("wap.item.arcane.earthing-rod",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = mask[g.setup.space.option + AGAIN] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        k, row, die, rolled, into = g.stack[f + Earthing.ITEM : f + Earthing.INTO + 1]
        if action:
            use_item(g, k, Moment.MISCAST)
            die = g.d6()
            g.stack[beneath(f) + into] = result_of(die, rolled)
        g.pop()
        tell_miscast(g, g.items.unit[k], row, die, rolled)

    @staticmethod
    def result(g: BattleCore, f: int) -> int:
        """The result that stands otherwise."""
        return result_of(g.stack[f + Earthing.DIE], g.stack[f + Earthing.ROLLED])

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        return int(g.setup.space.option + AGAIN) if EarthMiscast.result(g, f) >= DETONATION else 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        name = item_at(g, g.stack[f + Earthing.ITEM]).name
        return f"roll again with {name}" if action else f"let the miscast of {EarthMiscast.result(g, f)} stand"
