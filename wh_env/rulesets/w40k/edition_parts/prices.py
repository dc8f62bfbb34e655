"""What abilities make of the Command points of Stratagems, as an enumerated vocabulary."""

from __future__ import annotations

# the first Stratagem in each battle round that its player uses on the unit costs so many Command points less; of the
# abilities of one name one does so
SAVED = 1
FREE: dict[str, int] = {"one Stratagem in each battle round costs 1 CP less": SAVED}
# a Stratagem, by its name, that costs no Command points on the unit: whether once in each battle round for all that
# have the ability, else also where it was used on another unit in the phase
GRATIS: dict[str, tuple[str, bool]] = {
    "Heroic Intervention costs 0 CP": ("heroic-intervention", False),
    "Rapid Ingress costs 0 CP once in each battle round": ("rapid-ingress", True),
}
# the die that is needed for a Command point whenever its player uses a Stratagem on the unit
REFUNDS: dict[str, int] = {"1 CP for a Stratagem on it on 5+": 5}
