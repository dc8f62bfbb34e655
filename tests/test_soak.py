"""Random legal battles with all invariants checked: the short form of scripts/soak.py."""

from __future__ import annotations

import numpy as np
import pytest

from agents.invariants import Invariants, mask_faults, soak
from wh_env import Battle

SKIRMISH, INCURSION = "w10/only-war-skirmish", "w10/only-war-incursion"


@pytest.mark.parametrize(
    ("battle", "detail", "seeds"),
    [(SKIRMISH, "squad", range(8)), (INCURSION, "squad", range(100, 104)), (SKIRMISH, "full", range(200, 202))],
)
def test_nothing_is_violated(battle, detail, seeds):
    setup = Battle.load(battle, 0, detail=detail).setup
    for seed in seeds:
        count, faults = soak(Battle(setup, seed), seed, every=20, legal_sample=8)
        assert faults == [], f"seed {seed}"
        assert count > 50


@pytest.fixture
def deployed() -> Battle:
    battle = Battle.load(SKIRMISH, 1)
    while battle.clock.round[0] < 1:
        battle.apply(int(battle.legal().nonzero()[0][-1]))
    return battle


def test_what_is_broken_is_found(deployed):
    """A check that never finds anything proves nothing."""
    models, units = deployed.models, deployed.units
    here = [k for k, on in enumerate(models.on_table) if on]

    def faults_of(change) -> str:
        probe = deployed.clone()
        invariants = Invariants(probe)
        invariants.before()
        change(probe)
        return "; ".join(invariants.after())

    def stack_up(b):
        b.models.x[here[0]], b.models.y[here[0]], b.models.z[here[0]] = (
            b.models.x[here[1]],
            b.models.y[here[1]],
            b.models.z[here[1]],
        )

    def off_table(b):
        b.models.x[here[0]] = -0.5

    def wound(b):
        b.models.wounds[here[0]] = b.models.max_wounds[here[0]] + 1

    def ghost(b):
        b.models.wounds[here[0]] = b.models.alive[here[0]] = 0

    def miscount(b):
        b.units.alive[b.models.unit[here[0]]] += 1

    def points(b):
        b.players.vp[0] += 1

    def debt(b):
        b.players.cp[1] = -1

    def deaf(b):
        b.clock.asking[0] = 0

    assert faults_of(lambda b: None) == ""
    assert "overlap" in faults_of(stack_up)
    assert "over the edge" in faults_of(off_table)
    assert "more than its Wounds" in faults_of(wound)
    assert "destroyed model stands" in faults_of(ghost)
    assert "living models and says" in faults_of(miscount)
    assert "negative points" in faults_of(debt)
    assert "nobody is asked" in faults_of(deaf)
    deployed.clock.phase[0] = 2
    assert "outside of a Command phase" in faults_of(points)
    assert units.owner[0] == 0


def test_a_mask_that_lies_is_found(deployed):
    """A battle whose copies think otherwise."""

    class Liar(Battle):
        def legal(self):
            mask = super().legal().copy()
            mask[:] = ~mask
            return mask

    assert mask_faults(deployed, np.random.default_rng(0)) == []
    liar = object.__new__(Liar)
    liar._bind(deployed.setup, deployed.buffer.copy(), False)
    assert mask_faults(liar, np.random.default_rng(0), legal_sample=8)
