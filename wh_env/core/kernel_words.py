"""Types of kernel arguments as words, and words as types. Lists of kernels are written in these words
(``kernel_plan``).

A row type has the name of its constant in the code (``wh_env.core.tables:MODEL``), so that a list stays right when a
column is added. Examples::

    int64   float64[2,C]   readonly int32[1,C]   wh_env.core.tables:MODEL[1,C]
    tuple(int64, int64)   wh_env.core.geometry.cells:Window(int64, float64, int64, int64, int64[2,C])
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numba
import numpy as np

TYPES: Any = numba.types
OWN = "wh_env."
TUPLE, READONLY = "tuple", "readonly "
ARRAY = re.compile(r"(readonly )?([\w.:]+)\[(\d+),([ACF])\]")
GROUP = re.compile(r"([\w.:]+)\((.*)\)", re.DOTALL)


class NoWord(ValueError):
    """A type that has no word, or a word that means no type."""


def word_of(kind: Any) -> str:
    """The word for the numba type ``kind``.

    Raises:
        NoWord: there is none.
    """
    if isinstance(kind, TYPES.Array):
        readonly = READONLY if not kind.mutable else ""
        return f"{readonly}{_element(kind.dtype)}[{kind.ndim},{kind.layout}]"
    if isinstance(kind, TYPES.NamedTuple | TYPES.NamedUniTuple):
        tuple_class = kind.instance_class
        return f"{tuple_class.__module__}:{tuple_class.__qualname__}({', '.join(map(word_of, kind.types))})"
    if isinstance(kind, TYPES.BaseAnonymousTuple):
        return f"{TUPLE}({', '.join(map(word_of, kind.types))})"
    return _element(kind)


def type_of(word: str) -> Any:
    """The numba type that ``word`` means.

    Raises:
        NoWord: it means none in the code as it stands.
    """
    if found := ARRAY.fullmatch(word):
        readonly, element, dimensions, layout = found.groups()
        return TYPES.Array(_type_of_element(element), int(dimensions), layout, readonly=readonly is not None)
    if found := GROUP.fullmatch(word):
        name, inside = found.groups()
        parts = [type_of(part) for part in split(inside)]
        tuple_class = tuple if name == TUPLE else _named(name)
        if (
            isinstance(tuple_class, type)
            and issubclass(tuple_class, tuple)
            and len(getattr(tuple_class, "_fields", parts)) == len(parts)
        ):
            return TYPES.BaseTuple.from_types(parts, None if tuple_class is tuple else tuple_class)
        raise NoWord(f"{name} is no tuple of {len(parts)} values")
    return _type_of_element(word)


def split(words: str) -> Iterator[str]:
    """The words of a text that are separated by commas; commas inside brackets do not separate."""
    depth, first = 0, 0
    for place, sign in enumerate(words):
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            yield words[first:place].strip()
            first = place + 1
    if words[first:].strip():
        yield words[first:].strip()


def _element(kind: Any) -> str:
    """The word for the type of a number or a row.

    Raises:
        NoWord: there is none.
    """
    if isinstance(kind, TYPES.Record):
        return _name_of_row(kind)
    if isinstance(kind, TYPES.Integer | TYPES.Float | TYPES.Boolean):
        return str(kind)
    raise NoWord(f"{kind} has no word")


@cache
def _type_of_element(word: str) -> Any:
    """The numba type of a number or a row that ``word`` means.

    Raises:
        NoWord: it means none.
    """
    if ":" in word:
        row = _named(word)
        if not isinstance(row, np.dtype):
            raise NoWord(f"{word} is no type of rows")
        return numba.from_dtype(row)
    found = getattr(TYPES, "boolean" if word == "bool" else word, None)
    if not isinstance(found, TYPES.Integer | TYPES.Float | TYPES.Boolean):
        raise NoWord(f"{word!r} is no type")
    return found


def _named(name: str) -> Any:
    """The object that ``name``, as ``module:attribute``, names in this package.

    Raises:
        NoWord: there is none, or the module is not of this package.
    """
    module, _, attribute = name.partition(":")
    if not module.startswith(OWN):
        raise NoWord(f"{name} is not of this package")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise NoWord(f"{name} is not there") from error


@cache
def _name_of_row(kind: Any) -> str:
    """The shortest ``module:attribute`` under which an imported module of this package has this row type.

    Raises:
        NoWord: no module has it.
    """
    found = [
        f"{module.__name__}:{name}"
        for module in [*sys.modules.values()]
        if getattr(module, "__name__", "").startswith(OWN)
        for name, value in [*vars(module).items()]
        if isinstance(value, np.dtype) and value.names is not None and numba.from_dtype(value) == kind
    ]
    if not found:
        raise NoWord(f"rows of {', '.join(kind.fields)} have no name in any module")
    return min(found, key=lambda name: (len(name), name))


def words_of(kinds: Sequence[Any]) -> tuple[str, ...]:
    """The words for several numba types.

    Raises:
        NoWord: one of them has no word.
    """
    return tuple(map(word_of, kinds))
