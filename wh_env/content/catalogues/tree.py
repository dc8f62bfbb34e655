"""One catalogue file as a tree.

It is XML, plain or zipped, with limits on bytes, depth and elements. Document types and entities are refused.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from wh_env.content.errors import ContentError
from wh_env.content.reading import read_bytes

MOST_BYTES = 1 << 25  # of a file, and of the catalogue in a zip
MOST_RATIO = 200  # of a catalogue's size to its packed size
MOST_DEPTH = 96
MOST_ELEMENTS = 1_000_000
ENDINGS = (".cat", ".gst", ".catz", ".gstz", ".zip")
FORMS = "a catalogue or game system of BattleScribe (.cat, .gst, or one of them zipped)"


@dataclass(slots=True)
class Node:
    """An element: its name without namespace, attributes, text, and inner elements."""

    tag: str
    attributes: dict[str, str]
    text: str = ""
    inside: list[Node] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        """The value of an attribute."""
        return self.attributes.get(name, default)

    def all(self, tag: str) -> list[Node]:
        """The elements in the wrapper named ``tag``: ``all("profiles")`` are the profiles."""
        for one in self.inside:
            if one.tag == tag:
                return one.inside
        return []

    def walk(self) -> Iterator[Node]:
        """The element and every element below it."""
        waiting = [self]
        while waiting:
            one = waiting.pop()
            yield one
            waiting += reversed(one.inside)


class _Builder:
    """Builds the tree while the parser reads."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.elements = 0
        self.open: list[Node] = []
        self.texts: list[list[str]] = []
        self.root: Node | None = None

    def refuse(self, *_: object) -> None:
        raise ContentError(self.file, "", "<!DOCTYPE", "XML without a document type", "is not read")

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if len(self.open) >= MOST_DEPTH or self.elements > MOST_ELEMENTS:
            expected = f"at most {MOST_DEPTH} elements within each other and {MOST_ELEMENTS} in all"
            raise ContentError(self.file, "", "it", expected, "is too large")
        node = Node(name.rpartition(" ")[2], attributes)
        if self.open:
            self.open[-1].inside.append(node)
        else:
            self.root = node
        self.open.append(node)
        self.texts.append([])

    def data(self, text: str) -> None:
        if self.texts:
            self.texts[-1].append(text)

    def end(self, _: str) -> None:
        self.open.pop().text = "".join(self.texts.pop()).strip()


def read_tree(path: Path) -> Node:
    """The root element of a catalogue file.

    Raises:
        ContentError: the file cannot be read, is no catalogue, or exceeds the limits.
    """
    return parse_tree(read_bytes(path, str(path), MOST_BYTES), str(path))


def parse_tree(data: bytes, file: str) -> Node:
    """The root element of a catalogue in bytes; ``file`` is its name in messages.

    Raises:
        ContentError: as for ``read_tree``.
    """
    if data[:2] == b"PK":
        data = _unzipped(data, file)
    builder = _Builder(file)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = builder.refuse
    parser.EntityDeclHandler = builder.refuse
    parser.StartElementHandler = builder.begin
    parser.CharacterDataHandler = builder.data
    parser.EndElementHandler = builder.end
    try:
        parser.Parse(data, True)
    except ContentError:
        raise
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise ContentError(file, "", str(error)[:80], FORMS, "makes it unreadable") from None
    root = builder.root
    if root is None or root.tag not in ("catalogue", "gameSystem"):
        raise ContentError(file, "", root.tag if root else "nothing", FORMS, "is none")
    return root


def _unzipped(data: bytes, file: str) -> bytes:
    """The one catalogue in a zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            every = [info for info in packed.infolist() if info.filename.lower().endswith((".cat", ".gst"))]
            if len(every) != 1:
                raise ContentError(file, "", f"{len(every)} catalogues", "a zip with one catalogue", "are in it")
            [info] = every
            if info.file_size > MOST_BYTES or info.file_size > MOST_RATIO * max(1, info.compress_size):
                expected = f"at most {MOST_BYTES} bytes, packed at most {MOST_RATIO} to 1"
                raise ContentError(file, info.filename[:60], info.file_size, expected, "bytes are too many")
            with packed.open(info) as inner:
                found = inner.read(MOST_BYTES + 1)
    except ContentError:
        raise
    except Exception as error:  # zipfile and the codecs below it raise errors of many kinds for damaged bytes
        told = f"{type(error).__name__}: {error}"[:80]
        raise ContentError(file, "", told, "a zip with one catalogue", "makes it unreadable") from None
    if len(found) > MOST_BYTES:
        raise ContentError(file, "", f"more than {MOST_BYTES} bytes", f"at most {MOST_BYTES}", "are too many")
    return found
