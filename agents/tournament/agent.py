"""The code that runs in the process of an agent. The process gets requests through a socket and answers them.

The agent is imported, made and asked only here, and its errors are put into words here. So whatever it does
affects only its own process and its own time. Its answers are not trusted (see ``seats``).
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import struct
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from operator import index
from typing import Any, NoReturn

import numpy as np

from wh_env import Battle
from wh_env.core.setup import Setup

from ..policies import Policy, make, refusal
from ..processes import signal_nobody_else

HEAD = struct.Struct("<I")
# kinds of requests: load a table, begin a game, say whether it can play here, act, act after players changed the Setup
TABLE, BEGIN, WILL, ACT, PLACED = b"tbwap"
TOLD, TRACE = 300, 8000  # greatest lengths in characters of an error message and of a traceback
MOST_DIGITS = 1 << 62
NAME = vars(type)["__name__"]  # reads a type's name even if its metaclass hides it
NO_ACTION = "which is no action"


@lru_cache(maxsize=8)
def setup_of(battle: str, overrides: str, detail: str | None) -> Setup:
    """The compiled Setup of a battle.

    Args:
        battle: name or path.
        overrides: ``repr`` of the changed fields, because a cache needs hashable keys.
        detail: level of detail; ``None``: that of the battle.
    """
    import ast

    return Battle.load(battle, 0, detail=detail, overrides=ast.literal_eval(overrides)).setup


class Table:
    """The battle that the agent sees."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._size = setup.space.size
        self.clear()

    def clear(self) -> None:
        """Prepare for a new game."""
        self._state = bytearray(self.setup.layout.size)
        self._battle = object.__new__(Battle)
        self._battle._bind(self.setup, np.frombuffer(self._state, np.uint8), record=False)

    def show(self, data: bytes, placed: bool) -> tuple[Battle, Any]:
        """The battle and the mask (bool, shape (actions,)) in a request.

        Args:
            data: the mask, then the state of the battle.
            placed: whether the players have changed the Setup since the last request.
        """
        options, battle = data[: self._size], self._battle
        self._state[:] = data[self._size :]
        if placed:
            battle.setup = self.setup
            battle.setup.ruleset.resume(battle)
        battle._options = options
        return battle, np.frombuffer(options, np.bool_)


def run_agent(line: socket.socket, lifeline: int, spec: str, options: Mapping[str, Any]) -> NoReturn:
    """Run as the process of an agent until no more requests come. The keeper calls this in the process that it
    forked.
    """
    try:
        detach_from_parent(lifeline)
        serve(line, spec, options)
    finally:
        os._exit(1)


def detach_from_parent(lifeline: int) -> None:
    """Give up what belongs to the process that this one was forked from; output goes to standard error."""
    os.setsid()
    signal_nobody_else()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115  as long as the process
    sys.stdout = sys.stderr = open(2, "w", 1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    threading.Thread(target=end_with, args=(lifeline,), daemon=True).start()


def end_with(lifeline: int) -> None:
    """Wait until the other end of a pipe is closed, then end the process and its group."""
    with suppress(OSError):
        os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


def serve(line: socket.socket, spec: str, options: Mapping[str, Any]) -> None:
    """Answer requests until the other end is closed."""
    policy: Policy | None = None
    table: Any = None
    while True:
        data = receive(line)
        if data is None:
            return
        request, body = data[0], data[1:]
        if request == TABLE:
            table, answer = result_or_fault(load_table, *pickle.loads(body))
        elif request == BEGIN:
            table.clear()
            policy, answer = result_or_fault(begin, policy, spec, options, int(body))
        elif request == WILL:
            answer = result_or_fault(check_can_play, policy, table)[1]
        else:
            answer = result_or_fault(act, policy, table, body, request == PLACED)[1]
        message = json.dumps(answer).encode()
        line.sendall(HEAD.pack(len(message)) + message)


def receive(line: socket.socket) -> bytes | None:
    """The next request; ``None`` if the other end is closed."""
    head = receive_bytes(line, HEAD.size)
    return receive_bytes(line, HEAD.unpack(head)[0]) if head else None


def receive_bytes(line: socket.socket, size: int) -> bytes | None:
    """Exactly ``size`` bytes; ``None`` if the other end is closed before."""
    data = bytearray()
    while len(data) < size:
        part = line.recv(size - len(data))
        if not part:
            return None
        data += part
    return bytes(data)


def load_table(battle: str, overrides: str, detail: str | None) -> Table:
    """The table of the next game."""
    return Table(setup_of(battle, overrides, detail))


def begin(policy: Policy | None, spec: str, options: Mapping[str, Any], seed: int) -> Policy:
    """The policy, made if ``policy`` is ``None``, and reset for a game."""
    ready = make(spec, seed, options) if policy is None else policy
    ready.reset(seed)
    return ready


def check_can_play(policy: Any, table: Table) -> None:
    """Check whether the agent can play at this table.

    Raises:
        NoAction: it cannot; the message says why.
    """
    if why := refusal(policy, table.setup):
        raise NoAction(str(why))


def act(policy: Any, table: Table, data: bytes, placed: bool) -> int:
    """The agent's answer to a decision, as a number.

    Raises:
        NoAction: the answer is no action.
    """
    answer = policy.act(*table.show(data, placed))
    try:
        action = index(answer)
    except TypeError:
        raise NoAction(f"answered with {name_of(type(answer))}, {NO_ACTION}") from None
    if not -MOST_DIGITS < action < MOST_DIGITS:
        raise NoAction(f"answered with a number of many digits, {NO_ACTION}")
    return action


class NoAction(Exception):
    """The agent's answer is no action. The message says what it is."""


# ---------------------------------------------------------------- errors in words, whatever they are


def result_or_fault(function: Callable[..., Any], *values: Any) -> tuple[Any, dict[str, Any]]:
    """Call ``function`` and catch whatever it raises.

    Returns:
        The result (``None`` after an error) and the answer to send: ``action`` (0 if the result is no action),
        or ``fault`` and ``trace``.
    """
    try:
        result = function(*values)
        return result, {"action": result if type(result) is int else 0}
    except NoAction as fault:
        return None, {"fault": str(fault)[:TOLD], "trace": ""}
    except BaseException as error:  # the agent answers for everything that it raises, SystemExit included
        return None, {"fault": f"raised {words_of(error)}"[:TOLD], "trace": trace_of(error)}


def name_of(kind: type) -> str:
    """The name of a type, even if the type refuses to say it."""
    try:
        return str(NAME.__get__(kind))[:TOLD]
    except BaseException:
        return "something"


def words_of(error: BaseException) -> str:
    """The name and message of an exception, even if it has a broken ``__str__``."""
    name = name_of(type(error))
    try:
        words = f"{error}"[:TOLD]
    except BaseException:
        return f"{name}, which cannot be put into words"
    return f"{name}: {words}" if words else name


def trace_of(error: BaseException) -> str:
    """The traceback of an exception, shortened; empty if it cannot be printed."""
    try:
        text = "".join(traceback.format_exception(error))
    except BaseException:
        return ""
    return text if len(text) <= TRACE else f"{text[: TRACE // 2]}\n[...]\n{text[-TRACE // 2 :]}"
