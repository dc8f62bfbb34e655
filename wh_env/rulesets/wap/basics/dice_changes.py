"""How an effect changes dice: those that models roll to hit, to wound and for armour saves, and those rolled at them.

``basics.changed_dice`` says what holds for a unit now.
"""

from __future__ import annotations

from dataclasses import dataclass

HIT, WOUND, ARMOUR = "hit", "wound", "armour-save"  # rolls of which faces may be rolled again
ROLLS = (HIT, WOUND, ARMOUR)


@dataclass(frozen=True)
class DiceChanges:
    """What an effect does to dice.

    Attributes:
        to_hit, to_wound: added to the dice of the models' shots and blows.
        to_hit_against: added to the dice to hit of shots and blows at them.
        armour: points that are added to their armour save. worn_armour: ... without Natural Armour.
        ones, sixes: the rolls of ``ROLLS`` of which they roll these faces again.
        blind_shots: the least die that lets them shoot where Ballistic Skill does not count; 0: they need none.
            blind_shots_against: ... that lets others shoot so at them.
        strength: the characteristic that they use in place of Strength when they wound in close combat; empty: none.
    """

    to_hit: int = 0
    to_wound: int = 0
    to_hit_against: int = 0
    armour: int = 0
    worn_armour: int = 0
    ones: tuple[str, ...] = ()
    sixes: tuple[str, ...] = ()
    blind_shots: int = 0
    blind_shots_against: int = 0
    strength: str = ""


UNCHANGED = DiceChanges()
