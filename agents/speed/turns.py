"""Measuring in turns with a fixed piece of work, so that what else the machine does falls out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .yardstick import Yardstick

SLICE = 0.004  # seconds of each turn
LOOK = 8  # steps between two looks at the clock
Clock = Callable[[], float]


@dataclass(frozen=True)
class Speed:
    """What was reached.

    Attributes:
        rate: of what is counted, a second. ratio: how many of it in the time of one unit of the yardstick.
    """

    rate: float
    ratio: float


def speed_of(
    steps: Iterator[int], seconds: float, yardstick: Yardstick, clock: Clock = time.process_time, warm_up: int = 0
) -> Speed:
    """How fast ``steps`` are taken, each of which says what it counts for, in turns with the yardstick, for so many seconds.

    Before that ``warm_up`` is counted: most kernels are loaded when they are first needed.
    """
    while warm_up > 0:
        warm_up -= next(steps)
    units = max(1, round(SLICE / _seconds_a_unit(yardstick, clock)))
    own = work = 0.0
    counted = worked = 0
    while own < seconds:
        began = clock()
        yardstick.work(units)
        now = started = clock()
        while now - started < SLICE:
            for _ in range(LOOK):
                counted += next(steps)
            now = clock()
        work, worked = work + started - began, worked + units
        own += now - started
    return Speed(counted / own, counted / own * work / worked)


def _seconds_a_unit(yardstick: Yardstick, clock: Clock, units: int = 100) -> float:
    began = clock()
    yardstick.work(units)
    return (clock() - began) / units
