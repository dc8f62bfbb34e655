"""What speed is measured against, and how."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import pytest

from wh_env.agents.speed import batches, play
from wh_env.agents.speed.turns import Measured, speed_of, speeds_of
from wh_env.agents.speed.yardstick import FUNCTIONS, VERSION, Yardstick, functions

SKIRMISH = "w10/only-war-skirmish"


class Hands:
    """A clock that only work moves on, and a yardstick whose unit takes 20 µs of it."""

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        """The time."""
        return self.now

    def work(self, units: int) -> int:
        """So many units."""
        self.now += units * 20e-6
        return units

    def steps(self, *seconds: float) -> Iterator[int]:
        """Steps that take so long and count for one."""
        for each in seconds:
            self.now += each
            yield 1


def test_the_work_is_always_the_same():
    """Ratios compare only as long as a unit stays what it is: a change of the work is a new version, and a new reference."""
    assert VERSION == 2
    assert Yardstick().work(50) == Yardstick().work(50) == 363815952


def test_python_walks_through_functions_that_differ():
    made = functions()
    assert len({(one.__code__.co_code, one.__code__.co_consts) for one in made}) == FUNCTIONS


@pytest.mark.parametrize(("seconds", "ratio"), [(20e-6, 1.0), (80e-6, 0.25)])
def test_a_ratio_is_steps_in_the_time_of_a_unit(seconds, ratio):
    hands = Hands()
    speed = speed_of(lambda: hands.steps(*[seconds] * 1000), 0.1, hands, clock=hands.clock)
    assert speed.ratio == pytest.approx(ratio)
    assert speed.rate == pytest.approx(1 / seconds)


def test_whole_rounds_are_measured():
    """A stretch of so many seconds had the cheap battles in it on one host, and the dear ones too on a faster one."""
    hands, begun = Hands(), []
    dear = [20e-6] * 900 + [20e-3] * 10  # 218 ms

    def begin() -> Iterator[int]:
        begun.append(hands.now)
        return hands.steps(*dear)

    for seconds, rounds in ((0.001, 1), (0.3, 2)):
        begun.clear()
        assert speed_of(begin, seconds, hands, clock=hands.clock).rate == pytest.approx(len(dear) / sum(dear))
        assert len(begun) == 1 + rounds  # the first one loads kernels and does not count


def test_a_step_that_counts_much_is_a_turn_of_its_own():
    """A turn of a batch was ten times as long as one of the yardstick, which then found its caches cold: its ratio hung on who else used them."""
    hands, turns = Hands(), []

    def batch() -> Iterator[int]:
        for _ in range(30):
            hands.now += 0.005
            turns.append(hands.now)
            yield 64

    measured = Measured(batch, hands, hands.clock)
    measured.measure_round()
    assert len(turns) == 30
    assert all(later - sooner > 0.0089 for sooner, later in pairwise(turns))  # 4 ms of other work between


def test_all_things_are_measured():
    told = speeds_of({"one": lambda: iter([1] * 10**4), "two": lambda: iter([2] * 10**4)}, 0.02, Yardstick())
    assert list(told) == ["one", "two"]
    assert all(speed.rate > 0 and speed.ratio > 0 for speed in told.values())


@pytest.mark.parametrize(
    "make",
    [play.core, partial(play.observed, form="vector"), play.aec, play.single, batches.batched],
    ids=["core", "observed", "aec", "single", "batch"],
)
def test_rounds_are_the_same_work(make):
    begin = make(SKIRMISH, 2)
    first, second = list(begin()), list(begin())
    assert first == second
    assert sum(first) > 100
