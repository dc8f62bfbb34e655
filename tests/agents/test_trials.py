"""The race between options: a budget, patience, and options that join on the way."""

from __future__ import annotations

import numpy as np

from wh_env.agents.policies.trials import race


class Trials:
    """What comes of options, by the number of dice they have met; every trial is kept."""

    def __init__(self, outcomes):
        self.outcomes, self.seeds = outcomes, {}

    def __call__(self, option, seed):
        met = self.seeds.setdefault(option, [])
        met.append(seed)
        return self.outcomes[option](len(met))

    @property
    def total(self):
        return sum(map(len, self.seeds.values()))


def run(outcomes, spend=None, widen=None, rivals=None, **options):
    trials = Trials(outcomes)
    default, *others = outcomes
    options = {"samples": 1, "confirm": 8, "firm": 1.0} | options
    spent = (lambda: trials.total >= spend) if spend else (lambda: False)
    dice = np.random.default_rng(1)
    won = race(default, others if rivals is None else rivals, trials, dice, spent=spent, widen=widen, **options)
    return won, trials


def nothing(n):
    return 0.0


def better(n):
    return 1.0


def at_times(n):
    """A gain that takes many dice to be sure of: it comes with every eighth, as a small loss does."""
    return 1.0 if n % 8 == 1 else -0.05


def test_what_is_not_yet_proven_when_the_budget_is_spent_is_not_taken():
    assert run({"a": nothing, "b": better}, spend=15)[0] == "a"
    won, trials = run({"a": nothing, "b": better}, spend=16)
    assert won == "b"
    assert trials.total == 16


def test_no_trial_is_made_beyond_the_budget_and_the_seeds_are_shared():
    won, trials = run({"a": nothing, "b": nothing, "c": better, "d": nothing}, spend=11, samples=4)
    assert trials.total == 11
    assert won == "a"
    assert sorted(map(len, trials.seeds.values())) == [2, 3, 3, 3]
    assert all(met == trials.seeds["a"][: len(met)] for met in trials.seeds.values())


def test_patience_gives_what_is_unsure_more_dice():
    assert run({"a": nothing, "b": at_times})[0] == "a"
    won, trials = run({"a": nothing, "b": at_times}, most=64)
    assert won == "b"
    assert 8 < len(trials.seeds["b"]) <= 64


def test_options_that_join_catch_up_on_the_same_dice_and_may_win():
    calls = []

    def widen(options):
        calls.append(tuple(options))
        return ["c"]

    outcomes = {"a": nothing, "b": lambda n: 0.1, "c": better}
    won, trials = run(outcomes, widen=widen, rivals=["b"])
    assert won == "c"
    assert calls[0] == ("a", "b")
    assert trials.seeds["c"] == trials.seeds["a"]
    assert len(set(trials.seeds["c"])) == len(trials.seeds["c"])  # once, although it was brought again and again
