"""Store plain values and tensors as the parts of a sealed file (``wh_env.core.sealed``). Reading a file runs no
code from it, and allocates no more memory than the file is long.

Values are mappings, lists, tuples, text, numbers, truth values, ``None`` and tensors.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import torch

from wh_env.core.sealed import Unreadable, json_of, sealed, unsealed

DTYPES = {
    name: getattr(torch, name) for name in ("float16", "float32", "float64", "uint8", "int16", "int32", "int64", "bool")
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
MOST_DIMENSIONS = 8
TEXT = 0  # the part that contains everything but the tensors


def pack(magic: bytes, form: int, header: Mapping[str, Any], value: Any) -> bytes:
    """The bytes of a file with ``value``; ``magic``, ``form`` and ``header`` as for ``sealed``.

    Raises:
        TypeError: the value contains something that cannot be stored.
    """
    parts: list[bytes] = [b""]
    parts[TEXT] = json.dumps(_plain(value, parts), separators=(",", ":")).encode()
    return sealed(magic, form, header, parts)


def unpack(data: bytes, magic: bytes, form: int, subject: str) -> tuple[dict[str, Any], Any]:
    """Header and value of a file.

    Args:
        data: bytes of the file.
        magic, form: expected kind and format of the file.
        subject: description of the file, for errors.

    Raises:
        Unreadable: it is no such file, has another format, or is damaged.
    """
    header, parts = unsealed(data, magic, form, subject)
    if not parts:
        raise Unreadable("header.parts", 0, "at least one part")
    try:
        return header, _value(json_of(parts[TEXT], "values"), parts)
    except RecursionError:
        raise Unreadable("values", "mappings in mappings", "fewer of them", "are too deep") from None


def _plain(value: Any, parts: list[bytes]) -> Any:
    """A value as JSON. Everything but text, truth values, whole and finite numbers becomes a list that begins
    with the name of its kind. Tensors are appended to ``parts``.
    """
    if isinstance(value, torch.Tensor):
        flat = value.detach().cpu().contiguous()
        parts.append(flat.reshape(-1).view(torch.uint8).numpy().tobytes() if flat.numel() else b"")
        return ["tensor", len(parts) - 1, NAMES[flat.dtype], list(flat.shape)]
    if isinstance(value, Mapping):
        return ["map", [[_plain(key, parts), _plain(one, parts)] for key, one in value.items()]]
    if isinstance(value, list | tuple):
        return ["tuple" if isinstance(value, tuple) else "list", [_plain(one, parts) for one in value]]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else ["float", repr(value)]
    raise TypeError(f"{type(value).__name__} has no place in a file of plain values and tensors")


def _value(plain: Any, parts: list[bytes]) -> Any:
    """The value for a JSON value that ``_plain`` made.

    Raises:
        Unreadable: it is malformed.
    """
    if not isinstance(plain, list):
        if isinstance(plain, dict):
            raise Unreadable("values", "a mapping", "a list that says what it is")
        return plain
    if len(plain) == 2:
        kind, inner = plain
        if kind in ("list", "tuple") and isinstance(inner, list):
            values = [_value(one, parts) for one in inner]
            return tuple(values) if kind == "tuple" else values
        if kind == "map" and isinstance(inner, list) and all(isinstance(two, list) and len(two) == 2 for two in inner):
            keys = [_value(two[0], parts) for two in inner]
            if all(isinstance(key, str | int) for key in keys):
                return {key: _value(two[1], parts) for key, two in zip(keys, inner, strict=True)}
        if kind == "float" and inner in ("nan", "inf", "-inf"):
            return float(inner)
    elif len(plain) == 4 and plain[0] == "tensor":
        return _tensor(plain[1], plain[2], plain[3], parts)
    raise Unreadable("values", plain[:1], "one of list, tuple, map, float, tensor", "says nothing that is known")


def _tensor(number: Any, name: Any, shape: Any, parts: list[bytes]) -> torch.Tensor:
    """The tensor in part ``number`` of the file.

    Raises:
        Unreadable: number, type, shape and length do not fit together.
    """
    whole = isinstance(shape, list) and len(shape) <= MOST_DIMENSIONS and all(type(n) is int and n >= 0 for n in shape)
    if (
        type(number) is not int
        or not TEXT < number < len(parts)
        or not isinstance(name, str)
        or name not in DTYPES
        or not whole
    ):
        raise Unreadable("tensor", [number, name, shape], "a part of the file, a type, a shape")
    size = math.prod(shape) * DTYPES[name].itemsize
    if size != len(parts[number]):
        raise Unreadable(f"tensor {number}", f"{len(parts[number])} bytes", f"{size} bytes, by its type and shape")
    if not size:
        return torch.zeros(shape, dtype=DTYPES[name])
    values = torch.frombuffer(bytearray(parts[number]), dtype=torch.uint8)
    if name == "bool":
        values = values != 0
    return values.view(DTYPES[name]).reshape(shape)
