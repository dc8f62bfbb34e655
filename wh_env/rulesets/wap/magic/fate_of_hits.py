"""Dice of the number of hits of a spell that the caster may roll again (wap.lore.heavens.attribute)."""

from __future__ import annotations

from collections.abc import Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import row_of
from wh_env.core.procedures import GO, beneath, integer
from wh_env.rulesets.wap.magic.casting import Cast, frame_of_cast
from wh_env.rulesets.wap.magic.fate import Fate, packed
from wh_env.rulesets.wap.magic.spells import Casting


class FateOfHits(Fate):
    """The number of hits of a deed on a unit was rolled; the deed goes on when the dice stand."""

    TARGET = integer(row_of("units"))

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the wizard casts a spell, and may roll one of the dice again."""
        at = frame_of_cast(g, f)
        if at < 0 or not super().fits(g, f):
            return False
        return Cast.deed(g, at) is not None

    def advance(self, g: BattleCore, f: int) -> int:
        if Fate.goes_on(g, f):
            return Fate.ask(g, f)
        target, number = g.stack[f + FateOfHits.TARGET], Fate.total(g, f)
        g.pop()
        at = frame_of_cast(g, beneath(f))
        deed = Cast.deed(g, at)
        assert deed is not None, f
        deed.land(g, Cast.casting(g, at), target, number)
        return GO


def is_asked_about(g: BattleCore, casting: Casting, unit: int, rolled: Sequence[int], sides: int, plus: int) -> bool:
    """Whether the caster may roll again some of the dice of the number of hits on a unit. He is asked then, and the
    deed that is done now goes on with ``land`` afterwards.
    """
    if not rolled or casting.caster < 0 or not g.wizards.fate[casting.caster]:
        return False
    g.push(FateOfHits, casting.caster, packed(rolled), 0, 0, sides, 0, plus, 0, unit)
    return True
