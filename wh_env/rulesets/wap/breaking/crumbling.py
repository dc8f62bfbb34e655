"""Unstable units crumble: wounds that their own models cannot lose fall on the characters in them
(wap.special.unstable, .allocation).
"""

from __future__ import annotations

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, row_of
from wh_env.core.procedures import GO, DecisionKind, Procedure, integer
from wh_env.rulesets.wap.basics.joined import joined_to
from wh_env.rulesets.wap.casualties.casualties import Casualties
from wh_env.rulesets.wap.casualties.losses import wounds_of
from wh_env.rulesets.wap.casualties.removing import suffer


def crumble(g: BattleCore, unit: int, wounds: int) -> None:
    """A unit loses so many wounds without saves; the characters in it suffer those that it cannot lose."""
    u, own = g.units, min(wounds, wounds_of(g, unit))
    heirs = sum(1 << row - g.players.first_unit[u.owner[unit]] for row in joined_to(g, unit))
    if heirs and wounds > own:
        g.push(Crumble, unit, wounds - own, heirs)
    g.push(Casualties, unit, own)


class Crumble(Procedure):
    """Divide the wounds that are left among the characters of the unit, one by one, as their player chooses."""

    UNIT = integer(row_of("units"))
    WOUNDS = integer(amount())
    HEIRS = integer(amount())  # the characters that were in the unit, bit by bit
    asks = ("crumble",)

    def advance(self, g: BattleCore, f: int) -> int:
        left = heirs_of(g, f)
        if not left or not g.stack[f + Crumble.WOUNDS]:
            return g.pop()
        if len(left) > 1 and not g.is_answered_by_default(WhoCrumbles):
            return g.ask(WhoCrumbles, g.units.owner[left[0]], left[0])
        Crumble.fall(g, f, left[0])
        return GO

    @staticmethod
    def fall(g: BattleCore, f: int, row: int) -> None:
        """A character loses one of the wounds."""
        g.stack[f + Crumble.WOUNDS] -= 1
        g.note("wap.special.unstable.allocation", "crumbles", unit=row, amount=1)
        suffer(g, row, 1)


def heirs_of(g: BattleCore, f: int) -> list[int]:
    """The characters of the frame that are alive."""
    owner = g.units.owner[g.stack[f + Crumble.UNIT]]
    first, bits = g.players.first_unit[owner], g.stack[f + Crumble.HEIRS]
    return [row for row in g.units_of(owner) if bits >> row - first & 1 and g.units.alive[row]]


class WhoCrumbles(DecisionKind):
    name = "crumble"
    what = "Which character of an Unstable unit loses the next wound that its own models cannot lose any more."
    policy = "The first of them, until he is slain."
    keys = ("wap.special.unstable.allocation",)
    squad = False

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        at = g.setup.space.own - g.players.first_unit[g.units.owner[g.stack[f + Crumble.UNIT]]]
        for row in heirs_of(g, f):
            mask[at + row] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        first = g.players.first_unit[g.units.owner[g.stack[f + Crumble.UNIT]]]
        Crumble.fall(g, f, first + action - g.setup.space.own)

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        return f"{g.default_words(action)} loses a wound"
