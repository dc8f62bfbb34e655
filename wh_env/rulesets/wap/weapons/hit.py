"""A hit by a blow, a shot or a rule: all that wounds and saves need to know of it (wap.special.attack-kind.scope). Also
which attacks count as shooting (wap.shoot.what-is).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from wh_env.rulesets.wap.basics import dice
from wh_env.rulesets.wap.basics.rerolls import NONE, Rerolls

# bits of ``Hit.nature``. AUTOMATIC: it needed no dice to hit. RANGED: of a shooting attack. FLAMING: it burns. ICE: it
# freezes. MAGICAL: it is magical. SWIFT: its striker always strikes first. LIGHTNING: only natural armour helps against
# it. KILLING, HEROIC: a 6 to wound slays models that a killing blow slays, or all but swarms. MORTAL: it is such a 6.
# DIRECT: armour counts as in close combat, with both hands free. SPELL: it is damage of a spell. UNHEALED: nobody
# regenerates from it. BANISHING: ward saves against it that pass are rolled again. ENGINE: a war machine shoots it
AUTOMATIC, RANGED, FLAMING, ICE, MAGICAL, SWIFT, LIGHTNING, KILLING, HEROIC, MORTAL, DIRECT, SPELL = (
    1 << n for n in range(12)
)
UNHEALED, BANISHING, ENGINE = 1 << 12, 1 << 13, 1 << 14
SLAYING = KILLING | HEROIC

MISSILE_WEAPON = "missile weapon"
# attacks from a distance, and the nature of their hits. All but direct damage and vortices are shooting attacks
# (wap.shoot.what-is); against templates and direct damage armour counts as in close combat (wap.armour.general.values)
FROM_AFAR: Mapping[str, int] = MappingProxyType(
    {
        MISSILE_WEAPON: RANGED,
        "template weapon": RANGED | DIRECT,
        "magic missile": RANGED | MAGICAL,
        "direct damage": DIRECT | MAGICAL,
        "vortex": DIRECT | MAGICAL,
    }
)

Number = dice.Number  # dice, their sides, what is added, and of a multiple by what it is multiplied
ONE: Number = (0, 6, 1)


class Hit(NamedTuple):
    """A hit.

    Attributes:
        strength, piercing: its Strength and Armour Piercing. ignores_armour: no armour save against it.
        wounding: added to the dice to wound. takes: Wounds that each unsaved wound takes.
        nature: the bits above. wound_rerolls: of the dice to wound.
        needs: the score that wounds, whatever Strength and Toughness are; 0: these decide.
        at_worst: the score that wounds even if Strength and Toughness ask for more; 0: none.
    """

    strength: int
    piercing: int = 0
    ignores_armour: bool = False
    wounding: int = 0
    takes: Number = ONE
    nature: int = 0
    wound_rerolls: Rerolls = NONE
    needs: int = 0
    at_worst: int = 0
