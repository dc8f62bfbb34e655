"""The default equipment of a catalogue's model (weapons and other items), and the other ways to equip it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product

from wh_env.content.catalogues.entries import Entry

MOST_COPIES = 6  # of one weapon on one model
MOST_COMBINATIONS = 24  # of choices of one model; above that each choice is offered by itself
WEAPON_LINES = frozenset(("Ranged Weapons", "Melee Weapons", "Weapon"))  # types of profiles, whatever the edition
Names = tuple[str, ...]


@dataclass(frozen=True)
class Loadout:
    """The equipment of a model by name, the name of the loadout, the most models with it (None: any), and its points.

    Attributes:
        items: equipment that abilities name and that is no weapon.
    """

    name: str
    weapons: Names
    most: int | None = None
    points: int = 0
    items: Names = ()


NOTHING = Loadout("", ())
ItemsOf = Callable[["Entry"], Names]


def no_items(entry: Entry) -> Names:
    """No entry gives items."""
    return ()


def is_weapon(entry: Entry) -> bool:
    """Whether an entry has weapon lines of its own."""
    return any(line.kind in WEAPON_LINES for line in entry.lines)


def weapon_entries(entry: Entry) -> Iterator[Entry]:
    """All entries in a unit that are weapons."""
    return (one for one in entry.walk() if is_weapon(one))


def loadouts(model: Entry, items_of: ItemsOf = no_items) -> list[Loadout]:
    """The loadouts of a model, up to a limit; the default is the first, those with more items than it the last.

    A group that must have a selection is a choice among its entries. An optional entry is a choice of yes or no.

    Args:
        items_of: returns the items that an entry gives to the model that has it.
    """
    choices = _Choices(items_of).of(model)
    default = [options[0] for options in choices]
    ways = [default, *_ways(choices, default)]
    bare = _joined(default).items
    ways.sort(key=lambda way: _joined(way).items != bare)
    found: dict[tuple[Names, Names], Loadout] = {}
    for way in ways:
        name = ", ".join(option.name for option, usual in zip(way, default, strict=True) if option is not usual)
        limits = [option.most for option in way if option.most is not None]
        whole = _joined(way)
        loadout = Loadout(name, whole.weapons, min(limits, default=None), whole.points, whole.items)
        found.setdefault((tuple(sorted(whole.weapons)), whole.items), loadout)
    return list(found.values())


def _ways(choices: list[list[Loadout]], default: list[Loadout]) -> Iterable[tuple[Loadout, ...] | list[Loadout]]:
    """All combinations of options; of too many those of the choices of weapons, and each other option by itself."""
    if _combinations(choices) <= MOST_COMBINATIONS:
        return product(*choices)
    of_items = [any(option.items for option in options) for options in choices]
    of_weapons = [options[:1] if items else options for items, options in zip(of_items, choices, strict=True)]
    single = [
        [*default[:at], option, *default[at + 1 :]] for at, options in enumerate(choices) for option in options[1:]
    ]
    if _combinations(of_weapons) <= MOST_COMBINATIONS:
        return [*product(*of_weapons), *single]
    return single


def _combinations(choices: list[list[Loadout]]) -> int:
    count = 1
    for options in choices:
        count *= len(options)
    return count


def _joined(way: Iterable[Loadout]) -> Loadout:
    """The equipment and points of several choices together; each item once, in the order of names."""
    parts = list(way)
    weapons = tuple(weapon for option in parts for weapon in option.weapons)
    items = tuple(sorted({item for option in parts for item in option.items}))
    return Loadout("", weapons, None, sum(option.points for option in parts), items)


@dataclass(frozen=True)
class _Choices:
    """Finds the choices within entries: lists of options, the default first. What is fixed is a choice of one."""

    items_of: ItemsOf

    def equips(self, entry: Entry) -> bool:
        """Whether an entry or one inside it is a weapon or gives items."""
        return any(is_weapon(one) or self.items_of(one) for one in entry.walk())

    def of(self, entry: Entry) -> list[list[Loadout]]:
        """The choices within an entry, its own equipment first."""
        found: list[list[Loadout]] = []
        items = self.items_of(entry)
        if is_weapon(entry) or items:
            found.append([Loadout(entry.name, (entry.name,) if is_weapon(entry) else (), items=items)])
        for one in entry.inside:
            if one.kind in ("model", "unit") or not self.equips(one):
                continue
            if one.kind == "group":
                found += self.in_group(one)
            elif one.least:
                for _ in range(min(one.least, MOST_COPIES)):
                    found += [*self.of(one), [Loadout("", (), points=one.points)]]
            else:
                found.append([NOTHING, *self.with_name(one)])
        return found

    def in_group(self, group: Entry) -> list[list[Loadout]]:
        """The choices in a group: those of its mandatory entries, of its groups, and a choice among its other entries.

        That choice includes none of them unless the group has a default or needs a selection.
        """
        fixed = [one for one in group.inside if one.least and one.kind != "group"]
        found: list[list[Loadout]] = []
        for one in fixed:
            for _ in range(min(one.least, MOST_COPIES)):
                found += [*self.of(one), [Loadout("", (), points=one.points)]]
        for one in group.inside:
            if one.kind == "group":
                found += self.in_group(one)
        free = [one for one in group.inside if one not in fixed and one.kind not in ("group", "model", "unit")]
        usual = next((one for one in free if one.id == group.default), None)
        if usual is None and group.least and free:
            usual = free[0]
        options = [option for one in free if one is not usual for option in self.with_name(one)]
        taken = sum(one.least for one in fixed)
        for _ in range(min(max(1, group.least - taken), MOST_COPIES) if free else 0):
            first = self.with_name(usual) if usual is not None else [NOTHING]
            found.append([*first, *options])
        return found

    def with_name(self, entry: Entry) -> list[Loadout]:
        """The first ways to equip a model with an entry, named after it."""
        choices = self.of(entry)
        ways = islice(product(*choices), 4) if choices else [()]
        found = []
        for way in ways:
            whole = _joined(way)
            found.append(Loadout(entry.name, whole.weapons, None, entry.points + whole.points, whole.items))
        return found
