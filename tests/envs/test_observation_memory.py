"""What observers keep of where units stood: the same numbers as without, whatever moved, died, joined or was another battle's."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env import Battle
from wh_env.envs.observation import PARTS, Observer, column_of

BATTLES = {
    "w10/only-war-incursion": 500,
    "w9/only-war-incursion": 500,
    "w8/only-war": 400,
    "epic/river-crossing": 400,
    "wap/open-field": 300,
    "wap/open-heroes": 300,
}
WITHIN = PARTS["relations"].name


def raw(seen: object) -> bytes:
    """All bytes of an observation."""
    return b"".join(part.tobytes() for part in (seen.values() if isinstance(seen, dict) else (seen,)))


@pytest.mark.parametrize("form", ["vector", "entities"])
@pytest.mark.parametrize("name", BATTLES)
def test_what_is_kept_is_what_would_be_found_anew(name, form):
    """Two battles to their ends, seen by both seats through the same memories; every look is that of an observer without any."""
    setup = Battle.load(name, 0).setup
    observer = Observer(setup, form)
    kept, chance = observer.memories(), np.random.default_rng(5)
    out, anew, last = observer.empty(), observer.empty(), None
    games = [Battle(setup, seed) for seed in (1, 2)]
    for step in range(BATTLES[name]):
        game = games[int(chance.integers(20) == 0)]  # mostly the same, so that much is kept
        if not game.over:
            game.apply(int(chance.choice(np.flatnonzero(game.legal()))))
        if form == "entities" and step % 3:
            continue
        seat = int(chance.integers(2))
        last = observer.write(game, seat, out, last, kept)
        observer.write(game, seat, anew, None, observer.memories())
        assert raw(out) == raw(anew), step


def test_only_pairs_of_which_a_unit_moved_are_measured_anew():
    """A distance that was tampered with stays until one of its units moves, and no other pair is asked about."""
    game = Battle.load("wap/open-field", 1)
    chance = np.random.default_rng(1)
    while game.clock.round[0] < 2:
        game.apply(int(chance.choice(np.flatnonzero(game.legal()))))
    observer = Observer(game.setup, "entities")
    kept, column = observer.memories(), column_of("wap", WITHIN, "distance")
    seen = observer.empty()
    observer.write(game, 0, seen, None, kept)
    true = seen[WITHIN][..., column].copy()
    distances = kept[0].view["distances"][0]
    own, enemy = (int(found[0]) for found in np.nonzero(distances >= 0.0))
    own_too = int(np.flatnonzero((distances >= 0.0).any(axis=1))[1])
    distances[own, enemy] = distances[own_too, enemy] = 6.0
    observer.write(game, 0, seen, None, kept)
    assert seen[WITHIN][own, enemy, column] == seen[WITHIN][own_too, enemy, column] == np.float32(6.0 / 48.0)
    models, unit = game.models, game.players.first_unit[0] + own
    for k in game.members(unit):
        models.facing[k] += 1e-9
    observer.write(game, 0, seen, None, kept)
    assert abs(seen[WITHIN][own, enemy, column] - true[own, enemy]) < 1e-6
    assert seen[WITHIN][own_too, enemy, column] == np.float32(6.0 / 48.0)


def test_memories_are_of_each_seat():
    """What one seat saw says nothing of its neighbour's slots to the other."""
    game = Battle.load("w10/only-war-incursion", 3)
    chance = np.random.default_rng(2)
    while game.clock.round[0] < 2:
        game.apply(int(chance.choice(np.flatnonzero(game.legal()))))
    observer = Observer(game.setup, "entities")
    both = [{part: array.copy() for part, array in observer.observe(game, seat).items()} for seat in (0, 1)]
    column = column_of("w10", WITHIN, "distance")
    np.testing.assert_allclose(both[0][WITHIN][..., column], both[1][WITHIN][..., column].T, atol=1e-6)
