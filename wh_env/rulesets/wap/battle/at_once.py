"""Effects that fall at the same moment (wap.core.sequence.simultaneous).

A caller with several such effects pushes ``AtOnce`` with the player whose turn it is and, for each effect, what it
does, the unit and the amount. Effects that do not interfere are resolved in the order given. If different effects act
on one unit, the player says which comes first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, row_of
from wh_env.core.procedures import GO, DecisionKind, OfPlayer, integer
from wh_env.core.tables import ON_TABLE
from wh_env.rulesets.wap.basics.blocks import derive
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.casualties.losses import order_of_loss
from wh_env.rulesets.wap.codes import WAR_MACHINE

NOTHING, HEALS, HURTS = 0, 1, 2  # what an effect does: gives wounds back, takes wounds without saves
WORDS = ("", "is healed", "is hurt")
MOST = 4  # effects at one moment


class Effect(NamedTuple):
    """What happens (``HEALS``, ``HURTS``), to which unit, and how many wounds."""

    what: int
    unit: int
    amount: int


def fall_due(g: BattleCore, player: int, effects: Iterable[Effect]) -> None:
    """Resolve effects that fall at the same moment in the turn of ``player``.

    Raises:
        ValueError: there are more than ``MOST``.
    """
    found = list(effects)
    if len(found) > MOST:
        raise ValueError(f"fall_due: {len(found)} effects; expected at most {MOST}")
    g.push(AtOnce, player, *(value for effect in found for value in effect))


def heal(g: BattleCore, unit: int, wounds: int) -> int:
    """Give wounds back to living models of a unit, to none more than an unhurt one has; returns the number given."""
    m, given = g.models, 0
    for k in order_of_loss(g, unit):
        back = max(0, min(wounds - given, m.max_wounds[k] - m.wounds[k]))
        m.wounds[k] += back
        given += back
    if given and g.units.kind[unit] == WAR_MACHINE:  # its crew are its Unit Strength
        derive(g, unit)
    return given


class AtOnce(OfPlayer):
    """Resolve the effects of the frame, three integers each."""

    WHAT = integer(between(NOTHING, HURTS))
    UNIT = integer(row_of("units"))
    AMOUNT = integer(amount())
    WHAT_2 = integer(between(NOTHING, HURTS))
    UNIT_2 = integer(row_of("units"))
    AMOUNT_2 = integer(amount())
    WHAT_3 = integer(between(NOTHING, HURTS))
    UNIT_3 = integer(row_of("units"))
    AMOUNT_3 = integer(amount())
    WHAT_4 = integer(between(NOTHING, HURTS))
    UNIT_4 = integer(row_of("units"))
    AMOUNT_4 = integer(amount())
    asks = ("due-order",)

    def advance(self, g: BattleCore, f: int) -> int:
        left = AtOnce.left(g, f)
        if not left:
            return g.pop()
        effects = [AtOnce.effect(g, f, slot) for slot in left]
        for slot, one in zip(left, effects, strict=True):
            if not any(one.unit == other.unit and one.what != other.what for other in effects):
                AtOnce.resolve(g, f, slot)
                return GO
        return g.ask(DueOrder, g.stack[f + AtOnce.PLAYER])

    @staticmethod
    def effect(g: BattleCore, f: int, slot: int) -> Effect:
        """The effect in a slot."""
        at = f + AtOnce.WHAT + 3 * slot
        return Effect(*g.stack[at : at + 3])

    @staticmethod
    def left(g: BattleCore, f: int) -> list[int]:
        """The slots of effects that are not resolved."""
        return [slot for slot in range(MOST) if g.stack[f + AtOnce.WHAT + 3 * slot] != NOTHING]

    @staticmethod
    def resolve(g: BattleCore, f: int, slot: int) -> None:
        """Resolve the effect in a slot and empty the slot."""
        what, unit, wounds = AtOnce.effect(g, f, slot)
        at = f + AtOnce.WHAT + 3 * slot
        g.stack[at] = g.stack[at + 1] = g.stack[at + 2] = 0
        if g.units.place[unit] != ON_TABLE:
            return
        g.note("wap.core.sequence.simultaneous", WORDS[what], unit=unit, amount=wounds)
        if what == HEALS:
            heal(g, unit, wounds)
        else:
            g.push(Casualties, unit, wounds)


class DueOrder(DecisionKind):
    name = "due-order"
    what = "Which of several effects that fall at the same moment is resolved next."
    keys = ("wap.core.sequence.simultaneous",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        for slot in AtOnce.left(g, f):
            mask[g.setup.space.option + slot] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        AtOnce.resolve(g, f, action - g.setup.space.option)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        what, unit, wounds = AtOnce.effect(g, f, action - g.setup.space.option)
        return f"{g.setup.names['units'][unit]} {WORDS[what]} by {wounds}"
