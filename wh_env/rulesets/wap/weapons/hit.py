"""What a hit is, of a blow, a shot or a rule, once it is known to hit: all that wounds and saves ask of it
(wap.special.attack-kind.scope), and what counts as shooting (wap.shoot.what-is).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

# bits of ``Hit.nature``: it needed no dice to hit; it is of a shooting attack; it burns; it freezes; it is magical;
# whoever strikes always strikes first; only natural armour helps against it; a 6 to wound slays those whom a killing
# blow slays, or all but swarms; it is such a 6; armour helps against it as against blows, with both hands free
AUTOMATIC, RANGED, FLAMING, ICE, MAGICAL, SWIFT, LIGHTNING, KILLING, HEROIC, MORTAL, DIRECT = (
    1 << n for n in range(11)
)
SLAYING = KILLING | HEROIC

MISSILE_WEAPON = "missile weapon"
# attacks from a distance, and the nature of their hits: shooting attacks are all but direct damage and vortices
# (wap.shoot.what-is); templates and direct damage meet the armour that blows meet (wap.armour.general.values)
FROM_AFAR: Mapping[str, int] = MappingProxyType(
    {
        MISSILE_WEAPON: RANGED,
        "template weapon": RANGED | DIRECT,
        "magic missile": RANGED | MAGICAL,
        "direct damage": DIRECT | MAGICAL,
        "vortex": DIRECT | MAGICAL,
    }
)

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
