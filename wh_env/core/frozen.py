"""Values that nobody can change: what battles share is made of them.

A read-only flag can be taken off an array that owns its memory. The memory of a ``frozen`` array is a ``bytes`` object, which numpy
never lets anybody write to.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from wh_env.core.tables import Array


def is_frozen(array: Array) -> bool:
    """Whether the array, and every view of it, is read-only for good."""
    base: Any = array
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return False
        base = base.base
    return isinstance(base, bytes)


def frozen(array: Array) -> Array:
    """The array with its values in memory that cannot be written to; itself if they are already.

    Kernels see the type of a read-only array: one that is handed frozen arrays in one place is handed frozen ones everywhere, or it is
    compiled twice.
    """
    if is_frozen(array):
        return array
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def freeze(value: Any) -> Any:
    """The value with everything in it frozen: arrays as ``frozen``, mappings as proxies, lists as tuples, sets as frozen sets."""
    if isinstance(value, np.ndarray):
        return frozen(value)
    if isinstance(value, Mapping):
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    if isinstance(value, list) or type(value) is tuple:
        return tuple(freeze(item) for item in value)
    if isinstance(value, Set):
        return frozenset(value)
    return value


class Unchanging:
    """One object serves all battles, in all threads: nothing can be set on it once it was made, and a deep copy shares it."""

    def __deepcopy__(self, _memo: Any) -> Self:
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is shared by battles: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is shared by battles: {name!r} cannot be deleted")


def thawed(value: Any) -> Any:
    """A copy in which mappings are dicts of the caller's own; tuples stay what they are."""
    if isinstance(value, Mapping):
        return {key: thawed(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(thawed(item) for item in value)
    return value
