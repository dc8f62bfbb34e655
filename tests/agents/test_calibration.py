"""Calibration: the fit finds weights that are there, positions are told truly, the program runs."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from wh_env.agents.calibration import FITTED, Sample, fit, gather
from wh_env.agents.policies.tactician_value import Terms

SKIRMISH = "w10/only-war-skirmish"


def test_the_fit_finds_the_weights_of_each_turn_and_leaves_uneven_sides_out():
    rng = np.random.default_rng(1)
    wanted = {7: (0.7, 0.2, 0.01, 0.02, 0.4, 0.03), 2: (0.5, 0.0, 0.001, 0.003, 0.9, 0.0)}
    samples = []
    for turns, weights in wanted.items():
        for n in range(300):
            x = rng.normal(size=6) * (1, 1, 100, 50, 50, 50)
            gained = float(x @ weights) + (3.0 if n % 2 else -3.0) + 0.01 * rng.normal()
            samples.append(Sample(Terms(float(turns), 0.0, *x.tolist()), gained, (0, n % 2)))
    fits = fit(samples)
    assert [f.turns for f in fits] == [7, 2]
    for f in fits:
        assert f.weights == pytest.approx(wanted[f.turns], abs=0.005)
        assert f.samples == 300 and f.error < 0.02 < f.spread


def test_positions_are_those_of_every_turn_and_what_was_gained_adds_up():
    first, again = gather([SKIRMISH], 2, 5), gather([SKIRMISH], 2, 5)
    assert first == again
    assert {s.side for s in first} == {(0, 0), (0, 1)}
    ends = {}
    for number, sample in enumerate(first):
        game = sum(s.terms.turns == 10 for s in first[: number + 1])
        # both seats must tell the same end of their battle
        final = (sample.terms.lead + sample.gained) * (1 - 2 * sample.side[1])
        assert ends.setdefault(game, final) == pytest.approx(final, abs=1e-4)
    assert sorted(ends) == [1, 2]


def test_games_without_markers_are_fitted_by_what_their_ruleset_says():
    """Points due are in the lead, so what is still gained is small at the end."""
    samples = gather(["wap/open-skirmish"], 2, 5)
    assert any(s.terms.soon for s in samples) and any(s.terms.army for s in samples)
    assert not any(s.terms.held or s.terms.near or s.terms.strikes for s in samples)
    assert any(s.terms.lead for s in samples)  # although nothing is scored before the end


def test_the_program_prints_the_fits(load_script):
    program, runner = load_script("calibrate.py"), CliRunner()
    done = runner.invoke(program, ["--battles", SKIRMISH, "--games", "8", "--seed", "2", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["games"] == 8 and told["fits"]
    assert all(len(f["weights"]) == len(FITTED) for f in told["fits"])
    assert runner.invoke(program, ["--battles", "w10/nowhere", "--games", "1"]).exit_code == 2
