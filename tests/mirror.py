"""The same battle twice, with the players swapped: whoever sits where sees, may do and reaches the same."""

from __future__ import annotations

import numpy as np

from wh_env import Battle
from wh_env.envs.observation import Observer
from wh_env.envs.spaces import fill_mask, is_turned, turn_action


def play_swapped(a: Battle, b: Battle, seed: int, every: int) -> None:
    """Play both to their end with the same choices: masks at each decision, observations at ``every`` so many, and results are compared."""
    eyes = Observer(a.setup, "entities"), Observer(b.setup, "entities")
    masks = np.zeros((2, a.setup.space.size), np.int8)
    chance = np.random.default_rng(seed)
    steps = 0
    while not a.over:
        player = a.clock.player[0]
        assert b.clock.player[0] == 1 - player
        if steps % every == 0:
            for seat in (0, 1):
                one, other = eyes[0].observe(a, seat), eyes[1].observe(b, 1 - seat)
                for name in one:
                    np.testing.assert_allclose(one[name], other[name], atol=1e-5, err_msg=name)
        fill_mask(a, player, masks[0])
        fill_mask(b, 1 - player, masks[1])
        assert (masks[0] == masks[1]).all(), f"decision {steps}: {a.decision}"
        action = int(chance.choice(masks[0].nonzero()[0]))
        for game, seat in ((a, player), (b, 1 - player)):
            game.apply(turn_action(game.setup.space, action) if is_turned(game, seat) else action)
        steps += 1
    assert steps > 100
    assert b.over
    assert a.result is not None
    assert b.result is not None
    assert a.result.victory_points == b.result.victory_points[::-1]
    assert a.result.winner == (None if b.result.winner is None else 1 - b.result.winner)
