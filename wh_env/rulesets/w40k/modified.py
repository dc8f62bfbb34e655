"""The order in which several modifiers of one number apply (concepts.dice.modifiers, .characteristic.modifiers,
stratagem-cost.order).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil
from typing import Literal, get_args, overload

Operation = Literal["replace", "divide", "multiply", "add", "subtract"]
OPERATIONS: tuple[str, ...] = get_args(Operation)


@overload
def modified(value: int, changes: Iterable[tuple[Operation, int]], least: int | None = None) -> int: ...
@overload
def modified(value: None, changes: Iterable[tuple[Operation, int]], least: int | None = None) -> None: ...


def modified(value: int | None, changes: Iterable[tuple[Operation, int]], least: int | None = None) -> int | None:
    """A roll, characteristic or cost with all its modifiers.

    It is replaced first, then divided, multiplied, added to and subtracted from. Fractions are rounded up at the end.
    The result is at least ``least``. ``None``, the value of a characteristic "-", stays ``None``.

    Raises:
        ValueError: an unknown operation.
    """
    by: dict[str, list[int]] = {"replace": [], "divide": [], "multiply": [], "add": [], "subtract": []}
    for operation, amount in changes:
        if operation not in by:
            raise ValueError(f"modifier {operation!r}: one of {', '.join(by)} was expected")
        by[operation].append(amount)
    if value is None:
        return None
    result = Fraction(by["replace"][-1] if by["replace"] else value)
    for amount in by["divide"]:
        result /= amount
    for amount in by["multiply"]:
        result *= amount
    whole = ceil(result + sum(by["add"]) - sum(by["subtract"]))
    return whole if least is None else max(least, whole)
