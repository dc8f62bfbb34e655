"""Small catalogues of the tests' own making, as BattleScribe writes them: a tree of elements to XML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

SPACE = "http://www.battlescribe.net/schema/catalogueSchema"
POINTS = "points-id"
POWER = "power-id"


def element(tag: str, inside: Sequence[str] = (), text: str = "", **attributes: str) -> str:
    """An element; a trailing underscore of an attribute's name is dropped (``type_``)."""
    told = "".join(f" {name.rstrip('_')}={quoteattr(value)}" for name, value in attributes.items())
    return f"<{tag}{told}>{escape(text)}{''.join(inside)}</{tag}>"


def wrapped(wrapper: str, inside: Sequence[str]) -> list[str]:
    """Elements in their wrapper; none where there are none."""
    return [element(wrapper, inside)] if inside else []


def profile(name: str, kind: str, modifiers: Sequence[str] = (), **values: str) -> str:
    """A profile; the type of a characteristic is called after its name."""
    rows = [element("characteristic", text=text, name=key, typeId=f"type-{key}") for key, text in values.items()]
    inside = [*wrapped("characteristics", rows), *wrapped("modifiers", modifiers)]
    return element("profile", inside, name=name, typeName=kind, hidden="false")


def model_line(name: str, **values: str) -> str:
    """Characteristics of a model of the 10th edition."""
    return profile(name, "Unit", **{"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "2", **values})


def gun(name: str, modifiers: Sequence[str] = (), **values: str) -> str:
    """A ranged weapon of the 10th edition."""
    row = {"Range": '24"', "A": "2", "BS": "3+", "S": "4", "AP": "-1", "D": "1", "Keywords": "-", **values}
    return profile(name, "Ranged Weapons", modifiers, **row)


def ability(name: str, words: str = "words that nobody stores") -> str:
    """An ability."""
    return profile(name, "Abilities", Description=words)


def limit(kind: str, value: int) -> str:
    """How often something is chosen in what it stands in."""
    return element("constraint", type=kind, value=str(value), field="selections", scope="parent")


def modifier(kind: str, field: str, value: str, conditions: Sequence[str] = ()) -> str:
    """A change of a field."""
    return element("modifier", wrapped("conditions", conditions), type=kind, field=field, value=value)


def condition(kind: str, child: str, value: int = 1) -> str:
    """What a change hangs on."""
    return element("condition", type=kind, childId=child, value=str(value), field="selections", scope="self")


def entry(
    id_: str,
    name: str,
    kind: str = "upgrade",
    *,
    profiles: Sequence[str] = (),
    rules: Sequence[str] = (),
    links: Sequence[str] = (),
    categories: Sequence[str] = (),
    inside: Sequence[str] = (),
    groups: Sequence[str] = (),
    limits: Sequence[str] = (),
    modifiers: Sequence[str] = (),
    points: int = 0,
    power: int = 0,
    hidden: str = "false",
    infos: Sequence[str] = (),
) -> str:
    """A selection entry."""
    told = [element("categoryLink", name=word, targetId=f"category-{word}") for word in categories]
    costs = [element("cost", name="pts", typeId=POINTS, value=str(points))] if points else []
    costs += [element("cost", name=" PL", typeId=POWER, value=str(power))] if power else []
    parts = [
        *wrapped("profiles", profiles),
        *wrapped("rules", [element("rule", name=rule) for rule in rules]),
        *wrapped("infoLinks", infos),
        *wrapped("entryLinks", links),
        *wrapped("categoryLinks", told),
        *wrapped("selectionEntries", inside),
        *wrapped("selectionEntryGroups", groups),
        *wrapped("constraints", limits),
        *wrapped("modifiers", modifiers),
        *wrapped("costs", costs),
    ]
    return element("selectionEntry", parts, id=id_, name=name, type=kind, hidden=hidden)


def group(
    id_: str, name: str, inside: Sequence[str] = (), links: Sequence[str] = (), limits: Sequence[str] = ()
) -> str:
    """A group of entries to choose from."""
    parts = [*wrapped("selectionEntries", inside), *wrapped("entryLinks", links), *wrapped("constraints", limits)]
    return element("selectionEntryGroup", parts, id=id_, name=name, hidden="false")


def link(target: str, name: str, id_: str = "", hidden: str = "false", limits: Sequence[str] = ()) -> str:
    """A link to an entry or group."""
    parts = wrapped("constraints", limits)
    return element("entryLink", parts, id=id_ or f"link-{target}", targetId=target, name=name, hidden=hidden)


def catalogue(
    units: Sequence[str],
    shared: Sequence[str] = (),
    id_: str = "own",
    name: str = "Own",
    linked: Sequence[str] = (),
    rules: Sequence[str] = (),
) -> str:
    """A catalogue."""
    links = [element("catalogueLink", targetId=other, name=other, importRootEntries="true") for other in linked]
    parts = [
        *wrapped("selectionEntries", units),
        *wrapped("sharedSelectionEntries", shared),
        *wrapped("sharedRules", rules),
        *wrapped("catalogueLinks", links),
    ]
    return element("catalogue", parts, xmlns=SPACE, id=id_, name=name, gameSystemId="game")


def game(name: str = "Warhammer 40,000 10th Edition") -> str:
    """A game system."""
    costs = wrapped(
        "costTypes", [element("costType", name="pts", id=POINTS), element("costType", name=" PL", id=POWER)]
    )
    return element("gameSystem", costs, id="game", name=name)


def written(
    folder: Path, units: Sequence[str], edition: str = "Warhammer 40,000 10th Edition", **more: Sequence[str]
) -> Path:
    """A catalogue beside its game system in a folder; returns the catalogue's file."""
    (folder / "game.gst").write_text(game(edition), encoding="utf-8")
    file = folder / "own.cat"
    file.write_text(catalogue(units, **more), encoding="utf-8")
    return file
