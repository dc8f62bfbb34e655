"""Mutations of the bytes of a sealed file, with or without a new seal, and of plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wh_env.core.sealed import HEAD, SEAL, digest
from wh_env.envs.registry import DEFAULT_RULESET

Chance = np.random.Generator
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2**31 - 1, 2**31, 2**63, -(2**31) - 1, 10**30, 0.5, 1e308,
    "", "x", DEFAULT_RULESET, "../../etc", "\ud7ff", [], [0], {}, {"a": 1},
)  # fmt: skip


def pick(chance: Chance, among: Any) -> Any:
    """A random element of a sequence."""
    return among[int(chance.integers(len(among)))]


def resealed(data: bytes) -> bytes:
    """The bytes of a sealed file with a matching digest."""
    body = data[:-SEAL]
    return body + digest(body)


def flipped(data: bytes, chance: Chance, first: int = 0) -> bytes:
    """Replace one to eight bytes from position ``first`` on."""
    changed = bytearray(data)
    for _ in range(int(chance.integers(1, 9))):
        changed[int(chance.integers(first, len(changed)))] = int(chance.integers(256))
    return bytes(changed)


def cut(data: bytes, chance: Chance) -> bytes:
    """Cut off a part at the end."""
    return data[: int(chance.integers(len(data)))]


def longer(data: bytes, chance: Chance) -> bytes:
    """Append some bytes."""
    return data + chance.bytes(int(chance.integers(1, 64)))


def doubled(data: bytes, chance: Chance) -> bytes:
    """Repeat a part of the bytes."""
    first = int(chance.integers(len(data)))
    end = min(len(data), first + int(chance.integers(1, 256)))
    return data[:end] + data[first:]


def head(data: bytes, chance: Chance) -> bytes:
    """Replace bytes of the header: magic, format or length."""
    return flipped(data[: HEAD.size], chance) + data[HEAD.size :]


WHOLE: tuple[Callable[[bytes, Chance], bytes], ...] = (flipped, cut, longer, doubled, head)


def mutated_file(data: bytes, chance: Chance) -> bytes:
    """Mutate a sealed file as a whole and mostly seal it again."""
    changed: bytes = pick(chance, WHOLE)(data, chance)
    return resealed(changed) if len(changed) > SEAL and chance.random() < 0.8 else changed


def mutated_value(value: Any, chance: Chance) -> Any:
    """Change something in a plain value, which may be nested."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        name = pick(chance, sorted(value, key=str))
        if chance.random() < 0.1:
            return {key: one for key, one in value.items() if key != name}
        return {**value, name: mutated_value(value[name], chance)}
    if isinstance(value, list | tuple) and len(value) and chance.random() < 0.8:
        at = int(chance.integers(len(value)))
        changed = [*value[:at], mutated_value(value[at], chance), *value[at + 1 :]]
        return type(value)(changed)
    if type(value) is int and chance.random() < 0.7:
        return value + int(chance.integers(-3, 4))
    return pick(chance, ODD)


def mutated_fields(fields: dict[str, Any], chance: Chance) -> dict[str, Any]:
    """A mapping with one value changed, removed or added."""
    name = pick(chance, [*sorted(fields), "other"])
    if name in fields and chance.random() < 0.1:
        return {key: one for key, one in fields.items() if key != name}
    return {**fields, name: mutated_value(fields.get(name), chance)}
