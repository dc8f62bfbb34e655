"""Files of the engine: magic, format, header (JSON), parts, digest; read without trusting a number in them.

A file is::

    magic (4 bytes) · format (uint16) · length of the header (uint32) · header (JSON)
    parts, as long as ``parts`` in the header says · digest of everything before (16 bytes)

all little-endian. The header names the version of wh_env that wrote the file. The digest finds damage; it does not keep anybody
from writing a file, so what a file says is checked all the same.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

HEAD = struct.Struct("<4sHI")
SEAL = 16  # bytes of the digest
MOST_HEADER = 1 << 24  # bytes of a header
TOO_DEEP = (ValueError, RecursionError)


class Unreadable(ValueError):
    """Not a file of this kind, or one of another version. Attributes as those of ``ContentError``."""

    def __init__(self, field: str, value: object, expected: str, problem: str = "is not valid") -> None:
        self.field, self.value, self.expected, self.problem = field, value, expected, problem
        super().__init__(f"{field}: {str(value)[:80]!r} {problem}; expected {expected}")


def engine_version() -> str:
    """The version of wh_env that runs."""
    try:
        return importlib.metadata.version("wh-env")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def digest(data: bytes) -> bytes:
    """What a file ends with."""
    return hashlib.blake2b(data, digest_size=SEAL).digest()


def sealed(magic: bytes, form: int, header: Mapping[str, Any], parts: Sequence[bytes]) -> bytes:
    """The bytes of a file; ``version`` and ``parts`` are added to the header, unless it says a version."""
    told = {"version": engine_version(), **header, "parts": [len(part) for part in parts]}
    text = json.dumps(told, sort_keys=True, separators=(",", ":")).encode()
    body = b"".join([HEAD.pack(magic, form, len(text)), text, *parts])
    return body + digest(body)


def unsealed(
    data: bytes, magic: bytes, form: int, what: str, count: int | None = None
) -> tuple[dict[str, Any], list[bytes]]:
    """Header and parts of a file.

    Args:
        what: the kind of file, for people. count: of its parts, if every such file has as many.

    Raises:
        Unreadable: it is no such file, of another format, or damaged.
    """
    if len(data) < HEAD.size + SEAL:
        raise Unreadable("length", len(data), f"at least {HEAD.size + SEAL} bytes", f"is too short for {what}")
    if data[:4] != magic:
        raise Unreadable("magic", bytes(data[:4]), f"{magic!r}, the start of {what}", "is not one")
    _, found, length = HEAD.unpack_from(data)
    if found != form:
        expected = f"{form}, the format that wh_env {engine_version()} reads and writes"
        raise Unreadable("format", found, expected, "is another version of the file format")
    seal, own = bytes(data[-SEAL:]), digest(data[:-SEAL])
    if seal != own:
        raise Unreadable(
            "seal", seal.hex(), f"{own.hex()}, the digest of the file", "does not fit: the file is damaged"
        )
    room = len(data) - HEAD.size - SEAL
    if length > min(room, MOST_HEADER):
        raise Unreadable(
            "header", length, f"at most {min(room, MOST_HEADER)} bytes", "bytes are more than there can be"
        )
    header = json_of(data[HEAD.size : HEAD.size + length], "header")
    if not isinstance(header, dict):
        raise Unreadable("header", type(header).__name__, "a mapping")
    lengths = header.pop("parts", None)
    if not isinstance(lengths, list) or not all(type(n) is int and n >= 0 for n in lengths):
        raise Unreadable("header.parts", lengths, "a list of lengths")
    if sum(lengths) != room - length or count not in (None, len(lengths)):
        raise Unreadable("header.parts", lengths, f"lengths that add up to the {room - length} bytes that there are")
    if not isinstance(header.get("version"), str):
        raise Unreadable("header.version", header.get("version"), "the version of wh_env that wrote the file")
    parts, at = [], HEAD.size + length
    for size in lengths:
        parts.append(bytes(data[at : at + size]))
        at += size
    return header, parts


def json_of(text: bytes, field: str) -> Any:
    """What a JSON text says; finite numbers only.

    Raises:
        Unreadable: it is no JSON.
    """
    try:
        return json.loads(text.decode(), parse_constant=_endless)
    except TOO_DEEP as error:
        raise Unreadable(field, text[:40], "JSON", f"cannot be read ({str(error)[:80]})") from error


def _endless(name: str) -> NoReturn:
    raise ValueError(f"{name} is no finite number")


def same_version(header: Mapping[str, Any]) -> None:
    """Files whose numbers mean what the engine's modules say can be read by the version that wrote them.

    Raises:
        Unreadable: another version of wh_env wrote it.
    """
    if header["version"] != engine_version():
        expected = f"{engine_version()}, the version that runs"
        raise Unreadable("header.version", header["version"], expected, "is another version of wh_env")
