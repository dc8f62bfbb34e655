"""What a learner may rely on: the mask is true to the last bit, and what is not legal changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import wh_env
from wh_env import IllegalAction
from wh_env.agents.invariants import state_faults
from wh_env.core.procedures import FRAME_SIZE
from wh_env.envs.aec import RawEnv
from wh_env.envs.spaces import is_turned, turn_action

SKIRMISH = "w10/only-war-skirmish"
# detail: positions that are looked at, and how many decisions lie between two of them
POSITIONS = {"squad": (1200, 2), "full": (1000, 5)}


def positions(environment: RawEnv, count: int, every: int) -> Iterator[tuple[str, np.ndarray]]:
    """So many positions of random battles: who is asked, and its mask."""
    chance = np.random.default_rng(17)
    seed = number = seen = 0
    environment.reset(seed=seed)
    while seen < count:
        if not environment.agents or environment.battle.over:
            seed += 1
            environment.reset(seed=seed)
        agent = environment.agent_selection
        mask = environment.observe(agent)["action_mask"]
        number += 1
        if number % every == 0:
            seen += 1
            yield agent, mask
        environment.step(int(chance.choice(mask.nonzero()[0])))


@pytest.mark.parametrize("detail", POSITIONS)
def test_every_bit_of_the_mask_is_what_happens(detail):
    """Each action of the space, on thousands of positions: with its bit it is carried out and leaves a sound state in which somebody is
    asked something; without it the step raises and the bytes are as they were."""
    environment = wh_env.raw_env(battle=SKIRMISH, detail=detail, rules={"formations": "choose"})
    probe = np.zeros(2, np.int64)
    kinds = set()
    for agent, mask in positions(environment, *POSITIONS[detail]):
        battle = environment.battle
        state, space = battle.state_bytes(), battle.setup.space
        kinds.add(battle.decision.kind)
        for action in np.flatnonzero(mask == 0).tolist():
            with pytest.raises(IllegalAction):
                environment.step(action)
        assert battle.state_bytes() == state
        assert environment.agent_selection == agent
        assert (environment.observe(agent)["action_mask"] == mask).all()
        assert mask.any()

        turned = is_turned(battle, int(agent[-1]))
        copy = battle.clone()
        rounds, depth = battle.setup.rules["rounds"], len(battle.stack) // FRAME_SIZE
        for action in np.flatnonzero(mask).tolist():
            copy.copy_from(battle)
            copy.apply(turn_action(space, action) if turned else action)
            assert state_faults(copy, probe, rounds, depth) == []
            assert copy.over or copy.legal().any()
    assert len(kinds) >= {"squad": 12, "full": 20}[detail]


@pytest.mark.parametrize("make", [wh_env.env, wh_env.raw_env])
def test_a_mutated_or_foreign_action_changes_nothing(make):
    """A mask that was tampered with, an action of another position, of another space, of another type."""
    environment, other = make(battle=SKIRMISH), wh_env.raw_env(battle="w10/only-war-incursion")
    environment.reset(seed=3)
    other.reset(seed=3)
    agent = environment.agent_selection
    observation = environment.unwrapped.observe(agent)
    battle, mask = environment.unwrapped.battle, observation["action_mask"].copy()
    state = battle.state_bytes()
    observation["action_mask"][:] = 1
    observation["observation"][:] = 9.0
    raw = environment.unwrapped
    while (foreign := int(other.observe(other.agent_selection)["action_mask"].argmax())) in np.flatnonzero(mask):
        other.step(foreign)
    for action in (int((mask == 0).argmax()), foreign, -1, len(mask), 10**12):
        with pytest.raises(IllegalAction):
            raw.step(action)
    for action in (1.5, "1", None, [1], np.array([1, 2])):
        with pytest.raises((TypeError, ValueError)):
            raw.step(action)
    assert battle.state_bytes() == state
    assert (raw.observe(agent)["action_mask"] == mask).all()
    raw.step(np.int64(mask.argmax()))
    assert battle.state_bytes() != state


def test_actions_of_another_type_change_no_batch():
    batch = wh_env.vector_env(2, battle=SKIRMISH)
    _, infos = batch.reset(seed=1)
    state = [battle.state_bytes() for battle in batch.battles]
    with pytest.raises(TypeError, match="expected integers"):
        batch.step(infos["action_mask"].argmax(axis=1).astype(float))
    assert [battle.state_bytes() for battle in batch.battles] == state
    single = wh_env.single_env(battle=SKIRMISH)
    single.reset(seed=1)
    with pytest.raises(TypeError):
        single.step(1.0)
