"""Text exports of the official app, of New Recruit and of tournament packs.

They hold names and numbers only, so every unit needs a known datasheet. The result is the same selections as a
roster's, with the characteristics and weapon tables of the datasheets.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wh_env.content.catalogues.telling import name_of
from wh_env.content.errors import ContentError
from wh_env.content.rosters.selections import (
    ABILITY,
    ENHANCEMENTS,
    FACTION,
    MELEE,
    RANGED,
    UNIT,
    Force,
    Profile,
    Roster,
    Selection,
)
from wh_env.content.rosters.sniffing import MOST_LINE, MOST_LIST, PTS, UNIT_LINE
from wh_env.content.w10.importing.sheets import items_of
from wh_env.content.w10.schema import Datasheet, Enhancement
from wh_env.content.w40k.weapons import Weapon
from wh_env.rulesets.w40k.keywords import singular

ITEM = re.compile(r"^([\s]*)[•◦▪‣*-]\s*(.*)$")
INDENTED = re.compile(r"^(\s+)(\S.*)$")
COUNTED = re.compile(r"^([0-9]{1,4})\s*(?:x|with)?\s+(.*)$", re.IGNORECASE)
HEADED = re.compile(r"^\+\s*([A-Z ]+?)\s*:\s*(.*)$")
ONLY_POINTS = re.compile(PTS, re.IGNORECASE)
WARLORD = ("warlord", "seigneur de guerre")
# units that stand together under a heading: one of them leads the other
ATTACHED = re.compile(r"^(?:attached unit ([0-9]+)|unité ([0-9]+) attachée)$", re.IGNORECASE)
TOGETHER = re.compile(r"^(?:attached as|attachée? en tant que)\s*:", re.IGNORECASE)
HEADINGS = ("attached units", "unités attachées")
ENHANCEMENT = re.compile(
    rf"^(?:enhancements?|e|optimisations?|améliorations?)\s*:\s*(.+?)\s*(?:{PTS})?$", re.IGNORECASE
)


@dataclass
class Line:
    """A line under a unit: number, name and depth of indentation."""

    count: int
    name: str
    depth: int


@dataclass
class Listed:
    """A unit of a list: its number, name, points and lines."""

    count: int
    name: str
    points: int
    attached: str = ""  # the number of the Attached unit that it is part of
    lines: list[Line] = field(default_factory=list)


@dataclass
class Headed:
    """The data in the head of a list."""

    name: str = ""
    faction: str = ""
    detachment: str = ""
    enhancements: dict[str, int] = field(default_factory=dict)


def points_in(text: str) -> int:
    """The number of points in a text such as 1,995."""
    return int(re.sub(r"[,.]", "", text) or 0)


def read_list(text: str, file: str) -> tuple[Headed, list[Listed]]:
    """The head and the units of a list."""
    if len(text) > MOST_LIST:
        raise ContentError(file, "", len(text), f"at most {MOST_LIST} characters", "are too many")
    head, units, plain, attached = Headed(), list[Listed](), list[str](), ""
    for number, raw in enumerate(text.splitlines(), 1):
        if len(raw) > MOST_LINE:
            raise ContentError(file, f"line {number}", len(raw), f"at most {MOST_LINE} characters", "are too many")
        line = raw.rstrip()
        stripped = " ".join(line.split())
        if not stripped or set(stripped) <= set("+-=_ ") or stripped.startswith("#"):
            continue
        if stripped.lower() in HEADINGS:
            continue
        if found := ATTACHED.match(stripped):
            attached = found[1] or found[2]
            continue
        if units and ENHANCEMENT.match(stripped):
            under(units[-1], stripped, 1)
            continue
        if stripped.isupper():
            attached = ""  # the heading of another part of the list
        title, _, points = stripped.rpartition(" - ")
        if title.count(" - ") >= 2 and ONLY_POINTS.fullmatch(points):
            head.name, head.faction, head.detachment = (name_of(part) for part in title.split(" - ", 2))
            continue
        if found := HEADED.match(stripped):
            headed(head, found[1].strip().upper(), found[2].strip())
            continue
        item = ITEM.match(line) or (INDENTED.match(line) if units else None)
        if item and units:
            under(units[-1], item[2], len(item[1].expandtabs(2)))
            continue
        if found := UNIT_LINE.match(stripped):
            name = name_of(found[2])
            if not units and not head.name and not found[1] and not found[4]:
                head.name = name  # the first line of the app's lists: the army and its points
            elif name.lower() not in SIZES:
                units.append(Listed(int(found[1] or 1), name, points_in(found[3]), attached))
                for part in found[4].split(","):
                    if part.strip():
                        under(units[-1], part.strip(), 1)
        elif not units and not stripped.isupper():
            plain.append(name_of(stripped))
    if not head.faction and plain:
        head.faction, head.detachment = plain[0], head.detachment or (plain[1] if len(plain) > 1 else "")
    return head, units


SIZES = ("combat patrol", "incursion", "strike force", "onslaught", "patrouille", "force de frappe", "offensive")


def headed(head: Headed, what: str, told: str) -> None:
    """Read a line of a tournament pack's head into ``head``."""
    if what.startswith("FACTION"):
        head.faction = name_of(told.split(" - ")[-1])
    elif what == "DETACHMENT":
        head.detachment = name_of(re.sub(r"\(.*\)", "", told))
    elif what == "ENHANCEMENT":
        head.enhancements[name_of(re.sub(r"\(.*", "", told))] = 0


def under(unit: Listed, text: str, depth: int, each: int = 1) -> None:
    """Read a line under a unit; ``each`` is the count of an item without a number.

    Lines are such as ``4x Intercessor``, ``4 with Bolt rifle, Knife``, ``Warlord``, ``1x Sergeant: Fist, Pistol``.
    """
    if TOGETHER.match(text):
        return
    before, colon, after = text.partition(":")
    if colon and not ENHANCEMENT.match(text):
        under(unit, before.strip(), depth)
        number = COUNTED.match(before.strip())
        for part in re.split(r";", after):
            if part.strip():
                under(unit, part.strip(), depth + 1, min(int(number[1]), 1000) if number else 1)
        return
    found = COUNTED.match(text)
    count, rest = (min(int(found[1]), 1000), found[2]) if found else (each, text)
    for part in rest.split(","):
        if name := name_of(re.sub(PTS, "", part)):
            unit.lines.append(listed(name, count, depth))


def listed(name: str, count: int, depth: int) -> Line:
    """A Line of one item; the item's own number, if it has one, replaces ``count``."""
    own = COUNTED.match(name)
    return Line(min(int(own[1]), 1000), name_of(own[2]), depth) if own else Line(count, name, depth)


# ---------------------------------------------------------------- with the datasheets


def profiles_in(name: str, weapon: Weapon) -> tuple[Profile, ...]:
    """The lines of a weapon table in the form of a roster."""
    found = []
    for line in weapon.profiles:
        skill = f"{line.skill}+" if line.skill else "N/A"
        values = {
            "Range": "Melee" if line.melee else f"{line.range:g}",
            "A": str(line.A),
            "BS": skill,
            "WS": skill,
            "S": str(line.S),
            "AP": str(line.AP),
            "D": str(line.D),
            "Keywords": ", ".join(map(str, line.abilities)),
        }
        found.append(Profile(f"{name} - {line.name}" if line.name else name, MELEE if line.melee else RANGED, values))
    return tuple(found)


def alike(one: str, other: str) -> bool:
    """Whether two names are equal except for case and plural."""
    return one.lower() == other.lower() or singular(one.upper()) == singular(other.upper())


class Fitting:
    """A unit of a list with its datasheet."""

    def __init__(self, listed: Listed, sheet: Datasheet, head: Headed, known: Mapping[str, Enhancement]) -> None:
        self.listed, self.sheet, self.head, self.known = listed, sheet, head, known
        self.items = items_of(sheet)
        self.unknown: list[str] = []

    def weapon(self, line: Line) -> Selection | None:
        """The weapon of the datasheet that a line names, as a selection; None: there is none."""
        for name, weapon in self.sheet.weapons.items():
            if alike(name, line.name):
                return upgrade(name, line.count, profiles_in(name, weapon))
        return None

    def item(self, line: Line) -> Selection | None:
        """The item of the datasheet that a line names, as a selection; None: there is none."""
        return next((upgrade(name, line.count, ()) for name in self.items.values() if alike(name, line.name)), None)

    def kind(self, name: str) -> Any:
        """The type of model of the datasheet with this name; None: there is none."""
        return next((kind for kind in self.sheet.models if alike(kind.name, name)), None)

    def characteristics(self, kind: Any) -> Profile:
        """The characteristics of a type of model in the form of a roster."""
        values = {
            "M": f'{kind.M:g}"',
            "T": str(kind.T),
            "SV": f"{kind.Sv}+",
            "W": str(kind.W),
            "LD": f"{kind.Ld}+",
            "OC": str(kind.OC),
        }
        return Profile(kind.name, UNIT, values)

    def selection(self) -> Selection:
        """The unit as it was chosen; models that are not listed have the weapons of the datasheet."""
        extras, models = list[Selection](), list[tuple[Any, int, list[Selection]]]()
        loose = list[Selection]()
        for line in self.listed.lines:
            if extra := self.extra(line):
                extras.append(extra)
            elif kind := self.kind(line.name):
                models.append((kind, line.count, []))
            elif weapon := self.weapon(line):
                (models[-1][2] if models else loose).append(weapon)
            elif item := self.item(line):
                (models[-1][2] if models else extras).append(item)
            elif not (line.name.lower() in self.listed.name.lower() and line.depth <= 1):
                self.unknown.append(line.name)
        if not models:
            models = self.unlisted(loose)
        inside = [self.model(kind, count, carried) for kind, count, carried in models]
        categories = (*(FACTION + name for name in self.sheet.faction_keywords), *self.sheet.keywords)
        ward = next((kind.invuln for kind in self.sheet.models if kind.invuln), None)
        abilities = (
            (Profile("Invulnerable Save", ABILITY, {"Description": f"{ward}+ invulnerable save"}),) if ward else ()
        )
        cost = max(0, self.listed.points - sum(extra.points for extra in extras))
        return Selection(
            self.sheet.name, "unit", 1, cost, self.listed.attached, categories, abilities, (), (*extras, *inside)
        )

    def extra(self, line: Line) -> Selection | None:
        """The selection of a line that is the Warlord or an Enhancement; else None."""
        if line.name.lower() in WARLORD:
            return upgrade("Warlord", 1, ())
        found = ENHANCEMENT.match(line.name)
        name = name_of(found[1]) if found else line.name
        if found or name in self.known or name in self.head.enhancements:
            told = points_in(found[2]) if found and found[2] else 0
            cost = self.known[name].points if name in self.known else told
            return Selection(name, "upgrade", 1, cost, ENHANCEMENTS, (), (), (), ())
        return None

    def unlisted(self, loose: Sequence[Selection]) -> list[tuple[Any, int, list[Selection]]]:
        """The models that the list does not name: the unit's number, shared out by the datasheet."""
        wanted = max(self.listed.count, self.sheet.smallest)
        found, left = [], wanted - self.sheet.smallest
        for kind in self.sheet.models:
            more = min(left, kind.max - kind.min)
            left -= more
            if kind.min + more:
                found.append((kind, kind.min + more, list(loose) if len(self.sheet.models) == 1 else []))
        return found

    def model(self, kind: Any, count: int, carried: list[Selection]) -> Selection:
        """Models of a type with their equipment; without listed weapons they have those of the datasheet."""
        own = list(carried)
        if not any(one.profiles for one in carried):
            own += [upgrade(name, count, profiles_in(name, self.sheet.weapons[name])) for name in kind.weapons]
            own += [upgrade(name, count, ()) for name in kind.wargear]
        return Selection(kind.name, "model", count, 0, "", (), (self.characteristics(kind),), (), tuple(own))


def upgrade(name: str, count: int, profiles: tuple[Profile, ...]) -> Selection:
    """An upgrade with these profiles and no cost."""
    return Selection(name, "upgrade", count, 0, "", (), profiles, (), ())


def roster_from(
    text: str, sheets: Mapping[str, Datasheet], enhancements: Mapping[str, Enhancement], file: str
) -> tuple[Roster, list[str]]:
    """The roster of a list, and its lines that no datasheet explains.

    Args:
        sheets: the known datasheets by lower-case name.
        enhancements: the known Enhancements by name.

    Raises:
        ContentError: the list has no unit, or a unit has no datasheet.
    """
    head, units = read_list(text, file)
    if not units:
        raise ContentError(file, "", "no unit with its points", "lines such as Captain (80 points)", "stands in it")
    missing = sorted({unit.name for unit in units} - {unit.name for unit in units if unit.name.lower() in sheets})
    if missing:
        named = ", ".join(missing)
        command = "wh-env import CATALOGUE --units " + " ".join(shlex.quote(name) for name in missing)
        expected = f"datasheets of all units; there are none of {named}. Make them from a catalogue: {command}"
        raise ContentError(file, "units", len(missing), expected, "of its units have no datasheet")
    chosen, unknown = [], []
    for unit in units:
        fitting = Fitting(unit, sheets[unit.name.lower()], head, enhancements)
        chosen.append(fitting.selection())
        unknown += [f"{unit.name}: {name[:60]!r} is not on its datasheet" for name in fitting.unknown]
    choice = Selection(
        "Detachment", "upgrade", 1, 0, "", (), (), (), (upgrade(head.detachment, 1, ()),) if head.detachment else ()
    )
    return Roster(head.name or "Imported army", "", (Force(head.faction or "unknown", (choice, *chosen)),)), unknown
