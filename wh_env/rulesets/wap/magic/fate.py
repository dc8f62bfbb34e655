"""Single dice that a caster may roll again, of a casting roll or of the number of hits of a spell
(wap.lore.heavens.attribute). The dice wait in a frame, counted by their faces, while the player is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import amount, between, bits, flag, row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.magic.scrolls import counts_doubles

WIDTH = 4  # bits for the number of dice that show a face
MOST = (1 << WIDTH) - 1
SHOWN = bits((1 << WIDTH * FACES) - 1)
POOR = 2  # the default answer rolls a die again that shows at most so much


def packed(faces: Iterable[int]) -> int:
    """How many dice show each face, as the bits of a number; no more than 15 of a face are counted."""
    shown = list(faces)
    return sum(min(MOST, shown.count(face)) << WIDTH * (face - 1) for face in range(1, FACES + 1))


def unpacked(number: int) -> tuple[int, ...]:
    """The faces of dice that were packed, from the lowest."""
    return tuple(face for face in range(1, FACES + 1) for _ in range(number >> WIDTH * (face - 1) & MOST))


def has_brought(g: BattleCore, dice: Sequence[int], face: int) -> bool:
    """Whether each of the ``dice`` that show a face has brought a free die, by itself or as one of a pair
    (wap.item.arcane.power-scroll).
    """
    return face == FACES or (face > 1 and dice.count(face) % 2 == 0 and counts_doubles(g))


class Fate(Procedure):
    """A player may roll single dice again, as often as his wizard may. Each kind of roll is a subclass, which goes on
    with the dice when they stand.
    """

    UNIT = integer(row_of("units"))
    DICE = integer(SHOWN)  # not rolled again yet
    FREE = integer(SHOWN)  # ... free dice, which sixes have brought
    KEPT = integer(SHOWN)  # rolled again
    SIDES = integer(between(3, FACES))
    BRINGS = integer(flag())  # sixes bring free dice, so that they are not rolled again; pairs too by a scroll
    PLUS = integer(amount())
    OVER = integer(flag())
    asks = ("fate-die",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the player is still to be asked."""
        return Fate.goes_on(g, f)

    @staticmethod
    def goes_on(g: BattleCore, f: int) -> bool:
        """Whether there is a die to be rolled again, and the wizard may and will do that."""
        stack = g.stack
        return bool(not stack[f + Fate.OVER] and g.wizards.fate[stack[f + Fate.UNIT]] and Fate.offered(g, f))

    @staticmethod
    def ask(g: BattleCore, f: int) -> int:
        """Ask for a die."""
        unit = g.stack[f + Fate.UNIT]
        return g.ask(FateDie, g.units.owner[unit], unit)

    @staticmethod
    def own_dice(g: BattleCore, f: int) -> tuple[int, ...]:
        """What the dice show, those rolled again last; free dice not among them."""
        return unpacked(g.stack[f + Fate.DICE]) + unpacked(g.stack[f + Fate.KEPT])

    @staticmethod
    def kept(g: BattleCore, f: int) -> tuple[int, ...]:
        """What the dice show that were rolled again."""
        return unpacked(g.stack[f + Fate.KEPT])

    @staticmethod
    def free_dice(g: BattleCore, f: int) -> tuple[int, ...]:
        """What the free dice show."""
        return unpacked(g.stack[f + Fate.FREE])

    @staticmethod
    def total(g: BattleCore, f: int) -> int:
        """The sum of all dice but free ones, with what is added to it."""
        return sum(Fate.own_dice(g, f)) + int(g.stack[f + Fate.PLUS])

    @staticmethod
    def offered(g: BattleCore, f: int) -> list[int]:
        """The dice that may be rolled again: their faces, those of free dice with 6 added; each once."""
        dice = unpacked(g.stack[f + Fate.DICE])
        shown = Fate.own_dice(g, f)
        own = sorted({face for face in dice if not (g.stack[f + Fate.BRINGS] and has_brought(g, shown, face))})
        return own + sorted({FACES + face for face in unpacked(g.stack[f + Fate.FREE])})

    @staticmethod
    def roll_again(g: BattleCore, f: int, shown: int) -> None:
        """Roll one of the dice of ``offered`` again."""
        stack, is_free = g.stack, shown > FACES
        unit, old = stack[f + Fate.UNIT], shown - FACES * is_free
        new = g.roll(1, stack[f + Fate.SIDES])
        stack[f + (Fate.FREE if is_free else Fate.DICE)] -= 1 << WIDTH * (old - 1)
        stack[f + Fate.KEPT] = packed((*unpacked(stack[f + Fate.KEPT]), new))
        g.wizards.fate[unit] -= 1
        if stack[f + Fate.BRINGS] and not is_free and has_brought(g, Fate.own_dice(g, f), new):
            stack[f + Fate.FREE] = packed((*unpacked(stack[f + Fate.FREE]), g.d6()))
        g.note("wap.lore.heavens.attribute", "changes fate", unit=unit, rolls=(old, new))


class FateDie(DecisionKind):
    name = "fate-die"
    what = "Which die of a casting roll, or of the number of hits of a spell, a wizard rolls again; done: none."
    policy = "The lowest, if it shows 1 or 2."
    keys = ("wap.lore.heavens.attribute",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for shown in Fate.offered(g, f):
            mask[g.setup.space.option + shown - 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            Fate.roll_again(g, f, action - g.setup.space.option + 1)
        else:
            g.stack[f + Fate.OVER] = 1

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        lowest = min(Fate.offered(g, f), key=lambda shown: (shown - 1) % FACES)
        return int(g.setup.space.option + lowest - 1) if (lowest - 1) % FACES < POOR else 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        shown = action - g.setup.space.option + 1
        free = "free die that shows" if shown > FACES else "die that shows"
        return f"roll a {free} {(shown - 1) % FACES + 1} again" if action else "let all dice stand"
