"""The default weapons of a catalogue's model, and the other ways to arm it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product

from wh_env.content.catalogues.entries import Entry

MOST_COPIES = 6  # of one weapon on one model
MOST_COMBINATIONS = 24  # of choices of one model; above that each choice is offered by itself
WEAPON_LINES = frozenset(("Ranged Weapons", "Melee Weapons", "Weapon"))  # types of profiles, whatever the edition
Weapons = tuple[str, ...]


@dataclass(frozen=True)
class Loadout:
    """The weapons of a model by name, the name of the loadout, the most models with it (None: any), and its points."""

    name: str
    weapons: Weapons
    most: int | None = None
    points: int = 0


def is_weapon(entry: Entry) -> bool:
    """Whether an entry has weapon lines of its own."""
    return any(line.kind in WEAPON_LINES for line in entry.lines)


def weapon_entries(entry: Entry) -> Iterator[Entry]:
    """All entries in a unit that are weapons."""
    return (one for one in entry.walk() if is_weapon(one))


def loadouts(model: Entry) -> list[Loadout]:
    """The loadouts of a model, up to a limit; the default is the first.

    A group that must have a selection is a choice among its entries. An optional entry is a choice of yes or no.
    """
    choices = _choices(model)
    default = [options[0] for options in choices]
    found = {_sorted(default): Loadout("", _joined(default), points=_cost(default))}
    count = 1
    for options in choices:
        count *= len(options)
    if count <= MOST_COMBINATIONS:
        ways: Iterable[tuple[Loadout, ...]] = product(*choices)
    else:
        ways = [
            (*default[:at], option, *default[at + 1 :]) for at, options in enumerate(choices) for option in options[1:]
        ]
    for way in ways:
        name = ", ".join(option.name for option, usual in zip(way, default, strict=True) if option is not usual)
        limits = [option.most for option in way if option.most is not None]
        loadout = Loadout(name, _joined(list(way)), min(limits, default=None), _cost(list(way)))
        found.setdefault(_sorted(list(way)), loadout)
    return list(found.values())


def _sorted(way: list[Loadout]) -> Weapons:
    return tuple(sorted(_joined(way)))


def _joined(way: list[Loadout]) -> Weapons:
    return tuple(weapon for option in way for weapon in option.weapons)


def _cost(way: list[Loadout]) -> int:
    return sum(option.points for option in way)


def _choices(entry: Entry) -> list[list[Loadout]]:
    """The choices within an entry: lists of options, the default first. A fixed weapon is a choice of one."""
    found: list[list[Loadout]] = []
    if is_weapon(entry):
        found.append([Loadout(entry.name, (entry.name,))])
    for one in entry.inside:
        if one.kind in ("model", "unit") or not any(is_weapon(inner) for inner in one.walk()):
            continue
        if one.kind == "group":
            found += _group_choices(one)
        elif one.least:
            for _ in range(min(one.least, MOST_COPIES)):
                found += [*_choices(one), [Loadout("", (), points=one.points)]]
        else:
            found.append([Loadout("", ()), *_with_name(one)])
    return found


def _group_choices(group: Entry) -> list[list[Loadout]]:
    """The choices in a group: those of its mandatory entries, of its groups, and a choice among its other entries.

    That choice includes none of them unless the group has a default or needs a selection.
    """
    fixed = [one for one in group.inside if one.least and one.kind != "group"]
    found: list[list[Loadout]] = []
    for one in fixed:
        for _ in range(min(one.least, MOST_COPIES)):
            found += [*_choices(one), [Loadout("", (), points=one.points)]]
    for one in group.inside:
        if one.kind == "group":
            found += _group_choices(one)
    free = [one for one in group.inside if one not in fixed and one.kind not in ("group", "model", "unit")]
    usual = next((one for one in free if one.id == group.default), None)
    if usual is None and group.least and free:
        usual = free[0]
    options = [option for one in free if one is not usual for option in _with_name(one)]
    taken = sum(one.least for one in fixed)
    for _ in range(min(max(1, group.least - taken), MOST_COPIES) if free else 0):
        first = _with_name(usual) if usual is not None else [Loadout("", ())]
        found.append([*first, *options])
    return found


def _with_name(entry: Entry) -> list[Loadout]:
    """The first ways to arm an entry, named after it."""
    choices = _choices(entry)
    ways = islice(product(*choices), 4) if choices else [()]
    return [Loadout(entry.name, _joined(list(way)), points=entry.points + _cost(list(way))) for way in ways]
