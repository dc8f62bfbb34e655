"""How abilities change the cost of Stratagems in Command points (CP), as an enumerated vocabulary."""

from __future__ import annotations

# CP by which the first Stratagem that the player uses on the unit in each battle round is cheaper; only one of
# several abilities with the same name applies
SAVED = 1
FREE: dict[str, int] = {"one Stratagem in each battle round costs 1 CP less": SAVED}
# the name of a Stratagem that costs 0 CP on the unit, and a flag. True: once in each battle round for all models that
# have the ability. False: always, even if the Stratagem was used on another unit in the phase
GRATIS: dict[str, tuple[str, bool]] = {
    "Heroic Intervention costs 0 CP": ("heroic-intervention", False),
    "Tank Shock costs 0 CP": ("tank-shock", False),
    "Rapid Ingress costs 0 CP once in each battle round": ("rapid-ingress", True),
}
# the lowest D6 roll that gives the player a CP after a Stratagem was used on the unit
REFUNDS: dict[str, int] = {f"1 CP for a Stratagem on it on {n}+": n for n in range(3, 6)}
