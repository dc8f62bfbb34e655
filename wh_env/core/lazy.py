"""Attributes that are computed when they are first read."""

from __future__ import annotations

from typing import Any


class Lazy:
    """A descriptor for an attribute that a battle computes (``_find``) when it is first read, and then keeps in the
    object itself.

    The class does without ``__getattr__``, because a class with ``__getattr__`` looks up all its attributes several
    times as slowly.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        """``name``: the name of the attribute."""
        self.name = name

    def __get__(self, owner: Any, _cls: type) -> Any:
        """The value of the attribute, computed now and stored in ``owner``, so that later reads do not come here."""
        if owner is None:
            return self
        value = owner._find(self.name)
        setattr(owner, self.name, value)
        return value
