"""Check requests to the server: the name by which it is called, the page that sent the request, and keys.

Requests from pages of other origins are refused by the header ``Origin``. Names that somebody points at this
machine (DNS rebinding) are refused by the header ``Host``, which must be an address or a name that the server
was given.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    """Whether a server bound to ``host`` can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def name_of(netloc: str) -> str:
    """The name or address in ``name:port``, in lower case; empty if there is none."""
    try:
        parts = urlsplit(f"//{netloc}")
        parts.port  # noqa: B018 - raises an error if the port is no number
        plain = parts.username is None and not (parts.path or parts.query or parts.fragment)
    except ValueError:
        return ""
    return (parts.hostname or "") if plain else ""


class Guard:
    """Decides which requests are let in.

    Args:
        host: the host name or address that the server is bound to.
        names: further names of the server.

    Attributes:
        alone: whether only this machine can reach the server.
    """

    def __init__(self, host: str, names: Collection[str] = ()) -> None:
        self.alone = is_loopback(host)
        self.names = {*LOOPBACK, host.lower(), *(name.lower() for name in names)}

    def fault(self, host: str | None, origin: str | None, scheme: str) -> str:
        """Why a request is refused; empty if it is let in.

        Args:
            host, origin: the headers ``Host`` and ``Origin``.
            scheme: ``http`` or ``https``.
        """
        called = name_of(host or "")
        if not called or not self._is_here(called):
            return "this server is not called so (Host)"
        if origin is not None and origin.lower() != f"{scheme}://{(host or '').lower()}":
            return "a page of another origin may not ask (Origin)"
        return ""

    def _is_here(self, called: str) -> bool:
        """Whether this server may be called by this name."""
        if called in self.names:
            return True
        if self.alone:
            return False
        try:
            ipaddress.ip_address(called)
        except ValueError:
            return False
        return True  # addresses cannot be rebound


def keys_match(key: str, other: str) -> bool:
    """Whether two keys are equal. The time of the comparison does not depend on the keys."""
    return secrets.compare_digest(key.encode(), other.encode())


def cookie(header: str | None, name: str) -> str:
    """The value of a cookie in a header; empty if it is not there."""
    try:
        cookies = SimpleCookie(header or "")
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""
