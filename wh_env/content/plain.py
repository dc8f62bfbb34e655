"""Plain data: the values that content consists of before a schema sees it.

They are text, whole and finite numbers, booleans, None, lists, and mappings whose keys are text or whole numbers. Files
and inline content (``Battle.load`` with a mapping, ``rules=``, ``overrides=``) keep to the same limits. They are
converted to built-in types, so that no method of a foreign class is called later.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from wh_env.content.errors import ContentError

# Shipped content stays under a tenth of each limit. Content at the limits is read in about a second and takes some
# hundred megabytes.
MOST_DEPTH = 32  # lists and mappings within each other
MOST_VALUES = 100_000  # of one file or argument, every alias counted with all it stands for
MOST_TEXT = 20_000  # characters of one text
MOST_INTEGER = 2**63 - 1

PLAIN = "text, a number, true, false, a list or a mapping"


def plain(value: Any, file: str, field: str = "") -> Any:
    """The value in built-in types; it shares no mutable object with the input. Numbers of numpy become Python numbers.

    Args:
        value: the value to convert.
        file, field: where it stands, for the message.

    Raises:
        ContentError: the value is not plain data, or exceeds the limits of this module.
    """
    return _Plain(file).of(value, field, 0)


class _Plain:
    """Converts one value and counts its parts."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.count = 0

    def of(self, value: Any, field: str, depth: int) -> Any:
        self.count += 1
        if self.count > MOST_VALUES:
            raise ContentError(self.file, "", f"{MOST_VALUES} values", "fewer", "are too many")
        if value is None or value is True or value is False:
            return value
        if isinstance(value, str):
            return checked_text(str.__str__(value), self.file, field)
        if isinstance(value, np.generic):
            value = value.item() if isinstance(value, np.bool_ | np.integer | np.floating) else _Foreign(value)
            if isinstance(value, bool):
                return value
        if isinstance(value, int):
            return checked_integer(int.__index__(value), self.file, field)
        if isinstance(value, float):
            return checked_float(float.__float__(value), self.file, field)
        if depth == MOST_DEPTH and isinstance(value, Mapping | list | tuple):
            expected = f"at most {MOST_DEPTH} lists and mappings within each other"
            raise ContentError(self.file, field, type(value).__name__, expected, "stands too deep")
        if isinstance(value, Mapping):
            return self.mapping(value, field, depth)
        if isinstance(value, list | tuple):
            items = list.__iter__(value) if isinstance(value, list) else tuple.__iter__(value)
            return [self.of(item, f"{field}[{at}]", depth + 1) for at, item in enumerate(items)]
        raise ContentError(self.file, field, _Foreign(value), PLAIN, "is none of these")

    def mapping(self, value: Mapping[Any, Any], field: str, depth: int) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, item in self.items(value, field):
            if isinstance(key, str):
                key = checked_text(str.__str__(key), self.file, field)
            elif isinstance(key, int | np.integer) and not isinstance(key, bool):
                key = checked_integer(int(key) if isinstance(key, np.integer) else int.__index__(key), self.file, field)
            else:
                raise ContentError(self.file, field, _Foreign(key), "text or a whole number", "is no key")
            if key in made:
                raise ContentError(self.file, field, key, "each key once", "stands twice")
            made[key] = self.of(item, f"{field}.{key}" if field else str(key), depth + 1)
        return made

    def items(self, value: Mapping[Any, Any], field: str) -> Iterable[tuple[Any, Any]]:
        """Keys and values of a mapping, cut off at the limit, whatever length the class claims."""
        if isinstance(value, dict):
            yield from list(dict.items(value))
            return
        try:
            for pair in value.items():
                key, item = pair
                yield key, item
        except ContentError:
            raise
        except Exception as error:  # a class of the caller's
            raise ContentError(self.file, field, _Foreign(value), PLAIN, "cannot be read") from error


class _Foreign:
    """The stand-in for a value that is no plain data, in a message: the name of its type."""

    def __init__(self, value: object) -> None:
        self.type = type(value).__name__

    def __repr__(self) -> str:
        return f"a value of the type {self.type}"


def checked_text(text: str, file: str, field: str) -> str:
    """The text unchanged.

    Raises:
        ContentError: it is too long or cannot be encoded.
    """
    if len(text) > MOST_TEXT:
        raise ContentError(file, field, text, f"at most {MOST_TEXT} characters", "is too long")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ContentError(file, field, text, "text in Unicode", "holds half a character") from None
    return text


def checked_integer(number: int, file: str, field: str) -> int:
    """The number unchanged.

    Raises:
        ContentError: it has more than 63 bits.
    """
    if not -MOST_INTEGER <= number <= MOST_INTEGER:
        raise ContentError(file, field, f"{number.bit_length()} bits", "a number of at most 63", "are too many")
    return number


def checked_float(number: float, file: str, field: str) -> float:
    """The number unchanged.

    Raises:
        ContentError: it is not finite.
    """
    if not math.isfinite(number):
        raise ContentError(file, field, number, "a finite number", "is none")
    return number
