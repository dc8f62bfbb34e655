"""End connections that make the server wait: a request must arrive, and an answer be taken, within a time limit."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0  # seconds from the first byte of a request (of the first request: from the connection on) to its last
MOST_TAKING = 60.0  # seconds for which a page may take nothing of a waiting answer
LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class TimedProtocol(H11Protocol):
    """HTTP with time limits, so that half a request, or an answer that is not taken, does not hold a connection
    for ever.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._request: asyncio.TimerHandle | None = None
        self._answer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit of the first request."""
        super().connection_made(transport)
        self._request = self.loop.call_later(PATIENCE, self._end_late)

    def data_received(self, data: bytes) -> None:
        """Handle a part of a request. Further parts do not extend its time limit."""
        super().data_received(data)
        if not self._waits_for_rest():
            stop(self._request)
            self._request = None
        elif self._request is None:
            self._request = self.loop.call_later(PATIENCE, self._end_late)

    def _waits_for_rest(self) -> bool:
        """Whether a request has begun and is not complete."""
        # a connection that became a WebSocket is no longer among ``connections``
        return self in self.connections and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _end_late(self) -> None:
        """Answer that the request came too late, and close the connection."""
        self._request = None
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and not self.transport.is_closing():
            self.transport.write(LATE)
        self.transport.close()

    def pause_writing(self) -> None:
        """Start a time limit, because an answer is taken more slowly than it is written."""
        super().pause_writing()
        self._answer = self.loop.call_later(MOST_TAKING, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that time limit."""
        super().resume_writing()
        stop(self._answer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all time limits."""
        stop(self._request)
        stop(self._answer)
        super().connection_lost(exc)


def stop(timer: asyncio.TimerHandle | None) -> None:
    """Cancel a timer, if there is one."""
    if timer is not None:
        timer.cancel()
