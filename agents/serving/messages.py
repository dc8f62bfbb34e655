"""What players may say: short JSON objects, each with its fields and no others; and how often."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

MOST_LETTERS = 1024  # of a message
MOST = 2**31  # of its numbers, none of which is negative
# what can be asked for, and the numbers that belong to it: ``at`` is the number of the change that the player has seen last
FIELDS: dict[str, tuple[str, ...]] = {
    "act": ("at", "action"),
    "look": ("at", "action"),
    "undo": ("at",),
    "hint": ("at",),
    "pace": ("pause",),  # milliseconds
    "state": (),
}


class Refused(ValueError):
    """What somebody asked for is not done, and nothing was changed; the message says why."""


@dataclass(frozen=True)
class Message:
    """What a player says: ``do`` is a key of ``FIELDS``; numbers that do not belong to it are 0."""

    do: str
    at: int = 0
    action: int = 0
    pause: int = 0


def parse(text: str | bytes) -> Message:
    """The message in a text.

    Raises:
        Refused: there is none in it.
    """
    if len(text) > MOST_LETTERS:
        raise Refused(f"a message of {len(text)} letters is too long; expected at most {MOST_LETTERS}")
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("that is no JSON; expected an object") from None
    if not isinstance(said, dict):
        raise Refused("expected a JSON object")
    do = said.pop("do", None)
    if not isinstance(do, str) or do not in FIELDS:
        raise Refused(f'expected "do" to be one of {", ".join(FIELDS)}')
    names = FIELDS[do]
    if said.keys() != set(names):
        raise Refused(f"expected with {do!r} the fields {', '.join(names) or '(none)'} and no others")
    for name, value in said.items():
        if type(value) is not int or not 0 <= value < MOST:
            raise Refused(f"expected {name!r} to be a whole number of 0 to {MOST - 1}")
    return Message(do, **said)


class Pace:
    """How often somebody may do something: ``rate`` times a second in the long run, ``burst`` times at once."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self.left, self.seen = burst, clock()

    def allows(self) -> bool:
        """Whether it may be done now; if so it counts as done."""
        if math.isinf(self.rate):
            return True
        now = self.clock()
        self.left = min(self.burst, self.left + self.rate * (now - self.seen))
        self.seen = now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True
