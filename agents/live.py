"""Tell people who play a battle what happens in it, each only what their seat may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wh_env import Battle, Event

from .policies.human import HumanPolicy, may_hear
from .report import Reporter


def listen(battle: Battle, people: Mapping[int, HumanPolicy], *, rules: bool = False) -> Callable[[Event], None]:
    """Give each person the events of a battle, as report lines before each of their decisions. Events
    that name secrets of the other seat are left out.

    Args:
        battle: a battle before its first action, with ``record=True``.
        people: the persons, by seat.
        rules: also name the rules that were applied.

    Returns:
        A function to call with each event.
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
