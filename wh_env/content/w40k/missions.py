"""Choosing the mission before the battle."""

from __future__ import annotations

from typing import Any

from wh_env.content.game import D6
from wh_env.core.events import Event


def rolled_off(rule: str, proposals: tuple[Any, Any], d6: D6) -> tuple[Any, Event | None]:
    """The mission to play from each player's proposal, and the event of the roll-off or None if they agree.

    ``d6`` rolls a die; ``rule`` is the rule id of the event.
    """
    if proposals[0] == proposals[1]:
        return proposals[0], None
    while True:
        rolls = (d6(), d6())
        if rolls[0] != rolls[1]:
            rolled = Event(rule, "roll-off for the mission", {"rolls": rolls})
            return proposals[0 if rolls[0] > rolls[1] else 1], rolled
