"""One unit of a catalogue with all its options: links are followed, hidden entries left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from wh_env.content.catalogues.library import Library
from wh_env.content.catalogues.telling import text_of
from wh_env.content.catalogues.tree import Node
from wh_env.content.errors import ContentError

MOST_WITHIN = 24  # entries within each other
MOST_ENTRIES = 20_000  # of one unit
MOST_MODELS = 100  # of a unit whose catalogue sets no limit


@dataclass(frozen=True)
class Line:
    """A profile: its name, the name of its type, and its characteristics as text."""

    name: str
    kind: str
    values: Mapping[str, str] = field(hash=False)

    def get(self, name: str) -> str:
        """A characteristic by name in any case; empty if it is missing."""
        return next((text for key, text in self.values.items() if key.lower() == name.lower()), "")


@dataclass(frozen=True)
class Entry:
    """An option of a catalogue (unit, model, upgrade or group), with the options inside it.

    Attributes:
        kind: unit, model, upgrade or group.
        least, most: how often it is chosen in its parent; ``most`` None: no limit.
        default: id of a group's first choice.
        points: of the entry alone.
        dearer: (least models, points) of larger units.
        power, stronger: the same for Power, in editions that have it.
        lines: profiles.
        rules: names of rules with appended text ("Feel No Pain 5+").
        categories: keywords.
        home: id of the catalogue that holds it, if a link leads to it.
    """

    id: str
    home: str
    name: str
    kind: str
    least: int
    most: int | None
    default: str
    points: int
    dearer: tuple[tuple[int, int], ...]
    categories: tuple[str, ...]
    lines: tuple[Line, ...]
    rules: tuple[str, ...]
    inside: tuple[Entry, ...] = field(repr=False)
    power: int = 0
    stronger: tuple[tuple[int, int], ...] = ()

    def walk(self) -> Iterator[Entry]:
        """The entry and all entries inside it."""
        yield self
        for one in self.inside:
            yield from one.walk()

    def lines_of(self, *kinds: str) -> list[Line]:
        """Profiles of these types in the entry and inside it, each once."""
        found: list[Line] = []
        for one in self.walk():
            found += [line for line in one.lines if line.kind in kinds and line not in found]
        return found

    def models(self) -> list[Entry]:
        """The models inside it; a unit without models is a model itself."""
        found = [one for one in self.walk() if one.kind == "model"]
        return found or [self]

    def sizes(self) -> tuple[int, int]:
        """Fewest and most models of a unit: the limits of its groups of models, else the sum over its models."""
        if self.kind == "model" and not any(one.kind == "model" for one in self.inside):
            return 1, 1
        low, high = self._counted()
        return max(1, low), max(1, high)

    def _counted(self) -> tuple[int, int]:
        if self.kind == "model":
            return self.least, self.most if self.most is not None else MOST_MODELS
        low = high = 0
        for one in self.inside:
            if any(inner.kind == "model" for inner in one.walk()):
                least, most = one._counted()
                low, high = low + least, high + most
        if self.kind == "group":
            low = max(low, self.least)
            high = high if self.most is None else min(high, self.most)
        return low, high


def own_parts(entry: Entry) -> list[Entry]:
    """The unit, its models and their mandatory entries."""
    found, waiting = [], [entry]
    while waiting:
        one = waiting.pop(0)
        if one.kind != "group":
            found.append(one)
        waiting += [
            inner for inner in one.inside if inner.kind in ("model", "group") or (one.kind != "group" and inner.least)
        ]
    return found


@dataclass
class _Reader:
    """Follows the links of one unit."""

    library: Library
    left_out: frozenset[str]  # names of groups and entries that are no part of a battle
    currency: str  # the id of the cost that counts
    strength: str = ""  # that of Power
    count: int = 0

    def entry(self, node: Node, above: tuple[str, ...], within: frozenset[str] = frozenset()) -> Entry | None:
        """The Entry of an entry, a group or a link; None if it is hidden or left out.

        Args:
            above: ids of the enclosing entries.
            within: these ids, and those of their links and categories.
        """
        link = None
        if node.tag == "entryLink":
            link, target = node, self.library.index.get(node.get("targetId"))
            if target is None:
                return None
            node = target
        name = text_of((link or node).get("name") or node.get("name"))
        hidden = node.get("hidden") == "true" or (link is not None and link.get("hidden") == "true")
        if hidden or name.lower() in self.left_out or node.get("id") in above:
            return None
        self.count += 1
        if len(above) >= MOST_WITHIN or self.count > MOST_ENTRIES:
            expected = f"at most {MOST_WITHIN} entries within each other and {MOST_ENTRIES} in a unit"
            raise ContentError(name or "<catalogue>", "", self.count, expected, "are too many entries")
        parts = [node] if link is None else [link, node]
        path = (*above, node.get("id"))
        categories = [c.get("targetId") for part in parts for c in part.all("categoryLinks")]
        here = within.union((part.get("id") for part in parts), categories)
        if any(
            m.get("field") == "hidden" and m.get("value") == "true" for part in parts for m in _modifiers(part, here)
        ):
            return None
        inside = [
            found
            for part in parts
            for wrapper in ("selectionEntries", "selectionEntryGroups", "entryLinks")
            for one in part.all(wrapper)
            if (found := self.entry(one, path, here)) is not None
        ]
        least, most = self.limits(parts)
        lines, rules = self.told(parts, here)
        return Entry(
            id=(link or node).get("id"),
            home=self.library.homes.get(node.get("id"), ""),
            name=name,
            kind="group" if node.tag == "selectionEntryGroup" else node.get("type", "upgrade"),
            least=least,
            most=most,
            default=node.get("defaultSelectionEntryId") or (link.get("defaultSelectionEntryId") if link else ""),
            points=self.cost(parts, self.currency),
            dearer=(),
            categories=tuple(dict.fromkeys(self.category(c) for part in parts for c in part.all("categoryLinks"))),
            lines=tuple(lines),
            rules=tuple(rules),
            inside=tuple(inside),
            power=self.cost(parts, self.strength),
        )

    def category(self, link: Node) -> str:
        """The name of a linked category: in the link's own catalogue, else in any other."""
        target, home = link.get("targetId"), self.library.homes.get(link.get("id"), "")
        name = self.library.categories.get((home, target))
        node = self.library.index.get(target)
        return name or (node if node is not None else link).get("name")

    def limits(self, parts: list[Node]) -> tuple[int, int | None]:
        """Least and most selections in the parent (None: no limit); a link's limits override its target's."""
        least, most = 0, None
        for part in reversed(parts):
            for one in part.all("constraints"):
                if (
                    one.get("field") != "selections"
                    or one.get("scope") != "parent"
                    or one.get("percentValue") == "true"
                ):
                    continue
                value = int(_number(one.get("value")))
                if one.get("type") == "min":
                    least = value
                elif one.get("type") == "max":
                    most = None if value < 0 else value
        return least, most

    @staticmethod
    def cost(parts: list[Node], currency: str) -> int:
        """The cost in a currency; a link's cost overrides its target's."""
        for part in parts:
            for one in part.all("costs"):
                if one.get("typeId") == currency:
                    return int(_number(one.get("value")))
        return 0

    def told(self, parts: list[Node], within: frozenset[str]) -> tuple[list[Line], list[str]]:
        """The profiles and rules of an entry, including linked ones and groups."""
        lines: list[Line] = []
        rules: list[str] = []
        for part in parts:
            self._tell(part, within, lines, rules, 0)
        return lines, rules

    def _tell(self, part: Node, within: frozenset[str], lines: list[Line], rules: list[str], depth: int) -> None:
        for profile in part.all("profiles"):
            if not _hidden(profile, within):
                lines.append(_line(profile, _renamed(profile, within), within))
        for rule in part.all("rules"):
            if not _hidden(rule, within):
                rules.append(_renamed(rule, within))
        for group in part.all("infoGroups"):
            if depth < MOST_WITHIN and not _hidden(group, within):
                self._tell(group, within, lines, rules, depth + 1)
        for link in part.all("infoLinks"):
            target = self.library.index.get(link.get("targetId"))
            if target is None or _hidden(link, within) or _hidden(target, within):
                continue
            if target.tag == "rule":
                rules.append(_renamed(link, within, target.get("name")))
            elif target.tag == "profile":
                lines.append(_line(target, _renamed(link, within, target.get("name")), within, link))
            elif target.tag == "infoGroup" and depth < MOST_WITHIN:
                self._tell(target, within, lines, rules, depth + 1)


def _number(text: str) -> float:
    """The number in a catalogue's text; 0 if there is none or it is 1e6 or more."""
    try:
        found = float(text)
    except ValueError:
        return 0.0
    return found if abs(found) < 1e6 else 0.0


def _holds(node: Node, within: frozenset[str]) -> bool:
    """Whether the conditions of a modifier always hold inside the enclosing ids and categories ``within``.

    Only conditions on the enclosing entries can be answered, as no choice changes them. Any other condition counts as
    not met.
    """
    met = [_met(one, within) for one in node.all("conditions")]
    met += [_group_met(one, within) for one in node.all("conditionGroups")]
    return all(met) and not node.all("repeats")


def _met(condition: Node, within: frozenset[str]) -> bool:
    inside = condition.get("childId") in within
    return {"instanceOf": inside, "notInstanceOf": not inside}.get(condition.get("type"), False)


def _group_met(group: Node, within: frozenset[str]) -> bool:
    met = [_met(one, within) for one in group.all("conditions")]
    met += [_group_met(one, within) for one in group.all("conditionGroups")]
    return any(met) if group.get("type") == "or" else all(met)


def _modifiers(node: Node, within: frozenset[str]) -> list[Node]:
    """The modifiers of an element whose conditions hold."""
    found = [one for one in node.all("modifiers") if _holds(one, within)]
    for group in node.all("modifierGroups"):
        if _holds(group, within):
            found += [one for one in group.all("modifiers") if _holds(one, within)]
    return found


def _hidden(node: Node, within: frozenset[str]) -> bool:
    """Whether a rule, a profile, a group of them or a link to one is hidden inside these ids and categories."""
    said = [one.get("value") for one in _modifiers(node, within) if one.get("field") == "hidden"]
    return (said[-1] if said else node.get("hidden")) == "true"


def _renamed(node: Node, within: frozenset[str], name: str = "") -> str:
    """The name of a rule or profile with the text that its modifiers append or set."""
    name = name or node.get("name")
    for one in _modifiers(node, within):
        if one.get("field") == "name":
            if one.get("type") == "append":
                name = f"{name} {one.get('value')}"
            elif one.get("type") == "set":
                name = one.get("value")
    return text_of(name)


def _line(profile: Node, name: str, within: frozenset[str], link: Node | None = None) -> Line:
    """A profile with its characteristics, changed by the modifiers that hold."""
    values = {one.get("name"): one.text for one in profile.all("characteristics")}
    names = {one.get("typeId"): one.get("name") for one in profile.all("characteristics")}
    for node in (profile, link):
        for one in _modifiers(node, within) if node is not None else ():
            at = names.get(one.get("field"))
            if at is not None and one.get("type") == "set":
                values[at] = one.get("value")
            elif at is not None and one.get("type") == "append":
                values[at] = f"{values[at]} {one.get('value')}".strip()
    return Line(name, profile.get("typeName"), {key: text_of(text) for key, text in values.items()})


def _cost_rows(node: Node, unit: Entry, currency: str, alone: int | None = None) -> tuple[tuple[int, int], ...]:
    """(least models, cost) of larger units, from cost modifiers with a condition on the number of models.

    Args:
        alone: cost of the smallest unit, if modifiers may add to it.
    """
    kinds = ("set",) if alone is None else ("set", "increment")
    rows: list[tuple[int, bool, int]] = []
    groups = [
        group for group in node.all("modifierGroups") if not any(i.tag.startswith("condition") for i in group.inside)
    ]
    for one in [*node.all("modifiers"), *(m for group in groups for m in group.all("modifiers"))]:
        if one.get("field") != currency or one.get("type") not in kinds:
            continue
        inner = [*one.all("conditions"), *(c for g in one.all("conditionGroups") for c in g.all("conditions"))]
        asked = [
            c
            for c in inner
            if c.get("field") == "selections" and c.get("type") in ("atLeast", "greaterThan", "equalTo")
        ]
        if len(inner) != 1 or not asked:
            continue
        [condition] = asked
        count = int(_number(condition.get("value"))) + (condition.get("type") == "greaterThan")
        more = one.get("type") == "increment"
        rows.append((count + _uncounted(unit, condition.get("childId")), more, int(_number(one.get("value")))))
    found: list[tuple[int, int]] = []
    cost = alone or 0
    for count, more, value in sorted(rows):
        cost = cost + value if more else value
        found.append((count, cost))
    return tuple(found)


def _uncounted(unit: Entry, child: str) -> int:
    """The fewest models of a unit that a condition on ``child`` does not count, such as a sergeant."""
    if child in ("model", unit.id):
        return 0
    within = next((one for one in unit.walk() if one.id == child), None)
    if within is None:
        return 0
    counted = {one.id for one in within.walk() if one.kind == "model"}
    return sum(one.least for one in unit.walk() if one.kind == "model" and one.id not in counted)


def currency_of(library: Library, name: str = "pts") -> str:
    """The id of a cost by its name; catalogues may write spaces around the name."""
    for root in library.roots.values():
        for one in root.all("costTypes"):
            if one.get("name").strip().lower() == name:
                return one.get("id")
    return "points" if name == "pts" else ""


def unit_entries(library: Library, root: Node, left_out: frozenset[str] = frozenset()) -> list[Entry]:
    """The units that a catalogue offers, its own and imported ones, in its order; each name once.

    Args:
        left_out: lower-case names of groups and entries that play no part in a battle.

    Raises:
        ContentError: a unit exceeds the limits.
    """
    currency, strength = currency_of(library), currency_of(library, "pl")
    found: dict[str, Entry] = {}
    for one in library.imported(root):
        for wrapper in ("entryLinks", "selectionEntries", "sharedSelectionEntries"):
            for node in one.all(wrapper):
                target = library.index.get(node.get("targetId")) if node.tag == "entryLink" else node
                if target is None or target.get("type") not in ("unit", "model") or not target.all("categoryLinks"):
                    continue
                reader = _Reader(library, left_out, currency, strength)
                entry = reader.entry(node, (), frozenset((root.get("id"),)))
                if entry is not None and entry.name not in found and entry.lines_of("Unit", "Model"):
                    found[entry.name] = replace(
                        entry,
                        dearer=_cost_rows(target, entry, currency),
                        stronger=_cost_rows(target, entry, strength, entry.power),
                    )
    return list(found.values())


def named_entries(library: Library, root: Node, name: str) -> list[Entry]:
    """Entries of a catalogue, other than its units, whose name starts with ``name`` (lower case)."""
    found = []
    for one in library.imported(root):
        for wrapper in ("entryLinks", "selectionEntries", "sharedSelectionEntries"):
            for node in one.all(wrapper):
                if node.get("name").lower().startswith(name):
                    entry = _Reader(library, frozenset(), "").entry(node, (), frozenset((root.get("id"),)))
                    found += [entry] if entry is not None else []
    return found
