"""Keeping what was worked out from content for as long as the very same objects come again.

A shipped file gives the same object until it is edited (``load.from_file``). So what was worked out from that object
holds until then. Content that a user passes is another object each time, and never meets what was kept of another.
"""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Same(Generic[T]):
    """A value that is equal to itself alone, as a key of an ``lru_cache``. It holds the value, whose ``id`` is then no
    other's.
    """

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value
