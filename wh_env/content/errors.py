"""The one kind of error for any fault in a configuration: it names file, field, value and what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError


class _Missing:
    """The value of a field that is not there; a single object, also after pickling."""

    def __reduce__(self) -> str:
        return "_MISSING"


_MISSING = _Missing()
MANY = 24  # the most names that a message lists
LONGEST = 160  # characters of a path of fields, of which the end says more than the beginning
FAULTS = 100  # the most faults of one reading that are reported


class ContentError(ValueError):
    """A configuration holds a value that cannot be used.

    Attributes:
        file: its file (a path, or a name such as ``<army>`` for an inline dict).
        field: the dotted path of the field in that file, e.g. ``units[2].datasheet``.
        value: the value found.
        expected: the values that are allowed.
        problem: the fault of the value.
        others: further faults found in the same reading.
    """

    def __init__(
        self,
        file: str,
        field: str,
        value: object,
        expected: str,
        problem: str = "is not valid",
        others: Sequence[ContentError] = (),
    ) -> None:
        self.file = file
        self.field = field
        self.value = value
        self.expected = expected
        self.problem = problem
        self.others = tuple(others)
        super().__init__(str(self))

    def __str__(self) -> str:
        field = self.field if len(self.field) <= LONGEST else "..." + self.field[-LONGEST:]
        where = f"{self.file}: {field}: " if field else f"{self.file}: "
        what = self.problem if self.value is _MISSING else f"{shorten(self.value)} {self.problem}"
        more = f" (and {len(self.others)} more)" if self.others else ""
        return "\n".join([f"{where}{what}; expected {self.expected}{more}", *map(str, self.others)])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.file, self.field, self.value, self.expected, self.problem, self.others)


def together(faults: Sequence[ContentError]) -> ContentError:
    """One error for several: the first fault, with all others in its ``others``."""
    first, *rest = [one for fault in faults for one in (fault, *fault.others)]
    lone = [ContentError(e.file, e.field, e.value, e.expected, e.problem) for e in rest]
    return ContentError(first.file, first.field, first.value, first.expected, first.problem, lone)


def shorten(value: object, limit: int = 80) -> str:
    """The ``repr`` of a value, cut to ``limit`` characters."""
    if isinstance(value, str | bytes) and len(value) > limit:
        value = value[:limit]  # all that is shown
    try:
        text = repr(value)
    except Exception:  # a foreign class may raise anything
        text = f"a value of the type {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def unknown(file: str, field: str, value: object, known: Iterable[str]) -> ContentError:
    """The error for a name that is not among ``known``, with the nearest name suggested."""
    names = sorted(known)
    expected = "one of " + ", ".join(names) if names else "a name that exists (there is none)"
    if len(names) > MANY:
        expected = f"one of {len(names)} names such as " + ", ".join(names[:5])
    if isinstance(value, str):
        lower = {name.lower(): name for name in names}
        near = difflib.get_close_matches(value.lower(), list(lower), n=1, cutoff=0.5)
        if near:
            expected += f" (did you mean {lower[near[0]]!r}?)"
    return ContentError(file, field, value, expected, "is not known")


def field_path(parts: Iterable[str | int]) -> str:
    """``("units", 2, "datasheet")`` as ``units[2].datasheet``."""
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def from_validation(file: str, error: ValidationError, raw: object) -> ContentError:
    """The first fault of a pydantic error as a ContentError; the rest are in its ``others``."""
    items: list[dict[str, Any]] = [dict(item) for item in error.errors()[:FAULTS]]
    faults: list[ContentError] = []
    for item in items:
        loc = tuple(item["loc"])
        deeper = any(len(other["loc"]) > len(loc) and other["loc"][: len(loc)] == loc for other in items)
        if item["type"] == "too_short" and deeper:
            continue  # pydantic counts the items that it could read
        fault = _convert(file, item, raw)
        same = next((other for other in faults if other.field == fault.field), None)
        if same is None:
            faults.append(fault)
        elif fault.expected not in same.expected and same.problem == fault.problem:  # a field of several types
            same.expected += f" or {fault.expected}"
    first = faults[0]
    return ContentError(file, first.field, first.value, first.expected, first.problem, faults[1:])


def _convert(file: str, item: Mapping[str, Any], raw: object) -> ContentError:
    kind = str(item["type"])
    context: Mapping[str, Any] = item.get("ctx") or {}
    field = field_path(_in_file(tuple(item["loc"]), raw))
    value: object = item.get("input")
    if kind == "missing" and isinstance(item["loc"][-1], int):
        return ContentError(file, field, value, f"at least {item['loc'][-1] + 1} items", "has too few items")
    if kind == "missing":
        return ContentError(file, field, _MISSING, "a value", "is missing")
    if kind in ("value_error", "assertion_error"):
        cause = context.get("error")
        if isinstance(cause, UnknownKey):
            path = f"{field}.{cause.key}" if field else cause.key
            return unknown(file, path, cause.key, cause.known)
        if isinstance(cause, Expected) and cause.field is not None:
            path = f"{field}.{cause.field}" if field else cause.field
            return ContentError(file, path, cause.value, cause.expected, cause.problem)
        if isinstance(cause, Expected):
            return ContentError(file, field, value, cause.expected, cause.problem)
        return ContentError(file, field, value, str(cause))
    if kind == "literal_error" or kind == "enum":
        names = [name.strip(" '") for name in str(context.get("expected", "")).replace(" or ", ", ").split(",")]
        return unknown(file, field, value, [name for name in names if name])
    return ContentError(file, field, value, _expected(kind, context, str(item["msg"])))


def _expected(kind: str, context: Mapping[str, Any], message: str) -> str:
    """The values that pydantic expected, in our words."""
    words = {
        "int_type": "a whole number",
        "int_from_float": "a whole number",
        "float_type": "a number",
        "finite_number": "a finite number",
        "bool_type": "true or false",
        "string_type": "text",
        "string_too_short": "text that is not empty",
        "string_too_long": f"at most {context.get('max_length')} characters",
        "tuple_type": "a list",
        "dict_type": "a mapping",
        "model_type": "a mapping",
        "greater_than_equal": f"at least {context.get('ge')}",
        "less_than_equal": f"at most {context.get('le')}",
        "greater_than": f"more than {context.get('gt')}",
        "too_short": f"at least {context.get('min_length')} items",
        "too_long": f"at most {context.get('max_length')} items",
    }
    return words.get(kind, message.removeprefix("Input should be "))


def _in_file(parts: tuple[str | int, ...], raw: object) -> list[str | int]:
    """The parts of a pydantic location that exist in the file, without union tags and validators' steps."""
    at: Any = raw
    kept: list[str | int] = []
    for index, part in enumerate(parts):
        if isinstance(at, Mapping) and part in at:
            at = at[part]
        elif isinstance(part, int):
            if isinstance(at, Mapping | str) or not isinstance(at, Sequence) or part >= len(at):
                continue
            at = at[part]
        elif isinstance(at, Mapping) and index == len(parts) - 1:
            pass  # a key that is missing
        else:
            continue
        kept.append(part)
    return kept


class Expected(ValueError):
    """Raised inside validators: the allowed values, and the fault of the value."""

    def __init__(
        self, expected: str, problem: str = "is not valid", field: str | None = None, value: object = _MISSING
    ) -> None:
        self.expected = expected
        self.problem = problem
        self.field = field  # a part of the value at fault, instead of all of it
        self.value = value
        super().__init__(f"{problem}; expected {expected}")


class UnknownKey(ValueError):
    """Raised inside validators: the schema does not have this key."""

    def __init__(self, key: str, known: Iterable[str]) -> None:
        self.key = key
        self.known = tuple(known)
        super().__init__(f"{key} is not known")
