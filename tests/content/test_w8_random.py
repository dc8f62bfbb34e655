"""Random battles of the 8th edition: lawful, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env.content import w8

SIZES = [size.name for name in ("only-war-skirmish", "only-war") for size in w8.load_mission(name).sizes]


@pytest.mark.parametrize("name", ["w8/random-skirmish", "w8/random-war"])
def test_armies_keep_within_the_power_of_the_size(name):
    """Loading musters them."""
    for seed in range(6):
        loaded = w8.GAME.load(f"{name}?seed={seed}", None)
        for army in loaded.armies:
            assert 0 < army.power <= loaded.size.power
            assert sum(unit.warlord for unit in army.units) == 1


def test_the_same_seed_draws_the_same_and_another_one_something_else():
    named = [w8.GAME.load(f"w8/random-skirmish?seed={seed}", None).config for seed in (1, 1, 2)]
    assert named[0] == named[1] != named[2]


def test_a_drawn_battle_is_a_config_that_loads():
    size = SIZES[0]
    first, again, other = (w8.GAME.random_battle(size, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first == again != other
    assert len(w8.load_battle(first).armies) == 2
