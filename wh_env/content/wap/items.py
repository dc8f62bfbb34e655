"""From the files of magic items to units that carry them.

Each effect of an item is a mapping with the words of the catalogue's tables. A reader (``item_reading``) turns it into
something of the bearer's card, weapon or armour, into an effect that acts all the time, or into a use that a player
decides on. An item with a word that no reader takes is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from wh_env.content.wap import (
    item_arcane,
    item_armour,
    item_banners,
    item_bound,
    item_enchanted,
    item_exchanges,
    item_shards,
    item_talismans,
    item_weapons,
)
from wh_env.content.wap.effect_words import read_effect
from wh_env.content.wap.gear import Gear
from wh_env.content.wap.item_files import Known, items_in, known_items
from wh_env.content.wap.item_reading import SHARED, Readers, Reading
from wh_env.content.wap.load import armour, weapons
from wh_env.content.wap.regiment import Regiment
from wh_env.content.wap.schema_items import HELM, SHIELDS, SUITS, WEAPONS, Family, ItemFile
from wh_env.content.wap.schema_magic import BoundRow, SpellRow
from wh_env.content.wap.schema_units import Card
from wh_env.core.tables import Array
from wh_env.rulesets.wap.basics.carried import Item
from wh_env.rulesets.wap.basics.effects import Effect, On
from wh_env.rulesets.wap.basics.secret_items import Acting
from wh_env.rulesets.wap.weapons.arms import Piece, Weapon

ENCHANTED = item_bound.READERS + item_shards.READERS + item_exchanges.READERS + item_enchanted.READERS
READERS: Mapping[Family, Readers] = MappingProxyType(
    {
        "weapon": item_weapons.READERS + SHARED,
        "armour": item_armour.READERS + SHARED,
        "talisman": item_talismans.READERS + SHARED,
        "enchanted": ENCHANTED + SHARED,
        "arcane": item_arcane.READERS + SHARED,
        "banner": item_banners.READERS + SHARED,
    }
)


def reading_of(known: Known) -> Reading:
    """An item as its effects are read, with what it is before that.

    Raises:
        ContentError: the game cannot play it.
    """
    row = known.row
    reading = Reading(row, known.file, known.place)
    if row.family == "weapon" and row.kind is not None:
        plain = weapons()[WEAPONS[row.kind]]
        reading.weapon = replace(plain, name=row.name, magic=True, hand=True)
    elif row.family == "armour":
        plain_piece = Piece(row.name) if row.kind == HELM else armour()[str(row.kind).replace("-", " ")]
        reading.piece = replace(plain_piece, name=row.name)
    for effect in row.effects:
        read_effect(reading, READERS[row.family], effect)
    return reading


def read_items(file: ItemFile) -> list[Reading]:
    """All items of a file, read.

    Raises:
        ContentError: the game cannot play one.
    """
    return [reading_of(Known(row, file.source, f"items[{at}]")) for at, row in enumerate(file.items)]


def replaced_by(reading: Reading) -> tuple[str, ...]:
    """The mundane armour that a magic piece replaces (wap.item.general.armour-replaces)."""
    kind = str(reading.row.kind).replace("-", " ")
    return SHIELDS if kind in SHIELDS else SUITS if kind in SUITS else ()


def equipped(unit: Regiment) -> Regiment:
    """A unit with its magic items: what they give all the time is on its card, the rest in ``gear``."""
    named = items_in(unit)
    if not named:
        return unit
    known = {**known_items(), **{each.row.name: each for each in unit.book}}
    readings = [reading_of(known[name]) for name in named]
    card, profile = unit.card, unit.card.profile
    wizard = next((each.wizard for each in readings if each.wizard is not None), None)
    for reading in readings:
        for change in reading.profile:
            profile = change(profile)
    rules = (*card.rules, *(rule for reading in readings for rule in reading.rules))
    gear = Gear(
        items=tuple(
            Item(
                each.row.name,
                each.row.rule,
                each.row.family,
                each.row.one_use,
                uses=tuple(each.uses),
                lasting=each.lasts,
                aids=each.aids,
                spell=each.holds,
                draws_lore=each.wizard is not None,
                builds=each.builds,
                grants=tuple(each.given),
            )
            for each in readings
        ),
        effects=tuple(carried_by(effect, card) for reading in readings for effect in reading.effects),
        weapons=tuple(reading.weapon for reading in readings if reading.weapon is not None),
        of_weapons=tuple(rule for reading in readings if reading.weapon is not None for rule in reading.rules),
        masters=any(each.masters for each in readings),
        learns=any(each.learns for each in readings),
        extra=max(each.extra for each in readings),
        stays_alone=any(each.stays_alone for each in readings),
        bound=tuple(each.bound for each in readings if isinstance(each.bound, BoundRow)),
        spells=tuple(each.bound for each in readings if isinstance(each.bound, SpellRow)),
        lores=() if wizard is None else wizard.lores,
        armour=tuple((each.piece, replaced_by(each)) for each in readings if each.piece is not None),
    )
    changed: dict[str, object] = {"rules": rules, "profile": profile}
    if wizard is not None:
        changed["wizard"], unit = wizard, replace(unit, level=None, lores=())
    return replace(unit, card=card.model_copy(update=changed), gear=gear)


def carried_by(effect: Effect, card: Card) -> Effect:
    """An effect that acts all the time, as its bearer carries it. The magic banner of the Battle Standard Bearer acts
    on the unit that he stands in, and ends with him (wap.item.general.banner-access).
    """
    if effect.on is not On.UNIT or not card.character:
        return effect
    return replace(effect, on=On.BESIDES, while_caster_lives=True, while_standard_flies=False)


@dataclass(frozen=True)
class Trove:
    """The magic items of a battle.

    Attributes:
        units: of both armies, each with its player.
    """

    units: Sequence[tuple[int, Regiment]]

    @property
    def items(self) -> tuple[Item, ...]:
        """The items, each once: those of both armies may be the same."""
        return tuple(dict.fromkeys(item for _, unit in self.units for item in unit.gear.items))

    @property
    def rows(self) -> list[tuple[int, Item]]:
        """(row of its bearer, item) for each that is carried."""
        return [(row, item) for row, (_, unit) in enumerate(self.units) for item in unit.gear.items]

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects that items have or can begin, each once."""
        lasting = (effect for _, unit in self.units for effect in unit.gear.effects)
        begun = (effect for item in self.items for use in item.uses for effect in use.effects())
        cursing = (effect for weapon in self.weapons for effect in weapon.curses)
        return tuple(dict.fromkeys((*lasting, *begun, *cursing)))

    @property
    def weapons(self) -> list[Weapon]:
        """The magic weapons that are carried."""
        return [weapon for _, unit in self.units for weapon in unit.gear.weapons]

    @property
    def most_effects(self) -> int:
        """The most effects of items that may act at once."""
        lasting = sum(len(unit.gear.effects) for _, unit in self.units)
        cursed = sum(len(self.units) for weapon in self.weapons if weapon.curses)
        return lasting + cursed + sum(len(use.effects()) for _, item in self.rows for use in item.uses)

    def fill(self, items: Array, acting: Array, effects: Sequence[Effect]) -> None:
        """Write the rows of ``items``, which both players know, and those of the effects that act from the start.
        ``effects``: all that the battle can have.
        """
        items["unit"] = [row for row, _ in self.rows]
        items["item"], items["seen"] = self.numbers, 1
        for k, one in enumerate(self.acting(effects)):
            acting[k]["effect"], acting[k]["unit"] = one.effect, one.unit
            acting[k]["caster"], acting[k]["player"] = one.unit, one.player

    def fill_secretly(self, items: Array) -> None:
        """Write the rows of ``items`` without what they are."""
        items["unit"], items["item"] = [row for row, _ in self.rows], -1
        items["seen"] = [item.builds for _, item in self.rows]  # what it brings lies there for all to see

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of the item of each row."""
        return tuple(self.items.index(item) for _, item in self.rows)

    def acting(self, effects: Sequence[Effect]) -> tuple[Acting, ...]:
        """The effects that act from the start, by their numbers among all ``effects`` of the battle."""
        found = [(row, player, effect) for row, (player, unit) in enumerate(self.units) for effect in unit.gear.effects]
        return tuple(Acting(effects.index(effect), row, player) for row, player, effect in found)
