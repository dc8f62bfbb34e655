"""What the magic items of a unit are when a battle is compiled from them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wh_env.content.wap.schema_magic import BoundRow, SpellRow
from wh_env.rulesets.wap.basics.carried import Item
from wh_env.rulesets.wap.basics.effects import Effect
from wh_env.rulesets.wap.weapons.arms import Piece, Weapon


@dataclass(frozen=True)
class Gear:
    """The magic items of a unit.

    Attributes:
        items: all of them, the banner last. effects: that act from the start of the battle, on the unit and by it.
        weapons: for close combat; their bearer fights with no others (wap.item.general.weapon-use).
        of_weapons: special rules of the bearer, as cards write them, that his magic weapons give.
        armour: each piece with the names of the mundane pieces that it replaces (wap.item.general.armour-replaces).
        masters: a wizard knows the whole of the first of his lores. learns: he may learn spells of enemy wizards.
        extra: Attacks and Strength of an attack beside his own, without a weapon; Strength 0: he has none.
        stays_alone: a character joins no unit, and no unit joins him.
        bound: the bound spells that items hold. spells: those of them that are of no lore. lores: of which the unit
            uses one at random.
    """

    items: tuple[Item, ...] = ()
    effects: tuple[Effect, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    of_weapons: tuple[str, ...] = ()
    armour: tuple[tuple[Piece, tuple[str, ...]], ...] = ()
    masters: bool = False
    learns: bool = False
    extra: tuple[int, int] = (0, 0)
    stays_alone: bool = False
    bound: tuple[BoundRow, ...] = ()
    spells: tuple[SpellRow, ...] = ()
    lores: tuple[str, ...] = ()

    @property
    def unused(self) -> Gear:
        """The same without the extra attack, which leaves a fighting profile without Attacks."""
        return replace(self, extra=(0, self.extra[1]))

    @property
    def replaced(self) -> frozenset[str]:
        """Names of the mundane armour that is not worn."""
        return frozenset(name for _, names in self.armour for name in names)


BARE = Gear()  # no magic items
