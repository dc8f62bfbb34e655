"""Messages of players: short JSON objects with fixed fields, and a limit on how often they may come."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

MOST_LETTERS = 1024  # greatest length of a message
MOST = 2**31  # limit of the numbers in a message, which start at 0
# Kinds of messages with their numbers. ``at`` is the number of the change that the player has seen last.
FIELDS: dict[str, tuple[str, ...]] = {
    "act": ("at", "action"),
    "look": ("at", "action"),
    "undo": ("at",),
    "sheet": ("unit",),
    "hint": ("at",),
    "pace": ("pause",),  # milliseconds
    "state": (),
}


class Refused(ValueError):
    """A request is refused, and nothing was changed. The message says why."""


@dataclass(frozen=True)
class Message:
    """A message of a player.

    Attributes:
        do: its kind, a key of ``FIELDS``.
        at, action, pause, unit: its numbers; 0 if they do not belong to the kind.
    """

    do: str
    at: int = 0
    action: int = 0
    pause: int = 0
    unit: int = 0


def parse(text: str | bytes) -> Message:
    """The message in a text.

    Raises:
        Refused: the text is no valid message.
    """
    if len(text) > MOST_LETTERS:
        raise Refused(f"a message of {len(text)} letters is too long; expected at most {MOST_LETTERS}")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("that is no JSON; expected an object") from None
    if not isinstance(data, dict):
        raise Refused("expected a JSON object")
    do = data.pop("do", None)
    if not isinstance(do, str) or do not in FIELDS:
        raise Refused(f'expected "do" to be one of {", ".join(FIELDS)}')
    names = FIELDS[do]
    if data.keys() != set(names):
        raise Refused(f"expected with {do!r} the fields {', '.join(names) or '(none)'} and no others")
    for name, value in data.items():
        if type(value) is not int or not 0 <= value < MOST:
            raise Refused(f"expected {name!r} to be a whole number of 0 to {MOST - 1}")
    return Message(do, **data)


class Pace:
    """A limit on how often something may happen: ``rate`` times a second in the long run, ``burst`` times at
    once.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self.allowance, self.updated = burst, clock()

    def allows(self) -> bool:
        """Whether it may happen now; if so, it is counted."""
        if math.isinf(self.rate):
            return True
        now = self.clock()
        self.allowance = min(self.burst, self.allowance + self.rate * (now - self.updated))
        self.updated = now
        if self.allowance < 1.0:
            return False
        self.allowance -= 1.0
        return True
