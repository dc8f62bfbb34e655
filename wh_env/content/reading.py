"""The one reader of YAML files: safe tags only, unique keys, limits on size, depth and the expansion of aliases.

It composes from the parser's events without recursion: libyaml's own composer overruns the stack on deep nesting and
unfolds any number of aliases. The result is plain data (module ``plain``).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from wh_env.content.errors import ContentError
from wh_env.content.plain import (
    MOST_DEPTH,
    MOST_VALUES,
    checked_float,
    checked_integer,
    checked_text,
)

MOST_BYTES = 2**21  # of a file; the longest that is shipped has 250,000
DIGITS = 20  # of a whole number; more has over 63 bits in any case

_SHALLOW = f"at most {MOST_DEPTH} lists and mappings within each other"
_TOO_DEEP = "maximum nesting depth"  # of libyaml from 0.2.6 on, which looks ahead of the events that it gives

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVER: Any = yaml.resolver.Resolver()
_TAG = "tag:yaml.org,2002:"
_TRUE, _FALSE = ("true", "yes", "on"), ("false", "no", "off")
_DECIMAL = re.compile(r"[-+]?[0-9][0-9_]*")
_OTHER_BASE = re.compile(r"[-+]?0(?:b[01_]+|x[0-9a-fA-F_]+)")


def read_yaml(path: Path, shown: str | None = None) -> Any:
    """The content of a YAML file as plain data.

    Args:
        path: the file.
        shown: its name in messages.

    Raises:
        ContentError: it is no readable file, no YAML in UTF-8, or exceeds the limits.
    """
    file = shown if shown is not None else str(path)
    return parse_yaml(read_bytes(path, file, MOST_BYTES), file)


def read_bytes(path: Path, file: str, most: int) -> bytes:
    """The content of an ordinary file of at most ``most`` bytes.

    Raises:
        ContentError: it is no ordinary file, cannot be read or is longer.
    """
    try:
        kind = path.stat().st_mode
        if not stat.S_ISREG(kind):
            raise ContentError(file, "", str(path), "an ordinary file", "is a folder or a device")
        with path.open("rb") as open_file:
            data = open_file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a path that cannot be one
        what = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise ContentError(file, "", str(path), "a file that exists and can be read", f"({what})") from None
    if len(data) > most:
        raise ContentError(file, "", f"more than {most} bytes", f"at most {most}", "are too many")
    return data


def parse_yaml(data: str | bytes, file: str) -> Any:
    """The content of a YAML text as plain data; see ``read_yaml``."""
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ContentError(file, "", str(error), "valid YAML in UTF-8", "makes it unreadable") from None
    if "\x00" in data:
        line = data[: data.index("\x00")].count("\n") + 1
        raise ContentError(file, f"line {line}", "\x00", "valid YAML", "makes it unreadable")
    try:
        return _Composer(file).run(data)
    except yaml.MarkedYAMLError as error:
        if _TOO_DEEP in (error.problem or ""):
            raise ContentError(file, _where(error.problem_mark), "it", _SHALLOW, "stands too deep") from None
        raise ContentError(
            file, _where(error.problem_mark), error.problem or str(error), "valid YAML", "makes it unreadable"
        ) from None
    except (yaml.YAMLError, UnicodeError) as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ContentError(file, "", what, "valid YAML in UTF-8", "makes it unreadable") from None


def _where(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""


class _Open:
    """A list or mapping that the parser has begun and not ended."""

    def __init__(self, made: Any, anchor: str | None, before: int) -> None:
        self.made = made
        self.anchor = anchor
        self.before = before  # values counted before it
        self.key: Any = None
        self.keyed = False  # whether a key waits for its value
        self.merged: list[dict[Any, Any]] = []


class _Merge:
    """The key ``<<``."""


MERGE = _Merge()


class _Composer:
    """Composes one document from its events."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.count = 0
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Any, int, int]] = {}  # value, number of values in it, depth
        self.result: Any = None
        self.documents = 0

    def run(self, text: str) -> Any:
        for event in yaml.parse(text, Loader=_Loader):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self.add(self.scalar(event), event, 1)
            elif kind is yaml.SequenceStartEvent or kind is yaml.MappingStartEvent:
                self.begin(event, [] if kind is yaml.SequenceStartEvent else {})
            elif kind is yaml.SequenceEndEvent or kind is yaml.MappingEndEvent:
                self.end(event)
            elif kind is yaml.AliasEvent:
                self.alias(event)
            elif kind is yaml.DocumentStartEvent:
                self.documents += 1
                if self.documents > 1:
                    raise self.fault(event, "---", "one document", "begins a second one")
        return self.result

    def fault(self, event: Any, value: object, expected: str, problem: str) -> ContentError:
        return ContentError(self.file, _where(event.start_mark), value, expected, problem)

    def begin(self, event: Any, made: Any) -> None:
        if event.tag not in (None, "!", _TAG + ("seq" if isinstance(made, list) else "map")):
            raise self.fault(event, _tag_shown(event.tag), "plain data without tags of its own", "is not read")
        if len(self.open) == MOST_DEPTH:
            raise self.fault(event, "it", _SHALLOW, "stands too deep")
        self.check_key(event, made)
        self.open.append(_Open(made, event.anchor, self.count))

    def end(self, event: Any) -> None:
        done = self.open.pop()
        if isinstance(done.made, dict):
            for other in done.merged:
                for key, value in other.items():
                    done.made.setdefault(key, value)
        values = self.count - done.before
        if done.anchor is not None:
            self.anchors[done.anchor] = (done.made, values + 1, _depth(done.made))
        self.count += 1
        self.put(done.made, event)

    def alias(self, event: Any) -> None:
        if event.anchor not in self.anchors:
            open_ = any(one.anchor == event.anchor for one in self.open)
            problem = "stands within itself" if open_ else "is not known"
            raise self.fault(event, f"*{event.anchor}", "the name of an anchor before it", problem)
        value, values, deep = self.anchors[event.anchor]
        if len(self.open) + deep > MOST_DEPTH:
            raise self.fault(event, f"*{event.anchor}", _SHALLOW, "stands too deep")
        self.check_key(event, value)
        self.counted(event, values)
        self.put(value, event)

    def add(self, value: Any, event: Any, values: int) -> None:
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 1, 0)
        self.counted(event, values)
        self.put(value, event)

    def counted(self, event: Any, values: int) -> None:
        self.count += values
        if self.count > MOST_VALUES:
            raise self.fault(event, "it", f"at most {MOST_VALUES} values in all", "is one too many")

    def check_key(self, event: Any, value: Any) -> None:
        """Refuse a list or mapping as a key: a key is text or a whole number."""
        if not self.open:
            return
        top = self.open[-1]
        if isinstance(top.made, dict) and not top.keyed and isinstance(value, list | dict):
            raise self.fault(event, "a list or mapping", "text or a whole number", "is no key")

    def put(self, value: Any, event: Any) -> None:
        """Put a value at the parser's place in the document."""
        if not self.open:
            self.result = value
            return
        top = self.open[-1]
        if isinstance(top.made, list):
            top.made.append(None if value is MERGE else value)
        elif top.keyed:
            top.keyed = False
            if top.key is MERGE:
                top.merged += self.mergeable(value, event)
            else:
                top.made[top.key] = "<<" if value is MERGE else value
        else:
            if value is not MERGE and (isinstance(value, bool) or not isinstance(value, str | int)):
                raise self.fault(event, value, "text or a whole number (in quotes it is text)", "is no key")
            if value is not MERGE and value in top.made:
                raise ContentError(
                    self.file,
                    _where(event.start_mark),
                    f"the key {value!r} stands twice",
                    "valid YAML",
                    "makes it unreadable",
                )
            top.key, top.keyed = value, True
            if value is not MERGE:
                top.made[value] = None  # keys keep their order, also before merged ones

    def mergeable(self, value: Any, event: Any) -> list[dict[Any, Any]]:
        """The mappings after the key ``<<``."""
        found = value if isinstance(value, list) else [value]
        if not all(isinstance(one, dict) for one in found):
            raise self.fault(event, value, "a mapping or a list of mappings behind <<", "cannot be merged")
        return found

    def scalar(self, event: Any) -> Any:
        """The value of a scalar by its tag; a plain scalar gets its tag from its form."""
        text, place = event.value, _where(event.start_mark)
        tag = event.tag
        if tag is None or tag == "!":
            plain = event.implicit[0] and tag is None
            tag = _RESOLVER.resolve(yaml.ScalarNode, text, (plain, not plain))
        kind = tag.removeprefix(_TAG)
        if kind == "merge":
            return MERGE
        make = _MAKE.get(kind)
        if make is None:
            raise self.fault(event, _tag_shown(tag), "plain data without tags of its own", "is not read")
        checked_text(text, self.file, place)
        try:
            value = make(text)
        except ValueError:
            raise self.fault(event, text, f"a value that fits the tag {_tag_shown(tag)}", "does not") from None
        if isinstance(value, float):
            return checked_float(value, self.file, place)
        return (
            value if isinstance(value, bool) or not isinstance(value, int) else checked_integer(value, self.file, place)
        )


def _depth(value: Any) -> int:
    """The nesting depth of lists and mappings, the value itself included."""
    if not isinstance(value, list | dict):
        return 0
    return 1 + max(map(_depth, value.values() if isinstance(value, dict) else value), default=0)


def _tag_shown(tag: str) -> str:
    return tag.replace(_TAG, "!!", 1)


def _integer(text: str) -> int | str:
    """A whole number as YAML 1.1 writes it; minutes and hours such as 1:30 stay text."""
    digits = text.replace("_", "")
    if _OTHER_BASE.fullmatch(text):
        return int(digits, 0) if len(digits) <= 70 else 2**64
    if not _DECIMAL.fullmatch(text):
        return text
    if len(digits) > DIGITS + 1:
        return 2**64
    bare = digits.lstrip("+-")
    if len(bare) > 1 and bare[0] == "0":
        return int(digits, 8)
    return int(digits)


def _float(text: str) -> float | str:
    digits = text.replace("_", "").lower()
    if ":" in digits:
        return text
    if digits.lstrip("+-") in (".inf", ".nan"):
        digits = digits.replace(".", "")
    return float(digits)


def _bool(text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(text)


def _text(text: str) -> str:
    return text


_MAKE: dict[str, Callable[[str], Any]] = {
    "str": _text,
    "timestamp": _text,  # days are not known to content: 2024-05-01 is a name
    "value": _text,
    "null": lambda text: None,
    "bool": _bool,
    "int": _integer,
    "float": _float,
}
