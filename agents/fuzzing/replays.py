"""Mutated replays: other headers, actions, checkpoints or final states, sealed again."""

from __future__ import annotations

import zlib
from functools import cached_property

import numpy as np

from wh_env import Battle, ContentError
from wh_env.content.replay import FORMAT, MAGIC, Recorder, parse_replay
from wh_env.core.sealed import sealed, unsealed

from .battles import small_battles
from .mutations import Chance, mutated_fields, mutated_file, pick
from .states import within_tables

ACTIONS = 96
BOMB = zlib.compress(bytes(1 << 26), 9)  # 64 MiB of zeros in about 64 KiB


class Replays:
    """Mutated replays of the first actions of battles."""

    name = "replays"

    @cached_property
    def files(self) -> list[bytes]:
        """Unchanged replays of random play, always the same."""
        found = []
        for number, (name, how) in enumerate(small_battles()):
            battle = Battle.load(name, number, **how)
            recorder, chance = Recorder(battle, number, 16), np.random.default_rng(number)
            while not battle.over and len(recorder.actions) < ACTIONS:
                action = int(pick(chance, np.flatnonzero(battle.legal())))
                battle.apply(action)
                recorder.add(action)
            found.append(recorder.replay(("random", "random"), (1, 2)).to_bytes())
        return found

    def make(self, rng: Chance) -> bytes:
        """A mutated replay; one in twenty is unchanged."""
        data = pick(rng, self.files)
        share = rng.random()
        if share < 0.05:
            return bytes(data)
        if share < 0.25:
            return mutated_file(data, rng)
        header, parts = unsealed(data, MAGIC, FORMAT, "a replay")
        if share < 0.6:
            header = mutated_fields(header, rng)
        elif share < 0.8:
            actions = np.frombuffer(parts[0], "<u2").copy()
            for _ in range(int(rng.integers(1, 4))):
                actions[int(rng.integers(len(actions)))] = int(rng.integers(2**16))
            parts[0] = actions.tobytes()
        elif share < 0.9:
            at = int(rng.integers(3))
            parts[at] = pick(rng, (b"", parts[at][:-1], parts[at] * 2, rng.bytes(len(parts[at]))))
        else:
            parts[2] = pick(rng, (BOMB, BOMB[:-4], zlib.compress(b""), zlib.compress(rng.bytes(100))))
        return sealed(MAGIC, FORMAT, header, parts)

    def feed(self, data: bytes) -> bool:
        """Read the replay and verify it. Returns whether it was accepted."""
        try:
            parse_replay(data).verify()
        except ContentError as error:
            within_tables(error.__cause__ or error)
            return False
        return True
