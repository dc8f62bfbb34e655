"""What arcane items add to the magic of their bearers all the time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Aids:
    """What an arcane item adds as long as its bearer has it. All are numbers that are added, in these units.

    Attributes:
        channel: to each die that channels. casting, dispel: to the results of attempts. casting_dice: to the most dice
            of an attempt to cast. own_dice: power dice in each own Magic phase that nobody else may use.
        stores: dice that it keeps from one Magic phase to the next, at most.
        spells: to those that its bearer knows. resistance: Magic Resistance against the spell on which it was used.
    """

    channel: int = 0
    casting: int = 0
    dispel: int = 0
    casting_dice: int = 0
    own_dice: int = 0
    stores: int = 0
    resistance: int = 0
    spells: int = 0


NO_AIDS = Aids()
