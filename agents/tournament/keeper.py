"""The process between the one that plays games and the process of an agent: it stands where an agent looks for its parent.

It starts the agent's process, says how that ended, adopts what the agent leaves behind, and ends all of it when nobody
holds its lifeline any more. It runs no code of the agent, so nothing that an agent does to itself keeps it from that; and
what an agent does to its parent it does to a process that works for this agent alone.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
import threading
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, NoReturn

from ..processes import adopt_orphans, end_orphans
from .agent import live

WORD = struct.Struct("<i")  # what a keeper says: the process of the agent, and when that has ended its exit code
HERE = 1 << 16  # its answer to a byte; no exit code is so high


def keep(line: socket.socket, lifeline: int, report: int, spec: str, options: Mapping[str, Any]) -> NoReturn:
    """Be the keeper of an agent until nobody holds the lifeline; called in the process that was forked for it."""
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        close_all_but((line.fileno(), lifeline, report))
        adopt_orphans()
        agent = os.fork()
        if agent == 0:
            os.close(report)
            live(line, lifeline, spec, options)
        line.close()
        os.write(report, WORD.pack(agent))
        listening = threading.Thread(target=listen, args=(lifeline, report, agent), daemon=True)
        listening.start()
        wait_for_all(agent, report)
        listening.join()
    finally:
        os._exit(1)


def close_all_but(kept: Collection[int]) -> None:
    """Close all files beyond the first three but these, which belong to the process that this one was forked from."""
    first = 3
    for number in sorted(kept):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def wait_for_all(agent: int, report: int) -> None:
    """Wait for every child, also adopted ones; say how the agent ended."""
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            return
        if pid == agent:
            os.write(report, WORD.pack(os.waitstatus_to_exitcode(status)))


def listen(lifeline: int, report: int, agent: int) -> None:
    """Answer bytes with ``HERE``; end this process and all that was started under it as soon as the other end of the lifeline is closed."""
    while lifeline not in select.select((lifeline, report), (), ())[0]:
        if not os.read(report, 1):
            break
        os.write(report, WORD.pack(HERE))
    with suppress(OSError):
        os.killpg(agent, signal.SIGKILL)
    end_orphans(())
    os._exit(0)
