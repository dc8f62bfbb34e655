"""The magic items that army lists may have (wap.item.general.*): faults of a unit by its card, and of an army."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from wh_env.content.errors import ContentError, Expected, unknown
from wh_env.content.wap.item_files import Items, Known, items_in, known_items
from wh_env.content.wap.schema_items import BANNER, FREE, HELM, SHIELDS, SUITS, WEAPONS, Family, ItemRow
from wh_env.content.wap.schema_units import Card, Entry, OneArmy, Sheet

Named = tuple[str, ItemRow]  # an item and the field of the entry that names it
MOST_ARCANE = 2  # wap.item.general.two-arcane-items
Check = Callable[[ItemRow, Card], str]  # what is expected of the card of a bearer; "" if the card has it


def faults_of_items(entry: Entry, card: Card, sheet: Sheet | Items | None = None) -> Iterator[Expected]:
    """The faults of the magic items of a unit of an army list that its card does not allow."""
    if not items_in(entry):
        return
    known = known_items(sheet)
    fields = [(f"items[{at}]", name) for at, name in enumerate(entry.items)]
    if entry.banner is not None:
        fields.append(("banner", entry.banner))
    worn = list[Named]()
    for field, name in fields:
        fault = fault_of_name(field, name, known)
        if fault is not None:
            yield fault
        elif field == "banner":
            yield from faults_of_banner(known[name].row, entry, card)
        else:
            worn.append((field, known[name].row))
    yield from faults_of_allowance(worn, card)
    for field, row in worn:
        told = next(filter(None, (check(row, card) for check in CHECKS)), "")
        if told:
            yield Expected(told, "is not to be had", field, row.name)
    yield from faults_of_families(worn)


def fault_of_name(field: str, name: str, known: Mapping[str, Known]) -> Expected | None:
    """The fault of a name that is no item's, or that stands in a field for others; None if it is none."""
    if name not in known:
        fault = unknown("", field, name, known)
        return Expected(fault.expected, fault.problem, field, name)
    if (known[name].row.family == BANNER) != (field == "banner"):
        expected = "a magic banner" if field == "banner" else "no magic banner, which stands in `banner`"
        return Expected(expected, "is not that", field, name)
    return None


def faults_of_banner(row: ItemRow, entry: Entry, card: Card) -> Iterator[Expected]:
    """The faults of a magic banner: the standard bearer of a unit carries it that may have one, and of the characters
    the Battle Standard Bearer alone (wap.item.general.banner-access).
    """
    if card.character and not entry.battle_standard:
        expected = "`battle_standard: true`, as no other character carries one (wap.item.general.banner-access)"
        yield Expected(expected, "is not to be had", "banner", row.name)
    elif card.banner is None:
        yield Expected("no magic banner (wap.item.general.banner-access)", "is not to be had", "banner", row.name)
    elif row.points > card.banner:
        expected = f"a magic banner of at most {card.banner} points (wap.item.general.banner-access)"
        yield Expected(expected, f"costs {row.points}", "banner", row.name)
    elif "standard" not in entry.command and not entry.battle_standard:
        expected = "a standard bearer among `command` (wap.item.general.banner-access)"
        yield Expected(expected, "has nobody to carry it", "banner", row.name)


def faults_of_allowance(worn: Sequence[Named], card: Card) -> Iterator[Expected]:
    """The faults of items of families that a model may not have by its card, and of items that cost too much
    (wap.item.general.common-items).
    """
    allowed: Sequence[Family] = card.items.families if card.items is not None else ()
    for field, row in worn:
        if row.family not in allowed:
            expected = f"an item of {', '.join(allowed) or 'no family'} (wap.item.general.common-items)"
            yield Expected(expected, "is not to be had", field, row.name)
    spent = sum(row.points for _, row in worn if row.counts_in_allowance)
    if card.items is not None and spent > card.items.points:
        expected = f"items of at most {card.items.points} points (wap.item.general.common-items)"
        yield Expected(expected, f"cost {spent}", "items", [row.name for _, row in worn])


def faults_of_families(worn: Sequence[Named]) -> Iterator[Expected]:
    """The faults of items that a model may not have together: it has one of each family (.one-per-family)."""
    for family in dict.fromkeys(row.family for _, row in worn):
        of_it = [(field, row) for field, row in worn if row.family == family and not row.beside_other_enchanted]
        if family == "arcane":
            yield from faults_of_arcane(of_it)
        elif len(of_it) > 1:
            field, row = of_it[1]
            expected = f"one item of the family {family}, beside {of_it[0][1].name} none"
            yield Expected(f"{expected} (wap.item.general.one-per-family)", "is a second one", field, row.name)
    for at, (field, row) in enumerate(worn):
        if row.name in [other.name for _, other in worn[:at]] and row.beside_other_enchanted:
            expected = "another item (wap.item.general.one-per-family)"
            yield Expected(expected, "is there twice", field, row.name)


def faults_of_arcane(worn: Sequence[Named]) -> Iterator[Expected]:
    """The faults of several arcane items: two at most, of which one is one-use (.two-arcane-items)."""
    rule = "(wap.item.general.two-arcane-items)"
    if len(worn) > MOST_ARCANE:
        field, row = worn[MOST_ARCANE]
        yield Expected(f"at most {MOST_ARCANE} arcane items {rule}", "is one too many", field, row.name)
    elif len(worn) == MOST_ARCANE and worn[0][1].one_use == worn[1][1].one_use:
        field, row = worn[1]
        expected = "an item that is not one-use" if row.one_use else "a one-use item"
        yield Expected(f"{expected} beside {worn[0][1].name} {rule}", "is not that", field, row.name)


# ---------------------------------------------------------------- what a card must have


def mundane(card: Card) -> frozenset[str]:
    """All mundane equipment that a model has or may have."""
    return frozenset((*card.equipment, *card.options))


def for_wizards(row: ItemRow, card: Card) -> str:
    """Only a wizard has arcane items (wap.item.general.arcane-access)."""
    if row.family != "arcane" or card.wizard is not None:
        return ""
    return "a wizard, as the item is arcane (wap.item.general.arcane-access)"


def of_its_type(row: ItemRow, card: Card) -> str:
    """A magic weapon of a special type is for models that may have such a mundane weapon
    (wap.item.general.weapon-types).
    """
    if row.family != "weapon" or row.kind is None or row.kind in FREE:
        return ""
    needed = {WEAPONS[row.kind], *(["spear (cavalry)"] if row.kind == "spear" else [])}
    if needed & mundane(card):
        return ""
    return f"{WEAPONS[row.kind]} among equipment or options, as the weapon is one (wap.item.general.weapon-types)"


def with_armour(row: ItemRow, card: Card) -> str:
    """Magic armour is for models that may have its mundane equivalent or a better one, any armour for a helm
    (wap.item.general.armour-access, .armour-other-pieces, .wizards-and-armour).
    """
    if row.family != "armour" or row.kind is None:
        return ""
    has, piece = mundane(card), row.kind.replace("-", " ")
    worn = has.intersection((*SUITS, *SHIELDS))
    if not worn and card.wizard is not None:
        return "a wizard with a suit of armour or a shield to have (wap.item.general.wizards-and-armour)"
    if row.kind == HELM:
        return "" if worn else "some mundane armour among equipment or options (wap.item.general.armour-other-pieces)"
    enough = SUITS[SUITS.index(piece) :] if piece in SUITS else ("shield", *SUITS[1:])
    if has.intersection(enough):
        return ""
    return f"one of {', '.join(enough)} among equipment or options (wap.item.general.armour-access)"


def of_a_kind(row: ItemRow, card: Card) -> str:
    """Some items are for models of one kind: infantry, models on foot."""
    on_foot = not card.is_mounted
    fits = {None: True, "infantry": card.type == "infantry" and on_foot, "on-foot": on_foot}[row.requires]
    return "" if fits else f"a bearer who is {str(row.requires).replace('-', ' ')} ({row.rule})"


CHECKS: Sequence[Check] = (for_wizards, of_its_type, with_armour, of_a_kind)


# ---------------------------------------------------------------- armies


def faults_of_uniqueness(army: OneArmy) -> Iterator[ContentError]:
    """The faults of items that an army has twice (wap.item.general.unique)."""
    met: dict[str, str] = {}
    for at, entry in enumerate(army.units):
        for name in dict.fromkeys(items_in(entry)):
            if name in met:
                field = f"units[{at}].banner" if name == entry.banner else f"units[{at}].items"
                expected = f"an item that no other unit has: it is unique, and {met[name]} has it"
                told = f"{expected} (wap.item.general.unique)"
                yield ContentError(army.source, field, name, told, "is there twice")
            else:
                met[name] = f"units[{at}]"
