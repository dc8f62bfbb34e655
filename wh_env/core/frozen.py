"""Values that nobody can change. Whatever battles share is made of them.

Whoever has a read-only array that owns its memory can make it writeable again. The memory of a ``frozen`` array is a
``bytes`` object, which numpy never makes writeable.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from wh_env.core.tables import Array


def is_frozen(array: Array) -> bool:
    """Whether the array, and every array that it is a view of, is read-only and lies in a ``bytes`` object."""
    base: Any = array
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return False
        base = base.base
    return isinstance(base, bytes)


def frozen(array: Array) -> Array:
    """The array with its values in memory that cannot be written; the array itself if that is so already.

    For a kernel the type of a read-only array differs from that of a writeable one. So an argument must be frozen in
    all calls or in none, or the kernel is compiled twice.
    """
    if is_frozen(array):
        return array
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def freeze(value: Any) -> Any:
    """``value`` with everything in it frozen: arrays become ``frozen``, mappings become proxies, lists become tuples,
    sets become frozen sets. Values of other types stay as they are.
    """
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
    """Base class of objects that all battles in all threads share: attributes can be neither set nor deleted, and a
    deep copy is the object itself.
    """

    def __deepcopy__(self, _memo: Any) -> Self:
        """The object itself."""
        return self

    def __setattr__(self, name: str, value: object) -> None:
        """Raises:
        AttributeError: always.
        """
        raise AttributeError(f"{type(self).__name__} is shared by battles: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        """Raises:
        AttributeError: always.
        """
        raise AttributeError(f"{type(self).__name__} is shared by battles: {name!r} cannot be deleted")


def thawed(value: Any) -> Any:
    """A copy of ``value`` in which frozen mappings are dicts that the caller may change. Tuples stay tuples; everything
    else is shared.
    """
    if isinstance(value, Mapping):
        return {key: thawed(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(thawed(item) for item in value)
    return value
