"""What a hit is, of a blow, a shot or a rule, once it is known to hit: all that wounds and saves ask of it (wap.special.attack-kind.scope)."""

from __future__ import annotations

from typing import NamedTuple

# bits of ``Hit.nature``: it needed no dice to hit; it is of a shot; it burns; it freezes; it is magical; whoever strikes always strikes first; only natural
# armour helps against it; a 6 to wound slays those whom a killing blow slays, or all but swarms; it is such a 6
AUTOMATIC, RANGED, FLAMING, ICE, MAGICAL, SWIFT, LIGHTNING, KILLING, HEROIC, MORTAL = (1 << n for n in range(10))
SLAYING = KILLING | HEROIC

Number = tuple[int, int, int]  # dice, their sides, what is added
ONE: Number = (0, 6, 1)


class Hit(NamedTuple):
    """What hits.

    Attributes:
        strength, piercing: of it. ignores_armour: no armour helps. wounding: added to the dice to wound.
        takes: Wounds that each unsaved wound takes. nature: bits.
    """

    strength: int
    piercing: int = 0
    ignores_armour: bool = False
    wounding: int = 0
    takes: Number = ONE
    nature: int = 0
