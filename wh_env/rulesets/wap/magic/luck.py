"""A wizard rolls dice of a casting or dispelling attempt again, as many as he wishes, with an item
(wap.item.arcane.luck-stone). The dice wait in a frame, counted by their faces, while the player marks them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wh_env.core.battle import BattleCore
from wh_env.core.bounds import flag, row_of
from wh_env.core.procedures import DecisionKind, Procedure, integer
from wh_env.rulesets.wap.basics.carried import Moment, Use, is_left, is_of_use, item_at, usable, use_item
from wh_env.rulesets.wap.basics.dice import FACES
from wh_env.rulesets.wap.magic.fate import POOR, SHOWN, WIDTH, packed, unpacked
from wh_env.rulesets.wap.magic.spell_dice import Thrown


def item_for(g: BattleCore, unit: int, moment: Moment) -> int:
    """The row of an item that a unit may use itself at a moment; -1: it has none."""
    return next((k for k in usable(g, g.units.owner[unit], moment) if g.items.unit[k] == unit), -1)


@dataclass(frozen=True)
class RollsAgain(Use):
    """Dice of a roll of the bearer are rolled again; the procedure of the roll asks which."""

    def act(self, g: BattleCore, k: int) -> None:
        """The procedure rolls them."""


class Luck(Procedure):
    """A player marks the dice that are rolled again. Each kind of roll is a subclass, which goes on with the dice."""

    ITEM = integer(row_of("items"))
    DICE = integer(SHOWN)  # not marked
    FREE = integer(SHOWN)  # ... free dice, which sixes have brought
    MARKED = integer(SHOWN)
    MARKED_FREE = integer(SHOWN)
    KEPT = integer(SHOWN)  # were rolled again before
    OVER = integer(flag())
    asks = ("luck-die",)

    def fits(self, g: BattleCore, f: int) -> bool:
        """Whether the item can still be used, and there are dice."""
        k, over = g.stack[f + Luck.ITEM], g.stack[f + Luck.OVER]
        return not over and is_left(g, k) and is_of_use(g, k) and bool(Luck.shown(g, f).number)

    @staticmethod
    def offer(g: BattleCore, kind: type[Luck], k: int, thrown: Thrown, kept: Sequence[int]) -> None:
        """Let the player choose among dice that fell; ``kept``: those of them that were rolled again before."""
        dice = list(thrown.dice)
        for face in kept:
            dice.remove(face)
        g.push(kind, k, packed(dice), packed(thrown.free), 0, 0, packed(kept))

    @staticmethod
    def ask(g: BattleCore, f: int) -> int:
        """Ask for a die."""
        unit = g.items.unit[g.stack[f + Luck.ITEM]]
        return g.ask(LuckDie, g.units.owner[unit], unit)

    @staticmethod
    def is_over(g: BattleCore, f: int) -> bool:
        """Whether the dice count as they show now."""
        return bool(g.stack[f + Luck.OVER])

    @staticmethod
    def shown(g: BattleCore, f: int) -> Thrown:
        """What the dice show."""
        own, free = ((Luck.DICE, Luck.MARKED, Luck.KEPT), (Luck.FREE, Luck.MARKED_FREE))
        dice = tuple(face for at in own for face in unpacked(g.stack[f + at]))
        return Thrown(dice, tuple(face for at in free for face in unpacked(g.stack[f + at])))

    @staticmethod
    def offered(g: BattleCore, f: int) -> list[int]:
        """The dice that may be marked: their faces, those of free dice with 6 added; each once."""
        own, free = (sorted(set(unpacked(g.stack[f + at]))) for at in (Luck.DICE, Luck.FREE))
        return own + [FACES + face for face in free]

    @staticmethod
    def mark(g: BattleCore, f: int, shown: int) -> None:
        """Mark one of the dice of ``offered``."""
        is_free = shown > FACES
        one = 1 << WIDTH * (shown - FACES * is_free - 1)
        g.stack[f + (Luck.FREE if is_free else Luck.DICE)] -= one
        g.stack[f + (Luck.MARKED_FREE if is_free else Luck.MARKED)] += one

    @staticmethod
    def roll_again(g: BattleCore, f: int) -> None:
        """Roll the marked dice again. A six that is rolled again takes a free die with it, the lowest of those that
        stand; a new one brings one.
        """
        stack = g.stack
        marked, free = unpacked(stack[f + Luck.MARKED]), list(unpacked(stack[f + Luck.FREE]))
        marked_free = list(unpacked(stack[f + Luck.MARKED_FREE]))
        for _ in range(min(marked.count(FACES), len(free) + len(marked_free))):  # fate may have rolled one again
            (free or marked_free).pop(0)
        new = [g.d6() for _ in marked]
        free += [g.d6() for _ in marked_free] + [g.d6() for _ in range(new.count(FACES))]
        kept = unpacked(stack[f + Luck.KEPT])
        stack[f + Luck.KEPT], stack[f + Luck.FREE] = packed((*kept, *new)), packed(free)
        stack[f + Luck.MARKED] = stack[f + Luck.MARKED_FREE] = 0
        k = stack[f + Luck.ITEM]
        told = {"unit": g.items.unit[k], "name": item_at(g, k).name}
        g.note(item_at(g, k).rule, "rolls dice again", rolls=tuple(new), amount=len(marked) + len(marked_free), **told)

    def moment(self) -> Moment:
        """The moment of the roll."""
        raise NotImplementedError

    def is_bad(self, g: BattleCore, f: int) -> bool:
        """Whether the roll fails its purpose."""
        raise NotImplementedError


class LuckDie(DecisionKind):
    name = "luck-die"
    what = "Which die of an attempt a wizard also rolls again with an item; done: no more, and those marked are rolled."
    policy = "Dice that show 1 or 2, if the attempt has failed or miscasts."
    keys = ("wap.item.arcane.luck-stone",)

    def options(self, g: BattleCore, f: int, mask: memoryview) -> None:
        mask[0] = True
        for shown in Luck.offered(g, f):
            mask[g.setup.space.option + shown - 1] = True

    def answer(self, g: BattleCore, f: int, action: int) -> None:
        if action:
            Luck.mark(g, f, action - g.setup.space.option + 1)
            return
        if g.stack[f + Luck.MARKED] or g.stack[f + Luck.MARKED_FREE]:
            use_item(g, g.stack[f + Luck.ITEM], LuckDie.roll(g, f).moment())
            Luck.roll_again(g, f)
        g.stack[f + Luck.OVER] = 1

    @staticmethod
    def roll(g: BattleCore, f: int) -> Luck:
        """The procedure that asks."""
        found = g.setup.ruleset.procedures[g.stack[f]]
        assert isinstance(found, Luck), f
        return found

    def delegate(self, g: BattleCore, f: int, mask: memoryview) -> int:
        lowest = min(Luck.offered(g, f), key=lambda shown: (shown - 1) % FACES, default=FACES)
        poor = (lowest - 1) % FACES < POOR and LuckDie.roll(g, f).is_bad(g, f)
        return int(g.setup.space.option + lowest - 1) if poor else 0

    def describe(self, g: BattleCore, f: int, action: int) -> str:
        if action == 0:
            marked = unpacked(g.stack[f + Luck.MARKED]) + unpacked(g.stack[f + Luck.MARKED_FREE])
            return f"roll {', '.join(map(str, marked))} again" if marked else "let all dice stand"
        shown = action - g.setup.space.option + 1
        free = "free die that shows" if shown > FACES else "die that shows"
        return f"take the {free} {(shown - 1) % FACES + 1}"
