"""Measuring in turns with a fixed piece of work, so that what else the machine does falls out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from .yardstick import Yardstick

SLICE = 0.004  # seconds of each turn
LOOK = 8  # counted between two looks at the clock: a step of a batch is many decisions, and its turn must be no longer than others
ROUNDS = 10  # how often each of several things that are measured has its turn
Clock = Callable[[], float]


@dataclass(frozen=True)
class Speed:
    """What was reached.

    Attributes:
        rate: of what is counted, a second. ratio: how many of it in the time of one unit of the yardstick.
    """

    rate: float
    ratio: float


class Measured:
    """One thing whose speed is measured, a stretch of time at a time.

    Before the first one ``warm_up`` is counted: most kernels are loaded when they are first needed.
    """

    def __init__(
        self, steps: Iterator[int], yardstick: Yardstick, clock: Clock = time.process_time, warm_up: int = 0
    ) -> None:
        while warm_up > 0:
            warm_up -= next(steps)
        self.steps, self.yardstick, self.clock = steps, yardstick, clock
        self.stretches: list[Speed] = []

    def go(self, seconds: float) -> None:
        """Take steps for so many seconds, in turns with the yardstick."""
        yardstick, clock, steps = self.yardstick, self.clock, self.steps
        units = max(1, round(SLICE / _seconds_a_unit(yardstick, clock)))
        own = work = 0.0
        counted = worked = 0
        while own < seconds:
            began = clock()
            yardstick.work(units)
            now = started = clock()
            while now - started < SLICE:
                look = counted + LOOK
                while counted < look:
                    counted += next(steps)
                now = clock()
            work, worked = work + started - began, worked + units
            own += now - started
        self.stretches.append(Speed(counted / own, counted / own * work / worked))

    def speed(self) -> Speed:
        """The medians of all stretches: what disturbed some of them does not count.

        Raises:
            ValueError: there was none.
        """
        if not self.stretches:
            raise ValueError("speed: nothing was measured yet")
        return Speed(median(s.rate for s in self.stretches), median(s.ratio for s in self.stretches))


def speed_of(
    steps: Iterator[int], seconds: float, yardstick: Yardstick, clock: Clock = time.process_time, warm_up: int = 0
) -> Speed:
    """How fast ``steps`` are taken, each of which says what it counts for, in turns with the yardstick, for so many seconds on end."""
    measured = Measured(steps, yardstick, clock, warm_up)
    measured.go(seconds)
    return measured.speed()


def speeds_of(
    things: Mapping[str, Iterator[int]], seconds: float, yardstick: Yardstick, warm_up: int = 0
) -> dict[str, Speed]:
    """The speeds of several things, each for so many seconds in all: they take turns, so that a bad minute of the machine is no thing's own."""
    measured = {name: Measured(steps, yardstick, warm_up=warm_up) for name, steps in things.items()}
    for _ in range(ROUNDS):
        for one in measured.values():
            one.go(seconds / ROUNDS)
    return {name: one.speed() for name, one in measured.items()}


def _seconds_a_unit(yardstick: Yardstick, clock: Clock, units: int = 100) -> float:
    began = clock()
    yardstick.work(units)
    return (clock() - began) / units
