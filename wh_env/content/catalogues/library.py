"""Reads catalogues that refer to each other together, so that every link has its target."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from wh_env.content.catalogues.tree import ENDINGS, FORMS, Node, read_tree
from wh_env.content.errors import ContentError

HEAD = 4096  # bytes of a file that its root element stands in
MOST_FILES = 200
_ROOT_ID = re.compile(r"<(?:catalogue|gameSystem)\s[^>]*?\bid=\"([^\"]+)\"")


@dataclass
class Library:
    """Catalogues by their ids, and all elements in them that have an id.

    Attributes:
        given: the requested catalogues, in order.
        roots: all catalogues read, by id.
        index: elements by id.
        files: file names by catalogue id.
        homes: the catalogue id of an element, by the element's id.
        categories: category names by catalogue and id, as catalogues may name one differently.
        missing: names of linked catalogues that were not found.
    """

    given: list[Node] = field(default_factory=list)
    roots: dict[str, Node] = field(default_factory=dict)
    index: dict[str, Node] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    categories: dict[tuple[str, str], str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def add(self, root: Node, file: str) -> None:
        """Add a catalogue and its elements, unless it is there already."""
        name = root.get("id")
        if name in self.roots:
            return
        self.roots[name], self.files[name] = root, file
        for node in root.all("categoryEntries"):
            self.categories[name, node.get("id")] = node.get("name")
        for node in root.walk():
            if node.get("id") and node.get("id") not in self.index:
                self.index[node.get("id")] = node
                self.homes[node.get("id")] = name

    @property
    def game(self) -> str:
        """The name of the game system; empty if its file was not read."""
        return next((root.get("name") for root in self.roots.values() if root.tag == "gameSystem"), "")

    def imported(self, root: Node) -> list[Node]:
        """A catalogue and the catalogues whose units it imports."""
        found, waiting = [], [root]
        while waiting:
            one = waiting.pop(0)
            if one in found:
                continue
            found.append(one)
            for link in one.all("catalogueLinks"):
                other = self.roots.get(link.get("targetId"))
                if other is not None and link.get("importRootEntries") == "true":
                    waiting.append(other)
        return found


def _catalogues_in_folder_of(path: Path) -> dict[str, Path]:
    """Paths of the catalogues in the folder of a file, by id."""
    found: dict[str, Path] = {}
    for other in sorted(path.parent.iterdir()):
        if other.suffix.lower() in (".cat", ".gst"):
            try:
                with other.open("rb") as stream:
                    head = stream.read(HEAD).decode("utf-8", "replace")
            except OSError:
                continue
            if match := _ROOT_ID.search(head):
                found.setdefault(match[1], other)
    return found


def read_library(paths: Iterable[Path]) -> Library:
    """Read catalogues and the linked catalogues in the same folder.

    Args:
        paths: catalogue files, or folders of them.

    Raises:
        ContentError: a file cannot be read, is no catalogue or exceeds the limits; or there is no catalogue.
    """
    library = Library()
    waiting: list[tuple[Path, bool]] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in ENDINGS)
            if not inside:
                raise ContentError(str(path), "", "the folder", f"a folder with {FORMS}", "has none")
            waiting += [(p, True) for p in inside]
        else:
            waiting.append((path, True))
    folders: dict[Path, dict[str, Path]] = {}
    while waiting:
        path, asked = waiting.pop(0)
        if len(library.roots) >= MOST_FILES:
            raise ContentError(str(path), "", f"{MOST_FILES} catalogues", "fewer", "were read already")
        root = read_tree(path)
        known = root.get("id") in library.roots
        library.add(root, str(path))
        if asked and not known and root.tag == "catalogue":
            library.given.append(library.roots[root.get("id")])
        if known:
            continue
        beside = folders.setdefault(path.parent, _catalogues_in_folder_of(path))
        wanted = [(link.get("targetId"), link.get("name")) for link in root.all("catalogueLinks")]
        if root.get("gameSystemId"):
            wanted.append((root.get("gameSystemId"), "the game system"))
        for target, name in wanted:
            if target in library.roots:
                continue
            if target in beside:
                waiting.append((beside[target], False))
            elif name not in library.missing:
                library.missing.append(name)
    present = {root.get("name") for root in library.roots.values()}
    library.missing = [name for name in library.missing if name not in present]
    return library
