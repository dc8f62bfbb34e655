"""Measuring in turns with a fixed piece of work, so that what else the machine does falls out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

from .play import Round
from .yardstick import Yardstick

SLICE = 0.004  # seconds of each turn
LOOK = 8  # counted between two looks at the clock: a step of a batch is many decisions, and its turn must be no longer than others
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
    """One thing whose speed is measured, a round at a time; all its rounds are the same work."""

    def __init__(self, begin: Round, yardstick: Yardstick, clock: Clock = time.process_time) -> None:
        self.begin, self.yardstick, self.clock = begin, yardstick, clock
        self.rounds: list[Speed] = []
        self.seconds = 0.0

    def warm_up(self) -> None:
        """A round that does not count: kernels are loaded when they are first needed."""
        for _ in self.begin():
            pass

    def go(self) -> None:
        """A round, in turns with the yardstick."""
        yardstick, clock, steps = self.yardstick, self.clock, self.begin()
        units = max(1, round(SLICE / _seconds_a_unit(yardstick, clock)))
        own = work = 0.0
        counted = worked = 0
        going = True
        while going:
            began = clock()
            yardstick.work(units)
            now = started = clock()
            while going and now - started < SLICE:
                look = counted + LOOK
                while counted < look:
                    step = next(steps, None)
                    if step is None:
                        going = False
                        break
                    counted += step
                now = clock()
            work, worked = work + started - began, worked + units
            own += now - started
        self.seconds += own
        self.rounds.append(Speed(counted / own, counted / own * work / worked))

    def speed(self) -> Speed:
        """The medians of all rounds: what disturbed some of them does not count.

        Raises:
            ValueError: there was none.
        """
        if not self.rounds:
            raise ValueError("speed: nothing was measured yet")
        return Speed(median(s.rate for s in self.rounds), median(s.ratio for s in self.rounds))


def speed_of(begin: Round, seconds: float, yardstick: Yardstick, clock: Clock = time.process_time) -> Speed:
    """How fast the steps of rounds are taken, in turns with the yardstick: as many rounds as so many seconds need, at least one."""
    measured = Measured(begin, yardstick, clock)
    measured.warm_up()
    while not measured.rounds or measured.seconds < seconds:
        measured.go()
    return measured.speed()


def speeds_of(things: Mapping[str, Round], seconds: float, yardstick: Yardstick) -> dict[str, Speed]:
    """The speeds of several things, each for so many seconds in all and at least a round: they take turns, so that a bad minute of the
    machine is no thing's own."""
    measured = {name: Measured(begin, yardstick) for name, begin in things.items()}
    going = list(measured.values())
    for one in going:
        one.warm_up()
    while going:
        for one in going:
            one.go()
        going = [one for one in going if one.seconds < seconds]
    return {name: one.speed() for name, one in measured.items()}


def _seconds_a_unit(yardstick: Yardstick, clock: Clock, units: int = 100) -> float:
    began = clock()
    yardstick.work(units)
    return (clock() - began) / units
