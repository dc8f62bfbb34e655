"""The keeper of an agent: a process between the one that plays games and the process of the agent, whose parent
it is.

It starts the agent's process, reports how that ended, adopts what the agent leaves behind, and ends all of it
when its lifeline is closed. It runs no code of the agent, so nothing that an agent does to itself can prevent
this. What an agent does to its parent affects only this keeper, which works for this agent alone.
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
from .agent import run_agent

WORD = struct.Struct("<i")  # a keeper's message: first the process id of the agent, later its exit code, or HERE
HERE = 1 << 16  # a keeper's answer to a byte; exit codes are smaller


def run_keeper(line: socket.socket, lifeline: int, report: int, spec: str, options: Mapping[str, Any]) -> NoReturn:
    """Run as the keeper of an agent until the lifeline is closed. Called in the process that was forked for it.

    Args:
        line: socket of the agent.
        lifeline: file descriptor whose other end the playing process holds.
        report: file descriptor for messages (``WORD``) to the playing process.
        spec, options: the agent, as for ``policies.make``.
    """
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        close_all_but((line.fileno(), lifeline, report))
        adopt_orphans()
        agent = os.fork()
        if agent == 0:
            os.close(report)
            run_agent(line, lifeline, spec, options)
        line.close()
        os.write(report, WORD.pack(agent))
        listening = threading.Thread(target=listen, args=(lifeline, report, agent), daemon=True)
        listening.start()
        wait_for_all(agent, report)
        listening.join()
    finally:
        os._exit(1)


def close_all_but(numbers: Collection[int]) -> None:
    """Close all file descriptors from 3 on except ``numbers``; they belong to the process that this one was
    forked from.
    """
    first = 3
    for number in sorted(numbers):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def wait_for_all(agent: int, report: int) -> None:
    """Wait for every child, adopted ones included; report the exit code of the agent."""
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            return
        if pid == agent:
            os.write(report, WORD.pack(os.waitstatus_to_exitcode(status)))


def listen(lifeline: int, report: int, agent: int) -> None:
    """Answer each byte with ``HERE``. When the other end of the lifeline is closed, end this process and all its
    descendants.
    """
    while lifeline not in select.select((lifeline, report), (), ())[0]:
        if not os.read(report, 1):
            break
        os.write(report, WORD.pack(HERE))
    with suppress(OSError):
        os.killpg(agent, signal.SIGKILL)
    end_orphans(())
    os._exit(0)
