"""Recognises a list builder's file by its content, not by its name: a zip with one roster, XML or JSON.

Each form has limits, and entities are refused. Every form becomes one tree of plain dicts in the words of the JSON
form: lists in place of wrapper elements, and ``$text`` for the text of a characteristic.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any
from xml.parsers import expat

from wh_env.content.errors import ContentError

MOST_BYTES = 1 << 24  # of the file, and of the roster in a zip
MOST_RATIO = 200  # of a roster's size to its packed size
MOST_DEPTH = 64
MOST_NODES = 400_000
MOST_LIST = 100_000  # characters of a list as text
MOST_LINE = 1000  # characters of a line of it
PTS = r"[\[(]\s*(?:\+\s*)?([0-9][0-9,.]{0,9})\s*(?:pts?|points)\s*[\])]"
UNIT_LINE = re.compile(rf"^(?:Char[0-9]+:\s*)?(?:([0-9]{{1,4}})\s*x\s+)?(.+?)\s*{PTS}\s*:?\s*(.*)$", re.IGNORECASE)
FORMS = (
    "a roster of BattleScribe or New Recruit (.ros, .rosz), one of New Recruit or ListForge as JSON, "
    "or a list as text in UTF-8"
)
TEXT = "$list"  # where the tree of a list as text has it
# wrapper elements of the XML form: their content is a list
WRAPPERS = frozenset(
    (
        "forces",
        "selections",
        "profiles",
        "characteristics",
        "rules",
        "categories",
        "costs",
        "costLimits",
        "publications",
        "customNotes",
    )
)


def parse_roster(data: bytes, file: str) -> tuple[str, dict[str, Any]]:
    """The form of a file, and the roster in it; ``file`` is its name in messages.

    Raises:
        ContentError: it is no roster, or exceeds the limits.
    """
    if data[:2] == b"PK":
        form, roster = parse_roster_plain(unpacked(data, file), file)
        return f"zipped {form}", roster
    return parse_roster_plain(data, file)


def parse_roster_plain(data: bytes, file: str) -> tuple[str, dict[str, Any]]:
    """As ``parse_roster``, for data that are not zipped."""
    begins = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if begins == b"<":
        return "XML", roster_in(from_xml(data, file), file)
    if begins == b"{":
        return "JSON", roster_in(from_json(data, file), file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = ""
    if not is_list(text):
        raise ContentError(file, "", data[:20].decode("utf-8", "replace"), FORMS, "is none")
    return "text", {TEXT: text}


def is_list(text: str) -> bool:
    """Whether a text looks like a list: at least one line is a unit with its points."""
    lines = text[:MOST_LIST].splitlines()
    return any(UNIT_LINE.match(" ".join(line.split())) for line in lines if len(line) <= MOST_LINE)


def roster_in(tree: Any, file: str) -> dict[str, Any]:
    """The roster of a tree: its entry ``roster``, else the tree itself."""
    found = tree.get("roster", tree) if isinstance(tree, dict) else tree
    if not isinstance(found, dict) or not isinstance(found.get("forces"), list):
        raise ContentError(file, "roster", type(found).__name__, FORMS, "has no forces")
    return found


def unpacked(data: bytes, file: str) -> bytes:
    """The one roster in a zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = [info for info in packed.infolist() if not info.is_dir()]
            rosters = [info for info in names if info.filename.lower().endswith((".ros", ".json"))] or names
            if len(rosters) != 1:
                raise ContentError(file, "", f"{len(rosters)} files", "a zip with one roster", "are in it")
            [info] = rosters
            if info.file_size > MOST_BYTES or info.file_size > MOST_RATIO * max(1, info.compress_size):
                expected = f"at most {MOST_BYTES} bytes, packed at most {MOST_RATIO} to 1"
                raise ContentError(file, info.filename[:60], info.file_size, expected, "bytes are too many")
            with packed.open(info) as inner:
                found = inner.read(MOST_BYTES + 1)
    except ContentError:
        raise
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise ContentError(file, "", str(error)[:80], "a zip with one roster", "makes it unreadable") from None
    except Exception as error:  # a codec's own, such as zlib.error
        told = f"{type(error).__name__}: {error}"[:80]
        raise ContentError(file, "", told, "a zip with one roster", "makes it unreadable") from None
    if len(found) > MOST_BYTES:
        raise ContentError(
            file, "", f"more than {MOST_BYTES} bytes", f"at most {MOST_BYTES}", "are too many in the roster"
        )
    return found


class _Tree:
    """A tree from XML: attributes as text, wrapper elements as lists."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.nodes = 0
        self.open: list[tuple[str, dict[str, Any], list[str]]] = []  # name, its dict, its text
        self.root: dict[str, Any] = {}

    def refuse(self, *_: Any) -> None:
        """Refuse document types and entities."""
        raise ContentError(self.file, "", "<!DOCTYPE", "XML without a document type", "is not read")

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self.nodes += 1 + len(attributes)
        if len(self.open) >= MOST_DEPTH or self.nodes > MOST_NODES:
            expected = f"at most {MOST_DEPTH} elements within each other and {MOST_NODES} in all"
            raise ContentError(self.file, "", "it", expected, "is too large")
        self.open.append((name.rpartition(" ")[2], dict(attributes), []))

    def text(self, data: str) -> None:
        if self.open:
            self.open[-1][2].append(data)

    def end(self, _: str) -> None:
        name, node, texts = self.open.pop()
        if told := "".join(texts).strip():
            node["$text"] = told
        if not self.open:
            self.root = {name: node}
            return
        parent, above, _texts = self.open[-1]
        if parent in WRAPPERS:
            above.setdefault("$list", []).append(node)
        else:
            above[name] = node.get("$list", []) if name in WRAPPERS else node


def from_xml(data: bytes, file: str) -> dict[str, Any]:
    """A tree from XML."""
    tree = _Tree(file)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = tree.refuse
    parser.EntityDeclHandler = tree.refuse
    parser.StartElementHandler = tree.begin
    parser.CharacterDataHandler = tree.text
    parser.EndElementHandler = tree.end
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        if isinstance(error, ContentError):
            raise
        raise ContentError(file, "", str(error)[:80], "well-formed XML", "makes it unreadable") from None
    return tree.root


def from_json(data: bytes, file: str) -> Any:
    """A tree from JSON."""
    try:
        tree = json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ContentError(file, "", str(error)[:80], "JSON in UTF-8", "makes it unreadable") from None
    nodes, waiting = 0, [(tree, 1)]
    while waiting:
        one, depth = waiting.pop()
        inside = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
        nodes += 1
        if depth > 2 * MOST_DEPTH or nodes + len(waiting) > MOST_NODES:
            expected = f"at most {2 * MOST_DEPTH} values within each other and {MOST_NODES} in all"
            raise ContentError(file, "", "it", expected, "is too large")
        waiting += [(value, depth + 1) for value in inside]
    return tree


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")
