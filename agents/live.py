"""A battle that people play in as it goes on: what each of them hears of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wh_env import Battle, Event

from .policies.human import HumanPolicy, may_hear
from .report import Reporter


def listen(battle: Battle, people: Mapping[int, HumanPolicy], *, rules: bool = False) -> Callable[[Event], None]:
    """Tell people by seat what happens, in the words of reports, before each of their decisions; what is kept from a seat it does not hear.

    Args:
        battle: with ``record=True``, before its first action.
        people: by seat.
        rules: name the rules that were applied.

    Returns:
        What is to be called with each event.
    """
    reporters = {seat: Reporter(battle, rules=rules) for seat in people}

    def lines(seat: int) -> list[str]:
        reporters[seat].end_volley()
        return list(reporters[seat].lines())

    def hear(event: Event) -> None:
        for seat, reporter in reporters.items():
            if may_hear(battle, seat, event):
                reporter(event)

    for seat, person in people.items():
        person.news = lambda seat=seat: lines(seat)  # type: ignore[misc]
    return hear
