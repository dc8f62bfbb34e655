"""Calls of kernels from Python at the price of the machine code: 0.1 microseconds where a dispatcher of numba takes 0.1 for every two tables it is handed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from wh_env.core.kernel import compiled_for

R = TypeVar("R")


class Calls:
    """Kernels as they were compiled for the tables of one Setup; a workspace is one."""

    __slots__ = ("_code",)

    def __init__(self) -> None:
        self._code: dict[Callable[..., Any], Callable[..., Any]] = {}

    def call(self, kernel: Callable[..., R], *arguments: Any) -> R:
        """Call a kernel that is given tables of a battle, of its Setup and of one workspace, other arrays of one type and layout each, and plain numbers.

        Arrays have the same types in all calls (see ``compiled_for``), so they are looked at in the first call only.
        """
        try:
            code = self._code[kernel]
        except KeyError:
            code = self._code[kernel] = compiled_for(kernel, arguments)
        return code(*arguments)  # type: ignore[no-any-return]
