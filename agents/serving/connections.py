"""Connections that keep the server waiting are ended.

A request must come whole, and an answer be taken, within a time limit.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0  # seconds that a request has from its first byte (the first one from the connection on) to its last
MOST_TAKING = 60.0  # seconds that a page may take nothing of an answer that waits for it
LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class TimedProtocol(H11Protocol):
    """HTTP with time limits: who sends half a request, or takes no answer, does not hold its connection for ever."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._request: asyncio.TimerHandle | None = None
        self._answer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection begins, and with it the time of its first request."""
        super().connection_made(transport)
        self._request = self.loop.call_later(PATIENCE, self._end_late)

    def data_received(self, data: bytes) -> None:
        """A part of a request has come; more parts give it no more time."""
        super().data_received(data)
        if not self._waits_for_rest():
            stop(self._request)
            self._request = None
        elif self._request is None:
            self._request = self.loop.call_later(PATIENCE, self._end_late)

    def _waits_for_rest(self) -> bool:
        """Whether a request has begun and is not whole."""
        # a connection that became a WebSocket is no longer among ``connections``
        return self in self.connections and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _end_late(self) -> None:
        self._request = None
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and not self.transport.is_closing():
            self.transport.write(LATE)
        self.transport.close()

    def pause_writing(self) -> None:
        """An answer is taken slower than it is given."""
        super().pause_writing()
        self._answer = self.loop.call_later(MOST_TAKING, self.transport.abort)

    def resume_writing(self) -> None:
        """It was taken."""
        super().resume_writing()
        stop(self._answer)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        stop(self._request)
        stop(self._answer)
        super().connection_lost(exc)


def stop(timer: asyncio.TimerHandle | None) -> None:
    """A timer, if there is one, is no longer needed."""
    if timer is not None:
        timer.cancel()
