"""The file format of the engine: magic, format, header (JSON), parts, digest. Reading trusts no number in a file.

A file is::

    magic (4 bytes) · format (uint16) · length of the header (uint32) · header (JSON)
    parts, as long as ``parts`` in the header says · digest of everything before (16 bytes)

All numbers are little-endian. The header names the version of wh_env that wrote the file. The digest reveals damage.
Anybody can write a file with a right digest, so whatever a file says is checked nevertheless.
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
    """The bytes are no file of this kind, or one of another version, or damaged. It has the attributes of
    ``ContentError``: field, value, expected, problem.
    """

    def __init__(self, field: str, value: object, expected: str, problem: str = "is not valid") -> None:
        """``field`` has ``value`` where ``expected`` was expected; ``problem`` says what is wrong with it."""
        self.field, self.value, self.expected, self.problem = field, value, expected, problem
        super().__init__(f"{field}: {str(value)[:80]!r} {problem}; expected {expected}")


def engine_version() -> str:
    """The version of wh_env that runs; "unknown" if the package is not installed."""
    try:
        return importlib.metadata.version("wh-env")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def digest(data: bytes) -> bytes:
    """The 16 bytes with which a file ends that has ``data`` before them."""
    return hashlib.blake2b(data, digest_size=SEAL).digest()


def sealed(magic: bytes, form: int, header: Mapping[str, Any], parts: Sequence[bytes]) -> bytes:
    """The bytes of a file.

    Args:
        magic: its first 4 bytes. form: number of the format. header: for JSON; ``parts`` is added, and ``version`` if
            it has none. parts: its parts.
    """
    full_header = {"version": engine_version(), **header, "parts": [len(part) for part in parts]}
    text = json.dumps(full_header, sort_keys=True, separators=(",", ":")).encode()
    body = b"".join([HEAD.pack(magic, form, len(text)), text, *parts])
    return body + digest(body)


def unsealed(
    data: bytes, magic: bytes, form: int, what: str, count: int | None = None
) -> tuple[dict[str, Any], list[bytes]]:
    """The header (without ``parts``) and the parts of a file.

    Args:
        data: the bytes of the file. magic: as ``sealed``. form: as ``sealed``. what: the kind of file, for error
            messages.
        count: how many parts every such file has; None: any number.

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
    """The value of a JSON text with finite numbers only. ``field``: what it is, for the error.

    Raises:
        Unreadable: it is not JSON, nested too deeply, or has a number that is not finite.
    """
    try:
        return json.loads(text.decode(), parse_constant=_endless)
    except TOO_DEEP as error:
        raise Unreadable(field, text[:40], "JSON", f"cannot be read ({str(error)[:80]})") from error


def _endless(name: str) -> NoReturn:
    """Raises:
    ValueError: always; JSON has no such number.
    """
    raise ValueError(f"{name} is no finite number")


def same_version(header: Mapping[str, Any]) -> None:
    """Raise an error unless the running version wrote the file with this header. Numbers in such a file mean what the
    modules of one version say.

    Raises:
        Unreadable: another version of wh_env wrote it.
    """
    if header["version"] != engine_version():
        expected = f"{engine_version()}, the version that runs"
        raise Unreadable("header.version", header["version"], expected, "is another version of wh_env")
