"""Who may ask the server for anything: where it thinks it is, which page sent the request, and whether a key is right.

Pages of other origins are refused by their ``Origin``; names that somebody lets point at this machine (DNS rebinding) by ``Host``, which must be an
address or one of the names that the server was given.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    """Whether a server bound to ``host`` is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def name_of(netloc: str) -> str:
    """The name or address in ``name:port``, in lower case; empty if that is none."""
    try:
        parts = urlsplit(f"//{netloc}")
        parts.port  # noqa: B018 - a port that is no number is an error
        plain = parts.username is None and not (parts.path or parts.query or parts.fragment)
    except ValueError:
        return ""
    return (parts.hostname or "") if plain else ""


class Guard:
    """What requests are let in.

    Args:
        host: what the server is bound to. names: further names by which it may be called.
    """

    def __init__(self, host: str, names: Collection[str] = ()) -> None:
        self.alone = is_loopback(host)
        self.names = {*LOOPBACK, host.lower(), *(name.lower() for name in names)}

    def fault(self, host: str | None, origin: str | None, scheme: str) -> str:
        """What is wrong with the headers ``Host`` and ``Origin`` of a request over ``http`` or ``https``; empty: nothing."""
        called = name_of(host or "")
        if not called or not self._is_here(called):
            return "this server is not called so (Host)"
        if origin is not None and origin.lower() != f"{scheme}://{(host or '').lower()}":
            return "a page of another origin may not ask (Origin)"
        return ""

    def _is_here(self, called: str) -> bool:
        if called in self.names:
            return True
        if self.alone:
            return False
        try:
            ipaddress.ip_address(called)
        except ValueError:
            return False
        return True  # addresses cannot be rebound


def same(key: str, other: str) -> bool:
    """Whether two keys are the same, found in a time that says nothing of them."""
    return secrets.compare_digest(key.encode(), other.encode())


def cookie(header: str | None, name: str) -> str:
    """A cookie of a header, empty if it is not there."""
    try:
        found = SimpleCookie(header or "")
    except CookieError:
        return ""
    return found[name].value if name in found else ""
