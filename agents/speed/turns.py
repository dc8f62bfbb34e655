"""Measure speed in turns with a fixed piece of work, so that the influence of other programs cancels out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

from .play import Round
from .yardstick import Yardstick

SLICE = 0.004  # length of a turn in seconds
# Decisions between two readings of the clock; a step of a batch makes many, and its turns must not be longer.
LOOK = 8
Clock = Callable[[], float]


@dataclass(frozen=True)
class Speed:
    """A measured speed.

    Attributes:
        rate: decisions a second.
        ratio: decisions in the time of one unit of the yardstick.
    """

    rate: float
    ratio: float


class Measured:
    """Something whose speed is measured in rounds, which are all the same work.

    Args:
        begin: starts a round.
        yardstick: the work to compare with.
        clock: returns seconds.

    Attributes:
        rounds: speeds of the rounds so far.
        seconds: time of the rounds so far, without the yardstick.
    """

    def __init__(self, begin: Round, yardstick: Yardstick, clock: Clock = time.process_time) -> None:
        self.begin, self.yardstick, self.clock = begin, yardstick, clock
        self.rounds: list[Speed] = []
        self.seconds = 0.0

    def warm_up(self) -> None:
        """Play a round that does not count, which loads the kernels."""
        for _ in self.begin():
            pass

    def measure_round(self) -> None:
        """Play a round in turns with the yardstick."""
        yardstick, clock, steps = self.yardstick, self.clock, self.begin()
        units = max(1, round(SLICE / _seconds_a_unit(yardstick, clock)))
        own_seconds = yardstick_seconds = 0.0
        counted = yardstick_units = 0
        unfinished = True
        while unfinished:
            began = clock()
            yardstick.work(units)
            now = started = clock()
            while unfinished and now - started < SLICE:
                look = counted + LOOK
                while counted < look:
                    step = next(steps, None)
                    if step is None:
                        unfinished = False
                        break
                    counted += step
                now = clock()
            yardstick_seconds, yardstick_units = yardstick_seconds + started - began, yardstick_units + units
            own_seconds += now - started
        self.seconds += own_seconds
        self.rounds.append(Speed(counted / own_seconds, counted / own_seconds * yardstick_seconds / yardstick_units))

    def speed(self) -> Speed:
        """The medians over all rounds, so that disturbed rounds do not count.

        Raises:
            ValueError: no round was measured.
        """
        if not self.rounds:
            raise ValueError("speed: nothing was measured yet")
        return Speed(median(s.rate for s in self.rounds), median(s.ratio for s in self.rounds))


def speed_of(begin: Round, seconds: float, yardstick: Yardstick, clock: Clock = time.process_time) -> Speed:
    """Measure the speed of rounds in turns with the yardstick, for at least ``seconds`` and one round."""
    measured = Measured(begin, yardstick, clock)
    measured.warm_up()
    while not measured.rounds or measured.seconds < seconds:
        measured.measure_round()
    return measured.speed()


def speeds_of(things: Mapping[str, Round], seconds: float, yardstick: Yardstick) -> dict[str, Speed]:
    """Measure several things, each for at least ``seconds`` and one round. Their rounds alternate, so that a
    slow minute of the machine affects all of them.
    """
    measured = {name: Measured(begin, yardstick) for name, begin in things.items()}
    unfinished = list(measured.values())
    for one in unfinished:
        one.warm_up()
    while unfinished:
        for one in unfinished:
            one.measure_round()
        unfinished = [one for one in unfinished if one.seconds < seconds]
    return {name: one.speed() for name, one in measured.items()}


def _seconds_a_unit(yardstick: Yardstick, clock: Clock, units: int = 100) -> float:
    """The present duration of one unit of the yardstick in seconds."""
    began = clock()
    yardstick.work(units)
    return (clock() - began) / units
