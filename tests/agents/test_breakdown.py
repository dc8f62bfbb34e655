"""Means of accounts over pairs of games, and their intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t as student_t

from wh_env.agents.breakdown import Accounts, Mean, padded
from wh_env.agents.intervals import student
from wh_env.agents.ledger import Side


def side(
    killed: float, lost: float, vp: tuple[float, ...] = (1.0, 2.0), markers: tuple[float, ...] = (1.0, 1.0)
) -> Side:
    """Two units; the first does everything."""
    return Side(("a", "b"), (100.0, 50.0), (lost, 0.0), (1.0, 0.0), ((killed, 0.0), (0.0, 0.0)), vp, markers)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_limits_are_student_s(level):
    for freedom in (1, 2, 3, 4, 5, 9, 30, 500):
        assert student(level, freedom) == pytest.approx(student_t.ppf(0.5 + level / 2, freedom), rel=1e-3)
    with pytest.raises(ValueError, match="0 degrees of freedom"):
        student(level, 0)


def test_pairs_are_what_is_counted():
    accounts = Accounts(0.9)
    pairs = [(10.0, 30.0), (0.0, 20.0), (40.0, 20.0)]
    for first, second in pairs:
        accounts.add([(side(first, 5.0), side(5.0, first)), (side(second, 5.0), side(5.0, second))])
    found = accounts.found(("One", "Other"))
    means = np.mean(pairs, axis=1)
    half = student_t.ppf(0.95, 2) * means.std(ddof=1) / 3**0.5
    one, other = found.lists
    assert found.pairs == 3 and (one.army, other.army) == ("One", "Other")
    killed = one.units[0].killed
    assert (killed.mean, killed.low, killed.high) == pytest.approx(
        (means.mean(), means.mean() - half, means.mean() + half)
    )
    assert one.units[0].balance.mean == pytest.approx(means.mean() - 5.0)
    assert one.units[1].killed == Mean(0.0, 0.0, 0.0)
    assert found.trade.mean == pytest.approx(means.mean() - 5.0) == one.killed.mean - other.killed.mean
    assert other.lost.mean == pytest.approx(means.mean()) and one.otherwise.mean == 1.0
    assert found.kills[0][0][0] == pytest.approx(means.mean()) and found.kills[1] == ((5.0, 0.0), (0.0, 0.0))
    assert [part.vp[0].mean for part in found.rounds] == [1.0, 2.0]
    assert all(part.lead == Mean(0.0, 0.0, 0.0) for part in found.rounds)


def test_one_pair_has_no_interval_and_none_has_nothing():
    accounts = Accounts()
    assert accounts.found(("One", "Other")) is None
    accounts.add([(side(1.0, 2.0), side(2.0, 1.0))] * 2)
    assert accounts.found(("One", "Other")).trade == Mean(-1.0, None, None)


def test_shorter_games_stand_still_at_their_end():
    accounts = Accounts()
    long, short = side(0, 0, (1.0, 2.0, 3.0), (1.0, 2.0, 0.0)), side(0, 0, (5.0,), (2.0,))
    accounts.add([(long, long), (short, short)])
    rounds = accounts.found(("One", "Other")).rounds
    assert [part.vp[0].mean for part in rounds] == [3.0, 1.0, 1.5]
    assert [part.markers[0].mean for part in rounds] == [1.5, 2.0, 1.0]
    assert padded((1.0,), 3, 7.0).tolist() == [1.0, 7.0, 7.0]


def test_lists_must_stay_the_same():
    accounts = Accounts()
    accounts.add([(side(1, 1), side(1, 1))])
    accounts.add([(replace(side(1, 1), names=("a", "c")), side(1, 1))])
    with pytest.raises(ValueError, match="expected those of the first game"):
        accounts.found(("One", "Other"))
