"""The process of an agent, as it is inside: it is asked through a socket and answers there.

Everything that belongs to the agent happens here: it is imported, made and asked, and what it raises is put into words. So what it does to
its process it does to itself, and all of it takes its own time. What it says is not trusted (``seats``).
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
# requests; WILL: whether it can play here; PLACED: an ACT since which the players have changed the Setup
TABLE, BEGIN, WILL, ACT, PLACED = b"tbwap"
TOLD, TRACE = 300, 8000  # characters of an error that are kept
MOST_DIGITS = 1 << 62
NAME = vars(type)["__name__"]  # of a type, whatever its metaclass says
NO_ACTION = "which is no action"


@lru_cache(maxsize=8)
def setup_of(battle: str, overrides: str, detail: str | None) -> Setup:
    """The compiled battle; ``overrides`` as Python text, because a cache needs keys."""
    import ast

    return Battle.load(battle, 0, detail=detail, overrides=ast.literal_eval(overrides)).setup


class Table:
    """The battle that the agent is shown."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._size = setup.space.size
        self.clear()

    def clear(self) -> None:
        """A new game begins."""
        self._state = bytearray(self.setup.layout.size)
        self._battle = object.__new__(Battle)
        self._battle._bind(self.setup, np.frombuffer(self._state, np.uint8), record=False)

    def show(self, data: bytes, placed: bool) -> tuple[Battle, Any]:
        """The battle and the mask that a request holds."""
        options, battle = data[: self._size], self._battle
        self._state[:] = data[self._size :]
        if placed:
            battle.setup = self.setup
            battle.setup.ruleset.resume(battle)
        battle._options = options
        return battle, np.frombuffer(options, np.bool_)


def live(line: socket.socket, lifeline: int, spec: str, options: Mapping[str, Any]) -> NoReturn:
    """Be the process of an agent, until nobody asks any more; called in the process that its keeper forked for it."""
    try:
        settle_in(lifeline)
        serve(line, spec, options)
    finally:
        os._exit(1)


def settle_in(lifeline: int) -> None:
    """Let go of everything of the process that this one was forked from; what is printed goes to standard error."""
    os.setsid()
    signal_nobody_else()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115  as long as the process
    sys.stdout = sys.stderr = open(2, "w", 1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    threading.Thread(target=end_with, args=(lifeline,), daemon=True).start()


def end_with(lifeline: int) -> None:
    """End the process and its group as soon as the other end of a pipe is closed."""
    with suppress(OSError):
        os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


def serve(line: socket.socket, spec: str, options: Mapping[str, Any]) -> None:
    """Answer requests as they come, until the other end is closed."""
    policy: Policy | None = None
    table: Any = None
    while True:
        data = receive(line)
        if data is None:
            return
        request, body = data[0], data[1:]
        if request == TABLE:
            table, answer = tried(sit_down, *pickle.loads(body))
        elif request == BEGIN:
            table.clear()
            policy, answer = tried(begin, policy, spec, options, int(body))
        elif request == WILL:
            answer = tried(agree, policy, table)[1]
        else:
            answer = tried(act, policy, table, body, request == PLACED)[1]
        message = json.dumps(answer).encode()
        line.sendall(HEAD.pack(len(message)) + message)


def receive(line: socket.socket) -> bytes | None:
    """The next request; ``None`` when there will be none."""
    head = take(line, HEAD.size)
    return take(line, HEAD.unpack(head)[0]) if head else None


def take(line: socket.socket, size: int) -> bytes | None:
    """So many bytes, as they come."""
    data = bytearray()
    while len(data) < size:
        part = line.recv(size - len(data))
        if not part:
            return None
        data += part
    return bytes(data)


def sit_down(battle: str, overrides: str, detail: str | None) -> Table:
    """The table of the next game."""
    return Table(setup_of(battle, overrides, detail))


def begin(policy: Policy | None, spec: str, options: Mapping[str, Any], seed: int) -> Policy:
    """The policy, made if it is not there yet, ready for a game."""
    made = make(spec, seed, options) if policy is None else policy
    made.reset(seed)
    return made


def agree(policy: Any, table: Table) -> None:
    """See whether the agent can play at this table.

    Raises:
        Mute: it cannot.
    """
    if why := refusal(policy, table.setup):
        raise Mute(str(why))


def act(policy: Any, table: Table, data: bytes, placed: bool) -> int:
    """The agent's answer to a decision as a number.

    Raises:
        Mute: it is no action.
    """
    answer = policy.act(*table.show(data, placed))
    try:
        action = index(answer)
    except TypeError:
        raise Mute(f"answered with {name_of(type(answer))}, {NO_ACTION}") from None
    if not -MOST_DIGITS < action < MOST_DIGITS:
        raise Mute(f"answered with a number of many digits, {NO_ACTION}")
    return action


class Mute(Exception):
    """The agent's answer is no action; says it in words."""


# ---------------------------------------------------------------- errors in words, whatever they are


def tried(what: Callable[..., Any], *values: Any) -> tuple[Any, dict[str, Any]]:
    """What came of ``what`` for these values, and what there is to say of it: an ``action`` (0 where none is asked for), or ``fault`` and ``trace``."""
    try:
        result = what(*values)
        return result, {"action": result if type(result) is int else 0}
    except Mute as fault:
        return None, {"fault": str(fault)[:TOLD], "trace": ""}
    except BaseException as error:  # whatever it raises, SystemExit too, is the agent's affair
        return None, {"fault": f"raised {words_of(error)}"[:TOLD], "trace": trace_of(error)}


def name_of(kind: type) -> str:
    """A type's name, also where it does not want to say it."""
    try:
        return str(NAME.__get__(kind))[:TOLD]
    except BaseException:
        return "something"


def words_of(error: BaseException) -> str:
    """An exception's name and message, also where it cannot say it."""
    name = name_of(type(error))
    try:
        words = f"{error}"[:TOLD]
    except BaseException:
        return f"{name}, which cannot be put into words"
    return f"{name}: {words}" if words else name


def trace_of(error: BaseException) -> str:
    """Where it was raised, if that can be said."""
    try:
        text = "".join(traceback.format_exception(error))
    except BaseException:
        return ""
    return text if len(text) <= TRACE else f"{text[: TRACE // 2]}\n[...]\n{text[-TRACE // 2 :]}"
